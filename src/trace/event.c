/* SPDX-License-Identifier: MIT
 *
 * Names of operations and findings, derived from their tables.
 */
#include "trace/event.h"
#include "trace/finding.h"
#include <string.h>

static const struct {
	const char *name;
	enum mz_op_class class;
} ops[] = {
#define X(id, text, class) {text, MZ_CLASS_##class},
    MZ_OPS(X)
#undef X
};

static const char *const findings[] = {
#define X(id, text) text,
    MZ_FINDINGS(X)
#undef X
};

const char *mz_op_name(enum mz_op op)
{
	return op < MZ_OP_COUNT ? ops[op].name : "?";
}

enum mz_op_class mz_op_class(enum mz_op op)
{
	return ops[op].class;
}

enum mz_op mz_op_from_name(const char *name)
{
	unsigned op = 0;
	while (op < MZ_OP_COUNT && strcmp(ops[op].name, name) != 0) op++;
	return (enum mz_op)op;
}

const char *mz_finding_name(enum mz_finding_kind kind)
{
	return kind < MZ_FINDING_COUNT ? findings[kind] : "?";
}

enum mz_finding_kind mz_finding_from_name(const char *name)
{
	unsigned kind = 0;
	while (kind < MZ_FINDING_COUNT && strcmp(findings[kind], name) != 0) kind++;
	return (enum mz_finding_kind)kind;
}
