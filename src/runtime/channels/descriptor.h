/* SPDX-License-Identifier: MIT
 *
 * The numbers that stand for ends of channels. They are the kernel's, which has something there that cannot be read,
 * written or waited for: so it gives them to nobody else, and a call that is not modelled fails.
 *
 * To look up what a number stands for is a visible operation of its own, the first of every call that is given one: a
 * call goes on with what it found there even if the number is closed while it waits. Who makes a channel touches the
 * numbers that it gets and all that are free.
 */
#ifndef MZ_RUNTIME_CHANNELS_DESCRIPTOR_H
#define MZ_RUNTIME_CHANNELS_DESCRIPTOR_H

#include "runtime/channels/channel.h"

/* Reports whether the number stands for a channel, or has stood for one in this execution and stands for nothing
 * now. */
bool mz_descriptor_is_ours(int number);

/* The channel that a call makes. */
struct mz_making {
	enum mz_channel kind;
	bool nonblocking;
	bool close_on_exec;
	bool one_by_one; /* of an eventfd: EFD_SEMAPHORE */
	uint64_t value;
	uint32_t timer; /* of a timerfd: number of its timer */
};

/* Makes a channel and stores the numbers of its ends: two, or one for an eventfd, epoll or timerfd. Returns 0 or an error
 * number. */
int mz_descriptors_make(struct mz_fiber *self, const struct mz_making *making, int numbers[2], uintptr_t caller);

/* Have numbers that the kernel gave out before the execution stand for a channel; and have the number of one end stand
 * for nothing again. */
void mz_descriptors_adopt(struct mz_fiber *first, const struct mz_making *making, const int *numbers, uintptr_t caller);
void mz_descriptors_abandon(int number);

/* Looks up, by an operation, what a number stands for that has stood for a channel; NULL if it does no longer. The end
 * is kept until mz_channel_leave(). */
struct mz_channel_end *mz_descriptor_look_up(struct mz_fiber *self, int number, uintptr_t caller);
void mz_channel_leave(struct mz_channel_end *end);

/* Looks up several numbers in one operation. Numbers that stand for no channel get NULL. Each end is kept until
 * mz_channel_leave(). */
void mz_descriptors_look_up(struct mz_fiber *self, const int *numbers, size_t n, struct mz_channel_end **ends,
                            uintptr_t caller);

/* Returns the queue of that name, or NULL. This is no operation. */
struct mz_queue *mz_descriptors_queue(uint64_t name);
/* Returns the access by which a number is looked up or changed. */
struct mz_access mz_descriptor_access(int number, enum mz_access_kind kind);
/* Returns what a number stands for at this moment, or NULL. This is no operation. */
struct mz_channel_end *mz_descriptor_end(int number);

/* As close(). Returns 0 or an error number. */
int mz_descriptor_close(struct mz_fiber *self, int number, uintptr_t caller);
/* As F_DUPFD: returns the new number, at least `least`, or minus an error number. */
int mz_descriptor_duplicate(struct mz_fiber *self, int number, int least, bool close_on_exec, uintptr_t caller);
/* As dup3(). Returns the new number, or minus an error number. */
int mz_descriptor_replace(struct mz_fiber *self, int number, int to, bool close_on_exec, uintptr_t caller);
/* As fcntl, of the open file (F_GETFL, F_SETFL) and of the number itself (F_GETFD, F_SETFD): return the flags, or, if
 * `change`, set them and return 0; or minus an error number. */
int mz_descriptor_flags(struct mz_fiber *self, int number, bool change, int flags, uintptr_t caller);
int mz_descriptor_own_flags(struct mz_fiber *self, int number, bool change, int flags, uintptr_t caller);

/* Returns what a number stands for, or NULL, by an operation that reads what is set of its end, or (`change`) sets it. */
struct mz_channel_end *mz_descriptor_settings(struct mz_fiber *self, int number, bool change, uintptr_t caller);

/* Forgets all channels, for the next execution. */
void mz_descriptors_reset(void);
/* See state.h; and what tells states apart. */
void mz_descriptors_store(struct mz_state *state);
void mz_descriptors_load(struct mz_state *state);
void mz_descriptors_identity(struct mz_state *state);

/* Adds to the last finding where the channel of an object was made. */
void mz_descriptor_explain(uint64_t object);
/* Adds to the last finding what a thread waits for that waits for channels. */
void mz_descriptors_explain_wait(struct mz_fiber *fiber, const struct mz_object *channel);

#endif
