# SPDX-License-Identifier: MIT
"""Data races of small programs, by the definitions of the standard (C++20, [intro.races] and [atomics.order]) applied to
every interleaving. Shares no line with Mazurka, and knows no vector clocks: what happens before an event is a set of events.

A program is a list of threads, a thread a list of operations, each a tuple:

    (load, M, ORDER)  (store, M, V, ORDER)  (exchange, M, V, ORDER)  (or, M, V, ORDER)  (and, M, V, ORDER)
    (add, M, V, ORDER)  (compare, M, OLD, NEW, ORDER, ORDER_OF_FAILURE)  (fence, ORDER)
    (lock, M)  (trylock, M)  (unlock, M)     a mutex
    (take, S)  (trytake, S)  (post, S)       a semaphore
    (share, L)  (tryshare, L)  (unshare, L)  (own, L)  (tryown, L)  (disown, L)    a read-write lock
    (arrive, B)                              at a barrier for two
    (read, X)  (write, X)                    plain accesses; their values decide nothing
    (if, V, OPERATIONS)                      what follows if the result of the operation before it was V

Memory is sequentially consistent, so an operation reads what was written last. Fences and plain accesses belong to the
step before them. A race is a variable and two accesses, each a thread and "read" or "write".
"""
from itertools import combinations

ACQUIRING = ("acquire", "acq_rel", "seq_cst")
RELEASING = ("release", "acq_rel", "seq_cst")
INVISIBLE = ("fence", "read", "write", "if")


class Event:
    """One operation as it was executed. `before` has a bit for every event that happens before it."""

    def __init__(self, number, thread, operation, before):
        self.number, self.thread, self.operation, self.before = number, thread, operation, before
        self.acquires = self.releases = self.reads = self.writes = False
        self.read_from = None  # the write whose value it read; None: the value at the beginning
        self.previous = None  # of a write: the one before it in modification order

    def past(self):
        return self.before | 1 << self.number


class Execution:
    """An interleaving under way. Threads are lists of what they have still to do, the next first."""

    def __init__(self, program, initial):
        self.threads = [list(operations) for operations in program]
        self.memory, self.last_write = dict(initial), {}
        self.events, self.latest = [], [None] * len(program)
        self.held, self.handed_on = {}, {}  # by object: who has it; the events that whoever gets it comes after
        self.waits = {}  # by barrier: who is there
        self.steps, self.preemptions, self.ran = [], 0, None
        self.versions = {}
        self.segments = [[] for _ in program]  # the plain accesses of each since its last step
        for t in range(len(program)):
            self.run_invisible(t, None)

    def copy(self):
        new = object.__new__(Execution)
        new.threads = [list(t) for t in self.threads]
        new.memory, new.last_write = dict(self.memory), dict(self.last_write)
        new.events, new.latest = list(self.events), list(self.latest)
        new.held, new.handed_on = {k: list(v) for k, v in self.held.items()}, dict(self.handed_on)
        new.waits = dict(self.waits)
        new.steps, new.preemptions, new.ran = list(self.steps), self.preemptions, self.ran
        new.versions, new.segments = dict(self.versions), list(self.segments)
        return new

    def new_event(self, t, operation):
        last = self.latest[t]
        event = Event(len(self.events), t, operation, last.past() if last else 0)
        self.events.append(event)
        self.latest[t] = event
        return event

    # synchronizes-with

    def own_fences(self, event):
        """The release fences that are sequenced before an event."""
        return [e for e in self.events[:event.number]
                if e.thread == event.thread and e.operation[0] == "fence" and e.releases]

    def heads(self, write):
        """The writes whose release sequence, real or hypothetical, has this one in it."""
        while write:
            yield write
            write = write.previous if write.reads else None

    def acquire(self, event, write):
        """The event acquires what was written by `write`: a synchronizes with it."""
        for head in self.heads(write):
            for source in ([head] if head.releases else []) + self.own_fences(head):
                event.before |= source.past()

    def do_fence(self, t, order):
        event = self.new_event(t, ("fence", order))
        event.releases = order in RELEASING
        if order in ACQUIRING:
            for read in self.events[:event.number]:
                if read.thread == t and read.reads:
                    self.acquire(event, read.read_from)

    def do_atomic(self, t, operation):
        """Returns what it read, or whether it was equal."""
        kind, name, *operands = operation
        order, old = operands[-1], self.memory[name]
        event = self.new_event(t, operation)
        event.reads = kind != "store"
        success = kind == "compare" and old == operands[0]
        if kind == "compare":
            order = operands[2] if success else operands[3]
        event.writes = success or kind not in ("load", "compare")
        event.acquires, event.releases = event.reads and order in ACQUIRING, event.writes and order in RELEASING
        event.read_from = self.last_write.get(name)
        if event.acquires:
            self.acquire(event, event.read_from)
        if event.writes:
            new = {"store": lambda v: v, "exchange": lambda v: v, "or": lambda v: old | v, "and": lambda v: old & v,
                   "add": lambda v: old + v, "compare": lambda v: operands[1]}[kind](operands[0])
            event.previous, self.last_write[name] = event.read_from, event
            self.memory[name] = new
            adds = event.releases or self.own_fences(event)
            self.touch(t, name, kind in ("store", "add", "compare") or new != old or bool(adds))
        else:
            self.touch(t, name, False)
        return int(success) if kind == "compare" else old

    # locks and semaphores: what was handed on before happens before who gets it

    def is_free(self, kind, name):
        held = self.held.get(name, [])
        return "alone" not in held if kind in ("share", "tryshare") else not held

    def enabled(self, t):
        if not self.threads[t] or t in self.waits.values():
            return False
        kind, name = self.threads[t][0][:2]
        if kind in ("lock", "own", "share"):
            return self.is_free(kind, name)
        return kind != "take" or self.memory[name] > 0

    def do_get(self, t, operation):
        kind, name = operation
        event = self.new_event(t, operation)
        if kind in ("take", "trytake"):
            if self.memory[name] == 0:
                self.touch(t, name, False)
                return 0
            self.memory[name] -= 1
        elif not self.is_free(kind, name):
            self.touch(t, name, False)
            return 0
        else:
            self.held.setdefault(name, []).append("shared" if kind in ("share", "tryshare") else "alone")
        event.before |= self.handed_on.get(name, 0)
        if kind in ("own", "tryown"):
            event.before |= self.handed_on.get((name, "shared"), 0)
        self.touch(t, name, True)
        return 1

    def do_hand_on(self, t, operation):
        kind, name = operation
        event = self.new_event(t, operation)
        if kind == "post":
            self.memory[name] += 1
        else:
            self.held[name].remove("shared" if kind == "unshare" else "alone")
        where = (name, "shared") if kind == "unshare" else name
        self.handed_on[where] = self.handed_on.get(where, 0) | event.past()
        self.touch(t, name, True)

    def do_arrive(self, t, operation):
        """The second to come lets both go on."""
        event, other = self.new_event(t, operation), self.waits.pop(operation[1], None)
        if other is None:
            self.waits[operation[1]] = t
            return
        event.before |= self.latest[other].past()
        self.new_event(other, operation).before |= event.past()
        self.run_invisible(other, None)

    # steps

    def touch(self, t, name, writes):
        """Keeps what tells traces apart: which writes to an object came before."""
        self.versions[name] = self.versions.get(name, 0) + writes
        self.steps.append((t, name, writes, self.versions[name]))

    def run_invisible(self, t, result):
        todo, self.segments[t] = self.threads[t], []
        while todo and todo[0][0] in INVISIBLE:
            operation = todo.pop(0)
            if operation[0] == "fence":
                self.do_fence(t, operation[1])
            elif operation[0] == "if":
                todo[:0] = operation[2] if operation[1] == result else []
            else:
                self.segments[t].append(self.new_event(t, operation))

    def step(self, t):
        if self.ran is not None and self.ran != t and self.enabled(self.ran):
            self.preemptions += 1
        self.ran = t
        operation = self.threads[t].pop(0)
        if operation[0] in ("lock", "trylock", "take", "trytake", "share", "tryshare", "own", "tryown"):
            result = self.do_get(t, operation)
        elif operation[0] in ("unlock", "post", "unshare", "disown"):
            result = self.do_hand_on(t, operation)
        elif operation[0] == "arrive":
            result = self.do_arrive(t, operation)
        else:
            result = self.do_atomic(t, operation)
        if t not in self.waits.values():
            self.run_invisible(t, result)

    def races(self):
        plain = [e for e in self.events if e.operation[0] in ("read", "write")]
        return {race(a, b) for a, b in combinations(plain, 2) if conflict(a, b) and not b.before >> a.number & 1}

    def adjacent(self):
        """The races of accesses that can be next at the same time, in this state."""
        plain = [e for segment in self.segments for e in segment]
        return {race(a, b) for a, b in combinations(plain, 2) if conflict(a, b)}

    def trace(self):
        """Equal for interleavings that differ only in the order of operations that commute."""
        return frozenset((t, tuple(step[1:] for step in self.steps if step[0] == t)) for t in range(len(self.threads)))


def conflict(a, b):
    same = a.operation[1] == b.operation[1] and a.thread != b.thread
    return same and "write" in (a.operation[0], b.operation[0])


def race(a, b):
    return a.operation[1], frozenset(((a.thread, a.operation[0]), (b.thread, b.operation[0])))


def explore(program, initial, limit):
    """{preemptions: races of the interleavings with just so many}, the number of traces, and those of the races whose
    accesses can be next at the same time. None if there are more interleavings than `limit`."""
    races, traces, adjacent, count = {}, set(), set(), 0
    work = [Execution(program, initial)]
    while work:
        execution = work.pop()
        enabled = [t for t in range(len(program)) if execution.enabled(t)]
        adjacent |= execution.adjacent()
        if not enabled:
            count += 1
            if count > limit:
                return None
            races.setdefault(execution.preemptions, set()).update(execution.races())
            traces.add(execution.trace())
        for t in enabled:
            following = execution.copy()
            following.step(t)
            work.append(following)
    return races, len(traces), adjacent
