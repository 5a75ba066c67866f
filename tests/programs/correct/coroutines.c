/* SPDX-License-Identifier: MIT
 *
 * Two threads, each with a coroutine: one on the heap, one in a frame of its thread. Each coroutine adds once when it
 * is called and once when it is called again; what the threads have on their own stacks is as it was.
 *
 * expect: optimal 6
 * varies: states
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>

#define SIZE 32768

atomic_int x;
static _Thread_local ucontext_t caller, coroutine;
static _Thread_local int calls;

static void add_always(void)
{
	for (;;) {
		atomic_fetch_add(&x, 1);
		calls++;
		swapcontext(&coroutine, &caller);
	}
}

static void call_twice(char *stack)
{
	volatile int before = 7;
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = SIZE;
	makecontext(&coroutine, add_always, 0);
	swapcontext(&caller, &coroutine);
	assert(before == 7 && calls == 1);
	before = 8;
	swapcontext(&caller, &coroutine);
	assert(before == 8 && calls == 2);
}

static void *on_heap(void *arg)
{
	char *stack = malloc(SIZE);
	call_twice(stack);
	free(stack);
	return arg;
}

static void *in_frame(void *arg)
{
	char stack[SIZE];
	call_twice(stack);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, on_heap, NULL);
	pthread_create(&b, NULL, in_frame, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x == 4);
	return 0;
}
