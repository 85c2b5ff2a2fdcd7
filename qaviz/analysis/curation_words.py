"""What edits of a golden dataset would change, and what has been changed, in sentences. Texts of files are quoted as
they are, so the sentences are set as text."""

import polars as pl

from qaviz.analysis.numbers import count, join, plural
from qaviz.model.metrics import METRICS

NOTHING_MOVES = "No score and no diagnosis of this run changes."


def effect_points(diagnoses: pl.DataFrame, scores: pl.DataFrame, mistakes: pl.DataFrame) -> list[str]:
    """What a preview says beside Factual Knowledge: classes that change, scores that move, responses judged wrongly.

    Takes the tables of `qaviz.golden.preview.Effects`.
    """
    if diagnoses.is_empty() and scores.is_empty():
        return [NOTHING_MOVES]
    return [_classes(diagnoses), _moves(scores), _wrong(mistakes)]


def staying_words(staying: int, moved: int) -> str:
    """How many pipelines state as many facts as before, beside those that do not."""
    if not moved:
        return f"All {count(staying)} pipelines state as many facts as now."
    return f"{plural(staying, 'other pipeline')} {'states' if staying == 1 else 'state'} as many facts as now."


def _classes(diagnoses: pl.DataFrame) -> str:
    if diagnoses.is_empty():
        return "No response changes its diagnosis."
    moves = diagnoses.group_by("before", "after").len().sort("len", "before", "after", descending=[True, False, False])
    parts = [f"{count(many)} from {before} to {after}" for before, after, many in moves.iter_rows()]
    verb = "changes its diagnosis" if diagnoses.height == 1 else "change their diagnosis"
    return f"{plural(diagnoses.height, 'response')} {verb}: {join(parts)}."


def _moves(scores: pl.DataFrame) -> str:
    moved = scores.group_by("score", maintain_order=True).len()
    parts = [f"{METRICS[name].label} of {plural(many, 'response')}" for name, many in moved.iter_rows()]
    return f"Scores that change: {join(parts)}." if parts else "No score changes."


def _wrong(mistakes: pl.DataFrame) -> str:
    if mistakes.is_empty():
        return "No wrong match, and no right response lost."
    kinds = dict(mistakes.group_by("kind").len().iter_rows())
    parts = []
    if wrong := kinds.get("wrong match"):
        parts.append(f"{plural(wrong, 'wrong response')} would count as a hit")
    if lost := kinds.get("lost match"):
        parts.append(f"{plural(lost, 'right response')} would no longer count as a hit")
    return f"Check first: {join(parts)}."


def decisions_left(proposed: int, unproposed: int) -> str:
    """How many findings a person still has to decide: those with a suggestion, and those that want a text."""
    if not proposed + unproposed:
        return "Every finding is decided."
    suggestions = f"{plural(proposed, 'suggestion')} to accept or reject"
    texts = f"{plural(unproposed, 'finding')} without a suggestion, to edit or reject"
    return f"Still to decide: {join([each for each, many in ((suggestions, proposed), (texts, unproposed)) if many])}."


def finding_counts(errors: int, warnings: int, notes: int) -> str:
    """`2 errors, 1 warning and 4 notes`; `nothing` where there is none."""
    counted = [(errors, "error"), (warnings, "warning"), (notes, "note")]
    return join([plural(many, name) for many, name in counted if many]) or "nothing"
