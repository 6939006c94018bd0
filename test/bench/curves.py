#!/usr/bin/env python3
"""Draws what P20 has seen (mayfly-bench --only P20 --curves seen.csv) as one picture, a panel for each column.

usage: curves.py SEEN.csv PICTURE.svg
"""

import csv
import sys
from pathlib import Path

# Column, title, unit of the axis, divisor.
PANELS = [
    ("living", "living documents", "millions", 1e6),
    ("expired_per_second", "expirations per second", "thousands", 1e3),
    ("disk_mib", "bytes on disk", "GiB", 1024),
    ("memory_mib", "memory of the process", "MiB", 1),
    ("read_p99_us", "point read, p99", "µs", 1),
    ("event_p99_ms", "expiration to its event, p99", "ms", 1),
]
WIDTH, HEIGHT = 420, 150  # of a panel's plot
LEFT, TOP, GAP_X, GAP_Y = 60, 40, 90, 70


def top_of(values):
    """A round number that no value exceeds."""
    most = max(values) or 1
    unit = 10 ** (len(str(int(most))) - 1) if most >= 1 else 0.1
    return next(unit * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if unit * step >= most)


def panel(rows, index, column, title, unit, divisor):
    x0 = LEFT + index % 2 * (WIDTH + GAP_X)
    y0 = TOP + index // 2 * (HEIGHT + GAP_Y)
    times = [float(row["seconds"]) / 60 for row in rows]
    values = [float(row[column]) / divisor for row in rows]
    last, top = times[-1], top_of(values)
    points = " ".join(f"{x0 + t / last * WIDTH:.1f},{y0 + HEIGHT - v / top * HEIGHT:.1f}" for t, v in zip(times, values))
    lines = [f'<text x="{x0}" y="{y0 - 12}" class="title">{title} ({unit})</text>']
    for share in (0, 0.5, 1):
        y = y0 + HEIGHT - share * HEIGHT
        lines.append(f'<line x1="{x0}" y1="{y}" x2="{x0 + WIDTH}" y2="{y}" class="grid"/>')
        lines.append(f'<text x="{x0 - 8}" y="{y + 4}" class="axis" text-anchor="end">{top * share:g}</text>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = x0 + share * WIDTH
        lines.append(f'<text x="{x}" y="{y0 + HEIGHT + 18}" class="axis" text-anchor="middle">{round(last * share, 1):g} min</text>')
    lines.append(f'<polyline points="{points}" class="curve"/>')
    return lines


def draw(rows):
    width = LEFT + 2 * WIDTH + GAP_X + 30
    height = TOP + (len(PANELS) + 1) // 2 * (HEIGHT + GAP_Y)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        "<style>.title{font-size:14px;fill:#222}.axis{font-size:11px;fill:#666}.grid{stroke:#ddd}"
        ".curve{fill:none;stroke:#0b6e99;stroke-width:1.5}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for index, one in enumerate(PANELS):
        lines += panel(rows, index, *one)
    return "\n".join(lines + ["</svg>", ""])


if __name__ == "__main__":
    seen, picture = sys.argv[1:]
    with open(seen, newline="") as file:
        Path(picture).write_text(draw(list(csv.DictReader(file))))
