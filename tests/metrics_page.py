"""docs/metrics.md, from the catalogue of metrics and the sample's responses: `python -m tests.metrics_page`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from qaviz.model import columns as c
from qaviz.model.metrics import METRICS, QUADRANTS, Metric
from qaviz.model.records import Thresholds
from qaviz.scoring.explanation import Comparison, Explanation, Mark, MarkedWord, explain
from qaviz.scoring.table import score

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "metrics.md"
FACTS = {c.FACTUAL_KNOWLEDGE, c.FACTUAL_KNOWLEDGE_QUASI_EXACT}
OPENING = """# What the scores mean

FMEval compares a response with two golden texts: its **fact** with *Factual Knowledge*, its **answer** with the *QA
Accuracy* scores. qaviz shows recall over words as **closeness** and precision over words as **conciseness**, and
computes all seven to the same bits as FMEval (`tests/scoring/test_reference.py`). A score that cannot be computed
is missing, with the reason; it is never 0.

No score says whether a response is right. That is what the [verdict](diagnosis.md) is for; a low score of a right
response is *right, not credited*.

Below, words in bold are shared by golden answer and response. Examples are responses of the sample run (`make
run`).
"""
NORMALISED = """## Words and normalisation

Case, ASCII punctuation and the words a, an, the are removed; what is left is split at white space, and each
distinct word counts once. A variant of the golden answer (`<OR>`) is compared on its own, and each score takes its
best variant.
"""


def read_sample() -> pl.DataFrame:
    """The sample's responses with their triplets, scored."""
    golden, responses = (pl.read_ndjson(ROOT / "sample_data" / f"{name}.jsonl") for name in ("golden", "responses"))
    return score(responses.join(golden, on=c.QUESTION_ID))


def write_page(rows: pl.DataFrame) -> str:
    """The page as Markdown."""
    guided = [metric for metric in METRICS.values() if metric.guide]
    parts = [OPENING, NORMALISED, *(write_metric(metric, rows) for metric in guided), "\n".join(write_quadrants(rows))]
    return "\n".join(parts)


def write_metric(metric: Metric, rows: pl.DataFrame) -> str:
    """A metric's section: definition, worked examples, where it misleads."""
    guide = metric.guide
    assert guide is not None
    examples = [find_response(rows, *example) for example in guide.examples]
    return "\n".join(
        [
            f"## {metric.label}: `{metric.name}`\n",
            f"{metric.question} From {metric.low:g} to {metric.high:g}.\n",
            f"**Definition.** {guide.definition}\n",
            *([write_examples(metric.name, examples)] if examples else []),
            f"**High, and wrong.** {guide.high_and_wrong}\n",
            f"**Low, and right.** {guide.low_and_right}\n",
            f"**What to do.** {guide.remedy}\n",
        ]
    )


def write_examples(name: str, examples: Sequence[dict[str, str]]) -> str:
    """A table with a row for each response: golden text, response, the score and how it comes about."""
    golden = "golden fact" if name in FACTS else "golden answer"
    lines = [f"| {golden} | response | score | because |", "|---|---|---|---|"]
    for row in examples:
        explanation = explain(row[c.ANSWER], row[c.FACT], row[c.QUESTION], row[c.RESPONSE])
        if name in FACTS:
            fact, response, because = (
                row[c.FACT].replace("<OR>", "` or `"),
                row[c.RESPONSE],
                say_fact(name, explanation),
            )
            cells = (f"`{fact}`", shorten(response), because)
        else:
            comparison = explanation.comparisons[explanation.best[name]]
            cells = (
                mark(comparison.variant, comparison.variant_words),
                shorten(mark(row[c.RESPONSE], comparison.response_words)),
                say_answer(name, comparison),
            )
        lines.append(f"| {cells[0]} | {cells[1]} | {row[name]:.3g} | {cells[2]} |")
    return "\n".join(lines) + "\n"


def say_fact(name: str, explanation: Explanation) -> str:
    """Which variant hits; for the exact score also whether it stands inside a longer word."""
    hit = explanation.hit
    exact = name == c.FACTUAL_KNOWLEDGE
    if hit is None or (exact and not hit.exact):
        return "no variant stands in it"
    return "a variant stands inside a longer word" if hit.inside_token else "a variant stands in it"


def say_answer(name: str, comparison: Comparison) -> str:
    """The division that gives the score."""
    shared, missing, extra = comparison.true_positives, comparison.false_negatives, comparison.false_positives
    if name == c.RECALL:
        return f"{shared} shared of {shared + missing} golden words"
    if name == c.PRECISION:
        return f"{shared} shared of {shared + extra} words of the response"
    if name == c.F1:
        return f"P {shared}/{shared + extra}, R {shared}/{shared + missing}"
    return "the same text" if comparison.scores[c.ANSWER_SCORES.index(name)] else "another text"


def mark(text: str, words: Sequence[MarkedWord]) -> str:
    """The text with its shared words in bold, neighbours together."""
    ends = [
        (at, sign) for word in words if word.mark is Mark.FOUND for at, sign in ((word.start, "**"), (word.end, "**"))
    ]
    for at, sign in sorted(ends, reverse=True):
        text = text[:at] + sign + text[at:]
    return text.replace("** **", " ")


def shorten(text: str, most: int = 200) -> str:
    """The beginning of a long text, cut at a blank."""
    return text if len(text) <= most else text[: text.rindex(" ", 0, most)] + " …"


def write_quadrants(rows: pl.DataFrame) -> Iterator[str]:
    """How closeness is read against conciseness, a line a corner."""
    limits = Thresholds()
    yield "## Closeness against conciseness\n"
    floors = f"closeness from {limits.high_closeness:g}, concise is conciseness from {limits.low_conciseness:g}"
    yield f"Close is {floors}; both can be moved.\n"
    yield "| corner | close | concise | how to read it | what to do | example |"
    yield "|---|---|---|---|---|---|"
    for corner in QUADRANTS:
        row = find_response(rows, *corner.example)
        place = f"{shorten(row[c.RESPONSE], 90)} ({row[c.RECALL]:.2f}, {row[c.PRECISION]:.2f})"
        signs = ("yes" if corner.close else "no", "yes" if corner.concise else "no")
        yield f"| {corner.name} | {signs[0]} | {signs[1]} | {corner.reading} | {corner.remedy} | {place} |"


def find_response(rows: pl.DataFrame, question_id: str, pipeline: str) -> dict[str, str]:
    """The scored response of a pipeline to a question."""
    return rows.row(by_predicate=(pl.col(c.QUESTION_ID) == question_id) & (pl.col(c.PIPELINE) == pipeline), named=True)


if __name__ == "__main__":
    PAGE.write_text(write_page(read_sample()), "utf-8")
