/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/tests.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/inputs/agree.h"
#include "runtime/inputs/path.h"
#include "runtime/inputs/symbolic.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static struct mz_table literals; /* conditions of the path that is looked at */

/* Returns a hash of the conditions of the path, each counted once: it does not depend on their order. */
static uint64_t hash_path(void)
{
	uint64_t sum = 1, literal;
	mz_table_clear(&literals);
	for (uint32_t n = 0; mz_path_condition(n, &literal); n++) {
		uint64_t hash = mz_mix(literal), found = mz_table_find_or_add(&literals, hash, n + 1);
		if (!found) mz_unsupported("out of memory");
		if (found == n + 1) sum += hash;
	}
	return mz_mix(sum);
}

struct text {
	char *bytes;
	size_t length;
};

/* Adds a word: characters that would not leave it one word become '_'. */
static void add_name(struct text *text, const char *name)
{
	if (!*name) text->bytes[text->length++] = '_';
	for (; *name; name++) text->bytes[text->length++] = (char)(*name > ' ' && *name <= '~' ? *name : '_');
}

static void add_input(void *to, const struct mz_session_input *input, const uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";
	struct text *text = to;
	add_name(text, input->name);
	text->length += (size_t)sprintf(text->bytes + text->length, input->size ? " %u " : " %u -", input->size);
	for (uint32_t i = 0; i < input->size; i++) {
		text->bytes[text->length++] = digits[bytes[i] >> 4];
		text->bytes[text->length++] = digits[bytes[i] & 15];
	}
	text->bytes[text->length++] = '\n';
}

static struct text make_text(void)
{
	const struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	struct text text = {mz_alloc(2 * (size_t)inputs->nbytes + 80 * (size_t)inputs->count), 0};
	if (!text.bytes) mz_unsupported("out of memory");
	mz_inputs_each(add_input, &text);
	return text;
}

static bool write_file(const struct text *text, uint32_t number)
{
	char name[32];
	snprintf(name, sizeof name, "path-%u.inputs", number);
	int fd = openat(mz_rt.session->inputs.tests, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool written = fd >= 0 && MZ_REAL(write)(fd, text->bytes, text->length) == (ssize_t)text->length;
	if (fd >= 0) MZ_REAL(close)(fd);
	return written;
}

/* Writes the inputs of this execution, unless they were written before. */
static void write_text(void)
{
	uint64_t any;
	struct text text = make_text();
	uint64_t hash = mz_hash_bytes(text.bytes, text.length, (struct mz_key){0}).low;
	if (!mz_agree_find(MZ_SUBJECT_TEXT, hash, &any)) {
		bool written = write_file(&text, mz_agree_tests() + 1);
		if (!written) mz_rt.session->inputs.unwritten++;
		mz_agree_add_test(hash, written);
	}
	mz_free(text.bytes);
}

/* A worker that is killed has written a file that no note speaks of, if any: then another one writes it again. */
void mz_tests_write(void)
{
	uint64_t any;
	if (mz_rt.session->inputs.tests < 0 || !mz_inputs_are_marked()) return;
	uint64_t hash = hash_path();
	if (mz_agree_find(MZ_SUBJECT_PATH, hash, &any)) return;
	mz_agree_begin();
	if (!mz_agree_find(MZ_SUBJECT_PATH, hash, &any)) {
		write_text();
		mz_agree_add(MZ_SUBJECT_PATH, hash, 1);
	}
	mz_agree_end();
}
