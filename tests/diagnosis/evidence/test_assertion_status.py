"""How a mention stands in a response."""

import pytest

from qaviz.diagnosis.evidence.assertion_status import Standing, find_standing

SAID, ONE_OF, REJECTED = Standing.SAID, Standing.ONE_OF, Standing.REJECTED


def stands(level, asked=""):
    """How the mention between braces stands."""
    start, end = level.index("{"), level.index("}") - 1
    return find_standing(level.replace("{", "").replace("}", ""), start, end, asked)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("it is {paris}", SAID),
        ("{paris}", SAID),
        ("it is not {paris}", REJECTED),
        ("it isn't {paris}", REJECTED),
        ("it is not the {134.4} billion", REJECTED),
        ("it was never in {paris}", REJECTED),
        ("lyon rather than {paris}", REJECTED),
        ("lyon instead of {paris}", REJECTED),
        ("often confused with {paris}", REJECTED),
        ("it is no longer {paris}", REJECTED),
        ("{paris} is wrong", REJECTED),
        ("{paris} is not correct", REJECTED),
        ('not "{paris}"', REJECTED),
        ("không phải là {paris}", REJECTED),
        ("it is not known, but {paris} is likely", SAID),
        ("not only {paris}", SAID),
        ("not until {1997}", SAID),
        ("had the money not failed was {denver}", SAID),
        ("it is not lyon. {paris} it is", SAID),
        ("{paris} is not far from here", SAID),
        ("{paris} or lyon", ONE_OF),
        ("either {paris}", ONE_OF),
        ("lyon or {paris}", ONE_OF),
        ("{ten} or more", SAID),
    ],
)
def test_how_a_mention_stands(level, expected):
    """A mention is rejected by a negation right before it or a verdict right after it, hedged by an `or` beside it."""
    assert stands(level) is expected


@pytest.mark.parametrize("asked", ["Which city was it not?", "What didn't he win?", "Which cities except Rome?"])
def test_a_question_that_denies_is_answered_by_denying(asked):
    """Where the question holds a negation, one in the response rejects nothing."""
    assert stands("he did not win {paris}", asked) is SAID
    assert stands("he did not win {paris}", "What did he win?") is REJECTED


@pytest.mark.parametrize(
    ("level", "asked", "expected"),
    [
        ("lyon beat {paris}", "Who won the cup?", REJECTED),
        ("lyon defeated the {paris} club", "Which team won the cup?", REJECTED),
        ("lyon, followed by {paris}", "What is the largest city?", REJECTED),
        ("lyon, ahead of {paris}", "Who has the most goals?", REJECTED),
        ("{paris} lost", "Who was elected in 1860?", REJECTED),
        ("{paris} beat lyon", "Who won the cup?", SAID),
        ("lyon lost to {paris}", "Who won the cup?", SAID),
        ("lyon beat {paris}", "Who did Lyon beat to become champion?", SAID),
        ("lyon, followed by {paris}", "What is the second largest city?", SAID),
        ("jo succeeded {jane}", "Who is the CFO?", REJECTED),
        ("jo took over from {jane}", "Who hosts the show now?", REJECTED),
        ("jo succeeded {jane}", "Who was CFO before Jo?", SAID),
        ("it was jo, although it is often attributed to {jane}", "Who wrote the song?", REJECTED),
        ("it is often attributed to {jane}", "Who said so?", SAID),
    ],
)
def test_who_was_outdone_or_replaced_is_not_who_was_asked_for(level, asked, expected):
    """Where the question asks for the first or the present one, the one that another outdid or followed is rejected."""
    assert stands(level, asked) is expected
