/* SPDX-License-Identifier: MIT
 *
 * Threads and what they synchronise by: one file per kind, requests and signals, the ends of threads and of the
 * program. Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_OBJECTS_H
#define MZ_RUNTIME_OBJECTS_H

#include "runtime/objects/attributes.h"
#include "runtime/objects/barrier.h"
#include "runtime/objects/condition.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/disposition.h"
#include "runtime/objects/exit.h"
#include "runtime/objects/explain.h"
#include "runtime/objects/fatal.h"
#include "runtime/objects/finalisers.h"
#include "runtime/objects/futex.h"
#include "runtime/objects/ignored.h"
#include "runtime/objects/leaving.h"
#include "runtime/objects/model.h"
#include "runtime/objects/mutex.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/objects/rwlock.h"
#include "runtime/objects/semaphore.h"
#include "runtime/objects/settings.h"
#include "runtime/objects/signal_actions.h"
#include "runtime/objects/signals.h"
#include "runtime/objects/surroundings.h"
#include "runtime/objects/thread.h"
#include "runtime/objects/timer.h"
#include "runtime/objects/trap.h"

#endif
