/* SPDX-License-Identifier: MIT
 *
 * `mazurka cc --symbolic`: clang, made to compile through the instrumenter.
 */
#ifndef MZ_CLI_CC_SYMBOLIC_H
#define MZ_CLI_CC_SYMBOLIC_H

#include "cli/cc_compiler.h"
#include "cli/cc_scan.h"
#include "cli/paths.h"

/* The options by which clang adds the hooks of the scheduler, up to a NULL. */
extern const char *const mz_cc_clang_instrument[];

/* Returns the reason why this request cannot be built with symbolic shadows, or NULL. */
const char *mz_cc_symbolic_objection(const struct mz_cc_request *request, const struct mz_compiler *compiler,
                                     const struct mz_install_paths *paths);

/* Adds to the compiler's command what makes it hand bitcode to the assembler, and tells the assembler what to do with
 * it. `plain` is the compiler alone, `user` the user's arguments. */
void mz_cc_add_symbolic(struct mz_args *command, const struct mz_cc_request *request,
                        const struct mz_install_paths *paths, const struct mz_args *plain, const struct mz_args *user);

#endif
