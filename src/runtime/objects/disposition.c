/* SPDX-License-Identifier: MIT */
#include "runtime/objects/disposition.h"
#include "runtime/objects/model.h"
#include <string.h>

static struct sigaction actions[MZ_SIGNALS_MAX + 1];
/* the signals, as bits, that have an entry in `actions`; all others have the default disposition */
static uint64_t set_actions;

bool mz_signals_is_valid(int number)
{
	return number > 0 && number <= MZ_SIGNALS_MAX;
}

bool mz_signals_is_internal(int number)
{
	return number >= 32 && number < SIGRTMIN;
}

uint64_t mz_signals_of(const sigset_t *set)
{
	uint64_t signals = 0;
	for (int number = 1; number <= MZ_SIGNALS_MAX; number++)
		if (sigismember(set, number) == 1 && !mz_signals_is_internal(number)) signals |= mz_signals_bit(number);
	return signals;
}

void mz_signals_to(uint64_t signals, sigset_t *set)
{
	sigemptyset(set);
	for (int number = 1; number <= MZ_SIGNALS_MAX; number++)
		if (signals & mz_signals_bit(number)) sigaddset(set, number);
}

/* All orders of changing a disposition and acting by it are explored. */
void mz_signals_touch_action(struct mz_fiber *self, int number, bool changes, uintptr_t caller)
{
	struct mz_object *object = mz_object_find((uintptr_t)&actions[number]);
	mz_object_do(self, object, changes ? MZ_OP_ACCESS : MZ_OP_LOAD, changes ? MZ_WRITE : MZ_READ, 0, caller);
}

struct sigaction mz_signals_action_of(int number)
{
	return set_actions & mz_signals_bit(number) ? actions[number] : (struct sigaction){.sa_handler = SIG_DFL};
}

void mz_signals_set_action(int number, const struct sigaction *new)
{
	bool is_default = !(new->sa_flags &SA_SIGINFO) && new->sa_handler == SIG_DFL;
	set_actions = is_default ? set_actions & ~mz_signals_bit(number) : set_actions | mz_signals_bit(number);
	memset(&actions[number], 0, sizeof actions[number]); /* all bytes tell states apart */
	actions[number].sa_sigaction = new->sa_sigaction;
	actions[number].sa_flags = new->sa_flags;
	mz_signals_to(mz_signals_of(&new->sa_mask), &actions[number].sa_mask);
}

bool mz_signals_is_handler(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* ---- executions ---- */

void mz_signals_store(struct mz_state *state)
{
	mz_state_put(state, &set_actions, sizeof set_actions);
	for (uint64_t left = set_actions; left; left &= left - 1)
		mz_state_put(state, &actions[mz_signals_of_bit(left)], sizeof *actions);
}

void mz_signals_load(struct mz_state *state)
{
	mz_state_get(state, &set_actions, sizeof set_actions);
	for (uint64_t left = set_actions; left; left &= left - 1)
		mz_state_get(state, &actions[mz_signals_of_bit(left)], sizeof *actions);
}
