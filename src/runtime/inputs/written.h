/* SPDX-License-Identifier: MIT
 *
 * Files that have bytes which depend on inputs. What the program prints is no loss, unless it reads the file: what comes
 * back has no shadows. So these files are noted, and what is read there later, or the size and position that they have,
 * is counted as lost. A stream in memory is no file, nor are pipes and sockets that the
 * runtime has (channels): bytes that go there are lost at once.
 */
#ifndef MZ_RUNTIME_INPUTS_WRITTEN_H
#define MZ_RUNTIME_INPUTS_WRITTEN_H

#include "runtime/core/core.h"

/* Notes that a value which depends on inputs goes to a descriptor; less than 0: to memory. */
void mz_written(int fd, uintptr_t caller);
/* Called when the program reads a file, or asks how large it is or where in the file it is. */
void mz_written_looked(int fd, uintptr_t caller);
void mz_written_looked_name(int folder, const char *path, uintptr_t caller);

#endif
