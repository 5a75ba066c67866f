/* SPDX-License-Identifier: MIT
 *
 * Who looks at what is done once without asking for it may be early.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: data-race @touch
 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
int value;

static void touch(void)
{
	value = 1; /* @touch */
}

static void *asks(void *arg)
{
	(void)arg;
	pthread_once(&once, touch);
	return NULL;
}

static void *looks(void *arg)
{
	(void)arg;
	touch();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, asks, NULL);
	pthread_create(&threads[1], NULL, looks, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
