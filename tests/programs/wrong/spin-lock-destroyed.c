/* SPDX-License-Identifier: MIT
 *
 * A spin lock is destroyed while a thread has it.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @destroy
 */
#include <pthread.h>

static pthread_spinlock_t lock;

static void *run(void *arg)
{
	(void)arg;
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&lock);
	pthread_create(&thread, NULL, run, NULL);
	pthread_spin_destroy(&lock); /* @destroy */
	pthread_spin_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}
