"""`qaviz review`: how much of a golden dataset people review by its risk, and the reviews themselves."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import count, percent, plural, upper_bound
from qaviz.cli.golden import find_golden, find_version
from qaviz.cli.options import JSON, SHARE, TEXT, Actions, ByWhom, choice, command, number, option
from qaviz.cli.paths import write_out
from qaviz.cli.terminal import as_json, escape, progress_line
from qaviz.documents import read_document
from qaviz.exports.review_files import (
    ARGILLA,
    LABEL_STUDIO,
    as_argilla,
    as_jsonl,
    as_label_studio,
    as_workbook,
    label_studio_config,
    review_table,
)
from qaviz.exports.table_files import csv_text
from qaviz.loading import Source, apart
from qaviz.model.columns import CATEGORY
from qaviz.model.errors import stop
from qaviz.review import (
    Level,
    Likelihood,
    Severity,
    bound_wrong,
    classify_risk,
    level_rules,
    plan_review,
    say_plan,
)
from qaviz.review.session import (
    ReviewRules,
    apply_review,
    bring_back,
    import_decisions,
    promote_review,
    refresh_review,
    start_review,
)
from qaviz.review.statement import say_statement, state_review, statement_columns, statements_of
from qaviz.stats import CONFIDENCE
from qaviz.store.review_sessions import WHOLE, ReviewSession, classify, find_session, review_sessions
from qaviz.store.workspace import Workspace

ACTIONS = Actions("review")


@ACTIONS.add("plan", "", "--population", opens=None)
def _plan(options: "_ReviewOptions") -> Iterator[str]:
    plan = plan_review(
        _count_triplets(options.population, options.workspace),
        Level(options.level.replace("-", " ")),
        at_most=options.at_most,
        allowed_wrong=options.allowed_wrong,
    )
    if options.format == JSON:
        yield as_json(asdict(plan))
        return
    yield f"Review {count(plan.sample)} of {count(plan.population)} triplets, chosen at random (risk: {plan.level})."
    yield f"At most {count(plan.allowed_wrong)} of them may be wrong. Then, with {percent(plan.confidence)} confidence,"
    yield f"at most {upper_bound(plan.at_most)} of all triplets are wrong."
    if plan.readers > 1:
        yield f"{plan.readers} people read each triplet."


@ACTIONS.add("bound", "", "--population", opens=None)
def _print_bound(options: "_ReviewOptions") -> Iterator[str]:
    population, reviewed, wrong = (
        _count_triplets(options.population, options.workspace),
        options.reviewed or 0,
        options.wrong,
    )
    at_most = bound_wrong(population, reviewed, wrong)
    if options.format == JSON:
        figures = {"population": population, "reviewed": reviewed, "wrong": wrong}
        yield as_json(figures | {"at_most": at_most, "confidence": CONFIDENCE})
        return
    yield f"{count(wrong)} of {count(reviewed)} reviewed triplets are wrong, of {count(population)} in all."
    yield f"With {percent(CONFIDENCE)} confidence at most {upper_bound(at_most)} of all triplets are wrong (exact)."


def _count_triplets(given: str, folder: Path) -> int:
    """The number itself, or how many triplets the golden dataset of this name, id or file has."""
    return int(given) if given.isdecimal() and len(given) <= len("1000000000") else find_golden(folder, given).height


@ACTIONS.add("classify", "", "--population", "--severity", "--likelihood", "--reason")
def _classify(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    version = find_version(home, options.population)
    severity = Severity(options.severity.replace("-", " "))
    likelihood = Likelihood(options.likelihood)
    level = classify_risk(severity, likelihood)
    category = options.category or WHOLE
    classify(
        home, version.line, category, severity.value, likelihood.value, level.value, options.reason, options.person
    )
    rule = level_rules(home)[level]
    golden = home.golden(version.golden_id)
    population = golden.filter(pl.col(CATEGORY) == category).height if category else golden.height
    yield f"{level} risk"
    yield say_plan(plan_review(population, level, at_most=rule.at_most, allowed_wrong=options.allowed_wrong))


@ACTIONS.add("start", "", "--population")
def _start(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    golden = find_version(home, options.population).golden_id
    rules = ReviewRules(
        readers=options.readers,
        at_most=options.at_most,
        allowed_wrong=options.allowed_wrong,
    )
    level = Level(options.level.replace("-", " "))
    started = start_review(home, golden, level, options.person, category=options.category or "", rules=rules)
    yield f"{started.session}: {started.sample:,} of {started.population:,} triplets drawn, and those that are flagged."


@ACTIONS.add("promote", "", "--session")
def _promote(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    level = Level(options.level.replace("-", " "))
    larger = promote_review(home, options.session, level, options.person)
    yield f"{larger.session}: {larger.sample:,} of {larger.population:,} triplets drawn; what was read stays."


@ACTIONS.add("status")
def _status(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    if options.session:
        refresh_review(home, options.session)
        statements = [state_review(home, options.session)]
    elif options.population:
        statements = statements_of(home, find_version(home, options.population).line)
    else:
        statements = [state_review(home, session.session) for session in review_sessions(home)]
    if options.format == CSV:
        yield csv_text(statement_columns(statements)).rstrip()
        return
    if options.format == JSON:
        yield as_json([asdict(statement) | {"stopped": statement.stopped} for statement in statements])
        return
    for statement in statements:
        yield f"review {statement.session.session}"
        yield from (escape(f"  {line}") for line in say_statement(statement))
    if not statements:
        yield "no review yet"


@ACTIONS.add("export", "", "--session", "--file")
def _export(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    session = options.session
    refresh_review(home, session)
    out = Path(options.file)
    suffixes = (".json",) if options.tool else (".jsonl", ".xlsx")
    if out.suffix.lower() not in suffixes:
        raise stop("--file", str(out), f"a file that ends in {' or '.join(suffixes)}", "See: qaviz review --help")
    table = review_table(home, session, options.person)
    review = find_session(home, session)
    for file, content in _fill_files(out, table, review, options.tool).items():
        write_out(file, content)
    yield escape(f"{out}: {plural(table.height, 'item')}")


def _fill_files(out: Path, table: pl.DataFrame, review: ReviewSession, tool: str | None) -> dict[Path, bytes]:
    """The files of an export with what stands in them: beside Label Studio's tasks the project's interface."""
    if tool == LABEL_STUDIO:
        return {out: as_label_studio(table), out.with_suffix(".xml"): label_studio_config(review).encode()}
    if tool == ARGILLA:
        return {out: as_argilla(table)}
    return {out: as_jsonl(table) if out.suffix.lower() == ".jsonl" else as_workbook(table, review)}


@ACTIONS.add("import", "", "--session", "--file")
def _import(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    with progress_line() as progress:
        rows = apart.read_decisions(Source.of(options.file), progress)
    kept, left = import_decisions(home, options.session, options.person, rows)
    yield f"{plural(kept, 'decision')} kept" + (f", {left:,} not: read by others or changed since" if left else "")


@ACTIONS.add("apply", "", "--session")
def _apply(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    made = apply_review(home, options.session, options.person)
    yield f"version {made.number}: {plural(made.edits, 'edit')}" if made else "nothing to apply"


@ACTIONS.add("correct", "", "--population", "--file")
def _correct(options: "_ReviewOptions", home: Workspace) -> Iterator[str]:
    line = find_version(home, options.population).line
    name = options.document or Path(options.file).name
    back, gone = bring_back(home, line, name, read_document(Source.of(options.file)), options.person)
    yield escape(
        f"{name}: {plural(back, 'triplet')} back, to be reviewed again; {gone:,} stay out: their passage is gone"
    )


CSV = "csv"
_LEVELS = [level.value.replace(" ", "-") for level in Level]


@dataclass(frozen=True, kw_only=True)
class _ReviewOptions(ByWhom):
    """What an action needs is there when it runs."""

    action: str = ACTIONS.argument()
    session: str = option("ID", "the review that status, export, import and others are about")
    file: str = option("FILE", "export, import: a .jsonl or .xlsx file of the items of one reader")
    reason: str = option("TEXT", "classify: why; required")
    category: str | None = option("NAME", "classify, start: only this category")
    severity: str = choice(
        [severity.value.replace(" ", "-") for severity in Severity], "classify: how bad a wrong triplet is"
    )
    likelihood: str = choice([likelihood.value for likelihood in Likelihood], "classify: how often it would do harm")
    document: str | None = option("NAME", "correct: the document's name (default: the file's)")
    readers: int | None = option("N", "start: readers of each triplet", type=number(1, 9))
    tool: str | None = choice(
        (LABEL_STUDIO, ARGILLA), "export: a .json file for this review tool; import recognises it"
    )
    population: str = option("N", "how many triplets there are, or the name of a golden dataset or run")
    level: str = choice(_LEVELS, "plan, start, promote: the risk", default=Level.MEDIUM.value)
    at_most: float | None = option("SHARE", "plan, start: another limit than the level's: 0.03 or 3%", type=SHARE)
    allowed_wrong: int = option("N", "plan, start: wrong triplets allowed in the sample", type=number(0), default=0)
    reviewed: int | None = option("N", "bound: how many were reviewed", type=number(0))
    wrong: int = option("N", "bound: how many are wrong", type=number(0), default=0)
    format: str = choice((TEXT, JSON, CSV), "csv: only of status", default=TEXT)


@command(_ReviewOptions)
def review(options: "_ReviewOptions") -> None:
    """Plan and carry out the review of a golden dataset by people.

    plan sizes the random sample for a risk level; bound says how many of all triplets may be wrong after a review.
    start draws a review of a golden dataset; status says what the reviews have shown; export and import exchange items
    and decisions of a reader as files; a decision that changed replaces that reader's; apply makes a version of what is
    settled.
    """
    print("\n".join(ACTIONS.act(options.action, options)))
