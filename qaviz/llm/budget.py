"""Caps in money, tokens and calls, and what has been spent: looked at before each call."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from qaviz.llm.prices import FREE, Price
from qaviz.llm.replies import Usage
from qaviz.model.errors import Problem, QavizError

_CAP = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[A-Za-z]{3,6})")


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The most that one session may spend. None means no cap."""

    money: float | None = None
    currency: str = "USD"
    tokens: int | None = None
    calls: int | None = None


def parse_caps(texts: Iterable[str]) -> Caps:
    """Read caps such as `5USD`, `2.50 EUR`, `200000tokens`, `100calls`. Raises QavizError for anything else."""
    money, currency, tokens, calls = None, "USD", None, None
    for text in texts:
        found = _CAP.fullmatch(text.strip())
        unit = found["unit"] if found else ""
        number = float(found["number"].replace(",", ".")) if found else 0.0
        if unit in ("tokens", "token") and number.is_integer():
            tokens = int(number)
        elif unit in ("calls", "call") and number.is_integer():
            calls = int(number)
        elif len(unit) == 3 and unit.isupper():
            money, currency = number, unit
        else:
            raise QavizError(
                Problem(
                    where="cap",
                    found=repr(text),
                    expected="an amount with its unit",
                    fix="Write for example 5USD, 200000tokens or 100calls.",
                )
            )
    return Caps(money=money, currency=currency, tokens=tokens, calls=calls)


@dataclass(frozen=True, kw_only=True)
class Spend:
    """What a session has spent so far. Replies from the journal are free and do not count."""

    calls: int = 0
    """Requests that were sent, retries too."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    """In the currency of the prices. None where no price is known."""
    currency: str = "USD"


class Budget:
    """Counts what is spent, and says when a cap is reached. One thread writes, any number may read `spend`."""

    def __init__(self, caps: Caps, price: Price | None, currency: str) -> None:
        self._caps, self.price = caps, price
        self.spend = Spend(cost=None if price is None else 0.0, currency=currency)

    def start_call(self) -> None:
        """Count a request that is about to be sent."""
        self.spend = replace(self.spend, calls=self.spend.calls + 1)

    def add_usage(self, usage: Usage) -> None:
        """Count the tokens of a reply, and what they cost."""
        spend = self.spend
        self.spend = replace(
            spend,
            input_tokens=spend.input_tokens + usage.input_tokens,
            output_tokens=spend.output_tokens + usage.output_tokens,
            cost=None if self.price is None else (spend.cost or 0.0) + self.price.of(usage),
        )

    def reached(self) -> str | None:
        """Which cap allows no further call, in words; None where there is room."""
        caps, spend = self._caps, self.spend
        if caps.calls is not None and spend.calls >= caps.calls:
            return f"the cap of {caps.calls:,} calls"
        if caps.tokens is not None and spend.input_tokens + spend.output_tokens >= caps.tokens:
            return f"the cap of {caps.tokens:,} tokens"
        if caps.money is not None and (spend.cost or 0.0) >= caps.money and self.price != FREE:
            return f"the cap of {caps.money:,.2f} {caps.currency}"
        return None
