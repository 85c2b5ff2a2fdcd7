"""The rules that need no run: each fires on what it is for, with the edit it proposes, and is silent beside it."""

import json
from pathlib import Path

import polars as pl
import pytest

from qaviz.golden.lint import RULES, explain_rules, lint, without_harm
from qaviz.golden.lint.findings import ERROR, FINDINGS, Subject
from tests.builders import golden_table
from tests.cases import read_cases
from tests.golden.linted import findings

CASES = [json.loads(line) for line in Path(__file__).with_name("rules.jsonl").read_text("utf-8").splitlines()]
"""Rule, triplet, and the edit that is proposed: null where that is left to a person, false where nothing is found."""


@pytest.mark.parametrize(("rule", "triplet", "expected"), CASES)
def test_rules_on_triplets(rule: str, triplet: dict[str, object], expected: str | bool | None):
    """A rule fires on its triplets and on no others, and proposes the text that would mend it."""
    proposed = [finding["proposed"] for finding in findings(rule, triplet)]
    if rule == "missing-form" and expected is not False:
        assert [text.startswith(expected) for text in proposed] == [True]
    else:
        assert proposed == ([] if expected is False else [expected])


PAIRS = read_cases(__file__, "rules_on_pairs")
"""Rule, what the later triplet has otherwise than AMAZON, and whether the rule fires."""
AMAZON = {"question": "What were Amazon's net sales in 2023?", "answer": "$574.8 billion", "fact": "574.8 billion"}


@pytest.mark.parametrize(("rule", "other", "fires"), PAIRS)
def test_rules_on_pairs(rule: str, other: dict[str, object], fires: bool):
    """A rule fires on the later of two triplets, and names the earlier one."""
    later = findings(rule, AMAZON, AMAZON | other)
    assert [finding["question_id"] for finding in later] == (["2"] if fires else [])
    assert all("“1”" in (finding["message"] or "") for finding in later if rule != "missing-text")


def test_a_wrong_amount_speaks_before_its_forms():
    """Lint proposes no further spelling of an amount that the answer denies."""
    wrong = {"question": "What were net sales?", "answer": "They were $170.0 billion.", "fact": "134.4 billion"}
    rules = {*lint(golden_table([wrong]))["rule"]}
    assert "fact-against-answer" in rules
    assert "missing-form" not in rules


HARM = read_cases(__file__, "harmful_variants")


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
    wrong response is left to a person. A right response in other words than the fact's forbids none."""
    golden = golden_table([{"question": "What is it?", "answer": "Hand.", "fact": "hand "}])
    finding = {"question_id": "1", "severity": "warning", "message": "m", "evidence": "", "field": "fact"}
    edits = [
        finding | {"rule": "seen-variant", "suggestion": "Add a, b.", "proposed": "hand <OR>palm<OR>paw"},
        finding | {"rule": "blank-around-variant", "suggestion": "Remove the spaces.", "proposed": "paw"},
    ]
    key = {"question_id": "1", "pipeline": ["P", "Q"], "response": ["A paw.", "A palm."]}
    rows = pl.DataFrame(key | {"verdict": ["declined", "correct"], "factual_knowledge": 0.0})
    several, mended = without_harm(pl.DataFrame(edits, FINDINGS), Subject(golden, rows)).to_dicts()
    assert (several["proposed"], several["suggestion"]) == ("hand <OR>palm", "Add palm.")
    assert (mended["message"], mended["proposed"], mended["field"]) == ("m", None, None)
    assert mended["suggestion"].startswith("Ask a person")


def test_every_rule_has_its_table_and_its_words():
    """Each rule is tested by a table, explains itself, and finds nothing in an empty golden dataset."""
    alone = {rule.name for rule in RULES if not rule.needs}
    assert alone == {*(rule for rule, *_ in CASES), *(rule for rule, *_ in PAIRS)}
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
