# SPDX-License-Identifier: MIT
"""Models of buffers, queues, locks of one's own and what else programs build for themselves. Failed assertions and plain
variables are as in patterns.py."""
from parts import ADD, LOCK, UNLOCK, both, increment, is_zero, model, spin, steps, together, with_plain
from patterns import buffers, locked


# ---- barriers

def barrier(generations):
    def arrive(shared):
        yield LOCK
        mine = shared.get("rounds", 0)
        shared["items"] += 1
        if shared["items"] == 2:
            shared["items"] = 0
            shared["rounds"] = mine + 1
            yield ("broadcast", "c")
        while mine == shared.get("rounds", 0) if generations else shared["items"]:
            yield ("wait", "c", "m")
        yield UNLOCK

    def thread(shared):
        def run():
            yield from arrive(shared)
            yield from arrive(shared)
        return run
    return with_plain(lambda v: 2 * [thread(v)])


@model("barrier-with-generation.c")
def _():
    return barrier(True)


@model("barrier-without-generation.c")
def _():
    return barrier(False)


# ---- reclamation

REMOVER = steps(("write", "current", "none"), ("read", "hazard"))


@model("hazard-checked.c")
def _():
    def reader():
        found = yield ("read", "current")
        while True:
            yield ("write", "hazard", found)
            again = yield ("read", "current")
            if again == found:
                break
            found = again
        yield ("write", "hazard", 0)
    return together(reader, REMOVER)


@model("hazard-unchecked.c")
def _():
    return together(steps(("read", "current"), ("write", "hazard", 1), ("write", "hazard", 0)), REMOVER)


READING = steps(("write", "reading", 1), ("read", "current"), ("write", "reading", 0))


@model("read-copy-update.c", "version-kept-too-long.c")
def _():
    def updater():
        yield ("write", "current", 1)
        yield from spin(("read", "reading"), is_zero)
    return together(READING, updater)


@model("freed-before-grace.c")
def _():
    return together(READING, steps(("write", "current", 1)))


@model("freed-atomic.c")
def _():
    return together(steps(*locked("m", ADD)), steps(*locked("m")))


# ---- buffers and queues

def one_slot(*conditions):
    """Two who put and two who take; conditions for full and for empty."""
    def thread(shared, takes):
        def run():
            yield LOCK
            while bool(shared["items"]) != takes:
                yield ("wait", conditions[takes], "m")
            shared["items"] = int(not takes)
            yield ("signal", conditions[not takes])
            yield UNLOCK
        return run
    return with_plain(lambda v: [thread(v, takes) for takes in (False, False, True, True)])


@model("two-conditions.c")
def _():
    return one_slot("emptied", "filled")


@model("one-condition-for-both.c")
def _():
    return one_slot("changed", "changed")


@model("log-buffer-reserved.c")
def _():
    def append():
        at = yield ("update", "end", lambda end: end + 2)
        yield ("write", at, 1)
        yield ("write", at + 1, 1)
    return together(append, append)


@model("log-buffer-overwritten.c")
def _():
    def append():
        at = yield ("read", "end")
        yield ("write", at, 1)
        yield ("write", at + 1, 1)
        yield ("write", "end", at + 2)
    return together(append, append)


def ring():
    def writer():
        for _ in range(3):
            at = yield ("read", "written")
            if at - (yield ("read", "read")) == 2:
                break
            yield ("write", "written", at + 1)

    def reader():
        for _ in range(2):
            at = yield ("read", "read")
            if at == (yield ("read", "written")):
                break
            yield ("write", "read", at + 1)
    return together(writer, reader)


@model("ring-for-two.c", "ring-for-two-relaxed.c")
def _():
    return ring()


@model("treiber-stack.c", "treiber-stack-freed.c")
def _():
    """Nodes are numbers; what follows a node is plain."""
    def thread(shared, node):
        def run():
            first = yield ("read", "head")
            while True:
                shared[node] = first
                if (found := (yield ("swap", "head", first, node))) == first:
                    break
                first = found
            first = yield ("read", "head")
            while first and (found := (yield ("swap", "head", first, shared[first]))) != first:
                first = found
        return run
    return with_plain(lambda v: [thread(v, 1), thread(v, 2)])


# ---- locks of one's own

@model("philosophers-one-reversed.c")
def _():
    return together(both(0, 1), both(1, 2), both(0, 2))


@model("philosophers-with-waiter.c")
def _():
    def dine(left):
        right = (left + 1) % 3
        return steps(("lock", "waiter"), ("lock", left), ("lock", right), ("unlock", "waiter"), ("unlock", right),
                     ("unlock", left))
    return together(*map(dine, range(3)))


def inside():
    """Whether nobody else is."""
    if (yield ("update", "inside", increment)):
        return False
    yield ("update", "inside", lambda old: old - 1)
    return True


@model("ticket-wraps.c")
def _():
    def run():
        mine = (yield ("update", "next", increment)) % 2
        yield from spin(("read", "serving"), lambda served: served % 2 == mine)
        if (yield from inside()):
            yield ("update", "serving", increment)
    return together(run, run, run)


@model("flags-relaxed.c")
def _():
    def enter(me):
        return steps(("write", me, 1), ("read", 1 - me), ("write", me, 0))
    return together(enter(0), enter(1))


def craig_landin_hagersten(takes_over):
    def cross(mine):
        yield ("write", ("busy", mine), 1)
        before = yield ("exchange", "tail", mine)
        yield from spin(("read", ("busy", before)), is_zero)
        yield ("write", ("busy", mine), 0)
        return before if takes_over else mine

    def twice():
        yield from cross((yield from cross(0)))

    def main():
        yield ("set", "tail", 2)
        yield from together(twice, lambda: cross(1))()
    return main


@model("clh-lock.c")
def _():
    return craig_landin_hagersten(True)


@model("clh-node-reused.c")
def _():
    return craig_landin_hagersten(False)


def bakery(choosing):
    def thread(me):
        def run():
            other = 1 - me
            if choosing:
                yield ("write", ("choosing", me), 1)
            mine = (yield ("read", ("number", other))) + 1
            yield ("write", ("number", me), mine)
            if choosing:
                yield ("write", ("choosing", me), 0)
                yield from spin(("read", ("choosing", other)), is_zero)
            yield from spin(("read", ("number", other)),
                            lambda theirs: not (theirs and (theirs, other) < (mine, me)))
            if (yield from inside()):
                yield ("write", ("number", me), 0)
        return run
    return together(thread(0), thread(1))


@model("bakery.c")
def _():
    return bakery(True)


@model("bakery-without-choosing.c")
def _():
    return bakery(False)


# ---- more critical sections

@model("rotated-at-once.c", "exception-unlocks.cc", "iterated-with-lock.cc")
def _():
    return together(steps(LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("closed-for-a-moment.c", "iterator-kept.cc")
def _():
    return together(steps(LOCK, UNLOCK, LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("logged-as-done.c")
def _():
    return together(both("table", "log"), both("table", "log"))


@model("logged-in-another-order.c")
def _():
    return together(*2 * [steps(*locked("table"), *locked("log"))])


@model("striped-locks.c")
def _():
    return together(steps(*locked(0), *locked(1)), steps(*locked(0)))


@model("striped-by-another.c")
def _():
    return together(steps(*locked(1), *locked(1)), steps(*locked(0)))


@model("read-again-after-waiting.c", "stale-after-waiting.c")
def _():
    def spend(shared):
        def run():
            yield LOCK
            while not shared["items"]:
                yield ("wait", "c", "m")
            yield UNLOCK
        return run

    def earn(shared):
        def run():
            yield LOCK
            shared["items"] = 1
            yield ("signal", "c")
            yield UNLOCK
        return run
    return with_plain(lambda v: [spend(v), earn(v)])


@model("torn-128.c")
def _():
    return together(steps(("write", "low", 1), ("write", "high", 1)), steps(("read", "low"), ("read", "high")))


@model("locked-one-by-one.cc")
def _():
    return together(both("a", "b"), both("b", "a"))


@model("exception-keeps-lock.cc")
def _():
    return together(steps(LOCK, UNLOCK), steps(LOCK))


@model("volatile-and-fences.c", "volatile-without-fences.c")
def _():
    return together(steps(("write", "ready", 1)), steps(("read", "ready")))


@model("destroyed-while-used.c")
def _():
    def main():
        thread = yield ("spawn", steps(*locked("m", ("write", "items", 1))))
        yield from spin(("read", "items"), bool)
        yield ("destroy", "mutex", "m")
        yield ("join", thread)
    return main


@model("closed-too-early.c")
def _():
    def look():
        if (yield ("trylock", "m")):
            yield UNLOCK
    return together(steps(LOCK, UNLOCK), look, steps(("destroy", "mutex", "m")))


@model("initialised-while-used.c")
def _():
    return together(steps(LOCK, UNLOCK), steps())


@model("destroyed-when-unlocked.c")
def _():
    def main():
        thread = yield ("spawn", steps(*locked("m"), ("write", "items", 1)))
        yield from spin(("read", "items"), bool)
        yield ("destroy", "mutex", "m")
        yield ("join", thread)
    return main


# ---- semaphores and read-write locks

def buffer_of_one(counts_first):
    """A producer and a consumer with a count of items, a count of places, and a lock, each of which is a semaphore."""
    def thread(takes, gives):
        first = ["lock", takes] if not counts_first else [takes, "lock"]
        return steps(("take", first[0]), ("take", first[1]), ("post", "lock"), ("post", gives))

    def main():
        for name in ("lock", "places"):
            yield ("post", name)
        yield from together(thread("places", "items"), thread("items", "places"))()
    return main


@model("counted-then-locked.c")
def _():
    return buffer_of_one(True)


@model("locked-then-counted.c")
def _():
    return buffer_of_one(False)


def look_and_write(looks_again):
    """A cache that is filled under a write lock by who found it empty under a read lock."""
    def thread(shared):
        def run():
            yield ("read_lock", "l")
            empty = not shared["items"]
            yield ("read_unlock", "l")
            if empty:
                yield ("write_lock", "l")
                if looks_again or not shared["items"]:
                    shared["items"] = 1
                    yield ("write_unlock", "l")
        return run
    return with_plain(lambda v: 2 * [thread(v)])


@model("looked-again-to-write.c")
def _():
    return look_and_write(True)


@model("looked-to-write.c")
def _():
    return look_and_write(False)
