/* SPDX-License-Identifier: MIT */
#include "explorer/trunk_link.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NAP_MILLISECONDS 20

static void wait_while(_Atomic uint32_t *word, uint32_t value, int milliseconds)
{
	struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
	syscall(SYS_futex, word, FUTEX_WAIT, value, &most, NULL, 0);
}

static void wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void await(struct mz_trunk_link *link, uint32_t number, void (*idle)(void *self), void *self)
{
	uint32_t answered;
	while ((answered = atomic_load(&link->answered)) != number) {
		wait_while(&link->answered, answered, NAP_MILLISECONDS);
		if (idle) idle(self);
	}
}

void mz_link_ask(struct mz_trunk_link *link, enum mz_link_request request, void (*idle)(void *self), void *self)
{
	await(link, atomic_load(&link->asked), idle, self); /* whoever asked before may be gone */
	link->request = request;
	uint32_t number = atomic_fetch_add(&link->asked, 1) + 1;
	wake(&link->asked);
	await(link, number, idle, self);
}

bool mz_link_wait(struct mz_trunk_link *link, int milliseconds)
{
	uint32_t answered = atomic_load(&link->answered);
	if (atomic_load(&link->asked) == answered) wait_while(&link->asked, answered, milliseconds);
	return atomic_load(&link->asked) != answered;
}

void mz_link_answer(struct mz_trunk_link *link)
{
	atomic_store(&link->answered, atomic_load(&link->asked));
	wake(&link->answered);
}

void mz_link_begin_writing(struct mz_trunk_link *link)
{
	atomic_store(&link->writing, 1);
	for (uint32_t i = 0; i < MZ_LINK_WORKERS; i++)
		while (atomic_load(&link->reading[i])) nanosleep(&(struct timespec){0, 20000}, NULL);
}

void mz_link_end_writing(struct mz_trunk_link *link)
{
	atomic_store(&link->writing, 0);
}
