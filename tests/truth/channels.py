# SPDX-License-Identifier: MIT
"""Models of programs with pipes, sockets, eventfds, poll and epoll.

A queue is an object: a tuple of what is in it, and whether it has ended or is broken. Whatever reads from it or writes
to it writes the object; to look at it (poll), or to find that it has nothing, reads it. Every call looks up first what
its number stands for, which reads the number; to close writes it, and the queue. All that is made is made before there
are threads, or else it is said here."""
from collections import namedtuple

from parts import LOCK, UNLOCK, increment, model, preset, steps, together

Queue = namedtuple("Queue", "items ended broken limit", defaults=((), False, False, 100))


def always(_memory):
    return True


def act(reads=(), writes=(), action=None, guard=always):
    """One step that touches just this."""
    return ("when", guard, lambda memory: (action(memory) if action else None, reads, writes))


def look(*numbers):
    """What the first number stands for: by default itself."""
    return act(reads=[("number", n) for n in numbers], action=lambda memory: memory.get(("number", numbers[0]), numbers[0]))


def queue_in(memory, name):
    return memory.get(name, 0) or Queue()


def is_readable(queue):
    return queue.items or queue.ended


def send(name, *items):
    def action(memory):
        queue = queue_in(memory, name)
        if not queue.broken:
            memory[name] = queue._replace(items=queue.items + items)
        return not queue.broken
    return act(writes=[name], action=action, guard=lambda memory: (
        queue_in(memory, name).broken or len(queue_in(memory, name).items) + len(items) <= queue_in(memory, name).limit))


def take(memory, name, most):
    queue = queue_in(memory, name)
    memory[name] = queue._replace(items=queue.items[most:])
    return queue.items[:most]


def receive(name, most=1):
    return act(writes=[name], action=lambda memory: take(memory, name, most),
               guard=lambda memory: is_readable(queue_in(memory, name)))


def try_receive(name, most=1):
    """() if there is nothing, which is also the end."""
    def action(memory):
        some = bool(is_readable(queue_in(memory, name)))
        return take(memory, name, most), [name] * (not some), [name] * some
    return ("when", always, action)


def poll(*names, forever=True):
    """Which of them have something."""
    def action(memory):
        return tuple(name for name in names if is_readable(queue_in(memory, name)))
    return act(reads=names, action=action, guard=action if forever else always)


def close(number, **becomes):
    """What becomes of the queue of that name: ended or broken."""
    def action(memory):
        memory["number", number] = None
        for name, what in becomes.items():
            memory[name] = queue_in(memory, name)._replace(**{what: True})
    return act(writes=[("number", number), *becomes], action=action)


def calls(number, step):
    """Looks up a number, and then does this."""
    yield look(number)
    return (yield step)


def sends(*items):
    def run():
        for item in items:
            yield from calls("w", send("q", item))
    return run


@model("pipe-records.c")
def _():
    def main():
        threads = []
        for item in "ab":
            threads.append((yield ("spawn", sends(item))))
        for _ in range(2):
            yield from calls("r", receive("q"))
        for thread in threads:
            yield ("join", thread)
    return main


@model("pipe-records-in-pieces.c", "socket-frames-interleaved.c")
def _():
    return together(sends("a", "b"), sends("c", "d"))


@model("socket-frames.c")
def _():
    def run():
        yield LOCK
        yield from sends("a", "b")()
        yield UNLOCK
    return together(run, run)


def self_pipe(drains_first):
    def submit():
        yield ("update", "work", increment)
        yield from sends("x")()

    def main():
        done = 0
        for _ in range(2):
            yield ("spawn", submit)
        while done < 2:
            yield from calls("r", poll("q"))
            if drains_first:
                yield from calls("r", try_receive("q", 8))
            done += yield ("exchange", "work", 0)
            if not drains_first:
                yield from calls("r", try_receive("q", 8))
    return main


@model("self-pipe.c")
def _():
    return self_pipe(True)


@model("self-pipe-drained-last.c")
def _():
    return self_pipe(False)


def announced(most):
    def work():
        for _ in range(2):
            yield from calls("r", receive("q", most))
            yield ("update", "done", increment)

    def main():
        worker = yield ("spawn", work)
        yield from sends("x", "x")()
        yield ("join", worker)
        if most == 1:
            yield ("read", "done")
    return main


@model("eventfd-semaphore.c")
def _():
    return announced(1)


@model("eventfd-read-once.c")
def _():
    return announced(2)


def epoll_wait(ready, told, once=False, forever=True):
    """By one who looks at what is watched, waits, and takes note of what it was told, if that changes what is watched.
    `ready(memory)` is what there is to be told of `q`; `told(memory)` takes note. Told `once`, it is not watched any
    more."""
    yield look("e")
    while True:
        seen, watched = yield act(reads=["watched"], action=lambda memory: (
            memory.get("version", 0), ["q"] * (not (once and memory.get("told", 0)))))

        def changed(memory):
            return memory.get("version", 0) != seen
        what = yield act(reads=["watched", *watched], action=lambda memory: "again" if changed(memory) else ready(memory),
                         guard=(lambda memory: changed(memory) or ready(memory)) if forever else always)
        if what == "again":
            continue
        if not what or not told:
            return what

        def collect(memory):
            what = None if changed(memory) else ready(memory)
            if what:
                told(memory)
                memory["version"] = memory.get("version", 0) + 1
            return what
        what = yield act(reads=watched, writes=["watched"], action=collect)
        if what:
            return what


def by_edges(most, until_empty):
    def ready(memory):
        queue = queue_in(memory, "q")
        return bool(queue.items) and memory.get("edges", 0) > memory.get("told", 0)

    def told(memory):
        memory["told"] = memory.get("edges", 0)

    def produce():
        def write(memory):
            memory["q"] = queue_in(memory, "q")._replace(items=queue_in(memory, "q").items + ("a", "b"))
            memory["edges"] = memory.get("edges", 0) + 1
        for _ in range(2):
            yield from calls("w", act(writes=["q"], action=write))

    def main():
        got = 0
        yield ("spawn", produce)
        while got < 4:
            yield from epoll_wait(ready, told)
            got += len(piece := (yield from calls("r", try_receive("q", most))))
            while until_empty and piece:
                got += len(piece := (yield from calls("r", try_receive("q", most))))
    return main


@model("epoll-edges-drained.c")
def _():
    return by_edges(3, True)


@model("epoll-edge-lost.c")
def _():
    return by_edges(2, False)


def one_job(once):
    def ready(memory):
        return bool(queue_in(memory, "q").items) and not memory.get("told", 0)

    def told(memory):
        memory["told"] = 1

    def work():
        if (yield from epoll_wait(ready, told if once else None, once, forever=False)):
            yield from calls("r", receive("q"))

    return preset(together(work, work), ("q", Queue(("job",))))


@model("epoll-one-shot.c")
def _():
    return one_job(True)


@model("epoll-told-twice.c")
def _():
    return one_job(False)


def listens():
    while True:
        if not (yield look("r")):
            return
        if not (yield receive("q")):
            return


@model("shutdown-wakes-reader.c")
def _():
    def shut(memory):
        memory["q"] = queue_in(memory, "q")._replace(ended=True, broken=True)

    def main():
        listener = yield ("spawn", listens)
        yield from sends("x")()
        yield from calls("r", act(writes=["q"], action=shut))
        yield ("join", listener)
    return main


@model("close-wakes-nobody.c")
def _():
    def main():
        yield ("spawn", listens)
        yield from sends("x")()
        yield close("r", q="broken")
    return main


def reuse(number):
    """The main thread closes `r` and makes another pipe, which gets that number; another reads by `number`."""
    def consume():
        stands_for = yield look(number)
        if stands_for == "another":
            yield receive("other")
        elif stands_for:
            yield receive("q")

    def again(memory):
        memory["number", "r"] = "another"

    def main():
        yield ("spawn", consume)
        yield close("r", q="broken") if number == "r" else act(writes=[("number", "r"), "q"])
        yield act(writes=[("number", "r"), ("number", "more")], action=again)
        yield from calls("more", send("other", "y"))
    return preset(main, ("q", Queue(("x",))))


@model("number-used-again.c")
def _():
    return reuse("r")


@model("duplicated-before-use.c")
def _():
    return reuse("own")


@model("broken-pipe.c", "broken-pipe-ignored.c")
def _():
    def main():
        reader = yield ("spawn", steps(close("r", q="broken")))
        if (yield from calls("w", send("q", "x"))):
            yield ("join", reader)
    return main


@model("both-pipes-full.c")
def _():
    def run(to, back):
        def thread():
            for _ in range(2):
                yield send(to, "page")
            yield from calls("r", receive(back, 2))
        return thread
    pages = Queue(limit=1)
    return preset(together(run("there", "back"), run("back", "there")), ("there", pages), ("back", pages))


@model("reads-while-writing.c")
def _():
    def pages(memory, name):
        return len(queue_in(memory, name).items)

    def exchange(inward, outward):
        def run():
            got = written = 0
            while got < 2 or written < 2:
                watched = [inward] * (got < 2) + [outward] * (written < 2)

                def ready(memory, got=got, written=written):
                    return got < 2 and pages(memory, inward) > 0, written < 2 and pages(memory, outward) == 0
                reads, writes = yield act(reads=watched, action=ready, guard=lambda memory, ready=ready: any(ready(memory)))
                if reads:
                    got += len((yield receive(inward, 2)))
                if writes:
                    yield send(outward, "page")
                    written += 1
        return run
    full = Queue(limit=1)
    return preset(together(exchange("there", "back"), exchange("back", "there")), ("there", full), ("back", full))


@model("select-with-deadline.c")
def _():
    def main():
        threads = []
        for name in "ab":
            threads.append((yield ("spawn", steps(look("w"), send(name, "x")))))
        yield from calls("r", poll("a", "b", forever=False))
        for thread in threads:
            yield ("join", thread)
    return main


@model("poll-timeout-unchecked.c")
def _():
    def main():
        yield ("spawn", sends("x"))
        yield from calls("r", poll("q", forever=False))
        yield from calls("r", try_receive("q"))
    return main


@model("watched-too-late.c")
def _():
    def ready(memory):
        return bool(queue_in(memory, "q").items) and memory.get("edges", 0) > memory.get("told", 0)

    def told(memory):
        memory["told"] = memory.get("edges", 0)

    def produce():
        def write(memory):
            memory["q"] = queue_in(memory, "q")._replace(items=("x",))
            memory["edges"] = 1
        yield from calls("w", act(writes=["q"], action=write))

    def main():
        yield ("spawn", produce)
        yield look("e", "r")
        yield act(writes=["watched"])
        yield from calls("r", try_receive("q"))
        yield from epoll_wait(ready, told)
    return main
