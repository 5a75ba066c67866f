/* SPDX-License-Identifier: MIT
 *
 * synchronous-queue N: a queue without room: a put waits for a take and a take for a put (Scherer, Lea, Scott: Scalable
 * synchronous queues, PPoPP 2006: the dual stack). Who finds nobody of the other kind pushes itself and waits, else
 * takes the partner off with compare-exchange and wakes it. N threads put one item each, N others take one.
 */
#include "../threads.h"
#include <stdatomic.h>
#include <stdbool.h>

struct node {
	bool is_put, matched;
	int item;
	struct node *next;
	pthread_mutex_t mutex;
	pthread_cond_t met;
};

static _Atomic(struct node *) top;
static struct node nodes[MAX_THREADS]; /* one for each operation, so that none comes back under another's eyes */
static int taken[MAX_THREADS], n;

static int wait_for_partner(struct node *node)
{
	pthread_mutex_lock(&node->mutex);
	while (!node->matched) pthread_cond_wait(&node->met, &node->mutex);
	int item = node->item;
	pthread_mutex_unlock(&node->mutex);
	return item;
}

static int hand_over(struct node *partner, int item)
{
	pthread_mutex_lock(&partner->mutex);
	if (!partner->is_put) partner->item = item;
	item = partner->item;
	partner->matched = true;
	pthread_cond_signal(&partner->met);
	pthread_mutex_unlock(&partner->mutex);
	return item;
}

/* Puts or takes; the item that was handed over. */
static int exchange(struct node *node)
{
	for (;;) {
		struct node *seen = atomic_load(&top);
		if (seen && seen->is_put != node->is_put) {
			if (atomic_compare_exchange_strong(&top, &seen, seen->next)) return hand_over(seen, node->item);
		} else {
			node->next = seen;
			if (atomic_compare_exchange_strong(&top, &seen, node)) return wait_for_partner(node);
		}
	}
}

static void *run(void *arg)
{
	struct node *node = &nodes[number(arg)];
	int item = exchange(node);
	if (!node->is_put) taken[number(arg) - n] = item;
	return NULL;
}

int main(int argc, char **argv)
{
	n = argument(argc, argv, 1, 2, MAX_THREADS / 2);
	for (int i = 0; i < 2 * n; i++) {
		nodes[i] = (struct node){.is_put = i < n, .item = i < n ? 1 << i : 0};
		pthread_mutex_init(&nodes[i].mutex, NULL);
		pthread_cond_init(&nodes[i].met, NULL);
	}
	run_threads(2 * n, run);
	int all = 0;
	for (int i = 0; i < n; i++) all += taken[i];
	return all != (1 << n) - 1;
}
