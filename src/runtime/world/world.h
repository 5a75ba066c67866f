/* SPDX-License-Identifier: MIT
 *
 * What is around the program: files, chance, calls that fail, streams, what it says.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_WORLD_H
#define MZ_RUNTIME_WORLD_H

#include "runtime/world/chance.h"
#include "runtime/world/fault.h"
#include "runtime/world/files.h"
#include "runtime/world/said.h"
#include "runtime/world/streams.h"

#endif
