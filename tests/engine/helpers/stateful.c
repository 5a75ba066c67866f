/* SPDX-License-Identifier: MIT */
#include "stateful.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

static void *checked(void *block)
{
	if (!block) abort();
	return block;
}

/* --- states as words --- */

#define THREAD_WORDS 3

size_t machine_size(const struct script *s)
{
	return s->nwords + s->nmutexes + (size_t)s->nconditions * (s->nthreads + 1) + THREAD_WORDS * s->nthreads;
}

void machine_store(const struct machine *m, uint64_t *at)
{
	const struct script *s = m->script;
	for (uint32_t n = 0; n < s->nwords; n++) *at++ = m->words[n];
	for (uint32_t n = 0; n < s->nmutexes; n++) *at++ = m->held[n];
	for (uint32_t n = 0; n < s->nconditions; n++) {
		*at++ = m->nwaiting[n];
		for (uint32_t k = 0; k < s->nthreads; k++)
			*at++ = k < m->nwaiting[n] ? m->waiting[(size_t)n * s->nthreads + k] : 0;
	}
	for (uint32_t t = 0; t < s->nthreads; t++) {
		const struct machine_thread *thread = &m->threads[t];
		bool has_target = thread->status != MACHINE_READY && thread->status != MACHINE_DONE;
		*at++ = (uint64_t)thread->pc << 32 | thread->turns;
		*at++ = (uint64_t)thread->status << 32 | (has_target ? thread->target : 0);
		*at++ = thread->value;
	}
}

void machine_load(struct machine *m, const uint64_t *at)
{
	const struct script *s = m->script;
	m->failed = false;
	for (uint32_t n = 0; n < s->nwords; n++) m->words[n] = *at++;
	for (uint32_t n = 0; n < s->nmutexes; n++) m->held[n] = (uint8_t)*at++;
	for (uint32_t n = 0; n < s->nconditions; n++) {
		m->nwaiting[n] = (uint32_t)*at++;
		for (uint32_t k = 0; k < s->nthreads; k++) m->waiting[(size_t)n * s->nthreads + k] = (uint32_t)*at++;
	}
	for (uint32_t t = 0; t < s->nthreads; t++) {
		struct machine_thread *thread = &m->threads[t];
		thread->pc = (uint32_t)(*at >> 32);
		thread->turns = (uint32_t)*at++;
		thread->status = (uint8_t)(*at >> 32);
		thread->target = (uint32_t)*at++;
		thread->value = *at++;
		thread->nreads = thread->events = 0;
	}
}

uint64_t machine_local(const struct machine *m, uint32_t t)
{
	const struct machine_thread *thread = &m->threads[t];
	uint64_t place = (uint64_t)thread->pc << 32 | thread->turns << 8 | thread->status;
	return mz_hash2(mz_hash2(place, thread->value), t);
}

/* --- steps --- */

static struct mz_access reading(uint64_t object)
{
	return (struct mz_access){.object = object, .mask = 0xff, .kind = MZ_READ};
}

enum mz_halt stateful_halt(const struct machine *machine, uint32_t t, struct mz_access *waits, uint16_t *nwaits)
{
	struct machine *m = (struct machine *)machine;
	const struct machine_thread *thread = &m->threads[t];
	*nwaits = 0;
	if (thread->status == MACHINE_UNBORN || thread->status == MACHINE_DONE) return MZ_HALT_OVER;
	if (thread->status == MACHINE_JOINING) {
		waits[(*nwaits)++] = reading(machine_end_name(thread->target));
		return MZ_HALT_BLOCKED;
	}
	if (thread->status == MACHINE_WAITING) {
		const struct script_instruction *wait = &m->script->threads[t].code[thread->pc - 1];
		waits[(*nwaits)++] = reading(0xc00000 + 64 * (uint64_t)wait->object);
		return MZ_HALT_BLOCKED;
	}
	machine_look(m);
	const struct mz_pending *pending = &m->view.pending[t];
	if (pending->status == MZ_THREAD_ENABLED) return pending->alternatives > 1 ? MZ_HALT_CHOICE : MZ_HALT_ENOUGH;
	waits[(*nwaits)++] = reading(pending->accesses[0].object);
	return MZ_HALT_BLOCKED;
}

static bool changed_another(const struct machine *m, uint32_t t)
{
	for (size_t n = 0; n < m->nedges; n++) {
		if (m->edges[n].after != t) return true;
	}
	return false;
}

enum mz_halt stateful_step(struct machine *m, struct mz_step step, struct mz_access *accesses, struct mz_stride *stride)
{
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits;
	struct mz_event event = machine_step(m, step, accesses);
	if (m->threads[step.thread].status == MACHINE_DONE)
		accesses[event.naccesses++] =
		    (struct mz_access){.object = machine_end_name(step.thread), .mask = 0xff, .kind = MZ_WRITE};
	*stride = (struct mz_stride){.event = event,
	                             .plain = m->plain,
	                             .nplain = m->nplain,
	                             .changes = true, /* going round is no bug of a script */
	                             .races = event.op == MZ_OP_READ || event.op == MZ_OP_WRITE,
	                             .local = machine_local(m, step.thread)};
	if (m->failed) return MZ_HALT_FOUND;
	if (changed_another(m, step.thread)) return MZ_HALT_MET;
	return stateful_halt(m, step.thread, waits, &nwaits);
}

/* --- the program --- */

static bool begin(void *self)
{
	struct stateful_script *p = self;
	machine_restart(&p->machine);
	return !p->machine.failed;
}

static const struct mz_view *view(void *self)
{
	struct stateful_script *p = self;
	machine_look(&p->machine);
	return &p->machine.view;
}

static enum mz_halt thread_halt(void *self, uint32_t t, struct mz_access waits[MZ_WAITS_MAX], uint16_t *nwaits)
{
	struct stateful_script *p = self;
	return stateful_halt(&p->machine, t, waits, nwaits);
}

static enum mz_halt run_thread(void *self, uint32_t t, uint32_t choice, uint32_t most, const struct mz_watcher *watcher)
{
	struct stateful_script *p = self;
	enum mz_halt halt = MZ_HALT_ENOUGH;
	for (uint32_t n = 0; n < most && halt == MZ_HALT_ENOUGH; n++) {
		struct mz_access accesses[MACHINE_ACCESSES + 1];
		struct mz_stride stride;
		halt = stateful_step(&p->machine, (struct mz_step){t, n ? 0 : choice}, accesses, &stride);
		p->moved++;
		if (!watcher->step(watcher->self, &stride)) break;
	}
	return halt;
}

static bool holds(void *self, const struct mz_access **reads, size_t *nreads)
{
	struct stateful_script *p = self;
	*reads = p->reads;
	return machine_holds(&p->machine, p->reads, nreads);
}

static uint32_t keep_state(void *self)
{
	struct stateful_script *p = self;
	size_t handle = 0;
	if (p->most && p->in_use == p->most) return MZ_NO_HANDLE;
	while (handle < p->nkept && p->kept[handle]) handle++;
	if (handle == p->kept_capacity) {
		p->kept_capacity = p->kept_capacity ? 2 * p->kept_capacity : 64;
		p->kept = checked(realloc(p->kept, p->kept_capacity * sizeof(uint64_t *)));
	}
	if (handle == p->nkept) p->nkept++;
	p->kept[handle] = checked(malloc(machine_size(p->machine.script) * sizeof(uint64_t)));
	machine_store(&p->machine, p->kept[handle]);
	p->in_use++;
	return (uint32_t)handle;
}

static void load_state(void *self, uint32_t handle)
{
	struct stateful_script *p = self;
	if (handle >= p->nkept || !p->kept[handle]) abort();
	machine_load(&p->machine, p->kept[handle]);
}

static void drop_state(void *self, uint32_t handle)
{
	struct stateful_script *p = self;
	if (handle >= p->nkept || !p->kept[handle]) abort();
	free(p->kept[handle]);
	p->kept[handle] = NULL;
	p->in_use--;
}

static const void *bytes(void *self, size_t *size)
{
	struct stateful_script *p = self;
	*size = machine_size(p->machine.script) * sizeof(uint64_t);
	machine_store(&p->machine, p->state);
	return p->state;
}

static struct mz_key key(void *self)
{
	size_t size;
	const uint64_t *state = bytes(self, &size);
	struct mz_key key = {1, 2};
	for (size_t n = 0; n < size / sizeof *state; n++) {
		key.low = mz_hash2(key.low, state[n]);
		key.high = mz_hash2(state[n], key.high + n);
	}
	return key;
}

static bool witness(void *self, const struct mz_step *schedule, uint32_t steps, bool on)
{
	(void)on;
	struct stateful_script *p = self;
	p->see(p->witness, schedule, steps);
	machine_restart(&p->machine); /* the state it was in is lost */
	return true;
}

void stateful_script_init(struct stateful_script *p, const struct script *script)
{
	*p = (struct stateful_script){0};
	machine_init(&p->machine, script);
	p->state = checked(malloc((machine_size(script) + 1) * sizeof(uint64_t)));
}

void stateful_script_release(struct stateful_script *p)
{
	for (size_t n = 0; n < p->nkept; n++) free(p->kept[n]);
	free(p->kept);
	free(p->state);
	machine_release(&p->machine);
}

struct mz_stateful stateful_script_program(struct stateful_script *p, bool keys_are_cheap)
{
	return (struct mz_stateful){.self = p,
	                            .keys_are_cheap = keys_are_cheap,
	                            .begin = begin,
	                            .view = view,
	                            .thread_halt = thread_halt,
	                            .run_thread = run_thread,
	                            .holds = holds,
	                            .keep_state = keep_state,
	                            .load_state = load_state,
	                            .drop_state = drop_state,
	                            .key = key,
	                            .bytes = bytes,
	                            .witness = witness};
}
