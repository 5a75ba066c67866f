/* SPDX-License-Identifier: MIT
 *
 * Notes (session/notes.h) in the memory of a trunk that processes share. A process may be killed while it adds one: the
 * note is there when `count` says so, and not before.
 */
#ifndef MZ_EXPLORER_SHARED_NOTES_H
#define MZ_EXPLORER_SHARED_NOTES_H

#include "explorer/shared_trunk.h"
#include "session/notes.h"

struct mz_notes_page;

/* How far a process has read. All zero but for the trunk: nothing yet. */
struct mz_notes_reader {
	struct mz_shared_trunk *shared;
	const struct mz_notes_page *page;
	uint64_t read;
};

/* Returns the notes of the trunk, for one process; `reader` must stay where it is. */
struct mz_notes mz_shared_notes(struct mz_notes_reader *reader, struct mz_shared_trunk *shared);

#endif
