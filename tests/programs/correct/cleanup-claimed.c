/* SPDX-License-Identifier: MIT
 *
 * Whoever gets to mark an entry as cleaned up drops the table's reference to it, once.
 *
 * expect: optimal 2
 * expect: dfs 4
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct entry {
	int value;
};

atomic_int references = 1, cleaned;
struct entry *entry;

static void drop(void)
{
	if (atomic_fetch_sub(&references, 1) <= 1) free(entry);
}

static void *evict(void *unused)
{
	if (atomic_exchange(&cleaned, 1) == 0) drop();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	entry = malloc(sizeof *entry);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, evict, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
