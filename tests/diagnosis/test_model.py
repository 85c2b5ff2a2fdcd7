"""qaviz.diagnosis.model: weights of a file are the probabilities, limits hold, what is new lowers certainty."""

import json
import math
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.columns import DOUBTS_SCHEMA, KIND, STANCE, STRENGTH, UNREAD, doubt_of
from qaviz.diagnosis.extract_evidence import READ_SCHEMA
from qaviz.diagnosis.model import (
    HELD_BACK,
    HIGHEST_DOUBTFUL,
    LIMITS,
    P_CORRECT,
    TERMS,
    WEIGHTS,
    Model,
    add_probabilities,
    read_model,
)
from qaviz.diagnosis.stance import TABLE
from qaviz.diagnosis.surface import BARE, PROSE, SURFACE
from qaviz.model.columns import ANSWER, FACT, QUESTION, RESPONSE

TEXTS = {QUESTION: "Who wrote it?", ANSWER: "Ana Lima", FACT: "Ana Lima", RESPONSE: "Ana Lima wrote it."}


def evidence(**changes: object) -> pl.DataFrame:
    """One row of evidence: a name that the response states, with these changes."""
    found = {STANCE: "agrees", KIND: "verbatim", STRENGTH: 1.0}
    surface = dict.fromkeys(SURFACE, 1.0) | {BARE: float(not changes.get(FACT, "Ana Lima"))}
    row = {**dict.fromkeys(READ_SCHEMA), **dict.fromkeys(DOUBTS_SCHEMA, False), **surface, **TEXTS, **found, **changes}
    return pl.DataFrame([row], infer_schema_length=None).cast(dict(READ_SCHEMA))


def probability(model: Model, **changes: object) -> float:
    """What the model says of that row."""
    return float(add_probabilities(evidence(**changes), model)[P_CORRECT][0])


def plain(**weights: float) -> Model:
    """A model of these weights alone, that has seen everything."""
    return Model({}, weights, {}, 1.0, {f"{kind} {stance}": 9 for kind in KINDS for stance in STANCES}, ODDS)


KINDS, STANCES = ("verbatim", "phrase", "quantity", "date", "polarity", "symbol"), ("agrees", "contradicts", "absent")
ODDS = {"none": -3.0, "some": 3.0}


def test_the_weights_of_a_file_are_the_probabilities(tmp_path):
    """A constant and one term give the logistic function of their sum, read back from the file."""
    file = tmp_path / "model.json"
    file.write_text(json.dumps(asdict(plain(**{"1": 0.5, "agrees": 1.25}))), "utf-8")
    model = read_model(file)
    assert probability(model) == pytest.approx(1 / (1 + math.exp(-1.75)))
    assert probability(model, **{STANCE: "absent"}) == pytest.approx(1 / (1 + math.exp(-0.5)))


def test_models_that_differ_lower_certainty():
    """Where a model without one family says another thing, the probability moves towards one half (MacKay 1992)."""
    whole = plain(**{"1": 2.0})
    members = {"one": {"1": 1.0}, "other": {"1": 3.0}}
    variance = ((np.array([1.0, 3.0]) - 2.0) ** 2).sum() / 2
    expected = 1 / (1 + math.exp(-2.0 / math.sqrt(1 + math.pi / 8 * variance)))
    assert probability(replace(whole, members=members)) == pytest.approx(expected)
    assert expected < probability(whole)


def test_evidence_that_few_families_had_is_never_sure():
    """A kind of evidence seen in one family only keeps a row below .9 and is named."""
    rare = replace(plain(**{"1": 9.0}), families_of={"verbatim agrees": 1})
    row = add_probabilities(evidence(), rare)
    assert row.select(P_CORRECT, HELD_BACK).row(0) == (HIGHEST_DOUBTFUL, "rare evidence")


@pytest.mark.parametrize(("kind", "limit"), [("phrase", "part"), ("polarity", "implied"), ("date", None)])
def test_what_is_said_in_part_or_implied_is_never_sure(kind, limit):
    """A phrase of which words lack, and a yes or no that is only implied, stay below .9; said whole they may be sure.
    People call a date that is less exact right."""
    for strength, held in ((0.6, limit), (0.9, None)):
        row = evidence(**{STANCE: "agrees", KIND: kind, STRENGTH: strength, PROSE: 0.0})
        model = replace(plain(**{"1": 9.0}), families_of={f"{kind} agrees": 2})
        assert add_probabilities(row, model)[HELD_BACK].to_list() == [held]


@given(
    stance=st.sampled_from([*STANCES, None]),
    kind=st.sampled_from(KINDS),
    odds=st.floats(-40, 40),
    doubted=st.booleans(),
    unread=st.booleans(),
    references=st.booleans(),
)
def test_limits_hold_whatever_the_weights_say(stance, kind, odds, doubted, unread, references):
    """Unread languages, doubts of a short response, several references and mere overlap are never at .9 or more."""
    row = {STANCE: stance, KIND: kind, UNREAD: "Polish" if unread else None, doubt_of("rival"): doubted}
    if references:
        row |= {FACT: "", ANSWER: "Ana Lima<OR>Bo Ek"}
    by_words = stance in (None, "absent") and kind in ("verbatim", "phrase")
    found = probability(plain(**{"1": odds}), **row)
    if doubted or unread or references or by_words:
        assert 1 - HIGHEST_DOUBTFUL <= found <= HIGHEST_DOUBTFUL
    assert 0 < found < 1


def test_no_shipped_weight_moves_the_wrong_way():
    """Each weight of the package and of its members moves the probability only as its term says."""
    model = read_model()
    for weights in (model.weights, *model.members.values()):
        assert set(weights) == {"1", *(term.name for term in TERMS)}
        assert all(weights[term.name] * term.moves >= 0 for term in TERMS)
    assert json.loads(WEIGHTS.read_text("utf-8"))["card"]["command"] == "python -m benchmarks.fit_model SETS"


def test_each_limit_says_why():
    """Each limit ends a sentence of rules.toml, where none stands without a condition."""
    assert {*LIMITS, "rare evidence"} == TABLE["limits"].keys()
