"""The options of every command that asks a language model: which, how fast, for how much, recorded or not."""

from pathlib import Path

import click

from qaviz.cli.options import FILE, Asked, number, option
from qaviz.llm import Estimate, Limits, Settings, parse_caps
from qaviz.llm.session import PRICES_VARIABLE

MOST_IN_FLIGHT = 1000
MOST_A_MINUTE = 10_000_000


def read_model_settings(options: Asked, journal: Path) -> Settings:
    """What the options say. Raises QavizError for a cap that is none."""
    return Settings(
        model=options.model,
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


def describe_estimate(estimate: Estimate) -> str:
    """What asking will take, in one line."""
    cost = "" if estimate.cost is None else f", {estimate.cost:,.2f} {estimate.currency}"
    tokens = f"{estimate.input_tokens + estimate.output_tokens:,} tokens"
    known = f"; {estimate.recorded:,} replies are there already" if estimate.recorded else ""
    return f"{estimate.calls:,} calls, about {tokens}{cost}{known}"


KEY_FILE = option("--key-file", "FILE", "file that holds the key", type=FILE)


def model_options(*, required: bool = False) -> tuple[click.Option, ...]:
    """--model (`required` or not), --cap, --prices, --key-file, --in-flight, rates a minute, --replay."""
    a_minute = number(1, MOST_A_MINUTE)
    return (
        option(
            "--model",
            "PROVIDER:NAME",
            "openai:NAME (any OpenAI-compatible server: $OPENAI_BASE_URL, $OPENAI_API_KEY) or bedrock:NAME",
            required=required,
        ),
        option("--cap", "AMOUNT", "the most to spend: 5USD, 200000tokens or 100calls; may be repeated", multiple=True),
        PRICES,
        KEY_FILE,
        option(
            "--in-flight", "N", "requests at the same time", type=number(1, MOST_IN_FLIGHT), default=Limits().in_flight
        ),
        option("--requests-per-minute", "N", "requests a minute at most (default: no limit)", type=a_minute),
        option("--tokens-per-minute", "N", "tokens a minute at most (default: no limit)", type=a_minute),
        option("--replay", "FILE", "answer from this recorded journal; calls no model", type=FILE),
    )


PRICES = option("--prices", "FILE", f"your file of prices, .toml or .json (default: ${PRICES_VARIABLE})", type=FILE)
