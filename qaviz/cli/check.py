"""`qaviz ask`, `check`, `import`: pipelines answer the golden questions, into a file or as a run that is compared with
a baseline, and responses of files become a run."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from qaviz import runs
from qaviz.analysis.gate import Gate, gate
from qaviz.analysis.numbers import plural
from qaviz.analysis.policy import criteria_in_force, read_policy
from qaviz.analysis.run_changes import RunSide, pair_pipelines, read_side
from qaviz.analysis.tables import COMPARED, describe_scores, their_scores
from qaviz.bulk.chunks import OWN_ENGINE, SCORERS
from qaviz.cli import COULD_NOT_RUN, DONE, INTERRUPTED, files
from qaviz.cli import options as o
from qaviz.cli.compare import EXIT_CODES, WithBaseline, write_gate, write_pack
from qaviz.cli.models import MOST_IN_FLIGHT, PaidOptions
from qaviz.cli.names import read_golden
from qaviz.cli.terminal import as_json, progress_line, say
from qaviz.exports.decision_pack import exporters
from qaviz.exports.gate_formats import FORMATS
from qaviz.exports.table_files import check_out
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import heard_rows, journal_of, judge_run, parse_only
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.loading import Source
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import JUDGED_BY, Run
from qaviz.pipelines import Asked as Answered
from qaviz.pipelines import AskSettings, Pipeline, ask_pipelines, parse_pipelines
from qaviz.pipelines.asking import journal_of as answers_of
from qaviz.pipelines.pipeline import FORMS, is_spec
from qaviz.store.labels import trust_judge
from qaviz.store.workspace import Workspace

_MOST = 1000
_SECONDS = o.Value(float, "a number of seconds above 0", lambda seconds: 0 < seconds < 1e6)

_JUDGE_CAP = "1000calls"
_ADDRESS = re.compile(r"https://[\w.~:/?#@!$&*+,;=%-]{1,2000}", re.ASCII)


class AskingOptions(PaidOptions):
    """Which pipelines are asked the golden questions, and how."""

    golden: Path = o.argument("golden dataset, in any format of `qaviz import`", type=o.FILE)
    pipeline: tuple[str, ...] = o.repeated("NAME=SPEC", FORMS, required=True)
    in_flight: int | None = o.option("N", "questions at the same time (default 8)", type=o.number(1, MOST_IN_FLIGHT))
    timeout: float | None = o.option("S", "seconds for one attempt (default 120)", type=_SECONDS)
    attempts: int = o.option("N", "attempts where a failure may pass", type=o.number(1, 20), default=3)
    repeat: int = o.option("N", "ask each question N times", type=o.number(1, _MOST), default=1)
    seed: int = o.option("N", "seed of the order of questions", type=o.SEEDS, default=0)
    changed: bool = o.switch("ask only questions that --out lacks, has in other words, or has no answer to")


class _AskOptions(AskingOptions, o.Printed):
    out: Path = o.option("FILE", "file of responses to write: .jsonl", type=o.FILE, required=True)


@o.command(_AskOptions)
def ask(options: _AskOptions) -> o.Printout | int:
    """Ask pipelines the golden questions and write their responses to a file.

    `qaviz import` reads the file. Answers are kept as they come: after an interruption the same command asks only what
    is missing. A question that fails is a row without a response, with its reason. Exit code 1 if there is one. See
    docs/pipelines.md.
    """
    if options.out.suffix != ".jsonl":
        raise stop("--out", options.out.name, "a .jsonl file", "Name such a file.")
    pipelines = parse_pipelines(options.pipeline)
    golden = read_golden(options.golden)
    try:
        answers = _ask_golden(golden, pipelines, options.out, options)
    except KeyboardInterrupt:
        say(f"stopped; the answers so far are in {answers_of(options.out)}, and the same command asks the rest")
        return INTERRUPTED
    return o.Printout({"file": options.out, **vars(answers)}, code=int(bool(answers.errors)))


def _ask_golden(golden: pl.DataFrame, pipelines: list[Pipeline], out: Path, options: AskingOptions) -> Answered:
    """Ask as the options say. Raises QavizError as `ask_pipelines`, and for a cap that is none."""
    given = {part.name: getattr(options, part.name) for part in fields(AskSettings) if hasattr(options, part.name)}
    settings = AskSettings(**given, timeout_s=options.timeout, caps=parse_caps(options.cap))
    with progress_line() as progress:
        return ask_pipelines(golden, pipelines, out, settings, progress=progress)


class _CheckOptions(WithBaseline, o.DespiteProbes, AskingOptions, o.ByWhom):
    baseline: str = o.option(
        "RUN|FILE|SPEC", "a run, a file of responses, or a pipeline, which is asked too", required=True
    )
    format: str = o.choice(FORMATS, "text is for a terminal", default="md")
    name: str | None = o.option("NAME", "name of the new run (default: by pipelines and time)")
    out: Path | None = o.option("FILE", "keep the responses in this .jsonl file too", type=o.FILE)
    questions: Path | None = o.file("ask only questions of this golden dataset, such as of `golden sample --smoke`")
    judge: str | None = o.option("MODEL", "openai:NAME or bedrock:NAME grades what words leave open")
    judge_cap: tuple[str, ...] = o.repeated("AMOUNT", f"most for the judge, for each run (default {_JUDGE_CAP})")
    report: Path | None = o.file("also write the new run's decision pack as a page", "FILE.html")
    link: str | None = o.option("URL", "address of the report, for the comment: https://...")


@o.command(_CheckOptions)
def check(options: _CheckOptions) -> int:
    """Ask pipelines, score the responses as a run and compare it with a baseline.

    The comment lists what is fixed and broken, differences in words, and the change of latency and cost. With
    --questions both sides are compared on those questions alone. Exit codes as `qaviz gate`: 0 it passes; 1 it does
    not; 2 could not run, or the pipeline gave no response; 3 nobody can tell.
    """
    if options.link and not _ADDRESS.fullmatch(options.link):
        raise stop("--link", "no such address", "an https address without blanks and brackets", "Check the address.")
    pipelines = parse_pipelines(options.pipeline)
    golden = read_golden(options.golden)
    if options.questions:
        golden = golden.join(read_golden(options.questions), on=QUESTION, how="semi", maintain_order="left")
        if golden.is_empty():
            fault, fix = "no question of the golden dataset", "Choose them with: golden sample --smoke"
            raise stop(options.questions.name, fault, "questions of the golden dataset, word for word", fix)
    home = o.open_home(options.workspace)
    try:
        result = _check(home, options, pipelines, golden)
    except KeyboardInterrupt:
        say("stopped; the same command asks the rest")
        return INTERRUPTED
    print(write_gate(result, options.format))
    return EXIT_CODES[result.result]


def _check(home: Workspace, options: _CheckOptions, pipelines: list[Pipeline], golden: pl.DataFrame) -> Gate:
    if options.report:
        check_out(options.report, suffixes=exporters())
    criteria = read_policy(options.policy) if options.policy else criteria_in_force(home)
    names = tuple(pipeline.name for pipeline in pipelines)
    name = options.name or f"check {', '.join(names)[:80]} {datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
    home.refuse_name(name)
    baseline = _find_baseline(home, options, golden)
    if not options.pair and len(baseline.pipelines) == 1:
        pairs = [(pipeline, baseline.pipelines[0]) for pipeline in names]
    else:
        pairs = pair_pipelines(replace(baseline, name="this check", pipelines=names), baseline, options.pair)
    now = _ask(home, options, pipelines, golden, name, options.out)
    before = _read_side(home, baseline, options)
    if options.questions:  # the run as far as it is about these
        triplets = before.golden.join(golden, on=QUESTION, how="semi", maintain_order="left")
        rows = before.rows.join(triplets, on=QUESTION_ID, how="semi", maintain_order="left")
        before = replace(before, golden=triplets, rows=rows)
    result = gate(_read_side(home, now, options), before, pairs, criteria, options.rules)
    if options.report:
        write_pack(now, home, options.report)
    return replace(result, link=options.link or (options.report.name if options.report else ""))


def _ask(
    home: Workspace,
    options: _CheckOptions,
    pipelines: list[Pipeline],
    golden: pl.DataFrame,
    name: str,
    out: Path | None = None,
) -> Run:
    """Ask all questions, and keep the responses as a run. Raises QavizError where there is no response at all. Without
    `out` they go where the same command finds what was answered before a kill."""
    triplets = golden.write_ndjson().encode()
    if out is None:
        asked_for = "".join(pipeline.fingerprint for pipeline in pipelines).encode() + triplets
        out = home.folder / "journals" / f"check-{hashlib.sha256(asked_for).hexdigest()[:16]}.jsonl"
    answers = _ask_golden(golden, pipelines, out, options)
    say(f"{plural(answers.rows - answers.errors, 'response')}, {plural(answers.errors, 'question')} without one")
    if answers.rows <= answers.errors:
        reason = next(iter(answers.reasons), answers.stopped or "no question was asked")
        names = ", ".join(f'"{pipeline.name}"' for pipeline in pipelines)
        expected = "a pipeline that answers; nothing was saved"
        fix = "Start it, check its address, or give it more time with --timeout."
        raise stop(names, f"no response to any of {plural(answers.rows, 'question')}: {reason}", expected, fix)
    return _import_responses(home, options, [Source("golden.jsonl", triplets), Source.of(out)], name)


def _find_baseline(home: Workspace, options: _CheckOptions, golden: pl.DataFrame) -> Run:
    """The run of this name or id; else the file's, which becomes a run once; else what this SPEC answers now."""
    names = {name for run in home.runs(archived=True) for name in (run.name, run.run_id)}
    text, file = options.baseline, Path(options.baseline)
    if text not in names and file.is_file():
        digest = hashlib.sha256(options.golden.read_bytes() + b"\0" + file.read_bytes()).hexdigest()[:8]
        name = f"baseline {file.name} {digest}"
        if name not in names:
            return _import_responses(home, options, Source.each_of([options.golden, file]), name)
        return home.find(name)
    if text not in names and is_spec(text):
        named = text if is_spec(text.partition("=")[2]) or text.startswith("@") else f"baseline={text}"
        name = f"baseline {datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
        return _ask(home, options, parse_pipelines([named]), golden, name)
    return home.find(text)


def _import_responses(home: Workspace, options: _CheckOptions, sources: Sequence[Source], name: str) -> Run:
    with progress_line() as progress:
        # What was asked is kept, whatever is odd about it: the doubts stand with the run.
        request = runs.ImportRequest(
            name=name, golden=sources[0], responses=tuple(sources[1:]), by=options.person, accept_doubts=True
        )
        return runs.import_files(request, home, progress)


def _read_side(home: Workspace, run: Run, options: _CheckOptions) -> RunSide:
    """The run and its rows, with a judge heard on what words leave open; its grades are kept beside the run."""
    side = read_side(home, run)
    if options.judge is None:
        return side
    judge = Judge(model=options.judge)
    trust_judge(home, run, judge.key, options.despite_probes or "", options.person)
    caps = parse_caps(options.judge_cap or [_JUDGE_CAP])
    settings = Settings(model=judge.model, journal=journal_of(home, run), caps=caps, prices=options.prices)
    with open_session(settings) as session, progress_line() as progress:
        outcome = judge_run(session, home, run, judge, parse_only("open"), progress=progress, by=options.person)
    stopped = f"; stopped by {outcome.stopped}" if outcome.stopped else ""
    say(f"{judge.model} graded {outcome.graded:,} of {outcome.asked:,} open responses of {run.name}{stopped}")
    judged = replace(run, engine=f"{run.scorer}{JUDGED_BY}{judge.model} ({judge.key})")
    return replace(side, run=judged, rows=heard_rows(home, run, judge.key))


class _ImportRunOptions(files.ReadOptions, o.ByWhom):
    files: tuple[Path, ...] = o.argument(
        "in any order: .jsonl, .json, .csv, .parquet, .xlsx (book.xlsx#Sheet is that sheet), .zip, .eval; folders",
        type=o.FILE,
        nargs=-1,
        required=True,
    )
    golden: Path | None = o.file("the file that counts where files give different golden answers")
    name: str | None = o.option("NAME", "the run's name; no other run may have it")
    dry_run: bool = o.switch("read and align the files, say how they are read and what is doubtful; save nothing")
    yes: bool = o.switch("take the first of two readings, and save what is doubtful; the doubts are kept with the run")
    add_to: str | None = o.option("RUN", "add responses to this run's: a new run has both", type=o.RUN_NAME)
    engine: str = o.choice(
        SCORERS, "what scores: qaviz, or the installed FMEval (the same, slower)", default=OWN_ENGINE
    )


@o.command(_ImportRunOptions)
def import_run(options: _ImportRunOptions) -> o.Printout:
    """Score and diagnose responses and save them as a run of the workspace.

    Each file gives what it has: golden answers, responses of one pipeline or more, or both. Files of Ragas, promptfoo,
    SQuAD, Bedrock, Inspect and others (docs/imports.md) are recognised by their content. Their scores are kept beside
    qaviz's and compared with its verdicts. FMEval's own output (JSON Lines, save=True) keeps its scores. Without a
    golden dataset beside it that is what it was scored against. `qaviz score` scores such a file again.
    """
    home = o.open_home(options.workspace)
    request = _request_import(options, home)
    if options.dry_run:
        with progress_line() as progress:
            tried = runs.try_import(request, home, progress)
        return o.Printout(tried, code=DONE if tried["would_save"] else COULD_NOT_RUN)
    if not options.name:
        raise stop("--name", "nothing", "the run's name; no other run may have it", "See: qaviz import --help")
    home.refuse_name(options.name)
    try:
        if options.yes:
            golden, responses = files.take_first_readings(request.golden, request.responses)
            request = replace(request, golden=golden, responses=tuple(responses))
        with progress_line() as progress:
            request = replace(request, documents=files.read_named_documents(options, progress))
            run = runs.import_files(request, home, progress)
    except QavizError:
        if options.format == o.JSON:
            print(as_json(runs.try_import(request, home)))
        raise
    code = files.report_listed(home.read_listed(run), options.list)
    if options.format == o.JSON:
        return o.Printout({"run": run.run_id, **runs.try_import(request, home)}, (), code)
    lead = f'qaviz: {run.responses:,} responses saved as the run "{run.name}", id {run.run_id}'
    scores = describe_scores(their_scores(home.rows(run, COMPARED)))
    return o.Printout(None, (lead, *(f"  {line}" for line in scores)), code)


def _request_import(options: _ImportRunOptions, home: Workspace) -> runs.ImportRequest:
    """What the arguments ask to make a run of. Raises QavizError for files and mappings that will not do."""
    named, paths = list[Path](), options.files
    if options.golden:
        # Where there is no such file, --golden names the one of the files that is called so.
        name, mark, sheet = str(options.golden).partition("#")
        alike = [path for path in paths if path.absolute().as_posix().endswith(f"/{name}") and not Path(name).exists()]
        named = [Path(f"{alike[0]}{mark}{sheet}") if len(alike) == 1 else options.golden]
        paths = tuple(path for path in paths if path.absolute() != named[0].absolute())
    sources = files.with_mappings(options, files.open_sources(options, [*named, *paths]))
    request = runs.ImportRequest(
        name=options.name or "", engine=options.engine, by=options.person, accept_doubts=options.yes, trusted=True
    )
    golden, responses = (sources[0], sources[1:]) if named else (None, sources)
    if options.add_to:
        request = replace(request, added_to=home.find(options.add_to))
    request = replace(request, golden=golden, responses=tuple(responses))
    if options.join:
        request = replace(request, joined=files.accept_pairs(runs.find_near_questions(request, home)))
    return request
