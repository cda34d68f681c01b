"""How things are measured here: peers alternate (A B A B …), and the figure is the median of the pairs' ratios."""

import re
import statistics
import subprocess

PATIENCE = 120


class Row:
    """One line of the table."""

    def __init__(self, what, ours, peer, ratio, bound):
        self.cells = (what, ours, peer, ratio, bound)


def rate(value):
    """Three digits are all that such a figure is worth."""
    return f"{value:,.0f}/s" if value >= 1000 else f"{value:.3g}/s"


def compare(ours, peers, pairs):
    """Runs ours and each peer in turn, `pairs` times. Returns our median, each peer's, and each median ratio."""
    rounds = [[measure() for measure in (ours, *peers)] for _ in range(pairs)]
    medians = [statistics.median(column) for column in zip(*rounds)]
    ratios = [statistics.median(r[0] / r[1 + at] for r in rounds) for at in range(len(peers))]
    return medians[0], medians[1:], ratios


def wrk(url, *, connections=32, seconds=3, headers=(), script=None, arguments=()):
    """Requests per second as wrk counts them; anything but success on every request is an error."""
    command = ["wrk", "--threads", "2", "--connections", str(connections), "--duration", f"{seconds}s"]
    for header in headers:
        command += ["--header", header]
    if script:
        command += ["--script", str(script)]
    command += [url]
    if arguments:
        command += ["--", *map(str, arguments)]
    output = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise AssertionError(f"not every request succeeded:\n{output}")
    return float(re.search(r"Requests/sec:\s+([0-9.]+)", output)[1])


def table(rows):
    """All cells below each other, numbers to the right."""
    head = ("what", "ours", "peer", "ratio", "bound")
    lines = [head, *(row.cells for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    text = []
    for number, line in enumerate(lines):
        cells = [line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        text.append("  ".join(cells).rstrip())
        if number == 0:
            text.append("  ".join("-" * width for width in widths))
    return "\n".join(text)
