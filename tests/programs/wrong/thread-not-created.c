/* SPDX-License-Identifier: MIT
 *
 * A thread that could not be created is joined.
 *
 * expect: optimal 3
 * options: --fail pthread_create
 * findings: misuse @join
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum;

static void *run(void *arg)
{
	atomic_fetch_add(&sum, 1);
	return arg;
}

int main(void)
{
	pthread_t thread = 0;
	if (pthread_create(&thread, NULL, run, NULL) != 0) pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL); /* @join */
	return 0;
}
