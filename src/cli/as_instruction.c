/* SPDX-License-Identifier: MIT
 *
 * Instructions are known by name, with or without the letter for the operand's size. An instruction that is not known
 * and has an operand in memory is listed. Operands on the stack may be the thread's own, unless a lock prefix shows that
 * they are shared.
 */
#include "cli/as_instruction.h"
#include "base/assembly.h"
#include <string.h>

struct word {
	const char *text;
	size_t length;
};

enum { OPERANDS = 4, NAME_SIZE = 24 };

struct parsed {
	char name[NAME_SIZE];
	struct word operands[OPERANDS];
	size_t n;
	size_t memory; /* index of the operand that is in memory; OPERANDS if none is */
	bool locked;
	unsigned size; /* bytes, as the last letter of the name says; 0 if it does not */
};

/* ---- names ---- */

/* Instructions that touch no memory, whatever their operands look like, or only memory of the thread itself, such as
 * its stack or the state of its floating-point unit. A star stands for any ending. */
static const char *const harmless[] = {
    "lea",      "leal",   "leaq",    "leaw",    "nop*",     "prefetch*", "j*",     "call*",   "ret*",    "loop*",
    "clflush*", "clwb",   "invlpg",  "ud*",     "endbr*",   "pause",     "lfence", "mfence",  "sfence",  "fnstcw",
    "fstcw",    "fldcw",  "stmxcsr", "ldmxcsr", "fxsave*",  "fxrstor*",  "xsave*", "xrstor*", "fnstenv", "fldenv",
    "fnsave",   "frstor", "fnstsw",  "fstsw",   "vstmxcsr", "vldmxcsr",  "pop*",   NULL};

/* Instructions that cannot be followed, and are listed: string instructions, whose operands in memory are implicit, and
 * those that enter the kernel. */
static const char *const listed[] = {"movsb", "movsw", "movsl", "movsq",   "stosb",    "stosw", "stosl",
                                     "stosq", "lodsb", "lodsw", "lodsl",   "lodsq",    "cmpsb", "cmpsw",
                                     "cmpsl", "cmpsq", "scasb", "scasw",   "scasl",    "scasq", "insb",
                                     "insl",  "outsb", "outsl", "syscall", "sysenter", "int",   NULL};

/* Instructions that only read an operand in memory. */
static const char *const reading[] = {"cmp",  "test", "bt",  "push",  "mul",   "imul",   "div",
                                      "idiv", "bsf",  "bsr", "tzcnt", "lzcnt", "popcnt", NULL};
/* Instructions that read the first operand, and read and write the last. */
static const char *const updating[] = {"add", "sub", "and", "or",  "xor", "adc", "sbb", "inc", "dec", "neg",  "not",
                                       "shl", "shr", "sal", "sar", "rol", "ror", "bts", "btr", "btc", "xadd", NULL};

static bool is_like(const char *name, const char *pattern)
{
	size_t length = strlen(pattern);
	if (pattern[length - 1] == '*') return strncmp(name, pattern, length - 1) == 0;
	return strcmp(name, pattern) == 0;
}

static bool is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (is_like(name, *names)) return true;
	return false;
}

static unsigned size_of_letter(char letter)
{
	switch (letter) {
	case 'b': return 1;
	case 'w': return 2;
	case 'l': return 4;
	case 'q': return 8;
	default: return 0;
	}
}

static bool is_known(const char *name)
{
	return is_among(name, reading) || is_among(name, updating) || strcmp(name, "mov") == 0 ||
	       strcmp(name, "xchg") == 0 || strcmp(name, "cmpxchg") == 0 || strcmp(name, "movnti") == 0;
}

/* Removes the letter for the size from the name of an instruction that is known without it. */
static void split_name(struct parsed *p)
{
	size_t length = strlen(p->name);
	if (length < 2 || is_known(p->name)) return;
	unsigned size = size_of_letter(p->name[length - 1]);
	char last = p->name[length - 1];
	p->name[length - 1] = '\0';
	if (size && is_known(p->name))
		p->size = size;
	else
		p->name[length - 1] = last;
}

/* ---- operands ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct word trimmed(const char *text, size_t length)
{
	while (length && is_space(*text)) text++, length--;
	while (length && is_space(text[length - 1])) length--;
	return (struct word){text, length};
}

static bool contains(struct word word, const char *part)
{
	return memmem(word.text, word.length, part, strlen(part)) != NULL;
}

/* Finds the number of a general register, and how many bytes of it are meant. Returns false if the operand is not a
 * register. */
static bool read_register(struct word word, unsigned *number, unsigned *size)
{
	static const char *const names[][16] = {
	    {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
	     "r15"},
	    {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d",
	     "r14d", "r15d"},
	    {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w",
	     "r15w"},
	    {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b",
	     "r15b"},
	};
	static const unsigned sizes[] = {8, 4, 2, 1};
	if (word.length < 2 || word.text[0] != '%') return false;
	for (unsigned row = 0; row < 4; row++)
		for (unsigned i = 0; i < 16; i++) {
			if (strlen(names[row][i]) != word.length - 1) continue;
			if (strncmp(names[row][i], word.text + 1, word.length - 1) != 0) continue;
			*number = i;
			*size = sizes[row];
			return true;
		}
	return false;
}

static bool is_memory(struct word word)
{
	if (!word.length || word.text[0] == '$' || word.text[0] == '*') return false;
	if (word.text[0] == '%') return contains(word, ":");
	return true;
}

/* Returns whether the operand is memory of the thread alone, addressed by a segment register. */
static bool is_thread_local(struct word word)
{
	return contains(word, "%fs:") || contains(word, "%gs:");
}

static bool is_on_stack(struct word word)
{
	return contains(word, "(%rsp") || contains(word, "(%rbp") || contains(word, "(%esp");
}

/* Splits the operands at commas that are not within parentheses, and finds the one that is in memory. */
static void split_operands(struct parsed *p, const char *text, size_t length)
{
	size_t depth = 0, from = 0;
	for (size_t i = 0; i <= length && p->n < OPERANDS; i++) {
		char c = i < length ? text[i] : ',';
		depth += c == '(';
		if (c == ')' && depth) depth--;
		if (c != ',' || (depth && i < length)) continue;
		struct word operand = trimmed(text + from, i - from);
		if (operand.length) p->operands[p->n++] = operand;
		from = i + 1;
	}
	for (p->memory = 0; p->memory < p->n && !is_memory(p->operands[p->memory]);) p->memory++;
	if (p->memory == p->n) p->memory = OPERANDS;
}

static bool parse(struct parsed *p, const char *text, size_t length, bool locked)
{
	struct word all = trimmed(text, length);
	size_t name = 0;
	*p = (struct parsed){.locked = locked};
	while (name < all.length && !is_space(all.text[name])) name++;
	if (!name || name >= NAME_SIZE) return false;
	memcpy(p->name, all.text, name);
	split_operands(p, all.text + name, all.length - name);
	return true;
}

/* ---- effects ---- */

static struct mz_instruction none(void)
{
	return (struct mz_instruction){.effect = MZ_INSTRUCTION_NOTHING};
}

static struct mz_instruction list(void)
{
	return (struct mz_instruction){.effect = MZ_INSTRUCTION_LIST};
}

static struct mz_instruction follow(const struct parsed *p, enum mz_assembly_kind kind, unsigned size, unsigned reg,
                                    bool is_bit)
{
	struct word operand = p->operands[p->memory];
	if (!size || contains(operand, "[")) return list();
	return (struct mz_instruction){.effect = MZ_INSTRUCTION_FOLLOW,
	                               .code = mz_assembly_code(kind, size, reg, is_bit),
	                               .operand = operand.text,
	                               .length = operand.length};
}

/* Returns the size of the access, from the name or else from a register beside the operand in memory; 0 if neither
 * tells. */
static unsigned size_of(const struct parsed *p)
{
	unsigned number, size = p->size;
	for (size_t i = 0; i < p->n && !size; i++)
		if (i != p->memory && !read_register(p->operands[i], &number, &size)) size = 0;
	return size;
}

static bool is_last(const struct parsed *p)
{
	return p->memory + 1 == p->n;
}

/* Returns whether the instruction is a fence written as an atomic operation on the stack that changes nothing. */
static bool is_fence(const struct parsed *p)
{
	bool adds_nothing = p->n == 2 && p->operands[0].length == 2 && memcmp(p->operands[0].text, "$0", 2) == 0;
	return p->locked && adds_nothing && is_on_stack(p->operands[1]);
}

static struct mz_instruction read_update(const struct parsed *p)
{
	unsigned number = 0, size = size_of(p), other;
	bool bits = strncmp(p->name, "bt", 2) == 0;
	if (!is_last(p)) return follow(p, MZ_ASSEMBLY_LOAD, size, 0, false);
	bool by_register = bits && p->n == 2 && read_register(p->operands[0], &number, &other);
	return follow(p, p->locked ? MZ_ASSEMBLY_UPDATE : MZ_ASSEMBLY_PLAIN, size, by_register ? number + 1 : 0,
	              by_register);
}

static struct mz_instruction read_exchange(const struct parsed *p)
{
	unsigned number, size;
	if (p->n != 2 || !read_register(p->operands[1 - p->memory], &number, &size)) return list();
	return follow(p, MZ_ASSEMBLY_EXCHANGE, p->size ? p->size : size, number + 1, false);
}

/* Reads instructions that are in none of the lists. Those like movzbl read as many bytes as the letter before the last
 * says; setcc writes one byte. */
static struct mz_instruction read_other(const struct parsed *p)
{
	size_t length = strlen(p->name);
	bool extends = (strncmp(p->name, "movz", 4) == 0 || strncmp(p->name, "movs", 4) == 0) && length == 6;
	if (extends && !is_last(p)) return follow(p, MZ_ASSEMBLY_LOAD, size_of_letter(p->name[4]), 0, false);
	if (strncmp(p->name, "set", 3) == 0 && p->n == 1) return follow(p, MZ_ASSEMBLY_STORE, 1, 0, false);
	if (strncmp(p->name, "cmov", 4) == 0) return follow(p, MZ_ASSEMBLY_LOAD, size_of(p), 0, false);
	bool wide = strcmp(p->name, "cmpxchg16b") == 0;
	if (wide || strcmp(p->name, "cmpxchg8b") == 0)
		return follow(p, p->locked ? MZ_ASSEMBLY_COMPARE : MZ_ASSEMBLY_PLAIN, wide ? 16 : 8, 0, p->locked);
	struct word operand = p->operands[p->memory]; /* a name without brackets may be the operand of a macro */
	return contains(operand, "(") || contains(operand, "[") ? list() : none();
}

static struct mz_instruction read_known(const struct parsed *p)
{
	if (strcmp(p->name, "mov") == 0 || strcmp(p->name, "movnti") == 0)
		return follow(p, is_last(p) ? MZ_ASSEMBLY_STORE : MZ_ASSEMBLY_LOAD, size_of(p), 0, false);
	if (strcmp(p->name, "xchg") == 0) return read_exchange(p);
	if (strcmp(p->name, "cmpxchg") == 0)
		return follow(p, p->locked ? MZ_ASSEMBLY_COMPARE : MZ_ASSEMBLY_PLAIN, size_of(p), 0, false);
	if (is_among(p->name, updating)) return read_update(p);
	if (is_among(p->name, reading)) return follow(p, MZ_ASSEMBLY_LOAD, size_of(p), 0, false);
	return read_other(p);
}

struct mz_instruction mz_instruction_read(const char *text, size_t length, bool locked)
{
	struct parsed p;
	if (!parse(&p, text, length, locked)) return none();
	if (p.name[0] == '.' || is_among(p.name, harmless)) return none();
	if (is_among(p.name, listed) && (p.n == 0 || strncmp(p.name, "int", 3) == 0 || p.memory != OPERANDS))
		return list();
	if (p.memory == OPERANDS) return none();
	if (is_thread_local(p.operands[p.memory])) return none();
	split_name(&p);
	bool shared = locked || strcmp(p.name, "xchg") == 0;
	bool on_stack = is_on_stack(p.operands[p.memory]);
	if (on_stack && is_fence(&p)) return none();
	struct mz_instruction found = read_known(&p);
	found.on_stack = on_stack && !shared;
	return found;
}

bool mz_instruction_is_prefix(const char *text, size_t length)
{
	static const char *const prefixes[] = {"lock",     "rep",      "repe",   "repz",   "repne",   "repnz",
	                                       "xacquire", "xrelease", "data16", "addr32", "notrack", "bnd",
	                                       "rex*",     "cs",       "ds",     "es",     NULL};
	struct word all = trimmed(text, length);
	char name[NAME_SIZE];
	if (!all.length || all.length >= sizeof name) return false;
	memcpy(name, all.text, all.length);
	name[all.length] = '\0';
	return is_among(name, prefixes);
}
