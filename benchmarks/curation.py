"""What accepting the suggestions of curation is worth.

    python -m benchmarks.curation agreement GOLDEN RESPONSES LABELS
    python -m benchmarks.curation proposals FOLDER ...

`agreement` measures what accepting the variants seen in responses is worth to Factual Knowledge: LABELS is JSON Lines
with question_id, pipeline and label (correct, incorrect, declined).
`proposals` counts, for folders with golden.jsonl, responses.jsonl and labels.jsonl, the edits of facts that lint
proposes, those that match a response which people called not correct, and the right responses that they credit. Labels
are not given to lint.
"""

import argparse
from pathlib import Path

import polars as pl

from benchmarks.families import KEY, read_set, resample
from benchmarks.figures import make_parser
from qaviz.bulk.chunks import rescore
from qaviz.diagnosis import diagnose
from qaviz.golden.edits import apply_edits, edits_to, preview, proposed_edits
from qaviz.golden.lint import lint
from qaviz.loading import Source, load
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.records import Thresholds
from qaviz.scoring import score, word_scores
from qaviz.store.golden_versions import AFTER, FIELD, RULE

FROM_RESPONSES = ("seen-variant",)
"""Rules that propose what correct responses say."""
SEED = 20230630


def say_agreement(options: argparse.Namespace) -> None:
    """Print how far Factual Knowledge agrees with people before and after the seen variants are accepted.

    Cross-checked: a variant learnt from a response matches that response, so each pipeline is measured on the variants
    that the other pipelines' responses give. Where there is no fact, the golden answer stands for it.
    """
    loaded = load(Source.of(options.golden), [Source.of(options.responses)])
    golden = loaded.golden.with_columns(pl.coalesce(c.FACT, c.ANSWER).alias(c.FACT))
    rows = rescore(diagnose(score(loaded.rows)), golden, Thresholds())
    labels = pl.read_ndjson(options.labels)
    for what, careful in (("all suggestions", False), ("those whose preview shows no wrong match", True)):
        measured = pl.concat(
            _held_out(rows, golden, labels, pipeline, careful) for pipeline in rows[c.PIPELINE].unique()
        )
        _say_difference(what, measured)


def _held_out(
    rows: pl.DataFrame, golden: pl.DataFrame, labels: pl.DataFrame, pipeline: str, careful: bool
) -> pl.DataFrame:
    """The pipeline's labelled responses, with whether Factual Knowledge was right before and is right after."""
    others, own = rows.filter(pl.col(c.PIPELINE) != pipeline), rows.filter(pl.col(c.PIPELINE) == pipeline)
    newest = golden
    while not (edits := _seen(newest, rescore(others, newest, Thresholds()), careful)).is_empty():
        newest = apply_edits(newest, edits)
    after = word_scores(own.drop(c.FACT).join(newest.select(c.QUESTION_ID, c.FACT), on=c.QUESTION_ID))
    both = own.select(*KEY, before=c.FACTUAL_KNOWLEDGE).join(after.select(*KEY, after=c.FACTUAL_KNOWLEDGE), on=KEY)
    labelled = both.join(labels, on=KEY)
    right = pl.col(c.LABEL) == Verdict.CORRECT.value
    return labelled.with_columns((pl.col("before", "after") == 1) == right)


def _seen(golden: pl.DataFrame, rows: pl.DataFrame, careful: bool) -> pl.DataFrame:
    """The edits that lint proposes from responses; if `careful`, those alone that would match nothing wrongly."""
    edits = edits_to(golden, proposed_edits(lint(golden, rows).filter(pl.col(RULE).is_in(FROM_RESPONSES))))
    if not careful:
        return edits
    wrong = preview(rows, golden, edits, Thresholds(), []).mistakes[c.QUESTION_ID].unique()
    return edits.filter(~pl.col(c.QUESTION_ID).is_in(wrong.implode()))


def say_proposals(options: argparse.Namespace) -> None:
    """Print for each folder, and for all: edits, edits that match what is not correct, right responses they credit."""
    counts = {folder.name: _count_proposals(folder) for folder in options.folders}
    for name, numbers in (counts | {"all": [sum(column) for column in zip(*counts.values(), strict=True)]}).items():
        edits, wrong, missed, credited = numbers
        print(
            f"{name}: {edits:,} edits, {wrong:,} match a wrong response; {credited:,} of {missed:,} right ones credited"
        )


def _count_proposals(folder: Path) -> list[int]:
    golden, rows, labels = read_set(folder)
    rows = diagnose(score(rows))
    edits = edits_to(golden, proposed_edits(lint(golden, rows))).filter(pl.col(FIELD) == c.FACT)
    joined = rows.join(labels.unique(KEY, keep="last"), on=KEY, maintain_order="left")
    tried = joined.filter(pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0).join(
        edits.select(c.QUESTION_ID, AFTER), on=c.QUESTION_ID, how="left", maintain_order="left"
    )
    facts = tried.select(*KEY, c.RESPONSE, c.ANSWER, pl.coalesce(AFTER, c.FACT).alias(c.FACT))
    after = tried.select(c.QUESTION_ID, c.LABEL, c.FACTUAL_KNOWLEDGE).hstack(
        word_scores(facts).select(pl.col(c.FACTUAL_KNOWLEDGE).alias("after"))
    )
    right, hit = pl.col(c.LABEL) == Verdict.CORRECT.value, pl.col("after") == 1
    missed = after.filter(right & pl.col(c.FACTUAL_KNOWLEDGE).is_not_null())
    wrong = after.filter(~right & hit)[c.QUESTION_ID].n_unique()
    return [edits.height, wrong, missed.height, missed.filter(hit).height]


def _say_difference(what: str, measured: pl.DataFrame) -> None:
    """Print both shares and their difference, with a 95 % interval that resamples questions."""
    of_question = measured.group_by(c.QUESTION_ID).agg(
        pl.col("before", "after").sum().cast(pl.Int64), n=pl.len().cast(pl.Int64)
    )
    before, after, n = (of_question[name].to_numpy() for name in ("before", "after", "n"))
    low, high = resample(after - before, n, SEED)
    gain = (after.sum() - before.sum()) / n.sum()
    shares = f"right {before.sum() / n.sum():.3f} → {after.sum() / n.sum():.3f}"
    print(f"{what}: {n.sum():,} responses, {shares}, gain {gain:+.3f} ({low:+.3f} to {high:+.3f})")


def main() -> None:
    parser = make_parser(__doc__)
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    agreement = commands.add_parser("agreement", help="what variants seen in responses are worth")
    for name in ("golden", "responses", "labels"):
        agreement.add_argument(name, type=Path, metavar=name.upper())
    agreement.set_defaults(run=say_agreement)
    proposals = commands.add_parser("proposals", help="how many proposals match what people call wrong")
    proposals.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    proposals.set_defaults(run=say_proposals)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
