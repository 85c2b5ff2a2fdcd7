"""Fits the models of support and answerability and writes them into the package: qaviz/contexts/support.json.

    python -m benchmarks.fit_support FOLDER [FOLDER ...] [--out FILE]

A FOLDER holds golden.jsonl, responses.jsonl and labels.jsonl (supported or unsupported, by people). Folders with
responses fit support; one with empty responses fits answerability. In the supported responses one number, date, name,
pair of names or negation is exchanged by a seeded draw. Every figure is of a set, or a language, left out of the fit.
"""

import argparse
import calendar
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

from qaviz.contexts.passages import NAME, NOTHING, NUMBER, find_terms, join_passages
from qaviz.contexts.support import (
    ANSWERABLE,
    FLAGGED,
    FOUND,
    WEIGHTS,
    Reading,
    Weights,
    combine_readings,
    predict_swap,
    read_answerable,
    read_support,
)
from qaviz.contexts.swaps import DENIED, DENIED_IN, DENIES, DENIES_IN, SWAPPED_IN

SEED = 7
PULL = 3.0
"""How strongly weights are pulled to 0."""
STRONG_PULL = 10.0
"""The same for words found, whose pieces of evidence say nearly the same; their slope is fitted afterwards."""
EVIDENCE = {
    "found": FOUND,
    NUMBER: SWAPPED_IN,
    NAME: SWAPPED_IN,
    DENIES: DENIES_IN,
    DENIED: DENIED_IN,
    "answerable": ANSWERABLE,
}
Numbers = NDArray[np.float64]
Models = dict[str, Weights]
_NUMBER = r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)"
_NAME = r"[A-Z][a-z]+(?: [A-Z][a-z]+)*"
_MONTHS = tuple(calendar.month_name[1:])
_OPENERS = NOTHING | {"while", "however", "you", "your", "additionally"}


class Exchange(NamedTuple):
    """A sentence in which one thing was exchanged."""

    text: str
    spans: list[tuple[int, int]]
    """The characters that are new; none where a negation was taken out."""


class Rows(NamedTuple):
    """What one set gives: per response its readings and label, per exchange its kind and readings."""

    readings: list[list[Reading]]
    supported: list[bool]
    overlap: list[float]
    exchanged: list[tuple[str, Exchange, list[Reading]]]


def exchange(response: str, contexts: Iterable[str], kind: str, draw: random.Random) -> Exchange | None:
    """A sentence of the response with one thing of this kind exchanged for another of the contexts."""
    text = "\n".join(contexts)
    sentences = [match.group().lstrip() for match in re.finditer(r"[^.!?\n]+[.!?]?", response)]
    sentences = [sentence for sentence in sentences if len(sentence.split()) >= 6]
    draw.shuffle(sentences)
    return next((new for sentence in sentences if (new := _KINDS[kind](sentence, text, draw))), None)


def _put(sentence: str, match: re.Match[str], choices: list[str], draw: random.Random) -> Exchange | None:
    if not choices:
        return None
    new, start = draw.choice(choices), match.start()
    return Exchange(sentence[:start] + new + sentence[match.end() :], [(start, start + len(new))])


def _exchange_number(sentence: str, text: str, draw: random.Random) -> Exchange | None:
    places = [match for match in re.finditer(_NUMBER, sentence) if match.start() and match.group() in text]
    if not places:
        return None
    match = draw.choice(places)
    others = sorted(number for number in set(re.findall(_NUMBER, text)) if number not in sentence)
    return _put(sentence, match, [it for it in others if len(it) == len(match.group())] or others, draw)


def _exchange_date(sentence: str, text: str, draw: random.Random) -> Exchange | None:
    places = list(re.finditer(rf"\b(1[5-9]\d\d|20\d\d|{'|'.join(_MONTHS)})\b", sentence))
    if not places:
        return None
    match = draw.choice(places)
    if match.group().isdigit():
        years = sorted(year for year in set(re.findall(r"\b(?:1[5-9]\d\d|20\d\d)\b", text)) if year not in sentence)
        return _put(sentence, match, years or [str(int(match.group()) + draw.choice((-3, -1, 1, 2)))], draw)
    months = [month for month in _MONTHS if month not in sentence]
    return _put(sentence, match, [month for month in months if month in text] or months, draw)


def _exchange_name(sentence: str, text: str, draw: random.Random) -> Exchange | None:
    inner = rf"(?<=[a-z,] ){_NAME}"
    places = [match for match in re.finditer(inner, sentence) if match.group() in text]
    if not places:
        return None
    match = draw.choice(places)
    words = set(match.group().split())
    others = {name for name in re.findall(inner, text) if name not in sentence and not words & set(name.split())}
    return _put(sentence, match, sorted(others), draw)


def _exchange_roles(sentence: str, text: str, _: random.Random) -> Exchange | None:
    names: dict[str, re.Match[str]] = {}
    for match in re.finditer(rf"\b{_NAME}", sentence):
        if match.group() in text and match.group().split()[0].lower() not in _OPENERS:
            names.setdefault(match.group(), match)
    if len(names) < 2:
        return None
    (first, one), (second, two) = list(names.items())[:2]
    between = sentence[one.end() : two.start()]
    if not 2 <= len(between.split()) <= 10:
        return None
    start = one.start() + len(second) + len(between)
    new = sentence[: one.start()] + second + between + first + sentence[two.end() :]
    return Exchange(new, [(one.start(), one.start() + len(second)), (start, start + len(first))])


def _exchange_negation(sentence: str, _text: str, _draw: random.Random) -> Exchange | None:
    if match := re.search(r"\b(?:not|never) ", sentence):
        return Exchange(sentence[: match.start()] + sentence[match.end() :], [])
    verb = r"\b(is|are|was|were|can|will|should|has been|have been|may|must)\b(?! not)(?!n't)"
    if match := re.search(verb, sentence):
        return Exchange(f"{sentence[: match.end()]} not{sentence[match.end() :]}", [(match.end() + 1, match.end() + 4)])
    return None


_KINDS: dict[str, Callable[[str, str, random.Random], Exchange | None]] = {
    "number": _exchange_number,
    "date": _exchange_date,
    "name": _exchange_name,
    "role": _exchange_roles,
    "negation": _exchange_negation,
}


def read_rows(folder: Path) -> pl.DataFrame:
    """The rows of a folder: question, response, contexts, label, and language where the golden dataset has it."""
    golden, responses, labels = (pl.read_ndjson(folder / f"{name}.jsonl") for name in ("golden", "responses", "labels"))
    columns = [name for name in ("question_id", "question", "language") if name in golden.columns]
    rows = responses.join(golden.select(columns), on="question_id")
    return rows.join(labels.select("question_id", "pipeline", "label"), on=["question_id", "pipeline"])


def read_set(rows: pl.DataFrame) -> Rows:
    """The evidence of a labelled set, and of its supported responses with one thing exchanged."""
    draw, taken = random.Random(SEED), Rows([], [], [], [])
    for row in rows.iter_rows(named=True):
        contexts, response = tuple(row["contexts"] or ()), row["response"] or ""
        passages, supported = join_passages(contexts), row["label"] == "supported"
        words = re.findall(r"\w+", response.lower())
        held = set(re.findall(r"\w+", " ".join(contexts).lower()))
        taken.readings.append(read_support(response, passages, row["question"]))
        taken.supported.append(supported)
        taken.overlap.append(sum(word in held for word in words) / len(words) if words else 1.0)
        for kind in _KINDS if supported else ():
            if new := exchange(response, contexts, kind, draw):
                taken.exchanged.append((kind, new, read_support(new.text, passages, row["question"])))
    return taken


def collect(sets: Iterable[Rows]) -> dict[str, tuple[list[tuple[float, ...]], list[bool]]]:
    """Per model its evidence and what is true of it."""
    cases: dict[str, tuple[list[tuple[float, ...]], list[bool]]] = defaultdict(lambda: ([], []))
    for rows in sets:
        for readings, supported in zip(rows.readings, rows.supported, strict=True):
            if readings:
                sizes = [len(reading.sentence.parts) for reading in readings]
                mean = np.average([reading.found for reading in readings], axis=0, weights=sizes)
                cases["found"][0].append(tuple(mean))
                cases["found"][1].append(supported)
            for swap in (swap for reading in readings if supported for swap in reading.swaps):
                cases[swap.kind][0].append(swap.evidence)
                cases[swap.kind][1].append(False)
        for kind, new, readings in rows.exchanged:
            for swap in (swap for reading in readings for swap in reading.swaps):
                if (kind == "negation") == (swap.kind in (DENIES, DENIED)):
                    touched = any(swap.start < end + 1 and swap.end >= start for start, end in new.spans)
                    cases[swap.kind][0].append(swap.evidence)
                    cases[swap.kind][1].append(
                        swap.kind == DENIED if not new.spans else touched and swap.kind != DENIED
                    )
    return cases


def fit(evidence: list[tuple[float, ...]], truth: list[bool], pull: float = PULL) -> Weights:
    """A logistic regression, its weights pulled to 0: every piece of evidence is about as large."""
    values, true = np.array(evidence, float), np.array(truth)
    mean = values.mean(0)
    centred, signs = values - mean, np.where(true, 1.0, -1.0)

    def lose(weights: Numbers) -> tuple[float, Numbers]:
        margins = signs * (centred @ weights[1:] + weights[0])
        slopes = -signs / (1 + np.exp(margins))
        gradient = np.concatenate(([slopes.sum()], centred.T @ slopes + pull * weights[1:]))
        return float(np.logaddexp(0, -margins).sum() + pull * (weights[1:] ** 2).sum() / 2), gradient

    best = minimize(lose, np.zeros(values.shape[1] + 1), jac=True, method="L-BFGS-B").x
    weights = best[1:]
    return Weights(tuple(map(float, weights)), float(best[0] - weights @ mean))


def fit_all(sets: Iterable[Rows]) -> Models:
    """The models of support and exchanges."""
    cases = collect(sets)
    models = {kind: fit(*rows) for kind, rows in cases.items()}
    evidence, supported = cases["found"]
    direction = fit(evidence, supported, STRONG_PULL).weights
    slope = fit([(float(np.dot(direction, row)),) for row in evidence], supported, 0.01)
    models["found"] = Weights(tuple(slope.weights[0] * weight for weight in direction), slope.intercept)
    return models


def measure_auc(truth: Iterable[bool], scores: Iterable[float]) -> float:
    """The share of pairs of a true and a false one in which the true one has the higher score."""
    true, ranks = np.array(list(truth)), rankdata(list(scores))
    positives, negatives = true.sum(), (~true).sum()
    return float((ranks[true].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def measure(rows: Rows, models: Models) -> dict[str, Any]:
    """What models fitted elsewhere get on a set."""
    untouched = [
        predict_swap(reading, models)[0]
        for readings, supported in zip(rows.readings, rows.supported, strict=True)
        for reading in readings
        if supported
    ]
    by_kind: dict[str, list[float]] = defaultdict(list)
    for kind, _, readings in rows.exchanged:
        by_kind[kind].append(max((predict_swap(reading, models)[0] for reading in readings), default=0.0))
    everything = [score for scores in by_kind.values() for score in scores]
    support = [combine_readings(readings, models) if readings else 1.0 for readings in rows.readings]
    line = float(np.quantile(untouched, 0.95))
    return {
        "responses": len(rows.supported),
        "auc": round(measure_auc(rows.supported, support), 4),
        "auc of word overlap": round(measure_auc(rows.supported, rows.overlap), 4),
        "exchanged": len(everything),
        "exchanged: flagged": round(float(np.mean(np.array(everything) >= FLAGGED)), 3),
        "untouched: flagged": round(float(np.mean(np.array(untouched) >= FLAGGED)), 3),
        "exchanged: flagged where .05 of the untouched are": round(float(np.mean(np.array(everything) > line)), 3),
        "by kind": {kind: round(float(np.mean(np.array(scores) > line)), 3) for kind, scores in by_kind.items()},
        "auc of exchanges": round(
            measure_auc([False] * len(untouched) + [True] * len(everything), untouched + everything), 3
        ),
    }


def fit_answerable(rows: pl.DataFrame) -> tuple[Weights, dict[str, Any]]:
    """The model of answerability and what it gets on languages that it was not fitted on."""
    terms = [find_terms(question) for question in rows["question"]]
    counts = Counter(term for row in terms for term in row)
    contexts = rows["contexts"].to_list()
    evidence = [
        read_answerable(row, list(texts), counts, len(terms)) or (0.0,) * len(ANSWERABLE)
        for row, texts in zip(terms, contexts, strict=True)
    ]
    truth, languages = (rows["label"] == "supported").to_list(), rows["language"].to_list()
    scores, by_language = [0.0] * len(truth), {}
    for language in sorted(set(languages)):
        others = [place for place, name in enumerate(languages) if name != language]
        here = [place for place, name in enumerate(languages) if name == language]
        model = fit([evidence[place] for place in others], [truth[place] for place in others])
        for place in here:
            scores[place] = model.predict(evidence[place])
        by_language[language] = round(measure_auc([truth[at] for at in here], [scores[at] for at in here]), 3)
    figures = {"questions": len(truth), "auc": round(measure_auc(truth, scores), 3), "auc by language": by_language}
    return fit(evidence, truth), figures


def main() -> None:
    """Fits, prints what sets and languages left out get, and writes the weights."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--out", type=Path, default=WEIGHTS)
    options = arguments.parse_args()
    tables = {folder.name: read_rows(folder) for folder in options.folders}
    retrieval = {name: rows for name, rows in tables.items() if rows["response"].fill_null("").eq("").all()}
    sets = {name: read_set(rows) for name, rows in tables.items() if name not in retrieval}
    figures: dict[str, Any] = {}
    for name, taken in sets.items():
        figures[name] = measure(taken, fit_all(other for other_name, other in sets.items() if other_name != name))
    models = fit_all(sets.values())
    for name, rows in retrieval.items():
        models["answerable"], figures[name] = fit_answerable(rows)
    card = {
        "what": "probabilities that a sentence stands in its contexts, that a value, name or negation in it is "
        "another, and that a context answers the question: logistic regressions",
        "made": datetime.now(UTC).date().isoformat(),
        "command": "python -m benchmarks.fit_support SETS",
        "left out": figures,
    }
    written = {
        kind: {
            "weights": dict(zip(EVIDENCE[kind], (round(weight, 5) for weight in model.weights), strict=True)),
            "intercept": round(model.intercept, 5),
        }
        for kind, model in models.items()
    }
    options.out.write_text(json.dumps({"card": card, "models": written}, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
