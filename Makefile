# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
#
# What a person types. `make help` lists it; the work is done by scripts/.

# The kernel to build for: its headers or its tree, prepared for building modules.
KERNELDIR_GIVEN := $(KERNELDIR)
KERNELDIR ?= /lib/modules/$(shell uname -r)/build

# An lttng-modules tree, 2.13 or later. Default: the newest in /usr/src, else what
# `make base` fetched.
LTTNG_MODULES_DIR ?=

# The Debian suite that `make base` fetches from, or the URL of a tarball (with its SHA256) or of a git
# repository (with a commit, REV).
BASE_SUITE ?= sid
FROM ?=
SHA256 ?=
REV ?=
export FROM SHA256 REV

# Where everything is built, one directory per kernel release.
BUILD ?= $(CURDIR)/build

# V=1 shows the kernel's facts and all that the compiler prints.
V ?= 0

# MODULES=needed builds just what container tracing needs, not all other probes.
MODULES ?= all

# For packagers: `make install` puts all below DESTDIR; modules below INSTALL_MOD_PATH, if that
# is given. In a package's build, or below DESTDIR, there are modules only where KERNELDIR says
# for which kernel: the running one is the building machine's.
packaging := $(strip $(DESTDIR)$(SOURCE_DATE_EPOCH)$(RPM_BUILD_ROOT))
with_modules := $(if $(KERNELDIR_GIVEN),yes,$(if $(packaging),,yes))

tools_make = $(MAKE) --no-print-directory -C tools BUILD=$(abspath $(BUILD))/tools $(if $(DESTDIR),DESTDIR=$(abspath $(DESTDIR)))

export KERNELDIR KERNELDIR_GIVEN LTTNG_MODULES_DIR LTTNG_TOOLS_DIR BUILD V MODULES INSTALL_MOD_PATH DESTDIR

all: $(if $(with_modules),modules) $(if $(packaging),tools)

modules: ## build the kernel modules for KERNELDIR (default: the running kernel)
	+@scripts/build

base: ## fetch lttng-modules to build on: Debian's newest, or FROM=URL (SHA256= of a tarball, REV= of git)
	@$(if $(FROM),scripts/fetch-base-from "$$FROM",scripts/fetch-base $(BASE_SUITE))

install: ## install modules (KERNELDIR) and program; prefix=, DESTDIR= as usual; uninstall takes all back
	+@$(tools_make)
	+@$(if $(with_modules),scripts/install-modules,:)
	+@$(tools_make) install

uninstall: ## remove the modules, of all kernels, and the program
	@scripts/install-modules --uninstall-all
	+@$(tools_make) uninstall

install-tools: ## install the program alone, its manual, schemas, and plug-in for babeltrace2
	+@$(tools_make) install

modules_install: ## install the modules alone into updates/ and run depmod (INSTALL_MOD_PATH=DIR to stage)
	+@scripts/install-modules

modules_uninstall: ## remove the modules of this kernel again
	@scripts/install-modules --uninstall

dkms-install: ## give the sources to DKMS: modules are built again for each kernel upgrade
	@scripts/dkms install

dkms-remove: ## take them back, and remove the modules
	@scripts/dkms remove

dist: ## make a tarball of the sources, from which all builds without a network
	@scripts/dist

deb: ## build Debian packages: the program, and the modules' sources for DKMS
	@scripts/deb

tools: ## build lttng-containers, the program that checks and shows traces
	+@$(tools_make)

demo: ## boot a throwaway VM, trace real containers in it, and show the result
	@tests/vm/demo

check-quick: ## what needs no VM and builds no module, in three minutes
	@tests/run --quick

check: ## run all tests (needs root once, for packages that are missing)
	@tests/run

check-all: ## the same, and slices of the longer campaigns: what CI runs (MINUTES=N: skip what has not begun by then)
	@tests/run --all

check-tree: ## try a kernel tree, KERNELDIR=DIR: do the modules build (BOOT=1: and work)
	+@MODULES=needed scripts/check-tree

check-cross: ## build for i386 and arm64 (needs root once, for cross compilers)
	@tests/build/cross

check-arm64: ## boot Debian's arm64 kernel under emulation, and trace containers there
	@tests/run 'tests/vm/test-containers.sh trixie-arm64' 'tests/vm/test-namespaces.sh trixie-arm64'

check-dkms: ## install, upgrade a kernel and remove through DKMS, in a throwaway tree
	@tests/build/dkms

patches: ## bring the series for upstream up to date with our sources (BASE=DIR for another 2.16)
	@scripts/require unifdef git perl
	@patches/series make

check-patches: ## are the series what our sources yield, do they apply, build and record the same (UPSTREAM=DIR LTTNG_TOOLS_DIR=DIR: git repositories)
	@tests/run tests/patches/test-series.sh tests/patches/build tests/vm/test-patches.sh tests/patches/tools

fuzz: ## make up hostile input for TIME=SECONDS (60) for each of TARGETS='names ctf ...' (all), see what breaks
	@tests/fuzz/run $(or $(TIME),60) $(TARGETS)

bench-read: ## how fast traces are read, and with how much memory, beside babeltrace2
	@tests/bench/read

bench-build: ## time the build, cold and warm, ours and the base's alone
	@scripts/bench-build

bench-events: ## count the instructions that tracing costs: ours, the base's, other tracers
	@tests/bench/events $(TRACERS)

bench-profiles: ## count what each way to record costs: record, --why, --syscalls, --stacks, --off-cpu
	@tests/bench/profiles

check-loss: ## lose events on purpose: do all figures keep within their bounds (TRIALS=N SEED=N LIVE=N)
	@tests/loss/check-loss

check-newest: ## the program and its tests on Debian unstable: the newest compiler, LTTng and libbabeltrace2
	@tests/bare/check-newest

check-faults: ## record while something is killed, full, read-only or short, TRIALS=N (100) SEED=N FIRST=N LIMIT=S
	@tests/run "tests/faults/check-faults --trials $(or $(TRIALS),100) --seed $(or $(SEED),1) --first $(or $(FIRST),0) --limit $(or $(LIMIT),3000)"

check-kernels: ## build for and boot all kernels of tests/kernels; KERNELS='SUITE/FLAVOUR...' for some
	@tests/vm/check-kernels $(KERNELS)

check-configs: ## build kernels with options switched off, and try ours on each; CONFIGS='SUITE/NAME...' for some
	@tests/linux/check-configs $(CONFIGS)

check-debug: ## build kernels that complain, and see that they do not of ours; TOPICS='lives faults...' for some
	@tests/linux/check-debug $(TOPICS)

check-lttng-tools: ## lttng-tools' own kernel tests say the same with our modules (an hour or two; LTTNG_TOOLS_DIR=DIR, ONLY=PATTERN)
	@tests/lttng-tools/check-lttng-tools --only '$(or $(ONLY),.)'

style: ## check the looks: clang-format, shellcheck, SPDX lines, no version tests
	@scripts/style

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9_-]*:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

.PHONY: all modules base install uninstall install-tools modules_install modules_uninstall dkms-install dkms-remove dist deb tools demo check check-quick check-all check-tree check-kernels check-loss check-faults check-newest check-configs check-debug check-lttng-tools check-cross check-arm64 check-dkms patches check-patches bench-build bench-events bench-profiles bench-read fuzz style clean help
