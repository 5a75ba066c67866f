/* SPDX-License-Identifier: MIT
 *
 * A space of expressions for tests, all zero: its memory is given when it is used.
 */
#ifndef MZ_TESTS_CONCOLIC_SPACE_H
#define MZ_TESTS_CONCOLIC_SPACE_H

#include "concolic/expression.h"
#include <sys/mman.h>

static inline struct mz_space *space_new(void)
{
	void *memory = mmap(NULL, sizeof(struct mz_space), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static inline void space_free(struct mz_space *space)
{
	mz_expressions_release();
	munmap(space, sizeof *space);
}

#endif
