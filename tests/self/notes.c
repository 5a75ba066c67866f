/* SPDX-License-Identifier: MIT
 *
 * explorer/shared_notes.c: a list of notes in pages, to which workers append under the trunk's lock, and which they read without it.
 *
 * Invariant: whoever reads sees the notes that there are, whole, in the order in which they were added, which is the same for all.
 * What a worker was adding that is killed with the lock is there, or is not; what it had added is.
 *
 * sources: explorer/shared_notes.c
 * define: PAGE_NOTES=2
 */
#include "dying.h"
#include "explorer/shared_notes.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define MEMORY 4096
#define OURS 2
#define THEIRS 2

static _Alignas(64) char memory[MEMORY];
static size_t used = sizeof(struct mz_trunk_notes);
static pthread_mutex_t lock;

/* ---- the trunk, as far as notes need one ---- */

void mz_trunk_enter(struct mz_shared_trunk *shared)
{
	(void)shared;
	if (pthread_mutex_lock(&lock) == EOWNERDEAD) pthread_mutex_consistent(&lock);
}

void mz_trunk_exit(struct mz_shared_trunk *shared)
{
	(void)shared;
	pthread_mutex_unlock(&lock);
}

void *mz_trunk_take_memory(struct mz_shared_trunk *shared, size_t size)
{
	(void)shared;
	void *block = memory + used;
	used += (size + 15) & ~15UL;
	assert(used <= MEMORY);
	return block;
}

void mz_trunk_touch(struct mz_shared_trunk *shared, const void *at, size_t size)
{
	(void)shared, (void)at, (void)size;
}

struct mz_trunk_notes *mz_trunk_notes(struct mz_shared_trunk *shared)
{
	(void)shared;
	return (struct mz_trunk_notes *)memory;
}

bool mz_trunk_is_linked(struct mz_shared_trunk *shared)
{
	(void)shared;
	return false;
}

/* ---- workers ---- */

/* A note says who wrote it, from 1, and which of its notes it is. */
static struct mz_note note(uint32_t who, uint32_t n)
{
	return (struct mz_note){.a = who, .b = n};
}

static void write_notes(uint32_t who, uint32_t count)
{
	struct mz_notes_reader reader;
	const struct mz_notes notes = mz_shared_notes(&reader, NULL);
	for (uint32_t n = 0; n < count; n++) {
		const struct mz_note mine = note(who, n);
		notes.lock(notes.self);
		bool added = notes.add(notes.self, &mine);
		assert(added);
		notes.unlock(notes.self);
	}
}

/* Reads all there is. Returns how many notes of each writer there are. */
static uint32_t read_notes(uint32_t counts[3])
{
	struct mz_notes_reader reader;
	const struct mz_notes notes = mz_shared_notes(&reader, NULL);
	uint32_t sum = 0;
	for (const struct mz_note *at; (at = notes.next(notes.self, true)); sum++) {
		assert(at->a == 1 || at->a == 2);
		assert(at->b == counts[at->a]++);
	}
	return sum;
}

static void *write_ours(void *unused)
{
	(void)unused;
	mz_dying_begin();
	write_notes(1, OURS);
	mz_dying_end();
	return NULL;
}

static void *write_theirs(void *unused)
{
	(void)unused;
	write_notes(2, THEIRS);
	return NULL;
}

static void *look(void *unused)
{
	uint32_t before[3] = {0}, after[3] = {0};
	(void)unused;
	uint32_t sum = read_notes(before);
	assert(read_notes(after) >= sum && after[1] >= before[1] && after[2] >= before[2]);
	return NULL;
}

static void make_lock(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &attributes);
}

int main(void)
{
	pthread_t threads[3];
	uint32_t counts[3] = {0};
	void *result;
	make_lock();
	mz_dying_in(memory, MEMORY);
	pthread_create(&threads[0], NULL, write_ours, NULL);
	pthread_create(&threads[1], NULL, write_theirs, NULL);
	pthread_create(&threads[2], NULL, look, NULL);
	pthread_join(threads[0], &result);
	pthread_join(threads[1], NULL);
	pthread_join(threads[2], NULL);
	uint32_t sum = read_notes(counts);
	assert(counts[2] == THEIRS && counts[1] <= OURS && sum == counts[1] + counts[2]);
	if (!mz_dying_is_result(result)) assert(counts[1] == OURS);
	return 0;
}
