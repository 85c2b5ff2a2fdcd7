"""The options of every command that asks a language model: which, how fast, for how much, recorded or not."""

import argparse
from pathlib import Path

from qaviz.cli.whole_numbers import whole_number
from qaviz.llm import Estimate, Limits, Settings, parse_caps
from qaviz.llm.session import PRICES_VARIABLE

MOST_IN_FLIGHT = 1000
MOST_A_MINUTE = 10_000_000


def add_model_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """--model (`required` or not), --cap, --prices, --key-file, --in-flight, rates a minute, --replay."""
    parser.add_argument(
        "--model",
        required=required,
        metavar="PROVIDER:NAME",
        help="openai:NAME (any OpenAI-compatible server: $OPENAI_BASE_URL, $OPENAI_API_KEY) or bedrock:NAME",
    )
    parser.add_argument(
        "--cap",
        action="append",
        default=[],
        metavar="AMOUNT",
        help="the most to spend: 5USD, 200000tokens or 100calls; may be given again",
    )
    parser.add_argument(
        "--prices", type=Path, metavar="FILE", help=f"your file of prices, .toml or .json (default: ${PRICES_VARIABLE})"
    )
    parser.add_argument("--key-file", type=Path, metavar="FILE", help="file that holds the key")
    parser.add_argument(
        "--in-flight",
        type=whole_number(1, MOST_IN_FLIGHT),
        default=Limits().in_flight,
        metavar="N",
        help=f"requests at the same time (default {Limits().in_flight})",
    )
    for name in ("--requests-per-minute", "--tokens-per-minute"):
        parser.add_argument(name, type=whole_number(1, MOST_A_MINUTE), metavar="N", help="at most (default: no limit)")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="answer from this recorded journal; calls no model")


def settings_of(asked: argparse.Namespace, journal: Path) -> Settings:
    """What the options say. Raises QavizError for a cap that is none."""
    return Settings(
        model=asked.model,
        journal=journal,
        caps=parse_caps(asked.cap),
        limits=Limits(
            in_flight=asked.in_flight,
            requests_per_minute=asked.requests_per_minute,
            tokens_per_minute=asked.tokens_per_minute,
        ),
        prices=asked.prices,
        key_file=asked.key_file,
        replay=asked.replay,
    )


def estimate_words(estimate: Estimate) -> str:
    """What asking will take, in one line."""
    cost = "" if estimate.cost is None else f", {estimate.cost:,.2f} {estimate.currency}"
    tokens = f"{estimate.input_tokens + estimate.output_tokens:,} tokens"
    known = f"; {estimate.recorded:,} replies are there already" if estimate.recorded else ""
    return f"{estimate.calls:,} calls, about {tokens}{cost}{known}"
