/* SPDX-License-Identifier: MIT
 *
 * What is freed was not always allocated: whoever comes first leaves a default, which is a variable.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: misuse @here
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int standard = 1;
static int *setting;

static void *configure(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	if (!setting) setting = malloc(sizeof *setting);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *fall_back(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	if (!setting) setting = &standard;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, configure, NULL);
	pthread_create(&threads[1], NULL, fall_back, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	free(setting); /* @here */
	return 0;
}
