"""Each kind of evidence, from the texts to the verdict."""

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.model.columns import ANSWER, ANSWERABLE, DIAGNOSIS, FACT, QUESTION, REASON, RESPONSE, VERDICT
from qaviz.scoring import score

SCHEMA = {QUESTION: pl.String, ANSWER: pl.String, FACT: pl.String, ANSWERABLE: pl.Boolean, RESPONSE: pl.String}


DEBT = "How much debt does Nordlicht have?"
MARGIN = "What is the operating margin?"
PAID = "What did it pay for the plant, in USD millions?"
OPENED = "When did the harbour open?"
WHO = "Who designed the bridge?"
WHERE = "Where does the river Elv end?"
GREW = "Did Nordlicht's sales grow in 2021?"
CAPITAL = "Does Nordlicht have positive working capital?"
WHY = "Why did margins fall?"

FACTS = [
    # Quantities: other units, roundings and signs.
    (DEBT, "$2.5 billion", "It owes 2,500 million dollars.", "rephrased-correct"),
    (DEBT, "$2.5 billion", "It owes $2,496.4 million.", "rephrased-correct"),
    (DEBT, "$2.5 billion", "It owes $2.6 billion.", "hallucination"),
    (DEBT, "$2.5 billion", "It owes $2.5 million.", "hallucination"),
    (DEBT, "$2.5 billion", "It owes a lot.", "off target"),
    (DEBT, "$2.5 billion", "It owes $2.5 billion.", "correct"),
    (DEBT, "$2.5 billion", "It owes $12.5 billion.", "hallucination"),
    (MARGIN, "7.9%", "The margin is 0.079.", "rephrased-correct"),
    (MARGIN, "7.9%", "Margin = 79 / 1000 = 0.0790, so about 7.9 percent.", "rephrased-correct"),
    (MARGIN, "7.9%", "The operating margin is 9.7%.", "hallucination"),
    (PAID, "$41.00", "It paid $41 million.", "rephrased-correct"),
    (PAID, "$41.00", "It paid 41.", "rephrased-correct"),
    (PAID, "$41.00", "It paid $14 million.", "hallucination"),
    # Dates.
    (OPENED, "3 May 1997", "It opened on May 3rd, 1997.", "rephrased-correct"),
    (OPENED, "3 May 1997", "Ngày 3 tháng 5 năm 1997.", "rephrased-correct"),
    (OPENED, "3 May 1997", "It opened on 4 May 1997.", "hallucination"),
    (OPENED, "1997", "It opened on May 3rd, 1997.", "correct"),
    (OPENED, "1997", "It opened in 1979.", "hallucination"),
    # Names and phrases.
    (WHO, "Ingrid Åkervik", "Ingrid Akervik designed it.", "rephrased-correct"),
    (WHO, "Ingrid Åkervik", "It was designed by Åkervik.", "rephrased-correct"),
    (WHO, "Ingrid Åkervik", "Olaf Berg designed it.", "hallucination"),
    (WHERE, "the North Sea", "It flows into the north sea.", "correct"),
    (WHERE, "the Baltic", "It flows into the North Sea.", "hallucination"),
    # Refusals.
    (DEBT, "$2.5 billion", "The report does not say how much debt Nordlicht has.", "declined"),
    (DEBT, "$2.5 billion", "Báo cáo không cung cấp thông tin về nợ.", "declined"),
    (WHO, "Ingrid Åkervik", "I'm sorry, but I don't know who designed the bridge.", "declined"),
]  # fmt: skip  # a case a line
ANSWERS = [
    (GREW, "Yes, by 12%.", "Yes, sales rose from 100 to 112 million.", "correct"),
    (GREW, "Yes, by 12%.", "No, sales fell in 2021.", "incorrect"),
    (GREW, "No, they fell.", "Nordlicht's sales did not grow in 2021.", "correct"),
    (GREW, "No, they fell.", "Nordlicht's sales grew in 2021.", "incorrect"),
    (CAPITAL, "Yes. It has a working capital of $12 million.", "Yes, its working capital is $45 million.", "incorrect"),
    (CAPITAL, "Yes. It has a working capital of $12 million.", "Yes, its working capital is $12.2 million.", "correct"),
    (GREW, "Yes, by 12%.", "I cannot tell from the report whether sales grew.", "declined"),
    (WHY, "Freight and energy became dearer.", "Because customers left.", "incorrect"),
    (DEBT, "Nordlicht has a debt of $2.5 billion.", "2,500 million dollars", "correct"),
    (DEBT, "Nordlicht has a debt of $2.5 billion.", "Nordlicht has a debt of $3.5 billion.", "incorrect"),
]


REFUSALS = [
    "I don't know.",
    "The documents provided do not contain this information.",
    "Unfortunately, I could not find an answer.",
    "Tôi không biết.",
    "Không có thông tin trong tài liệu.",
]
ASKED = [(DEBT, "$2.5 billion"), (OPENED, "3 May 1997"), (WHO, "Ingrid Åkervik"), (MARGIN, "7.9%")]


def judged(cases: list[tuple[str, str, str]], *, fact: bool = True) -> list[dict]:
    """Question, golden text and response as they are diagnosed; the golden text is fact and answer, or answer alone."""
    rows = [(question, golden, golden if fact else None, None, response) for question, golden, response in cases]
    return diagnose(score(pl.DataFrame(rows, schema=SCHEMA, orient="row"))).to_dicts()


def test_kind_of_evidence_decides_for_a_fact():
    """A fact in other units, dates or words is stated; another value is not; a refusal is neither."""
    expected = [{"correct", "verbose"} if case[3] == "correct" else {case[3]} for case in FACTS]
    rows = judged([case[:3] for case in FACTS])

    assert [row[REASON] for row, classes in zip(rows, expected, strict=True) if row[DIAGNOSIS] not in classes] == []


def test_kind_of_evidence_decides_without_a_fact():
    """Where the golden dataset has no fact, the golden answer is judged by: its side, its amount, its words."""
    rows = judged([case[:3] for case in ANSWERS], fact=False)

    assert [row[REASON] for row, case in zip(rows, ANSWERS, strict=True) if row[VERDICT] != case[3]] == []


@pytest.mark.parametrize("form", ["{refusal}", "You ask: “{question}” {refusal}", "{refusal} You asked: {question}"])
def test_refusal_stays_one_with_the_question_restated(form):
    """Whether the question is repeated before, after or not at all, a refusal is declined."""
    asked = [(*triplet, form.format(question=triplet[0], refusal=text)) for triplet in ASKED for text in REFUSALS]

    assert [row[RESPONSE] for row in judged(asked) if row[VERDICT] != "declined"] == []
