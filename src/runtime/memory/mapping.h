/* SPDX-License-Identifier: MIT
 *
 * Memory that the program maps itself. Where a thread's mappings are depends on its own past alone, as with its heap;
 * what an execution leaves mapped is unmapped before the next one, so that each finds none and gets the same.
 */
#ifndef MZ_RUNTIME_MEMORY_MAPPING_H
#define MZ_RUNTIME_MEMORY_MAPPING_H

#include "runtime/core/core.h"
#include <sys/types.h>

struct mz_mapping {
	void *address;
	size_t size;
	int protection, flags, fd;
	off_t offset;
};

/* As mmap and munmap; errno is set if they fail. */
void *mz_mapping_make(struct mz_fiber *self, const struct mz_mapping *wanted);
int mz_mapping_remove(void *address, size_t size);
/* As mremap, to `new_address` if that is fixed. */
void *mz_mapping_resize(void *address, size_t old_size, size_t size, int flags, void *new_address);

/* Unmaps what the last execution left mapped. Called before every execution but the first, and at the end. */
void mz_mapping_restore(void);

#endif
