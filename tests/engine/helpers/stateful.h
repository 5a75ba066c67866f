/* SPDX-License-Identifier: MIT
 *
 * Scripts as programs whose states can be kept (trace/stateful.h).
 */
#ifndef MZ_TESTS_STATEFUL_H
#define MZ_TESTS_STATEFUL_H

#include "machine.h"
#include "trace/stateful.h"

/* A state as words: of memory, mutexes, conditions and who waits there, threads. All are of this length. */
size_t machine_size(const struct script *script);
void machine_store(const struct machine *machine, uint64_t *state);
void machine_load(struct machine *machine, const uint64_t *state);
/* What a thread by itself remembers. */
uint64_t machine_local(const struct machine *machine, uint32_t thread);

struct stateful_script {
	struct machine machine;
	uint64_t **kept; /* by handle; NULL: free */
	size_t nkept, kept_capacity;
	size_t in_use, most; /* handles; there is no memory for more than `most`, if not 0 */
	uint64_t *state;     /* for bytes() */
	struct mz_access reads[2];
	uint64_t moved; /* steps in all */
	/* What witness() does. */
	void *witness;
	void (*see)(void *witness, const struct mz_step *schedule, uint32_t steps);
};

void stateful_script_init(struct stateful_script *program, const struct script *script);
void stateful_script_release(struct stateful_script *program);
struct mz_stateful stateful_script_program(struct stateful_script *program, bool keys_are_cheap);

/* Executes a step as run_thread() does. Accesses of the event, with that of the thread's end, are left in
 * `accesses`. */
enum mz_halt stateful_step(struct machine *machine, struct mz_step step, struct mz_access *accesses,
                           struct mz_stride *stride);
/* Returns whether a thread can make a step, and if not, why: see thread_halt() in trace/stateful.h. */
enum mz_halt stateful_halt(const struct machine *machine, uint32_t thread, struct mz_access *waits, uint16_t *nwaits);

#endif
