"""How far verdicts agree with people's labels.

    python -m benchmarks.diagnosis FOLDER [FOLDER ...]         # a line a set, see benchmarks/labelled_sets.py
    python -m benchmarks.diagnosis GOLDEN RESPONSES LABELS     # one set in depth, beside Factual Knowledge alone

A FOLDER holds golden.jsonl, responses.jsonl, labels.jsonl and perhaps peers.jsonl. LABELS is JSON Lines with
question_id, pipeline and label (correct, incorrect, declined).
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

if not __package__:  # called as a script: Python looks for modules beside it, where qaviz is not and others are
    sys.path[0] = str(Path(__file__).parents[1])

import polars as pl

from benchmarks.labelled_sets import read_set, say_sets
from qaviz.diagnosis import diagnose
from qaviz.diagnosis.agreement import ACCURACY, OF_DOUBT, Agreement, Estimate, accuracies, agreement, propose
from qaviz.loading import Source, load
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.records import Thresholds
from qaviz.scoring import score

CERTAIN = 0.9
"""Confidence from which a disagreement makes the label suspicious."""
LISTED = 40
QUOTED = 160


def by_fact(rows: pl.DataFrame) -> pl.DataFrame:
    """Factual Knowledge alone: 1 is correct, 0 incorrect. Without a fact the golden answer is looked for."""
    known = pl.col(c.FACTUAL_KNOWLEDGE)
    return _with_a_fact(rows).with_columns(_verdict(known == 1, known == 0))


def by_fact_and_recall(rows: pl.DataFrame) -> pl.DataFrame:
    """The published reading of the two scores: a fact without recall is an accident, recall without the fact is made
    up; neither may be a right answer in other words, so it stays unsure."""
    known, recall = pl.col(c.FACTUAL_KNOWLEDGE), pl.col(c.RECALL)
    accident, made_up = (known == 1) & (recall == 0), (known == 0) & (recall >= Thresholds().high_closeness)
    return _with_a_fact(rows).with_columns(_verdict((known == 1) & (recall > 0), accident | made_up))


def _with_a_fact(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, scored with the golden answer for a fact where there is none."""
    return score(
        rows.select(c.GOLDEN_COLUMNS + c.RESPONSE_COLUMNS[1:]).with_columns(pl.coalesce(c.FACT, c.ANSWER).alias(c.FACT))
    )


def by_evidence(rows: pl.DataFrame) -> pl.DataFrame:
    """qaviz."""
    return diagnose(rows)


JUDGES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "Factual Knowledge": by_fact,
    "Factual Knowledge and recall": by_fact_and_recall,
    "qaviz": by_evidence,
}


def _verdict(correct: pl.Expr, incorrect: pl.Expr) -> pl.Expr:
    chosen = pl.when(correct).then(pl.lit(Verdict.CORRECT.value)).when(incorrect).then(pl.lit(Verdict.INCORRECT.value))
    return chosen.otherwise(pl.lit(Verdict.UNSURE.value)).alias(c.VERDICT)


def say_agreement(name: str, judged: pl.DataFrame, labels: pl.DataFrame) -> Agreement:
    """Print how far the verdicts agree with the labels, and with whether they say that the response is right."""
    found = agreement(judged, labels)
    right = agreement(judged, labels.with_columns(pl.col(c.LABEL).replace(Verdict.DECLINED, Verdict.INCORRECT)))
    unsure = (judged[c.VERDICT] == Verdict.UNSURE.value).mean()
    figures = (
        ("accuracy", found.accuracy),
        ("right or not", right.accuracy),
        ("macro F1", found.macro_f1),
        ("kappa", found.kappa),
    )
    print(f"{name:30}", *(f"{what} {_shown(figure)}" for what, figure in figures), f"unsure {unsure:.1%}", sep="  ")
    return found


def _shown(figure: Estimate) -> str:
    return "–" if figure.value is None else f"{figure.value:.3f} ({figure.low:.3f}–{figure.high:.3f})"


def say_groups(found: Agreement, judged: pl.DataFrame, labels: pl.DataFrame) -> None:
    """Print the confusion, and agreement by category, pipeline and diagnosis."""
    print(found.confusion.pivot(c.VERDICT, index=c.LABEL, values="responses"))
    for groups in (found.by_category, found.by_pipeline, _by_diagnosis(judged, labels)):
        for name, responses, agreed, share, low, high in groups.iter_rows():
            print(f"  {name:32} {agreed:6,} of {responses:6,}  {share:.3f} ({low:.3f}–{high:.3f})")
        print()


def _by_diagnosis(judged: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """As `Agreement.by_category`: the diagnosis stands in for the category."""
    return agreement(judged.with_columns(pl.col(c.DIAGNOSIS).alias(c.CATEGORY)), labels).by_category


def say_thresholds(judged: pl.DataFrame, labels: pl.DataFrame) -> None:
    """Print where agreement is best along each threshold, and what the labels propose."""
    present = Thresholds()
    for name, value in asdict(present).items():
        if name in OF_DOUBT:
            continue
        steps = accuracies(judged, labels, present, name)
        best = steps.filter(pl.col(ACCURACY) == pl.col(ACCURACY).max())[name].to_list()
        ends = f"{steps[ACCURACY][0]:.3f} at 0, {steps[ACCURACY][-1]:.3f} at 1"
        print(f"{name:20} {value}  best {steps[ACCURACY].max():.3f} from {best[0]} to {best[-1]}  {ends}")
    proposal = propose(judged, labels, present)
    print(f"proposed: {proposal.thresholds}, gain {_shown(proposal.gain)}" if proposal else "too few questions")


def say_suspicious(found: Agreement, judged: pl.DataFrame, labels: pl.DataFrame) -> None:
    """Print labels that are worth a second look: one response text with two labels, and sure disagreements."""
    labelled = judged.join(labels, on=[c.QUESTION_ID, c.PIPELINE])
    twice = labelled.group_by(c.QUESTION_ID, c.RESPONSE, maintain_order=True).agg(pl.col(c.PIPELINE, c.LABEL))
    twice = twice.filter(pl.col(c.LABEL).list.n_unique() > 1)
    print(f"One response, different labels: {twice.height}")
    for question, response, pipelines, given in twice.head(LISTED).iter_rows():
        print(f"  {question}: {dict(zip(pipelines, given, strict=True))}: {_quoted(response)}")
    sure = found.disagreements.filter(pl.col(c.CONFIDENCE) >= CERTAIN)
    print(f"Labels that contradict sure evidence: {sure.height}")
    columns = (c.QUESTION_ID, c.PIPELINE, c.LABEL, c.VERDICT, c.REASON, c.RESPONSE)
    for question, pipeline, label, verdict, reason, response in sure.select(columns).head(LISTED).iter_rows():
        print(f"  {question} {pipeline}: labelled {label}, judged {verdict}. {reason} Response: {_quoted(response)}")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "…")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FOLDER")
    given = parser.parse_args().files
    if all(each.is_dir() for each in given):
        say_sets([read_set(folder) for folder in given])
    elif len(given) == len(("GOLDEN", "RESPONSES", "LABELS")):
        say_one_set(*given)
    else:
        parser.error("expected folders, or GOLDEN RESPONSES LABELS")


def say_one_set(golden: Path, responses: Path, labelled: Path) -> None:
    """Print all that is known of one set: three judges, groups, thresholds, labels worth a second look."""
    scored = score(load(Source.of(golden), [Source.of(responses)]).rows)
    labels = pl.read_ndjson(labelled)
    for name, judge in JUDGES.items():
        judged = judge(scored)
        found = say_agreement(name, judged, labels)
    say_groups(found, judged, labels)
    say_thresholds(judged, labels)
    say_suspicious(found, judged, labels)


if __name__ == "__main__":
    main()
