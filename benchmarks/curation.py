"""How fast curation answers, and what accepting its suggestions is worth.

    python -m benchmarks.curation lint [--triplets 100000]
    python -m benchmarks.curation preview [--responses 100000]
    python -m benchmarks.curation agreement GOLDEN RESPONSES LABELS
    python -m benchmarks.curation proposals FOLDER ...

`lint` times all rules over generated triplets, half with an amount for a fact, a quarter each with a date and a name,
and beside a run. `preview` times what one edit and fifty edits would change over a run of generated responses.
`agreement` measures what accepting the variants seen in responses is worth to Factual Knowledge: LABELS is JSON Lines
with question_id, pipeline and label (correct, incorrect, declined).
`proposals` counts, for folders with golden.jsonl, responses.jsonl and labels.jsonl, the edits of facts that lint
proposes, those that match a response which people called not correct, and the right responses that they credit. Labels
are not given to lint.
"""

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from benchmarks.generate import golden, table
from qaviz.bulk.chunks import rescore
from qaviz.diagnosis import diagnose
from qaviz.golden.edits import apply_edits, edits_to, expected_effects, preview, proposed_edits
from qaviz.golden.lint import lint
from qaviz.loading import Source, load
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.records import Thresholds
from qaviz.scoring import score, word_scores
from qaviz.store.golden_versions import AFTER, BEFORE, EDITS, FIELD, RULE

TIMES = 20
MANY = 50
FROM_RESPONSES = ("seen-variant",)
"""Rules that propose what correct responses say."""
RESAMPLES = 2_000
SEED = 20230630


def time_lint(options: argparse.Namespace) -> None:
    """Print the seconds that lint takes over generated triplets, and beside a run over a quarter as many."""
    alone = _complete(_other_facts(golden(options.triplets)))
    print(f"lint of {alone.height:,} triplets: {_seconds(lambda: lint(alone)):.1f} s")
    rows = diagnose(score(_complete(table(options.triplets))))
    of_run = rows.unique(c.QUESTION_ID, maintain_order=True).select(c.GOLDEN_COLUMNS)
    taken = _seconds(lambda: lint(of_run, rows))
    print(f"lint of {of_run.height:,} triplets beside {rows.height:,} responses: {taken:.1f} s")


def _other_facts(triplets: pl.DataFrame) -> pl.DataFrame:
    """The triplets, every fourth with a date for a fact and every fourth with a name, answered accordingly."""
    place = pl.int_range(pl.len())
    date = (pl.date(2019, 3, 1) + pl.duration(days=place % 3000)).dt.strftime("%B %-d, %Y")
    name = pl.format("Nordlicht Holding {}", place)
    other = pl.when(place % 4 == 2).then(date).when(place % 4 == 3).then(name)
    return triplets.with_columns(
        pl.coalesce(other, c.FACT).alias(c.FACT),
        pl.coalesce(pl.format("They say {}.", other), c.ANSWER).alias(c.ANSWER),
    )


def _complete(table: pl.DataFrame) -> pl.DataFrame:
    """The table with the golden columns that it lacks, all null."""
    missing = [column for column in c.GOLDEN_COLUMNS if column not in table.columns]
    return table.with_columns(
        pl.lit(None, pl.Boolean if each == c.ANSWERABLE else pl.String).alias(each) for each in missing
    )


def time_previews(options: argparse.Namespace) -> None:
    """Print the median and the longest time of previews over generated responses, a new edit each time."""
    rows = diagnose(score(_complete(table(options.responses))))
    golden = rows.unique(c.QUESTION_ID, maintain_order=True).select(c.GOLDEN_COLUMNS)
    pipelines = rows[c.PIPELINE].unique(maintain_order=True).to_list()
    rng = random.Random(1)

    def one_preview(edits: int) -> Callable[[], object]:
        chosen = golden[rng.sample(range(golden.height), edits)]
        wanted = edits_to(golden, _more_variants(chosen))
        return lambda: preview(rows, golden, wanted, Thresholds(), pipelines)

    for edits in (1, MANY):
        taken = sorted(_seconds(one_preview(edits)) for _ in range(TIMES))
        print(f"{rows.height:,} responses, preview of {edits:2} edits: {_shown(taken)}")
    effects = _seconds(lambda: expected_effects(rows, edits_to(golden, _more_variants(golden))))
    print(f"{rows.height:,} responses, expected effects of {golden.height:,} edits: {effects:.2f} s")


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
    both = own.select(c.QUESTION_ID, c.PIPELINE, before=c.FACTUAL_KNOWLEDGE).join(
        after.select(c.QUESTION_ID, c.PIPELINE, after=c.FACTUAL_KNOWLEDGE), on=[c.QUESTION_ID, c.PIPELINE]
    )
    labelled = both.join(labels, on=[c.QUESTION_ID, c.PIPELINE])
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
    loaded = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")])
    rows = diagnose(score(loaded.rows))
    edits = edits_to(loaded.golden, proposed_edits(lint(loaded.golden, rows))).filter(pl.col(FIELD) == c.FACT)
    labels = pl.read_ndjson(folder / "labels.jsonl").unique([c.QUESTION_ID, c.PIPELINE], keep="last")
    key = [c.QUESTION_ID, c.PIPELINE]
    joined = rows.join(labels.select(*key, c.LABEL), on=key, maintain_order="left")
    tried = joined.filter(pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0).join(
        edits.select(c.QUESTION_ID, AFTER), on=c.QUESTION_ID, how="left", maintain_order="left"
    )
    facts = tried.select(*key, c.RESPONSE, c.ANSWER, pl.coalesce(AFTER, c.FACT).alias(c.FACT))
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
    drawn = np.random.default_rng(SEED).integers(len(n), size=(RESAMPLES, len(n)))
    gains = (after - before)[drawn].sum(axis=1) / n[drawn].sum(axis=1)
    low, high = np.quantile(gains, (0.025, 0.975))
    gain = (after.sum() - before.sum()) / n.sum()
    shares = f"right {before.sum() / n.sum():.3f} → {after.sum() / n.sum():.3f}"
    print(f"{what}: {n.sum():,} responses, {shares}, gain {gain:+.3f} ({low:+.3f} to {high:+.3f})")


def _more_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """An edit of each fact that gives it a further variant."""
    more = pl.col(c.FACT) + pl.lit("<OR>the same in other words")
    values = {FIELD: pl.lit(c.FACT), BEFORE: pl.lit(None, pl.String), AFTER: more, RULE: pl.lit(None, pl.String)}
    return golden.select(c.QUESTION_ID, **values).select(EDITS.names())


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _shown(taken: list[float]) -> str:
    return f"median {1000 * median(taken):.0f} ms, longest {1000 * taken[-1]:.0f} ms of {len(taken)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    linting = commands.add_parser("lint", help="how long all rules take")
    linting.add_argument("--triplets", type=int, default=100_000)
    linting.set_defaults(run=time_lint)
    previews = commands.add_parser("preview", help="how long a preview takes")
    previews.add_argument("--responses", type=int, default=100_000)
    previews.set_defaults(run=time_previews)
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
