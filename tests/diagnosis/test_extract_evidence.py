"""Evidence of a table: in one process and in several the same, quoted where it stands, in time linear in length."""

import gc
import unicodedata

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from qaviz.diagnosis import diagnose, extract_evidence
from qaviz.diagnosis.columns import KIND, NOTE, REFUSAL, SAYS, SPANS, STANCE
from qaviz.diagnosis.extract_evidence import AT_ONCE, WORTH_A_PROCESS, weigh_table
from qaviz.diagnosis.stance import Stance
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.scoring import score
from tests.cases import read_cases
from tests.growth import ROOM, TIMES, growth

SCHEMA = {
    c.QUESTION: pl.String,
    c.ANSWER: pl.String,
    c.FACT: pl.String,
    c.ANSWERABLE: pl.Boolean,
    c.RESPONSE: pl.String,
}
SALES = ("What were the net sales?", "The net sales were $134.4 billion.", "134.4 billion<OR>134,383 million")

LONG = "The stores sold goods of many kinds. " * 10
RESPONSES = [
    "The net sales were $134.4 billion.",
    "All in all the net sales were 134,383 million dollars.",
    "134,383 million",
    "Net sales of 134.4 billion, not 170 billion.",
    "They were not 134.4 billion.",
    "They weren’t 134.4 billion, but 170 billion.",
    "With 134.4 billion as a start, the net sales are 134.4 - 0.1 = 134.3 billion.",
    "134.4 billion; rounded, 134 billion.",
    "Stars in the galaxy: 134.4 billion",
    "2134.4 billion",
    "The document does not say. 134.4 billion is my guess.",
    "",
    "İ İ İ 134.4 BILLION",
    "134.4 billion trừ 0.1 billion, vì vậy, 134.3 billion",
    "Không phải 134.4 billion",
    f"The net sales were $134.4 billion. {LONG}",
    f"All in all the net sales were 134,383 million dollars. {LONG}",
    f"{LONG} 134,383 million.",
]


def scored(*responses: str | None, triplet: tuple[str | None, ...] = SALES) -> pl.DataFrame:
    rows = [(*triplet, None, response) for response in responses]
    return score(pl.DataFrame(rows, schema=SCHEMA, orient="row"))


@pytest.mark.parametrize(
    ("response", "verdict"),
    [
        ("The documents do not state how many plants closed (note 0).", Verdict.DECLINED),
        ("I do not know. Confidence: 0", Verdict.DECLINED),
        ("0. The report does not say why none closed.", Verdict.CORRECT),
        ("The number of closed plants is 0.", Verdict.CORRECT),
    ],
)
@pytest.mark.parametrize("triplet", [("0", "0"), ("0", None)], ids=["by fact", "by answer"])
def test_a_zero_in_a_refusal_is_no_answer(triplet, response, verdict):
    """Where the golden answer is 0, a response that declines and holds a 0 declines; one that says 0 is right."""
    judged = diagnose(scored(response, triplet=("How many plants closed in 2020?", *triplet)))

    assert judged[c.VERDICT].to_list() == [verdict]


def test_several_processes_find_what_one_finds():
    """A table long enough for two processes gets, row by row, what its rows get one at a time."""
    once = scored(*RESPONSES)
    times = 2 * WORTH_A_PROCESS // len(RESPONSES) + 1
    rows = once.select(c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE)
    one, many = weigh_table(rows), weigh_table(pl.concat([rows] * times))

    assert many.height >= 2 * WORTH_A_PROCESS
    assert_frame_equal(many, pl.concat([one] * times))


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_afterwards_as_it_was_before(collects):
    """Weighing goes on without Python's search for cycles, and leaves it as it found it, also where it is cancelled."""

    def cancel(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        if not collects:
            gc.disable()
        extract_evidence(scored(*RESPONSES))
        after = gc.isenabled()
        with pytest.raises(KeyboardInterrupt):
            extract_evidence(scored(*RESPONSES), cancel)
        assert (after, gc.isenabled()) == (collects, collects)
    finally:
        gc.enable()


def test_progress_is_told_as_far_as_rows_are_weighed():
    """Responses that are weighed together move the bar by as much each time, and the last ones stand at its end."""
    told = []
    responses = [f"It was {number} million." for number in range(4 * AT_ONCE)]
    extract_evidence(scored(*responses), lambda fraction, words: told.append((fraction, words)))

    assert told == [(part / 4, "diagnosing") for part in (1, 2, 3, 4)]


def test_quotes_and_spans_are_the_same_stretch():
    """What the evidence quotes is what its span marks, also behind letters whose lower case is longer."""
    table = extract_evidence(scored(*RESPONSES))

    for response, kind, says, refusal, spans in table.select(c.RESPONSE, KIND, SAYS, REFUSAL, SPANS).iter_rows():
        quoted = {span["kind"]: response[span["start"] : span["end"]] for span in spans}
        assert quoted == {name: text for name, text in ((kind, says), ("refusal", refusal)) if text is not None}


@pytest.mark.parametrize("forms", [("NFD", "NFC"), ("NFC", "NFD"), ("NFD", "NFD")])
@pytest.mark.parametrize(
    ("question", "fact", "response"),
    [
        ("Where is the head office?", "Orléans", "The head office – in Val-de-Loire – is in Orléans, as é says."),
        ("Where is the head office?", "Orléans", "The head office is in Zürich."),
        ("Trụ sở chính ở đâu?", "Đà Nẵng", "Trụ sở chính ở Đà Nẵng."),
        ("本社はどこですか。", "パリ", "本社はパリです。"),
        ("본사는 어디에 있습니까?", "서울", "서울"),
    ],
)
def test_how_accents_are_written_changes_nothing(question, fact, response, forms):
    """As one character or as letter and mark: verdict and kind stay, and the span marks the words as they stand."""
    golden_form, form = forms
    composed = extract_evidence(scored(response, triplet=(question, None, fact)))
    golden = tuple(text and unicodedata.normalize(golden_form, text) for text in (question, None, fact))
    written = extract_evidence(scored(unicodedata.normalize(form, response), triplet=golden))

    same = [STANCE, KIND, REFUSAL]
    assert written.select(same).rows() == composed.select(same).rows()
    ((text, says, spans),) = written.select(c.RESPONSE, SAYS, SPANS).rows()
    assert [text[span["start"] : span["end"]] for span in spans] == ([says] if says else [])
    assert unicodedata.normalize("NFC", says or "") == (composed[SAYS][0] or "")


@pytest.mark.parametrize(
    ("fact", "response", "stance"),
    [
        ("Paris<AND>Rome", "Paris and Rome", "agrees"),
        ("Paris<AND>Rome", "Rome, then Paris", "agrees"),
        ("Paris<AND>Rome", "Paris only", "absent"),
        ("Paris<OR>Rome", "Rome", "agrees"),
        ("3 May 1997<AND>12%", "12 percent, on May 3rd, 1997", "agrees"),
        ("3 May 1997<AND>12%", "12 percent, on May 4th, 1997", "contradicts"),
        ("<OR>", "The net sales were $134,383 million.", "agrees"),
    ],
)
def test_all_variants_or_one(fact, response, stance):
    """`<AND>` wants every variant, `<OR>` one; a fact of delimiters only leaves the answer to judge by."""
    question, answer, _ = SALES

    assert extract_evidence(scored(response, triplet=(question, answer, fact)))[STANCE].to_list() == [stance]


HOSTILE = ["1", "1,", "not ", "the documents do ", "=1 ", "two hundred ", "3 May ", "(", "Á", "a.", "yes, no, "]
HOSTILE += ["net sales 134,4 billion\n"]
"""Pieces of which long texts are made."""
TRIPLETS = [
    SALES,
    ("When was it?", "It was on 3 May 1997.", "3 May 1997"),
    ("Who was it?", "It was Sir Isaac Newton.", "Isaac Newton<OR>Newton, Isaac"),
    ("Did sales grow?", "Yes, they grew by 12% in all regions.", None),
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_long_texts_take_linear_time(piece):
    """No text makes any kind of evidence slow: time is linear in its length."""
    tables = {
        size: pl.concat(scored(piece * (size // len(piece)), triplet=triplet) for triplet in TRIPLETS)
        for size in (10_000, TIMES * 10_000)
    }

    assert growth(lambda size: extract_evidence(tables[size]), 10_000) < ROOM


PIECES = [piece for pieces in read_cases(__file__, "cases/pieces") for piece in pieces]
"""Odd numbers and dates, words of many languages, marks, delimiters."""
ODD = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=1)), max_size=12).map("".join)
TEXT = st.one_of(st.none(), st.text(), ODD)


@settings(max_examples=25)
@given(st.lists(st.tuples(ODD, TEXT, TEXT, st.one_of(st.none(), st.booleans()), TEXT), min_size=10, max_size=10))
def test_any_text_gets_a_verdict_and_a_reason(rows):
    """No characters in question, answer, fact or response are an error, and no row stays without a reason."""
    diagnosed = diagnose(score(pl.DataFrame(rows, schema=SCHEMA, orient="row")))

    assert diagnosed.select(c.VERDICT, c.REASON).null_count().row(0) == (0, 0)
    assert diagnosed.filter(pl.col(STANCE) == Stance.FAILED.value)[NOTE].to_list() == []
