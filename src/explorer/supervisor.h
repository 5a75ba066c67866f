/* SPDX-License-Identifier: MIT
 *
 * The supervisor's side: sessions and the worker processes that serve them. Whatever the program does to its worker,
 * the supervisor lives on and knows how far it got.
 */
#ifndef MZ_EXPLORER_SUPERVISOR_H
#define MZ_EXPLORER_SUPERVISOR_H

#include "session/progress.h"
#include "session/session.h"
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/* A session's memory and the file descriptor that a worker inherits. */
struct mz_session_memory {
	/* the shared memory; once the worker is gone, a copy of our own that was checked */
	struct mz_session *session;
	struct mz_session *shared;
	size_t size;
	int fd;
	void *task;   /* a copy of what was to be done, made when the first worker was started */
	bool damaged; /* what the worker left made no sense: the program has overwritten it */
};

/* Opens a session that does what a configuration, which is complete, asks for. In MZ_MODE_REPLAY findings get no
 * schedules of their own. Returns 0, or -1 with errno set. */
int mz_session_open(struct mz_session_memory *memory, const struct mz_configuration *configuration,
                    enum mz_session_mode mode);
void mz_session_close(struct mz_session_memory *memory);

/* Copies what is to be done, before a worker is started. Returns 0, or -1 when there is no memory. */
int mz_session_seal(struct mz_session_memory *memory);
/* Takes a copy of the session and checks it, when its worker is gone: see settle.c. */
void mz_session_settle(struct mz_session_memory *memory);
/* Prepares for starting workers again: copies what is known back into the shared memory, and makes that the session. */
void mz_session_reopen(struct mz_session_memory *memory);

struct mz_worker_job {
	const char *path;
	char *const *argv;
	struct mz_session_memory *memory;
	/* If not NULL, called in a forked process instead of starting a program. */
	void (*body)(void *argument, int session_fd);
	void *body_argument;
	char **environment; /* of the program; NULL: ours */
	bool show_output;   /* the program's own output goes where ours goes */
	/* If not NULL, called for the session of each worker of several before it is started, with the number of the worker. */
	void (*equip)(void *equipper, uint32_t worker, struct mz_session *session);
	void *equipper;
	double timeout;       /* seconds until the worker is told to stop; 0: no limit */
	double stall_timeout; /* seconds without a step until the worker is killed; 0: no limit */
	bool hangs; /* a replay of an execution that hung: when all its steps were made, the worker is killed soon */
	/* Called from time to time, and after the end; may be NULL. */
	void (*watch)(void *watcher);
	void *watcher;
};

enum mz_worker_end {
	MZ_WORKER_EXITED,      /* the worker ended by itself, with exit status `status` */
	MZ_WORKER_SIGNALLED,   /* a signal killed the worker: `status` */
	MZ_WORKER_TIMEOUT,     /* `timeout` was over */
	MZ_WORKER_STALLED,     /* the worker made no step for `stall_timeout` */
	MZ_WORKER_INTERRUPTED, /* we were told to stop (SIGINT, SIGTERM, SIGHUP) */
	MZ_WORKER_NOT_STARTED, /* it could not be started: errno is in `status` */
};

struct mz_worker_result {
	enum mz_worker_end end;
	int status;
	double seconds;
	long peak_rss_kb;
	uint32_t worker;  /* which of several it was */
	long system_call; /* MZ_WORKER_STALLED: the number of the system call that it was in; -1: none, or unknown */
};

/* Runs a worker to its end. The session is then a copy of our own: see mz_session_settle(). */
struct mz_worker_result mz_worker_run(const struct mz_worker_job *job);

/* Runs several workers at once: start each, wait, look after each, until all are gone. Between mz_workers_begin() and
 * mz_workers_end() SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGPIPE and SIGXFSZ are blocked; those still pending at the end
 * are discarded. */
struct mz_worker {
	const struct mz_worker_job *job;
	pid_t pid;                      /* 0: the worker is gone */
	struct mz_worker_result result; /* valid once the worker is gone; `seconds` counts from its start */
	/* what the supervisor has seen of the worker */
	double started;
	double moved; /* when the last progress was seen */
	double told;  /* when the worker was told to stop; 0: not yet */
	struct mz_progress progress;
	enum mz_worker_end why; /* the reason why the worker was told to stop, or killed */
};

void mz_workers_begin(sigset_t *old);
void mz_workers_end(const sigset_t *old);
void mz_worker_start(struct mz_worker *worker, const struct mz_worker_job *job);
/* Returns whether a signal asks us to stop that was not noticed yet. */
bool mz_workers_interrupted(void);
/* Takes such a signal, so that it is noticed. Returns false if there is none. */
bool mz_workers_take_interruption(void);
/* Waits until a worker ends, a signal arrives or a moment has passed. Returns true if a signal asks us to stop. */
bool mz_workers_wait(const struct mz_worker *workers, size_t n);
/* Returns whether the worker is gone. If it is not, and its time is over, tells it to stop or kills it. */
bool mz_worker_look_after(struct mz_worker *worker);
/* Tells the worker to stop soon, for this reason. */
void mz_worker_tell_to_stop(struct mz_worker *worker, enum mz_worker_end why);
/* Kills the worker, if it is not gone. */
void mz_worker_kill(const struct mz_worker *worker);

/* What is to be replayed: the first `steps` steps of a schedule, and the threads that its numbers stand for. */
struct mz_replay {
	const struct mz_step *schedule;
	uint32_t steps;
	const struct mz_session_thread *threads;
	uint32_t nthreads;
};

/* Replays a schedule in a fresh process. The records that it leaves are in `*data` (to be
 * freed by mz_free()), of `*size` bytes. The session says how the program is to be run (points, races), and takes the
 * findings of the replay. Returns 0, or -1 with errno set if the replay could not be done. */
int mz_worker_replay(const struct mz_worker_job *job, const struct mz_replay *replay, void **data, size_t *size,
                     struct mz_worker_result *result);

/* Writes into a session what is to be replayed, and the descriptor that the records go to. mz_worker_replay() does so
 * itself. */
void mz_session_prepare_replay(struct mz_session *session, const struct mz_replay *replay, int recording);

#endif
