/* SPDX-License-Identifier: MIT
 *
 * vast PAGES: 1 GiB of variables and 1 GiB of heap, of each of which so many pages are changed; then two threads meet.
 * vast PAGES filled: no page of the variables is zero at first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SIZE (1UL << 30)

static char variables[SIZE];
static atomic_int x;
static char first;

/* Constructors are given the arguments too. */
__attribute__((constructor)) static void fill(int argc, char **argv)
{
	(void)argv;
	if (argc != 3) return;
	first = 1;
	memset(variables, first, SIZE);
}

static void *add(void *arg)
{
	atomic_fetch_add(&x, 1);
	return arg;
}

int main(int argc, char **argv)
{
	assert(argc > 1);
	pthread_t threads[2];
	size_t pages = strtoul(argv[1], NULL, 10), apart = SIZE / pages;
	char *heap = calloc(1, SIZE);
	assert(heap);
	for (size_t i = 0; i < pages; i++) {
		assert(variables[i * apart] == first && heap[i * apart] == 0);
		variables[i * apart] = heap[i * apart] = 2;
	}
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	free(heap);
	return 0;
}
