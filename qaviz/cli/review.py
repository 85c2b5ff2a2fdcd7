"""`qaviz review`: how much of a golden dataset people read, as its risk asks, and the reviews themselves."""

from enum import StrEnum
from pathlib import Path

import polars as pl

from qaviz.cli import options as o
from qaviz.cli.names import find_golden, find_version, open_version
from qaviz.cli.terminal import progress_line
from qaviz.documents import read_document
from qaviz.exports import review_files as files
from qaviz.loading import Source, apart
from qaviz.model.columns import CATEGORY
from qaviz.model.errors import stop
from qaviz.review import Level, Likelihood, Severity, bound_wrong, classify_risk, plan_review
from qaviz.review import session as reviews
from qaviz.review.statement import say_statement, state_review, statements_of
from qaviz.stats import CONFIDENCE
from qaviz.store.reviews import WHOLE, classify, find_session, review_sessions

review = o.CommandGroup("review", "Plan and carry out the review of a golden dataset by people.")


def _hyphenate(word: StrEnum) -> str:
    return word.value.replace(" ", "-")


class _OfGolden(o.ByWhom):
    population: str = o.option("GOLDEN", "the golden dataset, or a run over it: its name or id", required=True)


class _OfSession(o.ByWhom):
    session: str = o.option("ID", "the review, as status lists it", required=True)


class _PlanOptions(o.Printed):
    population: str = o.option("GOLDEN", "a golden dataset or run; for a plan also a number of triplets", required=True)
    level: str = o.choice(map(_hyphenate, Level), "the risk", default=Level.MEDIUM.value)
    at_most: float | None = o.option("SHARE", "another limit than the level's: 0.03 or 3%", type=o.SHARE)
    allowed_wrong: int = o.option("N", "wrong triplets allowed in the sample", type=o.number(0), default=0)


@review.action("plan", _PlanOptions)
def _plan(options: _PlanOptions) -> o.Printout:
    """Size the random sample for a risk level."""
    population, level = _count_triplets(options.population, options.workspace), _read_level(options.level)
    return o.Printout(plan_review(population, level, at_most=options.at_most, allowed_wrong=options.allowed_wrong))


def _read_level(word: str) -> Level:
    return Level(word.replace("-", " "))


class _BoundOptions(o.Printed):
    population: str = o.option("N", "how many triplets, or the name of a golden dataset or run", required=True)
    reviewed: int = o.option("N", "how many were reviewed", type=o.number(0), default=0)
    wrong: int = o.option("N", "how many of these are wrong", type=o.number(0), default=0)


@review.action("bound", _BoundOptions)
def _print_bound(options: _BoundOptions) -> o.Printout:
    """Say how many of all triplets may be wrong after a review."""
    population = _count_triplets(options.population, options.workspace)
    figures = {"population": population, "reviewed": options.reviewed, "wrong": options.wrong}
    at_most = bound_wrong(population, options.reviewed, options.wrong)
    return o.Printout(figures | {"at_most": at_most, "confidence": CONFIDENCE})


def _count_triplets(given: str, folder: Path) -> int:
    """The number itself, or how many triplets the golden dataset of this name, id or file has."""
    return int(given) if given.isdecimal() and len(given) <= len("1000000000") else find_golden(folder, given).height


class _ClassifyOptions(_OfGolden):
    severity: str = o.choice(map(_hyphenate, Severity), "how bad a wrong triplet is", required=True)
    likelihood: str = o.choice(map(_hyphenate, Likelihood), "how often it would do harm", required=True)
    reason: str = o.option("TEXT", "why", required=True)
    category: str | None = o.option("NAME", "only this category")


@review.action("classify", _ClassifyOptions)
def _classify(options: _ClassifyOptions) -> o.Printout:
    """Keep the risk of a golden dataset or category, by severity and likelihood, and say what it asks for."""
    home, version = open_version(options.workspace, options.population)
    severity, likelihood = Severity(options.severity.replace("-", " ")), Likelihood(options.likelihood)
    level, category = classify_risk(severity, likelihood), options.category or WHOLE
    words = (severity.value, likelihood.value, level.value)
    classify(home, version.line, category, *words, options.reason, options.person)
    golden = home.golden(version.golden_id)
    population = golden.filter(pl.col(CATEGORY) == category).height if category else golden.height
    return o.Printout(plan_review(population, level))


class _StartOptions(_PlanOptions, o.ByWhom):
    category: str | None = o.option("NAME", "only this category")
    readers: int | None = o.option("N", "readers of each triplet", type=o.number(1, 9))


@review.action("start", _StartOptions)
def _start(options: _StartOptions) -> o.Printout:
    """Draw a review of a golden dataset."""
    home, version = open_version(options.workspace, options.population)
    rules = {name: getattr(options, name) for name in ("readers", "at_most", "allowed_wrong")}
    level, category = _read_level(options.level), options.category or ""
    started = reviews.start_review(home, version.golden_id, level, options.person, category=category, **rules)
    return o.Printout(started)


class _PromoteOptions(_OfSession):
    level: str = o.choice(map(_hyphenate, Level), "the higher risk", default=Level.MEDIUM.value)


@review.action("promote", _PromoteOptions)
def _promote(options: _PromoteOptions) -> o.Printout:
    """Raise a review to a higher risk: what was read stays."""
    home, level = options.home, _read_level(options.level)
    return o.Printout(reviews.promote_review(home, options.session, level, options.person))


class _StatusOptions(o.Printed):
    session: str | None = o.option("ID", "only this review")
    population: str | None = o.option("GOLDEN", "only reviews of this golden dataset, or a run's: its name or id")


@review.action("status", _StatusOptions)
def _status(options: _StatusOptions) -> o.Printout:
    """Say what the reviews have shown."""
    home = options.home
    if options.session:
        reviews.refresh_review(home, options.session)
        statements = [state_review(home, options.session)]
    elif options.population:
        statements = statements_of(home, find_version(home, options.population).line)
    else:
        statements = [state_review(home, session.session) for session in review_sessions(home)]
    lines = [
        line
        for statement in statements
        for line in (f"review {statement.session.session}", *(f"  {words}" for words in say_statement(statement)))
    ]
    figures = [vars(statement) | {"stopped": statement.stopped} for statement in statements]
    return o.Printout(figures, lines or ["no review yet"])


class _ExportOptions(_OfSession):
    file: Path = o.option("FILE", "the .jsonl or .xlsx file to write", type=o.FILE, required=True)


@review.action("export", _ExportOptions)
def _export(options: _ExportOptions) -> o.Printout:
    """Write the items of one reader to a file."""
    home, session, out = options.home, options.session, options.file
    reviews.refresh_review(home, session)
    if out.suffix.lower() not in (".jsonl", ".xlsx"):
        raise stop("--file", str(out), "a file that ends in .jsonl or .xlsx", "See: qaviz review export --help")
    table = files.review_table(home, session, options.person)
    review = find_session(home, session)
    is_lines = out.suffix.lower() == ".jsonl"
    o.write_out(out, table.write_ndjson().encode() if is_lines else files.as_workbook(table, review))
    return o.Printout({"file": out, "items": table.height})


class _ImportOptions(_OfSession):
    file: str = o.option("FILE", "the reader's items with decisions, as export wrote them", required=True)


@review.action("import", _ImportOptions)
def _import(options: _ImportOptions) -> o.Printout:
    """Keep the decisions of a reader's file; one that changed replaces that reader's."""
    home = options.home
    with progress_line() as progress:
        rows = apart.read_decisions(Source.of(options.file), progress)
    kept, left = reviews.import_decisions(home, options.session, options.person, rows)
    return o.Printout({"kept": kept, "left": left})


@review.action("apply", _OfSession)
def _apply(options: _OfSession) -> o.Printout:
    """Make a version of what is settled."""
    made = reviews.apply_review(options.home, options.session, options.person)
    version, golden_id, edits = (made.number, made.golden_id, made.edits) if made else (None, None, 0)
    return o.Printout({"version": version, "golden_id": golden_id, "edits": edits})


class _CorrectOptions(_OfGolden):
    file: str = o.option("FILE", "the corrected document", required=True)
    document: str | None = o.option("NAME", "the document's name (default: the file's)")


@review.action("correct", _CorrectOptions)
def _correct(options: _CorrectOptions) -> o.Printout:
    """Bring back the triplets of a corrected document whose passages still stand in it."""
    home, version = open_version(options.workspace, options.population)
    name = options.document or Path(options.file).name
    back, gone = reviews.bring_back(home, version.line, name, read_document(Source.of(options.file)), options.person)
    return o.Printout({"document": name, "back": back, "gone": gone})
