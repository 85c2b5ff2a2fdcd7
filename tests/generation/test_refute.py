"""Words refute: what cannot be right beside its passage falls with a reason; nothing is called proved."""

import json
from pathlib import Path

import polars as pl
import pytest

from benchmarks import planted_triplets
from qaviz.documents.chunks import CHUNKS, ChunkRow, chunk_hash
from qaviz.generation.passages import Corpus, read_values, states
from qaviz.generation.prove import bears_out, contradicts, leave_to_people
from qaviz.generation.refute import open_case, refute_triplets
from qaviz.llm.proof import Proof
from tests.growth import ROOM, growth

CASES = json.loads(Path(__file__).with_name("refute.json").read_text("utf-8"))
"""Texts by name; triplets about them with type and the rule that refutes them, if one does; second readings with what
they speak for; questions with what they lack; values and what states them; answers that agree."""
LEAVE = CASES["texts"]["leave"]


def chunks_of(*texts: tuple[str, str]) -> pl.DataFrame:
    """CHUNKS, one a document."""
    rows = [
        ChunkRow(
            chunk=chunk_hash("", text), document=name, document_hash=name, heading="", page=None,
            last_page=None, start=0, end=len(text), text=text,
        )
        for name, text in texts
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=CHUNKS)


def check(
    text: str, question: str, answer: str, fact: str, kind: str = "single fact", *others: tuple[str, str]
) -> tuple[str, str | None]:
    """Status and rule of one triplet about a text of alder-report-2023.md; `lacks` with what its question lacks."""
    chunks = chunks_of(("alder-report-2023.md", text), *others)
    columns = ("question_id", "question", "answer", "fact", "kind", "chunk")
    row = dict(zip(columns, ("q", question, answer, fact, kind, chunks["chunk"][0]), strict=True))
    collection = Corpus(chunks)
    checked = leave_to_people(refute_triplets(pl.DataFrame([row]), collection), collection)
    status, rule, reason = checked.select("status", "rule", "reason").row(0)
    return ("lacks", reason) if status == "to review" else (status, rule)


MARGINS = "The margin of Alder was 6.4% in 2023. Baykal had 9.9%. Smoking is not allowed at Alder."


@pytest.mark.parametrize(("question", "answer", "fact", "other", "quote", "verdict"), CASES["quoted"])
def test_quoted_words_refute_what_they_speak_against(
    question: str, answer: str, fact: str, other: str, quote: str, verdict: str
):
    """A quotation refutes if its words have another value, name or side, and more of the question; a reader that quotes
    another place than is asked about refutes nothing, and one that quotes the fact speaks for it."""
    chunks = chunks_of(("margins.md", MARGINS))
    collection = Corpus(chunks)
    triplet = {"question": question, "answer": answer, "fact": fact, "kind": "single fact", "chunk": chunks["chunk"][0]}
    case = open_case(triplet, collection)
    proof = Proof(answerable=True, answer=other, quote=quote)
    assert (contradicts(case, proof), bears_out(case, proof)) == (verdict == "against", verdict == "for")


@pytest.mark.parametrize(("text", "question", "answer", "fact", "kind", "rule"), CASES["refuted"])
def test_words_refute_what_the_passage_does_not_bear_out(
    text: str, question: str, answer: str, fact: str, kind: str, rule: str
):
    """Another row, year, unit or scale than the passage has falls with its rule. Facts in other forms, units of a
    caption and results that are computed again stand, as do a condition in front, a year that names the document, and a
    refusal in other words; no word says proved."""
    verdict = check(CASES["texts"][text], question, answer, fact, kind or "single fact")
    assert verdict == (("refuted", rule) if rule else ("not refuted", None))


BOREA = ("borea-report-2023.md", "Borea had a margin of 3.3% in 2023, and its staff a day of leave for each cousin.")


@pytest.mark.parametrize(("question", "fact", "lacks"), CASES["lacks"])
def test_a_question_names_its_source(question: str, fact: str, lacks: str):
    """A question without document or organisation lacks it; naming the source is no fault."""
    status, what = check(LEAVE, question, f"It is {fact}.", fact, "single fact", BOREA)
    assert (status, bool(what)) == (("lacks", True) if lacks else ("not refuted", False))
    assert lacks in (what or "")


LUND = "The margin of the Lund plant was {} in 2023."
HOLIDAY = "Staff have {} days of holiday a year."


@pytest.mark.parametrize(
    ("text", "question", "fact", "other"),
    [
        (LUND.format("6.4%"), "What was the margin of the Lund plant in 2023?", "6.4%", LUND.format("3.1%")),
        (
            f"Alder policy. {HOLIDAY.format(28)}", "How many days of holiday a year have the staff of Alder?",
            "28 days", f"{LEAVE} {MARGINS} {HOLIDAY.format(25)}",
        ),
    ],
)  # fmt: skip
def test_two_documents_that_read_alike_are_told_apart(text: str, question: str, fact: str, other: str):
    """A question whose every word stands in another document too, with another value, lacks which one it is about, with
    both named, however much is around."""
    status, lack = check(text, question, f"It is {fact}.", fact, "single fact", ("plant-b.md", other))
    assert status == "lacks"
    assert "alder-report-2023.md or plant-b.md" in str(lack)


@pytest.mark.parametrize(("value", "source", "stated"), CASES["states"])
def test_a_value_is_stated_by_one_that_says_no_less(value: str, source: str, stated: bool):
    """Unit, sign, scale, period and digits of a value have to be in what states it."""
    assert states(read_values(value)[0], read_values(source)[0]) is stated


HAND_MADE = Path(planted_triplets.__file__).with_name("hand_triplets.jsonl")


@pytest.mark.parametrize(("reader", "least_right"), [("key", 0.95), ("agrees", 0.6)])
def test_triplets_written_by_hand_are_told_apart(reader: str, least_right: float):
    """Of 120 triplets half are wrong: with a second reader who knows, what is accepted is right, as are three fifths
    with one who always agrees; three quarters of the right ones are accepted, and few are left to people."""
    chunks, triplets = planted_triplets.read_hand_made(HAND_MADE)
    checked = planted_triplets.judge(triplets, Corpus(chunks), reader, 0)
    right, accepted = checked["planted"] == planted_triplets.RIGHT, checked["status"] == "accepted"
    assert (right & accepted).sum() >= least_right * accepted.sum()
    assert (right & accepted).sum() >= 0.75 * right.sum()
    assert (checked["status"] == "to review").mean() <= 0.25


def test_time_grows_with_the_triplets():
    """A triplet takes no longer where there are eight times as many, of as many chunks."""

    def run(size: int) -> None:
        texts = [
            (f"alder-{number}.md", f"{LEAVE} Plant {number} of Alder has {number} doors.") for number in range(size)
        ]
        chunks = chunks_of(*texts)
        number = pl.int_range(pl.len())
        triplets = chunks.select(
            pl.format("How many doors has plant {} of Alder?", number).alias("question"),
            pl.format("It has {} doors.", number).alias("answer"),
            pl.format("{} doors", number).alias("fact"),
            pl.lit("single fact").alias("kind"),
            "chunk",
        )
        refute_triplets(triplets, Corpus(chunks))

    assert growth(run, 40) <= ROOM
