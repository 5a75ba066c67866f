/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library as plain C, for values that depend on inputs. Instrumented code calls __mz_model_NAME() in
 * place of NAME(). While no value can depend on an input, a model calls what it stands for. These files go through
 * `mazurka cc --symbolic` themselves, which does not redirect the calls of functions whose name begins in this way.
 */
#ifndef MZ_CONCOLIC_MODELS_MODELS_H
#define MZ_CONCOLIC_MODELS_MODELS_H

#include <stddef.h>
#include <stdint.h>

/* The flag of concolic/abi.h. The compiler's thread sanitizer does not see accesses to another address space. */
extern __attribute__((address_space(1))) volatile uint8_t __mz_sym_active;

/* As in concolic/abi.h. */
int __mz_sym_is_input(const void *stream);
void __mz_sym_put_back(const void *byte);
void __mz_sym_place(const void *code);

#define MODEL(name) __mz_model_##name
#define CONCRETE (!__mz_sym_active)

#endif
