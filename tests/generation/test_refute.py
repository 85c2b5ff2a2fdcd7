"""Words refute: what cannot be right beside its passage falls with a reason; nothing is called proved."""

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

LEAVE = (
    "Staff of Alder have ten days of leave for a parent, and three days for an extended family member. "
    "On the 10th anniversary Alder gives a watch. Alder had a margin of 6.4% in 2023 and of 5.1% in 2022. "
    "Alder spent 120 euros a day in Lisbon, and the loss fell by 3.2 million dollars."
)
TABLE = (
    "Region: Europe | 2022: 400 | 2023: 514 | (in millions of dollars)\n"
    "Region: Asia | 2022: 80 | 2023: 91 | (in millions of dollars)\n"
    "Region: Office > Lyon | 2022: 12 | 2023: 15 | (in millions of dollars)"
)

GERMAN = "Die Bahn von Tellstadt beförderte im Jahr 2022 viele Gäste. Die Strecke nach Orbach ist 48,6 Kilometer lang."
CHINESE = "青河公司2022年的收入为12.5亿元，比上年增长8.4%。员工共有1200人。"

UNCLE = "When a parent dies, staff of Alder have five days of leave; for an uncle it is one day."
VOTES = "Alder report 2023\n\nThe board of Alder approved the budget on 14 December 2022 by 31 votes."


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
MARGIN, SMOKING = "What was the margin of Alder in 2023?", "Is smoking allowed at Alder?"


@pytest.mark.parametrize(
    ("question", "answer", "fact", "other", "quote", "verdict"),
    [
        (MARGIN, "It was 9.9%.", "9.9%", "6.4%", "The margin of Alder was 6.4% in 2023.", "against"),
        (MARGIN, "It was 6.4%.", "6.4%", "9.9%", "Baykal had 9.9%.", "open"),
        (MARGIN, "It was 9.9%.", "9.9%", "6.4%", "Baykal had 9.9%.", "for"),
        (SMOKING, "Yes, it is.", "yes", "No.", "Smoking is not allowed at Alder.", "against"),
        (SMOKING, "No, it is not.", "no", "Yes.", "Smoking is not allowed at Alder.", "for"),
        ("Who had 9.9%?", "Alder had it.", "Alder", "Baykal", "Baykal had 9.9%.", "against"),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "question", "answer", "fact", "kind"),
    [
        (LEAVE, "How many days has staff of Alder for an extended family member?", "Three days.", "three days", ""),
        (LEAVE, "What margin had Alder in 2023?", "Alder had a margin of 6.4% in 2023.", "6.4%<OR>6.4 percent", ""),
        (LEAVE, "On which anniversary does Alder give a watch?", "On the 10th anniversary.", "10th<OR>tenth", ""),
        (LEAVE, "By how much did the margin of Alder grow?", "From 5.1% to 6.4%, by 1.3 points.", "1.3", "calculation"),
        (TABLE, "What did Alder sell in Europe in 2023?", "Alder sold for $514 million in Europe.", "$514 million", ""),
        (TABLE, "What did Alder sell in Europe in 2023, in millions of dollars?", "It was 514.", "514", ""),
        (TABLE, "What did Alder sell in Europe in 2023?", "Alder sold for $514 million in Europe.", "514", ""),
        (TABLE, "What did Alder sell in Europe in 2023, in billions?", "It was $0.514 billion.", "0.514 billion", ""),
        (TABLE, "By how much did Alder grow in Europe in 2023?", "It grew by 28.5%.", "28.5%", "calculation"),
        (GERMAN, "Wie lang ist die Strecke von Tellstadt nach Orbach?", "48,6 Kilometer.", "48,6 Kilometer", ""),
        (CHINESE, "青河公司2022年的收入是多少？", "青河公司2022年的收入为12.5亿元。", "12.5亿元", ""),
        (UNCLE, "How many days of leave has staff of Alder when a parent dies?", "Five days.", "five days", ""),
        (VOTES, "By how many votes did the board approve it, by Alder's report 2023?", "By 31 votes.", "31", ""),
        (LEAVE, "What does a day in Porto cost at Alder?", "The rules of Alder do not say it.", "", "unanswerable"),
    ],
)  # fmt: skip
def test_what_the_passage_bears_out_is_not_refuted(text: str, question: str, answer: str, fact: str, kind: str):
    """Facts in other forms, units of a caption and results that are computed again stand, as do a condition in front, a
    year that names the document, and a refusal in other words; no word says proved."""
    assert check(text, question, answer, fact, kind or "single fact") == ("not refuted", None)


@pytest.mark.parametrize(
    ("text", "question", "answer", "fact", "rule"),
    [
        (LEAVE, "What margin did Alder have in 2023?", "Alder had a margin of 5.1% in 2023.", "5.1%", "another-place"),
        (LEAVE, "What margin did Alder have in 2023?", "Alder had a margin of 7.4%.", "7.4%", "no-fact"),
        (LEAVE, "What did Alder spend a day?", "Alder spent $120 a day.", "$120", "no-fact"),
        (LEAVE, "How much smaller was the loss of Alder?", "By 3.2 billion dollars.", "3.2 billion", "no-fact"),
        (LEAVE, "Did Alder spend 120 euros a day?", "Alder spent 120 euros a day.", "120 euros", "fact-in-question"),
        (LEAVE, "Which margins had Alder?", "6.4% and 5.1%.", "6.4%<OR>5.1%", "several-facts"),
        (LEAVE, "Which margin had Alder?", "It was 6.4%.", "", "incomplete"),
        (TABLE, "What did Alder sell in Europe in 2023?", "Alder sold for $514 in Europe.", "$514", "no-fact"),
        (
            TABLE,
            "What did Alder sell in Europe in 2023?",
            "Alder sold for $91 million.",
            "$91 million",
            "another-place",
        ),
        (TABLE, "What did Alder sell in Asia in 2022?", "Alder sold for $91 million.", "$91 million", "another-place"),
        (TABLE, "What did Alder sell in Lyon in 2023?", "Alder sold for $12 million.", "$12 million", "another-place"),
        (GERMAN, "Wie lang ist die Strecke von Tellstadt nach Orbach?", "84,6 Kilometer.", "84,6 Kilometer", "no-fact"),
        (CHINESE, "青河公司2022年的收入是多少？", "青河公司2022年的收入为15.2亿元。", "15.2亿元", "no-fact"),
        (LEAVE, "Wie hoch war die Marge von Alder im Jahr 2023?", "Sie lag im Jahr 2023 bei 6.4%.", "6.4%", "language"),
    ],
)
def test_what_cannot_be_right_is_refuted_with_its_rule(text: str, question: str, answer: str, fact: str, rule: str):
    """Another row, year, unit or scale than the passage has falls, whatever a model may say of it."""
    assert check(text, question, answer, fact) == ("refuted", rule)


BOREA = ("borea-report-2023.md", "Borea had a margin of 3.3% in 2023, and its staff a day of leave for each cousin.")


@pytest.mark.parametrize(
    ("question", "fact", "lacks"),
    [
        ("What margin did Alder have in 2023?", "6.4%", ""),
        ("According to the Alder report of 2023, how many days are there for a parent?", "ten days", ""),
        ("How many days are there for an extended family member?", "three days", "the document, organisation"),
        ("How many days does it give for a parent?", "ten days", "stands for"),
        ("What margin did the company have in 2023?", "6.4%", "stands for"),
        ("According to the text above, which days of Alder are for a parent?", "ten days", "stands for"),
    ],
)
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


@pytest.mark.parametrize(
    ("value", "source", "stated"),
    [
        ("134.4 billion", "134,383 million", True),
        ("12.455 billion", "12.5 billion", False),
        ("3 May 2023", "2023", False),
        ("2023", "3 May 2023", True),
        ("$131", "131", False),
        ("131", "$131", True),
        ("12%", "12 percentage points", False),
        ("5%", "-5%", False),
        ("2007", "20071", False),
    ],
)
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
