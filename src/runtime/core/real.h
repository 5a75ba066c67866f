/* SPDX-License-Identifier: MIT
 *
 * The functions that this library replaces, as the C library has them.
 */
#ifndef MZ_RUNTIME_CORE_REAL_H
#define MZ_RUNTIME_CORE_REAL_H

#include <dlfcn.h>

/* The function `name` as it is defined behind this library: looked up once. */
#define MZ_REAL(name)                                                                                                  \
	({                                                                                                             \
		static __typeof__(&name) mz_real_;                                                                     \
		if (__builtin_expect(!mz_real_, 0)) mz_real_ = (__typeof__(&name))mz_real_find(#name);                 \
		mz_real_;                                                                                              \
	})

/* Returns the next definition of `name` behind this library. Ends the process if there is none. */
void *mz_real_find(const char *name);

/* The C library's own definition of `name`, whoever else defines it; NULL if it has none. */
void *mz_real_in_c_library(const char *name);
/* Makes base/alloc.h allocate from the C library itself, whatever allocator the program is linked with. */
void mz_real_allocator(void);

#endif
