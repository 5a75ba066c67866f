/* SPDX-License-Identifier: MIT
 *
 * explorer/trunk_link.c: the lock of a memory that other machines have copies of, as src/cluster/member.c serves it.
 *
 * Two workers change two words, always both; the server, when it is asked to let this machine enter, first writes what others have
 * changed. Invariant: a worker that has the lock is inside, whatever became of those that had it before; what it changes is known to
 * the server before it is outside again, and a change that a killed worker has left half done is told to the next; while
 * somebody reads without the lock, nothing is written that other machines have changed.
 *
 * options: --strategy dfs --delays 2 -- read
 * options: --strategy dfs --delays 2 -- killed
 * sources: explorer/trunk_link.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local syscall=look_again
 */
#include "dying.h"
#include "explorer/trunk_link.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

#define STOP 2 /* a request for the end of the server */

static struct {
	uint32_t first, second; /* what is shared, */
	uint32_t others;        /* and what only other machines change */
	struct mz_trunk_link link;
} shared;
static struct mz_trunk_link *const link = &shared.link;
static uint32_t known; /* to the server: what the words are */
static uint32_t half;  /* how often somebody was told of a change that was half done */

/* What waits looks again at once; or is killed before that. */
long look_again(long number, ...)
{
	(void)number;
	mz_dying_here();
	mz_yield();
	return 0;
}

/* ---- the server ---- */

static void enter(void)
{
	assert(!link->inside);
	mz_link_begin_writing(link);
	shared.others++;
	mz_link_end_writing(link);
	link->inside = 1;
}

static void leave(void)
{
	assert(link->inside && shared.first == shared.second);
	known = shared.first;
	link->inside = 0;
}

static void *serve(void *unused)
{
	(void)unused;
	for (;;) {
		while (!mz_link_wait(link, 0)) {}
		if (link->request == STOP) break;
		if (link->request == MZ_LINK_ENTER)
			enter();
		else
			leave();
		mz_link_answer(link);
	}
	return NULL;
}

/* ---- workers ---- */

static void change(void)
{
	bool died = mz_link_lock(link);
	assert(link->inside);
	if (shared.first != shared.second) {
		assert(died);
		half++;
		shared.first = shared.second;
	}
	shared.first++;
	shared.second++;
	mz_link_unlock(link);
}

static void *change_and_die(void *unused)
{
	(void)unused;
	mz_dying_begin();
	change();
	mz_dying_end();
	return NULL;
}

static void *change_whole(void *unused)
{
	(void)unused;
	change();
	return NULL;
}

static void *look(void *unused)
{
	(void)unused;
	if (!mz_link_begin_reading(link, 0)) return NULL;
	assert(shared.others <= 3);
	mz_link_end_reading(link, 0);
	return NULL;
}

static void make_lock(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&link->lock, &attributes);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	void *result;
	bool reads = argc == 2 && strcmp(argv[1], "read") == 0;
	make_lock();
	link->linked = 1;
	mz_dying_in(&shared, sizeof shared);
	pthread_create(&threads[0], NULL, reads ? look : change_and_die, NULL);
	pthread_create(&threads[1], NULL, change_whole, NULL);
	pthread_create(&threads[2], NULL, serve, NULL);
	pthread_join(threads[0], &result);
	pthread_join(threads[1], NULL);
	bool killed = mz_dying_is_result(result);
	if (killed) change(); /* as the worker that takes its place */
	link->request = STOP;
	link->asked++;
	pthread_join(threads[2], NULL);
	assert(!link->inside && shared.first == shared.second && known == shared.first);
	assert(shared.first == (reads ? 1 : 2) || (killed && shared.first == 3));
	assert(killed || half == 0);
	return 0;
}
