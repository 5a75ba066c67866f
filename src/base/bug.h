/* SPDX-License-Identifier: MIT
 *
 * A broken invariant of Mazurka's own: never a fault of the program under test or of the environment. On in every
 * build. The process ends; the supervisor shows the schedule that led there.
 */
#ifndef MZ_BASE_BUG_H
#define MZ_BASE_BUG_H

_Noreturn void mz_bug(const char *file, int line, const char *what);

#define MZ_BUG(what) mz_bug(__FILE__, __LINE__, what)
#define MZ_REQUIRE(condition) ((condition) ? (void)0 : MZ_BUG(#condition))

#endif
