/* SPDX-License-Identifier: MIT
 * What the objects of the matrix (objects.py) need, and how their faults are told to case.c. */
#ifndef MATRIX_CASE_H
#define MATRIX_CASE_H
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define OK(call) assert((call) == 0)
#define START OK(pthread_create(&beside, NULL, run_beside, (void *)o));
#define JOIN OK(pthread_join(beside, NULL));

/* What the uses of an object count under its protection: as many as there were, or the object does not work. */
static int count;
/* What a thread waits for that another wakes, and the locks of objects that need one beside them. */
static int ready;
static pthread_mutex_t helper = PTHREAD_MUTEX_INITIALIZER;
static mtx_t helper_mtx;
/* The thread that has the object. */
static pthread_t owner;
/* What is wrong with an object that is initialised: what a thread does, and what another does that it may START and JOIN. */
struct fault {
	const char *name;
	void (*code)(void *), (*beside)(void *);
};

/* The thread that is part of a fault. */
static pthread_t beside;
static void *run_beside(void *object);
/* A time that is over. */
static const struct timespec past = {1, 0};

static inline void work(void)
{
	int before = count;
	count = before + 1;
}

/* Returns a time that does not come within a test. */
static inline struct timespec later(clockid_t clock)
{
	struct timespec now;
	OK(clock_gettime(clock, &now));
	now.tv_sec += 1000;
	return now;
}
#endif
