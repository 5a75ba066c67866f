# SPDX-License-Identifier: MIT
# Threads that go round: recognised by their own past alone, whatever was left on their stacks; deadlines that pass; loops that
# never end; and what depends on things that are not seen.
. "$SOURCE/tests/cli/lib.sh"

# verdict OPTION... PROGRAM: exit status and the kind of what was found.
verdict() {
	status=0
	mazurka run --timeout 60 --json result.json "$@" >out 2>&1 || status=$?
	echo "$status $(sed -n 's/.*"bugs": \[{"kind": "\([^"]*\)".*/\1/p' result.json)"
}
executions() {
	mazurka run --timeout 60 --no-races --count-traces --json result.json "$@" >out 2>&1 || true
	tr '\n' ' ' <result.json | sed -n 's/.*"complete": \([a-z]*\),.*"executions": \([0-9]*\).*"traces": \([0-9]*\).*/\1 \2 \3/p'
}

# A cell is emptied, and filled again, by functions with frames of their own: what earlier calls left there must not matter.
cat >cell.c <<'END_C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int cell = 1, free_cells = 0;

static int take(void)
{
	int unused[6], value;
	for (;;) {
		if (atomic_load(&free_cells) > 0 && atomic_load(&cell) == 0) return -1;
		value = atomic_exchange(&cell, 0);
		if (value > 0) break;
		unused[value & 3] = value;
		sched_yield();
	}
	atomic_fetch_add(&free_cells, 1);
	return value + (unused[5] & 0);
}

static void give(int value)
{
	int expected = 0;
	while (!atomic_compare_exchange_strong(&cell, &expected, value)) expected = 0;
	atomic_fetch_sub(&free_cells, 1);
}

static void *run(void *arg)
{
	int value;
	while ((value = take()) < 0) sched_yield();
	give(value);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END_C
for level in -O0 -O2; do
	mazurka cc -g -w $level cell.c -o cell -pthread
	optimal=$(executions ./cell)
	check "$level: as many executions as traces" sh -c 'set -- '"$optimal"'; [ "$1" = true ] && [ "$2" = "$3" ] && [ "$2" -gt 2 ]'
	for strategy in source dpor-cr "optimal --checkpoints always" "optimal --checkpoints never"; do
		equal "$level: the same with $strategy" "$optimal" "$(executions --strategy $strategy ./cell)"
	done
	equal "$level: dfs meets the same traces" "${optimal##* }" "$(executions --strategy dfs --max-executions 200000 ./cell | sed 's/.* //')"
	equal "$level: states" "0 " "$(verdict --no-races --strategy cartesian ./cell)"
done

# A thread spins while others write to a variable on its stack that it does not look at meanwhile.
cat >shared.c <<'END_C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int finished;

static void *run(void *arg)
{
	atomic_fetch_add((atomic_int *)arg, 2);
	atomic_fetch_sub((atomic_int *)arg, 2);
	atomic_fetch_add(&finished, 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	atomic_int busy = 0;
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &busy);
	while (atomic_load(&finished) < 2) {}
	assert(atomic_load(&busy) == 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END_C
mazurka cc -g -O1 shared.c -o on-the-stack -pthread
sed 's/atomic_int busy/static &/' shared.c >static.c && mazurka cc -g -O1 static.c -o static -pthread
expected=$(executions ./static)
for strategy in optimal source "optimal --checkpoints always"; do
	equal "a variable on the stack is as any other, $strategy" "$expected" "$(executions --strategy $strategy ./on-the-stack)"
done
equal "a variable on the stack is as any other, dfs" "$(executions --strategy dfs ./static)" "$(executions --strategy dfs ./on-the-stack)"

# A deadline passes while a thread polls a flag and a clock.
cat >deadline.c <<'END_C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>

atomic_int ready, gave_up;

static long microseconds(void)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	return now.tv_sec * 1000000L + now.tv_usec;
}

static void *wait_a_while(void *arg)
{
	long end = microseconds() + 500;
	do {
		if (atomic_load(&ready)) return arg;
	} while (microseconds() < end);
	atomic_store(&gave_up, 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_a_while, NULL);
	atomic_store(&ready, 1);
	pthread_join(thread, NULL);
	assert(!atomic_load(&gave_up));
	return 0;
}
END_C
for level in -O0 -O1; do
	mazurka cc -g $level deadline.c -o deadline -pthread
	for strategy in optimal dfs cartesian states "cartesian --points sync" "optimal --points all"; do
		equal "$level: a deadline passes, $strategy" "1 assertion" "$(verdict --strategy $strategy ./deadline)"
	done
done

# A thread that tries for ever, and undoes what it did, is caught although it writes.
cat >undoes.c <<'END_C'
#include <pthread.h>
#include <stdatomic.h>

atomic_int trying, taken = 1;

static void *run(void *arg)
{
	for (;;) {
		int expected = 0;
		atomic_fetch_add(&trying, 1);
		if (atomic_compare_exchange_strong(&taken, &expected, 1)) break;
		atomic_fetch_sub(&trying, 1);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	return 0;
}
END_C
mazurka cc -g -O1 undoes.c -o undoes -pthread
equal "a thread that goes round by itself for ever" "1 livelock" "$(verdict --strategy cartesian ./undoes)"
check "its trace replays" sh -c 'mazurka replay mazurka-out/bug-1.trace | grep -q "bug: livelock"'
equal "elsewhere that is incomplete" "3 " "$(verdict --max-steps 1000 ./undoes)"

# What a thread does depends on code that is not instrumented: never an internal error.
cat >hidden.c <<'END_C'
static int count;
int hidden(void) { return count++; }
END_C
cat >depends.c <<'END_C'
#include <pthread.h>
#include <stdatomic.h>
int hidden(void);
pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int x;

static void *run(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int k = hidden() % 3;
		pthread_mutex_lock(&m[k]);
		if (hidden() & 1) atomic_fetch_add(&x, 1);
		while (k == 2 && atomic_load(&x) > 5) {}
		pthread_mutex_unlock(&m[k]);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
END_C
cc -O1 -c hidden.c && mazurka cc -g -O1 depends.c hidden.o -o depends -pthread
for strategy in optimal source dpor dpor-cr "bpor --preemptions 2" "cbpor --preemptions 2" "dfs --max-executions 3000" cartesian states "optimal --iterate" \
	"optimal --checkpoints always"; do
	verdict --no-races --strategy $strategy ./depends >verdict
	check "what is not seen, $strategy" grep -qE '^(0 |1 nondeterminism|3 )$' verdict
	check "what is not seen breaks nothing, $strategy" sh -c '! grep -qE "internal|status 134" out'
done
