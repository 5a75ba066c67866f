# SPDX-License-Identifier: MIT
"""The parts `values` and `points`: probes, each run by itself and explored, which have to show the same, but for what the file
`differences` has a reason for."""
import re
from concurrent.futures import ThreadPoolExecutor

from common import HERE, run

RESULTS = 9  # the descriptor that probes write to
FLAGS = ("-D_GNU_SOURCE", "-std=gnu11", "-g", "-O1", "-pthread", "-w")
FOUND = re.compile(r"^bug: ([\w-]+)", re.MULTILINE)
SAID = {"required": "cancelled = 1", "never": "cancelled = 0"}


class Differences:
    """Which results differ for a reason. Each line has probe | call | what the exploration shows | why. A reason that has been needed is
    forgotten; one that was not is told, unless it is `open`, to be mended, or `either`, a matter of time."""

    def __init__(self):
        self.reasons = {}
        for line in (HERE / "differences").read_text().splitlines():
            if line and not line.startswith("#"):
                probe, call, shown, reason = (part.strip() for part in line.split(" | "))
                self.reasons[probe, call, shown] = reason

    def explain(self, probe, call, shown):
        known = (probe, call, shown) in self.reasons
        if known:
            self.reasons[probe, call, shown] = ""
        return known

    def stale(self, probes):
        return [" | ".join(key) for key, reason in self.reasons.items() if reason and not reason.startswith(("open", "either")) and key[0] in probes]


class Probes:
    def __init__(self, options, tally, folder):
        self.mazurka, self.tally, self.folder = options.build / "mazurka", tally, folder
        self.differences = Differences()

    def build(self, name, sources):
        status, output = run([self.mazurka, "cc", *FLAGS, *sources, "-o", self.folder / name])
        if status != 0:
            self.tally.judge(f"{name} cannot be built", [output])
        return status == 0

    def results(self, probe, command):
        """(status, output, lines of the last time that the probe was begun)"""
        shown = self.folder / f"shown-{probe}"
        shown.write_text("")
        status, output = run(["sh", "-c", f'exec "$@" {RESULTS}>>"$0"', shown, *command], self.folder, 30)
        lines = shown.read_text(errors="replace").splitlines()
        begun = max((at for at, line in enumerate(lines) if line == "begin = 0"), default=-1)
        return status, output, lines[begun + 1:]

    def both(self, program, probe):
        """What a probe shows by itself and explored, and what ended the exploration: nothing, the kind of a finding, or `refused`."""
        status, output, own = self.results(probe, [self.folder / program, probe])
        if status != 0:
            return None, None, f"started by itself: status {status}\n{output}"
        status, output, explored = self.results(probe, [self.mazurka, "run", "--max-executions", "50" if program == "points" else "1", "--out",
                                                        self.folder / f"out-{probe}", self.folder / program, probe])
        found = FOUND.findall(output)
        return own, explored, found[0] if found else "refused" if status == 2 and "cannot be explored" in output else "" if status in (0, 3) else output

    def compare(self, probe):
        """What is wrong with a probe of values."""
        own, explored, end = self.both("values", probe)
        if own is None:
            return [end]
        wrong = []
        for ours, theirs in zip(explored, own):
            call, shown = ours.rsplit(" = ", 1)
            if ours != theirs and not (theirs.startswith(call + " = ") and self.differences.explain(probe, call, shown)):
                wrong.append(f"explored: {ours}, by itself: {theirs}")
        if len(explored) < len(own) or end:
            calls = [line.rsplit(" = ", 1)[0] for line in own]
            if not any(self.differences.explain(probe, call, end) for call in dict.fromkeys(calls)):
                wrong.append(f"explored: ends with {end or 'nothing'} after {explored[-1] if explored else 'nothing'}")
        return wrong

    def point(self, probe, said):
        """What is wrong with a probe of points."""
        own, explored, end = self.both("points", probe)
        if own is None or end:
            return [end]
        shown = sorted(set(explored))
        wrong = [f"POSIX: {said}, explored: {shown}"] if said in SAID and shown != [SAID[said]] else []
        if shown != sorted(set(own)) and not self.differences.explain(probe, "cancelled", " ".join(shown)[-1:]):
            wrong.append(f"explored: {shown}, by itself: {own}")
        return wrong

    def judge(self, part, chosen, try_one):
        with ThreadPoolExecutor(2) as pool:
            for (name, *_), wrong in zip(chosen, pool.map(lambda one: try_one(*one), chosen)):
                self.tally.judge(f"{part} {name}", wrong, f"tests/posix/run {part} {name}")
        for line in self.differences.stale({name for name, *_ in chosen}):
            self.tally.judge(f"{part}: no difference any more: {line}", ["remove it from tests/posix/differences"])


def listed(folder, program, words, options):
    """The probes that are asked for, as lists of words."""
    probes = [line.split() for line in run([folder / program])[1].splitlines()]
    return [probe for probe in probes if not words or probe[0] in words][options.seed % options.every::options.every]


def run_values(options, words, tally, folder):
    probes = Probes(options, tally, folder)
    if probes.build("values", sorted((HERE / "values").glob("*.c"))):
        probes.judge("values", listed(folder, "values", words, options), probes.compare)


def run_points(options, words, tally, folder):
    probes = Probes(options, tally, folder)
    if probes.build("points", [HERE / "points" / "points.c"]):
        probes.judge("points", listed(folder, "points", words, options), probes.point)
