/* SPDX-License-Identifier: MIT
 *
 * What functions of other libraries read. A library that was not built by `mazurka cc`, the C library among them, reads
 * memory without telling anybody. Only what its functions are given pointers to is known: if there are inputs there, they
 * are counted as lost. libmazurka.so tells what its own functions read (follow.h).
 */
#ifndef MZ_RUNTIME_INPUTS_REACH_H
#define MZ_RUNTIME_INPUTS_REACH_H

#include "runtime/core/core.h"

/* What a function is given a pointer to: see __mz_sym_reaches() of concolic/abi.h. */
struct mz_reached {
	uintptr_t pointer;
	uint64_t size;  /* of an object; 0: it is a text */
	uint64_t count; /* of objects, if that is what the number stands for */
};

/* Returns the name of a function of a library, or NULL: it is not known, or none of C. */
const char *mz_reach_name(uintptr_t callee);

/* As __mz_sym_reaches() of concolic/abi.h. */
void mz_reach(uintptr_t callee, const struct mz_reached *reached, const char *name, uintptr_t caller);

#endif
