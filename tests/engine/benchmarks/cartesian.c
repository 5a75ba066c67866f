/* SPDX-License-Identifier: MIT
 *
 * bench_cartesian [--ours | --twice] STRATEGY NAME [SIZE ...]: one of the programs of models.c, searched by a stateful
 * strategy. Vectors are those of Figure 6, to the letter; or (--ours) as `mazurka run` has them; or (--twice) as in
 * Figure 6 with idle steps twice: see vector.h. Prints a line of JSON: states stored, steps, seconds, and whether
 * anything was found.
 */
#include "engine/stateful/cartesian.h"
#include "engine/search.h"
#include "explorer/states.h"
#include "model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEMORY ((size_t)2 << 30)

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int refuse(const char *what, const char *name)
{
	fprintf(stderr, "bench_cartesian: %s '%s'\n", what, name);
	return 2;
}

static int run(const struct model *model, const uint32_t sizes[2], bool minimal, bool ours, bool twice)
{
	struct model_run r;
	struct mz_states_memory memory;
	model_run_init(&r, model, sizes);
	if (mz_states_open(&memory, MEMORY, 0, false) != 0) return refuse("no memory:", strerror(errno));
	struct mz_states_user user = {.states = memory.states};
	struct mz_stateful program = model_run_program(&r);
	struct mz_frontier frontier = mz_states_frontier(&user);
	struct mz_cartesian_options options = {.program = &program,
	                                       .frontier = &frontier,
	                                       .minimal = minimal,
	                                       .as_published = !ours,
	                                       .literal = !ours && !twice,
	                                       .keep_going = true,
	                                       .max_steps = UINT32_MAX / 2};
	double began = now();
	struct mz_cartesian *c = mz_cartesian_new(&options);
	enum mz_cartesian_end end = c ? mz_cartesian_run(c) : MZ_CARTESIAN_NO_MEMORY;
	double seconds = now() - began;
	bool complete = end == MZ_CARTESIAN_DONE && mz_cartesian_counts(c).cut == 0;
	if (complete)
		printf("{\"states\": %u, \"steps\": %llu, \"seconds\": %.6f, \"found\": %s}\n",
		       mz_states_counts(memory.states).states, (unsigned long long)mz_cartesian_counts(c).steps,
		       seconds, r.found ? "true" : "false");
	mz_cartesian_free(c);
	mz_states_user_release(&user);
	mz_states_close(&memory);
	model_run_release(&r);
	return complete ? 0 : refuse("no memory for", model->name);
}

int main(int argc, char **argv)
{
	uint32_t sizes[2] = {0, 0};
	bool ours = argc > 1 && strcmp(argv[1], "--ours") == 0, twice = argc > 1 && strcmp(argv[1], "--twice") == 0;
	argc -= ours || twice;
	argv += ours || twice;
	if (argc < 3) return refuse("STRATEGY NAME [SIZE ...] is wanted, not", argc > 1 ? argv[1] : "");
	const struct mz_strategy *strategy = mz_strategy_find(argv[1]);
	if (!strategy || !mz_strategy_stateful(strategy)) return refuse("no stateful strategy", argv[1]);
	size_t n = 0;
	while (models[n] && strcmp(models[n]->name, argv[2]) != 0) n++;
	if (!models[n]) return refuse("no program", argv[2]);
	if ((unsigned)argc != 3 + models[n]->nsizes) return refuse("another number of sizes is wanted for", argv[2]);
	for (unsigned i = 0; i < models[n]->nsizes; i++) {
		char *rest;
		unsigned long size = strtoul(argv[3 + i], &rest, 10);
		if (*rest || size < 1 || size > models[n]->largest[i]) return refuse("not a size:", argv[3 + i]);
		sizes[i] = (uint32_t)size;
	}
	return run(models[n], sizes, mz_strategy_minimal(strategy), ours, twice);
}
