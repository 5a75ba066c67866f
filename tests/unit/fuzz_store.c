/* SPDX-License-Identifier: MIT
 *
 * Any bytes as what Redis answers: the decoder of the store refuses them, or hands on what lies within them and within the memory.
 * The first byte says what they are taken for. Built with clang's libFuzzer (`ninja fuzz_store`); test_store.c includes this
 * file and damages answers.
 */
#include "base/alloc.h"
#include "base/bug.h"
#include "cluster/decode.h"
#include <stdio.h>
#include <string.h>

#define MEMORY 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct mz_bytes input;

static void require_within(struct mz_bytes part)
{
	MZ_REQUIRE(part.size == 0 ||
	           (part.at >= input.at && part.size <= input.size && part.at <= input.at + (input.size - part.size)));
}

static void take(void *self, const struct mz_change *change)
{
	uint8_t *memory = self;
	MZ_REQUIRE(change->offset <= MEMORY && change->size <= MEMORY - change->offset);
	require_within((struct mz_bytes){change->bytes, change->size});
	if (change->size) memcpy(memory + change->offset, change->bytes, change->size);
}

static void try_log(struct mz_bytes log)
{
	static uint8_t memory[MEMORY];
	struct mz_log_place place = {.position = 1000}, after;
	if (mz_log_check(log, MEMORY, &place, &after) != MZ_LOG_FINE) return;
	MZ_REQUIRE(after.position >= place.position && after.position - place.position <= log.size);
	mz_log_take(log.at, after.position - place.position, &(struct mz_taker){take, memory});
}

/* Makes all tags right, as somebody who means harm would: what is behind them is checked, too. */
static void try_forged_log(struct mz_bytes log)
{
	uint8_t *forged = mz_alloc(log.size);
	struct mz_tag tag = {{0}};
	memcpy(forged, log.at, log.size);
	input = (struct mz_bytes){forged, log.size};
	for (size_t at = 0; log.size - at >= 16;) {
		uint32_t size;
		memcpy(&size, forged + at, 4);
		if (size < 16 || size > log.size - at) break;
		tag = mz_tag_of(forged + at, size - 8, tag);
		memcpy(forged + at + size - 8, &tag, 8);
		at += size;
	}
	try_log(input);
	mz_free(forged);
}

static void try_texts(struct mz_bytes body)
{
	struct mz_bytes text;
	bool damaged;
	while (mz_text_next(&body, &text, &damaged)) require_within(text);
}

static void try_run(struct mz_bytes body)
{
	struct mz_run_found run;
	if (!mz_run_read(&run, body)) return;
	require_within(run.identity);
	MZ_REQUIRE(run.snapshot_size <= run.memory_size && run.lease > 0);
}

static void try_answer(struct mz_bytes bytes)
{
	struct mz_answer answer;
	uint64_t number = 0;
	if (!mz_answer_read(&answer, bytes)) return;
	MZ_REQUIRE(answer.code < MZ_ANSWER_CODES && answer.base <= answer.head && answer.dead.size % 8 == 0);
	require_within(answer.ended);
	require_within(answer.body);
	for (size_t i = 0; i < answer.dead.size / 8; i++) number += mz_answer_dead(&answer, i);
	mz_number_read(&number, answer.body);
	try_log(answer.body);
	try_texts(answer.body);
	try_run(answer.body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0) return 0;
	input = (struct mz_bytes){data + 1, size - 1};
	switch (data[0] % 6) {
	case 0: try_answer(input); break;
	case 1: try_log(input); break;
	case 2: try_texts(input); break;
	case 3: try_run(input); break;
	case 4: try_forged_log(input); break;
	default: mz_chunk_check(input, size);
	}
	return 0;
}
