/* SPDX-License-Identifier: MIT
 *
 * poll and select: numbers are looked up, and then it is one operation that waits for any of the objects DATA and SPACE
 * of the queues. One that may time out is always enabled: chosen while there is nothing, it has timed out.
 *
 * epoll: who waits looks at what is watched, then waits for any of it, or for a change of what is watched: then it
 * looks again. So what an operation touches is known from what its thread saw before. What is watched by edges is ready
 * if more has arrived than was told: that is what the states of DATA and SPACE count. To tell changes what is watched.
 */
#include "runtime/channels/poll.h"
#include "runtime/channels/descriptor.h"
#include "runtime/channels/epoll.h"
#include "runtime/core/core.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <fcntl.h>

/* Number of descriptors up to which the room for a call is on the stack of its thread, which is suspended with it. */
#define FEW 64
#define INPUT (POLLIN | POLLRDNORM | POLLRDHUP)
#define OUTPUT (POLLOUT | POLLWRNORM)

_Static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLHUP == POLLHUP && EPOLLERR == POLLERR &&
                   EPOLLRDHUP == POLLRDHUP,
               "events are the same for poll and epoll");

/* ---- what an end has to say ---- */

/* Reports whether a socket was shut down both ways, or its peer is gone. */
static bool is_over(const struct mz_channel_end *end)
{
	return end->in->ended && end->out->broken;
}

static uint32_t input_of(const struct mz_channel_end *end)
{
	const struct mz_queue *queue = end->in;
	bool socket = end->kind != MZ_CHANNEL_PIPE && end->kind != MZ_CHANNEL_EVENT && !end->timer;
	uint32_t events = 0;
	if (!queue) return 0;
	if (queue->count || queue->size || (socket && (queue->nparts || queue->ended || queue->reset)))
		events |= POLLIN | POLLRDNORM;
	if (queue->ended && !socket) events |= POLLHUP;
	if (queue->ended && socket) events |= POLLRDHUP;
	if (socket && is_over(end)) events |= POLLHUP;
	if (queue->reset) events |= POLLERR;
	return events;
}

static uint32_t output_of(const struct mz_channel_end *end)
{
	uint32_t events = 0;
	if (!end->out) return 0;
	if (mz_queue_is_writable(end->out)) events |= POLLOUT | POLLWRNORM;
	if (end->out->broken && end->kind == MZ_CHANNEL_PIPE) events |= POLLERR;
	return events;
}

static uint32_t events_of(const struct mz_channel_end *end, uint32_t wanted)
{
	return (input_of(end) | output_of(end)) & (wanted | POLLHUP | POLLERR);
}

/* ---- what is waited for ---- */

/* Adds an access that waits until the state of a part exceeds `expected`. If the part is there already, the lower
 * `expected` counts. Returns the number of accesses. */
static uint16_t add_access(struct mz_access *accesses, uint16_t n, const struct mz_queue *queue,
                           enum mz_channel_part part, uint64_t expected)
{
	const struct mz_object *object = mz_channel_object(queue, part);
	uint16_t at = 0;
	while (at < n && accesses[at].object != object->address) at++;
	if (at < n) {
		if (accesses[at].expected > expected) accesses[at].expected = expected;
		return n;
	}
	accesses[n] = (struct mz_access){
	    .object = object->address, .before = object->state, .expected = expected, .mask = 0xff, .kind = MZ_READ};
	return (uint16_t)(n + 1);
}

static uint16_t add_end_accesses(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *end,
                                 uint32_t wanted, uint64_t in, uint64_t out)
{
	if (end->kind == MZ_CHANNEL_EPOLL) mz_unsupported("it waits for an epoll that waits for others");
	if ((wanted & INPUT) && end->in) n = add_access(accesses, n, end->in, MZ_CHANNEL_DATA, in);
	if ((wanted & OUTPUT) && end->out) n = add_access(accesses, n, end->out, MZ_CHANNEL_SPACE, out);
	return n;
}

static void finish(struct mz_fiber *self, struct mz_operation operation)
{
	for (uint16_t i = 0; i < operation.naccesses; i++) {
		struct mz_object *object = mz_object_find(self->accesses[i].object);
		self->accesses[i].before = object->state;
		object->state += (uint64_t)(int64_t)self->accesses[i].effect;
		if (self->accesses[i].kind == MZ_WRITE) mz_channel_written(object);
	}
	mz_commit(self, operation);
}

/* Most accesses of an operation that also waits for requests. */
#define MOST_AWAITED (2 * FEW + 1)

/* Waits for any of the accesses, where requests may arrive: looks again after each wake-up. Returns 0 or minus an error
 * number. */
static int wait_for_any_or_request(struct mz_fiber *self, uint16_t n, uintptr_t caller)
{
	struct mz_access kept[MOST_AWAITED];
	if (n > MOST_AWAITED) mz_unsupported("a thread that waits for more than 64 descriptors may be interrupted");
	for (uint16_t i = 0; i < n; i++) kept[i] = self->accesses[i];
	if (mz_request_point(self, caller) != MZ_INTERRUPTED_NOT) return -EINTR;
	const struct mz_operation operation = mz_operation(MZ_OP_TRYPOLL, n);
	for (;;) {
		struct mz_access *accesses = mz_accesses_room(self, n);
		for (uint16_t i = 0; i < n; i++) accesses[i] = kept[i];
		mz_visible(self, operation, caller);
		if (mz_channel_passes(MZ_OP_POLL, accesses, n)) return 0;
		finish(self, operation);
		if (mz_request_await_any(self, kept, n, caller) != MZ_INTERRUPTED_NOT) return -EINTR;
	}
}

/* Waits until there is an event or the time is up. Returns 0, and the caller finishes `*operation`, which has the first
 * `n` accesses; or minus an error number. */
static int wait_for_any(struct mz_fiber *self, uint16_t n, bool forever, struct mz_operation *operation,
                        uintptr_t caller)
{
	*operation = mz_operation(MZ_OP_TRYPOLL, n);
	if (forever && mz_request_may_arrive(self)) return wait_for_any_or_request(self, n, caller);
	if (!forever) {
		mz_visible(self, *operation, caller);
		return 0;
	}
	operation->op = MZ_OP_POLL;
	self->waits.object = n ? mz_object_find(self->accesses[0].object) : NULL;
	mz_visible_if(self, *operation, mz_channel_passes(MZ_OP_POLL, self->accesses, n), caller);
	self->waits.object = NULL;
	return 0;
}

static void acquire_data_clock(struct mz_fiber *self, const struct mz_channel_end *end, uint32_t events)
{
	if ((events & (INPUT | POLLHUP)) && end->in)
		mz_race_acquire(self, &mz_channel_object(end->in, MZ_CHANNEL_DATA)->clock);
}

/* ---- time ---- */

/* What a wait knows of time. */
struct wait_time {
	uint64_t length; /* MZ_POLL_FOREVER */
	uint64_t until;  /* unless it waits for ever, or not at all */
	bool has_timers; /* timers are among what it waits for, which expire meanwhile */
	bool is_up;      /* it looks for the last time */
};

/* Begins a wait: timers that are late by now have expired. Returns 0 or minus an error number. */
static int begin_wait(struct mz_fiber *self, struct wait_time *time, uintptr_t caller)
{
	bool ends = time->length && time->length != MZ_POLL_FOREVER;
	if (time->has_timers && mz_timers_reach(self, self->time, caller) != MZ_INTERRUPTED_NOT) return -EINTR;
	time->until = ends ? mz_time_after(self, time->length) : 0;
	time->is_up = !time->length;
	return 0;
}

/* Nothing has happened so far: lets time pass, until the next timer expires or the time is up. Returns 0, or minus an
 * error number if a signal has interrupted the wait. Unless the time is up, the caller looks again. */
static int go_on_waiting(struct mz_fiber *self, struct wait_time *time, uintptr_t caller)
{
	uint64_t next = time->has_timers ? mz_timers_next(self, time->until, caller) : time->until;
	if (mz_timers_reach(self, next, caller) != MZ_INTERRUPTED_NOT) return -EINTR;
	time->is_up = next == time->until;
	return 0;
}

/* ---- poll ---- */

/* Asks the kernel about the descriptors that are no channels. Returns how many of them have events. */
static int ask_kernel(struct pollfd *polled, size_t n, struct mz_channel_end *const *ends)
{
	int ready = 0;
	for (size_t i = 0; i < n; i++) {
		polled[i].revents = 0;
		if (polled[i].fd < 0 || ends[i]) continue;
		if (!mz_descriptor_is_ours(polled[i].fd)) mz_uncontrolled(MZ_UNCONTROLLED_poll);
		ready += MZ_REAL(poll)(&polled[i], 1, 0) > 0;
	}
	return ready;
}

/* Looks once, or waits for ever. Returns the number of descriptors with events, or minus an error number. */
static int look_at_ends(struct mz_fiber *self, struct pollfd *polled, size_t n, struct mz_channel_end **ends,
                        uint64_t length, uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses_room(self, 2 * n + 1);
	int others = ask_kernel(polled, n, ends), ready = others;
	uint16_t count = 0;
	for (size_t i = 0; i < n; i++) {
		if (!ends[i]) continue;
		if (!(polled[i].events & (INPUT | OUTPUT)) && length == MZ_POLL_FOREVER)
			mz_unsupported("it polls a pipe or socket for nothing but its end");
		count = add_end_accesses(accesses, count, ends[i], (uint32_t)polled[i].events, 0, 0);
	}
	struct mz_operation operation;
	int error = wait_for_any(self, count, length == MZ_POLL_FOREVER && !others, &operation, caller);
	if (error) return error;
	finish(self, operation);
	for (size_t i = 0; i < n; i++) {
		if (!ends[i]) continue;
		uint32_t events = events_of(ends[i], (uint32_t)polled[i].events);
		polled[i].revents = (short)events;
		ready += events != 0;
		acquire_data_clock(self, ends[i], events);
	}
	return ready;
}

static int poll_ends(struct mz_fiber *self, struct pollfd *polled, size_t n, struct mz_channel_end **ends,
                     uint64_t length, uintptr_t caller)
{
	struct wait_time time = {.length = length};
	for (size_t i = 0; i < n; i++) time.has_timers |= ends[i] && ends[i]->timer;
	int error = begin_wait(self, &time, caller);
	while (!error) {
		int ready = look_at_ends(self, polled, n, ends, length, caller);
		if (ready || time.is_up) return ready;
		error = go_on_waiting(self, &time, caller);
		if (!error && !time.has_timers) return 0;
	}
	return error;
}

int mz_poll(struct mz_fiber *self, struct pollfd *polled, size_t n, uint64_t length, uintptr_t caller)
{
	struct mz_channel_end *ends[FEW];
	int numbers[FEW] = {0};
	if (n > FEW) mz_unsupported("it polls more than 64 descriptors at once");
	for (size_t i = 0; i < n; i++) numbers[i] = polled[i].fd;
	mz_descriptors_look_up(self, numbers, n, ends, caller);
	int ready = poll_ends(self, polled, n, ends, length, caller);
	for (size_t i = 0; i < n; i++) mz_channel_leave(ends[i]);
	return ready;
}

/* ---- what an epoll watches ---- */

static struct mz_epoll_member *find_member(const struct mz_epoll *epoll, const struct mz_channel_end *end, int number)
{
	for (uint32_t i = 0; i < epoll->count; i++)
		if (epoll->members[i].end == end && epoll->members[i].number == number) return &epoll->members[i];
	return NULL;
}

static void set_member(struct mz_epoll_member *member, const struct epoll_event *event)
{
	member->events = event->events;
	member->data = event->data.u64;
	member->told_in = member->told_out = 0;
	member->done = false;
	if (!(event->events & EPOLLET)) return;
	if (member->end->in) member->end->in->by_edges = true;
	if (member->end->out) member->end->out->by_edges = true;
}

static int control(struct mz_epoll *epoll, int operation, struct mz_channel_end *end, int number,
                   const struct epoll_event *event)
{
	struct mz_epoll_member *member = find_member(epoll, end, number);
	if (operation == EPOLL_CTL_ADD && member) return EEXIST;
	if (operation != EPOLL_CTL_ADD && !member) return ENOENT;
	if (operation == EPOLL_CTL_DEL) {
		mz_epoll_remove(epoll, member);
		return 0;
	}
	if (operation == EPOLL_CTL_ADD) {
		if (!mz_array_reserve(&epoll->members, &epoll->capacity, epoll->count + 1UL)) return ENOMEM;
		member = &epoll->members[epoll->count++];
		*member = (struct mz_epoll_member){.end = end, .number = number};
	}
	set_member(member, event);
	return 0;
}

static int try_control(const struct mz_channel_end *epoll, int operation, struct mz_channel_end *end, int number,
                       const struct epoll_event *event)
{
	if (!epoll || !end) return EBADF;
	if (epoll->kind != MZ_CHANNEL_EPOLL || epoll == end) return EINVAL;
	if (operation < EPOLL_CTL_ADD || operation > EPOLL_CTL_MOD) return EINVAL;
	if (end->kind == MZ_CHANNEL_EPOLL) mz_unsupported("it has an epoll watch another one");
	if (operation != EPOLL_CTL_DEL && (event->events & EPOLLEXCLUSIVE))
		mz_unsupported("it watches with EPOLLEXCLUSIVE");
	return control(epoll->epoll, operation, end, number, event);
}

int mz_epoll_control(struct mz_fiber *self, int epoll, int operation, int number, const struct epoll_event *event,
                     uintptr_t caller)
{
	const int numbers[2] = {epoll, number};
	struct mz_channel_end *ends[2];
	mz_descriptors_look_up(self, numbers, 2, ends, caller);
	if (!ends[1] && !mz_descriptor_is_ours(number) && MZ_REAL(fcntl)(number, F_GETFD) >= 0)
		mz_unsupported("it has an epoll watch what is not modelled");
	int error = 0;
	if (ends[0] && ends[0]->kind == MZ_CHANNEL_EPOLL) {
		struct mz_access *access = mz_accesses(self);
		*access = mz_epoll_watching(ends[0], MZ_WRITE);
		const struct mz_operation watch = mz_operation(MZ_OP_WATCH, 1);
		mz_visible(self, watch, caller);
		error = try_control(ends[0], operation, ends[1], number, event);
		access->effect = !error;
		finish(self, watch);
		mz_channel_refresh();
	} else {
		error = try_control(ends[0], operation, ends[1], number, event);
	}
	mz_channel_leave(ends[0]);
	mz_channel_leave(ends[1]);
	return error;
}

/* ---- waiting for what it watches ---- */

static bool is_told_once(const struct mz_epoll_member *member)
{
	return member->events & (EPOLLET | EPOLLONESHOT);
}

/* Reports whether reporting events may change the members of an epoll. */
static bool may_change(const struct mz_epoll *epoll, int most)
{
	for (uint32_t i = 0; i < epoll->count; i++)
		if (is_told_once(&epoll->members[i])) return true;
	return epoll->count > (uint32_t)most;
}

/* Describes the accesses of a wait: one that waits for another change of the members than the `seen` ones, and those of
 * all members. */
static uint16_t describe_members(struct mz_fiber *self, const struct mz_channel_end *end, uint64_t seen,
                                 enum mz_access_kind kind)
{
	const struct mz_epoll *epoll = end->epoll;
	struct mz_access *accesses = mz_accesses_room(self, 1 + 2UL * epoll->count);
	uint16_t n = 1;
	accesses[0] = mz_epoll_watching(end, kind);
	accesses[0].expected = seen;
	for (uint32_t i = 0; i < epoll->count; i++) {
		const struct mz_epoll_member *member = &epoll->members[i];
		if (!member->done)
			n = add_end_accesses(accesses, n, member->end, member->events, member->told_in,
			                     member->told_out);
	}
	return n;
}

/* Returns the events of a member that are to be reported now. */
static uint32_t ready_of(const struct mz_epoll_member *member)
{
	uint64_t in = mz_channel_state_of(member->end->in, MZ_CHANNEL_DATA),
	         out = mz_channel_state_of(member->end->out, MZ_CHANNEL_SPACE);
	if (member->done) return 0;
	bool news =
	    ((member->events & INPUT) && in > member->told_in) || ((member->events & OUTPUT) && out > member->told_out);
	return news ? events_of(member->end, member->events) : 0;
}

static void mark_as_told(struct mz_epoll_member *member)
{
	if (member->events & EPOLLET) {
		member->told_in = mz_channel_state_of(member->end->in, MZ_CHANNEL_DATA);
		member->told_out = mz_channel_state_of(member->end->out, MZ_CHANNEL_SPACE);
		/* no event is reported until something arrives, even if the queue has the same state again */
		if (member->end->in && !member->told_in) member->told_in = member->end->in->arrivals;
		if (member->end->out && !member->told_out) member->told_out = member->end->out->departures;
	}
	if (member->events & EPOLLONESHOT) member->done = true;
}

/* Reports the events of all members; those of edge-triggered and one-shot members are not reported again. Returns how
 * many. If `events` is NULL, only counts. */
static int collect(struct mz_fiber *self, struct mz_epoll *epoll, struct epoll_event *events, int most)
{
	int n = 0;
	uint32_t at = epoll->next;
	for (uint32_t looked = 0; looked < epoll->count && n < most; looked++, at = (at + 1) % epoll->count) {
		struct mz_epoll_member *member = &epoll->members[at];
		uint32_t ready = ready_of(member);
		if (!ready) continue;
		if (events) {
			events[n] = (struct epoll_event){.events = ready, .data.u64 = member->data};
			acquire_data_clock(self, member->end, ready);
			mark_as_told(member);
		}
		n++;
	}
	if (events && epoll->count > (uint32_t)most) epoll->next = at;
	return n;
}

/* Returns, by an operation, the number of changes to the members so far. */
static uint64_t read_watch_count(struct mz_fiber *self, const struct mz_channel_end *end, uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = mz_epoll_watching(end, MZ_READ);
	const struct mz_operation operation = mz_operation(MZ_OP_LOOK_UP, 1);
	mz_visible(self, operation, caller);
	self->accesses[0].before = mz_epoll_members(end)->state;
	mz_commit(self, operation);
	return mz_epoll_members(end)->state;
}

/* Reports events where that changes the members: by an operation of its own, so that a wait that ends without events
 * has only read. Returns 0 if another thread got the events instead, or the members have changed. */
static int collect_alone(struct mz_fiber *self, struct mz_channel_end *end, struct epoll_event *events, int most,
                         uint64_t seen, uintptr_t caller)
{
	uint16_t n = describe_members(self, end, seen, MZ_WRITE);
	const struct mz_operation operation = mz_operation(MZ_OP_WATCH, n);
	mz_visible(self, operation, caller);
	bool changed = mz_epoll_members(end)->state != seen;
	int count = changed ? 0 : collect(self, end->epoll, events, most);
	self->accesses[0].effect = count > 0;
	finish(self, operation);
	mz_channel_refresh();
	return count;
}

static bool watches_timers(const struct mz_epoll *epoll)
{
	for (uint32_t i = 0; i < epoll->count; i++)
		if (epoll->members[i].end->timer) return true;
	return false;
}

static int wait_for_members(struct mz_fiber *self, struct mz_channel_end *end, struct epoll_event *events, int most,
                            uint64_t length, uintptr_t caller)
{
	struct wait_time time = {.length = length};
	bool begun = false;
	for (;;) {
		uint64_t seen = read_watch_count(self, end, caller);
		bool alone = may_change(end->epoll, most);
		time.has_timers = watches_timers(end->epoll);
		if (!begun && begin_wait(self, &time, caller)) return -EINTR;
		begun = true;
		uint16_t n = describe_members(self, end, seen, MZ_READ);
		struct mz_operation operation;
		int error = wait_for_any(self, n, length == MZ_POLL_FOREVER, &operation, caller);
		if (error) return error;
		bool changed = mz_epoll_members(end)->state != seen;
		int count = changed ? 0 : collect(self, end->epoll, alone ? NULL : events, most);
		finish(self, operation);
		if (changed) continue;
		if (!count && !time.is_up) {
			if (go_on_waiting(self, &time, caller)) return -EINTR;
			if (!time.has_timers) return 0;
			continue;
		}
		if (!count || !alone) return count;
		count = collect_alone(self, end, events, most, seen, caller);
		if (count) return count;
	}
}

int mz_epoll_wait(struct mz_fiber *self, int number, struct epoll_event *events, int most, uint64_t length,
                  uintptr_t caller)
{
	struct mz_channel_end *end = mz_descriptor_look_up(self, number, caller);
	int count = -EINVAL;
	if (!end) return -EBADF;
	if (end->kind == MZ_CHANNEL_EPOLL && most > 0)
		count = wait_for_members(self, end, events, most, length, caller);
	mz_channel_leave(end);
	return count;
}
