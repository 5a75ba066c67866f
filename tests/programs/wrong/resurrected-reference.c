/* SPDX-License-Identifier: MIT
 *
 * A table gives out a reference to an entry whose last one has just been dropped: the count was 0, and whoever dropped
 * it frees the entry nevertheless.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: data-race @free|@use
 * findings: use-after-free @use
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct entry {
	int value;
};

atomic_int count = 1; /* not in the entry: it may be looked at when the entry is gone */
struct entry *table;
int seen;

static void drop(struct entry *entry)
{
	if (atomic_fetch_sub(&count, 1) == 1) free(entry); /* @free */
}

static void *owner(void *unused)
{
	drop(table);
	return unused;
}

static void *reader(void *unused)
{
	atomic_fetch_add(&count, 1);
	seen = table->value; /* @use */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	table = calloc(1, sizeof *table);
	pthread_create(&threads[0], NULL, owner, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
