/* SPDX-License-Identifier: MIT
 *
 * A saved context, from its stack pointer upwards: mxcsr and x87 control word (8 bytes), r15 r14 r13 r12 rbx rbp, return
 * address. A fresh one returns into mz_arch_start, which calls the entry (rbx) with its argument (r12); its return
 * address is marked undefined so that unwinders stop there.
 */
	.text
	.globl mz_arch_switch
	.hidden mz_arch_switch
	.type mz_arch_switch, @function
mz_arch_switch:
	.cfi_startproc
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	pushq %r12
	.cfi_adjust_cfa_offset 8
	pushq %r13
	.cfi_adjust_cfa_offset 8
	pushq %r14
	.cfi_adjust_cfa_offset 8
	pushq %r15
	.cfi_adjust_cfa_offset 8
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	movl (%rsp), %eax
	movzwl 4(%rsp), %ecx
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	cmpl (%rsp), %eax /* setting modes is slow, and they are nearly always the same */
	jne 1f
	cmpw 4(%rsp), %cx
	je 2f
1:	ldmxcsr (%rsp)
	fldcw 4(%rsp)
2:	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	popq %r15
	.cfi_adjust_cfa_offset -8
	popq %r14
	.cfi_adjust_cfa_offset -8
	popq %r13
	.cfi_adjust_cfa_offset -8
	popq %r12
	.cfi_adjust_cfa_offset -8
	popq %rbx
	.cfi_adjust_cfa_offset -8
	popq %rbp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size mz_arch_switch, .-mz_arch_switch

	.globl mz_arch_start
	.hidden mz_arch_start
	.type mz_arch_start, @function
mz_arch_start:
	.cfi_startproc
	.cfi_undefined rip
	movq %r12, %rdi
	call *%rbx
	ud2
	.cfi_endproc
	.size mz_arch_start, .-mz_arch_start
	.section .note.GNU-stack,"",@progbits
