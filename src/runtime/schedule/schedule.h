/* SPDX-License-Identifier: MIT
 *
 * Who runs: the scheduler, fibers, findings, ends of executions, plugins.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_SCHEDULE_H
#define MZ_RUNTIME_SCHEDULE_H

#include "runtime/schedule/crash.h"
#include "runtime/schedule/early.h"
#include "runtime/schedule/plugin.h"

#endif
