/* SPDX-License-Identifier: MIT
 *
 * A ticket lock whose tickets have one bit: with three threads two hold the same.
 *
 * expect: optimal 312
 * finding: assertion @here
 * findings: livelock
 * counted: -O2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { BITS = 1 };

atomic_uint next_ticket, serving;
atomic_int inside;

static void *run(void *unused)
{
	unsigned mine = atomic_fetch_add(&next_ticket, 1) & BITS;
	while ((atomic_load(&serving) & BITS) != mine) {}
	assert(atomic_fetch_add(&inside, 1) == 0); /* @here */
	atomic_fetch_sub(&inside, 1);
	atomic_fetch_add(&serving, 1);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
