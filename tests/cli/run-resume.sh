# SPDX-License-Identifier: MIT
# Runs whose open work is kept: interrupted, killed and gone on with, they come to the same end.
. "$SOURCE/tests/cli/lib.sh"
write_lost_and_counter

# N threads read a variable and another one writes it; then all meet at a counter. With WRONG, that counter is not atomic.
cat >readers.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, sum;
static int least, n = 8;
static void *run(void *arg)
{
	if (arg)
		atomic_store(&x, 1);
	else
		atomic_load_explicit(&x, memory_order_seq_cst);
	return NULL;
}
static void *count(void *unused)
{
	int seen = atomic_load(&sum);
	atomic_store(&sum, seen + 1);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t threads[40];
	if (argc > 1) n = atoi(argv[1]);
	if (argc > 2) least = atoi(argv[2]);
	for (long i = 0; i <= n; i++) pthread_create(&threads[i], NULL, run, (void *)(long)(i == 0));
	for (int i = 0; i < 2; i++) pthread_create(&threads[n + 1 + i], NULL, count, NULL);
	for (int i = 0; i <= n + 2; i++) pthread_join(threads[i], NULL);
	assert(sum >= least);
	return 0;
}
C
mazurka cc -g -O1 readers.c -o readers -pthread

# To the end at once, and once more: there is nothing left to do.
one=$(explored ./readers 9)
equal "kept" "$one" "$(explored --resume whole ./readers 9)"
equal "the file" "run" "$(ls whole)"
equal "nobody else may read it" "600" "$(stat -c %a whole/run)"
equal "the same command again" "$one" "$(explored --resume whole ./readers 9)"
equal "with more processes" "$one" "$(explored --jobs 3 --resume whole ./readers 9)"

# Stopped by a limit, with limits that grow, and by different numbers of processes.
for most in 100 101 350 1000 1001; do
	stopped=$(explored --max-executions $most --jobs $((most % 3 + 1)) --resume limits ./readers 9)
	check "stopped at $most: $stopped" sh -c 'case "$1" in "3 incomplete False "*" 0 0") ;; *) exit 1 ;; esac' sh "$stopped"
done
equal "gone on after limits" "$one" "$(explored --resume limits ./readers 9)"

# Interrupted again and again, by signals that can be handled and one that cannot.
cat >disturb.py <<'PY'
import os, random, signal, subprocess, sys, time
random.seed(int(sys.argv[1]))
command = sys.argv[3:]
def workers_of(run):
    return open(f"/proc/{run.pid}/task/{run.pid}/children").read().split()
kinds = {"int": [signal.SIGINT], "term": [signal.SIGTERM], "kill": [signal.SIGKILL, signal.SIGINT]}[sys.argv[2]]
for round in range(60):
    run = subprocess.Popen(command + ["--jobs", str(1 + round % 3), "--resume", sys.argv[2], "./readers", "14"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        while round == 0 and run.poll() is None and not workers_of(run): continue
        out = run.communicate(timeout=random.random() * 0.2 if round else 0)[0]
        break
    except subprocess.TimeoutExpired:
        left = workers_of(run)
        run.send_signal(random.choice(kinds))
        out = run.communicate()[0]
        while any(os.path.exists(f"/proc/{pid}/task") for pid in left): time.sleep(0.001)
else: # a slow machine
    out = subprocess.run(command + ["--resume", sys.argv[2], "./readers", "14"], stdout=subprocess.PIPE, text=True).stdout
print(out.splitlines()[-1])
print("disturbed", round > 0, file=sys.stderr)
PY
whole=$(mazurka run ./readers 14 | tail -1)
for kind in int term kill; do
	equal "disturbed by $kind" "$whole" "$(timeout -s KILL 200 python3 disturb.py 1 $kind mazurka run 2>disturbed)"
	equal "it was disturbed by $kind" "disturbed True" "$(cat disturbed)"
done

# What was found before an interruption is in the result of the run that goes on.
one=$(explored --keep-going ./readers 8 2)
for most in 40 300; do explored --keep-going --max-executions $most --resume bugs ./readers 8 2 >/dev/null; done
equal "a bug found earlier" "$one" "$(explored --keep-going --resume bugs ./readers 8 2)"
check "its trace replays" sh -c 'mazurka replay mazurka-out/bug-1.trace | grep -q "bug: assertion"'
first=$(explored --resume first ./readers 8 2)
equal "the first bug ends it again" "$first" "$(explored --jobs 2 --resume first ./readers 8 2)"
equal "and can be gone on from" "$one" "$(explored --keep-going --resume first ./readers 8 2)"

# What the first bug cut short is explored by those who go on.
cat >races.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a;
static int x, y;
static void *run(void *arg)
{
	int *first = arg ? &x : &y, *second = arg ? &y : &x;
	*first = 1;
	atomic_fetch_add(&a, 1);
	*second = 2;
	atomic_fetch_add(&a, 1);
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -g -O1 races.c -o races -pthread
one=$(explored --keep-going ./races)
for jobs in 1 2; do
	first=$(explored --jobs $jobs --resume short-$jobs ./races)
	equal "a bug that cuts an execution short, $jobs processes" "$first" "$(explored --jobs $jobs --resume short-$jobs ./races)"
	mazurka run --jobs $jobs --resume short-$jobs ./races >out 2>&1 || true
	check "nothing is wrong with that" sh -c 'tail -n 2 out | grep -q "incomplete: stopped at the first bug$"'
	equal "what it cut short, $jobs processes" "$one" "$(explored --keep-going --jobs $jobs --resume short-$jobs ./races)"
done

# The environment of the program is that of the first run.
cat >environment.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	assert(strcmp(getenv("SETTING"), "first") == 0);
	return 0;
}
C
mazurka cc environment.c -o environment
SETTING=first explored --resume environment-kept --max-executions 1 ./environment >/dev/null
equal "environment" "0 pass True 1 1 0 0" "$(SETTING=second explored --resume environment-kept ./environment)"

# A second request to stop ends it at once, also a program that does not get anywhere.
cat >stuck.c <<'C'
int main(void)
{
	for (volatile int i = 0;; i++) {}
}
C
mazurka cc stuck.c -o stuck
python3 - <<'PY'
import signal, subprocess, time
run = subprocess.Popen(["mazurka", "run", "--stall-timeout", "0", "--resume", "stuck-kept", "./stuck"], stdout=subprocess.PIPE, text=True)
time.sleep(0.5)
run.send_signal(signal.SIGINT)
time.sleep(0.3)
started = time.time()
run.send_signal(signal.SIGINT)
out = run.communicate(timeout=60)[0]
took = time.time() - started
print("ok the second signal" if took < 1.5 and "interrupted" in out else f"not ok the second signal: {took} {out}")
PY

# Refusals.
refused "other arguments" "mazurka: 'whole' holds a run with other arguments of the program: give another folder, or remove it to begin anew" timeout -s KILL 60 mazurka run --resume whole ./readers 10
refused "other options" "mazurka: 'whole' holds a run with another value of --points: give another folder, or remove it to begin anew" timeout -s KILL 60 mazurka run --points all --resume whole ./readers 9
cp readers readers-before
mazurka cc -g -O2 readers.c -o readers -pthread
refused "another build" "mazurka: 'whole' holds a run with another build of the program: give another folder, or remove it to begin anew" timeout -s KILL 60 mazurka run --resume whole ./readers 9
mv readers-before readers
equal "nothing is lost by that" "0" "$(explored --resume whole ./readers 9 | cut -c1)"
cat >packets.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int ends[2];
	return pipe2(ends, O_DIRECT);
}
C
mazurka cc packets.c -o packets
refused "a program that cannot" "mazurka: $PWD/packets cannot be explored: it makes a pipe of packets" timeout -s KILL 60 mazurka run --resume x ./packets
rm -rf x
# Bounds, and one that is raised: the bound under way is kept, too.
write_update
mazurka cc -g -O1 update.c -o update -pthread
for most in 50 130 700 1500 5000 9000 20000; do
	stopped=$(within --iterate --max-executions $most --jobs $((most / 10 % 3 + 1)) --resume raised ./update 5)
	check "a bound that is raised, stopped at $most: $stopped" sh -c 'case "$1" in "3 incomplete False "*) ;; *) exit 1 ;; esac' sh "$stopped"
done
equal "a bound that is raised, gone on after limits" "0 pass True 14400 None [120, 1320, 5520, 11520, 14400] 0 cbpor" "$(within --iterate --resume raised ./update 5)"
equal "and once more" "0 pass True 14400 None [120, 1320, 5520, 11520, 14400] 0 cbpor" "$(within --iterate --jobs 2 --resume raised ./update 5)"
for most in 50 500 1000; do within --strategy bpor --preemptions 2 --max-executions $most --jobs $((most % 3 + 1)) --resume within ./update 5 >/dev/null; done
equal "within a bound, gone on after limits" "0 pass True 5520 2 [] 0 bpor" "$(within --strategy bpor --preemptions 2 --resume within ./update 5)"

for most in 50 500 1000; do within --preemptions 2 --max-executions $most --jobs $((most % 3 + 1)) --resume closed ./update 5 >/dev/null; done
equal "closed graphs, gone on after limits" "0 pass True 5520 2 [] 0 cbpor" "$(within --preemptions 2 --resume closed ./update 5)"
refused "what only one process can show" "mazurka: --resume cannot be combined with --prefixes" timeout -s KILL 60 mazurka run --strategy cbpor --prefixes --preemptions 1 --resume x ./readers
refused "a file in place of the folder" "mazurka: cannot keep the open work in 'readers.c': Not a directory" timeout -s KILL 60 mazurka run --resume readers.c ./readers
printf x | dd of=whole/run bs=1 seek=20000 conv=notrunc 2>/dev/null
refused "damaged" "mazurka: 'whole/run' is damaged, or was written by another version of mazurka: remove it to begin anew" timeout -s KILL 60 mazurka run --resume whole ./readers 9
head -c 100 limits/run >short && mv short limits/run
refused "cut short" "mazurka: 'limits/run' is damaged, or was written by another version of mazurka: remove it to begin anew" timeout -s KILL 60 mazurka run --resume limits ./readers 9
mazurka run --quiet --resume both ./readers 24 >/dev/null 2>&1 &
until [ -n "$(ls both 2>/dev/null)" ]; do sleep 0.1; done
sleep 0.3
refused "used by another run" "mazurka: another run keeps its work in 'both': give another folder, or wait for its end" timeout -s KILL 60 mazurka run --resume both ./readers 24
kill -INT $! && wait $! || true
