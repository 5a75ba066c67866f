/* SPDX-License-Identifier: MIT
 *
 * Questions to the solver. The constraints of a question are those of the space, and all but the last hold for the
 * inputs of the execution.
 */
#ifndef MZ_RUNTIME_INPUTS_QUESTION_H
#define MZ_RUNTIME_INPUTS_QUESTION_H

#include "concolic/expression.h"
#include "runtime/core/core.h"

/* Waits until the solver has answered what another process, which is gone, may have asked. */
void mz_question_start(void);
/* Asks for inputs that fulfil the first `count` constraints and, at their end, the condition. */
enum mz_answer mz_question_ask(uint32_t count, uint32_t condition, uint32_t value);
/* Makes the solver's model the inputs. */
void mz_question_take_model(void);
/* Changes the inputs, which fulfil the first `count` constraints, to some that fulfil one more, and makes that a
 * constraint. Returns MZ_ANSWER_SAT, or why the inputs are as they were: there are none, or none were found quickly. */
enum mz_answer mz_question_prefer(uint32_t count, uint32_t condition, bool value);

#endif
