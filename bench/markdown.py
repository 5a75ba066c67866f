# SPDX-License-Identifier: MIT
"""Tables as Markdown has them: text in the first column, numbers in the others."""


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join(" --- " if n == 0 else " ---: " for n in range(len(head))) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
