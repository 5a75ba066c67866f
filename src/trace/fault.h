/* SPDX-License-Identifier: MIT
 *
 * Calls that can be made to fail: the names that --fail accepts, and what a person reads of a failure. In each
 * execution the explorer chooses which of the calls fail, as it chooses everything else.
 */
#ifndef MZ_TRACE_FAULT_H
#define MZ_TRACE_FAULT_H

#include "trace/space.h"
#include <stddef.h>
#include <stdint.h>

/* Identifier, name, what happens. */
#define MZ_FAULT_LIST(X)                                                                                               \
	X(MALLOC, "malloc", "fails with ENOMEM")                                                                       \
	X(CALLOC, "calloc", "fails with ENOMEM")                                                                       \
	X(REALLOC, "realloc", "fails with ENOMEM")                                                                     \
	X(ALIGNED_ALLOC, "aligned_alloc", "fails with ENOMEM")                                                         \
	X(STRDUP, "strdup", "fails with ENOMEM")                                                                       \
	X(NEW, "new", "fails with bad_alloc")                                                                          \
	X(PTHREAD_CREATE, "pthread_create", "fails with EAGAIN")                                                       \
	X(PTHREAD_MUTEX_INIT, "pthread_mutex_init", "fails with ENOMEM")                                               \
	X(PTHREAD_COND_INIT, "pthread_cond_init", "fails with ENOMEM")                                                 \
	X(PTHREAD_COND_WAIT_SPURIOUS, "pthread_cond_wait:spurious", "returns without a signal")                        \
	X(SEM_WAIT_EINTR, "sem_wait:EINTR", "fails with EINTR")                                                        \
	X(OPEN, "open", "fails with EMFILE")                                                                           \
	X(FOPEN, "fopen", "fails with EMFILE")                                                                         \
	X(READ_EINTR, "read:EINTR", "fails with EINTR")                                                                \
	X(READ_SHORT, "read:short", "reads less than asked for")                                                       \
	X(WRITE_EINTR, "write:EINTR", "fails with EINTR")                                                              \
	X(WRITE_SHORT, "write:short", "writes less than asked for")                                                    \
	X(PTHREAD_BARRIER_WAIT_SERIAL, "pthread_barrier_wait:serial", "has another serial thread")

enum mz_fault {
#define X(id, name, happens) MZ_FAULT_##id,
	MZ_FAULT_LIST(X)
#undef X
	    MZ_FAULT_COUNT
};
_Static_assert(MZ_FAULT_COUNT <= 64, "a set of them is a word");

const char *mz_fault_name(enum mz_fault fault);
/* Writes "malloc fails with ENOMEM", or "malloc works", to `text`. Returns `text`. */
const char *mz_fault_describe(enum mz_fault fault, unsigned fails, char *text, size_t size);

/* Reads a list of names, separated by commas, into a set of faults with one bit each. Returns NULL, or the first name
 * in the list that is unknown (it ends at the next comma). */
const char *mz_faults_parse(const char *list, uint64_t *faults);

/* The choice whether a call fails, as the object of the step that makes it. */
static inline uint64_t mz_fault_object(enum mz_fault fault, unsigned fails)
{
	return mz_object_in(MZ_SPACE_FAULT, (uint64_t)fault << 1 | (fails != 0));
}

#endif
