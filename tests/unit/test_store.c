/* SPDX-License-Identifier: MIT
 *
 * The store without Redis: URLs, what is kept and read, and that whatever is damaged on its way is refused.
 */
#include "base/random.h"
#include "cluster/address.h"
#include "cluster/decode.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz_store.c"

#define DAMAGED 60000

/* ---- addresses ---- */

static void test_address(void **state)
{
	struct mz_address address;
	struct mz_store_error error;
	(void)state;
	assert_int_equal(mz_address_read(&address, "redis://me@example.org:7000/a-run.1", &error), MZ_STORE_OK);
	assert_string_equal(address.user, "me");
	assert_string_equal(address.host, "example.org");
	assert_int_equal(address.port, 7000);
	assert_string_equal(address.name, "a-run.1");
	assert_false(mz_address_is_local(&address));
	assert_int_equal(mz_address_read(&address, "redis://[::1]/x", &error), MZ_STORE_OK);
	assert_string_equal(address.host, "::1");
	assert_int_equal(address.port, 6379);
	assert_true(mz_address_is_local(&address));
	assert_int_equal(mz_address_read(&address, "redis://127.0.3.1/x", &error), MZ_STORE_OK);
	assert_true(mz_address_is_local(&address));
	assert_int_equal(mz_address_read(&address, "redis://127.x.invalid/x", &error), MZ_STORE_OK);
	assert_false(mz_address_is_local(&address));
	assert_int_equal(mz_address_read(&address, "redis://[::1]:12/x", &error), MZ_STORE_OK);
	assert_int_equal(address.port, 12);
}

static void test_address_refused(void **state)
{
	static const char *const urls[] = {"",
	                                   "redis://",
	                                   "redis:///x",
	                                   "redis://h",
	                                   "redis://h/",
	                                   "redis://h:/x",
	                                   "redis://h:0/x",
	                                   "redis://h:65536/x",
	                                   "redis://h:99999999999999999999/x",
	                                   "redis://h:1a/x",
	                                   "redis://@h/x",
	                                   "redis://[::1/x",
	                                   "redis://[]/x",
	                                   "redis://[::1]x/x",
	                                   "redis://h/x/y",
	                                   "redis://h/x{y}",
	                                   "redis://h/x y",
	                                   "rediss://h/x",
	                                   "redis://u:secret@h/x",
	                                   "redis://:secret@h/x",
	                                   "redis://u:sec@ret@h/x",
	                                   "redis://u:sec/ret@h/x",
	                                   "redis://h:12/x@secret"};
	struct mz_address address;
	(void)state;
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct mz_store_error error = {MZ_STORE_OK, ""};
		assert_int_equal(mz_address_read(&address, urls[i], &error), MZ_STORE_REFUSED);
		assert_true(*error.text && !strchr(error.text, '\n') && !strstr(error.text, "sec"));
	}
}

/* ---- the log ---- */

struct sample {
	uint8_t bytes[4096];
	size_t size, entries[8];
	struct mz_log_place end;
};

/* Makes a log of five entries. */
static void make_sample(struct sample *sample)
{
	*sample = (struct sample){.end = {.position = 1000}};
	for (uint32_t i = 0; i < 5; i++) {
		char text[100];
		memset(text, 'a' + (int)i, sizeof text);
		struct mz_change changes[] = {{i * 100, text, 10 * i + 1}, {MEMORY - i, text, i}, {0, text, 100}};
		size_t size = mz_entry_size(changes, 3);
		sample->end.tag = mz_entry_write(sample->bytes + sample->size, size, i, changes, 3, sample->end.tag);
		sample->end.position += size;
		sample->entries[i] = sample->size;
		sample->size += size;
	}
	sample->entries[5] = sample->size;
}

static void test_log(void **state)
{
	static uint8_t memory[MEMORY];
	struct sample sample;
	struct mz_log_place begin = {.position = 1000}, after;
	(void)state;
	make_sample(&sample);
	assert_int_equal(mz_log_check((struct mz_bytes){sample.bytes, sample.size}, MEMORY, &begin, &after),
	                 MZ_LOG_FINE);
	assert_int_equal(after.position, sample.end.position);
	assert_memory_equal(&after.tag, &sample.end.tag, sizeof after.tag);
	input = (struct mz_bytes){sample.bytes, sample.size};
	mz_log_take(sample.bytes, sample.size, &(struct mz_taker){take, memory});
	assert_memory_equal(memory, "eeeeee", 6);
	assert_memory_equal(memory + 400, "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", 42);
	assert_memory_equal(memory + MEMORY - 4, "eeee", 4);
	assert_int_equal(mz_log_check((struct mz_bytes){sample.bytes, sample.size}, MEMORY - 1, &begin, &after),
	                 MZ_LOG_DAMAGED);
}

/* Wherever the log is cut off, the whole entries before that are fine. */
static void test_log_cut_off(void **state)
{
	struct sample sample;
	(void)state;
	make_sample(&sample);
	for (size_t size = 0, whole = 0; size <= sample.size; size++) {
		struct mz_log_place begin = {.position = 1000}, after;
		if (size == sample.entries[whole + 1]) whole++;
		assert_int_equal(mz_log_check((struct mz_bytes){sample.bytes, size}, MEMORY, &begin, &after),
		                 MZ_LOG_FINE);
		assert_int_equal(after.position, 1000 + sample.entries[whole]);
	}
}

/* Whichever bit is wrong, the entry that has it is not taken; and a log without its first entry is another one. */
static void test_log_damaged(void **state)
{
	struct sample sample;
	struct mz_log_place begin = {.position = 1000}, after;
	(void)state;
	make_sample(&sample);
	for (size_t bit = 0; bit < 8 * sample.size; bit++) {
		sample.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		mz_log_check((struct mz_bytes){sample.bytes, sample.size}, MEMORY, &begin, &after);
		assert_true(after.position <= 1000 + bit / 8);
		sample.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	struct mz_bytes rest = {sample.bytes + sample.entries[1], sample.size - sample.entries[1]};
	assert_int_equal(mz_log_check(rest, MEMORY, &begin, &after), MZ_LOG_LOST);
}

static void test_chunk(void **state)
{
	uint8_t stored[108] = "";
	(void)state;
	memset(stored + 8, 'x', 100);
	struct mz_tag tag = mz_chunk_tag(stored + 8, 100);
	memcpy(stored, &tag, 8);
	assert_true(mz_chunk_check((struct mz_bytes){stored, 108}, 100));
	assert_false(mz_chunk_check((struct mz_bytes){stored, 107}, 100));
	assert_false(mz_chunk_check((struct mz_bytes){stored, 107}, 99));
	stored[50] ^= 1;
	assert_false(mz_chunk_check((struct mz_bytes){stored, 108}, 100));
	assert_int_equal(mz_entry_size(&(struct mz_change){0, stored, MZ_ENTRY_MOST}, 1), 0);
}

/* ---- damage ---- */

/* Answers with all there can be in them: a kind, a head, a reason, two that are dead, and a body. */
static size_t make_answer(uint8_t *at, struct mz_random *random)
{
	struct sample sample;
	static const uint8_t head[48] = {'M', 'Z', 'S', '1', 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	                                 0,   0,   0,   0,   0, 7, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2};
	make_sample(&sample);
	*at = (uint8_t)mz_random_below(random, 6);
	size_t from = *at == 0 ? 1 + sizeof head + 8 + 16 : 1;
	memset(at + 1, 0, from - 1);
	if (*at == 0) memcpy(at + 1, head, sizeof head);
	memcpy(at + from, sample.bytes, sample.size);
	return from + sample.size;
}

static void damage(uint8_t *bytes, size_t *size, struct mz_random *random)
{
	static const uint8_t nasty[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe, 8, 16};
	size_t at = 1 + mz_random_below(random, (uint32_t)*size - 1);
	switch (mz_random_below(random, 4)) {
	case 0: bytes[at] ^= (uint8_t)(1 << mz_random_below(random, 8)); break;
	case 1: bytes[at] = nasty[mz_random_below(random, sizeof nasty)]; break;
	case 2: *size = at + 1; break;
	default: memset(bytes + at, nasty[mz_random_below(random, sizeof nasty)], *size - at < 4 ? *size - at : 4);
	}
}

static void test_damage(void **state)
{
	struct mz_random random = {1};
	(void)state;
	for (int i = 0; i < DAMAGED; i++) {
		/* of its own size, so that the sanitizer sees what is read behind it */
		uint8_t bytes[8192];
		size_t size = make_answer(bytes, &random);
		for (uint32_t n = mz_random_below(&random, 4); n > 0; n--) damage(bytes, &size, &random);
		uint8_t *exact = malloc(size);
		memcpy(exact, bytes, size);
		LLVMFuzzerTestOneInput(exact, size);
		free(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_address),     cmocka_unit_test(test_address_refused), cmocka_unit_test(test_log),
	    cmocka_unit_test(test_log_cut_off), cmocka_unit_test(test_log_damaged),     cmocka_unit_test(test_chunk),
	    cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
