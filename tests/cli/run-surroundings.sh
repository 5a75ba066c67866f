# SPDX-License-Identifier: MIT
# Time, randomness, files, and what is not controlled.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

cat >meets.h <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int meeting;
static void *meet(void *arg)
{
	atomic_fetch_add(&meeting, 1);
	return arg;
}
static void all_meet(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, meet, 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
END

# ---- what is not controlled is named, once ----
cat >connects.c <<'END'
#include "meets.h"
#include <sys/socket.h>
int main(void)
{
	struct sockaddr nowhere = {0};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(fd >= 0 && connect(fd, &nowhere, sizeof nowhere) != 0);
	all_meet();
	return 0;
}
END
check "a program that connects" "$BUILD/mazurka" cc -g connects.c -o connects -pthread
equal "its calls are listed before the verdict" "uncontrolled: connect, 2 calls; socket, 2 calls
no bug: all 2 executions explored, complete for what was observed" "$($run ./connects)"
$run --quiet --json connects.json ./connects
equal "and in the result" '[{"function": "connect", "calls": 2}, {"function": "socket", "calls": 2}]' \
	"$(sed -n 's/^ "uncontrolled": \(.*\),$/\1/p' connects.json)"
check "by itself it runs" ./connects

# ---- system calls by number: randomness is virtual, what tells nothing is not listed, all else is ----
cat >numbers.c <<'END'
#define _GNU_SOURCE
#include "meets.h"
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void)
{
	unsigned random = 0;
	struct utsname name;
	assert(syscall(SYS_getrandom, &random, sizeof random, 0) == sizeof random);
	assert(syscall(SYS_gettid) > 0 && syscall(SYS_sched_yield) == 0 && syscall(SYS_uname, &name) == 0);
	for (random &= 3; random; random--) all_meet();
	all_meet();
	return 0;
}
END
check "a program that makes system calls" "$BUILD/mazurka" cc -g numbers.c -o numbers -pthread
for seed in 1 2 3 4; do
	equal "as often as it says, seed $seed" "uncontrolled: syscall" "$($run --seed $seed ./numbers | sed -n 's/, .*//;1p')"
	equal "and every execution is the same, seed $seed" "complete for what was observed" "$($run --seed $seed ./numbers | sed -n 's/.*, //;2p')"
done

# ---- code that is not instrumented, and writes to what threads share ----
cat >elsewhere.c <<'END'
int shared;
void set(int *where, int value)
{
	*where = value;
}
END
cat >notices.c <<'END'
#include "meets.h"
#include <stdlib.h>
extern atomic_int shared;
void set(atomic_int *where, int value);
int main(void)
{
	atomic_int *on_heap = malloc(sizeof *on_heap);
	atomic_init(on_heap, 0);
	all_meet();
	assert(atomic_load(on_heap) == 0 && atomic_load(&shared) == 0);
	if (HEAP) set(on_heap, 1);
	if (GLOBAL) set(&shared, 1);
	int found = atomic_load(on_heap) + atomic_load(&shared); /* HERE */
	free(on_heap);
	return found != HEAP + GLOBAL;
}
END
cc -g -c elsewhere.c
cc -g -shared -fPIC elsewhere.c -o libelsewhere.so
line=$(sed -n '/HERE/=' notices.c)
"$BUILD/mazurka" cc -g -pthread -DGLOBAL=1 -DHEAP=0 notices.c elsewhere.o -o notices
equal "a write that nobody sees is noticed, and named" \
	"uncontrolled: unseen write to shared, noticed at notices.c:$line, 2 times
no bug: all 2 executions explored, complete for what was observed" "$($run --no-checkpoints ./notices)"
$run --quiet --no-checkpoints --json notices.json ./notices
equal "and in the result" \
	'[{"function": "unseen write", "calls": 2, "object": "shared", "location": "notices.c:'"$line"'"}]' \
	"$(sed -n 's/^ "uncontrolled": \(.*\),$/\1/p' notices.json)"
equal "it takes looking for data races" \
	"no bug: all 2 executions explored, complete for switches at synchronization; data races were not looked for: see --points all" \
	"$($run --no-races ./notices)"
equal "or switching everywhere" "no bug: all 2 executions explored, complete" "$($run --no-races --points all ./notices | tail -n 1)"
"$BUILD/mazurka" cc -g -pthread -DGLOBAL=1 -DHEAP=0 notices.c -L. -lelsewhere -Wl,-rpath,"$PWD" -o notices
equal "also to a variable of a shared library" \
	"uncontrolled: unseen write to shared, noticed at notices.c:$line, 2 times" \
	"$($run --no-checkpoints ./notices | head -n 1)"
"$BUILD/mazurka" cc -g -pthread -DGLOBAL=0 -DHEAP=1 notices.c elsewhere.o -o notices
equal "or on the heap" \
	"uncontrolled: unseen write to the heap, noticed at notices.c:$line, 2 times" \
	"$($run --no-checkpoints ./notices | head -n 1)"
"$BUILD/mazurka" cc -g -pthread -DGLOBAL=1 -DHEAP=1 notices.c elsewhere.c -o notices
equal "instrumented, it is seen" "no bug: all 2 executions explored, complete" "$($run --no-checkpoints ./notices)"

# ---- files are what they were ----
cat >appends.c <<'END'
#include "meets.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int fd = open("log", O_WRONLY | O_APPEND), made = open("made", O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert(fd >= 0 && made >= 0 && write(fd, "more\n", 5) == 5);
	assert(lseek(fd, 0, SEEK_END) == 12);
	assert(rename("old", "new") == 0);
	FILE *left = fopen("left", "w");
	assert(left && fputs("x", left) >= 0);
	all_meet();
	return 0;
}
END
check "a program that changes files" "$BUILD/mazurka" cc -g appends.c -o appends -pthread
echo before >log
echo old >old
check "every execution finds them as they were" $run ./appends
equal "and so does the user" "before old no" "$(cat log) $(cat old) $(ls made new left 2>/dev/null || echo no)"

# ---- one seed, one sequence ----
cat >draws.c <<'END'
#include "meets.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	all_meet();
	fprintf(stderr, "%d\n", rand());
	assert(0);
}
END
check "a program that draws" "$BUILD/mazurka" cc -g draws.c -o draws -pthread
drawn() {
	$run --quiet --seed "$1" --out "seed-$1" ./draws || true
	"$BUILD/mazurka" replay "seed-$1/bug-1.trace" 2>&1 | grep -x '[0-9]*'
}
one=$(drawn 1) two=$(drawn 2)
equal "a replay draws what the run drew" "$one" "$("$BUILD/mazurka" replay seed-1/bug-1.trace 2>&1 | grep -x '[0-9]*')"
check "another seed, another sequence" test -n "$one" -a -n "$two" -a "$one" != "$two"

# ---- state that is not in the program's memory ----
cat >remembers.c <<'END'
#include "meets.h"
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	int again = syscall(SYS_umask, 7) == 7;
	if (again) atomic_fetch_add(&meeting, 1);
	all_meet();
	return 0;
}
END
check "a program that leaves something with the kernel" "$BUILD/mazurka" cc -g remembers.c -o remembers -pthread
equal "cannot start over, and is told what to try" "1 nondeterminism" \
	"$($run ./remembers | grep -c 'try --isolation process)$') $($run --quiet --json - ./remembers | grep -o nondeterminism | head -n 1)"
equal "but can in processes of its own" "uncontrolled: syscall, 2 calls
no bug: all 2 executions explored, complete for what was observed" "$($run --isolation process ./remembers)"
status=0
$run --quiet --isolation process ./draws || status=$?
equal "bugs are found there" 1 "$status"
refused "states cannot be kept of processes" \
	"mazurka: the strategy states cannot honour --isolation process: it searches states, not executions" \
	$run --strategy states --isolation process ./connects

refused "nor can several share them" "mazurka: --jobs cannot be combined with --isolation process" \
	$run --jobs 2 --isolation process ./connects

cat >several.c <<'END'
#include "meets.h"
static atomic_int order, x;
static void *add(void *arg)
{
	int value = atomic_load(&x);
	atomic_store(&x, value + 1);
	return arg;
}
static void *announce(void *arg)
{
	atomic_store(&order, 1);
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, i < 2 ? add : announce, 0);
	if (atomic_load(&order)) *(volatile int *)8 = 1;
	for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
	assert(atomic_load(&x) == 2);
	return 0;
}
END
check "a program with two bugs, one of them a crash" "$BUILD/mazurka" cc -g several.c -o several -pthread
summary() {
	$run --keep-going --out several-out "$@" ./several | sed -n '/bugs found/,$p'
}
equal "both are found in processes of its own" "2 bugs found in 8 executions, complete
  assertion: atomic_load(&x) == 2 at several.c:20, trace several-out/bug-1.trace
  crash: SIGSEGV at address 0x8 at several.c:18, trace several-out/bug-2.trace" "$(summary --isolation process)"
equal "as they are without" "$(summary)" "$(summary --isolation process)"
for strategy in source dpor "random --max-executions 50" "dpor --preemptions 1"; do
	equal "and by $strategy" "$(summary --strategy $strategy)" "$(summary --isolation process --strategy $strategy)"
done

cat >once.c <<'END'
#include "meets.h"
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	int again = syscall(SYS_umask, 7) == 7;
	all_meet();
	assert(!again);
	return 0;
}
END
check "a program that fails because of what it left" "$BUILD/mazurka" cc -g once.c -o once -pthread
equal "that is not so when replayed, and what to try is said" \
	"nondeterminism: assertion (!again) in execution 2 did not happen again under the same schedule (if its state is not all in its memory, try --isolation process)" \
	"$($run --out once-out ./once | sed -n 's/^  \(nondeterminism.*\), trace.*/\1/p')"

cat >dies.c <<'END'
#include "meets.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	all_meet();
	long result = SYS_kill, process = getpid();
	__asm__ volatile("syscall" : "+a"(result) : "D"(process), "S"((long)SIGKILL) : "rcx", "r11", "memory");
	return (int)result;
}
END
check "a program that is killed" "$BUILD/mazurka" cc -g dies.c -o dies -pthread
equal "is so there too" "incomplete: the process was killed by SIGKILL in execution 1, after step 2; no bug in 0 executions" \
	"$($run --isolation process ./dies | tail -n 1)"
