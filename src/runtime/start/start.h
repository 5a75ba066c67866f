/* SPDX-License-Identifier: MIT
 *
 * Where the library takes over a program: the worker, and mz_check().
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_START_H
#define MZ_RUNTIME_START_H

#include "runtime/start/check.h"

#endif
