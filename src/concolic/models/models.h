/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library as plain C, for values that depend on inputs. Instrumented code calls __mz_model_NAME() in
 * place of NAME(). These files go through the instrumenter, which does not redirect the calls of functions whose name
 * begins in this way, but not through the pass that adds the scheduler's hooks.
 *
 * A model is the function that it stands for: the same result, the same bytes in memory, the same errno, and the same
 * accesses announced, in the same order (hooks/memory.c and hooks/text.c say which). So an execution of the model and one
 * of the function itself, in a replay or in another build, take the same steps and have the same findings. A model
 *
 *  1. is left for the function itself if nothing that it would look at depends on inputs;
 *  2. looks at memory without announcing it, and branches, until the inputs have decided what will be accessed;
 *  3. announces that, as a whole; and
 *  4. writes.
 *
 * While accesses are steps (STEPS), this would not do: what is looked at has to be what was announced, and how far a
 * function looks depends on what it sees. A model then announces each byte before it looks at it or writes it, in replays
 * as well.
 */
#ifndef MZ_CONCOLIC_MODELS_MODELS_H
#define MZ_CONCOLIC_MODELS_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The flags of concolic/abi.h. Instrumented code reads them through the same address space. */
extern __attribute__((address_space(1))) volatile uint8_t __mz_sym_active, __mz_sym_steps;

/* As in concolic/abi.h. */
int __mz_sym_is_input(const void *stream);
void __mz_sym_put_back(const void *byte);
void __mz_sym_place(const void *code);
void __mz_sym_touch(const void *address, size_t size, unsigned writes, const void *code);
int __mz_sym_depends(const void *address, size_t size);
size_t __mz_sym_length(const char *text, size_t most, const void *code);
size_t __mz_sym_compared(const char *a, const char *b, size_t most, unsigned folds, const void *code);
size_t __mz_sym_number(const char *text, int base, const void *code);
void __mz_sym_move(void *to, const void *from, size_t size, const void *code);
void __mz_sym_zero(void *to, size_t size, const void *code);
void __mz_sym_forget(void *at, size_t size);
char *__mz_sym_duplicate(const char *text, size_t length, const void *code);
void *__mz_sym_borrow(size_t size, const void *code);
void __mz_sym_give_back(void *memory, const void *code);
void __mz_sym_use(void *stream, unsigned one, const void *code);
int __mz_sym_take(void *to, int *at, void *stream, const void *code);
void __mz_sym_there(int at, const void *code);
void __mz_sym_taken(void);
uint32_t __mz_sym_plain(const void *byte);
void __mz_sym_untake(const void *byte, void *stream);
size_t __mz_sym_left(void *stream);
void __mz_sym_printed(uint64_t to, uint32_t stream);
int __mz_sym_print(char *to, size_t size, size_t room, const char *format, __builtin_va_list list, const void *code);
int __mz_sym_print_stream(void *stream, const char *format, __builtin_va_list list, const void *code);
void __mz_sym_tells(uint32_t tells);
void __mz_sym_resemble(char *to, const char *from, size_t size, const void *code);
void __mz_sym_lose_list(const void *list, const char *name, const void *code);
char *__mz_sym_line(char **line, size_t *size, size_t length, const void *code);
char **__mz_sym_words(const void *code);

#define MODEL(name) __mz_model_##name
#define CONCRETE (!__mz_sym_active)
#define STEPS (__mz_sym_steps)

/* Where the program called the model. */
#define HERE __builtin_return_address(0)
/* Goes on in the function itself, which sees the program as its caller: `GO_ON strlen(s);`. */
#define GO_ON __attribute__((musttail)) return

/* Reports whether a number does not depend on inputs. Pointers, and numbers that say how much memory is accessed, become
 * concrete where the functions above are given them. */
#define KNOWN(value)                                                                                                   \
	({                                                                                                             \
		__typeof__(value) known = (value);                                                                     \
		!__mz_sym_depends(&known, sizeof known);                                                               \
	})

/* Reports whether no byte at `at` depends on inputs. */
static inline bool is_concrete(const void *at, size_t size)
{
	return !STEPS && !__mz_sym_depends(at, size);
}

/* Reports whether no byte of a text depends on inputs, up to its end or the size given. */
static inline bool is_concrete_text(const char *text, size_t most, const void *code)
{
	size_t length = STEPS ? 0 : __mz_sym_length(text, most, code);
	return is_concrete(text, length < most ? length + 1 : most);
}

/* Looks at a byte. Where `code` is NULL, here and below, memory is the model's own, and nothing is announced. */
static inline unsigned char look(const void *at, const void *code)
{
	if (STEPS && code) __mz_sym_touch(at, 1, 0, code);
	return *(const unsigned char *)at;
}

/* Announces that bytes were looked at, or are about to be written, unless that was done for each. */
static inline void tell_read(const void *at, size_t size, const void *code)
{
	if (!STEPS && code) __mz_sym_touch(at, size, 0, code);
}

static inline void tell_write(void *at, size_t size, const void *code)
{
	if (!STEPS) __mz_sym_touch(at, size, 1, code);
}

/* Writes a byte where accesses are steps. */
static inline void put(char *at, char byte, const void *code)
{
	__mz_sym_touch(at, 1, 1, code);
	*at = byte;
}

/* Decides how long a text is, up to `most`. */
static inline size_t decide_length(const char *text, size_t most, const void *code)
{
	size_t n = 0;
	while (n < most && look(text + n, code)) n++;
	return n;
}

/* Returns how many bytes of a text are looked at to find that it has this length. */
static inline size_t looked_at(size_t length, size_t most)
{
	return length < most ? length + 1 : most;
}

#endif
