/* SPDX-License-Identifier: MIT
 *
 * What the cases of functions.cases have in common. The byte `x` is an input, or with -DCHOSEN a value of mz_choose().
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <mazurka.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* functions_record.c, which is not instrumented: adds the outcome of an execution to the file. */
void record_outcome(const char *path, unsigned long outcome);

static unsigned long outcome;
static const char *record;

/* Looks at a value, by branches alone: the outcome itself depends on no input. */
static void see(unsigned long value)
{
	for (int bit = 0; bit < 64; bit++) {
		outcome *= 31;
		if (value >> bit & 1) outcome += 7;
	}
}
static void see_bytes(const void *bytes, size_t size)
{
	for (size_t n = 0; n < size; n++) see(((const unsigned char *)bytes)[n]);
}
#define SEE(value) see((unsigned long)(value))
#define SEEN(bytes, size) see_bytes(bytes, size)

static void finish(void)
{
	record_outcome(record, outcome);
	record = NULL;
}

/* ---- what cases are given ---- */

static time_t begin;
static long now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec - begin;
}

/* The first byte of the file that S and D open. */
static int back(void)
{
	char first = 0;
	int d = open("file", O_RDONLY);
	read(d, &first, 1);
	close(d);
	return first;
}

#define T                                                                                                              \
	char t[8] = "abc";                                                                                             \
	t[1] += x
#define N                                                                                                              \
	char t[8] = "17";                                                                                              \
	t[1] += x
#define P                                                                                                              \
	char p[8] = "f0";                                                                                              \
	p[1] += x
#define S FILE *s = fopen("file", "r+")
#define D int d = open("file", O_RDWR)
#define L struct timespec limit = {begin + x * 100, x / 3 * 2000000000L}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock_of_many = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static mtx_t held_mtx;
static cnd_t condition_cnd;
static int noted;

static void note(int signal)
{
	noted = signal;
}
static void block_all(void)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}
static void *returns(void *value)
{
	return value;
}
static void *returns_pointed(void *value)
{
	return (void *)(long)*(unsigned char *)value;
}
static void *exits(void *value)
{
	pthread_exit(value);
}
static void *waits_long(void *unused)
{
	sem_wait(&semaphore);
	return unused;
}
static int returns_int(void *value)
{
	return (int)(long)value;
}
static int returns_pointed_int(void *value)
{
	return *(unsigned char *)value;
}
static int exits_thrd(void *value)
{
	thrd_exit((int)(long)value);
}
static void *hold_to_write(void *unused)
{
	pthread_rwlock_wrlock(&lock_of_many);
	return unused;
}
static void *hold_mtx(void *unused)
{
	mtx_lock(&held_mtx);
	return unused;
}
/* Runs a function in another thread. */
static void other(void *(*function)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, NULL);
	pthread_join(thread, NULL);
}
static void ends(int status, void *argument)
{
	(void)status, (void)argument;
}
static int compare_bytes(const void *a, const void *b)
{
	return *(const unsigned char *)a - *(const unsigned char *)b;
}
static int compare_bytes_with(const void *a, const void *b, void *unused)
{
	(void)unused;
	return compare_bytes(a, b);
}

/* ---- functions with a va_list ---- */

#define FORWARD(name, parameters, call)                                                                                \
	static int name parameters                                                                                     \
	{                                                                                                              \
		va_list list;                                                                                          \
		va_start(list, format);                                                                                \
		int result = call;                                                                                     \
		va_end(list);                                                                                          \
		return result;                                                                                         \
	}
FORWARD(forwards, (int (*to)(const char *, va_list), const char *format, ...), vprintf(format, list))
FORWARD(forwards_to, (int (*to)(FILE *, const char *, va_list), FILE *s, const char *format, ...),
        vfprintf(s, format, list))
FORWARD(forwards_to_number, (int (*to)(int, const char *, va_list), int d, const char *format, ...),
        vdprintf(d, format, list))
FORWARD(forwards_new, (char **b, const char *format, ...), vasprintf(b, format, list))
FORWARD(into_vsnprintf, (char *b, const char *format, ...), vsnprintf(b, 8, format, list))
FORWARD(into_vsprintf, (char *b, const char *format, ...), vsprintf(b, format, list))
FORWARD(scans, (int (*to)(FILE *, const char *, va_list), FILE *s, const char *format, ...), vfscanf(s, format, list))
FORWARD(scans_text, (const char *t, const char *format, ...), vsscanf(t, format, list))

/* ---- calls that differ between functions of a line ---- */

#define LINE_fgets fgets(line, 16, s)
#define LINE_getline getline(&line, &size, s)
#define LINE_getdelim getdelim(&line, &size, '5', s)
#define WRITE_write(to, from, size) write(to, from, size)
#define WRITE_send(to, from, size) send(to, from, size, 0)
#define READV_readv readv(d, v, 1)
#define READV_preadv preadv(d, v, 1, 0)
#define READV_preadv64 preadv64(d, v, 1, 0)
#define READV_preadv2 preadv2(d, v, 1, 0, 0)
#define READV_preadv64v2 preadv64v2(d, v, 1, 0, 0)
#define RANDOM_srand rand
#define RANDOM_srandom random
#define GETRANDOM_getrandom , 0
#define GETRANDOM_arc4random_buf
#define STAT_fstatat struct stat
#define STAT_fstatat64 struct stat64
#define STAT_stat struct stat
#define STAT_fstat struct stat
#define STAT_fstat64 struct stat64
#define STAT_lstat struct stat
#define STAT_stat64 struct stat64
#define STAT_lstat64 struct stat64
#define STATFS_fstatfs statfs
#define STATFS_fstatfs64 statfs64
#define RLIMIT_prlimit rlimit
#define RLIMIT_prlimit64 rlimit64
#define COPY_copy_file_range copy_file_range(d, &at, d, &(off64_t){0}, 1, 0)
#define COPY_sendfile sendfile(d, d, &at, 1)
#define COPY_sendfile64 sendfile64(d, d, &at, 1)
#define COPY_splice                                                                                                    \
	int q[2];                                                                                                      \
	pipe(q);                                                                                                       \
	splice(d, &at, 1, NULL, 1, 0)

/* ---- the program ---- */

static void (*const cases[])(unsigned char x);

int main(int argc, char **argv)
{
	unsigned char x = 0;
	record = argv[2];
	begin = 0;
	begin = now();
	sem_init(&semaphore, 0, 0);
	mtx_init(&held_mtx, mtx_timed);
	cnd_init(&condition_cnd);
#ifdef CHOSEN
	x = mz_choose(4);
#else
	mz_symbolic(&x, 1, "x");
	mz_assume(x < 4);
#endif
	cases[atoi(argv[1])](x);
	if (record) finish();
	return argc - argc;
}
