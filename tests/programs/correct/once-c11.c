/* SPDX-License-Identifier: MIT
 *
 * The same with C11 threads.
 *
 * expect: optimal 4
 * expect: dfs 8
 */
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int times;

static void start(void)
{
	times++;
}

static int run(void *arg)
{
	(void)arg;
	call_once(&once, start);
	assert(times == 1);
	return 0;
}

int main(void)
{
	thrd_t threads[2];
	for (int i = 0; i < 2; i++) thrd_create(&threads[i], run, NULL);
	for (int i = 0; i < 2; i++) thrd_join(threads[i], NULL);
	return 0;
}
