"""The only door to the installed FMEval: its own classes over qaviz's tables, without network and without Ray.

Scores of a whole table are computed in a process of its own; so is BERTScore, one pair of texts at a time.
"""

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from qaviz.model import columns as c
from qaviz.model.errors import Problem, stop_without
from qaviz.model.records import Progress
from qaviz.processes import MACHINE_MEMORY, Answer, Job, Limits, job_folder, library_environment, start
from qaviz.scoring.forms import check_texts, distinct, scorable
from qaviz.scoring.language_models import FILES, ROBERTA, LanguageModel
from qaviz.scoring.table import score

if TYPE_CHECKING:
    from bert_score import BERTScorer

TESTED_VERSION = "1.2.3"
"""The release that qaviz's scores are tested against, bit for bit."""

_Scorer = Callable[[dict[str, str]], dict[str, float]]


def fmeval_version() -> str:
    """Return the version of the installed FMEval. Raises QavizError where there is none."""
    try:
        return importlib.metadata.version("fmeval")
    except importlib.metadata.PackageNotFoundError:
        raise stop_without("fmeval", f"fmeval {TESTED_VERSION} beside qaviz") from None


def score_with_fmeval(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return what `score` returns, with the seven scores computed by the installed FMEval. What `score` leaves unscored
    stays so. Raises QavizError as `score` does, and where FMEval is not installed."""
    fmeval_version()
    scored = score(rows)
    units, unit = distinct(scorable(rows, scored))
    texts = units.select(c.FACT, c.ANSWER, c.RESPONSE)
    computed = pl.DataFrame(score_texts(texts, progress), schema=dict.fromkeys(c.SCORES, pl.Float64), orient="row")
    return scored.with_columns(*computed[unit])


def score_texts(texts: pl.DataFrame, progress: Progress | None = None) -> Iterator[tuple[float | None, ...]]:
    """Yield FMEval's scores, in the order of SCORES, of the rows of a table with columns fact, answer, response. Null
    where the fact, or the answer, is null."""
    one_variant, all_variants, answers = _scorers()
    for done, (fact, answer, response) in enumerate(texts.iter_rows(), start=1):
        scores: dict[str, float] = {}
        if fact is not None:
            facts = all_variants if c.AND_DELIMITER in fact else one_variant
            scores |= facts({"target_output": fact, "model_output": response})
        if answer is not None:
            scores |= answers({"target_output": answer, "model_output": response})
        yield tuple(scores.get(name) for name in c.SCORES)
        if progress and (done % 1_000 == 0 or done == texts.height):
            progress(done / texts.height, f"FMEval scored {done:,} of {texts.height:,} responses")


@cache
def _scorers() -> tuple[_Scorer, _Scorer, _Scorer]:
    """Return FMEval's own transforms: Factual Knowledge for `<OR>` and for `<AND>`, and QA Accuracy."""
    with _bertscore_replaced_by(None):
        from fmeval.eval_algorithms.factual_knowledge import FactualKnowledgeScores
        from fmeval.eval_algorithms.qa_accuracy import QAAccuracyScores
    return (
        FactualKnowledgeScores(target_output_delimiter=c.OR_DELIMITER, logical_operator="OR"),
        FactualKnowledgeScores(target_output_delimiter=c.AND_DELIMITER, logical_operator="AND"),
        QAAccuracyScores(target_output_delimiter=c.OR_DELIMITER),
    )


def load_bertscore(model: str) -> Callable[[str, str], float]:
    """Return what FMEval's own BertscoreHelperModel computes from a golden answer and a response. The model is named as
    FMEval names it, and lies in the current folder under that name."""
    with _bertscore_replaced_by(_Bertscore()):
        from fmeval.eval_algorithms.helper_models.helper_model import BertscoreHelperModel

        compare: Callable[[str, str], float] = BertscoreHelperModel(model).get_helper_scores
    return compare


class _Bertscore:
    """What `evaluate.load("bertscore")` gives: a script from the network, whose work is one call of bert_score."""

    def compute(self, *, predictions: list[str], references: list[str], model_type: str) -> dict[str, list[float]]:
        """As the script: FMEval reads `f1`."""
        return {"f1": _load_scorer(model_type).score(predictions, references)[2].tolist()}


@cache
def _load_scorer(model: str) -> "BERTScorer":
    from bert_score import BERTScorer
    from safetensors import safe_open

    scorer = BERTScorer(model_type=model)
    # The library makes up weights that the file lacks, at random and with no more than a warning. A model with a head
    # has them under a prefix (`roberta.`), old files call two of them otherwise, and the pooler is not used.
    with safe_open(Path(model, "model.safetensors"), framework="pt") as weights:
        names = [name.replace(".gamma", ".weight").replace(".beta", ".bias") for name in weights.keys()]  # noqa: SIM118 - no mapping
    there = {*names, *(name.partition(".")[2] for name in names)}
    lacking = [name for name in scorer._model.state_dict() if name not in there and not name.startswith("pooler.")]
    if lacking:
        raise ValueError(f"model.safetensors lacks {len(lacking)} of the model's weights, such as {lacking[0]}")
    if model == ROBERTA:
        # Many of its tokenizers do not know where the model ends, and FMEval stops at a longer text.
        positions = scorer._model.config.max_position_embeddings - 2  # the padding at their front
        scorer._tokenizer.model_max_length = min(scorer._tokenizer.model_max_length, positions)
    return scorer


@contextmanager
def _bertscore_replaced_by(metric: object) -> Iterator[None]:
    """Import FMEval with `metric` as what its calls of `evaluate.load("bertscore")` return. One of them stands in a
    default argument, so it runs at import. The call wants the network, runs what that sends, and runs ./bertscore of
    the current folder if there is one."""
    import evaluate

    load = evaluate.load
    evaluate.load = lambda *_, **__: metric
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # FMEval's pinned dependencies warn at import; nobody here can act on it
            yield
    finally:
        evaluate.load = load


SEED = 1234
"""What draws a sample, unless another number is given."""

LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=3600)
"""One step is loading FMEval or a language model, some thousands of rows, or a few pairs of texts."""


@dataclass(frozen=True)
class Verification:
    """Scores of a table beside those of the installed FMEval."""

    compared: int
    """How many rows were scored again."""
    differences: pl.DataFrame
    """One row a score that differs: `row` (its number in the table, from 0), `score`, `here`, `fmeval`."""
    lacking: int
    """How many scores FMEval gives that the table does not have: there was nothing to compare."""
    version: str
    """The installed FMEval's."""


def score_in_process(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """As `score_with_fmeval`, in another process. Raises QavizError without FMEval, or if a column is no text."""
    fmeval_version()
    check_texts(rows)
    fix = "Score fewer rows at a time, or with qaviz's own scorer."
    about = Problem(where="scoring with FMEval", found="a process that", expected="scores of all rows", fix=fix)
    with job_folder() as folder:
        rows.write_parquet(folder / "rows.parquet")
        with start(_score_job, folder, about=about, environment=offline_environment(), limits=LIMITS) as running:
            running.finish(progress)
        return pl.read_parquet(folder / "scored.parquet")


def _score_job(job: Job) -> None:
    job.progress(0.0, "loading FMEval")
    scored = score_with_fmeval(pl.read_parquet(job.folder / "rows.parquet"), job.progress)
    scored.write_parquet(job.folder / "scored.parquet")


def offline_environment() -> dict[str, str]:
    """This process's environment without secrets, in which libraries of language models ask nobody on any network."""
    offline = dict.fromkeys(("HF_HUB_OFFLINE", "HF_EVALUATE_OFFLINE", "TRANSFORMERS_OFFLINE"), "1")
    return library_environment(offline | {"RAY_USAGE_STATS_ENABLED": "0"})


def verify(
    scored: pl.DataFrame,
    sample: int | None = None,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Verification:
    """Return how the scores of a table compare with the installed FMEval's, bit for bit, over all rows or a sample.
    Needs what `score` returns; the same table, sample size and seed give the same sample. Raises as
    `score_in_process`."""
    texts = c.ANSWER, c.FACT, c.RESPONSE
    numbered = draw_sample(scored.select(*texts, *c.SCORES), sample, seed)
    again = score_in_process(numbered.select(texts), progress)
    compared = (numbered.select("row", score=pl.lit(name), here=pl.col(name), fmeval=again[name]) for name in c.SCORES)
    differing = pl.concat(compared).filter(pl.col("here").ne_missing(pl.col("fmeval")))
    lacking = pl.col("here").is_null()
    return Verification(
        compared=numbered.height,
        differences=differing.remove(lacking),
        lacking=differing.filter(lacking).height,
        version=fmeval_version(),
    )


def draw_sample(table: pl.DataFrame, sample: int | None, seed: int) -> pl.DataFrame:
    """So many rows of the table, or all of them, in their order, with their number from 0 as `row`. The same table,
    sample size and seed give the same rows."""
    numbered = table.with_row_index("row")
    return numbered.sample(min(sample, numbered.height), seed=seed).sort("row") if sample is not None else numbered


# BERTScore: how near a response's meaning is to the golden answer's, as a language model sees it. Only on demand.

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
        rows.select(pl.int_range(pl.len()).alias(ROW), c.ANSWER, c.RESPONSE, c.UNSCORED_ANSWER)
        .filter(pl.col(c.UNSCORED_ANSWER).is_null())
        .select(ROW, pl.col(c.ANSWER).str.split(c.OR_DELIMITER), c.RESPONSE)
        .drop_nulls()
        .explode(c.ANSWER)
        .with_columns(pl.col(c.ANSWER, c.RESPONSE).str.head(LONGEST_TEXT))
    )
    # The salt keeps `ab` + `c` apart from `a` + `bc`.
    digests = [
        blake2b((answer + response).encode(), digest_size=16, salt=len(answer).to_bytes(16)).digest()
        for answer, response in variants.select(c.ANSWER, c.RESPONSE).iter_rows()
    ]
    return variants.select(ROW, pl.Series(PAIR, digests, dtype=pl.Binary), c.ANSWER, c.RESPONSE)


def best_scores(pairs: pl.DataFrame, scores: pl.DataFrame, rows: int) -> pl.Series:
    """Return the `bertscore` of each of so many rows: the best of its variants, as FMEval has it. Takes what
    `text_pairs` returns, and `pair` and `bertscore` of pairs that are scored. Null where a row has no pair, or one of
    its pairs is not scored."""
    by_row = (
        pairs.select(ROW, PAIR)
        .join(scores, on=PAIR, how="left")
        .group_by(ROW)
        .agg(pl.when(pl.col(c.BERTSCORE).is_not_null().all()).then(pl.col(c.BERTSCORE).max()))
    )
    numbered = pl.DataFrame({ROW: pl.int_range(rows, eager=True)})
    return numbered.join(by_row, on=ROW, how="left", maintain_order="left")[c.BERTSCORE]


def score_pairs(
    pairs: pl.DataFrame,
    model: LanguageModel,
    keep: Callable[[pl.DataFrame], None],
    progress: Progress | None = None,
) -> None:
    """Score `pair`, `answer`, `response` with this model in another process. `keep` is called with `pair` and
    `bertscore` whenever some more are there, also before it fails. Needs `check_library`; raises QavizError where the
    model cannot be loaded."""
    expected = "BERTScores of all pairs, and the whole files of a language model and its tokenizer"
    fix = "Save the model again, or choose the other one."
    about = Problem(str(model.folder), "a process that", expected, fix)
    with job_folder() as folder:
        texts = pairs.select(PAIR, c.ANSWER, c.RESPONSE).unique(PAIR).sort(c.ANSWER, c.RESPONSE)
        texts.write_parquet(folder / "pairs.parquet")
        # FMEval loads the model by its name, which is looked for in the current folder first.
        named = folder / model.name
        named.mkdir(parents=True)
        for name in FILES:
            if (model.folder / name).exists():
                (named / name).symlink_to(model.folder / name)
        options, environment = {"model": model.name}, offline_environment()
        with start(
            _bertscore_job, folder, options, about=about, environment=environment, home=folder, limits=LIMITS
        ) as running:
            for answer in running.answers(progress):
                keep(answer.tables[c.BERTSCORE])


def _bertscore_job(job: Job) -> Iterator[Answer]:
    """In the other process: yield `pair` and `bertscore` of the pairs in the job's folder, some at a time."""
    name = job.options["model"]
    job.progress(0.0, f"loading {name}")
    compare, pairs = load_bertscore(name), pl.read_parquet(job.folder / "pairs.parquet")
    for number, part in enumerate(pairs.iter_slices(AT_A_TIME)):
        scores = [compare(answer, response) for answer, response in part.select(c.ANSWER, c.RESPONSE).iter_rows()]
        yield Answer(tables={c.BERTSCORE: part.select(PAIR, pl.Series(c.BERTSCORE, scores, pl.Float64))})
        done = number * AT_A_TIME + part.height
        job.progress(done / pairs.height, f"{name} compared {done:,} of {pairs.height:,} pairs of texts")


def check_library() -> None:
    """Raise QavizError unless FMEval and bert_score, which it brings, are installed."""
    if importlib.util.find_spec("bert_score") is None or importlib.util.find_spec("fmeval") is None:
        raise stop_without("bert-score", "fmeval, which brings bert-score and torch, beside qaviz")
