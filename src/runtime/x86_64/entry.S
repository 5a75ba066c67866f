/* SPDX-License-Identifier: MIT
 *
 * The entries of functions at whose calls a thread is recognised when it comes back (spin.h): each notes in mz_caller
 * where it was called from, with which stack pointer, and what the registers hold that calls preserve, and goes on to
 * the function proper, mz_entry_NAME. While the flag is 0 nothing is noted.
 */
	.macro entry name, flag
	.hidden mz_entry_\name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	cmpb $0, \flag(%rip)
	je mz_entry_\name
	movq (%rsp), %rax
	movq %rax, mz_caller(%rip)
	leaq 8(%rsp), %rax
	movq %rax, mz_caller+8(%rip)
	movq %rbx, mz_caller+16(%rip)
	movq %rbp, mz_caller+24(%rip)
	movq %r12, mz_caller+32(%rip)
	movq %r13, mz_caller+40(%rip)
	movq %r14, mz_caller+48(%rip)
	movq %r15, mz_caller+56(%rip)
	jmp mz_entry_\name
	.cfi_endproc
	.size \name, .-\name
	.endm

	.hidden mz_caller, mz_notes_calls, mz_notes_plain_calls
	.text
	.macro atomic bits
	entry __tsan_atomic\bits\()_load, mz_notes_calls
	entry __tsan_atomic\bits\()_exchange, mz_notes_calls
	entry __tsan_atomic\bits\()_fetch_and, mz_notes_calls
	entry __tsan_atomic\bits\()_fetch_or, mz_notes_calls
	entry __tsan_atomic\bits\()_compare_exchange_strong, mz_notes_calls
	entry __tsan_atomic\bits\()_compare_exchange_weak, mz_notes_calls
	entry __tsan_atomic\bits\()_compare_exchange_val, mz_notes_calls
	.endm
	atomic 8
	atomic 16
	atomic 32
	atomic 64
	atomic 128

	.macro reads size
	entry __tsan_volatile_read\size, mz_notes_calls
	entry __tsan_unaligned_volatile_read\size, mz_notes_calls
	entry __tsan_read\size, mz_notes_plain_calls
	entry __tsan_unaligned_read\size, mz_notes_plain_calls
	.endm
	reads 1
	reads 2
	reads 4
	reads 8
	reads 16

	entry pthread_mutex_trylock, mz_notes_calls
	entry mtx_trylock, mz_notes_calls
	.section .note.GNU-stack,"",@progbits
