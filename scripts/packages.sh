# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=sh
# What packages are called: the one place that knows. Scripts name a package as Debian does; what they
# tell a user is what this distribution calls it. To be sourced by any shell.
#
# Environment: OS_RELEASE, a file to read instead of /etc/os-release.

# Debian's name, dnf's (Fedora, RHEL with EPEL), zypper's (openSUSE), pacman's (Arch Linux). A name that
# is not in the table, and -, is one that is not known. AUR: is before what only the Arch User Repository
# has. % stands for any text, # for a number. The first row that fits counts.
#
# Debian's are what the tests install. The others' are from packagers' files and manuals, and were not tried
# on those distributions.
package_table() {
	cat <<-'END'
		babeltrace2              babeltrace2            babeltrace2           babeltrace2
		bc                       bc                     bc                    bc
		bison                    bison                  bison                 bison
		bsdextrautils            util-linux             util-linux            util-linux
		bzip2                    bzip2                  bzip2                 bzip2
		clang                    clang                  clang                 clang
		clang-#                  clang                  clang#                clang
		clang-format             clang-tools-extra      -                     clang
		clickhouse-client        -                      -                     -
		clickhouse-server        -                      -                     -
		cpio                     cpio                   cpio                  cpio
		curl                     curl                   curl                  curl
		debian-archive-keyring   -                      -                     -
		dkms                     dkms                   dkms                  dkms
		e2fsprogs                e2fsprogs              e2fsprogs             e2fsprogs
		flex                     flex                   flex                  flex
		gcc                      gcc                    gcc                   gcc
		gcc-#                    gcc                    gcc#                  gcc
		gcc-#-aarch64-linux-gnu  gcc-aarch64-linux-gnu  cross-aarch64-gcc#    aarch64-linux-gnu-gcc
		gcc-aarch64-linux-gnu    gcc-aarch64-linux-gnu  -                     aarch64-linux-gnu-gcc
		git                      git                    git                   git
		groff                    groff                  groff                 groff
		gzip                     gzip                   gzip                  gzip
		jq                       jq                     jq                    jq
		kmod                     kmod                   kmod                  kmod
		libbabeltrace2-dev       libbabeltrace2-devel   babeltrace2-devel     babeltrace2
		libc6-dev                glibc-devel            glibc-devel           glibc
		libelf-dev               elfutils-libelf-devel  libelf-devel          libelf
		libiberty-dev            binutils-devel         binutils-devel        binutils
		libjansson-dev           jansson-devel          libjansson-devel      jansson
		liblttng-ctl-dev         lttng-tools-devel      lttng-tools-devel     AUR:lttng-tools
		libmicrohttpd-dev        libmicrohttpd-devel    libmicrohttpd-devel   libmicrohttpd
		libseccomp-dev           libseccomp-devel       libseccomp-devel      libseccomp
		libsqlite3-dev           sqlite-devel           sqlite3-devel         sqlite
		libssl-dev               openssl-devel          libopenssl-devel      openssl
		linux-headers-%          kernel-devel-%         kernel-default-devel  linux-headers
		lld-#                    lld                    lld#                  lld
		llvm-#                   llvm                   llvm#                 llvm
		lttng-tools              lttng-tools            lttng-tools           AUR:lttng-tools
		make                     make                   make                  make
		man-db                   man-db                 man                   man-db
		mmdebstrap               -                      -                     -
		openssl                  openssl                openssl               openssl
		perl                     perl                   perl                  perl
		perl-base                perl                   perl                  perl
		pkg-config               pkgconf-pkg-config     pkg-config            pkgconf
		pkgconf                  pkgconf-pkg-config     pkg-config            pkgconf
		procps                   procps-ng              procps                procps-ng
		prometheus               -                      -                     prometheus
		python3                  python3                python3               python
		python3-jsonschema       python3-jsonschema     python3-jsonschema    python-jsonschema
		python3-pandas           python3-pandas         python3-pandas        python-pandas
		qemu-system-arm          qemu-system-aarch64    qemu-arm              qemu-system-aarch64
		qemu-system-x86          qemu-system-x86        qemu-x86              qemu-system-x86
		reuse                    reuse                  -                     reuse
		shellcheck               ShellCheck             ShellCheck            shellcheck
		sqlite3                  sqlite                 sqlite3               sqlite
		tar                      tar                    tar                   tar
		time                     time                   time                  time
		uidmap                   shadow-utils           shadow                shadow
		unifdef                  unifdef                unifdef               unifdef
		util-linux               util-linux             util-linux            util-linux
		valgrind                 valgrind               valgrind              valgrind
		wget                     wget                   wget                  wget
		xz-utils                 xz                     xz                    xz
		zstd                     zstd                   zstd                  zstd
	END
}

# Prints apt, dnf, zypper or pacman; nothing where neither the distribution's name nor its programs tell.
package_manager() {
	for word in $(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d "\"'"); do
		case $word in
		debian | ubuntu) echo apt && return ;;
		fedora | rhel | centos) echo dnf && return ;;
		suse | opensuse* | sles) echo zypper && return ;;
		arch) echo pacman && return ;;
		esac
	done
	for word in apt-get:apt dnf:dnf zypper:zypper pacman:pacman; do
		! command -v "${word%:*}" >/dev/null || { echo "${word#*:}" && return; }
	done
}

# packages_for MANAGER PACKAGE...: a line for each, Debian's name and what MANAGER knows it by, or -
packages_for() {
	manager=$1
	shift
	package_table | awk -v manager="$manager" -v wanted="$*" '
		{ rows[NR] = $0 }
		function regex(pattern) {
			gsub(/[.+]/, "[&]", pattern)
			sub(/#/, "[0-9]+", pattern)
			sub(/%/, ".+", pattern)
			return "^" pattern "$"
		}
		# What the mark of a pattern stands for.
		function rest(name, pattern,  at) {
			at = match(pattern, /[#%]/)
			return at ? substr(name, at, length(name) - length(pattern) + 1) : ""
		}
		function here(name,  i, f, is) {
			if (manager == "apt")
				return name
			if (manager == "")
				return "-"
			for (i = 1; i <= NR; i++) {
				split(rows[i], f)
				if (name !~ regex(f[1]))
					continue
				is = f[manager == "dnf" ? 2 : manager == "zypper" ? 3 : 4]
				sub(/[#%]/, rest(name, f[1]), is)
				return is
			}
			return "-"
		}
		END {
			n = split(wanted, names)
			for (i = 1; i <= n; i++)
				print names[i], here(names[i])
		}'
}

# to_install PACKAGE...: how to install them here, as a part of a sentence
to_install() {
	manager=$(package_manager)
	sudo='sudo '
	[ "$(id -u)" != 0 ] || sudo=
	case $manager in
	apt) command="${sudo}apt-get install" ;;
	dnf | zypper) command="$sudo$manager install" ;;
	pacman) command="${sudo}pacman -S" ;;
	*)
		echo "install what Debian calls $*"
		return
		;;
	esac
	packages_for "$manager" "$@" | awk -v command="$command" -v manager="$manager" '
		seen[$2]++ && $2 != "-" { next }
		$2 == "-" { unknown = unknown " " $1; next }
		sub(/^AUR:/, "", $2) { aur = aur " " $2; next }
		{ known = known " " $2 }
		END {
			text = known == "" ? "" : command known
			if (aur != "")
				text = text (text == "" ? "" : ", and ") "install from the AUR" aur
			if (unknown != "")
				text = text (text == "" ? "" : ", and ") "install what Debian calls" unknown
			print text
		}'
}
