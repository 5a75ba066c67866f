# SPDX-License-Identifier: MIT
# What the scripts beside this one share. BUILD is the build tree, SOURCE the source tree; the current folder is empty.

# check NAME COMMAND...: the command succeeds.
check() {
	name=$1
	shift
	if "$@" >check.out 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name: $*"
		sed 's/^/  | /' check.out
	fi
}

# equal NAME EXPECTED ACTUAL
equal() {
	if [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		printf '%s\n' "$2" | sed 's/^/  expected | /'
		printf '%s\n' "$3" | sed 's/^/  actual   | /'
	fi
}

# refused NAME MESSAGE COMMAND...: exit status 2, nothing on standard output, exactly that line on standard error.
refused() {
	name=$1 message=$2
	shift 2
	status=0
	"$@" >refused.out 2>refused.err || status=$?
	equal "$name" "2||$message" "$status|$(cat refused.out)|$(cat refused.err)"
}

# What a linked file is: does it carry our note, and is our library the first it loads?
carries_note() {
	[ "$(readelf -nW "$1" | grep -c '^ *Mazurka ')" = 1 ]
}
loads_library_first() {
	[ "$(readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | head -n 1)" = libmazurka.so ]
}
is_for_exploration() {
	carries_note "$1" && loads_library_first "$1" && ! readelf -dW "$1" | grep -q 'NEEDED.*tsan'
}

# The instrumentation an object calls: "read4 write4 ...".
instrumentation() {
	nm -u "$1" | sed -n 's/.* __tsan_//p' | sort | tr '\n' ' ' | sed 's/ $//'
}

# both_compilers FUNCTION: once with gcc and once with clang behind the driver; $compiler is its name.
both_compilers() {
	for compiler in gcc clang; do
		export MAZURKA_CC=$compiler
		"$1"
	done
	unset MAZURKA_CC
}

# lost.c and counter.c: three threads that lose updates (LEAST: how many must be left), or do not, with known numbers of
# traces within each bound.
write_lost_and_counter() {
cat >lost.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
	int value = atomic_load(&x);
	atomic_store(&x, value + 1);
	return unused;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
#ifdef LEAST
	assert(atomic_load(&x) >= LEAST);
#endif
	return 0;
}
END
cat >counter.c <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *unused)
{
	for (int round = 0; round < 2; round++) {
		pthread_mutex_lock(&mutex);
		count++;
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return count != 6;
}
END
}

cat >hello.c <<'END'
#include <stdio.h>
int counter;
int main(void)
{
	counter++;
	printf("hello %d\n", counter);
	return 0;
}
END

# explored OPTIONS... PROGRAM...: status, verdict, executions, traces and redundant executions of a run.
explored() {
	status=0
	timeout -s KILL 100 mazurka run --quiet --json result.json "$@" >out 2>&1 || status=$?
	echo "$status $(python3 -c 'import json; r = json.load(open("result.json"))
print(r["verdict"], r["complete"], r["executions"], r["traces"], r["redundant"], len(r["bugs"]))')"
	rm -f result.json
}

# write_killer: kill.py runs a command, and kills the processes that it starts, one after the other, twelve times: the first as soon as it
# is there, and each later one after a longer while, so that short runs are disturbed as well as long ones.
write_killer() {
	cat >kill.py <<'PY'
import subprocess, sys, time, signal, os
run = subprocess.Popen(sys.argv[1:])
kills, pause, since = 0, 0, time.monotonic()
while run.poll() is None:
    time.sleep(0 if pause < 0.01 else 0.002)
    if kills == 12 or time.monotonic() - since < pause: continue
    try:
        workers = open(f"/proc/{run.pid}/task/{run.pid}/children").read().split()
        if not workers: continue
        os.kill(int(workers[kills % len(workers)]), signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError): continue
    kills, pause, since = kills + 1, min(0.07, 0.004 * 2 ** kills), time.monotonic()
sys.exit(run.returncode if kills else 99)
PY
}

# killed OPTIONS... PROGRAM...: what explored() tells, of a run with two processes that are killed again and again.
killed() {
	status=0
	write_killer
	timeout -s KILL 100 python3 kill.py mazurka run --quiet --json result.json --jobs 2 "$@" >out 2>&1 || status=$?
	echo "$status $(python3 -c 'import json; r = json.load(open("result.json"))
print(r["verdict"], r["complete"], r["executions"], r["traces"], r["redundant"], len(r["bugs"]))')"
	rm -f result.json
}

# N threads read a counter and write it: updates get lost. The second argument is the least sum that is right.
write_update() {
	cat >update.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int sum;
static void *add(void *unused)
{
	int seen = atomic_load(&sum);
	atomic_store(&sum, seen + 1);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t threads[8];
	int n = argc > 1 ? atoi(argv[1]) : 3;
	for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
	if (argc > 2) assert(sum >= atoi(argv[2]));
	return 0;
}
C
}

# Prints the status of a run, and of what is in result.json the verdict, whether it is complete, the traces, the bound on
# preemptions, the traces of each bound, the bugs and the method.
tell_within() {
	echo "$1 $(python3 -c 'import json; r = json.load(open("result.json"))
bounds = [i["traces"] for i in r["iterations"]]
print(r["verdict"], r["complete"], r["traces"], r["bounds"]["preemptions"], bounds, len(r["bugs"]), r.get("method", r["strategy"]))')"
	rm -f result.json
}
within() {
	status=0
	timeout -s KILL 100 mazurka run --quiet --json result.json "$@" >out 2>&1 || status=$?
	tell_within $status
}
