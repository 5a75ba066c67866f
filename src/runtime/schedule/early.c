/* SPDX-License-Identifier: MIT
 *
 * There may be several kernel threads while this notes something. Each lock is noted with the thread pointer of its
 * holder: what others than the first hold is held by nobody in an execution, for a program with such threads is
 * refused, or they have ended.
 */
#include "runtime/schedule/early.h"
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/objects/objects.h"
#include <dirent.h>
#include <string.h>

struct held_early {
	const void *lock;
	const void *holder; /* the thread pointer of the kernel thread that holds the lock */
	uintptr_t since;
	enum mz_early_kind kind;
};

static struct held_early *locks;
static size_t nlocks, capacity;
static int busy;     /* 1 while a kernel thread uses the list */
static int nthreads; /* threads that were created and neither joined nor detached */
static const void *first_thread_pointer;
static pthread_t first_handle;

/* ---- the first thread ---- */

void mz_early_init(void)
{
	first_thread_pointer = mz_arch_thread_pointer();
	first_handle = MZ_REAL(pthread_self)();
}

bool mz_early_is_first(void)
{
	return mz_arch_thread_pointer() == first_thread_pointer;
}

unsigned long mz_early_real_handle(unsigned long handle)
{
	return mz_rt.fibers && handle == mz_thread_handle(&mz_rt.fibers[0]) ? first_handle : handle;
}

/* ---- locks ---- */

static void lock_list(void)
{
	while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}

static void unlock_list(void)
{
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

void mz_early_note_lock(enum mz_early_kind kind, void *lock, uintptr_t caller)
{
	lock_list();
	mz_array_require(&locks, &capacity, nlocks + 1);
	locks[nlocks++] = (struct held_early){lock, mz_arch_thread_pointer(), caller, kind};
	unlock_list();
}

void mz_early_note_unlock(const void *lock)
{
	const void *holder = mz_arch_thread_pointer();
	lock_list();
	size_t i = nlocks;
	while (i > 0 && (locks[i - 1].lock != lock || locks[i - 1].holder != holder)) i--;
	if (i > 0) {
		nlocks--;
		MZ_REAL(memmove)(&locks[i - 1], &locks[i], (nlocks - (i - 1)) * sizeof *locks);
	}
	unlock_list();
}

static void hold(struct mz_fiber *first, const struct held_early *held)
{
	first->caller = held->since;
	switch (held->kind) {
	case MZ_EARLY_MUTEX: mz_mutex_hold_at_start(first, mz_mutex_find((pthread_mutex_t *)held->lock)); break;
	case MZ_EARLY_SPIN: mz_mutex_hold_at_start(first, mz_object_find((uintptr_t)held->lock)); break;
	case MZ_EARLY_READ: mz_rwlock_hold(first, held->lock, false); break;
	case MZ_EARLY_WRITE: mz_rwlock_hold(first, held->lock, true); break;
	}
}

void mz_early_start(struct mz_fiber *first)
{
	mz_early_channels_start(first);
	for (size_t i = 0; i < nlocks; i++)
		if (locks[i].holder == mz_rt.root.thread_pointer) hold(first, &locks[i]);
}

/* ---- threads ---- */

void mz_early_thread_created(void)
{
	__atomic_fetch_add(&nthreads, 1, __ATOMIC_RELAXED);
}

void mz_early_thread_over(void)
{
	__atomic_fetch_sub(&nthreads, 1, __ATOMIC_RELAXED);
}

static bool is_alone(void)
{
	DIR *folder = opendir("/proc/self/task");
	int tasks = 0;
	if (!folder) return true;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
		tasks += *entry->d_name != '.';
	closedir(folder);
	return tasks <= 1;
}

static const char *early_call; /* the function of ours that was called outside of an exploration, or NULL */

void mz_early_note_call(const char *name)
{
	early_call = name;
}

void mz_early_refuse_calls(void)
{
	static char text[128];
	if (!early_call) return;
	snprintf(text, sizeof text,
	         "%s() is called before main begins, where nothing is explored: call it in main, or later", early_call);
	mz_unsupported(text);
}

void mz_early_refuse_threads(void)
{
	if (!is_alone())
		mz_unsupported("a thread that was started before main still runs when main begins, which cannot be "
		               "explored: start it in main");
	if (__atomic_load_n(&nthreads, __ATOMIC_RELAXED) > 0)
		mz_unsupported("a thread that was started before main is not joined when main begins, which cannot be "
		               "explored: join it where it was started, or start it in main");
}
