"""Spreadsheets as people leave them: notes, totals and other tables below, decimal commas."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from qaviz.loading import Chunk, Source, load
from qaviz.model.errors import QavizError
from tests.loading.files import entries, jsonl, upload
from tests.loading.formats.test_xlsx import rows, workbook

Q = ("How many people live in Graz?", "When was Graz founded?", "Which river crosses Graz?", "Name the mayor of Graz.")
A = ("Graz has 290,000 inhabitants.", "It was named in 1128.", "The Mur crosses Graz.", "Elke Kahr leads the city.")
R = ("About 290,000 people live there.", "It was founded in 1240.", "The Mur.", "I found nothing on the city.")
HEADER = ("Question", "Expected answer", "Bot answer", "Score")
ROWS = [(q, a, r, 0.5 + n / 10) for n, (q, a, r) in enumerate(zip(Q, A, R, strict=True))]

Cells = Sequence[object]


def book(*cells: Cells) -> Source:
    """A workbook of one sheet with these rows."""
    return workbook("P.xlsx", Sheet1=rows(*cells))


def csv(*rows: Cells) -> Source:
    lines = (",".join(f'"{cell}"' if cell != "" else "" for cell in row) for row in rows)
    return upload("P.csv", "\n".join(lines) + "\n")


def asked(loaded: Chunk) -> list[tuple[object, ...]]:
    return loaded.rows.select("question", "answer", "response").rows()


WHOLE = [row[:3] for row in ROWS]
BELOW = {
    "a note below an empty row": book(HEADER, *ROWS, [], ["Asked on 3 June by the QA team"]),
    "a note without one": book(HEADER, *ROWS, ["Asked on 3 June by the QA team"]),
    "an average": book(HEADER, *ROWS, ["Average", None, None, 0.65]),
    "a total beside responses": book(HEADER, *ROWS, ["Total correct", None, "3/4"]),
    "a total in words": book(HEADER, *ROWS, ["Total: 4 questions"]),
    "an average in CSV": csv(HEADER, *ROWS, ["Gesamt", "", "", 0.65]),
    "a note of one cell in CSV": csv(HEADER, *ROWS, [], ["Evaluated by Ann"]),
    "a source in the column of ids": csv(
        ("id", *HEADER), *((n, *row) for n, row in enumerate(ROWS)), ["Source: internal", *[""] * 4]
    ),
    "a total below two columns": csv(HEADER[:3], *WHOLE, ["Source: internal", "", ""]),
    "another table": book(HEADER, *ROWS, [], ["Metric", "Value"], ["Accuracy", 0.8], ["Count", 4]),
    "another table of questions": book(HEADER, *ROWS, [], ["Question", "Reviewer"], ["Is it dry?", "Ann"]),
    "the header again": book(HEADER, *ROWS[:2], [], HEADER, *ROWS[2:]),
}


@pytest.mark.parametrize("source", BELOW.values(), ids=BELOW)
def test_what_stands_below_a_table_is_no_question(source: Source):
    """Notes, totals and other tables are no rows of the table: the file is refused with the row, which may be left out
    and listed."""
    with pytest.raises(QavizError, match=r"row \d+|line \d+"):
        load(source, [])
    loaded = load(replace(source, skip_bad=True), [])
    assert asked(loaded) == WHOLE[: loaded.rows.height]
    assert entries(loaded, "bad row")


def test_figures_below_a_table_answer_nothing():
    """A row of figures without a question is listed, and no response."""
    loaded = load(csv(HEADER, *ROWS, ["", "", "3/4", 0.65]), [])
    assert asked(loaded) == WHOLE
    assert [where for where, *_ in entries(loaded, "unaligned")] == ["P.csv line 6"]


def test_a_question_without_a_golden_answer_is_no_note():
    """The last row may ask what nobody has answered yet: it is read, and listed."""
    loaded = load(csv(HEADER, *ROWS, ["Is it dry?", "", "Yes", ""]), [])
    assert loaded.golden["question"].to_list() == [*Q, "Is it dry?"]
    assert len(entries(loaded, "no answer")) == 1


PARTS = {
    "empty rows between questions": book(HEADER, *ROWS[:2], [], *ROWS[2:]),
    "a last part that asks nothing": csv(HEADER, *ROWS[:3], [], ROWS[3], ROWS[3]),
    "empty cells at the end": csv((*HEADER, "", ""), *((*row, "", "") for row in ROWS), [""] * 6, [""] * 6),
    "a table that begins in the middle": book((), (), (), *((None, None, *row) for row in (HEADER, *ROWS))),
    "a table beside another": book((*HEADER, None, "Metric"), (*ROWS[0], None, "Accuracy"), *ROWS[1:]),
}


@pytest.mark.parametrize("source", PARTS.values(), ids=PARTS)
def test_no_question_of_a_table_is_lost(source: Source):
    """Empty rows within a table end nothing, whatever the rows below them ask."""
    loaded = load(source, [])
    assert asked(loaded) == WHOLE
    assert not entries(loaded, "bad row")


def test_a_blank_response_below_is_still_a_response():
    """The last rows of a file of responses may be blank: nothing says that these are notes."""
    golden = jsonl(
        "g.jsonl", *({"question_id": f"q{n}", "question": q, "answer": a} for n, (q, a, *_) in enumerate(ROWS))
    )
    given = [(f"q{n}", "A", r if n < 3 else "") for n, r in enumerate(R)]
    assert load(golden, [csv(("question_id", "pipeline", "response"), *given)]).rows["response"].to_list() == [
        *R[:3],
        "",
    ]


def test_decimal_commas_are_asked():
    """`1,234` may be twelve hundred or one and a bit: it is refused, not guessed, and so is `0,75`."""
    for cell in ("1,234", "0,75"):
        given = [(q, a, r, cell) for q, a, r, _ in ROWS]
        with pytest.raises(QavizError, match=cell):
            load(csv((*HEADER[:3], "latency_ms"), *given), [])
