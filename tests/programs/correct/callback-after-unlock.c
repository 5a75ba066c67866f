/* SPDX-License-Identifier: MIT
 *
 * A registry calls its listener when it has released its own mutex; the listener may then take any.
 *
 * expect: optimal 3
 * expect: dfs 7
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER, window = PTHREAD_MUTEX_INITIALIZER;
int entries, redrawn;

static void redraw(void)
{
	pthread_mutex_lock(&window);
	redrawn++;
	pthread_mutex_unlock(&window);
}

static void *add(void *unused)
{
	pthread_mutex_lock(&registry);
	entries++;
	pthread_mutex_unlock(&registry);
	redraw();
	return unused;
}

static void *resize(void *unused)
{
	pthread_mutex_lock(&window);
	pthread_mutex_lock(&registry);
	redrawn = entries;
	pthread_mutex_unlock(&registry);
	pthread_mutex_unlock(&window);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, add, NULL);
	pthread_create(&threads[1], NULL, resize, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
