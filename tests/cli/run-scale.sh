# SPDX-License-Identifier: MIT
# What is large: threads, steps, memory, shared libraries.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"
# counts OPTIONS AND PROGRAM...: "executions traces steps" in $result, and the peak in MiB in $peak.
counts() {
	$run --quiet --json result.json "$@"
	peak=$(($(sed -n 's/.*"peak_rss_kb": \([0-9]*\).*/\1/p' result.json) / 1024))
	result=$(sed -n 's/^ "executions": \([0-9]*\), .* "traces": \([0-9]*\), "steps": \([0-9]*\),.*/\1 \2 \3/p' result.json)
}
# Programs that bench/scale measures; it says where the counts come from.
for program in crowd turns vast; do
	check "$program builds" "$BUILD/mazurka" cc -g -O2 -pthread "$SOURCE/bench/programs/scale/$program.c" -o "$program"
done

# ---- 1,000 threads ----
counts ./crowd 1000 3
equal "1,000 threads meet, and two of them in either order" "2 2 3004" "$result"
equal "all of them can be woken" "incomplete: the limit on executions was reached; no bug in 1 execution" \
	"$($run --max-executions 1 ./crowd 1000 broadcast)"
equal "or wait for ever" "bug: deadlock" "$($run --strategy random --seed 3 --max-executions 1 --out crowd-out ./crowd 1000 forgotten |
	sed -n 's/^\(bug: deadlock\).*/\1/p')"
equal "there is a limit" \
	"incomplete: 1 execution was given up because there were more than 4095 threads and timers (--max-threads); no bug in 1 execution" \
	"$($run ./crowd 4096 1)"

# ---- a million steps ----
counts --max-steps 1100000 ./turns 2 250000
equal "a million steps" "2 2 1000006" "$result"
equal "not without being allowed" "incomplete: 1 execution was ended by --max-steps 100000; no bug in 1 execution" \
	"$($run ./turns 2 250000)"

# ---- 1 GiB of variables, and of heap ----
counts --no-checkpoints ./vast 50
equal "1 GiB of variables and 1 GiB of heap" "2 2 4" "$result"
check "what is not used of it takes no memory" test "$peak" -lt 16

# ---- 50 shared libraries ----
cat >library.c <<'END'
#include <stdatomic.h>
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
static int value = N;
static char room[50000];
static _Thread_local int mine;
atomic_int NAME(met, N);
int NAME(add, N)(int n)
{
	atomic_fetch_add(&NAME(met, N), n);
	room[n * 4096]++;
	mine += n;
	value += n;
	return value + mine + room[n * 4096] + NAME(met, N);
}
END
for n in $(seq 50); do
	"$BUILD/mazurka" cc -shared -fPIC -DN="$n" library.c -o "lib$n.so"
	echo "int add$n(int n);" >>declarations
	echo "	assert(add$n(1) == $n + 4);" >>calls
done
{
	printf '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n'
	cat declarations
	printf 'static atomic_int x;\nstatic void *add(void *arg)\n{\n\tatomic_fetch_add(&x, 1);\n\treturn arg;\n}\n'
	printf 'static void *call(void *arg)\n{\n'
	cat calls
	printf '\treturn add(arg);\n}\nint main(void)\n{\n\tpthread_t a, b;\n\tpthread_create(&a, 0, add, 0);\n'
	printf '\tpthread_create(&b, 0, call, 0);\n\tpthread_join(a, 0);\n\tpthread_join(b, 0);\n\treturn 0;\n}\n'
} >fifty.c
check "a program of 50 shared libraries builds" "$BUILD/mazurka" cc -g -pthread fifty.c -o fifty -Wl,-rpath,"$PWD" \
	$(seq -f "lib%g.so" 50)
counts --no-checkpoints ./fifty
# two operations in each library, then the two that meet, and those two again
equal "50 shared libraries start over" "2 2 104" "$result"
