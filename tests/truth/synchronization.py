# SPDX-License-Identifier: MIT
"""Models of programs with read-write locks, semaphores, barriers and what else of pthread is not in corpus.py."""
from parts import LOCK, NOTHING, UNLOCK, increment, is_zero, model, preset, spin, steps, together

READS = steps(("read_lock", "l"), ("read_unlock", "l"))
WRITES = steps(("write_lock", "l"), ("write_unlock", "l"))
ANNOUNCES = steps(("announce", "l"), ("announced_lock", "l"), ("write_unlock", "l"))
TAKE, POST = ("take", "s"), ("post", "s")


@model("read-write-lock.c")
def _():
    return together(WRITES, READS, READS)


@model("writers-first.c")
def _():
    return together(ANNOUNCES, READS, READS)


@model("read-write-try.c")
def _():
    def reads():
        if (yield ("try_read", "l")):
            yield ("read_unlock", "l")

    def writes():
        if (yield ("try_write", "l")):
            yield ("write_unlock", "l")
    return together(writes, reads, reads)


@model("spin-lock.c")
def _():
    run = steps(("lock", "l"), ("unlock", "l"))
    return together(run, run, run)


@model("barrier.c")
def _():
    run = steps(("arrive", "b", 3), ("arrive", "b", 3))
    return together(run, run, run)


@model("barrier-left-by-the-last.c")
def _():
    arrive = ("arrive", "b", 3)
    return together(steps(("write", "word", 1), arrive), steps(arrive, ("write", "word", 2)), steps(("read", "word"), arrive, ("read", "word")))


@model("serial-thread-is-any.c", "serial-thread-is-another.c")
def _():
    run = steps(("arrive_as_any", "b", 3), ("arrive_as_any", "b", 3))
    return together(run, run, run)


@model("semaphore.c")
def _():
    return together(steps(POST), steps(POST), steps(TAKE, TAKE))


@model("semaphore-of-two.c")
def _():
    def run():
        if (yield ("try_take", "s")):
            yield ("update", "inside", increment)
            yield ("update", "inside", lambda inside: inside - 1)
            yield POST

    def main():
        yield from together(run, run, run)()
        yield ("value", "s")
    return preset(main, ("s", 2))


@model("semaphore-by-name.c")
def _():
    names = ("update", "names", increment)

    def main():
        yield names
        yield from together(steps(names, POST), steps(names, TAKE))()
        yield names
    return main


@model("read-lock-for-writing.c")
def _():
    return together(READS, READS)


@model("lock-upgrade.c")
def _():
    run = steps(("read_lock", "l"), ("write_lock", "l"), ("write_unlock", "l"), ("read_unlock", "l"))
    return together(run, run)


@model("read-again-behind-writer.c")
def _():
    reads = steps(("read_lock", "l"), ("read_lock", "l"), ("read_unlock", "l"), ("read_unlock", "l"))
    return together(reads, ANNOUNCES)


@model("read-write-lock-not-held.c")
def _():
    return READS


@model("spin-lock-destroyed.c")
def _():
    def main():
        yield ("lock", "l")
        thread = yield ("spawn", steps(("lock", "l"), ("unlock", "l")))
        yield ("destroy", "mutex", "l")
        yield ("unlock", "l")
        yield ("join", thread)
    return main


@model("barrier-too-few.c")
def _():
    run = steps(("arrive", "b", 3))
    return together(run, run)


@model("barrier-on-one-side.c")
def _():
    run = steps(("arrive", "b", 2))
    return together(run, run)


@model("barrier-for-any-two.c")
def _():
    def main():
        threads = []
        for _ in range(3):
            threads.append((yield ("spawn", steps(("arrive_in_turn", "b", 2), ("update", "met", lambda met: met + 1)))))
        yield ("arrive_in_turn", "b", 2)
        for thread in threads:
            yield ("join", thread)
    return main


@model("barrier-for-one-too-many.c")
def _():
    def main():
        threads = [(yield ("spawn", steps(("write", "ready", 1), ("arrive_in_turn", "b", 2)))),
                   (yield ("spawn", steps(("arrive_in_turn", "b", 2))))]
        yield ("arrive_in_turn", "b", 2)
        if (yield ("read", "ready")):
            for thread in threads:
                yield ("join", thread)
    return main


@model("semaphore-posted-once.c")
def _():
    return together(steps(TAKE), steps(TAKE), steps(POST))


@model("post-of-another.c")
def _():
    return together(steps(POST), steps(POST), steps(TAKE))


def once(function=()):
    """Does the function once, as operations: 0 new, 1 done."""
    if (yield ("read", "once")):
        return
    yield ("lock", "once")
    if (yield from peek("once")):
        yield ("unlock", "once")
        return
    yield from function
    yield ("unlock_and_write", "once", "once", 1)


def peek(name):
    """What is there, seen without a step."""
    return (yield ("peek", name))


@model("once.c")
def _():
    return together(once, once, once)


@model("once-c11.c")
def _():
    return together(once, once)


@model("once-that-throws.cc")
def _():
    tries = []

    def main():
        tries.clear()

        def run():
            if (yield ("read", "once")):
                return
            yield ("lock", "once")
            if (yield from peek("once")):
                yield ("unlock", "once")
                return
            tries.append(None)
            if len(tries) == 1:
                yield ("unlock", "once")
            else:
                yield ("unlock_and_write", "once", "once", 1)
        yield from together(run, run)()
    return main


@model("once-looked-at.c")
def _():
    return together(once, NOTHING)


@model("keys.c")
def _():
    destroy = ("update", "destroyed", increment)
    keys = ("update", "keys", increment)

    def main():
        yield keys
        yield from together(steps(destroy), steps(destroy, destroy))()
        yield ("read", "destroyed")
        yield keys
    return main


@model("keys-c11.c", "key-of-another.c")
def _():
    return steps(("update", "keys", increment))


@model("cleanup-handlers.c")
def _():
    def main():
        thread = yield ("spawn", steps(("lock", "m"), ("unlock", "m")))
        yield ("join", thread)
        yield ("trylock", "m")
    return main


@model("leaving-cxx.cc")
def _():
    return NOTHING


@model("trying-to-join.c")
def _():
    def main():
        thread = yield ("spawn", steps(("write", "end", 1)))
        yield ("read", "end")
        yield ("join", thread)
    return main


@model("once-within-itself.c")
def _():
    return steps(("read", "once"), ("lock", "once"), ("read", "once"), ("lock", "once"))


@model("exit-with-lock.c")
def _():
    return together(steps(("lock", "m")), steps(("lock", "m"), ("unlock", "m")))


@model("futex.c")
def _():
    def waits():
        if not (yield ("read", "w")):
            yield ("futex_wait", "w", 0)
        yield ("read", "w")
    return together(waits, steps(("write", "w", 1), ("futex_wake", "w")))


@model("futex-without-look.c")
def _():
    def waits():
        if not (yield ("read", "w")):
            yield ("futex_wait", "o", 0)
    return together(waits, steps(("write", "w", 1), ("futex_wake", "o")))


def at_futex(waits, others, *rest):
    """Two threads that wait, and a main that changes the word and does the rest."""
    def main():
        numbers = [(yield ("spawn", waits)), (yield ("spawn", others))]
        yield ("write", "w", 1)
        yield from steps(*rest)()
        for number in numbers:
            yield ("join", number)
    return main


@model("woken-in-turn.c", "woken-by-each-other.c")
def woken_in_turn():
    def waits():
        if (yield ("futex_wait", "w", 0)):
            yield ("futex_wake", "w", 1)
    return at_futex(waits, waits, ("futex_wake", "w", 1))


AT_FUTEX = steps(("futex_wait", "w", 0))


@model("moved-to-another-futex.c")
def _():
    """Before it moves them it looks at the word and finds another value than it expects."""
    def looks(kind):
        return ("futex_requeue_if", "w", 1, "u", kind)
    return at_futex(AT_FUTEX, AT_FUTEX, looks(False), looks(True), ("futex_wake", "u", 1))


@model("moved-and-forgotten.c")
def _():
    return at_futex(AT_FUTEX, AT_FUTEX, ("futex_requeue", "w", 1, "u"))


def at_bits(first, second):
    return at_futex(steps(("futex_wait", "w", 0, 1)), steps(("futex_wait", "w", 0, 2)),
                    ("futex_wake", "w", 1, first), ("futex_wake", "w", 1, second))


@model("futex-bits.c")
def _():
    return at_bits(2, 5)


@model("futex-other-bits.c")
def _():
    return at_bits(1, 1)


@model("shared-mutex.cc")
def _():
    return together(WRITES, READS)


@model("robust-mutex.c")
def _():
    run = steps(("lock", "m"), ("unlock", "m"))
    return together(run, run)


@model("robust-mutex-unrepaired.c")
def _():
    run = steps(("lock", "m"), ("unlock", "m"))

    def main():
        yield from together(run, run)()
        yield from run()
    return main


def waits_until_ready(*after):
    def waits():
        yield ("lock", "m")
        while not (yield ("peek", "ready")):
            yield ("wait", "c", "m")
        yield ("unlock", "m")
        yield from steps(*after)()
    return waits


def gets_ready(*then):
    def thread():
        yield ("lock", "m")
        yield ("set", "ready", 1)
        yield from steps(*then)()
    return thread


@model("owner-died-while-waiting.c")
def _():
    return together(waits_until_ready(), gets_ready(("signal", "c"), ("unlock", "m")))


@model("owner-died-unnoticed.c")
def _():
    """Who waited has made the mutex useless: it is got once more, to see that, and given back."""
    return together(waits_until_ready(("lock", "m"), ("unlock", "m")), gets_ready(("signal", "c"), ("unlock", "m")))


@model("wait-with-recursive-mutex.c")
def _():
    return together(waits_until_ready(), gets_ready(("unlock", "m"), ("signal", "c")))


@model("wait-with-mutex-held-twice.c")
def _():
    """If it would have to wait it stops, with the mutex."""
    def waits():
        yield ("lock", "m")
        if (yield ("peek", "ready")):
            yield ("unlock", "m")
    return together(waits, gets_ready(("unlock", "m"), ("signal", "c")))


POST_TO_MANY = steps(("update", "s", lambda value: value + 1))  # it may be full: posts do not commute


@model("semaphore-is-full.c")
def _():
    return together(POST_TO_MANY, POST_TO_MANY, POST_TO_MANY)


@model("semaphore-overflows.c")
def _():
    return together(POST_TO_MANY, POST_TO_MANY)


@model("semaphore-in-any-memory.c", "refused-by-posix.c", "points-that-posix-requires.c", "printed-into-a-pipe.c",
       "socket-options.c")
def _():
    return NOTHING


@model("wake-of-what-is-gone.c")
def _():
    def main():
        thread = yield ("spawn", steps(("write", "word", 1), ("futex_wake", "word", 1)))
        while not (yield ("read", "word")):
            yield ("futex_wait", "word", 0)
        yield ("join", thread)
    return main


@model("thread-attributes.c", "given-stack-too-large.c", "default-attributes.c")
def _():
    return NOTHING


# ---- priorities, which change nothing


@model("priority-mutexes.c")
def priority_mutexes():
    return together(steps(LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("ceiling-while-held.c")
def ceiling_while_held():
    return steps(LOCK, LOCK)


@model("read-lock-given-back-by-another.c")
def _():
    return together(READS, READS)


@model("read-again-beside-writer.c")
def _():
    reads = steps(("read_lock", "l"), ("read_lock", "l"), ("read_unlock", "l"), ("read_unlock", "l"))
    return together(reads, WRITES)


@model("timed-writer-first.c")
def _():
    def reads():
        yield ("read_lock", "l")
        if (yield ("try_read", "l")):
            yield ("read_unlock", "l")
        yield ("read_unlock", "l")

    def writes():
        yield ("announce", "l")
        if (yield ("try_announced", "l")):
            yield ("write_unlock", "l")
        else:
            yield ("withdraw", "l")
    return together(reads, writes)


@model("free-of-lock-that-is-read.c")
def _():
    return steps(("read_lock", "l"))


@model("read-write-lock-errors.c")
def _():
    return NOTHING


# ---- results, which are no steps


@model("result-of-join-raced.c")
def result_of_join_raced():
    return together(NOTHING, NOTHING)


@model("value-of-semaphore-raced.c")
def value_of_semaphore_raced():
    return together(steps(("value", "s")), steps(("value", "s")))


@model("results-in-turn.c")
def results_in_turn():
    threads = steps(LOCK, ("value", "s"), UNLOCK)
    return together(threads, threads)


@model("thread-settings.c")
def thread_settings():
    return steps()


@model("fence-of-all-threads.c")
def fence_of_all_threads():
    def main():
        number = yield ("spawn", steps(("write", "reads", 1), ("read", "current"), ("write", "reads", 0)))
        yield ("write", "current", 1)
        yield from spin(("read", "reads"), is_zero)
        yield ("join", number)
    return main
