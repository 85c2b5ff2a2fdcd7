"""`qaviz golden` and `qaviz lint`: the versions of a golden dataset, and what is wrong with it."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from qaviz.analysis.numbers import plural
from qaviz.analysis.outcomes import counting, tabulate
from qaviz.analysis.smoke import MOST_COMPARED, WHY, choose_smoke_set, collect_outcomes
from qaviz.bulk.chunks import rescore
from qaviz.cli import DONE, FOUND_PROBLEMS, models, terminal
from qaviz.cli import options as o
from qaviz.cli.names import find_golden, find_version, open_version, read_golden
from qaviz.exports.table_files import GOLDEN_FORMATS
from qaviz.golden import expanding
from qaviz.golden.edits import differences, edits_to, preview, proposed_edits, without_rejected
from qaviz.golden.lint import explain_rules
from qaviz.golden.lint import lint as find_problems
from qaviz.golden.lint.findings import ERROR, EVIDENCE, MESSAGE, SEVERITIES, SEVERITY, SUGGESTION
from qaviz.golden.versions import accept, newest_version
from qaviz.llm import open_session
from qaviz.loading import Source
from qaviz.model.columns import ANSWERABLE, PIPELINE, QUESTION, QUESTION_ID, REPEAT_OF, RESPONSE, VERDICT
from qaviz.model.errors import stop
from qaviz.model.records import Run
from qaviz.runs import rescore_run
from qaviz.store.golden_versions import RULE, kept_edits, kept_rejections, passages, versions, with_places
from qaviz.store.labels import FORM, keep_answer_forms, kept_answer_forms, kept_labels, kept_triplet_findings
from qaviz.store.workspace import Workspace

golden = o.CommandGroup("golden", "Show, compare, export or extend the versions of a golden dataset.")
_WHY = "the reason that the history shows"
_FORMAT = "the format (default: by FILE's suffix)"


class _LintOptions(o.Printed):
    golden: str = o.argument("a file, .jsonl, .csv, .parquet, .xlsx; or a run or golden dataset by name or id")
    run: str | None = o.option("RUN", "a run over it: also applies the rules that need responses", type=o.RUN_NAME)


@o.command(_LintOptions)
def lint(options: _LintOptions) -> o.Printout:
    """List what is wrong with a golden dataset.

    Facts that match too much or too little, contradictions, duplicates and more. With --run also what the responses
    show: missing variants, facts that no pipeline states. Exit code 1 if a finding is an error.
    """
    is_file = Source.of(options.golden).sheet or Path(options.golden).is_file()
    triplets = read_golden(options.golden) if is_file else find_golden(options.workspace, options.golden)
    rows, labels = None, None
    with terminal.progress_line() as progress:
        if options.run is not None:
            home = options.home
            run = home.find(options.run)
            rows = rescore(home.rows(run), triplets, run.thresholds, progress)
            if rows.is_empty():
                expected = "the golden dataset that the run was scored on, or a version of it"
                fix = "Name the run of this golden dataset, or lint without --run."
                raise stop(options.golden, f'none of the questions of the run "{run.name}"', expected, fix)
            labels = _labels_that_count(home, run)
        findings = find_problems(triplets, rows, progress, labels=labels)
    code = FOUND_PROBLEMS if ERROR in findings[SEVERITY] else DONE
    return o.Printout(findings, _report_findings(triplets.height, findings), code)


def _report_findings(triplets: int, findings: pl.DataFrame) -> Iterator[str]:
    for finding in findings.iter_rows(named=True):
        words = f"{finding[MESSAGE]} {finding[EVIDENCE].removesuffix('.')}. {finding[SUGGESTION] or ''}".rstrip()
        yield f"{finding[SEVERITY]}  {finding[QUESTION_ID]}  {finding[RULE]}: {words}"
    numbers = dict(findings.group_by(SEVERITY).len().iter_rows())
    words = ", ".join(plural(numbers[severity], severity) for severity in SEVERITIES if severity in numbers)
    yield f"{plural(triplets, 'triplet')}: {words or 'nothing found'}"


def _labels_that_count(home: Workspace, run: Run) -> pl.DataFrame | None:
    """The run's labels, one a response; None where it has none."""
    labels = kept_labels(home, run)
    return None if labels.is_empty() else counting(labels)


class _OfGolden(o.Options):
    golden: str = o.argument("a run or a generated dataset: NAME, NAME@VERSION; or a golden dataset's id")


class _HistoryOptions(_OfGolden, o.Printed):
    """All of them are inherited."""


@golden.action("history", _HistoryOptions)
def _history(options: _HistoryOptions) -> o.Printout:
    """List the versions: who made each, when, why, and every edit."""
    home, named = open_version(options.workspace, options.golden)
    return o.Printout({"versions": versions(home, named.line), "edits": kept_edits(home, named.line)})


class _ExportOptions(_OfGolden):
    out: Path = o.file("the file to write", required=True)
    format: str | None = o.choice(GOLDEN_FORMATS, _FORMAT)


@golden.action("export", _ExportOptions)
def _export(options: _ExportOptions) -> o.Printout:
    """Write one version as JSON Lines, CSV or a workbook that qaviz reads back unchanged, or in FMEval's own names."""
    home, version = open_version(options.workspace, options.golden)
    triplets = with_places(home, home.golden(version.golden_id), version.golden_id)
    _write(triplets, options.out, options.format)
    return o.Printout({"file": options.out, "version": version.number, "triplets": triplets.height})


def _write(golden: pl.DataFrame, out: Path, form: str | None) -> None:
    """Write it in this format, else in that of the file's suffix. Raises QavizError where there is none."""
    name = form or out.suffix.removeprefix(".").lower()
    if name not in GOLDEN_FORMATS:
        suffixes = ", ".join(sorted({kind.suffix for kind in GOLDEN_FORMATS.values()}))
        raise stop(f"--out {out}", f'the suffix "{out.suffix}"', suffixes, "Name another file, or add --format.")
    o.write_out(out, GOLDEN_FORMATS[name].write(golden))


class _DiffOptions(_HistoryOptions):
    other: str = o.argument("what it is compared with, named likewise")


@golden.action("diff", _DiffOptions)
def _diff(options: _DiffOptions) -> o.Printout:
    """Compare two, text by text."""
    home, old = open_version(options.workspace, options.golden)
    new = find_version(home, options.other)
    return o.Printout(differences(home.golden(old.golden_id), home.golden(new.golden_id)))


class _AcceptOptions(o.OfRun, o.ByWhom):
    run: str = o.argument("a run over the golden dataset: its name or id", type=o.RUN_NAME)
    rule: str = o.choice(explain_rules(), "whose suggestions are accepted", metavar="RULE", required=True)
    why: str | None = o.option("TEXT", _WHY)


@golden.action("accept", _AcceptOptions)
def _accept(options: _AcceptOptions) -> o.Printout:
    """Make a version of all edits that one rule of lint suggests, and say what it changes over the run."""
    home, run = options.open_run()
    version = newest_version(home, run.golden_id)
    triplets = home.golden(version.golden_id)
    with terminal.progress_line() as progress:
        rows = rescore_run(run, home, version.golden_id, progress)
        judged, forms = (read(home, version.golden_id) for read in (kept_triplet_findings, kept_answer_forms))
        labelled = _labels_that_count(home, run)
        findings = find_problems(triplets, rows, progress, judged, forms, labelled)
        findings = without_rejected(findings, kept_rejections(home, version.line))
    edits = edits_to(triplets, proposed_edits(findings.filter(pl.col(RULE) == options.rule)))
    effects = preview(rows, triplets, edits, run.thresholds, run.pipelines, labelled)
    figures = {"version": None, "golden_id": None, "edits": edits.height, **vars(effects)}
    if edits.is_empty():
        return o.Printout(figures)
    why = options.why or f"all suggestions of the rule {options.rule}"
    made = accept(home, version, edits, options.person, why)
    return o.Printout(figures | {"version": made.number, "golden_id": made.golden_id})


class _SampleOptions(_OfGolden):
    smoke: int = o.option("N", "how many questions", type=o.number(1, 100_000), required=True)
    out: Path | None = o.file("the file to write")
    format: str | None = o.choice(GOLDEN_FORMATS, _FORMAT)
    seed: int = o.option("N", "seed of what is left to chance", type=o.SEEDS, default=0)


@golden.action("sample", _SampleOptions)
def _sample(options: _SampleOptions) -> o.Printout:
    """Choose questions to ask with each commit by the runs of this golden dataset's versions, and say why each."""
    home, version = open_version(options.workspace, options.golden)
    triplets = home.golden(version.golden_id)
    line = {of_line.golden_id for of_line in versions(home, version.line)}
    past = [run for run in home.runs()[:MOST_COMPARED] if run.golden_id in line]
    columns = (QUESTION_ID, ANSWERABLE, PIPELINE, REPEAT_OF, RESPONSE, VERDICT)
    settled = [
        tabulate(home.rows(run, columns), home.golden(run.golden_id)[QUESTION_ID], kept_labels(home, run))
        for run in past
    ]
    outcomes = collect_outcomes(triplets, settled)
    chosen = choose_smoke_set(triplets, outcomes, options.smoke, options.seed)
    if options.out:
        _write(chosen, options.out, options.format)
    figures = {"file": options.out, "runs": len(past), "pipelines": outcomes.shape[1], "seed": options.seed}
    return o.Printout(figures | {"questions": chosen.select(QUESTION_ID, WHY, QUESTION)})


class _ExpandOptions(_OfGolden, models.ModelOptions, o.ByWhom):
    out: Path | None = o.file("write all forms with their reasons to this file too")
    why: str | None = o.option("TEXT", _WHY)
    estimate: bool = o.switch("print the estimate; calls no model")


@golden.action("expand", _ExpandOptions)
def _expand(options: _ExpandOptions) -> o.Printout:
    """Ask a model for other forms of answers: what is proved becomes a version, people confirm the rest."""
    home, version = open_version(options.workspace, options.golden)
    version = newest_version(home, version.golden_id)
    triplets, model = expanding.select_expandable(home.golden(version.golden_id)), options.named_model
    texts = dict(passages(home, version.golden_id).select(QUESTION_ID, "passage").iter_rows())
    requests, journal = expanding.requests_for_forms(triplets, texts), expanding.journal_of_forms(home, version.line)
    with open_session(models.read_model_settings(options, journal)) as session, terminal.progress_line() as progress:
        if options.estimate:
            return models.print_estimate(session.estimate(requests))
        wrong = expanding.list_wrong_responses(home, version.line)
        proposed, unread = expanding.expand_answers(session, triplets, texts, wrong, model, progress=progress)
        spend, stopped = session.spend, session.stopped
    forms_kept = kept_answer_forms(home, version.golden_id)
    forms = proposed.join(forms_kept, on=[QUESTION_ID, FORM], how="anti", maintain_order="left")
    keep_answer_forms(home, version.golden_id, forms, options.person)
    models.say_stop(stopped)
    figures: dict[str, object] = {"asked": triplets.height, "unread": unread, "stopped": stopped}
    figures |= {"calls": spend.calls, "cost": spend.cost, "currency": spend.currency}
    figures |= {"forms": expanding.count_forms(forms), "version": None, "golden_id": None, "edits": 0}
    edits = expanding.edits_not_taken_back(home, version)
    if not edits.is_empty():
        why = options.why or f"other forms of answers, proposed by {model} and proved"
        made = accept(home, version, edits, options.person, why)
        figures |= {"version": made.number, "golden_id": made.golden_id, "edits": edits.height}
    if options.out:
        o.write_out(options.out, kept_answer_forms(home, version.golden_id).write_ndjson().encode())
    return o.Printout(figures)
