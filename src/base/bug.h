/* SPDX-License-Identifier: MIT
 *
 * A broken invariant of Mazurka's own: never a fault of the program under test or of the environment. On in every
 * build. The process says what is broken and ends with status 2; whoever asked for it with mz_bug_tell() hears of it
 * first and can save what is known: a worker leaves the text to its supervisor, the supervisor writes the schedule.
 */
#ifndef MZ_BASE_BUG_H
#define MZ_BASE_BUG_H

#define MZ_BUG_STATUS 2
#define MZ_BUG_PLEASE "this is a bug in Mazurka, not in your program; please report it, with the lines above"

_Noreturn void mz_bug(const char *file, int line, const char *what);
/* Calls `tell` with one line, without its end, before the process ends. NULL: nobody is told. */
void mz_bug_tell(void (*tell)(const char *line));
/* Calls `escape` with that line before anything else is done. It does not return if the bug is an error to the caller
 * of a library, whose process is not ours to end (engine/host.c). */
void mz_bug_escape(void (*escape)(const char *line));

#define MZ_BUG(what) mz_bug(__FILE__, __LINE__, what)
#define MZ_REQUIRE(condition) ((condition) ? (void)0 : MZ_BUG(#condition))

/* A place where the tests can have an internal error happen, by its name in the environment variable MAZURKA_PLANT.
 * Builds without tests have no such places. */
#ifdef MZ_PLANTS
void mz_plant(const char *file, int line, const char *place);
#define MZ_PLANT(place) mz_plant(__FILE__, __LINE__, place)
#else
#define MZ_PLANT(place) ((void)0)
#endif

#endif
