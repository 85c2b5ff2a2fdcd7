"""Who does what a question asks, by a response: the agent of the question's verb."""

import pytest

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.claims.predicates import Agency, find_agency, read_predicate

DESIGNED = "Who designed the Marrow Bridge?"
ACQUIRED = "Which company acquired Dalton Foods?"


def agency(question: str, golden: str, response: str) -> Agency | None:
    start = response.index(golden)
    found = find_agency(question, golden, response, Span(start, start + len(golden), golden))
    return found[0] if found else None


@pytest.mark.parametrize(
    ("response", "who"),
    [
        ("Elena Voss designed it; Karl Dietz only supervised.", Agency.OWN),
        ("It was designed by the engineer Elena Voss.", Agency.OWN),
        ("Karl Dietz designed it, after Elena Voss had left.", Agency.OTHER),
        ("The bridge was designed by Karl Dietz and opened by Elena Voss.", Agency.OTHER),
        ("The designer was Karl Dietz. Elena Voss was his teacher.", Agency.OTHER),
        ("It was not designed by Karl Dietz but by Elena Voss.", Agency.OWN),
        ("Had Elena Voss stayed, she would have; Karl Dietz did in the end.", Agency.OTHER),
        ("Karl Dietz designed the town hall. Elena Voss is known for the bridge.", None),
        ("Elena Voss.", None),
    ],
)
def test_the_agent_of_the_verb_is_told(response, who):
    """The agent is told in active and passive voice, by a noun of the verb and by `did`, and only of what is asked."""
    assert agency(DESIGNED, "Elena Voss", response) is who


def test_a_value_behind_the_verb_is_its_object():
    """Whom the question's own name acquired did not acquire it."""
    assert agency(ACQUIRED, "Meridian Group", "Dalton Foods acquired Meridian Group.") is Agency.OBJECT
    assert agency("Who married Ilse Brandt?", "Jan Ruud", "Ilse Brandt married Jan Ruud.") is None


@pytest.mark.parametrize(
    "question",
    ["What is the capital of Trelland?", "Which director's film won in 1990?", "Is it open?", "Who did Ann meet?"],
)
def test_other_questions_ask_for_no_agent(question):
    """A question for a noun, for an object, with a possessive or for yes or no has no agent to look for."""
    assert read_predicate(question) is None


def test_a_question_when_asks_with_its_last_verb():
    """`When did the mine close?` asks for the date that stands with closing, whatever follows the verb."""
    first, second = (
        read_predicate("When did the mine close?"),
        read_predicate("When was the mine closed after the war?"),
    )
    assert first
    assert second
    assert first.asks_when
    assert first.verb == second.verb
