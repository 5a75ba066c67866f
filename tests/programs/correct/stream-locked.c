/* SPDX-License-Identifier: MIT
 *
 * Two threads add to a number in a file, each while it holds the lock of the stream. The lock is the C library's by
 * name only: its own would stop all threads at once.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *stream;
static int number;

static void *add(void *unused)
{
	flockfile(stream);
	flockfile(stream);
	number++;
	funlockfile(stream);
	funlockfile(stream);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	stream = tmpfile();
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(number == 2);
	fclose(stream);
	return 0;
}
