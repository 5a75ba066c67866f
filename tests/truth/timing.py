# SPDX-License-Identifier: MIT
"""Models of the programs in tests/programs that look at clocks and set timers. To look at a clock is no step."""
from parts import LOCK, NOTHING, UNLOCK, model, steps, together, with_plain


@model("time-that-passes.c")
def time_that_passes():
    return together(steps(LOCK, UNLOCK), steps(LOCK, UNLOCK))


@model("rate-of-loads.c")
def rate_of_loads():
    return together(steps(*[("read", "value")] * 3), steps(("write", "value", 1)))


def deadline_of(looks):
    """A thread looks so often, under a lock, for what another one sets under that lock."""
    def polls(shared):
        def run():
            for _ in range(looks):
                yield LOCK
                seen = shared["items"]
                yield UNLOCK
                if seen:
                    return
        return run

    def sets(shared):
        def run():
            yield LOCK
            shared["items"] = 1
            yield UNLOCK
        return run
    return with_plain(lambda v: [polls(v), sets(v)])


@model("deadline-under-a-lock.c")
def deadline_under_a_lock():
    return deadline_of(17)


# ---- timers: where nothing else can go on, the order is known


@model("alarm-ends-waits.c", "interval-timers.c", "timer-calls-function.c", "alarm-without-handler.c", "stuck-until-the-alarm.c")
def _():
    return NOTHING
