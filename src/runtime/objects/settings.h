/* SPDX-License-Identifier: MIT
 *
 * What the program has set about its threads that changes nothing here, because any thread may run at any time: the
 * processors on which a thread may run, its policy, its priority and its name. Values are checked as the kernel checks them, told
 * as they were set, and inherited by the threads that a thread creates.
 */
#ifndef MZ_RUNTIME_OBJECTS_SETTINGS_H
#define MZ_RUNTIME_OBJECTS_SETTINGS_H

#include "runtime/core/core.h"
#include <sched.h>

struct mz_settings {
	cpu_set_t processors;
	int policy;
	int priority;
};

/* Returns the settings of a thread. */
struct mz_settings mz_settings_of(const struct mz_fiber *fiber);
/* Change them. */
void mz_settings_schedule(const struct mz_fiber *fiber, int policy, int priority);
void mz_settings_set(const struct mz_fiber *fiber, const struct mz_settings *settings);
/* Gives a new thread those of its creator. */
void mz_settings_inherit(const struct mz_fiber *creator, const struct mz_fiber *fiber);

/* Names of threads, of which the first 15 characters count; a thread without a name of its own has the program's. */
#define MZ_NAME_OF_THREAD 16
void mz_settings_set_name(struct mz_fiber *fiber, const char *name);
void mz_settings_get_name(const struct mz_fiber *fiber, char name[MZ_NAME_OF_THREAD]);

/* Return what the kernel says to a policy and a priority, 0, EINVAL or EPERM; and to processors, which are reduced to
 * those that the process may use, 0 or EINVAL. */
int mz_settings_check(int policy, int priority);
int mz_settings_check_processors(cpu_set_t *processors, const cpu_set_t *wanted, size_t size);

void mz_settings_reset(void);
/* See state.h. What is stored is also what tells states apart. */
bool mz_settings_is_used(void);
void mz_settings_store(struct mz_state *state);
void mz_settings_load(struct mz_state *state);

#endif
