/* SPDX-License-Identifier: MIT */
#include "runtime/objects/trap.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/exit.h"
#include "runtime/objects/signal_actions.h"
#include "runtime/objects/signals.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <execinfo.h>
#include <string.h>

#define RED_ZONE 128 /* bytes below the stack pointer that functions may use */
/* Bytes that must be free for the handler on the thread's own stack; the size of an alternate stack is the program's
 * affair. */
#define ROOM 16384
#define MOST_AGAIN 128 /* most accesses of an operation that can be repeated after its fault was handled */

/* What is on the stack of the thread while its handler runs. The kernel takes it from there when the handler returns:
 * the context comes first, and the floating-point registers are behind it. */
struct frame {
	ucontext_t context;
	siginfo_t info;
	stack_t kernel_stack;
	sigset_t kernel_mask;
};

void mz_arch_trap(void); /* calls mz_trap_deliver() with the frame that it is on, and returns from the signal */
void mz_trap_deliver(struct frame *frame);

static uintptr_t stands_for;

void mz_trap_stands_for(uintptr_t code)
{
	stands_for = code;
}

uintptr_t mz_trap_place(uintptr_t code)
{
	void *frames[32];
	uintptr_t place = stands_for;
	stands_for = 0;
	if (place) return place;
	if (mz_image_owns_code(code)) return code + 1;
	int n = backtrace(frames, 32), i = 0;
	while (i < n && !mz_image_owns_code((uintptr_t)frames[i])) i++;
	return i < n ? (uintptr_t)frames[i] : code + 1;
}

/* ---- the alternate stack ---- */

static bool is_on_alternate(const struct mz_fiber *self, uintptr_t sp)
{
	return sp - (uintptr_t)self->alternate.low - 1 < self->alternate.size;
}

static void tell_alternate(const struct mz_fiber *self, stack_t *place, uintptr_t sp)
{
	*place = (stack_t){.ss_sp = self->alternate.low, .ss_size = self->alternate.size};
	place->ss_flags = !self->alternate.size ? SS_DISABLE : is_on_alternate(self, sp) ? SS_ONSTACK : 0;
}

int mz_trap_alternate(struct mz_fiber *self, const stack_t *new, stack_t *old, uintptr_t sp)
{
	const stack_t wanted = new ? *new : (stack_t){.ss_flags = SS_DISABLE};
	bool disables = wanted.ss_flags & SS_DISABLE;
	if (new &&is_on_alternate(self, sp)) return EPERM;
	if (new && (wanted.ss_flags & ~(SS_DISABLE | SS_ONSTACK))) return EINVAL;
	if (new && !disables && wanted.ss_size < (size_t)MINSIGSTKSZ) return ENOMEM;
	if (old) tell_alternate(self, old, sp);
	if (new) {
		self->alternate.low = disables ? NULL : wanted.ss_sp;
		self->alternate.size = disables ? 0 : wanted.ss_size;
	}
	return 0;
}

static stack_t at_first;

void mz_trap_early(const stack_t *stack)
{
	at_first = *stack;
}

void mz_trap_start(struct mz_fiber *first)
{
	first->alternate.low = at_first.ss_sp;
	first->alternate.size = at_first.ss_size;
}

/* ---- into the handler ---- */

/* The kernel's description of what it saved behind the first 512 bytes. */
struct extended {
	uint32_t magic;
	uint32_t size; /* size of the whole area */
};
#define EXTENDED_AT 464
#define EXTENDED_MAGIC 0x46505853U
#define LEGACY_SIZE 512

static size_t float_size(const ucontext_t *context)
{
	const uint8_t *saved = (const uint8_t *)context->uc_mcontext.fpregs;
	const struct extended *extended = (const struct extended *)(saved + EXTENDED_AT);
	if (!saved) return 0;
	return extended->magic == EXTENDED_MAGIC ? extended->size : LEGACY_SIZE;
}

/* Returns the high end of the stack that the handler runs on; 0 if there is no room. */
static uintptr_t stack_for(const struct mz_fiber *self, int number, uintptr_t sp, size_t size)
{
	bool alternate = mz_signals_wants_alternate(number) && self->alternate.size && !is_on_alternate(self, sp);
	if (alternate) {
		uintptr_t low = (uintptr_t)self->alternate.low;
		return self->alternate.size > size ? low + self->alternate.size : 0;
	}
	bool own = sp - (uintptr_t)self->stack_low < (size_t)(self->stack_high - self->stack_low);
	if (own && sp - (uintptr_t)self->stack_low < size + ROOM) return 0;
	return sp - RED_ZONE;
}

static struct frame *push_frame(uintptr_t high, const siginfo_t *info, const ucontext_t *context)
{
	size_t size = float_size(context);
	uintptr_t saved = (high - size) & ~63UL;
	struct frame *frame = (struct frame *)((saved - sizeof *frame) & ~63UL);
	frame->context = *context;
	frame->info = *info;
	frame->kernel_stack = context->uc_stack;
	MZ_REAL(memset)(&frame->kernel_mask, 0, sizeof frame->kernel_mask);
	MZ_REAL(memcpy)(&frame->kernel_mask, &context->uc_sigmask, 8); /* the kernel's set has only these bytes */
	if (size) {
		MZ_REAL(memcpy)((void *)saved, context->uc_mcontext.fpregs, size);
		frame->context.uc_mcontext.fpregs = (fpregset_t)saved;
	}
	return frame;
}

bool mz_trap_divert(struct mz_fiber *self, int number, const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	if (mz_rt.invariants.evaluating || !mz_signals_catches(self, number)) return false;
	uintptr_t sp = (uintptr_t)registers[REG_RSP];
	uintptr_t high = stack_for(self, number, sp, float_size(context) + sizeof(struct frame) + 256);
	if (!high) return false;
	if (number == SIGSEGV && info->si_code == SEGV_MAPERR) mz_race_forget_page((uintptr_t)info->si_addr);
	mz_fiber_leaves(self, (uint8_t *)sp - RED_ZONE);
	struct frame *frame = push_frame(high, info, context);
	tell_alternate(self, &frame->context.uc_stack, sp);
	registers[REG_RBX] = (greg_t)frame;
	registers[REG_RSP] = (greg_t)frame;
	registers[REG_RIP] = (greg_t)mz_arch_trap;
	registers[REG_EFL] &= ~(greg_t)0x10500; /* no direction, no single step, no resumption */
	return true;
}

/* ---- in the handler ---- */

/* An operation that was chosen and faulted. */
struct interrupted_step {
	bool any;
	struct mz_pending pending;
	struct mz_access *place;
	struct mz_access accesses[MOST_AGAIN];
	uintptr_t caller;
};

static void keep_step(const struct mz_fiber *self, struct interrupted_step *step)
{
	step->any = mz_rt.execution.in_step;
	if (!step->any) return;
	step->pending = mz_rt.execution.pending[self->index];
	step->place = self->accesses;
	step->caller = self->caller;
	if (step->pending.naccesses > MOST_AGAIN)
		mz_unsupported("it handles a fault in an access to more memory than can be tried again");
	for (uint16_t i = 0; i < step->pending.naccesses; i++) step->accesses[i] = self->accesses[i];
}

/* Makes the operation that faulted pending again, as a new one: it is still to be done. */
static void announce_again(struct mz_fiber *self, const struct interrupted_step *step)
{
	if (!step->any) return;
	self->accesses = step->place;
	for (uint16_t i = 0; i < step->pending.naccesses; i++) {
		self->accesses[i] = step->accesses[i];
		self->accesses[i].age = 0;
		self->accesses[i].only_waited = false;
	}
	mz_visible(self, mz_operation_of(&step->pending), step->caller);
}

/* Runs the program's handler, on the stack that the handler is to have. */
void mz_trap_deliver(struct frame *frame)
{
	struct mz_fiber *self = mz_current;
	struct interrupted_step step;
	const struct mz_call call = self->call;
	uintptr_t code = (uintptr_t)frame->context.uc_mcontext.gregs[REG_RIP];
	uintptr_t place = mz_rt.execution.in_step ? self->caller : mz_trap_place(code);
	keep_step(self, &step);
	mz_commit_failed(self);
	mz_signals_to(self->requests.blocked, &frame->context.uc_sigmask);
	mz_signals_trap(self, &frame->info, &frame->context, place);
	self->call = call;
	announce_again(self, &step);
	frame->context.uc_stack = frame->kernel_stack;
	MZ_REAL(memcpy)(&frame->context.uc_sigmask, &frame->kernel_mask, 8);
}
