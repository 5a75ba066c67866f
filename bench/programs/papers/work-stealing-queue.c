/* SPDX-License-Identifier: MIT
 *
 * work-stealing-queue SIZE STEALS: the queue of Cilk (Frigo, Leiserson, Randall: The Implementation of the Cilk-5
 * Multithreaded Language, PLDI 1998, "THE" protocol) in a circular buffer. One thread puts SIZE jobs in at the tail and
 * takes jobs out there until there are none; another one tries STEALS times to take one out at the head. Every job is
 * done exactly once.
 *
 * The owner takes the lock only when there may be one job left, which both want; the thief always does. `head` and
 * `tail` only grow and are taken modulo the size of the buffer. The owner gives a job up by moving the tail back first,
 * and the thief by moving the head on first: whoever then sees that the other was faster undoes it.
 */
#include "../threads.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define BUFFER 8 /* a power of two, at least SIZE */

static atomic_long head, tail;
static int buffer[BUFFER];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done[BUFFER]; /* how often each job was */
static int size, steals;

static void push(int job)
{
	long t = atomic_load(&tail);
	assert(t - atomic_load(&head) < BUFFER);
	buffer[t % BUFFER] = job;
	atomic_store(&tail, t + 1);
}

/* With the lock: nobody moves the head. */
static bool pop_last(int *job)
{
	pthread_mutex_lock(&lock);
	long t = atomic_load(&tail) - 1;
	atomic_store(&tail, t);
	bool found = atomic_load(&head) <= t;
	if (found)
		*job = buffer[t % BUFFER];
	else
		atomic_store(&tail, t + 1);
	pthread_mutex_unlock(&lock);
	return found;
}

static bool pop(int *job)
{
	long t = atomic_load(&tail) - 1;
	atomic_store(&tail, t);
	if (atomic_load(&head) <= t) {
		*job = buffer[t % BUFFER];
		return true;
	}
	atomic_store(&tail, t + 1);
	return pop_last(job);
}

static bool steal(int *job)
{
	pthread_mutex_lock(&lock);
	long h = atomic_load(&head);
	atomic_store(&head, h + 1);
	bool found = h < atomic_load(&tail);
	if (found)
		*job = buffer[h % BUFFER];
	else
		atomic_store(&head, h);
	pthread_mutex_unlock(&lock);
	return found;
}

static void *owner(void *unused)
{
	int job;
	for (int n = 0; n < size; n++) push(n);
	while (pop(&job)) done[job]++;
	return unused;
}

static void *thief(void *unused)
{
	int job;
	for (int n = 0; n < steals; n++)
		if (steal(&job)) done[job]++;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	size = argument(argc, argv, 1, 3, BUFFER);
	steals = argument(argc, argv, 2, 2, BUFFER);
	pthread_create(&threads[0], NULL, owner, NULL);
	pthread_create(&threads[1], NULL, thief, NULL);
	for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
	for (int n = 0; n < size; n++) assert(done[n] == 1);
	return 0;
}
