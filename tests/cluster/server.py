# SPDX-License-Identifier: MIT
"""Redis servers for tests."""
import pathlib
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Redis:
    """A server of its own, in a folder of its own."""

    def __init__(self, folder, fsync="always", extra=(), prefix=()):
        self.port, self.folder = free_port(), pathlib.Path(folder)
        self.command = [*prefix, "redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "",
                        "--appendonly", "yes", "--appendfsync", fsync, "--logfile", "redis.log", *extra]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            if self.process.poll() is not None:
                raise RuntimeError(f"redis-server ended: {(self.folder / 'redis.log').read_text()[-300:]}")
            if b"PONG" in (answer := self.say("PING")) or b"NOAUTH" in answer:
                return
            time.sleep(0.05)
        raise RuntimeError("redis-server did not start")

    def say(self, *words):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as s:
                s.sendall(f"*{len(words)}\r\n".encode() + b"".join(b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words))
                return s.recv(1 << 16)
        except OSError:
            return b""

    def signal(self, what):
        self.process.send_signal(what)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def url(self, name="test", host="127.0.0.1", port=None, user=""):
        return f"redis://{user}{host}:{port or self.port}/{name}"
