/* SPDX-License-Identifier: MIT
 *
 * A trace with one of everything, and what it looks like as a file. Included by one test each.
 */
#ifndef MZ_TESTS_TRACE_SAMPLE_H
#define MZ_TESTS_TRACE_SAMPLE_H

#include "trace/trace.h"

static const char sample[] =
    "mazurka-trace 1\n"
    "program \"./p\" \"two words\" \"\" \"tab\\tnewline\\nquote\\\"backslash\\\\\" \"\\xff\\xc3\\xa9\\x01\\x7f\" "
    "\"-\"\n"
    "identity \"sha 12\"\n"
    "points sync\n"
    "heap reuse\n"
    "races yes\n"
    "volatile atomic\n"
    "spins yes\n"
    "leaks no\n"
    "thread-leaks yes\n"
    "fails \"malloc,new\" 2\n"
    "seed 7\n"
    "max-steps 100000\n"
    "check 0\n"
    "execution 18446744073709551615\n"
    "preemptions 1\n"
    "thread - 0 \"main\"\n"
    "thread 0 1 \"worker\"\n"
    "thread - 0 -\n"
    "thread 1 4294967295 -\n"
    "input 0 0 \"x\" 11fe0000\n"
    "input - 0 \"stdin\" -\n"
    "step 0 0 1 write write - 4 18446744073709551615 \"counter\" \"main\" \"p.c\" 31\n"
    "step 1 0 1 lock write preemption 40 - \"table[3].head\" \"worker\" \"dir with space/p.c\" 14\n"
    "step 3 1 2 choose read - 0 0 - - - 0\n"
    "finding data-race 1 3 \"data race on `counter`\" \"worker\" \"p.c\" 14\n"
    "detail \"earlier: read of 4 bytes by main\" \"main\" \"p.c\" 33\n"
    "detail \"\" - - 0\n"
    "finding deadlock - 0 \"all threads wait\" - - 0\n"
    "end\n";

#endif
