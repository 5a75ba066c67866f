/* SPDX-License-Identifier: MIT
 *
 * A host of its own: a small cooperative scheduler that owns its tasks and lets the engine decide who runs. The tasks
 * are two transfers between two accounts; each locks its source first, and so they can block each other for ever.
 *
 *     cc -o scheduler scheduler.c $(pkg-config --cflags --libs mazurka-engine) && ./scheduler
 */
#include <mazurka/engine.h>
#include <stdio.h>

enum { ACCOUNTS = 2, TASKS = 2, FREE = -1 };

struct account {
	int balance;
	int locked_by; /* a task, or FREE */
};

struct task {
	int from, to, amount;
	int at; /* how far it is: the next line of transfer() */
};

struct world {
	struct account accounts[ACCOUNTS];
	struct task tasks[TASKS];
};

static struct world new_world(void)
{
	return (struct world){.accounts = {{100, FREE}, {100, FREE}}, .tasks = {{0, 1, 10, 0}, {1, 0, 20, 0}}};
}

/* Which account a task has to lock next, or -1. */
static int wants(const struct task *task)
{
	return task->at == 0 ? task->from : task->at == 1 ? task->to : -1;
}

static void lock(struct world *world, mz_engine *engine, int number, int account)
{
	world->accounts[account].locked_by = number;
	mz_engine_sync(engine, (uint32_t)number, MZ_ENGINE_ACQUIRE, (uint64_t)account);
}

static void unlock(struct world *world, mz_engine *engine, int number, int account)
{
	world->accounts[account].locked_by = FREE;
	mz_engine_sync(engine, (uint32_t)number, MZ_ENGINE_RELEASE, (uint64_t)account);
}

/* One step of a task, reported as it is made. */
static void transfer(struct world *world, mz_engine *engine, int number)
{
	struct task *task = &world->tasks[number];
	switch (task->at++) {
	case 0: lock(world, engine, number, task->from); break;
	case 1: lock(world, engine, number, task->to); break;
	case 2:
		world->accounts[task->from].balance -= task->amount;
		world->accounts[task->to].balance += task->amount;
		mz_engine_access(engine, (uint32_t)number, (uint64_t)task->from, MZ_WRITE);
		mz_engine_access(engine, (uint32_t)number, (uint64_t)task->to, MZ_WRITE);
		break;
	case 3: unlock(world, engine, number, task->to); break;
	case 4: unlock(world, engine, number, task->from); mz_engine_finish_thread(engine, (uint32_t)number);
	}
}

/* Tells the engine which tasks cannot go on, and which can again. */
static void update(const struct world *world, mz_engine *engine, int blocked[TASKS])
{
	for (int number = 0; number < TASKS; number++) {
		int account = wants(&world->tasks[number]);
		int now = account >= 0 && world->accounts[account].locked_by != FREE;
		if (now && !blocked[number]) mz_engine_block(engine, (uint32_t)number, (uint64_t)account);
		if (!now && blocked[number]) mz_engine_unblock(engine, (uint32_t)number);
		blocked[number] = now;
	}
}

/* One execution. Returns whether both transfers came to their end. */
static int run(mz_engine *engine)
{
	struct world world = new_world();
	int blocked[TASKS] = {0}, number;
	mz_engine_begin(engine);
	while ((number = mz_engine_schedule(engine)) >= 0) {
		transfer(&world, engine, number);
		update(&world, engine, blocked);
	}
	return world.tasks[0].at == 5 && world.tasks[1].at == 5;
}

static void print_schedule(const mz_engine *engine)
{
	uint32_t length;
	const uint32_t *schedule = mz_engine_trace(engine, &length);
	printf("deadlock after the steps");
	for (uint32_t n = 0; n < length; n++) printf(" %u", schedule[n]);
	printf("\n");
}

int main(void)
{
	char error[200];
	mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = TASKS}, error, sizeof error);
	if (!engine) {
		fprintf(stderr, "%s\n", error);
		return 2;
	}
	do {
		if (!run(engine)) print_schedule(engine);
	} while (mz_engine_next(engine));
	if (mz_engine_error(engine)) fprintf(stderr, "%s\n", mz_engine_error(engine));
	mz_engine_counts counts = mz_engine_count(engine);
	printf("%llu executions, %llu redundant, %s\n", (unsigned long long)counts.executions,
	       (unsigned long long)counts.redundant, mz_engine_complete(engine) ? "complete" : "incomplete");
	mz_engine_free(engine);
	return 0;
}
