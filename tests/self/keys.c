/* SPDX-License-Identifier: MIT
 *
 * explorer/shared_keys.c: a set of keys that workers add to under a lock, and look into without it.
 *
 * sources: explorer/shared_keys.c
 * define: MZ_SHARED_KEYS_FIRST=4
 */
#include "dying.h"
#include "explorer/shared_keys.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define MEMORY 4096

static _Alignas(64) char memory[MEMORY];
static struct mz_shared_keys *const set = (struct mz_shared_keys *)memory;
static size_t used = sizeof(struct mz_shared_keys);
static pthread_mutex_t lock;

static void *take(struct mz_arena_source *source, size_t size)
{
	(void)source;
	void *block = memory + used;
	assert(used + size <= MEMORY);
	used += (size + 15) & ~15UL;
	return block;
}

static struct mz_arena_source source = {take};

static void acquire(void)
{
	if (pthread_mutex_lock(&lock) == EOWNERDEAD) pthread_mutex_consistent(&lock);
}

static void add(struct mz_key key)
{
	acquire();
	const struct mz_key *at = mz_shared_keys_add(set, memory, &source, key);
	assert(at && at->low == key.low && at->high == key.high);
	pthread_mutex_unlock(&lock);
}

static bool has(struct mz_key key)
{
	return mz_shared_keys_has(set, memory, key);
}

/* These keys would all be in the same place of the first tables. */
static const struct mz_key there = {64, 1}, first = {128, 1}, second = {128, 2}, third = {192, 1}, never = {320, 1};

static void *add_two(void *unused)
{
	(void)unused;
	mz_dying_begin();
	add(first);
	add(second);
	mz_dying_end();
	return NULL;
}

static void *add_one(void *unused)
{
	(void)unused;
	add(third);
	assert(has(third));
	return NULL;
}

static void *look(void *unused)
{
	(void)unused;
	assert(has(there));
	assert(!has(never));
	if (has(second)) assert(has(first));
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
	void *result;
	make_lock();
	mz_dying_in(memory, MEMORY);
	add(there);
	pthread_create(&threads[0], NULL, add_two, NULL);
	pthread_create(&threads[1], NULL, add_one, NULL);
	pthread_create(&threads[2], NULL, look, NULL);
	pthread_join(threads[0], &result);
	pthread_join(threads[1], NULL);
	pthread_join(threads[2], NULL);
	bool whole = !mz_dying_is_result(result);
	assert(has(there) && has(third) && !has(never) && (has(first) || !has(second)));
	if (whole) assert(has(second));
	uint64_t count = 2 + has(first) + has(second);
	assert(mz_shared_keys_count(set, memory, used) == count);
	add(first);
	add(second);
	assert(has(first) && has(second) && mz_shared_keys_count(set, memory, used) == 4);
	return 0;
}
