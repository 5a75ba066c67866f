/* SPDX-License-Identifier: MIT
 *
 * What is to be done once waits for itself.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: deadlock @again
 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void)
{
	pthread_once(&once, start); /* @again */
}

int main(void)
{
	pthread_once(&once, start);
	return 0;
}
