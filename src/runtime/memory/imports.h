/* SPDX-License-Identifier: MIT
 *
 * What the program's modules use of others, as their tables of symbols say.
 */
#ifndef MZ_RUNTIME_MEMORY_IMPORTS_H
#define MZ_RUNTIME_MEMORY_IMPORTS_H

#include <stdbool.h>

/* Functions of ours that only pass calls on: what the real ones keep counts. */
#define MZ_PASSED_ON __attribute__((section("mz_passed_on")))

/* Whether `wanted` is true for a symbol that some loaded module leaves to others. `module` is the path of that module,
 * "" for the program itself. */
bool mz_imports_any(bool (*wanted)(const char *module, const char *symbol));
/* The same among modules that are rolled back (image.h). */
bool mz_imports_any_rolled_back(bool (*wanted)(const char *module, const char *symbol));
/* The same among modules that are instrumented: what is loaded on our account is not. */
bool mz_imports_any_instrumented(bool (*wanted)(const char *module, const char *symbol));

/* Whether the program, as far as its imports tell, keeps no state in the kernel or the C library from one visible
 * operation to the next: no files, no sockets, no signals, no random numbers, no time. Only then can an execution go on
 * from the middle of another one. */
bool mz_imports_are_stateless(void);

#endif
