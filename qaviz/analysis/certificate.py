"""What people's labels of a run certify: how many verdicts may go unread, and with what promise."""

from dataclasses import asdict, dataclass

import numpy as np
import polars as pl

from qaviz.analysis.labels import find_correcting
from qaviz.analysis.numbers import count, out_of, percent, plural
from qaviz.diagnosis.agreement import counts_as
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.stats.certify import PROMISE, Promise, certify

READ = (QUESTION_ID, PIPELINE, VERDICT, CONFIDENCE)
"""The columns of a run's rows that a certificate is made of."""


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What labels certify of one run's verdicts as they are: another run, or other verdicts of it, need their own.

    Where nothing is certified no verdict is automatic, and all responses are to be read.
    """

    automatic: int
    """Responses whose verdict keeps the promise: those of at least the confidence."""
    of: int
    """All responses of the run."""
    wrong_at_most: float
    """With `sure`, the promise: the share of the automatic verdicts that is wrong, and the probability of it."""
    sure: float
    labels: int
    """Labels drawn at random that it rests on."""
    left_out: int
    """Further ones, which bunch in questions or pipelines as no random sample of the responses does."""
    confidence_at_least: float | None
    to_read: int
    """The responses that are not graded automatically."""
    judged: int
    """Labelled verdicts of at least the confidence; where nothing is certified, of the surest that were tested."""
    wrong: int
    """Those of them that the label contradicts."""
    labels_needed: int | None
    """Labels, all told, that would probably do; None where it is certified, or where no number of the run's would."""

    @property
    def certified(self) -> bool:
        """Whether some verdicts keep the promise."""
        return self.confidence_at_least is not None


def certify_run(rows: pl.DataFrame, labels: pl.DataFrame, promise: Promise = PROMISE) -> Certificate:
    """What labels certify of a run: `rows` has READ, of all of the run; `labels` as `mark_sampled` takes them.

    Labels that were not drawn at random do not count. See `stats.certify.certify`.
    """
    drawn = find_correcting(labels, rows).select(QUESTION_ID, PIPELINE, LABEL)
    own = rows.select(pl.col(QUESTION_ID, PIPELINE).cast(pl.String), pl.col(VERDICT).cast(pl.String), CONFIDENCE)
    own = own.join(drawn, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")
    verdict = pl.col(VERDICT).replace(counts_as(drawn))
    # A label contradicts `unsure` too, but no such verdict is automatic.
    columns = own.select(
        pl.when(pl.col(VERDICT) != Verdict.UNSURE.value).then(CONFIDENCE).cast(pl.Float64).fill_null(np.nan),
        (verdict != pl.col(LABEL)).cast(pl.Float64).fill_null(np.nan).alias("wrong"),
        *(pl.col(name).rank("dense").cast(pl.Int64) - 1 for name in (QUESTION_ID, PIPELINE)),
    )
    confidence, wrong, questions, pipelines = (column.to_numpy() for column in columns)
    shown = certify(confidence, wrong, questions, pipelines, promise)
    drawn_of_run = int(np.isfinite(wrong).sum())
    automatic = 0 if shown.threshold is None else int((confidence >= shown.threshold).sum())
    return Certificate(
        automatic=automatic,
        of=rows.height,
        wrong_at_most=promise.wrong,
        sure=promise.sure,
        labels=shown.labels,
        left_out=drawn_of_run - shown.labels,
        confidence_at_least=shown.threshold,
        to_read=rows.height - automatic,
        judged=shown.judged,
        wrong=shown.wrong,
        labels_needed=shown.needed,
    )


def describe_certificate(certificate: Certificate) -> dict[str, object]:
    """The certificate for programs; `certified` says whether anything is."""
    return {"certified": certificate.certified, **asdict(certificate)}


def certificate_lead(certificate: Certificate) -> str:
    """What is certified, in a sentence."""
    # As it was stated: no figure to round.
    most, sure = (f"{share * 100:.6g}%" for share in (certificate.wrong_at_most, certificate.sure))
    if not certificate.certified:
        return f"Not certified yet: at most {most} of the automatic verdicts wrong, {sure} sure."
    share, labels = percent(certificate.automatic / certificate.of), plural(certificate.labels, "label")
    return f"{share} graded automatically, at most {most} wrong, {sure} sure: certified by {labels}."


def certificate_points(certificate: Certificate) -> list[str]:
    """What the certificate rests on, and what to do: read the others, or label more."""
    points = []
    if certificate.judged:
        least = certificate.confidence_at_least
        which = "among the surest" if least is None else f"of confidence {least:.2f} or more"
        points.append(f"{out_of(certificate.wrong, certificate.judged)} labelled verdicts {which} are wrong.")
    if certificate.left_out:
        left_out = plural(certificate.left_out, "label is", "labels are")
        points.append(f"{left_out} left out: a random sample would not favour these questions or pipelines so.")
    if not certificate.certified:
        points.append(_word_needed(certificate))
    elif certificate.to_read:
        points.append(f"Read the other {plural(certificate.to_read, 'response')}.")
    return points


def word_certificate(certificate: Certificate) -> str:
    """Lead and points as one text."""
    return " ".join([certificate_lead(certificate), *certificate_points(certificate)])


def _word_needed(certificate: Certificate) -> str:
    needed, labels = certificate.labels_needed, certificate.labels
    if needed is None:
        why = "Too many of the surest verdicts look wrong" if certificate.wrong else "They are too few or too doubtful"
        return f"{why}: no number of labels of these {plural(certificate.of, 'response')} would probably do."
    more = f", {count(needed - labels)} more" if labels else ""
    return f"About {count(needed)} labels of responses drawn at random{more} would probably do."
