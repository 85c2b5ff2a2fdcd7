"""`qaviz runs`: which runs there are, what people say of them, and archive, deletion and purge."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.analysis.run_list import provenance_lines, runs_with
from qaviz.cli.options import JSON, TEXT, Actions, ByWhom, argument, choice, command, option, switch
from qaviz.cli.terminal import as_json, escape
from qaviz.model.errors import Problem, QavizError
from qaviz.store.maintenance import purge
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
from qaviz.store.workspace import Workspace

ACTIONS = Actions("runs")


@ACTIONS.add("list")
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


@ACTIONS.add("show", "RUN")
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


@ACTIONS.add("rename", "RUN NAME")
def _rename(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, name=options.words[1])


@ACTIONS.add("own", "RUN NAME")
def _own(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, owner=options.words[1])


@ACTIONS.add("note", "RUN TEXT")
def _note(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    return _describe_run(options, home, notes=options.words[1])


@ACTIONS.add("tag", "RUN TAG...")
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
    ACTIONS.add(_name, "RUN")(_make_action(_change))


@ACTIONS.add("undelete", "RUN [NAME]")
def _undelete(options: "_RunsOptions", home: Workspace) -> Iterator[str]:
    record = find_record(home, options.words[0])
    undelete(home, record.run.run_id, options.person, next(iter(options.words[1:]), None))
    yield from _report_state(home, record)


def _report_state(home: Workspace, before: RunRecord) -> Iterator[str]:
    """The state, owner and tags of the run after an action."""
    now = find_record(home, before.run.run_id)
    tags = f", tags: {', '.join(now.tags)}" if now.tags else ""
    yield escape(f'qaviz: "{now.run.name}" is {now.state}, owner: {now.owner or "not given"}{tags}')


@ACTIONS.add("purge", "[RUN...]")
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
    action: str = ACTIONS.argument()
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
    for line in ACTIONS.act(options.action, options, options.words):
        print(line)
