/* SPDX-License-Identifier: MIT
 *
 * Two threads make what there should be one of: whoever comes second loses the first one's, if both have looked before.
 *
 * expect: optimal 4
 * expect: dfs 6
 * options: --leaks
 * finding: leak @lost
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
	int *rows;
};

static _Atomic(struct table *) shared;

static void *make(void *arg)
{
	if (atomic_load(&shared)) return arg;
	struct table *table = malloc(sizeof *table); /* @lost */
	table->rows = malloc(100);                   /* lost with it */
	atomic_store(&shared, table);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, make, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
