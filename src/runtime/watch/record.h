/* SPDX-License-Identifier: MIT
 *
 * Recording a replayed execution for the reports: see trace/recording.h.
 */
#ifndef MZ_RUNTIME_WATCH_RECORD_H
#define MZ_RUNTIME_WATCH_RECORD_H

#include "runtime/core/core.h"

/* Begins recording to a descriptor. Called before the first execution. */
void mz_record_init(int fd);
/* Called before a choice: waits if the user steps through the execution, and notes whether the thread that ran last
 * could go on. */
MZ_COLD void mz_record_choice(void);
/* Records the operation that mz_commit() has just committed. */
MZ_COLD void mz_record_step(struct mz_fiber *self, struct mz_operation operation);
MZ_COLD void mz_record_thread(const struct mz_fiber *fiber, const struct mz_fiber *parent, uintptr_t entry,
                              uintptr_t caller);
void mz_record_finding(const struct mz_report *report, const char *message);
void mz_record_detail(const struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length,
                      const char *text);
/* Records that the thread has marked an object as an input, after `nth` others, by a call with that return address. */
MZ_COLD void mz_record_input(const struct mz_fiber *self, uint32_t nth, const void *object, size_t size,
                             const char *name, uintptr_t caller);
/* Writes out what was recorded so far, because the process may end at once. */
void mz_record_flush(void);
void mz_record_end(enum mz_end end);

/* Notes, for the report, which memory the operation that is committed next reads or writes, and with `has_value` which
 * value. */
MZ_COLD void mz_record_value(uintptr_t address, size_t size, bool has_value, uint64_t value);

#endif
