/* SPDX-License-Identifier: MIT */
#include "campaign/identity.h"
#include "base/alloc.h"
#include "report/say.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct mz_key hash_arguments(char *const *argv)
{
	struct mz_key hash = {0};
	for (; *argv; argv++) hash = mz_hash_bytes(*argv, strlen(*argv) + 1, hash);
	return hash;
}

int mz_run_identity_fill(struct mz_run_identity *identity, const struct mz_subject *subject)
{
	const struct mz_configuration standard = mz_configuration_default();
	struct mz_configuration *c = &identity->configuration;
	memset(identity, 0, sizeof *identity);
	if (mz_program_identity("/proc/self/exe", identity->mazurka) != 0)
		return mz_refuse("cannot read /proc/self/exe: %s", strerror(errno));
	snprintf(identity->program, sizeof identity->program, "%s", subject->identity);
	identity->arguments = hash_arguments(subject->argv);
	memcpy(c, &subject->configuration, sizeof *c);
	c->jobs = standard.jobs;
	c->keep_going = standard.keep_going;
	c->max_executions = standard.max_executions;
	c->max_memory = standard.max_memory;
	c->timeout = standard.timeout;
	c->stall_timeout = standard.stall_timeout;
	c->checkpoints = standard.checkpoints;
	c->no_checkpoints = standard.no_checkpoints;
	return 0;
}

static bool same_value(const struct mz_option *option, const void *a, const void *b)
{
	switch (option->kind) {
	case MZ_OPTION_NUMBER:
	case MZ_OPTION_PAIR:
	case MZ_OPTION_SIZE:
	case MZ_OPTION_SECONDS: return memcmp(a, b, sizeof(uint64_t)) == 0;
	case MZ_OPTION_STRATEGY: return strncmp(a, b, MZ_NAME_SIZE) == 0;
	case MZ_OPTION_FAULTS: return strncmp(a, b, MZ_FAIL_SIZE) == 0;
	default: return memcmp(a, b, sizeof(uint32_t)) == 0;
	}
}

/* Returns the name of an option that two configurations do not have in common, or NULL. */
static const char *find_difference(const struct mz_configuration *a, const struct mz_configuration *b)
{
	const struct mz_option *option;
	for (size_t n = 0; (option = mz_configuration_option(n)); n++)
		if (!same_value(option, (const char *)a + option->offset, (const char *)b + option->offset))
			return option->name;
	return NULL;
}

bool mz_run_identity_differs(const struct mz_run_identity *identity, const struct mz_run_identity *other,
                             char what[MZ_DIFFERENCE_SIZE])
{
	const char *option = find_difference(&identity->configuration, &other->configuration);
	bool arguments =
	    identity->arguments.low != other->arguments.low || identity->arguments.high != other->arguments.high;
	if (memcmp(identity->mazurka, other->mazurka, sizeof other->mazurka) != 0)
		snprintf(what, MZ_DIFFERENCE_SIZE, "another build of mazurka");
	else if (memcmp(identity->program, other->program, sizeof other->program) != 0)
		snprintf(what, MZ_DIFFERENCE_SIZE, "another build of the program");
	else if (arguments)
		snprintf(what, MZ_DIFFERENCE_SIZE, "other arguments of the program");
	else if (option)
		snprintf(what, MZ_DIFFERENCE_SIZE, "another value of %s", option);
	else
		return false;
	return true;
}

/* ---- strings ---- */

bool mz_strings_take(struct mz_strings *strings, const char *text, size_t size)
{
	size_t count = 0;
	if (size && text[size - 1]) return false;
	for (size_t i = 0; i < size; i++) count += !text[i];
	char *copy = mz_alloc(size + 1);
	char **list = mz_alloc((count + 1) * sizeof *list);
	*strings = (struct mz_strings){list, copy, size};
	if (!copy || !list) return false;
	memcpy(copy, text, size);
	for (size_t n = 0; n < count; n++, copy += strlen(copy) + 1) list[n] = copy;
	list[count] = NULL;
	return true;
}

bool mz_strings_copy(struct mz_strings *strings, char *const *list)
{
	size_t size = 0, at = 0;
	for (char *const *one = list; *one; one++) size += strlen(*one) + 1;
	char *text = mz_alloc(size + 1);
	if (!text) return false;
	for (char *const *one = list; *one; one++) {
		strcpy(text + at, *one);
		at += strlen(*one) + 1;
	}
	bool good = mz_strings_take(strings, text, size);
	mz_free(text);
	return good;
}

void mz_strings_release(struct mz_strings *strings)
{
	mz_free(strings->list);
	mz_free(strings->text);
	*strings = (struct mz_strings){0};
}
