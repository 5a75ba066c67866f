# SPDX-License-Identifier: MIT
# A recorded execution again: with the program's output, step by step, under gdb, and not with another program.
. "$SOURCE/tests/cli/lib.sh"

cat >p.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x;
static void *add(void *arg)
{
	int seen = atomic_load(&x);
	atomic_store(&x, seen + 1);
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	printf("x is %d\n", atomic_load(&x));
	assert(atomic_load(&x) == 2);
	return 0;
}
END
mazurka cc -g p.c -o p
mazurka run --quiet ./p >run.out 2>&1 || :
equal "nothing of the program is shown while exploring" "" "$(cat run.out)"
equal "threads are named by the program's own functions" 'thread - 0 "main" thread 0 1 "add" thread 0 2 "add"' \
	"$(grep '^thread [-0]' mazurka-out/bug-1.trace | tr '\n' ' ' | sed 's/ $//')"

status=0
mazurka replay mazurka-out/bug-1.trace >replay.out 2>&1 || status=$?
equal "a replay shows the bug again" 1 $status
equal "and what the program prints" "x is 1" "$(grep '^x is' replay.out)"
mkdir elsewhere
status=0
(cd elsewhere && mazurka replay ../mazurka-out/bug-1.trace >/dev/null 2>&1) || status=$?
equal "from any folder" 1 $status

printf '\n\nc\n' | mazurka replay --step mazurka-out/bug-1.trace >step.out 2>&1 || :
equal "--step shows each step before it is made" "1/6  main/1  load x  p.c:8 (add)" "$(grep -o '^1/6 .* (add)' step.out | sed 's/  2\/6.*//')"
equal "and where a thread was preempted" 1 "$(grep -c '2/6  main/2  load x  p.c:8 (add)  \[preemption\]' step.out)"
equal "c makes all that are left" 1 "$(grep -c 'x is 1' step.out)"
refused "--step and --gdb" "mazurka: --step and --gdb exclude each other" mazurka replay --step --gdb mazurka-out/bug-1.trace

if command -v gdb >/dev/null; then
	printf 'break __assert_fail\nrun\nprint x\nkill\nrun\nprint x\nkill\n' | mazurka replay --gdb mazurka-out/bug-1.trace >gdb.out 2>&1 || :
	equal "under gdb it stops where the bug is, every time" 2 "$(grep -c '\$[0-9] = 1$' gdb.out)"
fi

sed 's/+ 1/+ 2/' p.c >q.c
mazurka cc -g q.c -o q
refused "a trace of another program" \
	"mazurka: mazurka-out/bug-1.trace was recorded with another build of './q': run it again to get a new trace" \
	mazurka replay mazurka-out/bug-1.trace -- ./q
sed 's/^mazurka-trace 1/mazurka-trace 9/' mazurka-out/bug-1.trace >newer.trace
refused "a trace of another version" \
	"mazurka: newer.trace: line 1: the trace is of version 9, this build of Mazurka reads version 1" \
	mazurka replay newer.trace

# Where address space randomisation cannot be switched off, what is found is still recognised in a fresh process.
echo 'int personality(unsigned long persona) { (void)persona; return -1; }' >randomised.c
gcc -shared -fPIC randomised.c -o randomised.so
cat >race.c <<'END'
#include <pthread.h>
int x;
static void *add(void *arg)
{
	x++;
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g race.c -o race
for program in p race; do
	LD_PRELOAD=$PWD/randomised.so mazurka run --json $program.json --quiet ./$program || :
done
kind() {
	python3 -c 'import json, sys; print(*[bug["kind"] for bug in json.load(open(sys.argv[1]))["bugs"]])' "$1"
}
equal "randomised addresses: an assertion" assertion "$(kind p.json)"
equal "randomised addresses: a data race" data-race "$(kind race.json)"
