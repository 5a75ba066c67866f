/* SPDX-License-Identifier: MIT
 * points: all calls and what POSIX says of them; points NAME: a thread that somebody has asked to end makes that call. Shows whether it ended
 * there. All calls return at once if they are made. */
#include "../values/values.h"
#include <aio.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>

static int ends[2], file;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_t other;
static mtx_t mtx;
static cnd_t cnd;
static sigset_t none, all, user;
static char bytes[16];
static struct iovec vector = {bytes, 1};
static struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
static struct pollfd polled = {.events = POLLIN};
static const struct timespec moment = {0, 1};
static struct timeval now;
static struct aiocb *no_requests[1];
static unsigned word;

static void nothing(void)
{
}

static void *end_at_once(void *it)
{
	return it;
}

/* X(name, what POSIX says, the call). required: has to be a point; never: must not be one; may: both are right. */
#define POINTS(X)                                                                                                      \
	X(accept, required, accept(-1, NULL, NULL))                                                                    \
	X(aio_suspend, required, aio_suspend((const struct aiocb *const *)no_requests, 1, &moment))                    \
	X(clock_nanosleep, required, clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL))                               \
	X(close, required, close(-1))                                                                                  \
	X(close_of_a_pipe, required, close(ends[0]))                                                                   \
	X(connect, required, connect(-1, NULL, 0))                                                                     \
	X(creat, required, creat("/nonexistent/file", 0600))                                                           \
	X(fcntl_of_locks, required, fcntl(file, F_SETLKW, &(struct flock){.l_type = F_WRLCK}))                         \
	X(fdatasync, required, fdatasync(file))                                                                        \
	X(fsync, required, fsync(file))                                                                                \
	X(lockf, required, lockf(file, F_LOCK, 1))                                                                     \
	X(mq_receive, required, mq_receive(-1, bytes, 1, NULL))                                                        \
	X(mq_send, required, mq_send(-1, bytes, 1, 0))                                                                 \
	X(mq_timedreceive, required, mq_timedreceive(-1, bytes, 1, NULL, &moment))                                     \
	X(mq_timedsend, required, mq_timedsend(-1, bytes, 1, 0, &moment))                                              \
	X(msgrcv, required, msgrcv(-1, bytes, 1, 0, IPC_NOWAIT))                                                       \
	X(msgsnd, required, msgsnd(-1, bytes, 1, IPC_NOWAIT))                                                          \
	X(msync, required, msync((void *)((uintptr_t)bytes & ~4095UL), 1, MS_ASYNC))                                   \
	X(nanosleep, required, nanosleep(&moment, NULL))                                                               \
	X(open, required, open("/nonexistent/file", O_RDONLY))                                                         \
	X(openat, required, openat(AT_FDCWD, "/nonexistent/file", O_RDONLY))                                           \
	X(poll, required, poll(&polled, 1, 0))                                                                         \
	X(pread, required, pread(file, bytes, 1, 0))                                                                   \
	X(preadv, required, preadv(file, &vector, 1, 0))                                                               \
	X(pselect, required, pselect(0, NULL, NULL, NULL, &moment, NULL))                                              \
	X(pthread_cond_timedwait, required,                                                                            \
	  (pthread_mutex_lock(&mutex), pthread_cond_timedwait(&condition, &mutex, &past)))                             \
	X(pthread_cond_clockwait, required,                                                                            \
	  (pthread_mutex_lock(&mutex), pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past)))            \
	X(pthread_join, required, pthread_join(other, NULL))                                                           \
	X(pthread_testcancel, required, pthread_testcancel())                                                          \
	X(pwrite, required, pwrite(file, bytes, 1, 0))                                                                 \
	X(read, required, read(file, bytes, 1))                                                                        \
	X(read_of_a_pipe, required, read(ends[0], bytes, 1))                                                           \
	X(readv, required, readv(ends[0], &vector, 1))                                                                 \
	X(recv, required, recv(-1, bytes, 1, 0))                                                                       \
	X(recvfrom, required, recvfrom(-1, bytes, 1, 0, NULL, NULL))                                                   \
	X(recvmsg, required, recvmsg(-1, &message, 0))                                                                 \
	X(select, required, select(0, NULL, NULL, NULL, &now))                                                         \
	X(sem_timedwait, required, sem_timedwait(&semaphore, &past))                                                   \
	X(sem_clockwait, required, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past))                                  \
	X(sem_wait, required, sem_wait(&semaphore))                                                                    \
	X(send, required, send(-1, bytes, 1, 0))                                                                       \
	X(sendmsg, required, sendmsg(-1, &message, 0))                                                                 \
	X(sendto, required, sendto(-1, bytes, 1, 0, NULL, 0))                                                          \
	X(sigsuspend, required, sigsuspend(&none))                                                                     \
	X(sigtimedwait, required, sigtimedwait(&user, NULL, &moment))                                                  \
	X(sigwait, required, sigwait(&user, &(int){0}))                                                                \
	X(sigwaitinfo, required, sigwaitinfo(&user, NULL))                                                             \
	X(sleep, required, sleep(0))                                                                                   \
	X(tcdrain, required, tcdrain(-1))                                                                              \
	X(thrd_join, may, thrd_join(other, NULL))                                                                      \
	X(thrd_sleep, required, thrd_sleep(&moment, NULL))                                                             \
	X(cnd_timedwait, required, (mtx_lock(&mtx), cnd_timedwait(&cnd, &mtx, &past)))                                 \
	X(usleep, required, usleep(1))                                                                                 \
	X(wait, required, wait(NULL))                                                                                  \
	X(waitid, required, waitid(P_ALL, 0, NULL, WEXITED | WNOHANG))                                                 \
	X(waitpid, required, waitpid(-1, NULL, WNOHANG))                                                               \
	X(write, required, write(file, bytes, 1))                                                                      \
	X(write_to_a_pipe, required, write(ends[1], bytes, 1))                                                         \
	X(writev, required, writev(ends[1], &vector, 1))                                                               \
	X(ppoll, may, ppoll(&polled, 1, &moment, NULL))                                                                \
	X(epoll_wait, may, epoll_wait(-1, NULL, 1, 0))                                                                 \
	X(fopen, may, fopen("/nonexistent/file", "r") != NULL)                                                         \
	X(fflush, may, fflush(NULL))                                                                                   \
	X(printf, may, printf("%s", ""))                                                                               \
	X(fputs, may, fputs("", stdout))                                                                               \
	X(access, may, access("/", R_OK))                                                                              \
	X(stat, may, stat("/", &(struct stat){0}))                                                                     \
	X(lseek, may, lseek(file, 0, SEEK_SET))                                                                        \
	X(fcntl, may, fcntl(file, F_GETFL))                                                                            \
	X(unlink, may, unlink("/nonexistent/file"))                                                                    \
	X(pthread_rwlock_rdlock, may, pthread_rwlock_rdlock(&lock))                                                    \
	X(pthread_rwlock_wrlock, may, pthread_rwlock_wrlock(&lock))                                                    \
	X(pthread_tryjoin_np, never, pthread_tryjoin_np(other, NULL))                                                  \
	X(pthread_timedjoin_np, may, pthread_timedjoin_np(other, NULL, &past))                                         \
	X(ftell, may, ftell(stdout))                                                                                   \
	X(pthread_mutex_lock, never, pthread_mutex_lock(&mutex))                                                       \
	X(pthread_mutex_trylock, never, pthread_mutex_trylock(&mutex))                                                 \
	X(pthread_mutex_timedlock, never, pthread_mutex_timedlock(&mutex, &past))                                      \
	X(pthread_mutex_unlock, never, (pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex)))                     \
	X(mtx_lock, never, mtx_lock(&mtx))                                                                             \
	X(pthread_cond_signal, never, pthread_cond_signal(&condition))                                                 \
	X(pthread_cond_broadcast, never, pthread_cond_broadcast(&condition))                                           \
	X(cnd_signal, never, cnd_signal(&cnd))                                                                         \
	X(pthread_rwlock_tryrdlock, never, pthread_rwlock_tryrdlock(&lock))                                            \
	X(pthread_rwlock_trywrlock, never, pthread_rwlock_trywrlock(&lock))                                            \
	X(pthread_barrier_wait, never, pthread_barrier_wait(&barrier))                                                 \
	X(pthread_spin_lock, never, pthread_spin_lock(&spin))                                                          \
	X(pthread_spin_trylock, never, pthread_spin_trylock(&spin))                                                    \
	X(pthread_once, never, pthread_once(&once, nothing))                                                           \
	X(pthread_create, never, pthread_create(&other, NULL, end_at_once, NULL))                                      \
	X(pthread_detach, never, pthread_detach(other))                                                                \
	X(pthread_self, never, (long)pthread_self() != 0)                                                              \
	X(pthread_kill, never, pthread_kill(pthread_self(), 0))                                                        \
	X(pthread_sigmask, never, pthread_sigmask(SIG_BLOCK, &none, NULL))                                             \
	X(pthread_setspecific, never, pthread_setspecific(key, NULL))                                                  \
	X(pthread_getspecific, never, (long)pthread_getspecific(key))                                                  \
	X(pthread_setcancelstate, never, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL))                          \
	X(pthread_cancel, never, pthread_cancel(other))                                                                \
	X(sem_post, never, sem_post(&semaphore))                                                                       \
	X(sem_trywait, never, sem_trywait(&semaphore))                                                                 \
	X(sem_getvalue, never, sem_getvalue(&semaphore, &(int){0}))                                                    \
	X(sched_yield, never, sched_yield())                                                                           \
	X(clock_gettime, never, clock_gettime(CLOCK_MONOTONIC, &(struct timespec){0}))                                 \
	X(malloc, never, (free(malloc(1)), 0))                                                                         \
	X(memcpy, never, (memcpy(bytes, "x", 1), 0))                                                                   \
	X(pipe, never, pipe((int[2]){0, 0}))                                                                           \
	X(dup, never, dup(ends[0]))                                                                                    \
	X(eventfd, never, eventfd(0, 0))                                                                               \
	X(socketpair, never, socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}))                                      \
	X(shutdown, never, shutdown(-1, SHUT_RD))                                                                      \
	X(kill, never, kill(getpid(), 0))                                                                              \
	X(raise, never, raise(0))                                                                                      \
	X(sigaction, never, sigaction(SIGUSR2, NULL, NULL))                                                            \
	X(sigpending, never, sigpending(&(sigset_t){0}))                                                               \
	X(getpid, never, getpid())                                                                                     \
	X(getenv, never, getenv("HOME") != NULL)                                                                       \
	X(mmap, never, mmap(NULL, 0, 0, 0, -1, 0) != MAP_FAILED)                                                       \
	X(ftruncate, never, ftruncate(-1, 0))                                                                          \
	X(futex_wake, never, syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0))                                  \
	X(futex_wait, never, syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0))

enum said { required, never, may };
static const char *const said[] = {"required", "never", "may"};

static void clean_up(void *unused)
{
	(void)unused;
	show("cancelled", 1, 0);
}

#define FUNCTION(name, says, ...)                                                                                      \
	static void *call_##name(void *unused)                                                                         \
	{                                                                                                              \
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);                                                  \
		pthread_cancel(pthread_self());                                                                        \
		pthread_cleanup_push(clean_up, NULL);                                                                  \
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);                                                   \
		(void)(__VA_ARGS__);                                                                                   \
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);                                                  \
		pthread_cleanup_pop(0);                                                                                \
		show("cancelled", 0, 0);                                                                               \
		return unused;                                                                                         \
	}
POINTS(FUNCTION)

static const struct point {
	const char *name;
	enum said said;
	void *(*call)(void *);
} points[] = {
#define ENTRY(name, says, ...) {#name, says, call_##name},
    POINTS(ENTRY)};

void show(const char *call, long result, int error)
{
	char line[100];
	(void)error;
	syscall(SYS_write, RESULTS, line, snprintf(line, sizeof(line), "%s = %ld\n", call, result));
}

static void set_up(void)
{
	sigemptyset(&none);
	sigfillset(&all);
	sigemptyset(&user);
	sigaddset(&user, SIGUSR1);
	pipe(ends);
	write(ends[1], "xyz", 3);
	polled.fd = ends[0];
	file = open("points-file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	sem_init(&semaphore, 0, 1);
	pthread_barrier_init(&barrier, NULL, 1);
	pthread_spin_init(&spin, 0);
	pthread_key_create(&key, NULL);
	mtx_init(&mtx, mtx_plain);
	cnd_init(&cnd);
	pthread_create(&other, NULL, end_at_once, NULL);
}

int main(int argc, char **argv)
{
	for (unsigned long i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		pthread_t thread;
		if (argc < 2)
			printf("%s %s\n", points[i].name, said[points[i].said]);
		else if (strcmp(points[i].name, argv[1]) == 0) {
			set_up();
			pthread_create(&thread, NULL, points[i].call, NULL);
			pthread_join(thread, NULL);
		}
	}
	return 0;
}
