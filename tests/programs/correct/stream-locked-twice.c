/* SPDX-License-Identifier: MIT
 *
 * Two threads lock standard output, one of them twice, and count while they hold it. How often it is locked is part of
 * what a state is: nothing was opened, and states can be searched.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int counted; /* not static: glibc declares flockfile() as a leaf, and a compiler may keep what nobody else sees in a
                register */

static void *count(void *times)
{
	int n = *(int *)times;
	for (int i = 0; i < n; i++) flockfile(stdout);
	counted++;
	for (int i = 0; i < n; i++) funlockfile(stdout);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int times[] = {1, 2};
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, &times[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(counted == 2);
	return 0;
}
