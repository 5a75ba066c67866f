/* SPDX-License-Identifier: MIT
 *
 * The one list of the functions that the library replaces: whatever the program calls by one of these names comes to
 * us. It lies in two files, hooks_threads.h and hooks_world.h. A new hook is one line there, a function in the file of
 * its list, and its name in docs/SUPPORTED.md; scripts/check-hooks holds the list against that page, and against what
 * the library exports.
 *
 * A line is X(name, arguments, notes, state). `notes` says what is noted of a call (caller.h) before the function runs:
 *
 *   reads, writes               it is a visible operation that may turn out to be a read; any other visible operation
 *   plain_reads, plain_writes   the same for plain accesses, and for functions that make several of them
 *   others                      it is no operation, but what it leaves on the stack is wiped out
 *   nothing                     the function is called directly
 *
 * `arguments` is how many arguments are noted, all in integer registers; `-` if none are. `state` says who keeps what
 * the function changes from one call to the next:
 *
 *   ours                        the library, or nobody
 *   kernel                      the kernel or the C library: the function is in a section of its own (imports.h)
 *
 * Where something is noted the symbol `name` is an entry in assembly, which x86_64/entry.S makes of the line, and which
 * goes on to mz_entry_NAME, a function in C. MZ_HOOKS_DECLARE() declares these for a whole list, with the types that
 * headers have for them; functions that only compilers call are in no header, and are declared where they are defined.
 * All others are exported as they are (MZ_EXPORT).
 */
#ifndef MZ_RUNTIME_CORE_HOOKS_H
#define MZ_RUNTIME_CORE_HOOKS_H

#include "runtime/core/hooks_threads.h"
#include "runtime/core/hooks_world.h"

/* The lists, and the files below src/runtime that have their functions: F(LIST, "file") for each. */
#define MZ_HOOKS_IN(F)                                                                                                 \
	F(TSAN, "hooks/tsan.c")                                                                                        \
	F(ATOMIC, "hooks/atomic.c")                                                                                    \
	F(ANNOTATIONS, "hooks/annotations.c")                                                                          \
	F(ASSEMBLY, "core/x86_64/assembly.S")                                                                          \
	F(MEMORY, "hooks/memory.c")                                                                                    \
	F(TEXT, "hooks/text.c")                                                                                        \
	F(HEAP, "hooks/heap.c")                                                                                        \
	F(NEW, "hooks/new.c")                                                                                          \
	F(PTHREAD, "hooks/pthread.c")                                                                                  \
	F(LOCKS, "hooks/locks.c")                                                                                      \
	F(SEMAPHORE, "hooks/semaphore.c")                                                                              \
	F(THREADS, "hooks/threads.c")                                                                                  \
	F(CXX, "hooks/cxx.c")                                                                                          \
	F(LEAVING, "hooks/leaving.c")                                                                                  \
	F(CANCEL, "hooks/cancel.c")                                                                                    \
	F(SIGNALS, "hooks/signals.c")                                                                                  \
	F(BEFORE, "core/x86_64/before.S")                                                                              \
	F(ATTRIBUTES, "hooks/attributes.c")                                                                            \
	F(TIME, "hooks/time.c")                                                                                        \
	F(TIMERS, "hooks/timers.c")                                                                                    \
	F(EXIT, "hooks/exit.c")                                                                                        \
	F(START, "start/start.c")                                                                                      \
	F(CHECK, "start/check.c")                                                                                      \
	F(MAZURKA, "hooks/mazurka.c")                                                                                  \
	F(SYMBOLIC, "hooks/symbolic.c")                                                                                \
	F(MODELS, "hooks/models.c")                                                                                    \
	F(CHANNELS, "hooks/channels.c")                                                                                \
	F(POLLING, "hooks/polling.c")                                                                                  \
	F(FILES, "hooks/files.c")                                                                                      \
	F(STREAMS, "hooks/streams.c")                                                                                  \
	F(PRINT, "hooks/print.c")                                                                                      \
	F(SCAN, "hooks/scan.c")                                                                                        \
	F(MAPPING, "hooks/mapping.c")                                                                                  \
	F(NAMES, "hooks/names.c")                                                                                      \
	F(RANDOM, "hooks/random.c")                                                                                    \
	F(ENVIRONMENT, "hooks/environment.c")                                                                          \
	F(OPTIONS, "hooks/options.c")                                                                                  \
	F(PLUGIN, "hooks/plugin.c")                                                                                    \
	F(SURROUNDINGS, "hooks/surroundings.c")                                                                        \
	F(SYSTEM, "hooks/system.c")                                                                                    \
	F(UNCONTROLLED, "hooks/uncontrolled.c")                                                                        \
	F(UNSUPPORTED, "hooks/unsupported.c")                                                                          \
	F(PROCESSES, "core/x86_64/before.S")

/* Entries that newer compilers call from instrumented code, and that go on to the function proper of another one:
 * X(name, arguments, notes, other). */
#define MZ_HOOKS_ALIASES(X)                                                                                            \
	X(__tsan_memcpy, 3, plain_writes, memcpy)                                                                      \
	X(__tsan_memmove, 3, plain_writes, memmove)                                                                    \
	X(__tsan_memset, 3, plain_writes, memset)

#ifndef __ASSEMBLER__

/* Declares mz_entry_NAME for each line of a list that has an entry: before the definitions, behind the headers that
 * have the types. */
#define MZ_HOOKS_DECLARE(list) MZ_HOOKS_##list(MZ_HOOK_DECLARE)
#define MZ_HOOK_DECLARE(name, arguments, notes, state) MZ_HOOK_DECLARE_##notes(name)
#define MZ_HOOK_DECLARE_reads(name) extern __typeof__(name) mz_entry_##name;
#define MZ_HOOK_DECLARE_writes(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_plain_reads(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_plain_writes(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_others(name) MZ_HOOK_DECLARE_reads(name)
#define MZ_HOOK_DECLARE_nothing(name)

#endif
#endif
