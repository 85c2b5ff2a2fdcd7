"""`qaviz workspace`, `members`, `runs`, `verify`, `bertscore`: a workspace, who may do what in it, and what becomes of
its runs: named, archived, deleted, scored again by FMEval."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl

from qaviz.analysis import numbers, tables
from qaviz.cli import DONE, FOUND_PROBLEMS, terminal
from qaviz.cli import options as o
from qaviz.exports.table_files import AUDIT_FORMATS, check_out, write_scores
from qaviz.model.columns import BERTSCORE, PIPELINE
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.report import Column, table_of
from qaviz.runs import compute_bertscore, with_bertscore
from qaviz.runs import verify as verify_run
from qaviz.scoring import bridge, language_models
from qaviz.store import audit, maintenance, roles
from qaviz.store.index import index_of, version_of
from qaviz.store.maintenance import purge
from qaviz.store.members import give_role, list_members, map_identity, take_role
from qaviz.store.run_records import RunState, archive, delete, describe, find_record, run_table, unarchive, undelete

workspace = o.CommandGroup(
    "workspace", "Check, clean, back up, restore, migrate or split the workspace, export its audit log."
)

members = o.CommandGroup("members", "Give, list and take away roles, and say who somebody was before.")
runs = o.CommandGroup("runs", "List, describe, archive, delete and purge runs.")


class _CheckOptions(o.Printed):
    expect: str | None = o.option("HASH", "the audit log's last hash, kept elsewhere")


@workspace.action("check", _CheckOptions)
def _check(options: _CheckOptions) -> o.Printout:
    """Compare every file with what was written, and check the audit log's chain.

    Exit code 1 if anything was changed.
    """
    home = options.home
    checked = maintenance.check(home, options.expect)
    if checked.problems:
        terminal.say_problems(QavizError(*checked.problems))
    return o.Printout(checked, code=FOUND_PROBLEMS if checked.problems else DONE)


class _FolderOptions(o.Printed):
    folder: Path = o.argument("the folder of the backup", type=o.FILE)


@workspace.action("backup", _FolderOptions)
def _back_up(options: _FolderOptions) -> o.Printout:
    """Copy the workspace as it is at this moment into the new FOLDER, while others go on writing."""
    return o.Printout({"folder": options.folder, "files": maintenance.backup(options.home, options.folder)})


@workspace.action("restore", _FolderOptions)
def _restore(options: _FolderOptions) -> o.Printout:
    """Make the workspace, which must not be there yet, from the backup FOLDER."""
    files = maintenance.restore(options.folder, options.workspace)
    return o.Printout({"folder": options.workspace, "files": files})


class _CleanOptions(o.Printed):
    yes: bool = o.switch("remove, instead of saying what would go")


@workspace.action("clean", _CleanOptions)
def _clean(options: _CleanOptions) -> o.Printout:
    """List files that no run names; --yes removes them."""
    return o.Printout({"files": maintenance.clean(options.home, remove=options.yes), "removed": options.yes})


@workspace.action("migrate", o.Printed)
def _migrate(options: o.Printed) -> o.Printout:
    """Do what opening the workspace would do, and say from which version to which."""
    index = index_of(o.require_workspace(options.workspace))
    before = version_of(index)
    o.open_home(options.workspace)
    return o.Printout({"before": before, "after": version_of(index)})


class _SplitOptions(o.ByWhom):
    folder: Path = o.argument("the new folder for the workspaces, one a project", type=o.FILE)


@workspace.action("split", _SplitOptions)
def _split(options: _SplitOptions) -> o.Printout:
    """Move the runs of each project into a workspace of its own: FOLDER/PROJECT."""
    moved = maintenance.split(o.require_workspace(options.workspace), options.folder, options.person)
    return o.Printout({"folder": options.folder, "projects": moved})


class _AuditOptions(o.Printed):
    out: Path = o.option("FILE", "the file to write, .csv or .jsonl", type=o.FILE, required=True)


@workspace.action("audit", _AuditOptions)
def _export_audit(options: _AuditOptions) -> o.Printout:
    """Write who did what and when to a file."""
    out = options.out
    if out.suffix.lower() not in AUDIT_FORMATS:
        raise stop("--out", str(out), f"a file that ends in {' or '.join(AUDIT_FORMATS)}", "Name the file to write.")
    entries = audit.whole_audit(options.home)
    o.write_out(out, AUDIT_FORMATS[out.suffix.lower()](entries))
    return o.Printout({"file": out, "entries": entries.height})


class _MemberOptions(o.ByWhom):
    name: str = o.argument("the subject that the proxy names", metavar="SUBJECT")


class _RoleOptions(_MemberOptions):
    role: str = o.argument("what they may do", type=o.OneOf(roles.ROLES), metavar="ROLE")
    reviews: bool = o.switch("with the right to review and label, which editors and owners have")


@members.action("add", _RoleOptions)
def _add_member(options: _RoleOptions) -> o.Printout:
    """Give a role: viewer, editor or owner."""
    role = roles.Role[options.role.upper()]
    give_role(o.open_home(options.workspace), options.name, role, reviews=options.reviews, by=options.person)
    return o.Printout({"subject": options.name, "role": options.role, "reviews": options.reviews})


@members.action("remove", _MemberOptions)
def _remove_member(options: _MemberOptions) -> o.Printout:
    """Take a role away."""
    take_role(options.home, options.name, options.person)
    return o.Printout({"subject": options.name, "role": None, "reviews": False})


@members.action("list", o.Printed)
def _list_members(options: o.Printed) -> o.Printout:
    """List who has which role."""
    return o.Printout(list_members(options.home))


class _IdentityOptions(o.ByWhom):
    earlier: str = o.argument("the subject that the provider named", metavar="EARLIER")
    subject: str = o.argument("the subject that the proxy names", metavar="SUBJECT")
    name: str = o.option("NAME", "the name at their labels and decisions", required=True)


@members.action("map", _IdentityOptions)
def _map_identity(options: _IdentityOptions) -> o.Printout:
    """Say who somebody of qaviz 0.2.0 with OpenID Connect is now: role, labels, reviews and audit stay theirs."""
    home = options.home
    map_identity(home, options.earlier, options.subject, options.name, options.person)
    return o.Printout({"earlier": options.earlier, "subject": options.subject, "name": options.name})


class _ListOptions(o.Printed):
    state: str = o.choice(list(map(str, RunState)), "the state of the runs", default=RunState.CURRENT.value)
    search: str = o.option("WORDS", "words in name, owner, tags, notes, pipelines", default="")


@runs.action("list", _ListOptions)
def _list(options: _ListOptions) -> o.Printout:
    """List runs."""
    table = run_table(options.home).filter(pl.col("state") == options.state)
    listed = tables.rows_with(table, options.search)
    number = f"qaviz: {numbers.plural(listed.height, f'{options.state} run')}"
    created = Column("created_at", "created (UTC)", text="{created_at:%Y-%m-%d %H:%M}")
    return o.Printout(listed, [table_of(listed, "run_id", created, "name", "responses", "owner", "tags"), number])


@runs.action("show", o.OfRun)
def _show(options: o.OfRun) -> o.Printout:
    """Show what is kept of a run beside its rows."""
    home = options.home
    record = find_record(home, options.run)
    run = run_table(home).row(by_predicate=pl.col("run_id") == record.run.run_id, named=True)
    beside = {name: getattr(record.run, name) for name in ("thresholds", "sources", "listed_counts")}
    return o.Printout(run | beside | {"provenance": record.provenance})


class _ChangeOptions(o.OfRun, o.ByWhom):
    """All of them are inherited."""


class _TextOptions(_ChangeOptions):
    text: str = o.argument('the new text; "" takes it away')


class _TagOptions(_ChangeOptions):
    tags: tuple[str, ...] = o.argument("the tags", metavar="TAG", nargs=-1, required=True)
    remove: bool = o.switch("take the tags away")


class _UndeleteOptions(_ChangeOptions):
    name: str | None = o.argument("another name, where the old one is taken", required=False)


@runs.action("tag", _TagOptions)
def _tag(options: _TagOptions) -> o.Printout:
    """Give a run tags, or take them away."""
    return _change_run(options, describe, **{"remove_tags" if options.remove else "add_tags": options.tags})


@runs.action("undelete", _UndeleteOptions)
def _undelete(options: _UndeleteOptions) -> o.Printout:
    """Bring a deleted run back."""
    return _change_run(options, undelete, name=options.name)


def _set_text(options: _TextOptions, part: str) -> o.Printout:
    return _change_run(options, describe, **{part: options.text})


def _change_run(options: _ChangeOptions, change: Callable[..., object], **values: object) -> o.Printout:
    home = options.home
    run_id = find_record(home, options.run).run.run_id
    change(home, run_id, options.person, **values)
    now = find_record(home, run_id)
    named = {name: getattr(now, name) for name in ("state", "owner", "tags", "notes")}
    return o.Printout({"run_id": run_id, "name": now.run.name} | named)


for _name, _part, _help in (
    ("rename", "name", "Give a run another name."),
    ("own", "owner", "Say whose a run is."),
    ("note", "notes", "Replace the notes of a run."),
):
    runs.action(_name, _TextOptions, _help)(partial(_set_text, part=_part))
for _name, _change, _help in (
    ("archive", archive, "Take a run out of the lists."),
    ("unarchive", unarchive, "Bring an archived run back."),
    ("delete", delete, "Delete a run, which undelete brings back until it is purged."),
):
    runs.action(_name, _ChangeOptions, _help)(partial(_change_run, change=_change))


class _PurgeOptions(o.ByWhom):
    runs: tuple[str, ...] = o.argument("deleted runs (default: all)", metavar="RUN", nargs=-1, type=o.RUN_NAME)
    yes: bool = o.switch("remove, instead of saying what would go")


@runs.action("purge", _PurgeOptions)
def _purge(options: _PurgeOptions) -> o.Printout:
    """List the deleted runs; --yes removes their files, for good."""
    home = options.home
    deleted = run_table(home).filter(pl.col("state") == RunState.DELETED)["run_id"].to_list()
    records = [find_record(home, name) for name in options.runs or deleted]
    fix = "Delete it first: a deleted run can be brought back until it is purged."
    problems = [
        Problem(f'run "{record.run.name}"', f"the state {record.state}", "a deleted run", fix)
        for record in records
        if record.state != RunState.DELETED
    ]
    if problems:
        raise QavizError(*problems)
    files = purge(home, records, options.person) if options.yes else []
    return o.Printout({"runs": [record.run.run_id for record in records], "files": files, "removed": options.yes})


class _VerifyOptions(o.OfRun, o.ByWhom):
    sample: int | None = o.option("N", "number of responses to compare (default: all)", type=o.number(1))
    seed: int = o.option("S", "seed of the sample", type=o.SEEDS, default=bridge.SEED)


@o.command(_VerifyOptions)
def verify(options: _VerifyOptions) -> o.Printout:
    """Score a run again with the installed FMEval and list every difference.

    Exit code 1 if there is one. The run records the result; its scores stay as they are.
    """
    home, run = options.open_run()
    with terminal.progress_line() as progress:
        verification = verify_run(
            run, home, sample=options.sample, seed=options.seed, progress=progress, by=options.person
        )
    figures = {"run_id": run.run_id, "responses": run.responses, **vars(verification)}
    code = DONE if verification.differences.is_empty() else FOUND_PROBLEMS
    return o.Printout(figures, code=code)


class _BertscoreOptions(o.OfRun):
    model: str | None = o.option(
        "NAME", f"{' or '.join(language_models.FMEVAL_MODELS)} (default: the first that is there)"
    )
    pipeline: tuple[str, ...] = o.repeated("NAME", "only this pipeline (default: all)")
    out: Path | None = o.file("write the scored responses to this file too")


@o.command(_BertscoreOptions)
def bertscore(options: _BertscoreOptions) -> o.Printout:
    """Compute BERTScore of a run's responses.

    FMEval's own class computes it with a language model on this machine, offline: the model is only ever loaded from
    the folder that $QAVIZ_MODELS names, or from your Hugging Face cache. Scores are kept in the workspace and computed
    once.
    """
    if options.out:
        check_out(options.out, [])
    (home, run), model = options.open_run(), language_models.find_model(options.model)
    chosen = home.rows(run)
    where, expected = f'the run "{run.name}"', f"a pipeline of the run, such as {chosen[PIPELINE][0]}"
    if unknown := sorted(set(options.pipeline) - set(chosen[PIPELINE])):
        faults = (f'no response with pipeline "{name}"' for name in unknown)
        raise QavizError(*(Problem(where, fault, expected, "Check the name.") for fault in faults))
    if options.pipeline:
        chosen = chosen.filter(pl.col(PIPELINE).is_in(options.pipeline))
    with terminal.progress_line() as progress:
        compute_bertscore(home, chosen, model, progress)
    scored = with_bertscore(home, chosen, model)
    if options.out:
        write_scores([scored], options.out)
    means = tables.mean_scores(scored).select(
        PIPELINE, pl.col("scored_of").alias("responses"), BERTSCORE, f"{BERTSCORE}_n"
    )
    return o.Printout({"model": model.name, "pipelines": means})
