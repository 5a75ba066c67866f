/* SPDX-License-Identifier: MIT */
#include "explorer/learned.h"
#include <string.h>

/* Adds a number to a list unless it is there. Returns whether it was added. */
static bool add_number(uint64_t *list, uint32_t *count, uint32_t most, uint64_t number)
{
	uint32_t n = 0;
	while (n < *count && list[n] != number) n++;
	if (n < *count || n >= most) return false;
	list[(*count)++] = number;
	return true;
}

/* Adds all of a list to a list. Returns whether some of it was not there. Most lists begin as the other does. */
static bool add_numbers(uint64_t *list, uint32_t *count, uint32_t most, const uint64_t *others, uint32_t nothers)
{
	bool news = false;
	uint32_t first = 0;
	if (nothers > most) return false; /* the program has overwritten it */
	while (first < nothers && first < *count && list[first] == others[first]) first++;
	for (uint32_t i = first; i < nothers; i++) news |= add_number(list, count, most, others[i]);
	return news;
}

static bool add_file(struct mz_session_learned *known, const char *name)
{
	uint32_t n = 0;
	while (n < known->nfiles && strcmp(known->files[n], name) != 0) n++;
	if (n < known->nfiles || n == MZ_SESSION_FILES) return false;
	strcpy(known->files[known->nfiles++], name);
	return true;
}

static bool add_library(struct mz_session_learned *known, const struct mz_session_library *library)
{
	uint32_t n = 0;
	while (n < known->nlibraries && strcmp(known->libraries[n].path, library->path) != 0) n++;
	if (n < known->nlibraries || n == MZ_SESSION_LIBRARIES) return false;
	known->libraries[known->nlibraries++] = *library;
	return true;
}

static bool add_writers(struct mz_session_learned *known, const struct mz_session_learned *learned)
{
	bool news = false;
	for (uint32_t t = 0; t < MZ_SESSION_THREADS; t++) {
		if (!learned->observed_writers[t] || known->observed_writers[t]) continue;
		known->observed_writers[t] = 1;
		news = true;
	}
	return news;
}

static bool add_requests(struct mz_session_requests *known, const struct mz_session_requests *learned)
{
	bool news = learned->kinds & ~known->kinds || learned->process_signals & ~known->process_signals;
	known->kinds |= learned->kinds;
	known->process_signals |= learned->process_signals;
	return news;
}

bool mz_learned_merge(struct mz_session_learned *known, const struct mz_session_learned *learned)
{
	bool news = learned->ordered_arrivals & ~known->ordered_arrivals || learned->loops & ~known->loops ||
	            learned->crowded & ~known->crowded;
	known->ordered_arrivals |= learned->ordered_arrivals;
	known->loops |= learned->loops;
	known->crowded |= learned->crowded;
	news |= add_requests(&known->requests, &learned->requests);
	news |= add_numbers(known->returns, &known->nreturns, MZ_SESSION_RETURNS, learned->returns, learned->nreturns);
	news |= add_numbers(known->mixed, &known->nmixed, MZ_SESSION_MIXED, learned->mixed, learned->nmixed);
	news |=
	    add_numbers(known->observed, &known->nobserved, MZ_SESSION_OBSERVED, learned->observed, learned->nobserved);
	news |= add_writers(known, learned);
	/* more than there can be: the program has overwritten it */
	uint32_t nfiles = learned->nfiles <= MZ_SESSION_FILES ? learned->nfiles : 0;
	uint32_t nlibraries = learned->nlibraries <= MZ_SESSION_LIBRARIES ? learned->nlibraries : 0;
	for (uint32_t i = 0; i < nfiles; i++) news |= add_file(known, learned->files[i]);
	for (uint32_t i = 0; i < nlibraries; i++) news |= add_library(known, &learned->libraries[i]);
	return news;
}
