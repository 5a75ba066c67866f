/* SPDX-License-Identifier: MIT
 *
 * Makes an object of bitcode, in place of the assembler, for `mazurka cc --symbolic`.
 */
#ifndef MZ_CLI_AS_SYMBOLIC_H
#define MZ_CLI_AS_SYMBOLIC_H

#include <stdbool.h>
#include <stddef.h>

/* Reports whether the text is LLVM bitcode, and `mazurka cc --symbolic` wants it compiled. */
bool mz_as_is_bitcode(const char *text, size_t length);

/* Instruments the bitcode in the file `input`, and runs the compiler, for the object that the assembler's arguments
 * name. Does not return if the compiler could be started; else returns the exit status. */
int mz_as_compile(char **argv, const char *input);

#endif
