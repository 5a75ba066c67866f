/* SPDX-License-Identifier: MIT
 *
 * A mutex is destroyed while it is held.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @here
 */
#include <pthread.h>

static pthread_mutex_t mutex;

int main(void)
{
	pthread_mutex_init(&mutex, NULL);
	pthread_mutex_lock(&mutex);
	pthread_mutex_destroy(&mutex); /* @here */
	return 0;
}
