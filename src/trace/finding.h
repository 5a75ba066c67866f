/* SPDX-License-Identifier: MIT
 *
 * The kinds of findings: what can be wrong with a program under test. The words are part of the result format.
 */
#ifndef MZ_TRACE_FINDING_H
#define MZ_TRACE_FINDING_H

#define MZ_FINDINGS(X)                                                                                                 \
	X(ASSERTION, "assertion")                                                                                      \
	X(DEADLOCK, "deadlock")                                                                                        \
	X(LIVELOCK, "livelock")                                                                                        \
	X(DATA_RACE, "data-race")                                                                                      \
	X(CRASH, "crash")                                                                                              \
	X(USE_AFTER_FREE, "use-after-free")                                                                            \
	X(DOUBLE_FREE, "double-free")                                                                                  \
	X(OUT_OF_BOUNDS, "out-of-bounds")                                                                              \
	X(LEAK, "leak")                                                                                                \
	X(MISUSE, "misuse")                                                                                            \
	X(EXIT, "exit")                                                                                                \
	X(NONDETERMINISM, "nondeterminism")

enum mz_finding_kind {
#define X(id, text) MZ_FINDING_##id,
	MZ_FINDINGS(X)
#undef X
	    MZ_FINDING_COUNT
};

const char *mz_finding_name(enum mz_finding_kind kind);
/* Returns the kind of that name, or MZ_FINDING_COUNT if there is none. */
enum mz_finding_kind mz_finding_from_name(const char *name);

#endif
