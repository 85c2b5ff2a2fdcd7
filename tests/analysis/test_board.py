"""qaviz.analysis.board: the matrix of questions and pipelines, checked against cells named by hand."""

import re

import polars as pl
import pytest

from qaviz.analysis.board import Cell, Group, Move, count_gap, find_flip, find_moves, tabulate_cells, word_gap
from qaviz.analysis.decision import Word, decide, find_word
from qaviz.analysis.outcomes import NO_LABELS, select_counted, tabulate
from qaviz.model import columns as c

ASKED = ["credited", "wordings", "alone", "nobody", "lacking"]
# Of each question and pipeline: verdict, diagnosis, Factual Knowledge.
RIGHT, REWORDED, WRONG, LUCKY, OPEN, NONE = (
    ("correct", "correct", 1.0),
    ("correct", "rephrased-correct", 0.0),
    ("incorrect", "hallucination", 0.0),
    ("incorrect", "accidental match", 1.0),
    ("unsure", "off target", 0.0),
    ("declined", "declined", 0.0),
)
ANSWERS = {
    "credited": {"A": RIGHT, "B": RIGHT},
    "wordings": {"A": REWORDED, "B": RIGHT},
    "alone": {"A": LUCKY, "B": RIGHT},
    "nobody": {"A": WRONG, "B": OPEN},
    "lacking": {"A": NONE},
}


def make_rows(answers: dict[str, dict[str, tuple[str, str, float]]] = ANSWERS, **columns: object) -> pl.DataFrame:
    """Scored rows of these answers, each with a text of its own."""
    rows = [
        {c.QUESTION_ID: question, c.PIPELINE: name, c.VERDICT: verdict, c.DIAGNOSIS: diagnosis}
        | {c.FACTUAL_KNOWLEDGE: stated, c.RECALL: 0.5, c.PRECISION: None, c.F1: 0.5, c.ANSWERABLE: True}
        | {c.RESPONSE: f"{question} by {name}", c.REPEAT_OF: None, c.CONFIDENCE: 0.9, c.REASON: ""}
        | {c.QUESTION: question, c.ANSWER: "x", c.FACT: "x", c.TAGS: None}
        | columns
        for question, of_question in answers.items()
        for name, (verdict, diagnosis, stated) in of_question.items()
    ]
    return pl.DataFrame(rows, schema_overrides={c.PRECISION: pl.Float64, c.REPEAT_OF: pl.String})


def lay_out(rows: pl.DataFrame, labels: pl.DataFrame = NO_LABELS, pipelines: tuple[str, ...] = ("B", "A")):
    questions = pl.Series(ASKED)
    return tabulate_cells(tabulate(select_counted(rows), questions, labels), questions, pipelines)


def test_the_matrix_is_the_one_drawn_by_hand():
    """Questions stand by group, each with every pipeline in the order given; a cell is what became of the response."""
    cells = lay_out(make_rows())

    drawn = [(row[c.QUESTION_ID], row["group"], row[c.PIPELINE], row["cell"]) for row in cells.iter_rows(named=True)]
    assert drawn == [
        ("wordings", Group.NOT_CREDITED, "B", Cell.CORRECT),
        ("wordings", Group.NOT_CREDITED, "A", Cell.REPHRASED),
        ("nobody", Group.NONE, "B", Cell.UNSURE),
        ("nobody", Group.NONE, "A", Cell.HALLUCINATION),
        ("lacking", Group.NONE, "B", Cell.EMPTY),
        ("lacking", Group.NONE, "A", Cell.DECLINED),
        ("alone", Group.ALONE, "B", Cell.CORRECT),
        ("alone", Group.ALONE, "A", Cell.ACCIDENTAL),
        ("credited", Group.ALL, "B", Cell.CORRECT),
        ("credited", Group.ALL, "A", Cell.CORRECT),
    ]


def test_the_gap_is_what_is_right_and_not_credited():
    """Above a column stand right answers, facts stated of those scored, and the right ones that have Factual Knowledge
    0: a response that is missing is scored by nobody."""
    assert count_gap(lay_out(make_rows())).rows() == [("B", 3, 3, 4, 0), ("A", 2, 2, 5, 1)]


def test_what_factual_knowledge_hides_is_said():
    """Of the responses with Factual Knowledge 0 it says how many are right; of the questions whose fact nobody states,
    how many somebody answers right; nothing where every fact is stated."""
    said = word_gap(lay_out(make_rows({"wordings": {"A": REWORDED, "B": WRONG}, "alone": {"A": RIGHT, "B": NONE}})))
    assert said
    assert [int(number) for number in re.findall(r"\d+", said)] == [0, 3, 1, 1, 1]
    assert word_gap(lay_out(make_rows({"credited": {"A": RIGHT, "B": RIGHT}}))) is None


def test_a_cell_leads_back_to_its_response():
    """`row` is the place of the response among the run's rows, null for one that is missing."""
    rows = make_rows()
    cells = lay_out(rows)

    answered = cells.drop_nulls("row")
    at = rows[answered["row"]]
    assert answered.select(c.QUESTION_ID, pl.col(c.PIPELINE).cast(pl.String)).equals(
        at.select(c.QUESTION_ID, c.PIPELINE)
    )
    assert cells.filter(pl.col("row").is_null())["cell"].to_list() == [Cell.EMPTY]


@pytest.mark.parametrize(
    ("label", "of", "cell"),
    [
        pytest.param("correct", ("nobody", "A"), Cell.REPHRASED, id="a wrong one that a person calls right"),
        pytest.param("incorrect", ("credited", "A"), Cell.ACCIDENTAL, id="a right one, stated, that is wrong"),
        pytest.param("incorrect", ("wordings", "A"), Cell.OFF_TARGET, id="a right one, not stated, that is wrong"),
        pytest.param("correct", ("nobody", "B"), Cell.REPHRASED, id="an open one that is right"),
    ],
)
def test_a_person_overrules_the_diagnosis(label: str, of: tuple[str, str], cell: Cell):
    """A label decides whether a cell is of right ones, and the class is one of that side."""
    labels = pl.DataFrame([(*of, label)], schema=NO_LABELS.schema, orient="row")
    cells = lay_out(make_rows(), labels)

    labelled = cells.filter(pl.col(c.QUESTION_ID) == of[0], pl.col(c.PIPELINE).cast(pl.String) == of[1])
    assert labelled["cell"].to_list() == [cell]


def test_declining_is_right_where_there_is_no_answer():
    """A refusal of an unanswerable question is rightly declined, and its question is answered right."""
    cells = lay_out(make_rows({"nobody": {"A": NONE, "B": NONE}}, answerable=False))

    assert cells.filter(pl.col(c.QUESTION_ID) == "nobody")["cell"].to_list() == [Cell.RIGHTLY_DECLINED] * 2


def test_a_repeat_that_fails_is_seen():
    """A pipeline asked twice has one cell a question: of the repeat that is not right."""
    rows = make_rows({"credited": {"A": RIGHT, "A again": WRONG}})
    rows = rows.with_columns(pl.when(pl.col(c.PIPELINE) == "A again").then(pl.lit("A")).alias(c.REPEAT_OF))
    cells = lay_out(rows, pipelines=("A",))

    assert cells.height == len(ASKED)
    assert cells.filter(pl.col(c.QUESTION_ID) == "credited")["cell"].to_list() == [Cell.HALLUCINATION]


@pytest.mark.parametrize(
    ("many", "first", "second", "word"),
    [
        pytest.param(60, RIGHT, WRONG, Word.SHIP, id="ahead on every question"),
        pytest.param(4, RIGHT, RIGHT, Word.LEVEL, id="as good as each other"),
        pytest.param(4, RIGHT, WRONG, Word.LEADING, id="too few questions"),
        pytest.param(4, WRONG, WRONG, Word.DO_NOT_SHIP, id="nothing right"),
        pytest.param(20, OPEN, OPEN, Word.NO_DECISION, id="nothing but unsure"),
    ],
)
def test_the_word_follows_the_decision(many: int, first: tuple, second: tuple, word: Word):
    """What ships is called so only where the evidence settles it."""
    rows = make_rows({f"q{place}": {"A": first, "B": second} for place in range(many)})
    golden = pl.DataFrame({c.QUESTION_ID: [f"q{place}" for place in range(many)]}).with_columns(
        pl.lit(None, pl.List(pl.String)).alias(c.TAGS)
    )
    assert find_word(decide(rows, golden)) is word


@pytest.mark.parametrize(
    ("answers", "flip"),
    [
        ({"A": [RIGHT, RIGHT, WRONG, NONE], "B": [RIGHT, OPEN, OPEN, WRONG]}, ("B", 2, 2)),
        ({"A": [RIGHT, RIGHT, WRONG, NONE], "B": [RIGHT, OPEN, WRONG, WRONG]}, None),
        ({"A": [RIGHT, RIGHT, OPEN, OPEN], "B": [RIGHT, WRONG, WRONG, WRONG]}, None),
        ({"A": [RIGHT, RIGHT], "B": [RIGHT, RIGHT]}, None),
        ({"A": [RIGHT, WRONG], "B": [RIGHT, OPEN]}, ("B", 1, 1)),
    ],
)
def test_the_fewest_open_responses_that_could_put_another_first(answers, flip):
    """As many as it is behind and one more, where it has so many; open ones of the first itself change nothing."""
    rows = {f"q{n}": {name: own[n] for name, own in answers.items()} for n in range(len(answers["A"]))}
    questions = pl.Series(list(rows))
    cells = tabulate_cells(tabulate(select_counted(make_rows(rows)), questions, NO_LABELS), questions, ("A", "B"))

    assert find_flip(cells) == flip


@pytest.mark.parametrize(
    ("first", "last", "move"),
    [
        ((0.2, 0.2), (0.6, 0.6), Move.CLOSER_CONCISER),
        ((0.2, 0.6), (0.6, 0.2), Move.CLOSER_WORDIER),
        ((0.6, 0.2), (0.2, 0.6), Move.FARTHER_CONCISER),
        ((0.6, 0.6), (0.2, 0.2), Move.FARTHER_WORDIER),
        ((0.6, 0.6), (0.6, 0.6), None),
        ((None, None), (0.6, 0.6), None),
    ],
)
def test_where_a_question_moves(first, last, move):
    """From one pipeline to another a response comes closer or not and says more or less around it; what stands at one
    place, or is not scored, moves nowhere."""
    ends = pl.DataFrame(
        {"closeness": [0.9, first[0], last[0]], "conciseness": [0.9, first[1], last[1]]},
        schema={"closeness": pl.Float64, "conciseness": pl.Float64},
    )
    assert find_moves(pl.concat([ends, ends]), ["C", "A", "B"], "A", "B").to_list() == [move] * 6
