# SPDX-License-Identifier: MIT
"""Models of the programs with atomic sections (mz_atomic_begin): a section is one step, which touches what is touched inside."""
from parts import LOCK, UNLOCK, model, steps, together


def section(action):
    """A step that can always be made: action(memory) returns a result, what it read, and what it wrote."""
    return ("when", lambda memory: True, action)


def adding(name):
    def action(memory):
        memory[name] = memory.get(name, 0) + 1
        return None, (), (name,)
    return section(action)


def writing(*names):
    def action(memory):
        for name in names:
            memory[name] = 1
        return None, (), names
    return section(action)


def reading(*names):
    return section(lambda memory: (None, names, ()))


@model("section-counter.c")
def _():
    return together(*[steps(adding("x"))] * 3)


@model("section-without-end.c")
def _():
    return together(*[steps(adding("x"))] * 2)


@model("section-apart.c")
def _():
    return together(steps(adding("x")), steps(adding("y")))


@model("section-decides.c")
def _():
    def decision(memory):
        if memory.get("flag", 0):
            return None, ("flag",), ()
        memory["value"] = 7
        return None, ("flag",), ("value",)
    return together(steps(writing("flag")), steps(section(decision)), steps(reading("value")))


@model("section-with-lock.c")
def _():
    """The threads are there once the section of main has ended."""
    def main():
        yield writing("shared")
        numbers = []
        for thread in (steps(reading("shared", "ready")), steps(writing("lock", "ready"))):
            numbers.append((yield ("spawn", thread)))
        for number in numbers:
            yield ("join", number)
    return main


@model("section-waits.c")
def _():
    """Where the lock is held, that is all the section sees. It is the mutex that is looked at, not a variable beside it."""
    def inside(memory):
        return None, (), (("mutex", "m"),)
    return together(steps(LOCK, UNLOCK), steps(section(inside)))


@model("section-without-begin.c")
def _():
    return steps(adding("x"))


@model("section-spins.c")
def _():
    return together(steps(reading("flag")), steps(("write", "flag", 1)))


@model("section-asserts.c")
def _():
    return together(steps(reading("y")), steps(writing("y")))


@model("section-races.c")
def _():
    """What is plain and in no section is no step."""
    return together(steps(adding("x")))
