"""qaviz.golden.edits: edits of a golden dataset, made, taken back, and found between two versions."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qaviz.golden.edits import (
    apply_edits,
    differences,
    edit,
    edits_to,
    inverse,
    proposed_edits,
    suggestions,
    without_rejected,
)
from qaviz.golden.lint.findings import FINDINGS
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID, VARIANT_LIMIT
from qaviz.model.errors import QavizError
from tests.builders import golden_table

GOLDEN = golden_table(
    [
        {"question": "Where?", "answer": "In Seattle.", "fact": "Seattle", "category": "place", "answerable": True},
        {"question": "Who?", "answer": None, "fact": "Andy<OR>"},
        {"question": "When?", "answer": "In 2023.", "fact": None, "source": "page 3"},
    ]
)
ANY_TEXT = st.sampled_from([None, "", " ", "Seattle", "a\nb", "=1+1", "🙂 €", "x<OR>y"])


def finding(question_id: str = "1", **said: str | None) -> pl.DataFrame:
    usual = {"rule": "a-rule", "severity": "error", "message": "m", "evidence": "e", "suggestion": "s", "field": "fact"}
    return pl.DataFrame([usual | {"question_id": question_id, "proposed": "P"} | said], schema=FINDINGS)


def test_an_edit_changes_its_text_and_nothing_else():
    """The named text becomes the new one, of as many variants as a text may have; all else and the order stay."""
    most = "<OR>".join("x" * VARIANT_LIMIT)
    after = apply_edits(GOLDEN, edits_to(GOLDEN, pl.concat([edit("1", FACT, "Seattle, WA"), edit("3", FACT, most)])))

    assert after[FACT].to_list() == ["Seattle, WA", "Andy<OR>", most]
    assert after.drop(FACT).equals(GOLDEN.drop(FACT), null_equal=True)


def test_edits_say_what_stood_there_and_leave_out_what_changes_nothing():
    """`before` is the text of the golden dataset; a blank text is none; an edit to what is there is no edit."""
    edits = edits_to(
        GOLDEN,
        pl.concat([edit("1", ANSWER, "In Seattle."), edit("2", ANSWER, "  "), edit("1", FACT, " ", rule="a-rule")]),
    )
    assert edits.rows() == [("1", FACT, "Seattle", None, "a-rule")]


def test_edits_that_cannot_be_made_are_refused_together():
    """An unknown triplet or field, two edits of one text, too many variants, a blank question: each is named, none is
    made."""
    wrong = [
        edit("9", FACT, "x"),
        edit("1", "source", "x"),
        edit("1", FACT, "x"),
        edit("1", FACT, "y"),
        edit("2", QUESTION, ""),
        edit("3", FACT, "<OR>".join("x" * (VARIANT_LIMIT + 1))),
    ]
    with pytest.raises(QavizError) as refused:
        edits_to(GOLDEN, pl.concat(wrong))

    assert [(problem.where, problem.found) for problem in refused.value.problems] == [
        ("fact of the triplet 9", "no such text in the golden dataset"),
        ("source of the triplet 1", "no such text in the golden dataset"),
        ("fact of the triplet 1", "two edits of this text"),
        ("fact of the triplet 3", "too many variants"),
        ("question of the triplet 2", "a blank question"),
    ]


@settings(max_examples=25)
@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT), min_size=3, max_size=3))
def test_edits_lead_there_and_back(texts: list[tuple[str | None, str | None]]):
    """Edits, what differs between before and after, and the inverse of the edits agree, whatever the texts."""
    wanted = [
        edit(question, field, text)
        for question, pair in zip("123", texts, strict=True)
        for field, text in zip((ANSWER, FACT), pair, strict=True)
    ]
    edits = edits_to(GOLDEN, pl.concat(wanted))
    after = apply_edits(GOLDEN, edits)

    found = differences(GOLDEN, after)
    assert sorted(found.select(QUESTION_ID, "field", "before", "after").rows(), key=str) == sorted(
        edits.drop("rule").rows(), key=str
    )
    assert apply_edits(after, edits_to(after, inverse(edits))).equals(GOLDEN, null_equal=True)


def test_differences_name_triplets_that_only_one_side_has():
    """A triplet that came or went is said text by text: what it has is added or removed."""
    found = differences(GOLDEN.head(2), GOLDEN[[2, 0]])

    assert found.rows() == [
        ("3", "added", QUESTION, None, "When?"),
        ("3", "added", ANSWER, None, "In 2023."),
        ("2", "removed", QUESTION, "Who?", None),
        ("2", "removed", FACT, "Andy<OR>", None),
    ]


def test_of_several_proposals_for_one_text_the_first_is_taken():
    """Each proposal is the whole text: two at once would undo each other. A finding without one proposes no edit."""
    findings = pl.concat(
        [
            finding(proposed="Seattle<OR>WA", rule="first"),
            finding(proposed="Seattle<OR>in Seattle", rule="second"),
            finding(field=None, proposed=None),
            finding("2", proposed="Andy"),
        ]
    )
    assert proposed_edits(findings).rows() == [
        ("1", "fact", None, "Seattle<OR>WA", "first"),
        ("2", "fact", None, "Andy", "a-rule"),
    ]


def test_a_rejected_suggestion_does_not_come_again():
    """What was rejected stays away, also where it proposes no text; another proposal of the rule comes."""
    findings = pl.concat(
        [finding(proposed="A"), finding(proposed="B"), finding(field=None, proposed=None, message="ambiguous")]
    )
    rejected = suggestions(findings).filter(pl.col("proposed") != "B")

    assert without_rejected(findings, rejected)["proposed"].to_list() == ["B"]
    assert without_rejected(findings, rejected.clear()).equals(findings, null_equal=True)
