/* SPDX-License-Identifier: MIT
 *
 * A saved context, from its stack pointer upwards: the floating-point environment (8 bytes: mxcsr, x87 control word,
 * exception flags of the x87 status word), r15 r14 r13 r12 rbx rbp, return address. A fresh one returns into
 * mz_arch_start, which calls the entry (rbx) with its argument (r12); its return address is marked undefined so that
 * unwinders stop there. Everything else that the processor has is dead at a call, by the ABI: vector registers and
 * their upper halves are the caller's, the x87 stack is empty, the direction flag is clear.
 */
#define X87_FLAGS 0x7f

	/* Makes the environment at `place` the processor's. Flags go first: unmasking what is flagged would fault. */
	.macro set_environment place
	fnclex
	ldmxcsr \place(%rsp)
	fldcw 4+\place(%rsp)
	cmpb $0, 6+\place(%rsp)
	je 9f
	fnstenv -64(%rsp)
	movzbl 6+\place(%rsp), %eax
	orb %al, -60(%rsp)
	movzwl 4+\place(%rsp), %eax
	movw %ax, -64(%rsp) /* fnstenv has masked everything */
	fldenv -64(%rsp)
9:
	.endm

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
	fnstsw %ax
	andl $X87_FLAGS, %eax
	movw %ax, 6(%rsp)
	movl (%rsp), %ecx
	movzwl 4(%rsp), %edx
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	cmpl (%rsp), %ecx /* setting the environment is slow, and it is nearly always the same */
	jne 1f
	cmpw 4(%rsp), %dx
	jne 1f
	cmpw 6(%rsp), %ax
	je 2f
1:	set_environment 0
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

	.globl mz_arch_float
	.hidden mz_arch_float
	.type mz_arch_float, @function
mz_arch_float:
	.cfi_startproc
	stmxcsr -8(%rsp)
	fnstcw -4(%rsp)
	fnstsw %ax
	andl $X87_FLAGS, %eax
	movw %ax, -2(%rsp)
	movq -8(%rsp), %rax
	ret
	.cfi_endproc
	.size mz_arch_float, .-mz_arch_float

	.globl mz_arch_set_float
	.hidden mz_arch_set_float
	.type mz_arch_set_float, @function
mz_arch_set_float:
	.cfi_startproc
	movq %rdi, -8(%rsp)
	set_environment -8
	ret
	.cfi_endproc
	.size mz_arch_set_float, .-mz_arch_set_float

	.globl mz_arch_call_on
	.hidden mz_arch_call_on
	.type mz_arch_call_on, @function
mz_arch_call_on:
	.cfi_startproc
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	movq %rdi, %rsp
	andq $-16, %rsp
	movq %rdx, %rdi
	call *%rsi
	movq %rbp, %rsp
	popq %rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size mz_arch_call_on, .-mz_arch_call_on

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
	/* The frame of a signal (trap.c) begins at the stack pointer, and is in %rbx as well: unwinders find the
	 * registers of what was interrupted there, in the order of the kernel's struct sigcontext. */
	.macro saved register, index
	.cfi_escape 0x10, \register, 3, 0x73, ((40+8*\index) & 0x7f) | 0x80, (40+8*\index) >> 7
	.endm
	.globl mz_arch_trap
	.hidden mz_arch_trap, mz_trap_deliver
	.type mz_arch_trap, @function
mz_arch_trap:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x73, ((40+8*15) & 0x7f) | 0x80, (40+8*15) >> 7, 0x06
	.irp index, 0, 1, 2, 3, 4, 5, 6, 7
	saved 8+\index, \index
	.endr
	saved 5, 8
	saved 4, 9
	saved 6, 10
	saved 3, 11
	saved 1, 12
	saved 0, 13
	saved 2, 14
	saved 16, 16
	nop /* unwinders look at the byte before the return address */
	movq %rbx, %rdi
	call mz_trap_deliver
	movq %rbx, %rsp
	movl $15, %eax /* rt_sigreturn */
	syscall
	ud2
	.cfi_endproc
	.size mz_arch_trap, .-mz_arch_trap
	.section .note.GNU-stack,"",@progbits
