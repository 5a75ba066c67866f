/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/tests.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/inputs/path.h"
#include "runtime/inputs/symbolic.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static struct {
	struct mz_table known;    /* hashes of paths, and of texts that were written */
	struct mz_table literals; /* conditions of the path that is looked at */
} paths;

/* Returns a hash of the conditions of the path, each counted once: it does not depend on their order. */
static uint64_t hash_path(void)
{
	uint64_t sum = 1, literal;
	mz_table_clear(&paths.literals);
	for (uint32_t n = 0; mz_path_condition(n, &literal); n++) {
		uint64_t hash = mz_mix(literal), found = mz_table_find_or_add(&paths.literals, hash, n + 1);
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

/* Reports whether nothing with that hash was met before. */
static bool is_new(uint64_t hash)
{
	uint64_t number = paths.known.count + 1, found = mz_table_find_or_add(&paths.known, hash, number);
	if (!found) mz_unsupported("out of memory");
	return found == number;
}

void mz_tests_write(void)
{
	struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	if (inputs->tests < 0 || !mz_inputs_are_marked()) return;
	if (!is_new(hash_path())) return;
	struct text text = make_text();
	if (is_new(mz_hash_bytes(text.bytes, text.length, (struct mz_key){0}).low)) {
		if (write_file(&text, inputs->written + inputs->unwritten + 1))
			inputs->written++;
		else
			inputs->unwritten++;
	}
	mz_free(text.bytes);
}
