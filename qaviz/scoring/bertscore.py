"""BERTScore: how near a response's meaning is to the golden answer's, as a language model sees it. Only on demand.

FMEval computes it by the library bert_score, one pair of texts at a time. Here the same library takes distinct pairs in
batches, which is several times as fast and agrees with FMEval to 6 decimals. It runs in a process of its own.
"""

import hashlib
import importlib.util
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl

from qaviz.model.columns import ANSWER, BERTSCORE, OR_DELIMITER, RESPONSE, UNSCORED_ANSWER
from qaviz.model.errors import Problem, QavizError, stop_without
from qaviz.model.records import Progress
from qaviz.processes import MACHINE_MEMORY, Cancelled, Limits, StoppedError, Why, run
from qaviz.scoring.bertscore_worker import LOADED, PAIR, PAIRS, PARTS, score_folder
from qaviz.scoring.bridge import offline_environment
from qaviz.scoring.language_models import LanguageModel

ROW = "row"
"""A row's number in the table, from 0."""
LONGEST_TEXT = 10_000
"""Characters of a text that are compared: several times what fits into a model, which reads some 512 tokens."""

LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=3600)
"""One step is loading the model, or AT_A_TIME pairs."""

_DIGEST_BYTES = 16

Keep = Callable[[pl.DataFrame], None]
"""Called with `pair` and `bertscore` whenever some more are there."""


def text_pairs(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `row`, `pair`, `answer`, `response`: one row for each variant of each row's golden answer.

    Needs `answer`, `response` and `unscored_answer`. Rows without an answer score, which have a reason there, and
    rows that lack one of the texts are left out. Texts are cut to LONGEST_TEXT.
    """
    variants = (
        rows.select(pl.int_range(pl.len()).alias(ROW), ANSWER, RESPONSE, UNSCORED_ANSWER)
        .filter(pl.col(UNSCORED_ANSWER).is_null())
        .select(ROW, pl.col(ANSWER).str.split(OR_DELIMITER), RESPONSE)
        .drop_nulls()
        .explode(ANSWER)
        .with_columns(pl.col(ANSWER, RESPONSE).str.head(LONGEST_TEXT))
    )
    keys = pl.Series(PAIR, _digests(variants.select(ANSWER, RESPONSE).iter_rows()), dtype=pl.Binary)
    return variants.select(ROW, keys, ANSWER, RESPONSE)


def _digests(texts: Iterable[tuple[str, str]]) -> list[bytes]:
    # The salt keeps `ab` + `c` apart from `a` + `bc`.
    return [
        hashlib.blake2b(
            (answer + response).encode(),
            digest_size=_DIGEST_BYTES,
            salt=len(answer).to_bytes(_DIGEST_BYTES),
        ).digest()
        for answer, response in texts
    ]


def best_scores(pairs: pl.DataFrame, scores: pl.DataFrame, rows: int) -> pl.Series:
    """Return the `bertscore` of each of so many rows: the best of its variants, as FMEval has it.

    Takes what `text_pairs` returns, and `pair` and `bertscore` of pairs that are scored. Null where a row has no pair,
    or one of its pairs is not scored.
    """
    by_row = (
        pairs.select(ROW, PAIR)
        .join(scores, on=PAIR, how="left")
        .group_by(ROW)
        .agg(pl.when(pl.col(BERTSCORE).is_not_null().all()).then(pl.col(BERTSCORE).max()))
    )
    numbered = pl.DataFrame({ROW: pl.int_range(rows, eager=True)})
    return numbered.join(by_row, on=ROW, how="left", maintain_order="left")[BERTSCORE]


def score_pairs(
    pairs: pl.DataFrame,
    model: LanguageModel,
    keep: Keep,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> None:
    """Score `pair`, `answer`, `response` with this model in another process, keeping scores as they come.

    What is scored when it is cancelled or fails has been kept. Raises QavizError where bert_score is not installed
    or the model cannot be loaded, CancelledError when `cancelled` said so.
    """
    check_library()
    with tempfile.TemporaryDirectory(prefix="qaviz-") as name:
        folder = Path(name)
        pairs.select(PAIR, ANSWER, RESPONSE).unique(PAIR).sort(ANSWER, RESPONSE).write_parquet(folder / PAIRS)

        def tell(fraction: float, words: str) -> None:
            _keep_parts(folder, keep)
            if progress:
                progress(fraction, words)

        try:
            run(
                score_folder,
                folder,
                model.name,
                about=_about(model, "a process that", "BERTScores of all pairs"),
                # bert_score is given "." as the model: it takes a path with `t5` in it for another kind of model.
                home=model.folder,
                environment=offline_environment(),
                limits=LIMITS,
                progress=tell,
                cancelled=cancelled,
            )
        except StoppedError as error:
            if error.end.why is not Why.CRASHED or (folder / LOADED).exists():
                raise
            wrong = f"a model that cannot be loaded ({error.end.words})"
            raise QavizError(_about(model, wrong, "the whole files of a language model and its tokenizer")) from error
        finally:
            _keep_parts(folder, keep)


def _keep_parts(folder: Path, keep: Keep) -> None:
    for part in sorted(folder.glob(PARTS)):
        keep(pl.read_parquet(part))
        part.unlink()


def _about(model: LanguageModel, found: str, expected: str) -> Problem:
    fix = "Save it again, or choose another model."
    return Problem(where=str(model.folder), found=found, expected=expected, fix=fix)


def check_library() -> None:
    """Raise QavizError unless bert_score, which FMEval brings, is installed."""
    if importlib.util.find_spec("bert_score") is None:
        raise stop_without("bert-score", "bert-score and torch, which FMEval brings, beside qaviz")
