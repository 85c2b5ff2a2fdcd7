"""The only door to the installed FMEval: its own classes over qaviz's tables, without network and without Ray.

Importing FMEval takes seconds and some 650 MB. Pages and commands use `qaviz.scoring.bridge`, which does it elsewhere.
"""

import importlib.metadata
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import polars as pl

from qaviz.model.columns import AND_DELIMITER, ANSWER, ANSWER_SCORES, FACT, FACT_SCORES, OR_DELIMITER, RESPONSE, SCORES
from qaviz.model.errors import stop_without
from qaviz.model.records import Progress
from qaviz.scoring.forms import distinct, scorable
from qaviz.scoring.table import score

TESTED_VERSION = "1.2.3"
"""The release that qaviz's scores are tested against, bit for bit."""

_REPORTED_EVERY = 1_000
_SCHEMA = dict.fromkeys(SCORES, pl.Float64)

_Scorer = Callable[[dict[str, str]], dict[str, float]]


def fmeval_version() -> str:
    """Return the version of the installed FMEval. Raises QavizError where there is none."""
    try:
        return importlib.metadata.version("fmeval")
    except importlib.metadata.PackageNotFoundError:
        raise stop_without("fmeval", f"fmeval {TESTED_VERSION} beside qaviz") from None


def score_with_fmeval(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return what `score` returns, with the seven scores computed by the installed FMEval.

    What `score` leaves unscored stays so. Raises QavizError as `score` does, and where FMEval is not installed.
    """
    fmeval_version()
    scored = score(rows)
    units, unit = distinct(scorable(rows, scored))
    texts = units.select(FACT, ANSWER, RESPONSE)
    computed = pl.DataFrame(score_texts(texts, progress), schema=_SCHEMA, orient="row")
    return scored.with_columns(*computed[unit])


def score_texts(texts: pl.DataFrame, progress: Progress | None = None) -> Iterator[tuple[float | None, ...]]:
    """Yield FMEval's scores, in the order of SCORES, of the rows of a table with columns fact, answer, response.

    Null where the fact, or the answer, is null.
    """
    for done, (fact, answer, response) in enumerate(texts.iter_rows(), start=1):
        yield _score_response(fact, answer, response)
        if progress and (done % _REPORTED_EVERY == 0 or done == texts.height):
            progress(done / texts.height, f"FMEval scored {done:,} of {texts.height:,} responses")


def _score_response(fact: str | None, answer: str | None, response: str) -> tuple[float | None, ...]:
    one_variant, all_variants, answers = _scorers()
    scores: dict[str, float] = {}
    if fact is not None:
        facts = all_variants if AND_DELIMITER in fact else one_variant
        scores |= facts({"target_output": fact, "model_output": response})
    if answer is not None:
        scores |= answers({"target_output": answer, "model_output": response})
    return tuple(scores.get(name) for name in (*FACT_SCORES, *ANSWER_SCORES))


@cache
def _scorers() -> tuple[_Scorer, _Scorer, _Scorer]:
    """Return FMEval's own transforms: Factual Knowledge for `<OR>` and for `<AND>`, and QA Accuracy."""
    with _without_loading_bertscore(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # FMEval's pinned dependencies warn at import; nobody here can act on it
        from fmeval.eval_algorithms.factual_knowledge import FactualKnowledgeScores
        from fmeval.eval_algorithms.qa_accuracy import QAAccuracyScores
    return (
        FactualKnowledgeScores(target_output_delimiter=OR_DELIMITER, logical_operator="OR"),
        FactualKnowledgeScores(target_output_delimiter=AND_DELIMITER, logical_operator="AND"),
        QAAccuracyScores(target_output_delimiter=OR_DELIMITER),
    )


@contextmanager
def _without_loading_bertscore() -> Iterator[None]:
    """Import FMEval without its call of `evaluate.load("bertscore")`.

    That call stands in a default argument, so it runs at import: it wants the network, and runs ./bertscore of the
    current folder if there is one.
    """
    import evaluate

    load = evaluate.load
    evaluate.load = lambda *_, **__: None
    try:
        yield
    finally:
        evaluate.load = load
