/* SPDX-License-Identifier: MIT
 *
 * mazurka-solver MEMORY SOCKET: the solver's process (concolic/solver.h). Z3 walks expressions by recursion in places,
 * and expressions are as deep as loops are long, so queries are answered on a thread with a large stack.
 */
#include "concolic/solver.h"
#include "concolic/solver/query.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define STACK ((size_t)1 << 30) /* of which only what is used takes memory */

static int memory, channel;

static struct mz_space *map_space(void)
{
	struct stat status;
	if (fstat(memory, &status) || (uint64_t)status.st_size < sizeof(struct mz_space)) return NULL;
	void *mapped = mmap(NULL, sizeof(struct mz_space), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	return mapped == MAP_FAILED ? NULL : mapped;
}

/* Reads one byte, or writes one. Returns false when the other side is gone. */
static bool transfer(ssize_t (*move)(int fd, void *byte), char *byte)
{
	ssize_t n;
	do {
		n = move(channel, byte);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

static ssize_t read_byte(int fd, void *byte)
{
	return read(fd, byte, 1);
}

static ssize_t write_byte(int fd, void *byte)
{
	return write(fd, byte, 1);
}

static void *serve(void *unused)
{
	(void)unused;
	static const char *const messages[] = {"the memory cannot be mapped", "there is no memory"};
	struct mz_space *space = map_space();
	struct mz_solver *solver = space ? mz_solver_new() : NULL;
	if (!solver) {
		fprintf(stderr, "mazurka-solver: %s\n", messages[space != NULL]);
		return (void *)messages;
	}
	char byte;
	while (transfer(read_byte, &byte)) {
		if ((unsigned char)byte < MZ_SOLVER_GREETINGS) {
			mz_solver_answer(solver, space);
			byte = MZ_SOLVER_ANSWERED;
		}
		if (!transfer(write_byte, &byte)) break;
	}
	mz_solver_free(solver);
	return NULL;
}

static bool read_number(const char *text, int *number)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	*number = (int)value;
	return *text && !*end && !errno && value >= 0 && value <= 1 << 20;
}

int main(int argc, char **argv)
{
	if (argc != 3 || !read_number(argv[1], &memory) || !read_number(argv[2], &channel)) {
		fprintf(
		    stderr,
		    "usage: mazurka-solver MEMORY SOCKET\n"
		    "Mazurka starts this program to find inputs; MEMORY and SOCKET are descriptors that it opened.\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN); /* whoever asks decides when to stop, and closes the socket */
	pthread_attr_t attributes;
	pthread_t thread;
	void *failed = &attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, serve, NULL) == 0) pthread_join(thread, &failed);
	return failed ? 1 : 0;
}
