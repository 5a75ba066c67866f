/* SPDX-License-Identifier: MIT
 *
 * What the processes of one machine have between them besides the trunk that they share: the lock of the trunk; and, if
 * other machines have copies of the trunk too (src/cluster), a way to ask the supervisor, which keeps the copies the same.
 *
 * A process of a machine that is linked enters before it looks at the trunk under the lock, and leaves before it gives the
 * lock back: between that no other machine changes the trunk. What it changes is marked by pages of memory; when it leaves,
 * the supervisor finds out what is different there, and tells the others. Nothing else in the trunk's memory changes
 * meanwhile but its head.
 *
 * Without the lock the trunk may be read (see optimal.c), but not while the supervisor writes what others have changed:
 * whoever reads says so, and the supervisor waits for it.
 */
#ifndef MZ_EXPLORER_TRUNK_LINK_H
#define MZ_EXPLORER_TRUNK_LINK_H

#include "session/session.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef MZ_SMALL_TABLES
#define MZ_LINK_WORKERS 64 /* of one machine */
#else
#define MZ_LINK_WORKERS 2
#endif
#define MZ_LINK_PAGE 4096

enum mz_link_request { MZ_LINK_ENTER, MZ_LINK_LEAVE };

/* At the end of the trunk's memory. All zero but for the lock: not linked. */
struct mz_trunk_link {
	pthread_mutex_t lock;
	_Atomic uint32_t
	    died; /* a process has died with the lock, and who has got it since did not put things in order */
	_Atomic uint32_t losses; /* seats whose worker is lost, and whose leaf nobody has opened yet */
	uint32_t linked;
	uint32_t request; /* enum mz_link_request */
	_Atomic uint32_t asked,
	    answered;             /* numbers of the latest request and answer; processes wait for them to change */
	_Atomic uint32_t inside;  /* entered, and not left yet */
	_Atomic uint32_t severed; /* the copy is of no use any more: workers come to their end */
	_Atomic uint32_t writing; /* the supervisor writes what others have changed */
	_Atomic uint32_t reading[MZ_LINK_WORKERS];
	uint8_t touched[]; /* by page: it may have changed since the last time that somebody left */
};

/* Returns the size of a link for a trunk of so many bytes. */
static inline size_t mz_link_size(size_t trunk)
{
	return sizeof(struct mz_trunk_link) + trunk / MZ_LINK_PAGE + 1;
}

/* Takes the lock, and enters if the memory is linked and its copy is of use. Returns whether a process that had the lock has
 * died with it: the caller puts things in order. */
bool mz_link_lock(struct mz_trunk_link *link);
/* Leaves, and gives the lock back. */
void mz_link_unlock(struct mz_trunk_link *link);
/* Makes a session that of this process: it says so there when it waits for an answer. */
void mz_link_serve(struct mz_session *session);

/* For the supervisor: waits for a request, but not for longer than some milliseconds. Returns whether there is one. */
bool mz_link_wait(struct mz_trunk_link *link, int milliseconds);
/* Says that the request was done. */
void mz_link_answer(struct mz_trunk_link *link);

/* Keep readers away while the supervisor writes; begin_writing() waits for those that read. */
void mz_link_begin_writing(struct mz_trunk_link *link);
void mz_link_end_writing(struct mz_trunk_link *link);

/* Returns false if the supervisor writes; else it does not before mz_link_end_reading(). */
static inline bool mz_link_begin_reading(struct mz_trunk_link *link, uint32_t worker)
{
	if (!link->linked) return true;
	atomic_store(&link->reading[worker], 1);
	if (!atomic_load(&link->writing)) return true;
	atomic_store(&link->reading[worker], 0);
	return false;
}

static inline void mz_link_end_reading(struct mz_trunk_link *link, uint32_t worker)
{
	if (link->linked) atomic_store_explicit(&link->reading[worker], 0, memory_order_release);
}

#endif
