/* SPDX-License-Identifier: MIT
 *
 * What is said of a deadlock.
 */
#ifndef MZ_RUNTIME_OBJECTS_EXPLAIN_H
#define MZ_RUNTIME_OBJECTS_EXPLAIN_H

/* Says who waits for what and who holds it, as details of the last finding. */
void mz_explain_waits(void);

#endif
