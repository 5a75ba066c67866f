# SPDX-License-Identifier: MIT
"""Models of programs with read-write locks, semaphores, barriers and what else of pthread is not in corpus.py."""
from itertools import count

from parts import ADD, LOCK, NOTHING, UNLOCK, Rounds, increment, model, preset, spin, steps, together, with_plain

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


@model("thread-attributes.c")
def _():
    return NOTHING


# ---- cancellation: to ask is to set a variable, to hear is to find it set and clear it


CANCEL, HEAR = ("exchange", "asked", 1), ("compare", "asked", 1, 0)


@model("cancelled-at-points.c", "cancelled-before-handler.c")
def cancelled_at_points():
    def run():
        if not (yield HEAR):
            yield HEAR
    return together(run, steps(CANCEL))


@model("cancel-switched-off.c", "cancelled-cxx.cc", "cancellation-swallowed.cc")
def cancelled_once():
    return together(steps(HEAR), steps(CANCEL))


@model("left-side-by-side.cc")
def left_side_by_side():
    leave = steps(LOCK, UNLOCK, LOCK, UNLOCK)
    return together(leave, leave)


@model("cancel-of-joined.c", "cancel-of-joined-elsewhere.c", "cancel-beside-join.c")
def cancel_of_joined():
    return together(NOTHING)


@model("cancelled-with-lock.c")
def cancelled_with_lock():
    def run():
        yield LOCK
        if not (yield HEAR):
            yield UNLOCK
    return together(run, steps(CANCEL, LOCK, UNLOCK))


def cancelled_waiting(wait):
    """Whoever waits like that, `wait` says how and ends with whether it is not cancelled, and who cancels it first and
    signals then."""
    def build(shared):
        def run():
            yield LOCK
            goes_on = True
            while goes_on and not shared["items"]:
                goes_on = not (yield HEAR) and (yield from wait())
            yield UNLOCK

        def cancel():
            yield CANCEL
            yield LOCK
            shared["items"] = 1
            yield ("signal", "c")
            yield UNLOCK
        return [run, cancel]
    return with_plain(build)


@model("cancelled-in-wait.c")
def cancelled_in_wait():
    def wait():
        return (yield ("hearing_wait", "c", "m", "asked")) or not (yield HEAR)
    return cancelled_waiting(wait)


@model("cancelled-in-timed-wait.c")
def cancelled_in_timed_wait():
    def wait():
        if (yield ("timedwait", "c", "m")):
            return True
        yield HEAR
        return False  # also if it is not cancelled: time is up
    return cancelled_waiting(wait)


@model("cancelled-of-two.c")
def cancelled_of_two():
    def main():
        shared = {"tokens": 0}

        def take(name):
            def run():
                yield LOCK
                hear, goes_on = ("compare", name, 1, 0), True
                while goes_on and not shared["tokens"]:
                    goes_on = not (yield hear)
                    if goes_on and not (yield ("hearing_wait", "c", "m", name)):
                        goes_on = not (yield hear)
                shared["tokens"] -= goes_on
                yield UNLOCK
            return run

        first = yield ("spawn", take("first"))
        second = yield ("spawn", take("second"))
        yield LOCK
        shared["tokens"] = 2
        yield ("signal", "c")
        yield UNLOCK
        yield ("exchange", "first", 1)
        yield ("join", first)
        yield ("exchange", "second", 1)
        yield ("join", second)
    return main


@model("cancelled-at-semaphore.c")
def cancelled_at_semaphore():
    def run():
        hear = HEAR
        while not (yield hear):
            if (yield ("try_take", "s")):
                return
            hear = ("await", HEAR, 2)
    return together(run, steps(POST), steps(CANCEL))


@model("cancelled-join.c")
def cancelled_join():
    def hear(name):
        return ("compare", name, 1, 0)

    def sleeper():
        yield from spin(hear("sleeper"), bool)
        yield ("write", "end", 1)

    def joiner():
        while not (yield hear("joiner")):
            if (yield ("hearing_join", "end", "joiner")):
                return

    def main():
        yield ("spawn", sleeper)
        number = yield ("spawn", joiner)
        yield ("exchange", "joiner", 1)
        yield ("join", number)
        yield ("exchange", "sleeper", 1)
    return main


# ---- signals: one that is pending is a bit, and a thread looks for those that it does not block before each operation


USR1, USR2, ALL = 1, 2, 3
KILL = ("raise_", "asked", USR1)


def handled(bits, handler=NOTHING, asked="asked"):
    """The signals of these are handled, until none is pending."""
    while (yield ("lower", asked, bits)):
        yield from handler()


def got(attempt, handler=NOTHING, asked="asked"):
    """Tries until it succeeds, and handles signals while it waits for that to be worth another try."""
    yield from handled(USR1, handler, asked)
    while not (yield attempt):
        if (yield ("await", ("lower", asked, USR1), 2)):
            yield from handler()
            yield from handled(USR1, handler, asked)


def interruptible(*operations, handler=NOTHING):
    def run():
        for operation in operations:
            yield from handled(USR1, handler)
            yield operation
    return run


@model("signal-handled.c")
def signal_handled():
    return together(interruptible(ADD, ADD, handler=steps(("read", "x"))), steps(KILL))


@model("handler-locks.c")
def handler_locks():
    def handler():
        yield from got(TRYLOCK)
        yield UNLOCK

    def work():
        yield from got(TRYLOCK, handler)
        yield from handled(USR1, handler)
        yield UNLOCK
    return together(work, steps(KILL))


TRYLOCK = ("trylock", "m")


def holder_waits_for_handler(get, give_back, holds, gives):
    """Who holds something that is given back only after the handler of a thread that wants it has run."""
    post = steps(POST)

    def work():
        yield from got(get, post)
        yield from handled(USR1, post)
        yield give_back

    def main():
        yield holds
        number = yield ("spawn", work)
        yield KILL
        yield from got(("try_take", "s"), asked="main")
        yield gives
        yield ("join", number)
    return main


@model("handler-while-locked-out.c")
def handler_while_locked_out():
    return holder_waits_for_handler(TRYLOCK, UNLOCK, TRYLOCK, UNLOCK)


@model("handler-of-waiting-reader.c")
def handler_of_waiting_reader():
    return holder_waits_for_handler(("try_read", "l"), ("read_unlock", "l"), ("try_write", "l"), ("write_unlock", "l"))


@model("handler-of-waiting-writer.c")
def handler_of_waiting_writer():
    post = steps(POST)

    def write():
        yield from handled(USR1, post)
        yield ("announce", "l")
        yield from got(("try_announced", "l"), post)
        yield from handled(USR1, post)
        yield ("write_unlock", "l")

    def read():
        yield from got(("try_read", "l"), asked="reader")
        yield ("read_unlock", "l")

    def main():
        yield ("try_read", "l")
        numbers = [(yield ("spawn", write)), (yield ("spawn", read))]
        yield KILL
        yield from got(("try_take", "s"), asked="main")
        yield ("read_unlock", "l")
        for number in numbers:
            yield ("join", number)
    return main


def round_again(asked, handler=NOTHING):
    """Reads what a handler tells, until it has."""
    rounds = Rounds()
    for turn in count():
        if (yield from rounds.at(turn, ("lower", asked, USR1))):
            yield from handler()
            yield from handled(USR1, handler, asked)
            rounds = Rounds()
        if (yield from rounds.at("told", ("read", "told"))):
            return


TELL = steps(("write", "told", 1))


@model("handler-ends-own-loop.c")
def handler_ends_own_loop():
    def run():
        return round_again("asked", TELL)
    return together(run, steps(KILL))


@model("handler-of-spinning-thread.c")
def handler_of_spinning_thread():
    def work():
        yield from got(TRYLOCK, TELL)
        yield from handled(USR1, TELL)
        yield UNLOCK

    def main():
        yield TRYLOCK
        number = yield ("spawn", work)
        yield KILL
        yield from round_again("main")
        yield UNLOCK
        yield ("join", number)
    return main


@model("handler-during-once.c")
def handler_during_once():
    post = steps(POST)

    def wait():
        yield from handled(USR1, post)
        if not (yield ("read", "done")):
            yield from got(TRYLOCK, post)
            yield from handled(USR1, post)
            yield UNLOCK

    def main():
        yield ("read", "done")
        yield TRYLOCK
        number = yield ("spawn", wait)
        yield KILL
        yield from got(("try_take", "s"), asked="main")
        yield ("unlock_and_write", "m", "done", 1)
        yield ("join", number)
    return main


@model("handler-after-wait-for-condition.c")
def handler_after_wait_for_condition():
    post = steps(POST)

    def main():
        shared = {"ready": False}

        def wait():
            yield from got(TRYLOCK, post)
            while not shared["ready"]:
                yield from handled(USR1, post)
                left = not (yield ("hearing_wait_only", "c", "m", "asked"))
                yield from got(TRYLOCK, post)
                if left:
                    yield from handled(USR1, post)
            yield from handled(USR1, post)
            yield UNLOCK

        number = yield ("spawn", wait)
        yield from got(TRYLOCK, asked="main")
        shared["ready"] = True
        yield ("signal", "c")
        yield KILL
        yield from got(("try_take", "s"), asked="main")
        yield UNLOCK
        yield ("join", number)
    return main


@model("futex-interrupted.c")
def futex_interrupted():
    def wait():
        while True:
            yield from handled(USR1)
            if (yield ("hearing_futex_wait", "word", 0, "asked")):
                return
            if (yield ("lower", "asked", USR1)):
                yield from handled(USR1)
    return together(wait, steps(KILL, ("write", "word", 1), ("futex_wake", "word")))


@model("futex-interrupted-unchecked.c")
def futex_interrupted_unchecked():
    def wait():
        yield from handled(USR1)
        if not (yield ("hearing_futex_wait", "word", 0, "asked")):
            yield from handled(USR1)
        yield from handled(USR1)
        yield ("read", "word")
    return together(wait, steps(KILL, ("write", "word", 1), ("futex_wake", "word")))


@model("handler-takes-awaited-lock.c")
def handler_takes_awaited_lock():
    def handler():
        return got(TRYLOCK)

    def work():
        yield from got(TRYLOCK, handler)
        yield from handled(USR1, handler)
        yield UNLOCK

    def main():
        yield TRYLOCK
        number = yield ("spawn", work)
        yield KILL
        yield UNLOCK
        yield ("join", number)
    return main


@model("handler-arrives-too.c")
def handler_arrives_too():
    def meet(asked, handler=NOTHING):
        yield from handled(USR1, handler, asked)
        target = ((yield ("update", "n", increment)) // 2 + 1) * 2
        while not (yield ("when", lambda memory: memory.get("n", 0) >= target or memory.get(asked, 0),
                          lambda memory: (memory.get("n", 0) >= target, ["n", asked], []))):
            yield from handled(USR1, handler, asked)

    def work():
        return meet("asked", lambda: meet("asked"))

    def main():
        number = yield ("spawn", work)
        yield KILL
        yield from meet("main")
        yield ("join", number)
    return main


@model("handler-at-barrier.c")
def handler_at_barrier():
    def meet(parity, asked, handler=NOTHING):
        counted = ("semaphore", parity)
        yield from handled(USR1, handler, asked)
        yield ("post", parity)
        while True:
            if (yield ("when", lambda memory: memory.get(parity, 0) == 2 or memory.get(asked, 0),
                       lambda memory: (memory.get(parity, 0) == 2, [counted, asked], []))):
                return
            yield from handled(USR1, handler, asked)

    def work():
        yield from meet("first", "asked", steps(POST))
        yield from meet("second", "asked", steps(POST))

    def main():
        number = yield ("spawn", work)
        yield KILL
        yield from got(("try_take", "s"), asked="main")
        yield from meet("first", "main")
        yield from meet("second", "main")
        yield ("join", number)
    return main


@model("signal-interrupts-semaphore.c")
def signal_interrupts_semaphore():
    def run():
        yield from handled(USR1)
        while not (yield ("try_take", "s")):
            if (yield ("await", ("lower", "asked", USR1), 2)):
                yield from handled(USR1)
                return
    return together(run, steps(KILL, POST))


@model("signal-waited-for.c")
def signal_waited_for():
    def run():
        look = ("lower", "asked", ALL)
        while not (yield look):
            look = ("await", ("lower", "asked", ALL), 1)
    return together(run, steps(("raise_", "asked", USR2), KILL))


@model("number-of-signal-raced.c")
def number_of_signal_raced():
    def run():
        look = ("lower", "asked", USR1)
        while not (yield look):
            look = ("await", ("lower", "asked", USR1), 1)
    return together(run, steps(KILL))


@model("signal-blocked.c")
def signal_blocked():
    def run():
        yield from handled(USR2)
        yield ("read", "asked")
        yield from handled(ALL)
        yield ("raise_", "asked", USR2)
        yield from handled(ALL)
    return together(run, steps(KILL))


@model("signal-ends-sleep.c")
def signal_ends_sleep():
    def run():
        yield from handled(USR1)
        yield ("yield_",)
        yield from handled(USR1)
    return together(run, steps(KILL))


def told_by_handler(unblocked):
    """Waits, once it has looked, with these signals not blocked before."""
    tell = steps(("lower", "asked", 0), ("write", "told", 1))

    def wait():
        while True:
            yield from handled(unblocked, tell)
            if (yield ("read", "told")):
                return
            yield from handled(unblocked, tell)
            look = ("lower", "asked", USR1)
            while not (yield look):
                look = ("await", ("lower", "asked", USR1), 1)
            yield from tell()
    return together(wait, steps(KILL))


@model("suspended-until-signal.c")
def suspended_until_signal():
    return told_by_handler(0)


@model("pause-after-look.c")
def pause_after_look():
    return told_by_handler(USR1)


@model("signal-without-handler.c")
def signal_without_handler():
    return together(steps(("read", "action")), steps(("write", "action", 1)))


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


# ---- destruction

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
