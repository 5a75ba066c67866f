/* SPDX-License-Identifier: MIT
 *
 * Double-checked locking with a plain pointer: the first look at it races with its writing.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: data-race @look|@set
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct thing {
	int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct thing the_thing;
struct thing *thing;

static struct thing *get(void)
{
	struct thing *found = thing; /* @look */
	if (found) return found;
	pthread_mutex_lock(&mutex);
	if (!(found = thing)) {
		found = &the_thing;
		found->value = 7;
		thing = found; /* @set */
	}
	pthread_mutex_unlock(&mutex);
	return found;
}

static void *run(void *unused)
{
	assert(get()->value == 7);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
