"""`qaviz review start|status|export|import|adjudicate|apply`: a review in a terminal and as files."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import orjson
import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.cli.opened import open_existing
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.terminal import progress_line, shown
from qaviz.documents import read_document
from qaviz.exports.review_files import as_jsonl, as_workbook, review_table
from qaviz.exports.review_tools import ARGILLA, LABEL_STUDIO, as_argilla, as_label_studio, label_studio_config
from qaviz.golden.versions import newest_version
from qaviz.loading import Source, sandbox
from qaviz.model.columns import CATEGORY
from qaviz.model.errors import Problem, QavizError
from qaviz.review.decisions_in import import_decisions
from qaviz.review.levels import level_rules
from qaviz.review.outcome import apply_review, bring_back
from qaviz.review.plan import plan_review, say_plan
from qaviz.review.risk import Level, Likelihood, Severity, classify_risk
from qaviz.review.session import ReviewRules, extend_review, promote_review, refresh_review, start_review
from qaviz.review.statement import say_statement, state_review, statement_columns, statements_of
from qaviz.store import Workspace, line_of, named_datasets, replacing
from qaviz.store.review_decisions import Decision, adjudicate, open_for_adjudication
from qaviz.store.review_sessions import ACTIONS, WHOLE, ReviewSession, classify, find_session, review_sessions


def _start(asked: argparse.Namespace) -> Iterator[str]:
    home = open_existing(asked.workspace)
    golden = _golden(home, _needed(asked, "population", "the name of a golden dataset or run"))
    rules = ReviewRules(
        readers=asked.readers,
        at_most=asked.at_most,
        allowed_wrong=asked.allowed_wrong,
        two_stages=asked.two_stages,
    )
    level = Level(asked.level.replace("-", " "))
    started = start_review(home, golden, level, person(asked), category=asked.category or "", rules=rules)
    yield f"{started.session}: {started.sample:,} of {started.population:,} triplets drawn, and those that are flagged."


def _status(asked: argparse.Namespace) -> Iterator[str]:
    home = open_existing(asked.workspace)
    if asked.session:
        refresh_review(home, asked.session)
        found = [state_review(home, asked.session)]
    elif asked.population:
        found = statements_of(home, line_of(home, _golden(home, asked.population)))
    else:
        found = [state_review(home, each.session) for each in review_sessions(home)]
    if asked.format == "csv":
        yield statement_columns(found).write_csv().rstrip()
        return
    if asked.format == "json":
        yield orjson.dumps(list(map(asdict, found)), option=orjson.OPT_INDENT_2).decode()
        return
    for said in found:
        yield f"review {said.session.session}"
        yield from (shown(f"  {line}") for line in say_statement(said))
    if not found:
        yield "no review yet"


def _export(asked: argparse.Namespace) -> Iterator[str]:
    home, session = open_existing(asked.workspace), _needed(asked, "session", "the id of a review")
    refresh_review(home, session)
    out = Path(_needed(asked, "file", "a file that ends in .jsonl or .xlsx, or .json with --tool"))
    suffixes = (".json",) if asked.tool else (".jsonl", ".xlsx")
    if out.suffix.lower() not in suffixes:
        raise _lacking("--file", str(out), f"a file that ends in {' or '.join(suffixes)}")
    table = review_table(home, session, person(asked))
    known = find_session(home, session)
    for file, content in _contents(out, table, known, asked.tool).items():
        with replacing(file) as unfinished:
            unfinished.write_bytes(content)
    yield shown(f"{out}: {plural(table.height, 'item')}")


def _contents(out: Path, table: pl.DataFrame, known: ReviewSession, tool: str | None) -> dict[Path, bytes]:
    """The files of an export with what stands in them: beside Label Studio's tasks the project's interface."""
    if tool == LABEL_STUDIO:
        return {out: as_label_studio(table), out.with_suffix(".xml"): label_studio_config(known).encode()}
    if tool == ARGILLA:
        return {out: as_argilla(table)}
    return {out: as_jsonl(table) if out.suffix.lower() == ".jsonl" else as_workbook(table, known)}


def _import(asked: argparse.Namespace) -> Iterator[str]:
    home, session = open_existing(asked.workspace), _needed(asked, "session", "the id of a review")
    file = _needed(asked, "file", "a file that `qaviz review export` wrote")
    with progress_line() as progress:
        rows = sandbox.read_decisions(Source.of(file), progress)
    kept, left = import_decisions(home, session, person(asked), rows)
    yield f"{plural(kept, 'decision')} kept" + (f", {left:,} not: read by others or changed since" if left else "")


def _adjudicate(asked: argparse.Namespace) -> Iterator[str]:
    home, session = open_existing(asked.workspace), _needed(asked, "session", "the id of a review")
    item = int(_needed(asked, "item", "the number of an item"))
    if asked.decision is None:
        for row in open_for_adjudication(home, session, item, person(asked)).iter_rows(named=True):
            yield shown(f"{row['reader']}: {row['action']} {', '.join(row['findings'])} {row['note']}".rstrip())
        return
    decision = Decision(
        action=asked.decision,
        findings=tuple(asked.finding or ()),
        note=asked.reason or "",
        question=asked.question,
        answer=asked.answer,
        fact=asked.fact,
    )
    adjudicate(home, session, item, person(asked), decision)
    yield f"item {item}: {asked.decision}"


def _apply(asked: argparse.Namespace) -> Iterator[str]:
    made = apply_review(open_existing(asked.workspace), _needed(asked, "session", "the id of a review"), person(asked))
    yield f"version {made.number}: {plural(made.edits, 'edit')}" if made else "nothing to apply"


def _classify(asked: argparse.Namespace) -> Iterator[str]:
    home = open_existing(asked.workspace)
    version = newest_version(home, _golden(home, _needed(asked, "population", "the name of a golden dataset or run")))
    severity = Severity(_needed(asked, "severity", ", ".join(Severity)).replace("-", " "))
    likelihood = Likelihood(_needed(asked, "likelihood", ", ".join(Likelihood)))
    level = classify_risk(severity, likelihood)
    reason = _needed(asked, "reason", "why the risk is so")
    category = asked.category or WHOLE
    classify(home, version.line, category, severity.value, likelihood.value, level.value, reason, person(asked))
    rule = level_rules(home)[level]
    golden = home.golden(version.golden_id)
    population = golden.filter(pl.col(CATEGORY) == category).height if category else golden.height
    yield f"{level} risk"
    yield say_plan(plan_review(population, level, at_most=rule.at_most, allowed_wrong=asked.allowed_wrong))


def _promote(asked: argparse.Namespace) -> Iterator[str]:
    level = Level(asked.level.replace("-", " "))
    larger = promote_review(
        open_existing(asked.workspace), _needed(asked, "session", "the id of a review"), level, person(asked)
    )
    yield f"{larger.session}: {larger.sample:,} of {larger.population:,} triplets drawn; what was read stays."


def _extend(asked: argparse.Namespace) -> Iterator[str]:
    session = _needed(asked, "session", "the id of a review")
    larger = extend_review(open_existing(asked.workspace), session, person(asked))
    yield f"{session}: {larger.sample:,} of {larger.population:,} triplets drawn, 1 may be wrong."


def _correct(asked: argparse.Namespace) -> Iterator[str]:
    home, file = open_existing(asked.workspace), _needed(asked, "file", "the new version of the document")
    line = line_of(home, _golden(home, _needed(asked, "population", "the name of a golden dataset or run")))
    name = asked.document or Path(file).name
    back, gone = bring_back(home, line, name, read_document(Source.of(file)), person(asked))
    yield shown(f"{name}: {plural(back, 'triplet')} back, to be read again; {gone:,} stay out: their passage is gone")


SESSION_ACTIONS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "classify": _classify,
    "start": _start,
    "promote": _promote,
    "extend": _extend,
    "status": _status,
    "export": _export,
    "import": _import,
    "adjudicate": _adjudicate,
    "apply": _apply,
    "correct": _correct,
}


def _golden(home: Workspace, name: str) -> str:
    """The content hash of the golden dataset that this name, of a dataset or a run, or id means."""
    goldens = named_datasets(home)
    for run in home.runs(archived=True):
        goldens |= {run.name: run.golden_id, run.run_id: run.golden_id}
    return goldens.get(name, name)


def _needed(asked: argparse.Namespace, option: str, expected: str) -> str:
    value = getattr(asked, option)
    if value is None:
        raise _lacking(f"review {asked.action}", f"no --{option}", expected)
    return str(value)


def _lacking(where: str, found: str, expected: str) -> QavizError:
    return QavizError(Problem(where=where, found=found, expected=expected, fix="See: qaviz review --help"))


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of a review: --session, --file, --item, --decision and what stands beside it."""
    parser.add_argument("--session", metavar="ID", help="the review that status, export, import and others are about")
    parser.add_argument("--file", metavar="FILE", help="export, import: a .jsonl or .xlsx of the items of one reader")
    parser.add_argument("--item", metavar="N", help="adjudicate: the item; without --decision its decisions are shown")
    parser.add_argument("--decision", choices=ACTIONS, metavar="DECISION", help=f"adjudicate: {', '.join(ACTIONS)}")
    parser.add_argument("--finding", action="append", metavar="FINDING", help="adjudicate: may be given several times")
    parser.add_argument("--reason", metavar="TEXT", help="adjudicate, classify: why; needed")
    for name in ("question", "answer", "fact"):
        parser.add_argument(f"--{name}", metavar="TEXT", help=f"adjudicate, edit: the new {name}")
    parser.add_argument("--category", metavar="NAME", help="classify, start: only this category")
    severities = tuple(each.value.replace(" ", "-") for each in Severity)
    parser.add_argument("--severity", choices=severities, help="classify: how bad a wrong triplet is")
    likely = tuple(each.value for each in Likelihood)
    parser.add_argument("--likelihood", choices=likely, help="classify: how often it would do harm")
    parser.add_argument("--document", metavar="NAME", help="correct: the document's name (default: the file's)")
    parser.add_argument("--two-stages", action="store_true", help="start: a second sample only if one is wrong")
    parser.add_argument("--readers", type=int, choices=range(1, 10), metavar="N", help="start: readers a triplet")
    tools = (LABEL_STUDIO, ARGILLA)
    parser.add_argument("--tool", choices=tools, help="export: a .json file for this review tool; import knows it")
    add_by_argument(parser)
