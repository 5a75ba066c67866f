/* SPDX-License-Identifier: MIT
 *
 * @file arguments, read as gcc and clang read them.
 */
#ifndef MZ_CLI_RESPONSE_H
#define MZ_CLI_RESPONSE_H

#include "cli/args.h"

/* Adds argv to `out`, with each @file replaced by what is in it, files named in files included. The argument of a file
 * that cannot be read stays as it is. */
void mz_response_expand(struct mz_args *out, int argc, char **argv);

#endif
