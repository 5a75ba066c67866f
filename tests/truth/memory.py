# SPDX-License-Identifier: MIT
"""Models of the programs about the heap, about stacks, about faults, and about calls that fail."""
from parts import ADD, LOCK, NOTHING, UNLOCK, model, steps, together


class Heap:
    """Blocks are (thread, how many it had before). Freed ones are handed out again, the last first, if they are to be: then
    to allocate and to free are steps."""

    def __init__(self, reuse):
        self.reuse, self.made = reuse, {}

    def allocate(self, thread):
        block = (yield ("allocate", "list")) if self.reuse else None
        if block is None:
            self.made[thread] = self.made.get(thread, 0) + 1
            block = (thread, self.made[thread])
        return block

    def free(self, block):
        if self.reuse:
            yield ("release", "list", block)


def stack(reuse, tags):
    """A lock-free stack, nodes of which are looked at under a lock; the top is (node, tag)."""
    def main():
        heap, following, now = Heap(reuse), {None: None}, [(None, 0)]  # what the top is, besides

        def replaced(old, by):
            return (by, old[1] + 1 if tags else 0)

        def exchange(old, by):
            """Whether it was done."""
            done = yield ("compare", "top", old, replaced(old, by))
            if done:
                now[0] = replaced(old, by)
            return done

        def push(thread):
            node = yield from heap.allocate(thread)
            old = yield ("read", "top")
            following[node] = old[0]
            while not (yield from exchange(old, node)):
                old = now[0]
                following[node] = old[0]

        def pop():
            while True:
                yield LOCK
                old = yield ("read", "top")
                after = following[old[0]]
                yield UNLOCK
                if old[0] is None or (yield from exchange(old, after)):
                    return old[0]

        def change():
            first = yield from pop()
            yield LOCK
            if first is not None:
                yield from heap.free(first)
            yield UNLOCK
            yield from pop()
            yield from push("change")

        yield ("exchange", "top", (None, 0))  # memory starts as 0
        yield from push("main")
        yield from push("main")
        yield from together(pop, change)()
        yield from pop()
    return main


model("reused-node.c")(lambda: stack(True, False))
model("node-not-reused.c")(lambda: stack(False, False))
model("reused-node-tagged.c")(lambda: stack(True, True))
model("node-tagged.c")(lambda: stack(False, True))


@model("recycled-blocks.c")
def _():
    def pair():
        a = yield ("allocate", "small")
        b = yield ("allocate", "small")
        yield ("release", "small", a)
        yield ("release", "small", b)

    def other():
        for _ in range(2):
            block = yield ("allocate", "large")
            yield ("release", "large", block)
    return together(pair, pair, other)


@model("recycled-after-free.c")
def _():
    """Whose block is whose decides only where the assertion fails, which is a thread's last step but for its own locks."""
    def main():
        heap, content = Heap(True), {}

        def forget():
            block = yield from heap.allocate("forget")
            yield from heap.free(block)
            yield LOCK
            content[block] = 2
            yield UNLOCK

        def use():
            block = yield from heap.allocate("use")
            yield LOCK
            content[block] = 1
            yield UNLOCK
            yield LOCK
            if content[block] != 1:
                return  # the assertion: the mutex stays locked
            yield UNLOCK
            yield from heap.free(block)
        yield from together(forget, use)()
    return main


@model("leak-in-one-order.c")
def _():
    def make():
        if not (yield ("read", "shared")):
            yield ("write", "shared", 1)
    return together(make, make)


@model("nothing-lost.c")
def _():
    return steps(LOCK)


@model("thread-not-joined.c", "leaks.cc")
def _():
    return steps()


def fails():
    return ("choose", 2)


@model("malloc-unchecked.c")
def _():
    return together(steps(fails()), steps(fails()))


@model("allocations-fail.c")
def _():
    return steps(*5 * [fails()])


@model("thread-not-created.c")
def _():
    def main():
        if not (yield fails()) or not (yield fails()):
            thread = yield ("spawn", steps(("update", "sum", lambda old: old + 1)))
            yield ("join", thread)
    return main


def waiting(loops):
    def main():
        ready = []

        def wait():
            yield LOCK
            interrupted = False
            while not ready:
                interrupted = not interrupted and (yield fails())
                if interrupted:
                    yield UNLOCK
                    yield LOCK
                else:
                    yield ("wait", "c", "m")
                if not loops:
                    break
            if ready:
                yield UNLOCK

        def work():
            yield LOCK
            ready.append(1)
            yield ("signal", "c")
            yield UNLOCK
        yield from together(wait, work)()
    return main


model("wrong/spurious-wakeup.c")(lambda: waiting(False))
model("correct/spurious-wakeup.c")(lambda: waiting(True))


@model("correct/new-fails.cc")
def _():
    def main():
        yield fails()
        if not (yield fails()):
            yield fails()
    return main


@model("wrong/new-fails.cc")
def _():
    def main():
        for _ in range(3):
            if (yield fails()):
                return
    return main


class Tries:
    """A call in a loop that may be interrupted, but not twice in a row, and do half of what it should."""

    def __init__(self):
        self.interrupted = False

    def all_of(self, size):
        while size:
            self.interrupted = not self.interrupted and bool((yield fails()))
            if self.interrupted:
                continue
            size -= size // 2 if size > 1 and (yield fails()) else size


@model("short-read.c")
def _():
    return steps(fails())


@model("short-reads.c")
def _():
    def main():
        if (yield fails()) or (yield fails()):
            return
        yield from Tries().all_of(2)
        yield from Tries().all_of(2)
    return main


def taking(loops):
    def run():
        if (yield fails()):
            if loops:
                yield ("take", "s")
        else:
            yield ("take", "s")
        yield ("post", "s")

    def main():
        yield ("set", "s", 1)
        yield from together(run, run)()
    return main


model("correct/interrupted-semaphore.c")(lambda: taking(True))
model("wrong/interrupted-semaphore.c")(lambda: taking(False))


@model("text-overflow.c", "printed-and-scanned.c", "scanned-too-far.c", "sorted-while-read.c")
def _():
    return steps()


@model("sorted-under-lock.c")
def _():
    alone = steps(("lock", "m"), ("unlock", "m"))
    return together(alone, alone)


# ---- stacks


@model("stack-of-ended-thread.c")
def _():
    return together(steps(("write", "left", 1)), steps(("read", "left")))


@model("frame-that-returned.c")
def _():
    def use():
        if (yield ("read", "lent")):
            yield LOCK
            yield UNLOCK
        yield ("post", "s")
    return together(steps(("write", "lent", 1), ("take", "s")), use)


@model("frames-lent-in-time.c")
def frames_lent_in_time():
    """Three times something is lent; the threads that are made and joined after that do nothing that others see."""
    def main():
        serves = yield ("spawn", steps(*[("take", "go"), ("post", "done")] * 3))
        for _ in range(3):
            yield ("post", "go")
            yield ("take", "done")
        for _ in range(2):
            thread = yield ("spawn", NOTHING)
            yield ("join", thread)
        yield ("join", serves)
    return main


@model("frame-that-does-not-wait.c")
def frame_that_does_not_wait():
    def main():
        yield ("spawn", NOTHING)
        yield ("spawn", steps(("post", "go")))
        yield ("take", "go")
    return main


@model("frame-told-of.c")
def frame_told_of():
    """Who uses the variable goes no further."""
    def use():
        if not (yield ("read", "place")):
            yield ("post", "used")
    return together(steps(("write", "place", 1), ("write", "place", 0), ("write", "place", 2), ("take", "used")), use)


@model("frame-with-a-semaphore.c")
def frame_with_a_semaphore():
    """Nobody takes what the first thread posts: whether the frame with that semaphore has ended by then is no step."""
    def main():
        yield ("spawn", steps(("post", "own")))
        yield ("spawn", steps(("post", "go")))
        yield ("take", "go")
    return main


@model("frame-under-another.c")
def frame_under_another():
    return together(NOTHING)


@model("given-stack-race.c")
def given_stack_race():
    return together(steps(("write", "place", 1), ("take", "over")), steps(("read", "place"), ("post", "over")))


@model("given-stack-taken.c", "given-stack-freed.c")
def given_stack_taken():
    """Who creates the second thread goes no further."""
    def main():
        yield ("spawn", steps(("post", "done")))
        yield ("take", "done")
    return main


@model("coroutines.c", "given-stacks.c")
def _():
    twice = steps(ADD, ADD)
    return together(twice, twice)


@model("floating-point-environment.c", "fault-handled.c")
def _():
    """Whether a handler is there is only read once threads run; ending the process leaves the others to go on."""
    return together(steps(("exchange", "x", 1)), steps(("exchange", "x", 2)))


@model("fault-passed-on.c")
def _():
    return together(steps(ADD))
