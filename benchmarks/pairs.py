"""Minimal pairs, and changes that change nothing: what verdicts make of both.

Pairs come from a JSON Lines file (id, question, answer, fact, right, wrong, kind): two responses to one question, which
differ by one thing that matters. What is said of them is of a model that was fitted without them.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from benchmarks.changes import CHANGES, MOVED, NEUTRAL
from benchmarks.families import FAMILY, NAME, with_verdicts
from qaviz.diagnosis.extract_evidence import read_evidence
from qaviz.diagnosis.model import Model, probabilities_of, read_terms, values_of_terms
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, ANSWERABLE, CONFIDENCE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

SURE = 0.9
PAIRS = "pairs"
"""The family that all pairs are."""
ID, KIND, SIDE, LANGUAGE = "id", "kind", "side", "language"
DEVELOPED = 132
"""Pairs of the file, from its beginning, that were developed on; the others only measure."""
ROWS = 1_000
"""Labelled rows that are changed, drawn by a hash, as many of each family as there are."""
_LANGUAGES = {"ca": "es", "eu": "es", "gl": "es"}
"""Languages without neutral sentences of their own."""


_UNKNOWN = pl.lit(None, pl.Boolean).alias(ANSWERABLE)


def list_pairs(folders: Sequence[Path]) -> list[Path]:
    """Return the pairs.jsonl of the folders that have one."""
    return [file for folder in folders if (file := folder / "pairs.jsonl").exists()]


def read_pairs(file: Path) -> pl.DataFrame:
    """Return a row a side: the texts, ID, KIND, SIDE (`right`, `wrong`), LANGUAGE, LABEL."""
    pairs = pl.read_ndjson(file).with_row_index("place")
    long = pairs.unpivot(
        ["right", "wrong"], index=["place", ID, QUESTION, ANSWER, FACT, KIND], variable_name=SIDE, value_name=RESPONSE
    )
    prefix = pl.col(KIND).str.split("-").list.first()
    label = pl.when(pl.col(SIDE) == "right").then(pl.lit("correct")).otherwise(pl.lit("incorrect"))
    return long.with_columns(
        pl.when(prefix.is_in(list(NEUTRAL))).then(prefix).otherwise(pl.lit("en")).alias(LANGUAGE),
        label.alias(LABEL),
        pl.lit(PAIRS).alias(NAME),
    )


def read_sides(folders: Sequence[Path]) -> pl.DataFrame:
    """Return the sides of the pairs of all folders as `benchmarks.families.read_labelled` returns labelled responses,
    one family; no row where no folder has pairs.jsonl."""
    sides = [read_pairs(file).with_columns(_UNKNOWN) for file in list_pairs(folders)]
    return pl.concat(
        [read_evidence(score(rows)).with_columns(pl.lit(PAIRS).alias(FAMILY)) for rows in sides] or [pl.DataFrame()]
    )


def judge_texts(rows: pl.DataFrame, model: Model) -> pl.DataFrame:
    """Return rows of texts with LABEL and NAME as the model judges them: VERDICT and CONFIDENCE beside."""
    scored = score(rows.with_columns(_UNKNOWN))
    terms = read_terms(read_evidence(scored))
    probable = probabilities_of(terms, values_of_terms(terms), model).drop("doubts", strict=False)
    return with_verdicts(rows.hstack(probable).hstack(terms.select("refusal")))


def figures_of_pairs(judged: pl.DataFrame) -> dict[str, float]:
    """Return of all pairs the shares with both sides right, wrong sides accepted, at SURE, right sides rejected."""
    accepted = pl.col(VERDICT) == Verdict.CORRECT.value
    sure = accepted & (pl.col(CONFIDENCE) >= SURE)
    sides = judged.group_by("place").agg(
        (accepted == (pl.col(SIDE) == "right")).all().alias("both right"),
        (accepted & (pl.col(SIDE) == "wrong")).any().alias("wrong accepted"),
        (sure & (pl.col(SIDE) == "wrong")).any().alias("wrong at .9"),
        (~accepted & (pl.col(SIDE) == "right")).any().alias("right rejected"),
        (sure & (pl.col(SIDE) == "right")).any().alias("right at .9"),
    )
    return {name: float(sides[name].mean() or 0) for name in sides.columns if name != "place"}


def say_pairs(file: Path, model: Model) -> None:
    """Print the figures of all pairs and of those that only measure, as they are and with neutral text behind."""
    pairs = read_pairs(file)
    padded = pairs.with_columns(
        pl.concat_str(RESPONSE, pl.lit(" "), pl.col(LANGUAGE).replace_strict(NEUTRAL)).alias(RESPONSE)
    )
    print("pairs left out of the fit")
    for name, rows in (("as they are", pairs), ("neutral behind", padded)):
        judged = judge_texts(rows, model)
        parts = {"all": judged, "measuring": judged.filter(pl.col("place") >= DEVELOPED)}
        for part, mine in parts.items():
            figures = figures_of_pairs(mine)
            print(
                f"{name:15} {part:10} {mine.height // 2:4}",
                *(f"{key} {share:.3f}" for key, share in figures.items()),
                sep="  ",
            )


def draw_rows(labelled: pl.DataFrame) -> pl.DataFrame:
    """Return about ROWS labelled rows with a response, of each family the same number as far as it has them."""
    place = pl.int_range(pl.len()).hash(11).rank("ordinal").over("family")
    share = ROWS // labelled["family"].n_unique()
    said = pl.col(RESPONSE).fill_null("").str.strip_chars() != ""
    return labelled.filter(said & (place <= share)).with_columns(language_of_row().alias(LANGUAGE))


def language_of_row() -> pl.Expr:
    """The language of a labelled row, by the name of its set or its category."""
    named = pl.col(NAME).replace_strict(
        {
            "own-vietnamese": "vi",
            "own-german": "de",
            "own-spanish": "es",
            "own-french": "fr",
            "own-japanese": "ja",
            "own-chinese": "zh",
            "zh-ads": "zh",
        },
        default=None,
        return_dtype=pl.String,
    )
    of_category = pl.when(pl.col(NAME) == "truthfulqa-multi").then(pl.col("category").replace(_LANGUAGES))
    return pl.coalesce(named, of_category, pl.lit("en"))


def say_changes(labelled: pl.DataFrame, model: Model) -> None:
    """Print for each of CHANGES how many verdicts turn, and how many confidences move by more than MOVED."""
    rows = draw_rows(labelled).select(QUESTION, ANSWER, FACT, RESPONSE, LABEL, NAME, LANGUAGE)
    before = judge_texts(rows, model)
    print(
        f"changes that change nothing, of {rows.height:,} rows: share of verdicts that turn, of confidences that move"
    )
    turned, moved = [], []
    for change in CHANGES:
        texts = [change.apply(text or "", language) for text, language in rows.select(RESPONSE, LANGUAGE).iter_rows()]
        after = judge_texts(rows.with_columns(pl.Series(RESPONSE, texts)), model)
        turned.append(float((before[VERDICT] != after[VERDICT]).mean() or 0))
        moved.append(float(((before["p_correct"] - after["p_correct"]).abs() > MOVED).mean() or 0))
        print(f"{change.name:24} {turned[-1]:.4f} {moved[-1]:.4f}")
    print(f"{'all':24} {sum(turned) / len(turned):.4f} {sum(moved) / len(moved):.4f}")
