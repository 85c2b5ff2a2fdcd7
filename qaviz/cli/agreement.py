"""`qaviz agreement`: how far verdicts agree with people's labels, in a terminal."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import MISSING, count, plural
from qaviz.cli.terminal import progress_line, shown
from qaviz.diagnosis.agreement import LABELS, VERDICTS, Agreement, Estimate, agreement
from qaviz.exports.score_files import as_written
from qaviz.loading import Source, sandbox
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, REASON, VERDICT

LISTED = 20
"""Disagreements that are named one by one."""


def compare(scored: Path, labels: Path) -> Agreement:
    """Read a file of scored responses and one of labels, and compare. Raises QavizError with what is wrong in them."""
    with progress_line() as progress:
        of_verdicts, of_labels = Source.each_of([scored, labels])
        verdicts = as_written(sandbox.read_verdicts(of_verdicts, progress), scored)
        return agreement(verdicts, sandbox.read_labels(of_labels, progress))


def report(found: Agreement) -> Iterator[str]:
    """The lines that the command prints."""
    yield f"{plural(found.compared, 'response')} to {plural(found.questions, 'question')} compared"
    if found.unlabelled or found.unmatched:
        without = plural(found.unmatched, "label")
        yield f"not compared: {count(found.unlabelled)} without a label, {without} without a response"
    for name, figure in (("accuracy", found.accuracy), ("macro F1", found.macro_f1), ("Cohen's kappa", found.kappa)):
        yield f"{name:<14}{_estimate(figure)}"
    yield ""
    yield from _confusion(found.confusion)
    for groups in (found.by_pipeline, found.by_category):
        if not groups.is_empty():
            yield ""
            yield from _groups(groups)
    yield from _disagreements(found.disagreements)


def _estimate(figure: Estimate) -> str:
    if figure.value is None:
        return f"{MISSING} (all labels and verdicts are one class)"
    return f"{figure.value:.3f} (95% interval {figure.low:.3f} to {figure.high:.3f})"


def _confusion(confusion: pl.DataFrame) -> Iterator[str]:
    yield f"{'label':<14}" + "".join(f"{verdict:>12}" for verdict in VERDICTS) + "  (verdict)"
    counts = {(label, verdict): responses for label, verdict, responses in confusion.iter_rows()}
    for label in LABELS:
        yield f"{label:<14}" + "".join(f"{count(counts[label, verdict]):>12}" for verdict in VERDICTS)


def _groups(groups: pl.DataFrame) -> Iterator[str]:
    yield f"by {groups.columns[0]}"
    for name, responses, agreed, accuracy, low, high in groups.iter_rows():
        yield f"  {accuracy:.3f} ({low:.3f} to {high:.3f})  {count(agreed):>7} of {count(responses):>7}  {shown(name)}"


def _disagreements(rows: pl.DataFrame) -> Iterator[str]:
    if rows.is_empty():
        return
    listed = min(LISTED, rows.height)
    yield ""
    yield f"{plural(rows.height, 'response')} judged otherwise, worst first" + (
        f" (the first {listed})" if listed < rows.height else ""
    )
    for question, pipeline, label, verdict, reason in (
        rows.select(QUESTION_ID, PIPELINE, LABEL, VERDICT, pl.col(REASON).fill_null("")).head(listed).iter_rows()
    ):
        yield shown(f"  {question}, {pipeline}: labelled {label}, judged {verdict}. {reason}".rstrip())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SCORED, LABELS, --first, --second and --format."""
    parser.add_argument(
        "scored",
        type=Path,
        metavar="SCORED",
        help="what `qaviz score` wrote, or one grader's file: question_id, pipeline and grade or label",
    )
    parser.add_argument(
        "labels",
        type=Path,
        metavar="LABELS",
        help="question_id, pipeline and label (correct, incorrect or declined), or the other grader's file",
    )
    for option, which in (("--first", "first"), ("--second", "second")):
        parser.add_argument(option, metavar="NAME", help=f"the grader, by the column name of the {which} file")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="two graders print JSON; --format json: always"
    )
