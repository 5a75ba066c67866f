/* SPDX-License-Identifier: MIT
 *
 * Two threads meet, and one destroys the barrier behind that. The other one has another meeting in mind, and waits for
 * ever.
 *
 * expect: optimal 2
 * expect: dfs 4
 * findings: misuse @again|@destroy
 * finding: deadlock
 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* @again */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, work, NULL);
	pthread_barrier_wait(&barrier);
	pthread_barrier_destroy(&barrier); /* @destroy */
	pthread_join(thread, NULL);
	return 0;
}
