"""How far responses stand in their contexts, sentence by sentence, and whether a context answers the question."""

import json

import polars as pl
import pytest

from qaviz.contexts.passages import list_citations, read_sentences
from qaviz.contexts.support import (
    CITATIONS_WRONG,
    CONTEXT_SUPPORT,
    SENTENCES,
    WEIGHTS,
    score_answerable,
    score_support,
)
from qaviz.model import columns as c
from tests.growth import ROOM, growth

QUESTION = "How many beds has the hospital in Basel?"
HOSPITAL = (
    "The hospital in Basel has 240 beds and 12 wards. It was opened by Anna Keller in 1998 and is not open at night."
)
CASTLE = "The castle hotel near Bern has 120 beds and a golf course. Peter Frei bought it in 2004."


def score(response, contexts=(CASTLE, HOSPITAL), question=QUESTION, documents=None):
    texts = pl.List(pl.String)
    rows = pl.DataFrame(
        {
            c.QUESTION: [question],
            c.RESPONSE: [response],
            c.CONTEXTS: [None if contexts is None else list(contexts)],
            c.CONTEXT_DOCUMENTS: [documents],
        },
        schema={c.QUESTION: pl.String, c.RESPONSE: pl.String, c.CONTEXTS: texts, c.CONTEXT_DOCUMENTS: texts},
    )
    return score_support(rows).row(0, named=True)


def stances(response, contexts=(CASTLE, HOSPITAL)):
    return [sentence["stance"] for sentence in score(response, contexts)[SENTENCES]]


@pytest.mark.parametrize(
    ("response", "stance"),
    [
        pytest.param("The hospital in Basel has 240 beds and 12 wards.", "supported", id="as it stands there"),
        pytest.param("The hospital in Basel has 120 beds and 12 wards.", "contradicted", id="another context's number"),
        pytest.param("It was opened by Anna Keller in 2004.", "contradicted", id="another year"),
        pytest.param("The hospital in Basel has not 240 beds and 12 wards.", "contradicted", id="negation put in"),
        pytest.param("Penguins breed on sea ice during Antarctic winters.", "not_found", id="about something else"),
    ],
)
def test_a_sentence_is_held_against_the_passages(response, stance):
    """A sentence is supported as it stands, contradicted with an exchanged value or negation, else not found."""
    assert stances(response) == [stance]


def test_the_quotation_is_the_passage_that_supports():
    """The span of a supported sentence is its own, and the quotation stands in the passage that it names."""
    response = "Yes. The hospital in Basel has 240 beds [2]."
    sentence = score(response)[SENTENCES][-1]
    quotation = (CASTLE, HOSPITAL)[sentence["passage"]][sentence["quote_start"] : sentence["quote_end"]]

    assert response[sentence["start"] : sentence["end"]].startswith("The hospital")
    assert quotation == "hospital in Basel has 240 beds"


def test_what_stands_there_instead_is_named():
    """A contradicted value is shown beside the one that the passage has."""
    (sentence,) = score("The hospital in Basel has 120 beds and 12 wards.")[SENTENCES]
    assert "120" in sentence["why"]
    assert "240" in sentence["why"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("So [1, 3].", [1, 3]), ("So [2-4].", [2, 3, 4]), ("So [^9].", [9]), ("So 【4】.", [4]), ("[1](http://a.b)", [])],
)
def test_citations_are_read(text, numbers):
    """Numbers in brackets are citations, one by one; a link is none."""
    assert list_citations(text) == numbers


def test_a_citation_of_no_context_is_counted():
    """[9] of two contexts points to nothing; citations are no part of what is checked."""
    scored = score("The hospital in Basel has 240 beds [2][9].")
    assert scored[CITATIONS_WRONG] == 1
    assert [sentence["stance"] for sentence in scored[SENTENCES]] == ["supported"]


@pytest.mark.parametrize(
    ("documents", "wrong"),
    [(["docs/Hospital_report_2023.pdf", "castle.html"], 0), (["castle.html", None], 1), (None, 0)],
)
def test_a_cited_document_is_one_of_the_contexts(documents, wrong):
    """A document that is cited with its page has to be one of those that were retrieved, where these are known."""
    scored = score("The hospital in Basel has 240 beds (Hospital report 2023, p. 3).", documents=documents)
    assert scored[CITATIONS_WRONG] == wrong


@pytest.mark.parametrize(
    ("response", "contexts"),
    [
        pytest.param("The hospital has 240 beds.", None, id="no contexts"),
        pytest.param("The hospital has 240 beds.", [], id="none of them"),
        pytest.param("The hospital has 240 beds.", ["", None], id="empty ones"),
        pytest.param("", [HOSPITAL], id="no response"),
        pytest.param(None, [HOSPITAL], id="null"),
        pytest.param("...", [HOSPITAL], id="nothing to check"),
    ],
)
def test_nothing_to_check_is_null(response, contexts):
    """Without contexts, or without a sentence that says something, the score is null and never 0."""
    scored = score(response, contexts)
    assert scored[CONTEXT_SUPPORT] is None
    assert scored[SENTENCES] == []


@pytest.mark.parametrize(
    "contexts",
    [
        pytest.param([HOSPITAL + CASTLE * 12_000], id="a context of 1 MB"),
        pytest.param([CASTLE] * 499 + [HOSPITAL], id="500 contexts"),
        pytest.param([HOSPITAL, HOSPITAL], id="duplicates"),
        pytest.param([f"<p><b>{HOSPITAL}</b></p>", "İİİ ß \x00"], id="HTML and odd letters"),
    ],
)
def test_contexts_of_any_size_are_read(contexts):
    """Long, many, doubled and marked up contexts support what stands in them."""
    assert stances("The hospital in Basel has 240 beds and 12 wards.", contexts) == ["supported"]


def test_longer_contexts_take_linear_time():
    """A context of eight times the length takes about eight times as long."""
    sentence = "The hospital in Basel has 240 beds and 12 wards."
    assert growth(lambda size: stances(sentence, [HOSPITAL + CASTLE * (size // len(CASTLE))]), 60_000) < ROOM


@pytest.mark.parametrize(
    ("response", "context"),
    [
        ("Das Spital in Basel hat 240 Betten.", "Das Spital in Basel hat 240 Betten und 12 Abteilungen."),
        ("巴塞尔的医院有240张床位。", "巴塞尔的医院有240张床位和12个病房。"),
        ("バーゼルの病院には240のベッドがあります。", "バーゼルの病院には240のベッドがあります。庭もあります。"),
    ],
)
def test_other_languages_are_read(response, context):
    """A sentence of another language scores higher where its passage says it than where it says another thing."""
    there, elsewhere = (score(response, [text])[CONTEXT_SUPPORT] for text in (context, CASTLE))
    assert there > 0.8
    assert elsewhere < 0.5


def test_sentences_end_where_people_end_them():
    """Abbreviations, initials and decimals do not end a sentence, lines do; questions and numbers of lists are none."""
    text = "Dr. J. Frei paid 4.5 million. Why? 1. He left in 1999\n- Anna Keller stayed"
    assert [text[sentence.start : sentence.end] for sentence in read_sentences(text)] == [
        "Dr. J. Frei paid 4.5 million.",
        "He left in 1999",
        "Anna Keller stayed",
    ]


def test_a_passage_that_answers_comes_before_one_that_does_not():
    """The question's words in the first passage and its title make an answer more probable; null without contexts."""
    about = [f"Hospital Basel: {HOSPITAL}", CASTLE, CASTLE]
    rows = pl.DataFrame(
        {c.QUESTION: [QUESTION, QUESTION, QUESTION], c.CONTEXTS: [about, about[::-1], None]},
        schema={c.QUESTION: pl.String, c.CONTEXTS: pl.List(pl.String)},
    )
    first, last, nothing = score_answerable(rows)
    assert first > last
    assert nothing is None


def test_the_card_says_what_sets_left_out_got():
    """The weights carry a card: on sets that were not fitted on, support is not below word overlap."""
    card = json.loads(WEIGHTS.read_text(encoding="utf-8"))["card"]["left out"]
    for name in ("mtrag", "clapnq"):
        assert card[name]["auc"] >= card[name]["auc of word overlap"]
    assert card["nomiracl"]["auc"] >= 0.7
