"""Readers' decisions: what each decision and finding means, how far readers agree, and decisions that come in
a file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict, cast

import polars as pl

from qaviz.diagnosis.agreement import Estimate
from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.model.columns import GRADE, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.review.session import refresh_review
from qaviz.store import Workspace
from qaviz.store.review_decisions import Decision, checked_decision, decide, seen_decisions
from qaviz.store.review_leases import give_item
from qaviz.store.review_sessions import ACCEPT, ASK, DELETE, EDIT, SKIP, SOURCE_WRONG, find_session, session_items

DECISION_KEYS: Mapping[str, str] = {ACCEPT: "a", EDIT: "e", DELETE: "d", SOURCE_WRONG: "w", ASK: "q", SKIP: "s"}
DECISIONS: Mapping[str, str] = {
    ACCEPT: "Question, answer and fact are right as they stand.",
    EDIT: "Correct the question, the answer or the fact.",
    DELETE: "The triplet is of no use.",
    SOURCE_WRONG: "The passage itself is wrong or outdated. Every triplet of its document is kept out.",
    ASK: "You cannot decide: the triplet stays open until a third person does.",
    SKIP: "Leave it to another reader.",
}
FINDING_EXAMPLES: Mapping[str, str] = {
    "hallucination": "The answer says what the passage does not: 15 ferries, where the passage has 16.",
    "veracity": "The passage says it, and as an expert you know better.",
    "incomplete": "A part of the answer or a variant of the fact is missing: “and 2 harbours”.",
    "irrelevant": "Nobody who uses the system asks this: the page number of a table.",
    "duplicate": "Another triplet asks the same in other words.",
    "unclear": "The question can be read in two ways: “How much is it?”",
    "outdated": "It was true once: the fares of 2019.",
}
HOW_TO_READ = "Read the passage first. Compare every figure, date and name of the answer and of the fact with it."


@dataclass(frozen=True, kw_only=True)
class ReaderAgreement:
    """How far two readers agree over the items that both decided on."""

    first: str
    second: str
    about: str
    """Empty: whether the triplet is right, wrong or open. Else the finding that both name or not."""
    compared: int
    observed: Estimate
    kappa: Estimate
    ac1: Estimate


@dataclass(frozen=True, kw_only=True)
class ReaderProgress:
    """What one reader has done in a session."""

    reader: str
    decided: int
    seconds: float | None
    """Median time per item; None where nobody measured it."""
    repeated: int
    """Hidden repeats that the reader decided on."""
    same_again: int
    """How many of them they decided as the first time."""


def measure_readers(decisions: pl.DataFrame) -> Iterator[ReaderProgress]:
    """What each reader has done, by name. `decisions` has DECISIONS."""
    own = decisions.filter(~pl.col("adjudicates"), pl.col("action") != "skip")
    for reader in sorted(set(own["reader"])):
        mine = own.filter(pl.col("reader") == reader)
        again = mine.filter(pl.col("repeat_of").is_not_null()).join(
            mine.select("item", pl.col("action").alias("first")), left_on="repeat_of", right_on="item"
        )
        median = mine["seconds"].median()
        yield ReaderProgress(
            reader=reader,
            decided=mine.filter(pl.col("repeat_of").is_null()).height,
            seconds=float(median) if isinstance(median, float) else None,
            repeated=again.height,
            same_again=again.filter(pl.col("action") == pl.col("first")).height,
        )


def compare_readers(decisions: pl.DataFrame) -> Iterator[ReaderAgreement]:
    """Compare every two readers with items in common: by their call, then by each finding that one of them names.

    `decisions` has DECISIONS; repeats, skips and adjudications do not count.
    """
    own = decisions.filter(~pl.col("adjudicates"), pl.col("action") != SKIP, pl.col("repeat_of").is_null())
    right, asks = pl.col("action") == ACCEPT, pl.col("action") == ASK
    call = pl.when(right).then(pl.lit("right")).when(asks).then(pl.lit("asks")).otherwise(pl.lit("wrong"))
    for first, second in combinations(sorted(set(own["reader"])), 2):
        one, other = (own.filter(pl.col("reader") == reader) for reader in (first, second))
        if one.join(other, on=QUESTION_ID, how="semi").is_empty():
            continue
        yield _make_agreement(
            first, second, "", compare_graders(_select_grades(one, call), _select_grades(other, call))
        )
        for finding in sorted(set(pl.concat([one, other])["findings"].explode().drop_nulls())):
            names = pl.col("findings").list.contains(finding).replace_strict({True: "named", False: "not named"})
            yield _make_agreement(
                first, second, finding, compare_graders(_select_grades(one, names), _select_grades(other, names))
            )


def _select_grades(decisions: pl.DataFrame, grade: pl.Expr) -> pl.DataFrame:
    return decisions.select(QUESTION_ID, pl.lit("").alias(PIPELINE), grade.alias(GRADE))


def _make_agreement(first: str, second: str, about: str, agreement: GraderAgreement) -> ReaderAgreement:
    return ReaderAgreement(
        first=first,
        second=second,
        about=about,
        compared=agreement.compared,
        observed=agreement.exact,
        kappa=agreement.kappa,
        ac1=agreement.ac1,
    )


class FileRow(TypedDict):
    """A row of a file of decisions."""

    item: str | None
    triplet: str | None
    """Its hash; null: not checked."""
    action: str | None
    findings: str | None
    """Separated by semicolons."""
    new_question: str | None
    new_answer: str | None
    new_fact: str | None
    note: str | None


def import_decisions(workspace: Workspace, session: str, reader: str, rows: pl.DataFrame) -> tuple[int, int]:
    """Keep the reader's decisions; rows without an action, and those the reader has decided already, are left out.

    `rows` has the columns of FileRow. Returns how many were kept, and how many could not be, because enough others read
    the item, it is not this reader's, or its triplet has changed since the file was written. Raises QavizError with
    every row that is no decision; nothing is kept then.
    """
    refresh_review(workspace, session)
    known = find_session(workspace, session)
    items = dict(session_items(workspace, session).select("item", "triplet").iter_rows())
    given: list[tuple[int, Decision]] = []
    problems: list[Problem] = []
    stale = 0
    for place, row in enumerate(cast("Iterator[FileRow]", rows.iter_rows(named=True)), start=1):
        action, named = (row["action"] or "").strip(), row["item"] or ""
        if not action:
            continue
        if not named.isdecimal() or int(named) not in items:
            wanted, fix = "an item of this review", "Keep the column item."
            problems.append(Problem(where=f"row {place}", found=f'item "{row["item"]}"', expected=wanted, fix=fix))
            continue
        item, decision = int(named), _read_decision(row, action)
        try:
            checked_decision(known, decision)
        except QavizError as error:
            problems += [
                Problem(where=f"row {place}", found=problem.found, expected=problem.expected, fix=problem.fix)
                for problem in error.problems
            ]
        if row["triplet"] in (None, items[item]):
            given.append((item, decision))
        else:
            stale += 1
    if problems:
        raise QavizError(*problems)
    own = seen_decisions(workspace, session, reader)
    there = set(own.filter(pl.col("reader") == reader)["item"])
    kept = [_keep_decision(workspace, session, reader, *decision) for decision in given if decision[0] not in there]
    return sum(kept), len(kept) - sum(kept) + stale


def _keep_decision(workspace: Workspace, session: str, reader: str, item: int, decision: Decision) -> bool:
    if give_item(workspace, session, reader, item) is None:
        return False
    decide(workspace, session, item, reader, decision)
    return True


def _read_decision(row: FileRow, action: str) -> Decision:
    return Decision(
        action=action.lower(),
        findings=tuple(filter(None, map(str.strip, (row["findings"] or "").split(";")))),
        note=row["note"] or "",
        question=row["new_question"] or None,
        answer=row["new_answer"] or None,
        fact=row["new_fact"] or None,
    )
