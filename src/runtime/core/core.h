/* SPDX-License-Identifier: MIT
 *
 * What every room knows: threads and the state of the runtime (runtime.h), objects by address, the program's calls and
 * the machine they are made on, calls into the C library, the bytes of a state.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_CORE_H
#define MZ_RUNTIME_CORE_H

#include "runtime/core/arch.h"
#include "runtime/core/caller.h"
#include "runtime/core/clock.h"
#include "runtime/core/elf.h"
#include "runtime/core/follow.h"
#include "runtime/core/hooks.h"
#include "runtime/core/layout.h"
#include "runtime/core/object.h"
#include "runtime/core/pointers.h"
#include "runtime/core/real.h"
#include "runtime/core/runtime.h"
#include "runtime/core/state.h"
#include "runtime/core/uncontrolled.h"
#include "runtime/core/way.h"

#endif
