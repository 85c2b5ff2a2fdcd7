"""Language models in a terminal: which one is asked, how fast, for how much; and what that will cost, or did."""

from pathlib import Path

from qaviz.cli import options as o
from qaviz.cli.terminal import say
from qaviz.llm import Estimate, Limits, Settings, parse_caps
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.model.errors import stop

MOST_IN_FLIGHT = 1000
_IN_FLIGHT = o.number(1, MOST_IN_FLIGHT)
A_MINUTE = o.number(1, 10_000_000)
MODELS = "openai:NAME, ollama:NAME, llamacpp:NAME or bedrock:NAME"
MODEL = (
    "openai:NAME (any OpenAI-compatible server: $OPENAI_BASE_URL, $OPENAI_API_KEY), ollama:NAME or llamacpp:NAME (a "
    "server on this machine) or bedrock:NAME"
)


class PaidOptions(o.Options):
    """What a command may spend on models, and how fast."""

    cap: tuple[str, ...] = o.repeated("AMOUNT", "the most to spend on a model: 5USD, 200000tokens or 100calls")
    prices: Path | None = o.file(f"your prices, .toml or .json (default: ${PRICES_VARIABLE})")
    requests_per_minute: int | None = o.option("N", "requests a minute at most (default: no limit)", type=A_MINUTE)


class ModelOptions(PaidOptions):
    """Which language model is asked, how fast, for how much, recorded or not."""

    model: str | None = o.option("PROVIDER:NAME", MODEL)
    in_flight: int = o.option("N", "requests at the same time", type=_IN_FLIGHT, default=Limits().in_flight)
    replay: Path | None = o.file("answer from this recorded journal; calls no model")

    @property
    def named_model(self) -> str:
        """The model. Raises QavizError where none is named."""
        if self.model is None:
            raise stop("--model", "no model", MODELS, "Name one.")
        return self.model


def read_model_settings(options: ModelOptions, journal: Path) -> Settings:
    """What the options say. Raises QavizError for a cap that is none."""
    return Settings(
        model=options.named_model,
        journal=journal,
        caps=parse_caps(options.cap),
        limits=Limits(in_flight=options.in_flight, requests_per_minute=options.requests_per_minute),
        prices=options.prices,
        replay=options.replay,
    )


def print_estimate(estimate: Estimate) -> o.Printout:
    """What --estimate prints: what asking will take."""
    return o.Printout(estimate, [f"estimate: {estimate.describe()}"])


def say_stop(stopped: str | None) -> None:
    """Say which cap stopped the asking, where one did, and what to do."""
    if stopped:
        say(f"stopped by {stopped}: raise it, and the same command goes on from there")
