/* SPDX-License-Identifier: MIT */
#include "stubs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct mz_fiber fibers[STUB_THREADS];
static struct mz_pending pending[STUB_THREADS];
static struct mz_session *session;

jmp_buf stub_way_out;
const char *stub_why;
unsigned stub_nreports;
unsigned stub_ntouched;
struct mz_report stub_report;
char stub_text[256];
struct stub_operation stub_operation;
struct mz_range stub_image[8];
unsigned stub_nimage;

struct mz_runtime mz_rt;
struct mz_caller mz_caller;
uint8_t mz_notes_others;
uint32_t mz_foreign_count;
uint8_t __mz_sym_active;

static void reset_fiber(struct mz_fiber *fiber, uint32_t index)
{
	const struct mz_fiber old = *fiber;
	*fiber = (struct mz_fiber){.index = index, .heap = old.heap, .spin_log = old.spin_log, .room = old.room};
	fiber->clocks = old.clocks;
	mz_clock_clear(&fiber->clocks.own);
	mz_clock_clear(&fiber->clocks.released);
	mz_clock_clear(&fiber->clocks.acquired);
	fiber->accesses = fiber->own_accesses;
}

void stub_reset(void)
{
	const uint32_t generation = mz_rt.generation + 1;
	if (!session) session = calloc(1, sizeof *session);
	if (!session) abort();
	session->learned.loops = session->learned.nreturns = 0;
	mz_rt = (struct mz_runtime){
	    .fibers = fibers, .nfibers = STUB_THREADS, .generation = generation, .session = session};
	mz_rt.execution.pending = pending;
	mz_rt.execution.view = (struct mz_view){.nthreads = STUB_THREADS, .pending = pending};
	for (uint32_t t = 0; t < STUB_THREADS; t++) {
		reset_fiber(&fibers[t], t);
		pending[t] = (struct mz_pending){0};
	}
	mz_caller = (struct mz_caller){0};
	mz_notes_others = 0;
	mz_rt.way = &mz_way_of_executions;
	stub_nreports = stub_ntouched = stub_nimage = 0;
	stub_why = NULL;
}

/* What the runtime has lasts as long as the process. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* ---- what does not return ---- */

_Noreturn static void give_up(const char *why)
{
	stub_why = why;
	longjmp(stub_way_out, 1);
}

_Noreturn void mz_unsupported(const char *why)
{
	give_up(why);
}

_Noreturn void mz_restart_search(void)
{
	give_up("restart");
}

/* ---- core ---- */

void *mz_real_find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

uint64_t mz_objects_state(uint64_t object)
{
	return object + 1; /* anything that can be told from others */
}

/* ---- schedule ---- */

void mz_report(const struct mz_report *report, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(stub_text, sizeof stub_text, format, arguments);
	va_end(arguments);
	stub_report = *report;
	stub_nreports++;
}

void mz_report_detail(struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length, const char *format,
                      ...)
{
	(void)thread, (void)code, (void)address, (void)length, (void)format;
}

void mz_visible_if(struct mz_fiber *self, struct mz_operation operation, bool enabled, uintptr_t caller)
{
	(void)caller;
	stub_operation = (struct stub_operation){(enum mz_op)operation.op, operation.naccesses, enabled};
	pending[self->index] = (struct mz_pending){.status = enabled ? MZ_THREAD_ENABLED : MZ_THREAD_BLOCKED,
	                                           .op = operation.op,
	                                           .naccesses = operation.naccesses,
	                                           .accesses = self->accesses};
}

void mz_visible(struct mz_fiber *self, struct mz_operation operation, uintptr_t caller)
{
	mz_visible_if(self, operation, true, caller);
}

void mz_set_enabled(struct mz_fiber *fiber, bool enabled)
{
	pending[fiber->index].status = enabled ? MZ_THREAD_ENABLED : MZ_THREAD_BLOCKED;
}

struct mz_access *mz_accesses_room(struct mz_fiber *self, size_t n)
{
	if (!self->room.accesses) self->room.accesses = calloc(self->room.capacity = 2048, sizeof *self->room.accesses);
	if (!self->room.accesses || n > self->room.capacity) abort();
	return self->accesses = self->room.accesses;
}

/* ---- memory ---- */

void mz_image_add(void *low, void *high)
{
	stub_image[stub_nimage++] = (struct mz_range){(uintptr_t)low, (uintptr_t)high};
}

uint64_t mz_image_code_id(uintptr_t address)
{
	return address;
}

/* ---- watch ---- */

static void touch(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind)
{
	(void)self, (void)address, (void)size, (void)kind;
	stub_ntouched++;
}

const struct mz_way mz_way_of_executions = {.touch = touch};

void mz_foreign_write(const struct mz_fiber *self, uintptr_t address, size_t size)
{
	(void)self, (void)address, (void)size;
}

void mz_foreign_know(const struct mz_fiber *self, uintptr_t address, size_t size)
{
	(void)self, (void)address, (void)size;
}

void mz_foreign_hide(const struct mz_fiber *self, const uint8_t *sp)
{
	(void)self, (void)sp;
}

void mz_foreign_show(const struct mz_fiber *self, const uint8_t *sp)
{
	(void)self, (void)sp;
}

void mz_foreign_reset(void)
{
}

void mz_foreign_store(struct mz_state *state)
{
	(void)state;
}

void mz_foreign_load(struct mz_state *state)
{
	(void)state;
}

uintptr_t mz_image_program_start, mz_image_program_size, mz_image_own_start, mz_image_own_size;

bool mz_image_owns_code_slow(uintptr_t address)
{
	(void)address;
	return false;
}
