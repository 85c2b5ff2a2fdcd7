"""The options of every command that asks a language model: which, how fast, for how much, recorded or not."""

from dataclasses import dataclass
from pathlib import Path

from qaviz.cli.options import FILE, Options, number, option
from qaviz.llm import Limits, Settings, parse_caps
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.model.errors import stop

MOST_IN_FLIGHT = 1000
MOST_A_MINUTE = 10_000_000


PRICES = f"your file of prices, .toml or .json (default: ${PRICES_VARIABLE})"
KEY_FILE = "file that holds the key"
MODEL = "openai:NAME (any OpenAI-compatible server: $OPENAI_BASE_URL, $OPENAI_API_KEY) or bedrock:NAME"
_A_MINUTE = number(1, MOST_A_MINUTE)


@dataclass(frozen=True, kw_only=True)
class ModelOptions(Options):
    """Which language model is asked, how fast, for how much, recorded or not."""

    model: str | None = option("PROVIDER:NAME", MODEL)
    cap: tuple[str, ...] = option(
        "AMOUNT", "the most to spend: 5USD, 200000tokens or 100calls; may be repeated", multiple=True
    )
    prices: Path | None = option("FILE", PRICES, type=FILE)
    key_file: Path | None = option("FILE", KEY_FILE, type=FILE)
    in_flight: int = option(
        "N", "requests at the same time", type=number(1, MOST_IN_FLIGHT), default=Limits().in_flight
    )
    requests_per_minute: int | None = option("N", "requests a minute at most (default: no limit)", type=_A_MINUTE)
    tokens_per_minute: int | None = option("N", "tokens a minute at most (default: no limit)", type=_A_MINUTE)
    replay: Path | None = option("FILE", "answer from this recorded journal; calls no model", type=FILE)

    @property
    def named_model(self) -> str:
        """The model. Raises QavizError where none is named."""
        if self.model is None:
            raise stop("--model", "no model", "openai:NAME or bedrock:NAME", "Name one.")
        return self.model


def read_model_settings(options: ModelOptions, journal: Path) -> Settings:
    """What the options say. Raises QavizError for a cap that is none."""
    return Settings(
        model=options.named_model,
        journal=journal,
        caps=parse_caps(options.cap),
        limits=Limits(
            in_flight=options.in_flight,
            requests_per_minute=options.requests_per_minute,
            tokens_per_minute=options.tokens_per_minute,
        ),
        prices=options.prices,
        key_file=options.key_file,
        replay=options.replay,
    )
