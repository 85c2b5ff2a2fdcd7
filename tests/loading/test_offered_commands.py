"""Every command that a question prints leads on: to files that can be saved, or to another question with its answer."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from qaviz.loading import Source, preview
from tests.loading.files import ask, jsonl, upload
from tests.loading.shapes import SHAPES

TOWNS = [(f"Where is town {n}?", f"Region {n} of {n + 3}", f"in Region {n + n % 2}") for n in range(6)]


def rows(*names: str, **more: object) -> Source:
    """A table of these columns for question, golden answer and response, and of more with a cell for each row."""
    filled = [dict(zip(names, town, strict=False)) for town in TOWNS]
    return jsonl(
        "P.jsonl", *({**row, **{name: make(n) for name, make in more.items()}} for n, row in enumerate(filled))
    )


OPEN = {
    "how requests ended": [
        rows("question", status=lambda n: "ok" if n % 3 else "error", empty_responses=lambda n: n % 2)
    ],
    "a count of responses": [rows("question", "gold", empty_responses=lambda n: n, errors=lambda _: 0)],
    "no column named as the question": [rows("body", "answer", "prediction")],
    "answers under a key's name": [
        upload("key.csv", "item,key,question\n" + "".join(f"a{n},the {a},{q}\n" for n, (q, a, _) in enumerate(TOWNS))),
        upload("said.csv", "item,gpt-4,llama\n" + "".join(f"a{n},{r},{r}.\n" for n, (*_, r) in enumerate(TOWNS))),
    ],
    "responses alone, of two files": [
        upload(f"{name}.csv", "id,response\n" + "".join(f"q{n},{r}{name}\n" for n, (*_, r) in enumerate(TOWNS)))
        for name in "xy"
    ],
    "texts under a name that says nothing": [
        rows(
            Doctor=lambda n: f"take {'all ' * n}your pills daily",
            Patient=lambda n: f"please tell me of Region {n}",
            Status=lambda n: f"a severity {'high' if n % 2 else 'low'}",
            answer=lambda n: f"it is in Region {n}",
            prediction=lambda n: f"that is Region {n} again",
        )
    ],
    "what was predicted for two golden answers": [
        rows("question", "ideal_answer", "ideal_answer_pred", exact_answer=str, exact_answer_pred=lambda n: str(n % 2))
    ],
}
GROUPS = {
    **OPEN,
    **{name: shape.files for name, shape in SHAPES.items() if shape.is_asked and not shape.ask},
}


def list_commands(question: str) -> Iterator[list[str]]:
    """The flags of each command that a question prints."""
    flag = r"""--(?:map|golden) (?:"[^"]*"|'[^']*')"""
    return map(shlex.split, re.findall(rf"{flag}(?: {flag})*", question))


def follow(files: Sequence[Source], command: Sequence[str]) -> list[str]:
    """What is asked once the command was copied."""
    golden = ""
    for flag, value in zip(command[::2], command[1::2], strict=True):
        theirs, _, ours = value.rpartition("=")
        golden = value if flag == "--golden" else golden
        for place, source in enumerate(files):
            if flag == "--map" and any(theirs in table.columns for table in preview(None, [source])):
                files = [*files[:place], replace(source, mapping={**source.mapping, theirs: ours}), *files[place + 1 :]]
    return ask(files, next((source for source in files if source.name == golden), None))


@pytest.mark.parametrize("files", GROUPS.values(), ids=GROUPS)
def test_commands_lead_on(files: list[Source]):
    """What a command leaves open is no fault of its mapping, is another question than before, and says what to do."""
    before = ask(files)
    for command in {tuple(flags) for question in before for flags in list_commands(question)}:
        after = follow(files, command)
        assert set(before).isdisjoint(after) or len(before) > len(after), command
        for question in after:
            assert "Correct the mapping" not in question
            assert "Fill it in" not in question
            assert any(map(question.__contains__, ("--map", "--golden", "--yes", "bring", "Bring"))), question


def test_columns_that_cannot_be_it_are_not_offered():
    """How a request ended, counts and ids are offered as nothing; what may be an answer is."""
    for name in ("how requests ended", "a count of responses"):
        assert not [flags for question in ask(OPEN[name]) for flags in list_commands(question)]
    (question,) = ask(OPEN["answers under a key's name"])
    assert list(list_commands(question)) == [["--map", "key=answer"]]


@pytest.mark.parametrize(
    ("source", "offered"),
    [
        (rows("question", "gold", aliases=lambda n: f"Region {n} of {n + 3}|Area {n}"), []),
        (rows("question", "gold", names=lambda n: f"Region {n} of {n + 3}, or area {n}"), []),
        (rows("question", rag_answer=lambda n: f"Region {n}", gpt_answer=lambda _: "API Error: 429"), []),
        (rows("question", rag_answer=lambda n: f"Region {n}", gpt_answer=lambda n: f"Region {n + 1}"), []),
        (
            jsonl(
                "P.jsonl",
                *({"q": q, **{s: {"text": r + s, "ok": True} for s in ("llm", "rules")}} for q, _, r in TOWNS),
            ),
            [],
        ),
        (rows("question", think=lambda n: f"Is it Region {n}?", response=lambda n: f"Region {n}"), []),
        (rows("question", response=lambda n: f"Region {n}", gold_chunk_ids=lambda n: [f"Region {n}", "Area"]), []),
        (rows("question", "gold", samples=lambda n: [f"Region {n}", f"in Region {n}"]), []),
    ],
)
def test_thoughts_and_other_spellings_are_not_offered(source: Source, offered: list[list[str]]):
    """What a model thought, or another system said, is no golden answer, other spellings of those no response, and
    neither are lists of texts."""
    assert [flags for question in ask([source]) for flags in list_commands(question)] == offered


def test_texts_that_do_not_ask_are_offered_as_the_question_where_none_does():
    """Texts in sentences are offered; labels and read columns are not."""
    files = OPEN["texts under a name that says nothing"]
    (question,) = ask(files)
    assert {command[1] for command in list_commands(question)} == {"Patient=question", "Doctor=question"}
    assert "can be that" not in question


@pytest.mark.parametrize(
    "more",
    [
        {"email": lambda n: f"I would like to know of Region {n}"},
        {"raw": lambda n: f"Thinking: that is Region {n}"},
        {"size": lambda n: n},
        {"key": lambda n: f"a{n}"},
        {"severity": lambda n: f"a severity {'high' if n % 2 else 'low'}"},
    ],
)
def test_where_no_column_has_texts_none_can_be_the_question(more):
    """Forms of a response, a few values, figures, keys and texts about the row that ask nothing are no questions."""
    (question,) = ask([rows(answer=lambda n: f"it is Region {n}", prediction=lambda n: f"Region {n}", **more)])
    assert "None of them can be that" in question
    assert not list(list_commands(question))
