"""What a question asks for: a date, an amount, a side, a name; and the scale and sign that it sets for amounts."""

from decimal import Decimal
from functools import cached_property, lru_cache

from qaviz.diagnosis.patterns import QUESTION
from qaviz.reading import Token, level_text, tokens
from qaviz.reading.tables import table

READ = 2_000
"""Characters of a question that are read."""
_WORTH = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "nghìn": 3, "triệu": 6, "tỷ": 9}


def _asks(name: str) -> "cached_property[bool]":
    """Whether a question has words of a pattern of patterns.toml; looked for where it is asked."""
    return cached_property(lambda target: QUESTION[name].search(target.level) is not None)


class Target:
    """What a question is after."""

    def __init__(self, question: str, language: str) -> None:
        self.level = level_text(question[:READ]).strip()
        self._read = question[:READ], language

    date, amount, percent, polar, thing = map(_asks, ("date", "amount", "percent", "polar", "thing"))
    counts, ratio, limit, least, falling = map(_asks, ("counts", "ratio", "limit", "least", "falling"))

    @cached_property
    def scale(self) -> Decimal | None:
        """Of a plain number: 1,000,000 where the question says "in USD millions"."""
        scale = QUESTION["scale"].search(self.level)
        return Decimal(10) ** _WORTH[scale["scale"]] if scale else None

    @cached_property
    def units(self) -> frozenset[str]:
        """Units that it names without a number: `how many seconds`."""
        phrases = table(self._read[1]).units
        units = (phrases.at(self.level, match.end()) for match in QUESTION["how_many"].finditer(self.level))
        return frozenset(unit[1] for unit in units if unit)

    @cached_property
    def named(self) -> bool:
        """It names something: a word within it has a capital."""
        return any(word[:1].isupper() for word in self._read[0].split()[1:])

    @cached_property
    def given(self) -> tuple[Token, ...]:
        """The tokens that the question itself contains."""
        return tokens(*self._read)


read_question = lru_cache(maxsize=4_096)(Target)
"""What a question of a language asks for, read once."""
