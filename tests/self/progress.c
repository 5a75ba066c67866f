/* SPDX-License-Identifier: MIT
 *
 * explorer/supervisor.c and session/progress.h: a supervisor looks, once a second, whether its worker makes progress, and kills it if not.
 *
 * Invariant: a worker that has made a step between any two looks is not killed, nor one that says that it is thinking; one that makes
 * nothing but idle steps is, however these and the looks come together.
 *
 *   moves    the worker makes an idle step now and then, and a step before each look
 *   thinks   the worker makes no step, and says so
 *   idles    the worker makes one step, then idle ones
 *
 * options: -- moves
 * options: -- thinks
 * options: -- idles
 * sources: explorer/supervisor.c
 * define: MZ_SMALL_TABLES wait4=see_whether_it_ends kill=note_kill
 */
#include "session/progress.h"
#include "explorer/supervisor.h"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>

#define LOOKS 4
#define IDLE_STEPS 3
#define STALL_SECONDS 2
/* A worker that idles may be seen to make progress by its step, and by an idle step after that; then it is killed. */
#define LOOKS_MOST (2 + STALL_SECONDS)

static struct mz_session session;
static struct mz_session_memory memory = {.session = &session, .shared = &session};
static sem_t moved, looked;
static bool killed;
static time_t second;

/* ---- the system ---- */

pid_t see_whether_it_ends(pid_t pid, int *status, int options, struct rusage *usage)
{
	(void)pid, (void)status, (void)options, (void)usage;
	return 0;
}

int note_kill(pid_t pid, int number)
{
	(void)pid, (void)number;
	killed = true;
	return 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){.tv_sec = second};
	return 0;
}

/* ---- the worker ---- */

static void step(void)
{
	__atomic_store_n(&session.nsteps, session.nsteps + 1, __ATOMIC_RELEASE);
}

static void step_idly(void)
{
	mz_progress_idle(&session);
	step();
}

static void *move(void *unused)
{
	(void)unused;
	for (int look = 0; look < LOOKS; look++) {
		step();
		sem_post(&moved);
		if (look % 2) step_idly();
		sem_wait(&looked);
	}
	return NULL;
}

static void *think(void *unused)
{
	(void)unused;
	atomic_store(&session.thinking, MZ_SESSION_THINKING);
	sem_post(&moved);
	return NULL;
}

static void *idle(void *unused)
{
	(void)unused;
	step();
	sem_post(&moved);
	for (int n = 0; n < IDLE_STEPS; n++) step_idly();
	return NULL;
}

/* ---- the supervisor ---- */

static void look(struct mz_worker *worker)
{
	second++;
	bool over = mz_worker_look_after(worker);
	assert(!over);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	const struct mz_worker_job job = {.memory = &memory, .stall_timeout = STALL_SECONDS};
	struct mz_worker worker = {.job = &job, .pid = 1 << 30};
	bool idles = argc == 2 && strcmp(argv[1], "idles") == 0, thinks = argc == 2 && strcmp(argv[1], "thinks") == 0;
	sem_init(&moved, 0, 0);
	sem_init(&looked, 0, 0);
	pthread_create(&thread, NULL, idles ? idle : thinks ? think : move, NULL);
	if (idles || thinks) sem_wait(&moved);
	for (int n = 0; n < (idles ? LOOKS_MOST : LOOKS); n++) {
		if (!idles && !thinks) sem_wait(&moved);
		look(&worker);
		sem_post(&looked);
	}
	pthread_join(thread, NULL);
	assert(killed == idles);
	return 0;
}
