"""`qaviz ask`: pipelines answer the golden questions, into a file of responses that `qaviz import` reads."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.cli.terminal import progress_line, say, say_listed, shown
from qaviz.cli.whole_numbers import SEEDS, whole_number
from qaviz.llm import parse_caps
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.loading import Source, sandbox
from qaviz.loading.load_log import DUPLICATE, KIND
from qaviz.model.errors import Problem, QavizError
from qaviz.pipelines import Asked, AskSettings, Pipeline, ask_pipelines, parse_pipelines
from qaviz.pipelines.asking import journal_of
from qaviz.pipelines.specs import FORMS

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""
_NAMED = 3
_MOST = 1000


def run(asked: argparse.Namespace) -> int:
    """Ask pipelines the questions of a golden dataset, and write their responses to a file that `qaviz import` reads.

    Answers are kept as they come: after an interruption the same command asks only what is missing. A question that
    fails is a row without a response, with its reason. Exit code 1 if there is one. See docs/pipelines.md.
    """
    if asked.out.suffix != ".jsonl":
        problem = Problem(where="--out", found=asked.out.name, expected="a .jsonl file", fix="Name such a file.")
        raise QavizError(problem)
    pipelines = parse_pipelines(asked.pipeline)
    golden = read_golden_file(asked.golden)
    try:
        found = ask_golden(golden, pipelines, asked.out, asked)
    except KeyboardInterrupt:
        say(f"stopped; what was answered is in {journal_of(asked.out)}, and the same command asks the rest")
        return INTERRUPTED
    for line in lines_of(found, asked.out):
        print(shown(line))
    return int(bool(found.errors))


def read_golden_file(path: Path) -> pl.DataFrame:
    """The golden dataset of a file. Raises QavizError with every problem of the file."""
    with progress_line() as progress:
        triplets, listed = sandbox.load_golden(Source.of(path), progress)
    say_listed(listed.filter(pl.col(KIND) == DUPLICATE))
    return triplets


def ask_golden(golden: pl.DataFrame, pipelines: list[Pipeline], out: Path, asked: argparse.Namespace) -> Asked:
    """Ask as the options say. Raises QavizError as `ask_pipelines`."""
    with progress_line() as progress:
        return ask_pipelines(golden, pipelines, out, settings_of(asked), progress=progress)


def settings_of(asked: argparse.Namespace) -> AskSettings:
    """What the options say. Raises QavizError for a cap that is none."""
    return AskSettings(
        in_flight=asked.in_flight,
        requests_per_minute=asked.requests_per_minute,
        timeout_s=asked.timeout,
        attempts=asked.attempts,
        repeat=asked.repeat,
        warm_up=asked.warm_up,
        seed=asked.seed,
        changed=asked.changed,
        caps=parse_caps(asked.cap),
        prices=asked.prices,
        key_file=asked.key_file,
    )


def lines_of(found: Asked, out: Path) -> Iterator[str]:
    """What the command says: how many responses, how many are missing, and why."""
    yield f"qaviz: {plural(found.rows - found.errors, 'response')} in {out}, {found.asked:,} asked now"
    if found.errors:
        yield f"  {plural(found.errors, 'question')} without a response, for example:"
        yield from (f"    {reason}" for reason in list(dict.fromkeys(found.reasons))[:_NAMED])
    if found.stopped:
        yield f"  stopped: {found.stopped}; the same command asks the rest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GOLDEN, --out, and what `add_asking_arguments` adds."""
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="golden dataset, in any format of `qaviz import`")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file of responses to write: .jsonl")
    add_asking_arguments(parser)


def add_asking_arguments(parser: argparse.ArgumentParser) -> None:
    """--pipeline, how fast and how patiently they are asked, and for how much."""
    parser.add_argument(
        "--pipeline", action="append", required=True, metavar="NAME=SPEC", help=f"{FORMS}; may be given again"
    )
    most = whole_number(1, _MOST)
    parser.add_argument("--in-flight", type=most, metavar="N", help="questions at the same time (default 8; command 1)")
    parser.add_argument("--requests-per-minute", type=whole_number(1, 10_000_000), metavar="N", help="at most")
    parser.add_argument("--timeout", type=seconds, metavar="S", help="seconds for one attempt (default 120)")
    parser.add_argument(
        "--attempts", type=whole_number(1, 20), default=3, metavar="N", help="for passing failures (default 3)"
    )
    parser.add_argument("--repeat", type=most, default=1, metavar="N", help="ask each question N times (default 1)")
    parser.add_argument(
        "--warm-up", type=whole_number(0, _MOST), default=0, metavar="N", help="questions to ask first, not kept"
    )
    parser.add_argument("--seed", type=SEEDS, default=0, metavar="N", help="of the order of questions (default 0)")
    parser.add_argument(
        "--changed", action="store_true", help="ask only questions that --out lacks, has otherwise, or has no answer to"
    )
    parser.add_argument("--cap", action="append", default=[], metavar="AMOUNT", help="of a model: 5USD, 100calls")
    parser.add_argument("--prices", type=Path, metavar="FILE", help=f"of models (default: ${PRICES_VARIABLE})")
    parser.add_argument("--key-file", type=Path, metavar="FILE", help="file that holds a model's key")


def seconds(text: str) -> float:
    """A number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f'found "{text}", expected a number of seconds above 0')
    return value
