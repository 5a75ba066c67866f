/* SPDX-License-Identifier: MIT
 *
 * The result of a run as JSON: one object, always valid UTF-8 whatever bytes paths and messages have (what is invalid
 * becomes U+FFFD), every number exact.
 */
#ifndef MZ_REPORT_JSON_H
#define MZ_REPORT_JSON_H

#include "report/result.h"

/* Writes the result. Returns 0, or -1 with errno set. */
int mz_json_write(const struct mz_result *result, FILE *out);

#endif
