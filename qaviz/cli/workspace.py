"""`qaviz workspace`, `members` and `projects`: who may do what in it; check, clean, copy, back up, restore,
bring up to date, and take the audit log along."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from qaviz.analysis.numbers import count, plural
from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli.options import FILE, Actions, ByWhom, OneOf, Options, argument, command, option, switch
from qaviz.cli.paths import open_existing, open_home, require_workspace, write_out
from qaviz.cli.terminal import escape, print_lines, say_problems
from qaviz.exports.table_files import AUDIT_FORMATS
from qaviz.model.errors import QavizError, stop
from qaviz.store import maintenance
from qaviz.store.audit import whole_audit
from qaviz.store.index import index_in_words, index_of, version_of
from qaviz.store.members import give_role, list_members, list_projects, make_project, move_run, take_role
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


def _copy(options: "_WorkspaceOptions") -> bool:
    if not options.to:
        raise stop("workspace copy", "no --to", "s3://bucket/prefix or a folder", "Name where the files are copied to.")
    files = maintenance.copy_files(open_existing(options.workspace), options.to)
    print(escape(f"qaviz: {plural(files, 'file')} in {options.to}; the index stays where it is"))
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
    "copy": _copy,
    "migrate": _migrate,
    "audit": _take_audit,
}


@dataclass(frozen=True, kw_only=True)
class _WorkspaceOptions(Options):
    """What an action needs is there when it runs."""

    action: str = argument(" | ".join(_ACTIONS), metavar="ACTION", type=OneOf(_ACTIONS))
    folder: Path = argument("backup: the new folder; restore: the backup", type=FILE, required=False)
    out: Path | None = option("FILE", "audit: the file to write, .csv or .jsonl", type=FILE)
    to: str | None = option("PLACE", "copy: s3://bucket/prefix or a folder that the files are copied to")
    yes: bool = switch("clean: remove, instead of saying what would go")
    expect: str | None = option("HASH", "check: the audit log's last hash, kept elsewhere")


@command(_WorkspaceOptions)
def workspace(options: "_WorkspaceOptions") -> int:
    """Check, clean, copy, back up, restore or migrate the workspace, export its audit log.

    check reads every file and compares it with what was written, and checks the audit log's chain; exit code 1 if
    anything was changed. clean lists files that no run names, and removes them with --yes. copy copies the files to a
    bucket or a folder; the index stays where it is. backup copies the workspace as it is at this moment into the new
    FOLDER, while others go on writing. restore makes the workspace, which must not be there yet, from the backup
    FOLDER. migrate does what opening the workspace would do. audit writes who did what and when to --out. backup,
    restore and copy overwrite nothing.
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
