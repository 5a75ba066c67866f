/* SPDX-License-Identifier: MIT
 *
 * A query in steps: copy it, and check that it is well-formed; see whether the last constraint holds by chance; reduce
 * the query to what the last constraint has to do with; ask what is cheap, then Z3. Each model is checked by evaluation
 * before it is given away, whoever proposed it.
 */
#include "concolic/solver/query.h"
#include "base/alloc.h"
#include "base/array.h"
#include "concolic/solver/cache.h"
#include "concolic/solver/single.h"
#include "concolic/solver/z3.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

/* How many values of single bytes are tried before Z3 is asked. */
#define EDITS 512

struct mz_solver {
	struct mz_mirror mirror;
	struct mz_path path;
	struct mz_cache cache;
	struct mz_singles singles;
	struct mz_z3 *z3;

	mz_literal *literals; /* of the query */
	size_t literals_capacity;
	uint32_t count;
	uint32_t timeout_ms;
	struct mz_slice slice;

	uint32_t nbytes;
	uint8_t *values; /* MZ_SPACE_BYTES each: of the execution under way, and of the model that is tried */
	uint8_t *model;
	struct mz_values known; /* values of expressions for `values`, and for `model` */
	struct mz_values tried;
	uint32_t holding; /* the first so many constraints of the path hold for `values` */

	struct mz_domain *domains; /* by byte, with domain_stamps: values that constraints on that byte alone allow */
	uint32_t *byte_stamps, *domain_stamps, *literal_stamps;
	size_t literal_stamps_capacity;
	uint32_t stamp; /* of the query */

	const char *error; /* what is wrong with the query; NULL: nothing */
	struct mz_solver_counts counts;
};

/* ---- making and freeing ---- */

static void *zeros(size_t size)
{
	void *block = mz_alloc(size);
	if (block) memset(block, 0, size);
	return block;
}

struct mz_solver *mz_solver_new(void)
{
	struct mz_solver *solver = zeros(sizeof *solver);
	if (!solver) return NULL;
	solver->values = zeros(MZ_SPACE_BYTES);
	solver->model = zeros(MZ_SPACE_BYTES);
	solver->domains = zeros(MZ_SPACE_BYTES * sizeof *solver->domains);
	solver->byte_stamps = zeros(MZ_SPACE_BYTES * sizeof *solver->byte_stamps);
	solver->domain_stamps = zeros(MZ_SPACE_BYTES * sizeof *solver->domain_stamps);
	bool done = solver->values && solver->model && solver->domains && solver->byte_stamps &&
	            solver->domain_stamps && mz_mirror_init(&solver->mirror) && mz_path_init(&solver->path) &&
	            mz_singles_init(&solver->singles) && (solver->z3 = mz_z3_new(&solver->mirror));
	if (done) return solver;
	mz_solver_free(solver);
	return NULL;
}

void mz_solver_free(struct mz_solver *solver)
{
	if (!solver) return;
	mz_z3_free(solver->z3);
	mz_mirror_release(&solver->mirror);
	mz_path_release(&solver->path);
	mz_singles_release(&solver->singles);
	mz_cache_release(&solver->cache);
	mz_values_release(&solver->known);
	mz_values_release(&solver->tried);
	void *const blocks[] = {solver->literals,    solver->slice.literals, solver->slice.bytes,
	                        solver->values,      solver->model,          solver->domains,
	                        solver->byte_stamps, solver->domain_stamps,  solver->literal_stamps};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mz_free(blocks[i]);
	mz_free(solver);
}

/* ---- reading a query ---- */

static bool fail(struct mz_solver *solver, const char *error)
{
	solver->error = error;
	return false;
}

/* The negation of an expression that has a value is the expression with the other value. */
static mz_literal literal_of(const struct mz_space *space, uint32_t expression, uint32_t value)
{
	for (;;) {
		const struct mz_expression *e = &space->expressions[expression];
		if (e->op != MZ_OPERATOR_XOR || !mz_expression_is_constant(space, e->b)) break;
		value ^= (uint32_t)space->expressions[e->b].number;
		expression = e->a;
	}
	return expression << 1 | value;
}

static bool read_constraint(struct mz_solver *solver, struct mz_constraint constraint, mz_literal *literal)
{
	if (!mz_mirror_has(&solver->mirror, constraint.expression) || constraint.value > 1) return false;
	if (solver->mirror.space->expressions[constraint.expression].width != 1) return false;
	*literal = literal_of(solver->mirror.space, constraint.expression, constraint.value);
	return true;
}

static bool read_constraints(struct mz_solver *solver, const struct mz_space *shared)
{
	if (!mz_array_reserve(&solver->literals, &solver->literals_capacity, solver->count))
		return fail(solver, "no memory");
	for (uint32_t i = 0; i < solver->count; i++) {
		if (!read_constraint(solver, shared->constraints[i], &solver->literals[i])) {
			return fail(solver, "a constraint that is not one bit of an expression");
		}
	}
	return true;
}

/* Returns how many bytes there may be: those that inputs have, and those that expressions have, whichever are more. */
static uint32_t count_bytes(const struct mz_solver *solver, const struct mz_space *shared)
{
	uint32_t nbytes = shared->nbytes > MZ_SPACE_BYTES ? MZ_SPACE_BYTES : shared->nbytes;
	return nbytes > solver->mirror.limit ? nbytes : solver->mirror.limit;
}

static void read_values(struct mz_solver *solver, const struct mz_space *shared)
{
	solver->nbytes = count_bytes(solver, shared);
	if (memcmp(solver->values, shared->values, solver->nbytes) == 0) return;
	memcpy(solver->values, shared->values, solver->nbytes);
	mz_values_forget(&solver->known);
	solver->holding = 0;
}

static bool reserve_literals(struct mz_solver *solver)
{
	size_t old = solver->literal_stamps_capacity, need = 2 * ((size_t)solver->mirror.space->nexpressions + 1);
	if (!mz_array_reserve(&solver->literal_stamps, &solver->literal_stamps_capacity, need)) return false;
	size_t grown = solver->literal_stamps_capacity - old;
	if (grown) memset(solver->literal_stamps + old, 0, grown * sizeof *solver->literal_stamps);
	return true;
}

static bool read_query(struct mz_solver *solver, const struct mz_space *shared)
{
	solver->count = shared->nconstraints;
	solver->timeout_ms = shared->timeout_ms;
	if (solver->count > MZ_SPACE_CONSTRAINTS) return fail(solver, "more constraints than there can be");
	if (!mz_mirror_update(&solver->mirror, shared))
		return fail(solver, "no memory, or fewer expressions than before");
	if (!mz_values_reserve(&solver->known, solver->mirror.space) ||
	    !mz_values_reserve(&solver->tried, solver->mirror.space) || !reserve_literals(solver) ||
	    !mz_cache_reserve(&solver->cache, solver->mirror.space->nexpressions)) {
		return fail(solver, "no memory");
	}
	return read_constraints(solver, shared);
}

/* ---- what holds already ---- */

static bool holds(struct mz_solver *solver, mz_literal literal)
{
	return mz_expression_value(solver->mirror.space, literal >> 1, solver->values, &solver->known) == (literal & 1);
}

/* Follows the path, and checks that all constraints but the last hold. */
static bool follow(struct mz_solver *solver, const struct mz_space *shared)
{
	uint32_t kept;
	bool done = mz_path_follow(&solver->path, &solver->mirror, solver->literals, solver->count, &kept);
	if (kept < solver->holding) solver->holding = kept;
	if (!done) return fail(solver, "no memory");
	read_values(solver, shared);
	while (solver->holding + 1 < solver->count) {
		if (!holds(solver, solver->literals[solver->holding]))
			return fail(solver, "a constraint does not hold");
		solver->holding++;
	}
	return true;
}

/* ---- the slice ---- */

static void add_byte(struct mz_solver *solver, uint32_t byte)
{
	if (solver->byte_stamps[byte] == solver->stamp) return;
	solver->byte_stamps[byte] = solver->stamp;
	solver->slice.bytes[solver->slice.nbytes++] = (uint16_t)byte;
}

static void add_bytes(struct mz_solver *solver, const struct mz_bytes *bytes)
{
	for (unsigned i = 0; i < bytes->nranges; i++) {
		for (uint32_t byte = bytes->ranges[i].first; byte <= bytes->ranges[i].last; byte++)
			add_byte(solver, byte);
	}
}

static void add_literal(mz_literal literal, void *data)
{
	struct mz_solver *solver = data;
	struct mz_slice *slice = &solver->slice;
	if (solver->literal_stamps[literal] == solver->stamp) return;
	solver->literal_stamps[literal] = solver->stamp;
	slice->literals[slice->count++] = literal;
	slice->key.low += mz_hash2(literal, 1);
	slice->key.high += mz_hash2(literal, 2);
	add_bytes(solver, solver->mirror.support[literal >> 1]);
}

/* Begins another generation of stamps. */
static void new_stamp(struct mz_solver *solver)
{
	if (++solver->stamp) return;
	memset(solver->literal_stamps, 0, solver->literal_stamps_capacity * sizeof *solver->literal_stamps);
	memset(solver->byte_stamps, 0, MZ_SPACE_BYTES * sizeof *solver->byte_stamps);
	memset(solver->domain_stamps, 0, MZ_SPACE_BYTES * sizeof *solver->domain_stamps);
	solver->stamp = 1;
}

static bool find_slice(struct mz_solver *solver)
{
	struct mz_slice *slice = &solver->slice;
	slice->count = slice->nbytes = 0;
	slice->key = (struct mz_key){0, 0};
	if (!mz_array_reserve(&slice->literals, &slice->literals_capacity, solver->count) ||
	    !mz_array_reserve(&slice->bytes, &slice->bytes_capacity, MZ_SPACE_BYTES)) {
		return fail(solver, "no memory");
	}
	new_stamp(solver);
	mz_path_slice(&solver->path, add_literal, solver);
	solver->counts.sliced += slice->count;
	return true;
}

/* ---- trying models ---- */

/* Reports whether the literals of the slice hold for `model`. */
static bool is_model(struct mz_solver *solver)
{
	const struct mz_slice *slice = &solver->slice;
	mz_values_forget(&solver->tried);
	for (uint32_t i = 0; i < slice->count; i++) {
		mz_literal literal = slice->literals[i];
		uint64_t value = mz_expression_value(solver->mirror.space, literal >> 1, solver->model, &solver->tried);
		if (value != (literal & 1)) return false;
	}
	return true;
}

static void reset_model(struct mz_solver *solver)
{
	for (uint32_t i = 0; i < solver->slice.nbytes; i++) {
		uint16_t byte = solver->slice.bytes[i];
		solver->model[byte] = solver->values[byte];
	}
}

static enum mz_answer try_models(struct mz_solver *solver)
{
	uint32_t n = solver->cache.nmodels < MZ_CACHE_MODELS ? solver->cache.nmodels : MZ_CACHE_MODELS;
	for (uint32_t age = 1; age <= n; age++) {
		const uint8_t *model = solver->cache.models[(solver->cache.nmodels - age) % MZ_CACHE_MODELS];
		for (uint32_t i = 0; i < solver->slice.nbytes; i++) {
			solver->model[solver->slice.bytes[i]] = model[solver->slice.bytes[i]];
		}
		if (is_model(solver)) return MZ_ANSWER_SAT;
	}
	reset_model(solver);
	return MZ_ANSWER_NONE;
}

/* ---- constraints on single bytes ---- */

static struct mz_domain *domain_of(struct mz_solver *solver, uint16_t byte)
{
	if (solver->domain_stamps[byte] != solver->stamp) {
		solver->domain_stamps[byte] = solver->stamp;
		solver->domains[byte] = mz_domain_all();
	}
	return &solver->domains[byte];
}

/* Tries all values that a byte may have by itself, the others as they are. */
static bool try_byte(struct mz_solver *solver, uint16_t byte)
{
	const struct mz_domain *domain = domain_of(solver, byte);
	for (unsigned value = 0; value < 256; value++) {
		solver->model[byte] = (uint8_t)value;
		if (mz_domain_has(domain, value) && is_model(solver)) return true;
	}
	solver->model[byte] = solver->values[byte];
	return false;
}

static enum mz_answer try_edits(struct mz_solver *solver)
{
	const struct mz_bytes *bytes = solver->mirror.support[solver->slice.literals[0] >> 1];
	unsigned left = EDITS / 256;
	for (unsigned i = 0; i < bytes->nranges; i++) {
		for (uint32_t byte = bytes->ranges[i].first; byte <= bytes->ranges[i].last; byte++) {
			if (left-- == 0) return MZ_ANSWER_NONE;
			if (try_byte(solver, (uint16_t)byte)) return MZ_ANSWER_SAT;
		}
	}
	return MZ_ANSWER_NONE;
}

/* Intersects what constraints on single bytes allow. If nothing remains of some byte, the slice cannot hold; if all
 * constraints are on the same single byte, a value that remains is a model. */
static enum mz_answer try_singles(struct mz_solver *solver)
{
	const struct mz_slice *slice = &solver->slice;
	bool complete = true;
	for (uint32_t i = 0; i < slice->count; i++) {
		const struct mz_bytes *bytes = solver->mirror.support[slice->literals[i] >> 1];
		if (!mz_bytes_is_one(bytes)) {
			complete = false;
			continue;
		}
		struct mz_domain *domain = domain_of(solver, bytes->ranges[0].first);
		if (!mz_singles_restrict(&solver->singles, &solver->mirror, slice->literals[i], domain))
			complete = false;
		if (mz_domain_is_empty(domain)) return MZ_ANSWER_UNSAT;
	}
	return complete && try_byte(solver, slice->bytes[0]) ? MZ_ANSWER_SAT : MZ_ANSWER_NONE;
}

/* ---- Z3 ---- */

static enum mz_answer ask_z3(struct mz_solver *solver)
{
	struct mz_slice *slice = &solver->slice;
	struct mz_query query = {slice, solver->model, solver->timeout_ms, 0};
	enum mz_answer answer = mz_z3_ask(solver->z3, &query);
	if (answer == MZ_ANSWER_UNSAT) mz_cache_store_core(&solver->cache, slice->literals, query.ncore);
	if (answer == MZ_ANSWER_UNKNOWN) {
		solver->counts.timeouts++;
		return answer;
	}
	if (answer == MZ_ANSWER_SAT && !is_model(solver)) {
		fail(solver, "a model of Z3 for which the constraints do not hold");
		return MZ_ANSWER_UNKNOWN;
	}
	if (answer == MZ_ANSWER_SAT) mz_cache_store_model(&solver->cache, solver->model, solver->nbytes);
	mz_cache_store(&solver->cache, slice, answer, solver->model);
	return answer;
}

/* ---- all ways, the cheap ones first ---- */

static enum mz_answer try_same_set(struct mz_solver *solver)
{
	enum mz_answer answer = mz_cache_find(&solver->cache, &solver->slice, solver->model);
	if (answer != MZ_ANSWER_SAT || is_model(solver)) return answer;
	reset_model(solver); /* two sets with the same key */
	return MZ_ANSWER_NONE;
}

static enum mz_answer try_cores(struct mz_solver *solver)
{
	return mz_cache_has_core(&solver->cache, &solver->slice) ? MZ_ANSWER_UNSAT : MZ_ANSWER_NONE;
}

static enum mz_answer answer_slice(struct mz_solver *solver)
{
	const struct {
		enum mz_answer (*try)(struct mz_solver *solver);
		uint64_t *count;
	} ways[] = {
	    {try_singles, &solver->counts.by_single_bytes}, {try_same_set, &solver->counts.by_same_set},
	    {try_cores, &solver->counts.by_core},           {try_models, &solver->counts.by_model},
	    {try_edits, &solver->counts.by_edit},
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		enum mz_answer answer = ways[i].try(solver);
		if (answer == MZ_ANSWER_NONE) continue;
		++*ways[i].count;
		solver->counts.cached++;
		return answer;
	}
	return ask_z3(solver);
}

static enum mz_answer answer(struct mz_solver *solver, const struct mz_space *shared)
{
	solver->error = NULL;
	if (!read_query(solver, shared) || !follow(solver, shared)) return MZ_ANSWER_UNKNOWN;
	memcpy(solver->model, solver->values, solver->nbytes);
	solver->counts.constraints += solver->count;
	bool constant = solver->count && solver->mirror.support[solver->literals[solver->count - 1] >> 1]->nranges == 0;
	if (solver->count == 0 || holds(solver, solver->literals[solver->count - 1]) || constant) {
		solver->counts.cached++;
		solver->counts.by_values++;
		bool hold = solver->count == 0 || holds(solver, solver->literals[solver->count - 1]);
		return hold ? MZ_ANSWER_SAT : MZ_ANSWER_UNSAT;
	}
	return find_slice(solver) ? answer_slice(solver) : MZ_ANSWER_UNKNOWN;
}

static uint64_t nanoseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void mz_solver_answer(struct mz_solver *solver, struct mz_space *shared)
{
	uint64_t start = nanoseconds();
	enum mz_answer given = answer(solver, shared);
	if (solver->error) {
		fprintf(stderr, "mazurka-solver: internal error: %s\n", solver->error);
		solver->counts.errors++;
	}
	solver->counts.queries++;
	solver->counts.sat += given == MZ_ANSWER_SAT;
	solver->counts.unsat += given == MZ_ANSWER_UNSAT;
	if (given == MZ_ANSWER_SAT) memcpy(shared->model, solver->model, solver->nbytes);
	solver->counts.nanoseconds += nanoseconds() - start;
	shared->counts = solver->counts;
	shared->answer = given;
}
