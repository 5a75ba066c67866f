/* SPDX-License-Identifier: MIT
 *
 * The entries of functions that are visible operations: each notes in mz_caller (caller.h) where it was called from,
 * with which stack pointer and, if it is to be told all, with which arguments, and what the registers hold that calls
 * preserve; then it goes on to the function proper, mz_entry_NAME. While its flag is 0 nothing is noted. What the
 * library itself calls is not noted either: those calls belong to one that is noted already.
 *
 * Where states are told apart, what the function proper leaves below the caller's stack is wiped out when it returns:
 * the next function of the program makes its frame there, and what it does not write to is compared as well.
 */
#include "runtime/core/caller.h"
#include "runtime/core/layout.h"

	.set number, 0

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

	.macro entries flag, arguments, name, more:vararg
	entry \name, \flag, \arguments
	.ifnb \more
	entries \flag, \arguments, \more
	.endif
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
	jmp note_\arguments
	.endm

	/* Notes the rest, and wipes: the function proper is in %r11, its number and the flag in %eax. */
	.macro note_rest arguments
	.type note_\arguments, @function
note_\arguments:
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
	jmp wipe
	.cfi_endproc
	.size note_\arguments, .-note_\arguments
	.endm

	.hidden mz_caller, mz_notes_reads, mz_notes_writes, mz_notes_plain_reads, mz_notes_plain_writes, mz_notes_others
	.hidden mz_image_own_start, mz_image_own_size, mz_stack
	.hidden mz_entries_start, mz_entries_end
	.globl mz_entries_start, mz_entries_end

	.text
mz_entries_start:

	/* Zeroes what has been used below the stack pointer, and MZ_NOTES_WIPED bytes in any case. Keeps what functions
	 * return: %rax, %rdx, %xmm0. */
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
2:	ret
	.cfi_endproc
	.size wipe, .-wipe

	.irp arguments, 0, 1, 2, 3, 4, 5, 6
	note_rest \arguments
	.endr

	/* ---- atomics: a 128-bit operand takes two registers ---- */

	.macro atomic bits, three, five
	entry __tsan_atomic\bits\()_load, mz_notes_reads, 2
	.irp name, exchange, fetch_and, fetch_or
	entry __tsan_atomic\bits\()_\name, mz_notes_reads, \three
	.endr
	.irp name, store, fetch_add, fetch_sub, fetch_xor, fetch_nand
	entry __tsan_atomic\bits\()_\name, mz_notes_writes, \three
	.endr
	.irp name, strong, weak, val
	entry __tsan_atomic\bits\()_compare_exchange_\name, mz_notes_reads, \five
	.endr
	.endm
	.irp bits, 8, 16, 32, 64
	atomic \bits, 3, 5
	.endr
	atomic 128, 4, 6

	entry __atomic_load, mz_notes_writes, 4
	entry __atomic_store, mz_notes_writes, 4
	entry __atomic_exchange, mz_notes_writes, 5
	entry __atomic_compare_exchange, mz_notes_writes, 6
	entry __atomic_load_16, mz_notes_writes, 2
	entry __atomic_store_16, mz_notes_writes, 4
	entry __atomic_compare_exchange_16, mz_notes_writes, 6

	/* ---- plain accesses ---- */

	.macro accesses size
	entry __tsan_volatile_read\size, mz_notes_reads, 1
	entry __tsan_unaligned_volatile_read\size, mz_notes_reads, 1
	entry __tsan_volatile_write\size, mz_notes_writes, 1
	entry __tsan_unaligned_volatile_write\size, mz_notes_writes, 1
	entry __tsan_read\size, mz_notes_plain_reads, 1
	entry __tsan_unaligned_read\size, mz_notes_plain_reads, 1
	entry __tsan_write\size, mz_notes_plain_writes, 1
	entry __tsan_unaligned_write\size, mz_notes_plain_writes, 1
	entry __tsan_read_write\size, mz_notes_plain_writes, 1
	entry __tsan_unaligned_read_write\size, mz_notes_plain_writes, 1
	.endm
	accesses 1
	accesses 2
	accesses 4
	accesses 8
	accesses 16
	entry __tsan_read_range, mz_notes_plain_writes, 2
	entry __tsan_write_range, mz_notes_plain_writes, 2
	entry __tsan_vptr_update, mz_notes_plain_writes, 2
	entry __tsan_vptr_read, mz_notes_plain_writes, 1

	entries mz_notes_plain_writes, 1, strlen, free, strdup
	entries mz_notes_plain_writes, 2, strnlen, strcpy, stpcpy, strcat, strcmp, strchr, strrchr, strstr, strndup, realloc
	entries mz_notes_plain_writes, 3, memcpy, memmove, mempcpy, memset, memcmp, memchr, strncpy, strncat, strncmp, reallocarray
	entries mz_notes_plain_writes, 4, __memcpy_chk, __memmove_chk, __memset_chk
	/* under these names newer compilers call them from instrumented code */
	entry __tsan_memcpy, mz_notes_plain_writes, 3, memcpy
	entry __tsan_memmove, mz_notes_plain_writes, 3, memmove
	entry __tsan_memset, mz_notes_plain_writes, 3, memset

	/* ---- synchronization ---- */

	entries mz_notes_reads, 1, pthread_mutex_trylock, mtx_trylock, pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock
	entries mz_notes_reads, 1, pthread_spin_trylock, sem_trywait
	entries mz_notes_reads, 2, pthread_mutex_timedlock, mtx_timedlock, sem_timedwait
	entries mz_notes_reads, 2, pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock
	entries mz_notes_reads, 3, pthread_mutex_clocklock, pthread_rwlock_clockrdlock, pthread_rwlock_clockwrlock
	entries mz_notes_reads, 3, sem_clockwait

	/* where a thread may wait for nothing but to be cancelled */
	entries mz_notes_reads, 0, pthread_testcancel
	entries mz_notes_reads, 1, sleep, usleep
	entries mz_notes_reads, 2, nanosleep, thrd_sleep
	entries mz_notes_reads, 4, clock_nanosleep

	entries mz_notes_writes, 0, sched_yield, thrd_yield, mz_yield
	entries mz_notes_writes, 1, pthread_mutex_lock, pthread_mutex_unlock, pthread_cond_signal, pthread_cond_broadcast
	entries mz_notes_writes, 1, mtx_lock, mtx_unlock, cnd_signal, cnd_broadcast
	entries mz_notes_writes, 1, pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_rwlock_unlock
	entries mz_notes_writes, 1, pthread_spin_lock, pthread_spin_unlock, pthread_barrier_wait
	entries mz_notes_writes, 1, sem_wait, sem_post, sem_unlink
	entries mz_notes_writes, 1, pthread_mutex_destroy, mtx_destroy, pthread_cond_destroy, cnd_destroy, sem_destroy
	entries mz_notes_writes, 1, pthread_rwlock_destroy, pthread_spin_destroy, pthread_barrier_destroy
	entries mz_notes_writes, 2, sem_getvalue, pthread_once, call_once, pthread_key_create, tss_create, pthread_tryjoin_np
	entries mz_notes_writes, 1, pthread_key_delete, tss_delete
	entries mz_notes_writes, 1, __cxa_guard_acquire, __cxa_guard_release, __cxa_guard_abort
	entries mz_notes_writes, 1, pthread_cancel, mz_choose, raise, sigsuspend
	entries mz_notes_writes, 0, pause
	entries mz_notes_writes, 1, sigpending
	entries mz_notes_writes, 3, pthread_sigmask, sigprocmask
	entries mz_notes_writes, 2, pthread_kill, sigwait, sigwaitinfo
	entries mz_notes_writes, 2, pthread_cond_wait, cnd_wait, pthread_join, thrd_join
	entries mz_notes_writes, 2, mz_access
	entries mz_notes_writes, 3, sigtimedwait, pthread_cond_timedwait, cnd_timedwait, pthread_timedjoin_np

	/* what keeps state in the kernel is known by its section */
	.macro passed_on name, arguments
	.hidden mz_noted_\name, mz_entry_\name
	entry mz_noted_\name, mz_notes_writes, \arguments, \name
	.section mz_passed_on, "ax", @progbits
	.globl \name
	.type \name, @function
\name:
	jmp mz_noted_\name
	.size \name, .-\name
	.text
	.endm
	passed_on syscall, 6
	passed_on sigaction, 3
	passed_on signal, 2
	passed_on kill, 2

	entries mz_notes_writes, 4, pthread_cond_clockwait, pthread_clockjoin_np

	/* ---- descriptors ---- */

	entries mz_notes_writes, 1, pipe, close, closefrom, epoll_create, epoll_create1
	entries mz_notes_writes, 2, pipe2, eventfd, shutdown
	entries mz_notes_writes, 3, close_range
	entries mz_notes_writes, 4, socketpair, epoll_ctl
	entries mz_notes_reads, 2, eventfd_read, eventfd_write
	entries mz_notes_reads, 3, read, readv, write, writev, recvmsg, sendmsg, poll
	entries mz_notes_reads, 4, recv, send, ppoll, epoll_wait
	entries mz_notes_reads, 5, select, epoll_pwait, epoll_pwait2
	entries mz_notes_reads, 6, recvfrom, sendto, pselect

	/* ---- clocks: no visible operations, but places where a thread may be found to go round ---- */

	entries mz_notes_reads, 0, clock
	entries mz_notes_reads, 1, time, times
	entries mz_notes_reads, 2, clock_gettime, gettimeofday, timespec_get

	/* ---- what is no operation, but is called often ---- */

	entries mz_notes_others, 0, malloc, calloc, memalign, aligned_alloc, valloc, pvalloc, posix_memalign
	.irp array, w, a
	entries mz_notes_others, 0, _Zn\array\()m, _Zn\array\()mRKSt9nothrow_t, _Zn\array\()mSt11align_val_t
	entries mz_notes_others, 0, _Zn\array\()mSt11align_val_tRKSt9nothrow_t
	.endr
	.irp array, l, a
	entries mz_notes_others, 0, _Zd\array\()Pv, _Zd\array\()PvRKSt9nothrow_t, _Zd\array\()PvSt11align_val_t, _Zd\array\()Pvm
	entries mz_notes_others, 0, _Zd\array\()PvSt11align_val_tRKSt9nothrow_t, _Zd\array\()PvmSt11align_val_t
	.endr
	entries mz_notes_others, 0, pthread_setcancelstate, pthread_setcanceltype
	entries mz_notes_others, 0, pthread_create, pthread_detach, thrd_create, thrd_detach
mz_entries_end:
	.section .note.GNU-stack,"",@progbits
