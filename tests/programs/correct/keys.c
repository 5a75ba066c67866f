/* SPDX-License-Identifier: MIT
 *
 * Each thread has its own value of a key, and it is destroyed with the thread; what a destructor sets is destroyed too.
 *
 * expect: optimal 3
 * expect: dfs 3
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
	atomic_fetch_add(&destroyed, 1);
	if ((intptr_t)value == 2) pthread_setspecific(key, (void *)1);
}

static void *run(void *arg)
{
	assert(pthread_getspecific(key) == NULL);
	assert(pthread_setspecific(key, arg) == 0);
	assert(pthread_getspecific(key) == arg);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	assert(pthread_key_create(&key, destroy) == 0);
	pthread_create(&threads[0], NULL, run, (void *)1);
	pthread_create(&threads[1], NULL, run, (void *)2);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(destroyed == 3);
	assert(pthread_key_delete(key) == 0);
	assert(pthread_setspecific(key, &key) != 0);
	return 0;
}
