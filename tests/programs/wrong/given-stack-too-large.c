/* SPDX-License-Identifier: MIT
 *
 * A thread is given a block of the heap as its stack, and more of it than there is.
 *
 * expect: optimal 1
 * flags: -D_GNU_SOURCE
 * varies: states
 * finding: out-of-bounds @creation
 */
#include <pthread.h>
#include <stdlib.h>

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	void *block = malloc(32768);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, block, 65536);
	pthread_create(&thread, &attributes, nothing, NULL); /* @creation */
	pthread_join(thread, NULL);
	free(block);
	return 0;
}
