/* SPDX-License-Identifier: MIT
 *
 * lastzero N: thread j of N sets a[j] = a[j-1] + 1; one more thread looks for the last element that is 0, from the end.
 * What it reads decides what it reads next: the usual measure of how much a reduction repeats.
 */
#include "threads.h"
#include <stdatomic.h>

static atomic_int a[MAX_THREADS];
static int n;

static void *run(void *arg)
{
	int j = number(arg);
	if (j == 0) {
		int i = n;
		while (atomic_load(&a[i]) != 0) i--;
	} else {
		atomic_store(&a[j], atomic_load(&a[j - 1]) + 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	n = argument(argc, argv, 1, 5, MAX_THREADS - 1);
	run_threads(n + 1, run);
	return 0;
}
