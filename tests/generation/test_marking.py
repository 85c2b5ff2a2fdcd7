"""Where a passage has what a triplet says."""

import pytest

from qaviz.generation.marking import DATE, FACT, FIGURE, NAME, mark_evidence, missing_evidence

PASSAGE = "In 2023, sales of Acme Corp rose to $12,455 million on 3 May 2023. The plant in Oslo has 112 people."


def marked(answer: str, fact: str) -> set[tuple[str, str]]:
    return {(text, kind) for text, kind in mark_evidence(PASSAGE, answer, fact) if kind}


def test_the_parts_are_the_passage():
    """Put together again, the parts are the passage, and nothing of it is lost."""
    assert (
        "".join(text for text, _ in mark_evidence(PASSAGE, "Acme Corp sold for $12.5 billion.", "12.5 billion"))
        == PASSAGE
    )


@pytest.mark.parametrize(
    ("answer", "fact", "expected"),
    [
        ("Sales were $12.5 billion.", "12.5 billion", {("$12,455 million", FIGURE)}),
        ("It was on May 3, 2023.", "May 3, 2023", {("3 May 2023", DATE)}),
        ("The plant is in Oslo.", "Oslo", {("Oslo", FACT)}),
        ("It has 12 people.", "12", set()),
    ],
)
def test_what_is_stated_is_marked_in_any_form(answer: str, fact: str, expected: set[tuple[str, str]]):
    """A figure is marked in other units, a date in another format, the fact by its letters; a piece of a larger
    number is not."""
    assert expected <= marked(answer, fact)
    if not expected:
        assert not {text for text, _ in marked(answer, fact)} & {"12", "112", "$12,455 million"}


def test_names_of_the_answer_are_marked():
    """A name that the answer gives is marked where the passage has it."""
    assert ("Acme", NAME) in marked("The firm is called Acme Corp.", "")


def test_what_the_passage_does_not_state_is_listed():
    """A figure or date of the answer that the passage lacks is named; one that it has in another form is not."""
    assert missing_evidence(PASSAGE, "Sales were $12.5 billion, 15% more.", None) == ["15%"]
