# SPDX-License-Identifier: MIT
"""The cases of the matrix, in their order: numbers stay as long as objects, storages, lifetimes and users do."""
from itertools import product

from . import objects, objects_cxx

DEFINED = ("global", "file", "function", "automatic", "thread-automatic", "frame", "array", "struct", "union", "thread-local", "other-thread-local")
HEAP = ("malloc", "calloc", "realloc", "reallocarray", "posix_memalign", "aligned_alloc", "element", "member", "flexible")
MAPPED = ("mmap", "mmap-shared")
LIFETIMES = ("once", "again", "thrice", "anew", "kept", "left", "static", "static-again", "zero")
USERS = ("one", "two", "others", "handed", "turns", "published", "made")

DEFINED_CXX = ("global", "file", "function", "automatic", "thread-automatic", "row", "struct", "union", "thread-local", "other-thread-local", "static-member")
OTHER_CXX = ("new", "new-array", "new-aligned", "buffer", "malloc", "mmap", "vector", "deque", "list", "map", "optional", "unique_ptr", "shared_ptr", "array")
LIFETIMES_CXX = ("once", "again", "thrice", "anew", "kept")
PLACED = ("union", "buffer", "malloc", "mmap")


class Case:
    def __init__(self, language, item, storage, lifetime, users, kinds=frozenset(), options=()):
        self.language, self.object, self.arguments = language, item, (storage, lifetime, users)
        self.kinds, self.options, self.number, self.may = kinds, list(options), 0, set()

    @property
    def name(self):
        return f"{self.object.name} {' '.join(self.arguments)}"


def lifetimes(item):
    return [name for name in LIFETIMES if (item.static or not name.startswith("static")) and (item.zero or name != "zero")]


def heap_faults(item):
    """Faults of memory, which are the same for all objects: (users, options, kinds)."""
    yield "leaked", ["--leaks"], {"leak"}
    yield "freed-twice", [], {"double-free"}
    if item.touches:
        yield "freed-before-use", [], {"use-after-free"}
        yield "freed-before-join", [], {"use-after-free", "data-race"}  # whichever is seen first


def short(item, lifetime, users):
    """Whether all orders can be explored in a second: those of several rounds of two threads are as many as the products of their numbers."""
    together = users in ("two", "others", "published")
    return not together or lifetime != "thrice" and (not item.heavy or lifetime not in ("again", "anew", "kept"))


def of_c():
    for item in objects.OBJECTS:
        for storage, lifetime, users in product(DEFINED + HEAP + MAPPED, lifetimes(item), USERS):
            if short(item, lifetime, users):
                yield Case("c", item, storage, lifetime, users)
        for storage, (name, (kinds, *_)) in product(DEFINED + HEAP + MAPPED, item.faults.items()):
            yield Case("c", item, storage, "fault", name, kinds)
        for storage, (users, options, kinds) in product(HEAP, heap_faults(item)):
            yield Case("c", item, storage, "once", users, kinds, options)
        for storage in MAPPED if item.touches else ():
            yield Case("c", item, storage, "once", "unmapped", {"crash"})
        if item.touches:
            yield Case("c", item, "ended-stack", "once", "one", {"use-after-free"})


def lasting(item, storage, lifetime):
    """Whether the object may live so: one that counts down once cannot be used twice."""
    once = item.name == "std-latch"
    return not (once and (lifetime == "kept" or lifetime == "anew" and storage in DEFINED_CXX + ("array",)))


def with_library(case):
    """The case as it is where the library has loops or faults of its own."""
    if case.object.bound is not None:
        case.options += ["--preemptions", str(case.object.bound)]
    if case.arguments[2] != "one":
        case.may = case.object.may
    return case


def of_cxx():
    for item in objects_cxx.OBJECTS:
        for storage, lifetime, users in product(DEFINED_CXX + OTHER_CXX, LIFETIMES_CXX, USERS[:-1]):
            if lasting(item, storage, lifetime) and short(item, lifetime, users):
                yield with_library(Case("c++", item, storage, lifetime, users))
        for storage, users in product(PLACED, USERS[:-1]):
            yield with_library(Case("c++", item, storage, "left", users))
        for storage, (name, (kinds, *_)) in product(DEFINED_CXX + OTHER_CXX, item.faults.items()):
            yield Case("c++", item, storage, "fault", name, kinds)
        for users, options, kinds in heap_faults(item):
            if users == "freed-twice":
                kinds = kinds | {"use-after-free"}  # a destructor may have looked at the memory before
            yield Case("c++", item, "new", "once", users, kinds, options)


def all_cases():
    for number, item in enumerate([*objects.OBJECTS, *objects_cxx.OBJECTS]):
        item.number = number
    made = [*of_c(), *of_cxx()]
    for number, case in enumerate(made, 1):
        case.number = number
    return made
