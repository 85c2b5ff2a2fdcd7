"""Evidence for a table of scored responses: what each says of its fact, before any threshold is applied.

Rows are weighed by as many processes as polars has threads: Python weighs on one core only.
"""

import gc
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from qaviz.diagnosis.columns import (
    DOUBTS_SCHEMA,
    EVIDENCE_SCHEMA,
    GOLDEN,
    KIND,
    NOTE,
    REFUSAL,
    REFUSAL_STRENGTH,
    SAYS,
    SPANS,
    STANCE,
    STRENGTH,
    UNREAD,
)
from qaviz.diagnosis.combine_evidence import Weighed, weigh_in_any_language
from qaviz.diagnosis.evidence import Case, Evidence, Stance
from qaviz.diagnosis.evidence.doubts import DOUBTS
from qaviz.diagnosis.languages.reading import may_be_foreign
from qaviz.diagnosis.model import add_probabilities
from qaviz.diagnosis.rules import add_traits
from qaviz.model import columns as c
from qaviz.model.columns import RESPONSE
from qaviz.model.errors import Problem
from qaviz.model.records import Progress
from qaviz.processes import CORES, MACHINE_MEMORY, Limits, clean_environment, start
from qaviz.processes.worker import Job

_TEXTS = (c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE)
_HIT = (c.FACT_VARIANT, c.FACT_START, c.FACT_END, c.FACT_INSIDE_TOKEN)
FOREIGN = "foreign"


def extract_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the leading evidence (LEADING_SCHEMA) and what the model makes of all of it
    (PROBABILITY_SCHEMA), and TRAITS of the texts. Row order is kept."""
    return add_traits(add_probabilities(read_evidence(scored, progress)), anew=True)


def read_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the columns of `EVIDENCE_SCHEMA`. Row order is kept; equal rows are read once."""
    key = [*_TEXTS, *_HIT, FOREIGN]
    rows = scored.select(
        pl.col(*_TEXTS).fill_null(""),
        c.FACT_VARIANT,
        pl.col(c.FACT_START, c.FACT_END).fill_null(0),
        pl.col(c.FACT_INSIDE_TOKEN).fill_null(False),
        may_be_foreign(c.QUESTION, c.RESPONSE).alias(FOREIGN),
    )
    # By question, so that each question and its golden texts are read once.
    unique = rows.unique().sort(c.QUESTION)
    read = unique.hstack(weigh_table(unique, progress))
    evidence = rows.join(read, on=key, how="left", nulls_equal=True, maintain_order="left")
    # One chunk: polars' own format(), with which reasons speak, panics on frames whose first chunk is empty (2.1.0).
    return scored.drop(EVIDENCE_SCHEMA.names(), strict=False).hstack(evidence.select(EVIDENCE_SCHEMA.names()).rechunk())


WORTH_A_PROCESS = 5_000
"""Rows that one process weighs in about the time that another takes to start."""
HEAD_START = 2_000
"""Rows that this process weighs while the others start."""
AT_ONCE = 250
"""Rows that are weighed together, from one report of progress to the next."""

LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=120, cpu_s=120 * CORES)
"""Of a process that weighs; one step is AT_ONCE rows."""

_ASKED, _WEIGHED = "asked.arrow", "weighed.arrow"
_ABOUT = Problem(
    where="diagnosing",
    found="a process that",
    expected="evidence of all rows",
    fix="Diagnose fewer rows at a time, or look for a row of unusual length.",
)


def weigh_table(table: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the columns of EVIDENCE_SCHEMA for a table with the columns of `Case`, in that order.

    All processes end at about the same time: `progress` is told that of this one.
    """
    parts = min(pl.thread_pool_size(), table.height // WORTH_A_PROCESS)
    if parts < 2:
        return _weigh_here(table, progress)
    size = (table.height - HEAD_START) // parts
    rest = table.height - size * (parts - 1)
    with ExitStack() as running:
        elsewhere = [
            running.enter_context(_weigh_elsewhere(table.slice(begin, size)))
            for begin in range(rest, table.height, size)
        ]
        return pl.concat([_weigh_here(table.head(rest), progress), *(part() for part in elsewhere)])


@contextmanager
def _weigh_elsewhere(table: pl.DataFrame) -> Iterator[Callable[[], pl.DataFrame]]:
    """Weigh in another process, which ends with the context at the latest; what is yielded waits for what it found."""
    with TemporaryDirectory(prefix="qaviz-") as name:
        folder = Path(name)
        table.write_ipc(folder / _ASKED)
        with start(_weigh_job, folder, about=_ABOUT, environment=clean_environment({}), limits=LIMITS) as running:

            def finish() -> pl.DataFrame:
                running.finish()
                return pl.read_ipc((folder / _WEIGHED).read_bytes())

            yield finish


def _weigh_job(job: Job) -> None:
    """In the other process."""
    table = pl.read_ipc((job.folder / _ASKED).read_bytes())
    _weigh_here(table, job.progress).write_ipc(job.folder / _WEIGHED)


_FOUND = pl.Schema(
    {
        STANCE: pl.String(),
        KIND: pl.String(),
        GOLDEN: pl.String(),
        NOTE: pl.String(),
        STRENGTH: pl.Float64(),
        "said_start": pl.Int64(),
        "said_end": pl.Int64(),
        "refusal_start": pl.Int64(),
        "refusal_end": pl.Int64(),
        REFUSAL_STRENGTH: pl.Float64(),
        UNREAD: pl.String(),
        **DOUBTS_SCHEMA,
    }
)


@contextmanager
def _no_cycles_sought() -> Iterator[None]:
    """Without Python's search for cycles: weighing makes none, and searching takes a tenth of its time."""
    sought = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if sought:
            gc.enable()


def weigh_safely(cases: Sequence[Case]) -> list[Weighed]:
    """Return what `weigh_in_any_language` does; a response over which it fails is FAILED, and the rest go on.

    The one place that catches every exception: a bug in reading one text of a million must not end the run. The note
    names the exception's type and the module, never its message, which may quote the text.
    """
    try:
        return weigh_in_any_language(cases)
    except MemoryError:
        raise
    except Exception as bug:
        if len(cases) > 1:
            return [weighed for one in cases for weighed in weigh_safely([one])]
        return [Weighed(Evidence(FAILED, Stance.FAILED, note=_name_bug(bug)))]


FAILED = "failed"
"""The kind of evidence that is a bug's."""


def _name_bug(bug: Exception) -> str:
    """Return `IndexError in golden_phrases`: the type, and the innermost module of qaviz that it came through."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(bug.__traceback__)]
    ours = [name.rpartition(".")[2] for name in modules if name.startswith("qaviz.")]
    return f"{type(bug).__name__} in {ours[-1]}"


@_no_cycles_sought()
def _weigh_here(table: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    parts = []
    for done, part in enumerate(table.iter_slices(AT_ONCE), start=1):
        rows = map(_row, weigh_safely([Case._make(row) for row in part.iter_rows()]))
        parts.append(pl.DataFrame(list(zip(*rows, strict=True)), schema=_FOUND, orient="col"))
        if progress:
            progress(min(1.0, done * AT_ONCE / table.height), "diagnosing")
    weighed = pl.concat(parts or [pl.DataFrame(schema=_FOUND)]).with_columns(table[RESPONSE])
    stated, refusal = _span(pl.col(KIND), "said"), _span(pl.lit("refusal"), "refusal")
    return weighed.select(
        STANCE,
        KIND,
        _quote_expression("said").alias(SAYS),
        GOLDEN,
        NOTE,
        STRENGTH,
        _quote_expression("refusal").alias(REFUSAL),
        REFUSAL_STRENGTH,
        UNREAD,
        pl.concat_list(stated, refusal).list.drop_nulls().alias(SPANS),
        *DOUBTS_SCHEMA,
    )


def _quote_expression(what: str) -> pl.Expr:
    start, end = pl.col(f"{what}_start"), pl.col(f"{what}_end")
    return pl.when(start.is_not_null()).then(pl.col(RESPONSE).str.slice(start, end - start))


def _span(kind: pl.Expr, what: str) -> pl.Expr:
    start, end = pl.col(f"{what}_start"), pl.col(f"{what}_end")
    return pl.when(start.is_not_null()).then(pl.struct(kind.alias("kind"), start.alias("start"), end.alias("end")))


def _row(weighed: Weighed) -> tuple[object, ...]:
    leading = weighed.leading or _NOTHING
    return (
        weighed.leading and leading.stance.value,
        leading.kind,
        leading.golden and leading.golden.text,
        leading.note,
        leading.strength,
        *_ends(leading),
        *_ends(weighed.declined or _NOTHING),
        weighed.declined and weighed.declined.strength,
        weighed.unread,
        *(doubt.name in weighed.doubted for doubt in DOUBTS),
    )


_NOTHING = Evidence("", Stance.SILENT)


def _ends(evidence: Evidence) -> tuple[int | None, int | None]:
    return (evidence.response.start, evidence.response.end) if evidence.response else (None, None)
