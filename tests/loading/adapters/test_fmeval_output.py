"""FMEval's own output: its scores as they stand, aligned by question, and everything odd listed or refused."""

import json

import pytest

from qaviz.loading import Chunk, Source, preview, stream
from qaviz.loading.fmeval_output import FMEVAL
from qaviz.model.errors import QavizError
from tests.fmeval_files import ANSWER_SCORES, FACT_SCORES, answer_row, fact_row, failed_row, fmeval_file, output_row
from tests.loading.files import entries, facts, jsonl, upload

FACTS = fmeval_file(
    "factual_knowledge_P.jsonl", fact_row("Where?", "In Seattle.", "Seattle"), fact_row("Who?", "Jeff", "Andy", 0.0)
)
ANSWERS = fmeval_file(
    "qa_accuracy_P.jsonl",
    answer_row("Who?", "Jeff", "Andy is.", recall_over_words=0.125),
    answer_row("Where?", "In Seattle.", "It is in Seattle."),
)
GOLDEN = jsonl(
    "golden.jsonl",
    {"question_id": "a", "question": "Who?", "answer": "Andy is.", "fact": "Andy"},
    {"question_id": "b", "question": "Where?", "answer": "It is in Seattle.", "fact": "Seattle"},
)
NO_RESPONSE = "an error message in place of a response, which is missing: throttled"


def values(loaded: Chunk, *columns: str) -> list[tuple[object, ...]]:
    """These columns of the rows."""
    return loaded.rows.select(columns).rows()


def load_fmeval_output(outputs: list[Source], golden: Source | None = None) -> Chunk:
    """The one chunk of FMEval's own output."""
    (chunk,) = stream(golden, outputs, keep_scores=True)
    return chunk


def refusal(*outputs: Source, golden: Source | None = None) -> str:
    """What a person reads of files that cannot be loaded."""
    with pytest.raises(QavizError) as caught:
        load_fmeval_output(list(outputs), golden)
    return str(caught.value)


def test_two_files_become_one_pipeline_by_question():
    """The Factual Knowledge and the QA Accuracy of a question meet by its text, though the files have another order;
    the golden dataset has the one's target as fact, the other's as answer."""
    loaded = load_fmeval_output([FACTS, ANSWERS])
    assert loaded.golden.select("question", "answer", "fact").rows() == [
        ("Where?", "It is in Seattle.", "Seattle"),
        ("Who?", "Andy is.", "Andy"),
    ]
    assert values(loaded, "pipeline", "question", "response", "factual_knowledge", "recall_over_words") == [
        ("P", "Where?", "In Seattle.", 1.0, 1.0),
        ("P", "Who?", "Jeff", 0.0, 0.125),
    ]
    assert loaded.rows.select("unscored_fact", "unscored_answer", "bertscore").rows() == [(None, None, 0.75)] * 2


@pytest.mark.parametrize("golden", [None, GOLDEN], ids=["derived", "given"])
@pytest.mark.parametrize(
    ("output", "column"), [(FACTS, "unscored_answer"), (ANSWERS, "unscored_fact")], ids=["facts only", "answers only"]
)
def test_one_evaluation_alone_leaves_the_other_missing(golden, output, column):
    """With one of the two files, the other evaluation's scores are null, and the reason says that it is not there."""
    loaded = load_fmeval_output([output], golden)
    label = "QA Accuracy" if column == "unscored_answer" else "Factual Knowledge"
    assert values(loaded, column) == [(f"not in FMEval's {label} output",)] * 2
    missing = "recall_over_words" if column == "unscored_answer" else "factual_knowledge"
    assert loaded.rows[missing].null_count() == 2


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("factual_knowledge", "factual_knowledge"),
        ("exact_inclusion", "factual_knowledge"),
        ("factual_knowledge_quasi_exact", "factual_knowledge_quasi_exact"),
        ("quasi_exact_inclusion", "factual_knowledge_quasi_exact"),
        ("bert_score", "bertscore"),
        ("bertscore", "bertscore"),
    ],
)
def test_score_names_of_all_releases(theirs, ours):
    """A score is found under each name that a release gave it."""
    beside = {"f1_score": 0.5} if ours == "bertscore" else {}
    loaded = load_fmeval_output([fmeval_file("x.jsonl", output_row("Q?", "r", "t", beside | {theirs: 0.25}))])
    assert values(loaded, ours) == [(0.25,)]


def test_scores_that_a_release_did_not_give_are_missing_with_a_reason():
    """Factual Knowledge of 1.0 has no quasi-exact score: it is null, and the reason names it."""
    loaded = load_fmeval_output([fmeval_file("x.jsonl", output_row("Q?", "r", "r", {"factual_knowledge": 1.0}))])
    assert values(loaded, *FACT_SCORES, "unscored_fact") == [
        (1.0, None, "FMEval's output has no factual_knowledge_quasi_exact")
    ]
    assert not entries(loaded, "score failed")


@pytest.mark.parametrize(
    "row",
    [
        failed_row("Who?", "Jeff", "Andy", "Model timed out", *FACT_SCORES),
        output_row("Who?", "Jeff", "Andy", {FACT_SCORES[0]: "Model timed out", FACT_SCORES[1]: "Model timed out"}),
        output_row("Who?", "Jeff", "Andy", dict.fromkeys(FACT_SCORES, " "), error="Model timed out"),
    ],
    ids=["both", "in the scores", "in the row"],
)
def test_an_error_is_the_reason_why_scores_are_missing(row):
    """A row with an error in place of values has null scores and the error's words, never 0, and is listed."""
    loaded = load_fmeval_output([fmeval_file("x.jsonl", row)])
    assert values(loaded, *FACT_SCORES, "unscored_fact") == [(None, None, "Model timed out")]
    assert entries(loaded, "score failed") == [("x.jsonl line 1", "1", "x", "Model timed out")]


def test_a_response_that_failed_is_listed_with_its_error():
    """A null response is no row of the run: it is listed with FMEval's words, and counts once."""
    failed = failed_row("Who?", None, "Andy", "throttled", *FACT_SCORES)
    loaded = load_fmeval_output([fmeval_file("x.jsonl", fact_row("Where?", "Here", "Here"), failed)])
    assert values(loaded, "question") == [("Where?",)]
    assert entries(loaded, "pipeline error") == [("x.jsonl line 2", "2", "x", NO_RESPONSE)]
    assert not entries(loaded, "score failed")
    assert not entries(loaded, "unanswered")


FACT_FILE, ANSWER_FILE = "factual_knowledge_P.jsonl", "qa_accuracy_P.jsonl"
JEFF, NULL = fact_row("Who?", "Jeff", "Andy"), fact_row("Who?", None, "Andy")
NO_ANSWER = failed_row("Who?", None, "Andy is.", "throttled", *ANSWER_SCORES)
ABSENT, OTHER = (
    "not in FMEval's QA Accuracy output",
    "FMEval's QA Accuracy output has another response to this question",
)
NULL_WORDS = "the file has a null in place of the response"


@pytest.mark.parametrize(
    ("facts", "answers", "why", "listed"),
    [
        ([JEFF], [NO_ANSWER], NO_RESPONSE, {"score failed": [f"{ANSWER_FILE} line 1"]}),
        ([JEFF], [answer_row("Who?", None, "Andy is.")], NULL_WORDS, {"score failed": [f"{ANSWER_FILE} line 1"]}),
        ([JEFF], [answer_row("Who?", "It is.", "Andy is.")], OTHER, {"other response": [f"{ANSWER_FILE} line 1"]}),
        (
            [JEFF, fact_row("Who?", "Adam", "Andy"), NULL],
            [],
            ABSENT,
            {"duplicate": [f"{FACT_FILE} line {n}" for n in (2, 3)]},
        ),
        ([NULL, JEFF], [], ABSENT, {"duplicate": [f"{FACT_FILE} line 1"]}),
    ],
    ids=["one failed", "one null", "two responses", "first of several", "not the null"],
)
def test_one_row_of_what_was_answered_and_why_a_score_is_missing(facts, answers, why, listed):
    """The first response counts, with the scores that are of it; those of another response, or of none, are missing
    with the reason, and what is left out is listed with its line."""
    files = [(FACT_FILE, facts), (ANSWER_FILE, answers)]
    loaded = load_fmeval_output([fmeval_file(name, *rows) for name, rows in files if rows])
    columns = ("response", "factual_knowledge", "f1_score", "unscored_fact", "unscored_answer")
    assert values(loaded, *columns) == [("Jeff", 1.0, None, None, why)]
    assert "bertscore" not in loaded.rows.columns
    kinds = ("score failed", "other response", "duplicate", "unanswered", "pipeline error")
    places = {kind: sorted(where for where, *_ in entries(loaded, kind)) for kind in kinds}
    assert {kind: lines for kind, lines in places.items() if lines} == listed


def test_a_score_against_another_target_is_missing():
    """Where the golden dataset's fact is not what FMEval scored against, the score says nothing of it: null, with the
    reason, and listed."""
    golden = jsonl("golden.jsonl", {"question_id": "a", "question": "Who?", "answer": "Andy is.", "fact": "Andrew"})
    loaded = load_fmeval_output([fmeval_file("x.jsonl", fact_row("Who?", "Andy", "Andy"))], golden)
    why = "FMEval scored it against another fact than the golden dataset's"
    assert values(loaded, "factual_knowledge", "unscored_fact") == [(None, why)]
    assert entries(loaded, "other target") == [("x.jsonl line 1", "a", "x", why)]


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


@pytest.mark.parametrize(
    ("names", "pipelines"),
    [
        (["factual_knowledge_A.jsonl", "qa_accuracy_A.jsonl"], ["A"]),
        (["A_factual_knowledge.jsonl", "A-qa_accuracy.jsonl"], ["A"]),
        (["factual_knowledge_A.jsonl", "qa_accuracy_B.jsonl"], ["A", "B"]),
        (["facts.jsonl", "answers.jsonl"], ["facts"]),
        (["one/factual_knowledge_data.jsonl", "one/qa_accuracy_data.jsonl"], ["data"]),
        (["run7/factual_knowledge.jsonl", "run7/qa_accuracy.jsonl"], ["run7"]),
        (["factual_knowledge.jsonl", "qa_accuracy.jsonl"], ["factual_knowledge"]),
    ],
)
def test_pipelines_are_named_after_files(names, pipelines):
    """A pipeline is called as its files are, without the evaluation's name; two files with no name of their own are
    one pipeline."""
    one = fmeval_file(names[0], fact_row("Who?", "Andy", "Andy"))
    other = fmeval_file(names[1], answer_row("Who?", "Andy", "Andy is."))
    loaded = load_fmeval_output([one, other])
    assert loaded.rows["pipeline"].unique(maintain_order=True).to_list() == pipelines


def test_pipelines_with_files_of_one_name_are_called_after_their_folders():
    """FMEval names a file after its dataset: two pipelines' files are told apart by their folders."""
    files = [
        fmeval_file(f"{folder}/{evaluation}_data.jsonl", row("Who?", folder, "Andy"))
        for folder in ("one", "two")
        for evaluation, row in (("factual_knowledge", fact_row), ("qa_accuracy", answer_row))
    ]
    loaded = load_fmeval_output(files)
    assert values(loaded, "pipeline", "response") == [("one", "one"), ("two", "two")]


def test_files_that_cannot_be_told_apart_are_refused():
    """Two files of one evaluation that share a name and have no folder stop the load."""
    one = fmeval_file("qa_accuracy_data.jsonl", answer_row("Who?", "Andy", "Andy is."))
    said = refusal(one, fmeval_file(one.name, answer_row("Who?", "Jeff", "Andy is.")))
    assert said.startswith(f"{one.name}, {one.name}:")
    assert "share a name" in said


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"scores": "none"}, "FMEval's output has no factual_knowledge, factual_knowledge_quasi_exact"),
        ({"scores": []}, "FMEval's output has no factual_knowledge, factual_knowledge_quasi_exact"),
        (output_row("Who?", "r", "t", {FACT_SCORES[0]: "high", FACT_SCORES[1]: 1.0}), "high"),
        (output_row("Who?", "r", "t", {FACT_SCORES[0]: 1.0, FACT_SCORES[1]: float("nan")}), "NaN"),
        (output_row("Who?", "r", "t", {FACT_SCORES[0]: 1.0, FACT_SCORES[1]: 10**400}), str(10**400)),
        ({"scores": [{"name": name, "value": None} for name in FACT_SCORES]}, "the file has no value"),
        ({"scores": [{"value": 1}]}, "FMEval's output has no factual_knowledge, factual_knowledge_quasi_exact"),
    ],
)
def test_a_score_that_is_no_number_is_missing_with_what_stands_there(row, why):
    """What is no number in place of a score leaves it missing with the reason, and the other rows as they are."""
    loaded = load_fmeval_output([fmeval_file("x.jsonl", fact_row("Q?", "r", "t"), fact_row("Who?", "r", "t") | row)])
    assert values(loaded, "unscored_fact") == [(None,), (why,)]


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


def test_fields_and_scores_that_have_no_place_are_listed():
    """The prompt and a score of another evaluation are left out, and said to be."""
    row = output_row("Q?", "r", "t", dict.fromkeys(FACT_SCORES, 1.0) | {"toxicity": 0.5}, prompt="Answer: Q?")
    loaded = load_fmeval_output([fmeval_file("x.jsonl", row)])
    assert [detail for *_, detail in entries(loaded, "ignored column")] == [
        'the score "toxicity" is left out',
        '"prompt" is left out',
    ]


def test_a_blank_target_is_no_triplet_to_score():
    """FMEval gives 1.0 against an empty fact; the golden dataset has none there, and it is listed."""
    loaded = load_fmeval_output([fmeval_file("x.jsonl", fact_row("Who?", "anything", ""))])
    assert loaded.golden["fact"].to_list() == [None]
    assert len(entries(loaded, "no fact")) == 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (FACTS, True),
        (ANSWERS, True),
        (Source("x.json", FACTS.data), True),
        (Source("x.csv", FACTS.data), False),
        (GOLDEN, False),
        (jsonl("x.jsonl", {"model_input": "Q?", "model_output": "r", "scores": "good"}), False),
        (jsonl("x.jsonl", {"model_input": "Q?", "scores": []}), False),
        (upload("x.jsonl", "not JSON"), False),
        (upload("x.jsonl", b"\x00\x01"), False),
        (upload("x.jsonl", b""), False),
        (upload("x.jsonl", "[" * 100_000), False),
        (upload("x.jsonl", "\ufeff" + json.dumps(fact_row("Q?", "r", "t"))), True),
        (Source.of("nowhere.jsonl"), False),
    ],
)
def test_recognised_by_content(source, expected):
    """A JSON Lines file is FMEval's own output if its first line has a response and a list of scores."""
    try:
        tools = [seen.tool for seen in preview(None, [source], aside=True)]
    except QavizError:
        tools = []
    assert (tools == [FMEVAL]) is expected
