/* SPDX-License-Identifier: MIT
 *
 * Every execution starts from the same globals, static variables, heap and stack.
 *
 * expect: optimal 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int with_value = 7, without_value;
static char *text = "untouched";
static char large[100000];
static atomic_int steps;

static int calls(void)
{
	static int count;
	return ++count;
}

static void *run(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) atomic_fetch_add(&steps, 1);
	return NULL;
}

int main(void)
{
	assert(with_value == 7 && without_value == 0 && strcmp(text, "untouched") == 0);
	assert(large[0] == 0 && large[50000] == 0 && large[99999] == 0);
	assert(calls() == 1);
	with_value = without_value = 8;
	memset(large, 1, sizeof large);
	char *block = malloc(100);
	assert(block);
	strcpy(block, "touched");
	text = block;
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(strcmp(text, "touched") == 0);
	free(block);
	return 0;
}
