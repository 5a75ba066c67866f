# SPDX-License-Identifier: MIT
# Limits on what one execution does to threads and timers: at a limit the execution is given up, the run goes on, and says so.
. "$SOURCE/tests/cli/lib.sh"

# status COMMAND...: its exit status, and the last line of what it prints.
status() {
	code=0
	"$@" >status.out 2>&1 || code=$?
	echo "$code $(tail -n 1 status.out)"
}

# ---- threads
cat >threads.c <<'END_OF_FILE'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int sum;
static void *add(void *unused)
{
	assert(atomic_fetch_add(&sum, 1) < 40);
	return unused;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[argc - 1]); i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, add, NULL)) return 3;
		pthread_join(thread, NULL);
	}
	return 0;
}
END_OF_FILE
mazurka cc -g threads.c -o threads -pthread
given_up="3 incomplete: 1 execution was given up because there were more than"
equal "as many threads as --max-threads" "0 no bug: the only execution explored, complete" \
	"$(status mazurka run --max-threads 30 ./threads 30)"
equal "one more" "$given_up 30 threads and timers (--max-threads); no bug in 1 execution" \
	"$(status mazurka run --max-threads 30 --json r.json ./threads 31)"
equal "the result says so" "incomplete False 1" \
	"$(python3 -c 'import json; r = json.load(open("r.json")); print(r["verdict"], r["complete"], r["executions"])')"
equal "in two processes" "$given_up 30 threads and timers (--max-threads); no bug in 1 execution" \
	"$(status mazurka run --jobs 2 --max-threads 30 ./threads 31)"
equal "with a process for each execution" "$given_up 30 threads and timers (--max-threads); no bug in 1 execution" \
	"$(status mazurka run --isolation process --max-threads 30 ./threads 31)"
refused "a search of states has none to give up" \
	"mazurka: $PWD/threads cannot be explored: there are too many threads and timers (--max-threads)" \
	mazurka run --strategy states --max-threads 30 ./threads 31
refused "a limit there cannot be" "mazurka: --max-threads takes a whole number from 1 to 4095, not '5000'" \
	mazurka run --max-threads 5000 ./threads 1

# A bug of an execution that is given up later: a trace has the limit, if it is not the usual one.
cat >late.c <<'END_OF_FILE'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int over;
static void *nothing(void *unused)
{
	return unused;
}
static void *create(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_t thread;
		if (i == 3) over = 1;
		pthread_create(&thread, NULL, nothing, NULL);
		pthread_join(thread, NULL);
	}
	over = 2;
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, create, NULL);
	assert(over != 1);
	return 0;
}
END_OF_FILE
mazurka cc -g late.c -o late -pthread
equal "a bug where a thread is stopped" "1 1" \
	"$(mazurka run --max-threads 4 --out late-out ./late >late.out && echo 0 || echo "$? $(grep -c '^bug: assertion' late.out)")"
equal "the trace has the limit" "limits 4 1000" "$(grep '^limits' late-out/bug-1.trace)"
check "and replays" sh -c "mazurka replay late-out/bug-1.trace | grep -q 'assertion'"

# ---- stacks
cat >stack.c <<'END_OF_FILE'
#include <pthread.h>
#include <stdlib.h>
static void *nothing(void *unused)
{
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, strtoul(argv[argc - 1], NULL, 0) << 20);
	if (pthread_create(&thread, &attributes, nothing, NULL)) return 0;
	return pthread_join(thread, NULL);
}
END_OF_FILE
mazurka cc -g stack.c -o stack -pthread
equal "a stack of 255 MiB" "0 no bug: the only execution explored, complete" "$(status mazurka run ./stack 255)"
equal "a larger one" \
	"3 incomplete: 1 stack of up to 268435456 bytes was refused: the stack of a thread has at most 255 MiB; no bug in 1 execution" \
	"$(status mazurka run ./stack 256)"
equal "one that the system refuses, too" "0 no bug: the only execution explored, complete" \
	"$(status mazurka run ./stack 0x10000000)"

# ---- timers
cat >ticks.c <<'END_OF_FILE'
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t ticks;
static void tick(int number)
{
	ticks += number == SIGALRM;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]);
	struct itimerval each = {{0, 1000}, {0, 1000}}, none = {0};
	struct timespec left = {n / 1000, n % 1000 * 1000000};
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &each, NULL);
	while (n && nanosleep(&left, &left)) assert(errno == EINTR);
	while (!n) pause();
	setitimer(ITIMER_REAL, &none, NULL);
	assert(ticks >= n);
	return 0;
}
END_OF_FILE
mazurka cc -g ticks.c -o ticks -pthread
equal "a timer expires whenever it is due" "0 no bug: the only execution explored, complete" "$(status mazurka run ./ticks 200)"
equal "not more often than --max-expirations" "$given_up 100 expirations of timers (--max-expirations); no bug in 1 execution" \
	"$(status mazurka run --max-expirations 100 ./ticks 200)"
equal "to wait for signals without end is no deadlock" \
	"$given_up 1000 expirations of timers (--max-expirations); no bug in 1 execution" "$(status mazurka run ./ticks 0)"
cat >timers.c <<'END_OF_FILE'
#include <signal.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	struct sigevent nothing = {.sigev_notify = SIGEV_NONE};
	timer_t timer;
	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		if (timer_create(CLOCK_REALTIME, &nothing, &timer)) return 3;
	return 0;
}
END_OF_FILE
mazurka cc -g timers.c -o timers -pthread
equal "as many timers" "0 no bug: the only execution explored, complete" "$(status mazurka run --max-threads 300 ./timers 300)"
equal "one more timer" "$given_up 300 threads and timers (--max-threads); no bug in 1 execution" \
	"$(status mazurka run --max-threads 300 ./timers 301)"
