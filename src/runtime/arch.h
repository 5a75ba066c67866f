/* SPDX-License-Identifier: MIT
 *
 * What depends on the processor: switching stacks and thread pointers. One folder per architecture implements it.
 */
#ifndef MZ_RUNTIME_ARCH_H
#define MZ_RUNTIME_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Saves the callee-saved registers and floating-point modes on the stack, stores the stack pointer in `*from`, and
 * goes on where `to` was saved. */
void mz_arch_switch(void **from, void *to);

/* Lays out a stack so that the first mz_arch_switch to the returned pointer calls entry(argument) on it. */
void *mz_arch_prepare(void *stack_high, void (*entry)(void *), void *argument);

/* Must be called once before the other two. */
void mz_arch_thread_pointer_init(void);
void *mz_arch_thread_pointer(void);
void mz_arch_set_thread_pointer(void *pointer);

/* The values that guard frames and jump buffers of the running thread, and of those that it creates from now on, become
 * the same in every process: they are on the program's stacks. No function that is guarded and has been called may
 * return any more, no jump buffer that was filled may be used, nor may exit() call what was registered. */
void mz_arch_fix_guards(void);

/* A clock that is cheap to read; its unit does not matter. */
uint64_t mz_arch_ticks(void);

#endif
