# SPDX-License-Identifier: MIT
"""Mazurka's engine for Python: every happens-before graph of a concurrent program, each once.

``mazurka.Engine`` is for hosts that schedule something themselves; ``mazurka.threads`` is such a host, for Python's own
threads. Both need the library libmazurka-engine.so (see ``mazurka._library``) and nothing else."""
from mazurka.engine import Counts, Engine, EngineError, Execution

# The names under which the design that this API follows prints the two classes.
PyDporEngine = Engine
PyExecution = Execution

__all__ = ["Counts", "Engine", "EngineError", "Execution", "PyDporEngine", "PyExecution"]
__version__ = "0.1.0"
