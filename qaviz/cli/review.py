"""`qaviz review`: how much of a golden dataset people review by its risk, and what a review has shown."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import orjson

from qaviz.analysis.numbers import count, percent
from qaviz.cli.lint import find_golden
from qaviz.cli.review_sessions import SESSION_ACTIONS, add_session_arguments
from qaviz.cli.whole_numbers import whole_number
from qaviz.model.errors import Problem, QavizError
from qaviz.review.plan import bound_wrong, plan_review
from qaviz.review.risk import Level
from qaviz.stats.acceptance_sampling import CONFIDENCE

TEXT, JSON, CSV = "text", "json", "csv"


def act(asked: argparse.Namespace) -> Iterator[str]:
    """Yield the lines that `qaviz review ACTION` prints. Raises QavizError for numbers that cannot be."""
    yield from _ACTIONS[asked.action](asked)


def _plan(asked: argparse.Namespace) -> Iterator[str]:
    plan = plan_review(
        _population(asked.population, asked.workspace),
        Level(asked.level.replace("-", " ")),
        at_most=asked.at_most,
        allowed_wrong=asked.allowed_wrong,
    )
    if asked.format == JSON:
        yield orjson.dumps(asdict(plan), option=orjson.OPT_INDENT_2).decode()
        return
    yield f"Review {count(plan.sample)} of {count(plan.population)} triplets, chosen at random (risk: {plan.level})."
    yield f"At most {count(plan.allowed_wrong)} of them may be wrong. Then, with {percent(plan.confidence)} confidence,"
    yield f"at most {percent(plan.at_most)} of all triplets are wrong."
    if plan.readers > 1:
        yield f"{plan.readers} people read each triplet."


def _bound(asked: argparse.Namespace) -> Iterator[str]:
    population, reviewed, wrong = _population(asked.population, asked.workspace), asked.reviewed or 0, asked.wrong
    at_most = bound_wrong(population, reviewed, wrong)
    if asked.format == JSON:
        figures = {"population": population, "reviewed": reviewed, "wrong": wrong}
        yield orjson.dumps(
            figures | {"at_most": at_most, "confidence": CONFIDENCE}, option=orjson.OPT_INDENT_2
        ).decode()
        return
    yield f"{count(wrong)} of {count(reviewed)} reviewed triplets are wrong, of {count(population)} in all."
    yield f"With {percent(CONFIDENCE)} confidence at most {percent(at_most)} of all triplets are wrong (exact)."


_ACTIONS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {"plan": _plan, "bound": _bound, **SESSION_ACTIONS}


def _population(given: str | None, folder: Path) -> int:
    """The number itself, or how many triplets the golden dataset of this name, id or file has."""
    if given is None:
        raise QavizError(
            Problem(
                where="review",
                found="no --population",
                expected="a number of triplets, or the name of a golden dataset",
                fix="Add --population 1000, or the name of a run or golden dataset.",
            )
        )
    return int(given) if given.isdecimal() and len(given) <= len("1000000000") else find_golden(folder, given).height


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION and its options."""
    parser.add_argument("action", choices=tuple(_ACTIONS), metavar="ACTION", help=", ".join(_ACTIONS))
    add_session_arguments(parser)
    parser.add_argument(
        "--population", metavar="N", help="how many triplets there are, or the name of a golden dataset or run"
    )
    levels = tuple(level.value.replace(" ", "-") for level in Level)
    parser.add_argument("--level", choices=levels, default=Level.MEDIUM.value, help="plan: the risk (default medium)")
    parser.add_argument(
        "--at-most", type=_share, metavar="SHARE", help="plan: another promise than the level's: 0.03 or 3%%"
    )
    parser.add_argument("--allowed-wrong", type=whole_number(0), default=0, metavar="N", help="plan (default 0)")
    parser.add_argument("--reviewed", type=whole_number(0), metavar="N", help="bound: how many were reviewed")
    parser.add_argument("--wrong", type=whole_number(0), default=0, metavar="N", help="bound: how many are wrong")
    parser.add_argument("--format", choices=(TEXT, JSON, CSV), default=TEXT, help="csv: of status (default: text)")


def _share(text: str) -> float:
    number, sign = (text[:-1], 100) if text.endswith("%") else (text, 1)
    try:
        return float(number) / sign
    except ValueError:
        raise argparse.ArgumentTypeError(f'found "{text}", expected a share such as 0.03 or 3%') from None
