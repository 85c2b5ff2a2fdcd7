"""People's labels of responses: who said what, and when. They stand beside the runs, which never change.

A label belongs to the response: it counts in every run in which the pipeline gives this response to this question,
whichever of them it was given in. A person may label a response again: the newest label counts, and taking it back
brings the one before into force.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.store.audit_log import Deed, note
from qaviz.store.files import Draft
from qaviz.store.index import read_rows, write_moment
from qaviz.store.known_runs import find_run, runs_in
from qaviz.store.names import checked_name, checked_text
from qaviz.store.tables import LABELS_TABLE, frame_schema
from qaviz.store.workspace import Workspace

LABELLED_BY, LABELLED_AT = "labelled_by", "labelled_at"
COMMENT, DRAWN = "comment", "drawn"
"""Beside a label: what the person wrote about it, and whether the response was offered in the run's random order; null
where nobody knows, as of labels from a file."""

LONGEST_COMMENT = 1_000
"""Characters."""

_KEPT = frame_schema(LABELS_TABLE, "number", "run_id", "deed")


def keep_labels(workspace: Workspace, run: Run, labelled_by: str, labels: pl.DataFrame) -> None:
    """Keep QUESTION_ID, PIPELINE and LABEL, one row a response, as what this person said now; all rows or none.

    COMMENT and DRAWN are kept where the table has them. Raises QavizError if the name of the person or a comment will
    not do, the run is deleted, or the disk refuses.
    """
    person = checked_name(labelled_by, "name of who labels")
    labelled = {"run_id": run.run_id, LABELLED_BY: person, LABELLED_AT: write_moment()}
    given = [name for name in (QUESTION_ID, PIPELINE, LABEL, DRAWN) if name in labels.columns]
    comments = labels[COMMENT] if COMMENT in labels.columns else [None] * labels.height
    kept = [checked_text(comment or "", "comment", LONGEST_COMMENT) or None for comment in comments]
    rows = labels.select(given).with_columns(pl.Series(COMMENT, kept, pl.String)).to_dicts()
    if not rows:
        return
    with workspace.writing(Deed.LABEL, run=run.run_id) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        deed = note(transaction, Deed.LABEL, run.run_id, _describe_labels(labels), person)
        transaction.execute(sa.insert(LABELS_TABLE), [{DRAWN: None, "deed": deed} | labelled | row for row in rows])


def _describe_labels(labels: pl.DataFrame) -> str:
    """The one label (QUESTION_ID, PIPELINE, LABEL) in words, or how many there are."""
    if labels.height > 1:
        return f"{labels.height:,} responses"
    return "{}, {}: {}".format(*labels.select(QUESTION_ID, PIPELINE, LABEL).row(0))


def take_back_labels(workspace: Workspace, run: Run, labelled_by: str) -> pl.DataFrame:
    """Take back what this person said last in the run: one label, or all that came in one file.

    What other runs hold of the same act goes too. Returns the QUESTION_ID, PIPELINE and LABEL taken back of this run,
    no rows where there was nothing. Raises QavizError if the run is deleted or the disk refuses.
    """
    table = LABELS_TABLE.c
    of_person = sa.and_(table.run_id == run.run_id, table.labelled_by == labelled_by)
    # Labels from before there were deeds came together if they bear one moment.
    together = sa.func.coalesce(sa.cast(table.deed, sa.Text), table.labelled_at)
    by_number = sa.select(together).where(of_person).order_by(table.number.desc())
    last = sa.delete(LABELS_TABLE).where(of_person, together == by_number.limit(1).scalar_subquery())
    names = (QUESTION_ID, PIPELINE, LABEL, LABELLED_AT)
    returned = last.returning(*(table[name] for name in names))
    with workspace.writing(Deed.UNLABEL, run=run.run_id) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        taken = read_rows(transaction, returned, dict.fromkeys(names, pl.String))
        if taken.height:
            moments = taken[LABELLED_AT].unique().to_list()
            copied = sa.and_(table.labelled_by == labelled_by, table.labelled_at.in_(moments))
            transaction.execute(sa.delete(LABELS_TABLE).where(copied, table.run_id != run.run_id))
            note(transaction, Deed.UNLABEL, run.run_id, _describe_labels(taken), labelled_by)
    return taken.drop(LABELLED_AT)


def kept_labels(workspace: Workspace, run: Run, labelled_by: str | None = None) -> pl.DataFrame:
    """The labels in force: QUESTION_ID, PIPELINE, LABEL, LABELLED_BY, LABELLED_AT (ISO, UTC), COMMENT and DRAWN.

    Those given in the run, and those that were given to the same responses in other runs that one may see. One row a
    person and response, the oldest first, of everybody or of one. Raises QavizError if the disk refuses.
    """
    own = _read_labels(workspace, run)
    others = _find_labelled_runs(workspace, run.pipelines, run.run_id)
    if others:
        responses = hash_responses(workspace, run)
        shared = [_find_shared_labels(workspace, other, responses) for other in others]
        own = pl.concat([*shared, own]).sort(LABELLED_AT, maintain_order=True)
    if labelled_by is not None:
        own = own.filter(pl.col(LABELLED_BY) == labelled_by)
    return own.unique([QUESTION_ID, PIPELINE, LABELLED_BY], keep="last", maintain_order=True)


def _read_labels(workspace: Workspace, run: Run) -> pl.DataFrame:
    """All labels given in the run, the oldest first."""
    table = LABELS_TABLE.c
    of_run = sa.select(*(table[name] for name in _KEPT)).where(table.run_id == run.run_id).order_by(table.number)
    return workspace.read_rows(of_run, _KEPT)


def labels_state(workspace: Workspace, run: Run) -> tuple[int, int]:
    """Two numbers that change whenever labels of the run's pipelines do, in whichever run: the key of a cache of them.

    The highest number ever given to a label that is still there, and how many there are: numbers are never given
    twice, so under the same highest number labels only become fewer.
    """
    table = LABELS_TABLE.c
    query = sa.select(sa.func.coalesce(sa.func.max(table.number), 0), sa.func.count())
    query = query.where(table.pipeline.in_(run.pipelines))
    with workspace.reading() as connection:
        highest, number = connection.execute(query).one()
    return highest, number


def find_shared_labels(workspace: Workspace, golden: pl.DataFrame, rows: pl.DataFrame | Draft) -> pl.DataFrame:
    """The labels that people gave the same responses in other runs, for a run about to be saved.

    Kept with the run, so that they stay when the other run is purged. Columns as of `kept_labels`. The same are
    question text, pipeline and response text. Name and time stay. Labels that came together stay together only where
    the pipeline says the same to every question: else they are no random sample of the run. A run whose files are
    damaged is passed over. Raises QavizError if the disk refuses.
    """
    pipelines = rows.pipelines if isinstance(rows, Draft) else tuple(rows[PIPELINE].unique())
    others = _find_labelled_runs(workspace, pipelines)
    if not others:
        return pl.DataFrame(schema=_KEPT)
    responses = (rows.read() if isinstance(rows, Draft) else rows).select(QUESTION_ID, PIPELINE, RESPONSE)
    own = hash_texts(responses.join(golden.select(QUESTION_ID, QUESTION), on=QUESTION_ID, maintain_order="left"))
    shared = [_find_shared_labels(workspace, other, own) for other in others]
    labels = pl.concat(shared).sort(LABELLED_AT, maintain_order=True)
    return labels.unique([QUESTION_ID, PIPELINE, LABELLED_BY], keep="last", maintain_order=True)


HASH = "hash"
_TEXTS = [PIPELINE, QUESTION, RESPONSE]
_RUNS_HASHED = 64
"""Runs whose hashes are kept in memory: some 30 bytes a response."""
_hashed: dict[tuple[Path, str], pl.DataFrame] = {}
"""By workspace and run, which never changes."""


def find_runs_beside(
    workspace: Workspace, run_ids: sa.Executable, pipelines: Sequence[str], but: str = ""
) -> list[Run]:
    """The runs of the ids that a query selects that have one of these pipelines, without the run with the id `but`."""
    with workspace.reading() as connection:
        selected = set(connection.scalars(run_ids)) - {but}
        runs = runs_in(connection, archived=True) if selected else []
    return [run for run in runs if run.run_id in selected and set(pipelines) & set(run.pipelines)]


def hash_responses(workspace: Workspace, run: Run) -> pl.DataFrame:
    """QUESTION_ID, PIPELINE and HASH of the run's responses. Raises QavizError if its files are damaged."""
    key = workspace.folder, run.run_id
    if key not in _hashed:
        hashes = hash_texts(workspace.rows(run, [QUESTION_ID, *_TEXTS]))
        while len(_hashed) >= _RUNS_HASHED:
            _hashed.pop(next(iter(_hashed)), None)
        _hashed[key] = hashes
    return _hashed[key]


def hash_texts(rows: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, PIPELINE and HASH of rows with the texts; rows without one of them have no hash and are left out."""
    texts = rows.select(QUESTION_ID, *_TEXTS).cast(pl.String).drop_nulls()
    return texts.select(QUESTION_ID, PIPELINE, pl.struct(_TEXTS).hash().alias(HASH))


def _find_labelled_runs(workspace: Workspace, pipelines: Sequence[str], but: str = "") -> list[Run]:
    """The runs with labels and one of these pipelines, without the run with the id `but`."""
    return find_runs_beside(workspace, sa.select(LABELS_TABLE.c.run_id).distinct(), pipelines, but)


def _find_shared_labels(workspace: Workspace, other: Run, own: pl.DataFrame) -> pl.DataFrame:
    """The other run's labels of responses that `own` (QUESTION_ID, PIPELINE, HASH) has too, with its question ids."""
    try:
        theirs = hash_responses(workspace, other)
    except QavizError:
        return pl.DataFrame(schema=_KEPT)
    labels = _read_labels(workspace, other).join(theirs, on=[QUESTION_ID, PIPELINE]).drop(QUESTION_ID)
    shared = labels.join(own, on=[PIPELINE, HASH], maintain_order="left").select(*_KEPT)
    same = pl.col(PIPELINE).is_in(_find_unchanged_pipelines(own, theirs).implode())
    # A moment of its own, a microsecond apart, for each label that is no part of a sample any more.
    moments = pl.col(LABELLED_AT).str.to_datetime(time_zone="UTC") + pl.duration(microseconds=pl.int_range(pl.len()))
    apart = moments.dt.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00")
    return shared.with_columns(
        pl.when(same).then(LABELLED_AT).otherwise(apart).alias(LABELLED_AT),
        pl.when(same).then(DRAWN).otherwise(pl.lit(value=False)).alias(DRAWN),
    )


def _find_unchanged_pipelines(own: pl.DataFrame, theirs: pl.DataFrame) -> pl.Series:
    """The pipelines that say the same to the same questions in both."""
    key = [PIPELINE, HASH]
    sides = (own.join(theirs, on=key, how="anti"), theirs.join(own, on=key, how="anti"))
    changed = pl.concat([side.select(PIPELINE) for side in sides])
    return own.join(changed, on=PIPELINE, how="anti").get_column(PIPELINE).unique()
