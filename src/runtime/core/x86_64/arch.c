/* SPDX-License-Identifier: MIT
 *
 * x86-64: fresh stacks, and the thread pointer by wrfsbase where processor and kernel have it, else by system call.
 */
#include "runtime/core/arch.h"
#include <asm/prctl.h>
#include <cpuid.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HWCAP2_FSGSBASE (1UL << 1)

void mz_arch_start(void);

static bool has_fsgsbase;
extern bool mz_arch_has_xsave; /* for assembly.S */
bool mz_arch_has_xsave;

/* Reports whether the kernel has enabled xsave, which saves wide registers. */
static bool system_uses_xsave(void)
{
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

void mz_arch_thread_pointer_init(void)
{
	has_fsgsbase = getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE;
	mz_arch_has_xsave = system_uses_xsave();
}

void *mz_arch_thread_pointer(void)
{
	void *pointer;
	__asm__("movq %%fs:0, %0" : "=r"(pointer)); /* the ABI keeps a copy of it there */
	return pointer;
}

__attribute__((no_stack_protector)) void mz_arch_fix_guards(void)
{
	__asm__ volatile("movq %0, %%fs:0x28" : : "r"(0x6d617a75726b6100ULL)); /* where the ABI has it; ends strings */
	__asm__ volatile("movq %0, %%fs:0x30" : : "r"(0x616b72757a616d21ULL)); /* where the C library has it */
}

uint64_t mz_arch_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/* Sets the thread pointer by a system call; not through syscall(), which the library replaces. */
static void set_by_kernel(void *pointer)
{
	long number = SYS_arch_prctl;
	__asm__ volatile("syscall" : "+a"(number) : "D"((long)ARCH_SET_FS), "S"(pointer) : "rcx", "r11", "memory");
}

void mz_arch_set_thread_pointer(void *pointer)
{
	if (has_fsgsbase)
		__asm__ volatile("wrfsbase %0" : : "r"(pointer) : "memory");
	else
		set_by_kernel(pointer);
}

void *mz_arch_prepare(void *stack_high, void (*entry)(void *), void *argument, uint64_t environment)
{
	uint64_t *sp = (uint64_t *)((uintptr_t)stack_high & ~15UL);
	*--sp = 0;
	*--sp = 0;                       /* mz_arch_start runs with the stack aligned for a call */
	*--sp = (uint64_t)mz_arch_start; /* return address */
	*--sp = 0;                       /* rbp: end of the chain of frames */
	*--sp = (uint64_t)entry;         /* rbx */
	*--sp = (uint64_t)argument;      /* r12 */
	*--sp = 0;                       /* r13 */
	*--sp = 0;                       /* r14 */
	*--sp = 0;                       /* r15 */
	*--sp = environment;
	return sp;
}
