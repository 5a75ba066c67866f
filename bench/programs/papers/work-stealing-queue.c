/* SPDX-License-Identifier: MIT
 *
 * work-stealing-queue SIZE STEALS [strong | early | stale | aba]: the queue of Cilk (Frigo, Leiserson, Randall: The Implementation of the Cilk-5
 * Multithreaded Language, PLDI 1998, "THE" protocol) in a circular buffer. One thread puts SIZE jobs in at the tail and
 * takes jobs out there until there are none; another one tries STEALS times to take one out at the head. Every job is
 * done exactly once.
 *
 * The owner takes the lock only when there may be one job left, which both want; the thief always does. `head` and
 * `tail` only grow and are taken modulo the size of the buffer. The owner gives a job up by moving the tail back first,
 * and the thief by moving the head on first: whoever then sees that the other was faster undoes it.
 *
 * With `strong`, loads of the two are writes to whoever explores: they add 0. With one of the other words there is a bug:
 *   early  a job is offered before it is in the buffer. Needs one preemption
 *   stale  the thief looks whether there is a job, and moves the head only then. Needs two
 *   aba    the thief reads the job before it moves the head; and the owner takes a job out after each that it puts in.
 *          Needs three: another job may have come into the same place
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
static bool strong, early, stale, aba;

static long look(atomic_long *at)
{
	return strong ? atomic_fetch_add(at, 0) : atomic_load(at);
}

static void push(int job)
{
	long t = look(&tail);
	if (early) atomic_store(&tail, t + 1);
	assert(t - look(&head) < BUFFER);
	buffer[t % BUFFER] = job;
	if (!early) atomic_store(&tail, t + 1);
}

/* With the lock: nobody moves the head. */
static bool pop_last(int *job)
{
	pthread_mutex_lock(&lock);
	long t = look(&tail) - 1;
	atomic_store(&tail, t);
	bool found = look(&head) <= t;
	if (found)
		*job = buffer[t % BUFFER];
	else
		atomic_store(&tail, t + 1);
	pthread_mutex_unlock(&lock);
	return found;
}

static bool pop(int *job)
{
	long t = look(&tail) - 1;
	atomic_store(&tail, t);
	if (look(&head) <= t) {
		*job = buffer[t % BUFFER];
		return true;
	}
	atomic_store(&tail, t + 1);
	return pop_last(job);
}

/* Looks whether there is a job first. With `stale`, that is all: the job may be gone when the head is moved. With `aba`, the
 * thief looks again, as it should, but another job may have come into the place of the one that it has read. */
static bool steal_late(int *job)
{
	pthread_mutex_lock(&lock);
	long h = look(&head);
	bool found = h < look(&tail);
	if (found) {
		*job = buffer[h % BUFFER];
		atomic_store(&head, h + 1);
		if (aba && h >= look(&tail)) {
			atomic_store(&head, h);
			found = false;
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static bool steal(int *job)
{
	if (stale || aba) return steal_late(job);
	pthread_mutex_lock(&lock);
	long h = look(&head);
	atomic_store(&head, h + 1);
	bool found = h < look(&tail);
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
	for (int n = 0; n < size; n++) {
		push(n);
		if (aba && pop(&job)) done[job]++;
	}
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
	strong = has_word(argc, argv, "strong");
	early = has_word(argc, argv, "early");
	stale = has_word(argc, argv, "stale");
	aba = has_word(argc, argv, "aba");
	pthread_create(&threads[0], NULL, owner, NULL);
	pthread_create(&threads[1], NULL, thief, NULL);
	for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
	for (int n = 0; n < size; n++) assert(done[n] == 1);
	return 0;
}
