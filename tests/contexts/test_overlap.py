"""How many of a response's words stand in its passages, sentence by sentence, and its citations."""

import polars as pl
import pytest

from qaviz.contexts.passages import FOUND, NOT_FOUND, PARTLY, find_sentences, list_citations, measure_overlap
from qaviz.model import columns as c
from tests.growth import ROOM, growth

HOSPITAL = "The hospital in Basel has 240 beds and 12 wards. It was opened by Anna Keller in 1998."
CASTLE = "The castle hotel near Bern has 120 beds and a golf course. Peter Frei bought it in 2004."


def measured(response, contexts=(CASTLE, HOSPITAL)):
    cells = (response, None if contexts is None else list(contexts))
    schema = {c.RESPONSE: pl.String, c.CONTEXTS: pl.List(pl.String)}
    return measure_overlap(pl.DataFrame([cells], schema=schema, orient="row")).row(0, named=True)


@pytest.mark.parametrize(
    ("response", "state"),
    [
        pytest.param("The hospital in Basel has 240 beds and 12 wards.", FOUND, id="as it stands there"),
        pytest.param("The hospital in Basel has 120 beds and 12 wards.", FOUND, id="another number is not seen"),
        pytest.param("The hospital in Basel has penguins on sea ice.", PARTLY, id="half of it"),
        pytest.param("Penguins breed on sea ice during Antarctic winters.", NOT_FOUND, id="about something else"),
    ],
)
def test_a_sentence_is_where_its_words_are(response, state):
    """Words say how much of a sentence stands in one passage, and never that a passage contradicts it."""
    assert measured(response)[c.SENTENCE_STATES] == state


def test_overlap_is_the_share_of_words():
    """Of hospital, Basel, 240, beds and garage four stand in the passages; each sentence knows its nearest passage."""
    response = "The hospital in Basel has 240 beds. A garage!"
    assert measured(response)[c.CONTEXT_SUPPORT] == pytest.approx(4 / 5)
    assert [(state, place) for _, _, state, place in find_sentences(response, [CASTLE, HOSPITAL])] == [
        (FOUND, 1),
        (NOT_FOUND, 0),
    ]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        *(("So [1, 3].", [1, 3]), ("So [2-4].", [2, 3, 4]), ("So [^9].", [9]), ("So 【4】.", [4])),
        *(("[1 – 3, 5]", [1, 2, 3, 5]), ("[1-2-3]", [1, 2, 3]), ("[3-1]", [3]), ("[1](http://a.b)", [])),
    ],
)
def test_citations_are_read(text, numbers):
    """Numbers in brackets are citations, one by one; a link is none."""
    assert list_citations(text) == numbers


@pytest.mark.parametrize(("citation", "wrong"), [("[2][9]", 1), ("(Hospital report 2023, p. 3)", 0)])
def test_citations_that_point_nowhere_are_counted(citation, wrong):
    """[9] of two contexts; words of citations do not count."""
    row = measured(f"The hospital in Basel has 240 beds {citation}.")
    assert (row[c.CITATIONS_WRONG], row[c.CONTEXT_SUPPORT]) == (wrong, 1)


@pytest.mark.parametrize("contexts", [None, [], ["", None]])
@pytest.mark.parametrize("response", ["The hospital has 240 beds.", None])
def test_without_passages_all_is_null(response, contexts):
    """Null and never 0."""
    assert measured(response, contexts) == dict.fromkeys((c.CONTEXT_SUPPORT, c.SENTENCE_STATES, c.CITATIONS_WRONG))


def test_without_words_overlap_is_null():
    """A response of dots says nothing; its citations are counted."""
    assert measured("... [7]") == {c.CONTEXT_SUPPORT: None, c.SENTENCE_STATES: None, c.CITATIONS_WRONG: 1}


def test_longer_contexts_take_linear_time():
    """A context of eight times the length takes about eight times as long."""
    assert growth(lambda size: measured(HOSPITAL, [CASTLE * (size // len(CASTLE))]), 60_000) < ROOM


@pytest.mark.parametrize(
    ("response", "context"),
    [
        ("Das Spital in Basel hat 240 Betten.", "Das Spital in Basel hat 240 Betten und 12 Abteilungen."),
        ("巴塞尔的医院有240张床位。", "巴塞尔的医院有240张床位和12个病房。"),
    ],
)
def test_other_languages_are_read(response, context):
    """A sentence of another language overlaps with its own passage more than with another one."""
    assert measured(response, [context])[c.CONTEXT_SUPPORT] > 0.8
    assert measured(response, [CASTLE])[c.CONTEXT_SUPPORT] < 0.5
