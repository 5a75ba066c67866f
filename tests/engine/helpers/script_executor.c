/* SPDX-License-Identifier: MIT */
#include "script_executor.h"

void script_executor_init(struct script_executor *executor, const struct script *script, uint32_t max_steps)
{
	*executor = (struct script_executor){.max_steps = max_steps};
	machine_init(&executor->machine, script);
}

void script_executor_release(struct script_executor *executor)
{
	machine_release(&executor->machine);
}

static void report_edges(struct script_executor *e, const struct mz_driver *driver, bool new)
{
	for (size_t n = 0; n < e->machine.nedges; n++) {
		struct machine_edge edge = e->machine.edges[n];
		if (new) driver->order(driver->self, edge.before, edge.after);
		if (e->watcher) e->edge(e->watcher, edge);
	}
}

static void execute(struct script_executor *e, struct mz_step step, const struct mz_driver *driver, bool new)
{
	struct mz_access accesses[MACHINE_ACCESSES];
	struct mz_event event = machine_step(&e->machine, step, accesses);
	if (new) driver->observe(driver->self, &event);
	if (e->watcher) e->event(e->watcher, &event);
	report_edges(e, driver, new);
	e->nsteps++;
}

/* What a strategy prefers depends on who went last. */
static void follow_whim(struct script_executor *e)
{
	if (!e->whim) return;
	e->whim = e->whim * 6364136223846793005ULL + 1442695040888963407ULL;
	e->machine.view.current = (uint32_t)((e->whim >> 33) % e->machine.script->nthreads);
}

static void hide(struct machine *m)
{
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		if (m->pending[t].status == MZ_THREAD_ENABLED) m->pending[t].naccesses = 0;
	}
}

enum mz_end script_executor_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                                struct mz_view *view)
{
	struct script_executor *e = self;
	struct machine *m = &e->machine;
	enum mz_end end = MZ_END_STEPS;
	e->nsteps = 0;
	machine_restart(m);
	if (e->watcher) e->begin(e->watcher);
	report_edges(e, driver, !e->first_done);
	e->first_done = true;
	while (e->nsteps < known) execute(e, schedule[e->nsteps], driver, false);
	for (;;) {
		machine_look(m);
		if (!machine_any_enabled(m)) {
			end = machine_all_done(m) ? MZ_END_FINISHED : MZ_END_DEADLOCK;
			break;
		}
		if (e->nsteps == e->max_steps) break;
		follow_whim(e);
		if (e->secretive) hide(m);
		struct mz_step step = driver->choose(driver->self, &m->view);
		if (step.thread == MZ_NO_THREAD) {
			end = MZ_END_STOPPED;
			break;
		}
		schedule[e->nsteps] = step;
		execute(e, step, driver, true);
	}
	*view = m->view;
	return end;
}
