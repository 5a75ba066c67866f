/* SPDX-License-Identifier: MIT
 *
 * A thread that is to be cancelled ends at each function that POSIX requires to be a cancellation point, even if the call
 * would fail, and goes on after others.
 *
 * expect: optimal 1
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int file;
static char memory[4096] __attribute__((aligned(4096)));
static const struct iovec vector = {memory, 1};
static struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

#define POINTS(X)                                                                                                      \
	X(fsync(file))                                                                                                 \
	X(fdatasync(file))                                                                                             \
	X(msync(memory, sizeof memory, MS_ASYNC))                                                                      \
	X(fcntl(file, F_SETLKW, &lock))                                                                                \
	X(lockf(file, F_LOCK, 1))                                                                                      \
	X(writev(file, &vector, 1))                                                                                    \
	X(write(file, memory, 1))                                                                                      \
	X(pwrite(file, memory, 1, 0))                                                                                  \
	X(read(file, memory, 1))                                                                                       \
	X(close(-1))                                                                                                   \
	X(tcdrain(file))                                                                                               \
	X(waitpid(-1, NULL, WNOHANG))                                                                                  \
	X(wait4(-1, NULL, WNOHANG, NULL))
#define OTHERS(X)                                                                                                      \
	X(fcntl(file, F_SETLK, &lock))                                                                                 \
	X(fcntl(file, F_GETFL))                                                                                        \
	X(lockf(file, F_TLOCK, 1))                                                                                     \
	X(lseek(file, 0, SEEK_SET))                                                                                    \
	X(pthread_tryjoin_np(pthread_self(), NULL) - EBUSY)                                                            \
	X(ftruncate(file, 1))

static void *call(void *number)
{
	int here = 0, wanted = (int)(intptr_t)number;
	pthread_cancel(pthread_self());
#define CALL(expression)                                                                                               \
	if (here++ == wanted) (void)!(expression);
	POINTS(CALL)
	OTHERS(CALL)
	return NULL;
}

int main(void)
{
	char name[] = "mazurka-points-XXXXXX";
	int npoints = 0, nothers = 0;
#define COUNT_POINT(expression) npoints++;
#define COUNT_OTHER(expression) nothers++;
	POINTS(COUNT_POINT)
	OTHERS(COUNT_OTHER)
	file = mkstemp(name);
	assert(file >= 0 && unlink(name) == 0);
	for (int n = 0; n < npoints + nothers; n++) {
		pthread_t thread;
		void *result;
		pthread_create(&thread, NULL, call, (void *)(intptr_t)n);
		pthread_join(thread, &result);
		assert((result == PTHREAD_CANCELED) == (n < npoints));
	}
	return 0;
}
