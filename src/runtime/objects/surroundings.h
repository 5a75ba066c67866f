/* SPDX-License-Identifier: MIT
 *
 * What the kernel and the C library keep for the whole process, and can only be put back by calls: the folder, umask,
 * limits, the locale, where getpwent is, and the like. What a call changes in an execution is put back before the next;
 * what was there before is asked for at the first such call of all executions.
 *
 * Calls that change the same thing are ordered, as writes to one object. Who merely depends on it (a relative path, a
 * number that is printed) is not.
 */
#ifndef MZ_RUNTIME_OBJECTS_SURROUNDINGS_H
#define MZ_RUNTIME_OBJECTS_SURROUNDINGS_H

#include "runtime/core/core.h"

enum mz_surrounding {
	MZ_SURROUNDING_UMASK,
	MZ_SURROUNDING_FOLDER,
	MZ_SURROUNDING_LIMITS,
	MZ_SURROUNDING_PRIORITY,
	MZ_SURROUNDING_LOCALE,
	MZ_SURROUNDING_THREAD_LOCALE,
	MZ_SURROUNDING_MULTIBYTE,
	MZ_SURROUNDING_MESSAGES,
	MZ_SURROUNDING_LOG,
	MZ_SURROUNDING_TABLE,
	MZ_SURROUNDING_USERS,
	MZ_SURROUNDING_GROUPS,
	MZ_SURROUNDING_NETWORK,
	MZ_SURROUNDING_TABLES_OF_THE_SYSTEM,
	MZ_SURROUNDINGS
};

/* Called before SELF changes `what`: notes, the first time of all, what there was before, and performs the operation
 * that orders such calls. */
void mz_surroundings_change(struct mz_fiber *self, enum mz_surrounding what, uintptr_t caller);

/* Puts back what the last execution has changed. */
void mz_surroundings_restore(void);

/* Reports whether this execution has changed any of them. */
bool mz_surroundings_is_used(void);

/* See state.h. A state knows how often each was changed. Going back is exact where that is as often as by now, or
 * never; otherwise it is counted as uncontrolled. A state before any change has nothing of this: then NULL is loaded.
 */
void mz_surroundings_store(struct mz_state *state);
void mz_surroundings_load(struct mz_state *state);

#endif
