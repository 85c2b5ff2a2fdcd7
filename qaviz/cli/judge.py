"""`qaviz judge` and `judge-golden`: a language model grades responses, or checks triplets by their passages."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from qaviz.cli.labels import read_grader
from qaviz.cli.options import (
    FILE,
    ByWhom,
    DespiteProbes,
    OfRun,
    Options,
    Printed,
    argument,
    choice,
    command,
    number,
    option,
    switch,
)
from qaviz.cli.paths import open_existing
from qaviz.cli.terminal import escape, progress_line
from qaviz.generation.refute import check_repairs
from qaviz.golden.versions import newest_version
from qaviz.judging.agreement import GraderAgreement, propose_examples
from qaviz.judging.claims import (
    CLAIM,
    PLACE,
    STATE,
    Claim,
    claim_requests,
    compare_with_people,
    judge_claims,
    probe_claims,
)
from qaviz.judging.probes import Probe, describe_probes, name_failed, probe_judge
from qaviz.judging.prompts import Judge, default_rubric, read_rubric
from qaviz.judging.runs import (
    SAMPLE,
    Judged,
    Only,
    describe_judge,
    estimate_run,
    find_judge,
    grade_by_installed,
    import_grades,
    journal_of,
    judge_run,
    parse_only,
    select_rows,
)
from qaviz.judging.triplets import PASSAGE, VOID, TripletFinding, judge_triplets
from qaviz.llm import Estimate, Limits, Settings, Spend, open_session, parse_caps
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.loading import Source, apart
from qaviz.model import columns as c
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import stop
from qaviz.model.records import Run
from qaviz.runs import save_judged
from qaviz.store.files import disk_refusals
from qaviz.store.golden_versions import named_datasets, passages
from qaviz.store.labels import (
    FINDING,
    GATE,
    QUOTATION,
    REPAIRED_ANSWER,
    REPAIRED_FACT,
    WHY,
    keep_probes,
    keep_triplet_findings,
    kept_grades,
    kept_labels,
    require_trust,
)
from qaviz.store.workspace import Workspace

MOST_REPEATS = 10
_MOST_PROBED = 10_000
_MOST_EXAMPLES = 20


MOST_IN_FLIGHT = 1000
MOST_A_MINUTE = 10_000_000


PRICES = f"your file of prices, .toml or .json (default: ${PRICES_VARIABLE})"
KEY_FILE = "file that holds the key"
MODEL = (
    "openai:NAME (any OpenAI-compatible server: $OPENAI_BASE_URL, $OPENAI_API_KEY), ollama:NAME or llamacpp:NAME (a "
    "server on this machine) or bedrock:NAME"
)
_A_MINUTE = number(1, MOST_A_MINUTE)


class ModelOptions(Options):
    """Which language model is asked, how fast, for how much, recorded or not."""

    model: str | None = option("PROVIDER:NAME", MODEL)
    cap: tuple[str, ...] = option(
        "AMOUNT", "the most to spend: 5USD, 200000tokens or 100calls; may be repeated", multiple=True
    )
    prices: Path | None = option("FILE", PRICES, type=FILE)
    key_file: Path | None = option("FILE", KEY_FILE, type=FILE)
    in_flight: int = option(
        "N", "requests at the same time", type=number(1, MOST_IN_FLIGHT), default=Limits().in_flight
    )
    requests_per_minute: int | None = option("N", "requests a minute at most (default: no limit)", type=_A_MINUTE)
    tokens_per_minute: int | None = option("N", "tokens a minute at most (default: no limit)", type=_A_MINUTE)
    replay: Path | None = option("FILE", "answer from this recorded journal; calls no model", type=FILE)

    @property
    def named_model(self) -> str:
        """The model. Raises QavizError where none is named."""
        if self.model is None:
            raise stop("--model", "no model", "openai:NAME, ollama:NAME, llamacpp:NAME or bedrock:NAME", "Name one.")
        return self.model


def read_model_settings(options: ModelOptions, journal: Path) -> Settings:
    """What the options say. Raises QavizError for a cap that is none."""
    return Settings(
        model=options.named_model,
        journal=journal,
        caps=parse_caps(options.cap),
        limits=Limits(
            in_flight=options.in_flight,
            requests_per_minute=options.requests_per_minute,
            tokens_per_minute=options.tokens_per_minute,
        ),
        prices=options.prices,
        key_file=options.key_file,
        replay=options.replay,
    )


class _JudgeOptions(OfRun, ModelOptions, DespiteProbes, Printed, ByWhom):
    only: str = option(
        "WHICH",
        "open: the least sure by words, at most half; all; sample:N: N at random, the same each time",
        default="open",
    )
    rubric: Path | None = option("FILE", "your rubric, .toml (default: qaviz's own)", type=FILE)
    shots: str = choice(("few", "zero"), "with the rubric's examples, or without", default="few")
    repeats: int = option(
        "N", "grade each response N times; the median counts", type=number(1, MOST_REPEATS), default=1
    )
    probe: int | None = option(
        "N",
        "test the judge for biases with N responses and 40 injections; exit code 1 if it fails a test",
        type=number(1, _MOST_PROBED),
    )
    learn: int | None = option(
        "N",
        "show N labelled responses on which the last judge was wrong as examples, of half of the questions; measure on "
        "the other half",
        type=number(1, _MOST_EXAMPLES),
    )
    grades: Path | None = option(
        "FILE",
        "take the labels of another grader, of FILE or of an installed judge's NAME, as a judge; calls no model",
        type=FILE,
    )
    grader: str | None = option("NAME", "which grader of that file, by its column name")
    claims: bool = switch("check each sentence of the responses by the passages they were given, in place of grades")
    labels: Path | None = option(
        "FILE", "claims: question_id, pipeline, label (supported or unsupported), to measure the judge by", type=FILE
    )
    out: Path | None = option("FILE", "claims: write them to this file, .jsonl", type=FILE)
    estimate: bool = switch("print the estimate; calls no model")
    save_as: str | None = option("NAME", "also keep a run in which this judge decides what words are not sure of")


@command(_JudgeOptions)
def judge(options: _JudgeOptions) -> int:
    """Let a language model grade responses of a run by a rubric.

    The grades are kept beside the run. By default at most half of the responses are graded: those of which words are
    least sure. Replies are kept as they come: the same command again asks only for what is missing. Exit code 1 if a
    response has no grades. See docs/judging.md.
    """
    outcome = _judge_run(open_existing(options.workspace), options)
    print("\n".join(_report_run(outcome, options.format)))
    if isinstance(outcome, list):
        return int(bool(name_failed(outcome)))
    return int(isinstance(outcome, Judged) and outcome.unscored > 0)


@dataclass(frozen=True, kw_only=True)
class _Claims:
    """The claims of responses, checked."""

    claims: pl.DataFrame
    spend: Spend
    people: GraderAgreement | None


Outcome = Judged | Estimate | list[Probe] | _Claims
"""What the command did: it judged, estimated, probed the judge, or checked claims."""


def _judge_run(workspace: Workspace, options: _JudgeOptions) -> Outcome:
    """Judge the run, or estimate what that takes. Raises QavizError for options, files or a server that will not do."""
    run, only, by = workspace.find(options.run), parse_only(options.only), options.person
    if options.save_as:
        workspace.refuse_name(options.save_as)
    if options.grades:
        outcome: Outcome = _import(workspace, run, options.grades, options.grader, by)
    elif options.model is None:
        fix = "Name one, or take another grader's file with --grades."
        raise stop("--model", "no model", "openai:NAME, ollama:NAME, llamacpp:NAME or bedrock:NAME", fix)
    elif options.claims:
        return _check_claims(workspace, run, options, only)
    else:
        chosen = _make_judge(workspace, run, options)
        if options.save_as:
            require_trust(workspace, chosen.key, options.despite_probes or "")
        outcome = _ask(workspace, run, chosen, options, only, by)
    if options.save_as and isinstance(outcome, Judged):
        save_judged(run, workspace, outcome.judge, options.save_as, by, options.despite_probes or "")
    return outcome


def _make_judge(workspace: Workspace, run: Run, options: _JudgeOptions) -> Judge:
    """The judge that the options describe."""
    rubric = read_rubric(options.rubric) if options.rubric else default_rubric()
    plain = Judge(model=options.named_model, rubric=rubric, few_shot=options.shots == "few", repeats=options.repeats)
    if not options.learn:
        return plain
    labels = kept_labels(workspace, run).unique([QUESTION_ID, PIPELINE], keep="last")
    before = kept_grades(workspace, run, find_judge(workspace, run).key)
    return replace(plain, examples=propose_examples(workspace.rows(run), before, labels, rubric, options.learn))


def _ask(workspace: Workspace, run: Run, chosen: Judge, options: _JudgeOptions, only: Only, by: str) -> Outcome:
    with open_session(read_model_settings(options, journal_of(workspace, run))) as session, progress_line() as progress:
        if options.probe:
            rows = select_rows(workspace.rows(run), Only(which=SAMPLE, number=options.probe), run.thresholds)
            probes = probe_judge(session, chosen, rows, progress)
            described = describe_judge(chosen, recorded=session.recorded)
            keep_probes(workspace, run, chosen.key, chosen.model, described, describe_probes(probes), by)
            return probes
        if options.estimate:
            return estimate_run(session, workspace, run, chosen, only)
        return judge_run(session, workspace, run, chosen, only, progress=progress, by=by)


def _check_claims(workspace: Workspace, run: Run, options: _JudgeOptions, only: Only) -> Outcome:
    """Check the claims of responses of the run, estimate that, or probe the judge with known ones."""
    rows = workspace.rows(run)
    if c.CONTEXTS not in rows.columns or not rows[c.CONTEXTS].count():
        raise stop(
            f"run “{run.name}”", "no contexts", "responses with the passages they were given", "See docs/contexts.md."
        )
    with open_session(read_model_settings(options, journal_of(workspace, run))) as session, progress_line() as progress:
        if options.probe:
            return probe_claims(
                session, select_rows(rows, Only(which=SAMPLE, number=options.probe), run.thresholds), progress
            )
        chosen = select_rows(rows, only, run.thresholds).filter(pl.col(c.CONTEXTS).is_not_null())
        if options.estimate:
            return session.estimate(claim_requests(chosen))
        claims = judge_claims(session, chosen, progress)
        people = compare_with_people(claims, pl.read_ndjson(options.labels)) if options.labels else None
        if options.out:
            with disk_refusals(options.out):
                claims.write_ndjson(options.out)
        return _Claims(claims=claims, spend=session.spend, people=people)


def _report_claims(outcome: _Claims, form: str) -> Iterator[str]:
    counts = {state.value: outcome.claims.filter(pl.col(STATE) == state.value).height for state in Claim}
    void, people = outcome.claims[VOID].count(), outcome.people
    if form == "json":
        whole: dict[str, object] = {"claims": outcome.claims.height, **counts, "void": void}
        whole |= {"calls": outcome.spend.calls, "cost": outcome.spend.cost}
        measured = people and {"responses": people.compared, "exact": vars(people.exact), "ac1": vars(people.ac1)}
        yield json.dumps(whole | {"people": measured})
        return
    yield ", ".join(f"{number:,} {name}" for name, number in counts.items()) + f"; {void:,} replies do not count"
    for row in outcome.claims.filter(pl.col(STATE) == Claim.CONTRADICTED.value).iter_rows(named=True):
        yield escape(
            f"  {row[QUESTION_ID]}, {row[PIPELINE]}: “{row[CLAIM]}” but passage {row[PLACE]}: “{row[QUOTATION]}”"
        )
    if people and people.exact.value is not None and people.exact.low is not None and people.exact.high is not None:
        interval = f"{people.exact.value:.1%} ({people.exact.low:.1%} to {people.exact.high:.1%})"
        yield f"agrees with people on {interval} of {people.compared:,} responses"


def _import(workspace: Workspace, run: Run, file: Path, grader: str | None, by: str) -> Judged:
    kept = grade_by_installed(workspace, run, str(file), by)
    if kept is None:
        grades = read_grader(file, grader)
        kept = import_grades(workspace, run, grader or file.stem, grades, by)
    key, graded = kept
    return Judged(
        asked=graded,
        graded=graded,
        unscored=0,
        calls=0,
        cost=0.0,
        currency="USD",
        judge=key,
        why_unscored=(),
        stopped=None,
        anchor=None,
    )


def _report_run(outcome: Outcome, form: str) -> Iterator[str]:
    """The lines that the command prints."""
    if isinstance(outcome, str):
        yield from map(escape, outcome.splitlines())
        return
    if isinstance(outcome, list):
        yield from _report_probes(outcome, form)
        return
    if isinstance(outcome, _Claims):
        yield from _report_claims(outcome, form)
        return
    if isinstance(outcome, Estimate):
        yield json.dumps(vars(outcome)) if form == "json" else f"estimate: {outcome.describe()}"
        return
    if form == "json":
        named = ("asked", "graded", "unscored", "calls", "cost", "currency", "judge", "stopped")
        summary = {name: getattr(outcome, name) for name in named} | {"why_unscored": dict(outcome.why_unscored)}
        yield json.dumps(summary | {"anchor": outcome.anchor and vars(outcome.anchor)})
        return
    cost = "price unknown" if outcome.cost is None else f"{outcome.cost:,.4f} {outcome.currency}"
    yield (
        f"asked {outcome.asked:,}, graded {outcome.graded:,}, unscored {outcome.unscored:,}; "
        f"{outcome.calls:,} calls, {cost}; judge {outcome.judge}"
    )
    if outcome.anchor and outcome.anchor.value is not None:
        yield f"{outcome.anchor.value:.1%} of the responses graded before have the same verdict (anchor set)"
    for why, responses in outcome.why_unscored:
        yield escape(f"  unscored: {responses:,} because of: {why}")
    if outcome.stopped:
        yield f"stopped by {outcome.stopped}: raise it, and the same command goes on from there"


def _report_probes(probes: list[Probe], form: str) -> Iterator[str]:
    if form == "json":
        yield json.dumps({"probes": describe_probes(probes), "failed": name_failed(probes)})
        return
    for probe in probes:
        result = probe.result.upper() if probe.fires else probe.result
        counts = f"{probe.flips:,} of {probe.asked:,} flip, {probe.unscored:,} unscored"
        yield escape(f"{probe.name:<12} {result}: {counts}. {probe.detail}".rstrip())


JOURNAL = "judge-golden.jsonl"


class _JudgeGoldenOptions(ModelOptions, Printed, ByWhom):
    model: str = option("PROVIDER:NAME", MODEL, required=True)
    golden: Path = argument("a file, or a generated dataset's name", type=FILE)
    passages: Path | None = option(
        "FILE", "question_id, passage, and newer_passage where a newer document has it again", type=FILE
    )
    repeats: int = option("N", "check each triplet N times", type=number(1, MOST_REPEATS), default=1)
    out: Path | None = option("FILE", "write the findings to this file, .jsonl", type=FILE)


@command(_JudgeGoldenOptions)
def judge_golden(options: _JudgeGoldenOptions) -> int:
    """Let a language model check triplets by their passages.

    Each finding quotes its passage, or does not count; a proposed repair is checked by words and changes nothing.
    GOLDEN is a file, with --passages, or the name of a generated dataset: then Curation lists the findings, and offers
    the repairs that words do not refute. Exit code 1 if a triplet is anything but supported. See docs/judging.md.
    """
    names_dataset = not options.golden.exists() and options.passages is None
    of = _read_dataset(options) if names_dataset else _read_files(options)
    if of.triplets.is_empty():
        raise stop(
            str(options.passages or options.golden),
            "no passage of a question of the golden dataset",
            "question_id and passage, a row a question",
            "Check that both files belong together; a dataset has to be a generated one.",
        )
    settings = read_model_settings(options, options.workspace / "journals" / JOURNAL)
    with open_session(settings) as session, progress_line() as progress:
        findings = judge_triplets(session, of.triplets, repeats=options.repeats, progress=progress)
        spend = session.spend
    proved = check_repairs(of.triplets, findings)
    if of.keep:
        of.keep(of.triplets.join(proved, on=QUESTION_ID, maintain_order="left"))
    print("\n".join(_report_golden(proved, spend, of.without_passage, options.format)))
    if options.out:
        with disk_refusals(options.out):
            proved.write_ndjson(options.out)
    return int(not (proved[FINDING] == TripletFinding.SUPPORTED.value).fill_null(False).all())


@dataclass(frozen=True, kw_only=True)
class _Triplets:
    """Triplets with their passages."""

    triplets: pl.DataFrame
    """The golden columns and PASSAGE, one row a triplet that has one."""
    without_passage: int
    keep: Callable[[pl.DataFrame], None] | None
    """Keeps the findings in the workspace; None for files."""


def _read_files(options: _JudgeGoldenOptions) -> _Triplets:
    """The triplets and passages of two files. Raises QavizError for files that will not do."""
    if options.passages is None:
        raise stop(
            "--passages",
            "no file of passages",
            "one beside a golden dataset in a file",
            "Add --passages FILE, or name a dataset that was generated in this workspace.",
        )
    golden_source, passage_source = Source.each_of([options.golden, options.passages])
    with progress_line() as progress:
        golden, _ = apart.load_golden(golden_source, progress)
        passages = apart.read_passages(passage_source, progress)
    triplets = golden.join(
        passages.unique(QUESTION_ID, keep="last"), on=QUESTION_ID, how="inner", maintain_order="left"
    )
    return _Triplets(triplets=triplets, without_passage=golden.height - triplets.height, keep=None)


def _read_dataset(options: _JudgeGoldenOptions) -> _Triplets:
    """The newest version of a generated dataset with the passages it was made from. QavizError if there is none."""
    home, name = open_existing(options.workspace), str(options.golden)
    known = named_datasets(home)
    if name not in known:
        raise stop(
            "GOLDEN",
            f"neither a file nor a generated dataset called {name}",
            ", ".join(known) or "a file",
            "Check the name.",
        )
    version = newest_version(home, known[name])
    golden = home.golden(version.golden_id)
    of_line = passages(home, version.golden_id).select(QUESTION_ID, pl.col("passage").alias(PASSAGE))
    triplets = golden.join(of_line, on=QUESTION_ID, how="inner", maintain_order="left")
    who = options.person

    def keep(findings: pl.DataFrame) -> None:
        keep_triplet_findings(home, version.golden_id, options.model, findings.drop_nulls(FINDING), who)

    return _Triplets(triplets=triplets, without_passage=golden.height - triplets.height, keep=keep)


def _report_golden(findings: pl.DataFrame, spend: Spend, without_passage: int, form: str) -> Iterator[str]:
    """The lines that the command prints."""
    counts = {finding.value: findings.filter(pl.col(FINDING) == finding.value).height for finding in TripletFinding}
    if form == "json":
        void = findings[VOID].count()
        whole: dict[str, object] = {"asked": findings.height, "judged": findings.height - void, "void": void}
        whole |= {
            "calls": spend.calls,
            "cost": spend.cost,
            "without_passage": without_passage,
            "findings": counts,
        }
        yield json.dumps(whole)
        return
    yield ", ".join(f"{number:,} {name}" for name, number in counts.items() if number) or "no finding"
    for row in findings.filter(pl.col(FINDING) != TripletFinding.SUPPORTED.value).iter_rows(named=True):
        yield escape(f"  {row[QUESTION_ID]}: {row[FINDING]}. {row[WHY] or ''} “{row[QUOTATION]}”")
        if row[REPAIRED_ANSWER]:
            yield escape(f"    proposed: {row[REPAIRED_ANSWER]} | {row[REPAIRED_FACT]} ({row[GATE]})")
    for row in findings.drop_nulls(VOID).iter_rows(named=True):
        yield escape(f"  {row[QUESTION_ID]}: void: {row[VOID]}")
