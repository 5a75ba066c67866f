/* SPDX-License-Identifier: MIT
 *
 * What is seen of threads: accesses, data races, spinning, time, invariants, allocating, what nobody saw.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_WATCH_H
#define MZ_RUNTIME_WATCH_H

#include "runtime/watch/access.h"
#include "runtime/watch/allocation.h"
#include "runtime/watch/heap_wrong.h"
#include "runtime/watch/invariant.h"
#include "runtime/watch/race.h"
#include "runtime/watch/record.h"
#include "runtime/watch/section.h"
#include "runtime/watch/spin.h"
#include "runtime/watch/time.h"
#include "runtime/watch/touched.h"
#include "runtime/watch/unobserved.h"
#include "runtime/watch/unseen.h"

#endif
