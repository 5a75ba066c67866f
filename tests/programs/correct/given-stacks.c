/* SPDX-License-Identifier: MIT
 *
 * Two threads on stacks that the program gives them, in a variable and on the heap, each of which adds twice; then a
 * third one on the stack of the first. Threads are told where they are, and what runs when they end runs there, too.
 *
 * expect: optimal 6
 * expect: dfs 6
 * flags: -D_GNU_SOURCE
 * varies: states
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 32768

static char variable[SIZE] __attribute__((aligned(64)));
static atomic_int sum;
static pthread_key_t key;

static void check_place(const char *stack)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;
	char here;
	assert((uintptr_t)&here - (uintptr_t)stack < SIZE);
	assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
	assert(pthread_attr_getstack(&attributes, &low, &size) == 0);
	assert(low == stack && size == SIZE);
	pthread_attr_destroy(&attributes);
}

static void *add_twice(void *stack)
{
	char own[100];
	memset(own, 1, sizeof own);
	check_place(stack);
	pthread_setspecific(key, stack);
	for (int i = 0; i < 2; i++) atomic_fetch_add(&sum, own[i]);
	assert(own[99] == 1);
	return stack;
}

static void *leave(void *stack)
{
	check_place(stack);
	pthread_setspecific(key, stack);
	pthread_exit(stack);
}

static void check_end(void *stack)
{
	check_place(stack);
}

static void create(pthread_t *thread, void *(*function)(void *), char *stack)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	assert(pthread_attr_setstack(&attributes, stack, SIZE) == 0);
	assert(pthread_create(thread, &attributes, function, stack) == 0);
	pthread_attr_destroy(&attributes);
}

static void join(pthread_t thread, char *stack)
{
	void *result;
	assert(pthread_join(thread, &result) == 0 && result == stack);
	memset(stack, 2, SIZE);
}

int main(void)
{
	pthread_t a, b;
	char *block = malloc(SIZE);
	assert(pthread_key_create(&key, check_end) == 0);
	create(&a, add_twice, variable);
	create(&b, add_twice, block);
	join(a, variable);
	join(b, block);
	free(block);
	create(&a, leave, variable);
	join(a, variable);
	assert(sum == 4);
	return 0;
}
