"""The decision pack as one interactive page that opens from disk: card, charts, table with search, question view.

It fetches nothing: its own policy allows its one script and its one style sheet by their hashes, so that even a text
that a browser took for markup could load nothing.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeAlias

import orjson
import polars as pl

from qaviz.analysis import closeness, tables
from qaviz.analysis.closeness import with_normalised
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.numbers import count
from qaviz.analysis.outcomes import whole
from qaviz.analysis.response_card import LONGEST_SHOWN, DiagnosedRow, ResponseCard, Stretch, response_card
from qaviz.analysis.selection import hits_in_words
from qaviz.analysis.sentences import listed_sentences
from qaviz.charts import DIAGNOSIS_COLOURS, DIAGNOSIS_SYMBOLS, pipeline_marks
from qaviz.charts.word_board import SIGNS, class_of, triplet_card
from qaviz.diagnosis import RULES, deciding
from qaviz.exports.decision_pack.content import Content
from qaviz.exports.templates import Markup, hash_source, render_pieces
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Verdict
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run

MOST_RESPONSES = 20_000
"""Responses that the page holds with all their words, some 40 MB: taking each apart costs 1 ms."""

_SHOWN_METRICS = (*c.FACT_SCORES, c.RECALL, c.PRECISION, c.F1)

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


def shown_questions(content: Content) -> pl.DataFrame:
    """The triplets whose responses the page holds: all, or the first ones with at most MOST_RESPONSES responses."""
    golden = content.golden_dataset
    if content.rows.height <= MOST_RESPONSES:
        return golden
    responses = content.rows.group_by(c.QUESTION_ID).len("responses")
    counted = golden.join(responses, on=c.QUESTION_ID, how="left", maintain_order="left")
    return golden.filter(counted["responses"].fill_null(0).cum_sum() <= MOST_RESPONSES)


def page_data(content: Content, questions: pl.DataFrame) -> Json:
    """The page's data block: the run and where it comes from, its report, and its tables by column.

    `questions` are the triplets that `shown_questions` returns; responses to others are counted in the report alone.
    """
    run = content.run
    return {
        "about": _describe_run(content, questions),
        "overview": _describe_overview(content),
        "closeness": _describe_closeness(run, content.rows),
        "metrics": {name: {"label": METRICS[name].label, "help": METRICS[name].help} for name in _SHOWN_METRICS},
        "pipelines": [
            {"name": name, "colour": colour, "symbol": symbol}
            for name, (colour, symbol) in pipeline_marks(run.pipelines).items()
        ],
        "diagnoses": [
            {
                "name": diagnosis.value,
                "symbol": DIAGNOSIS_SYMBOLS[diagnosis],
                "colour": DIAGNOSIS_COLOURS[diagnosis],
                "verdict": VERDICT_OF[diagnosis].value,
            }
            for diagnosis in Diagnosis
        ],
        "verdicts": [verdict.value for verdict in Verdict],
        "signs": SIGNS,
        "questions_in_part": questions_in_part(run),
        "missing_response": tables.NO_RESPONSE,
        "longest_shown": LONGEST_SHOWN,
        "questions": pack_table(questions.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT, c.CATEGORY)),
        "responses": pack_table(_select_responses(run, questions, _find_shown(content.rows, questions))),
    }


def _describe_run(content: Content, questions: pl.DataFrame) -> Json:
    run, thresholds = content.run, asdict(content.run.thresholds)
    left_out = content.golden_dataset.height - questions.height
    shortened = (
        f"The page lists the responses to the first {count(questions.height)} of {count(run.questions)} questions; "
    )
    return {
        "run": run.name,
        "questions": run.questions,
        "responses": run.responses,
        "facts": [[name, value] for name, value in content.measured if not name.startswith("Threshold: ")],
        "thresholds": [
            {"label": words.label, "help": words.help, "value": thresholds[name]}
            for name, words in THRESHOLD_WORDS.items()
        ],
        "listed": [
            *listed_sentences(run.listed_counts),
            *([f"{shortened}the figures count all. The workbook has every response."] if left_out else []),
        ],
    }


def _describe_overview(content: Content) -> Json:
    ranking = content.decision.ranking
    summary = tables.pipeline_summary(whole(content.rows), content.golden_dataset, ranking[c.PIPELINE].to_list())
    right = ranking.select(c.PIPELINE, "in_words", "share", right_low="low", right_high="high")
    return {
        "lead": content.lead,
        "points": list(content.points),
        "golden": list(content.golden),
        "unknown": list(content.unknown),
        "never_stated": tables.golden_state(content.golden_dataset, content.matrix).never_stated,
        "ranking": right.join(summary, on=c.PIPELINE, maintain_order="left").to_dicts(),
        "steps": [asdict(step) for step in content.plan],
    }


def _describe_closeness(run: Run, rows: pl.DataFrame) -> Json:
    counts = closeness.region_counts(rows, run.thresholds, run.pipelines).to_dicts()
    regions_of = {band[c.PIPELINE]: band for band in counts}
    means = closeness.pipeline_means(rows, run.pipelines).to_dicts()
    return {
        "regions": [{"name": name, "meaning": meaning} for name, meaning in closeness.REGIONS.items()],
        "means": [mean | {"regions": regions_of[mean[c.PIPELINE]]} for mean in means],
        "high_closeness": run.thresholds.high_closeness,
        "low_conciseness": run.thresholds.low_conciseness,
    }


def _find_shown(rows: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col(c.QUESTION_ID).is_in(questions[c.QUESTION_ID].implode()))


def _select_responses(run: Run, golden: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """One row a response; questions and pipelines are places in their lists."""
    suggestions = [rule.advice or None for rule in RULES]
    return rows.select(
        _find_places(rows[c.QUESTION_ID], golden[c.QUESTION_ID].to_list()).alias(c.QUESTION),
        _find_places(rows[c.PIPELINE], run.pipelines).alias(c.PIPELINE),
        pl.col(c.RESPONSE).fill_null("").str.slice(0, LONGEST_SHOWN),
        c.DIAGNOSIS,
        c.VERDICT,
        c.FAULT,
        c.REASON,
        c.CONFIDENCE,
        deciding(rows, run.thresholds).replace_strict(range(len(RULES)), suggestions).alias("suggestion"),
        pl.col(c.FACTUAL_KNOWLEDGE).alias("fact"),
        pl.col(c.FACTUAL_KNOWLEDGE_QUASI_EXACT).alias("fact_loosely"),
        c.UNSCORED_FACT,
        hits_in_words(rows).alias("hit"),
        pl.col(c.RECALL).alias("closeness"),
        pl.col(c.PRECISION).alias("conciseness"),
        pl.col(c.F1).alias("f1"),
        pl.col(c.WARNINGS).list.join("\n").alias(c.WARNINGS),
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


RESPONSES_A_PART = 200
"""Responses, about, whose words are read together when one of them is opened: some 400 kB."""


class _Shared:
    """Values of a part that many cards share, each written once."""

    def __init__(self) -> None:
        self.place_of: dict[object, int] = {}

    def place(self, value: object) -> int:
        return self.place_of.setdefault(value, len(self.place_of))


class _Row(DiagnosedRow):
    row: int
    """Its place among the rows of the run."""
    rule: int
    """The place in RULES of the rule that decided."""


def questions_in_part(run: Run) -> int:
    """How many questions, with all their responses, make a part."""
    return max(1, RESPONSES_A_PART // max(1, len(run.pipelines)))


def word_parts(content: Content, questions: pl.DataFrame) -> Iterator[dict[str, object]]:
    """Parts of `questions_in_part` questions in the golden dataset's order: each question's triplet, and for each
    response the marks of its words, its scores as arithmetic, and its sets of words.

    What words.js draws, packed: `questions` holds a triplet and cards; the cards name their row of the run, and texts,
    marks and places in `shared`.
    """
    run = content.run
    rows = with_normalised(_find_shown(content.rows, questions)).with_row_index("row")
    rows = rows.with_columns(deciding(rows, run.thresholds).alias("rule"))
    order = pl.col(c.PIPELINE).cast(pl.Enum(run.pipelines))
    responses = rows.sort(order, maintain_order=True).partition_by(c.QUESTION_ID, as_dict=True)
    for part in questions.iter_slices(questions_in_part(run)):
        shared = _Shared()
        packed = [_pack_question(triplet, responses, shared) for triplet in c.typed_rows(part, c.Triplet)]
        yield {"questions": packed, "shared": list(shared.place_of)}


def _pack_question(
    triplet: c.Triplet, responses: Mapping[tuple[object, ...], pl.DataFrame], shared: _Shared
) -> dict[str, object]:
    own = responses.get((triplet[c.QUESTION_ID],))
    cards = [] if own is None else [_pack_card(row, shared) for row in c.typed_rows(own, _Row)]
    return {"triplet": triplet_card(triplet), "cards": cards}


def _pack_card(row: _Row, shared: _Shared) -> dict[str, object]:
    rule = RULES[row["rule"]]
    card = response_card(row, rule.advice)
    return {
        "row": row["row"],
        "response": _pack_marks(card.response, shared),
        "variant": _find_variant(row, card),
        "golden": _pack_marks(card.golden, shared),
        "sums": [
            [shared.place(text) for text in (total.label, total.value, total.working, total.help)]
            for total in card.sums
        ],
        "words": [[shared.place(class_of(word.mark)), word.title, " ".join(word.words)] for word in card.words],
        "compared": _pack_orders(card),
        "repeats": card.repeats,
        "left_out": card.left_out,
    }


def _pack_marks(stretches: tuple[Stretch, ...], shared: _Shared) -> list[int]:
    """Length in characters and style of each stretch, one after the other; the text itself is the run's."""
    return [
        number
        for stretch in stretches
        for number in (len(stretch.text), shared.place((class_of(stretch.mark), stretch.evidence)))
    ]


def _pack_orders(card: ResponseCard) -> list[list[int]]:
    """The words of response and variant as they are compared, each by its place in the sets of words."""
    words = chain.from_iterable(word.words for word in card.words)
    places = {word: place for place, word in enumerate(words)}
    return [[places[stretch.text] for stretch in text] for text in card.compared]


def _find_variant(row: _Row, card: ResponseCard) -> int:
    """Which variant of the golden answer the card compares with."""
    text = "".join(stretch.text for stretch in card.golden)
    variants = (row[c.ANSWER] or "").split(c.OR_DELIMITER)
    return next((place for place, variant in enumerate(variants) if variant.startswith(text)), 0)


SITE = Path(__file__).parent / "site"
COMPONENTS = Path(__file__).parents[2] / "ui" / "widgets"
"""Where the app keeps what draws its tables, words and sentences. The page draws with the same files."""

DRAWN_AS_IN_THE_APP = ("table", "words", "sentences")
MODULES = (
    *("elements", "numbers", "data", "address", "lists", "filters", "overview", "facts", "chart", "closeness"),
    *("diagnostics", "question", "about", "app"),
)
"""The page's script, file by file; the last one starts it."""

_COMPONENT_EXPORT = "export default function"


def write(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8.

    Of a run with more than MOST_RESPONSES it lists the responses to its first questions, and says so; all
    figures count the whole run.
    """
    questions = shown_questions(content)
    parts = word_parts(content, questions)
    blocks = [("run", embed_json(page_data(content, questions)))]
    blocks += [(f"words-{number}", embed_json(part)) for number, part in enumerate(parts)]
    pieces = render_pieces(
        SITE / "page.html",
        policy=Markup(
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
            f"script-src {hash_source(script())}; style-src {hash_source(_style())}"
        ),
        title=content.run.name,
        icon=base64.b64encode((COMPONENTS / "mark.svg").read_bytes()).decode(),
        style=Markup(_style()),
        # As `embed_json` writes it: no text in it can end the element.
        blocks=((name, Markup(data.decode())) for name, data in blocks),
        script=Markup(script()),
    )
    stream.writelines(map(str.encode, pieces))


@cache
def script() -> str:
    """All of the page's script, in a scope of its own."""
    sheets = {name: (COMPONENTS / f"{name}.css").read_text("utf-8") for name in DRAWN_AS_IN_THE_APP}
    components = [_component((COMPONENTS / f"{name}.js").read_text("utf-8")) for name in DRAWN_AS_IN_THE_APP]
    drawers = [f"{name}: {component}" for name, component in zip(DRAWN_AS_IN_THE_APP, components, strict=True)]
    return "\n".join(
        [
            '"use strict";(() => {',
            f"const sheets = {orjson.dumps(sheets).decode()};",
            f"const drawers = {{ {', '.join(drawers)} }};",
            *((SITE / f"{name}.js").read_text("utf-8") for name in MODULES),
            "})();",
        ]
    )


def _component(module: str) -> str:
    """A module of the app as an expression: a browser imports no module from disk."""
    assert module.count(_COMPONENT_EXPORT) == 1, "a component exports one function"
    return f"(() => {{\n{module.replace(_COMPONENT_EXPORT, 'return function')}}})()"


@cache
def _style() -> str:
    return (SITE / "site.css").read_text("utf-8")
