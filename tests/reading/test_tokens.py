"""What is read of a text, in each language."""

from pathlib import Path

import pytest

from qaviz.reading import Date, Granularity, Kind, Token, tokens

CASES = sorted((Path(__file__).parent / "tokens").glob("*.txt"))


def describe(token: Token) -> str:
    """`>=5000 $/day`, `2020-06-15`, `code 3.10 (version)`."""
    value = token.value
    if isinstance(value, Date):
        return f"{token.bound}{_describe_date(value)}"
    if token.kind is Kind.CODE:
        return f"code {value}" + (f" ({token.unit})" if token.unit else "")
    if token.kind in (Kind.AMOUNT, Kind.ORDINAL):
        number = f"{float(value):.14g}" + (f"..{float(token.high):.14g}" if token.high is not None else "")
        sign = {-1: "-", 0: "±", 1: ""}[token.sign]
        unit = f" {token.unit}" if token.unit else ""
        place = "#" if token.kind is Kind.ORDINAL else ""
        return f"{token.bound}{place}{sign}{number}{unit}" + (f"/{token.period}" if token.period else "")
    if token.kind is Kind.FREQUENCY:
        return f"often {86400 * float(value):.4g}/day"
    if token.kind is Kind.TIME:
        return f"{int(value) // 60}:{int(value) % 60:02d}"
    return f"{token.kind} {value}"


def _describe_date(date: Date) -> str:
    if date.granularity is Granularity.WEEKDAY:
        return f"weekday {date.weekday}"
    if date.until is not None:
        return f"{date.year}..{date.until}"
    parts = [str(date.year) if date.year else "?"]
    if date.quarter:
        parts.append(f"{'H' if date.granularity is Granularity.HALF else 'Q'}{date.quarter}")
    parts += [f"{part:02d}" for part in (date.month, date.day) if part]
    return "-".join(parts)


def _read_cases() -> list[tuple[str, str, str]]:
    lines = ((path.stem, line) for path in CASES for line in path.read_text(encoding="utf-8").splitlines())
    return [
        (language, *map(str.strip, line.split(" => ")))  # type: ignore[misc]  # two parts
        for language, line in lines
        if line and not line.startswith("# ")
    ]


@pytest.mark.parametrize(("language", "text", "expected"), _read_cases())
def test_tokens(language: str, text: str, expected: str) -> None:
    """Each text gives exactly the tokens listed."""
    found = [describe(token) for token in tokens(text, language)]
    assert "; ".join(found) == expected.removesuffix("=>").strip()
