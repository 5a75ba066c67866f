/* SPDX-License-Identifier: MIT
 *
 * `mazurka replay`: the execution of a trace again, with the program's own output, alone or under gdb.
 */
#include "cli/replay.h"
#include "base/alloc.h"
#include "campaign/configure.h"
#include "campaign/confirm.h"
#include "campaign/instrumented.h"
#include "report/say.h"
#include "report/text.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct replay {
	const char *file;
	bool gdb;
	bool step;
	bool help;
	bool other;     /* the program is another build than the one that the trace was recorded with */
	char **program; /* the program and its arguments as given on the command line, or NULL */
	struct mz_trace trace;
	char path[PATH_MAX];
	char **argv;
	struct mz_step *schedule;
	struct mz_session_thread *threads;
	struct mz_session_inputs *inputs;
};

static int help(void)
{
	puts("usage: mazurka replay TRACE [--gdb] [--step] [-- PROGRAM ARGS...]\n\n"
	     "Runs the execution that TRACE recorded again, exactly, with the output of the program shown.\n"
	     "A trace that has inputs can be replayed with a build without --symbolic, too: give that as PROGRAM.\n"
	     "  --gdb    run it under gdb\n"
	     "  --step   show each step before it is made and wait: Enter makes it, c makes all that are left\n"
	     "Exit status: 1 if what the trace shows happened again, 0 if nothing was wrong, 2 bad usage.");
	return 0;
}

static int parse(struct replay *replay, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			replay->program = argv[i + 1] ? argv + i + 1 : NULL;
			break;
		}
		if (strcmp(argv[i], "--gdb") == 0)
			replay->gdb = true;
		else if (strcmp(argv[i], "--step") == 0)
			replay->step = true;
		else if (strcmp(argv[i], "--help") == 0)
			replay->help = true;
		else if (argv[i][0] == '-')
			return mz_refuse("unknown option '%s' (see mazurka replay --help)", argv[i]);
		else if (replay->file)
			return mz_refuse("more than one trace given: '%s' and '%s'", replay->file, argv[i]);
		else
			replay->file = argv[i];
	}
	if (replay->gdb && replay->step) return mz_refuse("--step and --gdb exclude each other");
	if (!replay->file && !replay->help) return mz_refuse("no trace given (see mazurka replay --help)");
	return 0;
}

static int read_trace(struct replay *replay)
{
	char error[256];
	FILE *in = fopen(replay->file, "r");
	if (!in) return mz_refuse("cannot read '%s': %s", replay->file, strerror(errno));
	int failed = mz_trace_read(&replay->trace, in, error, sizeof error);
	fclose(in);
	return failed ? mz_refuse("%s: %s", replay->file, error) : 0;
}

static int find_program(struct replay *replay)
{
	char error[512], identity[MZ_IDENTITY_SIZE];
	replay->argv = replay->program ? replay->program : replay->trace.program;
	if (!replay->argv || !replay->argv[0]) return mz_refuse("%s names no program: give it behind --", replay->file);
	if (mz_program_find(replay->argv[0], replay->path, error, sizeof error) != 0 ||
	    mz_program_check(replay->path, error, sizeof error) != 0)
		return mz_refuse("%s", error);
	if (mz_program_identity(replay->path, identity) != 0)
		return mz_refuse("cannot read '%s': %s", replay->path, strerror(errno));
	if (!replay->trace.identity)
		return mz_refuse("%s does not say which build of '%s' it was recorded with: run it again to get a new "
		                 "trace",
		                 replay->file, replay->path);
	replay->other = strcmp(identity, replay->trace.identity) != 0;
	/* inputs were found with a build of its own; the bug is of the program */
	if (replay->other && !(replay->program && replay->trace.ninputs))
		return mz_refuse("%s was recorded with another build of '%s': run it again to get a new trace",
		                 replay->file, replay->path);
	return 0;
}

/* Reports whether an input is an argument of main. */
static bool is_argument(const struct mz_trace_input *input)
{
	return input->thread == MZ_NO_THREAD && input->nth != MZ_INPUT_STDIN && input->nth != MZ_INPUT_LENGTH;
}

/* Reports whether there can be as many arguments, of that size, as there must be if this input is one of them. */
static bool is_possible(const struct mz_trace_input *input)
{
	if (!is_argument(input)) return true;
	return input->nth <= MZ_SESSION_ARGUMENTS && input->size <= MZ_SESSION_INPUT_BYTES / input->nth;
}

/* Refuses a trace whose numbers no run could have had, before memory is taken for them. */
static int check_numbers(const struct replay *replay)
{
	const struct mz_trace *trace = &replay->trace;
	if (trace->nthreads == 0) return mz_refuse("%s has no threads", replay->file);
	bool too_many = trace->nthreads > MZ_SESSION_THREADS;
	for (size_t i = 0; i < trace->nthreads; i++) too_many |= trace->threads[i].nth > MZ_SESSION_THREADS;
	if (too_many) return mz_refuse("%s has more threads than can be replayed", replay->file);
	if (trace->ninputs > MZ_SESSION_INPUTS)
		return mz_refuse("%s has more inputs than can be replayed", replay->file);
	for (size_t i = 0; i < trace->ninputs; i++)
		if (!is_possible(&trace->inputs[i]))
			return mz_refuse("%s has more arguments than can be replayed", replay->file);
	if (trace->configuration.max_steps > MZ_MAX_STEPS)
		return mz_refuse("%s has a limit of more steps than can be replayed", replay->file);
	if (trace->nsteps > trace->configuration.max_steps)
		return mz_refuse("%s has more steps than its own limit", replay->file);
	return 0;
}

/* Copies the inputs of the trace into the form that a session has. */
static int unpack_inputs(struct replay *replay)
{
	const struct mz_trace *trace = &replay->trace;
	struct mz_session_inputs *inputs = replay->inputs = mz_alloc(sizeof *inputs);
	if (!inputs) return mz_refuse("out of memory");
	memset(inputs, 0, sizeof *inputs);
	for (size_t i = 0; i < trace->ninputs; i++) {
		const struct mz_trace_input *from = &trace->inputs[i];
		struct mz_session_input *input = &inputs->inputs[inputs->count++];
		if (from->size > MZ_SESSION_INPUT_BYTES - inputs->nbytes)
			return mz_refuse("%s has larger inputs than can be replayed", replay->file);
		*input = (struct mz_session_input){
		    .thread = from->thread, .nth = from->nth, .first = inputs->nbytes, .size = (uint32_t)from->size};
		snprintf(input->name, sizeof input->name, "%s", from->name);
		if (from->size) memcpy(inputs->values + inputs->nbytes, from->bytes, from->size);
		inputs->nbytes += input->size;
	}
	return 0;
}

/* Copies the schedule and the threads of the trace into the form that a session has. */
static int unpack(struct replay *replay)
{
	const struct mz_trace *trace = &replay->trace;
	int refused = check_numbers(replay);
	if (refused) return refused;
	replay->schedule = mz_alloc(trace->nsteps * sizeof *replay->schedule);
	replay->threads = mz_alloc(trace->nthreads * sizeof *replay->threads);
	if (!replay->schedule || !replay->threads) return mz_refuse("out of memory");
	for (size_t i = 0; i < trace->nsteps; i++) replay->schedule[i] = trace->steps[i].step;
	for (size_t i = 0; i < trace->nthreads; i++)
		replay->threads[i] = (struct mz_session_thread){trace->threads[i].parent, trace->threads[i].nth};
	return unpack_inputs(replay);
}

/* ---- step by step ---- */

static const struct mz_trace *stepped; /* the trace that step_through() goes through, in a thread of its own */

static void print_step(const struct mz_trace *trace, size_t n)
{
	const struct mz_trace_step *step = &trace->steps[n];
	char name[128];
	printf("%zu/%zu  %s  %s %s", n + 1, trace->nsteps,
	       mz_trace_thread_name(trace, step->step.thread, name, sizeof name), mz_op_name(step->op),
	       step->object ? step->object : "");
	if (step->place.file) printf("  %s:%u", step->place.file, step->place.line);
	if (step->place.function) printf(" (%s)", step->place.function);
	if (step->preemption) printf("  [preemption]");
	printf("  ");
	fflush(stdout);
}

static void *step_through(void *argument)
{
	struct mz_session *session = argument;
	char line[64];
	for (size_t n = 0; n < stepped->nsteps; n++) {
		while (session->nsteps < n) usleep(1000);
		print_step(stepped, n);
		if (!fgets(line, sizeof line, stdin) || line[0] == 'c') break;
		atomic_store(&session->allowed, (uint32_t)n + 1);
	}
	atomic_store(&session->allowed, UINT32_MAX);
	return NULL;
}

static bool shows(const struct mz_trace *trace, enum mz_finding_kind kind)
{
	bool found = false;
	for (size_t i = 0; i < trace->nfindings; i++) found |= trace->findings[i].kind == kind;
	return found;
}

/* Makes the runtime give main an input that no thread has marked. */
static void give(struct mz_configuration *configuration, const struct mz_trace_input *input)
{
	if (input->thread == MZ_NO_THREAD && input->nth == MZ_INPUT_STDIN)
		configuration->symbolic_stdin = (uint32_t)input->size;
	if (is_argument(input))
		configuration->symbolic_args = (struct mz_argument_shape){input->nth, (uint32_t)input->size};
}

static struct mz_subject subject_of(const struct replay *replay)
{
	const struct mz_trace *trace = &replay->trace;
	struct mz_subject subject = {.path = (char *)replay->path,
	                             .argv = replay->argv,
	                             .identity = trace->identity,
	                             .configuration = trace->configuration,
	                             .check = trace->check,
	                             .show_output = true,
	                             .stepper = replay->step ? step_through : NULL};
	mz_configuration_complete(&subject.configuration);
	subject.configuration.livelocks = shows(trace, MZ_FINDING_LIVELOCK);
	if (replay->step) subject.configuration.stall_timeout = 0;
	for (size_t i = 0; i < trace->ninputs; i++) give(&subject.configuration, &trace->inputs[i]);
	return subject;
}

static struct mz_expectation expectation(const struct replay *replay)
{
	const struct mz_trace *trace = &replay->trace;
	return (struct mz_expectation){.schedule = replay->schedule,
	                               .steps = (uint32_t)trace->nsteps,
	                               .threads = replay->threads,
	                               .nthreads = (uint32_t)trace->nthreads,
	                               .inputs = replay->inputs,
	                               .ninputs = replay->inputs->count,
	                               .values = replay->inputs->values,
	                               .files = trace->files,
	                               .execution = trace->execution,
	                               .requests = {.kinds = (trace->cancels ? MZ_REQUESTS_CANCEL : 0U) |
	                                                     (trace->signals ? MZ_REQUESTS_SIGNAL : 0U) |
	                                                     (trace->exits ? MZ_REQUESTS_EXIT : 0U) |
	                                                     (trace->ignored ? MZ_REQUESTS_IGNORED : 0U) |
	                                                     (trace->handlers ? MZ_REQUESTS_HANDLERS : 0U),
	                                            .process_signals = trace->process_signals},
	                               .any = true};
}

/* Returns whether the replay shows what the trace shows. */
static bool same(const struct mz_trace *recorded, const struct mz_trace *now)
{
	if (!recorded->nfindings) return now->nfindings == 0;
	for (size_t i = 0; i < now->nfindings; i++)
		if (now->findings[i].kind == recorded->findings[0].kind) return true;
	return false;
}

/* Returns whether the replay was killed as the trace says. Then it has left no finding: nothing was left of the program
 * to report one. */
static bool is_killed_again(const struct mz_trace *recorded, const struct mz_worker_result *worker)
{
	return worker->end == MZ_WORKER_SIGNALLED && shows(recorded, MZ_FINDING_CRASH);
}

/* Gives inputs whose type this build of the program does not tell the texts that they have in the trace. */
static int keep_texts(const struct mz_trace *recorded, struct mz_trace *now)
{
	for (size_t i = 0; i < now->ninputs; i++) {
		struct mz_trace_input *to = &now->inputs[i];
		for (size_t k = 0; k < recorded->ninputs && !to->text; k++) {
			const struct mz_trace_input *from = &recorded->inputs[k];
			bool same = from->thread == to->thread && from->nth == to->nth && from->size == to->size;
			if (!same || !from->text) continue;
			if (!(to->text = mz_trace_copy_string(from->text))) return mz_refuse("out of memory");
		}
	}
	return 0;
}

static int run(struct replay *replay)
{
	struct mz_subject what = subject_of(replay);
	struct mz_expectation expected = expectation(replay);
	struct mz_confirmation confirmation;
	struct mz_trace now;
	struct mz_text text;
	stepped = &replay->trace;
	enum mz_confirmed confirmed = mz_confirm(&what, &expected, &now, &confirmation);
	int status = confirmed == MZ_BROKEN ? mz_refuse_internal_error(confirmation.why, replay->file) : 0;
	if (!status) status = keep_texts(&replay->trace, &now);
	if (!status && (confirmed == MZ_CONFIRMED || now.nsteps)) {
		mz_text_init(&text, stdout);
		if (mz_text_write_trace(&text, &now, NULL) != 0)
			status = mz_refuse("cannot write to standard output: %s", strerror(errno));
	}
	if (!status && confirmed == MZ_NOT_REPLAYED && !is_killed_again(&replay->trace, &confirmation.worker))
		status = mz_refuse("%s: %s", replay->file, confirmation.why);
	if (!status && confirmed == MZ_NOT_REPLAYED) {
		mz_trace_release(&now);
		return MZ_EXIT_BUG;
	}
	if (!status && !same(&replay->trace, &now))
		status = mz_refuse("the replay did not show what %s shows: %s does not do the same under the same "
		                   "schedule",
		                   replay->file, replay->other ? "this build of the program" : "the program");
	if (!status) status = now.nfindings ? MZ_EXIT_BUG : MZ_EXIT_PASS;
	mz_trace_release(&now);
	return status;
}

static int run_under_gdb(struct replay *replay)
{
	struct mz_subject what = subject_of(replay);
	struct mz_expectation expected = expectation(replay);
	char *arguments[] = {"gdb", "-q", "-iex", "set startup-with-shell off", "--args", replay->path, NULL};
	if (mz_gdb_prepare(&what, &expected) != 0) return MZ_EXIT_USAGE;
	size_t n = 6, given = 1;
	while (replay->argv[given]) given++;
	char **all = mz_alloc((n + given) * sizeof *all);
	if (!all) return mz_refuse("out of memory");
	memcpy(all, arguments, n * sizeof *all);
	memcpy(all + n, replay->argv + 1, given * sizeof *all);
	execvp("gdb", all);
	return mz_refuse("cannot start gdb: %s", strerror(errno));
}

int mz_replay_main(int argc, char **argv)
{
	struct replay replay = {0};
	int status = parse(&replay, argc, argv);
	if (status) return status;
	if (replay.help) return help();
	status = read_trace(&replay);
	if (!status) status = find_program(&replay);
	if (!status) status = unpack(&replay);
	if (!status) status = replay.gdb ? run_under_gdb(&replay) : run(&replay);
	mz_free(replay.schedule);
	mz_free(replay.threads);
	mz_free(replay.inputs);
	mz_trace_release(&replay.trace);
	return status;
}
