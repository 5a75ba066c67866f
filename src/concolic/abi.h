/* SPDX-License-Identifier: MIT
 *
 * What instrumented code (`mazurka cc --symbolic`) calls. A shadow is the number of the expression that a value has, or
 * 0 if the value depends on no input. The library defines these functions; the instrumenter puts calls of them into
 * programs, each behind a check that a shadow is not 0, or that __mz_sym_active is not 0. Values are given as 64 bits,
 * of which the lowest `width` count, with 1 <= width <= 64; values of other types have no shadow.
 *
 * The scheduler can let other threads run inside a function marked "step" only.
 */
#ifndef MZ_CONCOLIC_ABI_H
#define MZ_CONCOLIC_ABI_H

#include <stddef.h>
#include <stdint.h>

#define MZ_SYM __attribute__((visibility("default")))

/* Not 0 while some value of the execution may depend on an input, and in replays from where that was so. */
extern MZ_SYM uint8_t __mz_sym_active;
/* Not 0 while, besides, accesses to memory are steps: models access memory byte by byte then, because the inputs decide
 * which byte is next. */
extern MZ_SYM uint8_t __mz_sym_steps;

/* Return the shadow of the result of an operation. `a` and `b`: shadows of the operands, not all 0; `va`, `vb`: their
 * values; `result`: that of the result. `op`: enum mz_operator, of arithmetic or a comparison (then `width` is the
 * operands'); of conversions. */
MZ_SYM uint32_t __mz_sym_binary(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t va, uint64_t vb,
                                uint64_t result);
MZ_SYM uint32_t __mz_sym_convert(uint32_t op, uint32_t from, uint32_t to, uint32_t a, uint64_t result);
/* select: `condition` is a shadow, not 0. */
MZ_SYM uint32_t __mz_sym_select(uint32_t width, uint32_t condition, uint32_t a, uint32_t b, uint64_t va, uint64_t vb);

/* Step. Before a division or remainder whose operands have the shadows a and b, not both 0: is the divisor 0, does the
 * quotient overflow? `op` is UDIV, SDIV, UREM or SREM. */
MZ_SYM void __mz_sym_division(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t va, uint64_t vb);
/* Step. Before a conditional branch on a bit with a shadow, not 0. */
MZ_SYM void __mz_sym_branch(uint32_t shadow, uint32_t value);
/* Step. Before a switch on a value with a shadow, not 0. The cases are in the order of the source. */
MZ_SYM void __mz_sym_switch(uint32_t shadow, uint32_t width, uint64_t value, uint32_t ncases, const uint64_t *cases);
/* Step. Before a value with a shadow, not 0, is used where it must be concrete: as an address, the length of a copy,
 * the size of an allocation, the target of a call. Each value that is possible is explored. */
MZ_SYM void __mz_sym_settle(uint32_t shadow, uint32_t width, uint64_t value);
/* A value with a shadow, not 0, goes where no shadow follows it (floating point, a library that is not instrumented,
 * more than 64 bits): this is counted, by place. `kind`: enum mz_sym_lost, of which READ (by code that is not
 * instrumented) is the library's own. */
enum mz_sym_lost {
	MZ_SYM_LOST_FLOAT,
	MZ_SYM_LOST_CALL,
	MZ_SYM_LOST_WIDE,
	MZ_SYM_LOST_READ,
	MZ_SYM_LOST_RESULT,
	MZ_SYM_LOST_VARIABLE, /* a variable argument: `what` is the function, or "" */
	MZ_SYM_LOST_DECLARED, /* a function is declared differently where it is called: the library's own */
	MZ_SYM_LOST_OTHER
};
MZ_SYM void __mz_sym_lost(uint32_t shadow, uint32_t kind, const char *what);
/* A value with a shadow is about to be printed to a stream (FILE *), or to a descriptor. */
MZ_SYM void __mz_sym_printed(uint64_t to, uint32_t stream);

/* Before an atomic operation that reads and writes, on memory at `address`, one of whose operands has a shadow, not 0:
 * whether it changes anything depends on inputs. */
MZ_SYM void __mz_sym_operand(const void *address);

/* After a load, or an atomic operation that reads, of 1, 2, 4 or 8 bytes; `value` is what was read. Returns its
 * shadow. */
MZ_SYM uint32_t __mz_sym_load(const void *address, uint32_t size, uint64_t value);
/* After a store, or an atomic operation that wrote. */
MZ_SYM void __mz_sym_store(void *address, uint32_t size, uint32_t shadow, uint64_t value);
/* After memory was copied, set, or begins anew (a variable of a block). */
MZ_SYM void __mz_sym_copy(void *to, const void *from, uint64_t size);
MZ_SYM void __mz_sym_set(void *to, uint64_t size, uint32_t shadow);

/* Reports whether what is read from a stream (FILE *) depends on inputs. */
MZ_SYM int __mz_sym_is_input(const void *stream);
/* After ungetc() has put a byte back into a stream: `byte` is where it came from, with its shadow. */
MZ_SYM void __mz_sym_put_back(const void *byte);
/* Sets where values are lost that a function of the C library reads for a model: where the model was called. NULL: the
 * function has returned. */
MZ_SYM void __mz_sym_place(const void *code);

/* ---- what models (models/) are made of. `code` is where the program called the model: findings are reported there ---- */

/* Step, if accesses are. Announces an access as the function would that the model stands for. Shadows stay as they are. */
MZ_SYM void __mz_sym_touch(const void *address, uint64_t size, uint32_t writes, const void *code);
/* Reports whether there are bytes that depend on inputs. */
MZ_SYM int __mz_sym_depends(const void *address, uint64_t size);
/* The following announce nothing. They return the number of bytes before the end of a text, up to `most`; the number of bytes
 * that a comparison of two texts looks at in each, with a difference between capital and small letters or not (`folds`); and
 * the number of bytes that a function which reads a number looks at, at most. */
MZ_SYM uint64_t __mz_sym_length(const char *text, uint64_t most, const void *code);
MZ_SYM uint64_t __mz_sym_compared(const char *a, const char *b, uint64_t most, uint32_t folds, const void *code);
MZ_SYM uint64_t __mz_sym_number(const char *text, int base, const void *code);
/* Copies memory with its shadows; the places may overlap. Sets memory to 0, and its shadows. */
MZ_SYM void __mz_sym_move(void *to, const void *from, uint64_t size, const void *code);
MZ_SYM void __mz_sym_zero(void *to, uint64_t size, const void *code);
/* Ends the shadows of memory that is no longer used. */
MZ_SYM void __mz_sym_forget(void *at, uint64_t size);
/* Allocates a copy of a text with its shadows, as strdup() does: the call can be made to fail. */
MZ_SYM char *__mz_sym_duplicate(const char *text, uint64_t length, const void *code);
/* Returns memory for the time of a call, which never is made to fail, or NULL; and frees it. */
MZ_SYM void *__mz_sym_borrow(uint64_t size, const void *code);
MZ_SYM void __mz_sym_give_back(void *memory, const void *code);
/* Step, if threads share what is behind the stream: a function that reads it, `one` byte or more, is called. */
MZ_SYM void __mz_sym_use(void *stream, uint32_t one, const void *code);
/* Takes a byte from a stream that is an input, with its shadow, and announces nothing. Returns 0 at the end. `*at`: what
 * __mz_sym_there() is to be told. */
MZ_SYM int __mz_sym_take(void *to, int *at, void *stream, const void *code);
/* Step. Branches on whether there was a byte to take. A call takes all its bytes before, because nobody else can take any
 * in between. */
MZ_SYM void __mz_sym_there(int at, const void *code);
/* Says that the call has branched on all that decides how many bytes it takes. Until then no other thread goes on. */
MZ_SYM void __mz_sym_taken(void);
/* Returns a byte, without its shadow. */
MZ_SYM uint32_t __mz_sym_plain(const void *byte);
/* Gives it back: `byte` is where it is, with its shadow. */
MZ_SYM void __mz_sym_untake(const void *byte, void *stream);
/* Returns how many bytes are left at most. */
MZ_SYM uint64_t __mz_sym_left(void *stream);
/* Print as vsnprintf() and vfprintf() do, for the program at `code`; `room`: how much there is, as far as the compiler knows. */
MZ_SYM int __mz_sym_print(char *to, uint64_t size, uint64_t room, const char *format, __builtin_va_list list,
                          const void *code);
MZ_SYM int __mz_sym_print_stream(void *stream, const char *format, __builtin_va_list list, const void *code);
/* Says whether what the C library reads from now on is to be told of, if it has shadows. */
MZ_SYM void __mz_sym_tells(uint32_t tells);
/* Gives bytes the shadows of others, which are the same; those that are not are counted as lost. */
MZ_SYM void __mz_sym_resemble(char *to, const char *from, uint64_t size, const void *code);
/* Counts as lost what a list has, if it depends on inputs; `name` is the function that it was given to. */
MZ_SYM void __mz_sym_lose_list(const void *list, const char *name, const void *code);
/* Makes room for a line of `length` bytes, as getline() does. Returns the room, or NULL if there is no memory. */
MZ_SYM char *__mz_sym_line(char **line, size_t *size, uint64_t length, const void *code);
/* Returns where strtok() goes on, and announces an access to that unless `code` is NULL. */
MZ_SYM char **__mz_sym_words(const void *code);

/* Before a call of `callee`, which the module does not define, with a pointer: to an object of `size` bytes, or to `count` of
 * them (one of the arguments may say so), or to a text (size 0). If the function tells nobody what it reads (told.h), and
 * there are inputs there, or behind pointers that lie there, they are counted as lost. `callee` is NULL before inline
 * assembly, and where the result of a call depends on what is there. `name` is "" if the call is indirect. */
MZ_SYM void __mz_sym_reaches(const void *callee, const void *pointer, uint64_t size, uint64_t count, const char *name);

/* Arguments and results. Before a call of `callee` with shadows that are not all 0, one call for each that is not:
 * __mz_sym_pass(). At the entry of an instrumented function, for each parameter: __mz_sym_parameter(); then
 * __mz_sym_entered(). Before it returns: __mz_sym_return(), for each scalar of its result. After the call:
 * __mz_sym_result(). `callee` and `self` are addresses of functions: what was passed to another function than the one
 * that asks does not count. `index` counts the parameters, of which a struct that is passed by value in memory is
 * one for each eight bytes, and one for each byte that is left over; in a result that is a struct, its scalars.
 *
 * The two sides may have declared the function differently. What is passed is what its register has: a number that the
 * declaration extends has a shadow of 32 bits. Who takes it says how many bits count there. */
MZ_SYM void __mz_sym_pass(const void *callee, uint32_t index, uint32_t shadow);
MZ_SYM uint32_t __mz_sym_parameter(const void *self, uint32_t index, uint64_t value, uint32_t width);
/* Variable arguments are numbered from 64 on by where they are passed: in the six general registers of x86-64, the eight for
 * floating-point numbers, or on the stack. __mz_sym_variable() takes those of SELF, before that is entered;
 * __mz_sym_start_list() is called when va_start() has made a list, and finds the memory of the registers there. */
#define MZ_SYM_VARIABLE 64
#define MZ_SYM_VARIABLE_SLOTS 64
MZ_SYM void __mz_sym_variable(const void *self);
MZ_SYM void __mz_sym_start_list(const void *self, const void *list);
/* As __mz_sym_printed(), for a function that prints what a list has, if some of that depends on inputs. */
MZ_SYM void __mz_sym_printed_list(const void *list, uint64_t to, uint32_t stream);
MZ_SYM void __mz_sym_entered(void);
MZ_SYM void __mz_sym_return(const void *self, uint32_t index, uint32_t shadow);
MZ_SYM uint32_t __mz_sym_result(const void *callee, uint32_t index, uint64_t value, uint32_t width);

#endif
