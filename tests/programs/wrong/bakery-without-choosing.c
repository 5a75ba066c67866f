/* SPDX-License-Identifier: MIT
 *
 * The bakery without waiting for those who are choosing: one may have read 0, gone by, and the other come in with the
 * same number.
 *
 * expect: optimal 19
 * expect: dfs 182
 * findings: assertion @here
 * counted: gcc-O2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int number[2], inside;

static void cross(int me)
{
	int other = 1 - me, theirs;
	int mine = atomic_load(&number[other]) + 1;
	atomic_store(&number[me], mine);
	while ((theirs = atomic_load(&number[other])) && (theirs < mine || (theirs == mine && other < me))) {}
	assert(atomic_fetch_add(&inside, 1) == 0); /* @here */
	atomic_fetch_sub(&inside, 1);
	atomic_store(&number[me], 0);
}

static void *left(void *unused)
{
	cross(0);
	return unused;
}

static void *right(void *unused)
{
	cross(1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, left, NULL);
	pthread_create(&threads[1], NULL, right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
