/* SPDX-License-Identifier: MIT */
#include "campaign/solver.h"
#include "base/fd.h"
#include "concolic/solver.h"
#include "report/say.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Looks for the solver's program around a file of ours: beside it, or where it is installed. Returns whether it is
 * there. */
static bool find_around(const char *file, char path[PATH_MAX])
{
	static const char *const places[] = {"mazurka-solver", "../lib/mazurka/mazurka-solver",
	                                     "../libexec/mazurka/mazurka-solver", "../../bin/mazurka-solver",
	                                     "../bin/mazurka-solver"};
	const char *slash = strrchr(file, '/');
	for (size_t n = 0; slash && n < sizeof places / sizeof *places; n++) {
		int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - file), file, places[n]);
		if (length < PATH_MAX && access(path, X_OK) == 0) return true;
	}
	return false;
}

/* This code is in the command, or in the library behind mz_check(). */
static bool find_program(char path[PATH_MAX])
{
	char self[PATH_MAX];
	Dl_info info;
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length < 0 ? 0 : length] = 0;
	if (find_around(self, path)) return true;
	return dladdr((const void *)mz_solvers_start, &info) && info.dli_fname && find_around(info.dli_fname, path);
}

static int map_space(struct mz_solver *solver)
{
	int fd = mz_fd_high(memfd_create("mazurka-inputs", MFD_ALLOW_SEALING));
	if (fd < 0) return -1;
	solver->space = MAP_FAILED;
	if (ftruncate(fd, sizeof *solver->space) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
		solver->space =
		    mmap(NULL, sizeof *solver->space, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	solver->memory = fd;
	return solver->space == MAP_FAILED ? -1 : 0;
}

static _Noreturn void become_solver(const char *path, int memory, int socket)
{
	char first[16], second[16];
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(first, sizeof first, "%d", memory);
	snprintf(second, sizeof second, "%d", socket);
	fcntl(socket, F_SETFD, 0);
	execl(path, path, first, second, (char *)NULL);
	_exit(127);
}

static int start(struct mz_solver *solver, const char *path, const struct mz_configuration *configuration)
{
	int ends[2];
	if (map_space(solver) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return mz_refuse("the solver cannot be started: %s", strerror(errno));
	solver->space->timeout_ms = (uint32_t)(configuration->solver_timeout * 1000);
	solver->pid = fork();
	if (solver->pid == 0) become_solver(path, solver->memory, ends[1]);
	int error = errno;
	close(ends[1]);
	int socket = mz_fd_high(ends[0]);
	fcntl(socket, F_SETFD, 0); /* the worker inherits it */
	solver->socket = socket;
	return solver->pid < 0 ? mz_refuse("the solver cannot be started: %s", strerror(error)) : 0;
}

static void stop(struct mz_solver *solver)
{
	if (solver->pid <= 0) return;
	close(solver->socket);
	close(solver->memory);
	kill(solver->pid, SIGKILL);
	waitpid(solver->pid, NULL, 0);
	munmap(solver->space, sizeof *solver->space);
}

int mz_solvers_start(struct mz_solvers *solvers, const struct mz_configuration *configuration)
{
	char path[PATH_MAX];
	int refused = 0;
	if (!find_program(path))
		return mz_refuse(
		    "inputs cannot be explored: this build of Mazurka has no solver (mazurka-solver); install "
		    "libz3-dev and build it again");
	while (solvers->count < configuration->jobs && !refused)
		refused = start(&solvers->at[solvers->count++], path, configuration);
	return refused;
}

void mz_solvers_equip(const struct mz_solvers *solvers, uint32_t worker, struct mz_session *session)
{
	if (!solvers->count) return;
	session->inputs.memory = solvers->at[worker].memory;
	session->inputs.socket = solvers->at[worker].socket;
}

const uint8_t *mz_solvers_values(const struct mz_solvers *solvers, uint32_t worker)
{
	return solvers->at[worker].space->values;
}

void mz_solvers_stop(struct mz_solvers *solvers)
{
	while (solvers->count) stop(&solvers->at[--solvers->count]);
}
