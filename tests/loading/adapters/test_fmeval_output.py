"""FMEval's own output: its fixed sample, what is refused, and what is recognised; `cases.json` has what is read."""

import json

import pytest

from qaviz.loading import Chunk, Source, preview, stream
from qaviz.loading.fmeval_output import FMEVAL
from qaviz.model.errors import QavizError
from tests.fmeval_files import answer_row, fact_row, fmeval_file, output_row
from tests.loading.files import entries, facts, jsonl, upload

GOLDEN = jsonl(
    "golden.jsonl",
    {"question_id": "a", "question": "Who?", "answer": "Andy is.", "fact": "Andy"},
    {"question_id": "b", "question": "Where?", "answer": "It is in Seattle.", "fact": "Seattle"},
)


def load_fmeval_output(outputs: list[Source], golden: Source | None = None) -> Chunk:
    """The one chunk of FMEval's own output."""
    (chunk,) = stream(golden, outputs, keep_scores=True)
    return chunk


def refusal(*outputs: Source, golden: Source | None = None) -> str:
    """What a person reads of files that cannot be loaded."""
    with pytest.raises(QavizError) as caught:
        load_fmeval_output(list(outputs), golden)
    return str(caught.value)


def numbered(count: int, row=fact_row) -> list[dict[str, object]]:
    """Rows to so many questions."""
    return [row(f"Question {number}?", "right", "right") for number in range(count)]


@pytest.mark.parametrize(
    ("row", "count", "label"), [(fact_row, 300, "Factual Knowledge"), (answer_row, 100, "QA Accuracy")]
)
def test_the_fixed_sample_is_recognised(row, count, label):
    """As many rows as FMEval draws by default, of a golden dataset with more questions, are listed once as its sample,
    not as hundreds of unanswered questions."""
    triplets = [{"question": f"Question {number}?", "answer": "right", "fact": "right"} for number in range(count + 50)]
    loaded = load_fmeval_output([fmeval_file("x.jsonl", *numbered(count, row))], jsonl("golden.jsonl", *triplets))
    [(*place, said)] = entries(loaded, "sample")
    assert (place, facts(said)) == (["x.jsonl", None, "x"], {str(count), str(count + 50)})
    assert str(said).startswith(label)
    assert not entries(loaded, "unanswered")
    assert loaded.rows.height == count


def test_the_samples_of_the_two_evaluations_differ():
    """300 rows of Factual Knowledge beside 100 of QA Accuracy: the latter are a sample, and of the other 200 responses
    QA Accuracy is missing with the reason."""
    files = [
        fmeval_file("factual_knowledge_P.jsonl", *numbered(300)),
        fmeval_file("qa_accuracy_P.jsonl", *numbered(100, answer_row)),
    ]
    loaded = load_fmeval_output(files)
    assert [where for where, *_ in entries(loaded, "sample")] == ["qa_accuracy_P.jsonl"]
    assert loaded.rows["unscored_answer"].value_counts().sort("count").rows() == [
        (None, 100),
        ("not in FMEval's QA Accuracy output", 200),
    ]


def test_files_that_cannot_be_told_apart_are_refused():
    """Two files of one evaluation that share a name and have no folder stop the load."""
    one = fmeval_file("qa_accuracy_data.jsonl", answer_row("Who?", "Andy", "Andy is."))
    said = refusal(one, fmeval_file(one.name, answer_row("Who?", "Jeff", "Andy is.")))
    assert said.startswith(f"{one.name}, {one.name}:")
    assert "share a name" in said


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{name: cell for name, cell in fact_row("Q?", "r", "t").items() if name != "model_input"}], "no question"),
        ([output_row("Q?", "r", "t", {"toxicity": 0.5})], 'found the scores "toxicity"; expected those of Factual'),
        ([output_row("Q?", "r", "t", {})], "found no scores; expected those of Factual"),
        ([fact_row("Q?", "r", "t"), answer_row("Q?", "r", "t")], "one evaluation a file"),
        ([output_row("Q?", "r", "t", {"f1_score": "half \ud800"})], "x.jsonl line 1"),
        ([output_row("Q?", "r", "t", {"f1_score": "a NUL \0"})], 'a NUL character in "scores"'),
        ([fact_row(None, "r", "t"), fact_row(" ", "r", "t")], "x.jsonl line 1: found no question"),
    ],
)
def test_what_will_not_do_is_refused_with_file_and_line(lines, message):
    """A file that cannot be taken stops the load with one clear message for each thing wrong."""
    assert message in refusal(fmeval_file("x.jsonl", *lines))


def test_problems_of_all_files_are_said_at_once():
    """The golden dataset's problems and those of each output come together."""
    said = refusal(
        fmeval_file("x.jsonl", output_row("Q?", "r", "t", {"toxicity": 0.5})),
        fmeval_file("y.jsonl", output_row("Q?", "r", "t", {"rouge": 0.5})),
        golden=jsonl("golden.jsonl", {"answer": "a"}),
    )
    assert [line.split(":")[0] for line in said.splitlines()] == ["golden.jsonl", "x.jsonl", "y.jsonl"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (fmeval_file("x.jsonl", fact_row("Q?", "r", "t")), True),
        (fmeval_file("x.jsonl", answer_row("Q?", "r", "t")), True),
        (fmeval_file("x.json", fact_row("Q?", "r", "t")), True),
        (fmeval_file("x.csv", fact_row("Q?", "r", "t")), False),
        (GOLDEN, False),
        (jsonl("x.jsonl", {"model_input": "Q?", "model_output": "r", "scores": "good"}), False),
        (jsonl("x.jsonl", {"model_input": "Q?", "scores": []}), False),
        (upload("x.jsonl", "\ufeff" + json.dumps(fact_row("Q?", "r", "t"))), True),
    ],
)
def test_recognised_by_content(source, expected):
    """A JSON Lines file is FMEval's own output if its first line has a response and a list of scores."""
    try:
        tools = [seen.tool for seen in preview(None, [source], aside=True)]
    except QavizError:
        tools = []
    assert (tools == [FMEVAL]) is expected
