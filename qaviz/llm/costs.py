"""What asking costs: the user's prices, the estimate before the first call, and the caps checked before each call."""

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qaviz.llm.requests import Request, Usage
from qaviz.model.errors import Problem, QavizError, stop

PER = 1_000_000
MOST = 1e9
_EXAMPLE = 'currency = "USD"\n["openai:NAME"]\ninput = 0.15   # for a million tokens\noutput = 0.60'

BYTES_PER_TOKEN = 4.0
"""Of English by most tokenizers; what a model's tokenizer really does is learnt from its replies."""
BYTES_PER_TOKEN_RANGE = 5.0, 2.5
"""The same from plain English to scripts that tokenizers cut into small pieces."""
REPLY_SHARES = 0.08, 0.17, 0.35
"""How much of `max_tokens` replies use as a rule: few, usual and many. What is asked for leaves room on purpose."""
LEARNT_FROM = 5
"""Replies from which on their usage says more than the rules of thumb."""

_CAP = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[A-Za-z]{3,6})")


@dataclass(frozen=True, kw_only=True)
class Price:
    """The price of a million tokens, in the currency of the file."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """What these tokens cost."""
        return self.of_tokens(usage.input_tokens, usage.output_tokens)

    def of_tokens(self, input_tokens: float, output_tokens: float) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.input + output_tokens * self.output) / PER


FREE = Price(input=0.0, output=0.0)


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Prices by model specification (`openai:NAME`), all in one currency."""

    currency: str = "USD"
    by_model: Mapping[str, Price] = field(default_factory=dict)

    def find(self, model: str) -> Price | None:
        """The price of a model, None where the file has none."""
        return self.by_model.get(model)


def read_prices(path: Path) -> Prices:
    """Read a TOML or JSON file of prices. Raises QavizError with every problem that it has.

    The file has `currency` and, under each model's `provider:name`, `input` and `output`: prices of a million tokens.
    """
    content = _parse_prices(path)
    currency = content.pop("currency", "USD")
    problems = [] if isinstance(currency, str) else [_problem(path, f"currency {currency!r}", "a text such as USD")]
    by_model = {model: _read_price(price) for model, price in content.items()}
    problems += [
        _problem(path, f"{model}: {content[model]!r:.100}", "input and output, numbers from 0")
        for model, price in by_model.items()
        if price is None
    ]
    if problems:
        raise QavizError(*problems)
    return Prices(currency=str(currency), by_model={model: price for model, price in by_model.items() if price})


def _read_price(price: object) -> Price | None:
    """The price that a model's table says, None where it says none."""
    if not isinstance(price, dict):
        return None
    numbers = [price.get(name) for name in ("input", "output")]
    known = [float(number) for number in numbers if isinstance(number, int | float) and not isinstance(number, bool)]
    known = [name for name in known if 0 <= name < MOST]
    return Price(input=known[0], output=known[1]) if len(known) == len(numbers) else None


def _parse_prices(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise QavizError(_problem(path, str(error), "a TOML or JSON file of prices")) from error
    if not isinstance(content, dict):
        raise QavizError(_problem(path, type(content).__name__, "a table of models"))
    return content


def _problem(path: Path, found: str, expected: str) -> Problem:
    return Problem(where=path.name, found=found, expected=expected, fix=f"Write for each model:\n{_EXAMPLE}")


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What asking will take. Replies that the journal has are free and not among the calls."""

    requests: int
    recorded: int
    """How many of them the journal can answer."""
    calls: int
    """How many have to be asked, without retries."""
    input_tokens: int
    output_tokens: int
    """As is likely."""
    tokens_low: int
    tokens_high: int
    """Of input and output together: what to expect, 95 % once replies are known."""
    cost: float | None
    """Likely, in `currency`. None where no price is known."""
    cost_low: float | None
    cost_high: float | None
    cost_most: float | None
    """If each reply is as long as it may be."""
    currency: str
    learnt_from: int
    """Replies whose usage the estimate is computed from; 0: from the number of characters alone."""

    def describe(self) -> str:
        """What asking will take, in one line: `40 calls, 9,000 to 14,000 tokens, 0.20 to 0.60 USD (at most 2.03)`."""
        calls = (
            f"{self.calls:,} call{'' if self.calls == 1 else 's'}, {self.tokens_low:,} to {self.tokens_high:,} tokens"
        )
        cost = ", no price is known"
        if self.cost_low is not None and self.cost_high is not None:
            cost = f", {describe_money(self.cost_low, self.cost_high, self.currency)}"
            if self.cost_most != self.cost_high:
                cost += f" (at most {self.cost_most:,.2f})"
        by = f"by the tokens of {self.learnt_from:,} replies" if self.learnt_from else "by the number of characters"
        return f"{calls}{cost}, {by}" + (f"; {self.recorded:,} replies are there already" if self.recorded else "")


def add_estimates(one: Estimate, other: Estimate) -> Estimate:
    """What asking both will take; the ranges are added, as if both were off in the same way."""
    sums: dict[str, Any] = {
        name: None if mine is None or its is None else mine + its
        for name in Estimate.__dataclass_fields__
        if name != "currency"
        for mine, its in [(getattr(one, name), getattr(other, name))]
    }
    return replace(one, **sums)


def describe_money(low: float, high: float, currency: str) -> str:
    """`0.20 to 0.60 USD`; small sums with as many decimals as tell them apart from nothing."""
    decimals = 2 if high >= 1 / 10 or not high else 4
    return f"{low:,.{decimals}f} to {high:,.{decimals}f} {currency}"


Tokens = tuple[float, float]
"""In and out."""


class Learner:
    """Learns from the replies of a model how many tokens requests have and replies get."""

    def __init__(self) -> None:
        self._learnt: set[str] = set()
        self._sizes = self._input_tokens = self._output_tokens = 0
        self._squared_ratios = self._ratios = self._squared_outputs = 0.0

    @property
    def replies(self) -> int:
        """How many replies it has learnt from."""
        return len(self._learnt)

    @property
    def known(self) -> int:
        """Replies that estimates are computed from; 0 until there are LEARNT_FROM."""
        return self.replies if self.replies >= LEARNT_FROM else 0

    def learn(self, key: str, request: Request, usage: Usage) -> None:
        """Add the reply to the request with this key, once. Estimated usages are left out."""
        if not usage.estimated and key not in self._learnt:
            self._learnt.add(key)
            self._sizes += request.size
            self._input_tokens += usage.input_tokens
            self._output_tokens += usage.output_tokens
            self._squared_outputs += usage.output_tokens**2
            ratio = usage.input_tokens / max(request.size, 1)
            self._ratios, self._squared_ratios = self._ratios + ratio, self._squared_ratios + ratio**2

    def expect(self, request: Request) -> tuple[float, float]:
        """Tokens in and out that the request is expected to use; out is `max_tokens` until enough replies are known."""
        if not self.known or not self._input_tokens:
            return request.size / BYTES_PER_TOKEN, float(request.max_tokens)
        return request.size * self._input_tokens / self._sizes, self._output_tokens / self.replies

    def expect_sum(self, requests: int, size: int, most: int) -> tuple[Tokens, Tokens, Tokens]:
        """Tokens of so many requests: low, likely and high, in and out.

        `size` is the sum of their sizes, `most` that of their `max_tokens`. By rules of thumb at first; once replies
        are known, their means and a 95 % prediction interval of the sum, as if all were of one distribution.
        """
        if not self.known or not self._input_tokens or not requests:
            few, many = BYTES_PER_TOKEN_RANGE
            inputs = [size / few, size / BYTES_PER_TOKEN, size / many]
            outputs = [most * part for part in REPLY_SHARES]
        else:
            number = self.replies
            # Near Student's t at 95 %: 2.8 of 5 replies, 2.2 of 20, 2 of many.
            spread = (2 + 4 / number) * math.sqrt(1 / requests + 1 / number)
            ratio, output = self._input_tokens / self._sizes, self._output_tokens / number
            likely = size * ratio, output * requests
            either = (
                size * spread * _deviation(self._ratios, self._squared_ratios, number),
                requests * spread * _deviation(self._output_tokens, self._squared_outputs, number),
            )
            inputs, outputs = (
                [max(0.0, mid + sign * way) for sign in (-1, 0, 1)] for mid, way in zip(likely, either, strict=True)
            )
        low, mid, high = zip(inputs, (min(output, most) for output in outputs), strict=True)
        return low, mid, high

    def usage_by_size(self, request: Request, text: str) -> Usage:
        """The usage of a reply whose server did not say it, by the sizes of request and reply."""
        input_tokens, _ = self.expect(request)
        output_tokens = len(text.encode(errors="replace")) / BYTES_PER_TOKEN
        return Usage(input_tokens=round(input_tokens), output_tokens=round(output_tokens), estimated=True)


def _deviation(total: float, squared: float, number: int) -> float:
    """The standard deviation of so many numbers, from their sum and the sum of their squares."""
    return math.sqrt(max(0.0, squared - total**2 / number) / (number - 1))


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
        match = _CAP.fullmatch(text.strip())
        unit = match["unit"] if match else ""
        number = float(match["number"].replace(",", ".")) if match else 0.0
        if unit in ("tokens", "token") and number.is_integer():
            tokens = int(number)
        elif unit in ("calls", "call") and number.is_integer():
            calls = int(number)
        elif len(unit) == 3 and unit.isupper():
            money, currency = number, unit
        else:
            raise stop(
                "cap", repr(text), "an amount with its unit", "Write for example 5USD, 200000tokens or 100calls."
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

    def __init__(self, caps: Caps, price: Price | None, currency: str, purse: list[Spend] | None = None) -> None:
        self._caps, self.price = caps, price
        self._purse = purse or [Spend(cost=None if price is None else 0.0, currency=currency)]

    def at_price(self, price: Price | None) -> "Budget":
        """The same budget for another model: what one spends counts for both, to the same caps."""
        return Budget(self._caps, price, self.spend.currency, self._purse)

    @property
    def spend(self) -> Spend:
        """What was spent so far."""
        return self._purse[0]

    @spend.setter
    def spend(self, spend: Spend) -> None:
        self._purse[0] = spend

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
            cost=None if self.price is None or spend.cost is None else spend.cost + self.price.of(usage),
        )

    def find_reached_cap(self) -> str | None:
        """Which cap allows no further call, in words; None where there is room."""
        caps, spend = self._caps, self.spend
        if caps.calls is not None and spend.calls >= caps.calls:
            return f"the cap of {caps.calls:,} calls"
        if caps.tokens is not None and spend.input_tokens + spend.output_tokens >= caps.tokens:
            return f"the cap of {caps.tokens:,} tokens"
        if caps.money is not None and (spend.cost or 0.0) >= caps.money and self.price != FREE:
            return f"the cap of {caps.money:,.2f} {caps.currency}"
        return None
