/* SPDX-License-Identifier: MIT */
#include "configuration/configuration.h"
#include <stdio.h>
#include <string.h>

#define NOT_KEPT 0, NULL
#define KEPT(place, key) place, key

static const struct mz_option options[MZ_CONFIGURATION_LINES] = {
#define OPTION(field, kind, name, value, initial, least, most, kept, help)                                             \
	{name, MZ_OPTION_##kind, offsetof(struct mz_configuration, field), value, least, most, kept, help},
#define ALIAS(field, kind, name, value, help)                                                                          \
	{name, MZ_OPTION_##kind, offsetof(struct mz_configuration, field), value, 0, 0, NOT_KEPT, help},
    MZ_CONFIGURATION(OPTION, ALIAS)
#undef OPTION
#undef ALIAS
};

struct mz_configuration mz_configuration_default(void)
{
	return (struct mz_configuration){
#define OPTION(field, kind, name, value, initial, ...) .field = initial,
#define ALIAS(...)
	    MZ_CONFIGURATION(OPTION, ALIAS)
#undef OPTION
#undef ALIAS
	};
}

const struct mz_option *mz_configuration_option(size_t n)
{
	return n < MZ_CONFIGURATION_LINES ? &options[n] : NULL;
}

const struct mz_option *mz_configuration_kept(unsigned place)
{
	for (size_t i = 0; i < MZ_CONFIGURATION_LINES; i++)
		if (options[i].key && options[i].place == place) return &options[i];
	return NULL;
}

/* ---- words ---- */

bool mz_option_word(const struct mz_option *option, uint32_t n, char text[MZ_NAME_SIZE])
{
	const char *words = option->value;
	for (; n > 0; n--) {
		words = strchr(words, '|');
		if (!words) return false;
		words++;
	}
	snprintf(text, MZ_NAME_SIZE, "%.*s", (int)strcspn(words, "|"), words);
	return true;
}

bool mz_option_find_word(const struct mz_option *option, const char *word, uint32_t *n)
{
	char text[MZ_NAME_SIZE];
	for (*n = 0; mz_option_word(option, *n, text); ++*n)
		if (strcmp(text, word) == 0) return true;
	return false;
}
