/* SPDX-License-Identifier: MIT
 *
 * The replaced functions that concern compiled code, memory, threads, time and ends of the process. hooks.h says what
 * the columns of a line mean; include hooks.h, not this file.
 */
#ifndef MZ_RUNTIME_CORE_HOOKS_THREADS_H
#define MZ_RUNTIME_CORE_HOOKS_THREADS_H

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
	X(__tsan_func_exit, 0, others, ours)                                                                           \
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
	X(bcmp, -, nothing, ours)                                                                                      \
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
	X(pthread_mutex_init, 0, others, ours)                                                                         \
	X(pthread_mutex_destroy, 1, writes, ours)                                                                      \
	X(pthread_mutex_lock, 1, writes, ours)                                                                         \
	X(pthread_mutex_trylock, 1, reads, ours)                                                                       \
	X(pthread_mutex_timedlock, 2, reads, ours)                                                                     \
	X(pthread_mutex_clocklock, 3, reads, ours)                                                                     \
	X(pthread_mutex_unlock, 1, writes, ours)                                                                       \
	X(pthread_mutex_getprioceiling, 0, others, ours)                                                               \
	X(pthread_mutex_setprioceiling, 0, others, ours)                                                               \
	X(pthread_cond_init, 0, others, ours)                                                                          \
	X(pthread_cond_destroy, 1, writes, ours)                                                                       \
	X(pthread_cond_wait, 2, writes, ours)                                                                          \
	X(pthread_cond_timedwait, 3, writes, ours)                                                                     \
	X(pthread_cond_clockwait, 4, writes, ours)                                                                     \
	X(pthread_cond_signal, 1, writes, ours)                                                                        \
	X(pthread_cond_broadcast, 1, writes, ours)                                                                     \
	X(pthread_mutex_consistent, 0, others, ours)

/* Read-write locks, spin locks, barriers. */
#define MZ_HOOKS_LOCKS(X)                                                                                              \
	X(pthread_rwlock_init, 0, others, ours)                                                                        \
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
	X(pthread_spin_init, 0, others, ours)                                                                          \
	X(pthread_spin_destroy, 1, writes, ours)                                                                       \
	X(pthread_spin_lock, 1, writes, ours)                                                                          \
	X(pthread_spin_trylock, 1, reads, ours)                                                                        \
	X(pthread_spin_unlock, 1, writes, ours)                                                                        \
	X(pthread_barrier_init, 0, others, ours)                                                                       \
	X(pthread_barrier_destroy, 1, writes, ours)                                                                    \
	X(pthread_barrier_wait, 1, writes, ours)

/* Semaphores. */
#define MZ_HOOKS_SEMAPHORE(X)                                                                                          \
	X(sem_init, 0, others, ours)                                                                                   \
	X(sem_destroy, 1, writes, ours)                                                                                \
	X(sem_wait, 1, writes, ours)                                                                                   \
	X(sem_trywait, 1, reads, ours)                                                                                 \
	X(sem_post, 1, writes, ours)                                                                                   \
	X(sem_timedwait, 2, reads, ours)                                                                               \
	X(sem_clockwait, 3, reads, ours)                                                                               \
	X(sem_getvalue, 2, writes, ours)                                                                               \
	X(sem_open, -, nothing, ours)                                                                                  \
	X(sem_close, 0, others, ours)                                                                                  \
	X(sem_unlink, 1, writes, ours)

/* Functions of <threads.h>. */
#define MZ_HOOKS_THREADS(X)                                                                                            \
	X(thrd_create, 0, others, ours)                                                                                \
	X(thrd_detach, 0, others, ours)                                                                                \
	X(thrd_join, 2, writes, ours)                                                                                  \
	X(thrd_exit, -, nothing, ours)                                                                                 \
	X(thrd_current, -, nothing, ours)                                                                              \
	X(thrd_equal, -, nothing, ours)                                                                                \
	X(mtx_init, 0, others, ours)                                                                                   \
	X(mtx_destroy, 1, writes, ours)                                                                                \
	X(mtx_lock, 1, writes, ours)                                                                                   \
	X(mtx_trylock, 1, reads, ours)                                                                                 \
	X(mtx_timedlock, 2, reads, ours)                                                                               \
	X(mtx_unlock, 1, writes, ours)                                                                                 \
	X(cnd_init, 0, others, ours)                                                                                   \
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
	X(__cxa_thread_atexit_impl, 0, others, ours)

/* Keys, once, cleanup handlers. */
#define MZ_HOOKS_LEAVING(X)                                                                                            \
	X(pthread_once, 2, writes, ours)                                                                               \
	X(call_once, 2, writes, ours)                                                                                  \
	X(pthread_key_create, 2, writes, ours)                                                                         \
	X(pthread_key_delete, 1, writes, ours)                                                                         \
	X(pthread_setspecific, 0, others, ours)                                                                        \
	X(pthread_getspecific, 0, others, ours)                                                                        \
	X(tss_create, 2, writes, ours)                                                                                 \
	X(tss_delete, 1, writes, ours)                                                                                 \
	X(tss_set, 0, others, ours)                                                                                    \
	X(tss_get, 0, others, ours)                                                                                    \
	X(__pthread_register_cancel, -, nothing, ours)                                                                 \
	X(__pthread_unregister_cancel, -, nothing, ours)                                                               \
	X(__pthread_unwind_next, -, nothing, ours)                                                                     \
	X(pthread_tryjoin_np, 2, reads, ours)                                                                          \
	X(pthread_timedjoin_np, 3, writes, ours)                                                                       \
	X(pthread_clockjoin_np, 4, writes, ours)

/* Cancellation. */
#define MZ_HOOKS_CANCEL(X)                                                                                             \
	X(pthread_cancel, 1, writes, ours)                                                                             \
	X(pthread_testcancel, 0, reads, ours)                                                                          \
	X(pthread_setcancelstate, 2, writes, ours)                                                                     \
	X(pthread_setcanceltype, 0, others, ours)

/* Signals, and jumps. */
#define MZ_HOOKS_SIGNALS(X)                                                                                            \
	X(pthread_kill, 2, writes, ours)                                                                               \
	X(pthread_sigqueue, 3, writes, ours)                                                                           \
	X(kill, 2, writes, kernel)                                                                                     \
	X(killpg, 2, writes, kernel)                                                                                   \
	X(sigqueue, 3, writes, kernel)                                                                                 \
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
	X(pthread_getattr_np, 0, others, ours)                                                                         \
	X(pthread_attr_setaffinity_np, 0, others, ours)                                                                \
	X(pthread_attr_setsigmask_np, 0, others, ours)                                                                 \
	X(pthread_getattr_default_np, 0, others, ours)                                                                 \
	X(pthread_setattr_default_np, 0, others, ours)                                                                 \
	X(pthread_getcpuclockid, 0, others, ours)                                                                      \
	X(pthread_setname_np, 0, others, ours)                                                                         \
	X(pthread_getname_np, 0, others, ours)                                                                         \
	X(pthread_getschedparam, 0, others, ours)                                                                      \
	X(pthread_setschedparam, 0, others, ours)                                                                      \
	X(pthread_setschedprio, 0, others, ours)                                                                       \
	X(pthread_getaffinity_np, 0, others, ours)                                                                     \
	X(pthread_setaffinity_np, 0, others, ours)                                                                     \
	X(sched_getscheduler, 0, others, ours)                                                                         \
	X(sched_setscheduler, 0, others, ours)                                                                         \
	X(sched_getparam, 0, others, ours)                                                                             \
	X(sched_setparam, 0, others, ours)                                                                             \
	X(sched_getaffinity, 0, others, ours)                                                                          \
	X(sched_setaffinity, 0, others, ours)

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
	X(clock_getres, 2, others, ours)                                                                               \
	X(clock_settime, -, nothing, ours)                                                                             \
	X(gettimeofday, 2, reads, ours)                                                                                \
	X(time, 1, reads, ours)                                                                                        \
	X(timespec_get, 2, reads, ours)                                                                                \
	X(ftime, 1, reads, ours)                                                                                       \
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
	X(__cxa_atexit, 0, others, ours)                                                                               \
	X(__cxa_at_quick_exit, 0, others, ours)                                                                        \
	X(on_exit, 0, others, ours)                                                                                    \
	X(__register_atfork, 0, others, ours)

/* The beginning of the process. */
#define MZ_HOOKS_START(X) X(__libc_start_main, -, nothing, ours)

/* Explorations that the program asks for. */
#define MZ_HOOKS_CHECK(X) X(mz_check, -, nothing, ours)

/* Functions of <mazurka.h>. */
#define MZ_HOOKS_MAZURKA(X)                                                                                            \
	X(mz_choose, 1, writes, ours)                                                                                  \
	X(mz_yield, 0, writes, ours)                                                                                   \
	X(mz_atomic_begin, 0, reads, ours)                                                                             \
	X(mz_atomic_end, 0, writes, ours)                                                                              \
	X(mz_access, 2, writes, ours)                                                                                  \
	X(mz_invariant, 0, others, ours)                                                                               \
	X(mz_exploring, -, nothing, ours)                                                                              \
	X(mz_symbolic, -, nothing, ours)                                                                               \
	X(mz_assume, -, nothing, ours)

/* What code built with `mazurka cc --symbolic` calls: concolic/abi.h. */
#define MZ_HOOKS_SYMBOLIC(X)                                                                                           \
	X(__mz_sym_binary, -, nothing, ours)                                                                           \
	X(__mz_sym_convert, -, nothing, ours)                                                                          \
	X(__mz_sym_select, -, nothing, ours)                                                                           \
	X(__mz_sym_division, 6, writes, ours)                                                                          \
	X(__mz_sym_branch, 2, writes, ours)                                                                            \
	X(__mz_sym_switch, 5, writes, ours)                                                                            \
	X(__mz_sym_settle, 3, writes, ours)                                                                            \
	X(__mz_sym_operand, -, nothing, ours)                                                                          \
	X(__mz_sym_lost, -, nothing, ours)                                                                             \
	X(__mz_sym_printed, -, nothing, ours)                                                                          \
	X(__mz_sym_load, -, nothing, ours)                                                                             \
	X(__mz_sym_store, -, nothing, ours)                                                                            \
	X(__mz_sym_copy, -, nothing, ours)                                                                             \
	X(__mz_sym_set, -, nothing, ours)                                                                              \
	X(__mz_sym_is_input, -, nothing, ours)                                                                         \
	X(__mz_sym_put_back, -, nothing, ours)                                                                         \
	X(__mz_sym_place, -, nothing, ours)                                                                            \
	X(__mz_sym_reaches, -, nothing, ours)                                                                          \
	X(__mz_sym_pass, -, nothing, ours)                                                                             \
	X(__mz_sym_parameter, -, nothing, ours)                                                                        \
	X(__mz_sym_entered, -, nothing, ours)                                                                          \
	X(__mz_sym_variable, -, nothing, ours)                                                                         \
	X(__mz_sym_start_list, -, nothing, ours)                                                                       \
	X(__mz_sym_printed_list, -, nothing, ours)                                                                     \
	X(__mz_sym_return, -, nothing, ours)                                                                           \
	X(__mz_sym_result, -, nothing, ours)

/* What models of the C library's functions are made of (concolic/models). */
#define MZ_HOOKS_MODELS(X)                                                                                             \
	X(__mz_sym_touch, -, nothing, ours)                                                                            \
	X(__mz_sym_depends, -, nothing, ours)                                                                          \
	X(__mz_sym_length, -, nothing, ours)                                                                           \
	X(__mz_sym_compared, -, nothing, ours)                                                                         \
	X(__mz_sym_number, -, nothing, ours)                                                                           \
	X(__mz_sym_move, -, nothing, ours)                                                                             \
	X(__mz_sym_zero, -, nothing, ours)                                                                             \
	X(__mz_sym_forget, -, nothing, ours)                                                                           \
	X(__mz_sym_duplicate, -, nothing, ours)                                                                        \
	X(__mz_sym_borrow, -, nothing, ours)                                                                           \
	X(__mz_sym_give_back, -, nothing, ours)                                                                        \
	X(__mz_sym_use, -, nothing, ours)                                                                              \
	X(__mz_sym_take, -, nothing, ours)                                                                             \
	X(__mz_sym_there, -, nothing, ours)                                                                            \
	X(__mz_sym_taken, -, nothing, ours)                                                                            \
	X(__mz_sym_plain, -, nothing, ours)                                                                            \
	X(__mz_sym_untake, -, nothing, ours)                                                                           \
	X(__mz_sym_left, -, nothing, ours)                                                                             \
	X(__mz_sym_print, -, nothing, ours)                                                                            \
	X(__mz_sym_print_stream, -, nothing, ours)                                                                     \
	X(__mz_sym_tells, -, nothing, ours)                                                                            \
	X(__mz_sym_resemble, -, nothing, ours)                                                                         \
	X(__mz_sym_lose_list, -, nothing, ours)                                                                        \
	X(__mz_sym_line, -, nothing, ours)                                                                             \
	X(__mz_sym_words, -, nothing, ours)

#endif
