# SPDX-License-Identifier: MIT
"""Models of the programs in tests/programs that look at clocks and set timers. To look at a clock is no step."""
from channels import act
from interruptions import got
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


@model("alarm-ends-waits.c", "interval-timers.c", "timer-calls-function.c", "alarm-without-handler.c", "stuck-until-the-alarm.c",
       "timer-descriptors.c")
def _():
    return NOTHING


# ---- timers beside other threads: all timers are one object, and so is the end of each time that one is set, whether it
# expires then or is stopped


def time_passes():
    """Looks for a timer that is due, lets it expire, unless it is over, waits until it is, and looks again. There is only one."""
    if (yield ("read", "timers")) == "none":
        return
    yield ("raise_", "due", 1)
    yield act(reads=["over"], guard=lambda memory: memory.get("over"))
    yield ("read", "timers")


@model("timer-is-stopped.c")
def timer_is_stopped():
    """What a timer has counted is not kept when it is stopped. A read looks for timers that are late, too."""
    def expire(memory):
        over = memory.get("over")
        if not over:
            memory.update(over=True, counted=1)
        return None, ["over"] * bool(over), [] if over else ["over", "counted"]

    def stop(memory):
        over = memory.get("over")
        memory.update(timers="none", over=True, counted=0)
        return None, ["over"] * bool(over), ["timers", "counted"] if over else ["timers", "over", "counted"]

    def main():
        yield ("spawn", steps(("when", lambda memory: memory.get("due"), expire)))
        yield ("spawn", steps(("when", lambda _memory: True, stop)))
        yield from time_passes()
        yield from time_passes()
        yield ("exchange", "counted", 0)
    return main


@model("timer-nobody-set.c")
def timer_nobody_set():
    """The timer expires when nothing else can go on: where it is set, the last step of all. To set it writes what it has counted."""
    def sets():
        if (yield ("read", "wanted")):
            yield act(writes=["timers", "counted"])

    def main():
        yield ("spawn", sets)
        yield ("write", "wanted", 1)
        yield ("read", "timers")
        yield from got(("read", "counted"))
    return main
