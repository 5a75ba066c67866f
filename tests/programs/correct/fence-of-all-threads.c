/* SPDX-License-Identifier: MIT
 *
 * membarrier() makes the compiler barriers of other threads full ones: what a reader did before it said that it is done
 * happens before what the thread does that saw this and made a barrier.
 *
 * expect: optimal 5
 * counted: -O2
 */
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic(int *) current;
atomic_int reads;

static void *read_it(void *arg)
{
	atomic_store_explicit(&reads, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	const int *value = atomic_load_explicit(&current, memory_order_acquire);
	assert(*value == 1 || *value == 2);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&reads, 0, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int *old = malloc(sizeof *old), *new = malloc(sizeof *new);
	*old = 1;
	*new = 2;
	assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	assert(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0);
	atomic_store(&current, old);
	pthread_create(&thread, NULL, read_it, NULL);
	atomic_store(&current, new);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	while (atomic_load_explicit(&reads, memory_order_relaxed)) {}
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	free(old);
	pthread_join(thread, NULL);
	free(new);
	return 0;
}
