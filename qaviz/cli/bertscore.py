"""`qaviz bertscore`: BERTScore of a run's responses, in a terminal."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import MISSING, count, plural
from qaviz.analysis.tables import bertscore_summary
from qaviz.bertscores import compute_bertscore, with_bertscore
from qaviz.cli.terminal import progress_line, shown
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.scoring.language_models import FMEVAL_MODELS, MODELS_VARIABLE, LanguageModel
from qaviz.store import Workspace


def select(rows: pl.DataFrame, run: Run, pipelines: Sequence[str], questions: Sequence[str]) -> pl.DataFrame:
    """The rows of these pipelines and questions; of all where none is named. Raises QavizError for unknown names."""
    chosen = {PIPELINE: pipelines, QUESTION_ID: questions}
    problems = [
        Problem(
            where=f'the run "{run.name}"',
            found=f'no response with {column} "{name}"',
            expected=f"a {column} of the run, such as {rows[column][0]}",
            fix="Check the name.",
        )
        for column, names in chosen.items()
        for name in sorted(set(names) - set(rows[column]))
    ]
    if problems:
        raise QavizError(*problems)
    return rows.filter(True, *(pl.col(column).is_in(names) for column, names in chosen.items() if names))


def score_rows(workspace: Workspace, rows: pl.DataFrame, model: LanguageModel) -> pl.DataFrame:
    """The rows with their BERTScores, with progress on stderr."""
    with progress_line() as progress:
        compute_bertscore(workspace, rows, model, progress)
    return with_bertscore(workspace, rows, model)


def report(rows: pl.DataFrame, model: LanguageModel) -> Iterator[str]:
    """The lines that the command prints: each pipeline's mean, and over how many responses."""
    yield f"BERTScore by {shown(model.name)}"
    for pipeline, responses, mean, scored in bertscore_summary(rows).iter_rows():
        written = MISSING if mean is None else f"{mean:.4f}"
        yield f"  {written:<8}mean of {count(scored)} of {plural(responses, 'response')}  {shown(pipeline)}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN, --model, --pipeline, --question, --out."""
    parser.add_argument("run_name", metavar="RUN", help="the run's name or id")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help=f"a model in ${MODELS_VARIABLE} or in your Hugging Face cache, by its name or folder "
        f"(default: {FMEVAL_MODELS[0]} if it is there, else the first)",
    )
    for option, what in (("--pipeline", "pipeline"), ("--question", "question's id")):
        parser.add_argument(
            option,
            action="append",
            default=[],
            metavar="NAME",
            help=f"only this {what}; may be given again (default: all)",
        )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the scored responses to this file too")
