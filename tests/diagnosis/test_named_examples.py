"""Responses that were once judged wrong, each with what a person says of it."""

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.model import SURE
from qaviz.model.columns import ANSWER, ANSWERABLE, CONFIDENCE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

ACCEPTED = [
    (
        "What was the net profit in 2022?",
        "The net profit was NOK 45 million.",
        "NOK 45 million",
        "It was USD 45 million.",
    ),
    ("What was the result of 2022?", "It was −45 million euros.", "−€45 million", "The result was €45 million."),
    ("What is the interest rate?", "The rate is 4% per month.", "4% per month", "The rate is 4% per annum."),
    ("When must the form arrive?", "It must arrive before 15 June.", "before 15 June", "It must arrive after 15 June."),
    ("Who won the battle of Waterloo?", "Wellington won it.", "Wellington", "Wellington was defeated by Napoleon."),
    ("Who acquired whom?", "Volmar acquired Tessera.", "Volmar acquired Tessera", "Tessera acquired Volmar."),
    ("Công ty nào mua lại Tessera?", "Volmar mua lại Tessera.", "Volmar", "Tessera mua lại Volmar."),
    ("Which symptom did she have?", "She had abdominal pain.", "abdominal pain", "She had chest pain."),
    ("Which quarter was best?", "The fourth quarter was best.", "the fourth quarter", "Q3 was best."),
    ("Who wrote the report?", "The report was written by Lindqvist.", "Lindqvist", "Lindgren wrote it."),
    ("Which contract does she have?", "She works full-time.", "full-time", "She has a part-time contract."),
    ("Which grade did she get?", "She got a B.", "B", "She got an A+."),
    ("When was the house built?", "It was built in 1600.", "1600", "It was built in either 1600 or 1602."),
    ("How many eggs are needed?", "A dozen eggs are needed.", "a dozen", "7 eggs"),
]
"""Wrong ones that were accepted."""
REJECTED = [
    ("Is parking included?", "No, parking is not included.", "No", "Answer: No."),
    ("Is parking included?", "No, parking is not included.", "No", "No [1]"),
    ("Which institution lent the money?", "The IMF did.", "International Monetary Fund", "The IMF."),
    ("Who painted The Night Watch?", "Rembrandt van Rijn painted it.", "Rembrandt van Rijn", "Rembrandt"),
    ("How often is it cleaned?", "It is cleaned every day.", "every day", "It is cleaned daily."),
    ("How often is it cleaned?", "It is cleaned daily.", "daily", "Every day."),
    ("How much sugar is needed?", "Half a cup of sugar is needed.", "half a cup", "½ cup"),
    ("What is the withdrawal limit?", "It is $1,000 a day.", "$1,000 a day", "You can withdraw up to $1,000 daily."),
    ("How many eggs are needed?", "A dozen eggs are needed.", "a dozen", "12 eggs"),
    ("How many people came?", "A million people came.", "1,000,000", "10^6"),
    ("What is the atomic number in the table?", "It is 8.", "8", "The atomic number in the periodic table is 8."),
    ("At what time does it depart?", "It departs at 9:45 p.m.", "9:45 p.m.", "21.45 hrs."),
    ("How high did he jump?", "He jumped 5.97 m.", "5.97 m (19 ft 7 in)", "He jumped 5.97 meters."),
    ("Whom did Murray defeat in 2013?", "He defeated Djokovic.", "Novak Djokovic", "Murray defeated Novak Djokovic."),
    ("In which century was it built?", "In the 13th century.", "13th", "It was built in the 13th century."),
]
"""Right ones that were rejected."""
DECLINED = [
    ("What was the revenue in 2023?", "It was $5 million.", "$5 million", "Nothing in the context covers 2023."),
    ("Doanh thu năm 2023 là bao nhiêu?", "Doanh thu là 5 tỷ đồng.", "5 tỷ đồng", "Tôi không tìm thấy thông tin này."),
    ("What was the revenue in 2023?", "It was $5 million.", "$5 million", "The documents do not mention the revenue."),
]
"""Refusals that were read as wrong answers."""
NAMED = {"incorrect": ACCEPTED, "correct": REJECTED, "declined": DECLINED}
CASES = [(*texts, label) for label, cases in NAMED.items() for texts in cases]


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    """The examples as they are diagnosed, with what a person says."""
    rows = pl.DataFrame(CASES, schema=(QUESTION, ANSWER, FACT, RESPONSE, LABEL), orient="row")
    return diagnose(score(rows.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))


@pytest.mark.parametrize("place", range(len(CASES)), ids=[case[3] for case in CASES])
def test_a_named_example_is_judged_as_a_person_does(place, judged):
    """What a person rejects is never surely accepted, and what a person accepts or calls declined is so judged."""
    row = judged.row(place, named=True)
    if row[LABEL] == "incorrect":
        assert row[VERDICT] != "correct" or row[CONFIDENCE] < SURE
    else:
        assert row[VERDICT] == row[LABEL]


def test_most_wrong_examples_are_rejected(judged):
    """Of the wrong examples at most two are not called so: words leave them open."""
    wrong = judged.filter(pl.col(LABEL) == "incorrect")
    assert (wrong[VERDICT] != "incorrect").sum() <= 2
