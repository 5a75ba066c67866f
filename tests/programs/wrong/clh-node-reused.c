/* SPDX-License-Identifier: MIT
 *
 * A lock whose waiters form a queue, each spinning on the node of the one before. Who comes again uses its own node
 * again, on which somebody may still spin: it never sees that the node was free.
 *
 * expect: optimal 9
 * expect: dfs 216
 * findings: livelock
 * counted: -O2
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>

struct node {
	atomic_int busy;
};

struct node nodes[3];
_Atomic(struct node *) tail = &nodes[2];
int counter;

/* Returns the node to use next time. */
static struct node *cross(struct node *mine)
{
	atomic_store(&mine->busy, 1);
	struct node *before = atomic_exchange(&tail, mine);
	while (atomic_load(&before->busy)) {}
	counter++;
	atomic_store(&mine->busy, 0);
	return mine;
}

static void *twice(void *node)
{
	cross(cross(node));
	return NULL;
}

static void *once(void *node)
{
	cross(node);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, twice, &nodes[0]);
	pthread_create(&threads[1], NULL, once, &nodes[1]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
