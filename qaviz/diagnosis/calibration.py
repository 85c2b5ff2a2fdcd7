"""Confidence as a probability: how often a person agrees with a verdict that rests on such evidence.

A logistic regression over a few features of the row, with a level for each diagnosis, each rule and each kind of
evidence, shrunk towards each other. It is monotone in the rule's margin. `python -m benchmarks.calibrate` fits it on
labelled sets, each of which weighs the same whatever its size to the power of a half, and writes calibration.json.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis.columns import KIND, NOTE, STRENGTH
from qaviz.diagnosis.evidence import VERBATIM
from qaviz.diagnosis.rule_expressions import is_blank
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, RECALL, RESPONSE
from qaviz.model.errors import Problem, QavizError

Numbers = NDArray[np.float64]

MARGIN = "margin"
"""What the deciding rule says of its evidence: 0 where it tips over, 1 where it is far from that."""
RULE = "rule"
DIAGNOSIS_OF_RULE = "diagnosis of the rule"
LOWEST, HIGHEST = 0.02, 0.995
"""Probabilities are kept within these: no labelled set is large enough to show more."""
BINS = 10
SHIPPED = Path(__file__).with_name("calibration.json")
IN_PLACE_OF_SHIPPED = "QAVIZ_CALIBRATION"
"""The environment variable that names the file of another calibration; processes that qaviz starts inherit it."""

_ABOUT_NOW = (
    r"\b(?:latest|current(?:ly)?|last|this (?:year|season|month)|now|today|next|newest|new|most recent(?:ly)?|so far"
    r"|upcoming|recently)\b"
)
"""A question whose right answer changes with time: the golden one may be out of date."""
_PRESENT, _CHANGING = (
    r"\b(?:is|are|has|have|does|do)\b",
    (r"\b(?:rate|population|price|version|record|salary|worth|how many|number of|ranking|rank)\b"),
)
_PERIOD = r"\d{4}|\bfy|\bq[1-4]\b"
"""A question in the present for what changes, without a period, is one of those too."""
_ASKS_VALUE = r"^\W*(?:who|when|where|which|how (?:many|much|long|old|far|tall))\b"
_ASKS_EXPLANATION = (
    r"^\W*(?:why|how (?:do|does|did|can|to|is|are|was|were|has|have)\b|explain|describe|what (?:happens|was going))"
)
_HEDGES = (
    r"(?-u:\b)(?:might|may|possibly|perhaps|likely|unclear|not (?:explicitly|specif|mention|clear)|however|although"
    r"|but)(?-u:\b)"
)
"""Word boundaries of ASCII: those of Unicode take polars fifty times as long."""
_SOURCE = (
    r"context|passage|information provided|provided|the (?:given )?text|given information|document|mention|states that"
    r"|specif"
)
"""What a response says that was given documents, and weighs what they say."""
_READ = 2_000
"""Characters of a response in which these two are looked for."""
_RESPONSE = pl.col(RESPONSE).fill_null("").str.head(_READ).str.to_lowercase()
LONG = 40
"""Words from which a response is long: more of it can claim something else."""

_QUESTION = pl.col(QUESTION).fill_null("").str.to_lowercase()
_GOLDEN = pl.when(is_blank(FACT)).then(pl.col(ANSWER)).otherwise(pl.col(FACT)).fill_null("")
_FIRST_VARIANT = _GOLDEN.str.split(OR_DELIMITER).list.first().str.strip_chars()
# Vietnamese `Có` and Chinese `是` stand in questions that they answer: for yes and no an echo means nothing.
_ECHOED = (
    (_FIRST_VARIANT != "")
    & (pl.col(KIND).fill_null("") != "polarity")
    & pl.col(QUESTION).fill_null("").str.to_lowercase().str.contains(_FIRST_VARIANT.str.to_lowercase(), literal=True)
)
DOUBT = "doubt"
"""How far a fact that a short response states may be named for another reason."""
WEAKNESS = "weakness"
ONLY_LOWERS = (WEAKNESS, DOUBT)
"""Features of which more never makes a verdict more probable."""
PRIOR = {"base": 0.01, "diagnosis": 0.3, "rule": 1.0, "kind": 0.7, "feature": 0.15, "feature of a diagnosis": 2.0}
"""Weight of the pull towards 0 for each sort of coefficient, in rows: the finer, the stronger."""
NEWTON_STEPS, SETTLED = 100, 1e-7
WORTH, WORTH_OF_CLAIMS = 150, 1000
"""Rows that a labelled set is worth on average against PRIOR; rows that all written claims together are."""
_Name = tuple[str, ...]
"""What a coefficient belongs to: its sort in PRIOR, then diagnosis, rule, kind or feature."""


def _asks_expression(pattern: str) -> pl.Expr:
    return _QUESTION.str.contains(pattern).cast(pl.Float64)


def _asks_changing_expression() -> pl.Expr:
    """Whether a question asks in the present for what changes, without a period."""
    changing = _QUESTION.str.contains(_PRESENT) & _QUESTION.str.contains(_CHANGING)
    # Null, which costs nothing, where no period matters: this pattern takes polars longest.
    period = pl.when(changing).then(_QUESTION).str.contains(_PERIOD)
    return (changing & ~period.fill_null(True)).cast(pl.Float64)


def _length_expression() -> pl.Expr:
    """The words of a response as a share of LONG, at most 1. Of a long one they need not be counted."""
    response = pl.col(RESPONSE).fill_null("")
    long = response.str.contains(rf"^\s*(?:\S+\s+){{{LONG - 1}}}\S")
    counted = pl.when(~long).then(response).str.count_matches(r"\S+").cast(pl.Float64) / LONG
    return pl.when(long).then(1.0).otherwise(counted)


_FEATURES: Mapping[str, pl.Expr] = {
    "question about now": pl.max_horizontal(
        _asks_expression(_ABOUT_NOW),
        _asks_changing_expression(),
    ),
    "question for a value": _asks_expression(_ASKS_VALUE),
    "question for an explanation": _asks_expression(_ASKS_EXPLANATION),
    # Typed like a search: such questions are often ambiguous, and their golden answer is one of several.
    # Scripts without capitals say nothing of that.
    "question without capitals": (
        pl.col(QUESTION).fill_null("").str.contains(r"\p{Ll}") & ~pl.col(QUESTION).fill_null("").str.contains(r"\p{Lu}")
    ).cast(pl.Float64),
    "golden text in the question": _ECHOED.cast(pl.Float64),
    "no fact": is_blank(FACT).cast(pl.Float64),
    "length of the golden text": (_FIRST_VARIANT.str.count_matches(r"\S+").cast(pl.Float64) / 5).log1p(),
    "hedges": _RESPONSE.str.contains(_HEDGES).cast(pl.Float64),
    "length of the response": _length_expression(),
    "response speaks of its source": _RESPONSE.str.contains(_SOURCE).cast(pl.Float64),
    "recall": pl.col(RECALL).fill_null(0),
    # What is misspelled or run together has a note, and a strength for that.
    DOUBT: pl.when((pl.col(KIND) == VERBATIM) & (pl.col(NOTE).fill_null("") == ""))
    .then(1 - pl.col(STRENGTH))
    .otherwise(0)
    .fill_null(0),
    "note": (pl.col(NOTE).fill_null("") != "").cast(pl.Float64),
}
"""What the probability is computed from, beside rule, kind of evidence and margin."""


def features_at(margin: pl.Expr) -> dict[str, pl.Expr]:
    """Return every feature by its name, for a rule that decides with this margin."""
    return {WEAKNESS: 1 - margin, **_FEATURES}


@dataclass(frozen=True)
class OfRule:
    """What the probability of one rule's verdicts is computed from, in log odds."""

    level: float
    kinds: Mapping[str, float]
    """By the kind of evidence: what it adds."""
    weights: Mapping[str, float]
    """By the name of a feature."""


@dataclass(frozen=True)
class Calibration:
    """A map from evidence to the probability that a person agrees with the verdict."""

    rules: Mapping[str, OfRule]
    """By the name of the rule's function."""
    diagnoses: Mapping[str, OfRule]
    """By diagnosis: for rules of which no labelled row told anything."""

    def probability(self, rule: str, diagnosis: str, margin: pl.Expr) -> pl.Expr:
        """Return the probability that a verdict of this rule and margin is right, over a gathered table."""
        of = self.rules.get(rule) or self.diagnoses.get(diagnosis)
        if of is None:
            return margin.clip(LOWEST, HIGHEST)
        kinds = (
            pl.col(KIND).fill_null("").replace_strict(dict(of.kinds) or {"": 0.0}, default=0.0, return_dtype=pl.Float64)
        )
        features = features_at(margin)
        odds = sum((weight * features[name] for name, weight in of.weights.items()), of.level + kinds)
        return (1 / (1 + (-odds).exp())).clip(LOWEST, HIGHEST)

    def to_json(self) -> str:
        """Return the calibration as the text of a JSON file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


Kept = Mapping[str, Mapping[str, Any]]
"""A calibration as JSON: `asdict` of it."""


def as_calibration(kept: Kept) -> Calibration:
    """Return the calibration that was kept. Raises TypeError or AttributeError if it is none."""
    return Calibration(**{name: {key: OfRule(**of) for key, of in group.items()} for name, group in kept.items()})


@cache
def read_calibration(file: Path) -> Calibration:
    """Return the calibration that a file holds. Raises QavizError if it holds none."""
    try:
        return as_calibration(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        expected, fix = "what `qaviz calibrate` writes", f"Write it again, or unset {IN_PLACE_OF_SHIPPED}."
        found = f"no calibration ({type(error).__name__})"
        raise QavizError(Problem(where=str(file), found=found, expected=expected, fix=fix)) from error


def calibration_in_use() -> Calibration:
    """Return the workspace's own calibration where the environment names its file, else the one that is shipped."""
    return read_calibration(Path(os.environ.get(IN_PLACE_OF_SHIPPED) or SHIPPED))


def columns_of_features() -> list[str]:
    """Return the columns that the probability is computed from, beside the margin."""
    return sorted({column for each in _FEATURES.values() for column in each.meta.root_names()} | {KIND})


def fit(
    rows: pl.DataFrame, right: Sequence[bool], sets: Sequence[str], claims: Sequence[bool] | None = None
) -> Calibration:
    """Return the calibration that fits labelled rows: a table with RULE, DIAGNOSIS_OF_RULE, MARGIN and evidence.

    `right` says whether a person agrees with the row's verdict, `sets` which labelled set it is of. `claims` marks rows
    that were written to name one thing and claim another: such responses are rare elsewhere, so they tell the weight
    of DOUBT and no level.
    """
    terms = _terms(rows)
    written = np.zeros(rows.height, bool) if claims is None else np.asarray(claims, bool)
    values = [column if name[-1] == DOUBT else np.where(written, 0, column) for name, column in terms]
    columns = np.column_stack([*values, written.astype(float)])
    weights = np.where(written, WORTH_OF_CLAIMS / max(1, written.sum()), 0.0)
    weights[~written] = _weigh([name for name, aside in zip(sets, written, strict=True) if not aside])
    names: list[_Name] = [*(name for name, _ in terms), ("base",)]
    fitted = _fit_logistic(columns, np.asarray(right, float), weights, names)
    found = {name: float(value) for (name, _), value in zip(terms, fitted[: len(terms)], strict=True)}
    return _assemble(rows.filter(~pl.Series(written)), found)


def _terms(rows: pl.DataFrame) -> list[tuple[_Name, Numbers]]:
    diagnoses, rules = rows[DIAGNOSIS_OF_RULE], rows[RULE]
    kinds = rows[KIND].fill_null("")
    features = rows.select(each.alias(name) for name, each in features_at(pl.col(MARGIN)).items()).cast(pl.Float64)
    terms: list[tuple[_Name, Numbers]] = [(("base",), np.ones(rows.height))]
    for diagnosis in diagnoses.unique().sort():
        mine = (diagnoses == diagnosis).to_numpy().astype(float)
        terms.append((("diagnosis", diagnosis), mine))
        terms += (
            (("feature of a diagnosis", diagnosis, name), mine * features[name].to_numpy()) for name in features.columns
        )
    for rule in rules.unique().sort():
        mine = (rules == rule).to_numpy().astype(float)
        terms.append((("rule", rule), mine))
        for kind in kinds.filter(rules == rule).unique().sort():
            terms.append((("kind", rule, kind), mine * (kinds == kind).to_numpy()))
    terms += ((("feature", name), features[name].to_numpy()) for name in features.columns)
    return terms


def _weigh(sets: Sequence[str]) -> Numbers:
    """A weight for each row: a set counts by the square root of its size, and `WORTH` rows on average."""
    names, place, sizes = np.unique(np.asarray(sets), return_inverse=True, return_counts=True)
    weights = 1 / np.sqrt(sizes.astype(float))[place]
    return np.asarray(weights * WORTH * len(names) / weights.sum(), np.float64)


def _fit_logistic(columns: Numbers, right: Numbers, weights: Numbers, names: Sequence[_Name]) -> Numbers:
    """Ridge logistic regression by Newton's method; what may only lower is held at 0 where it would raise."""
    pull = np.array([PRIOR[name[0]] for name in names])
    lowers = np.array([name[-1] in ONLY_LOWERS for name in names])
    found = np.zeros(columns.shape[1])
    for _ in range(NEWTON_STEPS):
        probable = 1 / (1 + np.exp(-np.clip(columns @ found, -30, 30)))
        slope = columns.T @ (weights * (probable - right)) + pull * found
        curve = (columns.T * (weights * probable * (1 - probable))) @ columns + np.diag(pull)
        free = ~(lowers & (found >= 0) & (slope < 0))
        step = np.zeros_like(found)
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        found = np.where(lowers, np.minimum(found - step, 0), found - step)
        if np.abs(step).max() < SETTLED:
            break
    return found


def _assemble(rows: pl.DataFrame, found: Mapping[_Name, float]) -> Calibration:
    """The coefficients, summed up for each rule and for each diagnosis."""

    def of(diagnosis: str, rule: str | None) -> OfRule:
        weights = {
            name: round(found["feature", name] + found["feature of a diagnosis", diagnosis, name], 4)
            for name in (WEAKNESS, *_FEATURES)
        }
        level = found["base",] + found["diagnosis", diagnosis] + (found["rule", rule] if rule else 0)
        kinds = {name[2]: round(value, 4) for name, value in found.items() if name[:2] == ("kind", rule)}
        return OfRule(round(level, 4), kinds, weights)

    pairs = rows.select(RULE, DIAGNOSIS_OF_RULE).unique().sort(RULE).rows()
    return Calibration(
        rules={rule: of(diagnosis, rule) for rule, diagnosis in pairs},
        diagnoses={diagnosis: of(diagnosis, None) for diagnosis in sorted({each for _, each in pairs})},
    )


def reliability(probable: Numbers, right: Numbers) -> pl.DataFrame:
    """Return how confidence compares with what people say, by tenths: `from`, `rows`, `confidence`, `right`."""
    tenth = np.minimum((probable * BINS).astype(int), BINS - 1)
    table = pl.DataFrame({"from": tenth / BINS, "confidence": probable, "right": right.astype(float)})
    return table.group_by("from").agg(pl.len().alias("rows"), pl.mean("confidence"), pl.mean("right")).sort("from")


def calibration_error(probable: Numbers, right: Numbers) -> float:
    """Return the expected calibration error: the mean gap between confidence and share right by tenths, by rows."""
    table = reliability(probable, right)
    gaps = (pl.col("confidence") - pl.col("right")).abs() * pl.col("rows")
    return float(table.select(gaps.sum() / pl.col("rows").sum()).item() or 0)
