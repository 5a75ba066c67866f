/* SPDX-License-Identifier: MIT
 *
 * Double-checked locking with relaxed order: the pointer is seen, what it points to is not ordered.
 *
 * expect: optimal 4
 * expect: dfs 12
 * findings: data-race @fill|@use
 * unseen: data-race
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct thing {
	int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct thing the_thing;
_Atomic(struct thing *) thing;

static struct thing *get(void)
{
	struct thing *found = atomic_load_explicit(&thing, memory_order_relaxed);
	if (found) return found;
	pthread_mutex_lock(&mutex);
	if (!(found = atomic_load_explicit(&thing, memory_order_relaxed))) {
		found = &the_thing;
		found->value = 7; /* @fill */
		atomic_store_explicit(&thing, found, memory_order_relaxed);
	}
	pthread_mutex_unlock(&mutex);
	return found;
}

static void *run(void *unused)
{
	assert(get()->value == 7); /* @use */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
