/* SPDX-License-Identifier: MIT
 *
 * A table gives out references to its entry, unless the last one has just been dropped.
 *
 * expect: optimal 4
 * expect: dfs 4
 * builds: gcc-O2 clang-O0
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
	if (atomic_fetch_sub(&count, 1) == 1) free(entry);
}

static void *owner(void *unused)
{
	drop(table);
	return unused;
}

static void *reader(void *unused)
{
	int references = atomic_load(&count);
	do {
		if (references == 0) return unused;
	} while (!atomic_compare_exchange_strong(&count, &references, references + 1));
	seen = table->value;
	drop(table);
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
