# SPDX-License-Identifier: MIT
"""A host for Python's threads: runs a program under every interleaving that matters.

    from mazurka import threads

    def program():
        counter = threads.Cell(0)
        def increment():
            counter.set(counter.get() + 1)
        both = [threads.Thread(target=increment) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert counter.get() == 2

    result = threads.explore(program)      # result.failures[0] is the lost update, with its schedule

A program uses the classes of this module instead of those of `threading` and `queue`, and keeps what threads share in
cells. Its threads are real ones, of which one runs at a time: a thread runs from one operation on something shared up
to the next, and stops before that. The program is called anew for each execution, and must do the same each time as
long as the schedule is the same.

Threads and objects are known by who made them, and as the how manieth: so names do not depend on the interleaving."""
import threading
import traceback
from collections import deque
from dataclasses import dataclass, field

from mazurka.engine import Engine

_here = threading.local()


class _Stop(BaseException):
    """Ends a thread of an execution that is over. No exception that programs catch."""


@dataclass
class Failure:
    """Something that went wrong: an exception in a thread, a deadlock, or a thread that does not come back (hang)."""
    kind: str
    message: str
    execution: int
    schedule: list


@dataclass
class Result:
    """What an exploration came to."""
    complete: bool = False
    incomplete: str = None  # why not
    executions: int = 0
    traces: int = None  # None unless count_traces
    redundant: int = 0
    futile: int = 0
    abandoned: int = 0
    failures: list = field(default_factory=list)


class _Task:
    """A thread of the program, in one execution."""

    def __init__(self, run, number, function):
        self.run, self.number, self.function = run, number, function
        self.resumed, self.arrived = threading.Semaphore(0), threading.Semaphore(0)
        self.made = 0  # how many threads and objects it has made
        self.finished = False
        self.error = None
        self.thread = threading.Thread(target=self._main, daemon=True)

    def _main(self):
        _here.task = self
        try:
            self.function()
        except _Stop:
            pass
        except BaseException as error:  # a program may raise anything
            self.error = error
        self.finished = True
        self.arrived.release()

    def start(self):
        """Lets the thread run up to its first operation, as a part of the step under way."""
        self.thread.start()
        self.await_arrival()

    def resume(self):
        """Lets the thread make its step."""
        self.resumed.release()
        self.await_arrival()

    def await_arrival(self):
        """Waits until the thread is before its next operation, or over."""
        if not self.arrived.acquire(timeout=self.run.timeout):
            self.run.hang = self
        elif self.finished and not self.run.stopping:
            self.run.execution.finish_thread(self.number)

    def pause(self, wait=None):
        """Ends the step of the thread. Returns when the next one begins, which may have to wait for something."""
        if self.run.stopping:
            raise _Stop
        if wait:
            self.run.execution.wait_for(self.number, *wait)
        self.arrived.release()
        self.resumed.acquire()
        if self.run.stopping:
            raise _Stop

    def name_next(self):
        """Returns the name of the next thread or object that this thread makes."""
        self.made += 1
        return self.number, self.made


class _Run:
    """One execution."""

    def __init__(self, explorer, execution):
        self.engine, self.names, self.timeout = explorer.engine, explorer.names, explorer.timeout
        self.execution = execution
        self.tasks = {}
        self.stopping = False
        self.hang = None  # the task that does not come back

    def number(self, table, name):
        """Returns the number that a name has in all executions."""
        return self.names[table].setdefault(name, len(self.names[table]))

    def add_task(self, name, function):
        task = _Task(self, self.number("threads", name), function)
        self.tasks[task.number] = task
        return task

    def go(self, program):
        """Runs the execution to its end. Returns the number of threads that are not finished."""
        main = self.add_task(None, program)
        main.start()
        while not self.hang and (number := self.engine.schedule(self.execution)) is not None:
            self.tasks[number].resume()
        left = sum(not task.finished for task in self.tasks.values())
        if self.hang:
            self.execution.abandon()
        self.stop()
        return left

    def stop(self):
        """Ends the threads that are left: each is told by an exception, where it waits for its turn. One that does not
        come back is left alone; it ends at its next operation."""
        self.stopping = True
        for task in self.tasks.values():
            if not task.finished:
                task.resumed.release()
        for task in self.tasks.values():
            if task is not self.hang:
                task.thread.join(self.timeout)


class _Explorer:
    def __init__(self, program, timeout, options):
        self.program, self.timeout = program, timeout
        self.engine = Engine(1, **options)
        self.names = {"threads": {}, "objects": {}}
        self.result = Result()

    def fail(self, kind, message):
        schedule = self.run.execution.schedule_trace
        self.result.failures.append(Failure(kind, message, self.ran, schedule))

    def judge(self, left):
        """Notes what went wrong in the execution that has just ended."""
        if self.run.hang:
            self.fail("hang", f"thread {self.run.hang.number} did not come back within {self.timeout} s")
            return
        if self.run.execution.aborted:
            return
        for task in self.run.tasks.values():
            if task.error:
                self.fail("exception", "".join(traceback.format_exception_only(task.error)).strip())
                return
        if left:
            self.fail("deadlock", f"{left} threads wait for ever")

    def explore(self, stop_on_first):
        self.ran, more = 0, True
        while more and not (stop_on_first and self.result.failures):
            self.ran += 1
            self.run = _Run(self, self.engine.begin_execution())
            self.judge(self.run.go(self.program))
            more = self.engine.next_execution()
        counts = self.engine.counts
        for name in ("executions", "traces", "redundant", "futile", "abandoned"):
            setattr(self.result, name, getattr(counts, name))
        self.result.complete, self.result.incomplete = self.engine.complete, self.engine.incomplete
        return self.result


def explore(program, *, stop_on_first=True, timeout=10.0, **options):
    """Runs `program` under every interleaving that matters, or until the first failure. `timeout` is how many seconds a
    step may take. The options are those of mazurka.Engine."""
    return _Explorer(program, timeout, options).explore(stop_on_first)


# ---- what programs use ----

def _task():
    task = getattr(_here, "task", None)
    if not task:
        raise RuntimeError("this works only in a program that explore() runs")
    return task


class _Shared:
    """Something that threads share."""

    def __init__(self):
        task = _task()
        self._run = task.run
        self._id = self._run.number("objects", task.name_next())

    def _access(self, kind):
        task = _task()
        task.pause()
        self._run.engine.report_access(self._run.execution, task.number, self._id, kind)

    def _sync(self, event_type, waits=False):
        task = _task()
        task.pause((event_type, self._id) if waits else None)
        self._run.engine.report_sync(self._run.execution, task.number, event_type, self._id)


class Cell(_Shared):
    """A variable."""

    def __init__(self, value=None):
        super().__init__()
        self._value = value

    def get(self):
        self._access("read")
        return self._value

    def set(self, value):
        self._access("write")
        self._value = value

    def update(self, function):
        """Sets the variable to function(its value), in one step, and returns that."""
        self._access("write")
        self._value = function(self._value)
        return self._value


class Lock(_Shared):
    """threading.Lock: any thread may give it back."""

    def __init__(self):
        super().__init__()
        self._held = False

    def acquire(self, blocking=True):
        self._sync("lock_acquire" if blocking else "lock_try", waits=blocking)
        got = not self._held
        self._held = True
        return got

    def release(self):
        self._sync("lock_release_any")
        held, self._held = self._held, False
        if not held:
            raise RuntimeError("release unlocked lock")

    def __enter__(self):
        self.acquire()
        return self

    def __exit__(self, *exception):
        self.release()


class Semaphore(_Shared):
    """threading.Semaphore"""

    def __init__(self, value=1):
        super().__init__()
        self._value = value
        self._run.execution.declare("semaphore_acquire", self._id, value)

    def acquire(self, blocking=True):
        self._sync("semaphore_acquire" if blocking else "semaphore_try", waits=blocking)
        got = self._value > 0
        self._value -= got
        return got

    def release(self):
        self._sync("semaphore_release")
        self._value += 1


class Queue(_Shared):
    """queue.Queue without a limit."""

    def __init__(self):
        super().__init__()
        self._items = deque()

    def put(self, item):
        self._sync("queue_put")
        self._items.append(item)

    def get(self):
        self._sync("queue_get", waits=True)
        return self._items.popleft()


class Event(_Shared):
    """threading.Event"""

    def set(self):
        self._sync("event_set")

    def clear(self):
        self._sync("event_clear")

    def wait(self):
        self._sync("event_wait", waits=True)


class Condition:
    """threading.Condition: each thread that waits has a semaphore of its own, and the first to wait is woken first."""

    def __init__(self, lock=None):
        self._lock = lock or Lock()
        self._waiters = Cell(())
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *exception):
        self._lock.__exit__()

    def wait(self):
        mine = Semaphore(0)
        self._waiters.update(lambda waiters: (*waiters, mine))
        self._lock.release()
        mine.acquire()
        self._lock.acquire()

    def notify(self, n=1):
        waiters = self._waiters.get()
        self._waiters.set(waiters[n:])
        for semaphore in waiters[:n]:
            semaphore.release()

    def notify_all(self):
        self.notify(len(self._waiters.get()))


class Thread:
    """threading.Thread"""

    def __init__(self, target, args=()):
        self._target, self._args, self._spawned = target, args, None

    def start(self):
        task = _task()
        name = task.name_next()
        task.pause()
        self._spawned = task.run.add_task(name, lambda: self._target(*self._args))
        task.run.engine.report_sync(task.run.execution, task.number, "thread_spawn", self._spawned.number)
        self._spawned.start()

    def join(self):
        task = _task()
        task.pause(("thread_join", self._spawned.number))
        task.run.engine.report_sync(task.run.execution, task.number, "thread_join", self._spawned.number)


def yield_now():
    """Lets other threads go: what fair bounds count."""
    task = _task()
    task.pause()
    task.run.execution.yield_thread(task.number)
