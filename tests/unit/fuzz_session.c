/* SPDX-License-Identifier: MIT
 *
 * A program that overwrites the memory it shares with its supervisor: whatever 64 bytes it hits, the supervisor comes
 * to an end, in time, with an exit status that it has. The worker is a forked process that leaves a plausible session,
 * and perhaps known states, and then damages them. Arguments: how many times, and a seed.
 */
#include "base/bug.h"
#include "base/random.h"
#include "campaign/campaign.h"
#include "engine/search.h"
#include "explorer/states.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BYTES 64
#define STEPS 200

static struct mz_random chance;

static uint64_t roll(uint64_t n)
{
	return mz_random_word(&chance) % n;
}

/* ---- what a worker leaves ---- */

static void leave_findings(struct mz_session *session, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct mz_step *schedule = mz_session_schedule(session, i);
		session->findings[i] = (struct mz_session_finding){.kind = (uint32_t)roll(MZ_FINDING_COUNT),
		                                                   .steps = (uint32_t)roll(10),
		                                                   .key = i,
		                                                   .execution = i + 1};
		session->findings[i].schedule = (uint64_t)((char *)schedule - (char *)session);
		strcpy(session->findings[i].message, "x == 1");
	}
	session->nfindings = n;
}

static void leave_session(struct mz_session *session)
{
	session->running = 1;
	session->executions = roll(100);
	session->steps = roll(1000);
	session->outcome = (uint32_t)roll(MZ_OUTCOME_INTERNAL + 1);
	session->nsteps = (uint32_t)roll(20);
	session->nthreads = 3;
	session->threads[0] = (struct mz_session_thread){MZ_NO_THREAD, 0};
	session->threads[1] = (struct mz_session_thread){0, 1};
	session->threads[2] = (struct mz_session_thread){0, 2};
	strcpy(session->method, session->configuration.strategy);
	strcpy(session->message, "a message");
	strcpy(session->uncontrolled[3].name, MZ_SESSION_UNSEEN);
	session->uncontrolled[3].calls = 2;
	session->unseen.filled = 1;
	strcpy(session->unseen.modules[0].path, "/proc/self/exe");
	if (session->mode == MZ_MODE_EXPLORE) leave_findings(session, (uint32_t)roll(3));
}

static void leave_states(struct mz_states_memory *memory, uint32_t worker)
{
	struct mz_states_user user = {.states = memory->states, .worker = worker, .seat = worker};
	struct mz_frontier frontier = mz_states_frontier(&user);
	uint32_t state = MZ_NO_STATE;
	mz_states_join(&user);
	for (uint64_t i = 0; i < 5; i++) {
		struct mz_origin origin = {state, 1, state == MZ_NO_STATE ? 0 : 2, 0};
		frontier.add(frontier.self, (struct mz_key){i * 77 + 1, i}, NULL, 0, &origin, 0);
		frontier.done(frontier.self, state, (struct mz_prospect){0});
		if (frontier.take(frontier.self, &state) != MZ_TAKEN) return;
	}
}

/* ---- the damage ---- */

static const uint8_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff};

/* 64 bytes in a row or each somewhere; most of them where something is. */
static void damage(uint8_t *memory, size_t size, size_t head)
{
	size_t within = roll(4) ? head : size;
	size_t at = roll(within);
	bool in_a_row = roll(2);
	for (size_t i = 0; i < BYTES; i++) {
		size_t where = in_a_row ? at + i : roll(within);
		uint8_t value = roll(2) ? (uint8_t)roll(256) : values[roll(sizeof values)];
		if (where < size) memory[where] = value;
	}
}

static void end_somehow(void)
{
	static const int signals[] = {SIGKILL, SIGSEGV, SIGTERM, SIGUSR1};
	switch (roll(8)) {
	case 0: kill(getpid(), signals[roll(4)]); break;
	case 1: _exit((int)roll(256)); break;
	case 2:
		if (roll(8) == 0)
			for (;;) pause();
		break;
	default: break;
	}
	_exit(0);
}

static void work(void *argument, int fd)
{
	(void)argument;
	off_t size = lseek(fd, 0, SEEK_END);
	struct mz_session *session = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct mz_states_memory states;
	chance.state += (uint64_t)getpid();
	if (session == MAP_FAILED) _exit(1);
	if (session->mode == MZ_MODE_REPLAY && session->recording >= 0) {
		uint8_t bytes[BYTES];
		for (size_t i = 0; i < BYTES; i++) bytes[i] = (uint8_t)roll(256);
		if (write(session->recording, bytes, sizeof bytes) < 0) _exit(1);
	}
	leave_session(session);
	if (session->states >= 0 && mz_states_attach(&states, session->states) == 0) {
		leave_states(&states, session->worker);
		if (roll(2)) damage((uint8_t *)states.states, states.size, 40000);
	}
	damage((uint8_t *)session, (size_t)size,
	       roll(2) ? offsetof(struct mz_session, given_threads) : sizeof *session);
	end_somehow();
}

/* ---- the supervisor ---- */

static void supervise(uint64_t n)
{
	static char *program[] = {"./p", NULL};
	static const char *const strategies[] = {"optimal", "states", "cbpor"};
	struct mz_reporting reporting = {.out = "fuzzed-out", .json = "fuzzed.json"};
	struct mz_configuration configuration = mz_configuration_default();
	struct timespec before, after;
	chance.state = n;
	strcpy(configuration.strategy, strategies[roll(3)]);
	configuration.iterate = strcmp(configuration.strategy, "cbpor") == 0;
	configuration.jobs = strcmp(configuration.strategy, "states") == 0 ? 1 + (uint32_t)roll(2) : 1;
	configuration.keep_going = (uint32_t)roll(2);
	configuration.max_steps = STEPS;
	configuration.stall_timeout = 0.5;
	struct mz_subject subject = {
	    .path = "/proc/self/exe", .argv = program, .identity = "0", .configuration = configuration, .body = work};
	clock_gettime(CLOCK_MONOTONIC, &before);
	int status = mz_campaign(&reporting, &subject);
	clock_gettime(CLOCK_MONOTONIC, &after);
	MZ_REQUIRE(status >= 0 && status <= 3);
	MZ_REQUIRE(after.tv_sec - before.tv_sec < 40);
}

int main(int argc, char **argv)
{
	uint64_t times = argc > 1 ? strtoull(argv[1], NULL, 10) : 100,
	         first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	int nothing = open("/dev/null", O_WRONLY), out = dup(1), error = dup(2);
	char folder[] = "/tmp/mazurka-fuzz-XXXXXX";
	MZ_REQUIRE(mkdtemp(folder) && chdir(folder) == 0);
	for (uint64_t n = first; n < first + times; n++) {
		dprintf(out, "%lu\r", (unsigned long)n);
		dup2(nothing, 1);
		dup2(nothing, 2);
		supervise(n);
		dup2(error, 2);
	}
	MZ_REQUIRE(chdir("/") == 0);
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0;
}
