/* SPDX-License-Identifier: MIT
 *
 * A queue and its mutex are destroyed when the last item is out, while the one who put it there is still about to
 * unlock.
 *
 * expect: optimal 4
 * expect: dfs 9
 * findings: misuse @destroy
 * counted: -O2
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex;
atomic_int items;

static void *produce(void *unused)
{
	pthread_mutex_lock(&mutex);
	atomic_store(&items, 1);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_init(&mutex, NULL);
	pthread_create(&thread, NULL, produce, NULL);
	while (!atomic_load(&items)) {}
	pthread_mutex_destroy(&mutex); /* @destroy */
	pthread_join(thread, NULL);
	return 0;
}
