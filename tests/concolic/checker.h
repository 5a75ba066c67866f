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

#endif
