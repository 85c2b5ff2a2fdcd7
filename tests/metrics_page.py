"""docs/metrics.md, from the catalogue of metrics and the sample's responses: `python -m tests.metrics_page`."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from qaviz.model import columns as c
from qaviz.model.metrics import METRICS, Metric
from qaviz.scoring.explanation import Comparison, Mark, MarkedWord, explain_row, find_fact
from qaviz.scoring.table import score

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "metrics.md"
MOST_CHARACTERS = 120
"""Of a response that is shown."""
FACTS = {c.FACTUAL_KNOWLEDGE, c.FACTUAL_KNOWLEDGE_QUASI_EXACT}
OPENING = """# What the scores mean

FMEval compares a response with two golden texts: its **fact** with *Factual Knowledge*, its **answer** with the *QA
Accuracy* scores. Each score goes from 0 to 1; one that cannot be computed is missing, never 0. qaviz computes the same
bits. It calls recall over words **closeness**, precision over words **conciseness**.

No score says whether a response is right: the [verdict](diagnosis.md) does. A low score of a right response is *right,
not credited*. What to do then says *What is this?* on each page of the app.

Each variant of the golden answer (`<OR>`) is compared on its own, and the best counts. Examples are from the sample run
(`make run`); words in bold are shared by golden answer and response.
"""


def read_sample() -> pl.DataFrame:
    """The sample's responses with their triplets, scored."""
    golden, responses = (pl.read_ndjson(ROOT / "sample_data" / f"{name}.jsonl") for name in ("golden", "responses"))
    return score(responses.join(golden, on=c.QUESTION_ID))


def write_page(rows: pl.DataFrame) -> str:
    """The page as Markdown."""
    guided = [metric for metric in METRICS.values() if metric.guide]
    parts = [OPENING, *(write_metric(metric, rows) for metric in guided)]
    return "\n".join(parts)


def write_metric(metric: Metric, rows: pl.DataFrame) -> str:
    """A metric's section: definition, where it misleads, worked examples."""
    guide = metric.guide
    assert guide is not None
    return "\n".join(
        [
            f"## {metric.label}: `{metric.name}`\n",
            f"{guide.definition}\n",
            f"- **High, and wrong.** {guide.high_and_wrong}",
            f"- **Low, and right.** {guide.low_and_right}",
            *(write_example(metric.name, find_response(rows, *example)) for example in guide.examples),
            "",
        ]
    )


def write_example(name: str, row: dict[str, str]) -> str:
    """A response's lines: golden text, response, the score and how it comes about."""
    if name in FACTS:
        golden, response = "`" + row[c.FACT].replace("<OR>", "` or `") + "`", row[c.RESPONSE]
        because = say_fact(name, row)
    else:
        explanation = explain_row(row)
        comparison = explanation.comparisons[explanation.best[name]]
        golden = mark(comparison.variant, comparison.variant_words)
        response = mark(row[c.RESPONSE], comparison.response_words)
        because = say_answer(name, comparison)
    text = "fact" if name in FACTS else "answer"
    lines = (f"{row[name]:.3g}: {because}.", f"  - golden {text}: {golden}", f"  - response: {shorten(response)}")
    return "- **Example.** " + "\n".join(lines)


def say_fact(name: str, row: dict[str, str]) -> str:
    """Which variant hits; for the exact score also whether it stands inside a longer word."""
    hit = find_fact(row[c.FACT], row[c.RESPONSE])
    exact = name == c.FACTUAL_KNOWLEDGE
    if hit is None or (exact and not hit.exact):
        return "no variant stands in it"
    return "a variant stands inside a longer word" if hit.inside_token else "a variant stands in it"


def say_answer(name: str, comparison: Comparison) -> str:
    """The division that gives the score."""
    shared, missing = len(comparison.words(Mark.FOUND)), len(comparison.words(Mark.MISSING))
    extra = len(comparison.words(Mark.EXTRA, Mark.QUESTION))
    if name == c.RECALL:
        return f"{shared} shared of {shared + missing} golden words"
    return f"{shared} shared of {shared + extra} words of the response"


def mark(text: str, words: Sequence[MarkedWord]) -> str:
    """The text with its shared words in bold, neighbours together."""
    ends = [
        (at, sign) for word in words if word.mark is Mark.FOUND for at, sign in ((word.start, "**"), (word.end, "**"))
    ]
    for at, sign in sorted(ends, reverse=True):
        text = text[:at] + sign + text[at:]
    return text.replace("** **", " ")


def shorten(text: str) -> str:
    """The beginning of a long text, cut at a blank."""
    return text if len(text) <= MOST_CHARACTERS else text[: text.rindex(" ", 0, MOST_CHARACTERS)] + " …"


def find_response(rows: pl.DataFrame, question_id: str, pipeline: str) -> dict[str, str]:
    """The scored response of a pipeline to a question."""
    return rows.row(by_predicate=(pl.col(c.QUESTION_ID) == question_id) & (pl.col(c.PIPELINE) == pipeline), named=True)


if __name__ == "__main__":
    PAGE.write_text(write_page(read_sample()), "utf-8")
