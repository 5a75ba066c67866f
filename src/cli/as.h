/* SPDX-License-Identifier: MIT
 *
 * What `mazurka cc` tells the assembler that it puts before the real one.
 */
#ifndef MZ_CLI_AS_H
#define MZ_CLI_AS_H

/* An environment variable. If it is set, some of the inputs are assembly that was written by hand. */
#define MZ_AS_BY_HAND "MAZURKA_AS_BY_HAND"

/* An environment variable. If it is set, what the assembler is given may be LLVM bitcode that is to be instrumented and
 * compiled. Its lines: the instrumenter, and the command that compiles bitcode with all its options. */
#define MZ_AS_SYMBOLIC "MAZURKA_AS_SYMBOLIC"

#endif
