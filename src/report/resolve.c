/* SPDX-License-Identifier: MIT
 *
 * The stream is read twice: first for what gives names (modules, threads and their stacks, heap blocks), then for what
 * is to be named. Blocks are looked at both times: where memory was handed out twice, the block that a step meant is
 * the last one recorded before it.
 *
 * The process that wrote the stream may have crashed in the middle of it, or have overwritten its buffer. Every length
 * is checked against what is there; the first record that makes no sense ends the stream.
 */
#include "report/resolve.h"
#include "base/alloc.h"
#include "report/buffer.h"
#include "report/names.h"
#include "report/symbols.h"
#include <inttypes.h>
#include <string.h>

enum { THREADS_MAX = 1 << 20 }; /* a recording with a greater number of a thread is damaged */

enum status { NO_MEMORY = -1, GOOD, DAMAGED };

/* The rest of a record, or of the stream, that was not read yet. */
struct resolved_part {
	const uint8_t *at;
	size_t left;
};

struct resolver {
	struct mz_trace *trace;
	struct mz_names *names;
	struct mz_record_end *end;
};

/* ---- taking records apart ---- */

static bool take(struct resolved_part *part, void *out, size_t size)
{
	if (part->left < size) return false;
	memcpy(out, part->at, size);
	part->at += size;
	part->left -= size;
	return true;
}

static bool take_frames(struct resolved_part *part, uint32_t n, uint64_t frames[MZ_RECORD_FRAMES])
{
	return n <= MZ_RECORD_FRAMES && take(part, frames, n * sizeof *frames);
}

/* Takes a string of `size` bytes with its NUL; NULL if the size is 0. Returns false if the record has no such
 * string. */
static bool take_string(struct resolved_part *part, size_t size, const char **text)
{
	*text = size ? (const char *)part->at : NULL;
	if (part->left < size || (size && part->at[size - 1] != '\0')) return false;
	part->at += size;
	part->left -= size;
	return true;
}

static bool take_last_string(struct resolved_part *part, const char **text)
{
	const uint8_t *end = memchr(part->at, '\0', part->left);
	return end && take_string(part, (size_t)(end - part->at) + 1, text);
}

/* ---- what gives names ---- */

static enum status module_record(struct resolver *r, struct resolved_part record)
{
	struct mz_record_module module;
	const char *path;
	if (!take(&record, &module, sizeof module) || !take_last_string(&record, &path)) return DAMAGED;
	return (enum status)mz_names_add_module(r->names, path, module.base, module.start, module.end);
}

static enum status block_record(struct resolver *r, struct resolved_part record, bool replace)
{
	struct mz_record_block block;
	uint64_t frames[MZ_RECORD_FRAMES];
	if (!take(&record, &block, sizeof block) || !take_frames(&record, block.nframes, frames)) return DAMAGED;
	return (enum status)mz_names_add_block(r->names, block.address, block.length, block.thread, frames,
	                                       block.nframes, replace);
}

static bool is_known(const struct mz_trace *trace, uint32_t thread)
{
	return thread == 0 || (thread < trace->nthreads && trace->threads[thread].parent != MZ_NO_THREAD);
}

static bool is_sane(const struct mz_trace *trace, const struct mz_record_thread *thread)
{
	if (thread->thread == 0) return thread->parent == MZ_NO_THREAD;
	return thread->thread < THREADS_MAX && thread->parent < thread->thread && is_known(trace, thread->parent) &&
	       thread->nth > 0;
}

static enum status add_thread(struct resolver *r, const struct mz_record_thread *record)
{
	char name[256];
	while (r->trace->nthreads <= record->thread)
		if (!mz_trace_add_thread(r->trace)) return NO_MEMORY;
	struct mz_trace_thread *thread = &r->trace->threads[record->thread];
	mz_free(thread->function);
	thread->parent = record->parent;
	thread->nth = record->thread ? record->nth : 0;
	if (mz_names_function(r->names, record->entry, &thread->function) != 0) return NO_MEMORY;
	mz_trace_thread_name(r->trace, record->thread, name, sizeof name);
	return (enum status)mz_names_add_stack(r->names, record->stack_low, record->stack_high, name);
}

static enum status thread_record(struct resolver *r, struct resolved_part record)
{
	struct mz_record_thread thread;
	if (!take(&record, &thread, sizeof thread) || !is_sane(r->trace, &thread)) return DAMAGED;
	return add_thread(r, &thread);
}

static enum status first_pass(struct resolver *r, uint32_t type, struct resolved_part record)
{
	switch (type) {
	case MZ_RECORD_MODULE: return module_record(r, record);
	case MZ_RECORD_THREAD: return thread_record(r, record);
	case MZ_RECORD_BLOCK: return block_record(r, record, false);
	default: return GOOD;
	}
}

/* ---- steps ---- */

static bool is_sane_step(const struct mz_trace *trace, const struct mz_record_step *step)
{
	return step->index == trace->nsteps && is_known(trace, step->thread) && step->op < MZ_OP_COUNT &&
	       step->kind <= MZ_WEAK_WRITE && step->choice < UINT32_MAX;
}

static enum status step_record(struct resolver *r, struct resolved_part record)
{
	struct mz_record_step from;
	uint64_t frames[MZ_RECORD_FRAMES];
	if (!take(&record, &from, sizeof from) || !is_sane_step(r->trace, &from)) return DAMAGED;
	if (!take_frames(&record, from.nframes, frames)) return DAMAGED;
	struct mz_trace_step *step = mz_trace_add_step(r->trace);
	if (!step) return NO_MEMORY;
	step->step = (struct mz_step){from.thread, from.choice};
	step->alternatives = from.alternatives > from.choice ? from.alternatives : from.choice + 1;
	step->op = (enum mz_op)from.op;
	step->kind = (enum mz_access_kind)from.kind;
	step->preemption = from.preemption;
	step->has_value = from.has_value;
	step->length = from.length;
	step->value = from.has_value ? from.value : 0;
	r->trace->preemptions += step->preemption;
	if (from.address && mz_names_object(r->names, from.address, from.length, &step->object) != 0) return NO_MEMORY;
	return (enum status)mz_names_place(r->names, frames, from.nframes, &step->place);
}

/* ---- findings ---- */

/* A finding's record, taken apart. */
struct raw_finding {
	struct mz_record_finding head;
	uint64_t frames[MZ_RECORD_FRAMES];
	uint64_t other_frames[MZ_RECORD_FRAMES];
	const char *message, *file, *other;
};

static bool take_finding(struct resolved_part *record, struct raw_finding *raw)
{
	struct mz_record_finding *head = &raw->head;
	return take(record, head, sizeof *head) && head->kind < MZ_FINDING_COUNT && head->message_size > 0 &&
	       take_frames(record, head->nframes, raw->frames) &&
	       take_frames(record, head->other_nframes, raw->other_frames) &&
	       take_string(record, head->message_size, &raw->message) &&
	       take_string(record, head->file_size, &raw->file) && take_string(record, head->other_size, &raw->other);
}

static void add_thread_name(const struct resolver *r, struct mz_buffer *text, uint32_t thread)
{
	char name[256];
	mz_buffer_add_string(text, mz_trace_thread_name(r->trace, thread, name, sizeof name));
}

static void add_by_thread(const struct resolver *r, struct mz_buffer *text, uint32_t thread)
{
	if (!is_known(r->trace, thread)) return;
	mz_buffer_add_string(text, " by ");
	add_thread_name(r, text, thread);
}

static void add_object(struct resolver *r, struct mz_buffer *text, const char *before, uint64_t address,
                       uint64_t length, const char *after)
{
	char *name;
	if (address == 0) return;
	if (mz_names_object(r->names, address, length, &name) != 0) {
		text->failed = true;
		return;
	}
	mz_buffer_add(text, "%s%s%s", before, name, after);
	mz_free(name);
}

/* Returns the length of the message without its end, " against " and `other`: the part about the access itself. */
static size_t without_other(const char *message, const char *other)
{
	static const char against[] = " against ";
	size_t n = strlen(message), tail = strlen(other) + sizeof against - 1;
	if (n < tail || strcmp(message + n - strlen(other), other) != 0) return n;
	return strncmp(message + n - tail, against, sizeof against - 1) == 0 ? n - tail : n;
}

static void add_race_message(struct resolver *r, struct mz_buffer *text, const struct raw_finding *raw)
{
	const struct mz_record_finding *head = &raw->head;
	mz_buffer_add_string(text, "data race");
	add_object(r, text, " on `", head->address, head->length, "`");
	mz_buffer_add_string(text, ": ");
	mz_buffer_add_bytes(text, raw->message, without_other(raw->message, raw->other));
	add_by_thread(r, text, head->thread);
	mz_buffer_add(text, " against %s", raw->other);
	add_by_thread(r, text, head->other_thread);
}

static char *finding_message(struct resolver *r, const struct raw_finding *raw)
{
	struct mz_buffer text = {0};
	if (raw->head.kind == MZ_FINDING_DATA_RACE && raw->other) {
		add_race_message(r, &text, raw);
	} else {
		mz_buffer_add_string(&text, raw->message);
		add_object(r, &text, ": ", raw->head.address, raw->head.length, "");
	}
	return mz_buffer_take(&text);
}

static enum status finding_place(struct resolver *r, const struct raw_finding *raw, struct mz_place *place)
{
	if (mz_names_place(r->names, raw->frames, raw->head.nframes, place) != 0) return NO_MEMORY;
	if (!raw->file) return GOOD;
	mz_free(place->file);
	place->file = mz_names_file(r->names, raw->file);
	place->line = raw->head.line;
	return place->file ? GOOD : NO_MEMORY;
}

static const char *other_word(const struct raw_finding *raw)
{
	if (raw->other && raw->head.kind == MZ_FINDING_DATA_RACE) return raw->other;
	switch (raw->head.kind) {
	case MZ_FINDING_USE_AFTER_FREE: return "freed";
	case MZ_FINDING_DOUBLE_FREE: return "freed before";
	default: return raw->other ? raw->other : "earlier";
	}
}

static enum status add_other_place(struct resolver *r, const struct raw_finding *raw, struct mz_trace_finding *finding)
{
	struct mz_buffer text = {0};
	if (raw->head.other_nframes == 0 && !raw->other) return GOOD;
	struct mz_trace_detail *detail = mz_trace_add_detail(finding);
	if (!detail) return NO_MEMORY;
	mz_buffer_add_string(&text, other_word(raw));
	add_by_thread(r, &text, raw->head.other_thread);
	detail->text = mz_buffer_take(&text);
	if (!detail->text) return NO_MEMORY;
	return (enum status)mz_names_place(r->names, raw->other_frames, raw->head.other_nframes, &detail->place);
}

static bool is_about_heap(uint16_t kind)
{
	return kind == MZ_FINDING_USE_AFTER_FREE || kind == MZ_FINDING_DOUBLE_FREE ||
	       kind == MZ_FINDING_OUT_OF_BOUNDS || kind == MZ_FINDING_MISUSE;
}

static enum status add_allocation(struct resolver *r, const struct raw_finding *raw, struct mz_trace_finding *finding)
{
	const struct mz_place *place;
	struct mz_buffer text = {0};
	uint32_t thread;
	uint64_t length;
	if (!is_about_heap(raw->head.kind) ||
	    !mz_names_allocation(r->names, raw->head.address, &place, &thread, &length))
		return GOOD;
	struct mz_trace_detail *detail = mz_trace_add_detail(finding);
	if (!detail) return NO_MEMORY;
	mz_buffer_add_string(&text, "allocated");
	add_by_thread(r, &text, thread);
	mz_buffer_add(&text, ": heap block of %" PRIu64 " bytes", length);
	detail->text = mz_buffer_take(&text);
	detail->place =
	    (struct mz_place){mz_trace_copy_string(place->function), mz_trace_copy_string(place->file), place->line};
	bool copied = !place->function == !detail->place.function && !place->file == !detail->place.file;
	return detail->text && copied ? GOOD : NO_MEMORY;
}

static enum status finding_record(struct resolver *r, struct resolved_part record)
{
	struct raw_finding raw;
	if (!take_finding(&record, &raw)) return DAMAGED;
	struct mz_trace_finding *finding = mz_trace_add_finding(r->trace);
	if (!finding) return NO_MEMORY;
	finding->kind = (enum mz_finding_kind)raw.head.kind;
	finding->thread = is_known(r->trace, raw.head.thread) ? raw.head.thread : MZ_NO_THREAD;
	finding->step = raw.head.step < r->trace->nsteps ? raw.head.step : (uint32_t)r->trace->nsteps;
	finding->message = finding_message(r, &raw);
	if (!finding->message || finding_place(r, &raw, &finding->place) != GOOD) return NO_MEMORY;
	return add_other_place(r, &raw, finding) == GOOD ? add_allocation(r, &raw, finding) : NO_MEMORY;
}

static enum status detail_record(struct resolver *r, struct resolved_part record)
{
	struct mz_record_detail from;
	struct mz_buffer text = {0};
	uint64_t frames[MZ_RECORD_FRAMES];
	const char *words;
	if (!take(&record, &from, sizeof from) || !take_frames(&record, from.nframes, frames)) return DAMAGED;
	if (!take_last_string(&record, &words) || r->trace->nfindings == 0) return DAMAGED;
	struct mz_trace_detail *detail = mz_trace_add_detail(&r->trace->findings[r->trace->nfindings - 1]);
	if (!detail) return NO_MEMORY;
	if (is_known(r->trace, from.thread)) {
		add_thread_name(r, &text, from.thread);
		mz_buffer_add_string(&text, " ");
	}
	mz_buffer_add_string(&text, words);
	add_object(r, &text, " ", from.address, from.length, "");
	detail->text = mz_buffer_take(&text);
	if (!detail->text) return NO_MEMORY;
	return (enum status)mz_names_place(r->names, frames, from.nframes, &detail->place);
}

/* ---- inputs ---- */

/* Fills in the text of an input. It stays NULL if the type of the object is not known. */
static enum status input_text(struct resolver *r, const struct mz_record_input *from,
                              const struct mz_record_frame *frames, struct mz_trace_input *input)
{
	struct mz_buffer text = {0};
	const struct mz_marked marked = {from->address, input->name, input->bytes, input->size};
	if (mz_names_value(r->names, frames, from->nframes, &marked, &text) && !(input->text = mz_buffer_take(&text)))
		return NO_MEMORY;
	mz_buffer_release(&text);
	return GOOD;
}

static enum status input_record(struct resolver *r, struct resolved_part record)
{
	struct mz_record_input from;
	const char *name;
	struct mz_record_frame frames[MZ_RECORD_FRAMES];
	if (!take(&record, &from, sizeof from) || !is_known(r->trace, from.thread)) return DAMAGED;
	if (from.nframes > MZ_RECORD_FRAMES || !take(&record, frames, from.nframes * sizeof *frames)) return DAMAGED;
	if (from.size == 0 || from.size > record.left || from.name_size == 0) return DAMAGED;
	const uint8_t *bytes = record.at;
	struct resolved_part rest = {record.at + from.size, record.left - from.size};
	if (!take_string(&rest, from.name_size, &name)) return DAMAGED;
	struct mz_trace_input *input = mz_trace_add_input(r->trace);
	const struct mz_trace_input marked = {
	    .thread = from.thread, .nth = from.nth, .name = (char *)name, .bytes = (uint8_t *)bytes, .size = from.size};
	if (!input || mz_trace_input_copy(input, &marked) != 0) return NO_MEMORY;
	return input_text(r, &from, frames, input);
}

/* ---- the stream ---- */

static enum status end_record(struct resolver *r, struct resolved_part record)
{
	return take(&record, r->end, sizeof *r->end) ? GOOD : DAMAGED;
}

static enum status second_pass(struct resolver *r, uint32_t type, struct resolved_part record)
{
	switch (type) {
	case MZ_RECORD_STEP: return step_record(r, record);
	case MZ_RECORD_FINDING: return finding_record(r, record);
	case MZ_RECORD_DETAIL: return detail_record(r, record);
	case MZ_RECORD_BLOCK: return block_record(r, record, true);
	case MZ_RECORD_INPUT: return input_record(r, record);
	case MZ_RECORD_END: return end_record(r, record);
	default: return GOOD;
	}
}

/* Calls `pass` for each record, up to the first that makes no sense. Returns 0, or -1 when there is no memory. */
static int each_record(struct resolver *r, struct resolved_part stream,
                       enum status (*pass)(struct resolver *, uint32_t, struct resolved_part))
{
	struct mz_record head;
	enum status status = GOOD;
	while (status == GOOD && stream.left >= sizeof head) {
		memcpy(&head, stream.at, sizeof head);
		if (head.size < sizeof head || head.size % 8 != 0 || head.size > stream.left) break;
		status = pass(r, head.type, (struct resolved_part){stream.at, head.size});
		stream.at += head.size;
		stream.left -= head.size;
	}
	return status == NO_MEMORY ? -1 : 0;
}

int mz_trace_from_recording(struct mz_trace *trace, const void *data, size_t size, const char *directory,
                            struct mz_record_end *end)
{
	struct mz_record_end unused;
	struct resolver r = {.trace = trace, .names = mz_names_new(directory), .end = end ? end : &unused};
	struct resolved_part stream = {data, size};
	*r.end = (struct mz_record_end){0};
	trace->preemptions = 0;
	int result = -1;
	if (r.names && mz_trace_add_thread(trace) && each_record(&r, stream, first_pass) == 0)
		result = each_record(&r, stream, second_pass);
	mz_names_free(r.names);
	return result;
}
