/* SPDX-License-Identifier: MIT
 *
 * Functions that cannot be replaced by one in C that calls the real one, because they return twice or take any number
 * of arguments. Each calls a function in C with its first two arguments and its return address, then jumps to the real
 * function, which that one returns, with all arguments in place.
 */
#include "runtime/core/hooks.h"

	.text

	.macro keep_arguments
	pushq %rdi
	.cfi_adjust_cfa_offset 8
	pushq %rsi
	.cfi_adjust_cfa_offset 8
	pushq %rdx
	.cfi_adjust_cfa_offset 8
	pushq %rcx
	.cfi_adjust_cfa_offset 8
	pushq %r8
	.cfi_adjust_cfa_offset 8
	pushq %r9
	.cfi_adjust_cfa_offset 8
	pushq %rax /* how many vector registers a variadic call uses */
	.cfi_adjust_cfa_offset 8
	movq 56(%rsp), %rdx
	.endm

	.macro jump_to_real
	movq %rax, %r11
	popq %rax
	.cfi_adjust_cfa_offset -8
	popq %r9
	.cfi_adjust_cfa_offset -8
	popq %r8
	.cfi_adjust_cfa_offset -8
	popq %rcx
	.cfi_adjust_cfa_offset -8
	popq %rdx
	.cfi_adjust_cfa_offset -8
	popq %rsi
	.cfi_adjust_cfa_offset -8
	popq %rdi
	.cfi_adjust_cfa_offset -8
	jmp *%r11
	.endm

	/* `function` is what is called before */
	.macro before name, function
	.hidden \function
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	keep_arguments
	call \function
	jump_to_real
	.cfi_endproc
	.size \name, .-\name
	.endm

	/* ---- what makes processes: refused by its name ---- */

	.hidden mz_before_process
	.macro process name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	keep_arguments
	leaq 9f(%rip), %rdi
	call mz_before_process
	jump_to_real
	.cfi_endproc
	.size \name, .-\name
	.section .rodata.str1.1, "aMS", @progbits, 1
9:	.string "\name"
	.text
	.endm

#define PROCESS(name, arguments, notes, state) process name;
	MZ_HOOKS_PROCESSES(PROCESS)

	/* ---- what keeps the mask of signals with a place to come back to ---- */

	before __sigsetjmp, mz_before_sigsetjmp
	before getcontext, mz_before_getcontext
	before swapcontext, mz_before_swapcontext
	.section .note.GNU-stack,"",@progbits
