"""The gate: what its passage proves is accepted, what it does not prove is rejected with a reason."""

import polars as pl
import pytest

from qaviz.documents.chunks import CHUNKS, ChunkRow, chunk_hash
from qaviz.generation.gate import check_triplets
from qaviz.generation.gate.passages import join_chunks
from tests.generation.corpus import corpus
from tests.growth import ROOM, TIMES, growth

LETTER = (
    "In 2023, Amazon’s total revenue grew 12% year-over-year (“YoY”) from $514B to $575B. By segment, North America "
    "revenue increased 12% YoY from $316B to $353B, International revenue grew 11% YoY from $118B to $131B, and AWS "
    "revenue increased 13% YoY from $80B to $91B."
)
GROWTH = "What was Amazon’s total revenue growth in 2023?"
PROVED = "Amazon’s total revenue grew 12% year-over-year from $514B to $575B in 2023."


def check(
    *triplets: tuple[str, str, str], text: str = LETTER, kind: str = "single fact", heading: str = ""
) -> pl.DataFrame:
    chunk = chunk_hash(heading, text)
    row = (chunk, "letter.txt", "0", 1, heading, None, None, 0, len(text), text)
    table = pl.DataFrame(triplets, schema=["question", "answer", "fact"], orient="row")
    table = table.with_columns(kind=pl.lit(kind), chunk=pl.lit(chunk))
    return check_triplets(table, pl.DataFrame([row], schema=CHUNKS, orient="row"))


def test_planted_errors_fall_and_sound_triplets_pass():
    """Of 400 planted errors at least 95 % are not accepted, and at least 95 % of these have one; each has a
    reason."""
    chunks, triplets = corpus()
    checked = check_triplets(triplets, chunks)

    planted = checked["planted"] != ""
    rejected = checked["status"] != "accepted"
    assert (int(planted.sum()), int((~planted).sum())) == (400, 400)
    assert (planted & rejected).sum() / planted.sum() >= 0.95
    assert (planted & rejected).sum() / rejected.sum() >= 0.95
    kinds = checked.filter(planted).group_by("planted").agg((pl.col("status") != "accepted").mean().alias("share"))
    assert kinds["share"].min() >= 0.6
    assert checked.filter(rejected)["reason"].null_count() == 0


def test_more_triplets_take_no_longer_each():
    """Eight times as many triplets take about eight times as long."""
    chunks, triplets = corpus()
    assert growth(lambda size: check_triplets(triplets.head(size), chunks), triplets.height // TIMES) < ROOM


def test_fifteen_for_twelve_percent_falls():
    """An answer with 15 % where the passage says 12 % is rejected and the figure named; the sound one passes."""
    wrong = PROVED.replace("12%", "15%")
    checked = check(
        (GROWTH, wrong, "12%<OR>$514B to $575B"), (GROWTH, wrong, "15%"), (GROWTH, PROVED, "12%<OR>$514B to $575B")
    )

    assert checked["status"].to_list() == ["rejected", "rejected", "accepted"]
    assert "12%" in checked["reason"][0]
    assert "15%" in checked["reason"][1]


def test_a_fact_that_answers_two_questions_is_noted():
    """12% answers for the total and for North America: the second is accepted with a note for the reviewer."""
    other = (
        "How much did Amazon’s North America revenue increase in 2023?",
        "North America revenue increased 12% in 2023.",
        "12%",
    )
    checked = check((GROWTH, PROVED, "12%"), other)
    assert checked["status"].to_list() == ["accepted", "accepted"]
    assert GROWTH in checked["note"][1]


ALDER = (
    "Alder earned $12,455 million in 2023, and 514 people worked there; in 2022 it was 400. "
    "Its fiscal year began on 1 February 2023."
)


@pytest.mark.parametrize(
    ("question", "answer", "fact", "status"),
    [
        ("How much did Alder earn in 2023?", "Alder earned $12.5 billion in 2023.", "$12.5 billion", "accepted"),
        ("How much did Alder earn in 2023?", "Alder earned $12.6 billion in 2023.", "$12.6 billion", "rejected"),
        (
            "How much did Alder earn in 2023?",
            "Alder earned $12,455.3 million in 2023.",
            "$12,455.3 million",
            "rejected",
        ),
        (
            "By how much did the staff of Alder grow?",
            "The staff of Alder grew from 400 to 514, by 28.5%.",
            "28.5%",
            "accepted",
        ),
        (
            "By how much did the staff of Alder grow?",
            "The staff of Alder grew from 400 to 514, by 38.5%.",
            "38.5%",
            "rejected",
        ),
        (
            "When did the fiscal year of Alder begin?",
            "The fiscal year of Alder began on 2023-02-01.",
            "2023-02-01<OR>February 1, 2023",
            "accepted",
        ),
        (
            "When did the fiscal year of Alder begin?",
            "The fiscal year of Alder began on 2023-02-11.",
            "2023-02-11",
            "rejected",
        ),
        (
            "Did Alder earn more than $12 billion in 2023?",
            "Yes, Alder earned $12,455 million in 2023.",
            "yes",
            "accepted",
        ),
        (
            "Did Alder earn more than $12 billion in 2023?",
            "Yes, Alder earned $13,455 million in 2023.",
            "yes",
            "rejected",
        ),
        ("Did the staff of Alder grow from 2022 to 2023?", "Yes, the staff of Alder grew to 514.", "yes", "accepted"),
    ],
)
def test_figures_are_compared_by_what_they_say(question: str, answer: str, fact: str, status: str):
    """A rounded figure is the figure, a finer one is invented; growth is recomputed; dates are dates in any form."""
    assert check((question, answer, fact), text=ALDER)["status"].to_list() == [status]


def test_a_question_without_an_answer_has_to_say_so():
    """An unanswerable triplet needs no fact and an answer that declines; one that answers is rejected."""
    declined = ("What did Amazon pay for AWS?", "The document does not say what Amazon paid for AWS.", "")
    answered = ("What did Amazon pay for AWS?", "Amazon paid $80B for AWS.", "")
    assert check(declined, answered, kind="unanswerable")["status"].to_list() == ["accepted", "rejected"]


def test_another_chunk_that_fits_better_is_named():
    """A question that another chunk answers better is rejected with that chunk's place; the margin is kept."""
    texts = [
        "Limits differ by rank. The limit is 120 euros.",
        "The daily travel limit of Alder for managers is 150 euros.",
    ]
    rows = [
        (chunk_hash("", text), f"{place}.txt", "0", 1, "", 3, 3, 0, len(text), text) for place, text in enumerate(texts)
    ]
    chunks = pl.DataFrame(rows, schema=CHUNKS, orient="row")
    triplets = pl.DataFrame(
        {
            "question": [
                "What is the daily travel limit for managers?",
                "What is the daily travel limit of Alder for managers?",
            ],
            "answer": ["The limit is 120 euros.", "The daily travel limit of Alder for managers is 150 euros."],
            "fact": ["120 euros", "150 euros"],
            "kind": "single fact",
            "chunk": chunks["chunk"],
        }
    )
    checked = check_triplets(triplets, chunks)
    assert checked["rule"].to_list() == ["another-chunk", None]
    assert "1.txt, page 3" in checked["reason"][0]
    assert checked["margin"][1] > 0


PRICES = (
    "State: Iowa | Price > this week: 4.20 | Price > year ago: 5.10\n"
    "State: Nebraska | Price > this week: 4.31 | Price > year ago: 5.22\n"
    "State: Eastern Cornbelt | Price > this week: 4.44 | Price > year ago: 120 (115)\n"
)
TOOLS = (
    "LangChain is an open-source framework for language models. Its paid edition, LangSmith, is not an open-source "
    "framework. LangChain was released in October 2022, and LangSmith in July 2023."
)
FARMS = "In 2023 Alder and Birch sold machines to 40 farms. The cooperative Cedar counts 40 farms as its members."


@pytest.mark.parametrize(
    ("text", "question", "answer", "fact", "status"),
    [
        (
            PRICES,
            "What was the price in Iowa a year ago?",
            "A year ago the price in Iowa was 5.10.",
            "5.10",
            "accepted",
        ),
        (
            PRICES,
            "What was the price in Iowa a year ago?",
            "A year ago the price in Iowa was 4.20.",
            "4.20",
            "rejected",
        ),
        (
            PRICES,
            "What was the price in Iowa a year ago?",
            "A year ago the price in Iowa was 5.22.",
            "5.22",
            "rejected",
        ),
        (PRICES, "What was the price a year ago?", "A year ago the price was 5.10.", "5.10", "to review"),
        (PRICES, "What was the price in Nebraska?", "The price in Nebraska was 4.31.", "4.31", "to review"),
        (
            PRICES,
            "What was the price in the Eastern Cornbelt a year ago?",
            "A year ago the price in the Eastern Cornbelt was 115.",
            "115",
            "to review",
        ),
        (TOOLS, "When was LangChain released?", "LangChain was released in October 2022.", "October 2022", "accepted"),
        (
            TOOLS,
            "When was LangChain released?",
            "LangChain was not released in October 2022.",
            "October 2022",
            "to review",
        ),
        (TOOLS, "Is LangChain an open-source framework?", "No, it is no open-source framework.", "no", "to review"),
        (
            TOOLS,
            "When was the framework released?",
            "LangChain was released in October 2022.",
            "October 2022",
            "rejected",
        ),
        (
            FARMS,
            "To how many farms did Alder and Birch sell machines in 2023?",
            "In 2023 Alder and Birch sold machines to 40 farms.",
            "40 farms",
            "accepted",
        ),
        (
            FARMS,
            "To how many farms did Alder and Cedar sell machines in 2023?",
            "In 2023 Alder and Birch sold machines to 40 farms.",
            "40 farms",
            "to review",
        ),
    ],
)
def test_a_fact_is_bound_to_what_its_question_asks(text: str, question: str, answer: str, fact: str, status: str):
    """A cell by its row and column, a sentence by its polarity and subject: another one is rejected, what words cannot
    tell is to review, and each has its reason."""
    checked = check((question, answer, fact), text=text, kind="yes/no" if fact == "no" else "single fact")

    assert checked["status"].item() == status, checked["reason"].item()
    assert (checked["reason"].item() is None) == (status == "accepted")


FERRIES = (
    "Fleet of Harbour Line\n\nRoute: Nordhavn | Ferries: 18\nRoute: Vestby | Ferries: 12\n\n"
    "The head office of Harbour Line stands in Bergen and has 40 rooms. The ferry Sula belongs to Harbour Line. "
    "Ingrid Solheim has led Harbour Line since 2021. The ferry Runa belongs to Nord Shipping. "
    "Olav Berg has led Nord Shipping since 2019."
)
MORE = "How many more ferries does the Nordhavn route have than the Vestby route?"
LEADER = "Who has led the company that the ferry Sula belongs to?"


@pytest.mark.parametrize(
    ("kind", "question", "answer", "fact", "rule"),
    [
        (
            "table look-up",
            "How many ferries does the Vestby route have?",
            "The Vestby route has 12 ferries.",
            "12",
            None,
        ),
        (
            "table look-up",
            "How many rooms has the head office of Harbour Line?",
            "It has 40 rooms.",
            "40 rooms",
            "type",
        ),
        ("calculation", MORE, "Nordhavn has 18 ferries and Vestby 12, which is 6 more.", "6", None),
        ("calculation", MORE, "Nordhavn has 18 ferries and Vestby 12, which is 5 more.", "5", "unproved-fact"),
        ("calculation", "How many ferries does the Vestby route have?", "The Vestby route has 12.", "12", "type"),
        ("two steps", LEADER, "Sula belongs to Harbour Line, which Ingrid Solheim has led.", "Ingrid Solheim", None),
        ("two steps", LEADER, "Sula belongs to Nord Shipping, which Olav Berg has led.", "Olav Berg", "type"),
        ("two steps", "Who has led Harbour Line?", "Ingrid Solheim has led Harbour Line.", "Ingrid Solheim", "type"),
        ("paraphrase", "Whose chief has Ingrid Solheim been?", "She has led Harbour Line.", "Harbour Line", None),
        ("paraphrase", "Which ferry belongs to Nord Shipping?", "The ferry Runa belongs to it.", "Runa", "type"),
    ],
)
def test_each_type_of_question_has_its_own_proof(kind: str, question: str, answer: str, fact: str, rule: str | None):
    """A look-up stands in a row, a calculation is computed again, two steps are linked by a name, a paraphrase is in
    other words; what is not of its type is left to a person, and what is wrong is rejected."""
    checked = check((question, answer, fact), text=FERRIES, kind=kind).row(0, named=True)

    assert checked["rule"] == ("another-type" if rule == "type" else rule), checked["reason"]
    assert checked["status"] == {None: "accepted", "type": "to review"}.get(rule, "rejected")


ALDER_REPORT = (
    "Alder sold 46 ferries in 2023 and 40 in 2022. Alder was founded in 1951 in Lisbon. "
    "The engines of Alder are made by Corvex."
)
BAYKAL_REPORT = (
    "Baykal sold 31 ferries in 2023 and 52 in 2022. Baykal was founded in 1987 in Oslo. "
    "Corvex has its works in Turin. Dunmore has its works in Ghent."
)
MORE_FERRIES = "Which of Alder and Baykal sold more ferries in 2023?"
ALL_FERRIES = "How many ferries did Alder and Baykal sell together in 2023?"
WORKS = "Where are the works of the maker of the engines of Alder?"
FOUNDED = "Which of Alder and Baykal was founded earlier?"
OF_2023 = "Alder sold 46 ferries in 2023 and Baykal 31"


def check_two(kind: str, question: str, answer: str, fact: str) -> dict[str, object]:
    texts = {"alder.md": ALDER_REPORT, "baykal.md": BAYKAL_REPORT}
    rows = [
        ChunkRow(
            chunk=chunk_hash("", text), document=name, document_hash=name, number=1, heading="", page=None,
            last_page=None, start=0, end=len(text), text=text,
        )
        for name, text in texts.items()
    ]  # fmt: skip
    joined = join_chunks(*rows)
    triplet = {"question": question, "answer": answer, "fact": fact, "kind": kind, "chunk": joined["chunk"]}
    return check_triplets(pl.DataFrame([triplet]), pl.DataFrame([*rows, joined], schema=CHUNKS)).row(0, named=True)


@pytest.mark.parametrize(
    ("kind", "question", "answer", "fact", "status"),
    [
        ("comparison of documents", MORE_FERRIES, f"{OF_2023}, so Alder sold more.", "Alder", "accepted"),
        ("comparison of documents", MORE_FERRIES, f"{OF_2023}, so Baykal sold more.", "Baykal", "to review"),
        ("comparison of documents", MORE_FERRIES, "Alder sold more ferries in 2023.", "Alder", "to review"),
        (
            "comparison of documents",
            MORE_FERRIES,
            "Alder sold 40 ferries in 2023 and Baykal 52, so Baykal sold more.",
            "Baykal",
            "to review",
        ),
        (
            "comparison of documents",
            FOUNDED,
            "Alder was founded in 1951, earlier than Baykal in 1987.",
            "Alder",
            "accepted",
        ),
        (
            "comparison of documents",
            FOUNDED,
            "Alder was founded in 1951 and Baykal in 1987, so it was Baykal.",
            "Baykal",
            "to review",
        ),
        ("calculation over documents", ALL_FERRIES, f"{OF_2023}, which is 77 together.", "77", "accepted"),
        ("calculation over documents", ALL_FERRIES, f"{OF_2023}, which is 78 together.", "78", "rejected"),
        (
            "calculation over documents",
            ALL_FERRIES,
            "Alder sold 46 ferries in 2023 and Baykal 52, which is 98 together.",
            "98",
            "to review",
        ),
        (
            "calculation over documents",
            "How many ferries did Alder sell in 2023 and 2022 together?",
            "Alder sold 46 ferries in 2023 and 40 in 2022, which is 86 together.",
            "86",
            "to review",
        ),
        ("bridge", WORKS, "Corvex makes the engines of Alder; its works are in Turin.", "Turin", "accepted"),
        ("bridge", WORKS, "Dunmore makes the engines of Alder; its works are in Ghent.", "Ghent", "to review"),
        ("bridge", "Where was Alder founded?", "Alder was founded in Lisbon.", "Lisbon", "to review"),
        ("distracting passage", "Where was Baykal founded?", "Baykal was founded in Oslo.", "Oslo", "accepted"),
        ("distracting passage", "Where was Baykal founded?", "Baykal was founded in Lisbon.", "Lisbon", "rejected"),
        ("distracting passage", "Who has works in Ghent?", "Dunmore has works in Ghent.", "Dunmore", "to review"),
    ],
)
def test_each_hop_is_proved_in_its_own_document(kind: str, question: str, answer: str, fact: str, status: str):
    """Over two documents each figure is bound in its own one and what follows is computed again; a bridge has a link
    that both have; what one document alone answers is not of the type; a passage that distracts has no part in it."""
    row = check_two(kind, question, answer, fact)

    assert row["status"] == status, row["reason"]
    assert (row["reason"] is None) == (status == "accepted")


BEFORE = ("How many ferries did Alder sell in 2023?", "Alder sold 46 ferries in 2023.")


@pytest.mark.parametrize(
    ("turns", "status"),
    [
        ((*BEFORE, "And in 2022?"), "accepted"),
        ((*BEFORE, "How many ferries did Alder sell in 2022?"), "to review"),
        (("How many ferries were sold in 2023?", "There were 46 in 2023.", "And in 2022?"), "to review"),
        ((*BEFORE, "And which engines in 2022?"), "to review"),
        ((BEFORE[0], "", "And in 2022?"), "to review"),
        ((BEFORE[0], "Alder sold 99 ferries in 2023.", "And in 2022?"), "to review"),
    ],
)
def test_a_follow_up_needs_the_turn_before_it(turns: tuple[str, str, str], status: str):
    """What a follow-up leaves out stands in the turn before, which its passage states; one that is understood alone,
    or that nothing before explains, is left to a person."""
    chunk = chunk_hash("", ALDER_REPORT)
    row = (chunk, "alder.md", "0", 1, "", None, None, 0, len(ALDER_REPORT), ALDER_REPORT)
    texts = ("How many ferries did Alder sell in 2022?", "Alder sold 40 ferries in 2022.", "40", "follow-up", chunk)
    triplet = pl.DataFrame([texts], schema=["question", "answer", "fact", "kind", "chunk"], orient="row")
    checked = check_triplets(
        triplet.with_columns(turns=pl.lit("\n".join(turns))), pl.DataFrame([row], schema=CHUNKS, orient="row")
    )

    assert checked["status"].item() == status, checked["reason"].item()


def test_a_number_sign_denies_nothing():
    """“No.” before a number or a colon is no denial: a cell of a row that is numbered so is accepted."""
    rows = "Country: Chad | Sl. No.: 7 | Deaths: 5759\nCountry: Mali | Sl. No.: 8 | Deaths: 5883"
    question, answer = "How many Deaths did Chad have?", "Chad had 5759 Deaths."

    assert check((question, answer, "5759"), text=rows)["status"].item() == "accepted"
