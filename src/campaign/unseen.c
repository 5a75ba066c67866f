/* SPDX-License-Identifier: MIT */
#include "campaign/unseen.h"
#include "base/alloc.h"
#include "concolic/abi.h"
#include "report/buffer.h"
#include "report/names.h"
#include "trace/trace.h"
#include <string.h>

static char *location_of(struct mz_names *names, uint64_t code)
{
	struct mz_place place = {0};
	struct mz_buffer text = {0};
	if (mz_names_place(names, &code, 1, &place) != 0) return NULL;
	if (place.file) mz_buffer_add(&text, "%s:%u", place.file, place.line);
	mz_free(place.file);
	mz_free(place.function);
	return text.length ? mz_buffer_take(&text) : NULL;
}

void mz_unseen_describe(const struct mz_session_unseen *unseen, char **object, char **location)
{
	*object = *location = NULL;
	struct mz_names *names = unseen->filled ? mz_names_new(NULL) : NULL;
	if (!names) return;
	for (size_t i = 0; i < 2; i++) {
		const struct mz_session_module *module = &unseen->modules[i];
		if (*module->path) mz_names_add_module(names, module->path, module->base, module->start, module->end);
	}
	if (!*unseen->modules[0].path)
		*object = mz_trace_copy_string("the heap");
	else if (mz_names_object(names, unseen->object, unseen->size, object) != 0)
		*object = NULL;
	*location = location_of(names, unseen->code);
	mz_names_free(names);
}

/* Fills in the function that code is in, and its line. */
static void describe_code(uint64_t code, const struct mz_session_module *module, struct mz_result_hidden *described)
{
	struct mz_names *names = mz_names_new(NULL);
	struct mz_place place = {0};
	if (!names) return;
	mz_names_add_module(names, module->path, module->base, module->start, module->end);
	if (mz_names_place(names, &code, 1, &place) == 0) {
		described->name = place.function;
		described->location = location_of(names, code);
		mz_free(place.file);
	}
	mz_names_free(names);
}

/* Returns a place such as "folder/p.c:14" relative to the current folder, as other places are. */
static char *relative(const char *place)
{
	struct mz_names *names = mz_names_new(NULL);
	char *file = names && *place ? mz_names_file(names, place) : NULL;
	if (names) mz_names_free(names);
	return file;
}

void mz_hidden_describe(const struct mz_session_hidden *hidden, struct mz_result_hidden *described)
{
	*described = (struct mz_result_hidden){.calls = 1};
	switch ((enum mz_session_hidden_kind)hidden->kind) {
	case MZ_HIDDEN_ASSEMBLY:
		described->kind = "assembly";
		described->name = mz_trace_copy_string(hidden->what);
		described->location = relative(hidden->place);
		described->reason = mz_trace_copy_string("touches memory out of sight, where it is reached");
		break;
	case MZ_HIDDEN_LIBRARY:
		described->kind = "library";
		described->name = mz_trace_copy_string(hidden->place);
		described->reason = mz_trace_copy_string(hidden->what);
		break;
	case MZ_HIDDEN_CODE:
		described->kind = "code";
		described->reason = mz_trace_copy_string(hidden->what);
		describe_code(hidden->code, &hidden->module, described);
		break;
	}
}

/* Returns how values that depend on inputs are lost sight of. */
static char *way_of_losing(const struct mz_session_lost *lost)
{
	struct mz_buffer text = {0};
	if (lost->kind == MZ_SYM_LOST_FLOAT)
		mz_buffer_add_string(&text, "used as floating point");
	else if (lost->kind == MZ_SYM_LOST_WIDE)
		mz_buffer_add_string(&text, "used in more than 64 bits at once");
	else if (lost->kind == MZ_SYM_LOST_READ)
		mz_buffer_add_string(&text, "read by code that is not instrumented");
	else if (lost->kind == MZ_SYM_LOST_DECLARED)
		mz_buffer_add_string(&text, "passed between functions that declare it differently");
	else if (lost->kind == MZ_SYM_LOST_RESULT)
		mz_buffer_add_string(&text, "returned to code that is not instrumented");
	else if (lost->kind == MZ_SYM_LOST_VARIABLE)
		mz_buffer_add(&text, "passed as a variable argument%s%s%s", *lost->what ? " to " : "", lost->what,
		              *lost->what ? "()" : "");
	else if (lost->kind == MZ_SYM_LOST_CALL)
		mz_buffer_add(&text, "passed to %s%s", *lost->what ? lost->what : "code that is not instrumented",
		              *lost->what ? "()" : "");
	else
		mz_buffer_add(&text, "used%s%s", *lost->what ? " in " : "", lost->what);
	return mz_buffer_take(&text);
}

void mz_lost_describe(const struct mz_session_lost *lost, struct mz_result_hidden *described)
{
	*described = (struct mz_result_hidden){.kind = "input", .calls = lost->count};
	describe_code(lost->code, &lost->module, described);
	mz_free(described->name);
	described->name = way_of_losing(lost);
	described->reason = mz_trace_copy_string("is not followed from there on");
}

static void add_thread(struct mz_buffer *text, const struct mz_session *session, uint32_t thread)
{
	if (thread == 0 || thread >= session->nthreads || session->threads[thread].parent >= thread) {
		mz_buffer_add_string(text, "main");
		return;
	}
	add_thread(text, session, session->threads[thread].parent);
	mz_buffer_add(text, "/%u", session->threads[thread].nth);
}

char *mz_waiting_describe(const struct mz_session *session)
{
	const struct mz_session_waiting *waiting = &session->waiting;
	const struct mz_session_module *module = &waiting->module;
	struct mz_buffer text = {0};
	uint32_t thread = waiting->thread;
	struct mz_names *names = thread ? mz_names_new(NULL) : NULL;
	if (!names) return NULL;
	mz_names_add_module(names, module->path, module->base, module->start, module->end);
	char *location = location_of(names, waiting->code);
	add_thread(&text, session, thread - 1);
	bool is_function = !strchr(waiting->name, ' ');
	mz_buffer_add(&text, " has been in %s%s", waiting->name, is_function ? "()" : "");
	if (location) mz_buffer_add(&text, " at %s", location);
	mz_free(location);
	mz_names_free(names);
	return mz_buffer_take(&text);
}
