/* SPDX-License-Identifier: MIT
 *
 * A registry calls its listener with its own mutex held, and the listener takes another: whoever holds that one and
 * asks the registry waits for ever.
 *
 * expect: optimal 3
 * expect: dfs 6
 * finding: deadlock
 * builds: gcc-O0 clang-O2
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
	redraw();
	pthread_mutex_unlock(&registry);
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
