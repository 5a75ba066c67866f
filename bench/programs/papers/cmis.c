/* SPDX-License-Identifier: MIT
 *
 * cmis C N (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007, Fig. 9): concurrent merge sort of N numbers in descending order,
 * that sorts parts of at most C numbers by insertion and lets a child thread sort one half of what is longer. Threads
 * that sort touch the same memory only after one has joined the other.
 */
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>

#define MAX_NUMBERS 4096

struct part {
	int first, last;
};

static atomic_int numbers[MAX_NUMBERS], draft[MAX_NUMBERS];
static int small;

static void move(atomic_int *to, atomic_int *from)
{
	atomic_store(to, atomic_load(from));
}

static void insert_sort(int first, int last)
{
	for (int j = first + 1; j <= last; j++) {
		int key = atomic_load(&numbers[j]), i = j - 1;
		for (; i >= first && atomic_load(&numbers[i]) > key; i--) move(&numbers[i + 1], &numbers[i]);
		atomic_store(&numbers[i + 1], key);
	}
}

static void merge(int first, int middle, int last)
{
	for (int i = first; i <= last; i++) move(&draft[i], &numbers[i]);
	int i = first, j = middle + 1, k = first;
	while (i <= middle && j <= last) {
		bool left = atomic_load(&draft[i]) <= atomic_load(&draft[j]);
		move(&numbers[k++], &draft[left ? i++ : j++]);
	}
	while (i <= middle) move(&numbers[k++], &draft[i++]);
}

static void *sort(void *arg)
{
	struct part part = *(struct part *)arg;
	if (part.last - part.first + 1 <= small) {
		insert_sort(part.first, part.last);
	} else {
		int middle = (part.first + part.last) / 2;
		struct part left = {part.first, middle}, right = {middle + 1, part.last};
		pthread_t child;
		pthread_create(&child, NULL, sort, &left);
		sort(&right);
		pthread_join(child, NULL);
		merge(part.first, middle, part.last);
	}
	for (int i = part.first; i < part.last; i++) assert(atomic_load(&numbers[i]) <= atomic_load(&numbers[i + 1]));
	return NULL;
}

int main(int argc, char **argv)
{
	small = argument(argc, argv, 1, 2, MAX_NUMBERS);
	int n = argument(argc, argv, 2, 8, MAX_NUMBERS);
	for (int i = 0; i < n; i++) atomic_init(&numbers[i], n - i);
	sort(&(struct part){0, n - 1});
	return 0;
}
