"""Questions and responses in other languages than English, labelled by hand before qaviz judged them.

*.txt: a line `Q: question | variant // variant`, then its responses, each after what a person says of it: `+` correct,
`-` incorrect, `0` declined, `~` not to be told without reading the language. `?` before that marks a response on which
qaviz says otherwise. Of `*_aside.txt` nothing was learned. `aliases.txt` names people, places and currencies in several
languages.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import extract_evidence
from qaviz.diagnosis.columns import REFUSAL, SPANS, STANCE, UNREAD
from qaviz.diagnosis.languages.reading import read_as_english
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, LABEL, QUESTION, RESPONSE
from qaviz.scoring import score

FILES = sorted(Path(__file__).parent.glob("*.txt"))
SAID = {"+": "correct", "-": "incorrect", "0": "declined", "~": "unsure"}
LEAST = {"correct": 0.9, "incorrect": 0.5, "declined": 0.9}
"""Share of the responses with this label whose evidence says so; what misleads is most of the incorrect ones."""


def cases(path: Path) -> Iterator[tuple[str, str, str, str, str, bool]]:
    question, variants = "", [""]
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        if line.startswith("Q: "):
            question, golden = line.removeprefix("Q: ").split(" | ", 1)
            variants = golden.split(" // ")
        else:
            marked = line.removeprefix("?")
            yield question, variants[0], "<OR>".join(variants), marked[2:], SAID[marked[0]], line != marked


def judge(rows: list[tuple[str, ...]], columns: tuple[str, ...]) -> pl.DataFrame:
    table = pl.DataFrame(rows, schema=columns, orient="row")
    return extract_evidence(score(table.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))


def judge_files(files: list[Path]) -> pl.DataFrame:
    """The cases of these files, with their file, the evidence, and the marks of those that rules saw wrongly."""
    columns = (QUESTION, ANSWER, FACT, RESPONSE, LABEL, "marked", "file")
    return judge([(*case, path.stem) for path in files for case in cases(path)], columns)


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    return judge_files(FILES)


@pytest.mark.parametrize("label", LEAST)
def test_evidence_is_what_a_person_says(label, judged):
    """Of the responses that people call right, wrong and declined, so many have evidence that says so."""
    cases = judged.filter(pl.col(LABEL) == label)
    declines = pl.col(REFUSAL).is_not_null()
    agrees = (pl.col(STANCE) == "agrees").fill_null(False) & ~declines
    expected = {"correct": agrees, "incorrect": ~agrees, "declined": declines}[label]
    assert judged.height > 1_900
    assert cases.select(expected.mean()).item() >= LEAST[label]


def test_what_is_quoted_stands_in_the_response(judged):
    """Evidence is found in a text as it is read, and highlighted in the response as it was written."""
    spans = judged.select(RESPONSE, SPANS).explode(SPANS).drop_nulls().unnest(SPANS)
    inside = spans.filter((pl.col("start") < pl.col("end")) & (pl.col("end") <= pl.col(RESPONSE).str.len_chars()))
    assert inside.height == spans.height > 300


def test_a_language_that_is_not_read_is_named(judged):
    """Where the words of another language would have to decide, its name stands in the evidence."""
    unsure = judged.filter(pl.col(LABEL) == "unsure")
    named = "Russian|Polish|Dutch|Italian|Portuguese|Korean|Arabic|Thai"
    assert unsure[UNREAD].str.contains(named).all()


@pytest.mark.parametrize(
    ("text", "code", "english"),
    [
        ("134,4 tỷ", "vi", "134.4 billion"),
        ("ngày mùng 5 tháng 7", "vi", "5 July"),
        ("hai trăm lẻ năm người", "vi", "205 people"),
        ("1万2345人", "ja", "12,345 people"),
        ("nicht Berlin, sondern Bonn", "de", "not Berlin, but Bonn"),
        ("neunundzwanzig Personen", "de", "29 people"),
        ("12.345,6 Euro", "de", "12,345.6 EUR"),
        ("cuatro mil ciento treinta millones", "es", "4130 million"),
        ("quatre-vingt-dix-sept", "fr", "97"),
    ],
)
def test_a_text_is_read_as_english(text: str, code: str, english: str):
    """Numbers, dates, scales, currencies and words of grammar become English; names stay."""
    assert read_as_english(text, code).text.strip() == english


@pytest.mark.parametrize(
    ("fact", "response", "stance"),
    [
        ("60 nghin ty dong", "Doanh thu la 60.000 ty dong.", "agrees"),
        ("60 nghin ty dong", "Doanh thu la 70 nghin ty dong.", "contradicts"),
        ("60 nghìn tỷ đồng", "Doanh thu la 60 nghin ty dong.", "agrees"),
        ("35", "Cong ty co ba muoi lam nguoi.", "agrees"),
        ("35", "Cong ty co muoi lam nguoi.", "contradicts"),
    ],
)
def test_vietnamese_numbers_are_read_without_tone_marks(fact: str, response: str, stance: str):
    """Scales and tens in words, typed as on a keyboard without tone marks, are the same amounts."""
    question = "Doanh thu va so nguoi cua cong ty la bao nhieu?"
    judged = judge([(question, fact, fact, response)], (QUESTION, ANSWER, FACT, RESPONSE))

    assert judged[STANCE].to_list() == [stance]
