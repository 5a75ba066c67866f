/* SPDX-License-Identifier: MIT
 *
 * filesystem N (Flanagan and Godefroid, POPL 2005): N threads create a file each, under one lock per inode and one per
 * block. Up to 13 threads touch different blocks. papers/filesystem-references.c is the same with locks as Java has them.
 */
#include "threads.h"
#include <stdbool.h>

#define BLOCKS 26
#define INODES 32

#ifdef REFERENCES /* an array has references to locks, which threads read before they lock */
typedef pthread_mutex_t *element;
static pthread_mutex_t locks[INODES + BLOCKS];
#else
typedef pthread_mutex_t element;
#endif

static element locki[INODES], lockb[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static void init(element *lock, int n)
{
#ifdef REFERENCES
	pthread_mutex_init(*lock = &locks[n], NULL);
#else
	(void)n;
	pthread_mutex_init(lock, NULL);
#endif
}

static pthread_mutex_t *read_reference(const element *lock)
{
#ifdef REFERENCES
	return *lock;
#else
	return (pthread_mutex_t *)lock;
#endif
}

static pthread_mutex_t *acquire(const element *lock)
{
	pthread_mutex_t *mutex = read_reference(lock);
	pthread_mutex_lock(mutex);
	return mutex;
}

static void release(pthread_mutex_t *mutex, const element *lock)
{
#ifdef REREAD /* the reference is read again to unlock, as `synchronized` does not */
	mutex = read_reference(lock);
#else
	(void)lock;
#endif
	pthread_mutex_unlock(mutex);
}

static int allocate_block(int b)
{
	for (;; b = (b + 1) % BLOCKS) {
		pthread_mutex_t *lock = acquire(&lockb[b]);
		bool was_busy = busy[b];
		busy[b] = true;
		release(lock, &lockb[b]);
		if (!was_busy) return b;
	}
}

static void *run(void *arg)
{
	int i = number(arg) % INODES;
	pthread_mutex_t *lock = acquire(&locki[i]);
	if (inode[i] == 0) inode[i] = allocate_block((i * 2) % BLOCKS) + 1;
	release(lock, &locki[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < INODES; i++) init(&locki[i], i);
	for (int i = 0; i < BLOCKS; i++) init(&lockb[i], INODES + i);
	run_threads(argument(argc, argv, 1, 14, BLOCKS), run);
	return 0;
}
