/* SPDX-License-Identifier: MIT
 *
 * Notes: what workers that share a search tell each other about inputs. They are a list to which every worker may append;
 * all of them read the same notes in the same order, from the first one on. Nothing is ever taken out of it.
 */
#ifndef MZ_SESSION_NOTES_H
#define MZ_SESSION_NOTES_H

#include <stdbool.h>
#include <stdint.h>

enum mz_note_kind {
	MZ_NOTE_EXPRESSION = 1, /* the next expression: its operands are numbers of earlier ones, from 1 */
	MZ_NOTE_FACT,           /* `key` has `value`, for the whole run */
	MZ_NOTE_NAME,           /* bytes `a` to `a` + 15 of the name of the next input */
	MZ_NOTE_INPUT,          /* the next input: of thread `a`, its number `b`, of `c` bytes */
	MZ_NOTE_TEST, /* a fact; inputs were written to a file, as the `value`-th of all; 0: they could not be */
};

struct mz_note {
	uint8_t kind; /* enum mz_note_kind */
	uint8_t op, width;
	uint32_t a, b, c;
	uint64_t key, value;
};

/* The notes of a worker that shares a search. */
struct mz_notes {
	void *self;
	/* Returns the next note that this worker has not read, or NULL if there is none. Unless it is `quiet`, that is nobody
	 * else changes what is shared meanwhile, NULL may also mean that it cannot be told now. */
	const struct mz_note *(*next)(void *self, bool quiet);
	/* Only between these two calls notes are added, by one worker at a time. */
	void (*lock)(void *self);
	void (*unlock)(void *self);
	/* Appends a note. All that were there have been read. Returns false when there is no memory. */
	bool (*add)(void *self, const struct mz_note *note);
};

#endif
