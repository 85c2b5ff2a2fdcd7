"""How the CPU time of some work grows with its size: two sizes in one run, since no test asserts seconds."""

from collections.abc import Callable
from time import process_time

TIMES = 8
"""How many times larger the large size is."""
ROOM = 3
"""How much slower a piece of the large size may be: linear work is at 1, quadratic work at TIMES."""
SHORTEST_S = 0.002
"""What less CPU time counts as: below it the clock and the caches decide."""


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times longer a unit of TIMES `size` takes than one of `size`, the best of three runs and of one, or of
    two where the first is beyond ROOM."""
    small = max(min(_seconds(work, size) for _ in range(3)), SHORTEST_S) * TIMES
    times = _seconds(work, TIMES * size) / small
    return times if times < ROOM else min(times, _seconds(work, TIMES * size) / small)


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = process_time()
    work(size)
    return process_time() - began
