/* SPDX-License-Identifier: MIT
 *
 * Each program has a temper, so that rare things meet often enough: how much of it is plain memory, locks, conditions,
 * choices, mixed sizes.
 */
#include "generate.h"
#include <string.h>

struct generator {
	uint64_t random;
	struct script *script;
	unsigned locks, conditions, choices, sizes, compares, weak; /* weights of what is not plain memory */
	unsigned held;                                              /* mutexes, one bit each */
	unsigned budget;                                            /* visible operations left to this thread */
	unsigned yields, loops, timed;
	bool cyclic;
	unsigned plain, asserts; /* cyclic ones only */
	unsigned shared, semaphores, polls, branches, sections;
	unsigned alone, sharing; /* locks that are held alone, or shared; one bit each */
};

static uint32_t below(struct generator *g, uint32_t n)
{
	g->random ^= g->random << 13;
	g->random ^= g->random >> 7;
	g->random ^= g->random << 17;
	return (uint32_t)((g->random * 0x2545f4914f6cdd1dULL >> 33) % n);
}

static bool chance(struct generator *g, unsigned of_16)
{
	return below(g, 16) < of_16;
}

static size_t add(struct generator *g, uint32_t t, struct script_instruction i)
{
	return script_add(g->script, t, i);
}

static uint8_t any_mask(struct generator *g)
{
	static const uint8_t masks[] = {0xff, 0x0f, 0xf0, 0x01, 0x02, 0x03, 0x0c};
	return chance(g, g->sizes) ? masks[below(g, sizeof masks)] : 0xff;
}

static void block(struct generator *g, uint32_t t, unsigned depth);

/* Few values; and what is not atomic, where it matters. */
static void make_finite(struct generator *g, struct script_instruction *i)
{
	bool accesses = i->kind == SCRIPT_LOAD || i->kind == SCRIPT_STORE;
	if (i->kind == SCRIPT_ADD) i->expected = 2 + below(g, 2);
	if (i->kind == SCRIPT_STORE) i->value = below(g, 3);
	if (!accesses || !chance(g, g->plain)) return;
	if (chance(g, 8))
		i->plain = true;
	else
		i->kind = i->kind == SCRIPT_LOAD ? SCRIPT_PEEK : SCRIPT_POKE;
}

static void memory(struct generator *g, uint32_t t)
{
	struct script_instruction i = {.mask = any_mask(g), .object = below(g, g->script->nwords)};
	if (g->sections && chance(g, g->sections)) {
		i.kind = SCRIPT_SECTION;
		i.mask = 0xff;
		i.other = below(g, g->script->nwords);
		i.access = (uint8_t)below(g, g->script->nwords);
		i.expected = below(g, 2);
		i.value = below(g, 3);
	} else if (chance(g, g->compares)) {
		i.kind = SCRIPT_CAS;
		i.expected = below(g, 2);
		i.value = 1 + below(g, 2);
	} else if (chance(g, g->weak)) {
		i.kind = SCRIPT_ACCESS;
		i.access = (uint8_t)below(g, 4);
	} else {
		static const uint8_t kinds[] = {SCRIPT_LOAD, SCRIPT_LOAD, SCRIPT_STORE, SCRIPT_STORE, SCRIPT_ADD};
		i.kind = kinds[below(g, sizeof kinds)];
		i.value = 1 + below(g, 2);
	}
	if (g->cyclic) make_finite(g, &i);
	add(g, t, i);
	if (g->cyclic && chance(g, g->asserts))
		add(g, t, (struct script_instruction){.kind = SCRIPT_ASSERT, .value = below(g, 3)});
}

/* What follows is done only if the last operation returned `value`. */
static void branch(struct generator *g, uint32_t t, uint64_t value, unsigned depth)
{
	size_t at = add(g, t, (struct script_instruction){.kind = SCRIPT_UNLESS, .value = value});
	block(g, t, depth);
	g->script->threads[t].code[at].other = (uint32_t)(g->script->threads[t].length - at - 1);
}

static void section(struct generator *g, uint32_t t, unsigned depth)
{
	uint32_t m = below(g, g->script->nmutexes);
	if (g->held >> m & 1) {
		memory(g, t);
		return;
	}
	bool try = chance(g, 5);
	add(g, t, (struct script_instruction){.kind = try ? SCRIPT_TRYLOCK : SCRIPT_LOCK, .object = m});
	size_t at = 0;
	if (try) at = add(g, t, (struct script_instruction){.kind = SCRIPT_UNLESS, .value = 1});
	g->held |= 1u << m;
	block(g, t, depth);
	g->held &= ~(1u << m);
	add(g, t, (struct script_instruction){.kind = SCRIPT_UNLOCK, .object = m});
	if (try) g->script->threads[t].code[at].other = (uint32_t)(g->script->threads[t].length - at - 1);
}

/* A section with a lock that can be shared; at times within another one that shares it. */
static void shared_section(struct generator *g, uint32_t t, unsigned depth)
{
	uint32_t lock = below(g, g->script->nlocks);
	bool again = g->sharing >> lock & 1;
	if (g->alone >> lock & 1) {
		memory(g, t);
		return;
	}
	bool shares = again ? !chance(g, 2) : chance(g, 10), try = chance(g, 4); /* upgrades too */
	struct script_instruction i = {.object = lock};
	if (shares)
		i.kind = try ? SCRIPT_TRYLOCK_SHARED : SCRIPT_LOCK_SHARED;
	else
		i.kind = try ? SCRIPT_TRYLOCK_ALONE : SCRIPT_LOCK_ALONE;
	if (i.kind == SCRIPT_LOCK_ALONE && chance(g, 6)) {
		add(g, t, (struct script_instruction){.kind = SCRIPT_ANNOUNCE, .object = lock});
		i.value = 1;
	}
	size_t at = add(g, t, i);
	if (try) at = add(g, t, (struct script_instruction){.kind = SCRIPT_UNLESS, .value = 1});
	unsigned *held = shares ? &g->sharing : &g->alone;
	*held |= 1u << lock;
	block(g, t, depth);
	if (!again || !shares) *held &= ~(1u << lock);
	add(g, t,
	    (struct script_instruction){.kind = shares ? SCRIPT_UNLOCK_SHARED : SCRIPT_UNLOCK_ALONE, .object = lock});
	if (try) g->script->threads[t].code[at].other = (uint32_t)(g->script->threads[t].length - at - 1);
}

static void semaphore(struct generator *g, uint32_t t)
{
	static const uint8_t kinds[] = {SCRIPT_POST, SCRIPT_POST, SCRIPT_TAKE, SCRIPT_TAKE, SCRIPT_TRYTAKE};
	add(g, t,
	    (struct script_instruction){.kind = kinds[below(g, sizeof kinds)],
	                                .object = below(g, g->script->nsemaphores)});
}

/* A semaphore whose uses are all ordered, as those of a pipe are. */
static void channel(struct generator *g, uint32_t t)
{
	static const uint8_t kinds[] = {SCRIPT_SEND, SCRIPT_SEND,    SCRIPT_TAKE, SCRIPT_TRYTAKE,
	                                SCRIPT_PASS, SCRIPT_TRYPASS, SCRIPT_POLL, SCRIPT_POLL};
	uint32_t n = g->script->nsemaphores, object = below(g, n);
	add(g, t,
	    (struct script_instruction){.kind = kinds[below(g, sizeof kinds)],
	                                .object = object,
	                                .other = (object + 1 + below(g, n - 1)) % n,
	                                .expected = chance(g, 4)});
}

/* Condition c goes with mutex c % nmutexes. */
static void condition(struct generator *g, uint32_t t)
{
	uint32_t c = below(g, g->script->nconditions), m = c % g->script->nmutexes;
	struct script_instruction i = {.object = c, .other = m};
	uint8_t wait = g->timed && chance(g, g->timed) ? SCRIPT_TIMED_WAIT : SCRIPT_WAIT;
	if (chance(g, 9) && (g->held >> m & 1))
		i.kind = wait;
	else if (chance(g, 9)) {
		add(g, t, (struct script_instruction){.kind = SCRIPT_LOCK, .object = m});
		if (g->held >> m & 1) g->script->threads[t].length--;
		i.kind = wait;
		add(g, t, i);
		if (!(g->held >> m & 1)) add(g, t, (struct script_instruction){.kind = SCRIPT_UNLOCK, .object = m});
		return;
	} else
		i.kind = chance(g, 4) ? SCRIPT_BROADCAST : SCRIPT_SIGNAL;
	add(g, t, i);
}

/* A choice decides what comes next, as a rule. */
static void choice(struct generator *g, uint32_t t, unsigned depth)
{
	uint32_t n = 2 + below(g, 2);
	add(g, t, (struct script_instruction){.kind = SCRIPT_CHOOSE, .value = n});
	if (chance(g, 12)) branch(g, t, below(g, n), depth ? depth - 1 : 0);
}

/* The inputs for which a condition holds: most often a range, as comparisons with constants make them; never none. */
static uint64_t condition_on_inputs(struct generator *g)
{
	const uint32_t all = (1U << SCRIPT_INPUTS) - 1;
	uint32_t from = 1 + below(g, SCRIPT_INPUTS - 1);
	if (chance(g, 4)) return 1U << from;
	if (chance(g, 6)) return 1 + below(g, all - 1);
	return all & ~((1U << from) - 1);
}

/* A branch on inputs; half of them look at the register. */
static void input(struct generator *g, uint32_t t, unsigned depth)
{
	uint64_t condition = condition_on_inputs(g), other = chance(g, 8) ? condition_on_inputs(g) : condition;
	add(g, t, (struct script_instruction){.kind = SCRIPT_BRANCH, .value = condition, .expected = other});
	if (chance(g, 12)) branch(g, t, below(g, 2), depth ? depth - 1 : 0);
}

/* Waits until something is no longer 0, yielding, two or three turns. */
static void loop(struct generator *g, uint32_t t)
{
	uint32_t word = below(g, g->script->nwords);
	add(g, t, (struct script_instruction){.kind = SCRIPT_YIELD});
	add(g, t, (struct script_instruction){.kind = SCRIPT_LOAD, .mask = 0xff, .object = word});
	add(g, t, (struct script_instruction){.kind = SCRIPT_UNLESS, .value = 0, .other = 1});
	add(g, t, (struct script_instruction){.kind = SCRIPT_REPEAT, .value = 2 + below(g, 2), .other = 3});
}

static void operation(struct generator *g, uint32_t t, unsigned depth)
{
	if (g->script->nmutexes && depth && chance(g, g->locks))
		section(g, t, depth - 1);
	else if (g->script->nconditions && chance(g, g->conditions))
		condition(g, t);
	else if (g->script->nlocks && depth && chance(g, g->shared))
		shared_section(g, t, depth - 1);
	else if (g->polls && chance(g, g->polls))
		channel(g, t);
	else if (g->script->nsemaphores && chance(g, g->semaphores))
		semaphore(g, t);
	else if (g->branches && chance(g, g->branches))
		input(g, t, depth);
	else if (chance(g, g->choices))
		choice(g, t, depth);
	else if (g->loops && chance(g, g->loops))
		loop(g, t);
	else if (chance(g, g->yields))
		add(g, t, (struct script_instruction){.kind = SCRIPT_YIELD});
	else
		memory(g, t);
	if (depth && chance(g, 4)) branch(g, t, below(g, 2), depth - 1);
}

static void block(struct generator *g, uint32_t t, unsigned depth)
{
	for (uint32_t n = 1 + below(g, 2); n > 0 && g->budget > 0; n--) {
		g->budget--;
		operation(g, t, depth);
	}
}

/* All threads meet, once or twice. */
static void meetings(struct generator *g)
{
	for (uint32_t n = 1 + below(g, 2); n > 0; n--) {
		for (uint32_t t = 0; t < g->script->nthreads; t++) {
			add(g, t, (struct script_instruction){.kind = SCRIPT_ARRIVE});
			g->budget = 1;
			if (chance(g, 8)) block(g, t, 0);
		}
	}
}

/* Thread `t` is started, and perhaps joined, by a lower one. */
static void lifetimes(struct generator *g, uint32_t t)
{
	uint32_t parent = below(g, t);
	add(g, parent, (struct script_instruction){.kind = SCRIPT_START, .object = t});
	if (chance(g, 8)) g->budget += 1, block(g, parent, 1);
	if (chance(g, 10)) add(g, parent, (struct script_instruction){.kind = SCRIPT_JOIN, .object = t});
	if (chance(g, 8)) g->budget += 1, block(g, parent, 1);
}

enum sharing { SHARES_NOTHING, SHARES_LOCKS, SHARES_CHANNELS, SHARES_INPUTS, SHARES_SECTIONS };

static void generate(struct script *script, uint64_t seed, unsigned yields, unsigned loops, enum sharing shares)
{
	struct generator g = {.random = seed * 0x9e3779b97f4a7c15ULL + 0x1234567, .script = script};
	g.yields = yields;
	g.loops = loops;
	g.timed = seed % 3 == 0 ? 10 : 0;
	for (int n = 0; n < 8; n++) below(&g, 2);
	uint32_t nthreads = 2 + below(&g, 4);
	uint32_t nmutexes = below(&g, 3);
	uint32_t nconditions = nmutexes && chance(&g, 8) ? 1 + below(&g, 2) : 0;
	script_init(script, nthreads, 1 + below(&g, 3), nmutexes, nconditions);
	if (shares == SHARES_CHANNELS) {
		script_share(script, 0, 2 + below(&g, 2), below(&g, 2), 0, nthreads);
		g.polls = 10 + below(&g, 5);
	} else if (shares == SHARES_INPUTS) {
		g.branches = 5 + below(&g, 5);
	} else if (shares == SHARES_SECTIONS) {
		g.sections = 6 + below(&g, 10);
	} else if (shares) {
		uint32_t nlocks = below(&g, 3), nsemaphores = nlocks ? below(&g, 2) : 1;
		script_share(script, nlocks, nsemaphores, below(&g, 2), chance(&g, 4), nthreads);
		g.shared = 6 + below(&g, 6);
		g.semaphores = 6 + below(&g, 6);
	}
	g.locks = 4 + below(&g, 5);
	g.conditions = 4 + below(&g, 8);
	g.choices = chance(&g, 6) ? 3 + below(&g, 4) : 0;
	g.sizes = chance(&g, 6) ? 8 : 0;
	g.compares = chance(&g, 8) ? 5 : 0;
	g.weak = chance(&g, 3) ? 6 : 0;
	bool births = chance(&g, 5);
	for (uint32_t t = 0; t < nthreads; t++) {
		g.held = g.alone = g.sharing = 0;
		g.budget = nthreads == 2 ? 6 : nthreads == 3 ? 4 : 2 + below(&g, 2);
		block(&g, t, 2);
		while (g.budget > 0 && chance(&g, 10)) block(&g, t, 2);
	}
	if (script->nbarriers) meetings(&g);
	for (uint32_t t = 1; births && t < nthreads; t++) {
		if (chance(&g, 12)) lifetimes(&g, t);
	}
}

void generate_script(struct script *script, uint64_t seed)
{
	generate(script, seed, 1, 0, SHARES_NOTHING);
}

void generate_waiting_script(struct script *script, uint64_t seed)
{
	generate(script, seed, 4, 2, SHARES_NOTHING);
}

void generate_sharing(struct script *script, uint64_t seed)
{
	generate(script, seed, 1, 0, SHARES_LOCKS);
}

void generate_polling(struct script *script, uint64_t seed)
{
	generate(script, seed, 1, 0, SHARES_CHANNELS);
}

void generate_branching(struct script *script, uint64_t seed)
{
	generate(script, seed, 1, 0, SHARES_INPUTS);
}

void generate_sections(struct script *script, uint64_t seed)
{
	generate(script, seed, 1, 0, SHARES_SECTIONS);
}

/* --- meetings --- */

/* At most so many operations of a thread. */
static void few_operations(struct generator *g, uint32_t t, uint32_t most)
{
	for (uint32_t n = below(g, most + 1); n > 0; n--) {
		g->budget = 1;
		operation(g, t, 1);
	}
}

void generate_meeting(struct script *script, uint64_t seed)
{
	struct generator g = {.random = seed * 0x9e3779b97f4a7c15ULL + 0x2468ace, .script = script};
	for (int n = 0; n < 8; n++) below(&g, 2);
	uint32_t nthreads = 3 + chance(&g, 6), parties = nthreads - chance(&g, 5), most = nthreads == 3 ? 2 : 1;
	script_init(script, nthreads, 1 + below(&g, 2), chance(&g, 6), 0);
	script_share(script, 0, 0, 0, 1, parties);
	g.locks = 5;
	g.choices = chance(&g, 2) ? 2 : 0;
	for (uint32_t rounds = 1 + chance(&g, 5), n = 0; n <= rounds; n++) {
		for (uint32_t t = 0; t < nthreads; t++) {
			g.held = 0;
			few_operations(&g, t, most);
			if (n < rounds && t < parties) add(&g, t, (struct script_instruction){.kind = SCRIPT_ARRIVE});
		}
	}
}

/* --- loops that wait --- */

static void until(struct generator *g, uint32_t t, uint64_t value, uint32_t back)
{
	add(g, t, (struct script_instruction){.kind = SCRIPT_UNTIL, .value = value, .other = back});
}

static struct script_instruction on_word(struct generator *g, uint8_t kind)
{
	return (struct script_instruction){.kind = kind,
	                                   .mask = any_mask(g),
	                                   .object = below(g, g->script->nwords),
	                                   .value = 1 + below(g, kind == SCRIPT_OR || kind == SCRIPT_AND ? 3 : 2),
	                                   .expected = below(g, 2)};
}

static void spin_on_two(struct generator *g, uint32_t t)
{
	static const uint8_t kinds[] = {SCRIPT_LOAD, SCRIPT_LOAD, SCRIPT_CAS, SCRIPT_OR};
	bool guarded = chance(g, 8);
	add(g, t, on_word(g, kinds[below(g, sizeof kinds)]));
	if (guarded) add(g, t, (struct script_instruction){.kind = SCRIPT_UNLESS, .value = below(g, 3), .other = 1});
	add(g, t, on_word(g, SCRIPT_LOAD));
	until(g, t, below(g, 3), guarded ? 3 : 2);
}

static void spin_on_one(struct generator *g, uint32_t t)
{
	static const uint8_t kinds[] = {SCRIPT_LOAD,     SCRIPT_LOAD, SCRIPT_LOAD, SCRIPT_CAS,
	                                SCRIPT_EXCHANGE, SCRIPT_OR,   SCRIPT_AND};
	uint8_t kind = kinds[below(g, sizeof kinds)];
	bool yields = chance(g, 3);
	add(g, t, on_word(g, kind));
	if (yields) add(g, t, (struct script_instruction){.kind = SCRIPT_YIELD});
	until(g, t, kind == SCRIPT_CAS ? 1 : below(g, 3), yields ? 2 : 1);
}

static void spin_for_mutex(struct generator *g, uint32_t t)
{
	uint32_t m = below(g, g->script->nmutexes);
	if (g->held >> m & 1) return;
	add(g, t, (struct script_instruction){.kind = SCRIPT_TRYLOCK, .object = m});
	until(g, t, 1, 1);
	g->held |= 1u << m;
	if (chance(g, 10)) memory(g, t);
	g->held &= ~(1u << m);
	add(g, t, (struct script_instruction){.kind = SCRIPT_UNLOCK, .object = m});
}

static void spinning_operation(struct generator *g, uint32_t t)
{
	if (!chance(g, 7))
		operation(g, t, 1);
	else if (g->script->nmutexes && chance(g, 4))
		spin_for_mutex(g, t);
	else if (chance(g, 5))
		spin_on_two(g, t);
	else
		spin_on_one(g, t);
}

void generate_spinning(struct script *script, uint64_t seed)
{
	struct generator g = {.random = seed * 0x9e3779b97f4a7c15ULL + 0x7654321, .script = script};
	for (int n = 0; n < 8; n++) below(&g, 2);
	uint32_t nthreads = 2 + below(&g, 3);
	script_init(script, nthreads, 1 + below(&g, 3), below(&g, 2), 0);
	g.locks = 3;
	g.choices = chance(&g, 2) ? 2 : 0;
	g.sizes = chance(&g, 4) ? 8 : 0;
	g.compares = chance(&g, 8) ? 5 : 0;
	g.weak = chance(&g, 3) ? 6 : 0;
	for (uint32_t t = 0; t < nthreads; t++) {
		g.held = 0;
		for (uint32_t n = 1 + below(&g, nthreads == 2 ? 5 : nthreads == 3 ? 3 : 2); n > 0; n--) {
			g.budget = 1;
			spinning_operation(&g, t);
		}
	}
}

/* --- races that are covered by guesses --- */

/* Something once, or something that is done only if a location was found with a value: what the thread does next is not
 * known before. */
static void guessing_thread(struct generator *g, uint32_t t)
{
	add(g, t, on_word(g, chance(g, 8) ? SCRIPT_LOAD : SCRIPT_STORE));
	if (chance(g, 9)) return;
	add(g, t, (struct script_instruction){.kind = SCRIPT_UNLESS, .value = below(g, 2), .other = 1});
	add(g, t, on_word(g, chance(g, 8) ? SCRIPT_LOAD : SCRIPT_STORE));
}

void generate_guessing(struct script *script, uint64_t seed)
{
	struct generator g = {.random = seed * 0x9e3779b97f4a7c15ULL + 0x1357, .script = script};
	for (int n = 0; n < 8; n++) below(&g, 2);
	uint32_t nthreads = 5 + below(&g, 2);
	script_init(script, nthreads, 2 + below(&g, 3), 0, 0);
	for (uint32_t t = 0; t < nthreads; t++) guessing_thread(&g, t);
}

/* --- programs that need not end --- */

static void operations(struct generator *g, uint32_t t, uint32_t count)
{
	while (count-- > 0) {
		g->budget = 2;
		operation(g, t, 2);
	}
}

/* Something, and something again and again. What is visible in any case comes first there. */
static void cycle(struct generator *g, uint32_t t, uint32_t length)
{
	operations(g, t, below(g, length));
	if (!chance(g, 11)) return;
	size_t first = g->script->threads[t].length;
	struct script_instruction i = {.kind = SCRIPT_LOAD, .mask = any_mask(g), .object = below(g, g->script->nwords)};
	if (chance(g, 5)) i.kind = SCRIPT_YIELD;
	add(g, t, i);
	operations(g, t, 1 + below(g, length));
	i = (struct script_instruction){.kind = chance(g, 10) ? SCRIPT_JUMP : SCRIPT_UNTIL, .value = below(g, 3)};
	i.other = (uint32_t)(g->script->threads[t].length - first);
	add(g, t, i);
	operations(g, t, below(g, 2));
}

static void watch(struct generator *g)
{
	g->script->watched = true;
	for (unsigned n = 0; n < 2; n++) {
		g->script->watched_words[n] = below(g, g->script->nwords);
		g->script->watched_values[n] = below(g, 3);
	}
}

void generate_cyclic(struct script *script, uint64_t seed)
{
	struct generator g = {.random = seed * 0x9e3779b97f4a7c15ULL + 0xabcdef, .script = script, .cyclic = true};
	for (int n = 0; n < 8; n++) below(&g, 2);
	uint32_t nthreads = 2 + below(&g, 3), nmutexes = below(&g, 3);
	script_init(script, nthreads, 1 + below(&g, 3), nmutexes, nmutexes && chance(&g, 6));
	script->unrolled = true;
	g.yields = 1;
	g.locks = 3 + below(&g, 5);
	g.conditions = 4 + below(&g, 6);
	g.choices = chance(&g, 5) ? 2 + below(&g, 3) : 0;
	g.sizes = chance(&g, 4) ? 8 : 0;
	g.compares = chance(&g, 8) ? 5 : 0;
	g.weak = chance(&g, 3) ? 6 : 0;
	g.plain = chance(&g, 6) ? 4 + below(&g, 8) : 0;
	g.asserts = chance(&g, 8) ? 1 + below(&g, 4) : 0;
	if (chance(&g, 5)) watch(&g);
	bool births = chance(&g, 4);
	for (uint32_t t = 1; births && t < nthreads; t++) {
		uint32_t parent = below(&g, t);
		if (!chance(&g, 10)) continue;
		if (chance(&g, 8)) operations(&g, parent, 1);
		add(&g, parent, (struct script_instruction){.kind = SCRIPT_START, .object = t});
	}
	for (uint32_t t = 0; t < nthreads; t++) {
		g.held = 0;
		cycle(&g, t, nthreads == 2 ? 4 : 3);
	}
	for (uint32_t t = 1; births && t < nthreads; t++) {
		if (chance(&g, 10)) add(&g, 0, (struct script_instruction){.kind = SCRIPT_JOIN, .object = t});
	}
	if (births) operations(&g, 0, 1);
}

void generate_for_bounds(struct script *script, uint64_t seed)
{
	if (seed % 8 == 3)
		generate_sharing(script, seed);
	else if (seed % 8 == 5)
		generate_polling(script, seed);
	else if (seed % 8 == 7)
		generate_sections(script, seed);
	else if (seed % 2)
		generate_script(script, seed);
	else if (seed % 4)
		generate_spinning(script, seed);
	else
		generate_waiting_script(script, seed);
}

void generate_of_kind(struct script *script, const char *kind, uint64_t seed)
{
	static const struct {
		const char *name;
		void (*generate)(struct script *script, uint64_t seed);
	} kinds[] = {{"spinning", generate_spinning},      {"sharing", generate_sharing},
	             {"polling", generate_polling},        {"branching", generate_branching},
	             {"sections", generate_sections},      {"guessing", generate_guessing},
	             {"waiting", generate_waiting_script}, {"meeting", generate_meeting}};
	for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
		if (strcmp(kinds[n].name, kind) != 0) continue;
		kinds[n].generate(script, seed);
		return;
	}
	generate_script(script, seed);
}
