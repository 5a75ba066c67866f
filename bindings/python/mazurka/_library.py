# SPDX-License-Identifier: MIT
"""The C interface <mazurka/engine.h>, declared for ctypes.

The library is the file that the environment variable MAZURKA_ENGINE_LIBRARY names, or else libmazurka-engine.so as the
dynamic linker finds it."""
import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

DONE, CUT, ERROR = -1, -2, -3
NO_LOCK = 2**64 - 1
NO_BOUND = 2**32 - 1

# enum mz_access_kind
ACCESSES = {"read": 0, "write": 1, "weak_read": 2, "weak_write": 3}

# enum mz_engine_sync_kind
SYNCS = {
    "lock_acquire": 0, "lock_release": 1, "thread_spawn": 2, "thread_join": 3, "lock_try": 4, "lock_release_any": 5,
    "semaphore_release": 6, "queue_put": 7, "semaphore_acquire": 8, "queue_get": 8, "semaphore_try": 9,
    "event_set": 10, "event_clear": 11, "event_wait": 12,
}


class Options(ctypes.Structure):
    """struct mz_engine_options"""
    _fields_ = [
        ("threads", c_uint32), ("strategy", c_char_p), ("order", c_char_p), ("tries_locks", c_int), ("no_sleep", c_int),
        ("bounded", c_int), ("preemptions", c_uint32), ("delayed", c_int), ("delays", c_uint32), ("max_depth", c_uint32),
        ("max_executions", c_uint64), ("max_steps", c_uint32), ("count_traces", c_int), ("seed", c_uint64),
        ("depth", c_uint32), ("fair", c_int), ("yields", c_uint32), ("iterate", c_int), ("max_memory", c_uint64),
        ("as_published", c_int),
    ]


class Counts(ctypes.Structure):
    """struct mz_engine_counts"""
    _fields_ = [(name, c_uint64) for name in
                ("executions", "redundant", "traces", "steps", "futile", "abandoned", "graph_bytes")]


# name: what it returns, what it takes
FUNCTIONS = {
    "mz_engine_new": (c_void_p, [POINTER(Options), c_char_p, c_size_t]),
    "mz_engine_free": (None, [c_void_p]),
    "mz_engine_begin": (c_int, [c_void_p]),
    "mz_engine_schedule": (c_int, [c_void_p]),
    "mz_engine_access": (c_int, [c_void_p, c_uint32, c_uint64, c_int]),
    "mz_engine_io": (c_int, [c_void_p, c_uint32, c_uint64, c_int]),
    "mz_engine_sync": (c_int, [c_void_p, c_uint32, c_int, c_uint64]),
    "mz_engine_declare": (c_int, [c_void_p, c_int, c_uint64, c_uint32]),
    "mz_engine_yield": (c_int, [c_void_p, c_uint32]),
    "mz_engine_wait": (c_int, [c_void_p, c_uint32, c_int, c_uint64]),
    "mz_engine_block": (c_int, [c_void_p, c_uint32, c_uint64]),
    "mz_engine_unblock": (c_int, [c_void_p, c_uint32]),
    "mz_engine_finish_thread": (c_int, [c_void_p, c_uint32]),
    "mz_engine_abandon": (c_int, [c_void_p]),
    "mz_engine_next": (c_int, [c_void_p]),
    "mz_engine_count": (Counts, [c_void_p]),
    "mz_engine_complete": (c_int, [c_void_p]),
    "mz_engine_incomplete": (c_char_p, [c_void_p]),
    "mz_engine_aborted": (c_int, [c_void_p]),
    "mz_engine_depth": (c_uint32, [c_void_p]),
    "mz_engine_threads": (c_uint32, [c_void_p]),
    "mz_engine_bound": (c_uint32, [c_void_p]),
    "mz_engine_error": (c_char_p, [c_void_p]),
    "mz_engine_trace": (POINTER(c_uint32), [c_void_p, POINTER(c_uint32)]),
}


def load():
    """Loads the library, and declares its functions."""
    library = ctypes.CDLL(os.environ.get("MAZURKA_ENGINE_LIBRARY", "libmazurka-engine.so"))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
