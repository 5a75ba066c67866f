/* SPDX-License-Identifier: MIT
 *
 * Numbers are lowest first, as POSIX has it, so which one a call gets depends on what was made and closed before:
 * making is a write to what is free, closing a weak one. What a pending call would get is kept up to date.
 *
 * Queues and ends are never moved or given back: threads may be suspended with pointers to them, here or in a state.
 */
#include "runtime/channels/descriptor.h"
#include "base/alloc.h"
#include "runtime/channels/epoll.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct descriptor_slot {
	struct mz_channel_end *end; /* or NULL */
	bool used;                  /* the number has stood for a channel in this execution */
	bool close_on_exec;
};

static struct descriptor_slot slots[MZ_CHANNEL_NUMBERS];
static int nslots; /* no number from here on has stood for a channel in this execution */
static struct mz_channel_end **ends;
static size_t nends, ends_made, ends_capacity; /* ends used in this execution; ends that exist */
static struct mz_queue **queues;
static size_t nqueues, queues_made, queues_capacity;

/* ---- what is there ---- */

static bool kernel_has(int number)
{
	int error = errno;
	bool has = MZ_REAL(fcntl)(number, F_GETFD) >= 0;
	errno = error;
	return has;
}

bool mz_descriptor_is_ours(int number)
{
	if (number < 0 || number >= nslots || !slots[number].used) return false;
	return slots[number].end || !kernel_has(number);
}

struct mz_channel_end *mz_descriptor_end(int number)
{
	return number >= 0 && number < nslots ? slots[number].end : NULL;
}

static struct mz_queue *new_queue(enum mz_channel kind, uint64_t name)
{
	size_t free = 0;
	while (free < nqueues && queues[free]->name) free++;
	if (free == queues_made) queues = mz_pointers_add(queues, &queues_capacity, queues_made++, sizeof **queues);
	if (free == nqueues) nqueues++;
	mz_queue_init(queues[free], kind, name);
	return queues[free];
}

struct mz_queue *mz_descriptors_queue(uint64_t name)
{
	for (size_t i = 0; i < nqueues; i++)
		if (queues[i]->name == name) return queues[i];
	return NULL;
}

static struct mz_channel_end *new_end(enum mz_channel kind, uint64_t name, uintptr_t caller)
{
	size_t free = 0;
	while (free < nends && ends[free]->name) free++;
	if (free == ends_made) ends = mz_pointers_add(ends, &ends_capacity, ends_made++, sizeof **ends);
	if (free == nends) nends++;
	struct mz_epoll *epoll = ends[free]->epoll;
	*ends[free] = (struct mz_channel_end){.name = name, .kind = (uint8_t)kind, .epoll = epoll, .made_at = caller};
	if (kind == MZ_CHANNEL_EPOLL) mz_epoll_init(ends[free]);
	return ends[free];
}

static bool is_used(const struct mz_queue *queue)
{
	for (size_t i = 0; i < nends; i++)
		if (ends[i]->name && (ends[i]->in == queue || ends[i]->out == queue)) return true;
	return false;
}

static void free_if_unused(struct mz_channel_end *end)
{
	if (end->descriptors || end->calls) return;
	struct mz_queue *in = end->in, *out = end->out;
	end->name = 0;
	if (in && !is_used(in)) in->name = 0;
	if (out && !is_used(out)) out->name = 0;
}

void mz_channel_leave(struct mz_channel_end *end)
{
	if (!end) return;
	end->calls--;
	free_if_unused(end);
}

/* ---- numbers ---- */

struct mz_access mz_descriptor_access(int number, enum mz_access_kind kind)
{
	return (struct mz_access){.object = mz_object_in(MZ_SPACE_DESCRIPTOR, (uint64_t)number & ~7UL),
	                          .mask = (uint8_t)(1U << (number & 7)),
	                          .kind = (uint8_t)kind};
}

static bool is_free(int number)
{
	return !mz_descriptor_end(number) && !kernel_has(number);
}

static int next_free(int least)
{
	while (least < MZ_CHANNEL_NUMBERS && !is_free(least)) least++;
	return least;
}

/* Has the kernel reserve the number, so that nothing else gets it. */
static void reserve(int number)
{
	int fd = MZ_REAL(open)("/", O_PATH | O_CLOEXEC);
	if (fd >= 0 && fd != number) {
		MZ_REAL(dup3)(fd, number, O_CLOEXEC);
		MZ_REAL(close)(fd);
	}
	mz_files_opened(number);
}

static void occupy(int number, struct mz_channel_end *end, bool close_on_exec)
{
	for (; nslots <= number; nslots++) slots[nslots] = (struct descriptor_slot){0};
	slots[number] = (struct descriptor_slot){end, true, close_on_exec};
	end->descriptors++;
}

/* Describes the accesses of a call that makes a channel: the free numbers, and the `n` numbers from `least` on that it
 * would get (kept in `before`, which has no other meaning until the call is executed). */
static void describe_numbers(struct mz_access *accesses, int n, int least)
{
	int number = least;
	accesses[0] =
	    (struct mz_access){.object = mz_object_in(MZ_SPACE_DESCRIPTORS, 0), .mask = 0xff, .kind = MZ_WRITE};
	for (int i = 1; i <= n; i++) {
		number = next_free(number);
		accesses[i] = mz_descriptor_access(number < MZ_CHANNEL_NUMBERS ? number : 0, MZ_WRITE);
		accesses[i].before = (uint64_t)least;
		number++;
	}
}

/* Updates the pending operations of calls that make channels: other numbers are free now. */
static void refresh_numbers(void)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		const struct mz_pending *pending = &mz_rt.execution.pending[t];
		struct mz_access *accesses = mz_rt.fibers[t].accesses;
		if (pending->status == MZ_THREAD_ABSENT || pending->op != MZ_OP_OPEN) continue;
		int n = pending->naccesses - 1;
		if (n > 0 && accesses[n].kind == MZ_READ) n--; /* the last access is to the number that is duplicated */
		describe_numbers(accesses, n, (int)accesses[1].before);
	}
}

static void clear_before(struct mz_access *accesses, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++) accesses[i].before = 0;
}

static void record_number(int number)
{
	if (MZ_UNLIKELY(mz_rt.mode.replaying))
		mz_record_value(mz_object_in(MZ_SPACE_DESCRIPTOR, (uint64_t)number), 0, false, 0);
}

/* ---- making ---- */

static uint32_t serial_of(struct mz_fiber *self)
{
	if (self->index >= 1024 || self->counts.channels >= 65536)
		mz_unsupported("it makes too many pipes and sockets");
	return self->index << 16 | self->counts.channels++;
}

/* Reports whether a channel has one end, and one number. */
static bool is_single(enum mz_channel kind)
{
	return kind == MZ_CHANNEL_EVENT || kind == MZ_CHANNEL_EPOLL || kind == MZ_CHANNEL_TIMER;
}

static void make_ends(struct mz_fiber *self, const struct mz_making *making, const int *numbers, uintptr_t caller)
{
	bool single = is_single(making->kind);
	unsigned first = (unsigned)numbers[0], second = (unsigned)numbers[single ? 0 : 1];
	uint32_t serial = serial_of(self);
	uint64_t name = mz_channel_name(making->kind, first, second, serial);
	struct mz_channel_end *end = new_end(making->kind, name, caller), *other = NULL;
	end->nonblocking = making->nonblocking;
	if (making->kind == MZ_CHANNEL_EPOLL) return occupy(numbers[0], end, making->close_on_exec);
	end->in = new_queue(making->kind == MZ_CHANNEL_TIMER ? MZ_CHANNEL_EVENT : making->kind, name);
	end->timer = making->timer;
	if (making->kind == MZ_CHANNEL_TIMER) {
		mz_timer_counts_in(end->timer, name);
	} else if (making->kind == MZ_CHANNEL_EVENT) {
		end->out = end->in;
		end->in->count = making->value;
		end->in->one_by_one = making->one_by_one;
	} else {
		other = new_end(making->kind, name, caller);
		other->out = end->in;
		other->nonblocking = making->nonblocking;
	}
	if (other && making->kind != MZ_CHANNEL_PIPE) {
		/* the other direction has the same numbers in another order, and so another name */
		end->out = new_queue(making->kind, mz_channel_name(making->kind, first, second, serial_of(self)));
		other->in = end->out;
	}
	occupy(numbers[0], end, making->close_on_exec);
	if (other) occupy(numbers[1], other, making->close_on_exec);
}

void mz_descriptors_adopt(struct mz_fiber *first, const struct mz_making *making, const int *numbers, uintptr_t caller)
{
	int highest = numbers[0] > numbers[1] ? numbers[0] : numbers[1];
	if (highest >= MZ_CHANNEL_NUMBERS) mz_unsupported("it makes too many pipes and sockets");
	make_ends(first, making, numbers, caller);
}

int mz_descriptors_make(struct mz_fiber *self, const struct mz_making *making, int numbers[2], uintptr_t caller)
{
	bool single = is_single(making->kind);
	uint16_t n = single ? 1 : 2;
	mz_accesses(self); /* it begins here */
	struct mz_access *accesses = mz_accesses_room(self, n + 1UL);
	describe_numbers(accesses, n, 0);
	const struct mz_operation operation = mz_operation(MZ_OP_OPEN, (uint16_t)(n + 1));
	mz_visible(self, operation, caller);
	numbers[0] = next_free(0);
	if (!single) numbers[1] = next_free(numbers[0] + 1);
	clear_before(accesses, (uint16_t)(n + 1));
	bool fits = numbers[n - 1] < MZ_CHANNEL_NUMBERS;
	if (fits) make_ends(self, making, numbers, caller);
	for (uint16_t i = 0; fits && i < n; i++) reserve(numbers[i]);
	record_number(numbers[0]);
	mz_commit(self, operation);
	refresh_numbers();
	return fits ? 0 : EMFILE;
}

/* ---- looking up ---- */

void mz_descriptors_look_up(struct mz_fiber *self, const int *numbers, size_t n, struct mz_channel_end **found,
                            uintptr_t caller)
{
	mz_accesses(self); /* it begins here */
	struct mz_access *accesses = mz_accesses_room(self, n + 1);
	uint16_t count = 0;
	uint64_t argument = n;
	for (size_t i = 0; i < n; i++) {
		argument = argument * 31 + (unsigned)numbers[i];
		if (!mz_descriptor_is_ours(numbers[i])) continue;
		struct mz_access access = mz_descriptor_access(numbers[i], MZ_READ);
		uint16_t at = 0;
		while (at < count && accesses[at].object != access.object) at++;
		if (at < count)
			accesses[at].mask |= access.mask;
		else
			accesses[count++] = access;
	}
	const struct mz_operation operation = mz_operation(MZ_OP_LOOK_UP, count);
	mz_spin_visible(self, operation, argument, caller);
	for (size_t i = 0; i < n; i++) {
		found[i] = mz_descriptor_end(numbers[i]);
		if (found[i]) found[i]->calls++;
	}
	clear_before(self->accesses, count);
	for (size_t i = 0; i < n && count; i++) {
		if (!mz_descriptor_is_ours(numbers[i])) continue;
		record_number(numbers[i]);
		break;
	}
	mz_commit(self, operation);
}

struct mz_channel_end *mz_descriptor_look_up(struct mz_fiber *self, int number, uintptr_t caller)
{
	struct mz_channel_end *found;
	mz_descriptors_look_up(self, &number, 1, &found, caller);
	return found;
}

/* ---- closing and duplicating ---- */

/* Appends the accesses by which closing a number touches its end. */
static uint16_t describe_end(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *end)
{
	if (!end) return n;
	n = mz_channel_describe_queue(accesses, n, end->in, MZ_WRITE);
	return end->in == end->out ? n : mz_channel_describe_queue(accesses, n, end->out, MZ_WRITE);
}

static bool is_epoll(const struct mz_channel_end *end)
{
	return end->name && end->kind == MZ_CHANNEL_EPOLL;
}

static struct mz_access *room_for_closing(struct mz_fiber *self)
{
	return mz_accesses_room(self, 4 + 2 * MZ_CHANNEL_PARTS + nends);
}

static uint16_t describe_closing(struct mz_access *accesses, int number)
{
	const struct mz_channel_end *end = mz_descriptor_end(number);
	accesses[0] = mz_descriptor_access(number, MZ_WRITE);
	accesses[1] =
	    (struct mz_access){.object = mz_object_in(MZ_SPACE_DESCRIPTORS, 0), .mask = 0xff, .kind = MZ_WEAK_WRITE};
	uint16_t n = describe_end(accesses, 2, end);
	for (size_t i = 0; end && i < nends; i++)
		if (is_epoll(ends[i])) n = mz_epoll_describe_closing(accesses, n, ends[i], end);
	return n;
}

static void forget(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *end)
{
	for (size_t i = 0; i < nends; i++)
		if (is_epoll(ends[i])) mz_epoll_forget(accesses, n, ends[i], end);
}

/* Makes the number stand for nothing. Returns the timer that nobody can read any more, or 0. */
static uint32_t vacate(int number, struct mz_access *accesses, uint16_t n)
{
	struct mz_channel_end *end = slots[number].end;
	uint32_t timer = end->descriptors == 1 && !end->calls ? end->timer : 0;
	slots[number].end = NULL;
	if (--end->descriptors == 0) {
		mz_channel_hang_up(end);
		forget(accesses, n, end);
	}
	mz_channel_settle(accesses, n, end->in);
	if (end->out != end->in) mz_channel_settle(accesses, n, end->out);
	free_if_unused(end);
	return timer;
}

void mz_descriptors_abandon(int number)
{
	vacate(number, NULL, 0);
	if (kernel_has(number))
		slots[number] =
		    (struct descriptor_slot){0}; /* the kernel has given the number to something else by now */
}

int mz_descriptor_close(struct mz_fiber *self, int number, uintptr_t caller)
{
	mz_accesses(self); /* it begins here */
	struct mz_access *accesses = room_for_closing(self);
	struct mz_operation operation = mz_operation(MZ_OP_CLOSE, describe_closing(accesses, number));
	mz_visible(self, operation, caller);
	accesses = room_for_closing(self); /* the number may stand for something else by now */
	operation.naccesses = describe_closing(accesses, number);
	bool open = slots[number].end != NULL;
	uint32_t timer = 0;
	clear_before(accesses, 2);
	if (open) {
		timer = vacate(number, accesses, operation.naccesses);
		mz_files_replace(number);
		MZ_REAL(close)(number);
	}
	record_number(number);
	mz_commit(self, operation);
	mz_channel_refresh();
	refresh_numbers();
	if (timer) mz_timer_delete(self, timer, caller);
	return open ? 0 : EBADF;
}

int mz_descriptor_duplicate(struct mz_fiber *self, int number, int least, bool close_on_exec, uintptr_t caller)
{
	mz_accesses(self); /* it begins here */
	struct mz_access *accesses = mz_accesses_room(self, 3);
	describe_numbers(accesses, 1, least);
	accesses[2] = mz_descriptor_access(number, MZ_READ);
	const struct mz_operation operation = mz_operation(MZ_OP_OPEN, 3);
	mz_visible(self, operation, caller);
	int to = next_free(least);
	struct mz_channel_end *end = slots[number].end;
	int error = !end ? EBADF : to >= MZ_CHANNEL_NUMBERS ? EMFILE : 0;
	if (!error) {
		occupy(to, end, close_on_exec);
		reserve(to);
	}
	clear_before(accesses, 3);
	record_number(to);
	mz_commit(self, operation);
	refresh_numbers();
	return error ? -error : to;
}

/* What the number `to` stands for is closed in the same operation. */
int mz_descriptor_replace(struct mz_fiber *self, int number, int to, bool close_on_exec, uintptr_t caller)
{
	if (to < 0 || to >= MZ_CHANNEL_NUMBERS) return -EBADF;
	mz_accesses(self); /* it begins here */
	struct mz_access *accesses = room_for_closing(self);
	uint16_t n = describe_closing(accesses, to);
	accesses[n] = mz_descriptor_access(number, MZ_READ);
	accesses[1].kind = MZ_WRITE;
	const struct mz_operation operation = mz_operation(MZ_OP_CLOSE, (uint16_t)(n + 1));
	mz_visible(self, operation, caller);
	accesses = room_for_closing(self);
	n = describe_closing(accesses, to);
	accesses[n] = mz_descriptor_access(number, MZ_READ);
	accesses[1].kind = MZ_WRITE;
	struct mz_channel_end *end = slots[number].end;
	uint32_t timer = 0;
	if (end && number != to) {
		if (!mz_descriptor_end(to) && !is_free(to))
			mz_unsupported("it gives a pipe or socket the number of a file that is open");
		if (mz_descriptor_end(to)) timer = vacate(to, accesses, n);
		occupy(to, end, close_on_exec);
		reserve(to);
	}
	clear_before(accesses, 2);
	record_number(to);
	mz_commit(self, operation);
	mz_channel_refresh();
	refresh_numbers();
	if (timer) mz_timer_delete(self, timer, caller);
	return end ? to : -EBADF;
}

/* ---- flags ---- */

/* Describes accesses to all numbers that stand for the same end. Returns how many. */
static uint16_t describe_numbers_of(struct mz_fiber *self, int number, enum mz_access_kind kind)
{
	const struct mz_channel_end *end = mz_descriptor_end(number);
	struct mz_access *accesses = mz_accesses_room(self, 1 + (end ? end->descriptors : 0));
	uint16_t n = 0;
	accesses[n++] = mz_descriptor_access(number, kind);
	for (int other = 0; end && kind == MZ_WRITE && other < nslots; other++) {
		struct mz_access access = mz_descriptor_access(other, kind);
		uint16_t at = 0;
		if (slots[other].end != end) continue;
		while (at < n && accesses[at].object != access.object) at++;
		if (at < n)
			accesses[at].mask |= access.mask;
		else
			accesses[n++] = access;
	}
	return n;
}

/* Performs the operation that reads or changes flags. Returns what the number stands for at that moment. */
struct mz_channel_end *mz_descriptor_settings(struct mz_fiber *self, int number, bool change, uintptr_t caller)
{
	mz_accesses(self); /* it begins here */
	uint16_t n = describe_numbers_of(self, number, change ? MZ_WRITE : MZ_READ);
	const struct mz_operation operation = mz_operation(MZ_OP_LOOK_UP, n);
	mz_visible(self, operation, caller);
	n = describe_numbers_of(self, number, change ? MZ_WRITE : MZ_READ);
	record_number(number);
	mz_commit(self, operation);
	return slots[number].end;
}

int mz_descriptor_flags(struct mz_fiber *self, int number, bool change, int flags, uintptr_t caller)
{
	struct mz_channel_end *end = mz_descriptor_settings(self, number, change, caller);
	if (!end) return -EBADF;
	if (change) {
		end->nonblocking = flags & O_NONBLOCK;
		return 0;
	}
	int mode = is_single((enum mz_channel)end->kind) || (end->in && end->out) ? O_RDWR
	           : end->in                                                      ? O_RDONLY
	                                                                          : O_WRONLY;
	return mode | (end->nonblocking ? O_NONBLOCK : 0);
}

int mz_descriptor_own_flags(struct mz_fiber *self, int number, bool change, int flags, uintptr_t caller)
{
	if (!mz_descriptor_settings(self, number, change, caller)) return -EBADF;
	if (change) slots[number].close_on_exec = flags & FD_CLOEXEC;
	return change ? 0 : slots[number].close_on_exec ? FD_CLOEXEC : 0;
}

/* ---- executions and states ---- */

/* The kernel's placeholders were closed with all other files. */
void mz_descriptors_reset(void)
{
	nslots = 0;
	nends = nqueues = 0;
}

void mz_descriptors_store(struct mz_state *state)
{
	const uint64_t counts[3] = {(uint64_t)nslots, nends, nqueues};
	mz_state_put(state, counts, sizeof counts);
	mz_state_put(state, slots, (size_t)nslots * sizeof *slots);
	for (size_t i = 0; i < nends; i++) {
		mz_state_put(state, ends[i], sizeof **ends);
		if (is_epoll(ends[i])) mz_epoll_store(ends[i]->epoll, state);
	}
	for (size_t i = 0; i < nqueues; i++) mz_queue_store(queues[i], state);
}

/* Has the kernel reserve exactly the numbers that the loaded state has in use. */
static void load_slots(struct mz_state *state, int n)
{
	const struct descriptor_slot *stored = mz_state_next(state, (size_t)n * sizeof *stored);
	for (int i = 0; i < n || i < nslots; i++) {
		bool was = mz_descriptor_end(i) != NULL, is = i < n && stored[i].end;
		if (was && !is) {
			mz_files_replace(i);
			MZ_REAL(close)(i);
		}
		if (is && !was) reserve(i);
		if (i < n) slots[i] = stored[i];
	}
	nslots = n;
}

void mz_descriptors_load(struct mz_state *state)
{
	uint64_t counts[3];
	mz_state_get(state, counts, sizeof counts);
	load_slots(state, (int)counts[0]);
	nends = counts[1];
	nqueues = counts[2];
	for (size_t i = 0; i < nends; i++) {
		struct mz_epoll *epoll = ends[i]->epoll;
		mz_state_get(state, ends[i], sizeof **ends);
		ends[i]->epoll = epoll;
		if (is_epoll(ends[i])) mz_epoll_load(epoll, state);
	}
	for (size_t i = 0; i < nqueues; i++) mz_queue_load(queues[i], state);
}

static int by_name(const void *a, const void *b)
{
	uint64_t x = (*(struct mz_queue *const *)a)->name, y = (*(struct mz_queue *const *)b)->name;
	return (x > y) - (x < y);
}

/* Puts the queues in an order that does not depend on which was made first. */
static void put_queues(struct mz_state *state)
{
	static struct mz_queue **sorted;
	static size_t capacity;
	mz_array_require(&sorted, &capacity, nqueues + 1);
	for (size_t i = 0; i < nqueues; i++) sorted[i] = queues[i];
	qsort(sorted, nqueues, sizeof *sorted, by_name);
	for (size_t i = 0; i < nqueues; i++)
		if (sorted[i]->name) mz_queue_identity(sorted[i], state);
}

void mz_descriptors_identity(struct mz_state *state)
{
	if (!nslots) return;
	for (int i = 0; i < nslots; i++) {
		const struct mz_channel_end *end = slots[i].end;
		if (!end) continue;
		const uint64_t known[] = {(uint64_t)i, end->name, end->calls, end->options,
		                          (uint64_t)slots[i].close_on_exec << 2 | (uint64_t)end->nonblocking << 1 |
		                              (end->in != NULL)};
		mz_state_put(state, known, sizeof known);
		if (is_epoll(end)) mz_epoll_identity(end->epoll, state);
	}
	put_queues(state);
}

/* ---- explaining ---- */

void mz_descriptor_explain(uint64_t object)
{
	for (size_t i = 0; i < nends; i++) {
		const struct mz_channel_end *end = ends[i];
		uint64_t part = mz_channel_of_part(object);
		bool its =
		    end->name == part || (end->in && end->in->name == part) || (end->out && end->out->name == part);
		if (!end->name || !its) continue;
		mz_report_detail(NULL, end->made_at, 0, 0, "  which was made here");
		return;
	}
}

void mz_descriptors_explain_wait(struct mz_fiber *fiber, const struct mz_object *channel)
{
	uint64_t object = channel->address;
	const struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	enum mz_op op = fiber->requests.awaited ? (enum mz_op)fiber->requests.op_awaited : (enum mz_op)pending->op;
	bool reads = op == MZ_OP_RECEIVE || op == MZ_OP_TRYRECEIVE, writes = op == MZ_OP_SEND || op == MZ_OP_TRYSEND;
	mz_report_detail(fiber, fiber->caller, object, 0, "%s",
	                 reads    ? "waits to read from"
	                 : writes ? "waits for room in"
	                          : "waits for something to happen at");
	mz_descriptor_explain(object);
	for (uint16_t i = 0; i < pending->naccesses && !reads && !writes; i++) {
		uint64_t each = pending->accesses[i].object;
		if (each == object || !mz_is_channel(each)) continue;
		mz_report_detail(NULL, 0, each, 0, "  or at");
		mz_descriptor_explain(each);
	}
}
