/* SPDX-License-Identifier: MIT
 *
 * A stack as a list whose head is exchanged (Treiber). Two threads push a node each and pop one. Nothing is freed
 * before they are done.
 *
 * expect: optimal 40
 * expect: dfs 126
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
};

_Atomic(struct node *) head;

static void push(struct node *node)
{
	struct node *first = atomic_load(&head);
	do node->next = first;
	while (!atomic_compare_exchange_strong(&head, &first, node));
}

static struct node *pop(void)
{
	struct node *first = atomic_load(&head);
	while (first && !atomic_compare_exchange_strong(&head, &first, first->next)) {}
	return first;
}

static void *run(void *popped)
{
	push(malloc(sizeof(struct node)));
	*(struct node **)popped = pop();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct node *popped[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &popped[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(popped[0] && popped[1] && popped[0] != popped[1]);
	for (int i = 0; i < 2; i++) free(popped[i]);
	return 0;
}
