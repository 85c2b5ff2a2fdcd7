"""`qaviz judge`: a language model grades responses of a run by a rubric."""

import json
from collections.abc import Iterator
from dataclasses import replace

from qaviz.cli.labels import read_grader
from qaviz.cli.model_options import estimate_words, model_options, settings_of
from qaviz.cli.options import BY, FILE, FORMAT, RUN, Asked, choice, command, number, option, person, switch
from qaviz.cli.paths import open_existing
from qaviz.cli.terminal import progress_line, shown
from qaviz.judging.calibration import propose_examples
from qaviz.judging.probes import Probe, describe_probes, failed, probe_judge
from qaviz.judging.prompts import Judge
from qaviz.judging.rubric import default_rubric, read_rubric
from qaviz.judging.runs import (
    SAMPLE,
    Judged,
    Only,
    estimate_run,
    find_judge,
    import_grades,
    journal_of,
    judge_run,
    parse_only,
    select_rows,
    write_requests,
)
from qaviz.llm import Estimate, open_session
from qaviz.llm.batches import read_result_file
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.runs import save_judged
from qaviz.store import Workspace, kept_grades, kept_labels

MOST_REPEATS = 10
_MOST_PROBED = 10_000
_MOST_EXAMPLES = 20


@command(
    RUN,
    *model_options(),
    option(
        "--only",
        "WHICH",
        "open: what words leave open; all; sample:N: N at random, the same each time",
        default="open",
    ),
    option("--rubric", "FILE", "your rubric, .toml (default: qaviz's own)", type=FILE),
    choice("--shots", ("few", "zero"), "with the rubric's examples, or without", default="few"),
    option("--repeats", "N", "grade each response N times; the median counts", type=number(1, MOST_REPEATS), default=1),
    option(
        "--probe",
        "N",
        "test the judge for biases with N responses and 40 injections; exit code 1 if it fails a test",
        type=number(1, _MOST_PROBED),
    ),
    option(
        "--learn",
        "N",
        "show N labelled responses on which the last judge was wrong as examples, of half of the questions; measure on "
        "the other half",
        type=number(1, _MOST_EXAMPLES),
    ),
    option("--grades", "FILE", "import the labels of another grader as a judge; calls no model", type=FILE),
    option("--grader", "NAME", "which grader of that file, by its column name"),
    option("--request-file", "FILE", "write the requests for a batch API; calls no model", type=FILE),
    option("--result-file", "FILE", "read a batch API's results; calls no model", type=FILE),
    switch("--estimate", "print the estimate; calls no model"),
    option("--save-as", "NAME", "also keep a run in which this judge decides what words leave open"),
    FORMAT,
    BY,
)
def judge(asked: Asked) -> int:
    """Let a language model grade responses of a run by a rubric.

    The grades are kept beside the run. By default only responses that words leave open are graded. Replies are kept as
    they come: the same command again asks only for what is missing. Exit code 1 if a response has no grades. See
    docs/judging.md.
    """
    found = _judge(open_existing(asked.workspace), asked)
    print("\n".join(report(found, asked.format)))
    return int(found_problems(found))


Outcome = Judged | Estimate | list[Probe] | str
"""What the command did: it judged, estimated, probed the judge, or exchanged files with a batch API, in words."""


def _judge(workspace: Workspace, asked: Asked) -> Outcome:
    """Judge the run, or estimate what that takes. Raises QavizError for options, files or a server that will not do."""
    run, only, by = workspace.find(asked.run), parse_only(asked.only), person(asked)
    if asked.save_as:
        workspace.refuse_name(asked.save_as)
    if asked.grades:
        found: Outcome = _import(workspace, run, asked, by)
    elif asked.model is None:
        raise QavizError(_no_model())
    elif asked.request_file or asked.result_file:
        return _exchange(workspace, run, _chosen(workspace, run, asked), asked, only)
    else:
        found = _ask(workspace, run, _chosen(workspace, run, asked), asked, only, by)
    if asked.save_as and isinstance(found, Judged):
        save_judged(run, workspace, found.judge, asked.save_as, by)
    return found


def _chosen(workspace: Workspace, run: Run, asked: Asked) -> Judge:
    """The judge that the options describe."""
    rubric = read_rubric(asked.rubric) if asked.rubric else default_rubric()
    plain = Judge(model=asked.model, rubric=rubric, few_shot=asked.shots == "few", repeats=asked.repeats)
    if not asked.learn:
        return plain
    labels = kept_labels(workspace, run).unique([QUESTION_ID, PIPELINE], keep="last")
    before = kept_grades(workspace, run, find_judge(workspace, run).key)
    return replace(plain, examples=propose_examples(workspace.rows(run), before, labels, rubric, asked.learn))


def _ask(workspace: Workspace, run: Run, chosen: Judge, asked: Asked, only: Only, by: str) -> Outcome:
    with open_session(settings_of(asked, journal_of(workspace, run))) as session, progress_line() as progress:
        if asked.probe:
            rows = select_rows(workspace.rows(run), Only(which=SAMPLE, number=asked.probe), run.thresholds)
            return probe_judge(session, chosen, rows, progress)
        if asked.estimate:
            return estimate_run(session, workspace, run, chosen, only)
        return judge_run(session, workspace, run, chosen, only, progress=progress, by=by)


def _exchange(workspace: Workspace, run: Run, chosen: Judge, asked: Asked, only: Only) -> str:
    """What was written for a batch API, or read of its results, in words."""
    if asked.request_file:
        number = write_requests(workspace, run, chosen, only, asked.request_file)
        return f"{number:,} requests are in {asked.request_file}"
    read = read_result_file(asked.result_file, chosen.model, journal_of(workspace, run))
    lines = [f"{read.kept:,} replies kept, {read.known:,} known before, {len(read.failed):,} without a reply"]
    return "\n".join([*lines, *read.failed, "the same command without --result-file grades by them"])


def _import(workspace: Workspace, run: Run, asked: Asked, by: str) -> Judged:
    said = read_grader(asked.grades, asked.grader)
    name = asked.grader or asked.grades.stem
    key, graded = import_grades(workspace, run, name, said, by)
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


def _no_model() -> Problem:
    return Problem(
        where="--model",
        found="no model",
        expected="openai:NAME or bedrock:NAME",
        fix="Name one, or take another grader's file with --grades.",
    )


def report(found: Outcome, form: str) -> Iterator[str]:
    """The lines that the command prints."""
    if isinstance(found, str):
        yield from map(shown, found.splitlines())
        return
    if isinstance(found, list):
        yield from _probe_lines(found, form)
        return
    if isinstance(found, Estimate):
        yield json.dumps(vars(found)) if form == "json" else f"estimate: {estimate_words(found)}"
        return
    if form == "json":
        named = ("asked", "graded", "unscored", "calls", "cost", "currency", "judge", "stopped")
        said = {name: getattr(found, name) for name in named} | {"why_unscored": dict(found.why_unscored)}
        yield json.dumps(said | {"anchor": found.anchor and vars(found.anchor)})
        return
    cost = "price unknown" if found.cost is None else f"{found.cost:,.4f} {found.currency}"
    yield (
        f"asked {found.asked:,}, graded {found.graded:,}, unscored {found.unscored:,}; "
        f"{found.calls:,} calls, {cost}; judge {found.judge}"
    )
    if found.anchor and found.anchor.value is not None:
        yield f"{found.anchor.value:.1%} of the responses graded before have the same verdict (anchor set)"
    for why, responses in found.why_unscored:
        yield shown(f"  unscored: {responses:,} because of: {why}")
    if found.stopped:
        yield f"stopped by {found.stopped}: with a higher one, the same command goes on where it stopped"


def _probe_lines(probes: list[Probe], form: str) -> Iterator[str]:
    if form == "json":
        yield json.dumps({"probes": describe_probes(probes), "failed": failed(probes)})
        return
    for each in probes:
        said = "FAILS" if each.fires else "passes"
        line = (
            f"{each.name:<12} {said}: {each.flips:,} of {each.asked:,} flip, {each.unscored:,} unscored. {each.detail}"
        )
        yield shown(line.rstrip())


def found_problems(found: Outcome) -> bool:
    """Whether a response was asked about and has no grades, or the judge fails a probe."""
    return bool(failed(found)) if isinstance(found, list) else isinstance(found, Judged) and found.unscored > 0
