"""`qaviz verify` and `qaviz bertscore`: a run scored again by FMEval, or by a language model on this machine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz import runs
from qaviz.analysis.numbers import MISSING, count, plural
from qaviz.analysis.sentences import lacking_sentence
from qaviz.analysis.tables import bertscore_summary
from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli.options import FILE, SEEDS, ByWhom, OfRun, command, number, option
from qaviz.cli.paths import open_run
from qaviz.cli.terminal import escape, progress_line
from qaviz.exports.table_files import check_out, write_scores
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.runs import compute_bertscore, with_bertscore
from qaviz.scoring.bridge import SEED, Verification
from qaviz.scoring.language_models import FMEVAL_MODELS, MODELS_VARIABLE, LanguageModel, find_model


@dataclass(frozen=True, kw_only=True)
class _VerifyOptions(OfRun, ByWhom):
    sample: int | None = option("N", "number of responses to compare (default: all)", type=number(1))
    seed: int = option("S", "seed of the sample", type=SEEDS, default=SEED)


@command(_VerifyOptions)
def verify(options: _VerifyOptions) -> int:
    """Score a run again with the installed FMEval and list every difference.

    Exit code 1 if there is one. The run records the result; its scores stay as they are.
    """
    home, run = open_run(options.workspace, options.run)
    with progress_line() as progress:
        verification = runs.verify(
            run, home, sample=options.sample, seed=options.seed, progress=progress, by=options.person
        )
    print("\n".join(_report_differences(run, verification)))
    return DONE if verification.differences.is_empty() else FOUND_PROBLEMS


@dataclass(frozen=True, kw_only=True)
class _BertscoreOptions(OfRun):
    model: str | None = option(
        "NAME",
        f"a model in ${MODELS_VARIABLE} or in your Hugging Face cache, by its name or folder "
        f"(default: {FMEVAL_MODELS[0]} if it is there, else the first)",
    )
    pipeline: tuple[str, ...] = option("NAME", "only this pipeline; may be repeated (default: all)", multiple=True)
    question: tuple[str, ...] = option(
        "NAME", "only the question with this id; may be repeated (default: all)", multiple=True
    )
    out: Path | None = option("FILE", "write the scored responses to this file too", type=FILE)


@command(_BertscoreOptions)
def bertscore(options: _BertscoreOptions) -> None:
    """Compute BERTScore of a run's responses.

    A language model on this machine computes it, offline: the model is only ever loaded from the folder that
    $QAVIZ_MODELS names, or from your Hugging Face cache. Scores are kept in the workspace and computed once.
    """
    if options.out:
        check_out(options.out, [])
    (home, run), model = open_run(options.workspace, options.run), find_model(options.model)
    chosen = _select(home.rows(run), run, options.pipeline, options.question)
    with progress_line() as progress:
        compute_bertscore(home, chosen, model, progress)
    scored = with_bertscore(home, chosen, model)
    print("\n".join(_report_means(scored, model)))
    if options.out:
        write_scores([scored], options.out)


LISTED = 20
"""Differences that are named one by one."""


def _report_differences(run: Run, verification: Verification) -> Iterator[str]:
    """The lines that the command prints: what was compared with which FMEval; the differences, of many the first."""
    differences = verification.differences
    differing = plural(differences.height, "difference") if differences.height else "no difference"
    compared = f"{count(verification.compared)} of {plural(run.responses, 'response')}"
    yield escape(f'{compared} of the run "{run.name}" scored again with FMEval {verification.version}: {differing}')
    for question, pipeline, score, here, fmeval in differences.head(LISTED).iter_rows():
        both = f"{_format_score(here)} here, {_format_score(fmeval)} by FMEval"
        yield escape(f"  {question}, {pipeline}: {score} is {both}")
    if differences.height > LISTED:
        yield f"  … and {count(differences.height - LISTED)} more"
    if verification.lacking:
        yield lacking_sentence(verification.lacking)


def _format_score(score: float | None) -> str:
    """With all its digits: two scores may differ in the last of them."""
    return MISSING if score is None else repr(score)


def _select(rows: pl.DataFrame, run: Run, pipelines: Sequence[str], questions: Sequence[str]) -> pl.DataFrame:
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


def _report_means(rows: pl.DataFrame, model: LanguageModel) -> Iterator[str]:
    """The lines that the command prints: each pipeline's mean, and over how many responses."""
    yield f"BERTScore by {escape(model.name)}"
    for pipeline, responses, mean, scored in bertscore_summary(rows).iter_rows():
        written = MISSING if mean is None else f"{mean:.4f}"
        yield f"  {written:<8}mean of {count(scored)} of {plural(responses, 'response')}  {escape(pipeline)}"
