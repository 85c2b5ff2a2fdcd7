"""Evidence for a table of scored responses: what each says of its fact, before any threshold is applied.

Rows are weighed by as many processes as polars has threads: Python weighs on one core only.
"""

import gc
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import polars as pl

from qaviz.diagnosis import weigh
from qaviz.diagnosis.columns import EVIDENCE_SCHEMA
from qaviz.diagnosis.doubts import DOUBTS
from qaviz.diagnosis.model import add_probabilities
from qaviz.diagnosis.rules import add_traits
from qaviz.diagnosis.stance import Evidence, Stance
from qaviz.diagnosis.surface import SURFACE
from qaviz.diagnosis.weigh import Case, Weighed
from qaviz.model import columns as c
from qaviz.model.errors import Problem
from qaviz.model.records import Progress
from qaviz.processes import MACHINE_MEMORY, Answer, Job, Limits, clean_environment, job_folder, start
from qaviz.reading.level import compose
from qaviz.reading.refusals import Refusal

_TEXTS = [c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE]
READ_SCHEMA = pl.Schema({**EVIDENCE_SCHEMA, **dict.fromkeys(SURFACE, pl.Float64())})
"""Of what is read of a text: evidence and overlap."""
WORTH_A_PROCESS = 5_000
"""Rows that one process weighs in about the time that another takes to start."""
HEAD_START = 2_000
"""Rows that this process weighs while the others start."""
AT_ONCE = 500
"""Rows that are weighed together, from one report of progress to the next."""
LIMITS = Limits(memory=MACHINE_MEMORY, silence_s=120)
"""Of a process that weighs; one step is AT_ONCE rows."""
_TABLE = "table"
_FIX = "Diagnose fewer rows at a time, or look for a row of unusual length."
_ABOUT = Problem("diagnosing", "a process that", "evidence of all rows", _FIX)
FAILED = "failed"
"""The kind of evidence that is a bug's."""


def extract_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the evidence (EVIDENCE_SCHEMA) and what the model makes of all of it (PROBABILITY_SCHEMA),
    and TRAITS of the texts. Row order is kept."""
    return add_traits(add_probabilities(read_evidence(scored, progress)), anew=True)


def read_evidence(scored: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the table with the columns of READ_SCHEMA. Row order is kept; equal rows are read once."""
    rows = scored.select(pl.col(_TEXTS).fill_null(""))
    # By question, so that each question and its golden texts are read once.
    unique = rows.unique().sort(_TEXTS)
    read = unique.hstack(weigh_table(unique, progress))
    evidence = rows.join(read, on=_TEXTS, how="left", maintain_order="left")
    # One chunk: polars' own format(), with which reasons speak, panics on frames whose first chunk is empty (2.1.0).
    return scored.drop(READ_SCHEMA.names(), strict=False).hstack(evidence.select(READ_SCHEMA.names()).rechunk())


def weigh_table(table: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the columns of READ_SCHEMA for a table with the columns of `Case`, in that order.

    All processes end at about the same time: `progress` is told that of this one.
    """
    count = min(pl.thread_pool_size(), table.height // WORTH_A_PROCESS)
    if count < 2:
        return _weigh_here(table, progress)
    size = (table.height - HEAD_START) // count
    rest = table.height - size * (count - 1)
    with ExitStack() as running:
        others = []
        for begin in range(rest, table.height, size):
            folder = running.enter_context(job_folder())
            process = start(_weigh_job, folder, about=_ABOUT, environment=clean_environment({}), limits=LIMITS)
            others.append(running.enter_context(process))
            others[-1].give({_TABLE: table.slice(begin, size)})
        parts = [_weigh_here(table.head(rest), progress)]
        parts += [next(other.answers(progress)).tables[_TABLE] for other in others]
        return pl.concat(parts)


def _weigh_job(job: Job) -> Iterator[Answer]:
    """In the other process."""
    for given in job.take_given():
        yield Answer(tables={_TABLE: _weigh_here(given.tables[_TABLE], job.progress)})


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


def _weigh_safely(case: Case) -> Weighed:
    """What is known of a response; one over which reading fails is FAILED, and the rest go on.

    Every exception is caught: a bug in reading one text of a million must not end the run. The note is `IndexError in
    phrases`, the type and the innermost module, and never its message, which may quote the text.
    """
    try:
        return weigh.weigh(case)
    except MemoryError:
        raise
    except Exception as bug:
        modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(bug.__traceback__)]
        innermost = [name.rpartition(".")[2] for name in modules if name.startswith("qaviz.")][-1]
        return Weighed(failure=f"{type(bug).__name__} in {innermost}")


@_no_cycles_sought()
def _weigh_here(table: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    parts = []
    for done, part in enumerate(table.iter_slices(AT_ONCE), start=1):
        cases = (Case._make(compose(text)[0] for text in row) for row in part.iter_rows())
        rows = [_row(written, _weigh_safely(case)) for written, case in zip(part[c.RESPONSE], cases, strict=True)]
        parts.append(pl.DataFrame(list(zip(*rows, strict=True)), schema=READ_SCHEMA, orient="col"))
        if progress:
            progress(min(1.0, done * AT_ONCE / table.height), "diagnosing")
    return pl.concat(parts or [pl.DataFrame(schema=READ_SCHEMA)])


def _row(response: str, weighed: Weighed) -> tuple[object, ...]:
    """The values of READ_SCHEMA, quoted from the response as it is written."""
    leading, declined = weighed.leading, weighed.declined
    stance = Stance.FAILED if weighed.failure else leading and leading.stance
    kind = FAILED if weighed.failure else leading and leading.kind
    quoted = _find_written(response, weighed, leading if leading and leading.start < leading.end else None)
    refused = _find_written(response, weighed, declined)
    return (
        stance and stance.value,
        kind,
        quoted and response[slice(*quoted)],
        leading and leading.golden,
        weighed.failure or (leading and leading.note),
        leading and leading.strength,
        refused and response[slice(*refused)],
        declined and declined.strength,
        weighed.unread,
        [dict(zip(_SPAN, (name, *span), strict=True)) for name, span in ((kind, quoted), ("refusal", refused)) if span],
        *(doubt.name in weighed.doubted for doubt in DOUBTS),
        *weighed.surface,
    )


_SPAN = ("kind", "start", "end")


def _find_written(response: str, weighed: Weighed, span: Evidence | Refusal | None) -> tuple[int, int] | None:
    """Where what was read stands in the response as it is written."""
    if span is None:
        return None
    places = compose(response)[1]
    start, end = weighed.region.as_written(span.start, span.end)
    return places[start], places[min(end, len(places) - 1)]  # a region may end with a sign that the response lacks
