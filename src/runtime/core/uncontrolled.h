/* SPDX-License-Identifier: MIT
 *
 * Calls that have effects, or bring in something, that no execution can take back: they are let through and counted, so
 * that a verdict can name them.
 */
#ifndef MZ_RUNTIME_CORE_UNCONTROLLED_H
#define MZ_RUNTIME_CORE_UNCONTROLLED_H

#include "runtime/core/hooks.h"
#include "runtime/core/runtime.h"

/* Calls beyond those of MZ_HOOKS_UNCONTROLLED that are also let through: these write to the program's memory
 * (hooks/system.c), or have effects that end with the execution (hooks/surroundings.c). */
#define MZ_UNCONTROLLED_FILLING(X)                                                                                     \
	X(accept)                                                                                                      \
	X(accept4)                                                                                                     \
	X(epoll_pwait)                                                                                                 \
	X(epoll_wait)                                                                                                  \
	X(getrusage)                                                                                                   \
	X(ioctl)                                                                                                       \
	X(lockf)                                                                                                       \
	X(mq_receive)                                                                                                  \
	X(msgrcv)                                                                                                      \
	X(poll)                                                                                                        \
	X(ppoll)                                                                                                       \
	X(pselect)                                                                                                     \
	X(recvfrom)                                                                                                    \
	X(recvmsg)                                                                                                     \
	X(select)                                                                                                      \
	X(sendmsg)                                                                                                     \
	X(sendto)                                                                                                      \
	X(socketpair)                                                                                                  \
	X(sysinfo)                                                                                                     \
	X(wait)                                                                                                        \
	X(waitpid)

enum mz_uncontrolled {
#define X(name, ...) MZ_UNCONTROLLED_##name,
	MZ_HOOKS_UNCONTROLLED(X) MZ_UNCONTROLLED_FILLING(X)
#undef X
	/* uses of functions that are controlled otherwise */
	MZ_UNCONTROLLED_syscall,
	MZ_UNCONTROLLED_LARGE_FILE,
	MZ_UNCONTROLLED_KILL,
	MZ_UNCONTROLLED_FILES_OF_STATES,
	MZ_UNCONTROLLED_MAPPINGS_OF_STATES,
	MZ_UNCONTROLLED_SURROUNDINGS_OF_STATES, /* see surroundings.h */
	MZ_UNCONTROLLED_STACKS,
	MZ_UNCONTROLLED_SHARED_FILE,
	MZ_UNCONTROLLED_MAPPED_FILE,
	MZ_UNCONTROLLED_PROTECTIONS,
	MZ_UNCONTROLLED_CANCELLATION, /* that a thread may be cancelled anywhere is not explored */
	MZ_UNCONTROLLED_SCHEDULING,
	MZ_UNCONTROLLED_UNSEEN_WRITE, /* see unseen.h */
	MZ_UNCONTROLLED_COUNT
};

_Static_assert(MZ_UNCONTROLLED_COUNT <= MZ_SESSION_CALLS, "there is a place for each in the session");

/* Counts one more such call. */
void mz_uncontrolled(enum mz_uncontrolled call);
/* Reports whether this process has made any such call. */
bool mz_uncontrolled_any(void);
/* Note that SELF is about to make a call that is let through and may wait, so that a hang can be explained; and that
 * the call has returned. */
void mz_call_begins(const struct mz_fiber *self, const char *name, uintptr_t caller);
void mz_call_ends(void);
/* Returns the call of that name, or MZ_UNCONTROLLED_COUNT if the name is none of these. */
enum mz_uncontrolled mz_uncontrolled_find(const char *name);

#endif
