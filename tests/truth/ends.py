# SPDX-License-Identifier: MIT
"""Models of programs in which more than one thread ends the process. Who is first writes that there is an end, the others find it
written; where nobody could tell who was first, ends are no steps."""
from parts import NOTHING, model, steps, together

ENDS = ("compare", "end", 0, 1)


def exits(*handlers):
    """What exit does, and returning from main: only the first thread to call it runs handlers, and ends the process."""
    if (yield ("compare", "exit", 0, 1)):
        failed = False
        for handler in handlers:
            failed = yield from handler()
        if not failed:
            yield ENDS


@model("exit-overtakes-main.c")
def _():
    def thread():
        if (yield ("read", "ready")):
            yield from exits()

    def main():
        yield ("spawn", thread)
        yield ("write", "ready", 1)
        yield from exits()
    return main


@model("exits-of-three.c")
def _():
    def main():
        for _thread in range(3):
            yield ("spawn", exits)
        yield from exits()
    return main


def looks():
    """A handler that fails, and ends its thread, if it finds x without y."""
    first = yield ("read", "x")
    second = yield ("read", "y")
    return first and not second


@model("exit-runs-handlers-of-first.c", "static-destructor-of-first.cc")
def _():
    def thread():
        yield ("write", "x", 1)
        yield from exits(looks)

    def main():
        yield ("spawn", thread)
        yield ("write", "y", 1)
        yield from exits(looks)
    return main


@model("quick-exit-is-overtaken.c")
def _():
    """_exit runs no handlers and waits for none."""
    def main():
        yield ("spawn", steps(("read", "x"), ENDS))
        yield from exits(steps(("write", "x", 5)))
    return main


model("exits-alike.c")(lambda: together(NOTHING, NOTHING, NOTHING))


@model("destructor-function.c", "destructor-exits.c")
def _():
    """What the main thread reads at the end, another one writes."""
    def main():
        yield ("spawn", steps(("write", "value", 1)))
        yield ("read", "value")
    return main


@model("handler-registered-late.c")
def _():
    """The main thread takes its handler, and looks whether there is another."""
    def main():
        yield ("spawn", steps(("write", "handlers", 1)))
        yield ("write", "handlers", 2)
        yield ("write", "handlers", 3)
    return main


@model("order-of-static-variables.cc")
def _():
    """The variable's guard is read, taken and given back; in between, the destructor is registered."""
    def thread(guard):
        return steps(("read", guard), ("write", guard, 1), ("write", "handlers", guard), ("write", guard, 2))

    def main():
        yield ("spawn", thread("first"))
        yield ("spawn", thread("second"))
    return main
