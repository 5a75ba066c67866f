/* SPDX-License-Identifier: MIT
 * A table of probes: each calls functions and shows what they return, with errno if that is -1. */
#ifndef VALUES_H
#define VALUES_H
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

struct probe {
	const char *name;
	void (*run)(void);
};

extern struct probe probes[1000];
extern int probe_count;

#define PROBE(name)                                                                                                    \
	static void name(void);                                                                                        \
	__attribute__((constructor)) static void add_##name(void)                                                      \
	{                                                                                                              \
		probes[probe_count++] = (struct probe){#name, name};                                                   \
	}                                                                                                              \
	static void name(void)

/* Writes what a call returned to descriptor RESULTS, past everything that keeps an exploration from changing anything. */
#define RESULTS 9
void show(const char *call, long result, int error);

/* Shows what a call returns, with errno if that is -1. */
#define SHOW(...)                                                                                                      \
	do {                                                                                                           \
		errno = 0;                                                                                             \
		long result_ = (long)(__VA_ARGS__);                                                                    \
		show(#__VA_ARGS__, result_, errno);                                                                    \
	} while (0)

/* Has another thread run the function, and waits for its end. */
static inline void beside(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, argument);
	pthread_join(thread, NULL);
}

/* Code that another thread runs. The variable is what it is given. */
#define IN_THREAD(name, variable) static void *name(__attribute__((unused)) void *variable)

static const struct timespec past = {1, 0}, negative = {-1, 0}, too_many = {2000000000, 1000000000},
                             below = {2000000000, -1};
#endif
