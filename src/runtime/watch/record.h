/* SPDX-License-Identifier: MIT
 *
 * Recording a replayed execution for the reports: see trace/recording.h.
 */
#ifndef MZ_RUNTIME_WATCH_RECORD_H
#define MZ_RUNTIME_WATCH_RECORD_H

#include "runtime/core/core.h"

/* Before the first execution. */
void mz_record_init(int fd);
/* A choice is about to be made. */
MZ_COLD void mz_record_choice(void);
/* The operation of mz_commit(). */
MZ_COLD void mz_record_step(struct mz_fiber *self, enum mz_op op, uint16_t naccesses, uint32_t alternatives);
MZ_COLD void mz_record_thread(const struct mz_fiber *fiber, const struct mz_fiber *parent, uintptr_t entry,
                              uintptr_t caller);
void mz_record_finding(const struct mz_report *report, const char *message);
void mz_record_detail(const struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length,
                      const char *text);
/* Hands on what was recorded so far: the process may end without another word. */
void mz_record_flush(void);
void mz_record_end(enum mz_end end);

/* What the operation that will be committed next reads or writes, for people. */
MZ_COLD void mz_record_value(uintptr_t address, size_t size, bool has_value, uint64_t value);

#endif
