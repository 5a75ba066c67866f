/* SPDX-License-Identifier: MIT
 *
 * Accesses of code that carries no shadows: objects that were built without `--symbolic`, the C library, the kernel.
 * Such a write ends the shadows of the bytes that it writes, whatever their values are; such a read of bytes with
 * shadows is counted as lost.
 *
 * A hook does not know whether its caller is instrumented. So what it tells (core/follow.h) is kept until the next
 * access, or until shadows are next used: instrumented code sets or loads the shadow of its access right after it, and
 * nothing of the program is in between. An access for which that does not happen is one of other code.
 */
#ifndef MZ_RUNTIME_INPUTS_FOLLOW_H
#define MZ_RUNTIME_INPUTS_FOLLOW_H

#include "runtime/core/core.h"

/* Decide whose the kept accesses were. Called before shadows are used: when instrumented code has read at `address`
 * (loaded), has written there (stored) or has copied; mz_follow_end() where anything else uses shadows. */
void mz_follow_loaded(uintptr_t address);
void mz_follow_stored(uintptr_t address);
void mz_follow_copied(uintptr_t to, uintptr_t from);
void mz_follow_end(void);

/* Forgets the accesses that are kept, for the next execution. */
void mz_follow_reset(void);

/* Says whether shadows that are read are told of from now on. A model that prints has dealt with what the C library is
 * about to read. */
void mz_follow_reads(bool tells);

#endif
