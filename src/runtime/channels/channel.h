/* SPDX-License-Identifier: MIT
 *
 * Channels between the program's own threads: eventfd, pipe, socketpair. Their contents are ours and the execution's;
 * the kernel only reserves the numbers (descriptor.h). An *end* is what numbers stand for, an open file description; it
 * has a queue to read from, one to write to, or both.
 *
 * Whoever reads or writes a queue touches its three objects (trace/channel.h) and waits for one of them. All of that is
 * ordered: two uses of a queue never commute.
 *
 * What a thread wrote happens before what others do after having read from there.
 */
#ifndef MZ_RUNTIME_CHANNELS_CHANNEL_H
#define MZ_RUNTIME_CHANNELS_CHANNEL_H

#include "runtime/channels/queue.h"
#include "runtime/core/core.h"
#include <sys/uio.h>

struct mz_epoll;

struct mz_channel_end {
	uint64_t name; /* name of its channel; 0: the end is not in use */
	uint8_t kind;  /* enum mz_channel */
	bool nonblocking;
	uint32_t descriptors;      /* number of descriptors that stand for the end */
	uint32_t calls;            /* number of calls under way that use the end: it is kept until they are over */
	struct mz_queue *in, *out; /* or NULL */
	struct mz_epoll *epoll;    /* see epoll.h */
	uint32_t timer;            /* of a timerfd: number of its timer (objects/timer.h), else 0 */
	uintptr_t made_at;
	uint64_t options; /* what the program has set of a socket: see socket_option.h */
};

/* What is to be read or written: a vector, and how. */
struct mz_transfer {
	const struct iovec *vectors;
	size_t nvectors;
	size_t size; /* total number of bytes */
	int flags;   /* MSG_... */
	bool waits;  /* the call waits if it cannot proceed at once */
};

/* Read from, or write to, a channel. Return the number of bytes, or minus an error number. The caller has checked the
 * memory of the vectors already. */
ssize_t mz_channel_receive(struct mz_fiber *self, struct mz_channel_end *end, const struct mz_transfer *transfer,
                           uintptr_t caller);
ssize_t mz_channel_send(struct mz_fiber *self, struct mz_channel_end *end, const struct mz_transfer *transfer,
                        uintptr_t caller);
/* As shutdown(). Returns 0 or an error number. */
int mz_channel_shutdown(struct mz_fiber *self, struct mz_channel_end *end, int how, uintptr_t caller);
/* Returns the number of bytes that can be read (FIONREAD); where there are messages, those of the first one. */
size_t mz_channel_waiting(struct mz_fiber *self, struct mz_channel_end *end, uintptr_t caller);
/* Return the capacity of a pipe; and change it to `*size`, which becomes the capacity it got, returning 0 or an error
 * number. */
size_t mz_channel_capacity(struct mz_fiber *self, struct mz_channel_end *end, uintptr_t caller);
int mz_channel_resize(struct mz_fiber *self, struct mz_channel_end *end, size_t *size, uintptr_t caller);

/* Changes how many bytes a stream holds that are sent from this end. */
void mz_channel_limit(struct mz_fiber *self, struct mz_channel_end *end, uint32_t bytes, uintptr_t caller);

/* ---- for those who touch several queues at once ---- */

/* Appends accesses to the objects of a queue, unless that is NULL, to `n` accesses. Returns the new number of
 * accesses. */
uint16_t mz_channel_describe_queue(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue,
                                   enum mz_access_kind kind);
/* Brings the objects of a queue up to date after the queue has changed, and completes the accesses that are to them. */
void mz_channel_settle(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue);
/* Enables the threads that wait for a write to the object, also those in a poll that requests may interrupt; where
 * states are searched, mz_channel_refresh() does the latter. */
void mz_channel_written(struct mz_object *object);
/* Updates which threads that wait for channels are enabled. Called after an operation that changed a queue was
 * committed. */
void mz_channel_refresh(void);
/* Reports whether an operation that waits for objects of channels could proceed now. */
bool mz_channel_passes(enum mz_op op, const struct mz_access *accesses, uint16_t n);
/* Returns the object of a part of a queue. */
struct mz_object *mz_channel_object(const struct mz_queue *queue, enum mz_channel_part part);
/* Hangs up: no descriptor stands for the end any more. The other end sees an end of file, or a broken pipe. */
void mz_channel_hang_up(const struct mz_channel_end *end);

#endif
