/* SPDX-License-Identifier: MIT
 *
 * A trace in memory: building, checking and releasing it. Writing and reading are in write.c and read.c.
 */
#include "trace/trace.h"
#include "base/alloc.h"
#include "base/array.h"
#include "trace/check.h"
#include "trace/fault.h"
#include <string.h>

static const char *const kinds[] = {
    [MZ_READ] = "read", [MZ_WRITE] = "write", [MZ_WEAK_READ] = "weak-read", [MZ_WEAK_WRITE] = "weak-write"};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *mz_access_kind_name(enum mz_access_kind kind)
{
	return (unsigned)kind < KINDS ? kinds[kind] : "?";
}

int mz_access_kind_from_name(const char *name)
{
	int kind = 0;
	while (kind < KINDS && strcmp(kinds[kind], name) != 0) kind++;
	return kind < KINDS ? kind : -1;
}

/* ---- building ---- */

char *mz_trace_copy_string(const char *text)
{
	if (!text) return NULL;
	size_t size = strlen(text) + 1;
	char *copy = mz_alloc(size);
	if (copy) memcpy(copy, text, size);
	return copy;
}

static void release_strings(char ***strings)
{
	for (char **string = *strings; string && *string; string++) mz_free(*string);
	mz_free(*strings);
	*strings = NULL;
}

int mz_trace_set_program(struct mz_trace *trace, char *const *argv)
{
	size_t n = 0;
	while (argv[n]) n++;
	release_strings(&trace->program);
	trace->program = mz_alloc((n + 1) * sizeof *trace->program);
	if (!trace->program) return -1;
	for (size_t i = 0; i <= n; i++) {
		trace->program[i] = mz_trace_copy_string(argv[i]);
		if (argv[i] && !trace->program[i]) return -1;
	}
	return 0;
}

struct mz_trace_thread *mz_trace_add_thread(struct mz_trace *trace)
{
	if (!mz_array_reserve(&trace->threads, &trace->threads_capacity, trace->nthreads + 1)) return NULL;
	struct mz_trace_thread *thread = &trace->threads[trace->nthreads++];
	*thread = (struct mz_trace_thread){.parent = MZ_NO_THREAD};
	return thread;
}

struct mz_trace_input *mz_trace_add_input(struct mz_trace *trace)
{
	if (!mz_array_reserve(&trace->inputs, &trace->inputs_capacity, trace->ninputs + 1)) return NULL;
	struct mz_trace_input *input = &trace->inputs[trace->ninputs++];
	*input = (struct mz_trace_input){0};
	return input;
}

int mz_trace_input_copy(struct mz_trace_input *to, const struct mz_trace_input *from)
{
	*to = (struct mz_trace_input){.thread = from->thread, .nth = from->nth, .size = from->size};
	to->name = mz_trace_copy_string(from->name);
	to->bytes = from->size ? mz_alloc(from->size) : NULL;
	to->text = mz_trace_copy_string(from->text);
	if (to->bytes) memcpy(to->bytes, from->bytes, from->size);
	if (to->name && !to->bytes == !from->size && !to->text == !from->text) return 0;
	mz_trace_input_release(to);
	return -1;
}

struct mz_trace_step *mz_trace_add_step(struct mz_trace *trace)
{
	if (!mz_array_reserve(&trace->steps, &trace->steps_capacity, trace->nsteps + 1)) return NULL;
	struct mz_trace_step *step = &trace->steps[trace->nsteps++];
	*step = (struct mz_trace_step){.alternatives = 1};
	return step;
}

struct mz_trace_finding *mz_trace_add_finding(struct mz_trace *trace)
{
	if (!mz_array_reserve(&trace->findings, &trace->findings_capacity, trace->nfindings + 1)) return NULL;
	struct mz_trace_finding *finding = &trace->findings[trace->nfindings++];
	*finding = (struct mz_trace_finding){0};
	return finding;
}

struct mz_trace_detail *mz_trace_add_detail(struct mz_trace_finding *finding)
{
	if (!mz_array_reserve(&finding->details, &finding->details_capacity, finding->ndetails + 1)) return NULL;
	struct mz_trace_detail *detail = &finding->details[finding->ndetails++];
	*detail = (struct mz_trace_detail){0};
	return detail;
}

/* ---- releasing ---- */

static void release_place(struct mz_place *place)
{
	mz_free(place->function);
	mz_free(place->file);
}

static void release_finding(struct mz_trace_finding *finding)
{
	for (size_t i = 0; i < finding->ndetails; i++) {
		mz_free(finding->details[i].text);
		release_place(&finding->details[i].place);
	}
	mz_free(finding->details);
	mz_free(finding->message);
	release_place(&finding->place);
}

void mz_trace_input_release(struct mz_trace_input *input)
{
	mz_free(input->name);
	mz_free(input->bytes);
	mz_free(input->text);
	*input = (struct mz_trace_input){0};
}

void mz_trace_release(struct mz_trace *trace)
{
	release_strings(&trace->program);
	mz_free(trace->identity);
	release_strings(&trace->files);
	for (size_t i = 0; i < trace->nthreads; i++) mz_free(trace->threads[i].function);
	mz_free(trace->threads);
	for (size_t i = 0; i < trace->ninputs; i++) mz_trace_input_release(&trace->inputs[i]);
	mz_free(trace->inputs);
	for (size_t i = 0; i < trace->nsteps; i++) {
		mz_free(trace->steps[i].object);
		release_place(&trace->steps[i].place);
	}
	mz_free(trace->steps);
	for (size_t i = 0; i < trace->nfindings; i++) release_finding(&trace->findings[i]);
	mz_free(trace->findings);
	memset(trace, 0, sizeof *trace);
}

/* ---- checking ---- */

const char *mz_trace_check_faults(const struct mz_configuration *c)
{
	uint64_t faults;
	if (!*c->fail) return c->max_faults ? "a limit on failures where nothing fails" : NULL;
	return mz_faults_parse(c->fail, &faults) ? "`fails` names something that cannot" : NULL;
}

static const char *check_words(const struct mz_configuration *c)
{
	const struct mz_option *option;
	for (unsigned place = 1; (option = mz_configuration_kept(place)); place++) {
		char text[MZ_NAME_SIZE];
		const uint32_t *word = (const void *)((const char *)c + option->offset);
		if (option->kind == MZ_OPTION_WORD && !mz_option_word(option, *word, text))
			return "an option has a word that there is not";
	}
	return NULL;
}

static const char *check_head(const struct mz_trace *trace)
{
	if (!trace->program || !trace->program[0]) return "there is no program";
	const char *wrong = check_words(&trace->configuration);
	return wrong ? wrong : mz_trace_check_faults(&trace->configuration);
}

static bool absent(const struct mz_trace *trace, uint32_t thread)
{
	return thread != 0 && trace->threads[thread].parent == MZ_NO_THREAD;
}

const char *mz_trace_check_thread(const struct mz_trace *trace, size_t number)
{
	const struct mz_trace_thread *thread = &trace->threads[number];
	if (thread->parent == MZ_NO_THREAD) {
		if (thread->nth != 0) return "a thread without a parent is nobody's n-th child";
		if (number != 0 && thread->function) return "a thread without a parent runs nothing";
		return NULL;
	}
	if (thread->parent >= number) return "the parent of a thread comes before it";
	if (absent(trace, thread->parent)) return "the parent of a thread is in the execution";
	return thread->nth == 0 ? "children are counted from 1" : NULL;
}

const char *mz_trace_check_input(const struct mz_trace *trace, size_t number)
{
	const struct mz_trace_input *input = &trace->inputs[number];
	if (!input->name) return "an input has a name";
	if (input->thread == MZ_NO_THREAD) return NULL;
	if (input->thread >= trace->nthreads) return "there is no such thread";
	return absent(trace, input->thread) ? "the thread is not in the execution" : NULL;
}

const char *mz_trace_check_step(const struct mz_trace *trace, size_t number)
{
	const struct mz_trace_step *step = &trace->steps[number];
	if (step->step.thread >= trace->nthreads) return "there is no such thread";
	if (absent(trace, step->step.thread)) return "the thread is not in the execution";
	if (step->step.choice >= step->alternatives) return "the choice is not one of the alternatives";
	if ((unsigned)step->op >= MZ_OP_COUNT) return "there is no such operation";
	if ((unsigned)step->kind >= KINDS) return "there is no such kind of access";
	return !step->has_value && step->value != 0 ? "a value that is not there is 0" : NULL;
}

const char *mz_trace_check_finding(const struct mz_trace *trace, size_t number)
{
	const struct mz_trace_finding *finding = &trace->findings[number];
	if ((unsigned)finding->kind >= MZ_FINDING_COUNT) return "there is no such finding";
	if (finding->thread != MZ_NO_THREAD && finding->thread >= trace->nthreads) return "there is no such thread";
	if (finding->step > trace->nsteps) return "there are not as many steps";
	if (!finding->message) return "a finding has a message";
	for (size_t i = 0; i < finding->ndetails; i++)
		if (!finding->details[i].text) return "a detail has a text";
	return NULL;
}

const char *mz_trace_check(const struct mz_trace *trace)
{
	const char *wrong = check_head(trace);
	for (size_t i = 0; i < trace->nthreads && !wrong; i++) wrong = mz_trace_check_thread(trace, i);
	for (size_t i = 0; i < trace->ninputs && !wrong; i++) wrong = mz_trace_check_input(trace, i);
	for (size_t i = 0; i < trace->nsteps && !wrong; i++) wrong = mz_trace_check_step(trace, i);
	for (size_t i = 0; i < trace->nfindings && !wrong; i++) wrong = mz_trace_check_finding(trace, i);
	return wrong;
}

/* ---- names of threads ---- */

/* Writes the name from the end of the buffer to its start, child before parent. If it does not fit, its beginning is
 * left out. */
const char *mz_trace_thread_name(const struct mz_trace *trace, uint32_t thread, char *buffer, size_t size)
{
	if (size == 0) return "";
	char *end = buffer + size - 1, *at = end;
	*end = '\0';
	bool fits = true;
	while (fits && thread != 0 && thread < trace->nthreads && trace->threads[thread].parent < thread) {
		char part[16];
		size_t n = (size_t)snprintf(part, sizeof part, "/%u", trace->threads[thread].nth);
		fits = n <= (size_t)(at - buffer);
		if (fits) at = memcpy(at - n, part, n);
		thread = trace->threads[thread].parent;
	}
	const char *root = thread == 0 && trace->nthreads ? "main" : "?";
	size_t n = strlen(root) < (size_t)(at - buffer) ? strlen(root) : (size_t)(at - buffer);
	if (fits) at = memcpy(at - n, root + strlen(root) - n, n);
	return memmove(buffer, at, (size_t)(end - at) + 1);
}
