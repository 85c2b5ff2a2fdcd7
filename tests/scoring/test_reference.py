"""qaviz's scores against the installed FMEval, bit for bit."""

import importlib.util
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qaviz.model.columns import ANSWER, FACT, RESPONSE, SCORES
from qaviz.scoring import score
from qaviz.scoring.bridge import TESTED_VERSION, fmeval_version, score_with_fmeval
from tests.scoring.hostile import hostile_rows

pytestmark = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python"),
]
SAMPLE = Path(__file__).parents[2] / "sample_data"


def test_version():
    """The installed FMEval is the release that requirements.txt pins and the documentation names."""
    assert fmeval_version() == TESTED_VERSION


def test_hostile_rows_score_the_same_bits():
    """Over 4,000 rows made of what tempts a scorer to differ, every score equals FMEval's and the same are missing."""
    rows = hostile_rows(4_000, seed=5, delimiters=("<OR>", "<OR>", "<AND>"))
    told = []
    theirs = score_with_fmeval(rows, lambda fraction, _: told.append(fraction))
    assert_frame_equal(score(rows), theirs, check_exact=True)
    assert theirs.select(SCORES).null_count().row(0) != (0,) * len(SCORES)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_every_character_scores_the_same_bits():
    """Each character of the first plane, between words and at the end of a fact, is treated as FMEval treats it."""
    characters = [chr(point) for point in range(0x3100) if not 0xD800 <= point < 0xE000]
    rows = pl.DataFrame(
        {
            ANSWER: [f"the{one}a b {one}" for one in characters],
            FACT: [f"b{one}" for one in characters],
            RESPONSE: [f"{one}The{one}a B{one.upper()} c" for one in characters],
        }
    )
    assert_frame_equal(score(rows), score_with_fmeval(rows), check_exact=True)
