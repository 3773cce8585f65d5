# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The compiler: the one that the kernel was built with, found and compared with what
# is here. To be sourced after lib.sh; needs $KERNELDIR, and auto_conf of kernel.sh.
# shellcheck shell=bash disable=SC2154 # from the script that sources this

# Sets built_by (the kernel's words), built_kind (gcc or clang), built_major and
# built_name (as it was called); all empty where the tree does not say.
kernel_compiler() {
	local numbers

	built_by=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$auto_conf")
	# Before 4.18 only a tree in which the kernel was built can tell.
	[ -n "$built_by" ] || built_by=$(sed -n 's/^#define LINUX_COMPILER "\(.*\)".*/\1/p' \
		"$KERNELDIR/include/generated/compile.h" 2>/dev/null) || true
	built_kind= built_major= built_name=
	case $built_by in
	*clang*) built_kind=clang ;;
	*gcc*) built_kind=gcc built_name=${built_by%% *} ;;
	*) return 0 ;;
	esac
	# What packagers write in parentheses are their own versions.
	numbers=$(sed 's/([^)]*)//g; s/^[^ ]* //' <<<"$built_by")
	built_major=$(grep -oE '[0-9]+\.[0-9.]+' <<<"$numbers" | head -n 1 | cut -d. -f1)
}

# `gcc 12.2.0` or `clang 14.0.6`; nothing where it is no such compiler.
compiler_version() {
	# shellcheck disable=SC2086 # CC may be two words, as "ccache gcc"
	{ $1 -E -P -x c - 2>/dev/null || true; } <<-END | tr -d '\n' | sed 's/ *\. */./g'
		#if defined(__clang__)
		clang __clang_major__.__clang_minor__.__clang_patchlevel__
		#elif defined(__GNUC__)
		gcc __GNUC__.__GNUC_MINOR__.__GNUC_PATCHLEVEL__
		#endif
	END
}

# What the tree calls by itself: Debian's headers name a version, others have a
# wrapper. Only its Makefile knows; cleaning an empty directory makes it tell.
ask_tree() {
	local empty

	empty=$(mktemp -d)
	# shellcheck disable=SC2016 # expanded by make
	echo '$(info tree-cc=$(CC))' >"$empty/Kbuild"
	tree_cc=$("$MAKE" -s --no-print-directory -C "$KERNELDIR" M="$empty" clean 2>/dev/null |
		sed -n 's/^tree-cc= *//p' | head -n 1)
	rm -rf "$empty"
}

# True if COMMAND is a compiler of the kernel's kind, and with MAJOR of that version.
is_compiler() {
	local version

	command -v "${1%% *}" >/dev/null || return 1
	version=$(compiler_version "$1")
	[[ $version == "$built_kind ${2:+$2.}"* ]]
}

# The package that has it, as Debian and Ubuntu name them.
compiler_package() {
	local cross=${CROSS_COMPILE:+-${CROSS_COMPILE%-}}

	case $built_kind in
	clang) echo "clang-$built_major lld-$built_major llvm-$built_major" ;;
	*) echo "gcc${built_major:+-$built_major}${cross//_/-}" ;;
	esac
}

# How to get it, as a part of a sentence.
get_compiler() {
	# shellcheck disable=SC2046 # a name a word
	to_install $(compiler_package)
}

# The kernel's own compiler if it is here, else the nearest of its kind.
choose_gcc() {
	local try

	# A cross compiler was asked for; the kernel may have been built at home.
	[[ $built_name == "${CROSS_COMPILE-}"* ]] || built_name=
	for try in "$built_name" "${CROSS_COMPILE-}gcc-$built_major" "$tree_cc" "${CROSS_COMPILE-}gcc"; do
		case $try in
		"$tree_cc" | "${CROSS_COMPILE-}gcc") is_compiler "$try" || continue ;;
		*) is_compiler "$try" "$built_major" || continue ;;
		esac
		compiler=$try
		return
	done
	die "this kernel was built by gcc, which is not here:" \
		"$(get_compiler), or give CC= (compiler=$built_by KERNELDIR=$KERNELDIR)"
}

# Named one by one: LLVM=1 is known since 5.7, LLVM=-14 since 5.18.
choose_clang() {
	local suffix=-$built_major tool

	is_compiler "clang$suffix" "$built_major" || suffix=
	is_compiler "clang$suffix" || die "this kernel was built by clang, which is not here:" \
		"$(get_compiler), or give LLVM= or CC= (compiler=$built_by KERNELDIR=$KERNELDIR)"
	compiler=clang$suffix
	if option_is_set AS_IS_LLVM; then
		tools+=(LLVM_IAS=1)
	fi
	option_is_set LD_IS_LLD || return 0
	for tool in LD=ld.lld AR=llvm-ar NM=llvm-nm OBJCOPY=llvm-objcopy OBJDUMP=llvm-objdump READELF=llvm-readelf STRIP=llvm-strip; do
		command -v "${tool#*=}$suffix" >/dev/null ||
			die "this kernel was built with all of LLVM, of which a part is not here: $(get_compiler) (program=${tool#*=}$suffix)"
		tools+=("$tool$suffix")
	done
}

# What the user says counts: CC=, or LLVM=1, LLVM=-14, LLVM=/directory/.
user_compiler() {
	case ${LLVM:-} in
	'' | 0) compiler=${CC:-} ;;
	*/) compiler=${CC:-${LLVM}clang} ;;
	-*) compiler=${CC:-clang$LLVM} ;;
	*) compiler=${CC:-clang} ;;
	esac
	[ -n "$compiler" ] || return 1
	[ -z "${LLVM:-}" ] || tools+=(LLVM="$LLVM")
}

# Another machine's kernel; only the user knows the cross compiler's name.
check_machine() {
	local machine option

	# shellcheck disable=SC2086 # CC may be two words
	machine=$($compiler -dumpmachine 2>/dev/null) || return 0
	for option in ARM64:aarch64 ARM:arm RISCV:riscv PPC:powerpc S390:s390 MIPS:mips X86:86; do
		option_is_set "${option%:*}" || continue
		[[ ${machine%%-*} == *"${option#*:}"* ]] || [ "${compiler_is%% *}" = clang ] ||
			die "this kernel is for another machine, and the compiler is not: give ARCH= and CROSS_COMPILE=, as in ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- (kernel=CONFIG_${option%:*} compiler=$machine)"
	done
}

# The compiler's options that the kernel's configuration relies on: those that are missing.
missing_flags() {
	local option kind flag

	while read -r option kind flag; do
		[ "$kind" = "${compiler_is%% *}" ] && option_is_set "$option" || continue
		# shellcheck disable=SC2086 # CC may be two words
		$compiler -Werror -fno-pie "$flag" -x c -c -o /dev/null /dev/null 2>/dev/null || echo "$flag (CONFIG_$option)"
	done < <(grep -v '^#' "$top/compat/compiler-flags.txt" | grep .)
}

# Said before the build starts: what may go wrong with this compiler.
compare_compilers() {
	local major=${compiler_is#* } flags

	major=${major%%.*}
	[ -n "$built_kind" ] && [ -n "$compiler_is" ] || return 0
	if [ "${compiler_is%% *}" != "$built_kind" ]; then
		say "note      the kernel was built by $built_kind, this is ${compiler_is%% *}: if the build fails, $(get_compiler)"
	elif [ "$major" -lt "$built_major" ]; then
		say "note      the kernel was built by a newer compiler, $built_kind $built_major, this is $major: if the build fails, $(get_compiler)"
	elif [ "$major" != "$built_major" ] && grep -q '^CONFIG_GCC_PLUGIN_.*=y' "$auto_conf"; then
		say "note      the kernel's gcc plugins load into gcc $built_major only, this is $major: if the build fails, $(get_compiler)"
	fi
	flags=$(missing_flags | paste -sd,)
	[ -z "$flags" ] ||
		say "note      this compiler lacks what the kernel's configuration asks for, $flags: if the build fails, $(get_compiler)"
}

# Sets compiler (the command), compiler_is (its kind and version) and tools (what
# the kernel's make is told).
find_compiler() {
	tools=()
	command -v "${MAKE%% *}" >/dev/null || die "make is missing: $(to_install make)"
	kernel_compiler
	if user_compiler; then
		[ -z "${CC:-}" ] || tools+=(CC="$CC")
	else
		ask_tree
		if [ -z "$built_kind" ] || is_compiler "$tree_cc" "$built_major"; then
			compiler=${tree_cc:-gcc}
		else
			"choose_$built_kind"
			tools+=(CC="$compiler")
		fi
	fi
	command -v "${compiler%% *}" >/dev/null ||
		die "no compiler: $(get_compiler), or give CC= (compiler=$compiler KERNELDIR=$KERNELDIR)"
	compiler_is=$(compiler_version "$compiler")
	check_machine
	compare_compilers
}
