/* SPDX-License-Identifier: MIT
 *
 * Numbers are sorted, and a name is changed, while nobody reads them.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int numbers[4] = {3, 2, 1, 0};
static char name[8] = "numbers", printed[8];

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *sorts(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	qsort(numbers, 4, sizeof *numbers, compare);
	name[0] = 'N';
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, sorts, NULL);
	pthread_mutex_lock(&mutex);
	assert(numbers[0] + numbers[3] == 3);
	snprintf(printed, sizeof printed, "%s", name);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
