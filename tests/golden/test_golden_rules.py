"""The rules that need no run: each fires on what it is for, with the edit it proposes, and is silent beside it."""

import polars as pl
import pytest

from qaviz.golden.lint import RULES, lint
from qaviz.golden.lint.findings import FIELD, FINDINGS, PROPOSED, Subject, without_harm
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
        ("France<AND>Paris", SILENT),
        ("more or less", SILENT),
    ],
    "repeated-variant": [("France<OR>Paris<OR>France", "France<OR>Paris"), ("France<OR>france", SILENT)],
    "curly-quote-in-fact": [
        ("Amazon’s office", "Amazon’s office<OR>Amazon's office"),
        ("Amazon’s office<AND>Seattle", "Amazon's office<AND>Seattle"),
        ("Amazon’s office<OR>Amazon's office", SILENT),
        ("Amazon's office", SILENT),
    ],
    "invisible-character": [
        ("134.4\u00a0billion", "134.4 billion"),
        ("Fran\u200bce", "France"),
        ("Paris\nFrance", "Paris France"),
        ("134.4 billion", SILENT),
    ],
    "two-alphabets": [("Frаnce", NONE), ("Франция", SILENT), ("5 μm", SILENT), ("12 kΩ", SILENT)],
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
        ("12,455 million", SILENT),
        ("$158 million", SILENT),
        ("12 May", SILENT),
        ("4 Tops", SILENT),
        ("410 Terry Avenue North", SILENT),
    ],
    "inside-longer-word": [("UN", NONE), ("Paris<OR>par", NONE), ("Paris", SILENT), ("日本", SILENT), ("U2", SILENT)],
    "decimal-point-lost": [
        ("134.4 billion", NONE),
        ("7.9%", NONE),
        ("12.455 billion", SILENT),
        ("22.02.2023", SILENT),
        ("St. 7", SILENT),
    ],
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
        ("Chief Executive Officer of Amazon<OR>CEO of Amazon", SILENT),
        ("three little pigs", SILENT),
        ("22nd of February 2023", SILENT),
        ("one two three four five six seven eight", SILENT),
    ],
    "sentence-as-fact": [
        ("Amazon sold 158 million shares of Rivian last year", NONE),
        ("410 Terry Avenue North", SILENT),
    ],
    "missing-date-form": [
        (
            "February 2, 2023",
            "February 2, 2023<OR>February 2nd 2023<OR>February 2nd, 2023<OR>February 2 2023<OR>Feb 2, 2023",
        ),
        ("Feb 22 2023<OR>2023-02-22", SILENT),
        ("03/05/2023", SILENT),
        ("1987", SILENT),
        ("the February 2, 2023 report<OR>Form 10-Q", SILENT),
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
        ("03/05/2023<OR>4 June 2023", SILENT),
        ("3 May 2019 to 4 June 2019<OR>5 May 2019", SILENT),
    ],
}

CASES = [(rule, fact, expected) for rule, table in FACTS.items() for fact, expected in table]


@pytest.mark.parametrize(("rule", "fact", "expected"), CASES)
def test_rules_on_facts(rule: str, fact: str, expected: object):
    """A rule fires on its facts and on no others, and proposes the fact that would mend it."""
    found = [each["proposed"] for each in findings(rule, {"fact": fact})]
    if isinstance(expected, str) and rule == "missing-date-form":
        assert len(found) == 1
        assert (found[0] or "").startswith(expected)
    else:
        assert found == ([] if expected is SILENT else [expected])


COUNTED = {
    "It saves 40 work-hours a week.": "40 work-hours",
    "It saves 40 work‑hours.": "40 work‑hours",
    "It saves 40 work hours.": NONE,
    "It was 40 kilometres/hour.": NONE,
    "A 40-hour-long day.": NONE,
    "He had 40 state-of-the-art rooms.": NONE,
    "There were 40 work-related injuries.": NONE,
    "It lasted 40 days and nights.": "40 days",
}
"""The answer beside the fact `40` → the fact that is proposed: what is counted in whole, or nothing."""

TRIPLETS = {
    "impossible-date": [
        ({"fact": "31 February 2023"}, NONE),
        ({"answer": "It was on February 29, 2023."}, NONE),
        ({"fact": "29 February 2024"}, SILENT),
        ({"fact": "31 March 2023"}, SILENT),
        ({"answer": "From March 2023 to 31 February 2024."}, NONE),
        ({"fact": "March 2023<OR>31 March 2023"}, SILENT),
    ],
    "ambiguous-date": [
        ({"answer": "On 03/04/2019.", "fact": "03/04/2019"}, NONE),
        ({"answer": "On 3 April 2019.", "fact": "03/04/2019"}, SILENT),
        ({"fact": "23/04/2019"}, SILENT),
        ({"fact": "04/04/2019"}, SILENT),
        ({"fact": "03/04/2019<OR>3 April 2019"}, SILENT),
    ],
    "figure-against-words": [
        ({"answer": "It cost $10,000 (ten million)."}, NONE),
        ({"fact": "$10,000 (ten million)"}, NONE),
        ({"answer": "It cost $10,000 (ten thousand)."}, SILENT),
        ({"answer": "It cost $10,000 (without tax)."}, SILENT),
    ],
    "yes-against-no": [
        ({"answer": "No, it does not.", "fact": "Yes"}, NONE),
        ({"answer": "Yes, it does.", "fact": "no"}, NONE),
        ({"answer": "Yes, it does.", "fact": "Yes"}, SILENT),
        ({"answer": "Nobody.", "fact": "Yes"}, SILENT),
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
        ({"fact": "H<sub>2</sub>O"}, "H 2 O"),
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
        ({"answerable": False, "fact": None, "answer": "The document does not say."}, SILENT),
        ({"answerable": False, "fact": None, "answer": None}, SILENT),
        ({"answerable": True}, SILENT),
    ],
    "swapped-columns": [
        ({"question": "Napoleon ruled France.", "answer": "Which country did Napoleon rule?"}, NONE),
        ({"answer": "France", "fact": "Napoleon ruled the whole of France."}, NONE),
        ({"answer": "Why not?"}, SILENT),
    ],
    "two-questions": [
        ({"question": "Who founded Amazon? When was it founded?"}, NONE),
        ({"question": "Who founded Amazon and when was it founded?"}, NONE),
        ({"question": "Where was he born? Poland, Austria or Switzerland?"}, SILENT),
        ({"question": "Who wrote and sang it?"}, SILENT),
    ],
    "no-fact": [
        ({"fact": None}, NONE),
        ({"fact": "<OR> "}, NONE),
        ({"fact": None, "answerable": False}, SILENT),
        ({"fact": "France"}, SILENT),
    ],
    "bare-number": [
        ({"question": "How many titles?", "answer": "She won 7 titles.", "fact": "7<OR>seven"}, "7 titles<OR>seven"),
        ({"question": "In which year did he die?", "answer": "In 1987.", "fact": "1987"}, SILENT),
        ({"question": "How many people work there?", "answer": "It is 1987.", "fact": "1987"}, NONE),
    ],
    "missing-number-form": [
        ({"fact": "158 million"}, "158 million<OR>158,000,000"),
        ({"fact": "7.9%"}, "7.9%<OR>7.9 percent<OR>7.9 per cent"),
        ({"fact": "2,500 employees"}, SILENT),
        ({"question": "How many employees were there?", "fact": "2500000"}, "2500000<OR>2.5 million<OR>2,500,000"),
        ({"fact": "134.4 billion<OR>134,383 million"}, SILENT),
        ({"question": "In which year was it?", "fact": "1987"}, SILENT),
    ],
    "several-entities": [
        (
            {
                "question": "Which two countries border Andorra?",
                "answer": "France and Spain.",
                "fact": "France and Spain",
            },
            "France<AND>Spain",
        ),
        ({"question": "What are the colours?", "fact": "red, white and blue"}, "red<AND>white<AND>blue"),
        ({"question": "Which company makes it?", "fact": "Johnson and Johnson"}, SILENT),
        ({"question": "Which two days?", "fact": "February 22, 2023"}, SILENT),
        ({"question": "Which two countries border Andorra?", "fact": "France<AND>Spain"}, SILENT),
    ],
    "fact-against-answer": [
        (
            {"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"},
            NONE,
        ),
        ({"question": "When was it?", "answer": "On May 3, 1997.", "fact": "May 4, 1997"}, NONE),
        ({"answer": "Net sales were $134.4 billion.", "fact": "134,383 million"}, SILENT),
    ],
    "figure-not-a-variant": [
        ({"answer": "It grew 15% from $514B to $575B.", "fact": "12%<OR>$514B to $575B"}, NONE),
        ({"answer": "It grew 12% from $514B to $575B.", "fact": "12%<OR>$514B to $575B"}, SILENT),
        ({"answer": "It grew 12% or, by another count, 15%.", "fact": "12%"}, SILENT),
        ({"answer": "It grew from $514B to $575B.", "fact": "12%<OR>$514B to $575B"}, SILENT),
        ({"answer": "It grew 12 percent.", "fact": "12%<OR>twelve percent"}, SILENT),
    ],
    "form-of-answer": [
        ({"answer": "It was $134.4 billion.", "fact": "134,383 million"}, "134,383 million<OR>$134.4 billion"),
        ({"answer": "It was $134.4 billion.", "fact": "134.4 billion"}, SILENT),
        ({"answer": "It was Bezos, Jeff.", "fact": "Jeff Bezos"}, SILENT),
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
    "curly-quote-in-answer": [
        ({"answer": "It is Amazon’s."}, "It is Amazon's."),
        ({"answer": "It is Amazon's."}, SILENT),
    ],
    "question-without-name": [
        ({"question": "What did it earn in 2023?"}, NONE),
        ({"question": "How much revenue did the company report?"}, NONE),
        ({"question": "Who is their chief executive?"}, NONE),
        ({"question": "What did Amazon say it earned?"}, SILENT),
        ({"question": "How long does it take to boil an egg?"}, SILENT),
        ({"question": "What is the name of the organization which controls whaling?"}, SILENT),
        ({"question": "Which animal changes colour when it is afraid?"}, SILENT),
    ],
    "answer-without-name": [
        ({"answer": "It was founded in 1994."}, NONE),
        ({"answer": "The company sold its shares."}, NONE),
        ({"answer": "Amazon was founded in 1994."}, SILENT),
        ({"answer": "It was founded by Jeff Bezos."}, SILENT),
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
        ({"question": "What was the revenue of the company?", "answer": "Doanh thu của công ty là 12 tỷ đồng."}, NONE),
        ({"question": "What was the capital of the empire?", "answer": "Москва"}, NONE),
        (
            {"question": "Wer ist der König und die Königin von Spanien?", "answer": "The king and the queen of Spain"},
            NONE,
        ),
        ({"question": "What was the revenue of the company?", "answer": "The revenue was 12 million."}, SILENT),
        ({"question": "Who sang La vie en rose?", "answer": "Édith Piaf"}, SILENT),
        ({"question": "Doanh thu là bao nhiêu?", "answer": "Doanh thu là 12 tỷ đồng."}, SILENT),
    ],
}


@pytest.mark.parametrize(
    ("rule", "triplet", "expected"), [(rule, *case) for rule, table in TRIPLETS.items() for case in table]
)
def test_rules_on_triplets(rule: str, triplet: dict[str, object], expected: object):
    """A rule fires on its triplets and on no others, and proposes the text that would mend it."""
    found = [each["proposed"] for each in findings(rule, triplet)]
    assert found == ([] if expected is SILENT else [expected])


AMAZON = {"question": "What were Amazon's net sales in 2023?", "answer": "$574.8 billion", "fact": "574.8 billion"}

PAIRS = {
    "no-answer": [
        (AMAZON | {"question": "What was its profit?", "answer": " "}, True),
        (AMAZON | {"question": "What was its profit?", "answer": None, "fact": None}, False),
    ],
    "variant-of-another": [
        ({"question": "Who leads Apple?", "answer": "Tim Cook does.", "fact": "Tim Cook<OR>Net Sales Inc"}, False),
    ],
    "repeated-triplet": [(AMAZON, True), (AMAZON | {"answer": "574.8 billion dollars"}, False)],
    "contradictory-questions": [
        (AMAZON | {"answer": "$514.0 billion", "fact": "514.0 billion"}, True),
        (
            AMAZON | {"question": "What were Amazon’s net sales in 2023?", "answer": "$514.0 billion", "fact": None},
            False,
        ),
        (AMAZON | {"answer": "$574,785 million", "fact": "574,785 million"}, False),
        (AMAZON | {"question": "What were Amazon's net sales in 2022?", "fact": "514.0 billion"}, False),
    ],
    "near-duplicate-question": [
        (AMAZON | {"question": "In 2023, what were the net sales of Amazon?"}, True),
        (AMAZON | {"question": "What were Amazon's total net sales in 2023?"}, True),
        (AMAZON | {"answer": "$574,785 million", "fact": "574,785 million"}, True),
        (AMAZON | {"question": "What were Amazon's net sales in 2022?"}, False),
        (AMAZON | {"question": "What was Amazon's operating income in 2023?"}, False),
        (AMAZON, False),
    ],
}


@pytest.mark.parametrize(("rule", "other", "fires"), [(rule, *case) for rule, table in PAIRS.items() for case in table])
def test_rules_on_pairs(rule: str, other: dict[str, object], fires: bool):
    """A rule fires on the later of two triplets, and names the earlier one."""
    found = findings(rule, AMAZON, other)
    assert [each["question_id"] for each in found] == (["2"] if fires else [])
    assert all("“1”" in (each["message"] or "") for each in found if rule != "no-answer")


def test_a_contradiction_quotes_fact_and_answer():
    """The evidence of a fact against its answer has the words of both that differ."""
    (finding,) = findings(
        "fact-against-answer",
        {"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"},
    )

    assert "134.4 billion" in finding["evidence"]
    assert "170.0 billion" in finding["evidence"]


def test_a_variant_copied_from_another_triplet_is_named():
    """A variant that another triplet's answer names is foreign; another name of the same, or a list, is not."""
    others = [
        {"question": "Who leads Microsoft?", "answer": "Satya Nadella does.", "fact": "Satya Nadella"},
        {"question": "Which states?", "answer": "Maine.", "fact": "Maine<OR>Texas<OR>Ohio"},
        {"question": "Where is it?", "answer": "In Texas.", "fact": "Texas"},
    ]
    apple = {"question": "Who leads Apple?", "answer": "Tim Cook does.", "fact": "Tim Cook<OR>Satya Nadella"}
    (found,) = findings("variant-of-another", apple, *others)
    assert (found["question_id"], found["proposed"]) == ("1", None)


def test_a_wrong_amount_speaks_before_its_forms():
    """Lint proposes no further spelling of a date that does not exist, and none of an amount that the answer denies."""
    wrong = [
        {"question": "When was it signed?", "answer": "On 31 February 2023.", "fact": "31 February 2023"},
        {"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"},
    ]
    rules = lint(golden_table(wrong)).select("question_id", "rule").rows()
    assert {("1", "impossible-date"), ("2", "fact-against-answer")} <= {*rules}
    assert not {rule for _, rule in rules} & {"missing-date-form", "missing-number-form", "form-of-answer"}


HARM = [
    ("advantage", ["It is a disadvantage."], None),
    ("advantage", ["A great advantage it is."], None),
    ("benefit", ["It is a disadvantage."], "the upper hand<OR>benefit"),
]


@pytest.mark.parametrize(("variant", "wrong", "proposed"), HARM)
def test_no_proposal_lets_a_wrong_response_match(variant: str, wrong: list[str], proposed: str | None):
    """A variant that a wrong response holds, or that stands inside a longer word of it, is not offered."""
    golden = golden_table([{"question": "What is it?", "answer": "The upper hand.", "fact": "the upper hand"}])
    finding = {"question_id": "1", "rule": "seen-variant", "severity": "warning", "message": "", "evidence": ""}
    edit = {"suggestion": "Add it.", "field": "fact", "proposed": f"the upper hand<OR>{variant}"}
    rows = pl.DataFrame({"question_id": "1", "response": wrong, "verdict": "incorrect", "factual_knowledge": 0.0})
    found = without_harm(pl.DataFrame([finding | edit], FINDINGS), Subject(golden, rows))
    assert found["proposed"].to_list() == ([proposed] if proposed else [])


def test_of_several_proposed_variants_the_harmless_stay():
    """One harmful variant of two is left out, and the advice names the other alone; a correction that would match a
    wrong response is left to a person."""
    golden = golden_table([{"question": "What is it?", "answer": "Hand.", "fact": "hand "}])
    finding = {"question_id": "1", "severity": "warning", "message": "m", "evidence": "", "field": "fact"}
    edits = [
        finding | {"rule": "seen-variant", "suggestion": "Add a, b.", "proposed": "hand <OR>palm<OR>paw"},
        finding | {"rule": "blank-around-variant", "suggestion": "Remove the spaces.", "proposed": "paw"},
    ]
    rows = pl.DataFrame({"question_id": "1", "response": ["A paw."], "verdict": "declined", "factual_knowledge": 0.0})
    several, mended = without_harm(pl.DataFrame(edits, FINDINGS), Subject(golden, rows)).to_dicts()
    assert (several["proposed"], several["suggestion"]) == ("hand <OR>palm", "Add palm.")
    assert (mended["message"], mended["proposed"], mended["field"]) == ("m", None, None)
    assert mended["suggestion"].startswith("Ask a person")


def test_a_rounded_answer_contradicts_no_exact_one():
    """Two answers agree if either agrees with the other as the golden one, whichever triplet stands first."""
    rounded = AMAZON | {"answer": "about 570 billion", "fact": "570 billion"}

    assert findings("contradictory-questions", AMAZON, rounded) == []
    assert findings("contradictory-questions", rounded, AMAZON) == []


ALONE = [rule for rule in RULES if not rule.needs_run and not rule.needs_judge]


@pytest.mark.parametrize("rule", ALONE, ids=lambda rule: rule.name)
def test_a_rule_has_its_table_and_its_words(rule):
    """Each rule is tested by a table, explains itself, and finds nothing in an empty golden dataset."""
    assert rule.name in {*FACTS, *TRIPLETS, *PAIRS}
    assert len(rule.explanation.split()) > 10
    found = lint(golden_table([]))
    assert found.is_empty()
    assert {FIELD, PROPOSED} <= {*found.columns}


@pytest.mark.parametrize(
    ("rule", "question", "fact", "form"),
    [
        ("missing-number-form", "Wie hoch war der Umsatz von Siemens?", "134,4 Milliarden Euro", "134,4 Mrd. Euro"),
        ("missing-date-form", "¿Cuándo se firmó el tratado?", "22 de febrero de 1494", "22/02/1494"),
        ("missing-number-form", "Doanh thu của công ty là bao nhiêu?", "134,4 tỷ đồng", "134.400 triệu"),
        ("missing-date-form", "Việt Nam gia nhập WTO ngày nào?", "11 tháng 1 năm 2007", "11/1/2007"),
    ],
)
def test_missing_forms_follow_the_language(rule: str, question: str, fact: str, form: str):
    """A fact in another language lacks the forms of that language: its rule proposes these, the other rule nothing."""
    other = {"missing-number-form": "missing-date-form", "missing-date-form": "missing-number-form"}[rule]
    triplet = {"question": question, "answer": fact, "fact": fact}

    (found,) = findings(rule, triplet)
    assert form in str(found["proposed"]).split("<OR>")
    assert findings(other, triplet) == []
