"""What a run's tables say, in sentences a decision can rest on. Pure: tables in, plain text out.

The sentences quote pipelines' names as they came, so they are text: never markdown, never HTML."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass

import polars as pl

from qaviz.analysis.glossary import TEXTS, THRESHOLD_WORDS
from qaviz.analysis.numbers import count, day, join, plural, score
from qaviz.analysis.outcomes import NO_LABELS, find_overruled, whole
from qaviz.diagnosis.columns import UNREAD
from qaviz.loading.load_log import SAMPLE
from qaviz.model.classes import Diagnosis, Fault
from qaviz.model.columns import DIAGNOSIS, FAULT, PIPELINE, QUESTION_ID, REPEAT_OF
from qaviz.model.metrics import METRICS
from qaviz.model.records import Verified
from qaviz.store.run_records import RunRecord

NOTHING_MOVES = "No score and no diagnosis of this run changes."
_MOST_STEPS = 3
_SHARED = (Fault.GOLDEN, Fault.METRIC)
"""Faults that no pipeline can mend."""
NOT_RECORDED = "not recorded: this run is older than the record"


def listed_in_words(listed_counts: Mapping[str, int]) -> str:
    """`unaligned (2), no fact (1,200)`: kinds of entries with their number; empty where there is none."""
    return ", ".join(f"{kind} ({count(rows)})" for kind, rows in listed_counts.items() if rows)


def listed_sentences(listed_counts: Mapping[str, int]) -> list[str]:
    """What loading listed, by kind: `Listed when loading: unaligned (2), duplicate (1).`"""
    sampled = "FMEval scored only its fixed sample of 100 or 300 questions. Load lists them."
    kinds = listed_in_words(listed_counts)
    sentences = {sampled: listed_counts.get(SAMPLE), f"Listed when loading: {kinds}.": kinds}
    return [sentence for sentence, holds in sentences.items() if holds]


def verified_sentence(verified: Verified, responses: int) -> str:
    """What the verification of a run with so many responses came to, and when."""
    some = f"a sample of {count(verified.compared)} of " if verified.compared < responses else ""
    differ = plural(verified.differences, "score differs", "scores differ")
    words = differ if verified.differences else "no difference"
    return (
        f"Scores verified with FMEval {verified.version} on {day(verified.verified_at)}: "
        f"{some}{plural(responses, 'response')}, {words}."
    )


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something worth doing next, and the responses it is about."""

    title: str
    fault: Fault | None
    """Where the cause is; None where it is not proved."""
    responses: int
    diagnosis: Diagnosis
    pipeline: str | None
    """The pipeline it is about; None where it is about the golden dataset and so about all."""


def next_steps(
    rows: pl.DataFrame, about: str, edited: Collection[str] = frozenset(), labels: pl.DataFrame = NO_LABELS
) -> list[Step]:
    """The steps that concern most responses; one is about the golden dataset wherever it has any fault.

    `about` is the pipeline that the decision is about: its own faults are counted, the golden dataset's over all
    pipelines. Advice on a pipeline that nobody would ship helps nobody. Questions whose triplet was `edited` since are
    done, as far as the golden dataset goes. What people's `labels` or a judge decide otherwise needs no step.
    """
    shared = (
        pl.col(FAULT).is_in([step.value for step in _SHARED]) | (pl.col(DIAGNOSIS) == Diagnosis.UNSCORED)
    ).fill_null(False)
    faults = (
        whole(rows.select(DIAGNOSIS, FAULT, PIPELINE, QUESTION_ID, *({REPEAT_OF} & {*rows.columns})))
        .filter(
            ~find_overruled(rows, labels),
            pl.col(DIAGNOSIS) != Diagnosis.CORRECT.value,
            (shared & ~pl.col(QUESTION_ID).is_in(list(edited))) | (~shared & (pl.col(PIPELINE) == about)),
        )
        .group_by(DIAGNOSIS, FAULT, maintain_order=True)
        .agg(pl.len().alias("responses"))
    )
    steps = []
    for diagnosis, fault, responses in faults.sort("responses", descending=True, maintain_order=True).iter_rows():
        kind, cause = Diagnosis(diagnosis), Fault(fault) if fault else None
        title = TEXTS["steps"][kind.value].format(pipeline=about, responses=plural(responses, "response"))
        pipeline = None if cause in _SHARED or kind is Diagnosis.UNSCORED else about
        steps.append(Step(title=title, fault=cause, responses=responses, diagnosis=kind, pipeline=pipeline))
    golden = [step for step in steps[_MOST_STEPS:] if step.pipeline is None]
    if golden and all(step.pipeline for step in steps[:_MOST_STEPS]):
        steps[_MOST_STEPS - 1] = golden[0]
    return steps[:_MOST_STEPS]


def effect_points(diagnoses: pl.DataFrame, scores: pl.DataFrame, mistakes: pl.DataFrame) -> list[str]:
    """What a preview says beside Factual Knowledge: classes that change, scores that move, responses judged wrongly.

    Takes the tables of `qaviz.golden.edits.Effects`.
    """
    if diagnoses.is_empty() and scores.is_empty():
        return [NOTHING_MOVES]
    moves = diagnoses.group_by("before", "after").len().sort("len", "before", "after", descending=[True, False, False])
    classes = [f"{count(many)} from {before} to {after}" for before, after, many in moves.iter_rows()]
    moved = scores.group_by("score", maintain_order=True).len().iter_rows()
    changed = [f"{METRICS[name].label} of {plural(many, 'response')}" for name, many in moved]
    kinds = dict(mistakes.group_by("kind").len().iter_rows())
    wrong, lost = kinds.get("wrong match"), kinds.get("lost match")
    hits = [f"{plural(wrong, 'wrong response')} would count as a hit"] if wrong else []
    hits += [f"{plural(lost, 'right response')} would no longer count as a hit"] if lost else []
    of_all = f"Another diagnosis for {plural(diagnoses.height, 'response')}"
    return [
        f"{of_all}: {join(classes)}." if classes else "No response changes its diagnosis.",
        f"Scores that change: {join(changed)}." if changed else "No score changes.",
        f"Check first: {join(hits)}." if hits else "It credits no wrong response and loses no right one.",
    ]


def decisions_left(proposed: int, unproposed: int) -> str:
    """How many findings a person still has to decide: those with a suggestion, and those that want a text."""
    if not proposed + unproposed:
        return "Every finding is decided."
    nouns = {
        f"{plural(proposed, 'suggestion')} to accept or reject": proposed,
        f"{plural(unproposed, 'finding')} without a suggestion, to edit or reject": unproposed,
    }
    return f"Still to decide: {join([noun for noun, many in nouns.items() if many])}."


def finding_counts(errors: int, warnings: int, notes: int) -> str:
    """`2 errors, 1 warning and 4 notes`; `nothing` where there is none."""
    counted = {"error": errors, "warning": warnings, "note": notes}
    return join([plural(many, name) for name, many in counted.items() if many]) or "nothing"


def find_unread(rows: pl.DataFrame) -> tuple[pl.Series, str | None]:
    """The places (UInt32) of the diagnosed rows whose verdict is unsure because qaviz does not read their language, and
    how many they are by language; none and None for runs that were saved before qaviz recognised languages."""
    places = rows[UNREAD].is_not_null().arg_true() if UNREAD in rows.columns else pl.Series(dtype=pl.UInt32)
    if places.is_empty():
        return places, None
    names = listed_in_words(dict(rows[UNREAD][places].value_counts(sort=True).iter_rows()))
    return places, f"In languages that qaviz does not read, and unsure: {plural(places.len(), 'response')}: {names}."


def provenance_lines(record: RunRecord, golden_number: int) -> Iterator[tuple[str, str]]:
    """Yield what a run was made of and with what: a heading, and what there is to say."""
    run, made_of = record.run, record.provenance
    yield "Golden dataset", f"version {golden_number}, {run.golden_id}"
    yield "Scored by", run.engine
    thresholds = (f"{THRESHOLD_WORDS[name].label} {score(value)}" for name, value in asdict(run.thresholds).items())
    yield "Thresholds", ", ".join(thresholds)
    if made_of is None:
        yield "Files", f"{', '.join(run.sources)}. Their hashes, and who computed with what: {NOT_RECORDED}."
        return
    yield "Versions", ", ".join(f"{name} {version}" for name, version in made_of.versions.items())
    if made_of.rescored_from:
        yield "Responses", f"those of the run {made_of.rescored_from}, scored again"
    if made_of.added_to:
        yield "Responses", f"those of the run {made_of.added_to}, and those of files added to it"
    for file in made_of.files:
        yield "File", f"{file.name}\n{count(file.size)} bytes, SHA-256 {file.sha256}"
    if not made_of.files:
        yield "Files", f"{', '.join(run.sources)}. Their hashes: {NOT_RECORDED}."
    if made_of.skip_bad:
        yield "Bad rows", "skipped and listed, as requested"
    if made_of.keep_errors:
        yield "Error messages of pipelines", "scored as answers, as requested"
    for name, mapping in made_of.mappings.items():
        columns = (f'"{theirs}" {f"read as {ours}" if ours else "ignored"}' for theirs, ours in mapping.items())
        yield "Columns", f"{name}: {', '.join(columns)}"
