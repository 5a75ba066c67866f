# SPDX-License-Identifier: MIT
"""Counts the executions of a small program independently of Mazurka, which shares no line with this file.

A program is a generator function: its main thread. A thread yields operations and is sent their results:

    read o             the value                   lock m, unlock m
    write o v                                      trylock m          whether it got it
    update o f         the old value               wait c m
    compare o old new  whether it was old          signal c, broadcast c
    exchange o v       the old value               yield_
    swap o old new     the old value: new is stored if it was old
    raise_ o bits                                  lower o bits       the lowest of them that was raised, or 0: it is not any more
    releasing op       what op returns, an exchange, raise_ or lower whose thread others may learn of by it: it is ordered
                       as a write even if it changes nothing, which then wakes nobody
    set o v            what is there before anything happens; peek o: what is there, for who may know
    unlock_and_write m o v
    timedwait c m      whether it was woken        timedlock m        whether it got it
    read_lock l, read_unlock l, write_lock l, write_unlock l; announce l: from then on nobody gets l to read, until the
                       announced_lock l that has to follow is given back; try_read l, try_write l, try_announced l: whether it got it
    take s, post s     of a semaphore              try_take s         whether it could
    value s            of a semaphore              arrive b n         and wait until n have
    arrive_in_turn b n the same where it matters who comes first
    futex_wait w v     while w is v; whether it was woken; futex_wait w v bits: by somebody who tells any of them
    futex_wake w       all of them; futex_wake w n bits: at most so many, first come first, of those who wait for the
                       bits; how many; futex_requeue w n u: wakes n and moves the others to u; how many it were;
                       futex_requeue_if w n u d: looks at w, and then does so if d
    choose n           0 .. n-1                    join t
    allocate l         what was released to the list l last, None if it is empty
    release l b
    hearing_wait c m x whether it was woken: the other way to end it is a write to x since the thread last looked there
    hearing_wait_only c m x   the same, but m is not got again
    hearing_futex_wait w v x  while w is v; whether it was woken, or did not wait. The other way to end it is as above
    hearing_join e x   the value of e, once somebody has written to it at all, or to x since the thread last looked there
    when g a           what a(memory) returns first; it also returns what it read, and what it wrote. Not before
                       g(memory) holds
    spawn f            the new thread's number
    await op n         what op returns: but only after something has been written since the thread read it, in one of
                       its last n steps

as tuples: ("read", "x"). All but spawn, join, set and peek are visible steps: whatever can be done before the next of them is done
at once. Objects are any hashable value; memory starts as 0.

Every reachable happens-before graph is visited once, breadth first. A graph is known by what each thread did, and for
each object touched by how many writes came before: two executions with equal graphs differ only in the order of steps
that commute. Weak writes (of those who read under a lock, posts, arrivals) commute with each other: they do not count,
but who reads knows which of them came before. Graphs without successors are the traces; the paths that lead to them are the interleavings.
"""
from collections import Counter


class State:
    """A program in mid-execution: the result of a schedule."""

    def __init__(self, main):
        self.threads, self.names, self.pending, self.done = [], [], [], []
        self.memory, self.held, self.waiters = {}, {}, {}
        self.version, self.weak = Counter(), {}
        self.unchanged = set()  # names with those of their versions that are the value before
        self.readers, self.writer, self.announced, self.arrived = Counter(), {}, Counter(), {}
        self.joining, self.children = {}, Counter()
        self.spawn(main, ())

    # what threads do between visible steps

    def spawn(self, function, name):
        number = len(self.threads)
        self.threads.append(function())
        self.names.append(name)
        self.pending.append(None)
        self.done.append([])
        self.resume(number, None)
        return number

    def finished(self, t):
        return self.pending[t] is None and t not in self.joining

    def resume(self, t, result):
        """Lets thread t run to its next visible operation, the end, or a join that has to wait."""
        thread = self.threads[t]
        self.pending[t] = None
        self.joining[t] = None  # not finished while it runs
        try:
            operation = thread.send(result) if result is not None else next(thread)
            while operation[0] in ("spawn", "join", "set", "peek"):
                kind, argument = operation[:2]
                result = None
                if kind == "peek":
                    result = self.memory.get(argument, 0)
                elif kind == "set":
                    self.memory[argument] = operation[2]
                elif kind == "spawn":
                    self.children[t] += 1
                    result = self.spawn(argument, self.names[t] + (self.children[t],))
                elif not self.finished(argument):
                    self.joining[t] = argument
                    return
                operation = thread.send(result)
        except StopIteration:
            operation = None
        del self.joining[t]
        self.pending[t] = operation
        if operation is None:
            for waiting in [w for w, target in self.joining.items() if target == t]:
                self.resume(waiting, True)

    # visible steps

    def alternatives(self, t):
        """How many ways thread t can go; 0 if it cannot."""
        operation = self.pending[t]
        if operation is None or operation[0] == "asleep":
            return 0
        kind = operation[0]
        if kind == "await":
            return int(any(self.changed(*touched) for touched in self.awaited(t, operation[2])))
        if kind in ("hearing_leave", "hearing_leave_only"):
            return int((t, operation[2]) not in self.waiters[operation[1]] or self.hears(t, operation[3]))
        if kind == "hearing_futex_leave":
            return int((t, ~0) not in self.waiters[("futex", operation[1])] or self.hears(t, operation[2]))
        if kind == "hearing_join":
            return int(self.version[operation[1]] > 0 or self.hears(t, operation[2]))
        if kind in ("lock", "wakeup"):
            return 0 if self.held.get(operation[1]) is not None else 1
        if kind in ("write_lock", "announced_lock"):
            return int(self.can_write(operation[1]))
        if kind == "read_lock":
            return int(self.can_read(operation[1]))
        if kind == "when":
            return int(bool(operation[1](self.memory)))
        if kind == "take":
            return int(self.memory.get(operation[1], 0) > 0)
        if kind == "signal":
            return max(1, len(self.waiters.get(operation[1], ())))
        return operation[1] if kind in ("choose", "serial") else 1

    def awaited(self, t, n):
        """What thread t touched in its last n steps."""
        return [touched for step in self.done[t][-n:] for touched in step[2:]]

    def changed(self, name, seen, version):
        """Whether something was written since it was touched like that."""
        written = any((name, v) not in self.unchanged for v in range(version + 1, self.version[name] + 1))
        if seen == "without weak":
            return written
        weak = seen if isinstance(seen, frozenset) else frozenset()
        return written or bool(self.weak.get(name, frozenset()) - weak)

    def hears(self, t, name):
        """Whether something was written there since thread t last touched it."""
        touches = [touched for step in self.done[t] for touched in step[2:] if touched[0] == name]
        return bool(touches) and self.changed(*touches[-1])

    def touch(self, name, writes):
        if writes:
            self.version[name] += 1
            self.weak[name] = frozenset()
        elif self.weak.get(name):
            return name, self.weak[name], self.version[name]
        return name, writes, self.version[name]

    def touch_weakly(self, t, name):
        self.weak[name] = self.weak.get(name, frozenset()) | {(self.names[t], len(self.done[t]))}
        return name, "weakly", self.version[name]

    def step(self, t, choice):
        before = self.pending[t]
        kind, *operands = before
        result, touched = getattr(self, "do_" + kind)(t, choice, *operands)
        self.done[t].append((kind, choice) + tuple(touched))
        if kind in ("arrive", "arrive_in_turn", "arrive_as_any"):
            self.open_barrier(*operands, kind == "arrive_as_any")
        elif self.pending[t] == before:  # else there is more to it
            self.resume(t, result)

    def do_read(self, _t, _choice, name):
        return self.memory.get(name, 0), [self.touch(name, False)]

    def do_write(self, _t, _choice, name, value):
        self.memory[name] = value
        return None, [self.touch(name, True)]

    def do_update(self, _t, _choice, name, function):
        old = self.memory.get(name, 0)
        self.memory[name] = function(old)
        return old, [self.touch(name, True)]

    def do_compare(self, _t, _choice, name, old, new):
        equal = self.memory.get(name, 0) == old
        if equal:
            self.memory[name] = new
        return equal, [self.touch(name, equal)]

    def do_swap(self, _t, _choice, name, old, new):
        found = self.memory.get(name, 0)
        if found == old:
            self.memory[name] = new
        return found, [self.touch(name, found == old)]

    def do_exchange(self, _t, _choice, name, new):
        old = self.memory.get(name, 0)
        self.memory[name] = new
        return old, [self.touch(name, old != new)]

    def do_raise_(self, _t, _choice, name, bits):
        news = bits & ~self.memory.get(name, 0)
        self.memory[name] = self.memory.get(name, 0) | bits
        return None, [self.touch(name, news != 0)]

    def do_lower(self, _t, _choice, name, bits):
        found = bits & self.memory.get(name, 0)
        lowest = found & -found
        self.memory[name] = self.memory.get(name, 0) & ~lowest
        return lowest, [self.touch(name, found != 0)]

    def do_releasing(self, t, choice, operation):
        result, [(name, writes, version)] = getattr(self, "do_" + operation[0])(t, choice, *operation[1:])
        if not writes:
            version = self.version[name] = version + 1
            self.unchanged.add((name, version))
        return result, [(name, True, version)]

    def do_await(self, t, choice, operation, n):
        awaited = self.awaited(t, n)
        result, touched = getattr(self, "do_" + operation[0])(t, choice, *operation[1:])
        return result, touched + [self.touch_without_weak(name) if seen == "without weak" else self.touch(name, False)
                                  for name, seen, _ in awaited if name != touched[0][0]]

    def do_lock(self, t, _choice, mutex):
        self.held[mutex] = t
        return None, [self.touch(("mutex", mutex), True)]

    def do_unlock(self, _t, _choice, mutex):
        self.held[mutex] = None
        return None, [self.touch(("mutex", mutex), True)]

    def do_unlock_and_write(self, _t, _choice, mutex, name, value):
        self.held[mutex] = None
        self.memory[name] = value
        return None, [self.touch(("mutex", mutex), True), self.touch(name, True)]

    def do_trylock(self, t, _choice, mutex):
        free = self.held.get(mutex) is None
        if free:
            self.held[mutex] = t
        return free, [self.touch(("mutex", mutex), free)]

    def do_wait(self, t, _choice, condition, mutex):
        self.held[mutex] = None
        self.waiters.setdefault(condition, []).append((t, mutex))
        self.pending[t] = ("asleep",)
        return None, [self.touch(("condition", condition), True), self.touch(("mutex", mutex), True)]

    do_timedlock = do_trylock  # it can time out whenever it has to wait

    def do_timedwait(self, t, choice, condition, mutex):
        result = self.do_wait(t, choice, condition, mutex)
        self.pending[t] = ("leave", condition, mutex)
        return result

    def do_leave(self, t, _choice, condition, mutex):
        """It was woken before, or stops waiting."""
        waiting = (t, mutex) in self.waiters[condition]
        if waiting:
            self.waiters[condition].remove((t, mutex))
        self.pending[t] = ("wakeup", mutex, not waiting)
        return None, [self.touch(("condition", condition), waiting)]

    def do_hearing_wait(self, t, choice, condition, mutex, requests):
        result = self.do_wait(t, choice, condition, mutex)
        self.pending[t] = ("hearing_leave", condition, mutex, requests)
        return result

    def do_hearing_leave(self, t, choice, condition, mutex, requests):
        _, touched = self.do_leave(t, choice, condition, mutex)
        return None, touched + [self.touch(requests, False)]

    def do_hearing_wait_only(self, t, choice, condition, mutex, requests):
        result = self.do_wait(t, choice, condition, mutex)
        self.pending[t] = ("hearing_leave_only", condition, mutex, requests)
        return result

    def do_hearing_leave_only(self, t, _choice, condition, mutex, requests):
        waiting = (t, mutex) in self.waiters[condition]
        if waiting:
            self.waiters[condition].remove((t, mutex))
        return not waiting, [self.touch(("condition", condition), waiting), self.touch(requests, False)]

    def do_hearing_join(self, _t, _choice, end, requests):
        return self.memory.get(end, 0), [self.touch(end, False), self.touch(requests, False)]

    def do_wakeup(self, t, _choice, mutex, result=None):
        self.held[mutex] = t
        return result, [self.touch(("mutex", mutex), True)]

    def wake(self, condition, index):
        t, mutex = self.waiters[condition].pop(index)
        if self.pending[t][0] == "asleep":
            self.pending[t] = ("wakeup", mutex)
        return self.names[t]

    def do_signal(self, _t, choice, condition):
        waiters = bool(self.waiters.get(condition))
        woken = self.wake(condition, choice) if waiters else None
        return None, [self.touch(("condition", condition), waiters), (woken,)]

    def do_broadcast(self, _t, _choice, condition):
        waiters = bool(self.waiters.get(condition))
        while self.waiters.get(condition):
            self.wake(condition, 0)
        return None, [self.touch(("condition", condition), waiters)]

    def can_read(self, lock):
        return self.writer.get(lock) is None and not self.announced[lock]

    def can_write(self, lock):
        return self.writer.get(lock) is None and not self.readers[lock]

    def do_read_lock(self, t, _choice, lock):
        self.readers[lock] += 1
        return None, [self.touch_weakly(t, ("lock", lock))]

    def do_read_unlock(self, t, _choice, lock):
        self.readers[lock] -= 1
        return None, [self.touch_weakly(t, ("lock", lock))]

    def do_write_lock(self, t, _choice, lock):
        self.writer[lock] = t
        return None, [self.touch(("lock", lock), True)]

    def do_announce(self, _t, _choice, lock):
        self.announced[lock] += 1
        return None, [self.touch(("lock", lock), True)]

    def do_withdraw(self, _t, _choice, lock):
        self.announced[lock] -= 1
        return None, [self.touch(("lock", lock), True)]

    def do_try_announced(self, t, choice, lock):
        free, touched = self.do_try_write(t, choice, lock)
        self.announced[lock] -= free
        return free, touched

    def do_announced_lock(self, t, choice, lock):
        self.announced[lock] -= 1
        return self.do_write_lock(t, choice, lock)

    def do_try_announced(self, t, choice, lock):
        if self.can_write(lock):
            return True, self.do_announced_lock(t, choice, lock)[1]
        return False, [self.touch(("lock", lock), False)]

    def do_write_unlock(self, _t, _choice, lock):
        self.writer[lock] = None
        return None, [self.touch(("lock", lock), True)]

    def do_try_write(self, t, _choice, lock):
        free = self.can_write(lock)
        if free:
            self.writer[lock] = t
        return free, [self.touch(("lock", lock), free)]

    def do_try_read(self, t, choice, lock):
        if self.can_read(lock):
            return True, self.do_read_lock(t, choice, lock)[1]
        return False, [self.touch_without_weak(("lock", lock))]

    def touch_without_weak(self, name):
        """By who does not care for weak writes."""
        return name, "without weak", self.version[name]

    def do_take(self, _t, _choice, semaphore):
        self.memory[semaphore] -= 1
        return None, [self.touch(("semaphore", semaphore), True)]

    def do_try_take(self, _t, _choice, semaphore):
        some = self.memory.get(semaphore, 0) > 0
        self.memory[semaphore] = self.memory.get(semaphore, 0) - some
        return some, [self.touch(("semaphore", semaphore), some)]

    def do_post(self, t, _choice, semaphore):
        self.memory[semaphore] = self.memory.get(semaphore, 0) + 1
        return None, [self.touch_weakly(t, ("semaphore", semaphore))]

    def do_value(self, _t, _choice, semaphore):
        return self.memory.get(semaphore, 0), [self.touch(("semaphore", semaphore), False)]

    def do_arrive(self, t, _choice, barrier, _n):
        self.arrived.setdefault(barrier, []).append(t)
        self.pending[t] = ("asleep",)
        return None, [self.touch_weakly(t, ("barrier", barrier))]

    def do_arrive_in_turn(self, t, _choice, barrier, n):
        self.do_arrive(t, _choice, barrier, n)
        return None, [self.touch(("barrier", barrier), True)]

    do_arrive_as_any = do_arrive

    def open_barrier(self, barrier, n, any_is_serial):
        if len(self.arrived[barrier]) < n:
            return
        threads = sorted(self.arrived.pop(barrier))
        if any_is_serial:
            self.pending[threads[0]] = ("serial", n, threads)
            return
        for t in threads:
            self.resume(t, t == threads[0])

    def do_serial(self, t, choice, _n, threads):
        for number, other in enumerate(threads):
            if other != t:
                self.resume(other, number == choice)
        return choice == 0, []

    def do_futex_wait(self, t, _choice, word, value, bits=~0):
        touched = [self.touch(("futex", word), True), self.touch(word, False)]
        if self.memory.get(word, 0) != value:
            return False, touched
        self.waiters.setdefault(("futex", word), []).append((t, bits))
        self.pending[t] = ("asleep",)
        return True, touched

    def do_hearing_futex_wait(self, t, choice, word, value, requests):
        result = self.do_futex_wait(t, choice, word, value)
        if self.pending[t] == ("asleep",):
            self.pending[t] = ("hearing_futex_leave", word, requests)
        return not result[0], result[1]

    def do_hearing_futex_leave(self, t, _choice, word, requests):
        waiting = (t, ~0) in self.waiters[("futex", word)]
        if waiting:
            self.waiters[("futex", word)].remove((t, ~0))
        return not waiting, [self.touch(("futex", word), waiting), self.touch(requests, False)]

    def do_futex_wake(self, _t, _choice, word, most=None, bits=~0):
        waiters = self.waiters.setdefault(("futex", word), [])
        touched = [self.touch(("futex", word), bool(waiters))]
        woken = [waiter for waiter in waiters if waiter[1] & bits][:most]
        waiters[:] = [waiter for waiter in waiters if waiter not in woken]
        for waiter, _bits in woken:
            if self.pending[waiter] == ("asleep",):
                self.resume(waiter, True)
        return len(woken), touched

    def do_futex_requeue(self, _t, _choice, word, most, other):
        touched = [self.touch(("futex", word), True), self.touch(("futex", other), True)]
        waiters = self.waiters.pop(("futex", word), [])
        self.waiters.setdefault(("futex", other), []).extend(waiters[most:])
        for waiter, _bits in waiters[:most]:
            self.resume(waiter, True)
        return len(waiters), touched

    def do_futex_requeue_if(self, t, choice, word, most, other, does):
        looked = self.touch(word, False)
        if not does:
            return -1, [self.touch(("futex", word), True), self.touch(("futex", other), True), looked]
        moved, touched = self.do_futex_requeue(t, choice, word, most, other)
        return moved, [*touched, looked]

    def do_destroy(self, _t, _choice, kind, name):
        return None, [self.touch((kind, name), True)]

    def do_allocate(self, _t, _choice, name):
        blocks = self.memory.get(name) or ()
        self.memory[name] = blocks[:-1]
        return blocks[-1] if blocks else None, [self.touch(name, bool(blocks))]

    def do_release(self, _t, _choice, name, block):
        self.memory[name] = (self.memory.get(name) or ()) + (block,)
        return None, [self.touch(name, True)]

    def do_when(self, _t, _choice, _guard, action):
        result, reads, writes = action(self.memory)
        return result, [self.touch(name, False) for name in reads] + [self.touch(name, True) for name in writes]

    def do_yield_(self, _t, _choice):
        return None, []

    def do_choose(self, _t, choice, _n):
        return choice, []

    # what the enumeration needs

    def key(self):
        """What each thread did, by its path from main: numbers depend on who was created first."""
        return frozenset((name, tuple(done)) for name, done in zip(self.names, self.done))

    def blocked(self):
        return any(p is not None for p in self.pending) or bool(self.joining)


def replay(main, schedule):
    state = State(main)
    for t, choice in schedule:
        state.step(t, choice)
    return state


def count(main, limit=None):
    """{"traces", "interleavings", "deadlocks"}; None if there are more than `limit` graphs."""
    layer = {State(main).key(): ((), 1)}
    result = Counter(traces=0, interleavings=0, deadlocks=0)
    graphs = 0
    while layer:
        following = {}
        graphs += len(layer)
        if limit is not None and graphs > limit:
            return None
        for schedule, ways in layer.values():
            state = replay(main, schedule)
            steps = [(t, c) for t in range(len(state.threads)) for c in range(state.alternatives(t))]
            if not steps:
                result.update(traces=1, interleavings=ways, deadlocks=int(state.blocked()))
            for step in steps:
                key = replay(main, schedule + (step,)).key()
                known, before = following.get(key, (schedule + (step,), 0))
                following[key] = (known, before + ways)
        layer = following
    return dict(result)
