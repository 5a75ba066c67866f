/* SPDX-License-Identifier: MIT
 *
 * What all workers that explore inputs together agree on, by notes (session/notes.h): which inputs there are, what the
 * numbers of conditions stand for, which tests were written, and facts. A fact is a value for a key, which is a hash of
 * something that does not depend on the worker; the first value that any worker gives it counts for the whole run. A worker
 * that explores alone agrees with itself.
 */
#ifndef MZ_RUNTIME_INPUTS_AGREE_H
#define MZ_RUNTIME_INPUTS_AGREE_H

#include "runtime/core/core.h"
#include "session/notes.h"

/* Says by which notes to agree with other workers, before the first execution. */
void mz_agree_with(const struct mz_notes *notes);

/* Returns the number by which all workers know an expression of this one's, and the other way around. */
uint32_t mz_agree_number(uint32_t expression);
uint32_t mz_agree_expression(uint32_t number);

/* Finds an input, or adds it. Returns NULL if there are too many (--max-input-bytes). */
struct mz_session_input *mz_agree_input(uint32_t thread, uint32_t nth, size_t size, const char *name);

/* What keys are for: facts of different subjects have different keys. */
enum mz_subject { MZ_SUBJECT_OUTCOMES = 1, MZ_SUBJECT_VALUE, MZ_SUBJECT_PATH, MZ_SUBJECT_TEXT, MZ_SUBJECT_LIBRARY };

/* Reports whether there is a fact, and fills in its value. */
bool mz_agree_find(enum mz_subject subject, uint64_t key, uint64_t *value);
/* Returns the value of a fact: this one, unless another worker was faster. */
uint64_t mz_agree_on(enum mz_subject subject, uint64_t key, uint64_t value);

/* No other worker writes tests, or adds facts, between these two. */
void mz_agree_begin(void);
void mz_agree_end(void);
/* Between these: adds a fact that is not there. */
void mz_agree_add(enum mz_subject subject, uint64_t key, uint64_t value);
/* Between these: notes that another test was written, or could not be; a fact says that there is one with this text. */
void mz_agree_add_test(uint64_t text, bool written);
/* Returns how many tests there were. */
uint32_t mz_agree_tests(void);

#endif
