"""Result files in the shapes of public repositories load without a mapping: nested JSON, chats, wide tables, titles."""

import json

import pytest

from qaviz.loading import Source, load
from tests.loading.files import upload

Q = ("How many people live in Graz?", "Who founded the company?", "When was the plant opened?")
A = ("291,000", "Ann Lee", "1998")
R = ("About 291,000 people live there.", "It was founded by Ann Lee.", "It opened in 1998.")
S = ("290000", "Bob Ray founded the company", "in 1999")
ROWS = list(zip(Q, A, R, S, strict=True))


def document(name: str, value: object) -> Source:
    return upload(name, json.dumps(value, ensure_ascii=False, indent=1))


def lines(name: str, *rows: object) -> Source:
    return upload(name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def csv(name: str, header: str, *rows: tuple[str, ...], delimiter: str = ",") -> Source:
    cells = (delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    return upload(name, "\n".join([header, *cells]) + "\n")


def chat(asked: str, answered: str) -> list[dict[str, str]]:
    system = {"role": "system", "content": "Be brief."}
    return [system, {"role": "user", "content": asked}, {"role": "assistant", "content": answered}]


def by_model(first: str, second: str) -> list[dict[str, str]]:
    return [{"model": "gpt-4o", "response": first}, {"model": "claude-3", "response": second}]


ONE, TWO = ["P"], ["claude-3", "gpt-4o"]
SHAPES = {
    "nested JSON keyed by question id": (
        document(
            "P.json", {f"q{i}": {"question": q, "gold": a, "prediction": r} for i, (q, a, r, _) in enumerate(ROWS)}
        ),
        ONE,
    ),
    "results below a configuration": (
        document(
            "x.json",
            {"model": "P", "results": [{"question": q, "ground_truth": a, "response": r} for q, a, r, _ in ROWS]},
        ),
        ONE,
    ),
    "chat messages": (lines("P.jsonl", *({"messages": chat(q, r), "reference": a} for q, a, r, _ in ROWS)), ONE),
    "a chat as input": (
        lines("P.jsonl", *({"input": chat(q, "")[:2], "ideal": a, "completion": r} for q, a, r, _ in ROWS)),
        ONE,
    ),
    "ShareGPT": (
        document(
            "P.json",
            [
                {"conversations": [{"from": "human", "value": q}, {"from": "gpt", "value": r}], "reference": a}
                for q, a, r, _ in ROWS
            ],
        ),
        ONE,
    ),
    "prompt and completion": (
        lines("P.jsonl", *({"prompt": q, "completion": r, "ground_truth": a} for q, a, r, _ in ROWS)),
        ONE,
    ),
    "instructions with an empty input": (
        document("P.json", [{"instruction": q, "input": "", "output": r, "reference": a} for q, a, r, _ in ROWS]),
        ONE,
    ),
    "a question inside the input": (
        lines(
            "P.jsonl",
            *({"input": {"question": q}, "output": {"answer": r}, "expected": {"answer": a}} for q, a, r, _ in ROWS),
        ),
        ONE,
    ),
    "responses listed with their models": (
        document("x.json", [{"question": q, "answer": a, "responses": by_model(r, s)} for q, a, r, s in ROWS]),
        TWO,
    ),
    "columns side by side": (
        document("P.json", {"question": Q, "answer": R, "ground_truth": A, "contexts": [["c"]] * len(Q)}),
        ONE,
    ),
    "a column a model": (csv("x.csv", "question,ground_truth,gpt-4o,claude-3", *ROWS), TWO),
    "semicolons": (csv("x.csv", "Frage;Antwort;gpt-4o;claude-3", *ROWS, delimiter=";"), TWO),
    "groups above the header": (csv("x.csv", ",Golden,Answers,\nQuestion,Answer,gpt-4o,claude-3", *ROWS), TWO),
    "units below the header": (
        csv("P.csv", "question,ground_truth,response,latency\n,,,[ms]", *((*row[:3], "12") for row in ROWS)),
        ONE,
    ),
    "TruthfulQA": (
        csv(
            "P.csv",
            "Type,Question,Best Answer,Correct Answers,Incorrect Answers,response",
            *(("Adversarial", q, a, f"{a}; so it is", "no", r) for q, a, r, _ in ROWS),
        ),
        ONE,
    ),
}


@pytest.mark.parametrize(("source", "pipelines"), SHAPES.values(), ids=SHAPES)
def test_a_shape_loads_at_the_first_try(source: Source, pipelines: list[str]):
    """Questions, golden answers, responses and pipelines are where the file has them, nothing is mapped by a person."""
    loaded = load(source, [])
    rows = loaded.rows.select("question", "answer", "pipeline", "response").sort("pipeline", "question").rows()
    said = {"P": R, "gpt-4o": R, "claude-3": S}

    assert rows == sorted(
        ((q, a, name, said[name][place]) for name in pipelines for place, (q, a, *_) in enumerate(ROWS)),
        key=lambda row: (row[2], row[0]),
    )
