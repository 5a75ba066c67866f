# SPDX-License-Identifier: MIT
# Several processes that explore executions: the same result as one, whatever happens to them.
. "$SOURCE/tests/cli/lib.sh"
write_lost_and_counter

# A thread looks for the last element that is not 0, others count up from the element before theirs.
cat >lastzero.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int a[32];
static int n = 8;
static void *look(void *unused)
{
	int i = n;
	while (atomic_load(&a[i])) i--;
	return unused;
}
static void *count(void *arg)
{
	long i = (long)arg;
	atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[33];
	if (argc > 1) n = atoi(argv[1]);
	pthread_create(&threads[0], NULL, look, NULL);
	for (long i = 1; i <= n; i++) pthread_create(&threads[i], NULL, count, (void *)i);
	for (long i = 0; i <= n; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 lastzero.c -o lastzero -pthread
one=$(explored ./lastzero 10)
for jobs in 2 3 8 0; do
	equal "$jobs processes" "$one" "$(explored --jobs $jobs ./lastzero 10)"
done
equal "traces are counted" "$one" "$(explored --jobs 2 --count-traces ./lastzero 10)"

# A loop that waits is found out about while others explore already: all begin anew.
cat >waits.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, x;
static void *wait_for(void *arg)
{
	while (atomic_load(&turn) != (int)(long)arg) {}
	atomic_fetch_add(&x, 1);
	atomic_fetch_add(&turn, 1);
	return NULL;
}
static void *look(void *unused)
{
	for (int i = 0; i < 3; i++) atomic_load(&x);
	return unused;
}
int main(void)
{
	pthread_t threads[5];
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, wait_for, (void *)i);
	for (long i = 3; i < 5; i++) pthread_create(&threads[i], NULL, look, NULL);
	for (int i = 0; i < 5; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 waits.c -o waits -pthread
one=$(explored ./waits)
for jobs in 2 3; do
	equal "loops that wait, $jobs processes" "$one" "$(explored --jobs $jobs ./waits)"
done

mazurka cc -g -DLEAST=3 lost.c -o lost -pthread
for jobs in 1 2; do
	equal "a bug, $jobs processes" "1 bug True 36 36 0 1" "$(explored --keep-going --jobs $jobs ./lost)"
	check "its trace replays, $jobs processes" sh -c 'mazurka replay mazurka-out/bug-1.trace | grep -q "bug: assertion"'
done

# Strategies with backtrack sets, and the one that makes every interleaving. Which executions are given up half-way may depend
# on who goes first.
without_redundant() { explored "$@" | cut -d ' ' -f 1-5,7; }
for strategy in source dpor-cr dpor bpor; do
	one=$(without_redundant --strategy $strategy ./lastzero 8)
	for jobs in 2 5; do
		equal "$strategy, $jobs processes" "$one" "$(without_redundant --strategy $strategy --jobs $jobs ./lastzero 8)"
	done
	equal "$strategy, loops that wait" "$(without_redundant --strategy $strategy ./waits)" \
		"$(without_redundant --strategy $strategy --jobs 3 ./waits)"
done
equal "every interleaving" "$(explored --strategy dfs ./lastzero 4)" "$(explored --strategy dfs --jobs 3 ./lastzero 4)"
equal "every interleaving within bounds" "$(explored --strategy dfs --preemptions 2 ./lastzero 5)" \
	"$(explored --strategy dfs --preemptions 2 --jobs 3 ./lastzero 5)"
for strategy in dpor "dpor --no-sleep" dfs; do
	equal "traces are counted, $strategy" "0 pass True 28 0" \
		"$(explored --strategy $strategy --count-traces --jobs 3 ./lastzero 4 | cut -d ' ' -f 1-3,5,7)"
done
equal "without sleep sets" "0 pass True 0" "$(explored --strategy dpor --no-sleep --jobs 3 ./lastzero 6 | cut -d ' ' -f 1-3,6)"

# What an atomic section touches is known when it was made.
cat >section.c <<'C'
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y[4];
static void *run(void *arg)
{
	mz_atomic_begin();
	int seen = atomic_fetch_add(&x, 1);
	atomic_store(&y[seen], (int)(long)arg);
	mz_atomic_end();
	return (void *)(long)atomic_load(&y[(long)arg]);
}
int main(void)
{
	pthread_t threads[4];
	for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 section.c -o section -pthread
for strategy in optimal source dpor-cr bpor; do
	equal "atomic sections, $strategy" "$(without_redundant --strategy $strategy ./section)" \
		"$(without_redundant --strategy $strategy --jobs 3 ./section)"
done

# Executions that --max-steps ends are deep: what is left of the tree must be found without looking at all of it again and again.
cat >deep.c <<'C'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *run(void *arg)
{
	for (;;) atomic_fetch_add(&n, 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	run(NULL);
}
C
mazurka cc -O1 deep.c -o deep -pthread
for strategy in optimal source; do
	equal "deep executions, $strategy" "3: incomplete: the limit on executions was reached; no bug" \
		"$(status=0; timeout -s KILL 60 mazurka run --strategy $strategy --jobs 2 --max-executions 20000 ./deep >out 2>&1 || status=$?
		echo "$status: $(cut -d " " -f 1-9 out)")"
done

# Killed again and again, it comes to the same end.
equal "processes that are killed" "$(explored ./lastzero 14)" "$(killed ./lastzero 14)"
equal "processes that are killed, source" "$(without_redundant --strategy source ./lastzero 13)" \
	"$(killed --strategy source ./lastzero 13 | cut -d ' ' -f 1-5,7)"

killed_within() {
	status=0
	write_killer
	timeout -s KILL 100 python3 kill.py mazurka run --quiet --json result.json --jobs 2 "$@" >out 2>&1 || status=$?
	tell_within $status
}

# So it does if they are killed before they have begun.
cat >early.py <<'PY'
import subprocess, sys, signal, os
run = subprocess.Popen(sys.argv[1:])
killed = set()
while run.poll() is None and len(killed) < 4:
    try: workers = open(f"/proc/{run.pid}/task/{run.pid}/children").read().split()
    except FileNotFoundError: break
    for worker in workers:
        if worker in killed: continue
        killed.add(worker)
        os.kill(int(worker), signal.SIGKILL)
status = run.wait()
sys.exit(status if killed else 99)
PY
one=$(explored ./lastzero 10)
status=0
timeout -s KILL 100 python3 early.py mazurka run --quiet --json result.json --jobs 2 ./lastzero 10 >out 2>&1 || status=$?
equal "processes that are killed when they start" "$one" "$status $(python3 -c 'import json; r = json.load(open("result.json"))
print(r["verdict"], r["complete"], r["executions"], r["traces"], r["redundant"], len(r["bugs"]))')"

# But a program in which the system kills every process comes to an end.
cat >deadly.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int x;
static void kill_all_of_us(void)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "0"(SYS_kill), "D"(getpid()), "S"(SIGKILL) : "rcx", "r11", "memory");
}
static void *run(void *arg)
{
	if (atomic_fetch_add(&x, 1) == 1 && arg) kill_all_of_us();
	return NULL;
}
int main(void)
{
	pthread_t threads[3];
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -O1 deadly.c -o deadly -pthread
status=0
timeout -s KILL 60 mazurka run --jobs 2 ./deadly >out 2>&1 || status=$?
equal "processes that are killed in vain" "3|incomplete: the process was killed by SIGKILL" \
	"$status|$(sed -n 's/ in execution .*//; /^incomplete/p' out)"

# Processes that are replaced have no more time than those before them.
status=0
timeout -s KILL 20 python3 - mazurka run --jobs 2 --timeout 1.5 ./lastzero 24 >out 2>&1 <<'PY' || status=$?
import subprocess, sys, signal, os, time
run = subprocess.Popen(sys.argv[1:])
while run.poll() is None:
    time.sleep(0.4)
    for worker in subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split():
        try: os.kill(int(worker), signal.SIGKILL)
        except ProcessLookupError: pass
sys.exit(run.returncode)
PY
equal "a limit on time, and processes that are killed" "3|incomplete: --timeout 1.5 was reached" "$status|$(cut -d ';' -f 1 out)"

# Samples: the same executions, and exactly as many as were asked for, whoever makes them.
sampled() {
	"$@" --quiet --json result.json --seed 3 ./lastzero 8 >out 2>&1 || :
	python3 -c 'import json; r = json.load(open("result.json")); print(r["executions"], r["steps"])'
	rm -f result.json
}
for strategy in random pct pos; do
	run="timeout -s KILL 100 mazurka run --strategy $strategy --max-executions"
	equal "$strategy, 3 processes" "$(sampled $run 5001)" "$(sampled $run 5001 --jobs 3)"
done
equal "samples of processes that are killed" "$(sampled $run 200000)" "$(sampled timeout -s KILL 100 python3 kill.py $(echo $run | cut -d ' ' -f 5-) 200000 --jobs 2)"

status=0
mazurka run --jobs 2 --max-executions 1000 ./lastzero 14 >out 2>&1 || status=$?
equal "a limit on executions" "3|incomplete: the limit on executions was reached" "$status|$(cut -d ';' -f 1 out)"
status=0
mazurka run --jobs 2 --timeout 0.5 ./lastzero 20 >out 2>&1 || status=$?
equal "a limit on time" "3|incomplete: --timeout 0.5 was reached" "$status|$(cut -d ';' -f 1 out)"

# Within bounds: the same traces as one process finds, and of each bound if it is raised. How many executions that takes may
# differ; but every interleaving within a bound is made once.
write_update
mazurka cc -g -O1 update.c -o update -pthread
for jobs in 2 4 8; do
	equal "a bound on preemptions, $jobs processes" "0 pass True 144 1 [] 0 cbpor" "$(within --preemptions 1 --jobs $jobs ./lastzero 6)"
	equal "a fair bound, $jobs processes" "$(within --fair 1 ./waits)" "$(within --fair 1 --jobs $jobs ./waits)"
	equal "both bounds, $jobs processes" "$(within --preemptions 1 --fair 0 ./waits)" "$(within --preemptions 1 --fair 0 --jobs $jobs ./waits)"
	equal "a bound that is raised, $jobs processes" "0 pass True 576 None [24, 168, 432, 576] 0 cbpor" "$(within --iterate --jobs $jobs ./update 4)"
	equal "raised to a bound, $jobs processes" "0 pass True 168 1 [24, 168] 0 cbpor" "$(within --iterate --preemptions 1 --jobs $jobs ./update 4)"
done
equal "cbpor" "$(within --strategy cbpor --preemptions 2 ./lastzero 6)" "$(within --strategy cbpor --preemptions 2 --jobs 3 ./lastzero 6)"
for options in --preemptions\ 2 --iterate; do
	equal "one process says the same, $options" "$(within $options ./update 4)" "$(within $options --jobs 3 ./update 4)"
done
equal "cbpor without bounds" "0 pass True 576 None [] 0 cbpor" "$(within --strategy cbpor --jobs 3 ./update 4)"
equal "every interleaving within bounds that are raised" "$(explored --iterate --strategy dfs ./update 3)" "$(explored --iterate --strategy dfs --jobs 3 ./update 3)"
for jobs in 1 3; do
	equal "a bug within bounds that are raised, $jobs processes" "1 bug True 576 None" "$(within --iterate --keep-going --jobs $jobs ./update 4 3 | cut -d ' ' -f 1-5)"
	equal "needs one preemption, $jobs processes" "1" "$(sed -n 's/^preemptions //p' mazurka-out/bug-1.trace)"
done
equal "processes that are killed within bounds, cbpor" "$(within --preemptions 3 ./update 5)" "$(killed_within --preemptions 3 ./update 5)"
equal "processes that are killed within bounds" "$(within --strategy bpor --preemptions 1 ./lastzero 7)" \
	"$(killed_within --strategy bpor --preemptions 1 ./lastzero 7)"
equal "processes that are killed while the bound is raised" "0 pass True 14400 None [120, 1320, 5520, 11520, 14400] 0 cbpor" \
	"$(killed_within --iterate ./update 5)"

refused "bounds that cannot be shared" "mazurka: the strategy optimal cannot honour --delays: these can: dfs" \
	mazurka run --delays 1 --jobs 2 ./lastzero
refused "prefixes" "mazurka: --jobs cannot be combined with --prefixes" mazurka run --strategy cbpor --prefixes --jobs 2 ./lastzero
refused "as published" "mazurka: the strategy bpor, as published, cannot honour --jobs: these can, as published: cartesian" \
	mazurka run --strategy bpor --as-published --jobs 2 ./lastzero
