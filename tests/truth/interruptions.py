# SPDX-License-Identifier: MIT
"""Models of programs whose threads are cancelled or get signals."""
from itertools import count

from channels import act
from parts import ADD, LOCK, NOTHING, UNLOCK, Rounds, increment, model, spin, steps, together, with_plain
from synchronization import POST


# ---- cancellation: to ask is to set a variable, to hear is to find it set and clear it


CANCEL, HEAR = ("exchange", "asked", 1), ("compare", "asked", 1, 0)


@model("cancelled-at-points.c", "cancelled-before-handler.c")
def cancelled_at_points():
    def run():
        if not (yield HEAR):
            yield HEAR
    return together(run, steps(CANCEL))


@model("given-stack-unwound.cc")
def given_stack_unwound():
    """The thread that throws has ended before the next one, which is cancelled, is made."""
    def wait():
        hear = HEAR
        while not (yield hear):
            yield ("try_take", "s")
            hear = ("await", HEAR, 2)

    def main():
        throws = yield ("spawn", NOTHING)
        yield ("join", throws)
        waits = yield ("spawn", wait)
        yield CANCEL
        yield ("join", waits)
    return main


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


@model("watchdog-without-need.c")
def watchdog_without_need():
    def main():
        threads = []
        for _ in range(2):
            threads.append((yield ("spawn", steps(LOCK, UNLOCK, POST))))
        for _ in threads:
            yield ("take", "s")
        for thread in threads:
            yield ("join", thread)
        yield ("destroy", "semaphore", "s")
    return main


@model("own-signal-kept.c")
def own_signal_kept():
    return NOTHING


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


# ---- signals to the process: any thread that does not block one takes it


@model("signal-for-the-waiter.c")
def signal_for_the_waiter():
    """The last look is main's, at what is pending after the join."""
    def wait():
        look = ("lower", "process", USR2)
        while not (yield look):
            look = ("await", ("lower", "process", USR2), 1)

    def main():
        number = yield ("spawn", wait)
        yield ("raise_", "process", USR2)
        yield ("join", number)
        yield ("read", "process")
    return main


@model("signal-for-any-of-two.c")
def signal_for_any_of_two():
    def work():
        yield from handled(USR1, asked="process")

    def main():
        a = yield ("spawn", work)
        b = yield ("spawn", work)
        yield ("raise_", "process", USR1)
        yield ("join", a)
        yield ("join", b)
        yield ("read", "process")
    return main


@model("signals-in-a-queue.c", "handlers-nested.c")
def signals_of_one_thread():
    return steps(("read", "process"))


@model("signal-meant-for-main.c")
def signal_meant_for_main():
    """The thread looks once, and handling the signal ends it."""
    def work():
        if not (yield ("lower", "process", USR1)):
            yield ADD

    def main():
        number = yield ("spawn", work)
        yield ("raise_", "process", USR1)
        yield from handled(USR1, asked="process")
        yield from handled(USR1, asked="process")
        yield ("join", number)
    return main


@model("handled-before-joined.c")
def handled_before_joined():
    """Ends are writes, and what waits for one looks at the requests in the same step."""
    def send():
        yield KILL
        yield ("write", "end", 1)

    def main():
        yield ("spawn", send)
        while True:
            yield from handled(USR1)
            if (yield ("hearing_join", "end", "asked")):
                break
        yield from handled(USR1)
    return main


# ---- signals that are ignored: to send one is a step that looks whether it is, and writes the requests in any case; to
# ignore one is a step that writes the requests to all threads, each of which may look once more then


def ends_after(end, asked):
    """Waits for that end, and looks before, and whenever the requests were written meanwhile."""
    while True:
        yield ("read", asked)
        if (yield ("hearing_join", end, asked)):
            break


@model("ignored-signals.c")
def ignored_signals():
    """One thread but for the last function, whose other thread sends the first one a signal and then ignores another."""
    def main():
        yield ("spawn", steps(("write", "main", 1), ("write", "main", 2), ("write", "end", 1)))
        yield from ends_after("end", "main")
    return main


@model("ignored-after-it-was-sent.c")
def ignored_after_it_was_sent():
    """Ignored before, the signal is kept as well: it is blocked. The thread that waits for it takes no other look."""
    def keep(memory):
        memory["asked"] = USR1

    def discard(memory):
        memory["asked"] = 0

    def wait():
        look = ("lower", "asked", USR1)
        while not (yield look):
            look = ("await", ("lower", "asked", USR1), 1)

    def main():
        waits = yield ("spawn", wait)
        yield ("spawn", steps(act(writes=["ignored", "asked", "main"], action=discard), ("write", "end", 1)))
        yield ("read", "main")
        yield act(reads=["ignored"], writes=["asked"], action=keep)
        yield from ends_after("end", "main")
        yield ("join", waits)
    return main


@model("ignored-or-handled.c")
def ignored_or_handled():
    """The thread that unblocks the signal looks for it then, and once more after each that it takes."""
    def unblock():
        yield ("write", "unblocked", 1)
        while (yield ("lower", "asked", USR1)):
            if (yield ("read", "handler")):
                yield ("write", "handled", 1)

    def keep_or_not(memory):
        if memory.get("handler") or not memory.get("unblocked"):
            memory["asked"] = USR1

    def main():
        target = yield ("spawn", unblock)
        other = yield ("spawn", steps(("write", "handler", 1)))
        yield act(reads=["handler", "unblocked"], writes=["asked"], action=keep_or_not)
        yield ("join", other)
        yield ("join", target)
        yield ("read", "handled")
    return main
