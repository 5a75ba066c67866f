/* SPDX-License-Identifier: MIT
 *
 * A broken invariant of the search never ends the host's process. The functions that ask the search run in
 * mz_host_enter(): the bug's escape comes back there by a long jump, and the engine has failed. From then on nothing of
 * the search is used but mz_search_free(): its structures own what they have allocated at all times.
 */
#include "base/bug.h"
#include "engine/host/host.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

int mz_host_fail(mz_engine *engine, const char *format, ...)
{
	va_list arguments;
	if (engine->failed) return -1;
	engine->failed = true;
	va_start(arguments, format);
	vsnprintf(engine->error, sizeof engine->error, format, arguments);
	va_end(arguments);
	return -1;
}

int mz_host_no_memory(mz_engine *engine)
{
	return mz_host_fail(engine, "out of memory");
}

/* The engine whose search this thread of the host is running, or NULL. */
static _Thread_local mz_engine *entered;

static void escape(const char *line)
{
	if (!entered) return;
	mz_host_fail(entered, "%s", line);
	longjmp(*(jmp_buf *)entered->escape, 1);
}

void mz_host_catch_bugs(void)
{
	mz_bug_escape(escape);
}

int mz_host_enter(mz_engine *engine, int (*work)(mz_engine *), int otherwise)
{
	jmp_buf here;
	mz_engine *outer = entered;
	volatile int result = otherwise;
	engine->escape = &here;
	entered = engine;
	if (setjmp(here) == 0) result = work(engine);
	entered = outer;
	return result;
}

bool mz_host_check_thread(mz_engine *engine, uint32_t thread, const char *call)
{
	if (!engine || engine->failed) return false;
	if (engine->state != STATE_RUNNING)
		mz_host_fail(engine, "%s: no execution is under way", call);
	else if (thread >= engine->nthreads || !engine->threads[thread].born)
		mz_host_fail(engine, "%s: there is no thread %u", call, thread);
	return !engine->failed;
}

bool mz_host_check_running(mz_engine *engine, uint32_t thread, const char *call)
{
	if (!mz_host_check_thread(engine, thread, call)) return false;
	if (engine->threads[thread].finished)
		mz_host_fail(engine, "%s: thread %u is finished", call, thread);
	else if (engine->step.thread != thread)
		mz_host_fail(engine, "%s: thread %u was not scheduled", call, thread);
	return !engine->failed;
}
