# SPDX-License-Identifier: MIT
# Searching states, as a user does it: programs that never end, several processes, limits.
. "$SOURCE/tests/cli/lib.sh"

# Two robots that go round for ever, on paths that cross; with a third one there are far more states.
cat >robots.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define N 12
static atomic_bool occupied[N][N];
static int meeting = 9;

static void *robot(void *arg)
{
	int x = (int)(long)arg, y = 0, dx = 1, dy = 1;
	for (;;) {
		atomic_store(&occupied[x][y], 0);
		x += dx, y += dy;
		if (x == N - 1 || x == 0) dx = -dx;
		if (y == N - 1 || y == 0) dy = -dy;
		assert(!atomic_load(&occupied[x][y]) || x == meeting || x == 2);
		atomic_store(&occupied[x][y], 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const long start[] = {0, 4, 7};
	pthread_t threads[3];
	int n = argc > 1 ? atoi(argv[1]) : 2;
	if (argc > 2) meeting = atoi(argv[2]);
	for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, robot, (void *)start[i]);
	for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g -O1 robots.c -o robots -pthread

# numbers JSON: states and steps.
numbers() {
	sed -n 's/.*"steps": \([0-9]*\), "states": \([0-9]*\).*/\2 states, \1 steps/p' "$1"
}
# search OPTION... PROGRAM: exit status, what is printed, and the numbers.
search() {
	status=0
	mazurka run --json result.json "$@" >search.out 2>&1 || status=$?
	echo "$status: $(cat search.out)"
	numbers result.json
}
one=$(search --strategy cartesian ./robots)
equal "a program that never ends is explored to the end" "0: no bug: all" "$(echo "$one" | head -n 1 | cut -c 1-14)"
check "every state is counted" test "$(sed 's/ .*//' <<END
$(search --strategy states ./robots | tail -n 1)
END
)" -gt "$(echo "$one" | tail -n 1 | sed 's/ .*//')"
equal "byte by byte" "$one" "$(search --strategy cartesian --exact-states ./robots)"
equal "in two processes" "$one" "$(search --strategy cartesian --jobs 2 ./robots)"
equal "in two processes, byte by byte" "$one" "$(search --strategy cartesian --jobs 2 --exact-states ./robots)"
equal "again" "$one" "$(search --strategy cartesian ./robots)"
three=$(search --strategy cartesian ./robots 3)
equal "three of them, in two processes" "$three" "$(search --strategy cartesian --jobs 2 ./robots 3)"
equal "three of them, in three processes" "$three" "$(search --strategy cartesian --jobs 3 ./robots 3)"

check "it is said that a program never ends" sh -c 'mazurka run --strategy cartesian ./robots | grep -q "complete; the program never ends$"'
check "also in JSON" grep -q '"never_ends": true' result.json

# A client asks, and takes that back, until it finds the server open; a server waits for as many requests at once as it
# is told. If somebody closes the server in time the client goes on for ever, and meets the server: neither goes round
# by itself.
cat >requests.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int asked, closed, wanted;

static void *client(void *unused)
{
	do {
		atomic_fetch_add(&asked, 1);
		atomic_fetch_sub(&asked, 1);
	} while (atomic_load(&closed) == 1);
	return unused;
}

static void *server(void *unused)
{
	while (atomic_load(&asked) < atomic_load(&wanted)) {}
	return unused;
}

static void *closer(void *unused)
{
	atomic_store(&closed, 1);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	atomic_store(&wanted, atoi(argv[1]));
	atomic_store(&closed, atoi(argv[2]));
	pthread_create(&threads[0], NULL, client, NULL);
	pthread_create(&threads[1], NULL, server, NULL);
	pthread_create(&threads[2], NULL, closer, NULL);
	if (argc > 3) exit(0); /* while they go on */
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g -O1 requests.c -o requests -pthread
# told OPTION... PROGRAM: exit status and the kinds of bugs, or why it is not complete.
told() {
	status=0
	mazurka run --json result.json "$@" >told.out 2>&1 || status=$?
	echo "$status: $(sed -n 's/.*"bugs": \[{"kind": "\([^"]*\)".*/\1/p' result.json)$(sed -n 's/^incomplete: \([^,;]*\).*thread \([^ ]*\) .*/\1, \2/p' told.out)"
}
for how in cartesian states "cartesian --jobs 2" "cartesian --keep-going"; do
	equal "threads that may look on for ever, $how" "3: the program never ends, main/2" "$(told --strategy $how ./requests 2 1)"
	equal "a client that can get stuck, $how" "1: livelock" "$(told --strategy $how ./requests 1 0)"
	equal "exit() ends them all, $how" "0: " "$(told --strategy $how ./requests 2 1 exit)"
done
check "the trace of that livelock replays" sh -c 'mazurka run --strategy cartesian ./requests 1 0 >/dev/null 2>&1; mazurka replay mazurka-out/bug-1.trace | grep -q "bug: livelock"'

# Where they meet elsewhere the assertion fails, and the trace shows it.
for jobs in 1 2; do
	status=0
	mazurka run --strategy cartesian --jobs $jobs --json result.json ./robots 2 8 >out 2>&1 || status=$?
	equal "a bug, $jobs processes" "1|assertion|robots.c:18" \
		"$status|$(sed -n 's/.*"bugs": \[{"kind": "\([^"]*\)".*"location": "\([^"]*\)".*/\1|\2/p' result.json)"
	check "its trace replays, $jobs processes" sh -c 'mazurka replay mazurka-out/bug-1.trace | grep -q "bug: assertion"'
done

# Who creates a thread first depends on the interleaving; who that thread is does not, whoever meets it first.
cat >nested.c <<'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order, sum;

static void *child(void *arg)
{
	atomic_fetch_add(&sum, (int)(long)arg + atomic_load(&order));
	return NULL;
}

static void *parent(void *arg)
{
	pthread_t thread;
	long me = (long)arg;
	for (int i = 0; i < 2; i++) {
		atomic_store(&order, (int)me);
		pthread_create(&thread, NULL, child, arg);
		atomic_store(&order, 0);
		pthread_join(thread, NULL);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, parent, (void *)(i + 1));
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g -O1 nested.c -o nested -pthread
nested=$(search --strategy states ./nested)
equal "threads that create threads are searched" "0: no bug: all" "$(echo "$nested" | head -n 1 | cut -c 1-14)"
for jobs in 2 3; do
	equal "threads that create threads, $jobs processes" "$nested" "$(search --strategy states --jobs $jobs ./nested)"
done

# Limits.
status=0
mazurka run --strategy states --max-memory 100K ./robots 3 >out 2>&1 || status=$?
equal "a limit on memory" "3|incomplete: the limit on memory was reached; no bug in" "$status|$(cut -c 1-54 out)"
status=0
mazurka run --strategy states --timeout 0.3 ./robots 3 >out 2>&1 || status=$?
equal "a limit on time" "3|incomplete: --timeout 0.3 was reached; no bug in" "$status|$(cut -c 1-48 out)"
status=0
mazurka run --strategy states --jobs 2 --timeout 0.3 ./robots 3 >out 2>&1 || status=$?
equal "a limit on time, two processes" "3|incomplete: --timeout 0.3 was reached; no bug in" "$status|$(cut -c 1-48 out)"
refused "traces of states" "mazurka: the strategy cartesian cannot honour --count-traces: it searches states, not executions" \
	mazurka run --strategy cartesian --count-traces ./robots
refused "bytes without states" "mazurka: the strategy dfs cannot honour --exact-states: only one that searches states can" \
	mazurka run --strategy dfs --exact-states ./robots
refused "too many jobs" "mazurka: --jobs takes a whole number from 0 to 64, not '65'" \
	mazurka run --strategy cartesian --jobs 65 ./robots

# What the kernel keeps is in no state, and that is said.
cat >opens.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int fd = open("/dev/null", O_RDONLY);
	close(fd);
	return fd < 0;
}
END
mazurka cc -g opens.c -o opens
equal "files are listed" "uncontrolled: open in a state search, 1 call" \
	"$(mazurka run --strategy cartesian ./opens 2>&1 | grep uncontrolled)"
equal "but not elsewhere" "" "$(mazurka run ./opens 2>&1 | grep uncontrolled || true)"

# Whoever is killed: the numbers stay as they are.
write_killer
killed() {
	status=0
	timeout -s KILL 100 python3 kill.py mazurka run --json killed.json "$@" >killed.out 2>&1 || status=$?
	echo "$status: $(cat killed.out)"
	numbers killed.json
}
cat >slow.c <<'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[3], sum;

static void *run(void *arg)
{
	atomic_int *mine = arg;
	for (;;) {
		atomic_store(mine, (atomic_load(mine) + 1) % 10);
		atomic_store(&sum, atomic_load(&x[0]) + atomic_load(&x[1]) + atomic_load(&x[2]));
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &x[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g -O1 slow.c -o slow -pthread
undisturbed=$(search --strategy states ./slow)
equal "a worker is killed" "$undisturbed" "$(killed --strategy states ./slow)"
equal "one of two workers is killed" "$undisturbed" "$(killed --strategy states --jobs 2 ./slow)"

# ---- a function of the program that is called by one of ours: what is ours on the stack is the same in every process ----
cat >once.c <<'C'
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;

static void start(void)
{
	times++;
}

static void *run(void *arg)
{
	pthread_once(&once, start);
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
mazurka cc -g -O1 once.c -o once -pthread
alone=$(search --strategy states ./once)
equal "what is done once, in two processes" "$alone" \
	"$(for i in 1 2 3 4 5 6 7 8 9 10 11 12; do search --strategy states --jobs 2 ./once; done | sort -u)"

# ---- exit() by one thread, while another waits for it to end: the end of the process, and no deadlock ----
cat >exits.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;

static void *run(void *arg)
{
	atomic_fetch_add(&n, 1);
	if (arg) exit(STATUS);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, i ? &n : NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
C
for status in 0 3; do
	mazurka cc -g -O1 -DSTATUS=$status exits.c -o exits -pthread
	for strategy in cartesian states "states --jobs 2"; do
		mazurka run --strategy $strategy --keep-going --json exits.json ./exits >exits.out 2>&1 || true
		equal "exit($status) while another thread waits: $strategy" \
			"$([ $status = 0 ] && echo 'pass true' || echo 'bug true exit')" \
			"$(sed -n 's/.*"verdict": "\([a-z]*\)".*"complete": \([a-z]*\).*/\1 \2/p' exits.json)$(
				sed -n 's/.*"kind": "\([a-z]*\)".*/ \1/p' exits.json)"
	done
done

# ---- a name that each process finds for itself: those whose first state is another one take no part ----
cat >named.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static char name[] = "/tmp/mazurka-named-XXXXXX";
static atomic_int n;

static void *run(void *arg)
{
	for (int i = 0; i < 3; i++) atomic_fetch_add(&n, 1);
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	close(mkstemp(name));
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	unlink(name);
	return 0;
}
C
mazurka cc -g -O1 named.c -o named -pthread
one=$(search --strategy cartesian ./named | tail -n 2)
for jobs in 2 3 4; do
	equal "a name that differs in each of $jobs processes" "$one" "$(search --strategy cartesian --jobs $jobs ./named | tail -n 2)"
done

# ---- a data race after two operations that conflict: no state shows it if threads switch at synchronization only ----
cat >behind.c <<'C'
#include <pthread.h>

static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	x = 2;
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	pthread_mutex_lock(&mutex);
	x = 3;
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
C
mazurka cc -g -O0 behind.c -o behind -pthread
equal "a race behind a lock is seen at every access" "1" "$(search --strategy cartesian ./behind | cut -c 1 | head -n 1)"
equal "at synchronization only, the verdict says that races may be missed" \
	"0: no bug: all 6 states explored (11 steps), complete for switches at synchronization; data races may be missed: see --points all" \
	"$(search --strategy cartesian --points sync ./behind | head -n 1)"
