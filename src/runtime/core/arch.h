/* SPDX-License-Identifier: MIT
 *
 * What depends on the processor: switching stacks and thread pointers. One folder per architecture implements it.
 */
#ifndef MZ_RUNTIME_CORE_ARCH_H
#define MZ_RUNTIME_CORE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Saves the callee-saved registers and the floating-point environment on the stack, stores the stack pointer in
 * `*from`, and goes on where `to` was saved. */
void mz_arch_switch(void **from, void *to);
#define MZ_ARCH_SWITCH_BYTES 128 /* more than it leaves on the stack below the stack pointer of its caller */

/* Returns the stack pointer. */
static inline __attribute__((always_inline)) void *mz_arch_stack_pointer(void)
{
	void *sp;
	__asm__ volatile("movq %%rsp, %0" : "=r"(sp));
	return sp;
}

/* Calls function(argument) on another stack, of which `stack` is the high end; the function must not switch. */
void mz_arch_call_on(void *stack, void (*function)(void *), void *argument);

/* Lays out a stack so that the first mz_arch_switch to the returned pointer calls entry(argument) on it, in this
 * floating-point environment. */
void *mz_arch_prepare(void *stack_high, void (*entry)(void *), void *argument, uint64_t environment);

/* The floating-point environment: rounding, precision, masks and flags of exceptions, of all units. The same
 * environment is always the same number. */
uint64_t mz_arch_float(void);
void mz_arch_set_float(uint64_t environment);
/* The environment in which the ABI starts a process, and the kernel a signal handler. */
#define MZ_ARCH_FLOAT_INITIAL (0x1f80 | 0x37fULL << 32)
/* Returns the floating-point environment of a suspended context. */
static inline uint64_t mz_arch_float_of(const void *sp)
{
	return *(const uint64_t *)sp;
}

/* Must be called once, before the two functions that follow. */
void mz_arch_thread_pointer_init(void);
void *mz_arch_thread_pointer(void);
void mz_arch_set_thread_pointer(void *pointer);

/* The values that guard frames and jump buffers of the running thread, and of those that it creates from now on, become
 * the same in every process: they are on the program's stacks. No function that is guarded and has been called may
 * return any more, no jump buffer that was filled may be used, nor may exit() call what was registered. */
void mz_arch_fix_guards(void);

/* Returns the first atomic read-modify-write instruction in [from, to), or NULL if there is none. [from, to) is code
 * and begins with an instruction. `*next` becomes the instruction behind the one found. */
const uint8_t *mz_arch_find_atomic(const uint8_t *from, const uint8_t *to, const uint8_t **next);

/* Reports whether the instruction before a return address calls the function, directly, through a stub of the linker or
 * through a table. If not, the function was jumped to. */
bool mz_arch_is_call(const uint8_t *place, const void *function);

/* A clock that is cheap to read; its unit does not matter. */
uint64_t mz_arch_ticks(void);

#endif
