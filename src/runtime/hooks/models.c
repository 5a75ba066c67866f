/* SPDX-License-Identifier: MIT
 *
 * What models of the C library's functions are made of (concolic/models), as concolic/abi.h says. A model runs in the
 * program's own module; a fault that it causes is reported where the program called it, because memory is first looked at,
 * and written, from here.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "concolic/abi.h"
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <stdio.h>
#include <string.h>

/* Runs a statement in which a fault is one of the program at `code`. No other thread runs in the meantime. */
#define BEHALF(code, statement)                                                                                        \
	do {                                                                                                           \
		mz_trap_stands_for((uintptr_t)(code));                                                                 \
		statement;                                                                                             \
		mz_trap_stands_for(0);                                                                                 \
	} while (0)

/* Makes an access of a byte that changes nothing. */
static void try_byte(volatile uint8_t *at, bool write)
{
	uint8_t byte = *at;
	if (write) *at = byte;
}

MZ_EXPORT void __mz_sym_touch(const void *address, uint64_t size, uint32_t writes, const void *code)
{
	if (!mz_current || !size) return;
	mz_plain(mz_current, (uintptr_t)address, size, writes, (uintptr_t)code);
	mz_follow_drop(); /* the model deals with the shadows */
	if (__mz_sym_steps) BEHALF(code, try_byte((uint8_t *)address, writes));
}

MZ_EXPORT int __mz_sym_depends(const void *address, uint64_t size)
{
	if (!mz_inputs_space) return 0;
	mz_follow_end();
	return mz_shadow_is_anywhere((uintptr_t)address, size);
}

/* ---- looking ---- */

MZ_EXPORT uint64_t __mz_sym_length(const char *text, uint64_t most, const void *code)
{
	uint64_t length;
	BEHALF(code, length = MZ_REAL(strnlen)(text, most));
	return length;
}

static uint8_t small(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static uint64_t compared(const uint8_t *a, const uint8_t *b, uint64_t most, bool folds)
{
	uint64_t n = 0;
	while (n < most && a[n] && (folds ? small(a[n]) == small(b[n]) : a[n] == b[n])) n++;
	return n < most ? n + 1 : most;
}

MZ_EXPORT uint64_t __mz_sym_compared(const char *a, const char *b, uint64_t most, uint32_t folds, const void *code)
{
	uint64_t looked;
	BEHALF(code, looked = compared((const uint8_t *)a, (const uint8_t *)b, most, folds));
	return looked;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (small((uint8_t)c) >= 'a' && small((uint8_t)c) <= 'z');
}

/* Returns the length of white space, a sign, letters and digits. */
static uint64_t number_at(const char *text)
{
	const char *at = text;
	while (is_space(*at)) at++;
	if (*at == '+' || *at == '-') at++;
	while (is_digit(*at)) at++;
	return (uint64_t)(at - text);
}

MZ_EXPORT uint64_t __mz_sym_number(const char *text, int base, const void *code)
{
	uint64_t length;
	(void)base;
	BEHALF(code, length = number_at(text));
	return length + 1;
}

/* ---- writing ---- */

MZ_EXPORT void __mz_sym_move(void *to, const void *from, uint64_t size, const void *code)
{
	BEHALF(code, MZ_REAL(memmove)(to, from, size));
	__mz_sym_copy(to, from, size);
}

MZ_EXPORT void __mz_sym_zero(void *to, uint64_t size, const void *code)
{
	BEHALF(code, MZ_REAL(memset)(to, 0, size));
	__mz_sym_set(to, size, 0);
}

MZ_EXPORT void __mz_sym_forget(void *at, uint64_t size)
{
	__mz_sym_set(at, size, 0);
}

/* ---- memory ---- */

MZ_EXPORT char *__mz_sym_duplicate(const char *text, uint64_t length, const void *code)
{
	char *copy = mz_duplicate(text, length, (uintptr_t)code);
	if (copy) __mz_sym_copy(copy, text, length);
	return copy;
}

MZ_EXPORT void *__mz_sym_borrow(uint64_t size, const void *code)
{
	return mz_allocate_surely(&(struct mz_heap_request){.size = size, .caller = (uintptr_t)code});
}

MZ_EXPORT void __mz_sym_give_back(void *memory, const void *code)
{
	mz_release(memory, &(struct mz_heap_release){.caller = (uintptr_t)code});
}

MZ_EXPORT char **__mz_sym_words(const void *code)
{
	if (code) __mz_sym_touch(&mz_library.words, sizeof mz_library.words, 1, code);
	return &mz_library.words;
}

/* ---- printing ---- */

MZ_EXPORT void __mz_sym_tells(uint32_t tells)
{
	if (mz_inputs_space) mz_follow_reads(tells);
}

MZ_EXPORT void __mz_sym_resemble(char *to, const char *from, uint64_t size, const void *code)
{
	if (!mz_inputs_space || !size) return;
	mz_follow_end();
	if (MZ_REAL(memcmp)(to, from, size) == 0)
		mz_shadow_copy((uintptr_t)to, (uintptr_t)from, size);
	else
		mz_inputs_lose(MZ_SYM_LOST_OTHER, "what is printed", (uintptr_t)code);
}

MZ_EXPORT void __mz_sym_lose_list(const void *list, const char *name, const void *code)
{
	if (mz_inputs_space && mz_list_depends(list)) mz_inputs_lose(MZ_SYM_LOST_VARIABLE, name, (uintptr_t)code);
}

/* ---- streams ---- */

MZ_EXPORT void __mz_sym_use(void *stream, uint32_t one, const void *code)
{
	const FILE *file = stream;
	bool buffered = one && file->_IO_read_ptr < file->_IO_read_end;
	unsigned use = MZ_FILE_READS | (buffered ? MZ_FILE_BUFFERED : 0);
	if (mz_current) mz_shared_file_use_stream(mz_current, stream, use, (uintptr_t)code);
}

MZ_EXPORT int __mz_sym_take(void *to, int *at, void *stream, const void *code)
{
	size_t n;
	mz_stdin_start_stream(stream);
	BEHALF(code, n = MZ_REAL(fread)(to, 1, 1, stream));
	*at = mz_stdin_took(stream, to, n == 1, (uintptr_t)code);
	return n == 1;
}

MZ_EXPORT void __mz_sym_there(int at, const void *code)
{
	mz_stdin_there(at, (uintptr_t)code);
}

MZ_EXPORT void __mz_sym_taken(void)
{
	if (mz_current) mz_path_go_first(mz_current, false);
}

MZ_EXPORT uint32_t __mz_sym_plain(const void *byte)
{
	return *(const uint8_t *)byte;
}

MZ_EXPORT void __mz_sym_untake(const void *byte, void *stream)
{
	mz_stdin_put_back(stream);
	if (MZ_REAL(ungetc)(*(const uint8_t *)byte, stream) != EOF) __mz_sym_put_back(byte);
}

MZ_EXPORT uint64_t __mz_sym_left(void *stream)
{
	(void)stream;
	return mz_rt.session->configuration.symbolic_stdin + mz_back_count();
}

MZ_EXPORT char *__mz_sym_line(char **line, size_t *size, uint64_t length, const void *code)
{
	return mz_line_room(line, size, length + 1, (uintptr_t)code) ? *line : NULL;
}
