"""The tables of a decision pack as people read them, the same in slides, pages and wikis; and the room of a text."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count as numbers_from
from os.path import commonprefix

import polars as pl

from qaviz.analysis.closeness import GAIN, RESPONSES
from qaviz.analysis.comparison import FIRST, METRIC, SECOND, ComparedRow, format_signed, metric_label
from qaviz.analysis.decision import RankedRow
from qaviz.analysis.numbers import MISSING, SMALLEST_P, count, interval, out_of, score
from qaviz.analysis.policy import CriterionRow, Outcome, word_bound, word_value
from qaviz.analysis.tables import SummaryRow
from qaviz.exports.decision_pack.content import HOW_TO_COMPARE, HOW_TO_READ_CRITERIA, HOW_TO_READ_NORMALISED, Content
from qaviz.model.classes import measure_of
from qaviz.model.columns import AND_DELIMITER, F1, OR_DELIMITER, PIPELINE, PRECISION, RECALL, typed_rows
from qaviz.model.metrics import METRICS
from qaviz.model.visible import ELLIPSIS, excerpt, one_line
from qaviz.scoring.normalised import NORMALISED


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of texts, a heading a column."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    """How many columns, from the left, hold names and words; the others hold numbers."""
    note: str
    """How to read it, and what is not in it."""


COMPARED = 100
"""Comparisons in the formats that have all tables; more are in the workbook."""


def all_tables(content: Content) -> Iterator[Table]:
    """The tables that have rows, in the order of the pack."""
    yield pipelines_table(content)
    if content.criteria.height:
        yield criteria_table(content)
    yield diagnoses_table(content)
    if content.normalised.height:
        yield normalised_table(content)
    if content.comparisons.height:
        yield comparisons_table(content, COMPARED)


def pipelines_table(content: Content) -> Table:
    """The pipelines in their ranking; each figure with how many responses it counts."""
    right = {row[PIPELINE]: row for row in typed_rows(content.decision.ranking, RankedRow)}
    return Table(
        title="Pipelines",
        heads=("Pipeline", "Right answers", "95% interval", "Answered", "Facts stated", *_MEANS),
        rows=tuple(_write_pipeline(row, right.get(row[PIPELINE])) for row in typed_rows(content.summary, SummaryRow)),
        names=1,
        note="Right answers: responses that are correct or rightly decline. "
        "Answered: responses that are not blank, of all questions. Facts stated: of the responses whose question "
        "has a fact. The interval is where that share would likely lie over many questions like these. "
        "Closeness, conciseness and F1 are means; in brackets, over how many responses.",
    )


_MEANS = tuple(METRICS[metric].label for metric in (RECALL, PRECISION, F1))


def _write_pipeline(row: SummaryRow, right: RankedRow | None) -> tuple[str, ...]:
    judged = right is not None and right["share"] is not None
    return (
        row[PIPELINE],
        right["in_words"] if right and judged else MISSING,
        interval(right["low"], right["high"]) if right and judged else MISSING,
        out_of(row["answered"], row["expected"]),
        out_of(row["fact_hits"], row["fact_scored"]),
        _word_mean(row["closeness"], row["closeness_n"]),
        _word_mean(row["conciseness"], row["conciseness_n"]),
        _word_mean(row["f1"], row["closeness_n"]),
    )


def _word_mean(value: float | None, counted: int) -> str:
    return MISSING if value is None else f"{score(value)} ({count(counted)})"


def normalised_table(content: Content) -> Table:
    """Each pipeline's scores without the restated question and citations, beside FMEval's."""
    return Table(
        title="Without the restated question and citations",
        heads=("Pipeline", "Responses", *map(normalised_heading, NORMALISED_FIGURES)),
        rows=tuple(
            (row[PIPELINE], count(row[RESPONSES]), *(score(row[name]) for name in NORMALISED_FIGURES))
            for row in content.normalised.iter_rows(named=True)
        ),
        names=1,
        note=HOW_TO_READ_NORMALISED,
    )


NORMALISED_FIGURES = (PRECISION, NORMALISED[PRECISION], F1, NORMALISED[F1], GAIN)


def normalised_heading(name: str) -> str:
    """What stands above a figure of `closeness.normalised_gain`."""
    if name == GAIN:
        return "Gain in F1"
    own = next((own for own, again in NORMALISED.items() if again == name), None)
    return f"{METRICS[own].label}, normalised" if own else METRICS[name].label


def comparisons_table(content: Content, most: int) -> Table:
    """Differences with raw and Holm-adjusted p: all of them, or, where those are more than `most`, the ones with the
    pipeline ranked first, its right answers before its scores."""
    every = content.comparisons.filter(pl.col("paired") > 0)
    shown = every if every.height <= most else _select_with_first(every, content.summary[PIPELINE][0], most)
    left_out = (
        f" {count(shown.height)} of {count(every.height)} comparisons, those with the pipeline ranked first; the "
        "workbook (.xlsx) and the .json file have all."
        if shown.height < every.height
        else ""
    )
    return Table(
        title="Differences between pipelines",
        heads=_COMPARISON_HEADS,
        rows=tuple(map(_write_comparison, typed_rows(shown, ComparedRow))),
        names=3,
        note=f"{HOW_TO_COMPARE}{left_out}",
    )


_COMPARISON_HEADS = (
    *("By", "First", "Second", "Questions", "Difference", "95% interval"),
    *("Won, lost, tied", "p", "p (Holm)", "Decision"),
)


def _select_with_first(every: pl.DataFrame, first: str, most: int) -> pl.DataFrame:
    own = every.filter((pl.col(FIRST) == first) | (pl.col(SECOND) == first))
    if own.height <= most:
        return own
    first_metric = own.filter(pl.col(METRIC) == own[METRIC][0])
    return first_metric.head(most)


def _write_comparison(row: ComparedRow) -> tuple[str, ...]:
    metric = row[METRIC]
    low, high = format_signed(metric, row["low"]), format_signed(metric, row["high"])
    return (
        metric_label(metric),
        row[FIRST],
        row[SECOND],
        count(row["paired"]),
        format_signed(metric, row["difference"]),
        f"{low} to {high}",
        f"{count(row['wins'])}, {count(row['losses'])}, {count(row['ties'])}",
        _word_p(row["p"]),
        _word_p(row["p_holm"]),
        row["decision"],
    )


def _word_p(p: float | None) -> str:
    if p is None:
        return MISSING
    return f"<{SMALLEST_P}" if p < SMALLEST_P else f"{p:.3f}"


def criteria_table(content: Content) -> Table:
    """What the pipelines have to reach, and what is known of whether they do."""
    return Table(
        title="Acceptance criteria",
        heads=("Measure", "Of", "Wanted", "Pipeline", "Found", "95% interval", "Scored", "Outcome"),
        rows=tuple(map(_write_criterion, typed_rows(content.criteria, CriterionRow))),
        names=4,
        note=HOW_TO_READ_CRITERIA,
    )


def _write_criterion(row: CriterionRow) -> tuple[str, ...]:
    return (
        row["measure"],
        row["scope"],
        word_bound(measure_of(row["measure"]), row["bound"], row["than"]),
        row[PIPELINE],
        word_value(row, row["value"]),
        MISSING if row["low"] is None or row["high"] is None else _word_ends(row),
        out_of(row["scored"], row["expected"]),
        _OUTCOMES[row["outcome"]],
    )


def _word_ends(row: CriterionRow) -> str:
    if row["than"] is None:
        return interval(row["low"], row["high"])
    return f"{word_value(row, row['low'])} to {word_value(row, row['high'])}"


_OUTCOMES = {Outcome.MET.value: "met", Outcome.NOT_MET.value: "not met", Outcome.NOT_SHOWN.value: "not shown"}


def diagnoses_table(content: Content) -> Table:
    """How many responses of each pipeline have each diagnosis."""
    occurring = [part.diagnosis.value for part in content.diagnoses]
    rows = content.summary.select(PIPELINE, *occurring).iter_rows()
    return Table(
        title="Diagnoses by pipeline",
        heads=("Pipeline", *occurring),
        rows=tuple((name, *map(count, counts)) for name, *counts in rows),
        names=1,
        note="Numbers of responses. Correct, verbose and rephrased-correct responses are right.",
    )


LONGEST_NAME = 40
"""Characters of a pipeline's name where room is short."""

LEAD = 8
"""Characters that stand before the place where long names begin to differ."""

LETTER, CAPITAL, WIDE = 0.55, 0.72, 1.15
"""What a character takes of a line, in units of the type's size; a little more than in Arial, so that estimates hold
where another font steps in."""

_BROAD = "mw%&@#+=<>~^_—…"
"""Characters that are no capitals and as wide."""


def variants_in_words(text: str | None) -> str:
    """A golden fact or answer as people read it: `four or 4` for `four<OR>4`; empty where there is none."""
    return (text or "").replace(OR_DELIMITER, " or ").replace(AND_DELIMITER, " and ")


def short_names(names: Sequence[str], longest: int = LONGEST_NAME) -> dict[str, str]:
    """For each name one that is on one line, of at most `longest` characters, and no other's.

    Long ones are cut in the middle; where that makes two the same, around the place where they begin to differ.
    """
    lines = {name: one_line(name) for name in names}
    long = [line for line in lines.values() if len(line) > longest]
    cut = {line: _middle_cut(line, longest) for line in long}
    if len(set(cut.values())) < len(set(long)):
        differing = max(len(commonprefix(long)) - LEAD, 0)  # noqa: RUF071 - characters are compared on purpose
        cut = {line: f"{ELLIPSIS}{excerpt(line[differing:], longest - 1)}" for line in long}
    shortened: dict[str, str] = {}
    for name, line in lines.items():
        short, taken = cut.get(line, line), set(shortened.values())
        numbered = (f"{short[: longest - 5]} ({number})" for number in numbers_from(2))
        shortened[name] = short if short not in taken else next(name for name in numbered if name not in taken)
    return shortened


def _middle_cut(line: str, longest: int) -> str:
    start = longest * 2 // 5
    return f"{line[:start]}{ELLIPSIS}{line[start + 1 - longest :]}"


def right_to_left(text: str) -> bool:
    """Whether the text's first letter belongs to a script that is written from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def extent(text: str) -> float:
    """Roughly how long a line the text takes, in units of the type's size."""
    return sum(map(_extent_of, text))


def _extent_of(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return WIDE
    return CAPITAL if character.isupper() or character in _BROAD else LETTER


def lines_of(text: str, line: float) -> int:
    """How many lines the text takes where a line has room for this extent."""
    return sum(_count_lines(paragraph.split(" "), line) for paragraph in text.split("\n"))


def _count_lines(words: Iterable[str], line: float) -> int:
    lines, used = 1, 0.0
    for word in words:
        needed = extent(word)
        if used and used + needed > line:
            lines, used = lines + 1, 0.0
        # A word that is longer than a line is broken.
        if needed > line:
            lines += int(needed // line)
        used += needed % line + LETTER
    return lines


def fit_text(text: str, line: float, most_lines: int) -> str:
    """As much of the text as stands on so many lines of this extent; a cut ends in an ellipsis."""
    # No text fits that is longer than narrow letters: what is beyond need not be measured.
    text = excerpt(text, int(most_lines * line / 0.3))
    if lines_of(text, line) <= most_lines:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        fits, too_long = (
            (middle, too_long) if lines_of(text[:middle] + ELLIPSIS, line) <= most_lines else (fits, middle)
        )
    return _whole_words(text[:fits], text[fits]) + ELLIPSIS


def _whole_words(text: str, following: str) -> str:
    """The text without a word that the cut broke, unless that leaves little of it, as in scripts without blanks."""
    whole = text if following.isspace() else text.rpartition(" ")[0]
    return (whole if 2 * len(whole) > len(text) else text).rstrip()
