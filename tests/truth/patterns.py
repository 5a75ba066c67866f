# SPDX-License-Identifier: MIT
"""Models of the classical bug patterns among the programs, and of how to do it right."""
