/* SPDX-License-Identifier: MIT
 *
 * Finds out what one instruction of x86-64 assembly, in AT&T syntax, does to memory.
 */
#ifndef MZ_CLI_AS_INSTRUCTION_H
#define MZ_CLI_AS_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mz_instruction_effect {
	MZ_INSTRUCTION_NOTHING, /* touches no memory, or only what is the thread's own */
	MZ_INSTRUCTION_FOLLOW,  /* `code` (base/assembly.h) and `operand` say what it does */
	MZ_INSTRUCTION_LIST,    /* touches memory in a way that no code describes: to be listed in a note */
};

struct mz_instruction {
	enum mz_instruction_effect effect;
	uint32_t code;
	const char *operand; /* the memory operand, in the text that was given */
	size_t length;
	bool on_stack; /* the operand is on the stack, and nothing shows that other threads know of it */
};

/* Finds out what an instruction does. `text` has no label, comment or lock prefix; `locked` says whether there was a
 * lock prefix. */
struct mz_instruction mz_instruction_read(const char *text, size_t length, bool locked);
/* Returns whether the text is nothing but a prefix of the instruction that follows. */
bool mz_instruction_is_prefix(const char *text, size_t length);

#endif
