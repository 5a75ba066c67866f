# SPDX-License-Identifier: MIT
# The front of the build; meson and ninja do the work. `make` builds build/mazurka, which works in place.
#
#   make           build everything            make check         all tests, what a change has to pass
#   make help      this list                   make check-quick   some of them, in the minute before a commit
#   make demo      a bug found in a minute     make soak          hours of random programs against independent counts
#   make install   PREFIX, DESTDIR             make bench         exact counts and speed of known programs
#   make format    make lint    make clean     make bench-papers  the tables of the literature, ours beside theirs
#   make check-docs  every number and transcript of the documents, again

BUILD = build
CHECK_BUILD = build-check
PREFIX = /usr/local
DESTDIR =
SECONDS = 3600
SEED = 1000

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@scripts/setup
	meson setup $(BUILD) -Dtests=false -Dlto=true >/dev/null

demo: all
	@scripts/demo $(BUILD)

help:
	@sed -n '/^#   make/s/^#  //p' Makefile

check:
	@scripts/setup
	@scripts/check $(CHECK_BUILD)

check-quick:
	@scripts/setup
	@scripts/check --quick $(CHECK_BUILD)

soak: all
	@[ -f $(CHECK_BUILD)/build.ninja ] || meson setup $(CHECK_BUILD) -Dwerror=true >/dev/null
	@ninja -C $(CHECK_BUILD) --quiet tests/engine/engine_random_optimal tests/engine/engine_random_strategies tests/engine/engine_random_workers tests/engine/engine_random_bounds tests/engine/engine_random_cartesian tests/engine/engine_random_hosts tests/unit/mutate_trace tests/unit/fuzz_session
	tests/engine/mutants
	$(CHECK_BUILD)/tests/unit/mutate_trace 100000 $(SEED) - 0 tests/unit/corpus/trace/*.trace
	$(CHECK_BUILD)/tests/unit/fuzz_session 2000 $(SEED)
	$(CHECK_BUILD)/tests/engine/engine_random_optimal $(SEED) 20000
	$(CHECK_BUILD)/tests/engine/engine_random_strategies $(SEED) 2000
	for kind in spinning sharing polling sections; do $(CHECK_BUILD)/tests/engine/engine_random_strategies $(SEED) 500 "" $$kind || exit; done
	for kind in "" sharing sections guessing branching; do $(CHECK_BUILD)/tests/engine/engine_random_workers $(SEED) 5000 "$$kind" || exit; done
	for kind in "" sharing spinning waiting; do $(CHECK_BUILD)/tests/engine/engine_random_workers $(SEED) 1000 "$$kind" cbpor/bounds || exit; done
	$(CHECK_BUILD)/tests/engine/engine_random_bounds $(SEED) 200
	$(CHECK_BUILD)/tests/engine/engine_random_cartesian $(SEED) 5000
	scripts/soak-races --build $(BUILD) --seed $(SEED) --programs 20000
	scripts/soak-loops --build $(BUILD) --seed $(SEED) --programs 2000
	scripts/soak-sections --build $(BUILD) --seed $(SEED) --programs 5000
	tests/programs/run --build $(BUILD) --all-ways
	tests/concolic/run --build $(BUILD) --seed $(SEED) --programs 2000 --rounds 20000
	tests/concolic/functions --build $(BUILD)
	tests/concolic/functions --build $(BUILD) --level=-O2
	tests/concolic/pairs --build $(BUILD) --seed $(SEED) --programs 20000 --keep soak-failures
	$(CHECK_BUILD)/tests/engine/engine_random_hosts $(SEED) 100000
	tests/posix/run --build $(BUILD) --every 13
	tests/cluster/run --build $(CHECK_BUILD)
	tests/cluster/explore --build $(BUILD) --seconds 180
	@scripts/setup --libraries
	@tests/libraries/run --build $(BUILD)
	tests/posix/run --build $(BUILD) glibc
	@bench/scale --build $(BUILD) --large
	@scripts/soak --build $(BUILD) --seconds $(SECONDS)
	@$(MAKE) --no-print-directory check-docs

bench: all
	@bench/run --build $(BUILD)
	@bench/strategies --build $(BUILD)
	@bench/states --build $(BUILD)
	@bench/restore --build $(BUILD)
	@bench/scale --build $(BUILD)
	@bench/inputs/run --build $(BUILD)

bench-papers: all
	@scripts/setup --optional
	@[ -f $(CHECK_BUILD)/build.ninja ] || meson setup $(CHECK_BUILD) -Dwerror=true >/dev/null
	@ninja -C $(CHECK_BUILD) --quiet tests/engine/bench_cartesian tests/engine/bench_published
	@bench/papers --build $(BUILD) --check-build $(CHECK_BUILD)

check-docs: all
	@scripts/setup --optional
	@[ -f $(CHECK_BUILD)/build.ninja ] || meson setup $(CHECK_BUILD) -Dwerror=true >/dev/null
	@ninja -C $(CHECK_BUILD) --quiet tests/engine/bench_cartesian tests/engine/bench_first_bug tests/engine/bench_published tests/engine/engine_random_bounds tests/engine/engine_random_strategies tests/unit/bench_solver
	@scripts/check-docs --build $(BUILD) --check-build $(CHECK_BUILD)

install: all
	meson configure $(BUILD) --prefix $(abspath $(PREFIX))
	DESTDIR=$(DESTDIR) meson install -C $(BUILD)

format:
	scripts/sources | xargs clang-format -i

lint:
	@scripts/setup
	@scripts/lint $(CHECK_BUILD)

clean:
	rm -rf $(BUILD) $(CHECK_BUILD) mazurka-out

.PHONY: all help demo check check-quick soak bench bench-papers check-docs install format lint clean
