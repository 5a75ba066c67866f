/* SPDX-License-Identifier: MIT
 *
 * Whether atomic sections can be explored. What the other rooms call of them is in core/runtime.h.
 */
#ifndef MZ_RUNTIME_SCHEDULE_SECTION_H
#define MZ_RUNTIME_SCHEDULE_SECTION_H

/* Ends the run if the program begins an atomic section: the strategy cannot share them among workers. */
void mz_section_refuse_all(void);

#endif
