/* SPDX-License-Identifier: MIT
 *
 * A program whose states can be kept, gone back to and compared: what a stateful search works on. The native runtime is
 * one, scripts in the tests are others.
 *
 * There is always one state that it is *in*. Threads go one at a time, alone: nothing else happens meanwhile. A step is
 * what it is everywhere, a visible operation and all that the thread does up to its next one.
 */
#ifndef MZ_TRACE_STATEFUL_H
#define MZ_TRACE_STATEFUL_H

#include "base/map.h"
#include "trace/view.h"

/* Why a thread went no further. */
enum mz_halt {
	MZ_HALT_ENOUGH,  /* it has made as many steps as it should, or the watcher stopped it: it could go on */
	MZ_HALT_CHOICE,  /* its next operation has several alternatives, and none was given: it was not executed */
	MZ_HALT_BLOCKED, /* it waits for what another thread has to do, see `waits` */
	MZ_HALT_OVER,    /* it has ended, or is not there yet */
	MZ_HALT_MET,   /* its last step changed another thread (created it, woke it, ended what it was waiting for), or
	                  what has to hold */
	MZ_HALT_FOUND, /* its last step, which the watcher was told of like of any other, is a bug, or ended the
	                  process; the state is of no use, unless the program goes on */
};

/* One step that a thread made. */
struct mz_stride {
	struct mz_event event;         /* the visible operation, as it turned out */
	const struct mz_access *plain; /* what was touched between it and the next one, each word and kind once, */
	size_t nplain;                 /* where that is not visible itself */
	bool races;                    /* the visible operation is a plain access: meeting another one is a data race */
	bool changes;                  /* it wrote to something else than the thread's own stack */
	bool ends;                     /* the process is about to end, whatever other threads do */
	uint64_t local; /* equal wherever the thread's own state is equal afterwards, most likely; 0 if it
	                 * was not asked for */
};

struct mz_watcher {
	void *self;
	bool (*step)(void *self, const struct mz_stride *stride); /* whether it is to go on */
	uint32_t unasked;                                         /* so many steps of a move need no `local` */
};

/* What a blocked thread does, seen as a step that leads nowhere: it reads this. */
#define MZ_WAITS_MAX 64

struct mz_stateful {
	void *self;
	bool keys_are_cheap; /* key() costs no more than a step */

	/* Goes from the very start to the first state. False if there is none: the program ended or failed before. */
	bool (*begin)(void *self);
	/* All threads, in the state it is in. Valid until that changes. */
	const struct mz_view *(*view)(void *self);
	/* How a thread stands: ENOUGH (it can go), CHOICE, BLOCKED or OVER. Of a blocked one, what it reads. */
	enum mz_halt (*stands)(void *self, uint32_t thread, struct mz_access waits[MZ_WAITS_MAX], uint16_t *nwaits);

	/* Lets a thread that can go make up to `most` steps. The first takes alternative `choice`; a later one that has
	 * several is not executed. */
	enum mz_halt (*move)(void *self, uint32_t thread, uint32_t choice, uint32_t most,
	                     const struct mz_watcher *watcher);

	/* Evaluates what has to hold in every state, without changing any. `reads` is what that read, valid until the
	 * next call. Missing, or with `*nreads` 0: there is nothing that has to hold. */
	bool (*holds)(void *self, const struct mz_access **reads, size_t *nreads);

	/* Keeps the state it is in; goes to a kept one; drops one. A handle is valid until it is dropped. MZ_MAP_NONE
	 * if there is no memory. */
	uint32_t (*keep)(void *self);
	void (*go)(void *self, uint32_t handle);
	void (*drop)(void *self, uint32_t handle);

	/* The state it is in, in 128 bits: equal for equal states, in every process. The bytes that make a state what
	 * it is: equal exactly for equal states; valid until the next call. */
	struct mz_key (*key)(void *self);
	const void *(*bytes)(void *self, size_t *size);

	/* Runs an execution from the very start that follows these steps to their end (as far as it goes) and records
	 * what it finds, data races included. If it is to go `on`, it does as long as anybody can; who only goes round
	 * cannot. Whether there was something. The state it is in is lost. */
	bool (*witness)(void *self, const struct mz_step *schedule, uint32_t steps, bool on);

	bool goes_on; /* after a bug: the thread that failed stops, and the state is one like any other */
};

#endif
