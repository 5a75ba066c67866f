/* SPDX-License-Identifier: MIT
 *
 * Parent and child are connected by a pair of sockets. The child's driver sends what the real one is to be told, in
 * order, and waits for an answer where it asks who goes next; its last message is how the execution ended. Events and
 * views are sent as they are, their pointers to accesses replaced by the accesses themselves. What has to outlive the
 * child besides that is in memory that both share: the session with its schedule, threads and findings, and the
 * signatures of states.
 */
#include "runtime/start/isolation.h"
#include "base/fd.h"
#include "runtime/core/core.h"
#include "runtime/schedule/schedule.h"
#include "runtime/states/states.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum message { MESSAGE_EVENT, MESSAGE_ORDER, MESSAGE_CHOOSE, MESSAGE_END };

struct head {
	uint32_t message; /* enum message */
	uint32_t size;    /* number of bytes that follow */
};

static struct mz_state out; /* messages that were not sent yet */
static int line;            /* the socket to the other process */

/* ---- sending ---- */

static void flush(void)
{
	for (size_t done = 0; done < out.size;) {
		ssize_t n = MZ_REAL(write)(line, out.bytes + done, out.size - done);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) MZ_REAL(_exit)(1); /* the other process is gone */
		done += (size_t)n;
	}
	out.size = 0;
}

/* Begins a message. Returns its offset: end_message() fills in the size. */
static size_t begin_message(enum message message)
{
	struct head head = {message, 0};
	size_t at = out.size;
	mz_state_put(&out, &head, sizeof head);
	return at;
}

static void end_message(size_t at)
{
	((struct head *)(out.bytes + at))->size = (uint32_t)(out.size - at - sizeof(struct head));
}

static void put_view(const struct mz_view *view)
{
	mz_state_put(&out, view, sizeof *view);
	for (uint32_t t = 0; t < view->nthreads; t++) {
		const struct mz_pending *pending = &view->pending[t];
		uint16_t n = pending->status == MZ_THREAD_ABSENT ? 0 : pending->naccesses;
		mz_state_put(&out, pending, sizeof *pending);
		mz_state_put(&out, &n, sizeof n);
		mz_state_put(&out, pending->accesses, n * sizeof *pending->accesses);
	}
}

/* ---- the child ---- */

static bool receive_bytes(void *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = MZ_REAL(read)(line, (uint8_t *)to + done, size - done);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) return false;
		done += (size_t)n;
	}
	return true;
}

static struct mz_step ask_worker(void *self, const struct mz_view *view)
{
	(void)self;
	struct mz_step step;
	size_t at = begin_message(MESSAGE_CHOOSE);
	put_view(view);
	end_message(at);
	flush();
	if (!receive_bytes(&step, sizeof step)) MZ_REAL(_exit)(1);
	return step;
}

static void tell_event(void *self, const struct mz_event *event)
{
	(void)self;
	size_t at = begin_message(MESSAGE_EVENT);
	mz_state_put(&out, event, sizeof *event);
	mz_state_put(&out, event->accesses, event->naccesses * sizeof *event->accesses);
	end_message(at);
}

static void tell_order(void *self, uint32_t before, uint32_t after)
{
	(void)self;
	const uint32_t edge[2] = {before, after};
	size_t at = begin_message(MESSAGE_ORDER);
	mz_state_put(&out, edge, sizeof edge);
	end_message(at);
}

static _Noreturn void execute(struct mz_step *schedule, uint32_t known, pid_t parent)
{
	static const struct mz_driver driver = {NULL, ask_worker, tell_event, tell_order};
	struct mz_view view;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) MZ_REAL(_exit)(1);
	uint32_t end = mz_runtime_run(NULL, schedule, known, &driver, &view);
	size_t at = begin_message(MESSAGE_END);
	mz_state_put(&out, &end, sizeof end);
	put_view(&view);
	end_message(at);
	flush();
	mz_parts_restore_world();
	MZ_REAL(_exit)(0);
	__builtin_unreachable();
}

/* ---- the parent ---- */

static struct mz_state in; /* the message under way */
static struct mz_access *accesses;
static size_t accesses_capacity;

static bool receive_message(struct head *head)
{
	if (!receive_bytes(head, sizeof *head)) return false;
	in.size = in.at = 0;
	return receive_bytes(mz_state_room(&in, head->size), head->size);
}

/* The accesses of all threads are kept one behind the other. */
static void get_view(struct mz_view *view)
{
	size_t used = 0, first[MZ_SESSION_THREADS];
	mz_state_get(&in, view, sizeof *view);
	for (uint32_t t = 0; t < view->nthreads; t++) {
		uint16_t n;
		mz_state_get(&in, &mz_rt.execution.pending[t], sizeof mz_rt.execution.pending[t]);
		mz_state_get(&in, &n, sizeof n);
		mz_array_require(&accesses, &accesses_capacity, used + n + 1);
		mz_state_get(&in, accesses + used, n * sizeof *accesses);
		first[t] = used;
		used += n;
	}
	for (uint32_t t = 0; t < view->nthreads; t++) mz_rt.execution.pending[t].accesses = accesses + first[t];
	view->pending = mz_rt.execution.pending;
}

static void answer(const struct mz_driver *driver)
{
	struct mz_view view;
	get_view(&view);
	struct mz_step step = driver->choose(driver->self, &view);
	mz_state_put(&out, &step, sizeof step);
	flush();
}

static void pass_on_event(const struct mz_driver *driver)
{
	struct mz_event event;
	mz_state_get(&in, &event, sizeof event);
	event.accesses = mz_state_next(&in, event.naccesses * sizeof *event.accesses);
	driver->observe(driver->self, &event);
}

static void pass_on_order(const struct mz_driver *driver)
{
	uint32_t edge[2];
	mz_state_get(&in, edge, sizeof edge);
	driver->order(driver->self, edge[0], edge[1]);
}

/* Serves the child until its execution is over. Returns false if the child has ended before. */
static bool serve(const struct mz_driver *driver, uint32_t *end, struct mz_view *view)
{
	struct head head;
	while (receive_message(&head)) {
		switch ((enum message)head.message) {
		case MESSAGE_EVENT: pass_on_event(driver); break;
		case MESSAGE_ORDER: pass_on_order(driver); break;
		case MESSAGE_CHOOSE: answer(driver); break;
		case MESSAGE_END:
			mz_state_get(&in, end, sizeof *end);
			get_view(view);
			return true;
		}
	}
	return false;
}

/* Ends the worker in the same way as its child, which did not come to the end of its execution. */
static _Noreturn void follow(int status)
{
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	MZ_REAL(_exit)(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	__builtin_unreachable();
}

enum mz_end mz_isolation_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                             struct mz_view *view)
{
	(void)self;
	int pair[2], status = 0;
	uint32_t end = MZ_END_STOPPED;
	pid_t parent = getpid();
	mz_plugin_open_known();
	if (MZ_REAL(socketpair)(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		mz_unsupported("the system gives no more descriptors");
	mz_fiber_before_fork();
	pid_t child = MZ_REAL(fork)();
	if (child < 0) mz_unsupported("the system gives no more processes");
	line = pair[child != 0];
	close(pair[child == 0]);
	line = mz_fd_high(line);
	if (child == 0) mz_files_keep(line);
	if (child == 0) execute(schedule, known, parent);
	bool served = serve(driver, &end, view);
	close(line);
	MZ_REAL(waitpid)(child, &status, 0);
	if (!served) follow(status);
	mz_rt.generation++;
	if (end == MZ_END_AGAIN) mz_rt.first_generation = mz_rt.generation + 1;
	mz_fiber_adopt(mz_rt.session->threads, mz_rt.session->nthreads);
	return (enum mz_end)end;
}
