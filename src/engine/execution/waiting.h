/* SPDX-License-Identifier: MIT
 *
 * Finds out in which states an operation is enabled that may have to wait for its first object.
 *
 * Such an operation j cannot come before every event that it conflicts with. Of a mutex, the release that let it pass
 * cannot be overtaken, but the acquisition before that can. In general j can come before event i if it is enabled after
 * all that does not happen after i. The state of its object there is the present one without the effects of what is
 * left out; order does not matter, for what commutes is added up.
 *
 * If it is not, leaving out more may help. Of a lock that was shared, those who got it after i and did not give it back
 * in what is left must not have got it either, nor may anything have happened that happens after that (unless j does:
 * who waits for what he has himself waits for ever). This is forced: so there is one largest part of the execution, if
 * there is any, after which j is enabled, and that is what a reversal consists of. What else has to be left out is in
 * mz_execution.dropped, and mz_execution_in_reversal() respects it.
 *
 * An operation that waits for any of several objects (ANY) is enabled if it gets one of them. They are used by reads
 * and writes only, so what is left out of the uses of each is the end of them, and again effects tell its state without
 * that.
 */
#ifndef MZ_ENGINE_EXECUTION_WAITING_H
#define MZ_ENGINE_EXECUTION_WAITING_H

#include "engine/execution/record.h"

struct mz_waiting {
	enum mz_op_class class;
	uint32_t latest; /* latest access of its object before the operation, or MZ_NONE */
	uint64_t state;  /* state of the object before the operation */
	uint64_t expected;
	bool enabled; /* whether it is enabled if nobody has used the object, so that the state is not known */
	uint32_t thread;
	struct mz_event_clock known; /* what the thread knew before the operation */
};

/* Describe an operation that is about to be observed; one that was observed as event j; one that is pending after the
 * last event. */
struct mz_waiting mz_waiting_new(struct mz_execution *x, const struct mz_event *event);
struct mz_waiting mz_waiting_executed(const struct mz_execution *x, uint32_t j);
struct mz_waiting mz_waiting_pending(struct mz_execution *x, uint32_t thread, const struct mz_pending *pending);

/* Returns the state of the object without event i and what happens after it, and without what x->dropped leaves out. */
uint64_t mz_waiting_state(const struct mz_execution *x, const struct mz_waiting *waiting, uint32_t i);

/* Sets x->dropped. To be called, for any operation, before mz_execution_in_reversal() is asked about its race with
 * event i. */
void mz_waiting_prepare(struct mz_execution *x, const struct mz_waiting *waiting, uint32_t i);

/* Leaves in x->rivals, latest first, the events that the operation races with. It may touch other objects besides the
 * one that it waits for. Returns false when there is no memory. */
bool mz_waiting_races(struct mz_execution *x, const struct mz_waiting *waiting, const struct mz_access *accesses,
                      unsigned naccesses);

#endif
