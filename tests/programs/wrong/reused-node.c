/* SPDX-License-Identifier: MIT
 *
 * A lock-free stack. Nodes are looked at under a lock without which none is freed; but what was seen may have been
 * popped, freed and allocated again when it is exchanged for the next one. Then that is on the stack again, although
 * somebody has taken it. Without memory that is used again it cannot happen, and with tags (TAGS) it does not.
 *
 * expect: optimal 57
 * expect: dfs 3511
 * options: --heap reuse
 * finding: assertion @taken
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

#ifdef TAGS
#define NEW_TAG(old) (((old) >> 48) + 1)
#else
#define NEW_TAG(old) 0UL
#endif

static _Atomic uint64_t top; /* a node, and a tag above its 48 bits */
static pthread_mutex_t reclaim = PTHREAD_MUTEX_INITIALIZER;

static struct node *node_of(uint64_t word)
{
	return (struct node *)(word & 0xffffffffffffUL);
}

static uint64_t replaced(uint64_t old, struct node *by)
{
	return (uint64_t)(uintptr_t)by | NEW_TAG(old) << 48;
}

static void push(int value)
{
	struct node *node = malloc(sizeof *node);
	uint64_t old = atomic_load(&top);
	node->value = value;
	do node->next = node_of(old);
	while (!atomic_compare_exchange_strong(&top, &old, replaced(old, node)));
}

static struct node *pop(void)
{
	for (;;) {
		pthread_mutex_lock(&reclaim);
		uint64_t old = atomic_load(&top);
		struct node *node = node_of(old), *next = node ? node->next : NULL;
		pthread_mutex_unlock(&reclaim);
		if (!node || atomic_compare_exchange_strong(&top, &old, replaced(old, next))) return node;
	}
}

static struct node *taken[2];

static void *take(void *arg)
{
	(void)arg;
	taken[0] = pop();
	return NULL;
}

static void *change(void *arg)
{
	(void)arg;
	struct node *first = pop();
	pthread_mutex_lock(&reclaim);
	free(first);
	pthread_mutex_unlock(&reclaim);
	taken[1] = pop();
	push(3);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	push(1);
	push(2);
	pthread_create(&threads[0], NULL, take, NULL);
	pthread_create(&threads[1], NULL, change, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	struct node *last = pop();
	assert(last != taken[1] || !last); /* @taken */
	return 0;
}
