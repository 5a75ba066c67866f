/* SPDX-License-Identifier: MIT
 *
 * filesystem N (Flanagan and Godefroid, POPL 2005): N threads create a file each, under one lock per inode and one per
 * block. Up to 13 threads touch different blocks.
 */
#include "threads.h"
#include <stdbool.h>

#define BLOCKS 26
#define INODES 32

static pthread_mutex_t locki[INODES], lockb[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static int allocate_block(int b)
{
	for (;; b = (b + 1) % BLOCKS) {
		pthread_mutex_lock(&lockb[b]);
		bool was_busy = busy[b];
		busy[b] = true;
		pthread_mutex_unlock(&lockb[b]);
		if (!was_busy) return b;
	}
}

static void *run(void *arg)
{
	int i = number(arg) % INODES;
	pthread_mutex_lock(&locki[i]);
	if (inode[i] == 0) inode[i] = allocate_block((i * 2) % BLOCKS) + 1;
	pthread_mutex_unlock(&locki[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < INODES; i++) pthread_mutex_init(&locki[i], NULL);
	for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&lockb[i], NULL);
	run_threads(argument(argc, argv, 1, 14, BLOCKS), run);
	return 0;
}
