"""What benchmark harnesses log of each sample, and the golden datasets of benchmarks."""

import json

import polars as pl
import pytest

from qaviz.loading import Source, load, preview
from tests.loading.files import jsonl, parquet, upload

# Fields: EleutherAI/lm-evaluation-harness, lm_eval/evaluator.py; stanford-crfm/helm, adaptation/scenario_state.py;
# openai/evals, evals/record.py; huggingface/lighteval, logging/evaluation_tracker.py; run-llama/llama_index,
# llama_dataset/rag.py; mandarjoshi90/triviaqa, readme; google-research-datasets/natural-questions, nq_open.

Q, A, R = "How many people live in Graz?", "290,000", "About 290,000 people."
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": Q}]
EVENT = {"run_id": "r", "sample_id": "graz.0", "created_at": "2024"}
INSTANCE = {
    "id": "id1",
    "input": {"text": Q},
    "references": [{"output": {"text": "Vienna"}, "tags": []}, {"output": {"text": A}, "tags": ["correct"]}],
}


def lm_eval(**changed: object) -> dict[str, object]:
    return {
        "doc_id": 0,
        "doc": {"question": Q, "answer": [A]},
        "target": A,
        "arguments": {"gen_args_0": {"arg_0": f"Question: {Q}", "arg_1": {"until": ["\n"]}}},
        "resps": [[R]],
        "filtered_resps": [R],
        "filter": "none",
        "metrics": ["exact_match"],
        "exact_match": 0.0,
    } | changed


LOGS = {
    "lm-eval": (jsonl("P.jsonl", lm_eval()), {"exact_match": 0.0}),
    "lm-eval without a question in the document": (
        jsonl("P.jsonl", lm_eval(doc={"page": 1}, arguments=[[Q, {"until": []}]], target=[A])),
        {"exact_match": 0.0},
    ),
    "HELM": (
        upload(
            "scenario_state.json",
            json.dumps(
                {
                    "adapter_spec": {"method": "generation", "model": "P"},
                    "request_states": [
                        {
                            "instance": INSTANCE,
                            "request": {"model": "P", "prompt": Q},
                            "result": {"success": True, "completions": [{"text": R}], "request_time": 1.5},
                        }
                    ],
                }
            ),
        ),
        None,
    ),
    "OpenAI evals": (
        jsonl(
            "log.jsonl",
            {"spec": {"completion_fns": ["P"], "eval_name": "graz.dev.v0"}},
            EVENT | {"event_id": 0, "type": "sampling", "data": {"prompt": MESSAGES, "sampled": [R]}},
            EVENT | {"event_id": 1, "type": "match", "data": {"correct": False, "expected": A, "sampled": R}},
            {"final_report": {"accuracy": 0.0}},
        ),
        {"correct": 0.0},
    ),
}


@pytest.mark.parametrize(("log", "scores"), LOGS.values(), ids=LOGS)
def test_a_sample_is_a_question_with_its_response(log: Source, scores: dict[str, float] | None):
    """The question is that of the sample, whatever its prompt; the harness's own scores stand beside."""
    loaded = load(log, [])
    assert loaded.rows.select("question", "answer", "pipeline", "response").rows() == [(Q, A, "P", R)]
    given = loaded.rows["their_scores"].to_list()[0]
    assert (given and {each["name"]: each["value"] for each in given}) == scores


def test_the_likeliest_option_is_the_response():
    """A task that compares likelihoods has no text: the option with the highest is what the model chose."""
    options = {f"gen_args_{n}": {"arg_0": Q, "arg_1": f" {text}"} for n, text in enumerate(("12", A))}
    pairs = [["-4.1", "False"], ["-2.0", "True"]]
    sample = lm_eval(arguments=options, target="1", resps=[[each] for each in pairs], filtered_resps=pairs)
    assert load(jsonl("P.jsonl", sample), []).rows.select("answer", "response").rows() == [(A, A)]


def test_a_letter_is_the_option_that_it_stands_for():
    """Where HELM had a model choose between letters, the response is the chosen option's text."""
    state = {
        "instance": INSTANCE,
        "output_mapping": {"A": "Vienna", "B": A},
        "result": {"success": True, "completions": [{"text": " B"}]},
    }
    file = upload("scenario_state.json", json.dumps({"adapter_spec": {"model": "P"}, "request_states": [state]}))
    assert load(file, []).rows["response"].to_list() == [A]


@pytest.mark.parametrize("nested", [True, False])
def test_details_of_lighteval(nested: bool):
    """Parquet with objects for the document, the response and the metric, and with columns of their own, is read."""
    if nested:
        doc = {"id": "1", "query": Q, "choices": ["12", A], "gold_index": [1]}
        row = {"doc": doc, "model_response": {"text": [R]}, "metric": {"em": 0.0}}
    else:
        row = {"full_prompt": Q, "example": Q, "predictions": [R], "gold": [A], "metrics": {"em": 0.0}}
    loaded = load(parquet("P.parquet", pl.DataFrame([row])), [])
    assert loaded.rows.select("question", "answer", "response").rows() == [(Q, A, R)]
    assert loaded.rows["their_scores"].to_list()[0][0]["value"] == 0.0


QUESTIONS = {
    "LlamaIndex": (
        upload(
            "rag_dataset.json",
            json.dumps(
                {
                    "examples": [
                        {
                            "query": Q,
                            "query_by": {"model_name": "gpt-4", "type": "ai"},
                            "reference_contexts": ["Graz …"],
                            "reference_answer": A,
                            "reference_answer_by": {"model_name": "gpt-4", "type": "ai"},
                        }
                    ]
                }
            ),
        ),
        A,
    ),
    "TriviaQA": (
        jsonl("t.jsonl", {"Question": Q, "QuestionId": "tc_1", "Answer": {"Value": A, "Aliases": [A, "290000"]}}),
        f"{A}<OR>290000",
    ),
    "TriviaQA's own file": (
        upload(
            "t.json", json.dumps({"Data": [{"Question": Q, "QuestionId": "1", "Answer": {"Value": A, "Aliases": []}}]})
        ),
        A,
    ),
    "Hugging Face's TriviaQA": (
        jsonl("t.jsonl", {"question": Q, "question_id": "tc_1", "answer": {"value": A, "aliases": ["290000"]}}),
        f"{A}<OR>290000",
    ),
    "NQ-open": (jsonl("nq.jsonl", {"question": Q, "answer": [A, "290000"]}), f"{A}<OR>290000"),
    "HELM's instances": (upload("instances.json", json.dumps([INSTANCE])), A),
    "AutoRAG": (
        parquet("qa.parquet", pl.DataFrame({"qid": ["1"], "query": [Q], "generation_gt": [[A, "290000"]]})),
        f"{A}<OR>290000",
    ),
}


@pytest.mark.parametrize(("file", "answer"), QUESTIONS.values(), ids=QUESTIONS)
def test_golden_datasets_of_benchmarks(file: Source, answer: str):
    """Accepted answers are variants of one golden answer; a file of responses is joined by the question."""
    responses = jsonl("r.jsonl", {"question": Q, "response": R})
    rows = load(file, [responses]).rows
    assert rows.select("question", "answer", "response").rows() == [(Q, answer, R)]


def test_a_list_of_answers_beside_a_response_is_golden():
    """Where the file has a response too, the list of answers is still the golden one."""
    loaded = load(jsonl("P.jsonl", {"question": Q, "answer": [A, "290000"], "prediction": R}), [])
    assert loaded.rows.select("answer", "response").rows() == [(f"{A}<OR>290000", R)]


def test_kilt_and_beir():
    """KILT's answers are variants of one, BEIR's queries are questions with an id."""
    kilt = preview(None, [jsonl("nq.jsonl", {"id": "1", "input": Q, "output": [{"answer": A}, {"answer": "290000"}]})])[
        0
    ]
    beir = preview(None, [jsonl("queries.jsonl", {"_id": "1", "text": Q, "metadata": {"answer": A}})])[0]

    assert kilt.first.rows() == [("1", Q, f"{A}<OR>290000")]
    assert beir.words == {"_id": "question_id", "text": "question", "metadata": "answer"}
