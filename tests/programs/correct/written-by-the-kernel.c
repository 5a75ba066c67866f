/* SPDX-License-Identifier: MIT
 *
 * System calls write to variables whose pages nobody has written to before, in an image that is too large to be copied:
 * each succeeds, in every execution, and what was written is gone in the next one. One of two threads does it while it
 * holds a lock that the other one takes, too.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#define PAGE 4096
#define LENGTH (64 * 1024)

/* Each on pages of its own. */
#define APART(type, name) _Alignas(PAGE) type name[PAGE / sizeof(type)]

APART(char, first);
APART(char, second);
APART(char, third);
APART(char, peeked);
APART(char, folder);
APART(char, link_text);
APART(struct stat, status);
APART(struct utsname, names);
APART(struct rusage, usage);
APART(int, ends);
APART(struct epoll_event, events);
APART(struct pollfd, polled);
APART(fd_set, selected);
APART(struct timeval, most);
APART(struct msghdr, message);
APART(char, from_message);
APART(int, pending);
APART(char, by_number);
_Alignas(PAGE) char whole[LENGTH];
char padding[1 << 20];

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void read_in_pieces(void)
{
	struct iovec pieces[] = {{second, 3}, {third, PAGE}};
	int file = open("/proc/self/exe", O_RDONLY);
	assert(file >= 0);
	assert(first[1] == 0 && second[0] == 0 && third[0] == 0);
	assert(read(file, first, 4) == 4 && memcmp(first, "\177ELF", 4) == 0);
	assert(pread(file, peeked, 4, 0) == 4 && memcmp(peeked, first, 4) == 0);
	assert(lseek(file, 0, SEEK_SET) == 0);
	assert(readv(file, pieces, 2) == PAGE + 3 && memcmp(second, "\177EL", 3) == 0 && third[0] == 'F');
	assert(fstat(file, status) == 0 && status->st_size > PAGE);
	assert(syscall(SYS_pread64, file, by_number, 4, 0) == 4 && by_number[3] == 'F');
	close(file);
}

static void read_a_stream(void)
{
	FILE *stream = fopen("/proc/self/exe", "r");
	assert(stream);
	assert(whole[0] == 0 && fread(whole, 1, LENGTH, stream) > PAGE && memcmp(whole, "\177ELF", 4) == 0);
	fclose(stream);
}

static void exchange(void)
{
	struct iovec piece = {from_message, PAGE};
	assert(ends[1] == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	assert(write(ends[1], "abc", 3) == 3);
	assert(ioctl(ends[0], FIONREAD, pending) == 0 && pending[0] == 3);
	*polled = (struct pollfd){.fd = ends[0], .events = POLLIN};
	assert(poll(polled, 1, 0) == 1 && polled->revents == POLLIN);
	FD_ZERO(selected);
	FD_SET(ends[0], selected);
	assert(select(ends[0] + 1, selected, NULL, NULL, most) == 1 && FD_ISSET(ends[0], selected));
	int epoll = epoll_create1(0);
	assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN}) == 0);
	assert(epoll_wait(epoll, events, 1, 0) == 1 && events->events == EPOLLIN);
	message->msg_iov = &piece;
	message->msg_iovlen = 1;
	assert(recvmsg(ends[0], message, 0) == 3 && memcmp(from_message, "abc", 3) == 0);
	close(epoll);
	close(ends[0]);
	close(ends[1]);
}

static void *use_the_system(void *unused)
{
	pthread_mutex_lock(&mutex);
	read_in_pieces();
	read_a_stream();
	exchange();
	assert(folder[0] == 0 && getcwd(folder, PAGE) == folder && folder[0] == '/');
	assert(link_text[0] == 0 && readlink("/proc/self/exe", link_text, PAGE) > 0 && link_text[0] == '/');
	assert(names->sysname[0] == 0 && uname(names) == 0 && strcmp(names->sysname, "Linux") == 0);
	assert(usage->ru_maxrss == 0 && getrusage(RUSAGE_SELF, usage) == 0 && usage->ru_maxrss > 0);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, use_the_system, NULL);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
