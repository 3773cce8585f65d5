# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The kernel to build for: is it there, is it prepared, is it configured for tracing?
# To be sourced after lib.sh; needs $KERNELDIR.
# shellcheck shell=bash disable=SC2034,SC2154 # for, and from, the script that sources this

# Sets KERNELDIR (absolute), auto_conf, release and symbols.
find_kernel() {
	[ -d "$KERNELDIR" ] ||
		die "no kernel headers there: $(to_install "linux-headers-$(uname -r)"), or make KERNELDIR=/path/to/headers (KERNELDIR=$KERNELDIR)"
	auto_conf=$KERNELDIR/include/config/auto.conf
	[ -f "$KERNELDIR/Makefile" ] && [ -f "$auto_conf" ] ||
		die "not a prepared kernel tree: run 'make modules_prepare' in it, or give another KERNELDIR (KERNELDIR=$KERNELDIR)"
	KERNELDIR=$(cd "$KERNELDIR" && pwd)
	auto_conf=$KERNELDIR/include/config/auto.conf
	release=$(kernel_release "$KERNELDIR") && [ -n "$release" ] ||
		die "cannot tell the kernel's release: run 'make modules_prepare' in it (KERNELDIR=$KERNELDIR)"
	at_least 3.8 "$release" ||
		die "kernels before 3.8 have no PID namespaces that can be told apart: use lttng-modules alone there (kernel=$release)"
	# What the kernel exports is known once it has been built, not only prepared.
	symbols=checked
	grep -q '[[:space:]]vmlinux[[:space:]]' "$KERNELDIR/Module.symvers" 2>/dev/null || symbols=unchecked
}

option_is_set() {
	grep -q "^CONFIG_$1=[ym]" "$auto_conf"
}

say_notes() {
	[ ${#notes[@]} = 0 ] || printf 'note      %s\n' "${notes[@]}"
}

# What the kernel's configuration costs; see compat/options.txt. Sets notes.
check_options() {
	local need option cost oldest lost=()

	notes=()
	while read -r need option cost; do
		oldest=${need#*:}
		[ "$oldest" = "$need" ] || at_least "$oldest" "$release" || continue
		case ${need%%:*} in
		needed) option_is_set "$option" || lost+=("CONFIG_$option, without which $cost") ;;
		useful) option_is_set "$option" || notes+=("without CONFIG_$option $cost") ;;
		hint) ! option_is_set "$option" || notes+=("CONFIG_$option is set: $cost") ;;
		esac
	done < <(grep -v '^#' "$top/compat/options.txt" | grep .)
	say_notes
	[ ${#lost[@]} = 0 ] ||
		die "nothing useful can be built for this kernel, it has no$(printf ' %s;' "${lost[@]}") enable it and build the kernel again (kernel=$release KERNELDIR=$KERNELDIR)"
}
