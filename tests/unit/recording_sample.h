/* SPDX-License-Identifier: MIT
 *
 * A recording with one of everything, as the runtime would write it. The modules do not exist, so names are offsets.
 */
#ifndef MZ_TESTS_RECORDING_SAMPLE_H
#define MZ_TESTS_RECORDING_SAMPLE_H

#include "trace/finding.h"
#include "trace/recording.h"
#include <stddef.h>
#include <string.h>

struct recording {
	_Alignas(8) uint8_t bytes[4096];
	size_t size;
	size_t start; /* of the record under way */
};

static void put(struct recording *r, const void *bytes, size_t size)
{
	memcpy(r->bytes + r->size, bytes, size);
	r->size += size;
}

static void begin(struct recording *r, const void *record, size_t size)
{
	r->start = r->size;
	put(r, record, size);
}

/* Pads the record and sets its type and size. */
static void end(struct recording *r, uint32_t type)
{
	while (r->size % 8) r->bytes[r->size++] = 0;
	struct mz_record head = {type, (uint32_t)(r->size - r->start)};
	memcpy(r->bytes + r->start, &head, sizeof head);
}

static void put_module(struct recording *r, const char *path, uint64_t base)
{
	struct mz_record_module module = {.base = base, .start = base, .end = base + 0x1000};
	begin(r, &module, sizeof module);
	put(r, path, strlen(path) + 1);
	end(r, MZ_RECORD_MODULE);
}

static void put_thread(struct recording *r, uint32_t thread, uint32_t parent, uint32_t nth, uint64_t entry)
{
	struct mz_record_thread record = {.thread = thread, .parent = parent, .nth = nth, .entry = entry};
	record.stack_low = 0x100000 * (thread + 1);
	record.stack_high = record.stack_low + 0x10000;
	begin(r, &record, sizeof record);
	end(r, MZ_RECORD_THREAD);
}

static void put_block(struct recording *r, uint64_t address, uint64_t length, uint64_t frame)
{
	struct mz_record_block block = {.address = address, .length = length, .nframes = 1};
	begin(r, &block, sizeof block);
	put(r, &frame, sizeof frame);
	end(r, MZ_RECORD_BLOCK);
}

static void put_step(struct recording *r, struct mz_record_step step, uint64_t frame)
{
	step.nframes = 2;
	uint64_t frames[] = {0x2010, frame}; /* in libmazurka.so, then in the program */
	begin(r, &step, sizeof step);
	put(r, frames, sizeof frames);
	end(r, MZ_RECORD_STEP);
}

static void put_finding(struct recording *r, struct mz_record_finding finding, uint64_t frame, uint64_t other_frame,
                        const char *message, const char *file, const char *other)
{
	finding.nframes = 1;
	finding.other_nframes = other_frame != 0;
	finding.message_size = (uint32_t)strlen(message) + 1;
	finding.file_size = file ? (uint32_t)strlen(file) + 1 : 0;
	finding.other_size = other ? (uint32_t)strlen(other) + 1 : 0;
	begin(r, &finding, sizeof finding);
	put(r, &frame, sizeof frame);
	if (other_frame) put(r, &other_frame, sizeof other_frame);
	put(r, message, finding.message_size);
	if (file) put(r, file, finding.file_size);
	if (other) put(r, other, finding.other_size);
	end(r, MZ_RECORD_FINDING);
}

static void put_detail(struct recording *r, uint32_t thread, uint64_t address, uint64_t frame, const char *text)
{
	struct mz_record_detail detail = {.thread = thread, .nframes = frame != 0, .address = address};
	begin(r, &detail, sizeof detail);
	if (frame) put(r, &frame, sizeof frame);
	put(r, text, strlen(text) + 1);
	end(r, MZ_RECORD_DETAIL);
}

static void put_input(struct recording *r, struct mz_record_input input, const char *name, const void *bytes)
{
	const struct mz_record_frame frame = {.code = 0x1901, .sp = 0x7100, .bp = 0x7200};
	input.nframes = 1;
	input.name_size = (uint32_t)strlen(name) + 1;
	begin(r, &input, sizeof input);
	put(r, &frame, sizeof frame);
	put(r, bytes, input.size);
	put(r, name, input.name_size);
	end(r, MZ_RECORD_INPUT);
}

static void put_end(struct recording *r)
{
	struct mz_record_end record = {.end = 1, .steps = 3, .preemptions = 1};
	begin(r, &record, sizeof record);
	end(r, MZ_RECORD_END);
}

static void make_recording(struct recording *r)
{
	*r = (struct recording){.size = 0};
	put_module(r, "/no/p", 0x1000);
	put_module(r, "/no/libmazurka.so", 0x2000);
	put_thread(r, 0, MZ_NO_THREAD, 1, 0x1100);
	put_thread(r, 1, 0, 1, 0x1200);
	put_thread(r, 3, 1, 2, 0x1300);
	put_input(r, (struct mz_record_input){.thread = 3, .nth = 1, .address = 0x7000, .size = 3}, "the name",
	          "\1\2\377");
	put_block(r, 0x7000, 24, 0x1801);
	put_step(r,
	         (struct mz_record_step){.index = 0,
	                                 .alternatives = 1,
	                                 .op = MZ_OP_WRITE,
	                                 .kind = MZ_WRITE,
	                                 .length = 4,
	                                 .address = 0x7008,
	                                 .value = 5,
	                                 .has_value = 1},
	         0x1401);
	put_step(r,
	         (struct mz_record_step){.index = 1,
	                                 .thread = 3,
	                                 .choice = 2,
	                                 .alternatives = 1,
	                                 .op = MZ_OP_SIGNAL,
	                                 .kind = MZ_READ,
	                                 .preemption = 1,
	                                 .address = 0x1900,
	                                 .value = 9},
	         0x1402);
	put_block(r, 0x7000, 48, 0x1802);
	put_step(r,
	         (struct mz_record_step){.index = 2,
	                                 .thread = 1,
	                                 .alternatives = 1,
	                                 .op = MZ_OP_READ,
	                                 .kind = MZ_READ,
	                                 .length = 4,
	                                 .address = 0x7008},
	         0x1403);
	put_finding(r,
	            (struct mz_record_finding){.kind = MZ_FINDING_DATA_RACE,
	                                       .thread = 3,
	                                       .step = 3,
	                                       .address = 0x1904,
	                                       .length = 4,
	                                       .other_thread = 1},
	            0x1501, 0x1502, "write of 4 bytes against read of 4 bytes", NULL, "read of 4 bytes");
	put_finding(
	    r,
	    (struct mz_record_finding){
	        .kind = MZ_FINDING_ASSERTION, .thread = 1, .step = 99, .line = 14, .other_thread = MZ_NO_THREAD},
	    0x1503, 0, "x == 2", "/some/dir/p.c", NULL);
	put_finding(r,
	            (struct mz_record_finding){.kind = MZ_FINDING_USE_AFTER_FREE,
	                                       .thread = 0,
	                                       .step = 3,
	                                       .address = 0x7010,
	                                       .length = 4,
	                                       .other_thread = 1},
	            0x1504, 0x1505, "read of 4 bytes", NULL, "free");
	put_finding(r,
	            (struct mz_record_finding){
	                .kind = MZ_FINDING_DEADLOCK, .thread = MZ_NO_THREAD, .step = 3, .other_thread = MZ_NO_THREAD},
	            0, 0, "no thread can go on", NULL, NULL);
	put_detail(r, 1, 0x1908, 0x1506, "waits for the mutex that main holds:");
	put_detail(r, MZ_NO_THREAD, 0, 0, "and that is all");
	put_end(r);
}

#endif
