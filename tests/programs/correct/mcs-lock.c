/* SPDX-License-Identifier: MIT
 *
 * A lock whose waiters form a queue, each spinning on a word of its own (Mellor-Crummey and Scott).
 *
 * expect: optimal 14
 * expect: dfs 168
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	_Atomic(struct node *) next;
	atomic_int waits;
};

_Atomic(struct node *) last;
struct node nodes[2];
int counter;

static void lock(struct node *mine)
{
	atomic_store(&mine->waits, 1);
	struct node *before = atomic_exchange(&last, mine);
	if (!before) return;
	atomic_store(&before->next, mine);
	while (atomic_load(&mine->waits)) {}
}

static void unlock(struct node *mine)
{
	struct node *expected = mine, *after = atomic_load(&mine->next);
	if (!after) {
		if (atomic_compare_exchange_strong(&last, &expected, NULL)) return;
		while (!(after = atomic_load(&mine->next))) {}
	}
	atomic_store(&after->waits, 0);
}

static void *run(void *node)
{
	lock(node);
	counter++;
	unlock(node);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &nodes[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(counter == 2);
	return 0;
}
