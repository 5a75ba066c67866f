# SPDX-License-Identifier: MIT
# Inputs that several processes explore: the same result as one, whatever happens to them, also in a run that is kept.
. "$SOURCE/tests/cli/lib.sh"
[ -e "$BUILD/mazurka-instrument" ] || exit 0

# Three threads, each with an input of eight values, which are branched on and are an index. A bug needs two of the inputs.
cat >inputs.c <<'C'
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int v, w;
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static void *run(void *arg)
{
	uint8_t x;
	mz_symbolic(&x, sizeof x, "x");
	mz_assume(x < 8);
	if (x > 3)
		atomic_fetch_add(&v, 1);
	else
		atomic_fetch_add(&w, 1);
	int t = table[x];
	if (atomic_load(&v) > t) atomic_store(&w, 5);
	if (t == 9 && atomic_load(&w) == 2) atomic_fetch_add(&v, (int)(intptr_t)arg);
	return NULL;
}
int main(void)
{
	pthread_t threads[THREADS];
	for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
	assert(v != 3 || THREADS == 3);
	assert(w != 5 || v != THREADS);
	return 0;
}
C
mazurka cc --symbolic -g -O1 -DTHREADS=3 inputs.c -o inputs -pthread
mazurka cc --symbolic -g -O1 -DTHREADS=2 inputs.c -o two -pthread

# Status, numbers and bugs of a run with inputs; how many executions are given up may differ with the order of exploration.
with_inputs() {
	status=0
	timeout -s KILL 100 $disturbed mazurka run --quiet --keep-going --json result.json "$@" >out 2>&1 || status=$?
	echo "$status $(python3 -c 'import json; r = json.load(open("result.json"))
print(r["complete"], r["executions"], r["assumed"], r["solver"]["timeouts"], r["solver"]["queries"] > 0, [b["message"] for b in r["bugs"]],
      "" if r["strategy"] != "optimal" else r["redundant"])' || cat out)"
	rm -f result.json
}
disturbed=
one=$(with_inputs ./inputs)
for jobs in 2 4 8; do
	equal "$jobs processes" "$one" "$(with_inputs --jobs $jobs ./inputs)"
done
for strategy in source dpor-cr bpor; do
	equal "$strategy, 3 processes" "$(with_inputs --strategy $strategy ./two)" "$(with_inputs --strategy $strategy --jobs 3 ./two)"
done
replayed() {
	mazurka replay mazurka-out/bug-1.trace 2>&1 | grep -c "assertion" || true
}
check "a bug is replayed" [ "$(replayed)" -gt 0 ]

# Within bounds: the pairs that one process finds, and those of each bound if it is raised. How many executions that takes may differ.
pairs_within() {
	status=0
	timeout -s KILL 100 $disturbed mazurka run --quiet --keep-going --json result.json "$@" >out 2>&1 || status=$?
	echo "$status $(python3 -c 'import json; r = json.load(open("result.json"))
print(r["complete"], r["traces"], [i["traces"] for i in r["iterations"]], len(r["bugs"]))' || cat out)"
	rm -f result.json
}
for bounds in "--preemptions 0" "--preemptions 1" "--fair 0" "--preemptions 1 --fair 1" "--strategy dfs --preemptions 0" --iterate; do
	for jobs in 2 4; do
		equal "inputs, $bounds, $jobs processes" "$(pairs_within $bounds ./two)" "$(pairs_within $bounds --jobs $jobs ./two)"
	done
done
within=$(pairs_within --preemptions 1 ./inputs)
equal "inputs with a bug, within a bound" "$within" "$(pairs_within --preemptions 1 --jobs 3 ./inputs)"
# A bug that one process knows from a smaller bound is no news to another one that looks whether a search without bounds is small.
raised=$(pairs_within --iterate --preemptions 2 ./inputs)
for jobs in 2 3; do
	equal "inputs with a bug, a bound that is raised, $jobs processes" "$raised" "$(pairs_within --iterate --preemptions 2 --jobs $jobs ./inputs)"
done
check "one interrupted within a bound" [ "$(pairs_within --preemptions 1 --resume bounded --jobs 2 --max-executions 3000 ./inputs | cut -d ' ' -f 2)" = False ]
equal "gone on with" "$within" "$(pairs_within --preemptions 1 --resume bounded --jobs 2 ./inputs)"

# Killed again and again, it comes to the same end.
cat >kill.py <<'PY'
import os, random, signal, subprocess, sys, time
random.seed(1)
run = subprocess.Popen(sys.argv[1:])
while run.poll() is None:
    time.sleep(random.random() * 0.15)
    workers = subprocess.run(["pgrep", "-x", "-P", str(run.pid), "inputs"], capture_output=True, text=True).stdout.split()
    try: os.kill(int(random.choice(workers)), signal.SIGKILL)
    except (IndexError, ProcessLookupError): pass
sys.exit(run.returncode)
PY
disturbed="python3 kill.py"
equal "processes that are killed" "$one" "$(with_inputs --jobs 3 ./inputs)"
equal "processes that are killed within a bound" "$within" "$(pairs_within --preemptions 1 --jobs 3 ./inputs)"
disturbed=

# A run that is kept, and interrupted by a limit, goes on where it was.
for most in 2000 5000 8000; do
	equal "interrupted after $most" "False" "$(with_inputs --resume kept --jobs 2 --max-executions $most ./inputs | cut -d ' ' -f 2)"
done
equal "gone on with to the end" "$one" "$(with_inputs --resume kept --jobs 2 ./inputs)"
equal "asked for again" "$one" "$(with_inputs --resume kept ./inputs)"
check "its bug is replayed" [ "$(replayed)" -gt 0 ]

# Each path has a file, whoever explores it.
mazurka run --quiet --keep-going --tests alone ./two >out 2>&1 || true
mazurka run --quiet --keep-going --jobs 3 --tests together ./two >out 2>&1 || true
cat alone/*.inputs together/*.inputs >/dev/null
equal "files have numbers of their own" "$(ls together | wc -l)" "$(ls together | sort -t - -k 2 -n | tail -1 | sed 's/path-//;s/.inputs//')"
