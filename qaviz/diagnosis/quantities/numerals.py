"""The value of a number in digits, whatever marks its decimals and its thousands."""

from decimal import Decimal


def value_of(digits: str, *, comma_decimal: bool) -> tuple[Decimal, int] | None:
    """Return the value and how many decimals are written; None where the marks make no number, as in 1.2.3.

    A comma before three digits groups thousands and a point marks decimals, or the other way round where
    `comma_decimal` says so. Marks that leave no choice decide by themselves: 134,4 and 1.234.567 and 12,34,567.
    """
    if digits.isdecimal():
        return Decimal(digits), 0
    point, group = (",", ".") if comma_decimal else (".", ",")
    digits = digits.replace("'", "")
    if digits.count(point) > 1 or (point in digits and digits.rfind(group) > digits.rfind(point)):
        point, group = group, point
    whole, _, decimals = digits.partition(point)
    groups = whole.split(group)
    if point in decimals or group in decimals:
        return None
    if len(groups) == 1 or _is_grouped(groups):
        return Decimal(f"{''.join(groups)}.{decimals or 0}"), len(decimals)
    if len(groups) == 2 and not decimals:
        return Decimal(".".join(groups)), len(groups[1])
    return None


def _is_grouped(groups: list[str]) -> bool:
    """Whether digits are grouped by thousands, or as in India: 12,34,567."""
    if not 1 <= len(groups[0]) <= 3 or len(groups[-1]) != 3:
        return False
    middle = {len(group) for group in groups[1:-1]}
    return middle <= {3} or middle == {2}


def fraction(whole: str | None, top: str, bottom: str) -> Decimal | None:
    """Return the value of 3/4 or 1 3/4; None where the digits make none: 24/7, 3/0."""
    if not 0 < int(top) < int(bottom):
        return None
    return int(whole or 0) + Decimal(top) / int(bottom)
