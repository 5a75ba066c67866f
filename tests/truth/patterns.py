# SPDX-License-Identifier: MIT
"""Models of the classical bug patterns among the programs, and of how to do it right. A thread whose assertion fails ends
there, with what it holds. Plain variables, which are no steps, are in the dictionary that with_plain() hands out."""
from parts import ADD, LOCK, UNLOCK, both, increment, is_zero, model, spin, steps, together, with_plain


def locked(mutex, *operations):
    return ("lock", mutex), *operations, ("unlock", mutex)


# ---- atomicity

@model("check-and-act.c", "transfer-in-one-step.c")
def _():
    return together(steps(LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("check-then-act.c")
def _():
    def guest(shared):
        def run():
            yield LOCK
            fits = shared["items"] < 1
            yield UNLOCK
            if fits:
                yield LOCK
                shared["items"] += 1
                if shared["items"] <= 1:
                    yield UNLOCK
        return run
    return with_plain(lambda v: [guest(v), guest(v)])


@model("transfer-in-two-steps.c")
def _():
    def transfer(shared):
        def run():
            yield LOCK
            shared["items"] = 1
            yield UNLOCK
            yield LOCK
            shared["items"] = 0
            yield UNLOCK
        return run

    def audit(shared):
        def run():
            yield LOCK
            if not shared["items"]:
                yield UNLOCK
        return run
    return with_plain(lambda v: [transfer(v), audit(v)])


@model("decrement-if-positive.c")
def _():
    def buy():
        if (yield ("read", "sold")) == 0:
            yield ("compare", "sold", 0, 1)  # one that fails has seen that there is nothing left
    return together(buy, buy)


def then_reads(main, name):
    """A main that reads something when all is over."""
    def whole():
        yield from main()
        yield ("read", name)
    return whole


@model("composed-atomics.c")
def _():
    def buy():
        if (yield ("read", "sold")) == 0:
            yield ("update", "sold", increment)
    return then_reads(together(buy, buy), "sold")


# ---- order

@model("init-before-start.c")
def _():
    def main():
        yield ("write", "service", 1)
        yield from together(steps(("read", "service")))()
    return main


@model("use-before-init.c")
def _():
    def main():
        thread = yield ("spawn", steps(("read", "service")))
        yield ("write", "service", 1)
        yield ("join", thread)
    return main


@model("teardown-after-join.c", "teardown-after-done.c")
def _():
    def main():
        thread = yield ("spawn", steps(("write", "done", 1)))
        yield from spin(("read", "done"), bool)
        yield ("join", thread)
    return main


# ---- wake-ups

def setter(with_lock):
    middle = [("write", "flag", 1)]
    return steps(*(locked("m", *middle) if with_lock else middle), ("signal", "c"))


def awaiter():
    yield LOCK
    while not (yield ("read", "flag")):
        yield ("wait", "c", "m")
    yield UNLOCK


@model("flag-set-with-lock.c")
def _():
    return together(setter(True), awaiter)


@model("flag-set-without-lock.c")
def _():
    return together(setter(False), awaiter)


def produces(shared):
    def run():
        for _ in range(2):
            yield LOCK
            shared["items"] += 1
            yield ("signal", "c")
            yield UNLOCK
    return run


def consumes(shared, looks_again):
    def run():
        yield LOCK
        while shared["items"] == 0:
            yield ("wait", "c", "m")
            if not looks_again:
                break
        if shared["items"]:
            shared["items"] -= 1
            yield UNLOCK
    return run


def passes_by(shared):
    def run():
        yield LOCK
        shared["items"] -= shared["items"] > 0
        yield UNLOCK
    return run


@model("stolen-wakeup-noticed.c")
def _():
    return with_plain(lambda v: [produces(v), consumes(v, True), passes_by(v)])


@model("stolen-wakeup.c")
def _():
    return with_plain(lambda v: [produces(v), consumes(v, False), passes_by(v)])


# ---- ABA

NONE = 3


def take(tagged):
    """The index, or None if the assertion fails."""
    head = yield ("read", "head")
    while head[1] != NONE:
        rest = yield ("read", ("next", head[1]))
        found = yield ("swap", "head", head, (head[0] + tagged, rest))
        if found == head:
            return None if (yield ("exchange", ("used", head[1]), 1)) else head[1]
        head = found
    return NONE


def give(tagged, index):
    head = yield ("read", "head")
    yield ("write", ("used", index), 0)
    while True:
        yield ("write", ("next", index), head[1])
        found = yield ("swap", "head", head, (head[0] + tagged, index))
        if found == head:
            return
        head = found


def free_list(tagged):
    def one():
        if (yield from take(tagged)) not in (None, NONE):
            yield from take(tagged)

    def two():
        first = yield from take(tagged)
        if first not in (None, NONE) and (yield from take(tagged)) is not None:
            yield from give(tagged, first)

    def main():
        for name, value in (("head", (0, 0)), (("next", 0), 1), (("next", 1), NONE)):
            yield ("set", name, value)
        yield from together(one, two)()
    return main


@model("aba-with-tag.c")
def _():
    return free_list(1)


@model("aba.c")
def _():
    return free_list(0)


# ---- made once

def double_checked(shared):
    def run():
        if not (yield ("read", "thing")):
            yield LOCK
            if not (yield ("read", "thing")):
                yield ("write", "thing", 1)
            yield UNLOCK
    return run


@model("double-checked.c", "double-checked-relaxed.c")
def _():
    return with_plain(lambda v: 2 * [double_checked(v)])


@model("double-checked-plain.c")
def _():
    """Plain accesses are no steps: both find nothing at first, and lock."""
    return together(*2 * [steps(LOCK, UNLOCK)])


@model("checked-once.c")
def _():
    def run():
        if not (yield ("read", "made")):
            yield LOCK
            if (yield ("update", "made", increment)) == 0:
                yield UNLOCK
    return together(run, run)


@model("lazy-by-exchange.c")
def _():
    def get(mine):
        def run():
            if not (yield ("read", "thing")):
                yield ("compare", "thing", 0, mine)
        return run
    return together(get(1), get(2))


@model("lazy-twice.c")
def _():
    def get():
        if not (yield ("read", "thing")):
            yield ("write", "thing", 1)
    return together(get, get)


# ---- deadlocks

@model("three-locks-in-order.c")
def _():
    return together(both(0, 1), both(1, 2), both(0, 2))


@model("three-lock-cycle.c")
def _():
    return together(both(0, 1), both(1, 2), both(2, 0))


@model("callback-after-unlock.c")
def _():
    return together(steps(*locked("r"), *locked("w")), both("w", "r"))


@model("callback-with-lock.c")
def _():
    return together(both("r", "w"), both("w", "r"))


def joins(with_lock):
    def main():
        thread = yield ("spawn", steps(LOCK, UNLOCK))
        yield LOCK
        if with_lock:
            yield ("join", thread)
        yield UNLOCK
        yield ("join", thread)
    return main


@model("join-after-unlock.c")
def _():
    return joins(False)


@model("join-with-lock.c")
def _():
    return joins(True)


def nested(shared, leaves, takes):
    """Through an outer monitor, which one leaves before or after, into an inner one."""
    def run():
        yield ("lock", "outer")
        if leaves:
            yield ("unlock", "outer")
        yield LOCK
        while takes and not shared["items"]:
            yield ("wait", "c", "m")
        shared["items"] += -1 if takes else 1
        if not takes:
            yield ("signal", "c")
        yield UNLOCK
        if not leaves:
            yield ("unlock", "outer")
    return run


@model("nested-monitor.c")
def _():
    return with_plain(lambda v: [nested(v, True, True), nested(v, True, False)])


@model("nested-monitor-lockout.c")
def _():
    return with_plain(lambda v: [nested(v, False, True), nested(v, False, False)])


# ---- readers and writers

def upgrade_by_one(shared):
    def run():
        while True:
            yield LOCK
            while shared.get("upgrading"):
                yield ("wait", "c", "m")
            shared["items"] += 1
            yield UNLOCK
            yield LOCK
            if not shared.get("upgrading"):
                break
            shared["items"] -= 1
            yield ("broadcast", "c")
            yield UNLOCK
        shared["upgrading"] = True
        while shared["items"] > 1:
            yield ("wait", "c", "m")
        yield UNLOCK
        yield LOCK
        shared["items"] = shared["upgrading"] = 0
        yield ("broadcast", "c")
        yield UNLOCK
    return run


@model("upgrade-by-one.c")
def _():
    return with_plain(lambda v: 2 * [upgrade_by_one(v)])


@model("upgrade-deadlock.c")
def _():
    def thread(shared):
        def run():
            yield LOCK
            shared["items"] += 1
            yield UNLOCK
            yield LOCK
            while shared["items"] > 1:
                yield ("wait", "c", "m")
            yield UNLOCK
            yield LOCK
            shared["items"] -= 1
            yield ("broadcast", "c")
            yield UNLOCK
        return run
    return with_plain(lambda v: 2 * [thread(v)])


def reader_and_writer(late):
    def reader():
        yield LOCK
        for operation in (UNLOCK, ("update", "readers", increment))[::1 if late else -1]:
            yield operation
        if (yield ("read", "writing")) == 0:
            yield ("update", "readers", lambda old: old - 1)

    def writer():
        yield LOCK
        yield from spin(("read", "readers"), is_zero)
        yield ("write", "writing", 1)
        yield ("write", "writing", 0)
        yield UNLOCK
    return together(reader, writer)


@model("writer-alone.c")
def _():
    return reader_and_writer(False)


@model("reader-counted-late.c")
def _():
    return reader_and_writer(True)


# ---- work stealing

def deque(checked):
    empty = -1

    def taken(item):
        """Whether the thread goes on."""
        return item == empty or (yield ("exchange", ("taken", item), 1)) == 0

    def pop():
        last = (yield ("read", "bottom")) - 1
        yield ("write", "bottom", last)
        first = yield ("read", "top")
        if first < last:
            return last
        result = empty
        if first == last and (not checked or (yield ("compare", "top", first, first + 1))):
            result = last
        yield ("write", "bottom", last + 1)
        return result

    def owner():
        if (yield from taken((yield from pop()))):
            yield from taken((yield from pop()))

    def thief():
        first = yield ("read", "top")
        if first < (yield ("read", "bottom")) and (yield ("compare", "top", first, first + 1)):
            yield from taken(first)

    def main():
        yield ("set", "bottom", 2)
        yield from together(owner, thief)()
    return main


@model("steal-last.c")
def _():
    return deque(True)


@model("steal-last-unchecked.c")
def _():
    return deque(False)


# ---- references

@model("get-unless-zero.c")
def _():
    drop = ("update", "references", lambda old: old - 1)

    def reader():
        references = yield ("read", "references")
        while references:
            found = yield ("swap", "references", references, references + 1)
            if found == references:
                yield drop
                break
            references = found

    def main():
        yield ("set", "references", 1)
        yield from together(steps(drop), reader)()
    return main


@model("resurrected-reference.c")
def _():
    return together(steps(ADD), steps(ADD))


@model("cleanup-claimed.c")
def _():
    def evict():
        if (yield ("exchange", "cleaned", 1)) == 0:
            yield ("update", "references", increment)
    return together(evict, evict)


@model("cleanup-checked-first.c")
def _():
    def evict():
        if not (yield ("read", "cleaned")):
            yield ("write", "cleaned", 1)
            yield ("update", "references", increment)
    return together(evict, evict)


# ---- shutdown

def stopped_worker(drains):
    def worker(shared):
        def run():
            yield LOCK
            while True:
                while not shared["items"] and not shared.get("stop"):
                    yield ("wait", "c", "m")
                if not shared["items"] or (shared.get("stop") and not drains):
                    break
                shared["items"] -= 1
            yield UNLOCK
        return run

    def main():
        shared = {"items": 0}
        thread = yield ("spawn", worker(shared))
        for name in ("items", "stop"):
            yield LOCK
            shared[name] = 1
            yield ("signal", "c")
            yield UNLOCK
        yield ("join", thread)
    return main


@model("drained-at-stop.c")
def _():
    return stopped_worker(True)


@model("stopped-too-early.c")
def _():
    return stopped_worker(False)


@model("push-or-closed.c")
def _():
    return together(steps(LOCK, ("read", "closed"), UNLOCK), steps(LOCK, ("write", "closed", 1), UNLOCK))


@model("push-after-close.c")
def _():
    def push():
        if not (yield ("read", "closed")):
            yield LOCK
            yield UNLOCK
    return together(push, steps(LOCK, ("write", "closed", 1), UNLOCK))


def waiting_for_stop(wake):
    def work(shared):
        def run():
            yield LOCK
            while not shared["items"]:
                yield ("wait", "c", "m")
            yield UNLOCK
        return run

    def stopper(shared):
        def run():
            yield LOCK
            shared["items"] = 1
            yield (wake, "c")
            yield UNLOCK
        return run
    return with_plain(lambda v: [work(v), work(v), stopper(v)])


@model("broadcast-at-stop.c")
def _():
    return waiting_for_stop("broadcast")


@model("signal-at-stop.c")
def _():
    return waiting_for_stop("signal")


# ---- publication

def buffers(*writes):
    def reader():
        shown = yield ("read", "shown")
        yield ("read", ("first", shown))
        yield ("read", ("second", shown))
    return together(steps(*(("write", name, 1) for name in writes)), reader)


@model("published-when-filled.c")
def _():
    return buffers(("first", 1), ("second", 1), "shown")


@model("published-before-filled.c")
def _():
    return buffers("shown", ("first", 1), ("second", 1))


@model("sequence-read-once.c")
def _():
    def reader():
        if (yield ("read", "sequence")) % 2 == 0:
            yield ("read", "left")
            yield ("read", "right")
    sequence = ("update", "sequence", increment)
    return together(steps(sequence, ("write", "left", 1), ("write", "right", 1), sequence), reader)
