/* SPDX-License-Identifier: MIT
 *
 * How assembly in the program becomes visible. The assembler that `mazurka cc` puts before the real one (cli/as.c)
 * inserts a call of MZ_ASSEMBLY_FUNCTION before each instruction that touches memory, with the address and a code that
 * says what the instruction will do there. An instruction that cannot be described so is named in a note of its own
 * (name MZ_NOTE_NAME, type MZ_ASSEMBLY_NOTE) whose content is two strings: the place and the instruction.
 */
#ifndef MZ_BASE_ASSEMBLY_H
#define MZ_BASE_ASSEMBLY_H

#define MZ_ASSEMBLY_FUNCTION __mazurka_assembly
#define MZ_ASSEMBLY_NOTE 2
#define MZ_ASSEMBLY_SECTION ".note.mazurka.assembly"

#ifndef __ASSEMBLER__

#include <stdint.h>

enum mz_assembly_kind {
	MZ_ASSEMBLY_LOAD,
	MZ_ASSEMBLY_STORE,
	MZ_ASSEMBLY_UPDATE,   /* reads and writes in one atomic step, whatever it finds */
	MZ_ASSEMBLY_EXCHANGE, /* with a register */
	MZ_ASSEMBLY_COMPARE,  /* compare-exchange: with rax, or rdx and rax if it is of two words */
	MZ_ASSEMBLY_PLAIN,    /* reads, then writes; others may come in between, for there is no lock prefix */
};

/* Returns the code of an instruction: what it does, to how many bytes, 1 + the number of a register that matters (0:
 * none), and a flag. The flag is set if that register holds the number of a bit, which may be far from the address, and
 * if a compare-exchange compares two registers. */
static inline uint32_t mz_assembly_code(enum mz_assembly_kind kind, unsigned size, unsigned reg, unsigned flag)
{
	return (uint32_t)kind | size << 4 | reg << 12 | flag << 20;
}
static inline enum mz_assembly_kind mz_assembly_kind(uint32_t code)
{
	return (enum mz_assembly_kind)(code & 0xf);
}
static inline unsigned mz_assembly_size(uint32_t code)
{
	return code >> 4 & 0xff;
}
static inline unsigned mz_assembly_register(uint32_t code)
{
	return code >> 12 & 0xff;
}
static inline unsigned mz_assembly_flag(uint32_t code)
{
	return code >> 20 & 1;
}

#endif
#endif
