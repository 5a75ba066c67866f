/* SPDX-License-Identifier: MIT
 *
 * tests/concolic/functions compares, for every function that libmazurka.so has, what a program does with an input with
 * what it does with a value that was chosen. A function that is in this table by mistake is found there.
 */
#include "concolic/told.h"
#include <stdbool.h>
#include <stddef.h>

#define FIRST 1U
#define SECOND 2U
#define THIRD 4U
#define FOURTH 8U
#define FIFTH 16U

struct told {
	const char *name;
	uint32_t not_told;
};

/* They tell of all that they read in memory of the program (by mz_plain() and its kin), or read objects that are theirs
 * alone: locks, keys, streams. */
static const char *const telling[] = {
    /* memory and text */
    "memcpy", "memmove", "__memmove_chk", "mempcpy", "__memcpy_chk", "memset", "__memset_chk", "memcmp", "memchr",
    "strlen", "strnlen", "strcpy", "stpcpy", "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr",
    "strstr", "strcasecmp", "strncasecmp", "strcoll", "strspn", "strcspn", "strpbrk", "strcasestr", "strchrnul",
    "memrchr", "rawmemchr", "memmem", "strtol", "strtoll", "strtoul", "strtoull", "strtof", "strtod", "strtold", "atoi",
    "atol", "atoll", "atof", "stpncpy", "memccpy", "bcopy", "bzero", "explicit_bzero", "__strcpy_chk", "__stpcpy_chk",
    "__strcat_chk", "__strncat_chk", "__strncpy_chk", "strdup", "strndup",
    /* the heap: what is moved or freed keeps its shadows, or ends them */
    "realloc", "reallocarray", "free", "posix_memalign", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm",
    "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t",
    "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "mmap", "mmap64",
    "mprotect", "mremap", "munmap",
    /* threads, and objects of theirs */
    "pthread_create", "pthread_join", "pthread_tryjoin_np", "pthread_exit", "pthread_mutex_init",
    "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock",
    "pthread_mutex_getprioceiling", "pthread_mutex_setprioceiling", "pthread_mutex_consistent", "pthread_cond_init",
    "pthread_cond_destroy", "pthread_cond_wait", "pthread_cond_signal", "pthread_cond_broadcast", "pthread_rwlock_init",
    "pthread_rwlock_destroy", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock",
    "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock", "pthread_spin_init", "pthread_spin_destroy",
    "pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock", "pthread_barrier_init",
    "pthread_barrier_destroy", "pthread_barrier_wait", "sem_init", "sem_destroy", "sem_wait", "sem_trywait", "sem_post",
    "sem_getvalue", "sem_close", "thrd_create", "thrd_join", "mtx_init", "mtx_destroy", "mtx_lock", "mtx_trylock",
    "mtx_unlock", "cnd_init", "cnd_destroy", "cnd_wait", "cnd_signal", "cnd_broadcast", "pthread_once", "call_once",
    "pthread_key_create", "pthread_setspecific", "pthread_getspecific", "tss_create", "tss_set", "tss_get",
    "pthread_setcancelstate", "pthread_setcanceltype", "__pthread_register_cancel", "__pthread_unregister_cancel",
    "__pthread_unwind_next", "pthread_getattr_np", "pthread_getname_np", "pthread_getschedparam",
    "pthread_getaffinity_np", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "getcontext",
    "setcontext", "swapcontext", "sigpending",
    /* time */
    "clock_gettime", "gettimeofday", "time", "timespec_get", "times",
    /* descriptors and files */
    "pipe", "pipe2", "socketpair", "read", "recv", "write", "send", "eventfd_read", "pread", "pread64", "pwrite",
    "pwrite64", "fread", "fread_unlocked", "fwrite", "fstat", "fstat64", "getcwd", "fclose", "fflush",
    "fflush_unlocked", "fgetc", "getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked", "ungetc", "fgets",
    "fgets_unlocked", "getline", "getdelim", "__getdelim", "fgetwc", "getwc", "getw", "feof", "ferror", "clearerr",
    "fseek", "fseeko", "fseeko64", "ftell", "ftello", "ftello64", "rewind", "flockfile", "ftrylockfile", "funlockfile",
    "epoll_wait", "epoll_pwait", "getrandom", "getentropy", "arc4random_buf", "puts", "fputs",
    /* printf and scanf */
    "vsnprintf", "sprintf", "snprintf", "vsprintf", "__sprintf_chk", "__snprintf_chk", "__vsprintf_chk",
    "__vsnprintf_chk", "asprintf", "__asprintf_chk", "printf", "vfprintf", "fprintf", "dprintf", "vdprintf", "vprintf",
    "__printf_chk", "__fprintf_chk", "__dprintf_chk", "__vprintf_chk", "__vfprintf_chk", "__vdprintf_chk", "sscanf",
    "vsscanf", "fscanf", "vfscanf", "scanf", "vscanf", "__isoc99_fscanf", "__isoc99_scanf", "__isoc99_sscanf",
    "__isoc99_vfscanf", "__isoc99_vscanf", "__isoc99_vsscanf", "__isoc23_fscanf", "__isoc23_scanf", "__isoc23_sscanf",
    "__isoc23_vfscanf", "__isoc23_vscanf", "__isoc23_vsscanf",
    /* what compilers call, and Mazurka's own */
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort", "__cxa_atexit", "__cxa_thread_atexit_impl",
    "__cxa_thread_atexit", "__assert_fail", "__assert", "mz_symbolic", "mz_access",
    /* the C++ library: links of maps and lists, and no keys */
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
    "_ZNSt8__detail15_List_node_base9_M_unhookEv", "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
    "_ZNSt8__detail15_List_node_base4swapERS0_S1_", "_ZNSt8__detail15_List_node_base10_M_reverseEv", NULL};

/* Which of their arguments they read without telling: mostly time limits, sets of signals and names. */
static const struct told some[] = {{"pthread_mutex_timedlock", SECOND},
                                   {"pthread_mutex_clocklock", THIRD},
                                   {"pthread_cond_timedwait", THIRD},
                                   {"pthread_cond_clockwait", FOURTH},
                                   {"pthread_rwlock_timedrdlock", SECOND},
                                   {"pthread_rwlock_timedwrlock", SECOND},
                                   {"pthread_rwlock_clockrdlock", THIRD},
                                   {"pthread_rwlock_clockwrlock", THIRD},
                                   {"sem_timedwait", SECOND},
                                   {"sem_clockwait", THIRD},
                                   {"mtx_timedlock", SECOND},
                                   {"cnd_timedwait", THIRD},
                                   {"pthread_timedjoin_np", THIRD},
                                   {"pthread_clockjoin_np", FOURTH},
                                   {"sem_open", FIRST},
                                   {"sem_unlink", FIRST},
                                   {"pthread_sigmask", SECOND},
                                   {"sigprocmask", SECOND},
                                   {"sigaction", SECOND},
                                   {"sigwait", FIRST},
                                   {"sigsuspend", FIRST},
                                   {"sigtimedwait", FIRST | THIRD},
                                   {"sigwaitinfo", FIRST},
                                   {"pthread_setname_np", SECOND},
                                   {"pthread_setschedparam", THIRD},
                                   {"pthread_setaffinity_np", THIRD},
                                   {"nanosleep", FIRST},
                                   {"clock_nanosleep", THIRD},
                                   {"thrd_sleep", FIRST},
                                   {"clock_settime", SECOND},
                                   {"open", FIRST},
                                   {"openat", SECOND},
                                   {"open64", FIRST},
                                   {"openat64", SECOND},
                                   {"creat", FIRST},
                                   {"creat64", FIRST},
                                   {"fopen", FIRST | SECOND},
                                   {"fopen64", FIRST | SECOND},
                                   {"freopen", FIRST | SECOND},
                                   {"freopen64", FIRST | SECOND},
                                   {"fdopen", SECOND},
                                   {"unlink", FIRST},
                                   {"remove", FIRST},
                                   {"rename", FIRST | SECOND},
                                   {"truncate", FIRST},
                                   {"truncate64", FIRST},
                                   {"access", FIRST},
                                   {"stat", FIRST},
                                   {"lstat", FIRST},
                                   {"stat64", FIRST},
                                   {"lstat64", FIRST},
                                   {"fstatat", SECOND},
                                   {"fstatat64", SECOND},
                                   {"statx", SECOND},
                                   {"statfs", FIRST},
                                   {"statfs64", FIRST},
                                   {"readlink", FIRST},
                                   {"readlinkat", SECOND},
                                   {"mkstemp", FIRST},
                                   {"mkstemp64", FIRST},
                                   {"mkostemp", FIRST},
                                   {"mkostemp64", FIRST},
                                   {"mkstemps", FIRST},
                                   {"mkstemps64", FIRST},
                                   {"sendto", FIFTH},
                                   {"fputs_unlocked", FIRST},
                                   {"vasprintf", THIRD},
                                   {"getenv", FIRST},
                                   {"secure_getenv", FIRST},
                                   {"setenv", FIRST | SECOND},
                                   {"unsetenv", FIRST},
                                   {"erand48", FIRST},
                                   {"nrand48", FIRST},
                                   {"jrand48", FIRST},
                                   {"epoll_ctl", FOURTH},
                                   {"dlopen", FIRST},
                                   {"mkdir", FIRST},
                                   {"rmdir", FIRST},
                                   {"chdir", FIRST},
                                   {NULL, 0}};

/* As strcmp(), which is one of the functions that the table is about. */
static bool is_same(const char *a, const char *b)
{
	for (; *a && *a == *b; a++) b++;
	return *a == *b;
}

/* What models and instrumented code are made of. */
static bool is_ours(const char *name)
{
	const char *prefix = "__mz_sym_";
	while (*prefix && *name == *prefix) name++, prefix++;
	return !*prefix;
}

uint32_t mz_told_not(const char *name)
{
	if (is_ours(name)) return 0;
	for (const char *const *each = telling; *each; each++)
		if (is_same(*each, name)) return 0;
	for (const struct told *each = some; each->name; each++)
		if (is_same(each->name, name)) return each->not_told;
	return MZ_TOLD_NOTHING;
}
