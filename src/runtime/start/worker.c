/* SPDX-License-Identifier: MIT
 *
 * The one file that knows both the runtime and the explorer.
 */
#include "runtime/start/worker.h"
#include "base/bug.h"
#include "engine/search.h"
#include "explorer/explore.h"
#include "explorer/explore_states.h"
#include "explorer/outcome.h"
#include "explorer/shared_notes.h"
#include "explorer/shared_trunk.h"
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/start/isolation.h"
#include "runtime/states/states.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- attaching ---- */

struct mz_session *mz_worker_attach(int fd)
{
	struct stat status;
	if (fstat(fd, &status) != 0 || (size_t)status.st_size < sizeof(struct mz_session)) return NULL;
	struct mz_session *session =
	    mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (session == MAP_FAILED) return NULL;
	if (session->magic != MZ_SESSION_MAGIC || session->header_size != sizeof *session) return NULL;
	return session;
}

static void keep_internal_error(const char *line)
{
	mz_outcome_set(mz_rt.session, MZ_OUTCOME_INTERNAL, line);
	if (mz_rt.mode.replaying) mz_record_flush();
}

static void configure(struct mz_session *session)
{
	mz_rt.session = session;
	mz_bug_tell(keep_internal_error);
	mz_rt.execution.max_steps = session->configuration.max_steps;
	mz_rt.mode.points_all = session->configuration.points == MZ_POINTS_ALL;
	mz_rt.mode.finds_races = session->configuration.races;
	mz_race_note_if_learned();
	mz_rt.mode.volatile_atomic = session->configuration.volatiles == MZ_VOLATILE_ATOMIC;
	mz_rt.mode.spinning_waits = session->configuration.spins;
	mz_rt.mode.reuses_freed = session->configuration.heap == MZ_HEAP_REUSE;
	mz_rt.mode.faults = session->configuration.faults;
	mz_rt.mode.replaying = session->mode == MZ_MODE_REPLAY;
	mz_rt.mode.tells_atomics = mz_rt.mode.follows_schedule = mz_rt.mode.replaying;
	mz_rt.mode.stop_at_finding = !session->configuration.keep_going && !mz_rt.mode.replaying;
	mz_rt.first_generation = 1;
	mz_rt.execution.signatures = mmap(NULL, session->configuration.max_steps * sizeof *mz_rt.execution.signatures,
	                                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mz_rt.execution.signatures == MAP_FAILED) mz_unsupported("out of memory");
}

/* ---- replaying: the thread numbers and the schedule are given ---- */

static struct mz_step stop_here(void *self, const struct mz_view *view)
{
	(void)self, (void)view;
	return (struct mz_step){MZ_NO_THREAD, 0};
}

static void ignore_event(void *self, const struct mz_event *event)
{
	(void)self, (void)event;
}

static void ignore_order(void *self, uint32_t before, uint32_t after)
{
	(void)self, (void)before, (void)after;
}

static void replay(struct mz_session *session)
{
	static const struct mz_driver nobody = {NULL, stop_here, ignore_event, ignore_order};
	struct mz_view view;
	enum mz_end end;
	do {
		mz_plugin_open_known();
		session->nfindings = 0;
		mz_record_init(session->recording);
		MZ_PLANT("replay");
		end = mz_runtime_run(NULL, session->schedule, session->replay_steps, &nobody, &view);
	} while (end == MZ_END_AGAIN);
	fflush(NULL); /* what the program printed */
	mz_record_end(end);
	session->outcome = end == MZ_END_DIVERGED ? MZ_OUTCOME_LIMIT : MZ_OUTCOME_DONE;
}

/* ---- searching states ---- */

static uint32_t number_of(void *states, struct mz_session_thread who)
{
	return mz_states_number(states, who);
}

static void explore_states(struct mz_session *session)
{
	struct mz_states_memory memory;
	if (mz_states_attach(&memory, session->states) != 0) mz_unsupported("what is known of states cannot be shared");
	mz_fiber_numbers(number_of, memory.states);
	mz_explore_states(session, mz_runtime_stateful(), memory.states);
}

/* ---- exploring executions ---- */

static uint32_t shared_number_of(void *shared, struct mz_session_thread who)
{
	return mz_trunk_number(shared, who);
}

static void explore_executions(struct mz_session *session, const struct mz_executor *executor)
{
	static struct mz_notes_reader reader;
	struct mz_trunk_memory memory = {0};
	if (session->trunk >= 0) {
		if (mz_trunk_memory_attach(&memory, session->trunk, MZ_LAYOUT_TRUNK) != 0)
			mz_unsupported("the exploration cannot be shared");
		mz_fiber_numbers(shared_number_of, memory.shared);
		const struct mz_notes notes = mz_shared_notes(&reader, memory.shared);
		mz_agree_with(&notes);
	}
	mz_explore(session, executor, memory.shared);
}

/* ---- serving ---- */

_Noreturn void mz_worker_serve(struct mz_session *session)
{
	const struct mz_executor executor = {
	    NULL, session->configuration.isolation == MZ_ISOLATION_PROCESS ? mz_isolation_run : mz_runtime_run,
	    mz_runtime_begin, mz_runtime_restart};
	configure(session);
	if (!session->check) {
		mz_early_refuse_threads();
		mz_early_refuse_calls();
	}
	mz_runtime_init();
	mz_fiber_adopt(session->given_threads, session->replay_threads);
	mz_inputs_start();
	mz_stdin_start();
	mz_crash_init();
	mz_heap_save();
	mz_library_save();
	mz_image_save();
	mz_exit_save();
	mz_finalisers_find();
	mz_leaving_save();
	mz_signals_save();
	mz_attributes_save();
	mz_chance_save();
	mz_streams_save();
	mz_early_channels_save();
	mz_files_save();
	mz_unobserved_look();
	session->running = 1;
	if (mz_rt.mode.replaying)
		replay(session);
	else if (mz_strategy_stateful(mz_strategy_find(session->configuration.strategy)))
		explore_states(session);
	else
		explore_executions(session, &executor);
	mz_parts_restore_world();
	MZ_REAL(_exit)(0);
	MZ_BUG("the process did not end");
}
