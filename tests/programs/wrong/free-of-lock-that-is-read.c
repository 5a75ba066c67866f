/* SPDX-License-Identifier: MIT
 *
 * Who has looked at a value drops it, with its read-write lock, before it has given the lock back.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @free
 */
#include <pthread.h>
#include <stdlib.h>

struct value {
	pthread_rwlock_t lock;
	int value;
};

int main(void)
{
	struct value *value = calloc(1, sizeof *value);
	pthread_rwlock_init(&value->lock, NULL);
	pthread_rwlock_rdlock(&value->lock);
	int seen = value->value;
	free(value); /* @free */
	return seen;
}
