/* SPDX-License-Identifier: MIT */
#include "explorer/trunk_link.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NAP_MILLISECONDS 20

/* Leaves `errno` alone, which is a part of the program's state. */
static void wait_while(_Atomic uint32_t *word, uint32_t value, int milliseconds)
{
	struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
	int before = errno;
	syscall(SYS_futex, word, FUTEX_WAIT, value, &most, NULL, 0);
	errno = before;
}

static void wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* ---- the lock ---- */

#ifndef MZ_PER_PROCESS
#define MZ_PER_PROCESS /* where threads stand for processes: _Thread_local */
#endif
static MZ_PER_PROCESS struct mz_session *session_of_process; /* or NULL */

void mz_link_serve(struct mz_session *session)
{
	session_of_process = session;
}

static void set_thinking(uint32_t thinking)
{
	if (session_of_process) atomic_store_explicit(&session_of_process->thinking, thinking, memory_order_relaxed);
}

/* Waits until everything that was asked for is answered. Nobody asks for more meanwhile: the caller has the lock. */
static void await(struct mz_trunk_link *link)
{
	uint32_t answered, asked = atomic_load(&link->asked);
	if (atomic_load(&link->answered) == asked) return;
	set_thinking(MZ_SESSION_THINKING);
	while ((answered = atomic_load(&link->answered)) != asked) {
		wait_while(&link->answered, answered, NAP_MILLISECONDS);
		if (session_of_process) session_of_process->pulse++;
	}
	set_thinking(0);
}

/* Asks for something and waits for the answer. */
static void ask(struct mz_trunk_link *link, enum mz_link_request request)
{
	link->request = request;
	atomic_fetch_add(&link->asked, 1);
	wake(&link->asked);
	await(link);
}

/* Whoever had the lock before may have died after it asked, to leave perhaps: only the answer says whether this machine is
 * still inside. */
static void enter(struct mz_trunk_link *link)
{
	await(link);
	if (!link->inside && !link->severed) ask(link, MZ_LINK_ENTER);
}

bool mz_link_lock(struct mz_trunk_link *link)
{
	bool died = pthread_mutex_lock(&link->lock) == EOWNERDEAD;
	if (died) pthread_mutex_consistent(&link->lock);
	if (link->linked) enter(link);
	return atomic_exchange(&link->died, 0) || died;
}

void mz_link_unlock(struct mz_trunk_link *link)
{
	if (link->linked && link->inside) ask(link, MZ_LINK_LEAVE);
	pthread_mutex_unlock(&link->lock);
}

/* ---- the supervisor ---- */

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
