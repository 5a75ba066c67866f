/* SPDX-License-Identifier: MIT
 *
 * Two threads run the same function, which writes two variables: two data races, each of a place with itself.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: data-race @first
 * finding: data-race @second
 */
#include <pthread.h>

int first, second;

static void *run(void *unused)
{
	first = 1;  /* @first */
	second = 1; /* @second */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
