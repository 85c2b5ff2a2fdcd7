"""How far people agree with the verdicts, in sentences and tables. Pure: what was compared in, text and tables out.

The sentences quote names of people and pipelines, so they are text: never markdown, never HTML.
"""

from collections.abc import Mapping
from dataclasses import asdict, astuple
from itertools import combinations

import polars as pl

from qaviz.analysis.numbers import MISSING, count, join, percent, plural, score
from qaviz.diagnosis.agreement import VERDICTS, Agreement, Estimate
from qaviz.diagnosis.sensitivity import Proposal
from qaviz.judging.agreement import compare_graders
from qaviz.model.classes import Verdict
from qaviz.model.columns import GRADE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Thresholds
from qaviz.store.labels import LABELLED_BY

OPPOSITE = {Verdict.CORRECT.value: Verdict.INCORRECT.value, Verdict.INCORRECT.value: Verdict.CORRECT.value}
"""What a person says who disagrees; of `declined` and `unsure` only a label says what they mean."""

_PAIR = [QUESTION_ID, PIPELINE]


def counting(labels: pl.DataFrame) -> pl.DataFrame:
    """One label a response, of labels as `store.kept_labels` returns them: where people differ, the newest."""
    return labels.unique(_PAIR, keep="last", maintain_order=True)


def count_contested(labels: pl.DataFrame) -> int:
    """How many responses people label differently."""
    return labels.group_by(_PAIR).agg(pl.col(LABEL).n_unique()).filter(pl.col(LABEL) > 1).height


BETWEEN = {
    "first": pl.String,
    "second": pl.String,
    "responses": pl.Int64,
    "same": pl.Float64,
    "same_low": pl.Float64,
    "same_high": pl.Float64,
    "kappa": pl.Float64,
    "kappa_low": pl.Float64,
    "kappa_high": pl.Float64,
}


def compare_people(labels: pl.DataFrame) -> pl.DataFrame:
    """How far people agree with each other, of labels as `store.kept_labels` returns them: columns of BETWEEN.

    One row for every two who labelled the same responses, most of them first: how many, the share with the same label,
    and Cohen's kappa, each with its 95 % interval over questions (`judging.agreement`); null where it is undefined.
    """
    by_person = {
        name: of_person.select(*_PAIR, pl.col(LABEL).alias(GRADE))
        for (name,), of_person in labels.group_by(LABELLED_BY, maintain_order=True)
    }
    pairs = [(one, other) for one, other in combinations(by_person, 2) if _share_some(by_person[one], by_person[other])]
    found = [_compare_two(str(one), str(other), by_person[one], by_person[other]) for one, other in pairs]
    return pl.DataFrame(found, schema=BETWEEN, orient="row").sort("responses", descending=True, maintain_order=True)


def _share_some(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    return not one.join(other, on=_PAIR, how="semi").is_empty()


def _compare_two(first: str, second: str, one: pl.DataFrame, other: pl.DataFrame) -> tuple[object, ...]:
    found = compare_graders(one, other)
    figures = (*astuple(found.exact), *astuple(found.kappa))
    return first, second, found.compared, *figures


def next_without(rows: pl.DataFrame, labels: pl.DataFrame, after: int) -> int | None:
    """The place, from 0, of the next response after this place that has no label, from the first one on again.

    None where all others have one.
    """
    unlabelled = rows.select(_PAIR).with_row_index("place").join(labels, on=_PAIR, how="anti", maintain_order="left")
    others = [place for place in unlabelled["place"].to_list() if place != after]
    return next((place for place in others if place > after), others[0] if others else None)


def agreement_lead(found: Agreement) -> str:
    """The sentence that says how far to trust the verdicts."""
    accuracy = f"People agree with {_share(found.accuracy)} of {plural(found.compared, 'verdict')}"
    kappa = found.kappa
    if kappa.value is None or kappa.low is None or kappa.high is None:
        return f"{accuracy}. All labels and verdicts are one class, so agreement beyond chance is undefined."
    said = f"kappa {score(kappa.value)} ({score(kappa.low)} to {score(kappa.high)})"
    return f"{accuracy}; {'better than' if kappa.low > 0 else 'not clearly better than'} chance by {said}."


def agreement_points(found: Agreement, labels: pl.DataFrame) -> list[str]:
    """What the leading sentence rests on: coverage, classes, and what was not compared.

    `labels` are those in force, as `store.kept_labels` returns them.
    """
    responses = found.compared + found.unlabelled
    points = [
        f"{count(found.compared)} of {plural(responses, 'response')} labelled, to "
        f"{plural(found.questions, 'question')}. Intervals are 95%, over questions.",
        f"Averaged over the labels, F1 is {score(found.macro_f1.value)} ({_interval(found.macro_f1)}).",
    ]
    differ = count_contested(labels)
    if differ:
        points.append(f"People differ on {plural(differ, 'response')}: there the newest label counts.")
    if not (labels[LABEL] == Verdict.DECLINED.value).any():
        points.append("No response is labelled as declined, so a verdict of declined counts as incorrect.")
    if found.unmatched:
        points.append(f"Not compared: {plural(found.unmatched, 'label')} of responses that are not in the run.")
    return points


def _share(figure: Estimate) -> str:
    return f"{percent(figure.value)} ({_whole(figure.low)} to {_whole(figure.high)})"


def _whole(share: float | None) -> str:
    return MISSING if share is None else f"{share * 100:.0f}"


def _interval(figure: Estimate) -> str:
    return f"{score(figure.low)} to {score(figure.high)}"


def confusion_matrix(found: Agreement) -> pl.DataFrame:
    """One row a label, in the order of `diagnosis.agreement.LABELS`: label, a count column a verdict, and their sum."""
    wide = found.confusion.pivot(VERDICT, index=LABEL, values="responses", maintain_order=True)
    return wide.with_columns(pl.sum_horizontal(VERDICTS).alias("responses"))


def proposal_sentence(proposal: Proposal | None, present: Thresholds, names: Mapping[str, str]) -> str:
    """What labels propose, and what that is worth on questions kept out of the choice. `names` are the thresholds'."""
    if proposal is None:
        return "Too few questions are labelled to choose thresholds on some and test them on others."
    tested = (
        f"tested on held-out questions ({plural(proposal.responses, 'response')} to "
        f"{plural(proposal.questions, 'question')}, in {proposal.folds} parts)"
    )
    moved = moved_thresholds(proposal.thresholds, present)
    if not moved:
        return f"These labels support the current thresholds: no other step agrees with more labels, {tested}."
    moves = join([f"{names[name]} {score(value)}" for name, value in moved.items()])
    return f"These labels propose {moves}: {_gain(proposal.gain)}, {tested}."


def moved_thresholds(proposed: Thresholds, present: Thresholds) -> dict[str, float]:
    """The thresholds that differ from the present ones, with their proposed values."""
    now = asdict(present)
    return {name: value for name, value in asdict(proposed).items() if value != now[name]}


def _gain(gain: Estimate) -> str:
    if gain.value is None or gain.low is None or gain.high is None:
        return "gain not measurable"
    between = f"{gain.low * 100:+.1f} to {gain.high * 100:+.1f}"
    points = f"{gain.value * 100:+.1f} percentage points of agreement ({between})"
    return points if gain.low > 0 else f"{points}, not a clear gain"
