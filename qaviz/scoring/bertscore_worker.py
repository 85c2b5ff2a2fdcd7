"""What compares texts by a language model, in a process of its own that runs in the model's folder."""

import json
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from qaviz.model.columns import ANSWER, BERTSCORE, RESPONSE
from qaviz.model.records import Progress

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
