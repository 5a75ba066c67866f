/* SPDX-License-Identifier: MIT
 *
 * A thread spins until another has set a flag, 200 calls with a kilobyte of variables each below where it began. What
 * is above on its stack does not change while it spins, and costs nothing: there are as many executions as in
 * spin-flag.c.
 *
 * expect: optimal 2
 * expect: dfs 2
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

int data;
atomic_int flag;

static __attribute__((noinline)) int wait_below(int calls, const char *above)
{
	char room[1024];
	memset(room, *above + 1, sizeof room);
	if (calls == 0) {
		while (!atomic_load(&flag)) {}
		return data;
	}
	return wait_below(calls - 1, room) + (room[calls] != (char)(*above + 1));
}

static void *writer(void *unused)
{
	data = 1;
	atomic_store(&flag, 1);
	return unused;
}

static void *reader(void *unused)
{
	const char first = 0;
	assert(wait_below(200, &first) == 1);
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
