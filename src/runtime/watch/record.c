/* SPDX-License-Identifier: MIT */
#include "runtime/watch/record.h"
#include "base/bug.h"
#include "runtime/memory/memory.h"
#include "trace/recording.h"
#include <execinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#define BUFFER_SIZE (64 * 1024)

/* The recording that is being written: lasting, until another one is begun. */
static struct {
	int fd;      /* -1: nothing is recorded */
	size_t used; /* bytes of `buffer` that are not written yet */
} output = {.fd = -1};
static uint8_t buffer[BUFFER_SIZE];

/* Of the execution. */
static struct {
	bool was_enabled;  /* the thread that ran last could have gone on */
	uint32_t ran_last; /* number of that thread */
	uint32_t preemptions;
} run;

/* Of the operation that is committed next: what mz_record_value() noted of it. */
static struct {
	uintptr_t address; /* 0: nothing was noted */
	uint64_t value;
	size_t size;
	bool is_known; /* the value is */
} result;

/* ---- output ---- */

static void flush(void)
{
	size_t done = 0;
	while (done < output.used) {
		ssize_t n = write(output.fd, buffer + done, output.used - done);
		if (n <= 0) break;
		done += (size_t)n;
	}
	output.used = 0;
}

static void put_bytes(const void *bytes, size_t size)
{
	if (output.fd < 0) return;
	if (output.used + size > BUFFER_SIZE) flush();
	if (size > BUFFER_SIZE) return;
	memcpy(buffer + output.used, bytes, size);
	output.used += size;
}

static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static void put_padding(size_t size)
{
	static const uint8_t zeros[8];
	put_bytes(zeros, padded(size) - size);
}

static struct mz_record head(enum mz_record_type type, size_t fixed, size_t variable)
{
	return (struct mz_record){(uint32_t)type, (uint32_t)padded(fixed + variable)};
}

/* ---- places ---- */

/* The calls that led to `caller`, innermost first. Found on the stack of the running thread if it is there, else the
 * one address is all there is. */
static uint32_t frames_of(uintptr_t caller, uint64_t *frames)
{
	void *found[64];
	if (!caller) return 0;
	int n = mz_current ? backtrace(found, 64) : 0;
	for (int i = 0; i < n; i++) {
		if ((uintptr_t)found[i] != caller && (uintptr_t)found[i] + 1 != caller) continue;
		uint32_t count = 0;
		for (; i < n && count < MZ_RECORD_FRAMES; i++) frames[count++] = (uintptr_t)found[i];
		frames[0] = caller;
		return count;
	}
	frames[0] = caller;
	return 1;
}

static void put_module(uint64_t base, uint64_t start, uint64_t end, const char *path)
{
	size_t size = strlen(path) + 1;
	struct mz_record_module record = {head(MZ_RECORD_MODULE, sizeof record, size), base, start, end};
	put_bytes(&record, sizeof record);
	put_bytes(path, size);
	put_padding(sizeof record + size);
}

static void put_block(uintptr_t address)
{
	struct mz_heap_block block;
	if (!address || !mz_heap_find(address, &block)) return;
	struct mz_record_block record = {head(MZ_RECORD_BLOCK, sizeof record, 8), block.address, block.size,
	                                 block.allocated_by, 1};
	uint64_t frame = block.allocated_at;
	put_bytes(&record, sizeof record);
	put_bytes(&frame, sizeof frame);
}

/* ---- records ---- */

void mz_record_init(int fd)
{
	void *warm[1];
	output.fd = fd;
	run.ran_last = MZ_NO_THREAD;
	run.preemptions = 0;
	output.used = 0;
	if (fd >= 0 && (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0))
		mz_unsupported("nothing can be recorded");
	backtrace(warm, 1); /* loads the unwinder now, not on a small stack */
	mz_image_modules(put_module);
}

static void wait_until_allowed(void)
{
	const struct timespec moment = {0, 1000000};
	fflush(stdout); /* what the program printed so far */
	while (atomic_load(&mz_rt.session->allowed) <= mz_rt.execution.nsteps) syscall(SYS_nanosleep, &moment, NULL);
}

void mz_record_choice(void)
{
	if (mz_rt.session->stepwise) wait_until_allowed();
	run.ran_last = mz_rt.execution.view.current;
	run.was_enabled =
	    run.ran_last != MZ_NO_THREAD && mz_rt.execution.pending[run.ran_last].status == MZ_THREAD_ENABLED;
}

void mz_record_value(uintptr_t address, size_t size, bool known, uint64_t what)
{
	result.is_known = known;
	result.address = address;
	result.size = size;
	result.value = what;
}

/* Returns the name that a report has for an object: for an object of a thread, the thread. */
static uint64_t named(uint64_t object)
{
	uint64_t offset = object - (uintptr_t)mz_rt.fibers;
	if (offset >= mz_rt.nfibers * sizeof *mz_rt.fibers) return object;
	return mz_object_in(MZ_SPACE_THREAD, (uintptr_t)mz_rt.fibers[offset / sizeof *mz_rt.fibers].stack_high);
}

void mz_record_step(struct mz_fiber *self, struct mz_operation operation)
{
	uint64_t frames[MZ_RECORD_FRAMES];
	uint32_t nframes = frames_of(self->caller, frames);
	bool preemption = run.was_enabled && run.ran_last != self->index;
	const struct mz_access *access = operation.naccesses ? &self->accesses[0] : NULL;
	if (access && (access->only_waited || operation.op == MZ_OP_JOIN))
		access++; /* its requests come first: see request.c */
	struct mz_record_step record = {.head = head(MZ_RECORD_STEP, sizeof record, nframes * 8UL),
	                                .index = mz_rt.execution.nsteps - 1,
	                                .thread = self->index,
	                                .choice = mz_rt.execution.choice,
	                                .alternatives = operation.alternatives,
	                                .op = operation.op,
	                                .kind = access ? mz_access_really(access) : (uint8_t)MZ_READ,
	                                .preemption = preemption,
	                                .nframes = nframes};
	if (access || result.address) record.address = result.address ? result.address : named(access->object);
	record.length = (uint32_t)result.size;
	record.value = operation.op == MZ_OP_CHOOSE ? mz_rt.execution.choice : result.value;
	record.has_value = operation.op == MZ_OP_CHOOSE || result.is_known;
	run.preemptions += preemption;
	put_block(record.address);
	put_bytes(&record, sizeof record);
	put_bytes(frames, nframes * 8UL);
	result.address = result.size = 0;
	result.is_known = false;
	run.was_enabled = false;
	MZ_PLANT("replayed-step");
	flush(); /* whatever the next step does to the process */
}

void mz_record_thread(const struct mz_fiber *fiber, const struct mz_fiber *parent, uintptr_t entry, uintptr_t caller)
{
	uint64_t frames[MZ_RECORD_FRAMES];
	uint32_t nframes = frames_of(caller, frames);
	struct mz_record_thread record = {.head = head(MZ_RECORD_THREAD, sizeof record, nframes * 8UL),
	                                  .thread = fiber->index,
	                                  .parent = parent ? parent->index : MZ_NO_THREAD,
	                                  .nth = parent ? parent->counts.children : 1,
	                                  .nframes = nframes,
	                                  .entry = entry,
	                                  .stack_low = (uintptr_t)fiber->stack_low,
	                                  .stack_high = (uintptr_t)fiber->stack_high};
	put_bytes(&record, sizeof record);
	put_bytes(frames, nframes * 8UL);
}

void mz_record_finding(const struct mz_report *report, const char *message)
{
	uint64_t frames[MZ_RECORD_FRAMES], other[MZ_RECORD_FRAMES];
	uint32_t nframes = frames_of(report->place.address, frames);
	uint32_t nother = frames_of(report->other.address, other);
	size_t message_size = strlen(message) + 1;
	size_t file_size = report->file ? strlen(report->file) + 1 : 0;
	size_t other_size = report->other.what ? strlen(report->other.what) + 1 : 0;
	size_t variable = (nframes + nother) * 8UL + message_size + file_size + other_size;
	struct mz_record_finding record = {.head = head(MZ_RECORD_FINDING, sizeof record, variable),
	                                   .kind = (uint16_t)report->kind,
	                                   .thread = report->place.thread ? report->place.thread->index : MZ_NO_THREAD,
	                                   .step = mz_rt.execution.nsteps,
	                                   .line = report->line,
	                                   .address = report->address,
	                                   .length = report->length,
	                                   .nframes = nframes,
	                                   .other_nframes = nother,
	                                   .other_thread =
	                                       report->other.thread ? report->other.thread->index : MZ_NO_THREAD,
	                                   .message_size = (uint32_t)message_size,
	                                   .file_size = (uint32_t)file_size,
	                                   .other_size = (uint32_t)other_size};
	put_block(report->address);
	put_bytes(&record, sizeof record);
	put_bytes(frames, nframes * 8UL);
	put_bytes(other, nother * 8UL);
	put_bytes(message, message_size);
	put_bytes(report->file, file_size);
	put_bytes(report->other.what, other_size);
	put_padding(sizeof record + variable);
}

void mz_record_detail(const struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length, const char *text)
{
	uint64_t frames[MZ_RECORD_FRAMES];
	uint32_t nframes = frames_of(code, frames);
	size_t size = strlen(text) + 1, variable = nframes * 8UL + size;
	struct mz_record_detail record = {.head = head(MZ_RECORD_DETAIL, sizeof record, variable),
	                                  .thread = thread ? thread->index : MZ_NO_THREAD,
	                                  .nframes = nframes,
	                                  .address = address,
	                                  .length = length};
	put_bytes(&record, sizeof record);
	put_bytes(frames, nframes * 8UL);
	put_bytes(text, size);
	put_padding(sizeof record + variable);
}

/* The functions that are running, from the one on that has made the call with that return address. */
struct running {
	uintptr_t caller;
	uint32_t count;
	struct mz_record_frame frames[MZ_RECORD_FRAMES];
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument)
{
	enum { FRAME_POINTER = 6 };
	struct running *running = argument;
	uint64_t code = _Unwind_GetIP(context);
	if (!running->count && code != running->caller) return _URC_NO_REASON;
	running->frames[running->count++] =
	    (struct mz_record_frame){code, _Unwind_GetCFA(context), _Unwind_GetGR(context, FRAME_POINTER)};
	return running->count < MZ_RECORD_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void mz_record_input(const struct mz_fiber *self, uint32_t nth, const void *object, size_t size, const char *name,
                     uintptr_t caller)
{
	struct running running = {.caller = caller};
	size_t name_size = strlen(name) + 1;
	if (size == 0 || size > MZ_SESSION_INPUT_BYTES || name_size > BUFFER_SIZE) return;
	_Unwind_Backtrace(add_frame, &running);
	size_t frames_size = running.count * sizeof *running.frames, variable = frames_size + size + name_size;
	struct mz_record_input record = {.head = head(MZ_RECORD_INPUT, sizeof record, variable),
	                                 .thread = self->index,
	                                 .nth = nth,
	                                 .address = (uintptr_t)object,
	                                 .size = size,
	                                 .nframes = running.count,
	                                 .name_size = (uint32_t)name_size};
	put_bytes(&record, sizeof record);
	put_bytes(running.frames, frames_size);
	put_bytes(object, size);
	put_bytes(name, name_size);
	put_padding(sizeof record + variable);
}

void mz_record_flush(void)
{
	flush();
}

void mz_record_end(enum mz_end end)
{
	struct mz_record_end record = {head(MZ_RECORD_END, sizeof record, 0), (uint32_t)end, mz_rt.execution.nsteps,
	                               run.preemptions, (uint32_t)mz_rt.exit.status};
	put_bytes(&record, sizeof record);
	flush();
}
