/* SPDX-License-Identifier: MIT
 *
 * mz_check() within an exploration, of `mazurka run` or of another mz_check(), is a call of the function: its
 * interleavings are a part of the larger exploration. By itself: 2 executions, 2 executions, 4 executions. Within
 * `mazurka run`: 2 x 2 x 4 = 16.
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *add(void *arg)
{
	(void)arg;
	atomic_fetch_add(&x, 1);
	return NULL;
}

static void two_orders(void *arg)
{
	pthread_t thread;
	pthread_create(&thread, NULL, add, NULL);
	atomic_fetch_add(&x, 1);
	pthread_join(thread, NULL);
	(void)arg;
}

static void twice(void *arg)
{
	if (mz_check(two_orders, arg, NULL) != 0 || mz_check(two_orders, arg, NULL) != 0) mz_access(&x, MZ_WRITE);
}

int main(void)
{
	int statuses =
	    mz_check(two_orders, NULL, NULL) + mz_check(two_orders, NULL, NULL) + mz_check(twice, NULL, NULL);
	if (!mz_exploring()) printf("%d\n", statuses);
	return statuses;
}
