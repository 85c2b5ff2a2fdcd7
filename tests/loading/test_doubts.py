"""What a file means is tested on its cells, and what loses rows or reads names as responses is not saved unasked."""

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.loading import Source, load, preview
from qaviz.model.errors import QavizError
from qaviz.store.workspace import open_workspace
from tests.loading.files import jsonl, upload

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


def test_what_tells_the_responses_of_one_model_apart_is_asked(tmp_path, capsys):
    """Of one model led in four ways it is asked what makes a pipeline, with the flag of the column that tells."""
    rows = [
        ("llama3:latest", f"s{n}", way, f"Who built thing {n}?", f"Builder {n} did.", f"{n}, {way}", 1.2, 0)
        for n in range(5) for way in ("baseline", "rag", "constrained", "self_verification")
    ]  # fmt: skip
    content = written("model,sample_id,reducer,question,right_answer,generated_answer,latency_s,bert_pred", rows)
    code, said = ask(tmp_path, capsys, content, "--dry-run")
    assert code == 2
    assert "reducer=pipeline" in str(said["doubts"])


@pytest.mark.parametrize(("head", "cell"), [("oracle_answer,rag_answer", "north of {}"), ("final_gold,answer", "true")])
def test_what_is_called_golden_is_tested_on_its_cells(tmp_path, capsys, head: str, cell: str):
    """The oracle's answer beside another pipeline's, and flags beside answers, are no golden answers: a golden dataset
    is asked for."""
    rows = [(question, cell.format(golden), golden) for question, golden, _ in TOWNS]
    code, read = ask(tmp_path, capsys, written(f"question,{head}", rows), "--dry-run")
    assert code == 2
    assert f"{head.split(',')[0]}=" not in str(read["doubts"])


@pytest.mark.parametrize("few", [["I don't know", "Region 3"], ["Region 1", "Region 2"]])
def test_short_responses_again_and_again_name_no_pipeline(few: list[str]):
    """A pipeline that mostly declines, or says the same few golden answers, is a pipeline beside the other."""
    rows = [(f"Where is town {n}?", f"Region {n}", f"in Region {n}", few[n % 5 // 4]) for n in range(15)]
    loaded = load(None, [upload("r.csv", written("question,golden answer,GPT-4 answer,Claude answer", rows))])
    assert set(loaded.rows["pipeline"]) == {"GPT-4 answer", "Claude answer"}


@pytest.mark.parametrize("name", ["gold", "expected_answer"])
def test_yes_and_no_that_responses_say_are_golden_answers(name: str):
    """Golden answers may be yes and no, beside responses in whole sentences."""
    rows = [(f"Is {n} odd?", "Yes" if n % 2 else "No", f"{'Yes' if n % 2 else 'No'}, {n} is that.") for n in range(8)]
    loaded = load(None, [upload("r.csv", written(f"question,{name},response", rows))])
    assert set(loaded.golden["answer"]) == {"Yes", "No"}


@pytest.mark.parametrize("name", ["answer_confidence", "exactitude"])
def test_figures_are_not_offered_as_answers(tmp_path, capsys, name: str):
    """What is to be mapped is a column of texts: no level of confidence, no figure."""
    rows = [(question, "high" if name == "answer_confidence" else n, n) for n, (question, *_) in enumerate(TOWNS)]
    code, read = ask(tmp_path, capsys, written(f"question,{name},n_docs", rows), "--dry-run")
    assert code == 2
    assert f"{name}=" not in str(read["doubts"])


def test_several_responses_rated_by_several_people_are_asked(tmp_path, capsys):
    """A heading that says nothing, the same each time its question stands there, is the golden answer; responses that
    raters repeat are asked."""
    rows = [
        (person, n, f"Goal {n}?", f"I will improve {n} this month by a plan.", r, f"This month {r}, {n}.", 3)
        for person in ("Mansi", "Bo") for n in range(4) for r in range(4 * n, 4 * n + 4)
    ]  # fmt: skip
    code, said = ask(tmp_path, capsys, written("evaluator,qid,question,ga,rid,response,accuracy", rows), "--dry-run")
    assert (code, said["would_save"]) == (2, False)


def ask(folder: Path, capsys, content: str, *flags: str, name: str = "r.csv") -> tuple[int, dict[str, object]]:
    """The exit code and the JSON of an import of one file."""
    (folder / name).write_text(content)
    end = ["--format", "json", "--workspace", str(folder / "home"), *flags]
    code = main(["import", str(folder / name), *end])
    return code, json.loads(capsys.readouterr().out)


def test_rows_that_would_be_lost_are_asked(tmp_path, capsys):
    """Where two thirds of the rows stand twice nothing is saved: the columns that tell them apart are named, with the
    flags that settle it, in a dry run as in an import."""
    for flags in (["--dry-run"], ["--name", "June"]):
        code, said = ask(tmp_path, capsys, persona_study(), *flags)
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
    code, said = ask(tmp_path, capsys, persona_study(), *flags)
    assert (code, said["would_save"], said["doubts"]) == (0, True, [])
    assert said["pipelines"] == {
        f"{model} · {condition}": 10 for model in MODELS for condition in ("clean_start", "post_switch", "null_history")
    }


def test_doubts_that_a_person_accepts_stay_with_the_run(tmp_path, capsys):
    """--yes saves the run with its doubts: no decision on it is sure, and they are listed with it."""
    code, said = ask(tmp_path, capsys, persona_study(), "--yes", "--name", "June")
    assert (code, said["would_save"]) == (1, True)
    home = open_workspace(tmp_path / "home")
    run = home.find("June")
    assert run.listed_counts["doubt"] == 1
    assert home.read_listed(run).filter(home.read_listed(run)["kind"] == "doubt")["detail"][0].startswith("40 of 60")


ODD = {
    "one response to all": ["It depends on the town."] * 8,
    "names": ["gpt-4o", "claude"] * 4,
    "the questions": [f"How many live in town {n}?" for n in range(8)],
    "the golden answers": [f"Town {n} has {n}00 people in all" for n in range(8)],
}


@pytest.mark.parametrize("responses", ODD.values(), ids=ODD)
def test_responses_that_are_none_are_asked(tmp_path, capsys, responses: list[str]):
    """Responses that are all the same, names, the questions or the golden answers are not saved unasked."""
    golden = [(f"How many live in town {n}?", f"Town {n} has {n}00 people in all") for n in range(8)]
    (tmp_path / "g.csv").write_text(written("question,answer", golden))
    given = [(question, "A", said) for (question, _), said in zip(golden, responses, strict=True)]
    (tmp_path / "r.csv").write_text(written("question,pipeline,response", given))
    end = ["--dry-run", "--format", "json", "--workspace", str(tmp_path / "home")]
    assert main(["import", str(tmp_path / "g.csv"), str(tmp_path / "r.csv"), *end]) == 2
    assert len(json.loads(capsys.readouterr().out)["doubts"]) == 1


def test_a_pipeline_that_two_files_have_answer_otherwise_is_asked(tmp_path, capsys):
    """Two files under one pipeline's name that differ in one answer are asked about; parts of one, and equal answers,
    are not."""
    (tmp_path / "g.csv").write_text("question,answer\nWho?,Ann\nWhere?,Graz\n")
    (tmp_path / "short.csv").write_text("question,model,response\nWho?,gpt,Ann\nWhere?,gpt,Graz\n")
    end = ["--dry-run", "--format", "json", "--workspace", str(tmp_path / "home")]
    for name, rows, doubts in (("long", "Who?,gpt,Bob\n", 1), ("same", "Who?,gpt,Ann\n", 0)):
        (tmp_path / f"{name}.csv").write_text("question,model,response\n" + rows)
        main(["import", *(str(tmp_path / f"{file}.csv") for file in ("g", "short", name)), *end])
        said = json.loads(capsys.readouterr().out)["doubts"]
        assert len(said) == doubts
        assert all('"gpt" answers otherwise in short.csv and long.csv' in doubt for doubt in said)


def test_files_that_name_one_pipeline_are_parts_of_it(tmp_path, capsys):
    """A file that answers otherwise under a pipeline's name is asked about: its responses are repeats."""
    given = [written("question,model,response", [(f"{n}?", "gpt", f"{word} {n}") for n in range(6)]) for word in "xy"]
    (tmp_path / "g.csv").write_text(written("question,answer", [(f"{n}?", f"so {n}") for n in range(6)]))
    files = [tmp_path / f"{n}.csv" for n in range(2)]
    for file, content in zip(files, given, strict=True):
        file.write_text(content)
    end = ["--dry-run", "--format", "json", "--workspace", str(tmp_path / "home")]
    assert main(["import", str(tmp_path / "g.csv"), *map(str, files), *end]) == 2
    assert "answered before" in capsys.readouterr().out


def test_golden_answers_that_are_rubrics_are_asked(tmp_path, capsys):
    """Golden answers that say what a response should do are compared with nothing unasked, all of them or one."""
    for rubrics in (6, 1):
        golden = [f"The chatbot should mention part {n}." if n < rubrics else f"Part {n}" for n in range(6)]
        rows = [(f"Explain thing {n}?", answer, f"Thing {n} has parts.") for n, answer in enumerate(golden)]
        code, said = ask(tmp_path, capsys, written("question,reference,response", rows), "--dry-run")
        assert (code, said["would_save"]) == (2, False)
        assert f"{rubrics} of 6 golden answers" in str(said["doubts"])


def test_what_is_left_out_and_looks_like_answers_is_named(tmp_path, capsys):
    """A column of wrong answers is no pipeline and is named; one of dates or of figures about answers is not."""
    rows = [
        (f"Where is town {n}?", f"Region {n}", f"Region {n + 7}", f"in Region {n}", "2024-05-01", n) for n in range(4)
    ]
    head = "Question,Correct Answer,Best Incorrect Answer,GPT-4 answer,answer date,response length"
    code, read = ask(tmp_path, capsys, written(head, rows), "--dry-run")
    assert (code, read["pipelines"]) == (0, {"GPT-4 answer": 4})
    assert read["ignored_columns"] == ["Best Incorrect Answer"]


def test_why_a_judge_graded_so_is_no_response(tmp_path, capsys):
    """Beside what a model generated, the grader's reasoning competes with nothing."""
    rows = [(f"Who is {n}?", f"Ann {n}", f"It is Ann {n}.", f"The answer names Ann {n}.", 1) for n in range(4)]
    code, read = ask(tmp_path, capsys, written("question,ideal,generated,llm_reasoning,llm_score", rows), "--dry-run")
    assert (code, read["rows"]["aligned"], read["ignored_columns"]) == (0, 4, [])


@pytest.mark.parametrize("asked", ["", "question_id,"])
def test_a_table_of_scores_is_told_as_that(tmp_path, capsys, asked: str):
    """Scores of models without an answer, with ids of questions or without, ask for the file with the responses."""
    rows = [((n,) if asked else ()) + ("llama", 0.5, 0.25) for n in range(4)]
    code, read = ask(tmp_path, capsys, written(f"{asked}model,accuracy,f1", rows), "--dry-run")
    assert code == 2
    assert "scores, not answers" in str(read["doubts"])
    assert "--map" not in str(read["doubts"])


TOWNS = [(f"Where is town {n}?", f"Region {n}", f"in Region {n + n % 2}") for n in range(4)]


@pytest.mark.parametrize(
    ("head", "beside"),
    [
        ("question,answer,response,correct", [0.8, 0.4, 1, 0.2]),
        ("question,answer,response,correct", [4, 3, 5, 1]),
        ("question,answer,response,correct", [1, 0, 1, 1]),
        ("question,answer,response,model", ["llama"] * 4),
        ("question,answer,response,pipeline", ["llama"] * 4),
    ],
)
def test_an_answer_beside_a_response_is_the_golden_one(tmp_path, capsys, head: str, beside: list[object]):
    """Whatever stands beside them, scores or who answered, the answer is golden and there is one pipeline."""
    rows = [(*row, cell) for row, cell in zip(TOWNS, beside, strict=True)]
    code, read = ask(tmp_path, capsys, written(head, rows), "--dry-run")
    assert (code, list(read["pipelines"].values())) == (0, [4])
    assert read["reading"]["columns"].get("answer", ["answer"]) == ["answer"]


def test_a_number_that_texts_state_is_the_golden_answer(tmp_path, capsys):
    """Numbers under `correct` that the answers beside them state are golden answers, no scores."""
    rows = [(f"What is {n} and {n}?", 2 * n, f"It is {2 * n + n % 2}.") for n in range(1, 9)]
    code, read = ask(tmp_path, capsys, written("question,correct,answer", rows), "--dry-run")
    assert (code, read["reading"]["columns"]["answer"]) == (0, ["correct"])


def test_two_answers_of_one_pipeline_beside_a_golden_one_are_asked(tmp_path, capsys):
    """A response and an answer that differ, beside a ground truth and a model: which of them counts is asked."""
    rows = [(question, golden, f"{response}.", response, "llama") for question, golden, response in TOWNS]
    head = "question,ground_truth,answer,response,model"
    code, read = ask(tmp_path, capsys, written(head, rows), "--dry-run")
    assert (code, len(read["doubts"])) == (2, 1)
    assert "answer=response" in str(read["doubts"])


LISTED = {
    "texts": [["in Region 0", "north"], ["in Region 2", None]],
    "objects": [[{"text": "in Region 0", "tokens": 3}, {"text": "north"}], [{"text": "in Region 2"}, None]],
}


@pytest.mark.parametrize(("name", "golden"), [("predictions", "gold"), ("answer", "gold"), ("response", "answer")])
@pytest.mark.parametrize("lists", LISTED.values(), ids=LISTED)
def test_several_responses_in_a_list_repeat_the_question(lists: list[list[object]], name: str, golden: str):
    """A list of responses, or of answers beside golden ones, is as many repeats, a missing one among them; never one
    text with all of them."""
    rows = [{"question": q, golden: a, name: texts} for (q, a, _), texts in zip(TOWNS, lists, strict=False)]
    loaded = load(None, [jsonl("m1.jsonl", *rows)])
    assert sorted(loaded.rows.select("pipeline", "response").rows()) == [
        ("m1 · repeat 1", "in Region 0"),
        ("m1 · repeat 1", "in Region 2"),
        ("m1 · repeat 2", "north"),
    ]


def test_objects_in_a_list_that_name_no_model_are_attempts():
    """`"trials": [{"n": 1, "response": …}, …]` repeats the question; its fields hide none beside the list."""
    rows = [
        {"id": n, "question": q, "answer": a, "trials": [{"id": t, "response": f"{r} {t}"} for t in (1, 2)]}
        for n, (q, a, r) in enumerate(TOWNS)
    ]
    rows_read = load(None, [jsonl("m1.jsonl", *rows)]).rows
    assert sorted(rows_read["pipeline"].unique()) == ["m1 · repeat 1", "m1 · repeat 2"]
    assert rows_read.filter(pl.col("pipeline") == "m1 · repeat 2")["response"][0] == "in Region 0 2"
    assert rows_read["question_id"].unique().sort().to_list() == ["0", "1", "2", "3"]


SYSTEMS = ("meta-llama/Llama-3.1-8B", "gpt-4o")


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"latency": 1.5}, id="seconds"),
        pytest.param({"costs": 0.01, "scores": 0.5}, id="scores and costs"),
        pytest.param({"explanations": "Because it is so."}, id="texts"),
        pytest.param({"all_samples": ["one", "two"]}, id="lists"),
        pytest.param({"token_usage": {"input": 20, "output": 30}}, id="counts"),
    ],
)
@pytest.mark.parametrize("name", ["answers", "model_responses"])
def test_an_object_with_a_field_a_system_is_its_responses(name: str, beside: dict[str, object]):
    """Whatever else is told of each system in objects beside it, of the row it says nothing."""
    rows = [
        {"question": q, "correct_answer": a, name: {system: f"{r} {system}" for system in SYSTEMS}}
        | {other: dict.fromkeys(SYSTEMS, value) for other, value in beside.items()}
        for q, a, r in TOWNS
    ]
    loaded = load(None, [jsonl("r.jsonl", *rows)]).rows
    assert set(loaded["pipeline"]) == set(SYSTEMS)
    assert all(response.endswith(system) for response, system in loaded.select("response", "pipeline").iter_rows())
    assert loaded["latency_ms"].null_count() == loaded["cost"].null_count() == loaded.height


def test_lists_in_a_list_are_the_spellings_of_parts():
    """Of a golden answer in parts, each with its spellings, every way to write all parts is a variant."""
    answers = [[["2 January", "Jan 2"]], [["Ann"], ["Bob", "Rob"]]]
    rows = [{"question": q, "ans": a, "prediction": r} for (q, _, r), a in zip(TOWNS, answers, strict=False)]
    golden = load(None, [jsonl("m1.jsonl", *rows)]).golden["answer"].to_list()
    assert golden == ["2 January<OR>Jan 2", "Ann, Bob<OR>Ann, Rob"]


@pytest.mark.parametrize(
    ("head", "make", "doubt"),
    [
        pytest.param(
            "question,original answer,correct answers",
            lambda _, q, a: (q, f"{a} indeed", json.dumps([f"{a} indeed", f"{a} maybe"])),
            "says what",
            id="an answer that is one of the golden ones",
        ),
        pytest.param(
            "question,gold,response",
            lambda n, q, a: (q, f"Results show that {a} has number {n}.", "yes" if n % 2 else "no"),
            "one of a few words",
            id="yes and no beside golden sentences",
        ),
    ],
)
def test_answers_that_may_be_of_another_column_are_asked(tmp_path, capsys, head: str, make, doubt: str):
    """What may be golden, and responses that no golden answer can be compared with, are asked."""
    rows = [make(n, f"Where is town {n}?", f"region {n}") for n in range(8)]
    code, read = ask(tmp_path, capsys, written(head, rows), "--dry-run")
    assert (code, read["would_save"]) == (2, False)
    assert doubt in str(read["doubts"])


def test_a_model_that_two_files_share_is_left_out_by_the_command(tmp_path, capsys):
    """Where files of one model answer the same questions, the printed command names pipelines after the files."""
    for name in ("first", "second"):
        rows = [(q, a, f"{r} {name}", "llama") for q, a, r in TOWNS]
        (tmp_path / f"{name}.csv").write_text(written("question,gold,response,model", rows), "utf-8")
    files = [str(tmp_path / f"{name}.csv") for name in ("first", "second")]
    assert main(["import", *files, "--dry-run", "--format", "json"]) == 2
    assert '--map "model="' in json.loads(capsys.readouterr().out)["doubts"][0]
    assert main(["import", *files, "--dry-run", "--format", "json", "--map", "model="]) == 0
    assert json.loads(capsys.readouterr().out)["pipelines"] == {"first": 4, "second": 4}


def test_lists_of_several_lengths_are_no_repeats():
    """Where rows list another number of texts, which may be parts of one response, nothing is read."""
    rows = [{"question": q, "gold": a, "prediction": [r] * (1 + n % 2)} for n, (q, a, r) in enumerate(TOWNS)]
    with pytest.raises(QavizError, match="line 2"):
        load(None, [jsonl("m1.jsonl", *rows)])


@pytest.mark.parametrize("name", ["generated_tokens", "predicted_entities"])
@pytest.mark.parametrize("least", [1, 2])
def test_a_list_beside_a_response_repeats_nothing(tmp_path, capsys, name: str, least: int):
    """Whatever else is listed beside a response, as many texts in each row or not, no row becomes several."""
    rows = [
        {"question": q, "gold": a, "response": r, name: [f"{r}{part}" for part in range(least + n % 2)]}
        for n, (q, a, r) in enumerate(TOWNS)
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows)
    _, read = ask(tmp_path, capsys, content, "--dry-run", "--map", "response=response", name="r.jsonl")
    assert read["rows"]["read"] == 4
    assert read["pipelines"] == {"r": 4}


def test_objects_in_a_list_are_the_responses_of_the_models_that_they_name():
    """`[{"model": …, "text": …}, …]` is a response of each model, whatever the field of the text is called."""
    rows = [
        {"question": q, "gold": a, "outputs": [{"model": m, "content": r + m} for m in ("x", "y")]} for q, a, r in TOWNS
    ]
    loaded = load(None, [jsonl("r.jsonl", *rows)])
    assert set(loaded.rows["pipeline"]) == {"x", "y"}
    assert loaded.rows.filter(loaded.rows["pipeline"] == "y")["response"][0] == "in Region 0y"


@pytest.mark.parametrize("order", [1, -1])
def test_which_of_two_answers_is_golden_is_asked(tmp_path, capsys, order: int):
    """A long and a short answer beside a response: which is golden is asked, whichever stands first."""
    rows = [(q, *(f"It is in {a}.", a)[::order], r) for q, a, r in TOWNS]
    head = ",".join(["question", *("long_answer", "short_answer")[::order], "prediction"])
    code, read = ask(tmp_path, capsys, written(head, rows), "--dry-run")
    assert code == 2
    assert {"short_answer=answer", "long_answer=answer"} <= set(re.findall(r"\w+=\w+", str(read["doubts"])))


WIDE = {
    "one object": ({"outputs": {"x": "{r}", "y": "{r}."}}, {"x", "y"}),
    "by whom": ({"Answer by GPT": "{r}", "Answer by Claude": "{r}."}, {"Answer by GPT", "Answer by Claude"}),
}


@pytest.mark.parametrize(("columns", "pipelines"), WIDE.values(), ids=WIDE)
def test_pipelines_side_by_side_have_the_names_that_tell_them_apart(columns: dict[str, object], pipelines: set[str]):
    """Fields of one object are pipelines without its name; an answer by somebody is theirs, beside the golden one."""
    rows = [json.loads(json.dumps({"question": q, "Answer": a} | columns).replace("{r}", r)) for q, a, r in TOWNS]
    loaded = load(None, [jsonl("r.jsonl", *rows)])
    assert set(loaded.rows["pipeline"]) == pipelines
    assert loaded.golden["answer"].to_list() == [a for _, a, _ in TOWNS]


def test_a_column_that_says_nothing_beside_pipelines_may_be_golden(tmp_path, capsys):
    """Where nothing is golden, the one column without a telling name is asked: golden, or a pipeline."""
    rows = [(question, golden, response, golden) for question, golden, response in TOWNS]
    code, read = ask(tmp_path, capsys, written("q,a,gpt-4,claude-3", rows), "--dry-run")
    assert code == 2
    assert "a=answer" in str(read["doubts"])


def test_a_column_beside_a_pipeline_is_not_lost(tmp_path, capsys):
    """Texts under a name that says nothing, beside a column that is a pipeline, are asked, however wrong they are."""
    rows = [(question, golden, response, f"nowhere {golden[-1]}") for question, golden, response in TOWNS]
    code, read = ask(tmp_path, capsys, written("question,answer,baseline,ours", rows), "--dry-run")
    assert code == 2
    assert "ours=response" in str(read["doubts"])


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
