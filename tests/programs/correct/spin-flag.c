/* SPDX-License-Identifier: MIT
 *
 * A thread spins until another has set a flag, and then reads what that wrote before. Either the flag is set before it
 * looks, or it looks once in vain: after that it waits.
 *
 * expect: optimal 2
 * expect: dfs 2
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

static void *writer(void *unused)
{
	data = 1;
	atomic_store(&flag, 1);
	return unused;
}

static void *reader(void *unused)
{
	while (!atomic_load(&flag)) {}
	assert(data == 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
