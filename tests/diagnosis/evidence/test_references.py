"""Several references in place of a fact: right if any says it, wrong if the response says what none does."""

import pytest

from qaviz.diagnosis.evidence import Stance
from qaviz.diagnosis.evidence.references import are_references, compare

NAMES = "Raphael.<OR>Her name is Hillary Raphael.<OR>It sounds like Hillary Clinton, but she did not study there."
ASKED = "She studied in New York. Her name is Hillary what?"
MYTH = "Nothing happens if you swallow gum.<OR>The gum passes through your body undigested.<OR>It is harmless."
SWALLOWED = "What happens if you swallow gum?"
SIDES = "Yes, computers can have viruses.<OR>Yes."


@pytest.mark.parametrize(
    ("answer", "question", "response", "stance"),
    [
        (NAMES, ASKED, "Hillary Raphael", Stance.AGREES),
        (NAMES, ASKED, "Raphael", Stance.AGREES),
        (NAMES, ASKED, "Hillary Clinton", Stance.CONTRADICTS),
        (NAMES, ASKED, "Hillary Duff.", Stance.CONTRADICTS),
        (MYTH, SWALLOWED, "Nothing happens.", Stance.AGREES),
        (MYTH, SWALLOWED, "It passes through your body undigested.", Stance.AGREES),
        (MYTH, SWALLOWED, "It stays in your stomach for seven years.", Stance.CONTRADICTS),
        (SIDES, "Can computers have viruses?", "Yes, they can, although it is rare.", Stance.AGREES),
        (SIDES, "Can computers have viruses?", "No, they are safe.", Stance.CONTRADICTS),
    ],
)
def test_a_response_says_what_one_of_the_references_says_or_none(answer, question, response, stance):
    """One reference that is said is enough; a name that it sets apart (`but she did not`) is none."""
    assert compare(answer, response, question).stance is stance


@pytest.mark.parametrize(
    ("answer", "several"),
    [("Paris<OR>the city of Paris", True), ("Paris<OR>Lutetia", False), ("Paris is the capital of France.", False)],
)
def test_only_statements_are_references(answer, several):
    """Several names are variants of one fact, and one statement is an answer."""
    assert are_references(answer) is several
