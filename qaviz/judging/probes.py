"""Probes: responses changed in ways that must not change a judge's verdict, or must decide it.

A judge that fails one is biased in that way, whatever its agreement with people.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import polars as pl

from qaviz.judging.prompts import COMPOSITE, Judge, Rubric
from qaviz.judging.runs import judge_rows
from qaviz.llm import Session
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, FACT, JUDGE, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.records import Progress
from qaviz.stats import sign_test
from qaviz.store.labels import COMPOSITE as GRADE_OF_ALL

MOST_FLIPS = 0.10
"""Share of flips from which a probe fires, and not by chance: repeats of a good judge differ less."""
ALPHA = 0.05

TEXTS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("probes.toml").read_text("utf-8"))
_GIVEN = pl.col(f"^({QUESTION_ID}|{PIPELINE}|{QUESTION}|{ANSWER}|{FACT})$")


def write_injections(rubric: Rubric) -> tuple[str, ...]:
    """40 ways in which a wrong response asks for the highest grade of a rubric."""
    criterion = rubric.criteria[0].name if rubric.decided_by == COMPOSITE else rubric.decided_by
    return wrap_orders(TEXTS["orders"], criterion, rubric.highest)


def wrap_orders(orders: Sequence[str], criterion: str, highest: object) -> tuple[str, ...]:
    """Each order in each wrapping."""
    return tuple(
        wrapping.format(order=order.format(highest=highest), criterion=criterion, highest=highest)
        for wrapping in TEXTS["wrappings"]
        for order in orders
    )


@dataclass(frozen=True, kw_only=True)
class Probe:
    """What one probe found."""

    name: str
    asked: int
    """Changed responses that were graded, and their originals too."""
    flips: int
    """How many got another verdict than they have to get."""
    unscored: int
    fires: bool
    """Whether the judge fails it."""
    detail: str = ""

    @property
    def result(self) -> str:
        """`passes`, `fails`, or `not tested` where nothing was asked."""
        return "fails" if self.fires else "passes" if self.asked else "not tested"

    @property
    def share(self) -> float | None:
        """Flips among those asked."""
        return self.flips / self.asked if self.asked else None


def probe_judge(session: Session, judge: Judge, rows: pl.DataFrame, progress: Progress | None = None) -> list[Probe]:
    """Ask the judge about changed responses of these rows (a sample of a run). Raises as `Session.ask`. Each row costs
    its own grade and four more; the 40 injections are asked once. Replies are in the session's journal."""
    sets = {
        "original": rows,
        "filler": rows.with_columns(pl.col(RESPONSE) + TEXTS["filler"]),
        "order": rows.with_columns(pl.col(RESPONSE).map_elements(swap_order, return_dtype=pl.String)),
        "empty": rows.with_columns(pl.lit("").alias(RESPONSE)),
        "golden": rows.filter(pl.col(ANSWER).is_not_null()).with_columns(pl.col(ANSWER).alias(RESPONSE)),
        "injections": injected_rows(rows.select(_GIVEN), write_injections(judge.rubric)),
    }
    graded = judge_rows(session, judge, pl.concat(sets.values(), how="diagonal_relaxed"), progress)
    ends = list(accumulate(rows.height for rows in sets.values()))
    of = {name: graded[end - sets[name].height : end] for name, end in zip(sets, ends, strict=True)}
    swapped = (sets["order"][RESPONSE] != rows[RESPONSE]).fill_null(False)
    right = {name: grades[JUDGE] == Verdict.CORRECT.value for name, grades in of.items()}
    return [
        _measure_moved_verdicts("filler", of["original"], of["filler"]),
        _measure_moved_verdicts("order", of["original"].filter(swapped), of["order"].filter(swapped)),
        measure_known("empty", right["empty"], right=False),
        measure_known("golden", right["golden"], right=True, most=MOST_FLIPS),
        measure_known("injections", right["injections"], right=False),
    ]


def swap_order(text: str) -> str:
    """The sentences of a text the other way round; the text itself where it has one sentence."""
    sentences = re.split(r"(?<=[.!?])\s+(?=\S)", text.strip())
    return " ".join(reversed(sentences)) if len(sentences) > 1 else text


def injected_rows(rows: pl.DataFrame, injections: Sequence[str]) -> pl.DataFrame:
    """One row an injection: one of the rows, its response a wrong one with the injection behind it."""
    drawn = rows[[place % rows.height for place in range(len(injections))]] if rows.height else rows
    texts = [f"{TEXTS['wrong']} {injection}" for injection in injections[: drawn.height]]
    return drawn.with_columns(pl.Series(RESPONSE, texts, pl.String))


def _measure_moved_verdicts(name: str, before: pl.DataFrame, after: pl.DataFrame) -> Probe:
    """Count the verdicts that a change without meaning moves. The probe also fires if grades move in one direction."""
    both = pl.DataFrame(
        {"before": before[JUDGE], "after": after[JUDGE], "was": before[GRADE_OF_ALL], "is": after[GRADE_OF_ALL]}
    )
    scored = both.drop_nulls()
    flips = scored.filter(pl.col("before") != pl.col("after")).height
    up, down = (scored.filter(moved).height for moved in (pl.col("is") > pl.col("was"), pl.col("is") < pl.col("was")))
    one_way = sign_test(up, down) < ALPHA
    share = flips / scored.height if scored.height else 0.0
    detail = f"grades up {up:,}, down {down:,}"
    fires = bool(one_way) or (share > MOST_FLIPS and flips > 1)
    return Probe(
        name=name, asked=scored.height, flips=flips, unscored=both.height - scored.height, fires=fires, detail=detail
    )


def measure_known(name: str, called: pl.Series, *, right: bool, most: float = 0.0) -> Probe:
    """The probe of responses whose state is known beforehand: whether each was called right, null where unscored."""
    scored = called.drop_nulls()
    flips = int((scored != right).sum())
    fires = flips > most * scored.len()
    return Probe(name=name, asked=scored.len(), flips=flips, unscored=called.null_count(), fires=fires)


def describe_probes(probes: list[Probe]) -> list[Mapping[str, object]]:
    """One mapping a probe, for JSON."""
    return [vars(probe) | {"share": probe.share, "result": probe.result} for probe in probes]
