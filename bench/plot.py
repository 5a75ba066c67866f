#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Line plots as SVG: a linear axis across, a logarithmic one up, lines that connect points, and hollow points for what did not
come to its end. Nothing but strings. As a command, draws the plots of docs/PAPERS.md, bpor-*.svg, from its table bpor-coverage."""
import math
import pathlib
import re
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 230, 34, 48
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")


def ticks(most):
    """Round numbers from 0 up to at least `most`, about five."""
    step = 10 ** math.floor(math.log10(most / 4))
    while most / step > 6:
        step *= 2.5 if str(step)[0] == "2" else 2
    return [n * step for n in range(math.ceil(most / step) + 1)]


def number(value):
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}"


class Plot:
    def __init__(self, title, across, up):
        self.title, self.across, self.up, self.series = title, across, up, []

    def add(self, name, points):
        """points: (x, y, whether it came to its end, label)"""
        self.series.append((name, points))

    def svg(self):
        points = [point for _, series in self.series for point in series]
        marks = ticks(max(point[0] for point in points) or 1)
        low = math.floor(math.log10(min(point[1] for point in points)))
        high = max(low + 1, math.ceil(math.log10(max(point[1] for point in points))))

        def at(x, y):
            right = LEFT + (WIDTH - LEFT - RIGHT) * x / marks[-1]
            return right, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(y) - low) / (high - low)

        yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
        yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
        yield f'<text x="{LEFT}" y="20" font-size="14">{escape(self.title)}</text>'
        for mark in marks:
            x, y = at(mark, 10**low)
            yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
            yield f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{number(mark)}</text>'
        for exponent in range(low, high + 1):
            x, y = at(0, 10**exponent)
            yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
            yield f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{number(10**exponent)}</text>'
        yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(self.across)}</text>'
        middle = (TOP + HEIGHT - BOTTOM) / 2
        yield f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(self.up)}</text>'
        for n, (name, series) in enumerate(self.series):
            yield from self.line(name, [(*at(x, y), done, label) for x, y, done, label in series], COLOURS[n], n)
        yield "</svg>"

    @staticmethod
    def line(name, points, colour, n):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        for x, y, done, label in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" stroke="{colour}" fill="{colour if done else "white"}"/>'
            if label:
                yield f'<text x="{x + 6:.1f}" y="{y - 5:.1f}" font-size="10" fill="{colour}">{escape(label)}</text>'
        y = TOP + 10 + 20 * n
        yield f'<circle cx="{WIDTH - RIGHT + 18}" cy="{y}" r="4" fill="{colour}"/>'
        yield f'<text x="{WIDTH - RIGHT + 28}" y="{y + 4}">{escape(name)}</text>'


DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
CELL = re.compile(r"(\d+) in ([\d.]+) s( \(limit\))?")
LEAST = 0.0005  # seconds: less is shown as 0.000


def points(cells):
    """Points of a line: cells are "STATES in SECONDS s", by bound, with "(limit)" if the search did not come to its end."""
    found = [CELL.fullmatch(cell) for cell in cells if cell]
    return [(int(cell[1]), max(float(cell[2]), LEAST), not cell[3], str(bound) if len(found) > 1 else "")
            for bound, cell in enumerate(found)]


def coverage(document):
    """File names, and what is in them, of the plots of the table bpor-coverage: one for each program."""
    lines = re.search(r"<!-- table bpor-coverage -->\n(.*?)<!-- end -->", document, re.DOTALL)[1].splitlines()[2:]
    pictures = {}
    for line in lines:
        program, label, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        pictures.setdefault(program, Plot(program, "local states seen", "seconds")).add(label, points(cells))
    return {f"bpor-{re.sub(r'[^a-z0-9]+', '-', program.lower()).strip('-')}.svg": "\n".join(picture.svg()) + "\n"
            for program, picture in pictures.items()}


if __name__ == "__main__":
    for file, text in coverage((DOCS / "PAPERS.md").read_text()).items():
        (DOCS / file).write_text(text)
