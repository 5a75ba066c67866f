/* SPDX-License-Identifier: MIT
 *
 * Believing a session. The program under test can write anywhere in the memory that it shares with its supervisor, by a
 * stray pointer; processes that it left behind still can after its worker is gone. So the supervisor takes a copy of
 * its own, and of that copy nothing is used before it was checked here: numbers are in their ranges, texts end,
 * schedules are where they belong. What is not so is left out, and the copy is marked as damaged.
 */
#include "base/alloc.h"
#include "engine/search.h"
#include "explorer/supervisor.h"
#include <string.h>
#include <sys/mman.h>

/* The task is everything before `stop`: what the supervisor wrote before it started the worker. Of that, the worker may
 * change `learned`, what is known of the program, and nothing before it. */
#define TASK_SIZE offsetof(struct mz_session, stop)
#define TASK_FIXED offsetof(struct mz_session, learned)

int mz_session_seal(struct mz_session_memory *memory)
{
	if (memory->task) return 0;
	memory->task = mz_alloc(TASK_SIZE);
	if (!memory->task) return -1;
	memcpy(memory->task, memory->session, TASK_SIZE);
	return 0;
}

static bool end_text(char *text, size_t size)
{
	bool ended = memchr(text, 0, size) != NULL;
	text[size - 1] = 0;
	return ended;
}

/* Replaces control characters, so that the text is one line that can be printed. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f) *text = '?';
}

static bool limit(uint32_t *number, uint32_t most)
{
	if (*number <= most) return true;
	*number = 0;
	return false;
}

/* ---- what was to be done ---- */

/* Takes over what the worker learned and a replay has to know: the files and the requests. Returns whether they make
 * sense. */
static bool take_learned(struct mz_session_learned *to, const struct mz_session_learned *from)
{
	bool good = true;
	to->nfiles = from->nfiles;
	good &= limit(&to->nfiles, MZ_SESSION_FILES);
	memcpy(to->files, from->files, sizeof to->files);
	for (uint32_t i = 0; i < to->nfiles; i++) good &= end_text(to->files[i], sizeof to->files[i]);
	to->requests = from->requests;
	to->requests.kinds &= MZ_REQUESTS_ALL;
	return good;
}

/* Restores the task to what it was when the worker was started, apart from what was learned. Returns whether the worker
 * had left it alone. */
static bool check_task(struct mz_session *copy, const struct mz_session *shared, const void *task)
{
	bool same = memcmp(copy, task, TASK_FIXED) == 0;
	memcpy(copy, task, TASK_SIZE);
	return take_learned(&copy->learned, &shared->learned) && same;
}

/* ---- how far it got ---- */

static bool check_words(struct mz_session *copy)
{
	bool good = end_text(copy->message, sizeof copy->message);
	good &= end_text(copy->method, sizeof copy->method);
	make_printable(copy->message);
	if (*copy->method && !mz_strategy_find(copy->method)) {
		*copy->method = 0;
		good = false;
	}
	for (size_t i = 0; i < MZ_SESSION_CALLS; i++) {
		good &= end_text(copy->uncontrolled[i].name, sizeof copy->uncontrolled[i].name);
		make_printable(copy->uncontrolled[i].name);
	}
	for (size_t i = 0; i < 2; i++)
		good &= end_text(copy->unseen.modules[i].path, sizeof copy->unseen.modules[i].path);
	return good;
}

static bool check_hidden(struct mz_session *copy)
{
	struct mz_session_waiting *waiting = &copy->waiting;
	bool good = limit(&copy->nhidden, MZ_SESSION_HIDDEN);
	good &= end_text(waiting->name, sizeof waiting->name);
	good &= end_text(waiting->module.path, sizeof waiting->module.path);
	make_printable(waiting->name);
	for (uint32_t i = 0; i < copy->nhidden; i++) {
		struct mz_session_hidden *hidden = &copy->hidden[i];
		good &= limit(&hidden->kind, MZ_HIDDEN_CODE);
		good &= end_text(hidden->place, sizeof hidden->place);
		good &= end_text(hidden->what, sizeof hidden->what);
		good &= end_text(hidden->module.path, sizeof hidden->module.path);
		make_printable(hidden->place);
		make_printable(hidden->what);
	}
	return good;
}

static bool check_inputs(struct mz_session_inputs *inputs)
{
	bool good = limit(&inputs->count, MZ_SESSION_INPUTS);
	good &= limit(&inputs->nlosses, MZ_SESSION_LOSSES);
	good &= limit(&inputs->nlimits, MZ_SESSION_LIMITS);
	good &= limit(&inputs->nbytes, MZ_SESSION_INPUT_BYTES);
	for (uint32_t n = 0; n < inputs->count; n++) {
		struct mz_session_input *input = &inputs->inputs[n];
		bool fits = input->first <= inputs->nbytes && input->size <= inputs->nbytes - input->first;
		good &= fits;
		good &= end_text(input->name, sizeof input->name);
		if (!fits) input->first = input->size = 0;
		make_printable(input->name);
	}
	for (uint32_t n = 0; n < inputs->nlosses; n++) {
		struct mz_session_lost *loss = &inputs->losses[n];
		good &= end_text(loss->what, sizeof loss->what);
		good &= end_text(loss->module.path, sizeof loss->module.path);
		make_printable(loss->what);
	}
	for (uint32_t n = 0; n < inputs->nlimits; n++)
		good &= end_text(inputs->limits[n].module.path, sizeof inputs->limits[n].module.path);
	return good;
}

static bool check_numbers(struct mz_session *copy)
{
	bool good = limit(&copy->outcome, MZ_OUTCOME_AGAIN);
	good &= limit(&copy->running, 1);
	if (copy->configuration.iterate) good &= limit(&copy->bound, MZ_SESSION_ITERATIONS - 1);
	/* a search of states counts the steps of all its states in `nsteps`: beyond the limit that is no length of a
	 * schedule */
	bool counts_on = copy->states >= 0 && copy->nsteps > copy->configuration.max_steps;
	good &= limit(&copy->nsteps, copy->configuration.max_steps) || counts_on;
	good &= limit(&copy->nthreads, MZ_SESSION_THREADS);
	uint32_t iterations = atomic_load(&copy->niterations);
	good &= limit(&iterations, MZ_SESSION_ITERATIONS);
	atomic_store(&copy->niterations, iterations);
	if (!(copy->promise >= 0 && copy->promise <= 1)) {
		copy->promise = 0;
		good = false;
	}
	return good;
}

/* Marks threads that make no sense as not used: a replay does without their numbers. Returns whether all make sense. */
static bool check_threads(struct mz_session *copy)
{
	bool good = true;
	for (uint32_t t = 0; t < copy->nthreads; t++) {
		struct mz_session_thread *thread = &copy->threads[t];
		if (thread->parent == MZ_NO_THREAD) continue;
		if (thread->parent < t && thread->nth >= 1 && thread->nth <= MZ_SESSION_THREADS) continue;
		*thread = (struct mz_session_thread){MZ_NO_THREAD, 0};
		good = false;
	}
	return good;
}

/* ---- findings ---- */

static uint64_t offset_of(struct mz_session *session, uint32_t finding)
{
	return (uint64_t)((uint8_t *)mz_session_schedule(session, finding) - (uint8_t *)session);
}

static bool is_sound(struct mz_session *copy, const struct mz_session_finding *finding, uint32_t n)
{
	return finding->kind < MZ_FINDING_COUNT && finding->steps <= copy->configuration.max_steps &&
	       finding->files <= MZ_SESSION_FILES && finding->inputs <= copy->inputs.count &&
	       finding->schedule == offset_of(copy, n) && memchr(finding->message, 0, sizeof finding->message);
}

/* Keeps the findings that are sound, one behind the other, each with its schedule. Returns whether all were. */
static bool check_findings(struct mz_session *copy, struct mz_session *shared)
{
	uint32_t n = copy->nfindings < MZ_SESSION_FINDINGS ? copy->nfindings : MZ_SESSION_FINDINGS, kept = 0;
	bool good = n == copy->nfindings;
	for (uint32_t i = 0; i < n; i++) {
		struct mz_session_finding finding = copy->findings[i];
		if (!is_sound(copy, &finding, i)) {
			good = false;
			continue;
		}
		finding.schedule = offset_of(copy, kept);
		copy->findings[kept] = finding;
		if (copy->mode == MZ_MODE_EXPLORE)
			memcpy(mz_session_schedule(copy, kept), (uint8_t *)shared + offset_of(copy, i),
			       finding.steps * sizeof(struct mz_step));
		if (finding.inputs && copy->mode == MZ_MODE_EXPLORE)
			memcpy(mz_session_found_inputs(copy, kept), mz_session_found_inputs(shared, i),
			       copy->inputs.nbytes);
		kept++;
	}
	copy->nfindings = kept;
	return good;
}

/* ---- all of it ---- */

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* Copies what is used of the session: its tables are large, and have hardly anything in them. */
static void copy_used(struct mz_session *copy, const struct mz_session *shared)
{
	memcpy(copy, shared, offsetof(struct mz_session, hidden));
	memcpy(copy->hidden, shared->hidden, at_most(copy->nhidden, MZ_SESSION_HIDDEN) * sizeof *copy->hidden);
	memcpy(copy->given_threads, shared->given_threads,
	       at_most(copy->replay_threads, MZ_SESSION_THREADS) * sizeof *copy->given_threads);
	memcpy(copy->threads, shared->threads, at_most(copy->nthreads, MZ_SESSION_THREADS) * sizeof *copy->threads);
	memcpy(copy->findings, shared->findings,
	       at_most(copy->nfindings, MZ_SESSION_FINDINGS) * sizeof *copy->findings);
}

/* Copies what is used of the inputs. */
static void copy_inputs(struct mz_session_inputs *copy, const struct mz_session_inputs *shared)
{
	memcpy(copy, shared, offsetof(struct mz_session_inputs, losses));
	memcpy(copy->losses, shared->losses, at_most(copy->nlosses, MZ_SESSION_LOSSES) * sizeof *copy->losses);
	memcpy(copy->limits, shared->limits, at_most(copy->nlimits, MZ_SESSION_LIMITS) * sizeof *copy->limits);
	memcpy(copy->inputs, shared->inputs, at_most(copy->count, MZ_SESSION_INPUTS) * sizeof *copy->inputs);
	memcpy(copy->values, shared->values, at_most(copy->nbytes, MZ_SESSION_INPUT_BYTES));
}

void mz_session_settle(struct mz_session_memory *memory)
{
	struct mz_session *shared = memory->shared;
	if (memory->session != shared) return;
	struct mz_session *copy =
	    mmap(NULL, memory->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	memory->damaged = copy == MAP_FAILED || !memory->task;
	if (memory->damaged) {
		memset(shared, 0, sizeof *shared); /* without a copy nothing that the worker left can be believed */
		return;
	}
	copy_used(copy, shared);
	copy_inputs(&copy->inputs, &shared->inputs);
	bool good = check_task(copy, shared, memory->task);
	good &= check_words(copy);
	good &= check_hidden(copy);
	good &= check_numbers(copy);
	good &= check_threads(copy);
	good &= check_inputs(&copy->inputs);
	memcpy(copy->schedule, shared->schedule, copy->nsteps * sizeof *copy->schedule);
	good &= check_findings(copy, shared);
	memory->session = copy;
	memory->damaged = !good;
}

/* Copies the schedules of findings and their inputs, which come after the struct: some findings are from other workers'
 * sessions. */
static void copy_found(struct mz_session *to, struct mz_session *from)
{
	for (uint32_t n = 0; n < from->nfindings; n++) {
		const struct mz_session_finding *finding = &from->findings[n];
		memcpy(mz_session_schedule(to, n), mz_session_schedule(from, n),
		       finding->steps * sizeof(struct mz_step));
		if (finding->inputs)
			memcpy(mz_session_found_inputs(to, n), mz_session_found_inputs(from, n), from->inputs.nbytes);
	}
}

void mz_session_reopen(struct mz_session_memory *memory)
{
	struct mz_session *copy = memory->session;
	mz_free(memory->task);
	memory->task = NULL;
	if (copy == memory->shared) return;
	memcpy(memory->shared, copy, sizeof *copy);
	if (copy->mode == MZ_MODE_EXPLORE) copy_found(memory->shared, copy);
	memory->session = memory->shared;
	munmap(copy, memory->size);
}
