"""BERTScore: how near a response's meaning is to the golden answer's, as a language model sees it. Only on demand.

FMEval's own class computes it, one pair of texts at a time, in a process of its own.
"""

import importlib.util
from collections.abc import Callable, Iterator
from hashlib import blake2b

import polars as pl

from qaviz.model.columns import ANSWER, BERTSCORE, OR_DELIMITER, RESPONSE, UNSCORED_ANSWER
from qaviz.model.errors import Problem, stop_without
from qaviz.model.records import Progress
from qaviz.processes import Answer, Job, job_folder, start
from qaviz.scoring.bridge import LIMITS, load_bertscore, offline_environment
from qaviz.scoring.language_models import FILES, LanguageModel

PAIR = "pair"
"""What a pair of texts is known by: 16 bytes of BLAKE2b over both."""
ROW = "row"
"""A row's number in the table, from 0."""
LONGEST_TEXT = 10_000
"""Characters of a text that are compared: the memory that a model needs grows with the square of them."""
AT_A_TIME = 16
"""Pairs between two reports: some seconds of work."""


def text_pairs(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `row`, `pair`, `answer`, `response`: one row for each variant of each row's golden answer. Needs `answer`,
    `response` and `unscored_answer`. Rows without an answer score, which have a reason there, and rows that lack one of
    the texts are left out. Texts are cut to LONGEST_TEXT."""
    variants = (
        rows.select(pl.int_range(pl.len()).alias(ROW), ANSWER, RESPONSE, UNSCORED_ANSWER)
        .filter(pl.col(UNSCORED_ANSWER).is_null())
        .select(ROW, pl.col(ANSWER).str.split(OR_DELIMITER), RESPONSE)
        .drop_nulls()
        .explode(ANSWER)
        .with_columns(pl.col(ANSWER, RESPONSE).str.head(LONGEST_TEXT))
    )
    # The salt keeps `ab` + `c` apart from `a` + `bc`.
    digests = [
        blake2b((answer + response).encode(), digest_size=16, salt=len(answer).to_bytes(16)).digest()
        for answer, response in variants.select(ANSWER, RESPONSE).iter_rows()
    ]
    return variants.select(ROW, pl.Series(PAIR, digests, dtype=pl.Binary), ANSWER, RESPONSE)


def best_scores(pairs: pl.DataFrame, scores: pl.DataFrame, rows: int) -> pl.Series:
    """Return the `bertscore` of each of so many rows: the best of its variants, as FMEval has it. Takes what
    `text_pairs` returns, and `pair` and `bertscore` of pairs that are scored. Null where a row has no pair, or one of
    its pairs is not scored."""
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
    keep: Callable[[pl.DataFrame], None],
    progress: Progress | None = None,
) -> None:
    """Score `pair`, `answer`, `response` with this model in another process. `keep` is called with `pair` and
    `bertscore` whenever some more are there, also before it fails. Raises QavizError where bert_score is not installed
    or the model cannot be loaded."""
    check_library()
    about = Problem(
        where=str(model.folder),
        found="a process that",
        expected="BERTScores of all pairs, and the whole files of a language model and its tokenizer",
        fix="Save the model again, or choose the other one.",
    )
    with job_folder() as folder:
        pairs.select(PAIR, ANSWER, RESPONSE).unique(PAIR).sort(ANSWER, RESPONSE).write_parquet(folder / "pairs.parquet")
        # FMEval loads the model by its name, which is looked for in the current folder first.
        named = folder / model.name
        named.mkdir(parents=True)
        for name in FILES:
            if (model.folder / name).exists():
                (named / name).symlink_to(model.folder / name)
        options, environment = {"model": model.name}, offline_environment()
        with start(
            score_job, folder, options, about=about, environment=environment, home=folder, limits=LIMITS
        ) as running:
            for answer in running.answers(progress):
                keep(answer.tables[BERTSCORE])


def score_job(job: Job) -> Iterator[Answer]:
    """In the other process: yield `pair` and `bertscore` of the pairs in the job's folder, some at a time."""
    name = job.options["model"]
    job.progress(0.0, f"loading {name}")
    compare, pairs = load_bertscore(name), pl.read_parquet(job.folder / "pairs.parquet")
    for number, part in enumerate(pairs.iter_slices(AT_A_TIME)):
        scores = [compare(answer, response) for answer, response in part.select(ANSWER, RESPONSE).iter_rows()]
        yield Answer(tables={BERTSCORE: part.select(PAIR, pl.Series(BERTSCORE, scores, pl.Float64))})
        done = number * AT_A_TIME + part.height
        job.progress(done / pairs.height, f"{name} compared {done:,} of {pairs.height:,} pairs of texts")


def check_library() -> None:
    """Raise QavizError unless FMEval and bert_score, which it brings, are installed."""
    if importlib.util.find_spec("bert_score") is None or importlib.util.find_spec("fmeval") is None:
        raise stop_without("bert-score", "fmeval, which brings bert-score and torch, beside qaviz")
