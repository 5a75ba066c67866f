/* SPDX-License-Identifier: MIT */
#include "machine.h"
#include <stdlib.h>
#include <string.h>

/* Where the state of an object is. */
static uint32_t lock_of(const struct script *script, uint32_t n)
{
	return script->nmutexes + n;
}

static uint32_t semaphore_of(const struct script *script, uint32_t n)
{
	return script->nmutexes + script->nlocks + n;
}

static uint32_t barrier_of(const struct script *script, uint32_t n)
{
	return script->nmutexes + script->nlocks + script->nsemaphores + n;
}

static uint32_t nheld(const struct script *script)
{
	return barrier_of(script, script->nbarriers);
}

static void machine_allocate(struct machine *m, const struct script *s)
{
	*m = (struct machine){.script = s};
	m->threads = script_checked(calloc(s->nthreads + 1, sizeof *m->threads));
	m->words = script_checked(calloc(s->nwords + 1, sizeof *m->words));
	m->held = script_checked(calloc(nheld(s) + 1, sizeof *m->held));
	m->waiting = script_checked(calloc((size_t)s->nconditions * s->nthreads + 1, sizeof *m->waiting));
	m->nwaiting = script_checked(calloc(s->nconditions + 1, sizeof *m->nwaiting));
	m->nwakes = script_checked(calloc(s->nconditions + 1, sizeof *m->nwakes));
	m->accesses = script_checked(calloc(MACHINE_ACCESSES * (size_t)s->nthreads + 1, sizeof *m->accesses));
	m->pending = script_checked(calloc(s->nthreads + 1, sizeof *m->pending));
}

static void add_edge(struct machine *m, uint32_t before, uint32_t after)
{
	if (m->nedges == m->edges_capacity) {
		m->edges_capacity = m->edges_capacity ? 2 * m->edges_capacity : 8;
		m->edges = script_checked(realloc(m->edges, m->edges_capacity * sizeof *m->edges));
	}
	m->edges[m->nedges++] = (struct machine_edge){before, after};
}

static bool is_possible(uint32_t t, uint32_t choice);
static bool are_possible(const struct mz_decision *decisions, size_t count);
static void settle(struct machine *m, uint32_t t);
static void touch_plainly(struct machine *m, struct machine_thread *thread, const struct script_instruction *i);

static void fail(struct machine *m, uint32_t t)
{
	if (m->failed) return;
	m->failed = true;
	m->failed_thread = t;
	m->failed_pc = m->threads[t].pc;
}

static void forget_reads(struct machine_thread *thread)
{
	thread->nreads = thread->events = 0;
}

static void finish(struct machine *m, uint32_t t)
{
	m->threads[t].status = MACHINE_DONE;
	for (uint32_t j = 0; j < m->script->nthreads; j++) {
		if (m->threads[j].status != MACHINE_JOINING || m->threads[j].target != t) continue;
		m->threads[j].status = MACHINE_READY;
		settle(m, j);
	}
}

/* Executes what is no event. */
static void settle(struct machine *m, uint32_t t)
{
	struct machine_thread *thread = &m->threads[t];
	const struct script_thread *code = &m->script->threads[t];
	while (thread->pc < code->length) {
		const struct script_instruction *i = &code->code[thread->pc];
		if (i->kind == SCRIPT_START) {
			thread->pc++;
			forget_reads(thread);
			m->threads[i->object].status = MACHINE_READY;
			add_edge(m, t, i->object);
			settle(m, i->object);
		} else if (i->kind == SCRIPT_JOIN) {
			forget_reads(thread);
			if (m->threads[i->object].status != MACHINE_DONE) {
				thread->status = MACHINE_JOINING;
				thread->target = i->object;
				return;
			}
			thread->pc++;
			add_edge(m, i->object, t);
		} else if (i->kind == SCRIPT_UNLESS) {
			thread->pc += thread->value == i->value ? 1 : 1 + i->other;
		} else if (i->kind == SCRIPT_REPEAT) {
			bool again = ++thread->turns < i->value;
			if (!again) thread->turns = 0;
			thread->pc = again ? thread->pc - i->other : thread->pc + 1;
		} else if (i->kind == SCRIPT_UNTIL) {
			thread->pc = thread->value == i->value ? thread->pc + 1 : thread->pc - i->other;
		} else if (i->kind == SCRIPT_JUMP) {
			thread->pc -= i->other;
		} else if (i->kind == SCRIPT_ASSERT) {
			if (thread->value == i->value) fail(m, t);
			thread->pc++;
		} else if (i->kind == SCRIPT_PEEK || i->kind == SCRIPT_POKE) {
			touch_plainly(m, thread, i);
			thread->pc++;
		} else {
			return;
		}
	}
	finish(m, t);
}

void machine_restart(struct machine *m)
{
	const struct script *s = m->script;
	memset(m->threads, 0, s->nthreads * sizeof *m->threads);
	memset(m->words, 0, s->nwords * sizeof *m->words);
	memset(m->held, 0, nheld(s) * sizeof *m->held);
	for (uint32_t n = 0; n < s->nsemaphores; n++) m->held[semaphore_of(s, n)] = s->value;
	memset(m->nwaiting, 0, s->nconditions * sizeof *m->nwaiting);
	memset(m->nwakes, 0, s->nconditions * sizeof *m->nwakes);
	m->nedges = m->nplain = 0;
	m->failed = false;
	m->inputs = (1U << SCRIPT_INPUTS) - 1;
	m->view = (struct mz_view){s->nthreads, MZ_NO_THREAD, m->pending, is_possible, are_possible};
	for (uint32_t t = 0; t < s->nthreads; t++) {
		if (s->threads[t].started) m->threads[t].status = MACHINE_READY;
	}
	for (uint32_t t = 0; t < s->nthreads; t++) {
		if (s->threads[t].started && m->threads[t].status == MACHINE_READY && m->threads[t].pc == 0)
			settle(m, t);
	}
}

void machine_init(struct machine *machine, const struct script *script)
{
	machine_allocate(machine, script);
	machine_restart(machine);
}

void machine_copy(struct machine *to, const struct machine *from)
{
	const struct script *s = from->script;
	machine_allocate(to, s);
	memcpy(to->threads, from->threads, s->nthreads * sizeof *to->threads);
	memcpy(to->words, from->words, s->nwords * sizeof *to->words);
	memcpy(to->held, from->held, nheld(s) * sizeof *to->held);
	memcpy(to->waiting, from->waiting, (size_t)s->nconditions * s->nthreads * sizeof *to->waiting);
	memcpy(to->nwaiting, from->nwaiting, s->nconditions * sizeof *to->nwaiting);
	memcpy(to->nwakes, from->nwakes, s->nconditions * sizeof *to->nwakes);
	to->inputs = from->inputs;
	to->view = from->view;
	to->view.pending = to->pending;
}

void machine_release(struct machine *m)
{
	free(m->threads);
	free(m->words);
	free(m->held);
	free(m->waiting);
	free(m->nwaiting);
	free(m->nwakes);
	free(m->edges);
	free(m->accesses);
	free(m->pending);
}

static int shift_of(uint8_t mask)
{
	return 8 * __builtin_ctz(mask);
}

static uint64_t field_of(uint8_t mask)
{
	int bits = 8 * __builtin_popcount(mask);
	return bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

static uint64_t get(uint64_t word, uint8_t mask)
{
	return word >> shift_of(mask) & field_of(mask);
}

static uint64_t put(uint64_t word, uint8_t mask, uint64_t value)
{
	uint64_t field = field_of(mask) << shift_of(mask);
	return (word & ~field) | (value << shift_of(mask) & field);
}

static uint64_t word_name(uint32_t n)
{
	return 0x1000 + 8 * (uint64_t)n;
}

static uint64_t mutex_name(uint32_t n)
{
	return 0x800000 + 64 * (uint64_t)n;
}

static uint64_t condition_name(uint32_t n)
{
	return 0xc00000 + 64 * (uint64_t)n;
}

uint64_t machine_end_name(uint32_t thread)
{
	return 0x1000000 + 64 * (uint64_t)thread;
}

static struct mz_access word_access(const struct machine *m, const struct script_instruction *i, uint8_t kind)
{
	struct mz_access access = {
	    .object = word_name(i->object), .before = m->words[i->object], .mask = i->mask, .kind = kind};
	if (i->kind == SCRIPT_CAS) access.expected = put(0, i->mask, i->expected);
	if (i->kind == SCRIPT_EXCHANGE || i->kind == SCRIPT_OR) access.expected = put(0, i->mask, i->value);
	if (i->kind == SCRIPT_AND) access.expected = put(0, i->mask, ~i->value);
	return access;
}

static struct mz_access mutex_access(const struct machine *m, uint32_t n, uint8_t kind, int effect)
{
	return (struct mz_access){
	    .object = mutex_name(n), .before = m->held[n], .mask = 0xff, .kind = kind, .effect = (int16_t)effect};
}

static struct mz_access condition_access(const struct machine *m, uint32_t n, uint8_t kind, int effect)
{
	return (struct mz_access){.object = condition_name(n),
	                          .before = m->nwaiting[n],
	                          .mask = 0xff,
	                          .kind = kind,
	                          .effect = (int16_t)effect};
}

/* What a word, mutex or condition holds, given its name. */
static uint64_t state_of(const struct machine *m, uint64_t name)
{
	if (name >= condition_name(0)) return m->nwaiting[(name - condition_name(0)) / 64];
	if (name >= mutex_name(0)) return m->held[(name - mutex_name(0)) / 64];
	return m->words[(name - word_name(0)) / 8];
}

/* What the instruction makes of a field. */
static uint64_t result_of(const struct script_instruction *i, uint64_t old)
{
	switch (i->kind) {
	case SCRIPT_ADD: return i->expected ? (old + i->value) % i->expected : old + i->value;
	case SCRIPT_OR: return (old | i->value) & field_of(i->mask);
	case SCRIPT_AND: return old & i->value;
	default: return i->value & field_of(i->mask);
	}
}

static const uint16_t ops[] = {
    [SCRIPT_LOAD] = MZ_OP_LOAD,
    [SCRIPT_STORE] = MZ_OP_STORE,
    [SCRIPT_ADD] = MZ_OP_UPDATE,
    [SCRIPT_CAS] = MZ_OP_COMPARE_EXCHANGE,
    [SCRIPT_EXCHANGE] = MZ_OP_EXCHANGE,
    [SCRIPT_OR] = MZ_OP_OR,
    [SCRIPT_AND] = MZ_OP_AND,
    [SCRIPT_ACCESS] = MZ_OP_ACCESS,
    [SCRIPT_LOCK] = MZ_OP_LOCK,
    [SCRIPT_UNLOCK] = MZ_OP_UNLOCK,
    [SCRIPT_TRYLOCK] = MZ_OP_TRYLOCK,
    [SCRIPT_WAIT] = MZ_OP_WAIT,
    [SCRIPT_TIMED_WAIT] = MZ_OP_WAIT,
    [SCRIPT_LOCK_ALONE] = MZ_OP_LOCK,
    [SCRIPT_UNLOCK_ALONE] = MZ_OP_UNLOCK,
    [SCRIPT_TRYLOCK_ALONE] = MZ_OP_TRYLOCK,
    [SCRIPT_ANNOUNCE] = MZ_OP_ANNOUNCE,
    [SCRIPT_LOCK_SHARED] = MZ_OP_LOCK_SHARED,
    [SCRIPT_UNLOCK_SHARED] = MZ_OP_UNLOCK_SHARED,
    [SCRIPT_TRYLOCK_SHARED] = MZ_OP_TRYLOCK_SHARED,
    [SCRIPT_TAKE] = MZ_OP_TAKE,
    [SCRIPT_TRYTAKE] = MZ_OP_TRYTAKE,
    [SCRIPT_POST] = MZ_OP_POST,
    [SCRIPT_SEND] = MZ_OP_POST,
    [SCRIPT_PASS] = MZ_OP_RECEIVE,
    [SCRIPT_TRYPASS] = MZ_OP_TRYRECEIVE,
    [SCRIPT_POLL] = MZ_OP_POLL,
    [SCRIPT_ARRIVE] = MZ_OP_ARRIVE,
    [SCRIPT_SIGNAL] = MZ_OP_SIGNAL,
    [SCRIPT_BROADCAST] = MZ_OP_BROADCAST,
    [SCRIPT_CHOOSE] = MZ_OP_CHOOSE,
    [SCRIPT_BRANCH] = MZ_OP_CHOOSE,
    [SCRIPT_YIELD] = MZ_OP_YIELD,
    [SCRIPT_SECTION] = MZ_OP_ATOMIC,
};

static uint16_t op_of(const struct script_instruction *i)
{
	if (i->plain) return i->kind == SCRIPT_LOAD ? MZ_OP_READ : MZ_OP_WRITE;
	return ops[i->kind];
}

static void touch_plainly(struct machine *m, struct machine_thread *thread, const struct script_instruction *i)
{
	bool reads = i->kind == SCRIPT_PEEK;
	if (m->nplain == MACHINE_PLAIN) abort();
	m->plain[m->nplain++] = word_access(m, i, reads ? MZ_READ : MZ_WRITE);
	if (reads)
		thread->value = get(m->words[i->object], i->mask);
	else
		m->words[i->object] = put(m->words[i->object], i->mask, i->value);
}

static struct mz_access section_access(const struct machine *m, uint32_t word, uint8_t kind)
{
	return (struct mz_access){.object = word_name(word), .before = m->words[word], .mask = 0xff, .kind = kind};
}

/* What a section touches, which nobody knows before it is executed. */
static uint16_t section_accesses(const struct machine *m, const struct script_instruction *i,
                                 struct mz_access *accesses)
{
	bool writes = m->words[i->object] == i->expected;
	uint32_t second = writes ? i->other : i->access;
	accesses[0] = section_access(m, second, writes ? MZ_WRITE : MZ_READ);
	if (second == i->object) return 1;
	accesses[1] = section_access(m, i->object, MZ_READ);
	return 2;
}

/* What the instruction touches: as strong as it may be, or (`exactly`) as it is in this state. */
static uint16_t accesses_of(const struct machine *m, const struct script_instruction *i, bool exactly,
                            struct mz_access *accesses)
{
	bool write = true;
	switch (i->kind) {
	case SCRIPT_LOAD: accesses[0] = word_access(m, i, MZ_READ); return 1;
	case SCRIPT_STORE:
	case SCRIPT_ADD: accesses[0] = word_access(m, i, MZ_WRITE); return 1;
	case SCRIPT_CAS:
		if (exactly) write = get(m->words[i->object], i->mask) == i->expected;
		accesses[0] = word_access(m, i, write ? MZ_WRITE : MZ_READ);
		return 1;
	case SCRIPT_EXCHANGE:
	case SCRIPT_OR:
	case SCRIPT_AND: {
		uint64_t old = get(m->words[i->object], i->mask);
		if (exactly) write = result_of(i, old) != old;
		accesses[0] = word_access(m, i, write ? MZ_WRITE : MZ_READ);
		return 1;
	}
	case SCRIPT_ACCESS: accesses[0] = word_access(m, i, i->access); return 1;
	case SCRIPT_SECTION: return exactly ? section_accesses(m, i, accesses) : 0;
	case SCRIPT_LOCK: accesses[0] = mutex_access(m, i->object, MZ_WRITE, 1); return 1;
	case SCRIPT_UNLOCK: accesses[0] = mutex_access(m, i->object, MZ_WRITE, -1); return 1;
	case SCRIPT_TRYLOCK:
		if (exactly) write = !m->held[i->object];
		accesses[0] = mutex_access(m, i->object, write ? MZ_WRITE : MZ_READ, write);
		return 1;
	case SCRIPT_LOCK_ALONE:
		accesses[0] = mutex_access(m, lock_of(m->script, i->object), MZ_WRITE,
		                           MZ_HELD_ALONE - (i->value ? MZ_HELD_ANNOUNCED : 0));
		return 1;
	case SCRIPT_UNLOCK_ALONE:
		accesses[0] = mutex_access(m, lock_of(m->script, i->object), MZ_WRITE, -MZ_HELD_ALONE);
		return 1;
	case SCRIPT_TRYLOCK_ALONE:
		if (exactly) write = m->held[lock_of(m->script, i->object)] % MZ_HELD_ANNOUNCED == 0;
		accesses[0] = mutex_access(m, lock_of(m->script, i->object), write ? MZ_WRITE : MZ_READ,
		                           write ? MZ_HELD_ALONE : 0);
		return 1;
	case SCRIPT_ANNOUNCE:
		accesses[0] = mutex_access(m, lock_of(m->script, i->object), MZ_WRITE, MZ_HELD_ANNOUNCED);
		return 1;
	case SCRIPT_LOCK_SHARED:
		accesses[0] = mutex_access(m, lock_of(m->script, i->object), MZ_WEAK_WRITE, 1);
		return 1;
	case SCRIPT_UNLOCK_SHARED:
		accesses[0] = mutex_access(m, lock_of(m->script, i->object), MZ_WEAK_WRITE, -1);
		return 1;
	case SCRIPT_TRYLOCK_SHARED:
		if (exactly) write = m->held[lock_of(m->script, i->object)] < MZ_HELD_ALONE;
		accesses[0] =
		    mutex_access(m, lock_of(m->script, i->object), write ? MZ_WEAK_WRITE : MZ_WEAK_READ, write);
		return 1;
	case SCRIPT_TAKE:
		accesses[0] = mutex_access(m, semaphore_of(m->script, i->object), MZ_WRITE, -1);
		accesses[0].expected = i->expected;
		return 1;
	case SCRIPT_TRYTAKE:
		if (exactly) write = m->held[semaphore_of(m->script, i->object)] > i->expected;
		accesses[0] = mutex_access(m, semaphore_of(m->script, i->object), write ? MZ_WRITE : MZ_READ, -write);
		accesses[0].expected = i->expected;
		return 1;
	case SCRIPT_SEND: accesses[0] = mutex_access(m, semaphore_of(m->script, i->object), MZ_WRITE, 1); return 1;
	case SCRIPT_PASS:
	case SCRIPT_TRYPASS:
		if (exactly) write = m->held[semaphore_of(m->script, i->object)] > i->expected;
		accesses[0] = mutex_access(m, semaphore_of(m->script, i->object), write ? MZ_WRITE : MZ_READ, -write);
		accesses[0].expected = i->expected;
		accesses[1] = mutex_access(m, semaphore_of(m->script, i->other), write ? MZ_WRITE : MZ_READ, write);
		return 2;
	case SCRIPT_POLL:
		accesses[0] = mutex_access(m, semaphore_of(m->script, i->object), MZ_READ, 0);
		accesses[0].expected = i->expected;
		accesses[1] = mutex_access(m, semaphore_of(m->script, i->other), MZ_READ, 0);
		return 2;
	case SCRIPT_POST: accesses[0] = mutex_access(m, semaphore_of(m->script, i->object), MZ_WEAK_WRITE, 1); return 1;
	case SCRIPT_ARRIVE: accesses[0] = mutex_access(m, barrier_of(m->script, i->object), MZ_WEAK_WRITE, 1); return 1;
	case SCRIPT_WAIT:
	case SCRIPT_TIMED_WAIT:
		accesses[0] = condition_access(m, i->object, MZ_WRITE, 1);
		accesses[1] = mutex_access(m, i->other, MZ_WRITE, -1);
		return 2;
	case SCRIPT_SIGNAL:
		if (exactly) write = m->nwaiting[i->object] > 0;
		accesses[0] = condition_access(m, i->object, write ? MZ_WRITE : MZ_READ, -write);
		if (exactly && write) accesses[0].expected = m->nwakes[i->object] + 1;
		return 1;
	case SCRIPT_BROADCAST:
		if (exactly) write = m->nwaiting[i->object] > 0;
		accesses[0] = condition_access(m, i->object, write ? MZ_WRITE : MZ_READ, -(int)m->nwaiting[i->object]);
		if (exactly && write) accesses[0].expected = m->nwakes[i->object] + 1;
		return 1;
	default: return 0;
	}
}

/* The condition that a thread waits for: it is past the instruction. */
static uint32_t condition_of(const struct machine *m, uint32_t t)
{
	return m->script->threads[t].code[m->threads[t].pc - 1].object;
}

static struct mz_access leaving_access(const struct machine *m, uint32_t t)
{
	uint64_t woken = m->threads[t].woken;
	struct mz_access access = condition_access(m, condition_of(m, t), woken ? MZ_READ : MZ_WRITE, woken ? 0 : -1);
	access.expected = woken;
	return access;
}

/* ---- inputs ---- */

/* The inputs for which the condition of a branch holds: they are its number. 0: it is no branch. */
static uint32_t condition_at(const struct machine_thread *thread, const struct script_instruction *i)
{
	if (i->kind != SCRIPT_BRANCH) return 0;
	return (uint32_t)(thread->value ? i->expected : i->value);
}

static uint32_t inputs_of(struct mz_decision decision)
{
	const uint32_t all = (1U << SCRIPT_INPUTS) - 1;
	return decision.choice ? decision.condition : all & ~decision.condition;
}

bool machine_is_possible(const struct machine *m, uint32_t t, uint32_t choice)
{
	const struct mz_pending *pending = &m->pending[t];
	return !pending->decided || (m->inputs & inputs_of((struct mz_decision){pending->condition, choice}));
}

static bool are_possible(const struct mz_decision *decisions, size_t count)
{
	uint32_t inputs = (1U << SCRIPT_INPUTS) - 1;
	for (size_t n = 0; n < count; n++) inputs &= inputs_of(decisions[n]);
	return inputs != 0;
}

/* The machine that this thread looked at last: a view does not tell whose it is. */
static _Thread_local const struct machine *looked_at;

static bool is_possible(uint32_t t, uint32_t choice)
{
	return machine_is_possible(looked_at, t, choice);
}

/* The execution has the lowest of its inputs. */
static void look_at_branch(const struct machine *m, struct mz_pending *pending, uint32_t condition)
{
	pending->decided = condition ? (uint8_t)(1 + ((m->inputs & -m->inputs & condition) != 0)) : 0;
	if (condition) pending->condition = condition;
}

static uint32_t alternatives_of(const struct machine *m, const struct script_instruction *i)
{
	if (i->kind == SCRIPT_BRANCH) return 2;
	if (i->kind == SCRIPT_CHOOSE) return (uint32_t)i->value;
	if (i->kind == SCRIPT_SIGNAL && m->nwaiting[i->object] > 1) return m->nwaiting[i->object];
	return 1;
}

/* --- spinning --- */

static bool is_read(uint8_t kind)
{
	return kind == MZ_READ || kind == MZ_WEAK_READ;
}

/* The latest read of a thread, in its list, after which it has come back to where it is; or NULL. */
static const struct machine_read *returned_to(const struct machine *m, uint32_t t)
{
	const struct machine_thread *thread = &m->threads[t];
	if (m->script->unrolled || thread->status != MACHINE_READY) return NULL;
	for (uint32_t n = thread->nreads; n > 0; n--) {
		const struct machine_read *read = &thread->reads[n - 1];
		if (read->returns && read->pc == thread->pc && read->turns == thread->turns) return read;
	}
	return NULL;
}

bool machine_spins(const struct machine *m, uint32_t t)
{
	const struct machine_thread *thread = &m->threads[t];
	const struct machine_read *first = returned_to(m, t);
	if (!first) return false;
	for (const struct machine_read *read = first; read < thread->reads + thread->nreads; read++) {
		if (read->outdated) return false;
	}
	return true;
}

/* Adds to the accesses of an operation what it waits for. Returns how many there are then. */
static uint16_t await(const struct machine *m, uint32_t t, struct mz_access *accesses)
{
	const struct machine_thread *thread = &m->threads[t];
	const struct machine_read *first = returned_to(m, t);
	uint16_t count = 1;
	if (!first) return count;
	accesses[0].age = (uint16_t)(thread->events - first->event);
	for (const struct machine_read *read = first + 1; read < thread->reads + thread->nreads; read++) {
		uint16_t same = 0;
		while (same < count &&
		       (accesses[same].object != read->access.object || accesses[same].mask != read->access.mask))
			same++;
		if (same < count) continue;
		accesses[count] = read->access;
		accesses[count].before = state_of(m, read->access.object);
		accesses[count].expected = 0;
		accesses[count].only_waited = true;
		accesses[count++].age = (uint16_t)(thread->events - read->event);
	}
	return count;
}

static void outdate(struct machine *m, uint32_t writer, const struct mz_access *write)
{
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		for (uint32_t n = 0; t != writer && n < m->threads[t].nreads; n++) {
			struct machine_read *read = &m->threads[t].reads[n];
			if (read->access.object != write->object || !(read->access.mask & write->mask)) continue;
			if (write->kind == MZ_WRITE || read->access.kind == MZ_READ) read->outdated = true;
		}
	}
}

/* The thread has executed an operation, which it began at `pc`. */
static void remember(struct machine *m, uint32_t t, uint32_t pc, uint32_t turns, const struct mz_event *event)
{
	struct machine_thread *thread = &m->threads[t];
	bool only_read = event->op != MZ_OP_CHOOSE && event->op != MZ_OP_LEAVE;
	for (unsigned n = 0; n < event->naccesses; n++) {
		if (is_read(event->accesses[n].kind)) continue;
		only_read = false;
		outdate(m, t, &event->accesses[n]);
	}
	if (!only_read) {
		forget_reads(thread);
		return;
	}
	uint32_t number = thread->events++;
	if (event->naccesses == 0) return;
	if (thread->nreads == MACHINE_READS)
		memmove(thread->reads, thread->reads + 1, --thread->nreads * sizeof *thread->reads);
	bool returns = event->op != MZ_OP_ACCESS && event->op != MZ_OP_SIGNAL && event->op != MZ_OP_BROADCAST;
	thread->reads[thread->nreads++] = (struct machine_read){.pc = pc,
	                                                        .turns = turns,
	                                                        .event = number,
	                                                        .returns = returns,
	                                                        .access = {.object = event->accesses[0].object,
	                                                                   .mask = event->accesses[0].mask,
	                                                                   .kind = event->accesses[0].kind}};
}

static bool has_to_wait(const struct machine *m, const struct script_instruction *i)
{
	switch (i->kind) {
	case SCRIPT_LOCK: return m->held[i->object] != 0;
	case SCRIPT_LOCK_ALONE: return m->held[lock_of(m->script, i->object)] % MZ_HELD_ANNOUNCED != 0;
	case SCRIPT_LOCK_SHARED: return m->held[lock_of(m->script, i->object)] >= MZ_HELD_ALONE;
	case SCRIPT_TAKE:
	case SCRIPT_PASS: return m->held[semaphore_of(m->script, i->object)] <= i->expected;
	case SCRIPT_POLL:
		return m->held[semaphore_of(m->script, i->object)] <= i->expected &&
		       m->held[semaphore_of(m->script, i->other)] == 0;
	default: return false;
	}
}

static void look(struct machine *m, uint32_t t)
{
	const struct machine_thread *thread = &m->threads[t];
	struct mz_pending *p = &m->pending[t];
	struct mz_access *accesses = &m->accesses[MACHINE_ACCESSES * t];
	*p = (struct mz_pending){.status = MZ_THREAD_ABSENT, .alternatives = 1, .accesses = accesses};
	if (thread->status == MACHINE_WOKEN) {
		p->op = MZ_OP_WAKEUP;
		accesses[0] = mutex_access(m, thread->target, MZ_WRITE, 1);
		p->naccesses = 1;
		p->status = m->held[thread->target] ? MZ_THREAD_BLOCKED : MZ_THREAD_ENABLED;
	} else if (thread->status == MACHINE_LEAVING) {
		p->op = MZ_OP_LEAVE;
		accesses[0] = leaving_access(m, t);
		p->naccesses = 1;
		p->status = MZ_THREAD_ENABLED;
	} else if (thread->status == MACHINE_READY) {
		const struct script_instruction *i = &m->script->threads[t].code[thread->pc];
		p->op = op_of(i);
		p->naccesses = accesses_of(m, i, false, accesses);
		p->alternatives = alternatives_of(m, i);
		look_at_branch(m, p, condition_at(thread, i));
		bool blocked = has_to_wait(m, i) || machine_spins(m, t);
		p->status = blocked ? MZ_THREAD_BLOCKED : MZ_THREAD_ENABLED;
		if (returned_to(m, t)) p->naccesses = await(m, t, accesses);
	}
	for (unsigned n = 0; n < p->naccesses && p->op != MZ_OP_POLL; n++)
		accesses[n].before = 0xdead; /* means nothing yet */
}

void machine_look(struct machine *m)
{
	looked_at = m;
	for (uint32_t t = 0; t < m->script->nthreads; t++) look(m, t);
}

bool machine_any_enabled(const struct machine *m)
{
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		if (m->pending[t].status == MZ_THREAD_ENABLED) return true;
	}
	return false;
}

bool machine_all_done(const struct machine *m)
{
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		if (m->threads[t].status != MACHINE_DONE && m->threads[t].status != MACHINE_UNBORN) return false;
	}
	return true;
}

bool machine_holds(const struct machine *m, struct mz_access reads[2], size_t *nreads)
{
	const struct script *s = m->script;
	*nreads = 0;
	if (!s->watched) return true;
	for (unsigned n = 0; n < 2; n++) {
		uint32_t word = s->watched_words[n];
		reads[(*nreads)++] = (struct mz_access){.object = word_name(word), .mask = 0xff, .kind = MZ_READ};
		if (m->words[word] != s->watched_values[n]) return true;
	}
	return false;
}

static uint32_t dequeue(struct machine *m, uint32_t condition, uint32_t index)
{
	uint32_t *queue = m->waiting + (size_t)condition * m->script->nthreads;
	uint32_t t = queue[index];
	memmove(queue + index, queue + index + 1, (m->nwaiting[condition] - index - 1) * sizeof *queue);
	m->nwaiting[condition]--;
	return t;
}

/* One that may time out is told when it leaves: until then it might have. */
static void wake(struct machine *m, uint32_t by, uint32_t condition, uint32_t index)
{
	uint32_t t = dequeue(m, condition, index);
	if (m->threads[t].status == MACHINE_LEAVING) {
		m->threads[t].woken = m->nwakes[condition];
		return;
	}
	m->threads[t].status = MACHINE_WOKEN;
	add_edge(m, by, t);
}

static void leave(struct machine *m, uint32_t t)
{
	uint32_t condition = condition_of(m, t), index = 0;
	const uint32_t *queue = m->waiting + (size_t)condition * m->script->nthreads;
	m->threads[t].status = MACHINE_WOKEN;
	m->threads[t].value = m->threads[t].woken != 0;
	if (m->threads[t].woken) return;
	while (queue[index] != t) index++;
	dequeue(m, condition, index);
}

/* The last one to arrive lets all others go on. Edges are the same whoever that is. */
static void arrive(struct machine *m, uint32_t t, uint32_t barrier)
{
	uint64_t *arrived = &m->held[barrier_of(m->script, barrier)];
	m->threads[t].status = MACHINE_ARRIVED;
	m->threads[t].target = barrier;
	if (++*arrived % m->script->parties) return;
	uint32_t first = MZ_NO_THREAD;
	for (uint32_t u = 0; u < m->script->nthreads; u++) {
		if (m->threads[u].status != MACHINE_ARRIVED || m->threads[u].target != barrier) continue;
		if (first == MZ_NO_THREAD) first = u;
		if (u != first) add_edge(m, u, first);
	}
	for (uint32_t u = first; u < m->script->nthreads; u++) {
		if (m->threads[u].status != MACHINE_ARRIVED || m->threads[u].target != barrier) continue;
		m->threads[u].status = MACHINE_READY;
		if (u != first) add_edge(m, first, u);
	}
}

static void perform(struct machine *m, uint32_t t, const struct script_instruction *i, uint32_t choice)
{
	struct machine_thread *thread = &m->threads[t];
	uint64_t *word = i->kind <= SCRIPT_ACCESS ? &m->words[i->object] : NULL;
	switch (i->kind) {
	case SCRIPT_LOAD: thread->value = get(*word, i->mask); break;
	case SCRIPT_STORE: *word = put(*word, i->mask, i->value); break;
	case SCRIPT_ADD:
	case SCRIPT_EXCHANGE:
	case SCRIPT_OR:
	case SCRIPT_AND:
		thread->value = get(*word, i->mask);
		*word = put(*word, i->mask, result_of(i, thread->value));
		break;
	case SCRIPT_CAS:
		thread->value = get(*word, i->mask) == i->expected;
		if (thread->value) *word = put(*word, i->mask, i->value);
		break;
	case SCRIPT_SECTION:
		thread->value = m->words[i->object];
		if (thread->value == i->expected) m->words[i->other] = i->value;
		break;
	case SCRIPT_LOCK: m->held[i->object] = 1; break;
	case SCRIPT_UNLOCK: m->held[i->object] = 0; break;
	case SCRIPT_TRYLOCK:
		thread->value = !m->held[i->object];
		m->held[i->object] = 1;
		break;
	case SCRIPT_LOCK_ALONE:
		m->held[lock_of(m->script, i->object)] += MZ_HELD_ALONE - (i->value ? MZ_HELD_ANNOUNCED : 0);
		break;
	case SCRIPT_UNLOCK_ALONE: m->held[lock_of(m->script, i->object)] -= MZ_HELD_ALONE; break;
	case SCRIPT_TRYLOCK_ALONE:
		thread->value = m->held[lock_of(m->script, i->object)] % MZ_HELD_ANNOUNCED == 0;
		if (thread->value) m->held[lock_of(m->script, i->object)] += MZ_HELD_ALONE;
		break;
	case SCRIPT_ANNOUNCE: m->held[lock_of(m->script, i->object)] += MZ_HELD_ANNOUNCED; break;
	case SCRIPT_LOCK_SHARED: m->held[lock_of(m->script, i->object)]++; break;
	case SCRIPT_UNLOCK_SHARED: m->held[lock_of(m->script, i->object)]--; break;
	case SCRIPT_TRYLOCK_SHARED:
		thread->value = m->held[lock_of(m->script, i->object)] < MZ_HELD_ALONE;
		m->held[lock_of(m->script, i->object)] += thread->value;
		break;
	case SCRIPT_TAKE: m->held[semaphore_of(m->script, i->object)]--; break;
	case SCRIPT_TRYTAKE:
		thread->value = m->held[semaphore_of(m->script, i->object)] > i->expected;
		m->held[semaphore_of(m->script, i->object)] -= thread->value;
		break;
	case SCRIPT_POST:
	case SCRIPT_SEND: m->held[semaphore_of(m->script, i->object)]++; break;
	case SCRIPT_PASS:
	case SCRIPT_TRYPASS:
		thread->value = m->held[semaphore_of(m->script, i->object)] > i->expected;
		m->held[semaphore_of(m->script, i->object)] -= thread->value;
		m->held[semaphore_of(m->script, i->other)] += thread->value;
		break;
	case SCRIPT_POLL: thread->value = m->held[semaphore_of(m->script, i->object)] > i->expected; break;
	case SCRIPT_ARRIVE: arrive(m, t, i->object); break;
	case SCRIPT_WAIT:
	case SCRIPT_TIMED_WAIT:
		m->held[i->other] = 0;
		m->waiting[(size_t)i->object * m->script->nthreads + m->nwaiting[i->object]++] = t;
		thread->status = i->kind == SCRIPT_WAIT ? MACHINE_WAITING : MACHINE_LEAVING;
		thread->target = i->other;
		thread->woken = 0;
		break;
	case SCRIPT_SIGNAL:
		if (!m->nwaiting[i->object]) break;
		m->nwakes[i->object]++;
		wake(m, t, i->object, choice);
		break;
	case SCRIPT_BROADCAST:
		if (m->nwaiting[i->object]) m->nwakes[i->object]++;
		while (m->nwaiting[i->object]) wake(m, t, i->object, 0);
		break;
	case SCRIPT_CHOOSE: thread->value = choice; break;
	case SCRIPT_BRANCH:
		m->inputs &= inputs_of((struct mz_decision){condition_at(thread, i), choice});
		thread->value = choice;
		break;
	default: break;
	}
}

/* Brings the thread to its next operation, and after a barrier those who were there too. */
static void settle_ready(struct machine *m, uint32_t t, bool all)
{
	if (m->threads[t].status != MACHINE_READY) return;
	settle(m, t);
	for (uint32_t u = 0; all && u < m->script->nthreads; u++) {
		if (u != t && m->threads[u].status == MACHINE_READY) settle(m, u);
	}
}

struct mz_event machine_step(struct machine *m, struct mz_step step, struct mz_access *accesses)
{
	struct machine_thread *thread = &m->threads[step.thread];
	struct mz_event event = {.thread = step.thread, .choice = step.choice, .alternatives = 1, .accesses = accesses};
	uint32_t pc = thread->pc, turns = thread->turns;
	m->nedges = m->nplain = 0;
	m->view.current = step.thread;
	if (thread->status == MACHINE_WOKEN) {
		event.op = MZ_OP_WAKEUP;
		event.naccesses = 1;
		accesses[0] = mutex_access(m, thread->target, MZ_WRITE, 1);
		m->held[thread->target] = 1;
		thread->status = MACHINE_READY;
	} else if (thread->status == MACHINE_LEAVING) {
		event.op = MZ_OP_LEAVE;
		event.naccesses = 1;
		accesses[0] = leaving_access(m, step.thread);
		leave(m, step.thread);
	} else {
		const struct script_instruction *i = &m->script->threads[step.thread].code[pc];
		event.op = op_of(i);
		event.naccesses = accesses_of(m, i, true, accesses);
		if (returned_to(m, step.thread)) event.naccesses = await(m, step.thread, accesses);
		event.alternatives = alternatives_of(m, i);
		event.condition = condition_at(thread, i);
		thread->pc++;
		perform(m, step.thread, i, step.choice);
	}
	remember(m, step.thread, pc, turns, &event);
	settle_ready(m, step.thread, event.op == MZ_OP_ARRIVE);
	return event;
}
