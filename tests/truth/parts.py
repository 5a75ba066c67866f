# SPDX-License-Identifier: MIT
"""What the models of the programs are made of, and where they are registered."""

MODELS = {}


def model(*names):
    """Registers what the decorated function returns, a main thread, as the model of these programs."""
    def register(function):
        twice = [name for name in names if name in MODELS]
        if twice:
            raise ValueError(f"there is another model of {twice[0]}")
        MODELS.update((name, function()) for name in names)
        return function
    return register


def together(*threads):
    """A main that creates these threads and joins them."""
    def main():
        numbers = []
        for thread in threads:
            numbers.append((yield ("spawn", thread)))
        for number in numbers:
            yield ("join", number)
    return main


def steps(*operations):
    """A thread that does just this."""
    def thread():
        for operation in operations:
            yield operation
    return thread


def preset(main, *settings):
    """The same main after some values were set."""
    def first():
        for setting in settings:
            yield ("set", *setting)
        yield from main()
    return first


def increment(old):
    return old + 1


ADD = ("update", "x", increment)
LOCK, UNLOCK = ("lock", "m"), ("unlock", "m")
NOTHING = steps()


class Rounds:
    """A thread that does nothing but read for a while. Where it comes back to the same place, in the same state, it waits
    for a change of what it read since it was there."""

    def __init__(self):
        self.places = []

    def at(self, place, operation):
        if place in self.places:
            operation = ("await", operation, self.places[::-1].index(place) + 1)
        self.places.append(place)
        return (yield operation)


def spin(operation, ends):
    """Does one operation until what it returns is an end."""
    rounds = Rounds()
    while not ends(result := (yield from rounds.at("loop", operation))):
        pass
    return result


def is_zero(value):
    return value == 0


def both(a, b):
    return steps(("lock", a), ("lock", b), ("unlock", b), ("unlock", a))


def with_plain(build):
    """A main thread whose threads share a plain variable, under a mutex: accesses to it are no steps. It is new in every
    execution; build(variables) returns the threads."""
    def main():
        return together(*build({"items": 0}))()
    return main
