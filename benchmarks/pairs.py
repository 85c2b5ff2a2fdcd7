"""Minimal pairs: what verdicts make of them, as they are and with neutral sentences behind.

Pairs come from a JSON Lines file (id, question, answer, fact, right, wrong, kind): two responses to one question, which
differ by one thing that matters. What is said of them is of a model that was fitted without them.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from benchmarks.families import FAMILY, NAME, SURE, with_verdicts
from benchmarks.generate import TEXTS
from qaviz.diagnosis.extract_evidence import read_evidence
from qaviz.diagnosis.model import Model, probabilities_of, read_terms, values_of_terms
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, ANSWERABLE, CONFIDENCE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

NEUTRAL: dict[str, str] = TEXTS["neutral"]
"""Sentences by language that answer no question."""
PAIRS = "pairs"
"""The family that all pairs are."""
KIND, SIDE, LANGUAGE = "kind", "side", "language"
DEVELOPED = 132
"""Pairs of the file, from its beginning, that were developed on; the others only measure."""
_UNKNOWN = pl.lit(None, pl.Boolean).alias(ANSWERABLE)


def list_pairs(folders: Sequence[Path]) -> list[Path]:
    """Return the pairs.jsonl of the folders that have one."""
    return [file for folder in folders if (file := folder / "pairs.jsonl").exists()]


def read_pairs(file: Path) -> pl.DataFrame:
    """Return a row a side: the texts, `place`, KIND, SIDE (`right`, `wrong`), LANGUAGE, LABEL."""
    long = (
        pl.read_ndjson(file)
        .with_row_index("place")
        .unpivot(
            ["right", "wrong"],
            index=["place", "id", QUESTION, ANSWER, FACT, KIND],
            variable_name=SIDE,
            value_name=RESPONSE,
        )
    )
    prefix = pl.col(KIND).str.split("-").list.first()
    return long.with_columns(
        pl.when(prefix.is_in(list(NEUTRAL))).then(prefix).otherwise(pl.lit("en")).alias(LANGUAGE),
        pl.when(pl.col(SIDE) == "right").then(pl.lit("correct")).otherwise(pl.lit("incorrect")).alias(LABEL),
        pl.lit(PAIRS).alias(NAME),
    )


def read_sides(folders: Sequence[Path]) -> pl.DataFrame:
    """Return the sides of the pairs of all folders as `benchmarks.families.read_labelled` returns labelled responses,
    one family; no row where no folder has pairs.jsonl."""
    sides = [score(read_pairs(file).with_columns(_UNKNOWN)) for file in list_pairs(folders)]
    return pl.concat(
        [read_evidence(rows).with_columns(pl.lit(PAIRS).alias(FAMILY)) for rows in sides] or [pl.DataFrame()]
    )


def judge_texts(rows: pl.DataFrame, model: Model) -> pl.DataFrame:
    """Return rows of texts with LABEL and NAME as the model judges them: VERDICT and CONFIDENCE beside."""
    terms = read_terms(read_evidence(score(rows.with_columns(_UNKNOWN))))
    probable = probabilities_of(terms, values_of_terms(terms), model).drop("doubts", strict=False)
    return with_verdicts(rows.hstack(probable).hstack(terms.select("refusal")))


def figures_of_pairs(judged: pl.DataFrame) -> dict[str, float]:
    """Return of all pairs the shares with both sides right, wrong sides accepted, at SURE, right sides rejected."""
    accepted = pl.col(VERDICT) == Verdict.CORRECT.value
    sure = accepted & (pl.col(CONFIDENCE) >= SURE)
    right = pl.col(SIDE) == "right"
    sides = judged.group_by("place").agg(
        (accepted == right).all().alias("both right"),
        (accepted & ~right).any().alias("wrong accepted"),
        (sure & ~right).any().alias("wrong at .9"),
        (~accepted & right).any().alias("right rejected"),
        (sure & right).any().alias("right at .9"),
    )
    return {name: float(sides[name].mean() or 0) for name in sides.columns if name != "place"}


def say_pairs(file: Path, model: Model) -> None:
    """Print the figures of all pairs and of those that only measure, as they are and with neutral text behind."""
    pairs = read_pairs(file)
    neutral = pl.col(LANGUAGE).replace_strict(NEUTRAL)
    padded = pairs.with_columns(pl.concat_str(RESPONSE, pl.lit(" "), neutral).alias(RESPONSE))
    print("pairs left out of the fit")
    for name, rows in (("as they are", pairs), ("neutral behind", padded)):
        judged = judge_texts(rows, model)
        for part, own in (("all", judged), ("measuring", judged.filter(pl.col("place") >= DEVELOPED))):
            figures = (f"{key} {share:.3f}" for key, share in figures_of_pairs(own).items())
            print(f"{name:15} {part:10} {own.height // 2:4}", *figures, sep="  ")
