"""What a file means is tested on its cells, and what loses rows or reads names as responses is not saved unasked."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.loading import Source, load, preview
from qaviz.model.errors import QavizError
from qaviz.store.workspace import open_workspace
from tests.loading.files import A, Q, R, ask, jsonl, upload
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


def test_one_golden_answer_of_ten_may_say_what_a_response_should_do():
    """One that reads as a rubric is none beside nine others; of two the first is shown, wherever it stands."""
    for number, shown in ((1, []), (2, ["The answer must name 0."])):
        golden = [f"The answer must name {n}." if n < number else f"Area {n}" for n in range(10)]
        rows = [(f"Where is {n}?", answer, f"in {n}") for n, answer in enumerate(golden)]
        questions = ask([upload("r.csv", written("question,reference,response", rows))])
        assert [text for question in questions for text in shown if text in question] == shown
        assert bool(questions) == bool(shown)


def test_lists_of_one_question_are_no_columns():
    """By id, or with a question in an object, a record stays one, whatever lists of equal length it has."""
    temps = ["0.1", "0.5", "0.9"]
    golden = jsonl("g.jsonl", *({"id": n, "question": q, "gold": a} for n, (q, a, _) in enumerate(TOWNS)))
    loaded = load(
        None,
        [
            golden,
            jsonl(
                "r.jsonl",
                *(
                    {"id": n, "predictions": [f"{r}, {temp}" for temp in temps], "temps": temps}
                    for n, (*_, r) in enumerate(TOWNS)
                ),
            ),
        ],
    )
    assert loaded.rows.height == 4 * len(temps)
    rows = [
        {"id": n, "input": {"question": q}, "queries": [q] * 3, "docs": [a] * 3, "gold": a, "response": r}
        for n, (q, a, r) in enumerate(TOWNS)
    ]
    assert load(None, [jsonl("r.jsonl", *rows)]).rows["response"].to_list() == [r for *_, r in TOWNS]


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


def test_files_of_one_model_are_told_apart_by_the_command():
    """With the model left out, as the command says, the files are the pipelines."""
    files = [replace(source, mapping={"model": ""}) for source in SHAPES["one model in two files"].files]
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


def test_a_lone_record_by_id_is_read_beside_others():
    """Of objects of records by id, one that has a single record gives it too."""
    record = {"question": Q[0], "gold": A[0], "response": R[0]}
    lists = {"en": {"0": record, "1": record | {"question": Q[1]}}, "zh": {"0": record | {"question": Q[2]}}}
    assert load(None, [upload("r.json", json.dumps(lists))]).rows["question"].to_list() == list(Q[:3])


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


def test_the_number_of_an_option_is_its_letter_too():
    """Of options A, B and C the golden "2" is the text of B, 2 and B."""
    rows = [(q, "x", a, "z", 2, "B") for q, a, _ in TOWNS]
    golden = load(None, [upload("r.csv", written("question,A,B,C,answer,pred_gpt", rows))]).golden
    assert golden["answer"][0] == "Region 0<OR>2<OR>B"


def test_lists_of_several_lengths_are_no_repeats():
    """Where rows list another number of texts, which may be parts of one response, nothing is read."""
    rows = [{"question": q, "gold": a, "prediction": [r] * (1 + n % 2)} for n, (q, a, r) in enumerate(TOWNS)]
    with pytest.raises(QavizError, match="line 2"):
        load(None, [jsonl("m1.jsonl", *rows)])


def test_objects_in_a_list_are_the_responses_of_the_models_that_they_name():
    """`[{"model": …, "text": …}, …]` is a response of each model, whatever the field of the text is called."""
    rows = [
        {"question": q, "gold": a, "outputs": [{"model": m, "content": r + m} for m in ("x", "y")]} for q, a, r in TOWNS
    ]
    loaded = load(None, [jsonl("r.jsonl", *rows)])
    assert set(loaded.rows["pipeline"]) == {"x", "y"}
    assert loaded.rows.filter(loaded.rows["pipeline"] == "y")["response"][0] == "in Region 0y"


WIDE = {
    "one object": ({"outputs": {"x": "{r}", "y": "{r}."}}, {"x", "y"}),
    "versions": ({"outputs": {"gpt-4.1": "{r}", "gpt-4.1-mini": "{r}."}}, {"gpt-4.1", "gpt-4.1-mini"}),
    "versions in one table": ({"gpt-4.1": "{r}", "gpt-4.0": "{r}."}, {"gpt-4.1", "gpt-4.0"}),
    "the same versions": (
        {f"{name} answer": f"{{r}} {name}" for name in ("A-3.1", "A-3.2", "B-3.1", "B-3.2", "B-3.3")},
        {"A-3.1 answer", "A-3.2 answer", "B-3.1 answer", "B-3.2 answer", "B-3.3 answer"},
    ),
    "by whom": ({"Answer by GPT": "{r}", "Answer by Claude": "{r}."}, {"Answer by GPT", "Answer by Claude"}),
}


@pytest.mark.parametrize(("columns", "pipelines"), WIDE.values(), ids=WIDE)
def test_pipelines_side_by_side_have_the_names_that_tell_them_apart(columns: dict[str, object], pipelines: set[str]):
    """Fields of one object are pipelines without its name; an answer by somebody is theirs, beside the golden one."""
    rows = [json.loads(json.dumps({"question": q, "Answer": a} | columns).replace("{r}", r)) for q, a, r in TOWNS]
    loaded = load(None, [jsonl("r.jsonl", *rows)])
    assert set(loaded.rows["pipeline"]) == pipelines
    assert loaded.golden["answer"].to_list() == [a for _, a, _ in TOWNS]


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


@pytest.mark.parametrize("letter", ["B", "q"])
def test_responses_by_id_keep_their_ids_as_they_are_written(letter: str):
    """Of `{"B1": "…", "B2": "…"}` the keys are ids, in capitals too."""
    golden = [{"id": f"{letter}{n}", "question": q, "gold": a} for n, (q, a, _) in enumerate(TOWNS)]
    responses = {f"{letter}{n}": r for n, (_, _, r) in enumerate(TOWNS)}
    files = [jsonl("g.jsonl", *golden), upload("bot.json", json.dumps(responses))]
    assert load(None, files).rows["response"].to_list() == [r for _, _, r in TOWNS]


@pytest.mark.parametrize("names", [("question", "ground_truth", "answer"), ("user_input", "reference", "response")])
def test_ragas_columns_by_index_are_rows(names: tuple[str, ...]):
    """What pandas' `to_json` or `to_dict` writes of a Ragas table has a row for each index."""
    columns = dict(zip(names, zip(*TOWNS, strict=True), strict=True))
    columns["contexts"] = [["Towns have regions."]] * len(TOWNS)
    by_index = {name: {str(n): cell for n, cell in enumerate(cells)} for name, cells in columns.items()}
    for content in (by_index, columns):
        loaded = load(None, [upload("r.json", json.dumps(content))])
        assert loaded.rows["response"].to_list() == [r for _, _, r in TOWNS]


def test_options_are_counted_from_0_where_golden_answers_do():
    """Of golden 0 to 3 beside A to D, 1 is B: its text and its letter, and no 1."""
    rows = [(q, "v", "w", a, n % 3, "B") for n, (q, a, _) in enumerate(TOWNS)]
    golden = load(None, [upload("r.csv", written("question,A,B,C,answer,pred_gpt", rows))]).golden
    assert golden["answer"].to_list() == ["v<OR>A", "w<OR>B", "Region 2<OR>C", "v<OR>A"]


def test_a_system_that_always_says_one_letter_is_a_pipeline_beside_others():
    """Beside a system with several letters no system is lost."""
    rows = [(q, "ABCD"[n], "ABCC"[n], "A") for n, (q, *_) in enumerate(TOWNS)]
    loaded = load(None, [upload("r.csv", written("question,answer,gpt-4o,claude-3", rows))])
    assert set(loaded.rows["pipeline"]) == {"gpt-4o", "claude-3"}


def test_images_of_some_equal_rows_are_no_pipelines():
    """Where few rows have question and golden answer of another, what tells these apart is no pipeline."""
    cells = [("2", 1), ("3", 2), ("2", 3), ("red", 1), ("red", 4), ("blue", 2)]
    rows = [(f"Which {n // 3}?", gold, f"{image}.png", f"{gold} {n}") for n, (gold, image) in enumerate(cells)]
    assert ask([upload("r.csv", written("question,answer,image,response", rows))]) == []


def test_a_grader_is_no_pipeline():
    """The model that graded is not the one that answered."""
    loaded = load(None, [towns("question,gold,grader_model,response", "{q}", "{a}", "gpt-4o", "{r}", name="bot.csv")])
    assert set(loaded.rows["pipeline"]) == {"bot"}


def test_a_view_that_ids_tell_apart_names_no_pipeline():
    """Of several images to a question, each with its id, what else tells them apart is not asked about."""
    rows = [
        (n, f"Is part {n // 2 % 2} broken?", f"no {n // 4}", "front" if n % 2 else "side", f"No {n}.") for n in range(8)
    ]
    assert ask([upload("r.csv", written("id,question,gold,view,response", rows))]) == []


def test_ids_tell_apart_what_is_asked_of_several_images():
    """A question that stands in several rows with one golden answer is no row twice where ids say so."""
    rows = [(n, f"Is part {n % 2} broken?", "no") for n in range(6)]
    files = [upload("g.csv", written("id,question,answer", rows))]
    for model in ("x", "y"):
        answers = [(n, model, f"No, part {n} is whole.") for n in range(6)]
        files.append(upload(f"{model}.csv", written("id,model,response", answers)))
    assert ask(files) == []
    assert load(None, files).rows.height == 12


def test_few_answers_to_questions_are_no_classes():
    """What asks has answers, however few and however often a wrong one is another question's."""
    labels = [("price", "delivery"), ("delivery", "refund"), ("refund", "price")] * 3
    rows = [(f"Which is {n}?", label, label if n % 3 else other) for n, (label, other) in enumerate(labels)]
    assert ask([upload("r.csv", written("input,correct_answer,pred", rows))]) == []
