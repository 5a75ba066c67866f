/* SPDX-License-Identifier: MIT
 *
 * All kinds of objects: the one place that names them.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/objects/objects.h"

const struct mz_object_kind mz_object_kinds[MZ_OBJECT_TYPES] = {
    [MZ_OBJECT_PLAIN] = {.waits = "waits for a signal on condition"},
    [MZ_OBJECT_RWLOCK] = {.explain = mz_rwlock_explain,
                          .explain_holdings = mz_rwlock_explain_holdings,
                          .forget = mz_rwlock_forget},
    [MZ_OBJECT_SEMAPHORE] = {.waits = "waits for a post of semaphore"},
    [MZ_OBJECT_BARRIER] = {.waits = "waits for others to arrive at barrier", .rounds = true},
    [MZ_OBJECT_FUTEX] = {.waits = "waits to be woken at futex"},
    [MZ_OBJECT_CHANNEL] = {.explain = mz_descriptors_explain_wait, .derived = true},
};
