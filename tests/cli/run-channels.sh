# SPDX-License-Identifier: MIT
# Pipes, sockets and eventfds: ours do what the kernel's do; what cannot be followed is refused in one line.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

# ---- one thread asks a thousand questions: by itself of the kernel, explored of us ----
cat >asks.h <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char answers[1 << 16], bytes[1 << 18], got[1 << 18];
static size_t length;

static void note(const char *question, long answer)
{
	const char *error = answer < 0 ? strerrorname_np(errno) : "";
	length += (size_t)snprintf(answers + length, sizeof answers - length, "%s: %ld %s\n", question, answer, error);
}
#define ASK(question) note(#question, (long)(question))

/* What poll says of a descriptor. */
static long says(int fd, short wanted)
{
	struct pollfd polled = {fd, wanted, 0};
	int n = poll(&polled, 1, 0);
	return n * 100000 + polled.revents;
}

static int is_fifo(int fd)
{
	struct stat status;
	return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

static int is_socket(int fd)
{
	struct stat status;
	return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}
END
cat >pipes.c <<'END'
#include "asks.h"
static int waiting(int fd)
{
	int n = -1;
	return ioctl(fd, FIONREAD, &n) == 0 ? n : -1;
}

static void flags(int in, int out)
{
	ASK(fcntl(in, F_GETFL));
	ASK(fcntl(out, F_GETFL));
	ASK(fcntl(in, F_GETFD));
	ASK(fcntl(in, F_SETFD, FD_CLOEXEC));
	ASK(fcntl(in, F_GETFD));
	ASK(is_fifo(in));
}

static void fill(int in, int out)
{
	static const size_t sizes[] = {5, 0, 4091, 2, 3000, 3000, 4096, 4097, 1, 200000, 1, 1095, 1097, 4096, 5000};
	ASK(read(in, got, 10));
	ASK(says(in, POLLIN));
	ASK(says(out, POLLIN | POLLOUT));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		ASK(write(out, bytes, sizes[i]));
		ASK(waiting(in));
		ASK(says(out, POLLOUT));
		if (i == 2) ASK(read(in, got, 3));
	}
	ASK(fcntl(out, F_SETPIPE_SZ, 4096));
	for (size_t n = 200; n < 40000; n *= 2) {
		ASK(read(in, got, n));
		ASK(says(out, POLLOUT));
		ASK(write(out, bytes, 1));
		ASK(write(out, bytes, 4096));
	}
	ASK(read(in, got, sizeof got));
}

static void pages(int in, int out)
{
	struct iovec vectors[3] = {{got, 3}, {got + 10, 0}, {got + 20, 5000}};
	for (int i = 0; i < 20; i++) ASK(write(out, bytes, 4000));
	ASK(write(out, bytes, 96));
	ASK(write(out, bytes, 97));
	ASK(read(in, got, 1));
	ASK(write(out, bytes, 97));
	ASK(read(in, got, 3999));
	ASK(write(out, bytes, 97));
	ASK(readv(in, vectors, 3));
	ASK(writev(out, vectors, 3));
	ASK(writev(out, vectors, 3));
	ASK(read(in, got, sizeof got));
}

static void ends(int in, int out)
{
	int copy = dup(out);
	ASK(write(out, "abc", 3));
	ASK(close(out));
	ASK(says(in, POLLIN));
	ASK(fcntl(copy, F_SETFL, 0));
	ASK(fcntl(copy, F_GETFL));
	ASK(dup2(copy, out));
	ASK(close(copy));
	ASK(close(out));
	ASK(close(out));
	ASK(says(in, POLLIN));
	ASK(read(in, got, 10));
	ASK(says(in, POLLIN));
	ASK(read(in, got, 10));
	ASK(write(in, got, 1));
	ASK(recv(in, got, 1, 0));
	ASK(close(in));
	ASK(says(in, POLLIN));
}

static void breaks(void)
{
	int fds[2];
	ASK(pipe(fds));
	ASK(close(fds[0]));
	ASK(says(fds[1], POLLOUT));
	ASK(write(fds[1], "x", 1));
	ASK(close(fds[1]));
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	for (int size = 0; size <= 65536; size += 4096 + size) {
		int fds[2];
		ASK(pipe2(fds, O_NONBLOCK));
		if (size) ASK(fcntl(fds[1], F_SETPIPE_SZ, size));
		ASK(fcntl(fds[0], F_GETPIPE_SZ));
		flags(fds[0], fds[1]);
		fill(fds[0], fds[1]);
		pages(fds[0], fds[1]);
		ends(fds[0], fds[1]);
	}
	breaks();
	return write(2, answers, length) == (ssize_t)length ? 7 : 8;
}
END
cat >sockets.c <<'END'
#include "asks.h"
static void talk(int a, int b)
{
	struct iovec out[2] = {{"ab", 2}, {"cde", 3}}, in[2] = {{got, 1}, {got + 5, 2}};
	struct msghdr sent = {.msg_iov = out, .msg_iovlen = 2}, received = {.msg_iov = in, .msg_iovlen = 2};
	ASK(is_socket(a));
	ASK(says(a, POLLIN | POLLOUT));
	ASK(send(a, "hello", 5, 0));
	ASK(send(a, "world!", 6, MSG_DONTWAIT));
	ASK(says(b, POLLIN | POLLOUT | POLLRDHUP));
	ASK(recv(b, got, 3, MSG_PEEK));
	ASK(recv(b, got, 3, 0));
	ASK(recv(b, got, 100, MSG_TRUNC));
	ASK(read(b, got, 100));
	ASK(read(b, got, 100));
	ASK(send(a, "", 0, 0));
	ASK(recv(b, got, 9, 0));
	ASK(sendmsg(a, &sent, 0));
	ASK(recvmsg(b, &received, 0));
	ASK(received.msg_flags);
	ASK(recv(b, got, 100, 0));
	ASK(sendto(a, "q", 1, 0, NULL, 0));
	ASK(recvfrom(b, got, 1, 0, NULL, NULL));
}

static void shut(int type, int a, int b)
{
	ASK(shutdown(a, SHUT_WR));
	ASK(send(a, "x", 1, MSG_NOSIGNAL));
	ASK(says(b, POLLIN | POLLOUT | POLLRDHUP));
	if (type != SOCK_DGRAM) ASK(recv(b, got, 1, 0));
	ASK(write(b, "z", 1));
	ASK(says(a, POLLIN));
	ASK(close(b));
	ASK(says(a, POLLIN | POLLOUT | POLLRDHUP));
	ASK(recv(a, got, 1, 0));
	ASK(close(a));
}

static void lose(int a, int b)
{
	ASK(write(a, "lost", 4));
	ASK(close(b));
	ASK(says(a, POLLIN | POLLOUT));
	ASK(recv(a, got, 1, 0));
	ASK(recv(a, got, 1, 0));
	ASK(send(a, "a", 1, MSG_NOSIGNAL));
	ASK(close(a));
	ASK(shutdown(a, SHUT_RD));
}

static void count(void)
{
	static const eventfd_t added[] = {5, 5, 0, -2UL - 10, 0, 1, -1UL};
	int fd = eventfd(3, EFD_NONBLOCK), semaphore = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
	eventfd_t value = 0;
	ASK(read(fd, &value, 8));
	ASK(value);
	ASK(read(fd, &value, 8));
	ASK(read(fd, &value, 4));
	for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
		ASK(write(fd, &added[i], 8));
		ASK(says(fd, POLLIN | POLLOUT));
	}
	ASK(read(fd, &value, 100));
	ASK(value);
	for (int i = 0; i < 3; i++) ASK(eventfd_read(semaphore, &value));
	ASK(eventfd_write(semaphore, 4));
	ASK(says(semaphore, POLLIN));
	ASK(close(fd));
	ASK(close(semaphore));
	ASK(eventfd(0, 12345));
}

int main(void)
{
	static const int types[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
	for (int i = 0; i < 3; i++) {
		int pair[2];
		ASK(socketpair(AF_UNIX, types[i] | SOCK_NONBLOCK, 0, pair));
		talk(pair[0], pair[1]);
		shut(types[i], pair[0], pair[1]);
		ASK(socketpair(AF_UNIX, types[i] | SOCK_NONBLOCK, 0, pair));
		lose(pair[0], pair[1]);
	}
	count();
	return write(2, answers, length) == (ssize_t)length ? 7 : 8;
}
END
cat >waits.c <<'END'
#include "asks.h"
static int loop;
static struct epoll_event events[4];

static int watch(int operation, int fd, unsigned wanted, unsigned long data)
{
	struct epoll_event event = {.events = wanted, .data.u64 = data};
	return epoll_ctl(loop, operation, fd, &event);
}

/* How many are told, of whom first, and what. */
static long told(int most)
{
	int n = epoll_wait(loop, events, most, 0);
	return n > 0 ? n * 1000000L + (long)events[0].data.u64 * 100000 + (long)events[0].events : n;
}

static void edges(int in, int out)
{
	ASK(watch(EPOLL_CTL_ADD, in, EPOLLIN | EPOLLET, 1));
	ASK(watch(EPOLL_CTL_ADD, in, EPOLLIN | EPOLLET, 1));
	ASK(watch(EPOLL_CTL_DEL, out, 0, 0));
	ASK(told(4));
	for (int i = 0; i < 2; i++) {
		ASK(write(out, "a", 1));
		ASK(told(4));
		ASK(told(4));
	}
	ASK(read(in, got, 1));
	ASK(told(4));
	ASK(read(in, got, 1));
	ASK(write(out, "b", 1));
	ASK(read(in, got, 1));
	ASK(told(4));
	ASK(write(out, "b", 1));
	ASK(watch(EPOLL_CTL_MOD, in, EPOLLIN | EPOLLET, 1));
	ASK(told(4));
	ASK(told(4));
}

static void levels(int in, int out)
{
	for (int i = 0; i < 2; i++) {
		ASK(watch(EPOLL_CTL_MOD, in, EPOLLIN | EPOLLONESHOT, 2));
		ASK(told(4));
		ASK(told(4));
	}
	ASK(watch(EPOLL_CTL_MOD, in, EPOLLIN, 2));
	ASK(told(4));
	ASK(told(4));
	ASK(read(in, got, 1));
	ASK(told(4));
	ASK(close(out));
	ASK(told(4));
	ASK(close(in));
	ASK(told(4));
	ASK(told(0));
	ASK(watch(EPOLL_CTL_ADD, loop, EPOLLIN, 2));
	ASK(watch(EPOLL_CTL_ADD, in, EPOLLIN, 2));
	ASK(read(loop, got, 1));
}

static void turns(void)
{
	int first = eventfd(1, 0), second = eventfd(1, 0);
	eventfd_t value;
	ASK(watch(EPOLL_CTL_ADD, first, EPOLLIN, 1));
	ASK(watch(EPOLL_CTL_ADD, second, EPOLLIN, 2));
	for (int i = 0; i < 4; i++) ASK(told(1));
	ASK(watch(EPOLL_CTL_DEL, first, 0, 0));
	ASK(told(4));
	ASK(watch(EPOLL_CTL_DEL, second, 0, 0));
	ASK(watch(EPOLL_CTL_ADD, first, EPOLLIN | EPOLLOUT | EPOLLET, 3));
	ASK(told(4));
	ASK(told(4));
	ASK(eventfd_read(first, &value));
	ASK(told(4));
}

static void selects(int in, int out)
{
	fd_set reads, writes;
	struct timeval moment = {0, 1000};
	FD_ZERO(&reads);
	FD_ZERO(&writes);
	FD_SET(in, &reads);
	FD_SET(out, &writes);
	ASK(select(out + 1, &reads, &writes, NULL, &moment));
	ASK(FD_ISSET(in, &reads));
	ASK(FD_ISSET(out, &writes));
	ASK(write(out, "x", 1));
	FD_SET(in, &reads);
	ASK(select(out + 1, &reads, NULL, NULL, NULL));
	ASK(close(in));
	ASK(close(out));
	ASK(select(out + 1, &reads, NULL, NULL, NULL));
	ASK(poll(NULL, 0, 1));
}

int main(void)
{
	int fds[2];
	loop = epoll_create1(0);
	ASK(pipe2(fds, O_NONBLOCK));
	edges(fds[0], fds[1]);
	levels(fds[0], fds[1]);
	turns();
	ASK(pipe(fds));
	selects(fds[0], fds[1]);
	return write(2, answers, length) == (ssize_t)length ? 7 : 8;
}
END
for program in pipes sockets waits; do
	check "$program: built" "$BUILD/mazurka" cc -g -Wall -Wextra $program.c -o $program
	./$program 2>of-the-kernel || true # its exit status makes it a finding, so that there is something to be replayed
	$run --quiet --out $program.out ./$program || true
	"$BUILD/mazurka" replay $program.out/bug-1.trace >/dev/null 2>ours || true
	check "$program: answers" test "$(wc -l <ours)" -ge 60
	check "$program: the answers are the kernel's" cmp ours of-the-kernel
done

# ---- deadlocks name the descriptor and where it was made ----
cat >stuck.c <<'END'
#include <pthread.h>
#include <unistd.h>
int ends[2];
static void *listen_to(void *arg)
{
	char byte;
	return read(ends[0], &byte, 1) == 1 ? arg : NULL;
}
int main(void)
{
	pthread_t listener;
	if (pipe(ends) != 0) return 1;
	pthread_create(&listener, NULL, listen_to, NULL);
	return pthread_join(listener, NULL);
}
END
check "one who waits for a pipe that nobody writes to" "$BUILD/mazurka" cc -g stuck.c -o stuck -pthread
$run --out stuck.out ./stuck >said || true
check "what it waits for" grep -F "main/1 waits to read from pipe 3/4 at stuck.c:7 (listen_to)" said
check "and where that was made" grep -F "which was made here at stuck.c:12 (main)" said

# ---- what is not modelled is refused, in one line ----
is_refused() { # what, the call, why
	cat >refused.c <<END
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
	int fds[2], pair[2], loop = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN};
	if (pipe(fds) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
	$2;
	return event.events == 0 || loop < 0;
}
END
	check "$1: built" "$BUILD/mazurka" cc -g refused.c -o refused
	refused "$1: refused" "mazurka: $PWD/refused cannot be explored: $3" $run ./refused
}
is_refused "a stream" 'fdopen(fds[0], "r")' "it makes a stream of a pipe or socket"
is_refused "packets" 'pipe2(fds, O_DIRECT)' "it makes a pipe of packets"
is_refused "a file that is watched" 'epoll_ctl(loop, EPOLL_CTL_ADD, 0, &event)' "it has an epoll watch what is not modelled"
is_refused "an epoll that is watched" 'epoll_ctl(loop, EPOLL_CTL_ADD, epoll_create1(0), &event)' "it has an epoll watch another one"
is_refused "standard output" 'dup2(fds[1], 1)' "it gives a pipe or socket the number of a file that is open"
is_refused "flags" 'recv(pair[0], fds, 1, MSG_OOB)' "it receives with flags that are not modelled"
is_refused "a lock of a file" 'fcntl(fds[0], F_GETLK, fds)' "it uses a command of fcntl on a pipe or socket that is not modelled"

# ---- numbers are those that the program would get by itself, and other calls get nowhere with them ----
cat >numbers.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	int fds[2], file;
	char byte;
	assert(pipe(fds) == 0 && fds[0] == 3 && fds[1] == 4);
	file = open("/dev/null", O_RDONLY);
	assert(file == 5 && close(3) == 0 && dup(file) == 3 && read(3, &byte, 1) == 0);
	assert(fcntl(fds[1], F_DUPFD, 10) == 10 && close(10) == 0);
	assert(pread(fds[1], &byte, 1, 0) == -1);
	return 0;
}
END
check "a program with pipes and files" "$BUILD/mazurka" cc -g numbers.c -o numbers
check "its numbers are as always" $run ./numbers
check "also in a process of their own" $run --isolation process ./numbers
