"""The rules that read a run: each fires on what all responses to a triplet have in common, and is silent beside it."""

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.golden.lint import RULES, lint
from qaviz.golden.lint.findings import RUN, Subject
from qaviz.golden.variants import seen_in_responses
from qaviz.model.columns import FACT, FACTUAL_KNOWLEDGE, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.scoring import score
from tests.builders import draft_sample, golden_table
from tests.cases import read_cases
from tests.golden.linted import findings_of_run

SALES = {
    "question": "What were Amazon's net sales in 2023?",
    "answer": "They were $574.8 billion.",
    "fact": "574.8 billion",
}
LONG = (
    "Amazon sold goods and services for no less than 574.8 billion dollars in its financial year, as it says in public."
)
SOUNDS = {
    "question": "Why did sales grow?",
    "answer": "Sales soared tremendously, thanks to relentlessly delighted shoppers.",
    "fact": "shoppers",
}

CASES = read_cases(__file__, "rules_of_a_run")


@pytest.mark.parametrize(("rule", "triplet", "responses", "expected"), CASES)
def test_rules_of_a_run(rule: str, triplet: dict[str, str], responses: list[str], expected: str | None):
    """A rule fires on these responses and on no others, and proposes the fact that would mend the triplet."""
    named = {f"P{number}": response for number, response in enumerate(responses, start=1)}
    found = [each["proposed"] for each in findings_of_run(rule, triplet, named)]
    assert found == ([] if expected == "silent" else [expected])


def test_every_rule_of_a_run_has_its_cases():
    """Each rule that needs a run fires in one case at least, and is silent in another."""
    for rule in (rule for rule in RULES if rule.needs == RUN):
        expected = {case[3] == "silent" for case in CASES if case[0] == rule.name}
        assert expected == {True, False}, rule.name


def test_what_they_said_instead_is_grouped_by_value():
    """The responses that miss the fact are shown by what they say, the most frequent first, with who says it."""
    said = {
        "P1": "It was $514.0 billion.",
        "P2": "In all $514.0 billion.",
        "P3": "I do not know.",
        "P4": "$520.0 billion",
    }
    (finding,) = findings_of_run("nobody-states-fact", SALES, said)
    groups = [group.strip(")").split(" (") for group in finding["evidence"].partition(" beside ")[0].split("; ")]
    assert groups == [["“$514.0 billion”", "P1, P2"], ["declines", "P3"], ["“$520.0 billion”", "P4"]]


def seen(triplet: dict[str, object], *responses: str) -> list[list[object]]:
    """The variants seen in these responses: words, how many responses, which pipelines."""
    golden = golden_table([triplet])
    rows = pl.DataFrame({PIPELINE: [f"P{place}" for place in range(1, len(responses) + 1)], RESPONSE: responses})
    scored = score(golden.join(rows.with_columns(pl.lit("1").alias(QUESTION_ID)), on=QUESTION_ID))
    return [list(row[1:]) for row in seen_in_responses(golden, Subject(golden, diagnose(scored)).run).iter_rows()]


@pytest.mark.parametrize(("triplet", "responses", "expected"), read_cases(__file__, "seen_variants"))
def test_variants_seen_in_responses(triplet: dict[str, object], responses: list[str], expected: list[object]):
    """The most frequent come first, frequencies too; none is coarser than the golden
    answer, a bare number, or against a more frequent one."""
    assert seen(triplet, *responses) == expected


def test_the_sample():
    """In the sample lint finds the wrong variant and corrects it; variants that were seen make responses count."""
    rows = draft_sample().rows
    found = lint(draft_sample().golden, rows)
    errors = found.filter(pl.col("severity") == "error")
    assert errors["rule"].to_list() == ["contradicting-variants"]
    assert errors["question_id"].to_list() == ["net-sales"]
    assert errors["proposed"].to_list() == ["134.4 billion<OR>134,383 million<OR>134383 million<OR>134.383 billion"]
    assert "“134183 million” beside" in errors["evidence"][0]
    unmet = found.filter(pl.col("rule") == "nobody-states-fact")["question_id"].to_list()
    assert unmet == ["challenge"]  # of office correct responses say the fact in a form that can become a variant
    proposed = found.filter(pl.col("rule") == "seen-variant").select(QUESTION_ID, pl.col("proposed").alias(FACT))
    mended = rows.join(proposed, on=QUESTION_ID).with_columns(pl.col(f"{FACT}_right").alias(FACT))
    before = rows.filter(pl.col(QUESTION_ID).is_in(proposed[QUESTION_ID].implode()))[FACTUAL_KNOWLEDGE].sum()
    assert score(mended)[FACTUAL_KNOWLEDGE].sum() == before + proposed.height


def test_responses_taken_apart_in_parts_say_the_same(monkeypatch):
    """Of many triplets the responses are read some triplets at a time: the findings are those of all at once."""
    said = ["Sales soared tremendously: relentlessly delighted shoppers.", "Had more shoppers.", "New shoppers bought."]
    golden = golden_table([SOUNDS | {"question": f"{SOUNDS['question']} {year}"} for year in (2021, 2022, 2023)])
    rows = pl.concat(
        pl.DataFrame({PIPELINE: list("ABC"), RESPONSE: said, QUESTION_ID: [id] * 3}) for id in golden[QUESTION_ID]
    )
    diagnosed = diagnose(score(golden.join(rows, on=QUESTION_ID)))

    whole = lint(golden, diagnosed)
    monkeypatch.setattr("qaviz.golden.lint.responses.TRIPLETS_AT_ONCE", 1)
    in_parts = lint(golden, diagnosed)

    assert in_parts.equals(whole)
    assert whole.filter(pl.col("rule") == "words-of-one-pipeline").height == 3
