// SPDX-License-Identifier: MIT
/*
 * Threads on a stack that lies in the frame of their creator. An exception is thrown and caught there, and the thread
 * ends by pthread_exit; the next one is cancelled while it waits. Destructors run, and the stack is used again.
 *
 * compilers: gcc
 * varies: states
 * expect: optimal 2
 */
#include <cassert>
#include <cstdint>
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>

static const size_t size = 65536;
static sem_t never;
static int destroyed;

struct counted {
	~counted()
	{
		destroyed++;
	}
};

static int descend(int n)
{
	counted here;
	if (n == 0) throw std::runtime_error("at the bottom");
	return descend(n - 1) + 1;
}

static void check_place(void *stack)
{
	char here;
	assert((uintptr_t)&here - (uintptr_t)stack < size);
}

static void *throws_and_exits(void *stack)
{
	counted here;
	try {
		descend(2);
	} catch (const std::runtime_error &) {
		check_place(stack);
		pthread_exit(stack);
	}
	return nullptr;
}

static void *waits(void *stack)
{
	counted here;
	check_place(stack);
	sem_wait(&never);
	return nullptr;
}

static void run(void *(*function)(void *), char *stack, bool cancels, void *expected)
{
	pthread_attr_t attributes;
	pthread_t thread;
	void *result;
	pthread_attr_init(&attributes);
	assert(pthread_attr_setstack(&attributes, stack, size) == 0);
	assert(pthread_create(&thread, &attributes, function, stack) == 0);
	pthread_attr_destroy(&attributes);
	if (cancels) assert(pthread_cancel(thread) == 0);
	assert(pthread_join(thread, &result) == 0 && result == expected);
}

int main()
{
	alignas(16) char stack[size];
	sem_init(&never, 0, 0);
	run(throws_and_exits, stack, false, stack);
	assert(destroyed == 4);
	run(waits, stack, true, PTHREAD_CANCELED);
	assert(destroyed == 5);
	return 0;
}
