"""`qaviz judge` and `judge-golden`: a language model grades responses, or checks triplets by their passages."""

from pathlib import Path

import polars as pl

from qaviz.cli import options as o
from qaviz.cli.labels import read_grader
from qaviz.cli.models import MODEL, MODELS, ModelOptions, print_estimate, read_model_settings, say_stop
from qaviz.cli.names import open_version
from qaviz.cli.terminal import progress_line
from qaviz.generation.refute import check_repairs
from qaviz.judging import runs as grading
from qaviz.judging.claims import STATE, Claim, claim_requests, compare_with_people, judge_claims, probe_claims
from qaviz.judging.probes import Probe, describe_probes, probe_judge
from qaviz.judging.prompts import Judge, default_rubric, read_rubric
from qaviz.judging.triplets import PASSAGE, VOID, TripletFinding, judge_triplets
from qaviz.llm import open_session
from qaviz.loading import Source, apart
from qaviz.model import columns as c
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import stop
from qaviz.model.records import Run
from qaviz.runs import save_judged
from qaviz.store.golden_versions import passages
from qaviz.store.labels import FINDING, keep_probes, keep_triplet_findings, require_trust
from qaviz.store.workspace import Workspace

_REPEATS = o.number(1, 10)


class _JudgeOptions(o.OfRun, ModelOptions, o.DespiteProbes, o.ByWhom):
    only: str = o.option("WHICH", "open (the least sure by words, at most half), all, or sample:N", default="open")
    rubric: Path | None = o.file("your rubric, .toml (default: qaviz's own)")
    shots: str = o.choice(("few", "zero"), "with the rubric's examples, or without", default="few")
    repeats: int = o.option("N", "grade each N times; the median counts", type=_REPEATS, default=1)
    probe: int | None = o.option("N", "test the judge by N responses and 40 injections", type=o.number(1, 10_000))
    grades: Path | None = o.file("take another grader's labels, of FILE or an installed judge's NAME; calls no model")
    grader: str | None = o.option("NAME", "which grader of that file, by its column name")
    claims: bool = o.switch("check each sentence of the responses by the passages they were given, in place of grades")
    labels: Path | None = o.file("claims: question_id, pipeline, label (supported or unsupported) of people")
    out: Path | None = o.file("claims: write them to this file, .jsonl")
    estimate: bool = o.switch("print the estimate; calls no model")
    save_as: str | None = o.option("NAME", "also keep a run in which this judge decides what words are not sure of")


@o.command(_JudgeOptions)
def judge(options: _JudgeOptions) -> o.Printout:
    """Let a language model grade responses of a run by a rubric.

    The grades are kept beside the run. By default at most half of the responses are graded: those of which words are
    least sure. Replies are kept as they come: the same command again asks only for what is missing. Exit code 1 if a
    response has no grades. See docs/judging.md.
    """
    workspace, run = options.open_run()
    only = grading.parse_only(options.only)
    if options.save_as:
        workspace.refuse_name(options.save_as)
    if options.grades:
        judged = _import_grades(workspace, run, options, options.grades)
    elif options.model is None:
        raise stop("--model", "no model", MODELS, "Name one, or take another grader's file with --grades.")
    elif options.claims:
        return _check_claims(workspace, run, options, only)
    else:
        rubric, few_shot = read_rubric(options.rubric) if options.rubric else default_rubric(), options.shots == "few"
        chosen = Judge(model=options.model, rubric=rubric, few_shot=few_shot, repeats=options.repeats)
        if options.save_as:
            require_trust(workspace, chosen.key, options.despite_probes or "")
        settings = read_model_settings(options, grading.journal_of(workspace, run))
        with open_session(settings) as session, progress_line() as progress:
            if options.probe:
                sample = grading.Only(which=grading.SAMPLE, number=options.probe)
                rows = grading.select_rows(workspace.rows(run), sample, run.thresholds)
                probes = probe_judge(session, chosen, rows, progress)
                described = grading.describe_judge(chosen, recorded=session.recorded)
                results = describe_probes(probes)
                keep_probes(workspace, run, chosen.key, chosen.model, described, results, options.person)
                return _report_probes(probes)
            if options.estimate:
                return print_estimate(grading.estimate_run(session, workspace, run, chosen, only))
            judged = grading.judge_run(session, workspace, run, chosen, only, progress=progress, by=options.person)
    if options.save_as:
        save_judged(run, workspace, judged.judge, options.save_as, options.person, options.despite_probes or "")
    figures = vars(judged) | {"why_unscored": dict(judged.why_unscored)}
    say_stop(judged.stopped)
    return o.Printout(figures, code=int(judged.unscored > 0))


def _import_grades(workspace: Workspace, run: Run, options: _JudgeOptions, file: Path) -> grading.Judged:
    imported = grading.grade_by_installed(workspace, run, str(file), options.person)
    if imported is None:
        grades = read_grader(file, options.grader)
        imported = grading.import_grades(workspace, run, options.grader or file.stem, grades, options.person)
    key, graded = imported
    return grading.Judged(asked=graded, graded=graded, judge=key)


def _report_probes(probes: list[Probe]) -> o.Printout:
    failed = [probe.name for probe in probes if probe.fires]
    return o.Printout({"probes": describe_probes(probes), "failed": failed}, code=int(bool(failed)))


def _check_claims(workspace: Workspace, run: Run, options: _JudgeOptions, only: grading.Only) -> o.Printout:
    """Check the claims of responses of the run, estimate that, or probe the judge with known ones."""
    rows = workspace.rows(run)
    if c.CONTEXTS not in rows.columns or not rows[c.CONTEXTS].count():
        expected = "responses with the passages they were given"
        raise stop(f"run “{run.name}”", "no contexts", expected, "See docs/contexts.md.")
    settings = read_model_settings(options, grading.journal_of(workspace, run))
    with open_session(settings) as session, progress_line() as progress:
        if options.probe:
            sample = grading.select_rows(rows, grading.Only(which=grading.SAMPLE, number=options.probe), run.thresholds)
            return _report_probes(probe_claims(session, sample, progress))
        chosen = grading.select_rows(rows, only, run.thresholds).filter(pl.col(c.CONTEXTS).is_not_null())
        if options.estimate:
            return print_estimate(session.estimate(claim_requests(chosen)))
        claims, spend = judge_claims(session, chosen, progress), session.spend
    people = compare_with_people(claims, pl.read_ndjson(options.labels)) if options.labels else None
    if options.out:
        o.write_out(options.out, claims.write_ndjson().encode())
    counts = {state.value: claims.filter(pl.col(STATE) == state.value).height for state in Claim}
    figures = {"claims": claims.height, **counts, "void": claims[VOID].count(), "calls": spend.calls}
    measured = people and {"responses": people.compared, "exact": people.exact, "ac1": people.ac1}
    return o.Printout(figures | {"cost": spend.cost, "people": measured})


class _JudgeGoldenOptions(ModelOptions, o.ByWhom):
    model: str = o.option("PROVIDER:NAME", MODEL, required=True)
    golden: Path = o.argument("a file, or a generated dataset's name", type=o.FILE)
    passages: Path | None = o.file("question_id, passage, and newer_passage where a newer document has it")
    out: Path | None = o.file("write the findings to this file, .jsonl")


@o.command(_JudgeGoldenOptions)
def judge_golden(options: _JudgeGoldenOptions) -> o.Printout:
    """Let a language model check triplets by their passages.

    Each finding quotes its passage, or does not count; a proposed repair is checked by words and changes nothing.
    GOLDEN is a file, with --passages, or the name of a generated dataset: then Curation lists the findings, and offers
    the repairs that words do not refute. Exit code 1 if a triplet is anything but supported. See docs/judging.md.
    """
    in_workspace = not options.golden.exists() and options.passages is None
    if in_workspace:
        home, version = open_version(options.workspace, str(options.golden))
        golden = home.golden(version.golden_id)
        texts = passages(home, version.golden_id).select(QUESTION_ID, pl.col("passage").alias(PASSAGE))
    else:
        if options.passages is None:
            fix = "Add --passages FILE, or name a dataset that was generated in this workspace."
            raise stop("--passages", "no file of passages", "one beside a golden dataset in a file", fix)
        golden_source, passage_source = Source.each_of([options.golden, options.passages])
        with progress_line() as progress:
            golden, _ = apart.load_golden(golden_source, progress)
            texts = apart.read_passages(passage_source, progress).unique(QUESTION_ID, keep="last")
    triplets = golden.join(texts, on=QUESTION_ID, how="inner", maintain_order="left")
    if triplets.is_empty():
        fault = "no passage of a question of the golden dataset"
        fix = "Check that both files belong together; a dataset has to be a generated one."
        raise stop(str(options.passages or options.golden), fault, "question_id and passage, a row a question", fix)
    settings = read_model_settings(options, options.workspace / "journals" / "judge-golden.jsonl")
    with open_session(settings) as session, progress_line() as progress:
        findings = judge_triplets(session, triplets, progress=progress)
        spend = session.spend
    proved = check_repairs(triplets, findings)
    if in_workspace:
        judged = triplets.join(proved, on=QUESTION_ID, maintain_order="left").drop_nulls(FINDING)
        keep_triplet_findings(home, version.golden_id, options.model, judged, options.person)
    if options.out:
        o.write_out(options.out, proved.write_ndjson().encode())
    counts = {finding.value: proved.filter(pl.col(FINDING) == finding.value).height for finding in TripletFinding}
    void = proved[VOID].count()
    figures: dict[str, object] = {"asked": proved.height, "judged": proved.height - void, "void": void}
    figures |= {"calls": spend.calls, "cost": spend.cost}
    figures |= {"without_passage": golden.height - triplets.height, "findings": counts}
    all_supported = (proved[FINDING] == TripletFinding.SUPPORTED.value).fill_null(False).all()
    return o.Printout(figures, code=int(not all_supported))
