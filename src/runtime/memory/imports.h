/* SPDX-License-Identifier: MIT
 *
 * The symbols that the program's modules import, as their symbol tables say.
 */
#ifndef MZ_RUNTIME_MEMORY_IMPORTS_H
#define MZ_RUNTIME_MEMORY_IMPORTS_H

#include <stdbool.h>

/* Marks functions of ours that only pass calls on: for mz_imports_are_stateless() the real functions count. */
#define MZ_PASSED_ON __attribute__((section("mz_passed_on")))

/* Reports whether `wanted` is true for a symbol that a loaded module imports. `module` is the path of that module, ""
 * for the program itself. */
bool mz_imports_any(bool (*wanted)(const char *module, const char *symbol));
/* The same among modules that are rolled back (image.h). */
bool mz_imports_any_rolled_back(bool (*wanted)(const char *module, const char *symbol));
/* The same among modules that are instrumented, which excludes modules that are loaded on our account. */
bool mz_imports_any_instrumented(bool (*wanted)(const char *module, const char *symbol));

/* Reports whether the program, as far as its imports tell, keeps no state in the kernel or the C library from one
 * visible operation to the next: no files, sockets, signals, random numbers or time. Only then can an execution go on
 * from the middle of another one. */
bool mz_imports_are_stateless(void);

#endif
