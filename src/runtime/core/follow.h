/* SPDX-License-Identifier: MIT
 *
 * Accesses to memory, told to the room that keeps shadows of memory (inputs/follow.c). Instrumented code says by itself
 * what becomes of the shadows; accesses of all other code are known by their hooks alone.
 *
 * Called while __mz_sym_active is not 0 only, by the hook of an access, when no other thread can run any more before the
 * access is made.
 */
#ifndef MZ_RUNTIME_CORE_FOLLOW_H
#define MZ_RUNTIME_CORE_FOLLOW_H

#include "concolic/abi.h"
#include "runtime/core/arch.h"
#include <stddef.h>
#include <stdint.h>

enum mz_follow_kind { MZ_FOLLOW_READ = 1, MZ_FOLLOW_WRITE = 2, MZ_FOLLOW_UPDATE = MZ_FOLLOW_READ | MZ_FOLLOW_WRITE };

void mz_follow(uintptr_t address, size_t size, enum mz_follow_kind kind, uintptr_t caller);
/* Says of the access that was told of last that somebody else deals with the shadows. */
void mz_follow_drop(void);
/* Says of the read that was told of last that the bytes go to a descriptor: nothing in the program depends on them until
 * they are read there. */
void mz_follow_output(int fd);
/* Says that a value which depends on inputs goes to a descriptor. */
void mz_follow_printed(int fd, uintptr_t caller);
/* Says that the program finds out what is in a file, how large it is, or where in the file it is. */
void mz_follow_looked(int fd, uintptr_t caller);
void mz_follow_looked_name(int folder, const char *path, uintptr_t caller);

#endif
