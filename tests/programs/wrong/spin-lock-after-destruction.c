/* SPDX-License-Identifier: MIT
 *
 * Of two threads that count, the one that finds itself the last destroys the spin lock and counts once more.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: misuse @again
 */
#include <pthread.h>

static pthread_spinlock_t lock;
int count;

static void *work(void *unused)
{
	pthread_spin_lock(&lock);
	int last = ++count == 2;
	pthread_spin_unlock(&lock);
	if (!last) return unused;
	pthread_spin_destroy(&lock);
	pthread_spin_lock(&lock); /* @again */
	count++;
	pthread_spin_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
