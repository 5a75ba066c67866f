/* SPDX-License-Identifier: MIT
 *
 * A thread locks a normal mutex that it holds.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: deadlock
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	return 0;
}
