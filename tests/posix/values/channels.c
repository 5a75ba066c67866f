/* SPDX-License-Identifier: MIT
 * Pipes, eventfds, pairs of sockets, and what waits for them. */
#include "values.h"

static int ends[2], others[2];
static char bytes[70000];
static const struct timespec bad_ = {0, 2000000000};

PROBE(pipe_ends)
{
	SHOW(pipe2(ends, 1));
	SHOW(pipe2(ends, O_NONBLOCK));
	SHOW(read(ends[0], bytes, 10));
	SHOW(read(ends[0], bytes, 0));
	SHOW(write(ends[0], bytes, 10));
	SHOW(read(ends[1], bytes, 10));
	SHOW(write(ends[1], bytes, 0));
	SHOW(write(ends[1], bytes, 10));
	SHOW(ioctl(ends[0], FIONREAD, others));
	SHOW(others[0]);
	SHOW(read(ends[0], bytes, 4));
	SHOW(write(ends[1], bytes, sizeof(bytes)));
	SHOW(write(ends[1], bytes, sizeof(bytes)));
	SHOW(write(ends[1], bytes, 1));
	SHOW(lseek(ends[0], 0, SEEK_SET));
	SHOW(pread(ends[0], bytes, 1, 0));
	SHOW(pwrite(ends[1], bytes, 1, 0));
	SHOW(fsync(ends[1]));
	SHOW(ftruncate(ends[1], 0));
	SHOW(fcntl(ends[0], F_GETFL));
	SHOW(fcntl(ends[1], F_GETFL));
	SHOW(fcntl(ends[0], F_GETFD));
	SHOW(fcntl(ends[0], F_SETFD, FD_CLOEXEC));
	SHOW(fcntl(ends[0], F_GETFD));
	SHOW(fcntl(ends[0], F_SETFL, 0));
	SHOW(fcntl(ends[0], F_GETFL));
	SHOW(fcntl(ends[1], F_GETPIPE_SZ));
	SHOW(isatty(ends[0]));
}

PROBE(pipe_closed)
{
	signal(SIGPIPE, SIG_IGN);
	SHOW(pipe(ends));
	SHOW(write(ends[1], bytes, 10));
	SHOW(close(ends[1]));
	SHOW(close(ends[1]));
	SHOW(write(ends[1], bytes, 10));
	SHOW(read(ends[0], bytes, 100));
	SHOW(read(ends[0], bytes, 100));
	SHOW(pipe(others));
	SHOW(close(others[0]));
	SHOW(write(others[1], bytes, 10));
	SHOW(write(others[1], bytes, 0));
	SHOW(read(-1, bytes, 1));
	SHOW(write(1000, bytes, 1));
	SHOW(close(-1));
	SHOW(close(1000));
}

PROBE(pipe_copies)
{
	int copy;
	pipe(ends);
	SHOW(dup(-1));
	SHOW(dup(1000));
	SHOW(dup2(ends[0], ends[0]) == ends[0]);
	SHOW(dup2(1000, 1000));
	SHOW(dup2(ends[0], -1));
	SHOW(dup2(ends[0], 100000000));
	SHOW(dup3(ends[0], ends[0], 0));
	SHOW(dup3(ends[0], 50, 77));
	SHOW(dup3(ends[0], 50, O_CLOEXEC));
	SHOW(fcntl(50, F_GETFD));
	SHOW((copy = dup(ends[1])) > ends[1]);
	SHOW(close(ends[1]));
	SHOW(write(copy, bytes, 3));
	SHOW(read(50, bytes, 9));
	SHOW(fcntl(copy, F_DUPFD, 60));
	SHOW(fcntl(copy, F_DUPFD_CLOEXEC, 60));
	SHOW(fcntl(copy, F_DUPFD, -1));
	SHOW(fcntl(1000, F_GETFL));
	SHOW(fcntl(copy, 9999));
}

PROBE(pipe_vectors)
{
	struct iovec v[2] = {{bytes, 3}, {bytes + 10, 5}};
	pipe2(ends, O_NONBLOCK);
	SHOW(writev(ends[1], v, 2));
	SHOW(readv(ends[0], v, 1));
	SHOW(readv(ends[0], v, 2));
	SHOW(readv(ends[0], v, 2));
	SHOW(writev(ends[1], v, -1));
	SHOW(writev(ends[1], v, 2000));
	SHOW(readv(ends[0], v, 0));
	SHOW(writev(ends[1], v, 0));
}

PROBE(event_counter)
{
	int fd;
	uint64_t value = 3;
	eventfd_t v;
	SHOW(eventfd(0, 77));
	SHOW((fd = eventfd(2, EFD_NONBLOCK)) >= 0);
	SHOW(write(fd, &value, 4));
	SHOW(write(fd, &value, 8));
	SHOW(read(fd, &value, 4));
	SHOW(read(fd, &value, 8));
	SHOW(value);
	SHOW(read(fd, &value, 8));
	value = UINT64_MAX;
	SHOW(write(fd, &value, 8));
	value = UINT64_MAX - 1;
	SHOW(write(fd, &value, 8));
	SHOW(write(fd, &(uint64_t){1}, 8));
	SHOW(write(fd, &(uint64_t){0}, 8));
	SHOW(eventfd_read(fd, &v));
	SHOW(v == UINT64_MAX - 1);
	SHOW(eventfd_write(fd, 7));
	SHOW(eventfd_read(fd, &v));
	SHOW(v);
	SHOW(eventfd_read(-1, &v));
	SHOW(lseek(fd, 0, SEEK_SET));
	SHOW(close(fd));
	SHOW((fd = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK)) >= 0);
	SHOW(eventfd_read(fd, &v));
	SHOW(v);
	SHOW(eventfd_read(fd, &v));
	SHOW(eventfd_read(fd, &v));
}

PROBE(socket_pairs)
{
	SHOW(socketpair(77, SOCK_STREAM, 0, ends) < 0);
	SHOW(socketpair(AF_UNIX, 77, 0, ends));
	SHOW(socketpair(AF_UNIX, SOCK_STREAM, 77, ends));
	SHOW(socketpair(AF_INET, SOCK_STREAM, 0, ends));
}

#define SOCKETS(name, type)                                                                                            \
	PROBE(name)                                                                                                    \
	{                                                                                                              \
		socklen_t length = sizeof(others[0]);                                                                  \
		signal(SIGPIPE, SIG_IGN);                                                                              \
		SHOW(socketpair(AF_UNIX, type, 0, ends));                                                              \
		SHOW(recv(ends[0], bytes, 10, MSG_DONTWAIT));                                                          \
		SHOW(send(ends[1], bytes, 10, 0));                                                                     \
		SHOW(send(ends[1], bytes, 5, 0));                                                                      \
		SHOW(recv(ends[0], bytes, 4, MSG_PEEK));                                                               \
		SHOW(recv(ends[0], bytes, 4, 0));                                                                      \
		SHOW(recv(ends[0], bytes, 100, 0));                                                                    \
		SHOW(recv(ends[0], bytes, 100, MSG_DONTWAIT));                                                         \
		SHOW(send(ends[0], bytes, 0, 0));                                                                      \
		SHOW(sendto(ends[0], bytes, 6, 0, NULL, 0));                                                           \
		SHOW(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, others, &length));                                       \
		SHOW(others[0]);                                                                                       \
		SHOW(getsockopt(ends[0], SOL_SOCKET, 9999, others, &length));                                          \
		SHOW(shutdown(ends[0], 77));                                                                           \
		SHOW(shutdown(ends[0], SHUT_WR));                                                                      \
		SHOW(send(ends[0], bytes, 1, 0));                                                                      \
		SHOW(send(ends[0], bytes, 1, MSG_NOSIGNAL));                                                           \
		SHOW(recv(ends[1], bytes, 100, MSG_DONTWAIT));                                                         \
		SHOW(close(ends[1]));                                                                                  \
		SHOW(recv(ends[0], bytes, 100, MSG_DONTWAIT));                                                         \
		SHOW(lseek(ends[0], 0, SEEK_SET));                                                                     \
	}

SOCKETS(socket_stream, SOCK_STREAM)
SOCKETS(socket_datagram, SOCK_DGRAM)
SOCKETS(socket_packet, SOCK_SEQPACKET)

PROBE(socket_not)
{
	pipe(ends);
	SHOW(send(ends[1], bytes, 1, 0));
	SHOW(recv(ends[0], bytes, 1, 0));
	SHOW(shutdown(ends[0], SHUT_RD));
	SHOW(send(1000, bytes, 1, 0));
	SHOW(recv(-1, bytes, 1, 0));
}

PROBE(polled)
{
	struct pollfd f[3] = {{.events = POLLIN}, {.events = POLLOUT}, {.fd = -5, .events = POLLIN}};
	pipe(ends);
	f[0].fd = ends[0], f[1].fd = ends[1];
	SHOW(poll(NULL, 0, 0));
	SHOW(poll(NULL, 0, 1));
	SHOW(poll(f, 1, 0));
	SHOW(poll(f, 3, 0));
	SHOW(f[0].revents);
	SHOW(f[1].revents);
	SHOW(f[2].revents);
	SHOW(write(ends[1], bytes, 1));
	SHOW(poll(f, 1, -1));
	SHOW(f[0].revents);
	SHOW(ppoll(f, 1, &bad_, NULL));
	SHOW(close(ends[1]));
	SHOW(poll(f, 1, -1));
	SHOW(f[0].revents);
	SHOW(poll(f, 2, 0));
	SHOW(f[1].revents);
	SHOW(read(ends[0], bytes, 1));
	SHOW(poll(f, 1, 0));
	SHOW(f[0].revents);
	pipe(others);
	close(others[0]);
	f[1].fd = others[1];
	SHOW(poll(f + 1, 1, 0));
	SHOW(f[1].revents);
}

PROBE(selected)
{
	fd_set in, out;
	struct timeval now = {0, 0}, bad = {-1, 0};
	pipe(ends);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(ends[0], &in);
	FD_SET(ends[1], &out);
	SHOW(select(-1, NULL, NULL, NULL, &now));
	SHOW(select(0, NULL, NULL, NULL, &now));
	SHOW(select(ends[1] + 1, &in, NULL, NULL, &bad));
	SHOW(select(ends[1] + 1, &in, &out, NULL, &now));
	SHOW(FD_ISSET(ends[0], &in) != 0);
	SHOW(FD_ISSET(ends[1], &out) != 0);
	FD_ZERO(&in);
	FD_SET(40, &in);
	SHOW(select(41, &in, NULL, NULL, &now));
	SHOW(pselect(ends[1] + 1, NULL, &out, NULL, &bad_, NULL));
}

PROBE(epolls)
{
	int fd, e;
	struct epoll_event event = {.events = EPOLLIN}, got[4];
	pipe(ends);
	SHOW(epoll_create(0));
	SHOW(epoll_create1(77));
	SHOW((e = epoll_create1(0)) >= 0);
	SHOW(epoll_ctl(e, EPOLL_CTL_ADD, ends[0], &event));
	SHOW(epoll_ctl(e, EPOLL_CTL_ADD, ends[0], &event));
	SHOW(epoll_ctl(e, EPOLL_CTL_MOD, ends[1], &event));
	SHOW(epoll_ctl(e, EPOLL_CTL_DEL, ends[1], &event));
	SHOW(epoll_ctl(e, 77, ends[0], &event));
	SHOW(epoll_ctl(e, EPOLL_CTL_ADD, e, &event));
	SHOW(epoll_ctl(e, EPOLL_CTL_ADD, 1000, &event));
	SHOW(epoll_ctl(ends[0], EPOLL_CTL_ADD, ends[1], &event));
	SHOW(epoll_ctl(1000, EPOLL_CTL_ADD, ends[1], &event));
	SHOW(epoll_wait(e, got, 4, 0));
	SHOW(epoll_wait(e, got, 0, 0));
	SHOW(epoll_wait(e, got, -1, 0));
	SHOW(epoll_wait(ends[0], got, 4, 0));
	SHOW(epoll_wait(1000, got, 4, 0));
	SHOW(write(ends[1], bytes, 1));
	SHOW(epoll_wait(e, got, 4, -1));
	SHOW(got[0].events);
	SHOW(epoll_ctl(e, EPOLL_CTL_DEL, ends[0], NULL));
	SHOW(epoll_wait(e, got, 4, 0));
	SHOW((fd = eventfd(1, 0)) >= 0);
	event.events = EPOLLIN | EPOLLONESHOT;
	SHOW(epoll_ctl(e, EPOLL_CTL_ADD, fd, &event));
	SHOW(epoll_wait(e, got, 4, 0));
	SHOW(epoll_wait(e, got, 4, 0));
	SHOW(read(e, bytes, 8));
	SHOW(write(e, bytes, 8));
	SHOW(close(e));
	SHOW(epoll_wait(e, got, 4, 0));
}
