/* SPDX-License-Identifier: MIT
 *
 * Threads that may be killed as processes are: between any two of their writes to a memory that others share. The linker puts
 * the functions of dying.c in the place of those that the compiler calls before a write (`run` gives it the list), so the source
 * under test is as it is in the product. A thread that is killed ends there, and holds on to the locks that it has: a robust
 * one is the next thread's, with EOWNERDEAD.
 */
#ifndef MZ_SELF_DYING_H
#define MZ_SELF_DYING_H

#include <stdbool.h>
#include <stddef.h>

/* Says which memory is shared. */
void mz_dying_in(const void *memory, size_t size);

/* From here on, until mz_dying_end(), the calling thread may be killed before each of its writes to the memory: whether it is
 * is a choice. Not more than one thread of an execution should be mortal. */
void mz_dying_begin(void);
void mz_dying_end(void);

/* For where a thread waits, and writes nothing: the calling thread may be killed here, if it is mortal. */
void mz_dying_here(void);

/* Returns whether a thread, that has been joined with this result, was killed. */
bool mz_dying_is_result(const void *result);

#endif
