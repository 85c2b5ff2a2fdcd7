"""`qaviz ask`: pipelines answer the golden questions, into a file of responses that `qaviz import` reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.cli import INTERRUPTED
from qaviz.cli.files import say_listed
from qaviz.cli.model_options import KEY_FILE, PRICES
from qaviz.cli.options import FILE, SEEDS, Options, Value, argument, command, number, option, switch
from qaviz.cli.terminal import print_lines, progress_line, say
from qaviz.llm import parse_caps
from qaviz.loading import Source, sandbox
from qaviz.loading.load_log import DUPLICATE, KIND
from qaviz.model.errors import stop
from qaviz.pipelines import Asked as Answered
from qaviz.pipelines import AskSettings, Pipeline, ask_pipelines, parse_pipelines
from qaviz.pipelines.asking import journal_of
from qaviz.pipelines.pipeline import FORMS

_NAMED = 3
_MOST = 1000


def _read_seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError
    return value


@dataclass(frozen=True, kw_only=True)
class AskingOptions(Options):
    """Which pipelines are asked the golden questions, and how."""

    golden: Path = argument("golden dataset, in any format of `qaviz import`", type=FILE)
    pipeline: tuple[str, ...] = option("NAME=SPEC", f"{FORMS}; may be repeated", multiple=True, required=True)
    in_flight: int | None = option("N", "questions at the same time (default 8; command 1)", type=number(1, _MOST))
    requests_per_minute: int | None = option("N", "requests a minute at most", type=number(1, 10_000_000))
    timeout: float | None = option(
        "S", "seconds for one attempt (default 120)", type=Value(_read_seconds, "a number of seconds above 0")
    )
    attempts: int = option("N", "attempts where a failure may pass", type=number(1, 20), default=3)
    repeat: int = option("N", "ask each question N times", type=number(1, _MOST), default=1)
    warm_up: int = option("N", "questions to ask first, not kept", type=number(0, _MOST), default=0)
    seed: int = option("N", "seed of the order of questions", type=SEEDS, default=0)
    changed: bool = switch("ask only questions that --out lacks, has in other words, or has no answer to")
    cap: tuple[str, ...] = option("AMOUNT", "the most to spend on a model: 5USD, 100calls", multiple=True)
    prices: Path | None = option("FILE", PRICES, type=FILE)
    key_file: Path | None = option("FILE", KEY_FILE, type=FILE)


@dataclass(frozen=True, kw_only=True)
class _AskOptions(AskingOptions):
    out: Path = option("FILE", "file of responses to write: .jsonl", type=FILE, required=True)


@command(_AskOptions)
def ask(options: _AskOptions) -> int:
    """Ask pipelines the golden questions and write their responses to a file.

    `qaviz import` reads the file. Answers are kept as they come: after an interruption the same command asks only what
    is missing. A question that fails is a row without a response, with its reason. Exit code 1 if there is one. See
    docs/pipelines.md.
    """
    if options.out.suffix != ".jsonl":
        raise stop("--out", options.out.name, "a .jsonl file", "Name such a file.")
    pipelines = parse_pipelines(options.pipeline)
    golden = read_golden_file(options.golden)
    try:
        answers = ask_golden(golden, pipelines, options.out, options)
    except KeyboardInterrupt:
        say(f"stopped; the answers so far are in {journal_of(options.out)}, and the same command asks the rest")
        return INTERRUPTED
    print_lines(report_answers(answers, options.out))
    return int(bool(answers.errors))


def read_golden_file(path: Path) -> pl.DataFrame:
    """The golden dataset of a file. Raises QavizError with every problem of the file."""
    with progress_line() as progress:
        triplets, listed = sandbox.load_golden(Source.of(path), progress)
    say_listed(listed.filter(pl.col(KIND) == DUPLICATE))
    return triplets


def ask_golden(golden: pl.DataFrame, pipelines: list[Pipeline], out: Path, options: AskingOptions) -> Answered:
    """Ask as the options say. Raises QavizError as `ask_pipelines`."""
    with progress_line() as progress:
        return ask_pipelines(golden, pipelines, out, read_ask_settings(options), progress=progress)


def read_ask_settings(options: AskingOptions) -> AskSettings:
    """What the options say. Raises QavizError for a cap that is none."""
    return AskSettings(
        in_flight=options.in_flight,
        requests_per_minute=options.requests_per_minute,
        timeout_s=options.timeout,
        attempts=options.attempts,
        repeat=options.repeat,
        warm_up=options.warm_up,
        seed=options.seed,
        changed=options.changed,
        caps=parse_caps(options.cap),
        prices=options.prices,
        key_file=options.key_file,
    )


def report_answers(answers: Answered, out: Path) -> Iterator[str]:
    """What the command says: how many responses, how many are missing, and why."""
    yield f"qaviz: {plural(answers.rows - answers.errors, 'response')} in {out}, {answers.asked:,} asked now"
    if answers.errors:
        yield f"  {plural(answers.errors, 'question')} without a response, for example:"
        yield from (f"    {reason}" for reason in list(dict.fromkeys(answers.reasons))[:_NAMED])
    if answers.stopped:
        yield f"  stopped: {answers.stopped}; the same command asks the rest"
