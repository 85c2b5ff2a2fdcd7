"""What stands beside questions, answers and responses in other files or columns: keys, options, labels, forms."""

from dataclasses import replace

import polars as pl
import pytest

from qaviz.loading import Source, load
from qaviz.loading.roles import assign_pairs
from qaviz.model.errors import QavizError
from tests.loading.files import ask, entries, jsonl

TOWNS = [(f"Where is town {n}?", f"Region {n}", f"in Region {n + n % 2}") for n in range(6)]
GOLDEN = jsonl("golden.jsonl", *({"id": n, "question": q, "answer": a} for n, (q, a, _) in enumerate(TOWNS)))


def table(*names: str, **more: object) -> Source:
    """Question, golden answer and response under these names, and more columns with a cell for each row."""
    rows = [dict(zip(names, town, strict=False)) for town in TOWNS]
    return jsonl("P.jsonl", *({**row, **{name: make(n) for name, make in more.items()}} for n, row in enumerate(rows)))


@pytest.mark.parametrize(
    "beside",
    [
        jsonl("questions.jsonl", *({"id": n, "question": q} for n, (q, *_) in enumerate(TOWNS))),
        jsonl("summary.jsonl", {"model": "a", "accuracy": 0.5, "f1": 0.25}),
    ],
)
def test_a_file_that_gives_nothing_is_left_out_and_named(beside: Source):
    """Questions that others have too, and scores, refuse nothing: the file is listed as left out."""
    responses = jsonl("r.jsonl", *({"question": q, "response": r} for q, _, r in TOWNS))
    loaded = load(None, [beside, GOLDEN, responses])
    assert loaded.rows.height == len(TOWNS)
    assert [detail for *_, detail in entries(loaded, "ignored sheet")] == [f'"{beside.name}" is left out']


def test_a_file_that_may_give_something_is_asked():
    """A file with texts of which nobody can say what they are is not left out."""
    with pytest.raises(QavizError, match="said=response"):
        load(None, [GOLDEN, table("question", said=lambda n: f"in Region {n}"), table("question", response=str)])


@pytest.mark.parametrize("right", [lambda n: "ABCD"[n % 4], lambda n: n % 4, lambda n: TOWNS[n][1]])
def test_a_list_of_options_is_no_response(right):
    """Beside a golden letter, number or text of the list, answers are options."""
    source = table("question", answers=lambda n: [TOWNS[n][1], "b", "c", "d"], correct_answer=right)
    with pytest.raises(QavizError, match="no responses"):
        load(None, [source])


def test_options_and_letters_in_two_files_are_no_responses():
    """Lists of answers beside golden letters in another file are options."""
    asked = jsonl("q.jsonl", *({"id": n, "question": q, "answers": [a, "b", "c"]} for n, (q, a, _) in enumerate(TOWNS)))
    right = jsonl("a.jsonl", *({"id": n, "correct_answers": ["b"]} for n in range(len(TOWNS))))
    for files in ([asked, right], [right, asked]):
        with pytest.raises(QavizError, match="no responses"):
            load(None, files)


OPEN = {
    "the raw answer is empty where the final one is not": (
        table("question", "gold", raw_answer=lambda n: TOWNS[n][2] * (n > 1), final_answer=lambda n: TOWNS[n][2]),
        "final_answer=response",
    ),
    "an answer by a name that nobody knows": (
        table("question", "gold", exact_answer=lambda n: TOWNS[n][2]),
        "exact_answer=response",
    ),
    "labels under a name that is golden in part": (
        table("question", expected_decision=lambda n: ("answer", "ask")[n % 2], response=lambda n: TOWNS[n][2]),
        "expected_decision=answer",
    ),
    "a golden answer that says further on what to do": (
        table("question", gold=lambda n: f"No warning, but the response should avoid {n}.", response=str),
        "how to grade",
    ),
    "a form of the response, or the golden answer": (
        table("question", "output", base_generation=lambda n: TOWNS[n][2], lora_generation=lambda n: f"{TOWNS[n][2]}."),
        "output=answer",
    ),
    "several golden answers beside one response": (
        jsonl(
            "P.jsonl", *({"question": q, "gold": f"{a}{k}", "response": r} for q, a, r in TOWNS for k in ("", " too"))
        ),
        "several golden answers",
    ),
}


@pytest.mark.parametrize(("source", "words"), OPEN.values(), ids=OPEN)
def test_what_is_open_is_asked(source: Source, words: str):
    """Nothing is saved unasked where two readings pass, and what may settle it is named."""
    assert words in " ".join(ask([source]))


def test_two_forms_of_one_response_are_never_one_text():
    """Columns that say the same are one response, and no cell joins them."""
    rows = load(None, [table("question", "gold", raw_answer=lambda n: TOWNS[n][2], final_answer=lambda n: TOWNS[n][2])])
    assert rows.rows["response"].to_list() == [response for *_, response in TOWNS]


def test_a_switch_names_no_pipeline():
    """Yes and no under a name with `model` in it say something of the response, and nothing of who gave it."""
    source = table(
        "question", "gold", "answer", model_needs_help=lambda n: bool(n % 2), gold_answerable=lambda n: n != 1
    )
    loaded = load(None, [source])
    assert set(loaded.rows["pipeline"]) == {"P"}
    assert loaded.golden["answerable"].to_list() == [n != 1 for n in range(len(TOWNS))]


@pytest.mark.parametrize("reverse", [False, True])
def test_a_file_with_the_golden_answers_of_an_answered_one_is_no_pipeline(reverse: bool):
    """What stands letter for letter under the golden column's name in a file of its own is golden in both; another
    answer among them makes it a pipeline."""
    rows = [{"question": question, "answer": answer} for question, answer, _ in TOWNS]
    answered = jsonl("M.jsonl", *(row | {"model_output": f"It is {n}."} for n, row in enumerate(rows)))
    other = [*rows[:-1], rows[-1] | {"answer": "none of them"}]

    def pipelines(*alone: dict[str, str]) -> set[str]:
        files = [jsonl("G.jsonl", *alone), answered]
        return set(load(None, files[::-1] if reverse else files).rows["pipeline"])

    assert pipelines(*rows) == {"M"}
    assert pipelines(*other) == {"G", "M"}


def test_options_that_stand_in_one_file_alone_say_that_its_letters_are_golden():
    """Letters beside their options that are the golden ones of answered files are golden, whatever these call them."""
    asking = [(f"Which of these is number {n}?", "ABCD"[n % 4]) for n in range(6)]
    options = {letter: f"Town {letter}" for letter in "ABCD"}
    dataset = jsonl("dataset.jsonl", *({"question": q, **options, "answer": letter} for q, letter in asking))
    answered = [
        jsonl(f"{name}.jsonl", *({"question": q, "output": f"{name} {q[-2]}", "correct_answer": a} for q, a in asking))
        for name in ("short", "long")
    ]
    with pytest.raises(QavizError, match="different golden answers"):
        load(None, [dataset, *answered])
    loaded = load(dataset, answered)
    assert set(loaded.rows["pipeline"]) == {"short", "long"}
    assert loaded.golden["answer"][0] == "Town A<OR>A"


def test_other_forms_of_an_answer_say_that_it_is_golden():
    """Beside `answer_aliases` an `answer` is golden, and so no pipeline of the files that answer under that name."""
    asking = jsonl("questions.jsonl", *({"id": n, "question": q} for n, (q, *_) in enumerate(TOWNS)))
    golden = [{"id": n, "answer": a, "answer_aliases": [a.upper()] * (n == 1)} for n, (_, a, _) in enumerate(TOWNS)]
    answered = [
        jsonl(f"{name}/answers.jsonl", *({"id": n, "answer": r, "contexts": [r]} for n, (*_, r) in enumerate(TOWNS)))
        for name in ("closed", "open")
    ]
    loaded = load(None, [*answered, jsonl("golden.jsonl", *golden), asking])
    assert set(loaded.rows["pipeline"]) == {"closed", "open"}
    assert loaded.golden["answer"].to_list() == [a for _, a, _ in TOWNS]


def test_a_response_is_left_out_for_another_only_where_that_one_stands():
    """A flag that leaves out one form of the response for another holds for files that have the other."""
    raw = [{"pipeline": "RAG", "question": q, "gold": a, "predicted": r, "raw": f"So: {r}"} for q, a, r in TOWNS]
    short = [{"pipeline": "Graph", "question": q, "gold": a, "predicted": r, "path": f"to {a}"} for q, a, r in TOWNS]
    columns = [list(rows[0]) for rows in (raw, short)]
    mappings = assign_pairs({"raw": "response", "predicted": ""}, columns, "--map")
    assert mappings == [{"raw": "response", "predicted": ""}, {}]
    files = [
        replace(jsonl("f.jsonl", *rows), mapping=pairs) for rows, pairs in zip((raw, short), mappings, strict=True)
    ]
    rows = load(None, files).rows
    assert rows.filter(pl.col("pipeline") == "Graph")["response"].to_list() == [r for *_, r in TOWNS]
    assert rows.filter(pl.col("pipeline") == "RAG")["response"].str.starts_with("So: ").all()


def test_golden_answers_that_most_questions_lack_are_asked():
    """Where a column under a name of golden answers is nearly empty, the flag of another that looks like them leads on;
    questions that are marked as unanswerable lack nothing."""
    golden = [
        {"id": n, "question": q, "gold_answer": None if n else "say so", "expected_answer_summary": a}
        for n, (q, a, _) in enumerate(TOWNS)
    ]
    answered = jsonl("rag.jsonl", *({"id": n, "response": r} for n, (*_, r) in enumerate(TOWNS)))

    def doubt(source: Source) -> list[str]:
        return [question for question in ask([source, answered]) if "without a golden answer" in question]

    file = jsonl("golden.jsonl", *golden)
    (problem,) = doubt(file)
    assert '--map "gold_answer=" --map "expected_answer_summary=answer"' in problem
    mapped = replace(file, mapping={"gold_answer": "", "expected_answer_summary": "answer"})
    assert load(None, [mapped, answered]).golden["answer"].to_list() == [a for _, a, _ in TOWNS]
    assert not doubt(mapped)
    marked = [
        {"id": n, "question": q, "answer": a if n < 2 else None, "answerable": n < 2}
        for n, (q, a, _) in enumerate(TOWNS)
    ]
    assert not doubt(jsonl("golden.jsonl", *marked))
    blank = [row | {"answerable": None} for row in marked]
    assert doubt(jsonl("golden.jsonl", *blank))


@pytest.mark.parametrize(
    "beside",
    [
        ("short_correct", [None] * len(TOWNS)),  # a verdict that nobody has filled in
        ("raw_response", [f"{response}." for *_, response in TOWNS]),  # what the response was parsed from
        ("distances", [f"0.28{n}; 0.31{n}" for n in range(len(TOWNS))]),  # numbers, several a cell
    ],
)
def test_what_is_no_golden_answer_is_not_offered_as_one(beside: tuple[str, list[str | None]]):
    """A table without golden answers is refused, and no flag makes a verdict, a raw response or distances golden."""
    name, cells = beside
    rows = [{"question": q, "submitted_answer": r, name: cell} for (q, _, r), cell in zip(TOWNS, cells, strict=True)]
    with pytest.raises(QavizError) as error:
        load(None, [jsonl("P.jsonl", *rows)])
    assert "=answer" not in str(error.value)


def test_a_question_that_most_rows_lack_is_no_question_beside_a_full_one():
    """Of "instruction" and "input", which is empty in most rows, the instruction is what was asked, in any order."""
    rows = [
        {"instruction": q, "input": "a map" * (n == 0), "reference": a, "response": r}
        for n, (q, a, r) in enumerate(TOWNS)
    ]
    for names in (list(rows[0]), list(rows[0])[::-1]):
        loaded = load(None, [jsonl("P.jsonl", *({name: row[name] for name in names} for row in rows))])
        assert loaded.golden["question"].to_list() == [q for q, *_ in TOWNS]
        assert loaded.rows.height == len(TOWNS)
