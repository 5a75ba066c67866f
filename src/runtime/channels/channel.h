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
	uint64_t name; /* of its channel; 0: it is not in use */
	uint8_t kind;  /* enum mz_channel */
	bool nonblocking;
	uint32_t descriptors;      /* numbers that stand for it */
	uint32_t calls;            /* that use it: it is there until they are over */
	struct mz_queue *in, *out; /* or NULL */
	struct mz_epoll *epoll;    /* see epoll.h */
	uintptr_t made_at;
};

/* What is to be read or written: a vector, and how. */
struct mz_transfer {
	const struct iovec *vectors;
	size_t nvectors;
	size_t size; /* of all */
	int flags;   /* MSG_... */
	bool waits;  /* unless it is to be had at once */
};

/* How many bytes, or minus an error number. The memory was looked at. */
ssize_t mz_channel_receive(struct mz_fiber *self, struct mz_channel_end *end, const struct mz_transfer *transfer,
                           uintptr_t caller);
ssize_t mz_channel_send(struct mz_fiber *self, struct mz_channel_end *end, const struct mz_transfer *transfer,
                        uintptr_t caller);
/* As the function of that name; 0 or an error number. */
int mz_channel_shutdown(struct mz_fiber *self, struct mz_channel_end *end, int how, uintptr_t caller);
/* Bytes that are there to be read. */
size_t mz_channel_waiting(struct mz_fiber *self, struct mz_channel_end *end, uintptr_t caller);
/* The capacity of a pipe, and another one: 0 or an error number. */
size_t mz_channel_capacity(struct mz_fiber *self, struct mz_channel_end *end, uintptr_t caller);
int mz_channel_resize(struct mz_fiber *self, struct mz_channel_end *end, size_t *size, uintptr_t caller);

/* ---- for those who touch several queues at once ---- */

/* Appends the objects of a queue to accesses; returns how many there are then. */
uint16_t mz_channel_describe_queue(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue,
                                   enum mz_access_kind kind);
/* The objects of the queue are what it is now: completes those of the accesses that are about them. */
void mz_channel_settle(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue);
/* An object was written to: who awaits that, and hears meanwhile, goes on. */
void mz_channel_written(struct mz_object *object);
/* Who waits may be able to go on: after whatever changed a queue was committed. */
void mz_channel_refresh(void);
/* Whether an operation that waits for objects of channels could go on now. */
bool mz_channel_passes(enum mz_op op, const struct mz_access *accesses, uint16_t n);
/* The model of an object. */
struct mz_object *mz_channel_object(const struct mz_queue *queue, enum mz_channel_part part);
/* Nobody has the end any more: whoever is at the other one learns of it. */
void mz_channel_hang_up(const struct mz_channel_end *end);

#endif
