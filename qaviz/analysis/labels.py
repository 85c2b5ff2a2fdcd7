"""People's labels: agreement with verdicts, which are drawn at random, which to give next, what they certify."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations

import numpy as np
import polars as pl

from qaviz.analysis.numbers import MISSING, bound, count, interval, out_of, percent, plural, score
from qaviz.analysis.outcomes import counting, find_correcting, random_order, whole
from qaviz.diagnosis import judging
from qaviz.diagnosis.agreement import LABELS, VERDICTS, Agreement, counts_as
from qaviz.judging.agreement import GraderAgreement, JudgeCalibration, calibrate, compare_graders
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, GRADE, JUDGE, JUDGE_REASON, LABEL, PIPELINE, QUESTION_ID, REPEAT_OF, VERDICT
from qaviz.model.errors import QavizError
from qaviz.model.records import Thresholds
from qaviz.stats import Compared
from qaviz.stats.certify import PROMISE, Certificate, Promise, certify
from qaviz.store.labels import DRAWN, LABELLED_BY, KnownJudge

OPPOSITE = {Verdict.CORRECT.value: Verdict.INCORRECT.value, Verdict.INCORRECT.value: Verdict.CORRECT.value}
"""What a person says who disagrees; of `declined` and `unsure` only a label says what they mean."""

_PAIR = [QUESTION_ID, PIPELINE]

PLACE = "place"
"""Column: the place of a response in the run's rows."""
MOST_DECIDING, MOST_CONTENDERS = 30, 3
"""Responses that are offered because their verdict is the least sure; the contenders nearest to the leader: more would
spread the labels too thin to correct anyone's share."""
_HALF = 0.5
READ = (QUESTION_ID, PIPELINE, VERDICT, CONFIDENCE)
"""The columns of a run's rows that a certificate is made of."""
DIFFERS = "differs"
_OPINIONS = pl.Schema(
    dict.fromkeys((QUESTION_ID, PIPELINE, VERDICT, JUDGE, JUDGE_REASON, LABEL), pl.String())
    | {DIFFERS: pl.Boolean(), PLACE: pl.UInt32()}
)


def count_contested(labels: pl.DataFrame) -> int:
    """How many responses people label differently."""
    return labels.group_by(_PAIR).agg(pl.col(LABEL).n_unique()).filter(pl.col(LABEL) > 1).height


def compare_people(labels: pl.DataFrame) -> list[tuple[str, str, GraderAgreement]]:
    """How far every two people agree who labelled the same responses, of labels as `store.kept_labels` returns them.

    The two, and their agreement (`judging.agreement`); those with the most responses in common first.
    """
    by_person = {
        str(name): of_person.select(*_PAIR, pl.col(LABEL).alias(GRADE))
        for (name,), of_person in labels.group_by(LABELLED_BY, maintain_order=True)
    }
    agreements = [
        (first, second, compare_graders(grades, others))
        for (first, grades), (second, others) in combinations(by_person.items(), 2)
        if not grades.join(others, on=_PAIR, how="semi").is_empty()
    ]
    return sorted(agreements, key=lambda pair: -pair[2].compared)


def next_without(rows: pl.DataFrame, labels: pl.DataFrame, after: int) -> int | None:
    """The place, from 0, of the next response after this place that has no label, from the first one on again.

    None where all others have one.
    """
    unlabelled = rows.select(_PAIR).with_row_index("place").join(labels, on=_PAIR, how="anti", maintain_order="left")
    others = [place for place in unlabelled["place"].to_list() if place != after]
    return next((place for place in others if place > after), others[0] if others else None)


def agreement_lead(agreement: Agreement) -> str:
    """The sentence that says how far to trust the verdicts."""
    share = agreement.accuracy
    low, high = (MISSING if end is None else f"{end * 100:.0f}" for end in (share.low, share.high))
    verdicts = plural(agreement.compared, "verdict")
    accuracy = f"People agree with {percent(share.value)} ({low} to {high}) of {verdicts}"
    kappa = agreement.kappa
    if kappa.value is None or kappa.low is None or kappa.high is None:
        return f"{accuracy}. All labels and verdicts are one class, so kappa is undefined."
    words = f"kappa {score(kappa.value)} ({score(kappa.low)} to {score(kappa.high)})"
    return f"{accuracy}; {'better than' if kappa.low > 0 else 'not clearly better than'} chance by {words}."


def agreement_points(agreement: Agreement, labels: pl.DataFrame) -> list[str]:
    """What the leading sentence rests on: coverage, classes, and what was not compared.

    `labels` are those in force, as `store.kept_labels` returns them.
    """
    responses, f1 = agreement.compared + agreement.unlabelled, agreement.macro_f1
    points = [
        f"{count(agreement.compared)} of {plural(responses, 'response')} labelled, to "
        f"{plural(agreement.questions, 'question')}. Intervals are 95%, over questions.",
        f"Averaged over the labels, F1 is {score(f1.value)} ({score(f1.low)} to {score(f1.high)}).",
    ]
    if differ := count_contested(labels):
        points.append(f"People differ on {plural(differ, 'response')}: there the newest label counts.")
    if not (labels[LABEL] == Verdict.DECLINED.value).any():
        points.append("No response is labelled as declined, so a verdict of declined counts as incorrect.")
    if agreement.unmatched:
        points.append(f"Not compared: {plural(agreement.unmatched, 'label')} of responses that are not in the run.")
    return points


def confusion_matrix(agreement: Agreement) -> pl.DataFrame:
    """One row a label, in the order of `diagnosis.agreement.LABELS`: label, a count column a verdict, and their sum."""
    wide = agreement.confusion.pivot(VERDICT, index=LABEL, values="responses", maintain_order=True)
    return wide.with_columns(pl.sum_horizontal(VERDICTS).alias("responses"))


def find_contenders(ranking: pl.DataFrame) -> list[str]:
    """The pipelines that the decision is not settled against, the best first, of `Decision.ranking`.

    Where it is settled against all, the best of the others; none where there is no other.
    """
    others = ranking.filter(pl.col("against").is_not_null())
    settled = [Compared.BETTER.value, Compared.WORSE.value]
    unsettled = others.filter(~pl.col("against").is_in(settled))[PIPELINE].to_list()
    return unsettled[:MOST_CONTENDERS] or others[PIPELINE].to_list()[:1]


def label_queue(rows: pl.DataFrame, leader: str, contenders: Sequence[str]) -> pl.DataFrame:
    """All responses of a run in the order in which they are offered to a person: PLACE, and DRAWN, whether at random.

    One whose verdict is the least sure, so that a label may change it, and one of the run's random order in turn;
    both of the leader and its contenders first. The random part alone corrects shares (see `mark_sampled`),
    because the other is picked.
    """
    of_run = whole(rows.select(PIPELINE, VERDICT, CONFIDENCE, *({REPEAT_OF} & {*rows.columns})))
    is_sure = pl.when(pl.col(VERDICT) != Verdict.UNSURE.value).then(CONFIDENCE).fill_null(_HALF)
    of_run = of_run.select(
        pl.col(PIPELINE).cast(pl.String).is_in([leader, *contenders]).alias("concerned"), sure=is_sure
    )
    deciding = of_run.select(pl.arg_sort_by("sure", maintain_order=True)).to_series()
    order = random_order(rows.height)
    first, at_random = (places.filter(of_run["concerned"][places]) for places in (deciding, order))
    at_random = pl.concat([at_random, order.filter(~of_run["concerned"][order])])
    parts = [
        pl.select(places.cast(pl.UInt32).alias(PLACE), pl.lit(drawn).alias(DRAWN))
        for places, drawn in ((first.head(MOST_DECIDING), False), (at_random, True))
    ]
    queue = pl.concat(parts).sort(pl.int_range(pl.len()).over(DRAWN), maintain_order=True)
    return queue.unique(PLACE, keep="first", maintain_order=True)


def certify_run(rows: pl.DataFrame, labels: pl.DataFrame, promise: Promise = PROMISE) -> Certificate:
    """What labels certify of a run: `rows` has READ, of all of the run; `labels` as `mark_sampled` takes them.

    Labels that were not drawn at random do not count. See `stats.certify.certify`.
    """
    drawn = find_correcting(labels, rows).select(QUESTION_ID, PIPELINE, LABEL)
    own = rows.select(pl.col(QUESTION_ID, PIPELINE).cast(pl.String), pl.col(VERDICT).cast(pl.String), CONFIDENCE)
    own = own.join(drawn, on=_PAIR, how="left", maintain_order="left")
    verdict = pl.col(VERDICT).replace(counts_as(drawn))
    # A label contradicts `unsure` too, but no such verdict is automatic.
    columns = own.select(
        pl.when(pl.col(VERDICT) != Verdict.UNSURE.value).then(CONFIDENCE).cast(pl.Float64).fill_null(np.nan),
        (verdict != pl.col(LABEL)).cast(pl.Float64).fill_null(np.nan).alias("wrong"),
        *(pl.col(name).rank("dense").cast(pl.Int64) - 1 for name in (QUESTION_ID, PIPELINE)),
    )
    confidence, wrong, questions, pipelines = (column.to_numpy() for column in columns)
    return certify(confidence, wrong, questions, pipelines, promise)


def describe_certificate(certificate: Certificate) -> dict[str, object]:
    """The certificate for programs; `certified` says whether anything is."""
    return {"certified": certificate.certified, **asdict(certificate)}


def certificate_sentences(certificate: Certificate) -> list[str]:
    """What is certified, then what it rests on, and what to do: read the others, or label more."""
    most, sure, needed = bound(certificate.wrong_at_most), bound(certificate.sure), certificate.labels_needed
    sentences = [f"Not certified yet: at most {most} of the automatic verdicts wrong, with {sure} confidence."]
    if certificate.certified:
        share, labels = percent(certificate.automatic / certificate.of), plural(certificate.labels, "label")
        held = f"at most {most} of them wrong, with {sure} confidence"
        sentences = [f"{share} graded automatically, {held}: certified by {labels}."]
    if certificate.judged:
        least = certificate.confidence_at_least
        which = "among the surest" if least is None else f"of confidence {least:.2f} or more"
        sentences.append(f"{out_of(certificate.wrong, certificate.judged)} labelled verdicts {which} are wrong.")
    if certificate.left_out:
        left_out = plural(certificate.left_out, "label is", "labels are")
        sentences.append(f"{left_out} left out: a random sample would not favour these questions or pipelines so.")
    if certificate.certified:
        others = plural(certificate.to_read, "response")
        sentences += [f"Read the other {others}."] if certificate.to_read else []
    elif needed is not None:
        so = "they go on as these" if certificate.labels else "verdicts are right as often as their confidence says"
        sentences.append(f"At least about {count(needed)} labels of responses drawn at random would do, if {so}.")
    elif certificate.labels:
        sentences.append(f"These labels do not say how many of the {plural(certificate.of, 'response')} would do.")
    else:
        sentences.append("No response drawn at random has a label yet.")
    return sentences


def heard_opinions(
    rows: pl.DataFrame, grades: pl.DataFrame | None, labels: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """What qaviz, judge and people say of each response that a judge graded, in the order of the rows.

    QUESTION_ID, PIPELINE, VERDICT (of qaviz alone), JUDGE, JUDGE_REASON, LABEL, DIFFERS (verdict and judge), and PLACE,
    where the response stands in `rows`. The judge is the one that the run heard (its column JUDGE), else that of
    `grades`.
    """
    heard = JUDGE in rows.columns and rows[JUDGE].count() > 0
    opinions = rows if heard else grades
    if opinions is None or opinions.is_empty():
        return pl.DataFrame(schema=_OPINIONS)
    judge = opinions.select(
        QUESTION_ID,
        pl.col(PIPELINE).cast(pl.String),
        pl.col(JUDGE).str.strip_chars().str.to_lowercase(),
        JUDGE_REASON,
    )
    people = counting(labels.select(QUESTION_ID, PIPELINE, LABEL))
    own = rows.select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String)).with_row_index(PLACE)
    graded = own.join(judge.filter(pl.col(JUDGE).is_in(LABELS)), on=[QUESTION_ID, PIPELINE], maintain_order="left")
    diagnosed = rows[graded[PLACE]]
    by_rules = diagnosed[VERDICT].cast(pl.String)
    if heard:
        by_rules = judging.verdicts(diagnosed.drop(JUDGE, JUDGE_REASON, strict=False), thresholds).alias(VERDICT)
    return (
        graded.with_columns(by_rules)
        .join(people, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")
        .with_columns((pl.col(VERDICT) != pl.col(JUDGE)).alias(DIFFERS))
        .select(_OPINIONS.names())
    )


def calibration_of(grades: pl.DataFrame, labels: pl.DataFrame) -> JudgeCalibration | None:
    """How far the judge agrees with people; None where nobody labelled a response that it graded."""
    try:
        return calibrate(grades, counting(labels))
    except QavizError:
        return None


def calibration_sentences(judge: KnownJudge, calibration: JudgeCalibration | None, graded: int) -> Iterator[str]:
    """What is known of a judge, the number first."""
    if judge.recorded:
        yield "Recorded: these grades are a replayed demonstration; no model was called."
    if calibration is None:
        yield (
            f"Uncalibrated: 0 of {plural(graded, 'graded response')} are labelled by people in random order. "
            "Label some at random on Responses to learn how far this judge can be relied on."
        )
        return
    exact = calibration.agreement.exact
    word = "Calibrated" if calibration.calibrated else "Uncalibrated"
    yield (
        f"{word}: {percent(exact.value)} of {plural(calibration.agreement.compared, 'labelled response')} "
        f"are judged as people do (95% interval {interval(exact.low, exact.high)})."
    )
    yield f"A constant guess agrees with {percent(calibration.agreement.constant_guess)}."
    if calibration.lacking:
        yield f"Missing for “calibrated”: {'; '.join(calibration.lacking)}."
