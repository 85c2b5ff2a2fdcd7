"""Questions as people ask them and responses as models write them, in ten languages, labelled before qaviz saw them.

cases/*.txt: a line `Q: question | variant // variant`, or `Q: % question | golden answer` without a fact, then its
responses, each after what a person says of it: `+` correct, `-` incorrect, `0` declined, `~` not to be told without
reading the language. A `?` before that marks a response on which earlier rules said otherwise.

cases/*.jsonl, a case a line: what it is of, question, golden answer, fact, response, label. as_people_would are short
ones from many domains; named_examples were once judged wrong; kinds have the diagnosis that the kind must get.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.columns import UNREAD
from qaviz.diagnosis.model import SURE
from qaviz.model import columns as c
from qaviz.scoring import score
from tests.cases import read_cases

TEXTS = (c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE, c.LABEL)
FILES = sorted(Path(__file__).with_name("cases").glob("*.txt"))
SAYS = {"+": "correct", "-": "incorrect", "0": "declined", "~": "unsure"}
LEAST = {"correct": 0.8, "incorrect": 0.65, "declined": 0.8}
"""Share of the responses with this label whose verdict is it; what misleads is most of the incorrect ones."""


def read_texts(path: Path) -> Iterator[tuple[str, str, str | None, str, str]]:
    question, answer, fact = "", "", None
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        if line.startswith("Q: "):
            question, golden = line.removeprefix("Q: ").split(" | ", 1)
            variants = golden.split(" // ")
            without = question.startswith("% ")
            question, answer = question.removeprefix("% "), golden if without else variants[0]
            fact = None if without else "<OR>".join(variants)
        else:
            marked = line.removeprefix("?")
            yield question, answer, fact, marked[2:], SAYS[marked[0]]


def diagnose_cases(cases: Sequence[Sequence[str | None]]) -> pl.DataFrame:
    """Cases of TEXTS as they are diagnosed."""
    table = pl.DataFrame(cases, schema=TEXTS, orient="row", infer_schema_length=None)
    return diagnose(score(table.with_columns(pl.lit(None, pl.Boolean).alias(c.ANSWERABLE))))


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    """The cases of all files, with their label."""
    return diagnose_cases([case for path in FILES for case in read_texts(path)])


@pytest.mark.parametrize("label", LEAST)
def test_verdicts_are_what_a_person_says(label, judged):
    """Of the responses that people call right, wrong and declined, so many get that verdict."""
    cases = judged.filter(pl.col(c.LABEL) == label)
    assert judged.height > 900
    assert (cases[c.VERDICT] == label).mean() >= LEAST[label]


def test_what_is_sure_is_right(judged):
    """Of the sure verdicts on cases, most of which mislead, at least nine in ten are a person's."""
    sure = judged.filter((pl.col(c.CONFIDENCE) >= SURE) & (pl.col(c.LABEL) != "unsure"))
    assert sure.height > 120
    assert (sure[c.VERDICT] == sure[c.LABEL]).mean() >= 0.9


def test_a_language_that_is_not_read_is_said(judged):
    """Responses that words decide in a language without tables name it, and are never sure."""
    unread = judged.filter(pl.col(UNREAD).is_not_null())
    assert unread.height > 5
    assert unread[c.CONFIDENCE].fill_null(0).max() < SURE


def test_verdicts_on_short_cases_are_mostly_what_a_person_says():
    """Of cases written one by one at least five in six have their label, and of the sure ones all but one in twenty."""
    rows = diagnose_cases([case for _, *case in read_cases(__file__, "cases/as_people_would")])
    right = rows[c.VERDICT] == rows[c.LABEL]

    assert right.mean() >= 0.85
    assert right.filter(rows[c.CONFIDENCE].fill_null(0) >= SURE).mean() >= 0.95


NAMED = [case for _, *case in read_cases(__file__, "cases/named_examples")]


@pytest.fixture(scope="module")
def named() -> pl.DataFrame:
    """Responses that were once judged wrong, as they are diagnosed."""
    return diagnose_cases(NAMED)


@pytest.mark.parametrize("place", range(len(NAMED)), ids=[case[3] for case in NAMED])
def test_a_named_example_is_judged_as_a_person_does(place, named):
    """What a person rejects is never surely accepted, and what a person accepts or calls declined is so judged."""
    row = named.row(place, named=True)
    if row[c.LABEL] == "incorrect":
        assert row[c.VERDICT] != "correct" or row[c.CONFIDENCE] < SURE
    else:
        assert row[c.VERDICT] == row[c.LABEL]


def test_most_wrong_examples_are_rejected(named):
    """Of the wrong examples at most two are not called so: words leave them open."""
    wrong = named.filter(pl.col(c.LABEL) == "incorrect")
    assert (wrong[c.VERDICT] != "incorrect").sum() <= 2


@pytest.mark.parametrize("form", ["{}", " \n{}\n ", "Answer: {}", "**{}**"])
def test_what_differs_in_one_word_is_not_accepted(form):
    """The neighbour of a golden text, bare or wrapped, is no correct response: another era, letter, chapter, entry of a
    list or half of the day, and a sentence that only asks or supposes. The golden text itself is one."""
    neighbours = read_cases(__file__, "cases/neighbours")
    cases = [(question, golden, golden, form.format(response), "") for question, golden, response in neighbours]
    same = [(question, golden, golden, form.format(golden), "") for question, golden, _ in neighbours]

    assert diagnose_cases(cases).filter(pl.col(c.VERDICT) == "correct")[c.RESPONSE].to_list() == []
    assert diagnose_cases(same).filter(pl.col(c.VERDICT) != "correct")[c.RESPONSE].to_list() == []


def test_the_kind_of_evidence_decides():
    """A fact in other units, dates or words is stated; another value is not; a refusal is neither. Without a fact the
    golden answer is judged by: its side, its amount, its words."""
    rows = diagnose_cases([case for _, *case in read_cases(__file__, "cases/kinds")])
    by_fact = pl.col(c.DIAGNOSIS).cast(pl.String).replace("verbose", "correct")
    found = pl.when(pl.col(c.FACT).is_null()).then(pl.col(c.VERDICT).cast(pl.String)).otherwise(by_fact)

    assert rows.filter(found != pl.col(c.LABEL))[c.REASON].to_list() == []


REFUSALS = [
    "I don't know.",
    "The documents provided do not contain this information.",
    "Unfortunately, I could not find an answer.",
    "Tôi không biết.",
    "Không có thông tin trong tài liệu.",
]


@pytest.mark.parametrize("form", ["{refusal}", "You ask: “{question}” {refusal}", "{refusal} You asked: {question}"])
def test_refusal_stays_one_with_the_question_restated(form):
    """Whether the question is repeated before, after or not at all, a refusal is declined."""
    asked = {tuple(texts) for _, *texts, _, _ in read_cases(__file__, "cases/kinds") if texts[2]}
    cases = [(*texts, form.format(question=texts[0], refusal=said), "") for texts in sorted(asked) for said in REFUSALS]

    assert diagnose_cases(cases).filter(pl.col(c.VERDICT) != "declined")[c.RESPONSE].to_list() == []
