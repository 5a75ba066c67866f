# SPDX-License-Identifier: MIT
"""What the parts of tests/posix/run share: running commands, and counting."""
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TIME_LIMIT = 60


def run(command, folder=None, limit=TIME_LIMIT, errors=subprocess.STDOUT, **more):
    """(status, output); the status is None if there was no end."""
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=errors, timeout=limit, check=False, **more)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")


class Tally:
    """How many tests passed and failed; tells of each that failed, and how to run it again."""

    def __init__(self):
        self.passed = self.failed = 0

    def judge(self, name, objections, again=""):
        if not objections:
            self.passed += 1
            return
        self.failed += 1
        print(f"not ok {name}", *(f"  {line}" for text in objections for line in text.splitlines()), *([f"  again: {again}"] if again else []),
              sep="\n", flush=True)
