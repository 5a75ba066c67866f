#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models of the programs in tests/programs, one function each under the program's name (those of the classical patterns
are in patterns.py, those of queues, locks of one's own and the like in constructions.py, those about memory in memory.py, those
of read-write locks, semaphores and the like in synchronization.py, those of cancellation and signals in interruptions.py, those of clocks and timers in timing.py, those
of destruction in destruction.py, those of ends of the process in ends.py, those of atomic sections in sections.py, those of pipes and the like in channels.py), and a check that the counts the programs' head comments expect are those of the models. What the
comments say is thereby not what Mazurka once said, but what it has to say. A model has to belong to a program that expects something;
programs without counts are named in the line before the last, which is the sum."""
import pathlib
import re
import sys

import channels  # noqa: F401 pylint: disable=unused-import # its models register themselves
import constructions  # noqa: F401 pylint: disable=unused-import # likewise
import destruction  # noqa: F401 pylint: disable=unused-import # likewise
import ends  # noqa: F401 pylint: disable=unused-import # likewise
import interruptions  # noqa: F401 pylint: disable=unused-import # likewise
import memory  # noqa: F401 pylint: disable=unused-import # likewise
import patterns  # noqa: F401 pylint: disable=unused-import # likewise
import sections  # noqa: F401 pylint: disable=unused-import # likewise
import synchronization  # noqa: F401 pylint: disable=unused-import # likewise
import timing  # noqa: F401 pylint: disable=unused-import # likewise
from model import count
from parts import (ADD, LOCK, MODELS, NOTHING, UNLOCK, Rounds, both, increment, is_zero, model, preset, spin, steps,
                   together, with_plain)

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"


@model("spin-flag.c", "spin-flag-deep.c", "polls-for-an-end.c")
def _():
    def reader():
        yield from spin(("read", "flag"), bool)
    return together(steps(("write", "flag", 1)), reader)


@model("spinning-at-exit.c")
def _():
    def reader():
        yield from spin(("read", "flag"), bool)

    def main():
        yield ("spawn", reader)
    return main


@model("assembly-on-the-stack.c")
def _():
    return together(steps(("read", "go")), steps(("write", "go", 1)))


@model("child-of-late-races.c")
def _():
    """Who creates the child does nothing else then: it is as if it went on itself."""
    return together(steps(("write", "ready", 1), ("write", "other", 1)), steps(("exchange", "ready", 2), ("exchange", "other", 2)))


@model("last-writer-checked.c", "exceptions-of-two-kinds.cc")
def _():
    return together(steps(("write", "last", 1)), steps(("write", "last", 2)))


@model("lock-used-by-six.c")
def _():
    return together(*[steps(LOCK, UNLOCK)] * 6)


def test_and_set(exchange):
    def run():
        yield from spin(exchange, is_zero)
        yield ("write", "lock", 0)
    return together(run, run, run)


@model("test-and-set.c", "test-and-set-by-value.c", "compare-exchange-lock.c")
def _():
    return test_and_set(("exchange", "lock", 1))


@model("test-and-set-releasing.c")
def _():
    return test_and_set(("releasing", ("exchange", "lock", 1)))


@model("barrier-of-another-round.c")
def _():
    def later():
        yield from spin(("read", "over"), bool)
        yield ("arrive_in_turn", "b", 2)
    return together(steps(("arrive_in_turn", "b", 2), ("write", "over", 1)), steps(("arrive_in_turn", "b", 2)), later, later)


@model("races-told-apart.c")
def _():
    return together(NOTHING, NOTHING)


@model("race-behind-or.c")
def _():
    return preset(together(steps(("releasing", ("raise_", "flags", 1))), steps(("read", "flags"))), ("flags", 1))


@model("race-behind-fences.c")
def _():
    return preset(together(steps(("releasing", ("exchange", "turn", 3))), steps(("exchange", "turn", 3))), ("turn", 3))


@model("nothing-changed-nor-released.c")
def _():
    return preset(together(steps(("exchange", "word", 6)), steps(("raise_", "word", 2)), steps(("exchange", "word", 6))), ("word", 6))


@model("release-sequence-continued.c")
def _():
    return together(steps(("write", "word", 1)), steps(("compare", "word", 1, 2)), steps(("read", "word")))


@model("release-sequence-ended.c")
def _():
    return together(steps(("write", "word", 1), ("write", "word", 2)), steps(("read", "word")))


@model("file-position-shared.c")
def _():
    return together(*2 * [steps(("update", "position", increment))])


@model("stream-lost-update.c")
def _():
    def run():
        yield ("read", "file")  # opens it
        value = yield ("read", "file")
        if value:
            yield ("write", "file", 0)
            yield ("write", "file", value + 1)
    return preset(together(run, run), ("file", 1))


@model("file-log.c")
def _():
    return together(NOTHING, NOTHING)


@model("stream-locked-twice.c")
@model("stream-locked.c")
def _():
    return together(*2 * [steps(LOCK, UNLOCK)])


@model("assembly-counters.c")
def _():
    return together(steps(("update", "counter", increment), ("update", "bits", increment)),
                    steps(("update", "bits", increment), ("exchange", "word", 1)),
                    steps(("compare", "word", 7, 2), ("update", "counter", increment)))


@model("ticket-lock.c")
def _():
    def run():
        mine = yield ("update", "next", increment)
        yield from spin(("read", "serving"), lambda served: served == mine)
        yield ("write", "serving", mine + 1)
    return together(run, run, run)


@model("mcs-lock.c")
def _():
    def thread(me):
        def run():
            yield ("write", ("waits", me), 1)
            before = yield ("exchange", "last", me)
            if before:
                yield ("write", ("next", before), me)
                yield from spin(("read", ("waits", me)), is_zero)
            after = yield ("read", ("next", me))
            if not after:
                if (yield ("compare", "last", me, 0)):
                    return
                after = yield from spin(("read", ("next", me)), bool)
            yield ("write", ("waits", after), 0)
        return run
    return together(thread(1), thread(2))


@model("sequence-lock.c")
def _():
    def reader():
        rounds, before = Rounds(), None  # what was read last is still there when the next is read
        while True:
            while (before := (yield from rounds.at(("sequence", before), ("read", "sequence")))) % 2:
                pass
            yield from rounds.at(("left", before), ("read", "left"))
            yield from rounds.at(("right", before), ("read", "right"))
            if (yield from rounds.at(("again", before), ("read", "sequence"))) == before:
                return
    sequence = ("update", "sequence", increment)
    return together(steps(sequence, ("write", "left", 1), ("write", "right", 1), sequence), reader)


def peterson(reordered):
    def thread(me):
        def run():
            other = 1 - me
            stores = [("write", ("wants", me), 1), ("write", "turn", other)]
            for store in reversed(stores) if reordered else stores:
                yield store
            rounds = Rounds()
            while ((yield from rounds.at("wants", ("read", ("wants", other))))
                   and (yield from rounds.at("turn", ("read", "turn"))) == other):
                pass
            if reordered:
                if (yield ("update", "inside", increment)) > 0:
                    return
                yield ("update", "inside", lambda inside: inside - 1)
            yield ("write", ("wants", me), 0)
        return run
    return together(thread(0), thread(1))


@model("peterson-reordered.c")
def _():
    return peterson(True)


@model("dekker.c")
def _():
    def thread(me):
        def run():
            other, rounds = 1 - me, Rounds()
            yield ("write", ("wants", me), 1)
            while (yield from rounds.at("wants", ("read", ("wants", other)))):
                if (yield from rounds.at("turn", ("read", "turn"))) == me:
                    continue
                yield ("write", ("wants", me), 0)
                yield from spin(("read", "turn"), lambda turn: turn == me)
                yield ("write", ("wants", me), 1)
                rounds = Rounds()
            yield ("write", "turn", other)
            yield ("write", ("wants", me), 0)
        return run
    return together(thread(0), thread(1))


@model("dekker-without-turn.c")
def _():
    def thread(me):
        def run():
            yield ("write", ("wants", me), 1)
            yield from spin(("read", ("wants", 1 - me)), is_zero)
            yield ("write", ("wants", me), 0)
        return run
    return together(thread(0), thread(1))


@model("trylock-loop.c")
def _():
    def run():
        operation = ("trylock", "m")
        while not (yield operation):
            yield ("yield_",)
            operation = ("await", ("trylock", "m"), 2)
        yield UNLOCK
    return together(run, run, run)


@model("spinning-with-lock.c")
def _():
    def waiter():
        yield LOCK
        yield from spin(("read", "flag"), bool)
        yield UNLOCK
    return together(waiter, steps(LOCK, ("write", "flag", 1), UNLOCK))


@model("peterson.c")
def _():
    return peterson(False)


@model("atomic-counter.c", "thread-local.c", "state-restored.c")
def _():
    return together(steps(ADD, ADD), steps(ADD, ADD))


@model("lost-update.c", "c11-lost-update.c", "lost-update.cc", "return-status.c", "started-by-assembly.c",
       "mapped-memory-lost-update.c", "unlocked-counter-all-points.c", "assembly-lost-update.c", "file-lost-update.c")
def _():
    def run():
        seen = yield ("read", "x")
        yield ("write", "x", seen + 1)
    return together(run, run)


@model("mapped-memory.c")
def _():
    add = steps(("update", "x", lambda value: value + 1))
    return together(add, add)


@model("results-in-variables.c")
def _():
    return together(NOTHING, NOTHING)


@model("released-by-assembly.c", "relaxed-after-assembly.c", "written-by-assembly.c")
def _():
    return together(NOTHING, steps(("read", "flag")))  # the write is in no event


@model("compare-exchange-counter.c")
def _():
    def run():
        seen = yield ("read", "x")
        while not (yield ("compare", "x", seen, seen + 1)):
            seen = 1  # the failed attempt has read it; there are only two threads
    return together(run, run)


@model("compare-exchange-unchecked.c")
def _():
    def run():
        seen = yield ("read", "x")
        yield ("compare", "x", seen, seen + 1)
    return together(run, run)


@model("one-winner.c")
def _():
    return together(*3 * [steps(("compare", "x", 0, 1))])


@model("wide-atomic.c", "publication.c", "relaxed-publication.c", "fence-publication.c", "race-in-one-order.c", "abort.c",
       "two-bugs.c", "exit-status.c", "division-by-zero.c")
def _():
    return together(steps(("write", "x", 1)), steps(("read", "x")))


@model("exit-handler-of-constructor.c")
def _():
    threads = together(steps(("write", "x", 1)), steps(("write", "x", 2)))

    def main():
        yield from threads()
        yield ("read", "x")
    return main


@model("torn-pair.c")
def _():
    return together(steps(("write", "low", 7), ("write", "high", 7)), steps(("read", "low"), ("read", "high")))


@model("neighbouring-atomics.c")
def _():
    return together(*(steps(*2 * [("update", side, increment)]) for side in ("left", "right")))


@model("store-buffer.c")
def _():
    return together(steps(("write", "x", 1), ("read", "y")), steps(("write", "y", 1), ("read", "x")))


@model("locked-counter.c")
def _():
    return together(steps(LOCK, UNLOCK, LOCK, UNLOCK), steps(LOCK, UNLOCK, LOCK, UNLOCK))


@model("unlocked-counter.c", "neighbouring-bytes.c", "bit-field-race.c", "unaligned-race.c", "struct-copy-race.c",
       "memcpy-race.c", "memset-race.c", "strcpy-race.c", "strlen-race.c", "missing-join.c", "thread-results.c",
       "handed-over.c", "unlock-not-held.c", "immediate-exit.c", "heap-overflow.c", "free-in-the-middle.c",
       "wait-without-mutex.c", "atomic-widths.c", "heap-underflow.c", "heap-edges.c", "new-and-free.cc",
       "frame-larger-than-stack.c")
def _():
    return NOTHING


@model("race-beside-lock.c")
def _():
    return together(steps(LOCK, UNLOCK), NOTHING)


@model("memory-functions.c", "recursive-mutex.c", "errorcheck-mutex.c", "stack-shared.c", "use-after-free.c",
       "free-of-a-variable.c", "free-of-held-mutex.c", "drop-after-unlock.c")
def _():
    return together(steps(LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("lock-order.c")
def _():
    return together(both("a", "b"), both("a", "b"))


@model("lock-inversion.c", "given-stack-deadlock.c")
def _():
    return together(both("a", "b"), both("b", "a"))


@model("philosophers.c")
def _():
    return together(*(both(i, (i + 1) % 3) for i in range(3)))


@model("trylock.c", "trylock-unchecked.c")
def _():
    def tries():
        if (yield ("trylock", "m")):
            yield UNLOCK
    return together(steps(LOCK, UNLOCK), tries)


@model("relock.c")
def _():
    return steps(LOCK, LOCK)


@model("unlock-by-another.c")
def _():
    def main():
        yield LOCK
        thread = yield ("spawn", NOTHING)
        yield ("join", thread)
        yield UNLOCK
    return main


@model("destroy-held.c")
def _():
    return steps(LOCK, ("destroy", "mutex", "m"))


@model("forgotten-unlock.c")
def _():
    # the first to lock never unlocks, whoever it is: the other one blocks
    return together(steps(LOCK), steps(LOCK))


def consumer(shared, loops=True, take=1):
    def run():
        yield LOCK
        while shared["items"] == 0:
            yield ("wait", "c", "m")
            if not loops:
                break
        if shared["items"] <= 0:
            return  # the assertion: the thread ends here, with the mutex
        shared["items"] -= take
        yield UNLOCK
    return run


def producer(shared, items, wake, rounds=1, unlock_first=False):
    def run():
        for _ in range(rounds):
            yield LOCK
            shared["items"] += items
            yield UNLOCK if unlock_first else (wake, "c")
            yield (wake, "c") if unlock_first else UNLOCK
    return run


@model("virtual-time.c", "sleep-instead-of-join.c")
def after_sleeping():
    def main():
        thread = yield ("spawn", steps(("yield_",), ("write", "done", 1)))
        yield ("read", "done")
        yield ("join", thread)
    return main


@model("random-numbers.c", "random-device.cc")
def random_numbers():
    def draws(slot):
        return steps(("write", slot, 1), ADD)
    return together(draws("here"), draws("there"))


@model("files.c")
def files():
    return together(steps(ADD, ADD), steps(ADD, ADD), steps(ADD, ADD))


def joins_in_time(*works, then=()):
    """A thread whose end can be seen, and a main that looks whether it has ended, and if not goes on with `then`."""
    def main():
        yield ("spawn", steps(*works, ("write", "end", 1)))
        if not (yield ("read", "end")):
            for operation in then:
                yield operation
    return main


@model("timed-join.c")
def timed_join():
    return joins_in_time()


@model("timed-join-unchecked.c")
def timed_join_unchecked():
    return joins_in_time(("write", "done", 1), then=[("read", "done")])


@model("waiting-for-the-clock.c")
def waiting_for_the_clock():
    return together(NOTHING)


def patient(shared, checked=True):
    """Waits for the value, but not for ever; one that does not check whether it got it fails then, with the lock held."""
    def run():
        yield LOCK
        if not shared["items"]:
            yield ("timedwait", "c", "m")
        if shared["items"] or checked:
            yield UNLOCK
    return run


@model("timed-wait.c", "c11-timed.c", "chrono.cc")
def timed_wait():
    return with_plain(lambda v: [patient(v), producer(v, 1, "signal")])


@model("timed-wait-unchecked.c")
def timed_wait_unchecked():
    return with_plain(lambda v: [patient(v, checked=False), producer(v, 1, "signal")])


@model("two-timed-waits.c")
def two_timed_waits():
    wait = steps(LOCK, ("timedwait", "c", "m"), UNLOCK)
    return together(wait, wait, steps(("signal", "c")))


@model("timed-lock.c", "timed-lock-unchecked.c")
def timed_lock():
    def work():
        if (yield ("timedlock", "m")):
            yield UNLOCK
    return together(work, steps(LOCK, UNLOCK))


@model("condition.c", "c11-threads.c", "standard-library.cc")
def _():
    return with_plain(lambda v: [producer(v, 1, "signal"), consumer(v, take=0)])


@model("signal-after-unlock.c")
def _():
    return with_plain(lambda v: [producer(v, 1, "signal", unlock_first=True), consumer(v, take=0)])


@model("lost-wakeup.c")
def _():
    return together(steps(LOCK, ("signal", "c"), UNLOCK), steps(LOCK, ("wait", "c", "m"), UNLOCK))


@model("broadcast.c")
def _():
    return with_plain(lambda v: [consumer(v), consumer(v), producer(v, 2, "broadcast")])


@model("signal-for-two.c")
def _():
    return with_plain(lambda v: [consumer(v), consumer(v), producer(v, 2, "signal")])


@model("if-instead-of-while.c")
def _():
    return with_plain(lambda v: [consumer(v, loops=False), consumer(v, loops=False), producer(v, 1, "broadcast")])


@model("two-signals.c")
def _():
    return with_plain(lambda v: [consumer(v), consumer(v), producer(v, 1, "signal", rounds=2)])


@model("wait-for-ever.c")
def _():
    return steps(LOCK, ("wait", "c", "m"), UNLOCK)


@model("detached.c")
def _():
    return together(*3 * [steps(ADD)])


@model("nested-threads.c")
def _():
    branch = together(steps(ADD), steps(ADD))

    def looks():
        yield from branch()
        yield ("read", "x")
    return together(looks, looks)


@model("linked-by-lld.c")
def _():
    return together(steps(ADD), steps(ADD), steps(ADD))


@model("local-static.cc")
def _():
    """The guard: a look at it, and a mutex under which it is made. Whether it was is plain, under the mutex."""
    def passes(shared):
        def run():
            if (yield ("read", "guard")):
                return
            yield LOCK
            if not shared["items"]:
                yield ADD
                shared["items"] = 1
                yield ("write", "guard", 1)
            yield UNLOCK
        return run
    return with_plain(lambda v: [passes(v), passes(v)])


@model("many-threads.c")
def _():
    return together(*(steps(("read", i), ("write", i, 1)) for i in range(5)))  # as many traces as with 40


@model("sleeping.c")
def _():
    return together(*2 * [steps(*4 * [("yield_",)])])


@model("shared-mutex-writes-shared.cc")
def _():
    def add():
        yield ("read_lock", "l")
        seen = yield ("read", "count")
        yield ("read_unlock", "l")
        yield ("read_lock", "l")
        yield ("write", "count", seen + 1)
        yield ("read_unlock", "l")

    def main():
        thread = yield ("spawn", add)
        yield from add()
        yield ("join", thread)
        yield ("read", "count")
    return main


@model("thread-not-joined.cc")
def _():
    def main():
        thread = yield ("spawn", steps(("write", "done", 1)))
        if (yield ("read", "done")):
            yield ("join", thread)
    return main


@model("aborts-after-sleeping.c")
def _():
    def main():
        yield ("spawn", steps(("yield_",), ("yield_",)))
    return main


@model("yields.c")
def _():
    return together(*2 * [steps(*2 * [("yield_",)])])


@model("mutex-not-initialised.c")
def _():
    return steps(("choose", 2), LOCK, UNLOCK)


@model("lock-of-freed-mutex.c")
def _():
    return together(steps(("lock", "order"), LOCK, UNLOCK, ("unlock", "order")), steps(("lock", "order"), ("unlock", "order")))


@model("stack-overflow.c")
def _():
    return steps(("write", "kept", 1))  # once or many times, there is nobody else


@model("exit-handlers.c", "heap.c", "reference-count.c", "use-of-dropped-reference.c", "new-and-delete.cc", "small-stacks.c")
def _():
    return together(steps(ADD), steps(ADD))


@model("null-dereference-after-race.c", "null-dereference-volatile.c", "null-dereference-all-points.c",
       "null-dereference-atomic.c")
def _():
    def user():
        if (yield ("read", "p")) == 0:
            yield ("read", "p")
    return together(user, steps(("write", "p", 1)))  # 0: there, 1: gone


@model("double-free.c")
def _():
    def run():
        yield ADD
        if (yield ("read", "x")) == 2:
            yield LOCK
            yield UNLOCK
    return together(run, run)


@model("choose.c")
def _():
    return together(steps(("choose", 2)), steps(("choose", 3)))


@model("choose-finds.c")
def _():
    return steps(("choose", 10))


@model("invariant-holds.c", "invariant-broken.c")
def _():
    # writes to what the invariant reads are all writes to one object
    return together(steps(("write", "invariant", 1), ("write", "invariant", 2)), steps(("write", "invariant", 3), ("write", "invariant", 4)))


@model("invariant-all-points.c")
def _():
    return together(steps(("write", "invariant", 1)), steps(("write", "invariant", 2)))


@model("invariant-under-lock.c", "invariant-under-other-lock.c")
def _():
    # a lock of its own is taken and given back, by a thread that makes plain writes to what the invariant reads
    run = steps(("write", "invariant", 1), ("write", "invariant", 2))
    return together(run, run)


@model("invariant-that-writes.c")
def _():
    return steps(("write", "x", 1))


@model("written-by-the-kernel.c", "read-of-freed-large-block.c")
def _():
    return together(steps(LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("large-blocks.c", "beyond-large-block.c")
def _():
    return together(steps(ADD), steps(ADD))


@model("task-run-late.cc")
def _():
    return steps(LOCK, LOCK)  # one thread: there is one way


@model("use-after-free-all-points.c")
def _():
    """Plain reads are steps too, but nobody writes what they read: only the number of traces is known."""
    def run():
        if (yield ("update", "references", lambda old: old - 1)) == 1:
            yield ("write", "block", "freed")
        else:
            yield ("write", "block", "used")
    return preset(together(run, run), ("references", 2))


@model("large-block-freed-too-early.c")
def _():
    return together(steps(("write", "done", 1)), steps(("read", "done")))


# Counts that are not of this kind; nothing at all where nobody could tell how many there are: such programs are counted apart.
BY_HAND = {
    "objects-of-ones-own.c": {"optimal": 8, "dfs": 24},  # three accesses, each before or after the only one that matters
    "locked-in-any-order.cc": {},  # within a bound, where dfs is the judge
    # how often the C++ library looks before it waits is its own affair
    **dict.fromkeys(("atomic-wait.cc", "counting-semaphore.cc", "latch.cc", "future.cc", "condition-any-jthread.cc",
                     "std-barrier.cc", "counting-semaphore-too-many.cc", "jthread-not-asked.cc", "latch-counted-twice.cc",
                     "promise-broken.cc", "std-barrier-left-early.cc"), {}),
    # what is interrupted looks again, and numbers depend on who made something first; the strategies agree on how often
    **dict.fromkeys(("poll-interrupted.c", "poll-interrupted-unchecked.c", "cancelled-at-epoll.c",
                     "watched-while-waiting.c", "signal-for-whoever-waits.c", "alarm-while-another-sleeps.c"), {}),
    "weak-pointer.cc": {},  # what the library does to its counts is its own affair
    "shared-pointer-raced.cc": {},  # nothing orders what it reads
}

EXPECT = re.compile(r"^ \* expect: (\w+) (\d+)$", re.MULTILINE)


def known(name):
    return name in BY_HAND or name in MODELS


def expected(name):
    if name in BY_HAND:
        return BY_HAND[name]
    if name not in MODELS:
        return None
    result = count(MODELS[name])
    return {"optimal": result["traces"], "dfs": result["interleavings"]}


def main():
    passed = failed = 0
    names, apart = set(), []
    for file in sorted([*PROGRAMS.glob("correct/*.c*"), *PROGRAMS.glob("wrong/*.c*")]):
        said = {strategy: int(n) for strategy, n in EXPECT.findall(file.read_text())}
        name = file.name if known(file.name) else f"{file.parent.name}/{file.name}"
        names.add(name)
        if not said and BY_HAND.get(name) == {}:
            apart.append(file.name)
            continue
        right = expected(name)
        wrong = right is None or not said or any(right.get(strategy) != n for strategy, n in said.items())
        passed, failed = passed + (not wrong), failed + wrong
        if wrong:
            print(f"{file.relative_to(PROGRAMS)}: expects {said}, the model says {right}")
    for name in sorted({*MODELS, *BY_HAND} - names):
        failed += 1
        print(f"{name}: a model without a program")
    print(f"apart: {len(apart)} programs whose counts nobody could tell:", *apart)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
