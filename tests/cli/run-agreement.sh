# SPDX-License-Identifier: MIT
# In every kind of run the exit status, the JSON result and the last sentence of the text say the same, and what is expected.
. "$SOURCE/tests/cli/lib.sh"

programs=$SOURCE/tests/programs
mazurka cc -g "$programs/correct/atomic-counter.c" -o right
mazurka cc -g "$programs/wrong/lost-update.c" -o wrong

# Two threads race on two variables; only an order of plain accesses fails the assertion.
cat >racy.c <<'END'
#include <assert.h>
#include <pthread.h>
static int a, b;
static void *set(void *unused) { a = 1; b = -1; return unused; }
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set, NULL);
	int x = a, y = b;
	pthread_join(thread, NULL);
	assert(x + y == 0);
	return 0;
}
END
# Two threads race on an object of two words.
cat >torn.c <<'END'
#include <pthread.h>
#include <string.h>
static char object[16];
static void *set(void *unused) { memset(object, unused != NULL, sizeof object); return unused; }
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set, NULL);
	set(&thread);
	pthread_join(thread, NULL);
	return 0;
}
END
# A thread uses a variable of main, which does not wait for it, unless it is told to; behind the use is another bug.
cat >framed.c <<'END'
#include <assert.h>
#include <pthread.h>
static void *use(void *number) { assert(*(int *)number != 10); return NULL; }
int main(int argc, char **argv)
{
	pthread_t thread;
	int ten = 10;
	(void)argv;
	pthread_create(&thread, NULL, use, &ten);
	if (argc > 1) pthread_join(thread, NULL);
	return 0;
}
END
# A thread uses the stack of one that has ended: that it has is known from a join, or not.
cat >ended.c <<'END'
#include <pthread.h>
#include <stddef.h>
static int *place;
static void *lends(void *unused) { int own = 1; place = &own; (void)unused; return NULL; }
static void *uses(void *unused) { ++*place; (void)unused; return NULL; }
int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, lends, NULL);
	pthread_join(one, NULL);
	pthread_create(&two, NULL, uses, NULL);
	pthread_join(two, NULL);
	return 0;
}
END
# A thread locks a mutex that main frees, which is seen in the order in which that happened first.
cat >freed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *use(void *mutex) { pthread_mutex_lock(mutex); pthread_mutex_unlock(mutex); return NULL; }
int main(void)
{
	pthread_t thread;
	pthread_mutex_t *mutex = malloc(sizeof *mutex);
	pthread_mutex_init(mutex, NULL);
	pthread_create(&thread, NULL, use, mutex);
	free(mutex);
	pthread_join(thread, NULL);
	return 0;
}
END
cat >dropped.c <<'END'
#include <assert.h>
#include <mazurka.h>
int main(void) { mz_assume(0); assert(0); return 0; }
END
cat >some-dropped.c <<'END'
#include <mazurka.h>
int main(void) { mz_assume(mz_choose(3)); return 0; }
END
# A loop in which nothing visible happens.
echo 'int main(void) { for (;;) continue; }' >loops.c
# One in which memory is read and written.
cat >computes.c <<'END'
int cells[100];
int main(void)
{
	for (;;)
		for (int i = 0; i < 100; i++) cells[i] += i;
}
END
# Thirty data races, and a second that nobody can make shorter.
cat >slow.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int cells[30];
#define A(i) cells[i] = 1;
#define TEN(i) A(i) A(i + 1) A(i + 2) A(i + 3) A(i + 4) A(i + 5) A(i + 6) A(i + 7) A(i + 8) A(i + 9)
static void *set(void *unused) { TEN(0) TEN(10) TEN(20) return unused; }
int main(void)
{
	const struct timespec second = {1, 0};
	pthread_t thread;
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &second, 0);
	pthread_create(&thread, NULL, set, NULL);
	set(NULL);
	pthread_join(thread, NULL);
	return 0;
}
END
# More executions than anybody waits for.
cat >endless.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) { for (int i = 0; i < 50; i++) x++; return unused; }
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
cat >unseen.c <<'END'
#include <stdio.h>
#include <sys/socket.h>
int main(void) { return socket(AF_INET, SOCK_STREAM, 0) == -2; }
END
for program in racy torn framed ended freed dropped some-dropped loops computes slow endless unseen; do mazurka cc -g $program.c -o $program -pthread; done

# A line: program, options => exit status, verdict, what it is complete for (or -), beginning of the reason.
cat >table <<'END'
right                                     => 0 pass everything
right --jobs 2                            => 0 pass everything
right --preemptions 1                     => 0 pass everything
right --iterate                           => 0 pass everything
right --delays 1 --strategy dfs           => 0 pass everything
right --isolation process                 => 0 pass everything
right --points all                        => 0 pass everything
right --points sync                       => 0 pass everything
right --no-races                          => 0 pass switches at synchronization
right --no-races --jobs 2                 => 0 pass switches at synchronization
right --no-races --points all             => 0 pass everything
right --strategy cartesian                => 0 pass everything
right --strategy cartesian --jobs 2       => 0 pass everything
right --strategy cartesian --points sync  => 0 pass switches at synchronization
unseen                                    => 0 pass what was observed
unseen --no-races                         => 0 pass what was observed, with switches at synchronization
right --max-executions 2                  => 3 incomplete - the limit on executions was reached
right --max-executions 2 --jobs 2         => 3 incomplete - the limit on executions was reached
right --max-steps 3                       => 3 incomplete - 
right --strategy random                   => 3 incomplete - random samples interleavings
right --strategy pct --max-executions 5   => 3 incomplete - it samples: 
right --strategy cbpor --preemptions 2 --max-memory 1 => 3 incomplete - the limit on memory was reached
endless --strategy cartesian --max-memory 100K => 3 incomplete - the limit on memory was reached
endless --timeout 0.3                     => 3 incomplete - --timeout 0.3 was reached
endless --timeout 0.3 --jobs 2            => 3 incomplete - --timeout 0.3 was reached
endless --timeout 0.3 --strategy cartesian => 3 incomplete - --timeout 0.3 was reached
loops --stall-timeout 0.5                 => 3 incomplete - execution 1 made no step for 0.5 s after step 0
computes --stall-timeout 0.5              => 3 incomplete - execution 1 made no step for 0.5 s after step 0
computes --stall-timeout 0.5 --no-races   => 3 incomplete - execution 1 made no step for 0.5 s after step 0
computes --stall-timeout 0.5 --jobs 2     => 3 incomplete - execution 1 made no step for 0.5 s after step 0
loops --stall-timeout 0.5 --no-races      => 3 incomplete - execution 1 made no step for 0.5 s
wrong                                     => 1 bug - stopped at the first bug
wrong --keep-going                        => 1 bug everything
wrong --keep-going --jobs 2               => 1 bug everything
wrong --keep-going --no-races             => 1 bug switches at synchronization
wrong --keep-going --max-executions 3     => 1 bug - the limit on executions was reached
wrong --strategy cartesian --keep-going   => 1 bug everything
racy                                      => 1 bug - stopped at the first bug
racy --keep-going                         => 1 bug - what follows from data races was not explored
racy --keep-going --jobs 2                => 1 bug - what follows from data races was not explored
racy --keep-going --preemptions 1         => 1 bug - what follows from data races was not explored
racy --keep-going --isolation process     => 1 bug - what follows from data races was not explored
racy --keep-going --points sync           => 1 bug - what follows from data races was not explored
racy --keep-going --strategy random       => 1 bug - random samples interleavings
racy --keep-going --points all            => 1 bug everything
racy --keep-going --points all --jobs 2   => 1 bug everything
racy --keep-going --strategy cartesian    => 1 bug everything
racy --no-races                           => 0 pass switches at synchronization
racy --no-races --points sync             => 0 pass switches at synchronization
racy --no-races --points all --keep-going => 1 bug everything
torn --keep-going                         => 1 bug - what follows from data races was not explored
torn --keep-going --points all            => 1 bug - data races of accesses that a machine may make in parts
torn --keep-going --points all --jobs 2   => 1 bug - data races of accesses that a machine may make in parts
framed --keep-going                       => 1 bug - what follows from the use of a stack frame before its end was not
framed --keep-going --jobs 2              => 1 bug - what follows from the use of a stack frame before its end was not
framed --keep-going --points all          => 1 bug - what follows from the use of a stack frame before its end was not
framed --keep-going --points all --strategy dfs => 1 bug - what follows from the use of a stack frame before its end was not
framed --keep-going --strategy cartesian  => 1 bug - what follows from the use of a stack frame before its end was not
framed --keep-going --no-races            => 1 bug - what follows from the use of a stack frame before its end was not
ended --keep-going                        => 1 bug everything
ended --keep-going --points all           => 1 bug everything
freed --keep-going                        => 1 bug - what follows from data races was not explored
freed --keep-going --points all           => 1 bug everything
dropped                                   => 3 incomplete - nothing was tested
dropped --keep-going --jobs 2             => 3 incomplete - nothing was tested
dropped --preemptions 0                   => 3 incomplete - nothing was tested
dropped --iterate                         => 3 incomplete - nothing was tested
dropped --isolation process               => 3 incomplete - nothing was tested
dropped --strategy cartesian              => 3 incomplete - nothing was tested
dropped --strategy random                 => 3 incomplete - random samples interleavings; nothing was tested
some-dropped                              => 0 pass everything
some-dropped --strategy cartesian         => 0 pass everything
END

python3 - <<'END'
import json, os, re, shlex, subprocess

STATUS = {"pass": 0, "bug": 1, "incomplete": 3}


def objections(status, result, text):
    """What does not agree with what."""
    verdict, complete, scope, reason = (result[key] for key in ("verdict", "complete", "complete_for", "reason"))
    if status != STATUS[verdict]:
        yield f"status {status}, verdict {verdict}"
    if (verdict == "bug") != bool(result["bugs"]):
        yield f"verdict {verdict} with {len(result['bugs'])} bugs"
    if verdict != "bug" and complete != (verdict == "pass"):
        yield f"verdict {verdict}, complete {complete}"
    if len({complete, reason is None, scope is not None}) != 1:
        yield f"complete {complete}, for {scope}, reason {reason}"
    end = f"complete{'' if scope == 'everything' else f' for {scope}'}(; .*)?" if complete else re.escape(reason or "?")
    sentence = {"pass": f"no bug.* explored( \\(.*\\))?, {end}", "incomplete": f"incomplete: {end}; no bug in .*",
                "bug": f"{len(result['bugs'])} bugs? found in .*, {'' if complete else 'incomplete: '}{end}"}[verdict]
    if len([line for line in text.splitlines() if re.fullmatch(sentence, line)]) != 1:
        yield f"no line like: {sentence}"


def expected(status, result, right):
    """What is not as it should be: exit status, verdict, what it is complete for or why not."""
    code, verdict, rest = right.strip().split(maxsplit=2)
    found = (status, result["verdict"], result["complete_for"] or "-")
    scope, _, reason = ("-", "", rest[2:]) if rest[0] == "-" else (rest, "", "")
    if found != (int(code), verdict, scope):
        yield f"{found} instead of {(int(code), verdict, scope)}"
    if not (result["reason"] or "").startswith(reason):
        yield f"reason {result['reason']}"


for line in open("table"):
    left, right = line.rstrip("\n").split("=>")
    program, *options = shlex.split(left)
    if os.path.exists("result.json"):
        os.remove("result.json")
    done = subprocess.run(["mazurka", "run", "--json", "result.json", *options, f"./{program}"], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        result = json.load(open("result.json"))
        wrong = [*objections(done.returncode, result, done.stdout), *expected(done.returncode, result, right)]
    except (OSError, ValueError) as error:
        wrong = [f"no result: {error}"]
    print("not ok" if wrong else "ok", left.strip())
    if wrong:
        print(*wrong, *done.stdout.splitlines()[-12:], sep="\n  | ")
END

# ---- a limit on time is also one for the replays of what was found ----
status=0
mazurka run --keep-going --timeout 4 --json slow.json ./slow >slow.out || status=$?
equal "all races are reported" "1 30" "$status $(grep -c '^bug: data-race' slow.out)"
check "those for which there was no time say so" grep -q '(it was not replayed: --timeout 4 was reached)' slow.out
check "and others were replayed" grep -q 'cells\[0\]' slow.out
