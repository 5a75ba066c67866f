/* SPDX-License-Identifier: MIT
 *
 * What programs that are linked with checker.c use: they define test().
 */
#ifndef MZ_TESTS_CONCOLIC_CHECKER_H
#define MZ_TESTS_CONCOLIC_CHECKER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void mz_symbolic(void *object, size_t size, const char *name);
/* Something that the program computes: the checker knows it beforehand from the expressions of the run before. */
void observe(uint64_t value);
void test(void);

#ifdef __cplusplus
}
#endif

#define INPUT(variable) mz_symbolic(&(variable), sizeof(variable), #variable)

/* FOR_ALL_INTEGERS(DEFINE) defines a function for each type of integers, if DEFINE(name, type) defines one with two
 * parameters; FOR_ALL_INTEGERS(CALL_WITH_X_AND_Y) calls them, with the variables x and y. */
#define FOR_ALL_INTEGERS(FUNCTION)                                                                                     \
	FUNCTION(all_i8, int8_t)                                                                                       \
	FUNCTION(all_u8, uint8_t)                                                                                      \
	FUNCTION(all_i16, int16_t)                                                                                     \
	FUNCTION(all_u16, uint16_t)                                                                                    \
	FUNCTION(all_i32, int32_t)                                                                                     \
	FUNCTION(all_u32, uint32_t)                                                                                    \
	FUNCTION(all_i64, int64_t)                                                                                     \
	FUNCTION(all_u64, uint64_t)
#define CALL_WITH_X_AND_Y(function, type) function((type)x, (type)y);

#endif
