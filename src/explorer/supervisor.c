/* SPDX-License-Identifier: MIT
 *
 * A worker is the program itself, started without address space randomisation where the system allows that, with the
 * session's file descriptor in its environment. It dies with us.
 */
#include "explorer/supervisor.h"
#include "base/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_SECONDS 2.0 /* between being told to stop and being killed */

/* ---- sessions ---- */

int mz_session_open(struct mz_session_memory *memory, uint32_t max_steps)
{
	size_t schedule = max_steps * sizeof(struct mz_step);
	size_t size = sizeof(struct mz_session) + (MZ_SESSION_FINDINGS + 1) * schedule;
	int fd = memfd_create("mazurka-session", 0);
	if (fd < 0) return -1;
	struct mz_session *session = MAP_FAILED;
	if (ftruncate(fd, (off_t)size) == 0)
		session = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (session == MAP_FAILED) {
		close(fd);
		return -1;
	}
	session->magic = MZ_SESSION_MAGIC;
	session->header_size = sizeof *session;
	session->size = size;
	session->max_steps = max_steps;
	session->recording = -1;
	*memory = (struct mz_session_memory){session, size, fd};
	return 0;
}

void mz_session_close(struct mz_session_memory *memory)
{
	munmap(memory->session, memory->size);
	close(memory->fd);
}

/* ---- starting ---- */

static void to_null(int to, int flags)
{
	int fd = open("/dev/null", flags);
	if (fd >= 0 && fd != to) {
		dup2(fd, to);
		close(fd);
	}
}

/* In the child. Reports why it could not start through `report`, which exec closes. */
static _Noreturn void become_program(const struct mz_worker_job *job, int report, pid_t parent)
{
	char fd[16];
	sigset_t none;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) _exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	int old = personality(0xffffffff);
	if (old != -1) personality((unsigned long)old | ADDR_NO_RANDOMIZE);
	to_null(0, O_RDONLY);
	if (!job->show_output) {
		to_null(1, O_WRONLY);
		to_null(2, O_WRONLY);
	}
	if (job->body) {
		close(report);
		job->body(job->body_argument, job->memory->fd);
		_exit(127);
	}
	snprintf(fd, sizeof fd, "%d", job->memory->fd);
	setenv(MZ_SESSION_VARIABLE, fd, 1);
	setenv("LD_BIND_NOW", "1", 1);
	execv(job->path, job->argv);
	int error = errno;
	ssize_t written = write(report, &error, sizeof error);
	(void)written;
	_exit(127);
}

static pid_t start(const struct mz_worker_job *job, int *error)
{
	int report[2];
	pid_t parent = getpid();
	if (pipe2(report, O_CLOEXEC) != 0) {
		*error = errno;
		return -1;
	}
	pid_t child = fork();
	if (child == 0) become_program(job, report[1], parent);
	*error = errno;
	close(report[1]);
	if (child > 0 && read(report[0], error, sizeof *error) == sizeof *error) {
		waitpid(child, NULL, 0);
		child = -1;
	}
	close(report[0]);
	return child;
}

/* ---- waiting ---- */

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct watch {
	double started;
	double moved; /* when the last progress was seen */
	double told;  /* when it was told to stop; 0: not yet */
	uint64_t executions;
	uint32_t steps;
	enum mz_worker_end why;
};

static bool has_moved(struct watch *watch, const struct mz_session *session)
{
	uint64_t executions = session->executions + session->redundant;
	uint32_t steps = session->nsteps;
	if (executions == watch->executions && steps == watch->steps) return false;
	watch->executions = executions;
	watch->steps = steps;
	return true;
}

static void tell_to_stop(struct watch *watch, struct mz_session *session, enum mz_worker_end why)
{
	if (watch->told > 0) return;
	watch->told = now();
	watch->why = why;
	atomic_store(&session->stop, 1);
}

/* Looks after the worker while nothing happens. */
static void look_after(const struct mz_worker_job *job, struct watch *watch, pid_t child)
{
	double time = now();
	struct mz_session *session = job->memory->session;
	if (has_moved(watch, session) || atomic_load(&session->thinking)) watch->moved = time;
	if (job->timeout > 0 && time - watch->started >= job->timeout) tell_to_stop(watch, session, MZ_WORKER_TIMEOUT);
	if (job->stall_timeout > 0 && time - watch->moved >= job->stall_timeout) {
		watch->why = MZ_WORKER_STALLED;
		kill(child, SIGKILL);
	}
	if (watch->told > 0 && time - watch->told >= GRACE_SECONDS) kill(child, SIGKILL);
}

/* How long to sleep: not beyond the deadline. */
static struct timespec nap(const struct mz_worker_job *job, const struct watch *watch)
{
	double left = 0.1;
	if (job->timeout > 0 && watch->told == 0) {
		double until = watch->started + job->timeout - now();
		if (until < left) left = until > 0.001 ? until : 0.001;
	}
	return (struct timespec){0, (long)(left * 1e9)};
}

static void describe_end(const struct watch *watch, int status, struct mz_worker_result *result)
{
	bool signalled = WIFSIGNALED(status);
	result->end = signalled ? MZ_WORKER_SIGNALLED : MZ_WORKER_EXITED;
	result->status = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
	if (watch->why != MZ_WORKER_EXITED) result->end = watch->why;
}

struct mz_worker_result mz_worker_run(const struct mz_worker_job *job)
{
	struct mz_worker_result result = {.end = MZ_WORKER_NOT_STARTED};
	struct watch watch = {.started = now(), .moved = now(), .why = MZ_WORKER_EXITED};
	sigset_t signals, old;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &old);
	pid_t child = start(job, &result.status);
	while (child > 0) {
		int status;
		struct rusage usage;
		if (wait4(child, &status, WNOHANG, &usage) == child) {
			describe_end(&watch, status, &result);
			result.peak_rss_kb = usage.ru_maxrss;
			break;
		}
		struct timespec time = nap(job, &watch);
		int got = sigtimedwait(&signals, NULL, &time);
		if (got == SIGINT || got == SIGTERM) tell_to_stop(&watch, job->memory->session, MZ_WORKER_INTERRUPTED);
		look_after(job, &watch, child);
		if (job->watch) job->watch(job->watcher);
	}
	if (job->watch) job->watch(job->watcher);
	sigprocmask(SIG_SETMASK, &old, NULL);
	result.seconds = now() - watch.started;
	return result;
}

/* ---- replaying ---- */

void mz_session_prepare_replay(struct mz_session *session, const struct mz_replay *replay, int recording)
{
	session->mode = MZ_MODE_REPLAY;
	session->replay_steps = replay->steps;
	session->replay_threads = replay->nthreads;
	session->recording = recording;
	memcpy(session->given_threads, replay->threads, replay->nthreads * sizeof *replay->threads);
	memcpy(session->schedule, replay->schedule, replay->steps * sizeof *replay->schedule);
}

static int read_back(int fd, void **data, size_t *size)
{
	struct stat status;
	if (fstat(fd, &status) != 0) return -1;
	char *bytes = mz_alloc((size_t)status.st_size);
	if (!bytes) return -1;
	size_t done = 0;
	while (done < (size_t)status.st_size) {
		ssize_t n = pread(fd, bytes + done, (size_t)status.st_size - done, (off_t)done);
		if (n <= 0) break;
		done += (size_t)n;
	}
	*data = bytes;
	*size = done;
	return 0;
}

int mz_worker_replay(const struct mz_worker_job *job, const struct mz_replay *replay, void **data, size_t *size,
                     struct mz_worker_result *result)
{
	int recording = memfd_create("mazurka-recording", 0);
	if (recording < 0) return -1;
	mz_session_prepare_replay(job->memory->session, replay, recording);
	*result = mz_worker_run(job);
	int failed = read_back(recording, data, size);
	close(recording);
	return failed;
}
