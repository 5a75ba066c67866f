/* SPDX-License-Identifier: MIT
 *
 * The entries of the functions of hooks.h that are visible operations, and of a few others: each notes in mz_caller
 * (caller.h) where it was called from, with which stack pointer and, if it is to be told all, with which arguments, and
 * what the registers hold that calls preserve; then it goes on to the function proper, mz_entry_NAME. While its flag is
 * 0 nothing is noted. What the library itself calls is not noted either: those calls belong to one that is noted
 * already.
 *
 * Where states are told apart, what the function proper leaves below the caller's stack is wiped out when it returns:
 * the next function of the program makes its frame there, and what it does not write to is compared as well. So are the
 * registers that calls do not preserve: compilers push dead ones (clang's `push %rax` aligns the stack), and functions
 * that take any number of arguments save them all.
 */
#include "runtime/core/caller.h"
#include "runtime/core/hooks.h"
#include "runtime/core/layout.h"

	.set number, 0
	/* What the functions of the list that follows return: NOTHING, ONE value (in %rax or %xmm0), or a PAIR of registers
	 * (%rax and %rdx). Functions that return nothing in lists of others are named in `entry`. */
	.set NOTHING, 0
	.set ONE, 1
	.set PAIR, 2
	.set listed, ONE

	.macro keep register, index, arguments
	.if \index < \arguments
	movq %\register, mz_caller+72+8*\index(%rip)
	.else
	movq $0, mz_caller+72+8*\index(%rip)
	.endif
	.endm

	/* `arguments` of six, in integer registers; `proper` if the function proper has another name */
	.macro entry name, flag, arguments, proper
	.set number, number + 1
	.set returns, listed
	.irp void, free, _ZdlPv, _ZdlPvm, _ZdlPvSt11align_val_t, _ZdlPvmSt11align_val_t, _ZdaPv, _ZdaPvm, \
		_ZdaPvSt11align_val_t, _ZdaPvmSt11align_val_t, __cxa_guard_release, __cxa_guard_abort, call_once, \
		mtx_destroy, cnd_destroy, tss_delete, thrd_yield, pthread_testcancel, flockfile, funlockfile, \
		mz_access, mz_yield, mz_atomic_begin, mz_atomic_end, mz_invariant
	.ifc \name, \void
	.set returns, NOTHING
	.endif
	.endr
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.ifb \proper
	.hidden mz_entry_\name
	note \flag, \arguments, mz_entry_\name
	.else
	note \flag, \arguments, mz_entry_\proper
	.endif
	.cfi_endproc
	.size \name, .-\name
	.endm

	.macro note_place
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
	.endm

	/* Mostly there is nothing to do, or the place is all. */
	.macro note flag, arguments, proper
	cmpb $MZ_NOTES_PLACE, \flag(%rip)
	jb \proper
	jne 1f
	note_place
	jmp \proper
1:	leaq \proper(%rip), %r11
	movzbl \flag(%rip), %eax
	orl $number << 2, %eax
	.if returns == NOTHING
	jmp note_void_\arguments
	.elseif returns == ONE
	jmp note_\arguments
	.else
	jmp note_pair_\arguments
	.endif
	.endm

	/* Notes the rest, and wipes: the function proper is in %r11, its number and the flag in %eax. */
	.macro note_rest name, arguments, wipe
	.type \name\arguments, @function
\name\arguments:
	.cfi_startproc
	movq (%rsp), %r10
	subq mz_image_own_start(%rip), %r10
	cmpq mz_image_own_size(%rip), %r10
	jae 1f
	jmp *%r11
1:	testb $MZ_NOTES_PLACE, %al
	je 2f
	shrl $2, %eax
	movq %rax, mz_caller+64(%rip)
	keep rdi, 0, \arguments
	keep rsi, 1, \arguments
	keep rdx, 2, \arguments
	keep rcx, 3, \arguments
	keep r8, 4, \arguments
	keep r9, 5, \arguments
	note_place
2:	pushq 8(%rsp) /* the seventh argument, if there is one; MZ_CALLER() knows of it */
	.cfi_adjust_cfa_offset 8
	call *%r11
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp \wipe
	.cfi_endproc
	.size \name\arguments, .-\name\arguments
	.endm

	.hidden mz_caller, mz_notes_reads, mz_notes_writes, mz_notes_plain_reads, mz_notes_plain_writes, mz_notes_others
	.hidden mz_image_own_start, mz_image_own_size, mz_stack
	.hidden mz_entries_start, mz_entries_end
	.globl mz_entries_start, mz_entries_end

	.text
mz_entries_start:

	/* Zeroes what has been used below the stack pointer, and MZ_NOTES_WIPED bytes in any case; then the registers that
	 * calls do not preserve. `wipe` keeps %rax, %rdx and %xmm0, `wipe_but_one` all of these but %rdx. */
	.type wipe_all, @function
wipe_all:
	.cfi_startproc
	xorl %eax, %eax
	pxor %xmm0, %xmm0
	.cfi_endproc
	.size wipe_all, .-wipe_all
	.type wipe_but_one, @function
wipe_but_one:
	.cfi_startproc
	xorl %edx, %edx
	.cfi_endproc
	.size wipe_but_one, .-wipe_but_one
	.type wipe, @function
wipe:
	.cfi_startproc
	movq mz_stack+8(%rip), %rcx
	testq %rcx, %rcx
	je 2f
	movq mz_stack(%rip), %rsi
	xorq %rsp, %rsi
	shrq $MZ_LAYOUT_STACK_BITS, %rsi
	jne 2f /* it is on another stack */
	leaq -MZ_NOTES_WIPED(%rsp), %rdi
	movq (%rcx), %rsi
	cmpq %rsi, %rdi
	cmovaq %rsi, %rdi
	movq mz_stack(%rip), %rsi
	addq $64, %rsi
	cmpq %rsi, %rdi
	cmovbq %rsi, %rdi
	movq %rsp, (%rcx)
	pxor %xmm15, %xmm15
	leaq -64(%rsp), %rsi
	subq $64, %rdi
1:	movups %xmm15, (%rsi) /* downwards, and up to 63 bytes too far */
	movups %xmm15, 16(%rsi)
	movups %xmm15, 32(%rsi)
	movups %xmm15, 48(%rsi)
	subq $64, %rsi
	cmpq %rdi, %rsi
	ja 1b
2:	xorl %ecx, %ecx
	xorl %esi, %esi
	xorl %edi, %edi
	.irp register, 8, 9, 10, 11
	xorl %r\register\()d, %r\register\()d
	.endr
	.irp register, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor %xmm\register, %xmm\register
	.endr
	ret
	.cfi_endproc
	.size wipe, .-wipe

	.irp arguments, 0, 1, 2, 3, 4, 5, 6
	note_rest note_void_, \arguments, wipe_all
	note_rest note_, \arguments, wipe_but_one
	note_rest note_pair_, \arguments, wipe
	.endr

	/* What keeps state in the kernel is known by its section: there is a jump to the entry. */
	.macro passed_on name, flag, arguments
	.hidden mz_noted_\name, mz_entry_\name
	entry mz_noted_\name, \flag, \arguments, \name
	.section mz_passed_on, "ax", @progbits
	.globl \name
	.type \name, @function
\name:
	jmp mz_noted_\name
	.size \name, .-\name
	.text
	.endm

	/* An entry for each line of hooks.h of which something is noted. */
#define HOOK(name, arguments, notes, state) HOOK_##notes(name, arguments, state)
#define HOOK_reads(name, arguments, state) ENTRY_##state(name, arguments, mz_notes_reads)
#define HOOK_writes(name, arguments, state) ENTRY_##state(name, arguments, mz_notes_writes)
#define HOOK_plain_reads(name, arguments, state) ENTRY_##state(name, arguments, mz_notes_plain_reads)
#define HOOK_plain_writes(name, arguments, state) ENTRY_##state(name, arguments, mz_notes_plain_writes)
#define HOOK_others(name, arguments, state) ENTRY_##state(name, arguments, mz_notes_others)
#define HOOK_nothing(name, arguments, state)
#define ENTRY_ours(name, arguments, flag) entry name, flag, arguments;
#define ENTRY_kernel(name, arguments, flag) passed_on name, flag, arguments;
	.macro lists name
	.set listed, ONE
	.ifc \name, TSAN
	.set listed, NOTHING
	.endif
	.ifc \name, ATOMIC /* of 16 bytes */
	.set listed, PAIR
	.endif
	.endm
#define LIST(list, file) lists list; MZ_HOOKS_##list(HOOK)
	MZ_HOOKS_IN(LIST)

#define ALIAS(name, arguments, notes, other) entry name, mz_notes_##notes, arguments, other;
	MZ_HOOKS_ALIASES(ALIAS)
mz_entries_end:
	.section .note.GNU-stack,"",@progbits
