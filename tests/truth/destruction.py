# SPDX-License-Identifier: MIT
"""Models of programs that destroy mutexes, conditions and the like."""
from parts import LOCK, UNLOCK, model, steps, together
from synchronization import POST, READS, TAKE


def destroyed_when_done(*signalling):
    """The other one waits until a flag is set, and destroys the condition."""
    flag = {}

    def work():
        for step in signalling:
            if step == "set":
                flag["done"] = True
            else:
                yield step

    def main():
        flag["done"] = False
        thread = yield ("spawn", work)
        yield LOCK
        while not flag["done"]:
            yield ("wait", "c", "m")
        yield UNLOCK
        yield ("destroy", "condition", "c")
        yield ("join", thread)
    return main


@model("signal-after-destruction.c")
def _():
    return destroyed_when_done(LOCK, "set", UNLOCK, ("signal", "c"))


@model("signal-before-destruction.c")
def _():
    return destroyed_when_done(LOCK, "set", ("signal", "c"), UNLOCK)


def done_by_posts(takes):
    def main():
        threads = [(yield ("spawn", steps(POST))), (yield ("spawn", steps(POST)))]
        for _ in range(takes):
            yield TAKE
        yield ("destroy", "semaphore", "s")
        for thread in threads:
            yield ("join", thread)
    return main


@model("semaphore-destroyed-too-early.c")
def _():
    return done_by_posts(1)


@model("semaphore-destroyed-at-last.c")
def _():
    return done_by_posts(2)


@model("destroyed-with-waiters.c")
def _():
    def main():
        thread = yield ("spawn", steps(TAKE))
        yield ("destroy", "semaphore", "s")
        yield POST
        yield ("join", thread)
    return main


@model("read-lock-after-destruction.c")
def _():
    def main():
        thread = yield ("spawn", READS)
        yield ("write_lock", "l")
        yield ("write_unlock", "l")
        yield ("destroy", "lock", "l")
        yield ("join", thread)
    return main


@model("barrier-destroyed-too-early.c")
def _():
    def main():
        thread = yield ("spawn", steps(("arrive", "b", 2), ("arrive", "b", 2)))
        yield ("arrive", "b", 2)
        yield ("destroy", "barrier", "b")
        yield ("join", thread)
    return main


@model("spin-lock-after-destruction.c")
def _():
    count = {}

    def run():
        yield LOCK
        count["n"] += 1
        last = count["n"] == 2
        yield UNLOCK
        if last:
            yield ("destroy", "mutex", "m")
            yield LOCK
            yield UNLOCK

    def main():
        count["n"] = 0
        yield from together(run, run)()
    return main


@model("destroyed-twice.c")
def _():
    def main():
        thread = yield ("spawn", steps(LOCK, UNLOCK, ("destroy", "mutex", "m")))
        yield ("join", thread)
        yield ("destroy", "mutex", "m")
    return main


@model("destroyed-and-made-again.c")
def _():
    ready = {}

    def work():
        yield ("read_lock", "l")
        yield ("read_unlock", "l")
        yield LOCK
        ready["set"] = True
        yield ("signal", "c")
        yield UNLOCK
        yield POST
        yield ("arrive", "b", 2)

    def main():
        for _ in range(2):
            ready["set"] = False
            for step in (("lock", "n"), ("lock", "p"), ("unlock", "p"), ("unlock", "n")):
                yield step
            thread = yield ("spawn", work)
            yield LOCK
            while not ready["set"]:
                yield ("wait", "c", "m")
            yield UNLOCK
            yield TAKE
            yield ("arrive", "b", 2)
            yield ("join", thread)
            for kind, name in (("mutex", "m"), ("mutex", "n"), ("lock", "l"), ("condition", "c"), ("mutex", "p"),
                               ("barrier", "b"), ("semaphore", "s")):
                yield ("destroy", kind, name)
    return main


@model("destroyed-by-the-last.c")
def _():
    state = {}

    def run():
        if (yield ("arrive", "b", 2)):
            yield ("destroy", "barrier", "b")
        yield LOCK
        state["waiting"] += 1
        if state["waiting"] == 1:
            while not state["woken"]:
                yield ("wait", "c", "m")
        else:
            state["woken"] = True
            yield ("broadcast", "c")
            yield ("destroy", "condition", "c")
        yield UNLOCK

    def main():
        state.update(waiting=0, woken=False)
        yield from together(run, run)()
    return main
