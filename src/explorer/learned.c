/* SPDX-License-Identifier: MIT */
#include "explorer/learned.h"
#include <string.h>

static bool add_return(struct mz_session_learned *known, uint64_t address)
{
	uint32_t n = 0;
	while (n < known->nreturns && known->returns[n] != address) n++;
	if (n < known->nreturns || n == MZ_SESSION_RETURNS) return false;
	known->returns[known->nreturns++] = address;
	return true;
}

static bool add_mixed(struct mz_session_learned *known, uint64_t address)
{
	uint32_t n = 0;
	while (n < known->nmixed && known->mixed[n] != address) n++;
	if (n < known->nmixed || n == MZ_SESSION_MIXED) return false;
	known->mixed[known->nmixed++] = address;
	return true;
}

static bool add_file(struct mz_session_learned *known, const char *name)
{
	uint32_t n = 0;
	while (n < known->nfiles && strcmp(known->files[n], name) != 0) n++;
	if (n < known->nfiles || n == MZ_SESSION_FILES) return false;
	strcpy(known->files[known->nfiles++], name);
	return true;
}

bool mz_learned_merge(struct mz_session_learned *known, const struct mz_session_learned *learned)
{
	bool news = learned->ordered_arrivals & ~known->ordered_arrivals || learned->loops & ~known->loops ||
	            learned->requests & ~known->requests;
	known->ordered_arrivals |= learned->ordered_arrivals;
	known->loops |= learned->loops;
	known->requests |= learned->requests;
	for (uint32_t i = 0; i < learned->nreturns; i++) news |= add_return(known, learned->returns[i]);
	for (uint32_t i = 0; i < learned->nmixed; i++) news |= add_mixed(known, learned->mixed[i]);
	for (uint32_t i = 0; i < learned->nfiles; i++) news |= add_file(known, learned->files[i]);
	return news;
}
