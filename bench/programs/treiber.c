/* SPDX-License-Identifier: MIT
 *
 * treiber N P: N threads push P nodes each onto a stack whose head is exchanged (Treiber), and pop as many. Nothing is
 * freed. Three threads that push two nodes have more executions than anybody waits for.
 */
#include "threads.h"
#include <stdatomic.h>

struct node {
	struct node *next;
};

static _Atomic(struct node *) head;
static struct node nodes[MAX_THREADS][MAX_THREADS];
static int pushes;

static void push(struct node *node)
{
	struct node *first = atomic_load(&head);
	do node->next = first;
	while (!atomic_compare_exchange_strong(&head, &first, node));
}

static void pop(void)
{
	struct node *first = atomic_load(&head);
	while (first && !atomic_compare_exchange_strong(&head, &first, first->next)) {}
}

static void *run(void *arg)
{
	for (int i = 0; i < pushes; i++) push(&nodes[number(arg)][i]);
	for (int i = 0; i < pushes; i++) pop();
	return NULL;
}

int main(int argc, char **argv)
{
	pushes = argument(argc, argv, 2, 1, MAX_THREADS);
	run_threads(argument(argc, argv, 1, 2, MAX_THREADS), run);
	return 0;
}
