"""`qaviz workspace`, `members`, `projects`, `runs`, `verify`, `bertscore`: a workspace, who may do what in it, and what
becomes of its runs: named, archived, deleted, scored again by FMEval.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import MISSING, count, plural
from qaviz.analysis.run_list import provenance_lines, runs_with
from qaviz.analysis.sentences import lacking_sentence
from qaviz.analysis.tables import bertscore_summary
from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli.options import (
    FILE,
    JSON,
    SEEDS,
    TEXT,
    Actions,
    ByWhom,
    OfRun,
    OneOf,
    Options,
    argument,
    choice,
    command,
    number,
    option,
    switch,
)
from qaviz.cli.paths import open_existing, open_home, open_run, require_workspace, write_out
from qaviz.cli.terminal import as_json, escape, print_lines, progress_line, say_problems
from qaviz.exports.table_files import AUDIT_FORMATS, check_out, write_scores
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Run
from qaviz.runs import compute_bertscore, with_bertscore
from qaviz.runs import verify as verify_run
from qaviz.scoring.bridge import SEED, Verification
from qaviz.scoring.language_models import FMEVAL_MODELS, MODELS_VARIABLE, LanguageModel, find_model
from qaviz.store import maintenance
from qaviz.store.audit import whole_audit
from qaviz.store.index import index_in_words, index_of, version_of
from qaviz.store.maintenance import purge
from qaviz.store.members import give_role, list_members, list_projects, make_project, move_run, take_role
from qaviz.store.run_records import (
    RunRecord,
    RunState,
    archive,
    delete,
    describe,
    find_record,
    run_table,
    unarchive,
    undelete,
)
from qaviz.store.visibility import ROLES, read_role
from qaviz.store.workspace import Workspace


def _check(options: "_WorkspaceOptions") -> bool:
    home = open_existing(options.workspace)
    checked = maintenance.check(home, options.expect)
    print(escape(f"qaviz: {index_in_words(home.index, home.folder)}"))
    print_lines(_report_check(checked))
    if checked.problems:
        say_problems(QavizError(*checked.problems))
    return not checked.problems


def _report_check(checked: maintenance.Checked) -> Iterator[str]:
    files, damaged = plural(checked.files, "file"), len(checked.problems)
    if checked.audit.problem is not None:
        damaged -= 1
    yield f"qaviz: {count(damaged)} of {files} not as written" if damaged else f"qaviz: {files}, all as written"
    audit = f"audit of {plural(checked.audit.entries, 'entry', 'entries')}"
    whole = f"none changed; last hash {checked.audit.last_hash}"
    yield f"qaviz: {audit}, {'not as written' if checked.audit.problem else whole}"
    rows = f"{plural(checked.audit.covered, 'row')} of runs, labels and golden versions against the audit"
    yield f"qaviz: compared {rows}; not covered: {count(checked.audit.uncovered)} more, and all other tables"
    for name in checked.unnamed:
        yield f"  {name} belongs to no run: left by a process that was killed; does no harm, `clean` removes it"


def _back_up(options: "_WorkspaceOptions") -> bool:
    files = maintenance.backup(open_existing(options.workspace), options.folder)
    print(escape(f"qaviz: the index and {plural(files, 'file')} copied to {options.folder}"))
    return True


def _restore(options: "_WorkspaceOptions") -> bool:
    files = maintenance.restore(options.folder, options.workspace)
    print(escape(f"qaviz: the index and {plural(files, 'file')} restored to {options.workspace}"))
    print(escape(f"qaviz: {index_in_words(index_of(options.workspace), options.workspace)}"))
    return True


def _clean(options: "_WorkspaceOptions") -> bool:
    files = maintenance.clean(open_existing(options.workspace), remove=options.yes)
    print("".join(f"  {escape(name)}\n" for name in files), end="")
    of_nobody = f"{plural(len(files), 'file')} of no run"
    print(
        f"qaviz: {of_nobody} removed" if options.yes else f"qaviz: {of_nobody}; --yes removes what is listed, for good"
    )
    return True


def _migrate(options: "_WorkspaceOptions") -> bool:
    """Open the workspace, which migrates it, and say from which version to which."""
    index = index_of(require_workspace(options.workspace))
    before = version_of(index)
    open_home(options.workspace)
    after = version_of(index)
    words = f"is of version {after} already" if before == after else f"brought from version {before} to {after}"
    print(escape(f"qaviz: {options.workspace} {words}"))
    return True


def _take_audit(options: "_WorkspaceOptions") -> bool:
    out: Path | None = options.out
    if out is None or out.suffix.lower() not in AUDIT_FORMATS:
        raise stop(
            "workspace audit",
            f"--out {out}" if out else "no --out",
            f"a file that ends in {' or '.join(AUDIT_FORMATS)}",
            "Name the file to write.",
        )
    home = open_existing(options.workspace)
    entries = whole_audit(home)
    write_out(out, AUDIT_FORMATS[out.suffix.lower()].write(entries))
    print(escape(f"qaviz: {plural(entries.height, 'entry', 'entries')} in {out}"))
    return True


_ACTIONS: dict[str, Callable[["_WorkspaceOptions"], bool]] = {
    "check": _check,
    "backup": _back_up,
    "restore": _restore,
    "clean": _clean,
    "migrate": _migrate,
    "audit": _take_audit,
}


@dataclass(frozen=True, kw_only=True)
class _WorkspaceOptions(Options):
    """What an action needs is there when it runs."""

    action: str = argument(" | ".join(_ACTIONS), metavar="ACTION", type=OneOf(_ACTIONS))
    folder: Path = argument("backup: the new folder; restore: the backup", type=FILE, required=False)
    out: Path | None = option("FILE", "audit: the file to write, .csv or .jsonl", type=FILE)
    yes: bool = switch("clean: remove, instead of saying what would go")
    expect: str | None = option("HASH", "check: the audit log's last hash, kept elsewhere")


@command(_WorkspaceOptions)
def workspace(options: "_WorkspaceOptions") -> int:
    """Check, clean, back up, restore or migrate the workspace, export its audit log.

    check reads every file and compares it with what was written, and checks the audit log's chain; exit code 1 if
    anything was changed. clean lists files that no run names, and removes them with --yes. backup copies the
    workspace as it is at this moment into the new FOLDER, while others go on writing. restore makes the workspace,
    which must not be there yet, from the backup FOLDER. migrate does what opening the workspace would do. audit
    writes who did what and when to --out. backup and restore overwrite nothing.
    """
    takes_folder = options.action in ("backup", "restore")
    if takes_folder != (options.folder is not None):
        raise stop(
            f"workspace {options.action}",
            "no FOLDER" if takes_folder else f"FOLDER {options.folder}",
            "a folder" if takes_folder else "nothing after it; --workspace names the workspace",
            "See: qaviz workspace --help",
        )
    return DONE if _ACTIONS[options.action](options) else FOUND_PROBLEMS


MEMBERS, PROJECTS = Actions("members"), Actions("projects")


@MEMBERS.add("add", "", "NAME", "ROLE", opens=open_home)
def _add_member(options: "_MembersOptions", home: Workspace) -> Iterator[str]:
    give_role(home, options.name, read_role(options.role), options.project, options.person)
    yield f"qaviz: {options.name} is {options.role} of {_name_place(options.project)}"


@MEMBERS.add("remove", "", "NAME")
def _remove_member(options: "_MembersOptions", home: Workspace) -> Iterator[str]:
    take_role(home, options.name, options.project, options.person)
    yield f"qaviz: {options.name} has no role in {_name_place(options.project)} any more"


@MEMBERS.add("list")
def _list_members(_asked: "_MembersOptions", home: Workspace) -> Iterator[str]:
    rows = list_members(home).iter_rows(named=True)
    return (f"{row['subject']}  {row['role']} of {_name_place(row['project'])}" for row in rows)


def _name_place(project: str | None) -> str:
    return f"the project {project}" if project else "the workspace"


@PROJECTS.add("create", "", "NAME")
def _make_project(options: "_ProjectsOptions", home: Workspace) -> Iterator[str]:
    make_project(home, options.name, options.person)
    yield f"qaviz: the project {options.name} was made"


@PROJECTS.add("list")
def _list_projects(_asked: "_ProjectsOptions", home: Workspace) -> Iterable[str]:
    return list_projects(home)


@PROJECTS.add("move", "", "--run")
def _move_run(options: "_ProjectsOptions", home: Workspace) -> Iterator[str]:
    run = home.find(options.run)
    move_run(home, run.run_id, options.name or None, options.person)
    yield f'qaviz: the run "{run.name}" is in {_name_place(options.name)}'


@dataclass(frozen=True, kw_only=True)
class _MembersOptions(ByWhom):
    """What an action needs is there when it runs."""

    action: str = MEMBERS.argument()
    name: str = argument("the subject that the provider or the proxy names", metavar="SUBJECT", required=False)
    role: str = argument("what they may do", type=OneOf(ROLES), metavar="ROLE", required=False)
    project: str | None = option("PROJECT", "in this project only (default: in the whole workspace)")


@command(_MembersOptions)
def members(options: _MembersOptions) -> None:
    """Give, list and take away roles.

    The roles are viewer, reviewer, editor and owner, in the workspace or in one project.
    """
    print_lines(MEMBERS.act(options.action, options))


@dataclass(frozen=True, kw_only=True)
class _ProjectsOptions(ByWhom):
    """What an action needs is there when it runs."""

    action: str = PROJECTS.argument()
    name: str = argument("the project; move without it: out of all projects", metavar="PROJECT", required=False)
    run: str = option("RUN", "the run to move: its name or id")


@command(_ProjectsOptions)
def projects(options: _ProjectsOptions) -> None:
    """Make and list projects, and move runs into them.

    Whoever has a role in one project sees only that one.
    """
    print_lines(PROJECTS.act(options.action, options))


RUNS = Actions("runs")


@RUNS.add("list")
def _list(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    runs = run_table(home).filter(pl.col("state") == options.state)
    listed = runs_with(runs, options.search)
    if options.format == JSON:
        yield as_json(listed.to_dicts())
        return
    for run in listed.iter_rows(named=True):
        tags = f"  [{', '.join(run['tags'])}]" if run["tags"] else ""
        size = plural(run["responses"], "response")
        owner = run["owner"] or "no owner"
        yield escape(f"{run['run_id']}  {run['created_at']:%Y-%m-%d %H:%M} UTC  {run['name']}  {size}  {owner}{tags}")
    yield escape(f"qaviz: {plural(listed.height, f'{options.state} run')}")


@RUNS.add("show", "RUN")
def _show(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    record = find_record(home, options.words[0])
    run = run_table(home).row(by_predicate=pl.col("run_id") == record.run.run_id, named=True)
    if options.format == JSON:
        kept = asdict(record)
        beside = {name: kept["run"][name] for name in ("thresholds", "sources", "listed_counts")}
        yield as_json(run | beside | {"provenance": kept["provenance"]})
        return
    yield escape(f"{record.run.name}, {record.state}, id {record.run.run_id}")
    yield escape(f"  Owner: {record.owner or 'none'}")
    yield escape(f"  Tags: {', '.join(record.tags) or 'none'}")
    for line in record.notes.splitlines():
        yield escape(f"  Notes: {line}")
    for head, text in provenance_lines(record, run["golden_number"]):
        yield escape(f"  {head}: {', '.join(text.splitlines())}")


@RUNS.add("rename", "RUN NAME")
def _rename(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, name=options.words[1])


@RUNS.add("own", "RUN NAME")
def _own(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, owner=options.words[1])


@RUNS.add("note", "RUN TEXT")
def _note(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, notes=options.words[1])


@RUNS.add("tag", "RUN TAG...")
def _tag(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, **{"remove_tags" if options.remove else "add_tags": options.words[1:]})


def _describe_run(options: "_RunsOptions", home: Workspace, **value: object) -> Iterator[str]:
    record = find_record(home, options.words[0])
    describe(home, record.run.run_id, options.person, **value)  # type: ignore[arg-type] # one of its fields, by its name
    yield from _report_state(home, record)


def _make_action(change: Callable[[Workspace, str, str], None]) -> Callable[..., Iterator[str]]:
    def do(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
        record = find_record(home, options.words[0])
        change(home, record.run.run_id, options.person)
        yield from _report_state(home, record)

    return do


for _name, _change in (("archive", archive), ("unarchive", unarchive), ("delete", delete)):
    RUNS.add(_name, "RUN")(_make_action(_change))


@RUNS.add("undelete", "RUN [NAME]")
def _undelete(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    record = find_record(home, options.words[0])
    undelete(home, record.run.run_id, options.person, next(iter(options.words[1:]), None))
    yield from _report_state(home, record)


def _report_state(home: Workspace, before: RunRecord) -> Iterator[str]:
    """The state, owner and tags of the run after an action."""
    now = find_record(home, before.run.run_id)
    tags = f", tags: {', '.join(now.tags)}" if now.tags else ""
    yield escape(f'qaviz: "{now.run.name}" is {now.state}, owner: {now.owner or "not given"}{tags}')


@RUNS.add("purge", "[RUN...]")
def _purge(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    """List the deleted runs; with --yes remove their files."""
    runs = run_table(home).filter(pl.col("state") == RunState.DELETED)["run_id"].to_list()
    records = [find_record(home, word) for word in options.words or runs]
    if kept := [record for record in records if record.state != RunState.DELETED]:
        raise QavizError(*map(_describe_not_deleted, kept))
    for record in records:
        yield escape(f'{record.run.run_id}  "{record.run.name}", deleted by {record.deleted_by}')
    if not options.yes:
        yield f"qaviz: {plural(len(records), 'deleted run')}; --yes removes what is listed, for good"
        return
    removed = purge(home, records, options.person)
    yield from (escape(f"  {path}") for path in removed)
    yield f"qaviz: {plural(len(records), 'run')} purged, {plural(len(removed), 'file')} removed"


def _describe_not_deleted(record: RunRecord) -> Problem:
    return Problem(
        where=f'run "{record.run.name}"',
        found=f"the state {record.state}",
        expected="a deleted run",
        fix="Delete it first: a deleted run can be brought back until it is purged.",
    )


@dataclass(frozen=True, kw_only=True)
class _RunsOptions(ByWhom):
    action: str = RUNS.argument()
    words: tuple[str, ...] = argument("name or id of a run, then what the action takes", metavar="RUN", nargs=-1)
    state: str = choice(list(map(str, RunState)), "list: the state of the runs", default=RunState.CURRENT.value)
    search: str = option("WORDS", "list: words in name, owner, tags, notes, pipelines", default="")
    format: str = choice((TEXT, JSON), "list, show: what is printed", default=TEXT)
    remove: bool = switch("tag: take the tags away")
    yes: bool = switch("purge: remove, instead of saying what would go")


@command(_RunsOptions)
def runs(options: "_RunsOptions") -> None:
    """List, describe, archive, delete and purge runs.

    list; show RUN; rename RUN NAME, own RUN NAME, note RUN TEXT ("" takes it away), tag RUN TAG... [--remove]; archive
    RUN, unarchive RUN: out of the lists and back; delete RUN, undelete RUN [NAME]; purge [RUN...] says what is deleted,
    and removes it with --yes. Everything but a purge can be undone.
    """
    for line in RUNS.act(options.action, options, options.words):
        print(line)


@dataclass(frozen=True, kw_only=True)
class _VerifyOptions(OfRun, ByWhom):
    sample: int | None = option("N", "number of responses to compare (default: all)", type=number(1))
    seed: int = option("S", "seed of the sample", type=SEEDS, default=SEED)


@command(_VerifyOptions)
def verify(options: _VerifyOptions) -> int:
    """Score a run again with the installed FMEval and list every difference.

    Exit code 1 if there is one. The run records the result; its scores stay as they are.
    """
    home, run = open_run(options.workspace, options.run)
    with progress_line() as progress:
        verification = verify_run(
            run, home, sample=options.sample, seed=options.seed, progress=progress, by=options.person
        )
    print("\n".join(_report_differences(run, verification)))
    return DONE if verification.differences.is_empty() else FOUND_PROBLEMS


@dataclass(frozen=True, kw_only=True)
class _BertscoreOptions(OfRun):
    model: str | None = option(
        "NAME",
        f"a model in ${MODELS_VARIABLE} or in your Hugging Face cache, by its name or folder "
        f"(default: {FMEVAL_MODELS[0]} if it is there, else the first)",
    )
    pipeline: tuple[str, ...] = option("NAME", "only this pipeline; may be repeated (default: all)", multiple=True)
    question: tuple[str, ...] = option(
        "NAME", "only the question with this id; may be repeated (default: all)", multiple=True
    )
    out: Path | None = option("FILE", "write the scored responses to this file too", type=FILE)


@command(_BertscoreOptions)
def bertscore(options: _BertscoreOptions) -> None:
    """Compute BERTScore of a run's responses.

    A language model on this machine computes it, offline: the model is only ever loaded from the folder that
    $QAVIZ_MODELS names, or from your Hugging Face cache. Scores are kept in the workspace and computed once.
    """
    if options.out:
        check_out(options.out, [])
    (home, run), model = open_run(options.workspace, options.run), find_model(options.model)
    chosen = _select(home.rows(run), run, options.pipeline, options.question)
    with progress_line() as progress:
        compute_bertscore(home, chosen, model, progress)
    scored = with_bertscore(home, chosen, model)
    print("\n".join(_report_means(scored, model)))
    if options.out:
        write_scores([scored], options.out)


LISTED = 20
"""Differences that are named one by one."""


def _report_differences(run: Run, verification: Verification) -> Iterator[str]:
    """The lines that the command prints: what was compared with which FMEval; the differences, of many the first."""
    differences = verification.differences
    differing = plural(differences.height, "difference") if differences.height else "no difference"
    compared = f"{count(verification.compared)} of {plural(run.responses, 'response')}"
    yield escape(f'{compared} of the run "{run.name}" scored again with FMEval {verification.version}: {differing}')
    for question, pipeline, score, here, fmeval in differences.head(LISTED).iter_rows():
        both = f"{_format_score(here)} here, {_format_score(fmeval)} by FMEval"
        yield escape(f"  {question}, {pipeline}: {score} is {both}")
    if differences.height > LISTED:
        yield f"  … and {count(differences.height - LISTED)} more"
    if verification.lacking:
        yield lacking_sentence(verification.lacking)


def _format_score(score: float | None) -> str:
    """With all its digits: two scores may differ in the last of them."""
    return MISSING if score is None else repr(score)


def _select(rows: pl.DataFrame, run: Run, pipelines: Sequence[str], questions: Sequence[str]) -> pl.DataFrame:
    """The rows of these pipelines and questions; of all where none is named. Raises QavizError for unknown names."""
    chosen = {PIPELINE: pipelines, QUESTION_ID: questions}
    problems = [
        Problem(
            where=f'the run "{run.name}"',
            found=f'no response with {column} "{name}"',
            expected=f"a {column} of the run, such as {rows[column][0]}",
            fix="Check the name.",
        )
        for column, names in chosen.items()
        for name in sorted(set(names) - set(rows[column]))
    ]
    if problems:
        raise QavizError(*problems)
    return rows.filter(True, *(pl.col(column).is_in(names) for column, names in chosen.items() if names))


def _report_means(rows: pl.DataFrame, model: LanguageModel) -> Iterator[str]:
    """The lines that the command prints: each pipeline's mean, and over how many responses."""
    yield f"BERTScore by {escape(model.name)}"
    for pipeline, responses, mean, scored in bertscore_summary(rows).iter_rows():
        written = MISSING if mean is None else f"{mean:.4f}"
        yield f"  {written:<8}mean of {count(scored)} of {plural(responses, 'response')}  {escape(pipeline)}"
