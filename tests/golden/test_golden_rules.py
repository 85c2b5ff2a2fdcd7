"""The rules that need no run: each fires on what it is for, with the edit it proposes, and is silent beside it."""

import json
from pathlib import Path

import polars as pl
import pytest

from qaviz.golden.lint import RULES, explain_rules, lint
from qaviz.golden.lint.findings import ERROR, FINDINGS, Subject
from qaviz.golden.lint.harm import without_harm
from tests.builders import golden_table
from tests.golden.linted import findings

SILENT = object()
"""The rule finds nothing."""

NONE = None
"""The rule finds something, and leaves the edit to a person."""

FACTS = {
    "empty-variant": [
        ("France<OR>", "France"),
        ("<OR>France<OR>the Republic", "France<OR>the Republic"),
        ("France<AND>...<AND>Paris", "France<AND>Paris"),
        ("the<OR>a", NONE),
        ("France<OR>Paris", SILENT),
        ("<OR>", SILENT),
    ],
    "blank-around-variant": [
        ("10317750796<OR> 10,317,750,796", "10317750796<OR>10,317,750,796"),
        ("France ", "France"),
        ("France<OR>Paris", SILENT),
    ],
    "unread-delimiter": [
        ("France<or>Paris", "France<OR>Paris"),
        ("France< OR >Paris", "France<OR>Paris"),
        ("France<And>Paris", "France<AND>Paris"),
        ("France<OR>Paris<AND>Rome", NONE),
        ("French Republic; Republic of France", "French Republic<OR>Republic of France"),
        ("Paris / Lutetia", "Paris<OR>Lutetia"),
        ("Paris|Lutetia", "Paris<OR>Lutetia"),
        ("Paris OR Lutetia", "Paris<OR>Lutetia"),
        ("Paris;Lutetia", "Paris<OR>Lutetia"),
        ("Paris/Lutetia", "Paris<OR>Lutetia"),
        ("Paris // Lutetia", "Paris<OR>Lutetia"),
        ("Paris||Lutetia", "Paris<OR>Lutetia"),
        ("France<AND>Paris", SILENT),
        ("AC/DC", SILENT),
        ("more or less", SILENT),
    ],
    "curly-quote-in-fact": [
        ("Amazon’s office", "Amazon’s office<OR>Amazon's office"),
        ("Amazon’s office<AND>Seattle", "Amazon's office<AND>Seattle"),
        ("Amazon’s office<OR>Amazon's office", SILENT),
        ("Amazon's office", SILENT),
    ],
    "invisible-character": [
        ("\ue001500 euros", "500 euros"),
        ("134.4\u00a0billion", "134.4 billion"),
        ("Fran\u200bce", "France"),
        ("Paris\nFrance", "Paris France"),
        ("134.4 billion", SILENT),
    ],
    "bare-number": [
        ("7", NONE),
        ("2,300", SILENT),
        *((sign, SILENT) for sign in ("201%", "5 ‰", "$20", "20 €", "40°")),
        ("12<OR>twelve", NONE),
        ("158 million", SILENT),
        ("10317750796", SILENT),
        ("seven", SILENT),
    ],
    "inside-larger-number": [
        ("12%", NONE),
        ("158 million", NONE),
        ("134.4 billion", SILENT),
        ("$158 million", SILENT),
        ("12 May", SILENT),
        ("4 Tops", SILENT),
    ],
    "inside-longer-word": [("UN", NONE), ("Paris<OR>par", NONE), ("Paris", SILENT), ("日本", SILENT), ("U2", SILENT)],
    "sign-lost": [
        ("-3.2 billion", NONE),
        ("$-3.2 billion", NONE),
        ("(3.2)", NONE),
        ("3.2 billion", SILENT),
        ("COVID-19", SILENT),
        ("(Robert) Boyle", SILENT),
    ],
    "long-fact": [
        ("410 Terry Avenue North", NONE),
        ("Amazon sold 158 million shares of Rivian last year", NONE),
        ("Chief Executive Officer of Amazon<OR>CEO of Amazon", SILENT),
        ("three little pigs", SILENT),
        ("22nd of February 2023", SILENT),
    ],
    "contradicting-variants": [
        ("134.4 billion<OR>134,383 million<OR>134183 million", "134.4 billion<OR>134,383 million<OR>134383 million"),
        ("12%<OR>12 percent<OR>21%", "12%<OR>12 percent"),
        ("Feb 22 2023<OR>2023-02-22<OR>February 21, 2023", "Feb 22 2023<OR>2023-02-22<OR>February 22, 2023"),
        ("12 million<OR>14 million", NONE),
        ("12.5 billion<OR>12,455 million<OR>12.455 billion", SILENT),
        ("$134.4 billion<OR>134.4 billion<OR>$134.4B", SILENT),
        ("Feb 22 2023<OR>February 22nd 2023<OR>2023-02-22", SILENT),
        ("12 million<AND>14 million", SILENT),
        ("158 million shares<OR>185 million shares", NONE),
        ("Apollo 11<OR>Boeing 747", SILENT),
        ("Boeing 737<OR>Boeing 747", SILENT),
        ("12 km<OR>12 percent", SILENT),
        ("03/05/2023<OR>4 June 2023", NONE),
        ("3 May 2019 to 4 June 2019<OR>5 May 2019", SILENT),
    ],
}

TRIPLETS = {
    "ambiguous-date": [
        ({"answer": "On 03/04/2019.", "fact": "03/04/2019"}, NONE),
        ({"fact": "23/04/2019"}, SILENT),
        ({"fact": "04/04/2019"}, SILENT),
        ({"fact": "03/04/2019<OR>3 April 2019"}, SILENT),
    ],
    "placeholder": [
        ({"fact": "TODO"}, NONE),
        ({"answer": "N/A"}, NONE),
        ({"question": "Lorem ipsum dolor sit amet?"}, NONE),
        ({"answer": "Hello {{name}}"}, NONE),
        ({"fact": "Tod"}, SILENT),
    ],
    "garbled-text": [
        ({"fact": "JÃ¶ns Berzelius"}, "Jöns Berzelius"),
        ({"answer": "Amazonâ€™s"}, "Amazon’s"),
        ({"fact": "Jöns Berzelius"}, SILENT),
        ({"fact": "Âu Cơ"}, SILENT),
    ],
    "html-in-text": [
        ({"answer": "Johnson &amp; Johnson"}, "Johnson & Johnson"),
        ({"fact": "H<sub>2</sub>O"}, "H2O"),
        ({"answer": "It is in <b>Oslo</b>.<br>Norway"}, "It is in Oslo. Norway"),
        ({"question": "Which HTML tag is bold?", "fact": "<b>"}, SILENT),
        ({"fact": "a&lt;or&gt;b"}, SILENT),
        ({"fact": "France<OR>Paris"}, SILENT),
        ({"answer": "AT&T; and others"}, SILENT),
    ],
    "doubled-quotes": [
        ({"answer": '"Michael Jackson\'s ""Thriller"""'}, 'Michael Jackson\'s "Thriller"'),
        ({"fact": 'the ""Bomb Plot""'}, 'the "Bomb Plot"'),
        ({"fact": '"Yesterday"'}, SILENT),
    ],
    "answered-unanswerable": [
        ({"answerable": False}, NONE),
        ({"answerable": False, "fact": None}, NONE),
        ({"answerable": True, "answer": "Not stated", "fact": "Not stated"}, NONE),
        ({"answer": "The document does not say when.", "fact": "does not say when"}, NONE),
        ({"answerable": False, "fact": None, "answer": "The document does not say."}, SILENT),
        ({"answerable": False, "fact": None, "answer": None}, SILENT),
        ({"answerable": True, "answer": "The cause is unknown.", "fact": "unknown"}, SILENT),
    ],
    "answer-to-another-question": [
        ({"question": "Who signed it?", "answer": "On 3 May 1997.", "fact": "3 May 1997"}, NONE),
        ({"question": "How many left?", "answer": "They left for Rome.", "fact": "Rome"}, NONE),
        ({"question": "What was sold in 2021?", "answer": "Ships were sold in 2020.", "fact": "ships"}, NONE),
        ({"question": "How many left?", "answer": "Nobody did: none.", "fact": "none"}, SILENT),
        ({"question": "When did he leave?", "answer": "Before dawn.", "fact": "before dawn"}, SILENT),
        ({"question": "What was sold in 2021?", "answer": "Ships, in 2021 and 2020.", "fact": "ships"}, SILENT),
    ],
    "two-questions": [
        ({"question": "Who founded Amazon? When was it founded?"}, NONE),
        ({"question": "Who founded Amazon and when was it founded?"}, NONE),
        ({"question": "When was Amazon founded, and who leads it?"}, NONE),
        ({"question": "Wer leitet das Werk und wie viele Leute arbeiten dort?"}, NONE),
        ({"question": "Ai là giám đốc và công ty thành lập năm nào?"}, NONE),
        ({"question": "Where and when was he born? Where is he now?", "fact": "Lyon<AND>Rome"}, SILENT),
        ({"question": "Wer schrieb und sang es?"}, SILENT),
        ({"question": "Where was he born? Poland, Austria or Switzerland?"}, SILENT),
        ({"question": "Who wrote and sang it?"}, SILENT),
        ({"question": "Who was the king who ruled and who died in 1805?"}, SILENT),
    ],
    "missing-text": [
        ({"fact": None}, NONE),
        ({"fact": "<OR> "}, NONE),
        ({"fact": None, "answerable": False}, SILENT),
        ({"fact": "France"}, SILENT),
    ],
    "bare-number": [
        ({"question": "In which year did he die?", "answer": "In 1987.", "fact": "1987"}, SILENT),
        ({"question": "How many people work there?", "answer": "It is 1987.", "fact": "1987"}, NONE),
    ],
    "missing-form": [
        ({"fact": "158 million"}, "158 million<OR>158,000,000"),
        ({"fact": "7.9%"}, "7.9%<OR>7.9 percent<OR>7.9 per cent"),
        ({"question": "How many employees were there?", "fact": "2500000"}, "2500000<OR>2.5 million<OR>2,500,000"),
        ({"answer": "It was $134.4 billion.", "fact": "134,383 million"}, "134,383 million<OR>$134.4 billion"),
        ({"fact": "2,500 employees"}, SILENT),
        ({"fact": "134.4 billion<OR>134,383 million"}, SILENT),
        ({"question": "In which year was it?", "fact": "1987"}, SILENT),
        ({"fact": "Feb 22 2023<OR>2023-02-22"}, SILENT),
        ({"fact": "03/05/2023"}, SILENT),
        ({"fact": "the February 2, 2023 report<OR>Form 10-Q"}, SILENT),
        ({"answer": "It was Bezos, Jeff.", "fact": "Jeff Bezos"}, SILENT),
    ],
    "several-entities": [
        ({"question": "Which two countries border Andorra?", "fact": "France and Spain"}, "France<AND>Spain"),
        ({"question": "What are the colours?", "fact": "red, white and blue"}, "red<AND>white<AND>blue"),
        ({"question": "Which company makes it?", "fact": "Johnson and Johnson"}, SILENT),
        ({"question": "Which two days?", "fact": "February 22, 2023"}, SILENT),
        ({"question": "Which two countries border Andorra?", "fact": "France<AND>Spain"}, SILENT),
    ],
    "fact-against-answer": [
        ({"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"}, NONE),
        ({"question": "When was it?", "answer": "On May 3, 1997.", "fact": "May 4, 1997"}, NONE),
        ({"question": "What was the result?", "answer": "It was €45 million.", "fact": "-45 million"}, NONE),
        ({"question": "What was the fee?", "answer": "It was NOK 250,000.", "fact": "USD 250,000"}, NONE),
        ({"answer": "It grew 15% from $514B to $575B.", "fact": "12%<OR>$514B to $575B"}, NONE),
        ({"answer": "No, it does not.", "fact": "Yes"}, NONE),
        ({"answer": "Karin Lindqvist leads it.", "fact": "Karin Lindkvist"}, NONE),
        ({"question": "When did it move?", "answer": "It moved in 2015.", "fact": "2016"}, NONE),
        ({"question": "When does it open?", "answer": "It opens at 9 am.", "fact": "10 am"}, NONE),
        ({"question": "When did it move?", "answer": "It moved in March 2015.", "fact": "2015"}, SILENT),
        ({"answer": "It paid $5 million and $2 million.", "fact": "$5 million<AND>$2 million"}, SILENT),
        ({"answer": "Net sales were $134.4 billion.", "fact": "134,383 million"}, SILENT),
        ({"answer": "It grew 12% from $514B to $575B.", "fact": "12%<OR>$514B to $575B"}, SILENT),
        ({"answer": "It grew 12 percent.", "fact": "12%<OR>twelve percent"}, SILENT),
        ({"answer": "Yes, it does.", "fact": "Yes"}, SILENT),
        ({"answer": "The Lindqvists lead it.", "fact": "Lindqvist"}, SILENT),
    ],
    "contradicting-variants": [
        ({"answer": "Since 4 May 2019 it has 12 offices.", "fact": "3 May 2019<OR>4 May 2019"}, "4 May 2019"),
        ({"answer": "It has 12 offices.", "fact": "3 May 2019<OR>4 May 2019"}, NONE),
    ],
    "fact-not-in-answer": [
        ({"answer": "Napoleon ruled France.", "fact": "Spain"}, NONE),
        ({"answer": "Napoleon ruled France.", "fact": "France<AND>Spain"}, NONE),
        ({"answer": "Napoleon ruled France.", "fact": "Spain<OR>france"}, SILENT),
        ({"answer": None, "fact": "Spain"}, SILENT),
    ],
    "question-without-name": [
        ({"question": "What did it earn in 2023?"}, NONE),
        ({"question": "How much revenue did the company report?"}, NONE),
        ({"question": "What was the company's revenue in Norway?"}, NONE),
        ({"question": "Who is their chief executive?"}, NONE),
        ({"question": "What did Amazon say it earned?"}, SILENT),
        ({"question": "How long does it take to boil an egg?"}, SILENT),
        ({"question": "What is the name of the organization which controls whaling?"}, SILENT),
        ({"question": "Which animal changes colour when it is afraid?"}, SILENT),
    ],
    "document-reference": [
        ({"question": "What does the document say about Amazon?"}, NONE),
        ({"question": "Which value stands in the third column?"}, NONE),
        ({"question": "According to the table above, who won?"}, NONE),
        ({"question": "What is on page 12 of Amazon's report?"}, NONE),
        ({"question": "Theo bảng trên, doanh thu của Vinamilk là bao nhiêu?"}, NONE),
        ({"question": "Who signed the document of surrender?"}, SILENT),
        ({"question": "What does Amazon's cash flow statement show?"}, SILENT),
    ],
    "long-answer": [
        ({"question": "Who ruled France?", "answer": "word " * 30}, NONE),
        ({"question": "Which is better?", "answer": "word " * 60}, NONE),
        ({"question": "Which is better?", "answer": "word " * 59}, SILENT),
        ({"question": "Why is it better?", "answer": "word " * 90}, SILENT),
    ],
    "mixed-languages": [
        ({"question": "What was the capital of the empire?", "answer": "Москва"}, NONE),
        ({"question": "What was the revenue of the company?", "answer": "The revenue was 12 million."}, SILENT),
        ({"question": "Who sang La vie en rose?", "answer": "Édith Piaf"}, SILENT),
    ],
}

CASES = [
    (rule, {"fact": texts} if isinstance(texts, str) else texts, expected)
    for tables in (FACTS, TRIPLETS)
    for rule, cases in tables.items()
    for texts, expected in cases
]


@pytest.mark.parametrize(("rule", "triplet", "expected"), CASES)
def test_rules_on_triplets(rule: str, triplet: dict[str, object], expected: object):
    """A rule fires on its triplets and on no others, and proposes the text that would mend it."""
    proposed = [finding["proposed"] for finding in findings(rule, triplet)]
    if rule == "missing-form" and expected is not SILENT:
        assert [text.startswith(expected) for text in proposed] == [True]
    else:
        assert proposed == ([] if expected is SILENT else [expected])


AMAZON = {"question": "What were Amazon's net sales in 2023?", "answer": "$574.8 billion", "fact": "574.8 billion"}

PAIRS = {
    "missing-text": [
        (AMAZON | {"question": "What was its profit?", "answer": " "}, True),
        (AMAZON | {"question": "What was its profit?", "answer": None, "fact": None}, True),
    ],
    "repeated-triplet": [(AMAZON, True), (AMAZON | {"answer": "574.8 billion dollars"}, False)],
    "contradictory-questions": [
        (AMAZON | {"answer": "$514.0 billion", "fact": "514.0 billion"}, True),
        (AMAZON | {"question": "What were Amazon’s net sales in 2023?", "answer": "$514.0 billion"}, False),
        (AMAZON | {"answer": "$574,785 million", "fact": "574,785 million"}, False),
        (AMAZON | {"question": "What were Amazon's net sales in 2022?", "fact": "514.0 billion"}, False),
    ],
    "near-duplicate-question": [
        (AMAZON | {"question": "In 2023, what were the net sales of Amazon?"}, True),
        (AMAZON | {"answer": "$574,785 million", "fact": "574,785 million"}, True),
        (AMAZON | {"question": "What were Amazon's net sales in 2022?"}, False),
        (AMAZON | {"question": "What was Amazon's operating income in 2023?"}, False),
        (AMAZON | {"question": "When were Amazon's net sales in 2023?", "answer": "In May.", "fact": "May"}, False),
        (AMAZON, False),
    ],
}


@pytest.mark.parametrize(("rule", "other", "fires"), [(rule, *case) for rule, table in PAIRS.items() for case in table])
def test_rules_on_pairs(rule: str, other: dict[str, object], fires: bool):
    """A rule fires on the later of two triplets, and names the earlier one."""
    later = findings(rule, AMAZON, other)
    assert [finding["question_id"] for finding in later] == (["2"] if fires else [])
    assert all("“1”" in (finding["message"] or "") for finding in later if rule != "missing-text")


def test_a_contradiction_quotes_fact_and_answer():
    """The evidence of a fact against its answer has the words of both that differ."""
    (finding,) = findings(
        "fact-against-answer",
        {"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"},
    )

    assert "134.4 billion" in finding["evidence"]
    assert "170.0 billion" in finding["evidence"]


def test_a_wrong_amount_speaks_before_its_forms():
    """Lint proposes no further spelling of an amount that the answer denies."""
    wrong = {"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"}
    rules = {*lint(golden_table([wrong]))["rule"]}
    assert "fact-against-answer" in rules
    assert "missing-form" not in rules


HARM = [
    ("advantage", ["It is a disadvantage."], None),
    ("advantage", ["A great advantage it is."], None),
    ("benefit", ["It is a disadvantage."], "the upper hand<OR>benefit"),
]


@pytest.mark.parametrize(("variant", "wrong", "proposed"), HARM)
@pytest.mark.parametrize("by", ["verdict", "label", "judge"])
def test_no_proposal_lets_a_wrong_response_match(variant: str, wrong: list[str], proposed: str | None, by: str):
    """A variant that a response holds which its verdict, a person or a judge calls wrong, is not
    offered."""
    golden = golden_table([{"question": "What is it?", "answer": "The upper hand.", "fact": "the upper hand"}])
    finding = {"question_id": "1", "rule": "seen-variant", "severity": "warning", "message": "", "evidence": ""}
    edit = {"suggestion": "Add it.", "field": "fact", "proposed": f"the upper hand<OR>{variant}"}
    key = {"question_id": "1", "pipeline": "P"}
    verdict = "incorrect" if by == "verdict" else "unsure"
    texts = {"response": wrong, "verdict": verdict, "judge": "incorrect" if by == "judge" else None}
    rows = pl.DataFrame(key | texts | {"factual_knowledge": 0.0}, schema_overrides={"judge": pl.String})
    labels = pl.DataFrame(key | {"label": ["incorrect"]}) if by == "label" else None
    left = without_harm(pl.DataFrame([finding | edit], FINDINGS), Subject(golden, rows, labels=labels))
    assert left["proposed"].to_list() == ([proposed] if proposed else [])


def test_of_several_proposed_variants_the_harmless_stay():
    """One harmful variant of two is left out, and the advice names the other alone; a correction that would match a
    wrong response is left to a person."""
    golden = golden_table([{"question": "What is it?", "answer": "Hand.", "fact": "hand "}])
    finding = {"question_id": "1", "severity": "warning", "message": "m", "evidence": "", "field": "fact"}
    edits = [
        finding | {"rule": "seen-variant", "suggestion": "Add a, b.", "proposed": "hand <OR>palm<OR>paw"},
        finding | {"rule": "blank-around-variant", "suggestion": "Remove the spaces.", "proposed": "paw"},
    ]
    key = {"question_id": "1", "pipeline": "P", "response": ["A paw."]}
    rows = pl.DataFrame(key | {"verdict": "declined", "factual_knowledge": 0.0})
    several, mended = without_harm(pl.DataFrame(edits, FINDINGS), Subject(golden, rows)).to_dicts()
    assert (several["proposed"], several["suggestion"]) == ("hand <OR>palm", "Add palm.")
    assert (mended["message"], mended["proposed"], mended["field"]) == ("m", None, None)
    assert mended["suggestion"].startswith("Ask a person")


def test_a_rounded_answer_contradicts_no_exact_one():
    """Two answers agree if either agrees with the other as the golden one, whichever triplet stands first."""
    rounded = AMAZON | {"answer": "about 570 billion", "fact": "570 billion"}

    assert findings("contradictory-questions", AMAZON, rounded) == []
    assert findings("contradictory-questions", rounded, AMAZON) == []


def test_every_rule_has_its_table_and_its_words():
    """Each rule is tested by a table, explains itself, and finds nothing in an empty golden dataset."""
    alone = {rule.name for rule in RULES if not rule.needs}
    assert alone == {*FACTS, *TRIPLETS, *PAIRS}
    assert all(len(words.split()) > 10 for words in explain_rules().values())
    assert lint(golden_table([])).is_empty()


def test_a_table_of_several_chunks_is_linted_as_one():
    """A golden dataset that was put together from parts has the findings of the whole."""
    triplets = [
        {"question": f"What is {n}?", "fact": None if n % 2 else "x", "answerable": n % 3 > 0} for n in range(9)
    ]
    whole = golden_table(triplets)
    parts = pl.concat([whole[:2], whole[2:]], rechunk=False)

    assert parts.n_chunks() > 1
    assert lint(parts).equals(lint(whole))


PLANTED = [json.loads(line) for line in Path(__file__).with_name("planted.jsonl").read_text("utf-8").splitlines()]


def test_planted_flaws_are_found_and_clean_triplets_are_left_alone():
    """Of flaws that were planted before the rules were written each is found by its rule; triplets that are right,
    tricky ones too, have no error."""
    keys = ("question", "answer", "fact", "answerable")
    found = lint(golden_table([{key: triplet.get(key) for key in keys} for triplet in PLANTED]))
    rules = dict(found.group_by("question_id").agg("rule").iter_rows())
    errors = {*found.filter(pl.col("severity") == ERROR)["question_id"]}
    by_kind = {
        kind: [str(n) for n, row in enumerate(PLANTED, 1) if row["kind"] == kind] for kind in ("clean", "tricky")
    }
    planted = {str(n): row["rule"] for n, row in enumerate(PLANTED, 1) if row["kind"] == "planted"}

    assert [n for n, rule in planted.items() if rule not in rules.get(n, [])] == []
    assert (len(planted), *map(len, by_kind.values())) == (39, 30, 24)
    assert errors.isdisjoint({*by_kind["clean"], *by_kind["tricky"]})
    assert all(finding["evidence"] and finding["suggestion"] for finding in found.to_dicts())
