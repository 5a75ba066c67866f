/* SPDX-License-Identifier: MIT
 *
 * Symbols in a build without libdw: none.
 */
#include "report/symbols.h"

bool mz_symbols_available(void)
{
	return false;
}

struct mz_symbols *mz_symbols_new(const char *path)
{
	(void)path;
	return NULL;
}

void mz_symbols_free(struct mz_symbols *symbols)
{
	(void)symbols;
}

int mz_symbols_place(struct mz_symbols *symbols, uint64_t address, struct mz_place *place)
{
	(void)symbols, (void)address, (void)place;
	return 0;
}

bool mz_symbols_object(struct mz_symbols *symbols, uint64_t address, uint64_t length, struct mz_buffer *name)
{
	(void)symbols, (void)address, (void)length, (void)name;
	return false;
}

bool mz_symbols_static_value(struct mz_symbols *symbols, uint64_t address, const struct mz_marked *marked,
                             struct mz_buffer *text)
{
	(void)symbols, (void)address, (void)marked, (void)text;
	return false;
}

bool mz_symbols_local_value(struct mz_symbols *symbols, const struct mz_record_frame *frame,
                            const struct mz_marked *marked, bool by_name, struct mz_buffer *text)
{
	(void)symbols, (void)frame, (void)marked, (void)by_name, (void)text;
	return false;
}
