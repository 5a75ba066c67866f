/* SPDX-License-Identifier: MIT
 *
 * What makes a state of the program what it is, whatever led to it and in whichever process: two states are equal if
 * nothing that the program can do from now on tells them apart.
 *
 * In it are: globals; heaps; of each thread that is not over, its live stack, the registers that calls preserve, the
 * operation that it is about to execute with its arguments, thread-local variables and errno; who is waited for by
 * whom; who holds which mutex; exit handlers and whether the process is about to end. Not in it is what is dead at a
 * call, what only we have (clocks, counters, addresses of ours), in which order threads wait, and what the kernel and
 * the C library keep.
 */
#ifndef MZ_RUNTIME_STATES_IDENTITY_H
#define MZ_RUNTIME_STATES_IDENTITY_H

#include "runtime/core/core.h"

/* Returns a hash of the state that the program is in, all threads being suspended at a choice. `shared` is the mirror's
 * sum over globals and heaps. */
struct mz_key mz_identity_key(struct mz_key shared);
/* Returns bytes that are equal exactly for equal states; valid until the next call. */
const void *mz_identity_bytes(size_t *size);
/* Returns a hash of the thread's private state (registers, stack, locals). Different states may collide. */
uint64_t mz_identity_local(const struct mz_fiber *fiber);

#endif
