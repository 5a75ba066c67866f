/* SPDX-License-Identifier: MIT
 *
 * What the program calls before an instruction of its own assembly that touches memory: see base/assembly.h, and
 * cli/as_follow.c for the code around the call. The address is in %rdi. On the stack are the return address, the code,
 * the program's %rdi, and 136 bytes that it may be using. All registers and flags are as they were afterwards, and the
 * code is taken off the stack.
 */
#include "base/assembly.h"

#define AREA 2816     /* x87, SSE, AVX and AVX-512 state in the standard format */
#define COMPONENTS 0xe7

	.text
	.hidden mz_current, mz_assembly, mz_arch_has_xsave
	.globl MZ_ASSEMBLY_FUNCTION
	.type MZ_ASSEMBLY_FUNCTION, @function
MZ_ASSEMBLY_FUNCTION:
	.cfi_startproc
	.cfi_def_cfa %rsp, 160 /* the caller's stack pointer, as its own tables have it */
	.cfi_offset %rip, -160
	.cfi_offset %rdi, -144
	pushfq
	.cfi_adjust_cfa_offset 8
	cmpq $0, mz_current(%rip)
	je 3f
	.irp register, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rsp, rbx, rdx, rcx, rax
	pushq %\register
	.cfi_adjust_cfa_offset 8
	.endr
	.cfi_rel_offset %rbx, 24
	cld
	movq %rsp, %rbx
	.cfi_def_cfa_register %rbx
	subq $AREA, %rsp
	andq $-64, %rsp
	cmpb $0, mz_arch_has_xsave(%rip)
	je 1f
	xorl %eax, %eax
	leaq 512(%rsp), %rdi
	movl $8, %ecx
	rep stosq /* its header */
	movl $COMPONENTS, %eax
	xorl %edx, %edx
	xsave64 (%rsp)
	jmp 2f
1:	fxsave64 (%rsp)
2:	movq %rbx, %rdi
	leaq 160(%rsp), %rsi
	call mz_assembly
	cmpb $0, mz_arch_has_xsave(%rip)
	je 1f
	movl $COMPONENTS, %eax
	xorl %edx, %edx
	xrstor64 (%rsp)
	jmp 2f
1:	fxrstor64 (%rsp)
2:	movq %rbx, %rsp
	.cfi_def_cfa_register %rsp
	.irp register, rax, rcx, rdx, rbx
	popq %\register
	.cfi_adjust_cfa_offset -8
	.endr
	.cfi_same_value %rbx
	leaq 8(%rsp), %rsp
	.cfi_adjust_cfa_offset -8
	.irp register, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	popq %\register
	.cfi_adjust_cfa_offset -8
	.endr
3:	popfq
	.cfi_adjust_cfa_offset -8
	ret $8
	.cfi_endproc
	.size MZ_ASSEMBLY_FUNCTION, .-MZ_ASSEMBLY_FUNCTION

	.section .note.GNU-stack,"",@progbits
