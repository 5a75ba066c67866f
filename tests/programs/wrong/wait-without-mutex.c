/* SPDX-License-Identifier: MIT
 *
 * A thread waits with a mutex that it does not hold.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @here
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void)
{
	pthread_cond_wait(&condition, &mutex); /* @here */
	return 0;
}
