/* SPDX-License-Identifier: MIT
 *
 * A mutex is unlocked that nobody has locked.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @here
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_unlock(&mutex); /* @here */
	return 0;
}
