/* SPDX-License-Identifier: MIT
 *
 * Inputs that are explored together with schedules. Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_INPUTS_H
#define MZ_RUNTIME_INPUTS_H

#include "runtime/inputs/agree.h"
#include "runtime/inputs/back.h"
#include "runtime/inputs/calls.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/list.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/path.h"
#include "runtime/inputs/reach.h"
#include "runtime/inputs/settle.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/stdin.h"
#include "runtime/inputs/symbolic.h"
#include "runtime/inputs/tests.h"
#include "runtime/inputs/values.h"

#endif
