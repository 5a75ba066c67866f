/* SPDX-License-Identifier: MIT */
#include "trace/channel.h"
#include <stdio.h>

static const char *const kinds[] = {
#define X(id, text) text,
    MZ_CHANNELS(X)
#undef X
};

const char *mz_channel_describe(uint64_t object, char *text, size_t size)
{
	unsigned kind = object >> 50 & 7, number = object >> 38 & 0xfff, other = object >> 26 & 0xfff;
	if (mz_object_is_in(MZ_SPACE_DESCRIPTORS, object))
		snprintf(text, size, "descriptors");
	else if (mz_object_is_in(MZ_SPACE_DESCRIPTOR, object))
		snprintf(text, size, "descriptor %u", (unsigned)object);
	else if (mz_object_is_in(MZ_SPACE_FILE, object))
		snprintf(text, size, "file %u", (unsigned)object + 1);
	else if (mz_object_is_in(MZ_SPACE_OPENING, object))
		snprintf(text, size, "position in a file");
	else if (!mz_is_channel(object) || kind >= MZ_CHANNEL_COUNT)
		return NULL;
	else if (number == other)
		snprintf(text, size, "%s %u", kinds[kind], number);
	else
		snprintf(text, size, "%s %u/%u", kinds[kind], number, other);
	return text;
}
