/* SPDX-License-Identifier: MIT
 *
 * The same with C11 threads.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <threads.h>

static tss_t key;
static int destroyed;

static void destroy(void *value)
{
	destroyed += *(int *)value;
}

static int run(void *arg)
{
	tss_set(key, arg);
	assert(tss_get(key) == arg);
	thrd_exit(1);
}

int main(void)
{
	thrd_t thread;
	int value = 7, result;
	assert(tss_create(&key, destroy) == thrd_success);
	thrd_create(&thread, run, &value);
	thrd_join(thread, &result);
	assert(result == 1 && destroyed == 7);
	tss_delete(key);
	return 0;
}
