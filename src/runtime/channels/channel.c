/* SPDX-License-Identifier: MIT
 *
 * Linux hangs up an end only when the calls that use it are over; here that happens when the last number is closed.
 */
#include "runtime/channels/channel.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>

#define MESSAGE_MOST 212992
#define PIPE_MOST (1 << 20) /* most bytes of a pipe, for users without privileges */

/* ---- objects ---- */

struct mz_object *mz_channel_object(const struct mz_queue *queue, enum mz_channel_part part)
{
	struct mz_object *object = mz_object_find(mz_channel_part(queue->name, part));
	if (object->type != MZ_OBJECT_CHANNEL) {
		object->type = MZ_OBJECT_CHANNEL;
		object->state = mz_queue_state(queue, part);
	}
	return object;
}

static struct mz_access touching(const struct mz_queue *queue, enum mz_channel_part part, enum mz_access_kind kind)
{
	return (struct mz_access){.object = mz_channel_part(queue->name, part),
	                          .before = mz_channel_object(queue, part)->state,
	                          .mask = 0xff,
	                          .kind = (uint8_t)kind};
}

uint16_t mz_channel_describe_queue(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue,
                                   enum mz_access_kind kind)
{
	if (!queue) return n;
	for (unsigned part = 0; part < MZ_CHANNEL_PARTS; part++)
		accesses[n++] = touching(queue, (enum mz_channel_part)part, kind);
	return n;
}

static bool is_in_interruptible_poll(const struct mz_fiber *fiber)
{
	return fiber->requests.awaited && fiber->requests.op_awaited == MZ_OP_POLL && fiber->state == MZ_FIBER_PENDING;
}

void mz_channel_written(struct mz_object *object)
{
	mz_object_changed(object, MZ_WRITE); /* threads that wait for this object alone */
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		const struct mz_pending *pending = &mz_rt.execution.pending[t];
		if (!is_in_interruptible_poll(&mz_rt.fibers[t]) || mz_rt.mode.searches_states) continue;
		for (uint16_t i = 1; i < pending->naccesses; i++)
			if (pending->accesses[i].object == object->address) mz_set_enabled(&mz_rt.fibers[t], true);
	}
}

void mz_channel_settle(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue)
{
	if (!queue) return;
	for (unsigned part = 0; part < MZ_CHANNEL_PARTS; part++) {
		struct mz_object *object = mz_channel_object(queue, (enum mz_channel_part)part);
		uint64_t state = mz_queue_state(queue, (enum mz_channel_part)part);
		bool written = false;
		for (uint16_t i = 0; i < n; i++) {
			if (accesses[i].object != object->address) continue;
			accesses[i].before = object->state;
			accesses[i].effect = (int16_t)(state - object->state);
			written = accesses[i].kind == MZ_WRITE;
		}
		object->state = state;
		if (written) mz_channel_written(object);
	}
}

bool mz_channel_passes(enum mz_op op, const struct mz_access *accesses, uint16_t n)
{
	enum mz_op_class class = mz_op_class(op);
	uint16_t count = class == MZ_CLASS_ANY ? n : 1;
	for (uint16_t i = 0; i < count; i++)
		if (mz_class_passes(class, mz_object_find(accesses[i].object)->state, accesses[i].expected))
			return true;
	return false;
}

/* Updates whether a thread in an interruptible poll can go on, where states are searched: that depends on the state
 * alone. */
static void refresh_interruptible_poll(struct mz_fiber *fiber, const struct mz_pending *pending)
{
	bool passes = mz_channel_passes(MZ_OP_POLL, pending->accesses + 1, (uint16_t)(pending->naccesses - 1));
	mz_set_enabled(fiber, mz_rt.way->may_go_on(fiber, passes));
}

void mz_channel_refresh(void)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		const struct mz_pending *pending = &mz_rt.execution.pending[t];
		enum mz_op op = (enum mz_op)pending->op;
		if (pending->status == MZ_THREAD_ABSENT) continue;
		if (op == MZ_OP_RECEIVE || op == MZ_OP_SEND || op == MZ_OP_POLL)
			mz_set_enabled(&mz_rt.fibers[t], mz_channel_passes(op, pending->accesses, pending->naccesses));
		else if (MZ_UNLIKELY(mz_rt.mode.searches_states) && is_in_interruptible_poll(&mz_rt.fibers[t]))
			refresh_interruptible_poll(&mz_rt.fibers[t], pending);
	}
}

/* ---- one use of a queue ---- */

struct queue_use {
	struct mz_queue *queue;
	enum mz_channel_part part; /* the part that must exceed `expected` before the use can proceed */
	uint64_t expected;         /* see `part` */
	enum mz_op waits, tries;
	bool writes;                   /* the use writes to the queue */
	struct mz_operation operation; /* the one that was begun: `waits` or `tries` */
};

/* Describes the objects of a use as accesses; the part that it waits for comes first. Returns the number of
 * accesses. */
static uint16_t describe_use(struct mz_fiber *self, const struct queue_use *use)
{
	enum mz_access_kind kind = use->writes ? MZ_WRITE : MZ_READ;
	struct mz_access *accesses = mz_accesses_room(self, MZ_CHANNEL_PARTS);
	uint16_t n = mz_channel_describe_queue(accesses, 0, use->queue, kind);
	const struct mz_access first = accesses[use->part];
	accesses[use->part] = accesses[0];
	accesses[0] = first;
	accesses[0].expected = use->expected;
	return n;
}

static bool try_use(struct mz_fiber *self, struct queue_use *use, uintptr_t caller)
{
	uint16_t n = describe_use(self, use);
	use->operation = mz_operation(use->tries, n);
	mz_spin_visible(self, use->operation, 0, caller);
	if (mz_channel_passes(use->tries, self->accesses, n)) return true;
	for (uint16_t i = 0; i < n; i++) self->accesses[i].kind = MZ_READ;
	mz_channel_settle(self->accesses, n, use->queue);
	mz_commit(self, use->operation);
	return false;
}

/* Waits until the use can proceed, where requests may arrive: tries again after each wake-up. Returns 0 or -EINTR. */
static int wait_for_use_or_request(struct mz_fiber *self, struct queue_use *use, uintptr_t caller)
{
	if (mz_request_point(self, caller) == MZ_INTERRUPTED) return -EINTR;
	while (!try_use(self, use, caller)) {
		struct mz_object *object = mz_channel_object(use->queue, use->part);
		if (mz_request_await(self, object, use->tries, 0, caller) == MZ_INTERRUPTED) return -EINTR;
	}
	return 0;
}

/* Begins a use of a queue. Returns 0 once the use can proceed: the caller then uses the queue and calls finish_use().
 * Otherwise returns minus an error number. */
static int begin_use(struct mz_fiber *self, struct queue_use *use, bool wait, uintptr_t caller)
{
	if (!wait) return try_use(self, use, caller) ? 0 : -EAGAIN;
	if (mz_request_may_arrive(self)) return wait_for_use_or_request(self, use, caller);
	uint16_t n = describe_use(self, use);
	use->operation = mz_operation(use->waits, n);
	self->waits.object = mz_channel_object(use->queue, use->part);
	mz_visible_if(self, use->operation, mz_channel_passes(use->waits, self->accesses, n), caller);
	self->waits.object = NULL;
	return 0;
}

static void finish_use(struct mz_fiber *self, const struct queue_use *use, uint64_t value)
{
	mz_channel_settle(self->accesses, use->operation.naccesses, use->queue);
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) mz_record_value(self->accesses[0].object, sizeof value, true, value);
	mz_commit(self, use->operation);
	mz_channel_refresh();
}

/* ---- the program's memory ---- */

/* A buffer for bytes on their way; never in use across a switch of threads. */
static uint8_t *passing;
static size_t passing_capacity;

static uint8_t *room_for(size_t size)
{
	mz_array_require(&passing, &passing_capacity, size + 1);
	return passing;
}

/* Returns the bytes of a vector, without the first `from`, in one piece. */
static const uint8_t *gather(const struct mz_transfer *transfer, size_t from)
{
	uint8_t *to = room_for(transfer->size - from);
	size_t done = 0;
	for (size_t i = 0; i < transfer->nvectors; i++) {
		const struct iovec *each = &transfer->vectors[i];
		size_t skipped = from < each->iov_len ? from : each->iov_len;
		from -= skipped;
		MZ_REAL(memcpy)(to + done, (const uint8_t *)each->iov_base + skipped, each->iov_len - skipped);
		done += each->iov_len - skipped;
	}
	return to;
}

/* Copies bytes to a vector, behind the `from` bytes that are there. */
static void scatter(struct mz_fiber *self, const struct mz_transfer *transfer, size_t behind, const uint8_t *from,
                    size_t size, uintptr_t caller)
{
	for (size_t i = 0; i < transfer->nvectors && size > 0; i++) {
		const struct iovec *each = &transfer->vectors[i];
		size_t skipped = behind < each->iov_len ? behind : each->iov_len;
		size_t here = each->iov_len - skipped < size ? each->iov_len - skipped : size;
		behind -= skipped;
		if (!here) continue;
		MZ_REAL(memcpy)((uint8_t *)each->iov_base + skipped, from, here);
		mz_plain_end(self, (uintptr_t)each->iov_base + skipped, here, caller);
		from += here;
		size -= here;
	}
}

/* ---- receiving ---- */

static ssize_t receive_number(struct mz_fiber *self, struct queue_use *use, const struct mz_transfer *transfer,
                              uintptr_t caller)
{
	if (transfer->size < sizeof(uint64_t)) return -EINVAL;
	int error = begin_use(self, use, transfer->waits, caller);
	if (error) return error;
	uint64_t value = mz_queue_subtract(use->queue);
	finish_use(self, use, value);
	mz_race_acquire(self, &mz_channel_object(use->queue, MZ_CHANNEL_DATA)->clock);
	scatter(self, transfer, 0, (const uint8_t *)&value, sizeof value, caller);
	return sizeof value;
}

/* Receives what is available, into the vector behind what is there already. */
static ssize_t receive_some(struct mz_fiber *self, struct queue_use *use, const struct mz_transfer *transfer,
                            size_t behind, uintptr_t caller)
{
	size_t whole = 0;
	int error = begin_use(self, use, transfer->waits, caller);
	if (error) return error;
	bool lost = use->queue->reset && !use->queue->size;
	if (lost && use->writes) use->queue->reset = false;
	size_t size = transfer->size - behind;
	uint8_t *bytes = room_for(size);
	size_t n = mz_queue_get(use->queue, bytes, size, !use->writes, &whole);
	finish_use(self, use, n);
	mz_race_acquire(self, &mz_channel_object(use->queue, MZ_CHANNEL_DATA)->clock);
	if (lost) return -ECONNRESET;
	scatter(self, transfer, behind, bytes, n, caller);
	return (ssize_t)(transfer->flags & MSG_TRUNC && use->queue->kind != MZ_CHANNEL_STREAM ? whole : n);
}

ssize_t mz_channel_receive(struct mz_fiber *self, struct mz_channel_end *end, const struct mz_transfer *transfer,
                           uintptr_t caller)
{
	struct queue_use use = {.queue = end->in,
	                        .part = MZ_CHANNEL_DATA,
	                        .waits = MZ_OP_RECEIVE,
	                        .tries = MZ_OP_TRYRECEIVE,
	                        .writes = !(transfer->flags & MSG_PEEK)};
	if (!use.queue) return end->kind == MZ_CHANNEL_EPOLL ? -EINVAL : -EBADF;
	if (end->timer && mz_timers_reach(self, self->time, caller) == MZ_INTERRUPTED) return -EINTR;
	if (end->kind == MZ_CHANNEL_EVENT || end->timer) return receive_number(self, &use, transfer, caller);
	bool bytes = end->kind == MZ_CHANNEL_PIPE || end->kind == MZ_CHANNEL_STREAM;
	if (bytes && !transfer->size) return 0;
	bool all = end->kind == MZ_CHANNEL_STREAM && (transfer->flags & MSG_WAITALL) && transfer->waits && use.writes;
	ssize_t n = receive_some(self, &use, transfer, 0, caller);
	for (ssize_t more = n; all && more > 0 && (size_t)n<transfer->size; n += more> 0 ? more : 0)
		more = receive_some(self, &use, transfer, (size_t)n, caller);
	return n;
}

/* ---- sending ---- */

/* Handles a write that no thread can read any more: SELF gets SIGPIPE, which ends the program unless the program has
 * seen to it. */
static ssize_t send_nowhere(struct mz_fiber *self, const struct mz_channel_end *end, const struct mz_transfer *transfer,
                            uintptr_t caller)
{
	if (end->out->refused) return -ECONNREFUSED;
	if (!(transfer->flags & MSG_NOSIGNAL) && !mz_signals_blocks(self, SIGPIPE))
		mz_signals_deliver(self, SIGPIPE, caller);
	return -EPIPE;
}

static ssize_t send_number(struct mz_fiber *self, struct mz_channel_end *end, struct queue_use *use,
                           const struct mz_transfer *transfer, uintptr_t caller)
{
	uint64_t value;
	if (transfer->size < sizeof value) return -EINVAL;
	MZ_REAL(memcpy)(&value, gather(transfer, 0), sizeof value);
	if (value == UINT64_MAX) return -EINVAL;
	use->expected = mz_queue_need(end->out, 0, false, value);
	int error = begin_use(self, use, transfer->waits, caller);
	if (error) return error;
	mz_queue_need(end->out, 0, false, value);
	mz_queue_add(end->out, value);
	finish_use(self, use, value);
	mz_race_publish(self, &mz_channel_object(end->out, MZ_CHANNEL_DATA)->clock);
	return sizeof value;
}

/* Sends as much as fits of the vector behind its first `from` bytes. */
static ssize_t send_some(struct mz_fiber *self, struct mz_channel_end *end, struct queue_use *use,
                         const struct mz_transfer *transfer, size_t from, uintptr_t caller)
{
	size_t size = transfer->size - from, n = 0;
	use->expected = mz_queue_need(end->out, size, from > 0, 0);
	int error = begin_use(self, use, transfer->waits, caller);
	if (error) return error;
	bool nowhere = end->out->broken || end->out->refused;
	if (!nowhere) n = mz_queue_put(end->out, gather(transfer, from), size, from > 0);
	finish_use(self, use, n);
	mz_race_publish(self, &mz_channel_object(end->out, MZ_CHANNEL_DATA)->clock);
	return nowhere ? -EPIPE : (ssize_t)n;
}

ssize_t mz_channel_send(struct mz_fiber *self, struct mz_channel_end *end, const struct mz_transfer *transfer,
                        uintptr_t caller)
{
	struct queue_use use = {
	    .queue = end->out, .part = MZ_CHANNEL_ROOM, .waits = MZ_OP_SEND, .tries = MZ_OP_TRYSEND, .writes = true};
	bool messages = end->kind == MZ_CHANNEL_DATAGRAM || end->kind == MZ_CHANNEL_PACKET;
	if (!use.queue) return end->kind == MZ_CHANNEL_EPOLL || end->timer ? -EINVAL : -EBADF;
	if (end->kind == MZ_CHANNEL_EVENT) return send_number(self, end, &use, transfer, caller);
	if (messages && transfer->size > MESSAGE_MOST) return -EMSGSIZE;
	if (!messages && !transfer->size) return 0;
	size_t done = 0;
	for (;;) {
		ssize_t n = send_some(self, end, &use, transfer, done, caller);
		if (n < 0 && done) return (ssize_t)done;
		if (n < 0) return n == -EPIPE ? send_nowhere(self, end, transfer, caller) : n;
		done += (size_t)n;
		if (messages || done == transfer->size || !transfer->waits) return (ssize_t)done;
	}
}

/* ---- what else is done with ends ---- */

/* Begins one visible operation on all objects of an end, as `kind`. Returns it, for touched() to finish. */
static struct mz_operation touch(struct mz_fiber *self, struct mz_channel_end *end, enum mz_op op,
                                 enum mz_access_kind kind, uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses_room(self, 2UL * MZ_CHANNEL_PARTS);
	uint16_t n = mz_channel_describe_queue(accesses, 0, end->in, kind);
	if (end->out != end->in) n = mz_channel_describe_queue(accesses, n, end->out, kind);
	const struct mz_operation operation = mz_operation(op, n);
	if (kind == MZ_READ)
		mz_spin_visible(self, operation, 0, caller);
	else
		mz_visible(self, operation, caller);
	return operation;
}

static void touched(struct mz_fiber *self, struct mz_channel_end *end, struct mz_operation operation)
{
	mz_channel_settle(self->accesses, operation.naccesses, end->in);
	if (end->out != end->in) mz_channel_settle(self->accesses, operation.naccesses, end->out);
	mz_commit(self, operation);
	mz_channel_refresh();
}

/* Shuts down a queue. The receiver of datagrams does not learn that its sender has shut down. */
static void shut(struct mz_queue *queue, bool by_writer)
{
	if (!by_writer || queue->kind != MZ_CHANNEL_DATAGRAM) mz_queue_end(queue);
	mz_queue_break(queue);
}

int mz_channel_shutdown(struct mz_fiber *self, struct mz_channel_end *end, int how, uintptr_t caller)
{
	if (end->kind < MZ_CHANNEL_STREAM || end->kind > MZ_CHANNEL_PACKET) return ENOTSOCK;
	if (how < SHUT_RD || how > SHUT_RDWR) return EINVAL;
	const struct mz_operation operation = touch(self, end, MZ_OP_SHUTDOWN, MZ_WRITE, caller);
	if (how != SHUT_WR) shut(end->in, false);
	if (how != SHUT_RD) shut(end->out, true);
	touched(self, end, operation);
	mz_race_publish(self, &mz_channel_object(end->out, MZ_CHANNEL_DATA)->clock);
	return 0;
}

void mz_channel_hang_up(const struct mz_channel_end *end)
{
	bool datagrams = end->kind == MZ_CHANNEL_DATAGRAM;
	if (end->kind == MZ_CHANNEL_EVENT || end->kind == MZ_CHANNEL_EPOLL || end->timer) return;
	if (end->in && end->out && !datagrams && end->in->nparts + end->in->size) end->out->reset = true;
	if (end->in && datagrams)
		end->in->refused = true;
	else if (end->in)
		mz_queue_break(end->in);
	if (end->out && !datagrams) mz_queue_end(end->out);
}

size_t mz_channel_waiting(struct mz_fiber *self, struct mz_channel_end *end, uintptr_t caller)
{
	const struct mz_operation operation = touch(self, end, MZ_OP_TRYPOLL, MZ_READ, caller);
	const struct mz_queue *queue = end->in ? end->in : end->out;
	bool messages = end->kind == MZ_CHANNEL_DATAGRAM || end->kind == MZ_CHANNEL_PACKET;
	size_t size = messages && queue->nparts ? queue->ends[0] : queue->size;
	touched(self, end, operation);
	return size;
}

size_t mz_channel_capacity(struct mz_fiber *self, struct mz_channel_end *end, uintptr_t caller)
{
	const struct mz_operation operation = touch(self, end, MZ_OP_TRYPOLL, MZ_READ, caller);
	size_t size = (size_t)(end->in ? end->in : end->out)->limit * MZ_QUEUE_PAGE;
	touched(self, end, operation);
	return size;
}

/* The size is rounded up to a power of two of pages. */
int mz_channel_resize(struct mz_fiber *self, struct mz_channel_end *end, size_t *size, uintptr_t caller)
{
	struct mz_queue *queue = end->in ? end->in : end->out;
	uint32_t pages = 1;
	if (*size > PIPE_MOST) return EPERM;
	while ((size_t)pages * MZ_QUEUE_PAGE < *size) pages *= 2;
	const struct mz_operation operation = touch(self, end, MZ_OP_ACCESS, MZ_WRITE, caller);
	bool fits = queue->nparts <= pages;
	if (fits) queue->limit = pages;
	touched(self, end, operation);
	*size = (size_t)pages * MZ_QUEUE_PAGE;
	return fits ? 0 : EBUSY;
}

void mz_channel_limit(struct mz_fiber *self, struct mz_channel_end *end, uint32_t bytes, uintptr_t caller)
{
	struct mz_queue *queue = end->out;
	if (end->kind != MZ_CHANNEL_STREAM || !bytes) return;
	const struct mz_operation operation = touch(self, end, MZ_OP_ACCESS, MZ_WRITE, caller);
	queue->limit = queue->size < bytes ? bytes : (uint32_t)queue->size;
	touched(self, end, operation);
}

/* ---- explaining ---- */
