/* SPDX-License-Identifier: MIT
 *
 * A thread uses an object after it has dropped its reference. With a switch before every access the free comes first.
 *
 * expect: optimal 4
 * options: --points all --no-races
 * finding: use-after-free @here
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int references;
	int value[2];
};

static struct object *object;

static void *run(void *arg)
{
	int *own = arg;
	if (atomic_fetch_sub(&object->references, 1) == 1)
		free(object);
	else
		*own = 1; /* @here */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	object = calloc(1, sizeof *object);
	atomic_store(&object->references, 2);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &object->value[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
