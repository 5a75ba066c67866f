#!/bin/sh
# SPDX-License-Identifier: MIT
# test_states.sh MAZURKA LIBRARY SOURCE: states of programs as states.c walks over them, in place of the explorer. LIBRARY is
# the one to be loaded instead of libmazurka.so, which is beside MAZURKA.
mazurka=$(realpath "$1") library=$(dirname "$(realpath "$2")") source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# equal NAME EXPECTED ACTUAL
equal() {
	[ "$2" = "$3" ] && return
	printf 'not ok %s\n  expected | %s\n  actual   | %s\n' "$1" "$2" "$3"
	failed=1
}
# build COMPILER LEVEL SOURCE: as $work/program
build() {
	MAZURKA_CC=$1 "$mazurka" cc -g "$2" -I"$source/bench/programs" "$3" -o "$work/program" -pthread || failed=1
}
# walk WHAT ARGUMENTS...: what it says
walk() {
	what=$1
	shift
	(cd "$work" && STATES=$what LD_LIBRARY_PATH=$library "$mazurka" run --quiet --points sync ./program "$@" 9>&1 2>&1)
}
# The step at which a state comes back for the first time, less the one at which it was met first.
period() {
	awk -F'[: ]+' '{ if ($2 in met) { print $1 - met[$2]; exit } met[$2] = $1 }'
}

# A robot alone is back where it was after 66 accesses, whatever the compiler keeps on the stack.
for compiler in gcc clang; do
	for level in -O0 -O1 -O2; do
		build $compiler $level "$source/bench/programs/papers/robots.c"
		equal "robots, $compiler $level" 66 "$(walk 'alone 1 140' 2 | period)"
	done
done

# Two counters to 3 for ever, one a step behind the other: all that can be, and the same keys in every process.
cat >"$work/counters.c" <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *run(void *arg)
{
	for (int i = 0;; i = (i + 1) % 3) {
		atomic_store(arg ? &x : &y, i);
		if (atomic_load(arg ? &y : &x) == 5) break;
	}
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, &x);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
C
for flags in -O1 -O2; do
	build gcc $flags "$work/counters.c"
	first=$(walk 'all 1000')
	equal "counters, $flags" "states 49 steps 98 ends 0 found 0" "$(echo "$first" | head -n 1)"
	equal "the same keys in another process" "$first" "$(walk 'all 1000')"
done
MAZURKA_CC=gcc "$mazurka" cc -g -O1 -fstack-protector-all "$work/counters.c" -o "$work/program" -pthread
equal "and where frames are guarded" "$(walk 'all 1000')" "$(walk 'all 1000')"

# Heap, thread-local variables, errno, conditions, exit handlers, stacks that others write to, large images: each state is
# gone back to, and each step made twice. The last line is that of the state that nothing leads on from.
cat >"$work/everything.c" <<'C'
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static _Thread_local int own = 3;
static _Thread_local char much[1000];
static char large[100000];
static int ready;
static atomic_int *shared;
static void at_end(void)
{
	large[50000]++;
}
static void *run(void *arg)
{
	int *block = malloc(sizeof *block + 16 * (size_t)own);
	*block = own++;
	errno = *block;
	atomic_fetch_add(shared, errno);
	much[999] = (char)own;
	large[own * 20000]++;
	pthread_mutex_lock(&mutex);
	ready++;
	errno = ++own;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	if (errno != 5 || own != 5 || much[999] != 4 || *block != 3) abort();
	free(block);
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	atomic_int on_stack = 0;
	void *result;
	shared = &on_stack;
	atexit(at_end);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &threads[i]);
	pthread_mutex_lock(&mutex);
	while (ready < 2) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		if (result != &threads[i]) abort();
	}
	return atomic_load(shared) != 6;
}
C
build gcc -O1 "$work/everything.c"
first=$(walk 'all 5000')
equal "everything" "ends 1 found 0" "$(echo "$first" | sed -n 's/^states .* ends/ends/p')"
equal "everything, in another process" "$first" "$(walk 'all 5000')"

# What is found after a step is not found in the states beside it. Both threads must read 0: 4 states while both are there,
# 2 in which one has gone before the other has read, which is found, 2 in which it has, what main looks at, and the end.
cat >"$work/found.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
	int seen = atomic_load(&x);
	assert(seen == 0);
	atomic_store(&x, 1);
	return unused;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return atomic_load(&x) != 1;
}
C
build gcc -O1 "$work/found.c"
equal "findings" "states 10 steps 13 ends 1 found 2" "$(walk 'all 1000' | head -n 1)"
exit $failed
