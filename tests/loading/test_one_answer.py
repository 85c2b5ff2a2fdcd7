"""What tables say of questions beside their answers: that there is none, several in rows of their own, or one answered
twice. What is clear is read, what loses a text is asked, whatever the number of rows."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from qaviz.loading import Source, load
from tests.loading.files import jsonl, upload
from tests.loading.test_offered_commands import ask, follow, list_commands

TOWNS = [f"How many people live in town {n}?" for n in range(8)]


def table(name: str, header: str, *rows: Sequence[object]) -> Source:
    return upload(name, "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")


def flagged(name: str, says_none: Sequence[object], texts: Sequence[str]) -> Source:
    """A file with this flag beside golden answers, of two towns or of more."""
    rows = zip(TOWNS, says_none, texts, strict=False)
    return jsonl("P.jsonl", *({"question": q, name: flag, "gold": gold, "response": "200"} for q, flag, gold in rows))


ANSWERABLE = {
    "SQuAD's": (flagged("is_impossible", [False, True], ["200", ""]), [True, False]),
    "sravanni369/rag-citation-gate": (flagged("unanswerable", [True, False] * 4, ["", "200"] * 4), [False, True] * 4),
    "capitals and words": (flagged("Is Unanswerable", ["No", "YES", "no"], ["200", "", "300"]), [True, False, True]),
    "in one word": (flagged("isImpossible", ["false", "true"], ["200", "300"]), [True, False]),
    "as we call it": (flagged("answerable", [True, False], ["200", "300"]), [True, False]),
    "that there are answers": (flagged("has_answer", [True, False, True], ["200", "", "300"]), [True, False, True]),
    "that there is none": (flagged("no_answer", [0, 1, 0], ["200", "", "300"]), [True, False, True]),
    "of passages, which lack golden answers": (flagged("has_answer", [True, False], ["200", "300"]), [None, None]),
    "of retrieved passages": (flagged("context_has_answer", [True, False, True], ["200", "", "300"]), [None] * 3),
    "what a model says": (flagged("model_unanswerable", [True, False, False], ["200"] * 3), [None] * 3),
    "no flag": (flagged("unanswerable", ["perhaps", "no idea", "?"], ["200"] * 3), [None] * 3),
}


@pytest.mark.parametrize(("source", "expected"), ANSWERABLE.values(), ids=ANSWERABLE)
def test_whether_a_question_can_be_answered(source: Source, expected: list[bool | None]):
    """A flag by any name says it in the direction of its name, unless it is about passages or a system."""
    assert load(None, [source]).golden["answerable"].to_list() == expected


@pytest.mark.parametrize("name", ["answerable", "unanswerable"])
def test_a_mapping_keeps_the_direction_of_the_name(name: str):
    """A column that is mapped says it in the direction of its name too."""
    source = replace(flagged(name, [True, False], ["200", "300"]), mapping={name: "answerable"})
    assert load(None, [source]).golden["answerable"].to_list() == [name == "answerable", name != "answerable"]


HEAD = "question,gold_answer,response"
ANSWERED = [(q, f"{n}00", f"It is {n}00.") for n, q in enumerate(TOWNS)]
AGAIN = {
    "two rows": ([ANSWERED[1], (TOWNS[1], "100", "Some 200.")], 1),
    "three rows": ([*ANSWERED[1:3], (TOWNS[1], "100", "Some 200.")], 1),
    "many rows, each of its own": ([*ANSWERED, (TOWNS[1], "100", "Some 200.")], 0),
    "the same text": ([*ANSWERED[1:3], ANSWERED[1]], 0),
    "beside another question with two golden answers": (
        [*ANSWERED[1:3], (TOWNS[1], "100", "Some 200."), (TOWNS[2], "some 200", "It is 200.")],
        1,
    ),
}


@pytest.mark.parametrize(("rows", "asked"), AGAIN.values(), ids=AGAIN)
def test_no_text_is_lost_unasked(rows: list[tuple[str, str, str]], asked: int):
    """A question that one pipeline answers twice, in other words, is asked about or kept, of however few rows."""
    source = table("P.csv", f"{HEAD},score", *((*row, n / 7) for n, row in enumerate(rows)))
    questions = [question for question in ask([source]) if "answered before" in question]
    assert len(questions) == asked
    assert not any("score" in question for question in questions)  # which tells no pipelines apart
    kept = load(None, [source]).rows["response"].to_list()
    assert asked or set(kept) == {row[2] for row in rows}


SEVERAL = {
    "beside one response": [
        table("P.csv", HEAD, *((q, gold, "100") for q in TOWNS[:4] for gold in ("100", "one hundred")))
    ],
    "in a golden dataset without ids": [
        table("golden.csv", "question,answer", *((q, gold) for q in TOWNS[:2] for gold in ("100", "one hundred"))),
        table("P.csv", "question,response", *((q, "100") for q in TOWNS[:2])),
    ],
    "of one of many questions": [
        table("golden.csv", "question,answer", *((q, "100") for q in TOWNS), (TOWNS[0], "one hundred")),
        table("P.csv", "question,response", *((q, "100") for q in TOWNS[:3])),
    ],
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("files", SEVERAL.values(), ids=SEVERAL)
def test_several_golden_answers_are_variants_or_the_first_counts(files: list[Source], order: int):
    """HuangYuling68/T5-base_QA: golden answers of a question in rows of its own are asked about, and each of the two
    commands leads to one triplet a question."""
    (name,) = {
        name for name in ("gold_answer", "answer") if name in files[0].data.decode().partition("\n")[0].split(",")
    }
    asked = ask(files[::order])
    assert any("answer_variants" in question for question in asked)
    for word, expected in (("answer_variants", "100<OR>one hundred"), ("first_answer", "100")):
        mapped = [replace(files[0], mapping={name: word}), *files[1:]][::order]
        assert [question for question in ask(mapped) if "not there" not in question] == []
        loaded = load(None, mapped)
        assert loaded.golden["question"].is_unique().all()
        assert loaded.golden["answer"][0] == expected
        assert set(loaded.rows["response"]) == {"100"}
    commands = [flags for question in asked for flags in list_commands(question)]
    assert all(follow(files, flags) != asked for flags in commands)
