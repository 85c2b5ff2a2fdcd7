"""Overlap of responses with their passages beside people's labels: its AUC, and that of plain word overlap.

    python -m benchmarks.support FOLDER [FOLDER ...]

A FOLDER holds golden.jsonl, responses.jsonl (with contexts) and labels.jsonl (supported or unsupported, by people).
Of the responses that overlap most (at least .9) the share is printed that people call unsupported: what words cannot
see.
"""

import re
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks.figures import make_parser
from qaviz.contexts.passages import measure_overlap
from qaviz.model import columns as c

HIGH = 0.9
_WORD = re.compile(r"\w+")


def auc(scores: pl.Series, supported: pl.Series) -> float:
    """The chance that a supported response scores above an unsupported one, ties by half (Hanley and McNeil 1982)."""
    right: NDArray[np.bool_] = supported.to_numpy()
    of_right, wrong = int(right.sum()), int((~right).sum())
    ranks = rankdata(scores.fill_null(0.0).to_numpy())
    return float((ranks[right].sum() - of_right * (of_right + 1) / 2) / (of_right * wrong))


def overlap_words(response: str, contexts: list[str]) -> float:
    """Plain overlap: the share of the response's words, all of them, that are words of the contexts."""
    known = set(_WORD.findall(" ".join(contexts).lower()))
    own = _WORD.findall(response.lower())
    return sum(word in known for word in own) / max(1, len(own))


def read_rows(folder: Path) -> pl.DataFrame:
    """Responses with their label; those with a text and contexts."""
    responses, labels = (pl.read_ndjson(folder / f"{name}.jsonl") for name in ("responses", "labels"))
    golden = pl.read_ndjson(folder / "golden.jsonl").select(c.QUESTION_ID, c.QUESTION)
    labelled = responses.join(labels.select(c.QUESTION_ID, c.PIPELINE, c.LABEL), on=[c.QUESTION_ID, c.PIPELINE])
    return labelled.join(golden, on=c.QUESTION_ID).filter(pl.col(c.RESPONSE).str.strip_chars() != "")


def run(folder: Path) -> None:
    """Print the line of one set."""
    rows = read_rows(folder)
    supported = rows[c.LABEL] == "supported"
    overlap = measure_overlap(rows)[c.CONTEXT_SUPPORT]
    plain = pl.Series([overlap_words(*row) for row in rows.select(c.RESPONSE, c.CONTEXTS).iter_rows()])
    high = (overlap >= HIGH).fill_null(False)
    unsupported = int((high & ~supported).sum())
    print(
        f"{folder.name}: {rows.height:,} responses, {int(supported.sum()):,} supported; AUC of context_support "
        f"{auc(overlap, supported):.3f}, of plain word overlap {auc(plain, supported):.3f}; of {int(high.sum()):,} "
        f"that overlap by {HIGH} or more {unsupported:,} are unsupported"
    )


if __name__ == "__main__":
    for folder in make_parser(__doc__, folders=True).parse_args().folders:
        run(folder)
