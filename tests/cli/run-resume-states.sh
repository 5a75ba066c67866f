# SPDX-License-Identifier: MIT
# Searches of states whose open work is kept: interrupted, killed and gone on with, they come to the same end.
. "$SOURCE/tests/cli/lib.sh"

# Threads that count to N, again and again, and add up what the others have: the program never ends. With FEW, one of them gives up
# at that sum.
cat >ring.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x[2], sum;
static int n = 10, few = -1;
static void *run(void *arg)
{
	atomic_int *mine = arg;
	for (;;) {
		atomic_store(mine, (atomic_load(mine) + 1) % n);
		atomic_store(&sum, atomic_load(&x[0]) + atomic_load(&x[1]));
		if (mine == x) assert(atomic_load(&sum) != few);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[2];
	if (argc > 1) n = atoi(argv[1]);
	if (argc > 2) few = atoi(argv[2]);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &x[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -g -O1 ring.c -o ring -pthread

# searched OPTION... PROGRAM: exit status, verdict, completeness, states, steps, ends, whether it never ends, kinds of bugs.
searched() {
	status=0
	timeout -s KILL 100 mazurka run --quiet --json result.json "$@" >out 2>&1 || status=$?
	echo "$status $(python3 -c 'import json; r = json.load(open("result.json"))
print(r["verdict"], r["complete"], r["states"], r["steps"], r["executions"], r.get("never_ends"), [b["kind"] for b in r["bugs"]])')"
	rm -f result.json
}

# To the end at once, and once more: there is nothing left to do.
one=$(searched --strategy states ./ring 6)
equal "kept" "$one" "$(searched --strategy states --resume whole ./ring 6)"
equal "the same command again" "$one" "$(searched --strategy states --resume whole ./ring 6)"
equal "with more processes" "$one" "$(searched --strategy states --jobs 3 --resume whole ./ring 6)"
exact=$(searched --strategy cartesian --exact-states ./ring 6)
equal "byte by byte" "$exact" "$(searched --strategy cartesian --exact-states --resume bytes ./ring 6)"
equal "byte by byte, again" "$exact" "$(searched --strategy cartesian --exact-states --resume bytes ./ring 6)"

# Interrupted again and again, by a signal that can be handled and one that cannot.
cat >disturb.py <<'PY'
import os, random, signal, subprocess, sys, time
random.seed(int(sys.argv[1]))
def workers_of(run):
    return open(f"/proc/{run.pid}/task/{run.pid}/children").read().split()
kind, command, program = sys.argv[2], ["mazurka", "run", "--quiet", "--json", "disturbed.json", *sys.argv[3].split()], sys.argv[4:]
kinds = {"int": [signal.SIGINT], "kill": [signal.SIGKILL, signal.SIGINT]}[kind]
def start(jobs):
    return subprocess.Popen(command + ["--jobs", str(jobs), "--resume", "kept-" + kind, *program], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
for round in range(15):
    run = start(1 + round % 3)
    try:
        while round == 0 and run.poll() is None and not workers_of(run): continue
        run.wait(timeout=random.random() * 0.3 if round else 0)
        break
    except subprocess.TimeoutExpired:
        left = workers_of(run)
        run.send_signal(random.choice(kinds))
        run.wait()
        while any(os.path.exists(f"/proc/{pid}/task") for pid in left): time.sleep(0.001)
else: # a slow machine
    start(1).wait()
print("disturbed", round > 0)
PY
whole=$(searched --strategy states ./ring 10)
for kind in int kill; do
	equal "it was disturbed by $kind" "disturbed True" "$(timeout -s KILL 200 python3 disturb.py 1 $kind "--strategy states" ./ring 10)"
	equal "disturbed by $kind" "$whole" "$(searched --strategy states --resume kept-$kind ./ring 10)"
done

# A limit on memory that is lifted, and one on time.
stopped=$(searched --strategy states --max-memory 500K --resume limits ./ring 10)
check "stopped: $stopped" sh -c 'case "$1" in "3 incomplete False "*) ;; *) exit 1 ;; esac' sh "$stopped"
searched --strategy states --timeout 0.2 --jobs 2 --resume limits ./ring 10 >/dev/null
equal "gone on after limits" "$whole" "$(searched --strategy states --resume limits ./ring 10)"

# What was found before an interruption is in the result of the run that goes on.
one=$(searched --strategy cartesian --keep-going ./ring 6 3)
first=$(searched --strategy cartesian --resume first ./ring 6 3)
equal "the first bug ends it" "1 bug False" "$(echo "$first" | cut -d ' ' -f 1-3)"
equal "the first bug ends it again" "$first" "$(searched --strategy cartesian --jobs 2 --resume first ./ring 6 3)"
check "its trace replays" sh -c 'mazurka replay mazurka-out/bug-1.trace | grep -q "bug: assertion"'
equal "and can be gone on from" "$one" "$(searched --strategy cartesian --keep-going --resume first ./ring 6 3)"

# A search that has learned something, and begun anew with that, goes on with it.
cat >cancels.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *arg)
{
	for (int i = 0; i < 3; i++) {
		atomic_fetch_add(&x, 1);
		pthread_testcancel();
	}
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	if (atomic_load(&x) > 1) pthread_cancel(threads[0]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -g -O1 cancels.c -o cancels -pthread
one=$(searched --strategy states ./cancels)
equal "begun anew" "$one" "$(searched --strategy states --resume anew ./cancels)"
equal "what was learned is kept" "$one" "$(searched --strategy states --jobs 2 --resume anew ./cancels)"

# A program that has no states at all, because it ends before a second thread begins.
printf 'int main(void) { return 0; }\n' >single.c
mazurka cc single.c -o single
one=$(searched --strategy states ./single)
equal "no states, in two processes" "$one" "$(searched --strategy states --jobs 2 ./single)"
equal "no states" "$one" "$(searched --strategy states --resume single-kept ./single)"
equal "no states, again" "$one" "$(searched --strategy states --resume single-kept ./single)"

# Refusals.
refused "other options" "mazurka: 'whole' holds a run with another value of --strategy: give another folder, or remove it to begin anew" timeout -s KILL 60 mazurka run --strategy cartesian --resume whole ./ring 6
printf x | dd of=whole/run bs=1 seek=200000 conv=notrunc 2>/dev/null
refused "damaged" "mazurka: 'whole/run' is damaged, or was written by another version of mazurka: remove it to begin anew" timeout -s KILL 60 mazurka run --strategy states --resume whole ./ring 6
