"""`qaviz runs`, `verify` and `bertscore`: which runs there are, what people say of them, archive, deletion and purge; a
run scored again by FMEval, and its BERTScore.
"""

from collections.abc import Callable, Iterator, Sequence
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
    argument,
    choice,
    command,
    number,
    option,
    switch,
)
from qaviz.cli.paths import open_run
from qaviz.cli.terminal import as_json, escape, progress_line
from qaviz.exports.table_files import check_out, write_scores
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.runs import compute_bertscore, with_bertscore
from qaviz.runs import verify as verify_run
from qaviz.scoring.bridge import SEED, Verification
from qaviz.scoring.language_models import FMEVAL_MODELS, MODELS_VARIABLE, LanguageModel, find_model
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
