"""`qaviz check`: pipelines are asked, scored, gated against a baseline, and the change is explained."""

import argparse
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from qaviz import runs
from qaviz.analysis.check import Checked, check_runs
from qaviz.analysis.comparison import SEED
from qaviz.analysis.policy import criteria_in_force, read_policy
from qaviz.analysis.run_changes import RunSide
from qaviz.analysis.sequential_check import PipelineEvidence, decide_early
from qaviz.cli.ask import INTERRUPTED, add_asking_arguments, ask_golden, lines_of, read_golden_file
from qaviz.cli.bundle import bundle
from qaviz.cli.fast_check import ask_until_known, pair_with
from qaviz.cli.gate import EXIT_CODES, pipeline_pair
from qaviz.cli.opened import open_home
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.terminal import progress_line, say
from qaviz.exports.check_formats import CHECK_FORMATS
from qaviz.judging.answers import parse_only
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import heard_rows, journal_of, judge_run
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.loading import Source
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import JUDGED_BY, Run
from qaviz.pipelines import Pipeline, parse_pipelines
from qaviz.pipelines.specs import is_spec
from qaviz.store import Workspace, kept_labels

BASELINE = "baseline"
"""The name of a baseline that is given as a SPEC without a name."""
_ADDRESS = re.compile(r"https://[\w.~:/?#@!$&*+,;=%-]{1,2000}", re.ASCII)


def run(asked: argparse.Namespace) -> int:
    """Ask pipelines the golden questions, score the responses as a run, gate it against a baseline, and explain.

    The comment says what is fixed and broken, with differences in words, and what latency and cost became. With --fast
    only as many questions are asked as it takes to know. Exit codes as `qaviz gate`: 0 it passes; 1 it does not; 2
    could not run; 3 not enough questions to tell.
    """
    _refuse_options(asked)
    pipelines = parse_pipelines(asked.pipeline)
    golden = read_golden_file(asked.golden)
    home = open_home(asked.workspace)
    try:
        found = _check(home, asked, pipelines, golden)
    except KeyboardInterrupt:
        say("stopped; the same command asks the rest")
        return INTERRUPTED
    print(CHECK_FORMATS[asked.format](found))
    return EXIT_CODES[found.gate.result]


def _refuse_options(asked: argparse.Namespace) -> None:
    if asked.fast and (asked.judge or asked.out):
        found = f"--fast and {'--judge' if asked.judge else '--out'}"
        expected = "one of them: a fast check asks a part of the questions and decides by words alone"
        raise QavizError(Problem(where="check", found=found, expected=expected, fix="Leave one out."))
    if asked.link and not _ADDRESS.fullmatch(asked.link):
        expected = "an https address without blanks and brackets"
        raise QavizError(Problem(where="--link", found="no such address", expected=expected, fix="Check the address."))


def _check(home: Workspace, asked: argparse.Namespace, pipelines: list[Pipeline], golden: pl.DataFrame) -> Checked:
    criteria = read_policy(asked.policy) if asked.policy else criteria_in_force(home)
    name = name_run(home, "check", pipelines, asked.name)
    baseline = _find_baseline(home, asked, golden)
    pairs = pair_with(baseline, pipelines, asked.pair)
    evidence = dict[str, PipelineEvidence]()
    if asked.fast:
        parts = place_journal(home, "fast", pipelines, asked.golden.read_bytes())
        sources, evidence = ask_until_known(home, asked, golden, pipelines, baseline, pairs, parts)
        now = _import(home, asked, sources, name)
        for part in parts.parent.glob(f"{parts.stem}-*.jsonl"):
            part.unlink()
    else:
        now = _ask(home, asked, pipelines, golden, name, asked.out)
    sides = [_side(home, each, asked) for each in (now, baseline)]
    found = check_runs(sides[0], sides[1], pairs, criteria, SEED)
    if asked.bundle:
        say(bundle(now, home, asked.bundle).removeprefix("qaviz: "))
    link = asked.link or (asked.bundle.name if asked.bundle else "")
    return replace(found, gate=decide_early(found.gate, evidence) if evidence else found.gate, link=link)


def _ask(
    home: Workspace,
    asked: argparse.Namespace,
    pipelines: list[Pipeline],
    golden: pl.DataFrame,
    name: str,
    out: Path | None = None,
) -> Run:
    """Ask all questions, and keep the responses as a run."""
    out = out or place_journal(home, "check", pipelines, asked.golden.read_bytes())
    answered = ask_golden(golden, pipelines, out, asked)
    for line in lines_of(answered, out):
        say(line.removeprefix("qaviz: ").strip())
    return _import(home, asked, Source.each_of([asked.golden, out]), name)


def _find_baseline(home: Workspace, asked: argparse.Namespace, golden: pl.DataFrame) -> Run:
    """The run of this name or id; else the file's, which becomes a run once; else what this SPEC answers now."""
    names = {each for run in home.runs(archived=True) for each in (run.name, run.run_id)}
    file = Path(asked.baseline)
    if asked.baseline in names:
        return home.find(asked.baseline)
    if file.is_file():
        digest = hashlib.sha256(asked.golden.read_bytes() + b"\0" + file.read_bytes()).hexdigest()[:8]
        name = f"baseline {file.name} {digest}"
        return home.find(name) if name in names else _import(home, asked, Source.each_of([asked.golden, file]), name)
    if is_spec(asked.baseline):
        text = asked.baseline
        named = text if is_spec(text.partition("=")[2]) or text.startswith("@") else f"{BASELINE}={text}"
        pipelines = parse_pipelines([named])
        return _ask(home, asked, pipelines, golden, f"baseline {_time_stamp()}")
    return home.find(asked.baseline)


def _time_stamp() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"


def name_run(home: Workspace, kind: str, pipelines: Sequence[Pipeline], name: str | None = None) -> str:
    """The name of a new run, refused before anything is asked: what was said, else by kind, pipelines and time."""
    of = ", ".join(each.name for each in pipelines)[:80]
    name = name or f"{kind} {of} {_time_stamp()}"
    home.refuse_name(name)
    return name


def place_journal(home: Workspace, kind: str, pipelines: Sequence[Pipeline], golden: bytes) -> Path:
    """Where the responses go, and where the same command finds what was answered before a kill."""
    known = "".join(each.fingerprint for each in pipelines).encode() + golden
    return home.folder / "journals" / f"{kind}-{hashlib.sha256(known).hexdigest()[:16]}.jsonl"


def _import(home: Workspace, asked: argparse.Namespace, sources: Sequence[Source], name: str) -> Run:
    with progress_line() as progress:
        request = runs.ImportRequest(name=name, golden=sources[0], responses=tuple(sources[1:]), by=person(asked))
        return runs.import_files(request, home, progress)


def _side(home: Workspace, run: Run, asked: argparse.Namespace) -> RunSide:
    run, rows = _hear_judge(home, run, asked) if asked.judge else (run, home.rows(run))
    return RunSide(run=run, golden=home.golden(run.golden_id), rows=rows, labels=kept_labels(home, run))


def _hear_judge(home: Workspace, run: Run, asked: argparse.Namespace) -> tuple[Run, pl.DataFrame]:
    """The run and its rows with the judge heard on what words leave open; its grades are kept beside the run."""
    judge = Judge(model=asked.judge)
    caps = parse_caps(asked.judge_cap or [asked.default_judge_cap])
    settings = Settings(
        model=judge.model, journal=journal_of(home, run), caps=caps, prices=asked.prices, key_file=asked.key_file
    )
    with open_session(settings) as session, progress_line() as progress:
        found = judge_run(session, home, run, judge, parse_only("open"), progress=progress, by=person(asked))
    stopped = f"; stopped by {found.stopped}" if found.stopped else ""
    say(f"{judge.model} graded {found.graded:,} of {found.asked:,} open responses of {run.name}{stopped}")
    return replace(run, engine=f"{run.scorer}{JUDGED_BY}{judge.model} ({judge.key})"), heard_rows(home, run, judge.key)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GOLDEN, --baseline, --format, --name, --policy, --pair, --out, and what `add_asking_arguments` adds."""
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="golden dataset, in any format of `qaviz import`")
    parser.add_argument(
        "--baseline",
        required=True,
        metavar="RUN|FILE|SPEC",
        help="a run's name or id, a file of responses, or another pipeline, which is asked too",
    )
    parser.add_argument("--format", choices=CHECK_FORMATS, default="md", help="md for a pull request's comment")
    parser.add_argument("--name", help="of the new run (default: by pipelines and time)")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="acceptance criteria (default: the workspace's)")
    parser.add_argument(
        "--pair", type=pipeline_pair, action="append", default=[], metavar="NOW=BASELINE", help="pipelines to compare"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the responses in this .jsonl file too")
    parser.add_argument(
        "--fast", action="store_true", help="ask the most telling questions first, and stop as soon as it is known"
    )
    parser.add_argument("--judge", metavar="MODEL", help="openai:NAME or bedrock:NAME grades what words leave open")
    parser.add_argument(
        "--judge-cap", action="append", default=[], metavar="AMOUNT", help="of the judge, for each run (1000calls)"
    )
    parser.add_argument("--bundle", type=Path, metavar="FILE.html", help="also write the run as a site to read")
    parser.add_argument("--link", metavar="URL", help="where the comment says the bundle is: https://...")
    parser.set_defaults(default_judge_cap="1000calls")
    add_asking_arguments(parser)
    add_by_argument(parser)
