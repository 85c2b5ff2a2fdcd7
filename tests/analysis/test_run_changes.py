"""Run against run: what was fixed, broken, worded otherwise, which words differ, and what stayed the same."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.analysis import run_changes as runs
from qaviz.analysis.gate import Subject, gate
from qaviz.model import columns as c
from tests.analysis.decision_reference import Question, Slot, change_of, do_words_hold
from tests.analysis.past import side


def test_questions_meet_by_their_texts():
    """Where ids are places in a file, a question is the one with the same text, with or without blanks around it; new
    and old ones are left out."""
    found = runs.compare_runs(side("1x 0x 1x", "abc"), side("1n 1x 0x", ["z", " a", "b\n"]))

    assert found.select(c.QUESTION, runs.CHANGE).rows() == [("a", "same"), ("b", "same")]
    assert found["question_id_before"].to_list() == ["1", "2"]
    assert runs.count_changes(found)[runs.Change.FIXED] == 0


@pytest.mark.parametrize(
    ("changed", "listed"),
    [
        ({c.FACT: "g"}, "not_comparable"),
        ({c.ANSWER: "An answer."}, "not_comparable"),
        ({c.ANSWERABLE: False}, "not_comparable"),
        ({c.ANSWERABLE: True}, None),
        ({c.CATEGORY: "travel"}, "regrouped"),
        ({c.TAGS: "critical"}, "regrouped"),
    ],
)
@pytest.mark.parametrize(("before", "after"), [("0x 0x", "1y 1y"), ("1x 1x", "0x 0y")])
def test_a_golden_change_fixes_and_breaks_nothing(before, after, changed, listed):
    """Another answer, fact or flag makes a question not comparable, and a verdict that turns by it is a change; tags
    and categories are said and change nothing."""
    old, first = side(before), pl.col(c.QUESTION_ID) == "1"
    edited = {name: pl.when(first).then(pl.lit(value)).otherwise(name) for name, value in changed.items()}
    new = replace(side(after), golden=side(after).golden.with_columns(**edited))
    found, golden = runs.compare_runs(old, new), runs.find_golden_changes(old.golden, new.golden)

    plain = runs.compare_runs(old, side(after))[runs.CHANGE].to_list()
    apart = ["changed", plain[1]] if listed == "not_comparable" else plain
    assert found[runs.CHANGE].to_list() == apart
    assert {name: ids for name, ids in golden.items() if ids} == ({listed: ["1"]} if listed else {})
    assert bool(runs.word_golden_changes(golden)) == bool(listed)


STATES = [(mark, text, label) for mark in "10?" for text in "xy" for label in (None, "correct", "incorrect")]
STATES += [("?", "_", None), ("-", "", None)]
"""Verdict, response and a person's label: every state of a response; an empty one, and none."""


WORDS = {"1": "correct", "0": "incorrect", "?": "unsure", "-": "unsure"}


def slot_of(state: tuple[str, str, str | None]) -> Slot:
    """The state as the reference takes it, which was written from "Run against run" of docs/decision.md."""
    mark, text, label = state
    return Slot(response=None if mark == "-" else text.strip("_"), verdict=WORDS[mark], label=label)


@pytest.mark.parametrize("words_hold", [True, False])
def test_every_change_of_a_response_is_what_the_document_says(words_hold: bool):
    """All pairs of states before and now, one question each: each change, and the critical ones that the gate names;
    once without labels that contradict more verdicts of one run than is usual."""
    pairs = [(before, now) for before in STATES for now in STATES]
    pairs += [(("1", "x", "correct"), ("1", "y", None))] * (1_000 * words_hold)
    slots = [(slot_of(before), slot_of(now)) for before, now in pairs]
    asked = (Question(), Question())
    sides = []
    for place in range(2):
        states = [pair[place] for pair in pairs]
        names = [chr(0x4E00 + number) for number in range(len(pairs))]
        labels = {str(n): state[2] for n, state in enumerate(states, start=1) if state[2]}
        sides.append(side(" ".join(f"{mark}{text or '-'}" for mark, text, _ in states), "".join(names), labels=labels))

    changes = runs.compare_runs(*sides)

    assert do_words_hold(slots, [asked] * len(slots)) == words_hold
    assert changes[runs.CHANGE].to_list() == [change_of(*pair, asked, words_hold=words_hold) for pair in slots]
    tagged = [replace(each, golden=each.golden.with_columns(pl.lit("critical").alias(c.TAGS))) for each in sides]
    lost = changes.filter(change="broken").height
    found = gate(tagged[1], tagged[0])
    (critical,) = [check for check in found.checks if check.subject is Subject.CRITICAL]
    assert critical.sentence.startswith(f"A: {lost} critical questions no longer right")


@pytest.mark.parametrize(
    ("before", "after", "stretches"),
    [
        ("", "", []),
        ("It is 5.", "It is 6.", [("It is", "It is"), ("5.", "6.")]),
        ("", "No idea.", [("", "No idea.")]),
        ("In 1998, Ada", "Ada", [("In 1998,", ""), ("Ada", "Ada")]),
    ],
)
def test_stretches_that_went_and_came(before: str, after: str, stretches: list[tuple[str, str]]):
    """Words that both have are one stretch; what went and what came stand where they stood."""
    assert [(each.before, each.after) for each in runs.compare_words(before, after)] == stretches


@given(st.text(alphabet="ab ", max_size=60), st.text(alphabet="ab ", max_size=60))
def test_the_stretches_are_both_texts(before: str, after: str):
    """Put together, the stretches have every word of both texts in their order."""
    found = list(runs.compare_words(before, after))
    assert " ".join(each.before for each in found if each.before).split() == before.split()
    assert " ".join(each.after for each in found if each.after).split() == after.split()


def test_long_responses_are_compared_as_far_as_their_first_words():
    """A response of a hundred thousand words takes no longer than one of some."""
    found = list(runs.compare_words("a " * 100_000, "x" * 1_000_000))
    assert sum(len(each.before.split()) for each in found) == runs.MOST_WORDS
    assert sum(len(each.after) for each in found) == 2_000
