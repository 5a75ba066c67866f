/* SPDX-License-Identifier: MIT
 *
 * Faults that the program handles itself. The kernel only ever knows our own handler (crash.c), on a stack of ours: it
 * leaves the stack frame of the signal to the thread, on the stack that the program's handler is to run on, and makes
 * the thread go on there. From then on the handler is a function like any other: other threads run meanwhile, it may
 * end the process, jump out, throw, or return to the instruction that faulted.
 */
#ifndef MZ_RUNTIME_OBJECTS_TRAP_H
#define MZ_RUNTIME_OBJECTS_TRAP_H

#include "runtime/core/core.h"
#include <signal.h>
#include <ucontext.h>

/* Called in the kernel's handler, with its arguments. Reports whether the program handles the signal: then the thread
 * goes on in the program's handler as soon as the kernel's handler returns. */
bool mz_trap_divert(struct mz_fiber *self, int number, const siginfo_t *info, ucontext_t *context);

/* Returns where the program was when the instruction at `code` faulted: `code` itself, or the return address in the
 * program if `code` is in a function that it called. */
uintptr_t mz_trap_place(uintptr_t code);

/* Says that what the thread does now in this library is done for the program, at `code`: mz_trap_place() returns that. 0 ends
 * it, and so does mz_trap_place(). */
void mz_trap_stands_for(uintptr_t code);

/* As sigaltstack, for a thread whose stack pointer is `sp`. Returns 0 or an error number. */
int mz_trap_alternate(struct mz_fiber *self, const stack_t *new, stack_t *old, uintptr_t sp);

/* Note the alternate stack that the program has set before it is explored, and give it to the first thread of an
 * execution. */
void mz_trap_early(const stack_t *stack);
void mz_trap_start(struct mz_fiber *first);

#endif
