/* SPDX-License-Identifier: MIT
 *
 * A worker is the program itself, started without address space randomisation where the system allows that, with the
 * session's file descriptor in its environment. It dies with us.
 */
#include "explorer/supervisor.h"
#include "base/alloc.h"
#include "base/fd.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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

#define HANGING_SECONDS 0.3 /* how long an execution that hung is watched doing so when it is replayed */
#define GRACE_SECONDS 2.0   /* how long a worker that was told to stop has before it is killed */

/* ---- sessions ---- */

int mz_session_open(struct mz_session_memory *memory, const struct mz_configuration *configuration,
                    enum mz_session_mode mode)
{
	size_t schedule = configuration->max_steps * sizeof(struct mz_step);
	size_t findings = mode == MZ_MODE_EXPLORE ? MZ_SESSION_FINDINGS : 0;
	size_t size = sizeof(struct mz_session) + (findings + 1) * schedule + findings * MZ_SESSION_INPUT_BYTES;
	int fd = mz_fd_high(memfd_create("mazurka-session", MFD_ALLOW_SEALING));
	if (fd < 0) return -1;
	struct mz_session *session = MAP_FAILED;
	/* the file is sealed, so that the program cannot shrink the memory while the supervisor uses it */
	if (ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		session = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (session == MAP_FAILED) {
		close(fd);
		return -1;
	}
	session->magic = MZ_SESSION_MAGIC;
	session->header_size = sizeof *session;
	session->mode = mode;
	session->size = size;
	session->configuration = *configuration;
	session->recording = session->states = session->trunk = session->inputs.memory = session->inputs.socket = -1;
	session->inputs.tests = -1;
	*memory = (struct mz_session_memory){.session = session, .shared = session, .size = size, .fd = fd};
	return 0;
}

void mz_session_close(struct mz_session_memory *memory)
{
	if (memory->session != memory->shared) munmap(memory->session, memory->size);
	munmap(memory->shared, memory->size);
	mz_free(memory->task);
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

/* Gives the program its standard input. A regular file is opened again, so that every process reads it from the
 * position that the supervisor has. Anything else becomes empty: what comes from a terminal or a pipe can be read only
 * once, and executions are many. */
static void give_input(void)
{
	struct stat status;
	off_t position = fstat(0, &status) == 0 && S_ISREG(status.st_mode) ? lseek(0, 0, SEEK_CUR) : -1;
	int fd = position >= 0 ? open("/proc/self/fd/0", O_RDONLY) : -1;
	if (fd < 0 || lseek(fd, position, SEEK_SET) < 0 || dup2(fd, 0) < 0) to_null(0, O_RDONLY);
	if (fd > 0) close(fd);
}

/* Turns the child process into the program. If that fails, writes the error number to `report`, which exec closes. */
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
	give_input();
	if (!job->show_output) {
		to_null(1, O_WRONLY);
		to_null(2, O_WRONLY);
	}
	if (job->body) {
		close(report);
		job->body(job->body_argument, job->memory->fd);
		_exit(127);
	}
	if (job->environment) environ = job->environment;
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

void mz_worker_tell_to_stop(struct mz_worker *worker, enum mz_worker_end why)
{
	if (!worker->pid || worker->told > 0) return;
	worker->told = now();
	worker->why = why;
	atomic_store(&worker->job->memory->session->stop, 1);
}

void mz_worker_kill(const struct mz_worker *worker)
{
	if (worker->pid) kill(worker->pid, SIGKILL);
}

/* Returns the number of the system call that the process is in, or -1 if it runs or that cannot be told. */
static long system_call_of(pid_t pid)
{
	char path[64];
	long number = -1;
	snprintf(path, sizeof path, "/proc/%d/syscall", (int)pid);
	FILE *file = fopen(path, "r");
	if (!file) return -1;
	if (fscanf(file, "%ld", &number) != 1) number = -1; /* the file says "running" */
	fclose(file);
	return number;
}

/* Returns after how many seconds without a step the worker is killed. A replay that is to show where an execution hangs has
 * shown it when all steps were made. */
static double stall_limit(const struct mz_worker_job *job)
{
	const struct mz_session *session = job->memory->session;
	bool shown = job->hangs && session->nsteps >= session->replay_steps;
	return shown && job->stall_timeout > HANGING_SECONDS ? HANGING_SECONDS : job->stall_timeout;
}

/* Ends a worker whose time is over. One that explores is told to, so that it leaves what it has found. */
static void end_in_time(struct mz_worker *worker)
{
	if (worker->job->memory->session->mode == MZ_MODE_REPLAY) {
		worker->why = MZ_WORKER_TIMEOUT;
		kill(worker->pid, SIGKILL);
	} else {
		mz_worker_tell_to_stop(worker, MZ_WORKER_TIMEOUT);
	}
}

static void keep_time(struct mz_worker *worker)
{
	double time = now();
	const struct mz_worker_job *job = worker->job;
	struct mz_session *session = job->memory->session;
	bool progress = mz_progress_look(session, &worker->progress);
	bool thinking = atomic_load(&session->thinking) == MZ_SESSION_THINKING;
	if (progress || thinking) worker->moved = time;
	if (job->timeout > 0 && time - worker->started >= job->timeout) end_in_time(worker);
	if (job->stall_timeout > 0 && time - worker->moved >= stall_limit(job)) {
		worker->why = MZ_WORKER_STALLED;
		worker->result.system_call = system_call_of(worker->pid);
		kill(worker->pid, SIGKILL);
	}
	if (worker->told > 0 && time - worker->told >= GRACE_SECONDS) kill(worker->pid, SIGKILL);
}

static void describe_end(struct mz_worker *worker, int status)
{
	bool signalled = WIFSIGNALED(status);
	struct mz_worker_result *result = &worker->result;
	result->end = signalled ? MZ_WORKER_SIGNALLED : MZ_WORKER_EXITED;
	result->status = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
	result->seconds = now() - worker->started;
	if (worker->why != MZ_WORKER_EXITED) result->end = worker->why;
	worker->pid = 0;
}

bool mz_worker_look_after(struct mz_worker *worker)
{
	int status;
	struct rusage usage;
	if (!worker->pid) return true;
	if (wait4(worker->pid, &status, WNOHANG, &usage) == worker->pid) {
		worker->result.peak_rss_kb = usage.ru_maxrss;
		describe_end(worker, status);
		return true;
	}
	keep_time(worker);
	return false;
}

void mz_worker_start(struct mz_worker *worker, const struct mz_worker_job *job)
{
	double time = now();
	*worker = (struct mz_worker){.job = job,
	                             .started = time,
	                             .moved = time,
	                             .why = MZ_WORKER_EXITED,
	                             .result = {.end = MZ_WORKER_NOT_STARTED}};
	worker->result.status = ENOMEM;
	pid_t pid = mz_session_seal(job->memory) == 0 ? start(job, &worker->result.status) : -1;
	worker->pid = pid > 0 ? pid : 0;
}

/* Returns how many seconds to sleep: at most a tenth, and not beyond the time-out of the worker. */
static double nap(const struct mz_worker *worker)
{
	double left = 0.1;
	if (worker->job->timeout > 0 && worker->told == 0) {
		double until = worker->started + worker->job->timeout - now();
		if (until < left) left = until > 0.001 ? until : 0.001;
	}
	return left;
}

/* Sets the signals by which users ask the supervisor to stop. */
static void signals_to_stop(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
}

/* Sets the signals that are blocked while workers run, so that none of them ends the supervisor before the result is
 * written. A write to a closed pipe, or beyond the limit on the size of a file, fails by its return value instead. */
static void signals_to_be_kept(sigset_t *signals)
{
	signals_to_stop(signals);
	sigaddset(signals, SIGCHLD);
	sigaddset(signals, SIGPIPE);
	sigaddset(signals, SIGXFSZ);
}

bool mz_workers_wait(const struct mz_worker *workers, size_t n)
{
	sigset_t signals;
	double left = 0.1;
	for (size_t i = 0; i < n; i++) {
		double one = workers[i].pid ? nap(&workers[i]) : left;
		if (one < left) left = one;
	}
	signals_to_stop(&signals);
	sigaddset(&signals, SIGCHLD);
	struct timespec time = {0, (long)(left * 1e9)};
	int got = sigtimedwait(&signals, NULL, &time);
	return got > 0 && got != SIGCHLD;
}

bool mz_workers_interrupted(void)
{
	sigset_t pending, stopping;
	sigpending(&pending);
	signals_to_stop(&stopping);
	sigandset(&pending, &pending, &stopping);
	return !sigisemptyset(&pending);
}

bool mz_workers_take_interruption(void)
{
	sigset_t stopping;
	signals_to_stop(&stopping);
	return sigtimedwait(&stopping, NULL, &(struct timespec){0, 0}) > 0;
}

void mz_workers_begin(sigset_t *old)
{
	sigset_t signals;
	signals_to_be_kept(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, old);
}

void mz_workers_end(const sigset_t *old)
{
	sigset_t signals;
	signals_to_be_kept(&signals);
	for (int number = 1; number < SIGRTMIN; number++)
		/* it was blocked before: whoever blocked it expects it to stay pending */
		if (sigismember(old, number) == 1) sigdelset(&signals, number);
	while (sigtimedwait(&signals, NULL, &(struct timespec){0, 0}) > 0) continue;
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

struct mz_worker_result mz_worker_run(const struct mz_worker_job *job)
{
	struct mz_worker worker;
	sigset_t old;
	mz_workers_begin(&old);
	mz_worker_start(&worker, job);
	while (!mz_worker_look_after(&worker)) {
		if (mz_workers_wait(&worker, 1)) {
			if (worker.told > 0 && worker.why == MZ_WORKER_INTERRUPTED) mz_worker_kill(&worker);
			mz_worker_tell_to_stop(&worker, MZ_WORKER_INTERRUPTED);
		}
		if (job->watch) job->watch(job->watcher);
	}
	mz_session_settle(job->memory);
	if (job->watch) job->watch(job->watcher);
	mz_workers_end(&old);
	return worker.result;
}

/* ---- replaying ---- */

void mz_session_prepare_replay(struct mz_session *session, const struct mz_replay *replay, int recording)
{
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
	int recording = mz_fd_high(memfd_create("mazurka-recording", 0));
	if (recording < 0) return -1;
	mz_session_prepare_replay(job->memory->session, replay, recording);
	*result = mz_worker_run(job);
	int failed = read_back(recording, data, size);
	close(recording);
	return failed;
}
