# SPDX-License-Identifier: MIT
"""Programs that tests explore on several machines, besides those of bench/programs."""
LOST = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int sum;
static void *add(void *unused)
{
	int seen = atomic_load(&sum);
	atomic_store(&sum, seen + 1);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	if (argc > 1) assert(sum >= atoi(argv[1]));
	if (argc > 1) assert(sum != 2);
	return 0;
}
"""

INPUTS = """
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int v, w;
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static void *run(void *unused)
{
	uint8_t x;
	mz_symbolic(&x, sizeof x, "x");
	mz_assume(x < 8);
	atomic_fetch_add(x > 3 ? &v : &w, 1);
	if (atomic_load(&v) > table[x]) atomic_store(&w, 5);
	return unused;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(w != 5 || v != 3);
	return 0;
}
"""

# Executions show what an invariant reads, and which libraries are loaded: each time all machines begin anew.
LIBRARY = """
#include <stdatomic.h>
static atomic_int calls;
int count(void)
{
	return atomic_fetch_add(&calls, 1);
}
"""
LEARNS = """
#include <assert.h>
#include <dlfcn.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, words[4];
static int holds(void *unused)
{
	(void)unused;
	return atomic_load(&words[atomic_load(&turn)]) < 5;
}
static void *run(void *arg)
{
	int mine = atomic_fetch_add(&turn, 1);
	void *library = dlopen(mine % 2 ? "./one.so" : "./two.so", RTLD_NOW);
	assert(library);
	atomic_store(&words[(long)arg], ((int (*)(void))dlsym(library, "count"))() + 1);
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	mz_invariant(holds, NULL);
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
"""

# A loop that waits is found out while a bound is explored: all machines begin anew.
TICKETS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int next, serving;
static void *run(void *arg)
{
	int mine = atomic_fetch_add(&next, 1);
	while (atomic_load(&serving) != mine) {}
	atomic_store(&serving, mine + 1);
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
"""

# The first thread kills its process, or waits for nothing, if no other one was quicker: no process can go on from there.
DEADLY = """
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int x;
static void call(long number, long first, long second)
{
	__asm__ volatile("syscall" : "+a"(number) : "D"(first), "S"(second) : "rcx", "r11", "memory");
}
static void *run(void *arg)
{
	if (atomic_fetch_add(&x, 1) == 0 && !arg)
#ifdef WAITS
		call(SYS_pause, 0, 0);
#else
		call(SYS_kill, getpid(), SIGKILL);
#endif
	return NULL;
}
int main(void)
{
	pthread_t threads[3];
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
"""

# A search of states finds out that threads are cancelled, and begins anew with that.
CANCELS = """
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
"""
