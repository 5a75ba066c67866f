/* SPDX-License-Identifier: MIT
 *
 * The one list of the functions that the library replaces: whatever the program calls by one of these names comes to
 * us. A new hook is one line here, a function in the file of its list, and its name in docs/SUPPORTED.md;
 * scripts/check-hooks holds the list against that page, and against what the library exports.
 *
 * A line is X(name, arguments, notes, state). `notes` says what is noted of a call (caller.h) before the function runs:
 *
 *   reads, writes               it is a visible operation that may turn out to be a read; any other visible operation
 *   plain_reads, plain_writes   the same for plain accesses, and for functions that make several of them
 *   others                      it is no operation, but called often: what it leaves on the stack is wiped out
 *   nothing                     the function is called directly
 *
 * `arguments` is how many arguments are noted, all in integer registers; `-` if none are. `state` says who keeps what
 * the function changes from one call to the next:
 *
 *   ours                        the library, or nobody
 *   kernel                      the kernel or the C library: the function is in a section of its own (imports.h)
 *
 * Where something is noted the symbol `name` is an entry in assembly, which x86_64/entry.S makes of the line, and which
 * goes on to mz_entry_NAME, a function in C. MZ_HOOKS_DECLARE() declares these for a whole list, with the types that
 * headers have for them; functions that only compilers call are in no header, and are declared where they are defined.
 * All others are exported as they are (MZ_EXPORT).
 */
#ifndef MZ_RUNTIME_CORE_HOOKS_H
#define MZ_RUNTIME_CORE_HOOKS_H

/* Plain accesses, as compiled code calls them. Some are there for each size. */
#define MZ_HOOKS_ACCESSES(X, size)                                                                                     \
	X(__tsan_volatile_read##size, 1, reads, ours)                                                                  \
	X(__tsan_volatile_write##size, 1, writes, ours)                                                                \
	X(__tsan_read##size, 1, plain_reads, ours)                                                                     \
	X(__tsan_write##size, 1, plain_writes, ours)                                                                   \
	X(__tsan_read_write##size, 1, plain_writes, ours)                                                              \
	X(__tsan_unaligned_volatile_read##size, 1, reads, ours)                                                        \
	X(__tsan_unaligned_volatile_write##size, 1, writes, ours)                                                      \
	X(__tsan_unaligned_read##size, 1, plain_reads, ours)                                                           \
	X(__tsan_unaligned_write##size, 1, plain_writes, ours)                                                         \
	X(__tsan_unaligned_read_write##size, 1, plain_writes, ours)                                                    \
	X(__tsan_read##size##_pc, -, nothing, ours)                                                                    \
	X(__tsan_write##size##_pc, -, nothing, ours)
#define MZ_HOOKS_TSAN(X)                                                                                               \
	MZ_HOOKS_ACCESSES(X, 1)                                                                                        \
	MZ_HOOKS_ACCESSES(X, 2)                                                                                        \
	MZ_HOOKS_ACCESSES(X, 4)                                                                                        \
	MZ_HOOKS_ACCESSES(X, 8)                                                                                        \
	MZ_HOOKS_ACCESSES(X, 16)                                                                                       \
	X(__tsan_func_entry, -, nothing, ours)                                                                         \
	X(__tsan_func_exit, -, nothing, ours)                                                                          \
	X(__tsan_ignore_thread_begin, -, nothing, ours)                                                                \
	X(__tsan_ignore_thread_end, -, nothing, ours)                                                                  \
	X(__tsan_init, -, nothing, ours)                                                                               \
	X(__tsan_read_range, 2, plain_writes, ours)                                                                    \
	X(__tsan_vptr_read, 1, plain_writes, ours)                                                                     \
	X(__tsan_vptr_update, 2, plain_writes, ours)                                                                   \
	X(__tsan_write_range, 2, plain_writes, ours)

/* Atomic operations. They take `three` or `five` arguments, where a 128-bit operand takes two registers. */
#define MZ_HOOKS_ATOMICS(X, bits, three, five)                                                                         \
	X(__tsan_atomic##bits##_load, 2, reads, ours)                                                                  \
	X(__tsan_atomic##bits##_exchange, three, reads, ours)                                                          \
	X(__tsan_atomic##bits##_fetch_and, three, reads, ours)                                                         \
	X(__tsan_atomic##bits##_fetch_or, three, reads, ours)                                                          \
	X(__tsan_atomic##bits##_store, three, writes, ours)                                                            \
	X(__tsan_atomic##bits##_fetch_add, three, writes, ours)                                                        \
	X(__tsan_atomic##bits##_fetch_sub, three, writes, ours)                                                        \
	X(__tsan_atomic##bits##_fetch_xor, three, writes, ours)                                                        \
	X(__tsan_atomic##bits##_fetch_nand, three, writes, ours)                                                       \
	X(__tsan_atomic##bits##_compare_exchange_strong, five, reads, ours)                                            \
	X(__tsan_atomic##bits##_compare_exchange_weak, five, reads, ours)                                              \
	X(__tsan_atomic##bits##_compare_exchange_val, five, reads, ours)
#define MZ_HOOKS_ATOMIC(X)                                                                                             \
	MZ_HOOKS_ATOMICS(X, 8, 3, 5)                                                                                   \
	MZ_HOOKS_ATOMICS(X, 16, 3, 5)                                                                                  \
	MZ_HOOKS_ATOMICS(X, 32, 3, 5)                                                                                  \
	MZ_HOOKS_ATOMICS(X, 64, 3, 5)                                                                                  \
	MZ_HOOKS_ATOMICS(X, 128, 4, 6)                                                                                 \
	X(__atomic_compare_exchange, 6, writes, ours)                                                                  \
	X(__atomic_compare_exchange_16, 6, writes, ours)                                                               \
	X(__atomic_exchange, 5, writes, ours)                                                                          \
	X(__atomic_load, 4, writes, ours)                                                                              \
	X(__atomic_load_16, 2, writes, ours)                                                                           \
	X(__atomic_store, 4, writes, ours)                                                                             \
	X(__atomic_store_16, 4, writes, ours)                                                                          \
	X(__tsan_atomic_signal_fence, -, nothing, ours)                                                                \
	X(__tsan_atomic_thread_fence, -, nothing, ours)

/* What programs tell a sanitizer of themselves. */
#define MZ_HOOKS_ANNOTATIONS(X)                                                                                        \
	X(__tsan_acquire, -, nothing, ours)                                                                            \
	X(__tsan_release, -, nothing, ours)                                                                            \
	X(__tsan_mutex_create, -, nothing, ours)                                                                       \
	X(__tsan_mutex_destroy, -, nothing, ours)                                                                      \
	X(__tsan_mutex_pre_lock, -, nothing, ours)                                                                     \
	X(__tsan_mutex_post_lock, -, nothing, ours)                                                                    \
	X(__tsan_mutex_pre_unlock, -, nothing, ours)                                                                   \
	X(__tsan_mutex_post_unlock, -, nothing, ours)                                                                  \
	X(__tsan_mutex_pre_signal, -, nothing, ours)                                                                   \
	X(__tsan_mutex_post_signal, -, nothing, ours)                                                                  \
	X(__tsan_mutex_pre_divert, -, nothing, ours)                                                                   \
	X(__tsan_mutex_post_divert, -, nothing, ours)                                                                  \
	X(__tsan_get_current_fiber, -, nothing, ours)                                                                  \
	X(__tsan_create_fiber, -, nothing, ours)                                                                       \
	X(__tsan_destroy_fiber, -, nothing, ours)                                                                      \
	X(__tsan_switch_to_fiber, -, nothing, ours)                                                                    \
	X(__tsan_set_fiber_name, -, nothing, ours)                                                                     \
	X(__tsan_external_register_tag, -, nothing, ours)                                                              \
	X(__tsan_external_register_header, -, nothing, ours)                                                           \
	X(__tsan_external_assign_tag, -, nothing, ours)                                                                \
	X(__tsan_external_read, -, nothing, ours)                                                                      \
	X(__tsan_external_write, -, nothing, ours)                                                                     \
	X(__tsan_flush_memory, -, nothing, ours)                                                                       \
	X(AnnotateHappensBefore, -, nothing, ours)                                                                     \
	X(AnnotateHappensAfter, -, nothing, ours)                                                                      \
	X(AnnotateRWLockCreate, -, nothing, ours)                                                                      \
	X(AnnotateRWLockDestroy, -, nothing, ours)                                                                     \
	X(AnnotateRWLockAcquired, -, nothing, ours)                                                                    \
	X(AnnotateRWLockReleased, -, nothing, ours)

/* Instructions of the program's own assembly. */
#define MZ_HOOKS_ASSEMBLY(X) X(__mazurka_assembly, -, nothing, ours)

/* Memory and text that compilers know of. */
#define MZ_HOOKS_MEMORY(X)                                                                                             \
	X(memcpy, 3, plain_writes, ours)                                                                               \
	X(memmove, 3, plain_writes, ours)                                                                              \
	X(__memmove_chk, 4, plain_writes, ours)                                                                        \
	X(mempcpy, 3, plain_writes, ours)                                                                              \
	X(__memcpy_chk, 4, plain_writes, ours)                                                                         \
	X(memset, 3, plain_writes, ours)                                                                               \
	X(memcmp, 3, plain_writes, ours)                                                                               \
	X(memchr, 3, plain_writes, ours)                                                                               \
	X(strlen, 1, plain_writes, ours)                                                                               \
	X(strnlen, 2, plain_writes, ours)                                                                              \
	X(strcpy, 2, plain_writes, ours)                                                                               \
	X(stpcpy, 2, plain_writes, ours)                                                                               \
	X(strncpy, 3, plain_writes, ours)                                                                              \
	X(strcat, 2, plain_writes, ours)                                                                               \
	X(strncat, 3, plain_writes, ours)                                                                              \
	X(strcmp, 2, plain_writes, ours)                                                                               \
	X(strncmp, 3, plain_writes, ours)                                                                              \
	X(strchr, 2, plain_writes, ours)                                                                               \
	X(strrchr, 2, plain_writes, ours)                                                                              \
	X(strstr, 2, plain_writes, ours)                                                                               \
	X(__memset_chk, 4, plain_writes, ours)

/* Other functions of memory and text. */
#define MZ_HOOKS_TEXT(X)                                                                                               \
	X(strcasecmp, -, nothing, ours)                                                                                \
	X(strcoll, -, nothing, ours)                                                                                   \
	X(strspn, -, nothing, ours)                                                                                    \
	X(strcspn, -, nothing, ours)                                                                                   \
	X(strpbrk, -, nothing, ours)                                                                                   \
	X(strcasestr, -, nothing, ours)                                                                                \
	X(strncasecmp, -, nothing, ours)                                                                               \
	X(strchrnul, -, nothing, ours)                                                                                 \
	X(memrchr, -, nothing, ours)                                                                                   \
	X(rawmemchr, -, nothing, ours)                                                                                 \
	X(memmem, -, nothing, ours)                                                                                    \
	X(strtol, -, nothing, ours)                                                                                    \
	X(strtoll, -, nothing, ours)                                                                                   \
	X(strtoul, -, nothing, ours)                                                                                   \
	X(strtoull, -, nothing, ours)                                                                                  \
	X(strtof, -, nothing, ours)                                                                                    \
	X(strtod, -, nothing, ours)                                                                                    \
	X(strtold, -, nothing, ours)                                                                                   \
	X(atoi, -, nothing, ours)                                                                                      \
	X(atol, -, nothing, ours)                                                                                      \
	X(atoll, -, nothing, ours)                                                                                     \
	X(atof, -, nothing, ours)                                                                                      \
	X(strtok_r, -, nothing, ours)                                                                                  \
	X(strtok, -, nothing, ours)                                                                                    \
	X(strsep, -, nothing, ours)                                                                                    \
	X(qsort, -, nothing, ours)                                                                                     \
	X(qsort_r, -, nothing, ours)                                                                                   \
	X(stpncpy, -, nothing, ours)                                                                                   \
	X(memccpy, -, nothing, ours)                                                                                   \
	X(bcopy, -, nothing, ours)                                                                                     \
	X(bzero, -, nothing, ours)                                                                                     \
	X(explicit_bzero, -, nothing, ours)                                                                            \
	X(__strcpy_chk, -, nothing, ours)                                                                              \
	X(__stpcpy_chk, -, nothing, ours)                                                                              \
	X(__strcat_chk, -, nothing, ours)                                                                              \
	X(__strncat_chk, -, nothing, ours)                                                                             \
	X(__strncpy_chk, -, nothing, ours)                                                                             \
	X(getdelim, -, nothing, kernel)                                                                                \
	X(getline, -, nothing, kernel)                                                                                 \
	X(fgets, -, nothing, kernel)                                                                                   \
	X(fputs, -, nothing, kernel)                                                                                   \
	X(puts, -, nothing, kernel)

/* The heap. */
#define MZ_HOOKS_HEAP(X)                                                                                               \
	X(malloc, 0, others, ours)                                                                                     \
	X(calloc, 0, others, ours)                                                                                     \
	X(memalign, 0, others, ours)                                                                                   \
	X(aligned_alloc, 0, others, ours)                                                                              \
	X(valloc, 0, others, ours)                                                                                     \
	X(pvalloc, 0, others, ours)                                                                                    \
	X(posix_memalign, 0, others, ours)                                                                             \
	X(realloc, 2, plain_writes, ours)                                                                              \
	X(reallocarray, 3, plain_writes, ours)                                                                         \
	X(free, 1, plain_writes, ours)                                                                                 \
	X(malloc_usable_size, -, nothing, ours)                                                                        \
	X(strdup, 1, plain_writes, ours)                                                                               \
	X(strndup, 2, plain_writes, ours)

/* The heap, in C++: `new` and `delete` are the letters of a form, single or of arrays, in mangled names. */
#define MZ_HOOKS_NEWS(X, new, delete)                                                                                  \
	X(_Zn##new##mRKSt9nothrow_t, 0, others, ours)                                                                  \
	X(_Zn##new##m, 0, others, ours)                                                                                \
	X(_Zn##new##mSt11align_val_t, 0, others, ours)                                                                 \
	X(_Zn##new##mSt11align_val_tRKSt9nothrow_t, 0, others, ours)                                                   \
	X(_Zd##delete##Pv, 0, others, ours)                                                                            \
	X(_Zd##delete##PvRKSt9nothrow_t, 0, others, ours)                                                              \
	X(_Zd##delete##PvSt11align_val_t, 0, others, ours)                                                             \
	X(_Zd##delete##Pvm, 0, others, ours)                                                                           \
	X(_Zd##delete##PvSt11align_val_tRKSt9nothrow_t, 0, others, ours)                                               \
	X(_Zd##delete##PvmSt11align_val_t, 0, others, ours)
#define MZ_HOOKS_NEW(X)                                                                                                \
	MZ_HOOKS_NEWS(X, w, l)                                                                                         \
	MZ_HOOKS_NEWS(X, a, a)

/* Threads, mutexes, conditions. */
#define MZ_HOOKS_PTHREAD(X)                                                                                            \
	X(pthread_create, 0, others, ours)                                                                             \
	X(pthread_detach, 0, others, ours)                                                                             \
	X(pthread_join, 2, writes, ours)                                                                               \
	X(pthread_exit, -, nothing, ours)                                                                              \
	X(pthread_self, -, nothing, ours)                                                                              \
	X(pthread_equal, -, nothing, ours)                                                                             \
	X(pthread_mutex_init, -, nothing, ours)                                                                        \
	X(pthread_mutex_destroy, 1, writes, ours)                                                                      \
	X(pthread_mutex_lock, 1, writes, ours)                                                                         \
	X(pthread_mutex_trylock, 1, reads, ours)                                                                       \
	X(pthread_mutex_timedlock, 2, reads, ours)                                                                     \
	X(pthread_mutex_clocklock, 3, reads, ours)                                                                     \
	X(pthread_mutex_unlock, 1, writes, ours)                                                                       \
	X(pthread_mutex_getprioceiling, -, nothing, ours)                                                              \
	X(pthread_mutex_setprioceiling, -, nothing, ours)                                                              \
	X(pthread_cond_init, -, nothing, ours)                                                                         \
	X(pthread_cond_destroy, 1, writes, ours)                                                                       \
	X(pthread_cond_wait, 2, writes, ours)                                                                          \
	X(pthread_cond_timedwait, 3, writes, ours)                                                                     \
	X(pthread_cond_clockwait, 4, writes, ours)                                                                     \
	X(pthread_cond_signal, 1, writes, ours)                                                                        \
	X(pthread_cond_broadcast, 1, writes, ours)                                                                     \
	X(pthread_mutex_consistent, -, nothing, ours)

/* Read-write locks, spin locks, barriers. */
#define MZ_HOOKS_LOCKS(X)                                                                                              \
	X(pthread_rwlock_init, -, nothing, ours)                                                                       \
	X(pthread_rwlock_destroy, 1, writes, ours)                                                                     \
	X(pthread_rwlock_rdlock, 1, writes, ours)                                                                      \
	X(pthread_rwlock_wrlock, 1, writes, ours)                                                                      \
	X(pthread_rwlock_unlock, 1, writes, ours)                                                                      \
	X(pthread_rwlock_tryrdlock, 1, reads, ours)                                                                    \
	X(pthread_rwlock_trywrlock, 1, reads, ours)                                                                    \
	X(pthread_rwlock_timedrdlock, 2, reads, ours)                                                                  \
	X(pthread_rwlock_clockrdlock, 3, reads, ours)                                                                  \
	X(pthread_rwlock_timedwrlock, 2, reads, ours)                                                                  \
	X(pthread_rwlock_clockwrlock, 3, reads, ours)                                                                  \
	X(pthread_spin_init, -, nothing, ours)                                                                         \
	X(pthread_spin_destroy, 1, writes, ours)                                                                       \
	X(pthread_spin_lock, 1, writes, ours)                                                                          \
	X(pthread_spin_trylock, 1, reads, ours)                                                                        \
	X(pthread_spin_unlock, 1, writes, ours)                                                                        \
	X(pthread_barrier_init, -, nothing, ours)                                                                      \
	X(pthread_barrier_destroy, 1, writes, ours)                                                                    \
	X(pthread_barrier_wait, 1, writes, ours)

/* Semaphores. */
#define MZ_HOOKS_SEMAPHORE(X)                                                                                          \
	X(sem_init, -, nothing, ours)                                                                                  \
	X(sem_destroy, 1, writes, ours)                                                                                \
	X(sem_wait, 1, writes, ours)                                                                                   \
	X(sem_trywait, 1, reads, ours)                                                                                 \
	X(sem_post, 1, writes, ours)                                                                                   \
	X(sem_timedwait, 2, reads, ours)                                                                               \
	X(sem_clockwait, 3, reads, ours)                                                                               \
	X(sem_getvalue, 2, writes, ours)                                                                               \
	X(sem_open, -, nothing, ours)                                                                                  \
	X(sem_close, -, nothing, ours)                                                                                 \
	X(sem_unlink, 1, writes, ours)

/* Functions of <threads.h>. */
#define MZ_HOOKS_THREADS(X)                                                                                            \
	X(thrd_create, 0, others, ours)                                                                                \
	X(thrd_detach, 0, others, ours)                                                                                \
	X(thrd_join, 2, writes, ours)                                                                                  \
	X(thrd_exit, -, nothing, ours)                                                                                 \
	X(thrd_current, -, nothing, ours)                                                                              \
	X(thrd_equal, -, nothing, ours)                                                                                \
	X(mtx_init, -, nothing, ours)                                                                                  \
	X(mtx_destroy, 1, writes, ours)                                                                                \
	X(mtx_lock, 1, writes, ours)                                                                                   \
	X(mtx_trylock, 1, reads, ours)                                                                                 \
	X(mtx_timedlock, 2, reads, ours)                                                                               \
	X(mtx_unlock, 1, writes, ours)                                                                                 \
	X(cnd_init, -, nothing, ours)                                                                                  \
	X(cnd_destroy, 1, writes, ours)                                                                                \
	X(cnd_wait, 2, writes, ours)                                                                                   \
	X(cnd_timedwait, 3, writes, ours)                                                                              \
	X(cnd_signal, 1, writes, ours)                                                                                 \
	X(cnd_broadcast, 1, writes, ours)

/* What compilers call for C++. */
#define MZ_HOOKS_CXX(X)                                                                                                \
	X(__cxa_guard_acquire, 1, writes, ours)                                                                        \
	X(__cxa_guard_release, 1, writes, ours)                                                                        \
	X(__cxa_guard_abort, 1, writes, ours)                                                                          \
	X(__cxa_thread_atexit_impl, -, nothing, ours)

/* Keys, once, cleanup handlers. */
#define MZ_HOOKS_LEAVING(X)                                                                                            \
	X(pthread_once, 2, writes, ours)                                                                               \
	X(call_once, 2, writes, ours)                                                                                  \
	X(pthread_key_create, 2, writes, ours)                                                                         \
	X(pthread_key_delete, 1, writes, ours)                                                                         \
	X(pthread_setspecific, -, nothing, ours)                                                                       \
	X(pthread_getspecific, -, nothing, ours)                                                                       \
	X(tss_create, 2, writes, ours)                                                                                 \
	X(tss_delete, 1, writes, ours)                                                                                 \
	X(tss_set, -, nothing, ours)                                                                                   \
	X(tss_get, -, nothing, ours)                                                                                   \
	X(__pthread_register_cancel, -, nothing, ours)                                                                 \
	X(__pthread_unregister_cancel, -, nothing, ours)                                                               \
	X(__pthread_unwind_next, -, nothing, ours)                                                                     \
	X(pthread_tryjoin_np, 2, writes, ours)                                                                         \
	X(pthread_timedjoin_np, 3, writes, ours)                                                                       \
	X(pthread_clockjoin_np, 4, writes, ours)

/* Cancellation. */
#define MZ_HOOKS_CANCEL(X)                                                                                             \
	X(pthread_cancel, 1, writes, ours)                                                                             \
	X(pthread_testcancel, 0, reads, ours)                                                                          \
	X(pthread_setcancelstate, 0, others, ours)                                                                     \
	X(pthread_setcanceltype, 0, others, ours)

/* Signals, and jumps. */
#define MZ_HOOKS_SIGNALS(X)                                                                                            \
	X(pthread_kill, 2, writes, ours)                                                                               \
	X(kill, 2, writes, kernel)                                                                                     \
	X(raise, 1, writes, ours)                                                                                      \
	X(sigaction, 3, writes, kernel)                                                                                \
	X(signal, 2, writes, kernel)                                                                                   \
	X(pthread_sigmask, 3, writes, ours)                                                                            \
	X(sigprocmask, 3, writes, ours)                                                                                \
	X(sigpending, 1, writes, ours)                                                                                 \
	X(sigwait, 2, writes, ours)                                                                                    \
	X(sigwaitinfo, 2, writes, ours)                                                                                \
	X(sigtimedwait, 3, writes, ours)                                                                               \
	X(pause, 0, writes, ours)                                                                                      \
	X(sigsuspend, 1, writes, ours)                                                                                 \
	X(sysv_signal, -, nothing, ours)                                                                               \
	X(__sysv_signal, -, nothing, ours)                                                                             \
	X(sigaltstack, -, nothing, ours)                                                                               \
	X(setcontext, -, nothing, ours)                                                                                \
	X(longjmp, -, nothing, ours)                                                                                   \
	X(_longjmp, -, nothing, ours)                                                                                  \
	X(siglongjmp, -, nothing, ours)                                                                                \
	X(__longjmp_chk, -, nothing, ours)

/* Places to come back to. */
#define MZ_HOOKS_BEFORE(X)                                                                                             \
	X(__sigsetjmp, -, nothing, ours)                                                                               \
	X(getcontext, -, nothing, ours)                                                                                \
	X(swapcontext, -, nothing, ours)

/* About threads. */
#define MZ_HOOKS_ATTRIBUTES(X)                                                                                         \
	X(pthread_getattr_np, -, nothing, ours)                                                                        \
	X(pthread_setname_np, -, nothing, ours)                                                                        \
	X(pthread_getname_np, -, nothing, ours)                                                                        \
	X(pthread_getschedparam, -, nothing, ours)                                                                     \
	X(pthread_setschedparam, -, nothing, ours)                                                                     \
	X(pthread_setschedprio, -, nothing, ours)                                                                      \
	X(pthread_getaffinity_np, -, nothing, ours)                                                                    \
	X(pthread_setaffinity_np, -, nothing, ours)

/* Time, and sleeping. */
#define MZ_HOOKS_TIME(X)                                                                                               \
	X(sched_yield, 0, writes, ours)                                                                                \
	X(thrd_yield, 0, writes, ours)                                                                                 \
	X(sleep, 1, reads, ours)                                                                                       \
	X(usleep, 1, reads, ours)                                                                                      \
	X(nanosleep, 2, reads, ours)                                                                                   \
	X(clock_nanosleep, 4, reads, ours)                                                                             \
	X(thrd_sleep, 2, reads, ours)                                                                                  \
	X(clock_gettime, 2, reads, ours)                                                                               \
	X(clock_settime, -, nothing, ours)                                                                             \
	X(gettimeofday, 2, reads, ours)                                                                                \
	X(time, 1, reads, ours)                                                                                        \
	X(timespec_get, 2, reads, ours)                                                                                \
	X(clock, 0, reads, ours)                                                                                       \
	X(times, 1, reads, ours)

/* Ends of the process. */
#define MZ_HOOKS_EXIT(X)                                                                                               \
	X(abort, -, nothing, ours)                                                                                     \
	X(exit, -, nothing, ours)                                                                                      \
	X(__assert_fail, -, nothing, ours)                                                                             \
	X(__assert, -, nothing, ours)                                                                                  \
	X(__assert_perror_fail, -, nothing, ours)                                                                      \
	X(_exit, -, nothing, ours)                                                                                     \
	X(_Exit, -, nothing, ours)                                                                                     \
	X(quick_exit, -, nothing, ours)                                                                                \
	X(__cxa_atexit, -, nothing, ours)                                                                              \
	X(on_exit, -, nothing, ours)                                                                                   \
	X(__register_atfork, -, nothing, ours)

/* The beginning of the process. */
#define MZ_HOOKS_START(X) X(__libc_start_main, -, nothing, ours)

/* Explorations that the program asks for. */
#define MZ_HOOKS_CHECK(X) X(mz_check, -, nothing, ours)

/* Functions of <mazurka.h>. */
#define MZ_HOOKS_MAZURKA(X)                                                                                            \
	X(mz_choose, 1, writes, ours)                                                                                  \
	X(mz_yield, 0, writes, ours)                                                                                   \
	X(mz_access, 2, writes, ours)                                                                                  \
	X(mz_invariant, -, nothing, ours)                                                                              \
	X(mz_exploring, -, nothing, ours)

/* Pipes, sockets, events. */
#define MZ_HOOKS_CHANNELS(X)                                                                                           \
	X(pipe, 1, writes, ours)                                                                                       \
	X(pipe2, 2, writes, ours)                                                                                      \
	X(socketpair, 4, writes, ours)                                                                                 \
	X(eventfd, 2, writes, ours)                                                                                    \
	X(close, 1, writes, ours)                                                                                      \
	X(close_range, 3, writes, ours)                                                                                \
	X(closefrom, 1, writes, ours)                                                                                  \
	X(read, 3, reads, ours)                                                                                        \
	X(readv, 3, reads, ours)                                                                                       \
	X(recv, 4, reads, ours)                                                                                        \
	X(recvfrom, 6, reads, ours)                                                                                    \
	X(recvmsg, 3, reads, ours)                                                                                     \
	X(__read_chk, -, nothing, ours)                                                                                \
	X(__recv_chk, -, nothing, ours)                                                                                \
	X(eventfd_read, 2, reads, ours)                                                                                \
	X(write, 3, reads, ours)                                                                                       \
	X(writev, 3, reads, ours)                                                                                      \
	X(send, 4, reads, ours)                                                                                        \
	X(sendto, 6, reads, ours)                                                                                      \
	X(sendmsg, 3, reads, ours)                                                                                     \
	X(eventfd_write, 2, reads, ours)                                                                               \
	X(shutdown, 2, writes, ours)

/* Waiting for descriptors. */
#define MZ_HOOKS_POLLING(X)                                                                                            \
	X(poll, 3, reads, ours)                                                                                        \
	X(ppoll, 4, reads, ours)                                                                                       \
	X(__poll_chk, -, nothing, ours)                                                                                \
	X(select, 5, reads, ours)                                                                                      \
	X(pselect, 6, reads, ours)                                                                                     \
	X(epoll_create, 1, writes, ours)                                                                               \
	X(epoll_create1, 1, writes, ours)                                                                              \
	X(epoll_ctl, 4, writes, ours)                                                                                  \
	X(epoll_wait, 4, reads, ours)                                                                                  \
	X(epoll_pwait, 5, reads, ours)                                                                                 \
	X(epoll_pwait2, 5, reads, ours)

/* Files. */
#define MZ_HOOKS_FILES(X)                                                                                              \
	X(open, -, nothing, kernel)                                                                                    \
	X(openat, -, nothing, kernel)                                                                                  \
	X(open64, -, nothing, kernel)                                                                                  \
	X(openat64, -, nothing, kernel)                                                                                \
	X(creat, -, nothing, kernel)                                                                                   \
	X(creat64, -, nothing, kernel)                                                                                 \
	X(dup3, -, nothing, kernel)                                                                                    \
	X(dup2, -, nothing, kernel)                                                                                    \
	X(dup, -, nothing, kernel)                                                                                     \
	X(mkstemp, -, nothing, kernel)                                                                                 \
	X(mkstemp64, -, nothing, kernel)                                                                               \
	X(mkostemp, -, nothing, kernel)                                                                                \
	X(mkostemp64, -, nothing, kernel)                                                                              \
	X(mkstemps, -, nothing, kernel)                                                                                \
	X(mkstemps64, -, nothing, kernel)                                                                              \
	X(fdopen, -, nothing, kernel)                                                                                  \
	X(fopen, -, nothing, kernel)                                                                                   \
	X(fopen64, -, nothing, kernel)                                                                                 \
	X(freopen, -, nothing, kernel)                                                                                 \
	X(freopen64, -, nothing, kernel)                                                                               \
	X(tmpfile, -, nothing, kernel)                                                                                 \
	X(tmpfile64, -, nothing, kernel)                                                                               \
	X(fclose, -, nothing, kernel)                                                                                  \
	X(unlink, -, nothing, kernel)                                                                                  \
	X(remove, -, nothing, kernel)                                                                                  \
	X(rename, -, nothing, kernel)                                                                                  \
	X(truncate, -, nothing, kernel)                                                                                \
	X(truncate64, -, nothing, kernel)                                                                              \
	X(ftruncate, -, nothing, kernel)                                                                               \
	X(ftruncate64, -, nothing, kernel)                                                                             \
	X(access, -, nothing, kernel)                                                                                  \
	X(pwrite, -, nothing, kernel)                                                                                  \
	X(pwrite64, -, nothing, kernel)                                                                                \
	X(fwrite, -, nothing, kernel)

/* Streams. */
#define MZ_HOOKS_STREAMS(X)                                                                                            \
	X(fgetc, -, nothing, kernel)                                                                                   \
	X(getc, -, nothing, kernel)                                                                                    \
	X(_IO_getc, -, nothing, kernel)                                                                                \
	X(fgetc_unlocked, -, nothing, kernel)                                                                          \
	X(getc_unlocked, -, nothing, kernel)                                                                           \
	X(ungetc, -, nothing, kernel)                                                                                  \
	X(__getdelim, -, nothing, kernel)                                                                              \
	X(fgets_unlocked, -, nothing, kernel)                                                                          \
	X(fgetwc, -, nothing, kernel)                                                                                  \
	X(getwc, -, nothing, kernel)                                                                                   \
	X(fgetws, -, nothing, kernel)                                                                                  \
	X(getw, -, nothing, kernel)                                                                                    \
	X(putc, -, nothing, kernel)                                                                                    \
	X(_IO_putc, -, nothing, kernel)                                                                                \
	X(fputc_unlocked, -, nothing, kernel)                                                                          \
	X(putc_unlocked, -, nothing, kernel)                                                                           \
	X(fputs_unlocked, -, nothing, kernel)                                                                          \
	X(fwrite_unlocked, -, nothing, kernel)                                                                         \
	X(fputwc, -, nothing, kernel)                                                                                  \
	X(putwc, -, nothing, kernel)                                                                                   \
	X(fputws, -, nothing, kernel)                                                                                  \
	X(putw, -, nothing, kernel)                                                                                    \
	X(fflush, -, nothing, kernel)                                                                                  \
	X(fflush_unlocked, -, nothing, kernel)                                                                         \
	X(fseek, -, nothing, kernel)                                                                                   \
	X(fseeko, -, nothing, kernel)                                                                                  \
	X(fseeko64, -, nothing, kernel)                                                                                \
	X(ftell, -, nothing, kernel)                                                                                   \
	X(ftello, -, nothing, kernel)                                                                                  \
	X(ftello64, -, nothing, kernel)                                                                                \
	X(rewind, -, nothing, kernel)                                                                                  \
	X(fgetpos, -, nothing, kernel)                                                                                 \
	X(fgetpos64, -, nothing, kernel)                                                                               \
	X(fsetpos, -, nothing, kernel)                                                                                 \
	X(fsetpos64, -, nothing, kernel)                                                                               \
	X(feof, -, nothing, kernel)                                                                                    \
	X(ferror, -, nothing, kernel)                                                                                  \
	X(clearerr, -, nothing, kernel)                                                                                \
	X(fputc, -, nothing, kernel)                                                                                   \
	X(flockfile, -, nothing, ours)                                                                                 \
	X(ftrylockfile, -, nothing, ours)                                                                              \
	X(funlockfile, -, nothing, ours)

/* printf and its kin. */
#define MZ_HOOKS_PRINT(X)                                                                                              \
	X(vsnprintf, -, nothing, ours)                                                                                 \
	X(sprintf, -, nothing, ours)                                                                                   \
	X(snprintf, -, nothing, ours)                                                                                  \
	X(vsprintf, -, nothing, ours)                                                                                  \
	X(__sprintf_chk, -, nothing, ours)                                                                             \
	X(__snprintf_chk, -, nothing, ours)                                                                            \
	X(__vsprintf_chk, -, nothing, ours)                                                                            \
	X(__vsnprintf_chk, -, nothing, ours)                                                                           \
	X(vasprintf, -, nothing, ours)                                                                                 \
	X(asprintf, -, nothing, ours)                                                                                  \
	X(__asprintf_chk, -, nothing, ours)                                                                            \
	X(printf, -, nothing, kernel)                                                                                  \
	X(vfprintf, -, nothing, kernel)                                                                                \
	X(fprintf, -, nothing, kernel)                                                                                 \
	X(dprintf, -, nothing, kernel)                                                                                 \
	X(vdprintf, -, nothing, kernel)                                                                                \
	X(__printf_chk, -, nothing, kernel)                                                                            \
	X(__fprintf_chk, -, nothing, kernel)                                                                           \
	X(__dprintf_chk, -, nothing, kernel)                                                                           \
	X(vprintf, -, nothing, kernel)                                                                                 \
	X(__vprintf_chk, -, nothing, kernel)                                                                           \
	X(__vfprintf_chk, -, nothing, kernel)                                                                          \
	X(__vdprintf_chk, -, nothing, kernel)

/* scanf and its kin. */
#define MZ_HOOKS_SCAN(X)                                                                                               \
	X(sscanf, -, nothing, kernel)                                                                                  \
	X(vsscanf, -, nothing, kernel)                                                                                 \
	X(fscanf, -, nothing, kernel)                                                                                  \
	X(vfscanf, -, nothing, kernel)                                                                                 \
	X(scanf, -, nothing, kernel)                                                                                   \
	X(vscanf, -, nothing, kernel)                                                                                  \
	X(__isoc23_fscanf, -, nothing, kernel)                                                                         \
	X(__isoc23_scanf, -, nothing, kernel)                                                                          \
	X(__isoc23_sscanf, -, nothing, kernel)                                                                         \
	X(__isoc23_vfscanf, -, nothing, kernel)                                                                        \
	X(__isoc23_vscanf, -, nothing, kernel)                                                                         \
	X(__isoc23_vsscanf, -, nothing, kernel)                                                                        \
	X(__isoc99_fscanf, -, nothing, kernel)                                                                         \
	X(__isoc99_scanf, -, nothing, kernel)                                                                          \
	X(__isoc99_sscanf, -, nothing, kernel)                                                                         \
	X(__isoc99_vfscanf, -, nothing, kernel)                                                                        \
	X(__isoc99_vscanf, -, nothing, kernel)                                                                         \
	X(__isoc99_vsscanf, -, nothing, kernel)

/* Mapped memory. */
#define MZ_HOOKS_MAPPING(X)                                                                                            \
	X(mmap, -, nothing, kernel)                                                                                    \
	X(mmap64, -, nothing, kernel)                                                                                  \
	X(mprotect, -, nothing, kernel)                                                                                \
	X(munmap, -, nothing, kernel)                                                                                  \
	X(mremap, -, nothing, kernel)

/* Names of files that do not exist yet. */
#define MZ_HOOKS_NAMES(X)                                                                                              \
	X(tmpnam, -, nothing, ours)                                                                                    \
	X(tmpnam_r, -, nothing, ours)                                                                                  \
	X(tempnam, -, nothing, ours)                                                                                   \
	X(mktemp, -, nothing, ours)

/* Random numbers. */
#define MZ_HOOKS_RANDOM(X)                                                                                             \
	X(random, -, nothing, ours)                                                                                    \
	X(rand, -, nothing, ours)                                                                                      \
	X(srand, -, nothing, ours)                                                                                     \
	X(srandom, -, nothing, ours)                                                                                   \
	X(initstate, -, nothing, ours)                                                                                 \
	X(setstate, -, nothing, ours)                                                                                  \
	X(drand48, -, nothing, ours)                                                                                   \
	X(erand48, -, nothing, ours)                                                                                   \
	X(lrand48, -, nothing, ours)                                                                                   \
	X(nrand48, -, nothing, ours)                                                                                   \
	X(mrand48, -, nothing, ours)                                                                                   \
	X(jrand48, -, nothing, ours)                                                                                   \
	X(srand48, -, nothing, ours)                                                                                   \
	X(seed48, -, nothing, ours)                                                                                    \
	X(lcong48, -, nothing, ours)                                                                                   \
	X(getrandom, -, nothing, ours)                                                                                 \
	X(getentropy, -, nothing, ours)                                                                                \
	X(arc4random, -, nothing, ours)                                                                                \
	X(arc4random_uniform, -, nothing, ours)                                                                        \
	X(arc4random_buf, -, nothing, ours)                                                                            \
	X(_ZNSt13random_device9_M_getvalEv, -, nothing, ours)                                                          \
	X(_ZNSt13random_device16_M_getval_pretr1Ev, -, nothing, ours)                                                  \
	X(_ZNSt3__113random_deviceclEv, -, nothing, ours)

/* Environment variables. */
#define MZ_HOOKS_ENVIRONMENT(X)                                                                                        \
	X(getenv, -, nothing, ours)                                                                                    \
	X(secure_getenv, -, nothing, ours)                                                                             \
	X(setenv, -, nothing, ours)                                                                                    \
	X(unsetenv, -, nothing, ours)                                                                                  \
	X(putenv, -, nothing, ours)                                                                                    \
	X(clearenv, -, nothing, ours)

/* Options of the command line. */
#define MZ_HOOKS_OPTIONS(X)                                                                                            \
	X(getopt, -, nothing, ours)                                                                                    \
	X(__posix_getopt, -, nothing, ours)                                                                            \
	X(getopt_long, -, nothing, ours)                                                                               \
	X(getopt_long_only, -, nothing, ours)

/* Libraries that are loaded while the program runs. */
#define MZ_HOOKS_PLUGIN(X)                                                                                             \
	X(dlopen, -, nothing, kernel)                                                                                  \
	X(dlclose, -, nothing, kernel)                                                                                 \
	X(dlerror, -, nothing, kernel)

/* Settings of the process. */
#define MZ_HOOKS_SURROUNDINGS(X)                                                                                       \
	X(alarm, -, nothing, kernel)                                                                                   \
	X(timer_create, -, nothing, kernel)                                                                            \
	X(umask, -, nothing, kernel)                                                                                   \
	X(chdir, -, nothing, kernel)                                                                                   \
	X(fchdir, -, nothing, kernel)                                                                                  \
	X(setrlimit, -, nothing, kernel)                                                                               \
	X(setrlimit64, -, nothing, kernel)                                                                             \
	X(nice, -, nothing, kernel)                                                                                    \
	X(setpriority, -, nothing, kernel)                                                                             \
	X(setlocale, -, nothing, kernel)                                                                               \
	X(uselocale, -, nothing, kernel)                                                                               \
	X(mblen, -, nothing, kernel)                                                                                   \
	X(mbtowc, -, nothing, kernel)                                                                                  \
	X(wctomb, -, nothing, kernel)                                                                                  \
	X(textdomain, -, nothing, kernel)                                                                              \
	X(openlog, -, nothing, kernel)                                                                                 \
	X(closelog, -, nothing, kernel)                                                                                \
	X(setlogmask, -, nothing, kernel)                                                                              \
	X(hcreate, -, nothing, kernel)                                                                                 \
	X(hdestroy, -, nothing, kernel)                                                                                \
	X(setpwent, -, nothing, kernel)                                                                                \
	X(getpwent, -, nothing, kernel)                                                                                \
	X(getpwent_r, -, nothing, kernel)                                                                              \
	X(endpwent, -, nothing, kernel)                                                                                \
	X(setspent, -, nothing, kernel)                                                                                \
	X(getspent, -, nothing, kernel)                                                                                \
	X(endspent, -, nothing, kernel)                                                                                \
	X(setgrent, -, nothing, kernel)                                                                                \
	X(getgrent, -, nothing, kernel)                                                                                \
	X(getgrent_r, -, nothing, kernel)                                                                              \
	X(endgrent, -, nothing, kernel)                                                                                \
	X(sethostent, -, nothing, kernel)                                                                              \
	X(gethostent, -, nothing, kernel)                                                                              \
	X(endhostent, -, nothing, kernel)                                                                              \
	X(setservent, -, nothing, kernel)                                                                              \
	X(getservent, -, nothing, kernel)                                                                              \
	X(endservent, -, nothing, kernel)                                                                              \
	X(setprotoent, -, nothing, kernel)                                                                             \
	X(getprotoent, -, nothing, kernel)                                                                             \
	X(endprotoent, -, nothing, kernel)                                                                             \
	X(setnetent, -, nothing, kernel)                                                                               \
	X(getnetent, -, nothing, kernel)                                                                               \
	X(endnetent, -, nothing, kernel)                                                                               \
	X(setnetgrent, -, nothing, kernel)                                                                             \
	X(getnetgrent, -, nothing, kernel)                                                                             \
	X(endnetgrent, -, nothing, kernel)                                                                             \
	X(setutent, -, nothing, kernel)                                                                                \
	X(getutent, -, nothing, kernel)                                                                                \
	X(endutent, -, nothing, kernel)                                                                                \
	X(setutxent, -, nothing, kernel)                                                                               \
	X(getutxent, -, nothing, kernel)                                                                               \
	X(endutxent, -, nothing, kernel)                                                                               \
	X(setusershell, -, nothing, kernel)                                                                            \
	X(getusershell, -, nothing, kernel)                                                                            \
	X(endusershell, -, nothing, kernel)                                                                            \
	X(setfsent, -, nothing, kernel)                                                                                \
	X(getfsent, -, nothing, kernel)                                                                                \
	X(endfsent, -, nothing, kernel)                                                                                \
	X(setttyent, -, nothing, kernel)                                                                               \
	X(getttyent, -, nothing, kernel)                                                                               \
	X(endttyent, -, nothing, kernel)

/* Functions by which the kernel writes to memory. */
#define MZ_HOOKS_SYSTEM(X)                                                                                             \
	X(fcntl, -, nothing, kernel)                                                                                   \
	X(pread, -, nothing, kernel)                                                                                   \
	X(pread64, -, nothing, kernel)                                                                                 \
	X(__pread_chk, -, nothing, kernel)                                                                             \
	X(__pread64_chk, -, nothing, kernel)                                                                           \
	X(preadv, -, nothing, kernel)                                                                                  \
	X(preadv64, -, nothing, kernel)                                                                                \
	X(preadv2, -, nothing, kernel)                                                                                 \
	X(preadv64v2, -, nothing, kernel)                                                                              \
	X(process_vm_readv, -, nothing, kernel)                                                                        \
	X(readlink, -, nothing, kernel)                                                                                \
	X(__readlink_chk, -, nothing, kernel)                                                                          \
	X(readlinkat, -, nothing, kernel)                                                                              \
	X(__readlinkat_chk, -, nothing, kernel)                                                                        \
	X(getdents64, -, nothing, kernel)                                                                              \
	X(getxattr, -, nothing, kernel)                                                                                \
	X(lgetxattr, -, nothing, kernel)                                                                               \
	X(fgetxattr, -, nothing, kernel)                                                                               \
	X(listxattr, -, nothing, kernel)                                                                               \
	X(llistxattr, -, nothing, kernel)                                                                              \
	X(flistxattr, -, nothing, kernel)                                                                              \
	X(mq_receive, -, nothing, kernel)                                                                              \
	X(mq_timedreceive, -, nothing, kernel)                                                                         \
	X(msgrcv, -, nothing, kernel)                                                                                  \
	X(getcwd, -, nothing, kernel)                                                                                  \
	X(__getcwd_chk, -, nothing, kernel)                                                                            \
	X(fread, -, nothing, kernel)                                                                                   \
	X(fread_unlocked, -, nothing, kernel)                                                                          \
	X(__fread_chk, -, nothing, kernel)                                                                             \
	X(__fread_unlocked_chk, -, nothing, kernel)                                                                    \
	X(recvmmsg, -, nothing, kernel)                                                                                \
	X(accept, -, nothing, kernel)                                                                                  \
	X(accept4, -, nothing, kernel)                                                                                 \
	X(getsockname, -, nothing, kernel)                                                                             \
	X(getpeername, -, nothing, kernel)                                                                             \
	X(getsockopt, -, nothing, kernel)                                                                              \
	X(stat, -, nothing, kernel)                                                                                    \
	X(lstat, -, nothing, kernel)                                                                                   \
	X(fstat, -, nothing, kernel)                                                                                   \
	X(fstatat, -, nothing, kernel)                                                                                 \
	X(stat64, -, nothing, kernel)                                                                                  \
	X(lstat64, -, nothing, kernel)                                                                                 \
	X(fstat64, -, nothing, kernel)                                                                                 \
	X(fstatat64, -, nothing, kernel)                                                                               \
	X(__xstat, -, nothing, kernel)                                                                                 \
	X(__lxstat, -, nothing, kernel)                                                                                \
	X(__fxstat, -, nothing, kernel)                                                                                \
	X(__fxstatat, -, nothing, kernel)                                                                              \
	X(statx, -, nothing, kernel)                                                                                   \
	X(statfs, -, nothing, kernel)                                                                                  \
	X(fstatfs, -, nothing, kernel)                                                                                 \
	X(statfs64, -, nothing, kernel)                                                                                \
	X(fstatfs64, -, nothing, kernel)                                                                               \
	X(lseek, -, nothing, kernel)                                                                                   \
	X(lseek64, -, nothing, kernel)                                                                                 \
	X(sendfile, -, nothing, kernel)                                                                                \
	X(sendfile64, -, nothing, kernel)                                                                              \
	X(copy_file_range, -, nothing, kernel)                                                                         \
	X(splice, -, nothing, kernel)                                                                                  \
	X(wait, -, nothing, kernel)                                                                                    \
	X(waitpid, -, nothing, kernel)                                                                                 \
	X(wait3, -, nothing, kernel)                                                                                   \
	X(wait4, -, nothing, kernel)                                                                                   \
	X(waitid, -, nothing, kernel)                                                                                  \
	X(getrusage, -, nothing, kernel)                                                                               \
	X(getrlimit, -, nothing, kernel)                                                                               \
	X(getrlimit64, -, nothing, kernel)                                                                             \
	X(prlimit, -, nothing, kernel)                                                                                 \
	X(prlimit64, -, nothing, kernel)                                                                               \
	X(getitimer, -, nothing, kernel)                                                                               \
	X(setitimer, -, nothing, kernel)                                                                               \
	X(timer_gettime, -, nothing, kernel)                                                                           \
	X(timer_settime, -, nothing, kernel)                                                                           \
	X(timerfd_gettime, -, nothing, kernel)                                                                         \
	X(timerfd_settime, -, nothing, kernel)                                                                         \
	X(uname, -, nothing, kernel)                                                                                   \
	X(sysinfo, -, nothing, kernel)                                                                                 \
	X(getresuid, -, nothing, kernel)                                                                               \
	X(getresgid, -, nothing, kernel)                                                                               \
	X(getgroups, -, nothing, kernel)                                                                               \
	X(sched_getaffinity, -, nothing, kernel)                                                                       \
	X(sched_getparam, -, nothing, kernel)                                                                          \
	X(ioctl, -, nothing, kernel)                                                                                   \
	X(fcntl64, -, nothing, kernel)                                                                                 \
	X(prctl, -, nothing, kernel)                                                                                   \
	X(syscall, 6, writes, kernel)

/* Functions that are let through, and counted. */
#define MZ_HOOKS_UNCONTROLLED(X)                                                                                       \
	X(bind, -, nothing, kernel)                                                                                    \
	X(chmod, -, nothing, kernel)                                                                                   \
	X(chown, -, nothing, kernel)                                                                                   \
	X(connect, -, nothing, kernel)                                                                                 \
	X(flock, -, nothing, kernel)                                                                                   \
	X(getaddrinfo, -, nothing, kernel)                                                                             \
	X(gethostbyname, -, nothing, kernel)                                                                           \
	X(inotify_add_watch, -, nothing, kernel)                                                                       \
	X(inotify_init, -, nothing, kernel)                                                                            \
	X(inotify_init1, -, nothing, kernel)                                                                           \
	X(link, -, nothing, kernel)                                                                                    \
	X(listen, -, nothing, kernel)                                                                                  \
	X(lockf, -, nothing, kernel)                                                                                   \
	X(mkdir, -, nothing, kernel)                                                                                   \
	X(mkdtemp, -, nothing, kernel)                                                                                 \
	X(mkfifo, -, nothing, kernel)                                                                                  \
	X(mq_open, -, nothing, kernel)                                                                                 \
	X(mq_send, -, nothing, kernel)                                                                                 \
	X(msgget, -, nothing, kernel)                                                                                  \
	X(msgsnd, -, nothing, kernel)                                                                                  \
	X(popen, -, nothing, kernel)                                                                                   \
	X(rmdir, -, nothing, kernel)                                                                                   \
	X(semget, -, nothing, kernel)                                                                                  \
	X(semop, -, nothing, kernel)                                                                                   \
	X(shm_open, -, nothing, kernel)                                                                                \
	X(shm_unlink, -, nothing, kernel)                                                                              \
	X(shmat, -, nothing, kernel)                                                                                   \
	X(shmget, -, nothing, kernel)                                                                                  \
	X(signalfd, -, nothing, kernel)                                                                                \
	X(socket, -, nothing, kernel)                                                                                  \
	X(symlink, -, nothing, kernel)                                                                                 \
	X(system, -, nothing, kernel)                                                                                  \
	X(timerfd_create, -, nothing, kernel)                                                                          \
	X(utimensat, -, nothing, kernel)

/* Functions that are refused. */
#define MZ_HOOKS_UNSUPPORTED(X)                                                                                        \
	X(pthread_getcpuclockid, -, nothing, ours)                                                                     \
	X(pthread_sigqueue, -, nothing, ours)                                                                          \
	X(sigblock, -, nothing, ours)                                                                                  \
	X(sighold, -, nothing, ours)                                                                                   \
	X(sigignore, -, nothing, ours)                                                                                 \
	X(siginterrupt, -, nothing, ours)                                                                              \
	X(sigrelse, -, nothing, ours)                                                                                  \
	X(sigset, -, nothing, ours)                                                                                    \
	X(sigsetmask, -, nothing, ours)                                                                                \
	X(tgkill, -, nothing, ours)                                                                                    \
	X(fork, -, nothing, ours)                                                                                      \
	X(vfork, -, nothing, ours)                                                                                     \
	X(_Fork, -, nothing, ours)                                                                                     \
	X(posix_spawn, -, nothing, ours)                                                                               \
	X(posix_spawnp, -, nothing, ours)                                                                              \
	X(daemon, -, nothing, ours)                                                                                    \
	X(forkpty, -, nothing, ours)

/* Refused too, and of any number of arguments. */
#define MZ_HOOKS_PROCESSES(X)                                                                                          \
	X(clone, -, nothing, ours)                                                                                     \
	X(__clone, -, nothing, ours)                                                                                   \
	X(execl, -, nothing, ours)                                                                                     \
	X(execle, -, nothing, ours)                                                                                    \
	X(execlp, -, nothing, ours)                                                                                    \
	X(execv, -, nothing, ours)                                                                                     \
	X(execve, -, nothing, ours)                                                                                    \
	X(execveat, -, nothing, ours)                                                                                  \
	X(execvp, -, nothing, ours)                                                                                    \
	X(execvpe, -, nothing, ours)                                                                                   \
	X(fexecve, -, nothing, ours)

/* The lists, and the files below src/runtime that have their functions: F(LIST, "file") for each. */
#define MZ_HOOKS_IN(F)                                                                                                 \
	F(TSAN, "hooks/tsan.c")                                                                                        \
	F(ATOMIC, "hooks/atomic.c")                                                                                    \
	F(ANNOTATIONS, "hooks/annotations.c")                                                                          \
	F(ASSEMBLY, "core/x86_64/assembly.S")                                                                          \
	F(MEMORY, "hooks/memory.c")                                                                                    \
	F(TEXT, "hooks/text.c")                                                                                        \
	F(HEAP, "hooks/heap.c")                                                                                        \
	F(NEW, "hooks/new.c")                                                                                          \
	F(PTHREAD, "hooks/pthread.c")                                                                                  \
	F(LOCKS, "hooks/locks.c")                                                                                      \
	F(SEMAPHORE, "hooks/semaphore.c")                                                                              \
	F(THREADS, "hooks/threads.c")                                                                                  \
	F(CXX, "hooks/cxx.c")                                                                                          \
	F(LEAVING, "hooks/leaving.c")                                                                                  \
	F(CANCEL, "hooks/cancel.c")                                                                                    \
	F(SIGNALS, "hooks/signals.c")                                                                                  \
	F(BEFORE, "core/x86_64/before.S")                                                                              \
	F(ATTRIBUTES, "hooks/attributes.c")                                                                            \
	F(TIME, "hooks/time.c")                                                                                        \
	F(EXIT, "hooks/exit.c")                                                                                        \
	F(START, "start/start.c")                                                                                      \
	F(CHECK, "start/check.c")                                                                                      \
	F(MAZURKA, "hooks/mazurka.c")                                                                                  \
	F(CHANNELS, "hooks/channels.c")                                                                                \
	F(POLLING, "hooks/polling.c")                                                                                  \
	F(FILES, "hooks/files.c")                                                                                      \
	F(STREAMS, "hooks/streams.c")                                                                                  \
	F(PRINT, "hooks/print.c")                                                                                      \
	F(SCAN, "hooks/scan.c")                                                                                        \
	F(MAPPING, "hooks/mapping.c")                                                                                  \
	F(NAMES, "hooks/names.c")                                                                                      \
	F(RANDOM, "hooks/random.c")                                                                                    \
	F(ENVIRONMENT, "hooks/environment.c")                                                                          \
	F(OPTIONS, "hooks/options.c")                                                                                  \
	F(PLUGIN, "hooks/plugin.c")                                                                                    \
	F(SURROUNDINGS, "hooks/surroundings.c")                                                                        \
	F(SYSTEM, "hooks/system.c")                                                                                    \
	F(UNCONTROLLED, "hooks/uncontrolled.c")                                                                        \
	F(UNSUPPORTED, "hooks/unsupported.c")                                                                          \
	F(PROCESSES, "core/x86_64/before.S")

/* Entries that newer compilers call from instrumented code, and that go on to the function proper of another one:
 * X(name, arguments, notes, other). */
#define MZ_HOOKS_ALIASES(X)                                                                                            \
	X(__tsan_memcpy, 3, plain_writes, memcpy)                                                                      \
	X(__tsan_memmove, 3, plain_writes, memmove)                                                                    \
	X(__tsan_memset, 3, plain_writes, memset)

#ifndef __ASSEMBLER__

/* Declares mz_entry_NAME for each line of a list that has an entry: before the definitions, behind the headers that
 * have the types. */
#define MZ_HOOKS_DECLARE(list) MZ_HOOKS_##list(MZ_HOOK_DECLARE)
#define MZ_HOOK_DECLARE(name, arguments, notes, state) MZ_HOOK_DECLARE_##notes(name)
#define MZ_HOOK_DECLARE_reads(name) extern __typeof__(name) mz_entry_##name;
#define MZ_HOOK_DECLARE_writes(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_plain_reads(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_plain_writes(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_others(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_nothing(name)

#endif
#endif
