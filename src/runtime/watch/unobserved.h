/* SPDX-License-Identifier: MIT
 *
 * Code of the program that runs out of sight, found by looking at its modules, so that a verdict can name it:
 * instructions of its assembly that have no code (base/assembly.h); code in its instrumented modules that is not
 * instrumented and uses atomic instructions; and libraries that are not instrumented and use atomic instructions, or
 * whose variables change while there are several threads. If the program calls one of the former kind, data races are
 * not judged: what the library orders is not known. The C library and its kin, and the C++ library, are known and not
 * listed. What an uninstrumented library does by calling pthread functions is seen like any other call.
 */
#ifndef MZ_RUNTIME_WATCH_UNOBSERVED_H
#define MZ_RUNTIME_WATCH_UNOBSERVED_H

#include <stdbool.h>
#include <stdint.h>

/* Reports whether code is in a library whose accesses are not seen: not the program, not libmazurka.so, and not built by
 * `mazurka cc`. */
bool mz_unobserved_is_blind(uintptr_t code);

/* Looks at the modules that are loaded and were not looked at yet. */
void mz_unobserved_look(void);

/* Called before and after the runtime loads a library for its own use: such libraries are not listed. */
void mz_unobserved_before_own(void);
void mz_unobserved_after_own(void);

/* Called when the execution is about to have a second thread; and when it is over: compares variables of libraries in
 * between. */
void mz_unobserved_begin(void);
void mz_unobserved_end(void);

#endif
