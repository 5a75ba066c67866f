/* SPDX-License-Identifier: MIT */
#include "campaign/ending.h"
#include "base/alloc.h"
#include "campaign/unseen.h"
#include "explorer/outcome.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(char text[MZ_ENDING_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(char text[MZ_ENDING_SIZE], const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, MZ_ENDING_SIZE, format, arguments);
	va_end(arguments);
}

uint64_t mz_ending_execution(const struct mz_session *session)
{
	return session->executions + session->redundant + session->assumed + 1;
}

/* A worker that was killed because it made no step for too long waits in a call that is let through, or in some other system
 * call, or loops without visible operations. */
static void describe_stall(const struct mz_session *session, const struct mz_worker_result *worker, uint32_t steps,
                           char text[MZ_ENDING_SIZE])
{
	char *call = mz_waiting_describe(session);
	unsigned long execution = mz_ending_execution(session);
	double seconds = session->configuration.stall_timeout;
	if (call)
		say(text, "%s for %g s, in execution %lu after step %u; what it waits for is beyond the program", call,
		    seconds, execution, steps);
	else if (worker->system_call >= 0)
		say(text, "the program has been in system call %ld for %g s, in execution %lu after step %u",
		    worker->system_call, seconds, execution, steps);
	else
		say(text,
		    "execution %lu made no step for %g s after step %u: an endless loop without visible operations? "
		    "(--stall-timeout)",
		    execution, seconds, steps);
	mz_free(call);
}

static void describe_signal(const struct mz_session *session, int number, char text[MZ_ENDING_SIZE])
{
	const char *name = sigabbrev_np(number);
	say(text, "the process was killed by SIG%s in execution %lu", name ? name : "RT",
	    (unsigned long)mz_ending_execution(session));
}

void mz_ending_describe_death(const struct mz_session *session, const struct mz_worker_result *worker, uint32_t steps,
                              char text[MZ_ENDING_SIZE])
{
	switch (worker->end) {
	case MZ_WORKER_STALLED: describe_stall(session, worker, steps, text); return;
	case MZ_WORKER_TIMEOUT: say(text, "--timeout %g was reached", session->configuration.timeout); return;
	case MZ_WORKER_INTERRUPTED: say(text, "the run was interrupted"); return;
	case MZ_WORKER_SIGNALLED: describe_signal(session, worker->status, text); return;
	default:
		say(text, "the process ended with status %d in execution %lu", worker->status,
		    (unsigned long)mz_ending_execution(session));
	}
}

bool mz_ending_is_from_outside(const struct mz_worker_result *worker)
{
	return worker->end == MZ_WORKER_TIMEOUT || worker->end == MZ_WORKER_INTERRUPTED;
}

void mz_ending_describe_outcome(const struct mz_session *session, const struct mz_worker_result *worker,
                                char text[MZ_ENDING_SIZE])
{
	text[0] = 0;
	if (session->outcome == MZ_OUTCOME_LIMIT && mz_ending_is_from_outside(worker))
		mz_ending_describe_death(session, worker, session->nsteps, text);
	else if (session->outcome == MZ_OUTCOME_LIMIT)
		say(text, "%s", session->message);
	else if (session->outcome == MZ_OUTCOME_UNSUPPORTED)
		say(text, "the program cannot be explored any further: %s", session->message);
	else if (session->outcome == MZ_OUTCOME_BUG)
		say(text,
		    session->configuration.keep_going
		        ? "the program does not do the same under the same schedule: what is left cannot be explored"
		        : "stopped at the first bug");
}

void mz_ending_describe_error(const struct mz_session *session, uint32_t steps, char text[MZ_ENDING_SIZE])
{
	say(text, "%s, in execution %lu after %u steps", session->message, (unsigned long)mz_ending_execution(session),
	    steps);
}
