"""BERTScore: how near a response's meaning is to the golden answer's, as a language model sees it. Only on demand.

FMEval computes it by the library bert_score, one pair of texts at a time. Here the same library takes distinct pairs in
batches, which is several times as fast and agrees with FMEval to 6 decimals. It runs in a process of its own.
"""

import hashlib
import importlib.util
import json
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from qaviz.model.columns import ANSWER, BERTSCORE, OR_DELIMITER, RESPONSE, UNSCORED_ANSWER
from qaviz.model.errors import Problem, QavizError, stop_without
from qaviz.model.records import Progress
from qaviz.processes import MACHINE_MEMORY, Cancelled, Limits, StoppedError, Why, run
from qaviz.processes.worker import Job
from qaviz.scoring.bridge import offline_environment
from qaviz.scoring.language_models import LanguageModel

if TYPE_CHECKING:
    from bert_score import BERTScorer


PAIR = "pair"
"""What a pair of texts is known by: 16 bytes of BLAKE2b over both."""
PAIRS = "pairs.parquet"
PARTS = "part-*.parquet"
"""Scored pairs, a file as soon as they are there: `pair`, `bertscore`."""
LOADED = "loaded"
"""A file that is there as soon as the model is loaded: what fails before lies with the model's files."""

AT_A_TIME = 64
"""Pairs between two reports: some seconds of work."""
IN_A_BATCH = 16
"""Texts that the model reads at once; their memory grows with the square of their length."""

_USUAL_LAYER = 0.75
"""Where a model's layers compare texts best: about three quarters up, over the models that bert_score was tuned on."""

_PADDING_POSITIONS = {"mpnet": 2, "roberta": 2, "xlm-roberta": 2}
"""Positions at the front that some kinds of model keep for padding."""


def score_job(job: Job) -> None:
    """In the other process: as `score_folder`."""
    score_folder(job.folder, job.progress, job.options["model"])


def score_folder(folder: Path, progress: Progress, name: str) -> None:
    """Read the pairs, score them with the model of the current folder, write what is done in parts."""
    progress(0.0, f"loading {name}")
    scorer, pairs = load(name), pl.read_parquet(folder / PAIRS)
    (folder / LOADED).touch()
    for number, part in enumerate(pairs.iter_slices(AT_A_TIME)):
        scores = scorer.score(part[RESPONSE].to_list(), part[ANSWER].to_list(), batch_size=IN_A_BATCH)[2].tolist()
        _write(part.select(PAIR, pl.Series(BERTSCORE, scores, pl.Float64)), folder, number)
        done = number * AT_A_TIME + part.height
        progress(done / pairs.height, f"{name} compared {done:,} of {pairs.height:,} pairs of texts")


def load(name: str) -> "BERTScorer":
    """Return bert_score's BERTScorer for the model in the current folder, which `language_models` has let pass.

    The layer is the one that bert_score was tuned on for a model of this name. Raises ValueError where the file of
    weights lacks some of the model's.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its dependencies warn at import; nobody here can act on it
        import bert_score
    config = json.loads(Path("config.json").read_text("utf-8"))
    scorer = bert_score.BERTScorer(model_type=".", num_layers=layer(name, config["num_hidden_layers"]))
    if "max_position_embeddings" in config:
        # Many tokenizers do not know where their model ends, and a longer text would stop it.
        positions = config["max_position_embeddings"] - _PADDING_POSITIONS.get(config["model_type"], 0)
        scorer._tokenizer.model_max_length = min(scorer._tokenizer.model_max_length, positions)
    if lacking := _lacking_weights(scorer._model.state_dict()):
        raise ValueError(f"model.safetensors lacks {len(lacking)} of the model's weights, such as {lacking[0]}")
    return scorer


def _lacking_weights(needed: Iterable[str]) -> list[str]:
    """Return the weights that the file lacks: transformers would make them up at random, with no more than a warning.

    A model with a head has them under a prefix (`bert.`); old files call two of them otherwise. The pooler is not used.
    """
    from safetensors import safe_open

    with safe_open("model.safetensors", framework="pt") as file:
        names = list(file.keys())
    modern = [name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("Norm.beta", "Norm.bias") for name in names]
    there = {*modern, *(name.partition(".")[2] for name in modern)}
    return [name for name in needed if name not in there and not name.startswith("pooler.")]


def layer(name: str, layers: int) -> int:
    """Return the layer whose vectors are compared, from 1 up to `layers`."""
    from bert_score.utils import model2layers

    short = name.rpartition("/")[2]
    tuned: dict[str, int] = {known.rpartition("/")[2]: number for known, number in model2layers.items()}
    return min(tuned.get(short, max(1, round(layers * _USUAL_LAYER))), layers)


def _write(scores: pl.DataFrame, folder: Path, number: int) -> None:
    """Under another name first: the reader takes whole files."""
    fresh = folder / "fresh.parquet"
    scores.write_parquet(fresh)
    fresh.replace(folder / PARTS.replace("*", f"{number:09}"))


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
                score_job,
                folder,
                {"model": model.name},
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
