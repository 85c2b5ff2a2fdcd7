"""Layouts of files in public repositories, named by these: their columns, nesting and kinds of cells, with texts of our
own. What loads is right, what leaves two readings is asked, what has no answers is refused; none is wrong in silence.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from qaviz.loading import Source, load, preview
from qaviz.model.errors import QavizError
from tests.loading.files import A, Q, R, Row, S, fill, jsonl, upload

ROWS = list(zip(Q, A, R, S, strict=True))


def table(name: str, header: str, rows: Iterable[Sequence[object]], delimiter: str = ",") -> Source:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return upload(name, text.getvalue())


def document(name: str, value: object) -> Source:
    return upload(name, json.dumps(value, ensure_ascii=False, indent=1))


def passed(text: str, verdict: str = "PASS") -> str:
    """A cell of promptfoo's CSV."""
    reason = "Pass Reason: No assertions" if verdict == "PASS" else 'Fail Reason: Expected "0"'
    before = '\n\nExpected "0"\n---\n' if verdict == "FAIL" else "\n\n"
    return f"[{verdict}] ({float(verdict == 'PASS'):.2f}){before}{text}\n\n{reason}"


GOLDEN = document("golden.json", fill({"question": "{q}", "answer": "{a}"}))
JUDGED = "id,Question,Model answer,Acceptable?,annotator1,annotator2,annotator3"
PASSAGES = [
    (f"query_{n}", q, 1, f"[{k}]", "A passage about it.", "" if k else r)
    for n, (q, _, r, _) in enumerate(ROWS)
    for k in (0, 1)
]
PREDICTED = {
    "schema_version": "1.0", "gold_correto": True, "flag_anomalia": False, "perfil_baseline": "hibrido",
    "sinais": {"gold_correto": True, "gold_incorreto": False, "juiz": None}, "recuperados": [], "meta": {},
}  # fmt: skip
BILINGUAL = table(
    "questions_audit.csv",
    "id,kind,question_en,question_ar,answer_en,answer_ar,passages_en,answer_ok,notes",
    fill(["u{n}", "numeric", "{q}", "ما هو {n}؟", "{a}", "{n} 75 دولار", "{a} So it is.", "", ""]),
)
OPEN_QA = [
    {"question": "{q}", "answer": [a, f"{a} So it is."], "prediction": p} for a, p in (("{a}", "{r}"), ("{a}", "{s}"))
]
ANSWERED = {"query": "{q}", "reference": "{a}", "response_time": 3.7}
LABOR_ANSWER = {
    "id": "g{n}", "status": "answered", "answer": "{r}", "citations": [{"chunk_id": "art:1", "quote": "{a}"}],
    "retrieval": [{"rank": 1, "score": 0.7}], "meta": {"model": "m", "raw_answer": "{r}", "cached": True},
}  # fmt: skip
LABOR_GOLDEN = {
    "id": "g{n}", "level": "L1", "question": "{q}", "expected_status": "answered", "gold_evidence": ["a#74"],
    "key_points": ["{a}"], "key_point_literals": [["So"]], "reference_answer": "{a}", "notes": "Amended.",
}  # fmt: skip
FACTUALITY = {
    "dataset_version": "f", "id": "qa_{n}", "input": "{q}", "provenance": {"source": "trivia"}, "tags": ["geography"],
    "expected_outputs": [{"kind": "regex", "value": "\\b7\\b"}, {"kind": "exact", "value": "{a}"}],
}  # fmt: skip
COMPARED = {
    "input_text": "{q}", "tags": ["Travel"], "output_text_a": "{r}", "output_text_b": "{s}", "score": 0.5,
    "individual_rater_scores": [], "custom_fields": {},
}  # fmt: skip

READ: Mapping[str, tuple[list[Source], Mapping[str, Sequence[str]]]] = {
    "ehsk/OpenQA-eval, outputs of two models": (
        [jsonl("NQ_DPR.jsonl", *fill(OPEN_QA[0])), jsonl("NQ_FiD.jsonl", *fill(OPEN_QA[1]))],
        {"NQ_DPR": R, "NQ_FiD": S},
    ),
    "anudeepadi/quit-txt-rag-eval": (
        [
            document(
                "comparison.json",
                {"date": "2025-11-23", "web_sources": ["https://a.org/x"]}
                | {
                    name: {"approach": how, "model": "gpt-4o-mini", "results": fill({**ANSWERED, "response": text})}
                    for name, how, text in (
                        ("web_rag", "Web RAG (Real Content)", "{r}"),
                        ("dataset_rag", "Dataset RAG", "{s}"),
                    )
                },
            )
        ],
        {"Web RAG (Real Content)": R, "Dataset RAG": S},
    ),
    "jjy714/RAG-Evaluation": (
        [
            table(
                "P.csv",
                "question,target_file_name,target_page_no,target_answer,response,latency_secs,retrieved_doc1,retrieved_page1,"
                "retrieved_cont1,recall,reciprocal_rank",
                fill(["{q}", "d.pdf", 1, "{a}", "{r}", 0.13, "d.pdf", 0, "{a} More of it.", 1, 0.5]),
            )
        ],
        {"P": R},
    ),
    "junaidAbdulhamid/Rag-evaluation-platform, responses by id": (
        [
            jsonl("rag_v2.jsonl", *fill({"id": "q{n}", "answer": "{r}", "latency_ms": 120})),
            document(
                "eval_dataset.json",
                fill(
                    {"id": "q{n}", "question": "{q}", "expected_answer": "{a}", "relevant_document_ids": ["policy"]}
                    | {"category": "x", "difficulty": "easy", "slices": ["simple_lookup"]}
                ),
            ),
        ],
        {"rag_v2": R},
    ),
    "oyhoyhk/labor-law-rag-eval": (
        [jsonl("predictions.jsonl", *fill(LABOR_ANSWER)), jsonl("gold_v2.jsonl", *fill(LABOR_GOLDEN))],
        {"predictions": R},
    ),
    "Sunwood-ai-labs/qa-evaluation-with-deepeval": (
        [table("P.csv", "question,llm_answer,expected_answer,context", fill(["{q}", "{r}", "{a}", "{a}|||{r}"]))],
        {"P": R},
    ),
    "kyosek/rag-evaluation, a file a taker": (
        [
            document(
                f"{taker}.json",
                [
                    {"question": q, "model_answer": x, "correct_answer": g, "is_correct": x == g}
                    for q, x, g in zip(Q, said, "BDCA", strict=True)
                ],
            )
            for taker, said in (("gemma_closed", "BDCC"), ("gemma_Dense", "BDCA"))
        ],
        {"gemma_closed": "BDCC", "gemma_Dense": "BDCA"},
    ),
    "jt-mchorse/llm-eval-harness": (
        [jsonl("factuality.jsonl", *fill(FACTUALITY)), table("P.csv", "id,response", fill(["qa_{n}", "{r}"]))],
        {"P": R},
    ),
    "PAIR-code/llm-comparator, with golden answers": (
        [
            document(
                "tiny.json",
                {
                    "metadata": {"source_path": "n/a", "custom_fields_schema": []},
                    "models": [{"name": "ABC 1.1"}, {"name": "ABC 1.0"}],
                    "examples": fill(COMPARED),
                },
            ),
            GOLDEN,
        ],
        {"ABC 1.1": R, "ABC 1.0": S},
    ),
    "a Russian RAG baseline, the golden answer in an object about the row": (
        [
            document(
                "P.json",
                fill(
                    {"query_text": "{q}", "metadata": {"question_type": "exact", "ground_truth": "{a}"}}
                    | {"response_text": "{r}"}
                ),
            )
        ],
        {"P": R},
    ),
    "shreyshahi/gsm8k-evals, a problem beside its traces": (
        [
            document(
                "P.json",
                fill(
                    {"problem": {"question": "{q}", "answer": "{a}"}, "is_correct": True}
                    | {"traces": [{"prompt": "Answer at once: {q} Nothing else.", "response": "{r}"}]}
                ),
            )
        ],
        {"P": R},
    ),
    "a file of a configuration that names its model": (
        [
            document(
                "20260429_152119.json",
                {"model_config": {"name": "deepseek", "max_tokens": 20}, "evaluator_config": {"name": "gpt-5"}}
                | {"results": fill({"id": "{n}", "query": "{q}", "gold_answer": "{a}", "llm_answer": "{r}"})},
            )
        ],
        {"deepseek": R},
    ),
    "RAGAS in capitals": (
        [table("P.csv", "USER_INPUT,RETRIEVED_CONTEXTS,RESPONSE,REFERENCE", fill(["{q}", "['{a}']", "{r}", "{a}"]))],
        {"P": R},
    ),
}

ASKED = {
    "arpitpaliwal007/agent-benchmark, what is true beside two systems": [
        table("rag_results.csv", "question,true,basic,rag", fill(["{q}", "{a}", "{r}", "{s}"]))
    ],
    "Xiaopeng03/Rag_for_Maritime, the letter beside the raw one": [
        jsonl(
            "predictions.jsonl",
            *(
                {"index": n, "question": f"{n}. {q}", **dict(zip("ABCD", R, strict=True)), "ground_truth": gold}
                | {"prediction": said, "is_correct": gold == said, "raw_response": f"[{said}]"}
                for n, (q, gold, said) in enumerate(zip(Q * 2, "ADCBADCB", "CAABBDCB", strict=True))
            ),
        )
    ],
    "a quiz, the parsed response beside the raw one": [
        table("final.csv", "question,answer,pred_raw", fill(["{q}", "{r}", "It is {r}"])),
        GOLDEN,
    ],
    "with and without retrieval, one of them called as models are": [
        document(
            "eval.json",
            fill({"question": "{q}", "ground_truth_answer": "{a}", "llm_answer": "{r}", "rag_answer": "{s}"}),
        )
    ],
    "kevinschaul/llm-evals, promptfoo's CSV": [
        GOLDEN,
        table(
            "results.csv",
            "prompt,[openai/gpt-4o-mini] {{prompt}},[gemini-2.5] {{prompt}}",
            ((q, passed(r), passed(s, "FAIL")) for q, _, r, s in ROWS),
        ),
    ],
    "ehsk/OpenQA-eval, human judgements": [table("human.tsv", JUDGED, fill(["{n}", "{q}", "{r}", *["Yes"] * 4]), "\t")],
    "castorini/qa-eval, the judge's words beside": [
        table(
            "eval.csv",
            "id,Question,Gold answers,Model answer,EM,F1,vicuna,Response",
            fill(["", "{q}", "['{a}']", "{r}", 0, 0.4, 1, "Is {r} correct? Yes."]),
        )
    ],
    "Moustafa29/bilingual-rag-eval": [BILINGUAL],
    "anshd15/production-rag-evals-llm-judge, no answers": [
        jsonl(
            "cases.jsonl",
            *fill({"id": "{n}", "category": "pii", "text": "{q}", "expect": "blocked", "why": "Steering."}),
        )
    ],
    "skandula9273/sec-rag-eval, scores alone": [
        document(
            "scores.json",
            {"n_questions": 150, "config": {"generation_model": "claude", "seed": 13}, "mrr": 0.31}
            | {"latency_ms": {"p50": 4464.0}},
        )
    ],
    "jt-mchorse/llm-eval-harness, rubrics alone": [
        jsonl(
            "calibration.jsonl",
            *fill({"human_score": 1.0, "prompt": "{q}", "response": "{r}", "rubric": "Score how faithful it is."}),
        )
    ],
    "karysoares/rag-eval-harness": [
        jsonl("P.jsonl", *fill({**PREDICTED, "pergunta": "{q}", "resposta": "{r}"})),
        GOLDEN,
    ],
}


@pytest.mark.parametrize(("files", "said"), READ.values(), ids=READ)
def test_real_layouts_load(files: list[Source], said: Mapping[str, Sequence[str]]):
    """Each pipeline has its responses to its questions, and golden answers are those of the file."""
    loaded = load(None, files)
    for name, responses in said.items():
        rows = loaded.rows.filter(loaded.rows["pipeline"] == name)
        assert dict(zip(rows["question"], rows["response"], strict=True)) == dict(zip(Q, responses, strict=True))
    assert set(loaded.rows["pipeline"]) == set(said)
    answers = [answer.partition("<OR>")[0] for answer in loaded.golden["answer"]]
    assert answers in (list(A), list("BDCA"))


@pytest.mark.parametrize("files", ASKED.values(), ids=ASKED)
def test_what_has_two_readings_or_none_is_asked(files: list[Source]):
    """Nothing is read until a person says what is meant, or brings what is missing."""
    with pytest.raises(QavizError):
        load(None, files)


@pytest.mark.parametrize("name", list(ASKED)[:2])
def test_a_choice_leads_to_the_reading(name: str):
    """The first command that is printed gives the golden answers and the responses as the file has them."""
    (source,) = ASKED[name]
    (seen,) = preview(None, [source])
    loaded = load(None, [replace(source, mapping=seen.readings[0].mapping)])
    answers = [answer.rpartition("<OR>")[2] for answer in loaded.golden["answer"]]
    assert answers in (list(A), list("ADCBADCB"))
    assert set(loaded.rows["response"]) in ({*R, *S}, set("ABCD"))


def test_scores_beside_headings_in_capitals_are_kept():
    """Columns that Ragas writes are Ragas's in capitals too: its scores stay beside the responses."""
    header = "USER_INPUT,RETRIEVED_CONTEXTS,RESPONSE,REFERENCE,FAITHFULNESS"
    loaded = load(None, [table("P.csv", header, fill(["{q}", "['{a}']", "{r}", "{a}", 0.5]))])
    assert [scores[0]["name"] for scores in loaded.rows["their_scores"]] == ["faithfulness"] * len(Q)


NO_OFFER = {
    "sokldjs554/medical-rag-qa, the raw response": jsonl(
        "P.jsonl", *fill({"qid": "{n}", "gold": "{a}", "pred": "{r}", "raw": "{s} So it is, as studies show."})
    ),
    "a program": jsonl("P.jsonl", *fill({"id": "{n}", "model": "m", "gold": "{a}", "sql": "SELECT {n} FROM t"})),
    "what was said to a prompt": table("P.csv", "Model Name,Response to Prompt", fill(["m{n}", "{r}"])),
}


@pytest.mark.parametrize("source", NO_OFFER.values(), ids=NO_OFFER)
def test_no_column_without_a_question_is_offered_as_one(source: Source):
    """A form of the response, a program or a name is not offered as the question: it says what is missing."""
    with pytest.raises(QavizError) as caught:
        load(None, [source])
    assert "=question" not in str(caught.value)
    assert "bring" in str(caught.value)


def test_what_cannot_be_whole_is_not_asked_first():
    """Where no reading gives golden answers, or responses, that is said, and no choice is asked before."""
    for header, cells in (
        ("model,question,model_answer,raw_response", ["m", "{q}", "{r}", "It is {r}"]),
        ("question,correct_letter,model", ["{q}", "A", "m"]),
    ):
        with pytest.raises(QavizError) as caught:
            load(None, [table("P.csv", header, [*fill(cells), *fill(cells)])])
        assert "expected one reading" not in str(caught.value)


def test_other_forms_of_answers_are_named_as_left_out():
    """Answers in other columns, numbers too, are named where they are not read."""
    row = {"question": "{q}", "gold": "{a} That is {n}9.", "prediction": "{r} So {n}9.", "pred_final": "{n}9"}
    row |= {"kg_answer": "{n}9", "incorrect_answers": "No, not at all as many.", "response_ms": 120}
    (seen,) = preview(None, [jsonl("P.jsonl", *fill(row), *fill(row))])
    if seen.readings:
        (seen,) = preview(None, [jsonl("P.jsonl", *fill({**row, "kg_answer": ""}))])
    assert {"pred_final", "incorrect_answers"} <= set(seen.ignored)
    assert "response_ms" not in seen.ignored


LETTERED = {
    "all answers that could be selected": (
        {
            "question": "{q}",
            "gold": "{a}",
            "predicted_answer": "{r}",
            "all_answers": [{"text": "{r}"}, {"text": "{s}"}],
        },
        {"all_answers"},
    ),
    "what is true, as flags": ({"question": "{q}", "gold": "{a}", "response": "{r}", "true": "1"}, set()),
    "the golden letter beside its text": (
        {"question": "{q}", "answer_letter": "A", "answer": "{a}", "model_answer": "{r}"},
        {"answer_letter"},
    ),
}


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize(("row", "ignored"), LETTERED.values(), ids=LETTERED)
def test_letters_flags_and_options_are_no_pipeline_beside_answers(row: Row, ignored: set[str], number: int):
    """Whether a response is true, the letter of a golden text, and options are neither golden answers nor responses."""
    source = jsonl("P.jsonl", *fill(row)[:number])
    loaded = load(None, [source])
    assert (loaded.golden["answer"].to_list(), loaded.rows["response"].to_list()) == (
        list(A[:number]),
        list(R[:number]),
    )
    assert ignored <= set(preview(None, [source])[0].ignored)


def test_a_language_is_chosen_with_its_question():
    """Of answers in two languages one is chosen, and the question in the same."""
    (seen,) = preview(None, [BILINGUAL])
    chosen = Source(BILINGUAL.name, BILINGUAL.data, mapping=seen.readings[0].mapping)
    loaded = load(None, [chosen, table("P.csv", "question,response", zip(Q, R, strict=True))])
    assert (loaded.golden["answer"].to_list(), loaded.rows["response"].to_list()) == (list(A), list(R))


def test_a_row_a_passage_answers_once():
    """vectara/open-rag-eval: a row a passage, the response in the first: it is kept, the others are listed."""
    source = table("csv_results.csv", "query_id,query,query_run,passage_id,passage,generated_answer", PASSAGES)
    loaded = load(None, [source, GOLDEN])
    assert loaded.rows["response"].to_list() == list(R)
    assert loaded.listed.filter(loaded.listed["kind"] == "duplicate").height == len(Q)
