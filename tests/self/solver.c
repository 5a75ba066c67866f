/* SPDX-License-Identifier: MIT
 *
 * runtime/inputs/question.c, concolic/expression.c and concolic/solver/: a worker asks its solver, and is killed; another one takes over the
 * memory that they share, and is killed as well.
 *
 * Invariant: each answer is that to the question of the worker that reads it, whatever the solver still has to answer; the
 * expressions of the worker before are found again.
 *
 * options: -- killed
 * sources: runtime/inputs/question.c concolic/expression.c concolic/operator.c concolic/value.c
 * sources: concolic/simplify.c concolic/simplify_bitwise.c concolic/simplify_comparison.c concolic/simplify_structure.c
 * sources: concolic/solver/bytes.c concolic/solver/cache.c concolic/solver/mirror.c concolic/solver/path.c
 * sources: concolic/solver/query.c concolic/solver/single.c
 * sources: base/alloc.c base/arena.c base/array.c base/bug.c base/hash.c base/table.c
 * define: MZ_SMALL_TABLES
 */
#include "concolic/solver/z3.h"
#include "dying.h"
#include "runtime/core/core.h"
#include "runtime/inputs/question.h"
#include "runtime/inputs/values.h"
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORKERS 3 /* at most; the last one is not killed */

struct mz_runtime mz_rt;
struct mz_space *mz_inputs_space;
static struct mz_space space;
static struct mz_session session;

/* ---- the solver's process, with the same memory, is a thread ---- */

static void *map(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	(void)address, (void)size, (void)protection, (void)flags, (void)fd, (void)offset;
	return &space;
}

static int measure(int fd, struct stat *status)
{
	(void)fd;
	status->st_size = sizeof space;
	return 0;
}

#define main solver_main
#define mmap map
#define fstat measure
__attribute__((unused))
#include "concolic/solver/main.c"
#undef main
#undef mmap

/* ---- Z3 is not needed ---- */

struct mz_z3 {
	int unused;
};

struct mz_z3 *mz_z3_new(const struct mz_mirror *mirror)
{
	static struct mz_z3 z3;
	(void)mirror;
	return &z3;
}

void mz_z3_free(struct mz_z3 *z3)
{
	(void)z3;
}

enum mz_answer mz_z3_ask(struct mz_z3 *z3, struct mz_query *query)
{
	(void)z3, (void)query;
	assert(!"questions are about one byte");
	return MZ_ANSWER_UNKNOWN;
}

/* ---- the runtime ---- */

/* Who waits for an answer may be killed meanwhile. */
static ssize_t wait_and_read(int fd, void *bytes, size_t size)
{
	mz_dying_here();
	return read(fd, bytes, size);
}

void *mz_real_find(const char *name)
{
	return strcmp(name, "read") == 0    ? (void *)wait_and_read
	       : strcmp(name, "write") == 0 ? (void *)write
	                                    : (void *)memcpy;
}

void mz_unsupported(const char *why)
{
	(void)why;
	abort();
}

void mz_inputs_forget_values(void)
{
}

/* ---- workers ---- */

/* Says that the input is a number, which the solver has to find; and then, that it is less as well. */
static void ask(uint64_t number)
{
	uint32_t input = mz_expression_input(&space, 0), wanted = mz_expression_constant(&space, 8, number);
	uint32_t equal = mz_expression_make(&space, MZ_OPERATOR_EQ, 1, input, wanted, 0, 0);
	uint32_t less = mz_expression_make(&space, MZ_OPERATOR_ULT, 1, input, wanted, 0, 0);
	assert(input && wanted && equal && less);
	enum mz_answer answer = mz_question_ask(0, equal, 1);
	assert(answer == MZ_ANSWER_SAT && space.model[0] == number);
	mz_question_take_model();
	answer = mz_question_ask(1, less, 1);
	assert(answer == MZ_ANSWER_UNSAT);
}

/* Is a process: knows no expressions at first. */
static void *work(void *number)
{
	mz_expressions_release();
	session.inputs.solver = (struct mz_session_solver){0};
	if ((uintptr_t)number < WORKERS) mz_dying_begin();
	mz_question_start();
	space.values[0] = 0;
	ask((uintptr_t)number);
	assert(session.inputs.solver.queries == 2 && session.inputs.solver.sat == 1);
	mz_dying_end();
	return NULL;
}

int main(void)
{
	int ends[2];
	pthread_t server, worker;
	void *result;
	int failed = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	assert(!failed);
	channel = ends[1];
	mz_rt.session = &session;
	session.inputs.socket = ends[0];
	session.inputs.nbytes = 1;
	mz_inputs_space = &space;
	mz_dying_in(&space, sizeof space);
	pthread_create(&server, NULL, serve, NULL);
	bool killed = true;
	for (uintptr_t number = 1; number <= WORKERS && killed; number++) {
		pthread_create(&worker, NULL, work, (void *)number);
		pthread_join(worker, &result);
		killed = mz_dying_is_result(result);
	}
	assert(!killed);
	close(ends[0]);
	pthread_join(server, &result);
	assert(!result);
	return 0;
}
