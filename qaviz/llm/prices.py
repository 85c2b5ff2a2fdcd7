"""What tokens cost, from a file that the user owns. qaviz brings no prices: they change, and contracts differ."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qaviz.llm.replies import Usage
from qaviz.model.errors import Problem, QavizError

PER = 1_000_000
MOST = 1e9
_EXAMPLE = 'currency = "USD"\n["openai:NAME"]\ninput = 0.15   # for a million tokens\noutput = 0.60'


@dataclass(frozen=True, kw_only=True)
class Price:
    """Of a million tokens."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """What these tokens cost."""
        return self.of_tokens(usage.input_tokens, usage.output_tokens)

    def of_tokens(self, input_tokens: int, output_tokens: int) -> float:
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
    by_model = {model: _price(said) for model, said in content.items()}
    problems += [
        _problem(path, f"{model}: {content[model]!r:.100}", "input and output, numbers from 0")
        for model, price in by_model.items()
        if price is None
    ]
    if problems:
        raise QavizError(*problems)
    return Prices(currency=currency, by_model={model: price for model, price in by_model.items() if price})


def _price(said: object) -> Price | None:
    """The price that a model's table says, None where it says none."""
    if not isinstance(said, dict):
        return None
    numbers: list[Any] = [said.get(name) for name in ("input", "output")]
    known = [float(each) for each in numbers if _is_number(each) and 0 <= each < MOST]
    return Price(input=known[0], output=known[1]) if len(known) == len(numbers) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _parse_prices(path: Path) -> dict[str, Any]:
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
