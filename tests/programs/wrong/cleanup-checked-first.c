/* SPDX-License-Identifier: MIT
 *
 * Two threads find an entry not yet cleaned up, and both drop the one reference that the table has.
 *
 * expect: optimal 6
 * expect: dfs 16
 * finding: double-free @free
 * builds: gcc-O0 clang-O2
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
	if (atomic_fetch_sub(&references, 1) <= 1) free(entry); /* @free */
}

static void *evict(void *unused)
{
	if (atomic_load(&cleaned) == 0) {
		atomic_store(&cleaned, 1);
		drop();
	}
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
