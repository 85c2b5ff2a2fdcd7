"""Other thresholds on judged rows give what judging all of them gives."""

from dataclasses import fields, replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from benchmarks.generate import table
from qaviz.diagnosis import diagnose, judge
from qaviz.diagnosis.judging import judge_again
from qaviz.loading import Source, load
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import BERTSCORE, DIAGNOSIS, JUDGE
from qaviz.model.records import Thresholds
from qaviz.scoring import score

SAMPLE = Path(__file__).parents[2] / "sample_data"

NAMES = [each.name for each in fields(Thresholds)]

values = st.integers(0, 20).map(lambda step: step / 20)
thresholds = st.builds(Thresholds, **dict.fromkeys(NAMES, values))


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    """The sample's and generated responses, of every diagnosis but one, some with a BERTScore or a judge's word."""
    loaded = load(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")])
    both = pl.concat([loaded.rows, table(300, pipelines=2)], how="diagonal")
    rows = diagnose(score(both))
    assert set(Diagnosis) - set(rows[DIAGNOSIS]) <= {Diagnosis.UNSCORED}
    known = pl.int_range(rows.height) % 3 == 0
    meaning = pl.when(known).then((pl.int_range(rows.height) % 21) / 20).alias(BERTSCORE)
    said = pl.when(pl.int_range(rows.height) % 7 == 0).then(pl.lit("correct")).alias(JUDGE)
    return judge(rows.with_columns(meaning, said), Thresholds())


@pytest.mark.slow
@given(after=thresholds)
def test_any_thresholds_give_what_judging_everything_gives(judged: pl.DataFrame, after: Thresholds):
    """Whichever thresholds move, and wherever to: every diagnosis, confidence and reason is the same, in order."""
    assert_frame_equal(judge_again(judged, Thresholds(), after), judge(judged, after), check_exact=True)


@pytest.mark.parametrize("name", NAMES)
def test_each_threshold_reaches_some_rows(name: str, judged: pl.DataFrame):
    """Each threshold alone, moved to both ends, changes the sample, so that the test above tests something."""
    ends = [judge_again(judged, Thresholds(), replace(Thresholds(), **{name: end})) for end in (0.0, 1.0)]

    assert any(not judged.equals(end) for end in ends)


def test_a_trial_leaves_the_judged_table_as_it_was(judged: pl.DataFrame):
    """What was judged before is not written over: others may be reading it."""
    before = judged.clone().rechunk()
    kept = before.hash_rows()
    assert not judge_again(before, Thresholds(), Thresholds(high_closeness=0.1)).equals(before)
    assert before.hash_rows().equals(kept)


def test_the_same_thresholds_judge_nothing(judged: pl.DataFrame):
    """Thresholds that do not move return the table itself."""
    assert judge_again(judged, Thresholds(), Thresholds()) is judged
