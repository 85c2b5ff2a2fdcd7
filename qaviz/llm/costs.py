"""What asking costs: the user's prices, the estimate before the first call, and the caps checked before each call."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from qaviz.llm.requests import Usage
from qaviz.model.errors import stop, stop_at_fields

REPLY_SHARE = 0.17
"""How much of `max_tokens` replies use as a rule: what is asked for leaves room on purpose."""

_CAP = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[A-Za-z]{3,6})")
_Amount = Annotated[float, Field(ge=0, lt=1e9, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Price:
    """The price of a million tokens, in the currency of the file."""

    input: _Amount
    output: _Amount

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


FREE = Price(input=0.0, output=0.0)


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Prices by model specification (`openai:NAME`), all in one currency."""

    currency: str = "USD"
    by_model: Mapping[str, Price] = field(default_factory=dict)


def read_prices(path: Path) -> Prices:
    """Read a TOML or JSON file of prices. Raises QavizError with every problem that it has. The file has `currency`
    and, under each model's `provider:name`, `input` and `output`: prices of a million tokens."""
    example = 'currency = "USD"\n["openai:NAME"]\ninput = 0.15   # for a million tokens\noutput = 0.60'
    fix = f"Write for each model:\n{example}"
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
        fields = {"currency": content.pop("currency", "USD"), "by_model": content}
        return TypeAdapter(Prices).validate_python(fields)
    except ValidationError as error:
        raise stop_at_fields(path.name, error, fix) from None
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise stop(path.name, str(error), "a TOML or JSON file of prices", fix) from error


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What asking will take. Replies that the journal has are free and not among the calls."""

    requests: int
    recorded: int
    calls: int
    """How many have to be asked, without retries."""
    input_tokens: int
    output_tokens: int
    """As is likely: by `Request.input_tokens` and REPLY_SHARE."""
    cost: float | None
    """Likely, in `currency`. None where no price is known."""
    cost_most: float | None
    """If each reply is as long as it may be."""
    currency: str

    def describe(self) -> str:
        """What asking will take, in one line: `40 calls, about 9,000 tokens, 0.20 USD (at most 2.03)`."""
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}"
        tokens = f"about {self.input_tokens + self.output_tokens:,} tokens"
        cost = "no price is known"
        if self.cost is not None and self.cost_most is not None:
            # A small sum has as many decimals as tell it apart from nothing.
            decimals = 2 if self.cost >= 1 / 10 or not self.cost else 4
            cost = f"{self.cost:,.{decimals}f} {self.currency} (at most {self.cost_most:,.2f})"
        there = f"; {self.recorded:,} replies are there already" if self.recorded else ""
        return f"{calls}, {tokens}, {cost}{there}"


def add_estimates(first: Estimate, second: Estimate) -> Estimate:
    """What asking both will take."""
    sums: dict[str, Any] = {
        name: None if mine is None or its is None else mine + its
        for name in Estimate.__dataclass_fields__
        if name != "currency"
        for mine, its in [(getattr(first, name), getattr(second, name))]
    }
    return replace(first, **sums)


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The most that one session may spend. None means no cap."""

    money: float | None = None
    currency: str = "USD"
    tokens: int | None = None
    calls: int | None = None


def parse_caps(texts: Iterable[str]) -> Caps:
    """Read caps such as `5USD`, `2.50 EUR`, `200000tokens`, `100calls`. Raises QavizError for anything else."""
    caps = Caps()
    for text in texts:
        match = _CAP.fullmatch(text.strip())
        number, unit = (float(match["number"].replace(",", ".")), match["unit"]) if match else (0.0, "")
        if unit == "tokens" and number.is_integer():
            caps = replace(caps, tokens=int(number))
        elif unit == "calls" and number.is_integer():
            caps = replace(caps, calls=int(number))
        elif len(unit) == 3 and unit.isupper():
            caps = replace(caps, money=number, currency=unit)
        else:
            fix = "Write for example 5USD, 200000tokens or 100calls."
            raise stop("cap", repr(text), "an amount with its unit", fix)
    return caps


@dataclass(frozen=True, kw_only=True)
class Spend:
    """What a session has spent so far. Replies from the journal are free and do not count."""

    calls: int = 0
    """Requests that were sent, retries too."""
    tokens: int = 0
    cost: float | None = 0.0
    """In the currency of the prices. None where no price is known."""
    currency: str = "USD"


class Budget:
    """Counts what is spent, and says when a cap is reached. For many threads."""

    def __init__(self, caps: Caps, price: Price | None, currency: str) -> None:
        self._caps, self._lock = caps, Lock()
        self.spend = Spend(cost=None if price is None else 0.0, currency=currency)

    def admit(self, price: Price | None) -> str | None:
        """Count a request that is about to be sent, or return in words the cap that forbids it."""
        caps = self._caps
        with self._lock:
            spend = self.spend
            if caps.calls is not None and spend.calls >= caps.calls:
                return f"the cap of {caps.calls:,} calls"
            if caps.tokens is not None and spend.tokens >= caps.tokens:
                return f"the cap of {caps.tokens:,} tokens"
            if caps.money is not None and (spend.cost or 0.0) >= caps.money and price != FREE:
                return f"the cap of {caps.money:,.2f} {caps.currency}"
            self.spend = replace(spend, calls=spend.calls + 1)
            return None

    def add_usage(self, usage: Usage, price: Price | None) -> None:
        """Count the tokens of a reply, and what they cost."""
        cost = price.of(*usage) if price else None
        with self._lock:
            spend = self.spend
            total = None if cost is None or spend.cost is None else spend.cost + cost
            self.spend = replace(spend, tokens=spend.tokens + sum(usage), cost=total)
