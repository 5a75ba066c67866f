# SPDX-License-Identifier: MIT
"""The package as pip installs it, from a copy of its sources, without a network."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[1]
TOOLS = all(importlib.util.find_spec(name) for name in ("pip", "setuptools", "wheel"))


class Package(unittest.TestCase):
    @unittest.skipUnless(TOOLS, "pip, setuptools or wheel is not installed")
    def test_install(self):
        with tempfile.TemporaryDirectory() as folder:
            copy, target = os.path.join(folder, "copy"), os.path.join(folder, "target")
            shutil.copytree(SOURCES, copy)
            install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps"]
            subprocess.run([*install, "--target", target, copy], check=True, capture_output=True)
            said = subprocess.run([sys.executable, "-c", "import mazurka; print(mazurka.__file__, mazurka.Engine(2).num_threads)"],
                                  cwd=folder, env={**os.environ, "PYTHONPATH": target}, check=True, capture_output=True, text=True)
            self.assertEqual(said.stdout.split(), [os.path.join(target, "mazurka", "__init__.py"), "2"])


if __name__ == "__main__":
    unittest.main()
