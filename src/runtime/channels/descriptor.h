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

/* Whether the number stands for a channel, or has in this execution. */
bool mz_descriptor_is_ours(int number);

/* What is to be made. */
struct mz_making {
	enum mz_channel kind;
	bool nonblocking;
	bool close_on_exec;
	bool one_by_one; /* an eventfd */
	uint64_t value;
};

/* Makes a channel: 0 or an error number. Those of one end have one number. */
int mz_descriptors_make(struct mz_fiber *self, const struct mz_making *making, int numbers[2], uintptr_t caller);

/* Has numbers that the kernel gave out before the execution stand for a channel; and, of one end of it, for nothing. */
void mz_descriptors_adopt(struct mz_fiber *first, const struct mz_making *making, const int *numbers, uintptr_t caller);
void mz_descriptors_abandon(int number);

/* What a number that was ours stands for, until mz_channel_leave(); NULL if for nothing that is ours. */
struct mz_channel_end *mz_descriptor_look_up(struct mz_fiber *self, int number, uintptr_t caller);
void mz_channel_leave(struct mz_channel_end *end);

/* Several at once, those that are ours; the others have NULL. */
void mz_descriptors_look_up(struct mz_fiber *self, const int *numbers, size_t n, struct mz_channel_end **ends,
                            uintptr_t caller);

/* The access by which a number is looked up. */
struct mz_access mz_descriptor_access(int number, enum mz_access_kind kind);
/* What it stands for at this moment, or NULL. */
struct mz_channel_end *mz_descriptor_end(int number);

/* 0 or an error number. */
int mz_descriptor_close(struct mz_fiber *self, int number, uintptr_t caller);
/* The new number, from `least` on, or minus an error number. */
int mz_descriptor_duplicate(struct mz_fiber *self, int number, int least, bool close_on_exec, uintptr_t caller);
/* As dup3: the new number, or minus an error number. */
int mz_descriptor_replace(struct mz_fiber *self, int number, int to, bool close_on_exec, uintptr_t caller);
/* Flags as fcntl has them; sets them if `change`. Minus an error number. */
int mz_descriptor_flags(struct mz_fiber *self, int number, bool change, int flags, uintptr_t caller);
int mz_descriptor_own_flags(struct mz_fiber *self, int number, bool change, int flags, uintptr_t caller);

/* There are none: for the next execution. */
void mz_descriptors_reset(void);
/* See state.h; and what tells states apart. */
void mz_descriptors_store(struct mz_state *state);
void mz_descriptors_load(struct mz_state *state);
void mz_descriptors_identity(struct mz_state *state);

/* Where a channel was made, as a detail of the last finding. */
void mz_descriptor_explain(uint64_t object);
/* Says what a thread waits for that waits for channels. */
void mz_descriptors_explain_wait(struct mz_fiber *fiber, const struct mz_object *channel);

#endif
