"""`qaviz workspace`: check, back up, restore, bring up to date, and take the audit along, in a terminal."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from qaviz.analysis.numbers import count, plural
from qaviz.cli.opened import open_existing, open_home, require_workspace
from qaviz.cli.terminal import say_problems, shown
from qaviz.exports.audit_files import AUDIT_FORMATS
from qaviz.model.errors import Problem, QavizError
from qaviz.store import disk_refusals, index_in_words, index_of, maintenance, replacing, version_of
from qaviz.store.audit import whole_audit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION, and FOLDER for two of them."""
    parser.add_argument("action", choices=_ACTIONS, metavar="ACTION", help=" | ".join(_ACTIONS))
    parser.add_argument(
        "folder", type=Path, nargs="?", metavar="FOLDER", help="with backup, the new one; with restore, the backup"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="with audit: the file to write, .csv or .jsonl")
    parser.add_argument(
        "--expect",
        metavar="HASH",
        help="with check: the audit's last hash, kept elsewhere",
    )


def act(asked: argparse.Namespace) -> bool:
    """Do what `asked.action` says. Returns whether all was as it should be."""
    takes_folder = asked.action in ("backup", "restore")
    if takes_folder != (asked.folder is not None):
        raise QavizError(
            Problem(
                where=f"workspace {asked.action}",
                found="no FOLDER" if takes_folder else f"FOLDER {asked.folder}",
                expected="a folder" if takes_folder else "nothing after it; --workspace names the workspace",
                fix="See: qaviz workspace --help",
            )
        )
    return _ACTIONS[asked.action](asked)


def _check(asked: argparse.Namespace) -> bool:
    home = open_existing(asked.workspace)
    found = maintenance.check(home, asked.expect)
    print(shown(f"qaviz: {index_in_words(home.index, home.folder)}"))
    print("\n".join(map(shown, _found(found))))
    if found.problems:
        say_problems(QavizError(*found.problems))
    return not found.problems


def _found(found: maintenance.Checked) -> Iterator[str]:
    files, damaged = plural(found.files, "file"), len(found.problems) - (found.audit.problem is not None)
    yield f"qaviz: {count(damaged)} of {files} not as written" if damaged else f"qaviz: {files}, all as written"
    audit = f"audit of {plural(found.audit.entries, 'entry', 'entries')}"
    whole = f"none changed; last hash {found.audit.last_hash}"
    yield f"qaviz: {audit}, {'not as written' if found.audit.problem else whole}"
    for name in found.unnamed:
        yield f"  {name} belongs to no run: left by a process that was killed, does no harm"


def _back_up(asked: argparse.Namespace) -> bool:
    files = maintenance.backup(open_existing(asked.workspace), asked.folder)
    print(shown(f"qaviz: the index and {plural(files, 'file')} copied to {asked.folder}"))
    return True


def _restore(asked: argparse.Namespace) -> bool:
    files = maintenance.restore(asked.folder, asked.workspace)
    print(shown(f"qaviz: the index and {plural(files, 'file')} restored to {asked.workspace}"))
    print(shown(f"qaviz: {index_in_words(index_of(asked.workspace), asked.workspace)}"))
    return True


def _migrate(asked: argparse.Namespace) -> bool:
    """Opening does it; this says so, for whoever wants it done before the first visitor comes."""
    index = index_of(require_workspace(asked.workspace))
    before = version_of(index)
    open_home(asked.workspace)
    after = version_of(index)
    said = f"is of version {after} already" if before == after else f"brought from version {before} to {after}"
    print(shown(f"qaviz: {asked.workspace} {said}"))
    return True


def _take_audit(asked: argparse.Namespace) -> bool:
    out: Path | None = asked.out
    if out is None or out.suffix.lower() not in AUDIT_FORMATS:
        raise QavizError(
            Problem(
                where="workspace audit",
                found=f"--out {out}" if out else "no --out",
                expected=f"a file that ends in {' or '.join(AUDIT_FORMATS)}",
                fix="Name the file to write.",
            )
        )
    home = open_existing(asked.workspace)
    home.note_export("audit")
    entries = whole_audit(home)
    with disk_refusals(out), replacing(out.resolve()) as unfinished:
        unfinished.write_bytes(AUDIT_FORMATS[out.suffix.lower()].write(entries))
    print(shown(f"qaviz: {plural(entries.height, 'entry', 'entries')} in {out}"))
    return True


_ACTIONS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "check": _check,
    "backup": _back_up,
    "restore": _restore,
    "migrate": _migrate,
    "audit": _take_audit,
}
