"""What models say, kept beside the runs, which never change: grades of responses, findings on golden triplets, other
forms of golden answers, and BERTScores.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import BERTSCORE, COST, JUDGE, JUDGE_REASON, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Run
from qaviz.store.audit_log import UNFILTERED, Deed, note
from qaviz.store.golden_versions import line_of
from qaviz.store.index import insert_new, write_moment
from qaviz.store.known_runs import find_run
from qaviz.store.labels import HASH, find_runs_beside, hash_responses
from qaviz.store.tables import (
    ANSWER_FORMS_TABLE,
    BERTSCORES_TABLE,
    GRADES_TABLE,
    JUDGES_TABLE,
    TRIPLET_FINDINGS_TABLE,
    JsonObject,
    frame_schema,
)
from qaviz.store.workspace import Workspace

COMPOSITE, GRADES, UNSCORED, CONSISTENT = "composite", "grades", "unscored", "consistent"
TOKENS, SECONDS = "tokens", "seconds"

GRADES_SCHEMA = pl.Schema(
    {
        QUESTION_ID: pl.String(),
        PIPELINE: pl.String(),
        JUDGE: pl.String(),
        JUDGE_REASON: pl.String(),
        COMPOSITE: pl.Float64(),
        GRADES: pl.List(pl.Struct({"criterion": pl.String(), "grade": pl.Int64(), "reason": pl.String()})),
        UNSCORED: pl.String(),
        CONSISTENT: pl.Boolean(),
        COST: pl.Float64(),
        TOKENS: pl.Int64(),
        SECONDS: pl.Float64(),
    }
)
"""One row a judged response. JUDGE is its verdict (correct, incorrect, declined), null where UNSCORED says why.

COST is what its grading cost, in the currency of the prices; CONSISTENT whether all repeats gave the same grade.
"""

_COLUMNS = {name: name for name in GRADES_SCHEMA} | {JUDGE: "verdict", JUDGE_REASON: "reason"}
"""Columns of GRADES_SCHEMA, and what the index calls them."""

FINDING, QUOTATION, WHY = "finding", "quotation", "why"
REPAIRED_ANSWER, REPAIRED_FACT = "repaired_answer", "repaired_fact"
GATE = "gate"
"""What the gate says of a proposed repair: `accepted`, or why not; null where nothing is proposed."""
MODEL = "model"

TRIPLET_FINDINGS = frame_schema(TRIPLET_FINDINGS_TABLE, "line", "judged_at", "deed")
"""One row a triplet: its texts as they were judged, the finding with its quotation and reason, what it proposes, and
the model that said so. A finding is about these texts: it is void once one of them changes."""

FORM, STATUS, REASON = "form", "status", "reason"
ANSWER_FORMS = frame_schema(ANSWER_FORMS_TABLE, "line", "proposed_at", "deed")
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
    failed = [f"{probe['name']} ({probe['flips']:,} of {probe['asked']:,})" for probe in fired]
    untested = [name for name in PROBES if name not in of or not of[name]["asked"]]
    parts = [f"fails {', '.join(failed)}"] if failed else []
    return "; ".join([*parts, *([f"not tested: {', '.join(untested)}"] if untested else [])])


def keep_grades(
    workspace: Workspace,
    run: Run,
    judge: str,
    model: str,
    description: JsonObject,
    grades: pl.DataFrame,
    by: str | None = None,
) -> None:
    """Keep the grades (GRADES_SCHEMA) that this judge gave; earlier ones of the same responses by it are replaced.

    Raises QavizError if the run is deleted or the disk refuses; then nothing is kept.
    """
    if grades.is_empty():
        return
    now = write_moment()
    rows = [{_COLUMNS[name]: value for name, value in row.items()} for row in grades.iter_rows(named=True)]
    table = GRADES_TABLE.c
    with workspace.writing(Deed.JUDGE, run=run.run_id) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        _keep_judge(transaction, judge, model, description)
        deed = note(transaction, Deed.JUDGE, run.run_id, f"{model}, {len(rows):,} responses", by)
        of_judge = {"run_id": run.run_id, "judge": judge, "graded_at": now, "deed": deed}
        replaced = sa.delete(GRADES_TABLE).where(
            table.run_id == run.run_id,
            table.judge == judge,
            table.question_id == sa.bindparam("question"),
            table.pipeline == sa.bindparam("of_pipeline"),
        )
        pairs = [{"question": row["question_id"], "of_pipeline": row["pipeline"]} for row in rows]
        transaction.execute(replaced, pairs)
        transaction.execute(sa.insert(GRADES_TABLE), [row | of_judge for row in rows])


def _keep_judge(transaction: sa.Connection, judge: str, model: str, description: JsonObject) -> None:
    """Keep the judge where it is not known yet; what is known of it stays, its probes too."""
    asked_of = sa.select(JUDGES_TABLE.c.judge).where(JUDGES_TABLE.c.judge == judge)
    if transaction.scalar(asked_of, execution_options=UNFILTERED) is None:
        first = {"judge": judge, "model": model, "description": dict(description), "first_used_at": write_moment()}
        transaction.execute(sa.insert(JUDGES_TABLE).values(first))


def keep_probes(
    workspace: Workspace,
    run: Run,
    judge: str,
    model: str,
    description: JsonObject,
    probes: Sequence[JsonObject],
    by: str | None = None,
) -> None:
    """Keep what probes showed of this judge in place of earlier ones. Raises QavizError if the disk refuses."""
    table = JUDGES_TABLE.c
    with workspace.writing(Deed.JUDGE, run=run.run_id) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        _keep_judge(transaction, judge, model, description)
        asked_of = sa.select(table.description).where(table.judge == judge)
        before = transaction.scalar(asked_of, execution_options=UNFILTERED)
        described = {**(before or {}), "probes": [dict(probe) for probe in probes]}
        transaction.execute(sa.update(JUDGES_TABLE).where(table.judge == judge).values(description=described))
        note(transaction, Deed.JUDGE, run.run_id, f"{model}, probed: {describe_distrust(probes) or 'passes all'}", by)


def find_distrust(workspace: Workspace, judge: str) -> str:
    """`KnownJudge.distrust` of the judge with this key, whether or not it graded a response."""
    with workspace.reading() as connection:
        asked_of = sa.select(JUDGES_TABLE.c.description).where(JUDGES_TABLE.c.judge == judge)
        described = connection.scalar(asked_of, execution_options=UNFILTERED)
    return describe_distrust((described or {}).get("probes", ()))


def require_trust(workspace: Workspace, judge: str, reason: str) -> str:
    """`find_distrust` of the judge. Raises QavizError if it may not decide and there is no reason why it should."""
    distrust = find_distrust(workspace, judge)
    if distrust and not reason.strip():
        raise stop(
            f"the judge {judge}",
            f"a judge that may not decide: {distrust}",
            "one that passes every probe, or an owner's reason",
            'Probe it (qaviz judge RUN --model NAME --probe 20), or give a reason: --despite-probes "WHY".',
        )
    return distrust


def trust_judge(workspace: Workspace, run: Run, judge: str, reason: str, by: str | None = None) -> None:
    """Let a judge decide open responses of the run although it fails a probe or was not probed, for this reason.

    Nothing happens for a judge that passes all. The audit has who said so and why. Raises QavizError without a reason,
    or without the role for it.
    """
    distrust = require_trust(workspace, judge, reason)
    if not distrust:
        return
    with workspace.writing(Deed.TRUST, run=run.run_id) as transaction:
        find_run(transaction, run.run_id, workspace.folder)
        note(transaction, Deed.TRUST, run.run_id, f"judge {judge} ({distrust}) decides: {reason.strip()}", by)


def kept_grades(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    """This judge's grades of the run's responses: GRADES_SCHEMA, by question and pipeline.

    Those given in the run, and those that it gave to the same responses in other runs that one may see.
    """
    own = _read_grades(workspace, run, judge)
    shared = [_find_shared_grades(workspace, run, other, judge) for other in _find_graded_runs(workspace, run, judge)]
    grades = pl.concat([own, *shared]).unique([QUESTION_ID, PIPELINE], keep="first", maintain_order=True)
    return grades.sort(QUESTION_ID, PIPELINE)


def _read_grades(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    table = GRADES_TABLE.c
    query = sa.select(*(table[name] for name in _COLUMNS.values()))
    return workspace.read_rows(query.where(table.run_id == run.run_id, table.judge == judge), GRADES_SCHEMA)


def _find_graded_runs(workspace: Workspace, run: Run, judge: str | None = None) -> list[Run]:
    """The other runs with a pipeline of this one and grades, of one judge or of any; the newest first."""
    query = sa.select(GRADES_TABLE.c.run_id).distinct()
    graded = query if judge is None else query.where(GRADES_TABLE.c.judge == judge)
    return find_runs_beside(workspace, graded, run.pipelines, run.run_id)


def _find_shared_grades(workspace: Workspace, run: Run, other: Run, judge: str) -> pl.DataFrame:
    """The judge's grades of another run's responses that this run has too; none of a run whose files are damaged."""
    try:
        theirs = hash_responses(workspace, other)
    except QavizError:
        return pl.DataFrame(schema=GRADES_SCHEMA)
    graded = _read_grades(workspace, other, judge).join(theirs, on=[QUESTION_ID, PIPELINE]).drop(QUESTION_ID)
    own = hash_responses(workspace, run)
    return graded.join(own, on=[PIPELINE, HASH], maintain_order="left").select(GRADES_SCHEMA.names())


def known_judges(workspace: Workspace, run: Run) -> list[KnownJudge]:
    """The judges that graded responses of the run, here or in another run, the last used first."""
    others = _find_graded_runs(workspace, run)
    with workspace.reading() as connection:
        judges = list(_find_judges(connection, [run.run_id, *(other.run_id for other in others)]))
    if others:
        judges = [replace(judge, responses=kept_grades(workspace, run, judge.key).height) for judge in judges]
    return [judge for judge in judges if judge.responses]


def _find_judges(connection: sa.Connection, run_ids: Sequence[str]) -> Iterator[KnownJudge]:
    table, judges = GRADES_TABLE.c, JUDGES_TABLE.c
    last = sa.func.max(table.graded_at)
    counted = sa.select(table.judge, sa.func.count().label("responses"), last.label("last_used_at"))
    of_run = counted.where(table.run_id.in_(run_ids)).group_by(table.judge).subquery()
    query = sa.select(judges.judge, judges.model, judges.description, of_run.c.responses, of_run.c.last_used_at)
    joined = query.join(of_run, of_run.c.judge == judges.judge).order_by(of_run.c.last_used_at.desc(), judges.judge)
    for row in connection.execute(joined):
        yield KnownJudge(
            key=row.judge,
            model=row.model,
            description=row.description,
            responses=row.responses,
            last_used_at=row.last_used_at,
        )


def keep_triplet_findings(
    workspace: Workspace, golden: str, model: str, findings: pl.DataFrame, by: str | None = None
) -> None:
    """Keep what a model found of a golden dataset version (its content hash): TRIPLET_FINDINGS but MODEL.

    Earlier findings of the same triplets are replaced. Raises QavizError if the policy or the disk refuses.
    """
    if findings.is_empty():
        return
    line, table = line_of(workspace, golden), TRIPLET_FINDINGS_TABLE.c
    judged = {"line": line, MODEL: model, "judged_at": write_moment()}
    rows = findings.select(name for name in TRIPLET_FINDINGS if name != MODEL).to_dicts()
    with workspace.writing(Deed.JUDGE, line=line) as transaction:
        deed = note(transaction, Deed.JUDGE, line, f"{model}, {len(rows):,} triplets", by)
        replaced = sa.delete(TRIPLET_FINDINGS_TABLE).where(
            table.line == line, table.question_id == sa.bindparam("question_key")
        )
        transaction.execute(replaced, [{"question_key": row[QUESTION_ID]} for row in rows])
        transaction.execute(sa.insert(TRIPLET_FINDINGS_TABLE), [row | judged | {"deed": deed} for row in rows])


def kept_triplet_findings(workspace: Workspace, golden: str) -> pl.DataFrame:
    """TRIPLET_FINDINGS of the line that this golden dataset version belongs to. QavizError if it cannot be read."""
    table = TRIPLET_FINDINGS_TABLE.c
    query = sa.select(*(table[name] for name in TRIPLET_FINDINGS)).where(table.line == line_of(workspace, golden))
    return workspace.read_rows(query.order_by(table.question_id), TRIPLET_FINDINGS)


def keep_answer_forms(workspace: Workspace, golden: str, forms: pl.DataFrame, by: str | None = None) -> None:
    """Keep other forms of answers (ANSWER_FORMS) beside this golden dataset version, by its content hash.

    A form that is kept for a triplet already stays as it is. Raises QavizError if the policy or the disk refuses.
    """
    if forms.is_empty():
        return
    line = line_of(workspace, golden)
    with workspace.writing(Deed.JUDGE, line=line) as transaction:
        deed = note(transaction, Deed.JUDGE, line, f"{forms[MODEL][0]}, {forms.height:,} forms of answers", by)
        origin = {"line": line, "proposed_at": write_moment(), "deed": deed}
        insert_new(transaction, ANSWER_FORMS_TABLE, [row | origin for row in forms.to_dicts()])


def kept_answer_forms(workspace: Workspace, golden: str) -> pl.DataFrame:
    """ANSWER_FORMS of the line that this golden dataset version belongs to. QavizError if they cannot be read."""
    table = ANSWER_FORMS_TABLE.c
    query = sa.select(*(table[name] for name in ANSWER_FORMS)).where(table.line == line_of(workspace, golden))
    return workspace.read_rows(query.order_by(table.question_id, table.form), ANSWER_FORMS)


def keep_bertscores(workspace: Workspace, model: str, scores: pl.DataFrame) -> None:
    """Keep `pair` and `bertscore` under the model's key, all or none. Raises QavizError if the disk refuses."""
    if scores.is_empty():
        return
    kept = scores.select(pl.lit(model).alias("model"), *_SCHEMA).to_dicts()
    with workspace.writing(Deed.BERTSCORE) as transaction:
        insert_new(transaction, BERTSCORES_TABLE, kept)


def kept_bertscores(workspace: Workspace, model: str, pairs: pl.Series) -> pl.DataFrame:
    """The `pair` and `bertscore` of those of these pairs that are kept under the model's key."""
    table = BERTSCORES_TABLE.c
    query = sa.select(table.pair, table.bertscore).where(table.model == model)
    scores = pl.DataFrame(schema=_SCHEMA)
    for part in pairs.unique().sort().to_frame().iter_slices(ASKED_AT_A_TIME):
        scores.extend(workspace.read_rows(query.where(table.pair.in_(part.to_series().to_list())), _SCHEMA))
    return scores
