/* SPDX-License-Identifier: MIT
 *
 * A stack as a list whose head is exchanged. Who pops a node frees it, though another one may just be reading its
 * successor.
 *
 * expect: optimal 40
 * expect: dfs 126
 * findings: data-race @free|@next
 * builds: gcc-O0 clang-O2
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
	while (first && !atomic_compare_exchange_strong(&head, &first, first->next)) {} /* @next */
	return first;
}

static void *run(void *unused)
{
	push(malloc(sizeof(struct node)));
	struct node *mine = pop();
	assert(mine);
	free(mine); /* @free */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
