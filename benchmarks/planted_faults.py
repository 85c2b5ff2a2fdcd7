"""Faults planted in responses to questions about real documents, and how many are named right.

`python -m benchmarks.planted_faults FOLDER SEED` cuts the documents of FOLDER into passages, asks for figures and
names that stand in one of them, plants seven kinds of fault in 400 responses with five to ten contexts each, and scores
them with `--documents` as `qaviz score` does. It prints how many faults of each kind are named right.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import polars as pl

from qaviz.cli import main

KINDS = {
    "not in the documents": "documents",
    "not retrieved": "retriever",
    "retrieved too low": "retriever",
    "in the context, not used": "generator",
    "used, wrong": "generator",
    "right but unsupported": "generator",
    "golden dataset wrong": "golden dataset",
}
RESPONSES = 400
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"])")
_VALUE = re.compile(
    r"(?<![\w.-])[$€]?\d[\d,.]*\d%?(?: (?:million|billion|percent))?|(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)+(?! [A-Z])"
)
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")
_DECLINES = ("I could not find this in the documents.", "The provided context does not contain this information.")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document with a value that a question can ask for."""

    text: str
    value: str
    question: str
    passage: str


def find_sentences(passages: Sequence[str], random: Random) -> list[Sentence]:
    """Sentences with a value that a question can ask for."""
    found = []
    for passage in passages:
        for text in _SENTENCE.split(passage):
            values = [value for match in _VALUE.finditer(text) if passage.count(value := match[0]) == 1]
            values = [value for value in values if "The" not in value]
            words = [word for word in dict.fromkeys(_WORD.findall(text)) if not any(word in value for value in values)]
            if values and len(words) >= 6 and len(text) < 300 and not set(text) & set("`|{}"):
                value = random.choice(values)
                asked = " ".join(words[place] for place in sorted(random.sample(range(len(words)), 5)))
                found.append(Sentence(text, value, f"{begin_question(value)} {asked}?", passage))
    return found


def begin_question(value: str) -> str:
    """How a question begins that asks for such a value."""
    if value.startswith(("$", "€")):
        return "How much is stated for"
    if value.endswith(("%", "percent")):
        return "What percentage is stated for"
    return "How many are there according to" if any(map(str.isdigit, value)) else "What is the name for"


def change(value: str, random: Random) -> str:
    """Another value of the same form."""
    if not any(map(str.isdigit, value)):
        return random.choice([name for name in ("Maria Keller", "North Harbour", "Tomas Brandt") if name != value])
    digits = [place for place, character in enumerate(value) if character.isdigit()]
    place = digits[0]
    other = random.choice([digit for digit in "123456789" if digit != value[place]])
    return value[:place] + other + value[place + 1 :]


def plant(kind: str, sentence: Sentence, passages: Sequence[str], random: Random) -> tuple[str, str, list[str]]:
    """Golden fact, response and contexts of one fault."""
    words = set(_WORD.findall(sentence.question))
    others = [passage for passage in passages if sentence.value not in passage]
    others.sort(key=lambda passage: -sum(word in passage for word in words))
    contexts = random.sample(others[:12], 5)
    wrong = change(sentence.value, random)
    statement = sentence.text.replace(sentence.value, wrong)
    elsewhere = [match[0] for context in contexts for match in _VALUE.finditer(context)]
    taken = f"It is {random.choice(elsewhere)}." if elsewhere else f"It is {wrong}."
    fails: Callable[[], str] = lambda: random.choice([random.choice(_DECLINES), taken, f"It is {wrong}."])  # noqa: E731
    top = [*contexts[: (place := random.randrange(3))], sentence.passage, *contexts[place:4]]
    low = [*contexts, *random.sample(others[12:], random.randrange(1, 4)), sentence.passage]
    match kind:
        case "not in the documents" | "not retrieved":
            return sentence.value, fails(), contexts
        case "retrieved too low":
            return sentence.value, fails(), low
        case "in the context, not used":
            return sentence.value, random.choice([random.choice(_DECLINES), taken]), top
        case "used, wrong":
            return sentence.value, statement, top
        case "right but unsupported":
            return sentence.value, random.choice([sentence.text, f"It is {sentence.value}."]), contexts
        case _:
            return wrong, random.choice([sentence.text, f"It is {sentence.value}."]), top


def write_planted(folder: Path, documents: Path, seed: int) -> None:
    """Write golden.jsonl, responses.jsonl and the documents, without what is planted as absent from them."""
    random = Random(seed)
    texts = {file.name: read_prose(file) for file in sorted(documents.glob("*.*"))}
    passages = [part for text in texts.values() for part in cut(text)]
    sentences = find_sentences(passages, random)
    random.shuffle(sentences)
    golden, responses = [], []
    texts_with = Counter(value for passage in passages for value in {match[0] for match in _VALUE.finditer(passage)})
    removed = [sentence for sentence in sentences if texts_with[sentence.value] == 1][: len(sentences) // 7]
    absent = {sentence.text for sentence in removed}
    kept = [sentence for sentence in sentences if sentence.text not in absent]
    for number in range(RESPONSES):
        kind = [*KINDS][number % len(KINDS)]
        sentence = random.choice(removed if kind == "not in the documents" else kept)
        fact, response, contexts = plant(kind, sentence, passages, random)
        identity = f"{number}"
        golden.append({"question_id": identity, "question": sentence.question, "answer": fact, "fact": fact})
        responses.append(
            {"question_id": identity, "pipeline": "P", "response": response, "contexts": contexts, "planted": kind}
        )
    for name, rows in (("golden", golden), ("responses", responses)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "documents").mkdir()
    for name, text in texts.items():
        for gone in absent:
            text = text.replace(gone, "")
        (folder / "documents" / name).write_text(text, encoding="utf-8")


def read_prose(file: Path) -> str:
    """A document's paragraphs, without headings, tables, lists and code."""
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return " ".join(" ".join(line for line in lines if line and line[0] not in "|`#-*>").split())


def cut(text: str) -> list[str]:
    """Passages of about 1,000 characters that end at sentences."""
    passages, current = [], ""
    for sentence in _SENTENCE.split(text):
        current = f"{current} {sentence}".strip()
        if len(current) > 800:
            passages.append(current)
            current = ""
    return [*passages, current] if current else passages


def run(documents: Path, seed: int) -> None:
    """Plant, score and print."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_planted(folder, documents, seed)
        out = folder / "scored.parquet"
        files = [str(folder / "golden.jsonl"), str(folder / "responses.jsonl")]
        main(["score", *files, "--documents", str(folder / "documents"), "--out", str(out)])
        scored = pl.read_parquet(out).select("question_id", "response", "fault", "fault_reason", "verdict", "reason")
        planted = pl.read_ndjson(folder / "responses.jsonl").select("question_id", "planted")
        rows = planted.join(scored, on="question_id").with_columns(
            expected=pl.col("planted").replace_strict(KINDS), fault=pl.col("fault").fill_null("open")
        )
    right = rows.filter(pl.col("fault") == pl.col("expected")).height
    print(f"{right} of {rows.height} named right, {right / rows.height:.3f}")
    for kind in KINDS:
        own = rows.filter(pl.col("planted") == kind)
        print(f"  {kind}: {dict(Counter(own['fault']).most_common())}")
    if "--wrong" in sys.argv:
        print(*rows.filter(pl.col("fault") != pl.col("expected")).to_dicts(), sep="\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
