"""What a file means is tested on its cells, and what loses rows or reads names as responses is not saved unasked."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.loading import Source, load, preview
from qaviz.store.workspace import open_workspace
from tests.loading.files import ask, jsonl, upload
from tests.loading.shapes import SHAPES, TOWNS

MODELS = ("gpt-4o-mini", "claude-haiku")


def written(header: str, rows: list[tuple[object, ...]]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerows([header.split(","), *rows])
    return stream.getvalue()


def persona_study() -> str:
    """An experiment of two models under three conditions, the response in a column called `content`."""
    rows = [
        (condition, model, f"q{n}", f"What is thing {n} called?", f"Name{n}", f"It is called Name{n}, so {condition}.",
         1.0, 13, "correct", f"Claim {n} agrees with the gold answer.", f"openai/{model}-2024", f"gen-{condition}-{n}")
        for model in MODELS for condition in ("clean_start", "post_switch", "null_history") for n in range(10)
    ]  # fmt: skip
    header = "condition,model_key,qid,question,gold_answer,content,certainty_score,word_count,judge_verdict,"
    return written(f"{header}judge_reasoning,model_actual,response_id", rows)


def exam() -> str:
    """Multiple-choice questions: a letter as the answer, the options in columns of their own, some empty."""
    options = [
        {"A": f"one {n}", "B": f"two {n}", "C": f"three {n}", "D": f"four {n}" if n % 3 else None} for n in range(9)
    ]
    return json.dumps([{"question": f"Ship question {n}?", "answer": "ABC"[n % 3]} | options[n] for n in range(9)])


def two_bots(header: str) -> Source:
    rows = [
        (n, f"How many live in town {n}?", bot, f"{bot} says {n}00.") for n in range(4) for bot in ("Alpha", "Beta")
    ]
    return upload("P.csv", written(header, rows))


def roles(source: Source) -> dict[str, str]:
    """Our words -> the column that is read as it, of a file of responses."""
    return {word: name for name, word in preview(None, [source])[0].words.items()}


def test_a_name_of_a_model_is_no_response():
    """A model's name stands beside many questions: it names the pipeline, and the texts beside it are the responses."""
    assert roles(upload("r.csv", persona_study())) == {
        "question_id": "qid", "question": "question", "answer": "gold_answer", "pipeline": "model_key",
        "response": "content",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("header", "bot", "said"),
    [
        ("REF,what was asked,Which bot,Bot said", "Which bot", "Bot said"),
        ("#,Question text,Assistant,Reply", "Assistant", "Reply"),
    ],
)
def test_names_of_bots_are_pipelines(header: str, bot: str, said: str):
    """Headings that may mean the bot or its answer are read by their cells."""
    found = roles(two_bots(header))
    assert (found["pipeline"], found["response"]) == (bot, said)


def test_options_are_no_pipelines():
    """Options beside a letter are a golden dataset: its answers are the options' texts or their letters, and it has no
    responses."""
    source = upload("m.json", exam())
    assert preview(None, [source])[0].form == "multiple choice"
    assert preview(None, [source])[0].pipelines == {}
    responses = upload("r.csv", "question,pipeline,response\nShip question 1?,A,two 1\n")
    loaded = load(source, [responses])
    assert loaded.golden["answer"].to_list()[:3] == ["one 0<OR>A", "two 1<OR>B", "three 2<OR>C"]


def test_lists_of_tags_are_tags():
    """Tags that stand as a list are the tags of the triplet."""
    golden = upload("g.jsonl", '{"question": "Who?", "answer": "Ann", "tags": "[\\"critical\\", \\"hr\\"]"}\n')
    loaded = load(golden, [upload("r.csv", "question,pipeline,response\nWho?,A,Ann\n")])
    assert loaded.golden["tags"].to_list() == ["critical; hr"]


def import_file(folder: Path, capsys, content: str, *flags: str, name: str = "r.csv") -> tuple[int, dict[str, object]]:
    """The exit code and the JSON of an import of one file."""
    (folder / name).write_text(content)
    end = ["--format", "json", "--workspace", str(folder / "home"), *flags]
    code = main(["import", str(folder / name), *end])
    return code, json.loads(capsys.readouterr().out)


def test_rows_that_would_be_lost_are_asked(tmp_path, capsys):
    """Where two thirds of the rows stand twice nothing is saved: the columns that tell them apart are named, with the
    flags that settle it, in a dry run as in an import."""
    for flags in (["--dry-run"], ["--name", "June"]):
        code, said = import_file(tmp_path, capsys, persona_study(), *flags)
        assert (code, said["would_save"]) == (2, False)
        assert said["rows"] == {"read": 60, "aligned": 20, "duplicate": 40, "unaligned": 0, "unanswered": 0}
        assert said["pipelines"] == dict.fromkeys(MODELS, 10)
        assert said["reading"] == {
            "layout": "long",
            "columns": {
                "question_id": ["qid"],
                "question": ["question"],
                "answer": ["gold_answer"],
                "pipeline": ["model_key"],
                "response": ["content"],
            },
        }
        assert '--map "condition=pipeline"' in str(said["doubts"])
    assert open_workspace(tmp_path / "home").runs() == []


def test_the_flags_that_are_named_settle_it(tmp_path, capsys):
    """With the columns that it named mapped as the pipeline, every row is a response of its own."""
    flags = ["--map", "model_key=pipeline", "--map", "condition=pipeline", "--name", "June"]
    code, said = import_file(tmp_path, capsys, persona_study(), *flags)
    assert (code, said["would_save"], said["doubts"]) == (0, True, [])
    assert said["pipelines"] == {
        f"{model} · {condition}": 10 for model in MODELS for condition in ("clean_start", "post_switch", "null_history")
    }


def test_doubts_that_a_person_accepts_stay_with_the_run(tmp_path, capsys):
    """--yes saves the run with its doubts: no decision on it is sure, and they are listed with it."""
    code, said = import_file(tmp_path, capsys, persona_study(), "--yes", "--name", "June")
    assert (code, said["would_save"]) == (1, True)
    home = open_workspace(tmp_path / "home")
    run = home.find("June")
    assert run.listed_counts["doubt"] == 1
    assert home.read_listed(run).filter(home.read_listed(run)["kind"] == "doubt")["detail"][0].startswith("40 of 60")


def towns(head: str, *cells: str, name: str = "r.csv", number: int = 4) -> Source:
    """A file of these columns with a row a town: `{q}` is its question, `{a}` the golden answer, `{r}` a response,
    `{n}` its number, `{odd}` yes or no, `{bit}` 1 or 0."""
    rows = []
    for n, (q, a, r) in enumerate((TOWNS * 2)[:number]):
        q = q if n < len(TOWNS) else f"{q[:-1]} in {n}?"
        rows.append(tuple(cell.format(q=q, a=a, r=r, n=n, odd="yes" if n % 2 else "no", bit=n % 2) for cell in cells))
    return upload(name, written(head, rows))


SHARED = [upload("g.csv", "question,answer\nWho?,Ann\nWhere?,Graz\n")] + [
    upload(f"{name}.csv", f"question,model,response\nWho?,gpt,{who}\n{more}")
    for name, who, more in (("short", "Ann", "Where?,gpt,Graz\n"), ("long", "Bob", ""), ("same", "Ann", ""))
]


def test_where_the_golden_column_is_left_out_the_response_is_not_offered_as_golden():
    """Once a person said that a label is no golden answer, golden answers are missing."""
    source = towns(
        "question,expected_place,predicted_place,response",
        "{q}",
        "{a}",
        "{r}",
        "As far as the documents tell, this is a town that lies {r}.",
    )
    for mapping, said in (({}, "expected_place=answer"), ({"expected_place": ""}, "bring a golden dataset")):
        (question,) = ask([replace(source, mapping=mapping)])
        assert said in question
        assert "response=answer" not in question


ROUTED = [(f"Where is {n}?", "correct" if n % 5 else "web", f"It is in {n}.", f"In {n}, {n + 1}.") for n in range(12)]


@pytest.mark.parametrize("name", ["answer", "rag_answer"])
def test_a_route_is_no_golden_answer_where_responses_are_texts(name: str):
    """Of "expected", few words again and again, and "reference", the texts are golden, or offered first; where the
    responses are such words too, "expected" is golden."""

    def find_golden(column: int) -> list[str]:
        rows = [(row[0], "crag", row[1], row[column], row[3]) for row in ROUTED]
        (seen,) = preview(None, [upload("P.csv", written(f"question,pipeline,expected,{name},reference", rows))])
        words = seen.readings[0].mapping if seen.readings else seen.words
        return [column for column, word in words.items() if word == "answer"]

    assert find_golden(2) == ["reference"]
    assert find_golden(1) == ["expected"]


def test_one_pipeline_that_two_files_answer_alike_is_not_asked():
    """Equal answers, in files of one pipeline, are no doubt."""
    assert not [question for question in ask([*SHARED[:2], SHARED[3]]) if "answered before" in question]


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ("one model in two files", ["model", "model"]),
        ("one model in two files, under two names", ["model", "system"]),
    ],
)
def test_files_of_one_model_are_told_apart_by_the_command(shape: str, names: list[str]):
    """With the model left out, as the command says, the files are the pipelines."""
    files = [replace(source, mapping={name: ""}) for source, name in zip(SHAPES[shape].files, names, strict=True)]
    assert ask(files) == []
    assert set(load(None, files).rows["pipeline"]) == {"first", "second"}


def test_modes_of_questions_with_several_golden_answers_are_asked():
    """Where a question has several golden answers, as beside images, a column that tells apart the responses to the
    same one is offered as the pipeline."""
    rows = [(f"Is it {q}?", f"Yes, as on {n}.", mode, f"{mode} says {n}{q}")
            for mode in ("bare", "rag") for q in ("large", "round") for n in range(4)]  # fmt: skip
    source = upload("r.csv", written("question,gold,mode,prediction", rows))
    (question,) = ask([source])
    assert '--map "mode=pipeline"' in question
    loaded = load(None, [replace(source, mapping={"mode": "pipeline"})])
    assert loaded.rows["pipeline"].value_counts(sort=True)["count"].to_list() == [8, 8]


def test_names_of_prompts_are_not_what_was_asked():
    """A few words under `prompt`, beside more ids, tell responses apart and ask nothing."""
    golden = jsonl("g.jsonl", *({"id": f"q{n}", "question": q, "gold": a} for n, (q, a, _) in enumerate(TOWNS)))
    prompts = ("plain", "grounded")
    said = jsonl(
        "r.jsonl", *({"id": f"q{n}", "prompt": p, "answer": r + p} for n, (*_, r) in enumerate(TOWNS) for p in prompts)
    )
    (question,) = ask([golden, said])
    assert '--map "prompt=pipeline"' in question
    loaded = load(None, [golden, replace(said, mapping={"prompt": "pipeline"})])
    assert loaded.rows["pipeline"].value_counts().sort("pipeline").rows() == [("grounded", 4), ("plain", 4)]


@pytest.mark.parametrize("name", ["generated_tokens", "predicted_entities"])
@pytest.mark.parametrize("least", [1, 2])
def test_a_list_beside_a_response_repeats_nothing(name: str, least: int):
    """Whatever else is listed beside a response, as many texts in each row or not, no row becomes several."""
    rows = [
        {"question": q, "gold": a, "response": r, name: [f"{r}{part}" for part in range(least + n % 2)]}
        for n, (q, a, r) in enumerate(TOWNS)
    ]
    loaded = load(None, [replace(jsonl("r.jsonl", *rows), mapping={"response": "response"})])
    assert loaded.rows["pipeline"].to_list() == ["r"] * 4


SAME = {
    "rows": lambda head, rows: (head, rows[::-1]),
    "columns": lambda head, rows: (head[::-1], [row[::-1] for row in rows]),
    "capitals": lambda head, rows: ([name.upper() for name in head], rows),
    "blanks": lambda head, rows: ([f" {name} " for name in head], rows),
}
"""What changes nothing of what a table says."""


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
@pytest.mark.parametrize(
    "head",
    [
        "question,answer,response,correct",
        "question,ground truth,model answer,model",
        "query,gold,rag_v1,rag_v2",
        "Frage,Erwartete Antwort,Antwort,Modell",
    ],
)
def test_the_order_of_rows_and_columns_and_capitals_change_nothing(head: str, change):
    """A table that is written otherwise, with the same cells under the same names, says the same."""
    last = {"correct": [0.8, 0.4, 1, 0.2], "rag_v2": ["in Region 1", "north", "in Region 2", "south"]}
    names = head.split(",")
    rows = [(*town, cell) for town, cell in zip(TOWNS, last.get(names[-1], ["llama"] * 4), strict=True)]
    assert read_table(*change(names, rows)) == read_table(names, rows)


def read_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> list[tuple[str, str, str]]:
    """Question, golden answer and response of each row, in one order, with the pipeline's name in lower case."""
    loaded = load(None, [upload("r.csv", written(",".join(names), rows))])
    return sorted(
        (question, answer, pipeline.lower().strip(), response)
        for question, answer, pipeline, response in loaded.rows.select(
            "question", "answer", "pipeline", "response"
        ).iter_rows()
    )
