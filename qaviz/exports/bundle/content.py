"""What the site knows of a run from its first moment, everything but the words of single responses, as JSON that a
script can hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TypeAlias

import orjson
import polars as pl

from qaviz import __version__
from qaviz.analysis import closeness, sentences, tables
from qaviz.analysis.consistency import whole
from qaviz.analysis.decision import Decision
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.numbers import moment
from qaviz.analysis.response_card import LONGEST_SHOWN
from qaviz.analysis.selection import hits_in_words
from qaviz.charts.palette import DIAGNOSIS_COLOURS, DIAGNOSIS_SYMBOLS, pipeline_marks
from qaviz.charts.word_board import SIGNS
from qaviz.diagnosis import RULES, deciding
from qaviz.exports.bundle.words import questions_in_part
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault, Verdict
from qaviz.model.columns import (
    ANSWER,
    CATEGORY,
    CONFIDENCE,
    DIAGNOSIS,
    F1,
    FACT,
    FACT_SCORES,
    FACTUAL_KNOWLEDGE,
    FACTUAL_KNOWLEDGE_QUASI_EXACT,
    FAULT,
    PIPELINE,
    PRECISION,
    QUESTION,
    QUESTION_ID,
    REASON,
    RECALL,
    RESPONSE,
    UNSCORED_FACT,
    VERDICT,
    WARNINGS,
)
from qaviz.model.errors import Problem, QavizError
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run, Verified

MOST_RESPONSES = 100_000
"""Responses that a browser still holds with all their texts, some 100 MB."""

_SHOWN_METRICS = (*FACT_SCORES, RECALL, PRECISION, F1)

DICTIONARY_BELOW = 0.5
"""Share of distinct values below which a column is written as its values and, for each row, which of them."""

_ENDS_OR_BREAKS_A_SCRIPT = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    "\u2028".encode(): b"\\u2028",
    "\u2029".encode(): b"\\u2029",
}
"""Characters that occur in JSON only within strings, and the escapes that replace them there."""


Json: TypeAlias = dict[str, object]


def refuse_too_many(run: Run) -> None:
    """Raise QavizError if a browser could not hold the run."""
    if run.responses > MOST_RESPONSES:
        raise QavizError(
            Problem(
                where=f'the run "{run.name}"',
                found=f"{run.responses:,} responses",
                expected=f"at most {MOST_RESPONSES:,}: a site without a server has to hold them all in the browser",
                fix="Import fewer pipelines or questions as a run of their own, or show the run with `qaviz app`.",
            )
        )


def run_content(
    run: Run,
    golden: pl.DataFrame,
    rows: pl.DataFrame,
    decision: Decision,
    verified: Verified | None,
    written_at: datetime,
    reviewed: Sequence[str] = (),
) -> Json:
    """The site's data block: the run and where it comes from, its report, and its tables by column.

    `golden` and `rows` as the workspace returns them; `reviewed` is what reviews of the golden dataset have shown.
    """
    return {
        "about": _describe_run(run, verified, written_at),
        "overview": _describe_overview(run, golden, rows, decision, reviewed),
        "closeness": _describe_closeness(run, rows),
        "metrics": {name: {"label": METRICS[name].label, "help": METRICS[name].help} for name in _SHOWN_METRICS},
        "pipelines": [
            {"name": name, "colour": colour, "symbol": symbol}
            for name, (colour, symbol) in pipeline_marks(run.pipelines).items()
        ],
        "diagnoses": [
            {
                "name": each.value,
                "symbol": DIAGNOSIS_SYMBOLS[each],
                "colour": DIAGNOSIS_COLOURS[each],
                "verdict": VERDICT_OF[each].value,
            }
            for each in Diagnosis
        ],
        "verdicts": [each.value for each in Verdict],
        "signs": SIGNS,
        "questions_in_part": questions_in_part(run),
        "missing_response": tables.NO_RESPONSE,
        "longest_shown": LONGEST_SHOWN,
        "questions": pack_table(golden.select(QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY)),
        "responses": pack_table(_select_responses(run, golden, rows)),
    }


def _describe_run(run: Run, verified: Verified | None, written_at: datetime) -> Json:
    thresholds = asdict(run.thresholds)
    return {
        "run": run.name,
        "questions": run.questions,
        "responses": run.responses,
        "facts": [
            ["Run", run.name],
            ["Run's id", run.run_id],
            ["Scored on", moment(run.created_at)],
            ["Scored by", run.engine],
            ["Golden dataset's content hash", run.golden_id],
            ["Files", ", ".join(run.sources)],
            *([["Verified", sentences.verified_sentence(verified, run.responses)]] if verified else []),
            ["This copy written on", f"{moment(written_at)}, by qaviz {__version__}"],
        ],
        "thresholds": [
            {"label": words.label, "help": words.help, "value": thresholds[name]}
            for name, words in THRESHOLD_WORDS.items()
        ],
        "listed": sentences.listed_sentences(run.listed_counts),
    }


def _describe_overview(
    run: Run, golden: pl.DataFrame, rows: pl.DataFrame, decision: Decision, reviewed: Sequence[str]
) -> Json:
    summary = tables.pipeline_summary(whole(rows), golden, decision.ranking[PIPELINE].to_list())
    matrix = tables.fact_matrix(rows, golden, run.pipelines)
    state = tables.golden_state(golden, matrix)
    right = decision.ranking.select(PIPELINE, "in_words", "share", right_low="low", right_high="high")
    ranking = right.join(summary, on=PIPELINE, maintain_order="left")
    return {
        "lead": decision.sentence,
        "points": [*decision.reasons, decision.settling, decision.trust],
        "golden": [*sentences.golden_sentences(state), *sentences.listed_sentences(run.listed_counts), *reviewed],
        "never_stated": state.never_stated,
        "ranking": ranking.to_dicts(),
        "steps": [asdict(step) for step in sentences.next_steps(rows, decision.subject)],
    }


def _describe_closeness(run: Run, rows: pl.DataFrame) -> Json:
    counts = closeness.region_counts(rows, run.thresholds, run.pipelines).to_dicts()
    regions_of = {each[PIPELINE]: each for each in counts}
    means = closeness.pipeline_means(rows, run.pipelines).to_dicts()
    return {
        "regions": [{"name": name, "meaning": meaning} for name, meaning in closeness.REGIONS.items()],
        "means": [mean | {"regions": regions_of[mean[PIPELINE]]} for mean in means],
        "high_closeness": run.thresholds.high_closeness,
        "low_conciseness": run.thresholds.low_conciseness,
    }


def _select_responses(run: Run, golden: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """One row a response; questions and pipelines are places in their lists."""
    suggestions = [None if rule.fault == Fault.NOBODY else rule.suggestion for rule in RULES]
    return rows.select(
        _find_places(rows[QUESTION_ID], golden[QUESTION_ID].to_list()).alias(QUESTION),
        _find_places(rows[PIPELINE], run.pipelines).alias(PIPELINE),
        pl.col(RESPONSE).fill_null("").str.slice(0, LONGEST_SHOWN),
        DIAGNOSIS,
        VERDICT,
        FAULT,
        REASON,
        CONFIDENCE,
        deciding(rows, run.thresholds).replace_strict(range(len(RULES)), suggestions).alias("suggestion"),
        pl.col(FACTUAL_KNOWLEDGE).alias("fact"),
        pl.col(FACTUAL_KNOWLEDGE_QUASI_EXACT).alias("fact_loosely"),
        UNSCORED_FACT,
        hits_in_words(rows).alias("hit"),
        pl.col(RECALL).alias("closeness"),
        pl.col(PRECISION).alias("conciseness"),
        pl.col(F1).alias("f1"),
        pl.col(WARNINGS).list.join("\n").alias(WARNINGS),
    )


def _find_places(column: pl.Series, values: Sequence[str]) -> pl.Series:
    place_of: Mapping[str, int] = {value: place for place, value in enumerate(values)}
    return column.replace_strict(place_of, return_dtype=pl.Int64)


def pack_table(table: pl.DataFrame) -> dict[str, object]:
    """The table by column: a list of values, or `of`, the distinct ones, with `at`, the place in `of` of each row's."""
    return {column.name: _pack_column(column) for column in table.iter_columns()}


def _pack_column(column: pl.Series) -> object:
    distinct = column.unique(maintain_order=True)
    if distinct.len() >= DICTIONARY_BELOW * column.len():
        return column.to_list()
    places = distinct.to_frame().with_row_index("at")
    at = column.to_frame().join(places, on=column.name, nulls_equal=True, maintain_order="left")["at"]
    return {"of": distinct.to_list(), "at": at.to_list()}


def embed_json(data: Mapping[str, object]) -> bytes:
    """The data as JSON, in ASCII where it matters: in it no script and no comment ends, and no tag begins."""
    written = orjson.dumps(data)
    for character, escape in _ENDS_OR_BREAKS_A_SCRIPT.items():
        written = written.replace(character, escape)
    return written
