/* SPDX-License-Identifier: MIT
 *
 * A broken invariant of Mazurka's own: never a fault of the program under test or of the environment. On in every
 * build. The process ends; whoever asked for it with mz_bug_tell() hears what is broken first, so that the supervisor
 * can say it and show the schedule that led there.
 */
#ifndef MZ_BASE_BUG_H
#define MZ_BASE_BUG_H

_Noreturn void mz_bug(const char *file, int line, const char *what);
/* `tell` is called with one line, without its end, before the process ends. */
void mz_bug_tell(void (*tell)(const char *line));

#define MZ_BUG(what) mz_bug(__FILE__, __LINE__, what)
#define MZ_REQUIRE(condition) ((condition) ? (void)0 : MZ_BUG(#condition))

#endif
