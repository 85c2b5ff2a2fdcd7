"""Options that are whole numbers, each within its bounds."""

import argparse
from collections.abc import Callable

MOST_DIGITS = 20
"""Of 2^64; Python itself refuses to read a number of thousands of digits."""


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """What reads such a number from the command line; argparse says what was found and expected where it is none."""
    span = f"a number from {least}" + (f" to {most}" if most is not None else "")

    def read(text: str) -> int:
        if text.isdecimal() and len(text) <= MOST_DIGITS and least <= (number := int(text)) <= (most or number):
            return number
        raise argparse.ArgumentTypeError(f'found "{text}", expected {span}')

    return read


SEEDS = whole_number(0, 2**64 - 1)
"""What a generator of random numbers begins with."""
