#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The cache of tests/linux/kernel: a newer linux-source does not take the older one from a kernel that is built of it,
# and one that no kernel is of goes. Tried in a cache of its own with made-up packages, whose "kernel" takes
# every configuration and is built by touching files; no archive is asked.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cache=$XDG_CACHE_HOME/lttng-containers/linux
# shellcheck source-path=SCRIPTDIR source=../vm/tap.sh
. "$top/tests/vm/tap.sh"

mkdir -p "$work/tests/linux/configs" "$work/tests/vm/suites" "$work/scripts" "$work/deb/DEBIAN" "$work/deb/usr/src" "$work/linux"
cp "$here/kernel" "$here/lib.sh" "$work/tests/linux/"
cp "$top/tests/vm/lib.sh" "$work/tests/vm/"
cp "$top/scripts/packages.sh" "$top/scripts/lib.sh" "$work/scripts/"
printf '#!/bin/sh\n' >"$work/scripts/require"
echo "suite_archives=none" >"$work/tests/vm/suites/trixie"
echo "CONFIG_MODULES=y" | tee "$work/tests/linux/configs/base" "$work/tests/linux/configs/one" >"$work/tests/linux/configs/two"

# A linux-source package that can be built.
cat >"$work/linux/Makefile" <<'END'
allnoconfig: ; cp $(KCONFIG_ALLCONFIG) $(O)/.config
bzImage modules modules_prepare: ; touch $(O)/$@
END
tar -c -J -C "$work" -f "$work/deb/usr/src/linux-source-6.12.tar.xz" linux

# The archive, which has the version that is in $work/version.
cat >"$work/scripts/debian-apt" <<'END'
#!/bin/sh
work=$(cd "$(dirname "$0")/.." && pwd)
file=linux-source-6.12_$(cat "$work/version")_all.deb
case " $* " in
*" --print-uris "*) echo "'http://none/$file' $file 1 SHA256:0" ;;
*" download "*)
	printf 'Package: linux-source-6.12\nVersion: %s\nArchitecture: all\nMaintainer: nobody\nDescription: made up\n' \
		"$(cat "$work/version")" >"$work/deb/DEBIAN/control"
	dpkg-deb --root-owner-group -b "$work/deb" "$file" ;;
esac
END
chmod +x "$work/scripts/require" "$work/scripts/debian-apt"

# The archive has a newer version, and may be asked again.
comes_out()
{
	echo "$1" >"$work/version"
	rm -f "$cache/trixie/package"
}

# A built kernel, and of what it is: build_kernel NAME
build_kernel()
{
	local dir

	dir=$("$work/tests/linux/kernel" "$1" 2>"$work/err") || {
		sed 's/^/# /' "$work/err"
		return
	}
	cat "$dir/package"
}

# The versions whose sources are there.
sources()
{
	find "$cache/source" -mindepth 1 -maxdepth 1 -type d -name '*_*' | sed 's/.*_//' | LC_ALL=C sort | paste -s -d ' '
}

comes_out 6.12.1-1
equal "a kernel is built of the newest source" linux-source-6.12=6.12.1-1 "$(build_kernel one)"
equal "whose tree is kept" 6.12.1-1 "$(sources)"
comes_out 6.12.2-1
equal "a newer source comes out, and another kernel is built of it" linux-source-6.12=6.12.2-1 "$(build_kernel two)"
equal "the older one is there as long as a kernel is of it" "6.12.1-1 6.12.2-1" "$(sources)"
equal "the first kernel is asked for, and built again" linux-source-6.12=6.12.2-1 "$(build_kernel one)"
equal "no kernel is of the older source any more: it has gone" 6.12.2-1 "$(sources)"
printf '1..%s\n' "$count"
[ "$failed" = 0 ]
