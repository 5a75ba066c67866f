/* SPDX-License-Identifier: MIT
 *
 * A read-write lock is destroyed by its writer, whether or not the reader has been there.
 *
 * expect: optimal 4
 * expect: dfs 4
 * findings: misuse @lock|@destroy
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value, seen;

static void *look(void *unused)
{
	pthread_rwlock_rdlock(&lock); /* @lock */
	seen = value;
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, look, NULL);
	pthread_rwlock_wrlock(&lock);
	value = 1;
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_destroy(&lock); /* @destroy */
	pthread_join(thread, NULL);
	return 0;
}
