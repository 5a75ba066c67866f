/* SPDX-License-Identifier: MIT
 *
 * The supervisor's side: sessions and the worker processes that serve them. Whatever the program does to its worker,
 * the supervisor lives on and knows how far it got.
 */
#ifndef MZ_EXPLORER_SUPERVISOR_H
#define MZ_EXPLORER_SUPERVISOR_H

#include "session/session.h"
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/* A session's memory and the file descriptor that a worker inherits. */
struct mz_session_memory {
	struct mz_session *session; /* what is shared; once the worker is gone, a copy of our own that was checked */
	struct mz_session *shared;
	size_t size;
	int fd;
	void *task;   /* what was to be done, as it was when the first worker was started */
	bool damaged; /* what the worker left made no sense: the program has overwritten it */
};

/* Opens a session for what a configuration, which is complete, asks for. Findings of MZ_MODE_REPLAY have no schedules
 * of their own. Returns 0, or -1 with errno set. */
int mz_session_open(struct mz_session_memory *memory, const struct mz_configuration *configuration,
                    enum mz_session_mode mode);
void mz_session_close(struct mz_session_memory *memory);

/* Remembers what is to be done, before a worker is started. 0, or -1 when there is no memory. */
int mz_session_seal(struct mz_session_memory *memory);
/* Takes a copy of the session and checks it, when its worker is gone: see settle.c. */
void mz_session_settle(struct mz_session_memory *memory);
/* Workers are to be started again: the session is the one that is shared, with all that the copy has. */
void mz_session_reopen(struct mz_session_memory *memory);

struct mz_worker_job {
	const char *path;
	char *const *argv;
	struct mz_session_memory *memory;
	/* Instead of starting a program: called in a forked process. */
	void (*body)(void *argument, int session_fd);
	void *body_argument;
	bool show_output;     /* the program's own output goes where ours goes */
	double timeout;       /* seconds until it is told to stop; 0: none */
	double stall_timeout; /* seconds without a step until it is killed; 0: none */
	/* Called from time to time, and after the end; may be NULL. */
	void (*watch)(void *watcher);
	void *watcher;
};

enum mz_worker_end {
	MZ_WORKER_EXITED,      /* by itself: `status` */
	MZ_WORKER_SIGNALLED,   /* `status` is the signal */
	MZ_WORKER_TIMEOUT,     /* time was over */
	MZ_WORKER_STALLED,     /* it made no step for too long */
	MZ_WORKER_INTERRUPTED, /* we were told to stop (SIGINT, SIGTERM, SIGHUP) */
	MZ_WORKER_NOT_STARTED, /* errno in `status` */
};

struct mz_worker_result {
	enum mz_worker_end end;
	int status;
	double seconds;
	long peak_rss_kb;
	long system_call; /* MZ_WORKER_STALLED: the number of the one that it was in; -1: none, or that is not known */
};

/* Runs a worker to its end. The session is then a copy of our own: see mz_session_settle(). */
struct mz_worker_result mz_worker_run(const struct mz_worker_job *job);

/* The same for several at once: start each, wait, look after each, until all are gone. In between the process does not
 * get SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGPIPE and SIGXFSZ; those that are left at the end are forgotten. */
struct mz_worker {
	const struct mz_worker_job *job;
	pid_t pid;                      /* 0: it is gone */
	struct mz_worker_result result; /* once it is gone; `seconds` are those since it was started */
	/* what is seen of it */
	double started;
	double moved; /* when the last progress was seen */
	double told;  /* when it was told to stop; 0: not yet */
	uint64_t progress;
	enum mz_worker_end why; /* it was told to stop, or killed */
};

void mz_workers_begin(sigset_t *old);
void mz_workers_end(const sigset_t *old);
void mz_worker_start(struct mz_worker *worker, const struct mz_worker_job *job);
/* Whether somebody wants us to stop who was not heard yet. */
bool mz_workers_interrupted(void);
/* Waits for something to happen; true if we are to stop. */
bool mz_workers_wait(const struct mz_worker *workers, size_t n);
/* Whether it is gone. If not, sees to it that it keeps its time. */
bool mz_worker_look_after(struct mz_worker *worker);
/* Tells it to stop soon. */
void mz_worker_tell(struct mz_worker *worker, enum mz_worker_end why);

/* Replays the first `steps` steps of `schedule` in a fresh process. The records it leaves are in `*data` (to be freed
 * by mz_free()), of `*size` bytes. How the program is to be run (points, races) is in the session, where the findings
 * of the replay are left. -1 with errno set if it could not be done. */
struct mz_replay {
	const struct mz_step *schedule;
	uint32_t steps;
	const struct mz_session_thread *threads;
	uint32_t nthreads;
};
int mz_worker_replay(const struct mz_worker_job *job, const struct mz_replay *replay, void **data, size_t *size,
                     struct mz_worker_result *result);

/* Fills the session of a replay; the rest of mz_worker_replay(). */
void mz_session_prepare_replay(struct mz_session *session, const struct mz_replay *replay, int recording);

#endif
