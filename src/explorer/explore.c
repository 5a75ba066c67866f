/* SPDX-License-Identifier: MIT */
#include "explorer/explore.h"
#include "base/bug.h"
#include "base/hash.h"
#include "engine/search.h"
#include "explorer/counts.h"
#include "explorer/outcome.h"
#include <string.h>

/* One worker of several. */
struct member {
	struct mz_trunk_user user;
	struct mz_session *session;
	struct mz_search *search;
	bool samples;       /* the strategy does, as many as it may */
	uint32_t libraries; /* how many the process loaded when it began */
};

/* Publishes what was explored; `member` is NULL if nobody else explores. */
static void publish(struct mz_session *session, const struct mz_search *search, const struct member *member)
{
	struct mz_search_counts counts = mz_search_counts(search);
	struct mz_trunk_counts before = member ? member->user.before : (struct mz_trunk_counts){0};
	session->executions = before.executions + counts.executions;
	session->redundant = before.redundant + counts.redundant;
	session->assumed = before.assumed + counts.dropped;
	session->steps = before.steps + counts.steps;
	session->local_states = counts.local_states;
	session->traces = session->counted ? before.traces + counts.traces : session->executions - session->cut;
}

/* Returns what the member has explored so far. */
static struct mz_trunk_counts count(void *self)
{
	const struct member *member = self;
	const struct mz_session *session = member->session;
	publish(member->session, member->search, member);
	return mz_counts_of(session);
}

/* Returns whether the run ends here although the search could go on, and sets the outcome if so. */
static bool is_over(struct mz_session *session, struct member *member, enum mz_end end)
{
	if (end == MZ_END_DIVERGED || (session->nfindings && !session->configuration.keep_going)) {
		mz_outcome_set(session, MZ_OUTCOME_BUG, "");
		return true;
	}
	/* those who share the numbers of samples know when the last was drawn */
	uint64_t most = member && member->samples ? 0 : session->configuration.max_executions;
	uint64_t executions = session->executions + session->redundant + session->assumed;
	if (member && most) executions = mz_trunk_executions(&member->user, executions);
	executions += session->executed;
	if (most && executions >= most) {
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the limit on executions was reached");
		return true;
	}
	if (atomic_load_explicit(&session->stop, memory_order_relaxed)) {
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the run was told to stop");
		return true;
	}
	return false;
}

/* Limits on the memory of the strategy that another one delegates its work to, unless the user gives a limit: so many
 * bytes at first, and so many more for each execution. When they are used up, another strategy that needs no memory
 * takes over. With many threads that hardly touch each other there are far more states than executions, and the limit
 * is reached soon. */
#define MEMORY_FIRST ((size_t)4 << 20)
#define MEMORY_EACH ((size_t)16 << 10)

static uint64_t hash_of(const struct mz_step *schedule, uint32_t steps)
{
	uint64_t hash = 0;
	for (uint32_t n = 0; n < steps; n++)
		hash = mz_hash2(hash, (uint64_t)schedule[n].choice << 32 | schedule[n].thread);
	return hash;
}

/* Rewrites the schedules of findings from number `first` on, those of the execution that has just ended, into
 * equivalent ones that keep the bound. */
static void cheapen_findings(struct mz_session *session, struct mz_search *search, uint32_t first)
{
	for (uint32_t i = first; i < session->nfindings; i++) {
		struct mz_session_finding *finding = &session->findings[i];
		struct mz_step *schedule = mz_session_schedule(session, i);
		uint64_t before = hash_of(schedule, finding->steps);
		mz_search_cheapen(search, schedule, finding->steps);
		finding->reordered = hash_of(schedule, finding->steps) != before;
	}
}

/* Returns whether no graph is executed twice: by a strategy that promises so, unless other workers may happen to. */
static bool is_exact(const struct mz_strategy *strategy, const struct member *member)
{
	return mz_strategy_exact(strategy) && !(member && mz_strategy_shares_graphs(strategy));
}

static uint64_t key_of(const struct mz_session_finding *finding)
{
	return mz_hash2(finding->kind, finding->key);
}

/* Tells other workers of findings from number `first` on, before what the execution explored counts as done. */
static void tell_findings(const struct mz_session *session, struct member *member, uint32_t first)
{
	for (uint32_t i = first; member && i < session->nfindings; i++)
		mz_trunk_tell_bug(&member->user, key_of(&session->findings[i]));
}

/* Returns whether there are findings from number `first` on that no other worker had. Those that another one had are
 * forgotten, as if this worker had made them before. */
static bool are_new(struct mz_session *session, struct member *member, uint32_t first)
{
	for (uint32_t i = first; i < session->nfindings; i++)
		if (!member || !mz_trunk_knows_bug(&member->user, key_of(&session->findings[i]))) return true;
	session->nfindings = first;
	return false;
}

static bool is_cut(enum mz_end end)
{
	return end == MZ_END_STEPS || end == MZ_END_LIMITED;
}

static void end_execution(struct mz_search *search, const struct mz_view *view, enum mz_end end)
{
	if (end == MZ_END_ASSUMED || end == MZ_END_MISSED)
		mz_search_drop(search, view, end == MZ_END_MISSED);
	else
		mz_search_end(search, view, is_cut(end));
}

/* Runs a search. Returns true if it came to its end. Otherwise either `*again` is set, and the search has to begin
 * anew, or `session` says what ended it. */
static bool explore(struct mz_session *session, const struct mz_executor *executor, struct mz_search *search,
                    struct member *member, bool *again)
{
	const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	struct mz_view view;
	uint32_t known;
	publish(session, search, member); /* resets the counts of an earlier search that had to begin anew */
	if (member && is_over(session, member, MZ_END_FINISHED)) return false;
	while (mz_search_next(search, &known)) {
		uint32_t findings = session->nfindings;
		atomic_store_explicit(&session->thinking, 0, memory_order_relaxed);
		enum mz_end end = executor->run(executor->self, session->schedule, known, &driver, &view);
		if (session->executions) MZ_PLANT("worker");
		if (member && MZ_PLANTED("gather")) mz_trunk_gather(&member->user);
		session->cut += is_cut(end);
		atomic_store_explicit(&session->thinking, MZ_SESSION_THINKING, memory_order_relaxed);
		if (end == MZ_END_DIVERGED) {
			mz_search_abandon(search);
		} else {
			end_execution(search, &view, end);
			cheapen_findings(session, search, findings);
			tell_findings(session, member, findings);
		}
		publish(session, search, member);
		*again = end == MZ_END_AGAIN;
		if (*again) return false;
		if (!is_over(session, member, end)) continue;
		/* a bug may have ended the execution before its time: then whoever goes on explores it again */
		if (session->outcome != MZ_OUTCOME_BUG) mz_search_leave(search);
		return false;
	}
	publish(session, search, member);
	if (mz_search_memory(search).full)
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the limit on memory was reached");
	else if (mz_search_failed(search))
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "there was no memory left");
	bool explored = !member || mz_trunk_is_explored(&member->user);
	/* another worker may have gone on to the next phase by now */
	if (!explored && !member->user.worker.outdated) mz_trunk_look(&member->user);
	*again = member && member->user.worker.outdated && !member->user.link->severed;
	if (*again) return false;
	bool whole = !mz_search_failed(search) && explored;
	if (!whole && !mz_search_failed(search)) mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the run was told to stop");
	return whole;
}

/* ---- raising the bound ---- */

static void finish_bound(struct mz_session *session)
{
	uint32_t bound = session->bound;
	session->iterations[bound] = (struct mz_session_iteration){.executions = session->executions,
	                                                           .redundant = session->redundant,
	                                                           .traces = session->traces,
	                                                           .nfindings = session->nfindings,
	                                                           .traces_known = session->traces_known,
	                                                           .counted = session->counted};
	atomic_store_explicit(&session->niterations, bound + 1, memory_order_release);
}

/* Returns how many executions of a search came to their end, those that the program dropped among them, and those of other
 * workers. */
static uint64_t ended(const struct mz_search *search, struct member *member)
{
	struct mz_search_counts counts = mz_search_counts(search);
	uint64_t ended = counts.executions + counts.dropped;
	if (!member) return ended;
	return mz_trunk_executions(&member->user, member->user.before.executions + member->user.before.assumed + ended);
}

/* Runs up to `most` executions of a search without a bound, those of other workers among them. Returns whether these are
 * all executions of the program and none shows a new bug. A bug that is met here is not kept: the search within bounds meets
 * it again, with as few preemptions as it takes. */
static bool comes_to_end(struct mz_session *session, const struct mz_executor *executor, struct mz_search *search,
                         struct member *member, uint64_t most, bool *again)
{
	const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	struct mz_view view;
	uint32_t known, findings = session->nfindings, dropped = session->findings_dropped;
	uint64_t made = 0;
	bool more;
	while ((more = mz_search_next(search, &known)) && made < most) {
		enum mz_end end = executor->run(executor->self, session->schedule, known, &driver, &view);
		*again = end == MZ_END_AGAIN;
		if (*again || end == MZ_END_DIVERGED) break;
		end_execution(search, &view, end);
		if (is_cut(end) || are_new(session, member, findings)) break;
		if (atomic_load_explicit(&session->stop, memory_order_relaxed)) break;
		made = ended(search, member);
	}
	session->nfindings = findings;
	session->findings_dropped = dropped;
	return !more && !mz_search_failed(search);
}

/* Makes a search without a bound, by the first strategy of the registry, which is exact and needs no memory. */
static struct mz_search *new_look(struct member *member)
{
	const struct mz_search_options options = {.strategy = mz_strategy_find(mz_strategy_name(0)),
	                                          .trunk = member ? &member->user.worker : NULL};
	return mz_search_new(&options);
}

/* Returns whether a search without a bound comes to its end within `most` executions. */
static bool is_small(struct mz_session *session, const struct mz_executor *executor, uint64_t most,
                     struct mz_search_counts *counts, bool *again)
{
	struct mz_search *search = new_look(NULL);
	if (!search) return false;
	bool all = comes_to_end(session, executor, search, NULL, most, again);
	*counts = mz_search_counts(search);
	mz_search_free(search);
	return all;
}

/* Returns whether it is worth while to look whether a search without bounds comes to its end. */
static bool is_look_worthwhile(const struct mz_session *session, const struct mz_search_options *options)
{
	return mz_strategy_reduces(options->strategy) && mz_bounds_given(options) == MZ_BOUND_PREEMPTIONS &&
	       !session->configuration.as_published;
}

/* Returns whether the bound just explored leaves nothing out: either no step was refused, or a search without bounds
 * comes to its end with no more executions than this one had. The counts of the session are then those of the search
 * without bounds. */
static bool is_exhausted(struct mz_session *session, const struct mz_executor *executor, const struct mz_search *search,
                         const struct mz_search_options *options, bool *again)
{
	struct mz_search_counts counts;
	if (mz_search_counts(search).refused == 0) return true;
	if (!is_look_worthwhile(session, options) ||
	    !is_small(session, executor, session->executions + session->assumed, &counts, again))
		return false;
	if (counts.executions == session->traces && mz_strategy_exact(options->strategy)) return true;
	session->executed += session->executions;
	session->executions = session->traces = counts.executions;
	session->redundant = counts.redundant;
	session->assumed = counts.dropped;
	session->steps = counts.steps;
	bool delegated = strcmp(session->configuration.strategy, session->method) != 0;
	if (delegated) snprintf(session->method, sizeof session->method, "%s", mz_strategy_name(0));
	return true;
}

/* Explores bound after bound, until one leaves nothing out or is `last`. Returns true unless something else ended the
 * search. */
static bool iterate(struct mz_session *session, const struct mz_executor *executor, struct mz_search *search,
                    const struct mz_search_options *options, uint32_t last, bool *again)
{
	while (explore(session, executor, search, NULL, again)) {
		finish_bound(session);
		if (session->cut) return true;
		session->exhausted = is_exhausted(session, executor, search, options, again);
		if (*again) return false;
		if (session->exhausted || session->bound == last) return true;
		if (session->bound + 1 == MZ_SESSION_ITERATIONS) {
			mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the bound cannot be raised any more");
			return false;
		}
		session->executed += session->executions;
		if (!mz_search_raise(search, ++session->bound)) {
			mz_outcome_set(session, MZ_OUTCOME_LIMIT, "there was no memory left");
			return false;
		}
	}
	return false;
}

/* ---- raising the bound together ---- */

/* What a worker that has come to the end of a phase knows, for deciding on the next one. */
struct judgement {
	const struct mz_session *session;
	const struct mz_search_options *options;
	uint32_t last; /* bound */
	bool all;      /* the search without bounds came to its end */
};

static void raise_or_end(const struct judgement *judgement, struct mz_trunk_phase *phase)
{
	phase->looks = 0;
	phase->over = phase->bound == judgement->last;
	if (phase->over) return;
	phase->bound++;
	phase->executed += phase->counts.executions;
}

/* Decides after a search without bounds. */
static void decide_after_look(const struct judgement *judgement, struct mz_trunk_phase *phase,
                              const struct mz_trunk_counts *counts)
{
	if (!judgement->all) {
		raise_or_end(judgement, phase);
		return;
	}
	phase->over = phase->exhausted = 1;
	if (counts->executions == phase->counts.traces && mz_strategy_exact(judgement->options->strategy)) return;
	phase->executed += phase->counts.executions;
	phase->counts = *counts;
	phase->replaced = 1;
}

static void note_bound(const struct judgement *judgement, struct mz_trunk_phase *phase,
                       struct mz_trunk_explored *explored)
{
	const struct mz_session *session = judgement->session;
	phase->counts = explored->counts;
	if (session->counted) phase->counts.traces = explored->graphs;
	*explored->iteration = (struct mz_session_iteration){.executions = phase->counts.executions,
	                                                     .redundant = phase->counts.redundant,
	                                                     .traces = phase->counts.traces,
	                                                     .nfindings = session->nfindings,
	                                                     .traces_known = session->traces_known,
	                                                     .counted = session->counted};
	phase->iterations = phase->bound + 1;
}

static void decide(void *self, struct mz_trunk_phase *phase, struct mz_trunk_explored *explored)
{
	const struct judgement *judgement = self;
	if (phase->looks) {
		decide_after_look(judgement, phase, &explored->counts);
		return;
	}
	note_bound(judgement, phase, explored);
	phase->exhausted = !explored->refused && !explored->counts.cut;
	if (phase->exhausted || explored->counts.cut)
		phase->over = 1;
	else if (is_look_worthwhile(judgement->session, judgement->options))
		phase->looks = 1;
	else
		raise_or_end(judgement, phase);
}

/* Looks, together with other workers, whether a search without bounds is small. Returns false if something else ended the
 * search. */
static bool look_together(struct mz_session *session, const struct mz_executor *executor, struct mz_search *search,
                          struct member *member, struct judgement *judgement, bool *again)
{
	const struct mz_trunk_counts *counts = &member->user.phase.counts;
	/* a strategy that is exact by itself would have executed each trace once */
	bool once = mz_strategy_exact(judgement->options->strategy);
	uint64_t most = (once ? counts->traces : counts->executions) + counts->assumed;
	bool all = comes_to_end(session, executor, search, member, most, again);
	judgement->all = all && mz_trunk_is_explored(&member->user);
	*again |= all && member->user.worker.outdated && !member->user.link->severed;
	if (*again || !atomic_load_explicit(&session->stop, memory_order_relaxed)) return !*again;
	mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the run was told to stop");
	mz_search_leave(search);
	return false;
}

/* Explores one phase after another with other workers, until all is done. Returns true unless something else ended the
 * search; `*again`: the next phase begins, or something was learned. */
static bool iterate_together(struct mz_session *session, const struct mz_executor *executor, struct mz_search *search,
                             const struct mz_search_options *options, uint32_t last, struct member *member, bool *again)
{
	struct mz_trunk_phase *phase = &member->user.phase;
	struct judgement judgement = {.session = session, .options = options, .last = last};
	if (phase->bound + 1 == MZ_SESSION_ITERATIONS) {
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the bound cannot be raised any more");
		return false;
	}
	if (!phase->over) {
		bool done = phase->looks ? look_together(session, executor, search, member, &judgement, again)
		                         : explore(session, executor, search, member, again);
		if (!done) return false;
		mz_trunk_advance(&member->user, decide, &judgement);
	}
	if (phase->over && phase->replaced && strcmp(session->configuration.strategy, session->method) != 0)
		snprintf(session->method, sizeof session->method, "%s", mz_strategy_name(0));
	*again = !phase->over;
	return phase->over;
}

/* ---- all of it ---- */

/* Returns the order that is asked for; if none is, one that does not leave the first branches of a path for last where inputs are
 * explored. */
static enum mz_order order_of(const struct mz_session *session)
{
	uint32_t asked = session->configuration.order;
	if (asked != MZ_ORDER_UNSAID) return (enum mz_order)asked;
	return session->inputs.memory >= 0 ? MZ_ORDER_INTERLEAVED : MZ_ORDER_DFS;
}

static struct mz_search_options options_of(const struct mz_session *session)
{
	const struct mz_configuration *c = &session->configuration;
	return (struct mz_search_options){.count_traces = c->count_traces,
	                                  .count_local = c->count_local_states,
	                                  .no_sleep = !c->sleep,
	                                  .order = order_of(session),
	                                  .bounded = c->iterate || c->preemptions != MZ_ANY,
	                                  .preemptions = c->iterate ? 0 : (uint32_t)c->preemptions,
	                                  .fair = c->fair != MZ_ANY,
	                                  .yields = (uint32_t)c->fair,
	                                  .delayed = c->delays != MZ_ANY,
	                                  .delays = (uint32_t)c->delays,
	                                  .switched = c->switches != MZ_ANY,
	                                  .switches = (uint32_t)c->switches,
	                                  .max_depth = c->max_depth,
	                                  .no_opt = c->no_opt,
	                                  .prefixes = c->prefixes,
	                                  .max_memory = c->max_memory,
	                                  .seed = c->seed,
	                                  .depth = c->depth,
	                                  .max_executions = c->max_executions};
}

/* Takes back what the session says about bounds, because the search begins anew from its first bound. */
static void forget_bounds(struct mz_session *session, const struct mz_search_options *options,
                          const struct member *member)
{
	session->cut = member ? member->user.before.cut : 0;
	session->bound = options->preemptions;
	if (session->configuration.iterate && !member)
		atomic_store_explicit(&session->niterations, options->preemptions, memory_order_release);
}

/* Sets the bound of the phase in which workers are that raise it together. Returns whether they look without bounds. */
static bool set_phase(struct mz_session *session, struct mz_search_options *options, const struct member *member)
{
	if (!member || !session->configuration.iterate) return false;
	options->preemptions = session->bound = member->user.phase.bound;
	session->executed = member->user.phase.executed;
	return member->user.phase.looks;
}

/* Begins anew with what workers have learned. Returns false if the outcome says that this process cannot: there are
 * libraries that a process has to load when it begins, so that they are at the same addresses in all processes. */
static bool begin_anew(struct mz_session *session, const struct mz_executor *executor, struct member *member)
{
	mz_trunk_begin_anew(&member->user);
	if (session->learned.nlibraries != member->libraries) {
		mz_outcome_set(session, MZ_OUTCOME_AGAIN, "");
		return false;
	}
	executor->restart(executor->self);
	return true;
}

/* Returns the strategy that several workers explore with: another one if the one that was meant took too much memory. */
static const struct mz_strategy *affordable(const struct mz_session *session, const struct mz_strategy *meant,
                                            unsigned bounds)
{
	bool crowded = session->learned.crowded && mz_strategy_shares_graphs(meant);
	const struct mz_strategy *other = crowded ? mz_strategy_substitute(meant, bounds) : NULL;
	return other ? other : meant;
}

/* Returns whether a search by several workers took more memory than it may have, and does the work of another strategy: then all
 * begin anew, with one that needs no memory. */
static bool crowds(struct mz_session *session, const struct mz_search *search)
{
	bool delegated = strcmp(session->configuration.strategy, session->method) != 0;
	bool crowded = delegated && mz_search_memory(search).full;
	if (crowded) session->learned.crowded = 1;
	return crowded;
}

/* Frees a search. Other workers are told first of what this one has executed and closed: what counts then is what the search says. */
static void end_search(struct mz_search *search, struct member *member)
{
	if (member) mz_trunk_tell_graphs(&member->user);
	mz_search_free(search);
	if (member) member->search = NULL;
}

/* Explores with one strategy; if the bound is raised, from the one in `given` on. Within bounds traces are counted
 * whatever the strategy, because executions may repeat traces, and their number would mean nothing. Returns false if
 * the strategy took too much memory. */
static bool explore_with(struct mz_session *session, const struct mz_executor *executor,
                         const struct mz_search_options *given, uint32_t last, struct member *member)
{
	struct mz_search_options counting = *given;
	const struct mz_search_options *options = &counting;
	if (member) counting.strategy = affordable(session, given->strategy, mz_bounds_given(given));
	bool exact = is_exact(counting.strategy, member);
	bool looks = set_phase(session, &counting, member);
	counting.count_traces |= !exact && (given->bounded || given->fair || given->delayed || given->switched);
	counting.count_traces |= exact != mz_strategy_exact(counting.strategy);
	session->counted = counting.count_traces && !looks;
	session->traces_known = counting.count_traces || exact;
	counting.trunk = member ? &member->user.worker : NULL;
	struct mz_search *search = looks ? new_look(member) : mz_search_new(options);
	if (member) member->search = search;
	uint64_t executed = session->executed;
	if (!search) {
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "there was no memory left");
		return true;
	}
	snprintf(session->method, sizeof session->method, "%s", mz_strategy_name_of(options->strategy));
	bool again = false;
	bool done = !session->configuration.iterate ? explore(session, executor, search, member, &again)
	            : member ? iterate_together(session, executor, search, options, last, member, &again)
	                     : iterate(session, executor, search, options, last, &again);
	if (member && crowds(session, search)) again = true;
	if (again) {
		end_search(search, member);
		if (member && !begin_anew(session, executor, member)) return true;
		session->executed = executed;
		forget_bounds(session, options, member);
		return explore_with(session, executor, options, last, member);
	}
	if (done) mz_outcome_set(session, MZ_OUTCOME_DONE, "");
	struct mz_search_memory memory = mz_search_memory(search);
	session->graphs = memory.graphs;
	session->graph_bytes = memory.bytes;
	session->promise = mz_search_promise(search);
	end_search(search, member);
	return !memory.full;
}

void mz_explore(struct mz_session *session, const struct mz_executor *executor, struct mz_shared_trunk *shared)
{
	struct member member = {.session = session};
	const struct mz_configuration *configuration = &session->configuration;
	uint32_t last = configuration->preemptions != MZ_ANY ? (uint32_t)configuration->preemptions : UINT32_MAX;
	struct mz_search_options options = options_of(session);
	session->raising = configuration->iterate;
	session->bound = options.preemptions;
	const struct mz_strategy *asked = mz_strategy_asked(configuration->strategy, configuration->as_published);
	unsigned bounds = mz_bounds_given(&options);
	options.strategy = !asked   ? NULL
	                   : shared ? mz_strategy_shared_method(asked, bounds)
	                            : mz_strategy_method(asked, bounds);
	if (session->inputs.memory >= 0 && options.strategy && !mz_strategy_explores_inputs(options.strategy))
		options.strategy = mz_strategy_substitute(options.strategy, bounds);
	uint64_t started = mz_now();
	if (!options.strategy) {
		mz_outcome_set(session, MZ_OUTCOME_UNSUPPORTED, "nothing can honour the bounds");
		return;
	}
	bool delegated = options.strategy != asked;
	if (delegated && !options.max_memory) {
		options.max_memory = MEMORY_FIRST;
		options.more_memory = MEMORY_EACH;
	}
	if (shared) {
		member.samples = mz_strategy_samples(options.strategy);
		mz_trunk_join(&member.user, shared, session);
		member.user.count = count;
		member.user.counter = &member;
		if (!is_exact(options.strategy, &member)) mz_trunk_count_together(&member.user);
		/* the strategy that was asked for promises to know the number of traces, and another one does its work */
		options.count_traces |= delegated && mz_strategy_exact(asked);
		session->cut = member.user.before.cut;
		member.libraries = session->learned.nlibraries;
		executor->begin(executor->self);
	}
	while (!explore_with(session, executor, &options, last, shared ? &member : NULL)) {
		const struct mz_strategy *substitute =
		    delegated ? mz_strategy_substitute(options.strategy, bounds) : NULL;
		if (!substitute) break;
		options.strategy = substitute;
		options.preemptions = session->bound;
		session->executed += session->executions;
	}
	session->nanoseconds = mz_now() - started;
}
