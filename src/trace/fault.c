/* SPDX-License-Identifier: MIT */
#include "trace/fault.h"
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *happens;
} faults[] = {
#define X(id, name, happens) {name, happens},
    MZ_FAULT_LIST(X)
#undef X
};

const char *mz_fault_name(enum mz_fault fault)
{
	return fault < MZ_FAULT_COUNT ? faults[fault].name : "?";
}

const char *mz_fault_describe(enum mz_fault fault, unsigned fails, char *text, size_t size)
{
	const char *name = mz_fault_name(fault);
	snprintf(text, size, "%.*s %s", (int)strcspn(name, ":"), name,
	         fails && fault < MZ_FAULT_COUNT ? faults[fault].happens : "works");
	return text;
}

const char *mz_faults_parse(const char *list, uint64_t *set)
{
	*set = 0;
	for (;;) {
		size_t length = strcspn(list, ","), fault = 0;
		while (fault < MZ_FAULT_COUNT &&
		       (strlen(faults[fault].name) != length || strncmp(faults[fault].name, list, length) != 0))
			fault++;
		if (fault == MZ_FAULT_COUNT) return list;
		*set |= (uint64_t)1 << fault;
		if (!list[length]) return NULL;
		list += length + 1;
	}
}
