"""People's labels of responses: who said what, and when. They stand beside the runs, which never change.

A label belongs to the response: it counts in every run in which the pipeline gives this response to this question,
whichever of them it was given in. A person may label a response again: the newest label counts, and taking it back
brings the one before into force. Grades of judges stand here too, and what else is computed of responses later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import BERTSCORE, COST, JUDGE, JUDGE_REASON, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Run
from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, hash_rows, note
from qaviz.store.golden_versions import line_of
from qaviz.store.index import insert_new, put_rows, read_rows, write_moment
from qaviz.store.tables import JsonObject, checked_name, checked_text, frame_schema
from qaviz.store.workspace import NEWEST_FIRST, Workspace, find_run, run_of

LABELLED_BY, LABELLED_AT = "labelled_by", "labelled_at"
COMMENT, DRAWN = "comment", "drawn"
"""Beside a label: what the person wrote about it, and whether the response was offered in the run's random order; null
where nobody knows, as of labels from a file."""

LONGEST_COMMENT = 1_000

_label, _grade, _judge = t.LABELS_TABLE.c, t.GRADES_TABLE.c, t.JUDGES_TABLE.c
_KEPT = frame_schema(t.LABELS_TABLE, "number", "run_id", "deed")


def keep_labels(workspace: Workspace, run: Run, labelled_by: str, labels: pl.DataFrame) -> None:
    """Keep QUESTION_ID, PIPELINE and LABEL, one row a response, as what this person said now; all rows or none. COMMENT
    and DRAWN are kept where the table has them. Raises QavizError if the name of the person or a comment will not do,
    or the run is deleted."""
    person = checked_name(labelled_by, "name of who labels")
    labelled = {"run_id": run.run_id, LABELLED_BY: person, LABELLED_AT: write_moment()}
    given = [name for name in (QUESTION_ID, PIPELINE, LABEL, DRAWN) if name in labels.columns]
    comments = labels[COMMENT] if COMMENT in labels.columns else [None] * labels.height
    kept = [checked_text(comment or "", "comment", LONGEST_COMMENT) or None for comment in comments]
    rows = labels.select(given).with_columns(pl.Series(COMMENT, kept, pl.String)).to_dicts()
    if not rows:
        return
    with workspace.writing(Deed.LABEL) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        kept_rows = [{DRAWN: None} | labelled | row for row in rows]
        hashed = hash_rows(t.LABELS_TABLE, kept_rows)
        deed = note(transaction, Deed.LABEL, run.run_id, _describe_labels(labels), person, hashed)
        transaction.execute(sa.insert(t.LABELS_TABLE), [{"deed": deed} | row for row in kept_rows])


def _describe_labels(labels: pl.DataFrame) -> str:
    """The one label (QUESTION_ID, PIPELINE, LABEL) in words, or how many there are."""
    question_id, pipeline, label = labels.select(QUESTION_ID, PIPELINE, LABEL).row(0)
    return f"{labels.height:,} responses" if labels.height > 1 else f"{question_id}, {pipeline}: {label}"


def take_back_labels(workspace: Workspace, run: Run, labelled_by: str) -> pl.DataFrame:
    """Take back what this person said last in the run: one label, or all that came in one file. What earlier versions
    copied of the same act to other runs goes too. Returns the QUESTION_ID, PIPELINE and LABEL taken back of this run,
    no rows where there was nothing. Raises QavizError if the run is gone."""
    of_person = sa.and_(_label.run_id == run.run_id, _label.labelled_by == labelled_by)
    # Labels from before there were deeds came together if they bear one moment.
    together = sa.func.coalesce(sa.cast(_label.deed, sa.Text), _label.labelled_at)
    by_number = sa.select(together).where(of_person).order_by(_label.number.desc())
    last = sa.delete(t.LABELS_TABLE).where(of_person, together == by_number.limit(1).scalar_subquery())
    names = (QUESTION_ID, PIPELINE, LABEL, LABELLED_AT)
    returned = last.returning(*(_label[name] for name in names))
    with workspace.writing(Deed.UNLABEL) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        taken = read_rows(transaction, returned, dict.fromkeys(names, pl.String))
        if taken.height:
            moments = taken[LABELLED_AT].unique().to_list()
            copied = sa.and_(_label.labelled_by == labelled_by, _label.labelled_at.in_(moments))
            transaction.execute(sa.delete(t.LABELS_TABLE).where(copied, _label.run_id != run.run_id))
            note(transaction, Deed.UNLABEL, run.run_id, _describe_labels(taken), labelled_by)
    return taken.drop(LABELLED_AT)


def kept_labels(workspace: Workspace, run: Run, labelled_by: str | None = None) -> pl.DataFrame:
    """The labels in force: QUESTION_ID, PIPELINE, LABEL, LABELLED_BY, LABELLED_AT (ISO, UTC), COMMENT and DRAWN. Those
    given in the run, and those given to the same responses in other runs: question text, pipeline and response text are
    the same. One row a person and response, the oldest first, of everybody or of one. A run whose files are damaged is
    passed over."""
    own = _read_labels(workspace, run)
    others = find_runs_beside(workspace, sa.select(_label.run_id), run)
    shared = [_find_shared_labels(workspace, run, other) for other in others]
    own = pl.concat([*shared, own]).sort(LABELLED_AT, maintain_order=True) if shared else own
    if labelled_by is not None:
        own = own.filter(pl.col(LABELLED_BY) == labelled_by)
    return own.unique([QUESTION_ID, PIPELINE, LABELLED_BY], keep="last", maintain_order=True)


def _read_labels(workspace: Workspace, run: Run) -> pl.DataFrame:
    return workspace.read_table(t.LABELS_TABLE, _KEPT, "number", run_id=run.run_id)


def labels_state(workspace: Workspace, run: Run) -> tuple[int, int]:
    """Two numbers that change whenever labels of the run's pipelines do, in whichever run, as the key of a cache: the
    highest number of a label that is still there, and how many there are. Numbers are never given twice."""
    query = sa.select(sa.func.coalesce(sa.func.max(_label.number), 0), sa.func.count())
    query = query.where(_label.pipeline.in_(run.pipelines))
    with workspace.reading() as connection:
        highest, number = connection.execute(query).one()
    return highest, number


HASH = "hash"
_TEXTS = [PIPELINE, QUESTION, RESPONSE]
_RUNS_HASHED = 64
"""Runs whose hashes are kept in memory: some 30 bytes a response."""
_hashed: dict[tuple[Path, str], pl.DataFrame] = {}
"""By workspace and run, which never changes."""


def find_runs_beside(workspace: Workspace, run_ids: sa.Select[Any], run: Run) -> list[Run]:
    """The other runs whose ids a query selects that share a pipeline with this one, newest first, deleted ones too."""
    table = t.RUNS_TABLE.c
    query = sa.select(t.RUNS_TABLE).where(table.run_id.in_(run_ids), table.run_id != run.run_id).order_by(*NEWEST_FIRST)
    others = map(run_of, workspace.select(query))
    return [other for other in others if set(run.pipelines) & set(other.pipelines)]


def hash_responses(workspace: Workspace, run: Run) -> pl.DataFrame:
    """QUESTION_ID, PIPELINE and HASH of the run's responses that have all of their texts."""
    key = workspace.folder, run.run_id
    if key not in _hashed:
        texts = workspace.rows(run, [QUESTION_ID, *_TEXTS]).cast(pl.String).drop_nulls()
        hashes = texts.select(QUESTION_ID, PIPELINE, pl.struct(_TEXTS).hash().alias(HASH))
        while len(_hashed) >= _RUNS_HASHED:
            _hashed.pop(next(iter(_hashed)), None)
        _hashed[key] = hashes
    return _hashed[key]


def _find_shared(workspace: Workspace, run: Run, other: Run, rows: pl.DataFrame) -> pl.DataFrame:
    """These rows about responses of the other run, of those that this run has too, under its own question ids; none of
    a run whose files are damaged."""
    try:
        theirs = hash_responses(workspace, other)
    except QavizError:
        return rows.clear()
    hashed = rows.join(theirs, on=[QUESTION_ID, PIPELINE]).drop(QUESTION_ID)
    own = hash_responses(workspace, run)
    return hashed.join(own, on=[PIPELINE, HASH], maintain_order="left").select(rows.columns)


def _find_shared_labels(workspace: Workspace, run: Run, other: Run) -> pl.DataFrame:
    shared = _find_shared(workspace, run, other, _read_labels(workspace, other))
    if shared.is_empty():
        return shared
    # Where the pipeline says something else to other questions, a sample of the other run is none of this one.
    own, theirs = (hash_responses(workspace, side).select(PIPELINE, HASH) for side in (run, other))
    changed = pl.concat(
        [own.join(theirs, on=[PIPELINE, HASH], how="anti"), theirs.join(own, on=[PIPELINE, HASH], how="anti")]
    )
    differs = pl.col(PIPELINE).is_in(changed[PIPELINE].implode())
    return shared.with_columns(pl.when(differs).then(pl.lit(value=False)).otherwise(DRAWN).alias(DRAWN))


COMPOSITE, GRADES, UNSCORED = "composite", "grades", "unscored"

GRADES_SCHEMA = pl.Schema(
    {
        QUESTION_ID: pl.String(),
        PIPELINE: pl.String(),
        JUDGE: pl.String(),
        JUDGE_REASON: pl.String(),
        COMPOSITE: pl.Float64(),
        GRADES: pl.List(pl.Struct({"criterion": pl.String(), "grade": pl.Int64(), "reason": pl.String()})),
        UNSCORED: pl.String(),
        COST: pl.Float64(),
    }
)
"""One row a judged response. JUDGE is its verdict (correct, incorrect, declined), null where UNSCORED says why. COST is
what its grading cost, in the currency of the prices; the journal of replies has tokens and seconds."""

_COLUMNS = {name: name for name in GRADES_SCHEMA} | {JUDGE: "verdict", JUDGE_REASON: "reason"}
"""Columns of GRADES_SCHEMA, and what the index calls them."""

FINDING, QUOTATION, WHY = "finding", "quotation", "why"
REPAIRED_ANSWER, REPAIRED_FACT = "repaired_answer", "repaired_fact"
GATE, NOT_REFUTED = "gate", "not refuted"
"""What words say of a proposed repair: NOT_REFUTED, or what refutes it; null where nothing is proposed."""
MODEL = "model"

TRIPLET_FINDINGS = frame_schema(t.TRIPLET_FINDINGS_TABLE, "line", "judged_at", "deed")
"""One row a triplet: its texts as they were judged, the finding with its quotation and reason, what it proposes, and
the model that said so. A finding is about these texts: it is void once one of them changes."""

FORM, STATUS, REASON = "form", "status", "reason"
ANSWER_FORMS = frame_schema(t.ANSWER_FORMS_TABLE, "line", "proposed_at", "deed")
"""One row a form of a golden answer that a model proposed: the question and fact it was proposed for; `accepted`,
`to review` or `rejected`; the reason; and the model. It counts as long as its question stays and its fact keeps the
first variant."""

PROBES = ("filler", "order", "empty", "golden", "injections", "same family")
"""Names of the probes that a judge has to pass before it may decide."""

ASKED_AT_A_TIME = 10_000
"""Pairs in one query: SQLite takes 32,766 parameters."""

_SCHEMA = {"pair": pl.Binary, BERTSCORE: pl.Float64}


@dataclass(frozen=True, kw_only=True)
class KnownJudge:
    """A judge that graded responses of a run."""

    key: str
    """Hash of model, prompt and rubric: what grades are comparable within."""
    model: str
    description: JsonObject
    """Rubric, few-shot or zero-shot, temperature, repeats; `recorded` where its replies come from a recording."""
    responses: int
    """How many it was asked about, unscored ones among them."""
    last_used_at: str
    """ISO, UTC."""

    @property
    def imported(self) -> bool:
        """Whether its grades came in a file: qaviz did not ask it."""
        return self.description.get("shots") == "imported"

    @property
    def distrust(self) -> str:
        """Why the judge may decide no open response, such as `fails injections (40 of 40)`; empty if it may."""
        return describe_distrust(self.description.get("probes", ()))

    @property
    def recorded(self) -> bool:
        """Whether its replies come from a recording, which screens have to say."""
        return bool(self.description.get("recorded"))


def describe_distrust(probes: Sequence[JsonObject]) -> str:
    """What of PROBES a judge fails, and what was not tested, because nothing was asked; empty if it passes all."""
    if not probes:
        return "not probed"
    of = {probe["name"]: probe for probe in probes}
    fired = [of[name] for name in PROBES if name in of and of[name]["fires"]]
    failed = ", ".join(f"{probe['name']} ({probe['flips']:,} of {probe['asked']:,})" for probe in fired)
    untested = ", ".join(name for name in PROBES if name not in of or not of[name]["asked"])
    return "; ".join(filter(None, [failed and f"fails {failed}", untested and f"not tested: {untested}"]))


def keep_grades(
    workspace: Workspace,
    run: Run,
    judge: str,
    model: str,
    description: JsonObject,
    grades: pl.DataFrame,
    by: str | None = None,
) -> None:
    """Keep the grades (GRADES_SCHEMA) that this judge gave; earlier ones of the same responses by it are replaced."""
    if grades.is_empty():
        return
    rows = grades.rename(_COLUMNS, strict=False).to_dicts()
    with workspace.writing(Deed.JUDGE) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        _keep_judge(transaction, judge, model, description)
        deed = note(transaction, Deed.JUDGE, run.run_id, f"{model}, {len(rows):,} responses", by)
        of_judge = {"run_id": run.run_id, "judge": judge, "graded_at": write_moment(), "deed": deed}
        put_rows(transaction, t.GRADES_TABLE, [row | of_judge for row in rows])


def _keep_judge(transaction: sa.Connection, judge: str, model: str, description: JsonObject) -> None:
    """Keep the judge where it is not known yet; what is known of it stays, its probes too."""
    first = {"judge": judge, "model": model, "description": dict(description), "first_used_at": write_moment()}
    insert_new(transaction, t.JUDGES_TABLE, [first])


def keep_probes(
    workspace: Workspace,
    run: Run,
    judge: str,
    model: str,
    description: JsonObject,
    probes: Sequence[JsonObject],
    by: str | None = None,
) -> None:
    """Keep what probes showed of this judge in place of earlier ones."""
    with workspace.writing(Deed.JUDGE) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        _keep_judge(transaction, judge, model, description)
        before = transaction.scalar(sa.select(_judge.description).where(_judge.judge == judge))
        described = {**(before or {}), "probes": [dict(probe) for probe in probes]}
        transaction.execute(sa.update(t.JUDGES_TABLE).where(_judge.judge == judge).values(description=described))
        note(transaction, Deed.JUDGE, run.run_id, f"{model}, probed: {describe_distrust(probes) or 'passes all'}", by)


def require_trust(workspace: Workspace, judge: str, reason: str) -> str:
    """`KnownJudge.distrust` of the judge. Raises QavizError if it may not decide and no reason is given."""
    kept = workspace.select(sa.select(_judge.description).where(_judge.judge == judge))
    distrust = describe_distrust(kept[0].description.get("probes", ()) if kept else ())
    if distrust and not reason.strip():
        fault = f"a judge that may not decide: {distrust}"
        fix = 'Probe it (qaviz judge RUN --model NAME --probe 20), or give a reason: --despite-probes "WHY".'
        raise stop(f"the judge {judge}", fault, "one that passes every probe, or an owner's reason", fix)
    return distrust


def trust_judge(workspace: Workspace, run: Run, judge: str, reason: str, by: str | None = None) -> None:
    """Let a judge decide open responses of the run although it fails a probe or was not probed, for this reason, which
    the audit keeps. Nothing happens for one that passes all. Raises QavizError without a reason."""
    distrust = require_trust(workspace, judge, reason)
    if not distrust:
        return
    with workspace.writing(Deed.TRUST) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        note(transaction, Deed.TRUST, run.run_id, f"judge {judge} ({distrust}) decides: {reason.strip()}", by)


def kept_grades(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    """This judge's grades (GRADES_SCHEMA) of the run's responses, those of other runs too, by question and pipeline."""
    own = _read_grades(workspace, run, judge)
    others = find_runs_beside(workspace, sa.select(_grade.run_id).where(_grade.judge == judge), run)
    shared = [_find_shared(workspace, run, other, _read_grades(workspace, other, judge)) for other in others]
    grades = pl.concat([own, *shared]).unique([QUESTION_ID, PIPELINE], keep="first", maintain_order=True)
    return grades.sort(QUESTION_ID, PIPELINE)


def _read_grades(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    query = sa.select(*(_grade[name] for name in _COLUMNS.values()))
    return workspace.read_rows(query.where(_grade.run_id == run.run_id, _grade.judge == judge), GRADES_SCHEMA)


def known_judges(workspace: Workspace, run: Run) -> list[KnownJudge]:
    """The judges that graded responses of the run, here or in another run, the last used first."""
    others = find_runs_beside(workspace, sa.select(_grade.run_id), run)
    last = sa.func.max(_grade.graded_at).label("last_used_at")
    counted = sa.select(_grade.judge, sa.func.count().label("responses"), last).group_by(_grade.judge)
    of_run = counted.where(_grade.run_id.in_([run.run_id, *(other.run_id for other in others)])).subquery()
    query = sa.select(
        _judge.judge.label("key"), _judge.model, _judge.description, of_run.c.responses, of_run.c.last_used_at
    )
    joined = query.join(of_run, of_run.c.judge == _judge.judge).order_by(of_run.c.last_used_at.desc(), _judge.judge)
    records = workspace.read_records(KnownJudge, joined, "a judge")
    if others:
        records = [replace(judge, responses=kept_grades(workspace, run, judge.key).height) for judge in records]
    return [judge for judge in records if judge.responses]


def keep_triplet_findings(
    workspace: Workspace, golden: str, model: str, findings: pl.DataFrame, by: str | None = None
) -> None:
    """Keep what a model found of a golden dataset version (its content hash): TRIPLET_FINDINGS but MODEL, in place of
    earlier findings of the same triplets."""
    rows = findings.with_columns(pl.lit(model).alias(MODEL))
    _keep_of_line(workspace, golden, t.TRIPLET_FINDINGS_TABLE, rows.select(*TRIPLET_FINDINGS), "triplets", by)


def keep_answer_forms(workspace: Workspace, golden: str, forms: pl.DataFrame, by: str | None = None) -> None:
    """Keep ANSWER_FORMS beside this golden dataset version, by its content hash; one that is kept already stays."""
    _keep_of_line(workspace, golden, t.ANSWER_FORMS_TABLE, forms, "forms of answers", by)


def _keep_of_line(
    workspace: Workspace, golden: str, table: sa.Table, rows: pl.DataFrame, what: str, by: str | None
) -> None:
    """Keep findings, in place of earlier ones, or new forms of answers, of the line that the version belongs to."""
    if rows.is_empty():
        return
    line = line_of(workspace, golden)
    is_forms = table is t.ANSWER_FORMS_TABLE
    with workspace.writing(Deed.JUDGE) as transaction:
        deed = note(transaction, Deed.JUDGE, line, f"{rows[MODEL][0]}, {rows.height:,} {what}", by)
        origin = {"line": line, "proposed_at" if is_forms else "judged_at": write_moment(), "deed": deed}
        (insert_new if is_forms else put_rows)(transaction, table, [row | origin for row in rows.to_dicts()])


def kept_triplet_findings(workspace: Workspace, golden: str) -> pl.DataFrame:
    """TRIPLET_FINDINGS of the line that this golden dataset version belongs to."""
    line = line_of(workspace, golden)
    return workspace.read_table(t.TRIPLET_FINDINGS_TABLE, TRIPLET_FINDINGS, QUESTION_ID, line=line)


def kept_answer_forms(workspace: Workspace, golden: str) -> pl.DataFrame:
    """ANSWER_FORMS of the line that this golden dataset version belongs to."""
    return workspace.read_table(t.ANSWER_FORMS_TABLE, ANSWER_FORMS, QUESTION_ID, FORM, line=line_of(workspace, golden))


def keep_bertscores(workspace: Workspace, model: str, scores: pl.DataFrame) -> None:
    """Keep `pair` and `bertscore` under the model's key, all or none."""
    if scores.is_empty():
        return
    kept = scores.select(pl.lit(model).alias("model"), *_SCHEMA).to_dicts()
    with workspace.writing(Deed.BERTSCORE) as transaction:
        insert_new(transaction, t.BERTSCORES_TABLE, kept)


def kept_bertscores(workspace: Workspace, model: str, pairs: pl.Series) -> pl.DataFrame:
    """The `pair` and `bertscore` of those of these pairs that are kept under the model's key."""
    table = t.BERTSCORES_TABLE.c
    query = sa.select(table.pair, table.bertscore).where(table.model == model)
    scores = pl.DataFrame(schema=_SCHEMA)
    for part in pairs.unique().sort().to_frame().iter_slices(ASKED_AT_A_TIME):
        scores.extend(workspace.read_rows(query.where(table.pair.in_(part.to_series().to_list())), _SCHEMA))
    return scores
