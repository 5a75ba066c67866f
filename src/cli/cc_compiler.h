/* SPDX-License-Identifier: MIT
 *
 * The compiler behind `mazurka cc` and `mazurka c++`: MAZURKA_CC and MAZURKA_CXX, or gcc and g++.
 */
#ifndef MZ_CLI_CC_COMPILER_H
#define MZ_CLI_CC_COMPILER_H

#include "cli/args.h"

struct mz_compiler {
	struct mz_args command; /* the name, and arguments if the variable held any ("ccache gcc") */
	bool clang;             /* takes clang's options; else gcc's */
};

/* Finds the compiler; if none is named, one for `symbolic` programs is clang-14. Returns 0, or -1 with one line in
 * `error`. */
int mz_compiler_find(struct mz_compiler *compiler, bool cxx, bool symbolic, char *error, size_t size);

/* Writes to `error` the line for a compiler that is not installed. */
void mz_compiler_describe_missing(const char *name, bool cxx, char *error, size_t size);

#endif
