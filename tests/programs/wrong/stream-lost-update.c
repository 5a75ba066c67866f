/* SPDX-License-Identifier: MIT
 *
 * A counter in a file that two threads open by its name, each with a stream of its own: to get it is to open and to
 * read, to put it is to open, which empties the file, and to close, which writes it. In between the others may find
 * nothing, which the program allows for.
 *
 * expect: optimal 16
 * findings: assertion @CHECK
 * varies: states
 * unseen: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char name[] = "/tmp/mazurka-counter-XXXXXX";

static int get(void)
{
	FILE *stream = fopen(name, "r");
	int value = fgetc(stream);
	fclose(stream);
	return value;
}

static void put(int value)
{
	FILE *stream = fopen(name, "w");
	fputc(value, stream);
	fclose(stream);
}

static void *add(void *unused)
{
	int value = get();
	if (value != EOF) put(value + 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	close(mkstemp(name));
	put('a');
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	int value = get();
	unlink(name);
	assert(value == 'c' || value == EOF); /* @CHECK */
	return 0;
}
