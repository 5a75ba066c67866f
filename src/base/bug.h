/* SPDX-License-Identifier: MIT
 *
 * Internal errors: an invariant of Mazurka's own is broken, which is never the fault of the program under test or of
 * the environment. These checks are on in every build. The process prints what is broken and ends with status 2. Before
 * that it calls the function registered with mz_bug_tell(), which can save what is known: a worker leaves the text to
 * its supervisor, the supervisor writes the schedule.
 */
#ifndef MZ_BASE_BUG_H
#define MZ_BASE_BUG_H

#include <stdbool.h>

#define MZ_BUG_STATUS 2
#define MZ_BUG_PLEASE "this is a bug in Mazurka, not in your program; please report it, with the lines above"

_Noreturn void mz_bug(const char *file, int line, const char *what);
/* Registers `tell`, which is called with one line, without a newline, before the process ends. NULL: nothing is
 * called. */
void mz_bug_tell(void (*tell)(const char *line));
/* Registers `escape`, which is called with the same line before anything else is done. It need not return: in a
 * library, an internal error is reported to the caller, whose process is not ours to end (engine/host/). */
void mz_bug_escape(void (*escape)(const char *line));

#define MZ_BUG(what) mz_bug(__FILE__, __LINE__, what)
#define MZ_REQUIRE(condition) ((condition) ? (void)0 : MZ_BUG(#condition))

/* MZ_PLANT(place) marks a place where tests can make an internal error happen: they name the place in the environment
 * variable MAZURKA_PLANT. MZ_PLANTED(place) tells whether they have, where something else than an error happens. Builds
 * without tests have no such places. */
#ifdef MZ_PLANTS
bool mz_planted(const char *place);
#define MZ_PLANTED(place) mz_planted(place)
void mz_plant(const char *file, int line, const char *place);
#define MZ_PLANT(place) mz_plant(__FILE__, __LINE__, place)
#else
#define MZ_PLANT(place) ((void)0)
#define MZ_PLANTED(place) false
#endif

#endif
