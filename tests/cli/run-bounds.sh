# SPDX-License-Identifier: MIT
# mazurka run with bounds: what is explored, what is said about it, and who cannot do it. And executions without end.
. "$SOURCE/tests/cli/lib.sh"

write_lost_and_counter
# Two threads that wait for somebody to say that it is their turn. They write while they do, or it would be plain to see.
cat >endless.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int turn, looked;
static void *wait_for(void *argument)
{
	while (atomic_load(&turn) != *(int *)argument) {
		atomic_fetch_add(&looked, 1);
		sched_yield();
	}
	return NULL;
}
int main(void)
{
	static int numbers[] = {1, 2};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_for, &numbers[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
# The same, but there is one who says so.
sed 's/int main(void)/static void *say(void *unused)\n{\n\tatomic_store(\&turn, 1);\n\treturn unused;\n}\n&/
	s/wait_for, &numbers\[i\]/i ? say : wait_for, \&numbers[i]/' endless.c >ends.c
for program in lost counter endless ends; do mazurka cc -g $program.c -o $program; done

# status COMMAND...: its exit status.
status() {
	code=0
	"$@" >status.out 2>status.err || code=$?
	echo $code
}
# result FIELD OPTIONS...: of the JSON of a run, r.
result() {
	expression=$1
	shift
	mazurka run --quiet --json result.json "$@" || :
	python3 -c 'import json, sys; r = json.load(open("result.json")); print(eval(sys.argv[1]))' "$expression"
}
# traces PROGRAM OPTIONS...: within 0, 1, 2 and 3 preemptions.
traces() {
	program=$1
	shift
	for bound in 0 1 2 3; do
		mazurka run "$@" --preemptions $bound --count-traces --quiet --json result.json "./$program"
		python3 -c 'import json; r = json.load(open("result.json")); print(r["traces"], end=" ")'
	done
}

for strategy in dfs bpor "bpor --no-sleep" "bpor --no-opt transitive --no-opt disabled --no-opt release --no-opt conservative"; do
	equal "lost updates, $strategy" "6 24 36 36 " "$(traces lost --strategy $strategy)"
	equal "mutex counter, $strategy" "6 24 60 90 " "$(traces counter --strategy $strategy)"
done
equal "a large bound costs nothing" "$(mazurka run --strategy bpor ./counter | sed 's/no bug//')" \
	"$(mazurka run --strategy bpor --preemptions 1000 ./counter | sed 's/no bug within 1000 preemptions//')"

equal "a bound is in the verdict" "no bug within 1 preemption: all 24 executions explored, complete" \
	"$(mazurka run --strategy dfs --preemptions 1 ./lost)"
equal "two are" "no bug within 0 preemptions and a fairness bound of 2: all 6 executions explored, complete" \
	"$(mazurka run --strategy bpor --preemptions 0 --fair 2 ./lost)"
equal "delays" "no bug within 1 delay: all 5 executions explored, complete" "$(mazurka run --strategy dfs --delays 1 ./lost)"
equal "steps" "no bug within 6 steps: all 90 executions explored, complete" "$(mazurka run --strategy dfs --max-depth 6 ./lost)"
equal "what is longer counts as redundant" "(0, 3)" \
	"$(result '(r["executions"], r["redundant"])' --strategy dfs --max-depth 1 ./lost)"
equal "within the bounds is everything: 0" 0 "$(status mazurka run --strategy dfs --preemptions 0 ./lost)"
equal "bounds in JSON" "{'preemptions': 1, 'fair': 2}" \
	"$(result 'r["bounds"]' --strategy bpor --preemptions 1 --fair 2 ./lost)"
equal "none in JSON" "{'preemptions': None, 'fair': None}" "$(result 'r["bounds"]' ./lost)"
equal "others in JSON" "{'preemptions': None, 'fair': None, 'delays': 1, 'depth': 9}" \
	"$(result 'r["bounds"]' --strategy dfs --delays 1 --max-depth 9 ./lost)"

# main creates three threads and joins them, which is no step: so all three runs in a row are two switches
equal "switches" "no bug within 2 switches: all 6 executions explored" \
	"$(mazurka run --strategy dfs --switches 2 ./lost | sed 's/ (.*//')"
equal "the same graphs with a reduction" "24 24" \
	"$(result 'r["traces"]' --strategy dfs --switches 3 ./lost) $(result 'r["traces"]' --strategy bpor --switches 3 ./lost)"
equal "one switch in words" "no bug within 1 switch: all 0 executions explored" \
	"$(mazurka run --strategy bpor --switches 1 ./lost | sed 's/ (.*//')"
equal "switches in JSON" "{'preemptions': None, 'fair': None, 'switches': 3}" "$(result 'r["bounds"]' --switches 3 ./lost)"
refused "delays with bpor" "mazurka: the strategy bpor cannot honour --delays: these can: dfs" \
	mazurka run --strategy bpor --delays 1 ./lost
refused "depth with source" "mazurka: the strategy source cannot honour --max-depth: these can: dfs" \
	mazurka run --strategy source --max-depth 1 ./lost
refused "a bound for chance" "mazurka: the strategy random cannot honour --fair: these can: optimal, bpor, dfs" \
	mazurka run --strategy random --fair 1 ./lost
refused "no number" "mazurka: --fair takes a whole number from 0 to 1000000, not 'x'" mazurka run --fair x ./lost
refused "no depth" "mazurka: --max-depth takes a whole number from 1 to 100000000, not '0'" mazurka run --max-depth 0 ./lost
refused "an optimisation that is none" \
	"mazurka: --no-opt takes one of sleep, transitive, disabled, release, conservative, not 'magic'" \
	mazurka run --no-opt magic ./lost
refused "one that the strategy does not have" "mazurka: the strategy dfs has no optimisation 'sleep' to do without" \
	mazurka run --strategy dfs --no-opt sleep ./lost

# --- local states ---

# Of three threads that load and store: each load sees what the others stored, or not.
equal "local states do not depend on the strategy" "True" "$(python3 - "$(
	result 'r["local_states"]' --strategy dfs --count-local-states ./lost
	result 'r["local_states"]' --strategy bpor --count-local-states ./lost
	result 'r["local_states"]' --strategy optimal --count-local-states ./lost)" <<'END'
import sys
counts = set(sys.argv[1].split())
print(len(counts) == 1 and int(counts.pop()) > 6)
END
)"
check "they are in the report" sh -c "mazurka run --count-local-states --count-traces ./lost | grep -q 'all 36 executions explored (36 traces, [0-9]* local states)'"
refused "local states of several processes" "mazurka: --jobs cannot be combined with --count-local-states" \
	mazurka run --jobs 2 --count-local-states ./lost
refused "local states of states" "mazurka: the strategy cartesian cannot honour --count-local-states: it searches states, not executions" \
	mazurka run --strategy cartesian --count-local-states ./lost

# --- as published ---

equal "as published, without sleep sets" "6 24 36 36 " "$(traces lost --strategy bpor --as-published --no-sleep)"
equal "what may miss executions is not complete" 3 \
	"$(status mazurka run --strategy bpor --as-published --preemptions 1 ./counter)"
check "and says so" grep -q '^incomplete: published form: not exhaustive; no bug in .*as published' status.out
equal "what misses none is complete" 0 \
	"$(status mazurka run --strategy bpor --as-published --no-sleep --preemptions 1 ./counter)"
check "and says what it was" grep -q 'as published), complete$' status.out
equal "it is in the result" "True False published form: not exhaustive" \
	"$(result '"%s %s %s" % (r["as_published"], r["complete"], r["reason"])' --strategy bpor --as-published --fair 1 ./counter)"
equal "and in no other" "False" "$(result '"as_published" in r' --strategy bpor ./counter)"
equal "optimal as published runs a counter's graphs more than once" "90 36 False" \
	"$(result '"%s %s %s" % (r["executions"], r["traces"], r["complete"])' --as-published --count-traces ./lost)"
refused "a bound that only ours can honour" \
	"mazurka: the strategy optimal, as published, cannot honour --fair: these can, as published: bpor" \
	mazurka run --as-published --fair 1 ./lost
refused "several processes cannot search so, but for states" \
	"mazurka: the strategy optimal, as published, cannot honour --jobs: these can, as published: cartesian" \
	mazurka run --as-published --jobs 2 ./lost
refused "what no published form knows" \
	"mazurka: the strategy bpor, as published, cannot honour --switches: these can, as published: none" \
	mazurka run --strategy bpor --as-published --switches 3 ./lost
equal "a point beyond the bound is moved" "24" \
	"$(result 'r["traces"]' --as-published --preemptions 1 --count-traces ./lost)"
refused "what is as published anyway" \
	"mazurka: the strategy dfs has no published form that differs from it (--as-published): these have: optimal, dpor-cr, dpor, bpor, cartesian" \
	mazurka run --strategy dfs --as-published ./lost

# --- without end ---

# endless STEPS TIMES YIELDS STRATEGY...: so many steps repeat so often, with so many yields among them.
endless() {
	steps=$1 times=$2 yields=$3
	shift 3
	equal "a livelock is a bug, $*" 1 "$(status mazurka run --strategy "$@" --fair 1 --max-steps 300 ./endless)"
	equal "what repeats is shown, $*" 1 "$(grep -c "in the end $steps steps come again and again, $times times:" status.out)"
	equal "step by step, $*" "$yields" "$(grep -c '^    main/[12]  yield at endless.c:9 (wait_for)$' status.out)"
	equal "it is replayed, $*" 1 "$(status mazurka replay mazurka-out/bug-1.trace)"
	check "and shown again, $*" grep -q "in the end $steps steps" status.out
	equal "its kind, $*" "['livelock']" \
		"$(result '[b["kind"] for b in r["bugs"]]' --strategy "$@" --fair 1 --max-steps 300 ./endless)"
	equal "it is finite if somebody ends it, $*" 0 "$(status mazurka run --strategy "$@" --fair 1 ./ends)"
}
endless 6 50 2 dfs
endless 6 50 2 bpor
endless 24 12 8 bpor --preemptions 2 # both go on until they are two yields ahead
equal "without a fair bound it is a limit" 3 \
	"$(status mazurka run --strategy dfs --max-steps 300 --max-executions 3 ./endless)"
