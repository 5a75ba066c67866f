/* SPDX-License-Identifier: MIT
 *
 * pthread and C11: what is done once, keys, cleanup handlers.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <threads.h>

MZ_HOOKS_DECLARE(LEAVING)

/* ---- once ---- */

#define DONE 2 /* the value that the C library leaves in a pthread_once_t that is done */

struct once {
	uint8_t *guard;
	uintptr_t caller;
	struct mz_call call; /* the call of pthread_once itself, restored after calls that the function makes */
	uint64_t done;
};

/* Ends a pthread_once, also if the function was left by an exception: then the next call tries again. */
static void end_once(struct once *once)
{
	mz_current->call = once->call;
	mz_guard_release(mz_current, once->guard, (uint8_t)once->done, once->caller);
}

static bool is_done(struct mz_fiber *self, const uint8_t *guard, uintptr_t caller)
{
	uint16_t n = mz_words(self, (uintptr_t)guard, 1, MZ_READ);
	const struct mz_operation operation = mz_operation(MZ_OP_LOAD, n);
	mz_visible(self, operation, caller);
	mz_words_before(self, n);
	mz_commit(self, operation);
	mz_race_atomic_load(self, mz_object_find((uintptr_t)guard), __ATOMIC_ACQUIRE);
	return *guard;
}

/* Reports whether the caller has to run the function. Not inlined: none of its values may be in registers while the
 * function runs. */
static __attribute__((noinline)) bool begin_once(uint8_t *guard, uintptr_t caller)
{
	return !is_done(mz_current, guard, caller) && mz_guard_acquire(mz_current, guard, caller);
}

static void do_once(uint8_t *guard, void (*function)(void), uintptr_t caller)
{
	if (!begin_once(guard, caller)) return;
	struct once once __attribute__((cleanup(end_once))) = {guard, caller, mz_current->call, 0};
	mz_caller_wipe();
	function();
	once.done = DONE;
}

int mz_entry_pthread_once(pthread_once_t *control, void (*function)(void))
{
	if (!MZ_SELF()) return MZ_REAL(pthread_once)(control, function);
	do_once((uint8_t *)control, function, MZ_CALLER());
	return 0;
}

void mz_entry_call_once(once_flag *flag, void (*function)(void))
{
	if (MZ_SELF())
		do_once((uint8_t *)flag, function, MZ_CALLER());
	else
		MZ_REAL(call_once)(flag, function);
}

/* ---- keys ---- */

int mz_entry_pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	if (!MZ_SELF()) {
		int error = MZ_REAL(pthread_key_create)(key, destructor);
		if (MZ_IS_EARLY() && !error) mz_key_early_create(*key, destructor);
		return error;
	}
	return mz_key_create(mz_current, key, destructor, MZ_CALLER());
}

int mz_entry_pthread_key_delete(pthread_key_t key)
{
	if (!MZ_SELF()) {
		int error = MZ_REAL(pthread_key_delete)(key);
		if (MZ_IS_EARLY() && !error) mz_key_early_delete(key);
		return error;
	}
	return mz_key_delete(mz_current, key, MZ_CALLER());
}

/* Sets the shadow of a thread's value of a key: it was passed to `function`. A value with a destructor becomes concrete:
 * whether the destructor is called depends on it. */
MZ_COLD static void carry_in(const void *function, unsigned key, const void *value, uintptr_t caller)
{
	uint32_t shadow = __mz_sym_parameter(function, 1, (uintptr_t)value, 8 * sizeof value);
	__mz_sym_entered();
	if (shadow && mz_key_has_destructor(key)) {
		mz_settle(mz_current, shadow, caller);
		shadow = 0;
	}
	__mz_sym_store(mz_key_place(mz_current, key), sizeof value, shadow, (uintptr_t)value);
}

/* Returns the shadow of a thread's value of a key, from `function`. */
MZ_COLD static void carry_out(const void *function, unsigned key, const void *value)
{
	uint32_t shadow = __mz_sym_load(mz_key_place(mz_current, key), sizeof value, (uintptr_t)value);
	__mz_sym_return(function, 0, shadow);
}

int mz_entry_pthread_setspecific(pthread_key_t key, const void *value)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setspecific)(key, value);
	if (MZ_UNLIKELY(__mz_sym_active)) carry_in((const void *)pthread_setspecific, key, value, MZ_CALLER());
	return mz_key_set(mz_current, key, value);
}

void *mz_entry_pthread_getspecific(pthread_key_t key)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getspecific)(key);
	void *value = mz_key_get(mz_current, key);
	if (MZ_UNLIKELY(__mz_sym_active)) carry_out((const void *)pthread_getspecific, key, value);
	return value;
}

int mz_entry_tss_create(tss_t *key, tss_dtor_t destructor)
{
	if (!MZ_SELF()) {
		int result = MZ_REAL(tss_create)(key, destructor);
		if (MZ_IS_EARLY() && result == thrd_success) mz_key_early_create(*key, destructor);
		return result;
	}
	return mz_key_create(mz_current, key, destructor, MZ_CALLER()) ? thrd_error : thrd_success;
}

void mz_entry_tss_delete(tss_t key)
{
	if (MZ_SELF()) {
		mz_key_delete(mz_current, key, MZ_CALLER());
		return;
	}
	MZ_REAL(tss_delete)(key);
	if (MZ_IS_EARLY()) mz_key_early_delete(key);
}

int mz_entry_tss_set(tss_t key, void *value)
{
	if (!MZ_SELF()) return MZ_REAL(tss_set)(key, value);
	if (MZ_UNLIKELY(__mz_sym_active)) carry_in((const void *)tss_set, key, value, MZ_CALLER());
	return mz_key_set(mz_current, key, value) ? thrd_error : thrd_success;
}

void *mz_entry_tss_get(tss_t key)
{
	if (!MZ_SELF()) return MZ_REAL(tss_get)(key);
	void *value = mz_key_get(mz_current, key);
	if (MZ_UNLIKELY(__mz_sym_active)) carry_out((const void *)tss_get, key, value);
	return value;
}

/* ---- cleanup handlers, as the macros of pthread.h use them in C without exceptions ---- */

void __pthread_register_cancel(__pthread_unwind_buf_t *handler);
void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler);
_Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *handler);

MZ_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t *handler)
{
	if (MZ_SELF())
		mz_leaving_push(mz_current, handler, (uintptr_t)__builtin_dwarf_cfa());
	else
		MZ_REAL(__pthread_register_cancel)(handler);
}

MZ_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler)
{
	if (MZ_SELF())
		mz_leaving_pop(mz_current, handler);
	else
		MZ_REAL(__pthread_unregister_cancel)(handler);
}

MZ_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t *handler)
{
	if (!MZ_SELF()) MZ_REAL(__pthread_unwind_next)(handler);
	mz_leaving_pop(mz_current, handler);
	mz_leaving_unwind(mz_current, mz_current->result);
}

/* ---- looking for the end of a thread ---- */

int mz_entry_pthread_tryjoin_np(pthread_t thread, void **result)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_tryjoin_np)(mz_early_real_handle(thread), result);
	return mz_thread_tryjoin(mz_current, thread, result, MZ_CALLER());
}

int mz_entry_pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_timedjoin_np)(mz_early_real_handle(thread), result, until);
	return mz_thread_timedjoin(mz_current, thread, result, CLOCK_REALTIME, until, MZ_CALLER());
}

int mz_entry_pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_clockjoin_np)(mz_early_real_handle(thread), result, clock, until);
	if (!mz_time_is_waited_for(clock)) return EINVAL;
	return mz_thread_timedjoin(mz_current, thread, result, clock, until, MZ_CALLER());
}
