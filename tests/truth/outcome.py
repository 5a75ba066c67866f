# SPDX-License-Identifier: MIT
"""What the JSON result of a run says about how it ended."""

RACES = "what follows from data races was not explored: see --points all"
FRAMES = "what follows from the use of a stack frame before its end was not explored"
PARTS = "data races of accesses that a machine may make in parts were explored as single steps"


def came_to_end(result):
    """Whether the search came to its end. A run that found data races is not complete all the same: what follows from them is more
    than it has explored."""
    return result["complete"] or result["reason"] in (RACES, FRAMES, PARTS)


def wrong_end(result):
    """What is wrong with the end of a run that nothing should have ended before it came to its end."""
    raced = any(bug["kind"] == "data-race" for bug in result["bugs"])
    freed = any(bug["kind"] in ("use-after-free", "double-free") for bug in result["bugs"])
    if raced and result["points"] == "sync":
        wanted = [(False, RACES)]
    elif raced:
        wanted = [(True, None), (False, PARTS)]
    elif freed and result["points"] == "sync":  # the use and the release may be ordered, or not
        wanted = [(True, None), (False, RACES)]
    else:
        wanted = [(True, None)]
    if freed:
        wanted.append((False, FRAMES))
    if (result["complete"], result["reason"]) not in wanted:
        yield f"not complete: {result['reason']}" if not result["complete"] else "complete in spite of data races"
