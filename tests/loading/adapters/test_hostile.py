"""What every reader of another tool's files refuses: hostile and odd JSON, whichever tool it names."""

import json
from contextlib import suppress

import polars as pl
import pytest

from qaviz.loading import Column, Tool, formats, load, preview
from qaviz.loading.load import open_files
from qaviz.loading.melt import convert_part, melt_golden, melt_responses
from qaviz.loading.tool import list_tools
from qaviz.model import columns as c
from qaviz.model.errors import QavizError
from tests.loading.adapters.files import MADE, RAGAS_ROW, document
from tests.loading.files import GOLDEN_FILE, jsonl, problems, upload

FILES = {tool.name: document("f.json", MADE[tool.name]) for tool in list_tools() if tool.columns}
every_tool = pytest.mark.parametrize("name", FILES)


@every_tool
def test_a_file_is_known_by_its_content(name):
    """The same bytes under another name, and on one line, are the same tool's."""
    content = json.loads(FILES[name].data)
    assert preview(None, [FILES[name]])[0].tool == name
    assert preview(None, [document("x.jsonl", content, indent=None)])[0].tool == name


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


def test_rows_of_a_reader_may_come_from_a_function():
    """Where an expression cannot say where rows stand, a package's reader has a function for it."""
    reader = Tool(name="x", wrote="asked", rows=lambda record: iter(record["asked"]), columns=[Column("question", "q")])
    assert [*reader.read_rows({"asked": [{"q": "How many?"}, {"q": 1.5}]})] == [{"q": "How many?"}, {"q": "1.5"}]


def test_a_document_has_a_limit(monkeypatch):
    """A document, which is read whole, is refused over its limit; JSON Lines of any size are not."""
    monkeypatch.setattr(formats, "DOCUMENT_LIMIT", 1_000)
    rows = [RAGAS_ROW | {"user_input": f"{number}?"} for number in range(10)]
    assert "a JSON document over 0 MB" in problems(document("f.json", rows))[0]
    assert load(jsonl("f.jsonl", *rows), []).rows.height == 10


@pytest.mark.parametrize(
    "source",
    [
        upload("f.json", "{}"),
        jsonl("f.jsonl", {"question_id": "q1", "response": "158"}),
        jsonl("f.jsonl", {"nr": "q1", "antwort": "158"}),
        upload("f.csv", "question_id,response\nq1,158\n"),
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
