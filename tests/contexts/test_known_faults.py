"""Twenty rows of known fault over six documents, written by hand before they were run."""

import polars as pl
import pytest

from qaviz.bulk.chunks import score_and_diagnose
from qaviz.contexts.documents import find_in_documents, read_folder
from qaviz.diagnosis.judging import OR_ELSE
from qaviz.loading import silent
from qaviz.model import columns as c
from tests.builders import golden_table

FERRY = (
    "The ferry from Aker to Lunde takes 35 minutes. A return ticket for an adult costs 14 euros. Children under six "
    "travel free of charge. The ferry does not sail between 24 and 26 December."
)
FLEET = (
    "Harbour Line was founded in 1987 by Inga Solberg. In 1994 Harbour Line opened its terminal in Lunde. The fleet has "
    "11 ships; the largest, Nordstern, carries 420 passengers. The head office moved to Aker in 2006."
)
LEAVE = (
    "Parental leave at Veld Foods lasts 16 weeks at full pay. Applications go to the human resources desk at least 30 "
    "days before the leave begins. Leave for the death of a parent is five days, for an extended family member three."
)
RESULTS = (
    "Veld Foods reported revenue of $48.2 million for 2023, up from $41.5 million for 2022. The operating margin was "
    "6.1%. The company employed 312 people at the end of the year. Its auditor is Brandt & Partner."
)
LAMP = (
    "The desk lamp LX-40 draws 9 watts and is guaranteed for three years. Its arm reaches 62 cm. The lamp is switched by "
    "a sensor in the foot; the sensor must not be covered. Spare bulbs are order number B-7731."
)
GARDEN = (
    "The botanical garden of Mersin opened in 1931. It shows 2,400 species on 12 hectares. The palm house was restored "
    "in 2015 and is closed on Mondays. Guided tours start at 11 a.m. from the north gate."
)
DOCUMENTS = {
    "ferry.md": FERRY,
    "fleet.md": FLEET,
    "leave.md": LEAVE,
    "results.md": RESULTS,
    "lamp.md": LAMP,
    "garden.md": GARDEN,
}
NONE = "The documents do not say."
ROWS = (
    # fault, question, golden fact, response, passages
    ("documents", "How many seats has the Aker terminal of Harbour Line?", "250", NONE, [FLEET, FERRY]),
    ("documents", "What is the price of a monthly pass for the ferry from Aker to Lunde?", "120 euros", "It costs 14 euros.", [FERRY]),
    ("documents", "What colour is the desk lamp LX-40?", "anthracite", "The desk lamp is white.", [LAMP, LEAVE]),
    ("retriever", "How long does the ferry from Aker to Lunde take?", "35 minutes", "It takes about an hour.", [FLEET, GARDEN]),
    ("retriever", "How long is parental leave at Veld Foods?", "16 weeks", NONE, [RESULTS, LAMP]),
    ("retriever", "Who audits Veld Foods?", "Brandt & Partner", "Veld Foods is audited by Keller.", [LEAVE]),
    ("retriever", "How many species does the botanical garden of Mersin show?", "2,400", "It shows 900 species.", [FERRY, FLEET]),
    ("retriever", "How far does the arm of the desk lamp LX-40 reach?", "62 cm", NONE, [RESULTS, GARDEN, FERRY, FLEET, LEAVE, LAMP]),
    ("retriever", "How many ships has the fleet of Harbour Line?", "11", "It has 9 ships.", [FERRY, LAMP, GARDEN, RESULTS, LEAVE, FLEET]),
    ("generator", "What was the revenue of Veld Foods for 2023?", "$48.2 million", "It was $41.5 million.", [RESULTS, LEAVE]),
    ("generator", "How many days is the leave for an extended family member?", "three", "It is five days.", [LEAVE]),
    ("generator", "What does a return ticket for an adult cost on the ferry from Aker to Lunde?", "14 euros", NONE, [FLEET, FERRY]),
    ("generator", "How many watts does the desk lamp LX-40 draw?", "9 watts", "It draws 40 watts.", [LAMP]),
    ("generator", "How many passengers does the Nordstern carry?", "420", NONE, [GARDEN, FLEET]),
    ("generator", "When do guided tours of the botanical garden start?", "11 a.m.", "Tours start at 11 a.m.", [FERRY, LEAVE]),
    ("generator", "How many people did Veld Foods employ?", "312", "Veld Foods employed 312 people.", [LEAVE, LAMP]),
    ("golden dataset", "In which year was Harbour Line founded?", "1994", "Harbour Line was founded in 1987.", [FLEET]),
    ("golden dataset", "When did the botanical garden of Mersin open?", "2015", "It opened in 1931.", [GARDEN, FERRY]),
    ("golden dataset", "What was the operating margin of Veld Foods?", "7.1%", "The operating margin was 6.1%.", [RESULTS]),
    ("golden dataset", "How many hectares does the botanical garden of Mersin have?", "18 hectares", "It has 12 hectares.", [GARDEN]),
)  # fmt: skip  # a row a line


@pytest.fixture(scope="module")
def faults(tmp_path_factory) -> dict[bool, pl.DataFrame]:
    """The diagnosed rows, by whether the documents are known."""
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(f"# {name.partition('.')[0].capitalize()}\n\n{text}\n", "utf-8")
    golden = golden_table(
        {c.QUESTION_ID: str(place), c.QUESTION: question, c.ANSWER: fact, c.FACT: fact}
        for place, (_, question, fact, _, _) in enumerate(ROWS)
    )
    given = {c.PIPELINE: ["P"] * len(ROWS), c.RESPONSE: [row[3] for row in ROWS], c.CONTEXTS: [row[4] for row in ROWS]}
    loaded = golden.hstack(pl.DataFrame(given))
    held = find_in_documents(golden, read_folder([str(folder)], silent))
    known = loaded.join(held, on=c.QUESTION_ID, maintain_order="left")
    return {True: score_and_diagnose(known), False: score_and_diagnose(loaded)}


def test_with_documents_eighteen_of_twenty_are_named(faults):
    """The fault of at least eighteen rows is the planted one."""
    named = zip(faults[True][c.FAULT], (row[0] for row in ROWS), strict=True)
    assert sum(fault == planted for fault, planted in named) >= 18


def test_without_documents_no_fault_is_wrong_of_the_retriever(faults):
    """Where the retriever is not at fault and only documents would tell, the reason says what else it may be."""
    wrong = [
        reason
        for fault, reason, (planted, *_) in zip(
            faults[False][c.FAULT], faults[False][c.FAULT_REASON], ROWS, strict=True
        )
        if fault == "retriever" and planted != "retriever" and OR_ELSE not in reason
    ]
    assert wrong == []
