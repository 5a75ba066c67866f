/* SPDX-License-Identifier: MIT
 *
 * What functions of libmazurka.so tell of the memory that they are given pointers to. A function that reads memory and
 * does not tell is treated like one of a library: inputs that it is given a pointer to are counted as lost where it is
 * called. So it is with every function that is not in the table (told.c). A few functions of the C++ library are in it, too:
 * they read links, and nothing of the program's.
 */
#ifndef MZ_CONCOLIC_TOLD_H
#define MZ_CONCOLIC_TOLD_H

#include <stdint.h>

#define MZ_TOLD_NOTHING UINT32_MAX

/* Returns the arguments, counted from bit 0, that lead to memory which the function reads without telling: what their
 * type says, or a text. 0: it tells of all that it reads, or reads nothing; MZ_TOLD_NOTHING: that is not known. */
uint32_t mz_told_not(const char *name);

#endif
