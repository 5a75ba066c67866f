/* SPDX-License-Identifier: MIT
 * What tests of the C library's threads call: checks, and functions that end the program if they fail. Every header of its support/ stands for
 * this one. A check that fails ends the program with status 1, which is a finding of kind `exit`. */
#ifndef GLIBC_DRIVER_H
#define GLIBC_DRIVER_H
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OURS __attribute__((unused)) static
#define EXIT_UNSUPPORTED 0
#define TIMESPEC_HZ 1000000000
#define array_length(array) (sizeof(array) / sizeof((array)[0]))
#define test_verbose 0
#define verbose_printf(...) ((void)0)
#define DIAG_PUSH_NEEDS_COMMENT
#define DIAG_POP_NEEDS_COMMENT
#define DIAG_IGNORE_NEEDS_COMMENT(...)
#define DIAG_IGNORE_Os_NEEDS_COMMENT(...)

/* Written by checks that let the test go on. */
OURS int driver_failures;

__attribute__((noreturn, format(printf, 4, 5))) OURS void driver_exit(int status, const char *file, int line,
                                                                      const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "%s:%d: ", file, line);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(status);
}

#define FAIL_EXIT(status, ...) driver_exit(status, __FILE__, __LINE__, __VA_ARGS__)
#define FAIL_EXIT1(...) driver_exit(1, __FILE__, __LINE__, __VA_ARGS__)
#define FAIL_UNSUPPORTED(...) driver_exit(EXIT_UNSUPPORTED, __FILE__, __LINE__, __VA_ARGS__)
#define FAIL(...) FAIL_EXIT1(__VA_ARGS__)
#define FAIL_RET(...) return (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), 1)
#define TEST_VERIFY(condition) ((condition) ? (void)0 : driver_exit(1, __FILE__, __LINE__, "not true: %s", #condition))
#define TEST_VERIFY_EXIT(condition) TEST_VERIFY(condition)
#define TEST_COMPARE(left, right)                                                                                      \
	do {                                                                                                           \
		long long left_ = (long long)(left), right_ = (long long)(right);                                      \
		if (left_ != right_) FAIL_EXIT1("%s is %lld, %s is %lld", #left, left_, #right, right_);               \
	} while (0)
#define TEST_COMPARE_STRING(left, right)                                                                               \
	do {                                                                                                           \
		const char *left_ = (left), *right_ = (right);                                                         \
		if (strcmp(left_, right_) != 0) FAIL_EXIT1("%s is %s, %s is %s", #left, left_, #right, right_);        \
	} while (0)

OURS void support_record_failure(void)
{
	driver_failures++;
}

/* ---- times ---- */

OURS struct timespec make_timespec(time_t seconds, long nanoseconds)
{
	return (struct timespec){seconds, nanoseconds};
}

OURS struct timespec timespec_add(struct timespec a, struct timespec b)
{
	long carry = a.tv_nsec + b.tv_nsec >= TIMESPEC_HZ;
	return make_timespec(a.tv_sec + b.tv_sec + carry, a.tv_nsec + b.tv_nsec - carry * TIMESPEC_HZ);
}

OURS struct timespec timespec_sub(struct timespec a, struct timespec b)
{
	long borrow = a.tv_nsec < b.tv_nsec;
	return make_timespec(a.tv_sec - b.tv_sec - borrow, a.tv_nsec - b.tv_nsec + borrow * TIMESPEC_HZ);
}

OURS bool driver_before(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

OURS struct timespec xclock_now(clockid_t clock)
{
	struct timespec now;
	TEST_VERIFY(clock_gettime(clock, &now) == 0);
	return now;
}

OURS void xclock_gettime(clockid_t clock, struct timespec *now)
{
	*now = xclock_now(clock);
}

#define TEST_TIMESPEC_BEFORE(left, right) TEST_VERIFY(driver_before(left, right))
#define TEST_TIMESPEC_EQUAL_OR_AFTER(left, right) TEST_VERIFY(!driver_before(left, right))
#define TEST_TIMESPEC_BEFORE_NOW(left, clock) TEST_VERIFY(driver_before(left, xclock_now(clock)))
#define TEST_TIMESPEC_NOW_OR_AFTER(clock, right) TEST_VERIFY(!driver_before(xclock_now(clock), right))

/* ---- functions that have to succeed ---- */

#define SUCCEEDS(name, parameters, ...)                                                                                \
	OURS void x##name parameters                                                                                   \
	{                                                                                                              \
		int error = name(__VA_ARGS__);                                                                         \
		if (error != 0) FAIL_EXIT1("%s failed: %d", #name, error);                                             \
	}

SUCCEEDS(pthread_barrier_init, (pthread_barrier_t * it, const pthread_barrierattr_t *attributes, unsigned count), it,
         attributes, count)
SUCCEEDS(pthread_barrier_destroy, (pthread_barrier_t * it), it)
SUCCEEDS(pthread_barrierattr_init, (pthread_barrierattr_t * it), it)
SUCCEEDS(pthread_barrierattr_destroy, (pthread_barrierattr_t * it), it)
SUCCEEDS(pthread_barrierattr_setpshared, (pthread_barrierattr_t * it, int value), it, value)
SUCCEEDS(pthread_mutexattr_init, (pthread_mutexattr_t * it), it)
SUCCEEDS(pthread_mutexattr_destroy, (pthread_mutexattr_t * it), it)
SUCCEEDS(pthread_mutexattr_setprotocol, (pthread_mutexattr_t * it, int value), it, value)
SUCCEEDS(pthread_mutexattr_setpshared, (pthread_mutexattr_t * it, int value), it, value)
SUCCEEDS(pthread_mutexattr_setrobust, (pthread_mutexattr_t * it, int value), it, value)
SUCCEEDS(pthread_mutexattr_settype, (pthread_mutexattr_t * it, int value), it, value)
SUCCEEDS(pthread_mutex_init, (pthread_mutex_t * it, const pthread_mutexattr_t *attributes), it, attributes)
SUCCEEDS(pthread_mutex_destroy, (pthread_mutex_t * it), it)
SUCCEEDS(pthread_mutex_lock, (pthread_mutex_t * it), it)
SUCCEEDS(pthread_mutex_unlock, (pthread_mutex_t * it), it)
SUCCEEDS(pthread_mutex_consistent, (pthread_mutex_t * it), it)
SUCCEEDS(pthread_spin_lock, (pthread_spinlock_t * it), it)
SUCCEEDS(pthread_spin_unlock, (pthread_spinlock_t * it), it)
SUCCEEDS(pthread_cond_wait, (pthread_cond_t * it, pthread_mutex_t *mutex), it, mutex)
SUCCEEDS(pthread_cond_signal, (pthread_cond_t * it), it)
SUCCEEDS(pthread_cond_broadcast, (pthread_cond_t * it), it)
SUCCEEDS(pthread_detach, (pthread_t it), it)
SUCCEEDS(pthread_cancel, (pthread_t it), it)
SUCCEEDS(pthread_once, (pthread_once_t * it, void (*function)(void)), it, function)
SUCCEEDS(pthread_attr_init, (pthread_attr_t * it), it)
SUCCEEDS(pthread_attr_destroy, (pthread_attr_t * it), it)
SUCCEEDS(pthread_attr_setaffinity_np, (pthread_attr_t * it, size_t size, const cpu_set_t *set), it, size, set)
SUCCEEDS(pthread_attr_setdetachstate, (pthread_attr_t * it, int value), it, value)
SUCCEEDS(pthread_attr_setstack, (pthread_attr_t * it, void *stack, size_t size), it, stack, size)
SUCCEEDS(pthread_attr_setstacksize, (pthread_attr_t * it, size_t size), it, size)
SUCCEEDS(pthread_attr_setguardsize, (pthread_attr_t * it, size_t size), it, size)
SUCCEEDS(pthread_kill, (pthread_t it, int number), it, number)
SUCCEEDS(pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), how, set, old)
SUCCEEDS(pthread_rwlock_init, (pthread_rwlock_t * it, const pthread_rwlockattr_t *attributes), it, attributes)
SUCCEEDS(pthread_rwlock_destroy, (pthread_rwlock_t * it), it)
SUCCEEDS(pthread_rwlock_rdlock, (pthread_rwlock_t * it), it)
SUCCEEDS(pthread_rwlock_wrlock, (pthread_rwlock_t * it), it)
SUCCEEDS(pthread_rwlock_unlock, (pthread_rwlock_t * it), it)
SUCCEEDS(pthread_rwlockattr_init, (pthread_rwlockattr_t * it), it)
SUCCEEDS(pthread_rwlockattr_setkind_np, (pthread_rwlockattr_t * it, int value), it, value)
SUCCEEDS(pthread_key_delete, (pthread_key_t it), it)
SUCCEEDS(pipe, (int ends[2]), ends)
SUCCEEDS(close, (int it), it)
SUCCEEDS(munmap, (void *it, size_t size), it, size)
SUCCEEDS(fclose, (FILE * it), it)
SUCCEEDS(dlclose, (void *it), it)
SUCCEEDS(ftruncate, (int it, off_t size), it, size)
SUCCEEDS(sigaction, (int number, const struct sigaction *action, struct sigaction *old), number, action, old)

OURS void xpthread_check_return(const char *function, int error)
{
	if (error != 0) FAIL_EXIT1("%s failed: %d", function, error);
}

OURS int xpthread_barrier_wait(pthread_barrier_t *barrier)
{
	int result = pthread_barrier_wait(barrier);
	if (result != 0 && result != PTHREAD_BARRIER_SERIAL_THREAD)
		FAIL_EXIT1("pthread_barrier_wait failed: %d", result);
	return result;
}

OURS pthread_t xpthread_create(pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	pthread_t thread;
	xpthread_check_return("pthread_create", pthread_create(&thread, attributes, function, argument));
	return thread;
}

OURS void *xpthread_join(pthread_t thread)
{
	void *result;
	xpthread_check_return("pthread_join", pthread_join(thread, &result));
	return result;
}

OURS pthread_key_t xpthread_key_create(void (*destructor)(void *))
{
	pthread_key_t key;
	xpthread_check_return("pthread_key_create", pthread_key_create(&key, destructor));
	return key;
}

#define NEEDS(result, wrong, name) (result == wrong ? FAIL_EXIT1("%s failed: %d", name, errno) : (void)0)

OURS void *xmalloc(size_t size)
{
	void *memory = malloc(size);
	NEEDS(memory, NULL, "malloc");
	return memory;
}

OURS void *xcalloc(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	NEEDS(memory, NULL, "calloc");
	return memory;
}

OURS void *xposix_memalign(size_t alignment, size_t size)
{
	void *memory = NULL;
	xpthread_check_return("posix_memalign", posix_memalign(&memory, alignment, size));
	return memory;
}

__attribute__((format(printf, 1, 2))) OURS char *xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;
	va_start(arguments, format);
	NEEDS(vasprintf(&text, format, arguments), -1, "vasprintf");
	va_end(arguments);
	return text;
}

OURS void *xmmap(void *address, size_t size, int protection, int flags, int fd)
{
	void *memory = mmap(address, size, protection, flags, fd, 0);
	NEEDS(memory, MAP_FAILED, "mmap");
	return memory;
}

OURS long xsysconf(int name)
{
	return sysconf(name);
}

OURS void xwrite(int fd, const void *bytes, size_t size)
{
	if (write(fd, bytes, size) != (ssize_t)size) FAIL_EXIT1("write failed: %d", errno);
}

OURS int xopen(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags, mode);
	NEEDS(fd, -1, "open");
	return fd;
}

OURS int xdup2(int from, int to)
{
	int fd = dup2(from, to);
	NEEDS(fd, -1, "dup2");
	return fd;
}

OURS FILE *xfopen(const char *path, const char *mode)
{
	FILE *stream = fopen(path, mode);
	NEEDS(stream, NULL, "fopen");
	return stream;
}

OURS void *xdlopen(const char *path, int flags)
{
	void *library = dlopen(path, flags);
	if (!library) FAIL_EXIT1("dlopen failed: %s", dlerror());
	return library;
}

OURS void *xdlsym(void *library, const char *name)
{
	void *symbol = dlsym(library, name);
	NEEDS(symbol, NULL, "dlsym");
	return symbol;
}

OURS sighandler_t xsignal(int number, sighandler_t handler)
{
	sighandler_t old = signal(number, handler);
	NEEDS(old, SIG_ERR, "signal");
	return old;
}

/* ---- the test's surroundings ---- */

/* Ends the process after that time. An execution ends by itself, so this has nothing to do. */
OURS void delayed_exit(int seconds)
{
	(void)seconds;
}

OURS ssize_t write_message(const char *message)
{
	return write(STDOUT_FILENO, message, strlen(message));
}

/* Waits until other threads have ended. */
OURS void support_wait_for_thread_exit(void)
{
	usleep(500000);
}

OURS bool support_mutex_pi_monotonic(void)
{
	return true;
}

OURS void add_temp_file(const char *name)
{
	(void)name;
}

OURS int create_temp_file(const char *base, char **name)
{
	char *path = xasprintf("/tmp/%sXXXXXX", base);
	int fd = mkstemp(path);
	NEEDS(fd, -1, "mkstemp");
	if (name) *name = path;
	return fd;
}
#endif
