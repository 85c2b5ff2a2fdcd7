"""Questions meet by more than their ids: by text, by spelling, by a person's yes; and nothing is joined in silence."""

import pytest

from qaviz.loading import Chunk, Source, apart, load
from qaviz.loading.doubts import find_near_questions
from tests.loading.files import entries, jsonl

TEXTS = {"g1": "How many people live in Graz?", "g2": "What is C#?", "g3": "What was the revenue in 2022?"}
GOLDEN = jsonl("g.jsonl", *({"question_id": key, "question": text, "answer": "x"} for key, text in TEXTS.items()))


def asked(*questions: str, question_id: str = "unknown") -> Source:
    """Responses to these questions, under an id that the golden dataset may not know."""
    rows = ({"question_id": question_id, "question": text, "pipeline": "A", "response": "x"} for text in questions)
    return jsonl("r.jsonl", *rows)


def ids(loaded: Chunk) -> list[str]:
    return loaded.rows["question_id"].to_list()


@pytest.mark.parametrize(
    ("question", "question_id"),
    [
        ("how many PEOPLE live in graz", "g1"),
        ("“How many people live in Graz”?!", "g1"),
        ("Ｈow many people live in Graz？", "g1"),
        ("what is c#", "g2"),
    ],
)
def test_other_spelling_is_the_same_question(question: str, question_id: str):
    """Case, punctuation around words and Unicode width do not make another question; it is listed."""
    loaded = load(GOLDEN, [asked(question)])
    assert ids(loaded) == [question_id]
    assert len(entries(loaded, "other spelling")) == 1


def test_signs_that_mean_something_stay():
    """C and C#, 5 and 5 %, 3.5 and 35, and -5 and 5 are not evened out into one another."""
    golden = jsonl("g.jsonl", *({"question": f"What is {each}?", "answer": "x"} for each in ("C", "5", "35", "-7")))
    loaded = load(golden, [asked("what is c", "What is C#?", "What is 5%?", "What is 3.5?", "What is 7?")])
    assert loaded.rows["question"].to_list() == ["What is C?"]
    assert len(entries(loaded, "unaligned")) == 4


def test_the_text_outweighs_an_id_of_another_question():
    """Where two files number their questions differently, a response goes to the question whose text it has."""
    loaded = load(GOLDEN, [asked(TEXTS["g1"], question_id="g2")])
    assert ids(loaded) == ["g1"]
    assert [entry[1] for entry in entries(loaded, "other id")] == ["g2"]


def test_near_questions_are_found_and_joined_only_on_a_yes():
    """A pair is offered with its similarity; only once a person joined it the response counts, and it is listed."""
    near = "How many people live now in Graz?"
    pairs = find_near_questions(GOLDEN, [asked(near)])
    assert pairs.select("question", "question_id").rows() == [(near, "g1")]
    assert 0.85 <= pairs["similarity"][0] < 1
    assert apart.find_near_questions(GOLDEN, [asked(near)]).equals(pairs)

    both = [asked(near), jsonl("b.jsonl", {"question_id": "g2", "pipeline": "A", "response": "x"})]
    assert ids(load(GOLDEN, both)) == ["g2"]
    joined = Source(GOLDEN.name, GOLDEN.data, joined=((near, "g1"),))
    loaded = load(joined, both)
    assert ids(loaded) == ["g1", "g2"]
    assert len(entries(loaded, "near question")) == 1


@pytest.mark.parametrize("question", ["What was the revenue in 2023?", "Why?"])
def test_another_number_is_no_near_question(question: str):
    """A question that differs in a number, or in most of its words, is no pair."""
    assert find_near_questions(GOLDEN, [asked(question)]).is_empty()


def test_of_two_questions_that_are_as_near_neither_is_offered():
    """Where two golden questions are nearly as near, nobody can say which is meant."""
    texts = ("How many people live in Graz?", "How many people live in Gras?")
    golden = jsonl("g.jsonl", *({"question": text, "answer": "x"} for text in texts))
    assert find_near_questions(golden, [asked("How many people live in Grad?")]).is_empty()
