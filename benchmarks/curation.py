"""How fast curation answers, and what accepting its suggestions is worth.

    python -m benchmarks.curation lint [--triplets 100000]
    python -m benchmarks.curation preview [--responses 100000]
    python -m benchmarks.curation agreement GOLDEN RESPONSES LABELS

`lint` times all rules over generated triplets, half with an amount for a fact, a quarter each with a date and a name,
and beside a run. `preview` times what one edit and fifty edits would change over a run of generated responses.
"""

import argparse
import random
import time
from collections.abc import Callable
from statistics import median

import polars as pl

from benchmarks.generate import golden, table
from qaviz.curation import lint
from qaviz.curation.edits import edits_to
from qaviz.curation.preview import expected_effects, preview
from qaviz.diagnosis import diagnose
from qaviz.model import ANSWER, ANSWERABLE, FACT, GOLDEN_COLUMNS, PIPELINE, QUESTION_ID, SOURCE, Thresholds
from qaviz.scoring import score
from qaviz.store.golden_versions import AFTER, BEFORE, EDITS, FIELD, RULE

TIMES = 20
MANY = 50


def time_lint(asked: argparse.Namespace) -> None:
    """Print the seconds that lint takes over generated triplets, and beside a run over a quarter as many."""
    alone = _complete(_other_facts(golden(asked.triplets)))
    print(f"lint of {alone.height:,} triplets: {_seconds(lambda: lint(alone)):.1f} s")
    rows = diagnose(score(_complete(table(asked.triplets))))
    of_run = rows.unique(QUESTION_ID, maintain_order=True).select(GOLDEN_COLUMNS)
    taken = _seconds(lambda: lint(of_run, rows))
    print(f"lint of {of_run.height:,} triplets beside {rows.height:,} responses: {taken:.1f} s")


def _other_facts(triplets: pl.DataFrame) -> pl.DataFrame:
    """The triplets, every fourth with a date for a fact and every fourth with a name, answered accordingly."""
    place = pl.int_range(pl.len())
    date = (pl.date(2019, 3, 1) + pl.duration(days=place % 3000)).dt.strftime("%B %-d, %Y")
    name = pl.format("Nordlicht Holding {}", place)
    other = pl.when(place % 4 == 2).then(date).when(place % 4 == 3).then(name)
    return triplets.with_columns(
        pl.coalesce(other, FACT).alias(FACT), pl.coalesce(pl.format("They say {}.", other), ANSWER).alias(ANSWER)
    )


def _complete(table: pl.DataFrame) -> pl.DataFrame:
    """The table with the golden columns that it lacks, all null."""
    missing = [column for column in GOLDEN_COLUMNS if column not in table.columns]
    return table.with_columns(
        pl.lit(None, pl.Boolean if each == ANSWERABLE else pl.String).alias(each) for each in missing
    )


def time_previews(asked: argparse.Namespace) -> None:
    """Print the median and the longest time of previews over generated responses, a new edit each time."""
    beside = (pl.lit(True).alias(ANSWERABLE), pl.lit(None, pl.String).alias(SOURCE))
    rows = diagnose(score(table(asked.responses).with_columns(beside)))
    golden = rows.unique(QUESTION_ID, maintain_order=True).select(GOLDEN_COLUMNS)
    pipelines = rows[PIPELINE].unique(maintain_order=True).to_list()
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


def _more_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """An edit of each fact that gives it a further variant."""
    more = pl.col(FACT) + pl.lit("<OR>the same in other words")
    values = {FIELD: pl.lit(FACT), BEFORE: pl.lit(None, pl.String), AFTER: more, RULE: pl.lit(None, pl.String)}
    return golden.select(QUESTION_ID, **values).select(EDITS.names())


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
    asked = parser.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    main()
