/* SPDX-License-Identifier: MIT
 *
 * What the models call of the library, for functions.c: as it is where no value depends on inputs.
 */
#include "concolic/abi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t __mz_sym_length(const char *text, uint64_t most, const void *code)
{
	(void)code;
	return strnlen(text, most);
}

uint64_t __mz_sym_compared(const char *a, const char *b, uint64_t most, uint32_t folds, const void *code)
{
	(void)a, (void)b, (void)most, (void)folds, (void)code;
	return 1;
}

uint64_t __mz_sym_number(const char *text, int base, const void *code)
{
	(void)text, (void)base, (void)code;
	return 1;
}

void __mz_sym_move(void *to, const void *from, uint64_t size, const void *code)
{
	(void)code;
	memmove(to, from, size);
}

void __mz_sym_zero(void *to, uint64_t size, const void *code)
{
	(void)code;
	memset(to, 0, size);
}

void __mz_sym_forget(void *address, uint64_t size)
{
	(void)address, (void)size;
}

char *__mz_sym_duplicate(const char *text, uint64_t length, const void *code)
{
	(void)code;
	return strndup(text, length);
}

void *__mz_sym_borrow(uint64_t size, const void *code)
{
	(void)code;
	return malloc(size);
}

void __mz_sym_give_back(void *memory, const void *code)
{
	(void)code;
	free(memory);
}

void __mz_sym_use(void *stream, uint32_t one, const void *code)
{
	(void)stream, (void)one, (void)code;
}

int __mz_sym_take(void *to, int *at, void *stream, const void *code)
{
	(void)code;
	*at = -1;
	return fread(to, 1, 1, stream) == 1;
}

void __mz_sym_there(int at, const void *code)
{
	(void)at, (void)code;
}

void __mz_sym_taken(void)
{
}

uint32_t __mz_sym_plain(const void *byte)
{
	return *(const unsigned char *)byte;
}

void __mz_sym_untake(const void *byte, void *stream)
{
	ungetc(*(const unsigned char *)byte, stream);
}

uint64_t __mz_sym_left(void *stream)
{
	(void)stream;
	return 256;
}

char *__mz_sym_line(char **line, size_t *size, uint64_t length, const void *code)
{
	(void)code;
	if (!*line) *size = 120, *line = malloc(120);
	if (length + 1 > *size) *size = 2 * *size > length + 1 ? 2 * *size : length + 1, *line = realloc(*line, *size);
	return *line;
}

int __mz_sym_is_input(const void *stream)
{
	return stream != NULL;
}

/* No value here has a shadow: these functions are called in vain, or never. */
#define IN_VAIN(name) __asm__(".globl " #name "\n" #name ":\n\txor %eax, %eax\n\tret\n");
#define NEVER(name) __asm__(".globl " #name "\n" #name ":\n\tud2\n");
IN_VAIN(__mz_sym_load)
IN_VAIN(__mz_sym_store)
IN_VAIN(__mz_sym_copy)
IN_VAIN(__mz_sym_set)
IN_VAIN(__mz_sym_put_back)
IN_VAIN(__mz_sym_place)
IN_VAIN(__mz_sym_reaches)
IN_VAIN(__mz_sym_parameter)
IN_VAIN(__mz_sym_entered)
IN_VAIN(__mz_sym_variable)
IN_VAIN(__mz_sym_tells)
IN_VAIN(__mz_sym_printed)
NEVER(__mz_sym_lose_list)
NEVER(__mz_sym_print_stream)
IN_VAIN(__mz_sym_start_list)
IN_VAIN(__mz_sym_return)
IN_VAIN(__mz_sym_result)
NEVER(__mz_sym_pass)
NEVER(__mz_sym_binary)
NEVER(__mz_sym_convert)
NEVER(__mz_sym_select)
NEVER(__mz_sym_division)
NEVER(__mz_sym_branch)
NEVER(__mz_sym_switch)
NEVER(__mz_sym_settle)
NEVER(__mz_sym_lost)
