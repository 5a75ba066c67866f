/* SPDX-License-Identifier: MIT
 *
 * A handler that was registered before main began is called at the end of every execution, not only of the first one.
 *
 * expect: optimal 2
 * finding: assertion @here
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int last;

static void look(void)
{
	assert(last == 2); /* @here */
}

__attribute__((constructor)) static void set_up(void)
{
	atexit(look);
}

static void *one(void *unused)
{
	(void)unused;
	last = 1;
	return NULL;
}

static void *two(void *unused)
{
	(void)unused;
	last = 2;
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
