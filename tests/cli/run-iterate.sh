# SPDX-License-Identifier: MIT
# mazurka run within bounds on preemptions without naming a strategy, bounds that are raised, and graphs that are kept.
. "$SOURCE/tests/cli/lib.sh"

write_lost_and_counter
# Threads that have nothing to do with each other: one trace, and more states than one would like to keep.
cat >apart.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int cells[16];
static void *run(void *cell)
{
	for (int i = 0; i < 4; i++) atomic_fetch_add((atomic_int *)cell, 1);
	return NULL;
}
int main(void)
{
	pthread_t threads[16];
	for (int i = 0; i < 16; i++) pthread_create(&threads[i], NULL, run, &cells[i]);
	for (int i = 0; i < 16; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
for program in lost counter apart; do mazurka cc -g $program.c -o $program; done
mazurka cc -g -DLEAST=3 lost.c -o least3

# What is said of graphs depends on how they are kept.
run() {
	mazurka run "$@" | sed 's/, [0-9]* graphs of [0-9]* bytes kept//; s/([0-9]* graphs of [0-9]* bytes kept)/(kept)/'
}
status() {
	code=0
	"$@" >status.out 2>status.err || code=$?
	echo $code
}
# result EXPRESSION OPTIONS...: of the JSON of a run, r.
result() {
	expression=$1
	shift
	mazurka run --quiet --json result.json "$@" || :
	python3 -c 'import json, sys; r = json.load(open("result.json")); print(eval(sys.argv[1]))' "$expression"
}

# --- one bound ---

traces() {
	program=$1
	shift
	for bound in 0 1 2 3; do
		mazurka run "$@" --preemptions $bound --quiet --json result.json "./$program"
		python3 -c 'import json; r = json.load(open("result.json")); print(r["traces"], end=" ")
assert r["traces"] == r["executions"] and r["redundant"] == 0'
	done
}
for strategy in optimal cbpor; do
	equal "lost updates, $strategy" "6 24 36 36 " "$(traces lost --strategy $strategy)"
	equal "mutex counter, $strategy" "6 24 60 90 " "$(traces counter --strategy $strategy)"
done
equal "what explores is said" "no bug within 1 preemption: all 24 executions explored (by cbpor), complete" \
	"$(run --preemptions 1 ./lost)"
equal "who asks for it knows" "no bug within 1 preemption: all 24 executions explored (kept), complete" \
	"$(run --strategy cbpor --preemptions 1 ./lost)"
equal "another bound, another method" "no bug within a fairness bound of 1: all 36 executions explored (by bpor), complete" \
	"$(run --fair 1 ./lost)"
equal "in JSON" "('optimal', 'cbpor', True)" "$(result '(r["strategy"], r["method"], r["states"] > 24)' --preemptions 1 ./lost)"
equal "without a bound it is itself" "('optimal', None)" "$(result '(r["method"], r["states"])' ./lost)"
check "graphs and what they take" test "$(result '0 < r["bytes_per_state"] < 1000' --preemptions 2 ./lost)" = True
equal "every prefix" "no bug within 2 preemptions: all 36 executions explored (kept), complete" \
	"$(run --strategy cbpor --prefixes --preemptions 2 ./lost)"
equal "without a bound too" "no bug: all 36 executions explored (kept), complete" "$(run --strategy cbpor ./lost)"

# --- memory ---

equal "too many graphs end the run: 3" 3 "$(status mazurka run --strategy cbpor --preemptions 2 --max-memory 1M ./apart)"
equal "in one line" "incomplete: the limit on memory was reached; no bug in 1 execution" \
	"$(sed 's/ ([0-9]* graphs of [0-9]* bytes kept)//' status.out)"
equal "optimal goes on in another way" "no bug within 2 preemptions: the only execution explored (by bpor), complete" \
	"$(run --preemptions 2 --max-memory 1M ./apart)"
equal "also if nothing is said about memory" "bpor" "$(result 'r["method"]' --preemptions 2 ./apart)"
for options in "" "--max-memory 1M"; do
	equal "by several processes, too $options" "('bpor', 1, True)" \
		"$(result '(r["method"], r["traces"], r["complete"])' --preemptions 2 --jobs 3 $options ./apart)"
done
equal "thinking is no stall" "the limit on memory was reached" \
	"$(mazurka run --strategy cbpor --preemptions 2 --max-memory 64M --stall-timeout 0.3 ./apart | sed 's/incomplete: //; s/;.*//')"
for size in 0 -1 1T 5x 99999999999G ''; do
	refused "no size: '$size'" "mazurka: --max-memory takes a size like 100000, 64K, 500M or 2G, not '$size'" \
		mazurka run --max-memory "$size" ./lost
done

# --- raising it ---

equal "until nothing is left out" "all executions with at most 0 preemptions: 6, no bug
all executions with at most 1 preemption: 24, no bug
all executions with at most 2 preemptions: 36, no bug
no bug: all 36 executions explored (by cbpor), complete" "$(run --iterate ./lost)"
equal "cbpor" "all executions with at most 0 preemptions: 6, no bug
all executions with at most 1 preemption: 24, no bug
all executions with at most 2 preemptions: 60, no bug
all executions with at most 3 preemptions: 90, no bug
no bug: all 90 executions explored (kept), complete" "$(run --iterate --strategy cbpor ./counter)"
equal "dfs" "all executions with at most 0 preemptions: 6, no bug
all executions with at most 1 preemption: 24, no bug
all executions with at most 2 preemptions: 60, no bug
all executions with at most 3 preemptions: 90, no bug
no bug: all 90 executions explored, complete" "$(run --iterate --strategy dfs ./lost)"
equal "bpor" "no bug: all 36 executions explored, complete" "$(run --iterate --strategy bpor ./lost | tail -n 1)"
equal "bounds are done in order with bpor, until no bound is needed" "[0, 1, 2]" \
	"$(result '[i["preemptions"] for i in r["iterations"]]' --iterate --strategy bpor ./lost)"
equal "up to a bound" "all executions with at most 0 preemptions: 6, no bug
all executions with at most 1 preemption: 24, no bug
no bug within 1 preemption: all 24 executions explored (by cbpor), complete" "$(run --iterate --preemptions 1 ./lost)"
equal "a bound that leaves nothing out is none" "all executions with at most 0 preemptions: 1, no bug
no bug: the only execution explored (by bpor), complete" "$(run --iterate ./apart)"
equal "bounds in JSON" "([{'preemptions': 0, 'executions': 6, 'redundant': 0, 'traces': 6}, \
{'preemptions': 1, 'executions': 24, 'redundant': 0, 'traces': 24}, \
{'preemptions': 2, 'executions': 36, 'redundant': 0, 'traces': 36}], None, True, 36)" \
	"$(result '(r["iterations"], r["bounds"]["preemptions"], r["complete"], r["executions"])' --iterate ./lost)"
equal "a bug ends it: within as few preemptions as it takes" 1 "$(status mazurka run --iterate ./least3)"
equal "what was done before is said first" "all executions with at most 0 preemptions: 6, no bug" "$(head -n 1 status.out)"
equal "the bug has one" "([1], 1, 1)" \
	"$(result '([b["preemptions"] for b in r["bugs"]], len(r["iterations"]), r["bounds"]["preemptions"])' --iterate ./least3)"
equal "if it is to go on, it does" "all executions with at most 0 preemptions: 6, no bug
all executions with at most 1 preemption: 24, 1 bug
all executions with at most 2 preemptions: 36, 1 bug" "$(mazurka run --iterate --keep-going ./least3 | grep '^all')"
equal "a limit is one on all bounds together" "incomplete: the limit on executions was reached; no bug in 4 executions" \
	"$(run --iterate --max-executions 10 ./lost | tail -n 1 | sed 's/ (by cbpor)//')"
refused "who cannot" "mazurka: the strategy source cannot honour --iterate: these can: optimal, cbpor, bpor, dfs" \
	mazurka run --strategy source --iterate ./lost

# Two threads meet at a barrier of their own making, among others that have nothing to do with them: eight traces.
cat >meet.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#define APART 10
static atomic_int arrived, phase, turn, cells[APART];
static void *meet(void *unused)
{
	int was = atomic_load(&phase);
	if (atomic_fetch_add(&arrived, 1) == 1)
		atomic_store(&phase, was + 1);
	else
		while (atomic_load(&phase) == was) {}
	atomic_fetch_add(&turn, 1);
	return unused;
}
static void *run(void *cell)
{
	for (int i = 0; i < 4; i++) atomic_fetch_add((atomic_int *)cell, 1);
	return NULL;
}
int main(void)
{
	pthread_t threads[APART + 2];
	for (int i = 0; i < APART; i++) pthread_create(&threads[i], NULL, run, &cells[i]);
	for (int i = APART; i < APART + 2; i++) pthread_create(&threads[i], NULL, meet, NULL);
	for (int i = 0; i < APART + 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g -O1 meet.c -o meet
within() {
	for bound in 0 1 2 3 4; do
		result '(r["traces"], r["complete"], r["executions"] >= r["traces"])' "$@" --preemptions $bound ./meet
	done | tr '\n' ' '
}
two="(2, True, True)"
eight="(8, True, True)"
equal "traces are counted, however many executions it takes" "$two (6, True, True) $eight $eight $eight " "$(within)"
equal "also by who repeats them" "$two (6, True, True) $eight $eight $eight " "$(within --strategy bpor)"
equal "the verdict speaks of traces" "no bug within 2 preemptions: all 8 traces explored (N executions, by bpor), complete" \
	"$(run --preemptions 2 ./meet | sed 's/([0-9]* exec/(N exec/')"
equal "raising the bound ends where no bound takes as few executions" "all traces with at most 0 preemptions: 2
all traces with at most 1 preemption: 6
no bug: all 8 executions explored, complete" "$(run --iterate ./meet | sed 's/ ([0-9]* executions), no bug//')"
equal "several processes say the same of a bound" "all traces with at most 1 preemption: 6" \
	"$(run --iterate --jobs 2 ./meet | sed -n 's/ ([0-9]* executions), no bug//p' | grep "most 1 ")"
equal "and says how many traces each bound had" "([2, 6], None, True, 8, 8)" \
	"$(result '([i["traces"] for i in r["iterations"]], r["bounds"]["preemptions"], r["complete"], r["executions"], r["traces"])' --iterate ./meet)"

# --- in a program ---

cat >checks.c <<'END'
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
	int value = atomic_load(&x);
	atomic_store(&x, value + 1);
	return unused;
}
static void test(void *unused)
{
	pthread_t threads[3];
	(void)unused;
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
int main(void)
{
	mz_options one = {.bounded = 1, .preemptions = 1}, all = {.iterate = 1};
	return mz_check(test, NULL, &one) | mz_check(test, NULL, &all);
}
END
mazurka cc -g checks.c -o checks
equal "mz_check" "no bug within 1 preemption: all 24 executions explored (by cbpor), complete
all executions with at most 0 preemptions: 6, no bug
all executions with at most 1 preemption: 24, no bug
all executions with at most 2 preemptions: 36, no bug
no bug: all 36 executions explored (by cbpor), complete" \
	"$(./checks 2>&1 | sed 's/, [0-9]* graphs of [0-9]* bytes kept//')"
