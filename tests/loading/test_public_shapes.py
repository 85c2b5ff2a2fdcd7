"""Shapes of result files from public repositories, rewritten small: what loads is right, what is doubtful is asked, and
what holds no questions and answers is refused. None is read wrongly in silence."""

import json
from collections.abc import Sequence

import pytest

from qaviz.loading import Source, load, preview
from qaviz.model.errors import QavizError
from tests.loading.files import A, Q, R, ask, fill, upload

ROWS = list(zip(Q, A, R, strict=True))
GOLDEN = upload("golden.json", json.dumps([{"question": q, "answer": a} for q, a in zip(Q, A, strict=True)]))


def document(value: object) -> Source:
    return upload("P.json", json.dumps(value, ensure_ascii=False, indent=1))


def lines(*rows: object) -> Source:
    return upload("P.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def chat(question: str, *responses: str) -> list[dict[str, str]]:
    turns = [("system", "Be brief."), ("user", question), *(("assistant", response) for response in responses)]
    return [{"role": role, "content": content} for role, content in turns]


def prompt(question: str) -> list[dict[str, str]]:
    return [{"role": "HUMAN", "prompt": question}]


def table(header: str, *rows: Sequence[object], delimiter: str = ",") -> Source:
    cells = (delimiter.join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in rows)
    return upload("P.csv", "\n".join([header, *cells]) + "\n")


ARMS = {name: {"answer": text, "judge_score": 5} for name, text in (("base", "{r}"), ("rag", "{a}"))}
PLURAL = {"queries": Q, "ground_truths": A, "predictions": R}
MODELS = [{"model": "gpt-4o", "response": "{r}"}, {"model": "claude-3", "response": "{a}"}]
TURNS = [{"from": "human", "value": "{q}"}, {"from": "gpt", "value": "{r}"}]
CONFIGURED = {"model": "B", "results": fill({"question": "{q}", "ground_truth": "{a}", "response": "{r}"})}
DECIDED = {
    "input": ["{q}"],
    "expected": {"decision": "STORE", "value": "{a}", "frequency": 1},
    "actual": {"decision": "STORE", "memory_found": True, "memory_value": "{r}", "frequency": 1},
    "correct": {"decision": True},
}
FULL = {
    "question": "{q}", "prompt": "Answer shortly: {q}", "model_answer": "{r}", "expected_answer": "{a}",
    "full_response": "Thought: let me see. Answer: {r}", "expected_program": "add(1, 2)",
    "predicted_program": "add(1, 3)", "answer_match": True, "rag_ok": False,
}  # fmt: skip

BOTH = {
    "scores beside two answers": (
        table(
            "questions,reference_answer,llm_1_answer,llm_2_answer,llm_1_sim,llm_2_sim",
            *fill(["{q}", "{a}", "{r}", "{a}", 0.24, 0.74]),
        ),
        {"llm_1_answer": R, "llm_2_answer": A},
    ),
    "an object a model, each with its answer and scores": (
        lines(*fill({"question": "{q}", "reference": "{a}", "arms": ARMS, "consistency_rerun": "{r}"})),
        {"base": R, "rag": A},
    ),
    "a model a row": (
        table("model,question,expected,generated,rouge1", *fill(["RAG_GPT4", "{q}", "{a}", "{r}", 0.15])),
        {"RAG_GPT4": R},
    ),
    "provider and why it stopped": (
        table(
            "user_input,retrieved_contexts,response,reference,faithfulness,stopped_reason,provider",
            *fill(["{q}", "['one', 'two']", "{r}", "{a}", 0.4, "final_answer", "groq"]),
        ),
        {"groq": R},
    ),
    "answers before their references": (
        table("question,answer,ground_truth,faithfulness", *fill(["{q}", "{r}", "{a}", 1.0])),
        {"P": R},
    ),
    "an answer beside the expected one, and its references": (
        document(
            fill(
                {"query": "{q}", "rewritten_query": "{q} (again)", "expected_answer": "{a}", "answer": "{r}"}
                | {"rubric": ["It says {a}"], "references": [{"doc_id": "d", "page": 24}]}
            )
        ),
        {"P": R},
    ),
    "types beside both answers": (
        document(
            fill(
                {"doc": "d1.pdf", "question": "{q}", "expected_answer": "{a}", "expected_type": "info"}
                | {"predicted_answer": "{r}", "predicted_type": "info", "hallucinated": False}
            )
        ),
        {"P": R},
    ),
    "questions and answers inside the reasons of a score": (
        document(
            {
                "average_score": 0.7,
                "eval_output_items": fill(
                    {
                        "id": "{n}",
                        "score": 0.5,
                        "reasoning": {"user_input": "{q}", "reference": "{a}", "response": "{r}"},
                    }
                ),
            }
        ),
        {"P": R},
    ),
    "columns named inputs.question": (
        lines(
            *fill({"inputs.question": "{q}", "inputs.ground_truth": "{a}", "inputs.answer": "{r}", "outputs.sim": 5})
        ),
        {"P": R},
    ),
    "scores named like contexts": (
        table("input,output,ground_truth,Context Adherence,cost", *fill(["{q}", "{r}", "{a}", 0.9, 0.001])),
        {"P": R},
    ),
    "subjects and lists of accepted answers": (
        table(
            "id,subj,question,possible_answers,response",
            *((n, q.split()[-1], q, json.dumps([a, "so"]), r) for n, (q, a, r) in enumerate(ROWS)),
        ),
        {"P": R},
    ),
    "a pipeline without retrieval": (
        table("Question,Ground Truth,No RAG,Naive RAG", *fill(["{q}", "{a}", "{r}", "{a}"])),
        {"No RAG": R, "Naive RAG": A},
    ),
    "lists by conversation": (
        document(
            {
                name: fill({"question": "{q}", "answer": "{a}", "prediction": "{r}", "f1": 0.3})[part]
                for name, part in (("conv-1", slice(2)), ("conv-2", slice(2, None)))
            }
        ),
        {"P": R},
    ),
    "input, output and expected": (
        lines(
            *fill(
                {"metadata": {"id": 1}, "input": {"question": "{q}"}, "output": {"answer": "{r}", "contexts": ["{a}"]}}
                | {"expected": {"answer": "{a}"}, "metrics": {"f1": 0.3}}
            )
        ),
        {"P": R},
    ),
    "nested JSON keyed by question id": (
        document({f"q{n}": {"question": q, "gold": a, "prediction": r} for n, (q, a, r) in enumerate(ROWS)}),
        {"P": R},
    ),
    "results below a configuration": (document(CONFIGURED), {"B": R}),
    "chat messages": (lines(*fill({"messages": chat("{q}", "{r}"), "reference": "{a}"})), {"P": R}),
    "a chat as input": (lines(*fill({"input": chat("{q}"), "ideal": "{a}", "completion": "{r}"})), {"P": R}),
    "ShareGPT": (document(fill({"conversations": TURNS, "reference": "{a}"})), {"P": R}),
    "prompt and completion": (lines(*fill({"prompt": "{q}", "completion": "{r}", "ground_truth": "{a}"})), {"P": R}),
    "instructions with an empty input": (
        document(fill({"instruction": "{q}", "input": "", "output": "{r}", "reference": "{a}"})),
        {"P": R},
    ),
    "responses listed with their models": (
        document(fill({"question": "{q}", "answer": "{a}", "responses": MODELS})),
        {"gpt-4o": R, "claude-3": A},
    ),
    **{
        f"columns side by side, in the plural, {where}": (document(columns), {"P": R})
        for where, columns in {
            "alone": PLURAL,
            "in an object": {"run": PLURAL},
            "with an id": {"id": "e1"} | PLURAL,
        }.items()
    },
    "columns side by side": (
        document({"question": Q, "answer": R, "ground_truth": A, "contexts": [["c"]] * len(Q)}),
        {"P": R},
    ),
    "semicolons": (
        table("Frage;Antwort;gpt-4o;claude-3", *fill(["{q}", "{a}", "{r}", "{a}"]), delimiter=";"),
        {"gpt-4o": R, "claude-3": A},
    ),
    "lists by pipeline": (
        document(
            {
                "config": {"k": 5},
                "results": {
                    name: {"question_results": fill({"question": "{q}", "gold": "{a}", "answer": text})}
                    for name, text in (("naive", "{r}"), ("hyde", "{a}"))
                },
            }
        ),
        {"naive": R, "hyde": A},
    ),
    "a question under text": (lines(*fill({"text": "{q}", "answer": "{a}", "response": "{r}"})), {"P": R}),
    "BioASQ, what was predicted": (
        document(
            {"questions": fill({"id": "b{n}", "body": "{q}", "ideal_answer": ["{a}"], "ideal_answer_pred": "{r}"})}
        ),
        {"P": R},
    ),
    "Natural Questions, its gold beside the answers": (
        lines(
            *fill(
                {
                    "question": "{q}",
                    "answers": ["{a}", "so"],
                    "nq_annotated_gold": {"long_answer": "<P> {a} More. </P>"},
                }
                | {"ctxs": [{"title": "t", "text": "x y", "isgold": True}], "model_answer": "{r}"}
            )
        ),
        {"P": R},
    ),
    "OpenCompass predictions": (
        document(
            {str(n): {"origin_prompt": prompt(q), "prediction": r, "gold": a} for n, (q, a, r) in enumerate(ROWS)}
        ),
        {"P": R},
    ),
    "LoCoMo, questions below conversations": (
        document(
            [
                {
                    "sample_id": f"c{k}",
                    "conversation": {"session_1": [{"speaker": "Ann", "dia_id": "D1", "text": "Hi."}]},
                }
                | {
                    "qa": fill({"question": "{q}", "answer": "{a}", "category": 4, "gpt_prediction": "{r}"})[2 * k :][
                        :2
                    ]
                }
                for k in (0, 1)
            ]
        ),
        {"gpt_prediction": R},
    ),
    "TruthfulQA": (
        table(
            "Type,Question,Best Answer,Correct Answers,Incorrect Answers,response",
            *fill(["Adversarial", "{q}", "{a}", "{a}; so it is", "no", "{r}"]),
        ),
        {"P": R},
    ),
}
"""Files with golden answers and responses: the responses of each pipeline."""


@pytest.mark.parametrize(("source", "said"), BOTH.values(), ids=BOTH)
def test_files_with_both_load(source: Source, said: dict[str, tuple[str, ...]]):
    """Each pipeline has its responses, and golden answers are those of the file; lists of them are variants."""
    loaded = load(source, [])
    rows = loaded.rows.sort("pipeline", maintain_order=True)
    answers = [answer.partition("<OR>")[0] for answer in loaded.golden["answer"]]

    assert {name: tuple(rows.filter(rows["pipeline"] == name)["response"]) for name in rows["pipeline"]} == said
    assert answers == list(A)


IMAGES = [
    (f"{n // 3}.jpg", ("What is it?", "Is it red?", "How many?")[n % 3], "yn"[n % 2], "yn"[n // 2 % 2])
    for n in range(15)
]
"""Questions that repeat, each beside another image, golden answer or response."""


@pytest.mark.parametrize("head", ["image,question,ground_truth,model_answer", "n,question,ground_truth,model_answer"])
@pytest.mark.parametrize("models", [("",), ("a", "b")])
def test_a_row_belongs_to_itself_whatever_repeats(head: str, models: tuple[str, ...]):
    """Of questions with several golden answers each row is a triplet of its own, which other pipelines share."""
    rows = [
        (n if head[0] == "n" else image, *cells, model) for model in models for n, (image, *cells) in enumerate(IMAGES)
    ]
    loaded = load(table(f"{head},model" if models[0] else f"{head},note", *rows), [])
    assert (loaded.golden.height, loaded.rows.height) == (15, 15 * len(models))
    assert loaded.rows["response"].to_list() == [response for _ in models for *_, response in IMAGES]
    assert loaded.rows["answer"].to_list() == [answer for _ in models for _, _, answer, _ in IMAGES]


def test_a_stack_of_responses_without_names_is_no_new_question():
    """Where questions have one golden answer each, their second response is a repeat, though one question differs."""
    rows = [(q, f"{a} {k}" if q == Q[0] else a, f"{r} {k}") for k in (0, 1) for q, a, r in ROWS]
    assert load(table("question,gold,response", *rows), []).rows.height == len(ROWS) + 1


RESPONSES_ALONE = {
    "a number for each row": table(
        "n,question,latency_ms,top_ids,refused,answer,error",
        *((n, q, 7414, "A-01|A-03", False, r, "") for n, (q, _, r) in enumerate(ROWS, 1)),
    ),
    "metrics of retrieval": table(
        "index,question,answer,context_precision,faithfulness",
        *((n, q, r, 0.8, 0.9) for n, (q, _, r) in enumerate(ROWS, 1)),
    ),
    "documents and keywords": table(
        "question,expected_document,document_retrieved,keyword_score,matched_keywords,answer",
        *fill(["{q}", "City Guide", True, 1.0, "290,000", "{r}"]),
    ),
    "a passage in one text": table("question,context,predicted_answer", *fill(["{q}", "{a}", "{r}"])),
    "passages as objects": lines(
        *fill({"query": "{q}", "documents": [{"id": 1, "content": "{a}", "score": 0.9}], "response": "{r}"})
    ),
}
"""Files with responses of one pipeline, and no golden answers."""


@pytest.mark.parametrize("source", RESPONSES_ALONE.values(), ids=RESPONSES_ALONE)
def test_files_of_responses_ask_for_golden_answers(source: Source):
    """Without a golden dataset the file is refused, and with one its responses are read; nothing else is a response."""
    with pytest.raises(QavizError) as caught:
        load(source, [])
    assert any("golden dataset" in problem.fix for problem in caught.value.problems)

    assert load(GOLDEN, [source]).rows["response"].to_list() == list(R)


def test_what_stands_in_a_models_object_is_not_said_of_the_row():
    """The latency in the object of one model is no latency of the others."""
    of = {"a": {"output": "x", "latency_ms": 812}, "b": {"output": "y", "latency_ms": 300}}
    loaded = load(document([{"question": q, "gold": a, "models": of} for q, a, _ in ROWS]), [])
    assert set(loaded.rows["pipeline"]) == {"a", "b"}
    assert loaded.rows["latency_ms"].null_count() == loaded.rows.height


def test_one_model_in_several_approaches():
    """Of two columns that may name the pipeline the one that tells responses apart does."""
    rows = [(q, name, r, "gpt-5-nano") for q, _, r in ROWS for name in ("graph", "semantic")]
    loaded = load(GOLDEN, [table("question,approach,answer,model", *rows)])
    assert set(loaded.rows["pipeline"]) == {"graph", "semantic"}


def test_ids_and_answers_ask_for_the_questions():
    """Responses under ids, without questions, ask for a golden dataset that has them."""
    source = lines(*({"q_id": f"T{n}", "answer": r, "retrieved_doc_ids": ["D1"]} for n, r in enumerate(R)))
    with pytest.raises(QavizError) as caught:
        load(source, [])
    assert any("golden dataset" in problem.fix for problem in caught.value.problems)
    words = {"q_id": "question_id", "retrieved_doc_ids": "context_ids"}
    assert preview(None, [source])[0].words == words


@pytest.mark.parametrize("name", ["gold", "correct_answer", "ground_truths", "GT", "answer_gt", "standard_answer"])
def test_golden_answers_by_any_name_beside_answers(name: str):
    """A column `answer` beside golden answers is what the pipeline answered."""
    loaded = load(table(f"question,{name},answer", *ROWS), [])
    assert loaded.rows["response"].to_list() == list(R)
    assert loaded.golden["answer"].to_list() == list(A)


@pytest.mark.parametrize("name", ["answer_key", "gold_text", "reference_text"])
def test_letters_and_passages_leave_the_golden_answer_open(name: str):
    """A letter of a choice, or the passage that holds the answer, makes no response of the answer."""
    with pytest.raises(QavizError):
        load(table(f"question,{name},answer", *((q, "ABCD"[n], a) for n, (q, a, _) in enumerate(ROWS))), [])


def test_judges_and_repetitions_are_no_pipelines():
    """What tells apart rows with the same response, or only counts them, names no pipeline."""
    judged = [(q, a, r, rater, 3) for rater in ("Ann", "Bob") for q, a, r in ROWS]
    repeated = [(q, a, f"{r} {run}", run, 3) for run in (1, 2) for q, a, r in ROWS]
    for rows in (judged, repeated):
        assert set(load(table("question,gold_answer,answer,by_whom,stars", *rows), []).rows["pipeline"]) == {"P"}


def test_names_of_passages_are_no_contexts():
    """Ids and sources of what was retrieved are no texts."""
    rows = [
        {"question": q, "gold_answer": a, "answer": r, "evidence": ["D1:3"], "retrieved_sources": [{"source": "a"}]}
        for q, a, r in ROWS
    ]
    loaded = load(lines(*rows), [])
    assert "contexts" not in loaded.rows.columns or loaded.rows["contexts"].null_count() == len(ROWS)


ASKED = {
    "fields of a decision": document({"results": fill(DECIDED)}),
    "criteria of one question": document(
        [
            *fill({"id": "g{n}", "type": "contains", "prompt": "{q}", "expected": "{a}"}),
            {"id": "open", "type": "judge", "prompt": "Explain the sky.", "criteria": "Does it mention light?"},
        ]
    ),
    "counts of claims": table(
        "prompt,is_abstained,k_gt,k_gen,score,gt_claims,gen_claims",
        *fill(["{q}", False, 2, 2, 1.0, "['{a}']", "['{r}']"]),
    ),
    "metrics": document({"total": 10, "rejection_rate": 1.0, "avg_latency_ms": 26045.2}),
    "metrics a model": table("Model,Hit@1 (%),MRR (%),Num Queries", ("MiniLM", 39.4, 50.5, 520), ("bge", 52, 64, 520)),
    "classes": table(
        "File,GT_Class,SVM_Pred,IsCorrect_SVM", *((f"s{n}.json", "fist", "fist", "Yes") for n in range(9))
    ),
    "questions with scores": document(fill({"question": "{q}", "faithfulness": 0.7})),
    "retrieved passages": lines(*fill({"id": "g{n}", "pergunta": "{q}", "retrieved_ids": ["a"]})),
    "questions as keys": document({q: {"answer": r, "chunks": [{"content": a}]} for q, a, r in ROWS}),
    "questions as keys below names of pipelines": document(
        {name: {q: {"answer": r} for q, _, r in ROWS} for name in "AB"}
    ),
    "subjects of the questions": table("id,subj,question,obj", *((n, q.split()[-1], q, "x") for n, q in enumerate(Q))),
}
"""Files that lack answers or responses, whatever else they have."""


@pytest.mark.parametrize("source", ASKED.values(), ids=ASKED)
def test_other_files_are_never_loaded_in_silence(source: Source):
    """Numbers, flags, criteria, claims and fields of an object are no responses: the file is refused or asked about."""
    with pytest.raises(QavizError):
        load(source, [])


def test_text_that_is_no_json_is_said_once():
    """A text of many lines in a file called .json is one problem, not one for each line."""
    with pytest.raises(QavizError) as caught:
        load(upload("x.json", "-----\nQUERY: who is the leader\nK: 5\nThe leader is 127.0.0.1.\n"), [])
    assert {problem.found for problem in caught.value.problems} == {"broken JSON at character 1 (Expecting value)"}


def test_a_message_of_openai_is_no_response():
    """What its library says of an old version stands in place of a response, however long it is."""
    said = "Error: \n\nYou tried to access openai.ChatCompletion, but this is no longer supported. " + "Run it. " * 60
    loaded = load(GOLDEN, [lines({"question": Q[0], "response": said}, {"question": Q[1], "response": R[1]})])
    assert loaded.listed.filter(loaded.listed["kind"] == "pipeline error").height == 1


def two(row: dict[str, object], **first: object) -> list[dict[str, object]]:
    """The row of each question, then again with the golden answer as the response and these fields otherwise."""
    again = {name: "{a}" if value == "{r}" else value for name, value in row.items()} | first
    return [*fill(row), *fill(again)]


ASKED = {
    "one model with retrieval and without": lines(
        *two(
            {"question": "{q}", "reference_answer": "{a}", "predicted_answer": "{r}", "model_name": "llama"}
            | {"with_rag": True},
            with_rag=False,
        )
    ),
    "a mode that tells responses apart": lines(
        *two({"query": "{q}", "ground_truth": "{a}", "rag_answer": "{r}", "mode": "naive"}, mode="graph")
    ),
    "sizes of chunks": table(
        "chunk_size,question,ground_truth,response",
        *fill([256, "{q}", "{a}", "{r}"]),
        *fill([512, "{q}", "{a}", "{a}"]),
    ),
    "a response in full, programs and flags": document(fill(FULL)),
    "groups above the header": table(
        ",Golden,Answers,\nQuestion,Answer,gpt-4o,claude-3", *fill(["{q}", "{a}", "{r}", "{a}"])
    ),
    "units below the header": table(
        "question,ground_truth,response,latency\n,,,[ms]", *fill(["{q}", "{a}", "{r}", "12"])
    ),
}
"""Files in which two readings pass, or that are given up: names, flags and numbers that tell rows apart, a response in
full, headers in two rows."""


@pytest.mark.parametrize("source", ASKED.values(), ids=ASKED)
def test_files_that_leave_two_readings_are_asked(source: Source):
    """Nothing of them is read in silence."""
    assert ask([source])
