/* SPDX-License-Identifier: MIT
 *
 * A read-write lock is given back twice.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @unlock
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock); /* @unlock */
	return 0;
}
