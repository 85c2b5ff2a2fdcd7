"""`qaviz golden` and `qaviz lint`: the versions of a golden dataset, and what is wrong with it."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import orjson
import polars as pl

from qaviz.analysis.numbers import out_of, percent, plural
from qaviz.analysis.outcomes import counting, tabulate
from qaviz.analysis.sentences import effect_points
from qaviz.analysis.smoke import MOST_COMPARED, WHY, choose_smoke_set, collect_outcomes
from qaviz.bulk.chunks import rescore
from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli.files import say_listed
from qaviz.cli.judge import ModelOptions, read_model_settings
from qaviz.cli.options import (
    FILE,
    JSON,
    RUN_NAME,
    SEEDS,
    TEXT,
    ByWhom,
    CommandGroup,
    Options,
    Printed,
    argument,
    choice,
    command,
    number,
    option,
    switch,
)
from qaviz.cli.paths import is_there, open_existing, write_out
from qaviz.cli.terminal import as_json, escape, progress_line
from qaviz.exports.table_files import GOLDEN_FORMATS
from qaviz.golden.edits import CHANGE, Effects, differences, preview_rule, without_rejected
from qaviz.golden.expanding import (
    PROPOSED_FORM,
    count_forms,
    edits_not_taken_back,
    expand_answers,
    journal_of_forms,
    list_labelled_responses,
    requests_for_forms,
    select_expandable,
)
from qaviz.golden.lint import explain_rules
from qaviz.golden.lint import lint as find_problems
from qaviz.golden.lint.findings import ERROR, EVIDENCE, MESSAGE, SEVERITIES, SEVERITY, SUGGESTION
from qaviz.golden.variants import REJECTED, TO_REVIEW
from qaviz.golden.versions import accept, newest_version
from qaviz.llm import open_session
from qaviz.loading import Source, apart
from qaviz.loading.load_log import DUPLICATE, KIND
from qaviz.model.columns import ANSWERABLE, PIPELINE, QUESTION, QUESTION_ID, REPEAT_OF, RESPONSE, VERDICT
from qaviz.model.errors import stop
from qaviz.model.records import Run
from qaviz.runs import rescore_run
from qaviz.store.golden_versions import (
    AFTER,
    BEFORE,
    FIELD,
    NUMBER,
    RULE,
    GoldenVersion,
    kept_edits,
    kept_rejections,
    line_of,
    named_datasets,
    passages,
    versions,
    with_places,
)
from qaviz.store.labels import (
    FORM,
    REASON,
    STATUS,
    keep_answer_forms,
    kept_answer_forms,
    kept_labels,
    kept_triplet_findings,
)
from qaviz.store.workspace import Workspace


class _LintOptions(Options):
    golden: str = argument("a file, .jsonl, .csv, .parquet, .xlsx; or a run or golden dataset by name or id")
    run: str | None = option("RUN", "a run over it: also applies the rules that need responses")
    format: str = choice((TEXT, JSON), "json: a list of findings", default=TEXT)


@command(_LintOptions)
def lint(options: _LintOptions) -> int:
    """List what is wrong with a golden dataset.

    Facts that match too much or too little, contradictions, duplicates and more. With --run also what the responses
    show: missing variants, facts that no pipeline states. Exit code 1 if a finding is an error.
    """
    with progress_line() as progress:
        source = Source.of(options.golden)
        if source.sheet or Path(options.golden).is_file():
            triplets, listed = apart.load_golden(source, progress)
            say_listed(listed.filter(pl.col(KIND) == DUPLICATE))
        else:
            triplets = find_golden(options.workspace, options.golden)
        rows, labels = None, None
        if options.run is not None:
            home = open_existing(options.workspace)
            run = home.find(options.run)
            rows = rescore(home.rows(run), triplets, run.thresholds, progress)
            _refuse_unrelated(rows, run, options.golden)
            labels = _labels_that_count(home, run)
        findings = find_problems(triplets, rows, progress, labels=labels)
    for line in _report_findings(triplets.height, findings, options.format):
        print(line)
    return FOUND_PROBLEMS if ERROR in findings[SEVERITY] else DONE


def _labels_that_count(home: Workspace, run: Run) -> pl.DataFrame | None:
    """The run's labels, one a response; None where it has none."""
    labels = kept_labels(home, run)
    return None if labels.is_empty() else counting(labels)


MISSING = "nothing"
golden = CommandGroup("golden", "Show, compare, export or extend the versions of a golden dataset.")
OUTCOME_COLUMNS = (QUESTION_ID, ANSWERABLE, PIPELINE, REPEAT_OF, RESPONSE, VERDICT)


def name_goldens(home: Workspace) -> dict[str, str]:
    """The ids of golden datasets by what people call them: a generated dataset's name, a run's name or id."""
    goldens = named_datasets(home)
    for run in home.runs(archived=True):
        goldens |= {run.name: run.golden_id, run.run_id: run.golden_id}
    return goldens


def find_version(home: Workspace, name: str) -> GoldenVersion:
    """The version that is meant by a run's or a generated dataset's name, NAME@2, or a golden dataset's id."""
    goldens = name_goldens(home)
    of, at, number = name.rpartition("@")
    if name not in goldens and at and number.isdecimal() and of in goldens:
        line = versions(home, line_of(home, goldens[of]))
        if 1 <= int(number) <= len(line):
            return line[int(number) - 1]
        raise stop(name, f"no version {number}", f"a number from 1 to {len(line)}", f'See: qaviz golden history "{of}"')
    if name in goldens:
        return newest_version(home, goldens[name])
    matching = [version for version in versions(home, line_of(home, name)) if version.golden_id == name]
    if matching:
        return matching[-1]
    raise stop(
        name,
        "no such file, and no such run, version or golden dataset in the workspace",
        "a file, NAME, NAME@VERSION or the id of a golden dataset",
        "Check the name, or name the workspace with --workspace.",
    )


_WHY = "the reason that the history shows"
_FORMAT = "the format (default: by FILE's suffix)"


class _OfGolden(Options):
    golden: str = argument("a run or a generated dataset: NAME, NAME@VERSION; or a golden dataset's id")


class _HistoryOptions(_OfGolden, Printed):
    """All of them are inherited."""


@golden.action("history", _HistoryOptions)
def _history(options: _HistoryOptions) -> Iterator[str]:
    """List the versions: who made each, when, why, and every edit."""
    home = open_existing(options.workspace)
    line = versions(home, find_version(home, options.golden).line)
    edits = kept_edits(home, line[0].line)
    if options.format == JSON:
        print(as_json({"versions": [asdict(version) for version in line], "edits": edits.to_dicts()}))
        return
    for version in line:
        by = f"by {version.made_by}" if version.made_by else "from a file"
        made = f"{version.made_at:%Y-%m-%d %H:%M} UTC  {by}"
        yield f"version {version.number}  {version.golden_id}  {made}: {version.why}"
        for edit in edits.filter(pl.col(NUMBER) == version.number).iter_rows(named=True):
            rule = f" ({edit[RULE]})" if edit[RULE] else ""
            yield f"    {_describe_edit(edit)}{rule}"


def _describe_edit(edit: dict[str, str | None]) -> str:
    return f"{edit[QUESTION_ID]}, {edit[FIELD]}: {edit[BEFORE] or MISSING} → {edit[AFTER] or MISSING}"


class _ExportOptions(_OfGolden):
    out: Path = option("FILE", "the file to write", type=FILE, required=True)
    format: str | None = choice(GOLDEN_FORMATS, _FORMAT)


@golden.action("export", _ExportOptions)
def _export(options: _ExportOptions) -> Iterator[str]:
    """Write one version as JSON Lines, CSV or a workbook that qaviz reads back unchanged, or in FMEval's own names."""
    home = open_existing(options.workspace)
    version = find_version(home, options.golden)
    triplets = with_places(home, home.golden(version.golden_id), version.golden_id)
    _write(triplets, options.out, options.format)
    yield f"qaviz: version {version.number}, {plural(triplets.height, 'triplet')}, in {options.out}"


def _write(golden: pl.DataFrame, out: Path, form: str | None) -> None:
    """Write it in this format, else in that of the file's suffix. Raises QavizError where there is none."""
    name = form or out.suffix.removeprefix(".").lower()
    if name not in GOLDEN_FORMATS:
        raise stop(
            f"--out {out}",
            f'the suffix "{out.suffix}"',
            ", ".join(sorted({kind.suffix for kind in GOLDEN_FORMATS.values()})),
            "Name another file, or add --format.",
        )
    write_out(out, GOLDEN_FORMATS[name].write(golden))


class _DiffOptions(_OfGolden, Printed):
    other: str = argument("what it is compared with, named likewise")


@golden.action("diff", _DiffOptions)
def _diff(options: _DiffOptions) -> Iterator[str]:
    """Compare two, text by text."""
    home = open_existing(options.workspace)
    old, new = (find_version(home, name) for name in (options.golden, options.other))
    changes = differences(home.golden(old.golden_id), home.golden(new.golden_id))
    if options.format == JSON:
        print(as_json(changes.to_dicts()))
        return
    yield f"qaviz: from version {old.number} to version {new.number}: {plural(changes.height, 'changed text')}"
    for row in changes.iter_rows(named=True):
        yield f"{row[CHANGE]}  {_describe_edit(row)}"


class _AcceptOptions(ByWhom):
    run: str = argument("a run over the golden dataset: its name or id", type=RUN_NAME)
    rule: str = choice(
        explain_rules(), "the rule of `qaviz lint` whose suggestions are accepted", metavar="RULE", required=True
    )
    why: str | None = option("TEXT", _WHY)


@golden.action("accept", _AcceptOptions)
def _accept(options: _AcceptOptions) -> Iterator[str]:
    """Make a version of all edits that one rule of lint suggests, and say what it changes over the run."""
    home = open_existing(options.workspace)
    run = home.find(options.run)
    version = newest_version(home, run.golden_id)
    triplets = home.golden(version.golden_id)
    with progress_line() as progress:
        rows = rescore_run(run, home, version.golden_id, progress)
        judged, forms = (read(home, version.golden_id) for read in (kept_triplet_findings, kept_answer_forms))
        labelled = _labels_that_count(home, run)
        findings = find_problems(triplets, rows, progress, judged, forms, labelled)
        findings = without_rejected(findings, kept_rejections(home, version.line))
    thresholds, pipelines = run.thresholds, run.pipelines
    edits, effects = preview_rule(triplets, findings, options.rule, rows, thresholds, pipelines, labelled)
    if edits.is_empty():
        yield f'qaviz: the rule "{options.rule}" suggests nothing'
        return
    why = options.why or f"all suggestions of the rule {options.rule}"
    made = accept(home, version, edits, options.person, why)
    yield f"qaviz: version {made.number}, {plural(edits.height, 'edit')}"
    yield from _report_effects(effects)


def _report_effects(effects: Effects) -> Iterator[str]:
    for row in effects.facts.iter_rows(named=True):
        now = f"{out_of(row['hits'], row['scored'])} ({percent(row['before'])})"
        then = f"{out_of(row['hits_after'], row['scored_after'])} ({percent(row['after'])})"
        yield f"  {row[PIPELINE]}: Factual Knowledge {now} → {then}"
    yield from (f"  {point}" for point in effect_points(effects.diagnoses, effects.scores, effects.mistakes))


class _SampleOptions(_OfGolden):
    smoke: int = option(
        "N",
        "N questions that are critical, unanswerable, or told pipelines apart in earlier runs",
        type=number(1, 100_000),
        required=True,
    )
    out: Path | None = option("FILE", "the file to write", type=FILE)
    format: str | None = choice(GOLDEN_FORMATS, _FORMAT)
    seed: int = option("N", "seed of what is left to chance", type=SEEDS, default=0)


@golden.action("sample", _SampleOptions)
def _sample(options: _SampleOptions) -> Iterator[str]:
    """Choose questions to ask with each commit by the runs of this golden dataset's versions, and say why each."""
    home = open_existing(options.workspace)
    version = find_version(home, options.golden)
    triplets = home.golden(version.golden_id)
    line = {of_line.golden_id for of_line in versions(home, version.line)}
    past = [run for run in home.runs()[:MOST_COMPARED] if run.golden_id in line]
    settled = [
        tabulate(home.rows(run, OUTCOME_COLUMNS), home.golden(run.golden_id)[QUESTION_ID], kept_labels(home, run))
        for run in past
    ]
    outcomes = collect_outcomes(triplets, settled)
    chosen = choose_smoke_set(triplets, outcomes, options.smoke, options.seed)
    if options.out:
        _write(chosen, options.out, options.format)
    where = f" in {options.out}" if options.out else ""
    yield (
        f"qaviz: {plural(chosen.height, 'question')} of {triplets.height:,}{where}, chosen by "
        f"{plural(outcomes.shape[1], 'pipeline')} of {plural(len(past), 'run')}, seed {options.seed}"
    )
    yield from (f"{row[QUESTION_ID]}  {row[WHY]}  {row[QUESTION]}" for row in chosen.iter_rows(named=True))


class _ExpandOptions(_OfGolden, ModelOptions, ByWhom):
    out: Path | None = option("FILE", "write all forms with their reasons to this file too", type=FILE)
    why: str | None = option("TEXT", _WHY)
    estimate: bool = switch("print the estimate; calls no model")


@golden.action("expand", _ExpandOptions)
def _expand(options: _ExpandOptions) -> Iterator[str]:
    """Ask a model for other forms of answers: what is proved becomes a version, people confirm the rest."""
    home = open_existing(options.workspace)
    version = newest_version(home, find_version(home, options.golden).golden_id)
    triplets, model = select_expandable(home.golden(version.golden_id)), options.named_model
    texts = dict(passages(home, version.golden_id).select(QUESTION_ID, "passage").iter_rows())
    requests, journal = requests_for_forms(triplets, texts), journal_of_forms(home, version.line)
    with open_session(read_model_settings(options, journal)) as session, progress_line() as progress:
        if options.estimate:
            yield f"estimate: {session.estimate(requests).describe()}"
            return
        labelled = list_labelled_responses(home, version.line)
        expanded = expand_answers(session, triplets, texts, labelled, model, progress=progress)
        spend, stopped = session.spend, session.stopped
    known = kept_answer_forms(home, version.golden_id)
    forms = expanded.forms.join(known, on=[QUESTION_ID, FORM], how="anti", maintain_order="left")
    keep_answer_forms(home, version.golden_id, forms, options.person)
    cost = "price unknown" if spend.cost is None else f"{spend.cost:,.4f} {spend.currency}"
    answers = f"{plural(expanded.answers, 'answer')}, {expanded.unread:,} without a reply"
    yield f"qaviz: {answers}; {spend.calls:,} calls, {cost}"
    if stopped:
        yield f"stopped by {stopped}: raise it, and the same command goes on from there"
    yield from _report_forms(forms)
    edits = edits_not_taken_back(home, version)
    if not edits.is_empty():
        why = options.why or f"other forms of answers, proposed by {model} and proved"
        made = accept(home, version, edits, options.person, why)
        yield f"qaviz: version {made.number}, {plural(edits.height, 'fact')} with further variants"
    if options.out:
        write_out(options.out, kept_answer_forms(home, version.golden_id).write_ndjson().encode())


def _report_forms(forms: pl.DataFrame) -> Iterator[str]:
    counts = ", ".join(f"{number:,} {status}" for status, number in count_forms(forms).items())
    yield f"{plural(forms.height, 'new form')}: {counts}"
    refused = forms.filter(pl.col(STATUS) == REJECTED)[REASON].value_counts(sort=True)
    yield from (f"  {REJECTED}: {number:,} {reason}" for reason, number in refused.iter_rows())
    if not forms.filter(pl.col(STATUS) == TO_REVIEW).is_empty():
        yield f"To review: Golden dataset lists them under the rule {PROPOSED_FORM}."


def find_golden(folder: Path, name: str) -> pl.DataFrame:
    """The golden dataset that `find_version` finds in the workspace. Raises QavizError, also where there is none."""
    if not is_there(folder):
        raise stop(
            name,
            "no such file, and no workspace to look for a golden dataset in",
            "a golden dataset: .jsonl, .csv, .parquet, .xlsx, or a name in the workspace",
            "Check the path, or name the workspace with --workspace.",
        )
    home = open_existing(folder)
    return home.golden(find_version(home, name).golden_id)


def _refuse_unrelated(rows: pl.DataFrame, run: Run, golden: str) -> None:
    if rows.is_empty():
        raise stop(
            golden,
            f'none of the questions of the run "{run.name}"',
            "the golden dataset that the run was scored on, or a version of it",
            "Name the run of this golden dataset, or lint without --run.",
        )


def _report_findings(triplets: int, findings: pl.DataFrame, form: str) -> Iterator[str]:
    """The lines that the command prints: for a program one line, a JSON list of findings."""
    if form == JSON:
        yield orjson.dumps(findings.to_dicts()).decode()
        return
    for finding in findings.iter_rows(named=True):
        words = f"{finding[MESSAGE]} {finding[EVIDENCE].removesuffix('.')}. {finding[SUGGESTION] or ''}".rstrip()
        yield escape(f"{finding[SEVERITY]}  {finding[QUESTION_ID]}  {finding[RULE]}: {words}")
    numbers = dict(findings.group_by(SEVERITY).len().iter_rows())
    words = ", ".join(plural(numbers[severity], severity) for severity in SEVERITIES if severity in numbers)
    yield f"{plural(triplets, 'triplet')}: {words or 'nothing found'}"
