"""What every reader of another tool's files refuses: broken, hostile and odd JSON, whichever tool it names."""

import json
from contextlib import suppress

import polars as pl
import pytest

from qaviz.loading import Source, load, preview
from qaviz.loading.formats import json_files
from qaviz.loading.load import open_files
from qaviz.loading.melt import convert_part, melt_golden, melt_responses
from qaviz.loading.tool import list_tools
from qaviz.model import columns as c
from qaviz.model.errors import QavizError
from tests.loading.adapters.files import (
    BEDROCK_ROW,
    DEEPEVAL_RUN,
    INSPECT_HEAD,
    INSPECT_SAMPLE,
    LANGFUSE_ROW,
    LLM_COMPARATOR_FILE,
    MLFLOW_RECORD,
    PROMPTFOO_RESULT,
    RAGAS_ROW,
    SMALL_RECORDS,
    SQUAD_FILE,
    SQUAD_ROW,
    document,
    promptfoo_file,
)
from tests.loading.files import GOLDEN_FILE, RESPONSE_FILE, jsonl, problems, upload

INSPECTOR_FILE = {
    "schema_version": 2,
    "name": "June",
    "models": [
        {"model_id": "a", "name": "Model A", "owner": "X"},
        {"model_id": "target", "name": "Target", "owner": "X"},
    ],
    "metrics": [{"name": "fluency", "author": "human", "type": "numerical"}],
    "documents": [{"document_id": "d1", "text": "158 in all.", "title": "Report"}],
    "tasks": [
        {
            "task_id": "t1",
            "task_type": "rag",
            "input": [
                {"role": "user", "content": "A report?"},
                {"role": "assistant", "content": "Yes."},
                {"role": "user", "content": "How many?"},
            ],
            "contexts": [{"document_id": "d1"}],
            "targets": [{"type": "text", "value": "158"}],
        }
    ],
    "results": [
        {
            "task_id": "t1",
            "model_id": "a",
            "output": [{"role": "assistant", "content": "There are 158."}],
            "scores": {"fluency": {"ann": {"value": 4}, "bob": {"value": 3}}},
        },
        {"task_id": "t1", "model_id": "target", "output": [{"role": "assistant", "content": "158"}], "scores": {}},
    ],
}
INSPECTOR_V1 = {
    "name": "June",
    "models": [{"model_id": "a", "name": "Model A"}],
    "metrics": [],
    "documents": [{"document_id": "d1", "text": "158 in all."}],
    "tasks": [
        {
            "task_id": "t1",
            "task_type": "rag",
            "input": [{"speaker": "user", "text": "How many?"}],
            "contexts": [{"document_id": "d1"}],
            "targets": [{"text": "158"}],
        }
    ],
    "evaluations": [
        {
            "task_id": "t1",
            "model_id": "a",
            "model_response": "There are 158.",
            "annotations": {"fluency": {"ann": {"value": 4}}},
        }
    ],
}
MT_BENCH_ANSWER = {
    "question_id": 81,
    "answer_id": "x",
    "model_id": "gpt-4",
    "choices": [{"index": 0, "turns": ["158", "So it is written."]}],
}
HOTPOT_ROW = {
    "_id": "5a",
    "question": "Are both in Graz?",
    "answer": "yes",
    "supporting_facts": [["Graz", 0]],
    "type": "comparison",
}
MT_RAG_TASK = {
    "conversation_id": "c1",
    "task_id": "c1<::>2",
    "contexts": [{"document_id": "d1", "text": "158 in all."}],
    "input": [
        {"speaker": "user", "text": "A report?"},
        {"speaker": "agent", "text": "Yes."},
        {"speaker": "user", "text": "How many?"},
    ],
    "targets": [{"speaker": "agent", "text": "158"}],
}

FILES = {
    "Ragas results": document("f.json", [RAGAS_ROW]),
    "promptfoo results": promptfoo_file(PROMPTFOO_RESULT, name="f.json"),
    "a SQuAD dataset": Source("f.json", SQUAD_FILE.data),
    "rows of a SQuAD dataset": document("f.json", [SQUAD_ROW]),
    "Bedrock evaluation output": document("f.json", BEDROCK_ROW),
    **{name: document("f.json", record) for name, record in SMALL_RECORDS.items()},
    "an Inspect log": document("f.json", INSPECT_HEAD | {"samples": [INSPECT_SAMPLE]}),
    "MLflow results": document("f.json", [MLFLOW_RECORD]),
    "DeepEval test cases": document("f.json", DEEPEVAL_RUN),
    "an InspectorRAGet file": document("f.json", INSPECTOR_FILE),
    "MT-bench questions": document("f.json", [{"question_id": 81, "category": "math", "turns": ["158", "Why?"]}]),
    "MT-bench answers": document("f.json", [MT_BENCH_ANSWER]),
    "HotpotQA predictions": document("f.json", {"answer": {"5a": "158"}, "sp": {"5a": [["Graz", 0]]}}),
    "MT-RAG tasks": document("f.json", [MT_RAG_TASK]),
    "an LLM Comparator file": document("f.json", LLM_COMPARATOR_FILE),
    "a Langfuse CSV": document("f.json", [LANGFUSE_ROW]),
    "SQuAD predictions": document("f.json", {"q1": "158"}),
}
every_tool = pytest.mark.parametrize("name", FILES)


def test_every_tool_has_a_file_here():
    """No tool is left out of the tests below."""
    assert set(FILES) == {tool.name for tool in list_tools() if tool.columns}


@every_tool
def test_a_file_is_known_by_its_content(name):
    """The same bytes under another name, and on one line, are the same tool's."""
    content = json.loads(FILES[name].data)
    assert preview(None, [FILES[name]])[0].tool == name
    assert preview(None, [document("x.jsonl", content, indent=None)])[0].tool == name


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b"{\n", b'{\n"twice": 1, "twice": 2, ', 'the key "twice" twice'),
        (b"158", b"\\ud83d", "half a character"),
        (b"158", b"\\u0000", "a NUL character"),
        (b"158", b"\x81", "not UTF-8"),
        (b'"158"', b"[" * 100_000, "nested too deep"),
    ],
)
def test_odd_json_is_refused(old, new, found):
    """Duplicate keys, lone surrogates, NULs, bytes that are no UTF-8 and bottomless nesting are named in a tool's file
    too."""
    content = bytes(FILES["Bedrock evaluation output"].data).replace(b"911", b"158")
    broken = content.replace(old, new)
    assert broken != content
    assert found in " ".join(problems(upload("f.json", broken), RESPONSE_FILE))


RESPONSES_ONLY = ("SQuAD predictions", "MT-bench answers", "HotpotQA predictions")
"""What holds no golden answers."""


KINDS = (None, "x", [[]], {"x": None})
NUMBERS = (10**399, float("-inf"), float("nan"))
"""What no float holds, or is not finite."""


@pytest.mark.slow
@every_tool
def test_a_value_of_another_kind_breaks_nothing(name):
    """Whatever stands in place of any value of the file, it is read or refused in words; there is no other error, and
    no number becomes infinite."""
    read, refused = 0, []
    for changed in _change(json.loads(FILES[name].data)):
        source = upload("f.json", json.dumps(changed, indent=1))
        try:
            for responses in _read(source, name):
                scores = responses[c.THEIR_SCORES].explode().struct.field("value")
                assert pl.concat([scores, responses[c.LATENCY_MS], responses[c.COST]]).drop_nulls().is_finite().all()
                read += 1
        except QavizError as error:
            refused += error.problems

    assert all(problem.found and problem.fix for problem in refused)
    assert read > 0 or name in ("SQuAD predictions", "MT-bench questions")  # texts alone; questions alone


def _change(value):
    """The value with others in place of each of its parts in turn: of another kind, and numbers that no float holds.

    Of a list only the first item changes: the others are of its kind.
    """
    yield from (odd for odd in KINDS if not isinstance(odd, type(value)))
    if isinstance(value, dict):
        for name, part in value.items():
            yield from (value | {name: changed} for changed in _change(part))
    elif isinstance(value, list):
        for first in value[:1]:
            yield from ([changed, *value[1:]] for changed in _change(first))
    else:
        yield from NUMBERS[:1] if isinstance(value, str) else NUMBERS


def _read(source, name):
    """The responses of a tool's file, as its tables give them: what comes after is the same for every tool."""
    no_golden = name in RESPONSES_ONLY
    opened = open_files(None, [source], alone=not no_golden, aside=no_golden)
    opened.stop_at_problems()
    for table in opened.tables if opened.tables[0].tool else ():
        for part in table.parts:
            frame, _ = convert_part(table, part)
            melt_golden(frame, table.layout)
            yield melt_responses(frame, table)[0]
        table.head.problems.stop_if_any()


def test_a_document_has_a_limit(monkeypatch):
    """A document, which is read whole, is refused over its limit; JSON Lines of any size are not."""
    monkeypatch.setattr(json_files, "DOCUMENT_LIMIT", 1_000)
    rows = [RAGAS_ROW | {"user_input": f"{number}?"} for number in range(10)]
    assert "a JSON document over 0 MB" in problems(document("f.json", rows))[0]
    assert load(jsonl("f.jsonl", *rows), []).rows.height == 10


@pytest.mark.parametrize(
    "source",
    [
        upload("f.json", "[1, 2]"),
        upload("f.json", "[]"),
        upload("f.json", "{}"),
        upload("f.json", '"text"'),
        jsonl("f.jsonl", {"question_id": "q1", "response": "158"}),
        jsonl("f.jsonl", {"nr": "q1", "antwort": "158"}),
        upload("f.csv", "question_id,response\nq1,158\n"),
        upload("f.csv", ""),
        upload("f.txt", "x"),
    ],
)
def test_other_files_are_no_tools(source):
    """Ordinary files, and files of nothing, are taken for no tool's; they are read, or refused, as before."""
    with suppress(QavizError):
        assert not any(table.tool for table in preview(None, [source]))


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"results": {"version": 2, "table": {"head": {}, "body": [{"vars": []}]}}}, "promptfoo results before"),
        ({"prompt": "How many?", "[nova] {{prompt}}": "[PASS] (1.00) 158"}, "promptfoo results in CSV"),
        ({"resourceSpans": []}, "a trace"),
        ({"parent_id": "1", "attributes.input.value": "How many?", "attributes.output.value": "158"}, "a trace"),
        ({"attributes": {"gen_ai.request.model": "nova", "gen_ai.output.messages": []}}, "a trace"),
        ({"adapter_spec": {}, "request_states": [{"instance": {"id": "q1"}}]}, "a HELM run"),
        ({"id": "q1", "input": {"text": "How many?"}, "references": [{"output": {"text": "158"}}]}, "a HELM run"),
        ({"spec": {"completion_fns": ["nova"]}}, "an OpenAI evals log"),
    ],
)
def test_a_file_that_would_be_misread_is_refused(record, name):
    """Files of tools that are known and not read are refused by name, with what to do."""
    [problem] = problems(GOLDEN_FILE, document("f.json", record))
    assert problem.startswith(f"f.json: found {name}")
    assert "as CSV or JSON Lines" in problem


@pytest.mark.parametrize(
    "record",
    [
        {"example_id": "1", "input": {"question": "How many?"}, "reference_output": {"answer": "158"},
         "output": {"response": "157"}, "error": None, "annotations": [{"name": "correct", "score": 1.0}]},
        {"id": "1", "input": {"question": "How many?"}, "expected": "158", "output": "157", "scores": {"Fact": 1}},
        {"op_name": "weave:///predict", "inputs": {"example": {"question": "How many?", "expected": "158"}},
         "output": {"model_output": {"answer": "157"}, "scores": {"match": {"correct": True}}}},
        {"results": [{"query_id": "1", "query": "How many?", "gt_answer": "158", "response": "157"}]},
        {"id": "1", "question": "How many?", "reference_answer": "158", "agent_answer": "157", "correctness": True},
        {"prompt": "How many?", "reference": "158", "response": "157", "coherence/score": 4.0},
    ],
    ids=["Phoenix", "Braintrust", "Weave", "RAGChecker", "Giskard", "Vertex AI"],
)  # fmt: skip
def test_tools_whose_names_are_plain_need_no_reader(record):
    """Exports of tools that call a question and its answers what they are, are read by the names of their fields."""
    loaded = load(document("f.json", record), [])
    assert loaded.rows.select("question", "answer", "response").rows() == [("How many?", "158", "157")]


@pytest.mark.parametrize(
    ("source", "question"), [(INSPECTOR_FILE, "How many?"), (INSPECTOR_V1, "How many?")], ids=["2", "1"]
)
def test_inspectorraget_has_tasks_models_and_labels(source, question):
    """Both versions give the last turn after those before it, the target, each model's output, annotators' labels; a
    model that repeats the target is no pipeline."""
    loaded = load(None, [document("f.json", source)])
    (row,) = loaded.rows.to_dicts()
    assert row["question"].splitlines()[-1].endswith(question)
    assert (row["answer"], row["pipeline"], row["response"]) == ("158", "Model A", "There are 158.")
    assert row["contexts"] == ["158 in all."]
    assert {score["name"]: score["value"] for score in row["their_scores"]}["fluency (ann)"] == 4


def test_mt_bench_asks_all_turns_so_far():
    """Each turn is a question with the turns before it, and meets the answers by id; a golden file is golden."""
    questions = jsonl("question.jsonl", {"question_id": 81, "category": "math", "turns": ["How many?", "Why?"]})
    answers = jsonl("gpt-4.jsonl", MT_BENCH_ANSWER)
    reference = jsonl("reference.jsonl", MT_BENCH_ANSWER | {"choices": [{"index": 0, "turns": ["158", "By count."]}]})
    loaded = load(reference, [questions, answers])
    assert loaded.golden.select("question_id", "question", "answer").rows() == [
        ("81", "How many?", "158"),
        ("81 turn 2", "How many?\nWhy?", "By count."),
    ]
    assert loaded.rows.select("pipeline", "response").rows() == [("gpt-4", "158"), ("gpt-4", "So it is written.")]


def test_answers_by_id_meet_questions_in_another_file():
    """HotpotQA's predictions are answers by id: they meet the questions of the other file, in either order."""
    golden = document("dev.json", [HOTPOT_ROW])
    predictions = document("pred.json", {"answer": {"5a": "no"}, "sp": {"5a": []}})
    for files in ([golden, predictions], [predictions, golden]):
        assert load(None, files).rows.select("question", "answer", "response").rows() == [
            ("Are both in Graz?", "yes", "no")
        ]


def test_mt_rag_asks_all_turns_so_far():
    """A task's question has all turns so far; what was said before is part of it."""
    loaded = load(
        None,
        [document("t.json", [MT_RAG_TASK]), jsonl("p.jsonl", {"task_id": "c1<::>2", "model": "a", "response": "158"})],
    )
    assert loaded.rows["question"].to_list() == ["user: A report?\nagent: Yes.\nuser: How many?"]
    assert loaded.rows["response"].to_list() == ["158"]
