"""A chart of lines as SVG, which reads well on light and on dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Line = Sequence[tuple[float, float]]
"""Points, from left to right."""

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 40, 44
ROW = 15
"""Least distance between two names at the right."""

COLOURS = ("#2f6fde", "#c2410c", "#15803d", "#7c3aed", "#be185d", "#0f766e", "#a16207", "#64748b")
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #334155 }
.title { font-size: 14px; font-weight: 600 }
.grid { stroke: #cbd5e1; stroke-width: 0.5 } .line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } .grid { stroke: #475569 } }
"""


def chart(
    title: str, x: str, y: str, lines: Mapping[str, Line], *, marks: Sequence[float] = ()
) -> str:
    """Lines with their names at their right end; `marks` are heights to draw a line at."""
    points = [point for line in lines.values() for point in line]
    most_x = max((at for at, _ in points), default=1.0) or 1.0
    most_y = _round_up(max((value for _, value in points), default=1.0))

    def place(at: float, value: float) -> tuple[float, float]:
        across = LEFT + at / most_x * (WIDTH - LEFT - RIGHT)
        down = HEIGHT - BOTTOM - value / most_y * (HEIGHT - TOP - BOTTOM)
        return round(across, 1), round(down, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(x)}</text>",
        f'<text x="{LEFT - 8}" y="{TOP - 6}" text-anchor="end">{escape(y)}</text>',
    ]
    for step in range(5):
        value, at = most_y * step / 4, most_x * step / 4
        (_, down), (across, _) = place(0, value), place(at, 0)
        parts += [
            f'<path class="grid" d="M{LEFT} {down}H{WIDTH - RIGHT}"/>',
            f'<text x="{LEFT - 8}" y="{down + 4}" text-anchor="end">{value:g}</text>',
            f'<text x="{across}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{at:g}</text>',
        ]
    for mark in marks:
        _, down = place(0, mark)
        parts.append(
            f'<path class="grid" stroke-dasharray="4 3" d="M{LEFT} {down}H{WIDTH - RIGHT}"/>'
        )
    names = _apart({name: place(*line[-1])[1] for name, line in lines.items() if line})
    for number, (name, line) in enumerate(lines.items()):
        if line:
            colour = COLOURS[number % len(COLOURS)]
            path = " ".join(f"{across} {down}" for across, down in (place(*each) for each in line))
            parts += [
                f'<path class="line" stroke="{colour}" d="M{path}"/>',
                f'<text x="{WIDTH - RIGHT + 8}" y="{names[name] + 4}" style="fill:{colour}">'
                f"{escape(name)}</text>",
            ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """The heights of names, pushed up where two would lie upon each other."""
    placed: dict[str, float] = {}
    last = math.inf
    for name in sorted(heights, key=lambda each: -heights[each]):
        last = min(heights[name], last - ROW)
        placed[name] = round(last, 1)
    return placed


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 5 or 10 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10 ** math.floor(math.log10(value))
    return float(next(step for step in (1, 2, 4, 5, 10) if step * power >= value * 0.999) * power)
