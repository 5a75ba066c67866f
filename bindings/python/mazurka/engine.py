# SPDX-License-Identifier: MIT
"""The engine, for hosts that run threads of any kind themselves and can run them again and again.

    engine = Engine(num_threads=2)
    while True:
        execution = engine.begin_execution()
        while (thread_id := engine.schedule(execution)) is not None:
            # run that thread up to and including its next visible operation, then say what it did:
            engine.report_access(execution, thread_id, object_id, "write")
            # and that was its last one:
            execution.finish_thread(thread_id)
        # all threads are finished, or none can go on, or the execution is to be given up (execution.aborted)
        if not engine.next_execution():
            break

docs/HOSTS.md has the rules, with the names of the C interface: all reports about a step come before the next call of
schedule(); threads and objects have the same numbers in every execution."""
import ctypes
from typing import NamedTuple

from mazurka import _library


class EngineError(RuntimeError):
    """The engine was used in a way that makes no sense, or the host did not do the same under the same schedule."""


class Counts(NamedTuple):
    """What was run so far; see struct mz_engine_counts in <mazurka/engine.h>."""
    executions: int
    redundant: int
    traces: int  # None unless count_traces
    steps: int
    futile: int
    abandoned: int
    graph_bytes: int


def _kind(kinds, name):
    try:
        return kinds[name]
    except KeyError:
        raise ValueError(f"there is no kind '{name}': take one of {', '.join(kinds)}") from None


def _check_numbers(least, **given):
    """Raises ValueError for a number that is less than `least`, or too large for the C interface. None is no number."""
    for name, value in given.items():
        largest = 2**64 - 1 if name in ("max_executions", "max_memory", "seed") else 2**32 - 1
        if value is not None and not least <= value <= largest:
            none = "" if name in ("num_threads", "max_branches") else ", or None"
            raise ValueError(f"{name} is {value}: take a number from {least} to {largest}{none}")


class Engine:
    """Decides which thread goes next, execution after execution, until everything was explored.

    num_threads: how many threads there are from the start. preemption_bound: None is no bound. max_branches: the limit
    on the steps of an execution. The other options are those of the same name of struct mz_engine_options; fair and
    delays are bounds, or None. Numbers are checked: bounds are at least 0, limits and num_threads at least 1, or else
    ValueError is raised."""

    def __init__(self, num_threads=1, preemption_bound=None, max_branches=100_000, max_executions=None, *, strategy=None,
                 order=None, tries_locks=False, no_sleep=False, delays=None, fair=None, max_depth=None, iterate=False,
                 max_memory=None, count_traces=False, seed=None, depth=None, as_published=False):
        self._handle = None
        self._library = _library.load()
        self._counts_traces = count_traces
        _check_numbers(0, preemption_bound=preemption_bound, delays=delays, fair=fair, seed=seed)
        _check_numbers(1, num_threads=num_threads, max_branches=max_branches, max_executions=max_executions,
                       max_depth=max_depth, max_memory=max_memory, depth=depth)
        options = _library.Options(
            threads=num_threads, strategy=strategy.encode() if strategy else None, order=order.encode() if order else None,
            tries_locks=tries_locks, no_sleep=no_sleep, bounded=preemption_bound is not None,
            preemptions=preemption_bound or 0, delayed=delays is not None, delays=delays or 0, max_depth=max_depth or 0,
            max_executions=max_executions or 0, max_steps=max_branches, count_traces=count_traces, seed=seed or 0,
            depth=depth or 0, fair=fair is not None, yields=fair or 0, iterate=iterate, max_memory=max_memory or 0,
            as_published=as_published)
        error = ctypes.create_string_buffer(200)
        self._handle = self._library.mz_engine_new(ctypes.byref(options), error, len(error))
        if not self._handle:
            raise ValueError(error.value.decode())
        self._execution = None

    def __del__(self):
        if getattr(self, "_handle", None):
            self._library.mz_engine_free(self._handle)
            self._handle = None

    def _call(self, name, *arguments):
        if getattr(self._library, name)(self._handle, *arguments) < 0:
            raise EngineError(self.error)

    def _check(self, execution):
        if execution is not self._execution or execution is None:
            raise EngineError("the execution is not under way: begin_execution() has begun another one")

    # ---- an execution ----

    def begin_execution(self):
        """Starts an execution: there are the first threads only, and nothing is locked."""
        self._call("mz_engine_begin")
        self._execution = Execution(self)
        return self._execution

    def schedule(self, execution):
        """Ends the step under way. Returns the thread that goes next, or None: the execution is over. It is to be given up
        then, and what came out means nothing, if it is `aborted`."""
        self._check(execution)
        thread = self._library.mz_engine_schedule(self._handle)
        if thread == _library.ERROR:
            raise EngineError(self.error)
        return thread if thread >= 0 else None

    def report_access(self, execution, thread_id, object_id, kind):
        """Says that the step touches an object: "read", "write", "weak_read" or "weak_write"."""
        self._check(execution)
        self._call("mz_engine_access", thread_id, object_id, _kind(_library.ACCESSES, kind))

    def report_io_access(self, execution, thread_id, object_id, kind):
        """The same for input and output, which with as_published locks do not order. Otherwise there is no difference: all orders
        of a lock are explored, and of what is done under it."""
        self._check(execution)
        self._call("mz_engine_io", thread_id, object_id, _kind(_library.ACCESSES, kind))

    def report_sync(self, execution, thread_id, event_type, sync_id):
        """Says that the step synchronizes: "lock_acquire", "lock_release", "thread_join", "thread_spawn"; "lock_try",
        "lock_release_any"; "semaphore_acquire", "semaphore_release", "semaphore_try"; "queue_put", "queue_get";
        "event_set", "event_clear", "event_wait"."""
        self._check(execution)
        self._call("mz_engine_sync", thread_id, _kind(_library.SYNCS, event_type), sync_id)

    def next_execution(self):
        """Ends the execution. Returns whether there is another one to be run."""
        more = bool(self._library.mz_engine_next(self._handle))
        if not more and self.error:
            raise EngineError(self.error)
        return more

    # ---- what is known ----

    @property
    def error(self):
        """One line that says what is wrong, or None."""
        text = self._library.mz_engine_error(self._handle)
        return text.decode() if text else None

    @property
    def counts(self):
        """What was run so far; with `iterate`, within the bound that is in force."""
        counts = self._library.mz_engine_count(self._handle)
        counted = Counts(*(getattr(counts, name) for name in Counts._fields))
        return counted if self._counts_traces else counted._replace(traces=None)

    @property
    def executions_completed(self):
        """How many executions ran to their end."""
        return self.counts.executions

    @property
    def tree_depth(self):
        """How many steps the execution under way has, or the next one begins with."""
        return self._library.mz_engine_depth(self._handle)

    @property
    def num_threads(self):
        """How many threads there are, in any execution so far."""
        return self._library.mz_engine_threads(self._handle)

    @property
    def preemption_bound(self):
        """The bound on preemptions that is in force, or None."""
        bound = self._library.mz_engine_bound(self._handle)
        return None if bound == _library.NO_BOUND else bound

    @property
    def complete(self):
        """Whether everything within the bounds was explored."""
        return bool(self._library.mz_engine_complete(self._handle))

    @property
    def incomplete(self):
        """One line that says why not everything was explored (yet), or None."""
        text = self._library.mz_engine_incomplete(self._handle)
        return text.decode() if text else None


class Execution:
    """One execution. Engine.begin_execution() makes it; it is valid until the next one begins."""

    def __init__(self, engine):
        self.engine = engine

    def _call(self, name, *arguments):
        self.engine._check(self)
        self.engine._call(name, *arguments)

    def finish_thread(self, thread_id):
        """Says that the thread has made its last step."""
        self._call("mz_engine_finish_thread", thread_id)

    def block_thread(self, thread_id, lock_id=None):
        """Says that the thread cannot go on: it waits for a lock, or for something of which the engine is not told."""
        self._call("mz_engine_block", thread_id, _library.NO_LOCK if lock_id is None else lock_id)

    def unblock_thread(self, thread_id):
        """Says that a blocked thread can go on again, because of what the step under way does."""
        self._call("mz_engine_unblock", thread_id)

    def wait_for(self, thread_id, event_type, sync_id):
        """Says what the next step of the thread gets: "lock_acquire", "semaphore_acquire", "queue_get", "event_wait" or
        "thread_join". The engine schedules the thread when that is possible."""
        self._call("mz_engine_wait", thread_id, _kind(_library.SYNCS, event_type), sync_id)

    def declare(self, event_type, sync_id, state):
        """Says how many units a semaphore ("semaphore_acquire") has at first, or whether an event ("event_wait") is set."""
        self._call("mz_engine_declare", _kind(_library.SYNCS, event_type), sync_id, state)

    def yield_thread(self, thread_id):
        """Says that the thread makes no progress in this step."""
        self._call("mz_engine_yield", thread_id)

    def abandon(self):
        """Gives up the execution: it takes too long, or went wrong in the host."""
        self._call("mz_engine_abandon")

    @property
    def schedule_trace(self):
        """The threads that went, step by step."""
        self.engine._check(self)
        length = ctypes.c_uint32()
        steps = self.engine._library.mz_engine_trace(self.engine._handle, ctypes.byref(length))
        return steps[:length.value]

    @property
    def aborted(self):
        """Whether the execution ended before its end: it was cut short, abandoned, or went wrong."""
        self.engine._check(self)
        return bool(self.engine._library.mz_engine_aborted(self.engine._handle))
