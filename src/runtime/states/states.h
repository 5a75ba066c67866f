/* SPDX-License-Identifier: MIT
 *
 * States of executions: the list of the runtime's parts, checkpoints, what tells states apart, searching them.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_STATES_H
#define MZ_RUNTIME_STATES_H

#include "runtime/states/checkpoint.h"
#include "runtime/states/parts.h"
#include "runtime/states/stateful.h"

#endif
