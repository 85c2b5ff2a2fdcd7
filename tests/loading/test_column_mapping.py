"""Columns are recognised by the names that people use, and a mapping has the last word."""

from dataclasses import replace

import jmespath
import polars as pl
import pytest

from qaviz.loading import Source, load, preview
from qaviz.loading.looks import Columns
from qaviz.loading.recognise import read_roles
from qaviz.loading.roles import read_data, spell_flags
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE, entries, jsonl, upload

HEADERS = {
    "ours": ("question_id question answer fact", "question_id question answer fact", ()),
    "ours, responses": ("question_id pipeline response", "question_id pipeline response", ()),
    "seed": ("question ground_truth_answer fact", "question answer fact", ()),
    "Ragas": ("user_input reference synthesizer_name", "question answer -", ()),
    "Ragas, both": ("user_input response retrieved_contexts reference", "question response contexts answer", ()),
    "Ragas 0.1": ("question contexts answer ground_truth", "question contexts response answer", ()),
    "DeepEval": ("input expected_output actual_output source_file", "question answer response source", ()),
    "FMEval": ("model_input model_output target_output category", "question response answer category", ()),
    "Giskard": ("id question reference_answer", "question_id question answer", ()),
    "Langfuse": ("input expectedOutput metadata", "question answer -", ()),
    "best name first": ("ideal target query question", "answer - - question", ()),
    "SQuAD predictions": ("id prediction_text", "question_id response", ()),
    "answers of a model": ("id model answer", "question_id pipeline response", ()),
    "answers of nobody": ("question answer", "question bare", ()),
    "wide, by id": ("question_id GPT Claude", "question_id - -", ("GPT", "Claude")),
    "wide, in one file": ("question answer fact A B", "question answer fact - -", ("A", "B")),
    "wide, without a fact": ("question answer A", "question answer -", ("A",)),
    "a solution beside what is correct": ("question correct solution", "question answer response", ()),
    "q and a": ("q a response", "question answer response", ()),
    "q and a, by nobody": ("q a", "question bare", ()),
    "a beside b": ("q a b", "question - -", ("a", "b")),
    "of two models": ("question correct gpt4.solution llama.solution", "question answer - -", ("gpt4", "llama")),
}


@pytest.mark.parametrize("rule", [rule for rules in read_data("answers.toml").values() for rule in rules], ids=str)
def test_rules_are_expressions(rule: dict[str, object]):
    """Conditions and columns of each rule are JMESPath, which says nothing where it cannot read one."""
    readings = [expression for reading in rule.get("readings", ()) for expression in reading]
    for expression in (rule["when"], *readings, rule.get("pipelines", "bare")):
        jmespath.compile(expression)


@pytest.mark.parametrize(("header", "words", "pipelines"), HEADERS.values(), ids=HEADERS)
def test_columns_are_known_by_their_names(header: str, words: str, pipelines: tuple[str, ...]):
    """Each maker's names are known, of two for one word the better is taken; columns of systems are pipelines, and an
    answer of which no name says whose it is stays open."""
    names = header.split()
    rows = [[f"{name} {n}" for name in names] for n in range(2)]
    layout = read_roles(Columns(pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")), {})
    found = {**layout.words, **({layout.bare: "bare"} if layout.bare else {})}

    assert [found.get(name, "-") for name in names] == words.split()
    assert tuple(layout.pipelines.values()) == pipelines
    assert not layout.readings


@pytest.mark.parametrize("rows", [4, 12])
@pytest.mark.parametrize("names", [("model_a", "model_b"), ("Model 1", "Model 2"), ("system A", "system B")], ids=str)
def test_models_side_by_side_are_pipelines_however_few_and_short_their_answers(names: tuple[str, ...], rows: int):
    """A column called after one of several models has what it answered, though the other one's answers are words, and
    not where names of models stand in them: those are refused, or asked."""
    asked = [f"How high is tower {n}?" for n in range(rows)]
    texts = {"question": asked, names[0]: [f"Tower {n} is {n} m high" for n in range(rows)]}
    short = read_roles(Columns(pl.DataFrame(texts | {names[1]: [f"{n} metres" for n in range(rows)]})), {})
    models = [f"model-{n % 3}" for n in range(rows)]
    named = read_roles(Columns(pl.DataFrame({"question": asked, names[0]: models, names[1]: models[::-1]})), {})

    assert tuple(short.pipelines) == names
    assert not named.pipelines
    assert "response" not in named.words.values()


def test_answers_of_two_columns_may_be_those_of_pipelines():
    """Golden answers may stand in another file: two columns called `answer`, or nothing, are offered as pipelines."""
    rows = [[f"What is thing {n} called?", f"Thing {n} is Name{n}", f"It is thing {n}"] for n in range(6)]
    for names in (["question", "finetuned", "base"], ["question", "answer1", "answer2"]):
        layout = read_roles(Columns(pl.DataFrame(rows, schema=names, orient="row")), {})
        assert dict.fromkeys(names[1:], "response") in [reading.mapping for reading in layout.readings]


ASKED = {
    "parsed and raw": "question ground_truth pred generated_text",
    "a reference that may be the place": "question reference answer",
    "a letter or a text": "question answer_key answer",
    "systems that nobody knows": "question ground_truth llama70b groq",
}


@pytest.mark.parametrize("header", ASKED.values(), ids=ASKED)
def test_two_readings_are_asked_with_their_flags(header: str):
    """Where two readings pass nothing is read, and each has the whole flags to copy, names never cut."""
    names = [*header.split(), f"a {'long ' * 20}name"]
    rows = [
        [f"What is thing {n} called?", f"Thing {n} is Name{n}", f"Name{n} it is", f"I say Name{n}", ""]
        for n in range(6)
    ]
    frame = pl.DataFrame(
        [[*row[: len(names) - 1], ""] for row in rows], schema=dict.fromkeys(names, pl.String), orient="row"
    )
    layout = read_roles(Columns(frame), {})
    assert len(layout.readings) == 2
    for reading in layout.readings:
        settled = read_roles(Columns(frame), reading.mapping)
        assert not settled.readings
        assert all(f'--map "{name}={word}"' in spell_flags(reading.mapping) for name, word in reading.mapping.items())


def test_a_mapping_has_the_last_word():
    """Mapped columns are read as what they are mapped to, and columns mapped to nothing are left out and listed."""
    golden = upload("g.csv", "Frage,answer,Soll,fact\nq,not this,a,f\n")
    responses = upload("r.csv", "Frage,System,Text,Zeit\nq,A,x,12\n")
    mapping = {"Frage": "question", "System": "pipeline", "Text": "response", "Zeit": "latency_ms"}
    loaded = load(
        replace(golden, mapping={"Frage": "question", "Soll": "answer", "answer": ""}),
        [replace(responses, mapping=mapping)],
    )

    assert loaded.rows.select("question", "answer", "fact", "pipeline", "response", "latency_ms").rows() == [
        ("q", "a", "f", "A", "x", 12.0)
    ]
    assert entries(loaded, "ignored column") == [("g.csv", None, None, '"answer" is left out')]


def test_several_columns_may_be_mapped_to_the_response():
    """A mapping can say which columns of a wide file are pipelines; the others are left out."""
    file = upload("r.csv", "question_id,response,mood,B\nq1,x,fine,y\n")
    loaded = load(GOLDEN_FILE, [replace(file, mapping={"response": "response", "B": "response"})])

    assert loaded.rows.select("pipeline", "response").rows() == [("response", "x"), ("B", "y")]
    assert entries(loaded, "ignored column") == [("r.csv", None, None, '"mood" is left out')]


def test_columns_that_are_left_out_are_listed():
    """A column that is no word of ours is named, with its file; a column without a name by its place."""
    loaded = load(
        upload("g.csv", "question_id,question,answer,mood,\nq1,q,a,fine,x\n"),
        [jsonl("r.jsonl", {"question_id": "q1", "pipeline": "A", "response": "x", "tokens": 3, "raw": {"a": [1]}})],
    )

    assert entries(loaded, "ignored column") == [
        ("g.csv", None, None, '"mood" is left out'),
        ("g.csv", None, None, '"column 5" is left out'),
        ("r.jsonl", None, None, '"tokens" is left out'),
        ("r.jsonl", None, None, '"raw.a" is left out'),
    ]


WRONG_MAPPINGS = {
    "no such column": ({"Frage": "question"}, 'found no column "Frage"; expected one of "question", "answer".'),
    "no such word": (
        {"answer": "reply"},
        'found "answer" mapped to "reply"; expected one of "question_id", "question", "answer", "fact", "category", '
        '"answerable", "source", "tags", "passage_id", "evidence"',
    ),
    "two columns, one word": (
        {"question": "answer", "answer": "answer"},
        'found "question", "answer" mapped to "answer"; expected one column a word.',
    ),
}


@pytest.mark.parametrize(("mapping", "said"), WRONG_MAPPINGS.values(), ids=WRONG_MAPPINGS)
def test_a_wrong_mapping_is_explained(mapping: dict[str, str], said: str):
    """A mapping that names what is not there says so, and what there is."""
    with pytest.raises(QavizError) as caught:
        load(replace(upload("g.csv", "question,answer\nq,a\n"), mapping=mapping), [])

    assert str(caught.value).startswith(f"g.csv: {said}")
    assert str(caught.value).endswith("Correct the mapping.")


PREVIEWED = [
    (upload("r.jsonl", '{"question_id": "q1", "model": "A", "answer": "x"}\n{"question_id": "q2"}\n'), "long"),
    (upload("r.csv", 'question_id,A,B\nq1,x,"y\nz"\nq2,v,w\n'), "wide"),
]


@pytest.mark.parametrize(("source", "form"), PREVIEWED)
def test_a_preview_says_form_and_rows(source: Source, form: str):
    """A preview tells long from wide form, counts the rows, and shows them with what they would be read as."""
    seen = preview(None, [source])[0]

    assert (seen.form, seen.rows) == (form, 2)
    assert seen.words["question_id"] == "question_id"
    assert seen.first["question_id"].to_list() == ["q1", "q2"]


def test_a_preview_says_what_has_to_be_mapped():
    """A file whose columns cannot be guessed is shown all the same, with what is lacking until a mapping says it."""
    source = upload("g.csv", "Eins,Zwei\nq,a\n")
    seen = preview(None, [source])[0]

    assert seen.columns == ("Eins", "Zwei")
    assert seen.lacking
    assert seen.first.rows() == [("q", "a")]
    mapped = replace(source, mapping={"Eins": "question", "Zwei": "fact"})
    assert [problem.expected.split('"')[1] for problem in preview(None, [mapped])[0].lacking] == ["response"]


def test_a_preview_shows_what_a_load_would_refuse():
    """Numbers, lists, halves of characters and very long cells are shown as text, cut where they are long."""
    long_cell = "x" * 900
    odd = f'{{"question": "\\ud800", "answer": "{long_cell}", "notes": []}}'
    lines = ['{"question": 42, "answer": "a", "notes": ["é"]}', "broken", odd]
    source = upload("g.jsonl", "\n".join(lines))
    seen = preview(None, [source])[0]

    assert seen.first.rows() == [("42", "a", '["é"]'), (None, long_cell[:500], "[]")]
    assert seen.rows == 2
