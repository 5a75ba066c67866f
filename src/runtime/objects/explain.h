/* SPDX-License-Identifier: MIT
 *
 * The explanation that a finding about a deadlock carries.
 */
#ifndef MZ_RUNTIME_OBJECTS_EXPLAIN_H
#define MZ_RUNTIME_OBJECTS_EXPLAIN_H

/* Says who waits for what and who holds it, as details of the last finding. */
void mz_explain_waits(void);

#endif
