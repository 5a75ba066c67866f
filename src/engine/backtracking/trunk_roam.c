/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk_roam.h"
#include "base/random.h"
#include "trace/view.h"

#define LEAST_STAY 8 /* executions at one place; and one more for so many that were made: */
#define STAY_SHARE 32
#define TRIES 16 /* random paths among which one is chosen */

enum turn { FIRST, ANYWHERE, UNCOVERED, NEAR, TURNS };

/* ---- what was covered ---- */

/* Returns a key for where a branch on inputs goes. */
static struct mz_key key_of(const struct mz_trunk_roam *roam, const struct mz_event *event)
{
	uint64_t place = roam->place_of ? roam->place_of(event->condition) : 0;
	return (struct mz_key){place ? place : mz_mix(event->condition), 1U + event->choice};
}

bool mz_trunk_roam_note(struct mz_trunk_roam *roam, const struct mz_event *event, const struct mz_view *view)
{
	bool added;
	if (!event->condition) return true;
	if (view) roam->place_of = view->place_of;
	return mz_keyset_add(&roam->covered, key_of(roam, event), &added);
}

static bool is_covered(const struct mz_trunk_roam *roam, const struct mz_event *event)
{
	return !event->condition || mz_keyset_has(&roam->covered, key_of(roam, event));
}

/* ---- random paths ---- */

/* Returns whether branches after this one can only be taken when it is known what it does. */
static bool is_to_be_known(const struct mz_wakeup *branch)
{
	bool begun = branch->state == MZ_TRUNK_OPEN || branch->state == MZ_TRUNK_TAKEN;
	return begun && (mz_trunk_is_unknown(branch) || branch->event->guessed);
}

/* Returns an open branch of a node, all equally likely, or NULL if there is none that can be taken. */
static struct mz_wakeup *draw_branch(struct mz_trunk_roam *roam, struct mz_wakeup *first)
{
	struct mz_random random = {roam->random};
	struct mz_wakeup *drawn = NULL;
	uint32_t count = 0;
	for (struct mz_wakeup *branch = first; branch; branch = is_to_be_known(branch) ? NULL : branch->next)
		if (branch->state == MZ_TRUNK_OPEN && mz_random_below(&random, ++count) == 0) drawn = branch;
	roam->random = random.state;
	return drawn;
}

/* Makes `path` a random one to an open leaf. Returns false if it leads to none, or there is no memory. */
static bool draw_path(struct mz_trunk_worker *worker, struct mz_trunk_path *path)
{
	struct mz_wakeup *at = &worker->trunk->root;
	path->length = 0;
	while (at->first) {
		at = draw_branch(&worker->roam, at->first);
		if (!at || !mz_trunk_path_push(path, at)) return false;
	}
	return path->length > 0;
}

/* Returns how good it is to go on at the end of a path. */
static uint64_t worth(const struct mz_trunk_roam *roam, const struct mz_trunk_path *path, enum turn turn)
{
	const struct mz_event *event = path->at[path->length - 1]->event;
	if (turn == UNCOVERED) return is_covered(roam, event) ? 1 : 2;
	return UINT64_MAX - path->length;
}

static bool find(struct mz_trunk_worker *worker, struct mz_trunk_path *path)
{
	struct mz_trunk_roam *roam = &worker->roam;
	struct mz_trunk_path *best = &roam->best;
	uint64_t most = 0;
	if (!mz_trunk_is_to_move(worker)) return false;
	enum turn turn = (enum turn)(++roam->turn % TURNS);
	roam->left = LEAST_STAY + roam->executions / STAY_SHARE;
	if (turn == FIRST) return false;
	best->length = 0;
	for (int n = 0; n < (turn == ANYWHERE ? 1 : TRIES); n++) {
		if (!draw_path(worker, path) || worth(roam, path, turn) <= most) continue;
		most = worth(roam, path, turn);
		const struct mz_trunk_path other = *best;
		*best = *path;
		*path = other;
	}
	const struct mz_trunk_path other = *best;
	*best = *path;
	*path = other;
	return most > 0;
}

void mz_trunk_roam(struct mz_trunk_worker *worker, uint64_t seed)
{
	worker->roam.find = find;
	worker->roam.random = mz_hash2(seed, worker->number);
	worker->roam.left = LEAST_STAY;
}
