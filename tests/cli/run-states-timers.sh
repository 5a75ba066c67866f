# SPDX-License-Identifier: MIT
# Searching states of programs with timers: a timer expires when no thread can go on, which may be a state that no vector leads to.
. "$SOURCE/tests/cli/lib.sh"

# Two threads that post, and then wait for the timer's function. Each of the two gets there without meeting the other.
cat >wait.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static sem_t go, posted[2];
static atomic_int flag, late;
static int times, spins;

static void call(union sigval unused)
{
	(void)unused;
	late = 1;
	for (int i = 0; i < times; i++) sem_post(&go);
	flag = 1;
}

static void *wait_for_it(void *arg)
{
	sem_post(arg);
	if (spins)
		while (!flag) {}
	else
		sem_wait(&go);
	assert(times != 3 || !late);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = call};
	const struct itimerspec value = {{0, 0}, {0, 20000000}};
	times = atoi(argv[1]);
	spins = argc > 2;
	sem_init(&go, 0, 0);
	for (int i = 0; i < 2; i++) sem_init(&posted[i], 0, 0);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &value, NULL);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_for_it, &posted[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc -g -O1 wait.c -o wait -pthread

# search OPTION... PROGRAM: exit status, and the last line that is printed, without numbers.
search() {
	status=0
	mazurka run "$@" >search.out 2>&1 || status=$?
	echo "$status: $(tail -n 1 search.out | sed 's/[0-9][0-9]*/N/g')"
}

for way in cartesian "cartesian --jobs 2" "cartesian --exact-states" states; do
	equal "the timer lets both go on, $way" "0: no bug: all N states explored (N steps), complete" \
		"$(search --strategy $way ./wait 2)"
	equal "one waits for ever after it, $way" "1: 1" "$(search --quiet --json result.json --strategy $way ./wait 1 |
		sed 's/:.*//'): $(grep -c '"kind": "deadlock"' result.json)"
	equal "what comes after it is found, $way" "1: 1" "$(search --quiet --json result.json --strategy $way ./wait 3 |
		sed 's/:.*//'): $(grep -c '"kind": "assertion"' result.json)"
done
equal "states do not tell when a thread goes round for ever" \
	"3: incomplete: a thread looks in a loop for what may come once a timer expires, which is when no thread can go on: try a strategy that explores executions; no bug in N states (N steps)" \
	"$(search --strategy cartesian ./wait 0 spins)"
equal "executions do" "0: no bug: the only execution explored, complete" "$(search --strategy optimal ./wait 0 spins)"
