"""qaviz in a terminal: the functions that the pages call, as commands."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import polars as pl

from qaviz import __version__
from qaviz.analysis.their_scores import COMPARED, compare_scores, describe_scores, their_scores
from qaviz.cli import (
    agreement,
    ask,
    bertscore,
    bundle,
    calibrate,
    check,
    compare,
    export,
    gate,
    generate,
    golden,
    graders,
    judge,
    judge_golden,
    lint,
    report,
    review,
    run_list,
    team,
    verify,
    watch,
    workspace,
)
from qaviz.cli.importing import add_import_arguments, import_files
from qaviz.cli.mapping import add_mapping_arguments
from qaviz.cli.opened import open_existing, open_home
from qaviz.cli.paths import forbidden_problem, refuse_bad_paths
from qaviz.cli.person import person
from qaviz.cli.rows import NOT_COVERED, add_row_arguments, report_listed
from qaviz.cli.score import add_score_arguments, address, score_files
from qaviz.cli.serve import add_app_arguments, serve
from qaviz.cli.terminal import say, say_problems, shown
from qaviz.exports.score_files import check_out, write_scores
from qaviz.loading.load_log import NOT_DIAGNOSED
from qaviz.model.errors import QavizError
from qaviz.scoring.language_models import find_model
from qaviz.store import default_folder

DONE, FOUND_PROBLEMS, COULD_NOT_RUN = 0, 1, 2
BUG = 70
"""A bug in qaviz ended the command, or kept some responses from being diagnosed; EX_SOFTWARE of `sysexits.h`."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """One word after `qaviz`. What `run` returns is the exit code, its docstring is the help."""

    name: str
    run: Callable[[argparse.Namespace], int]
    add_arguments: Callable[[argparse.ArgumentParser], None]


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Returns 0, or 1 if it found problems in the files, or 2 if it could not run."""
    asked = _parser().parse_args(arguments)
    try:
        refuse_bad_paths(asked)
        code: int = asked.run(asked)
        return code
    except QavizError as error:
        say_problems(error)
        return COULD_NOT_RUN
    except PermissionError as error:  # inside a folder that was named
        say_problems(QavizError(forbidden_problem(error.filename or "a file")))
        return COULD_NOT_RUN


def score(asked: argparse.Namespace) -> int:
    """Score and diagnose the responses and write one row a response to a file.

    Needs no workspace, and memory does not grow with the number of responses. RESPONSES may be folders and patterns of
    JSON Lines and Parquet files. With --engine ray those shards are scored on all cores or on a cluster and may also be
    in a store (s3://bucket/folder); --out is a folder that gets a Parquet file for each of them, and a second call does
    only what is not done.

    A .jsonl or .parquet file holds texts exactly. In a .csv file a text that a spreadsheet would
    run as a formula gets an apostrophe in front; a text that already has one there gets one more.
    """
    return _report(score_files(asked), asked.list)


def import_run(asked: argparse.Namespace) -> int:
    """Score and diagnose the responses and save them in the workspace as a run.

    Files of Ragas, promptfoo, SQuAD, Bedrock, Inspect and others (docs/imports.md) are recognised by their content;
    their scores are kept beside qaviz's, and compared with its verdicts.
    FMEval's own output (JSON Lines, save=True) is recognised by its content and keeps its scores. GOLDEN may be one of
    those files too: then the golden dataset is what they were scored against. `qaviz score` scores such a file again.
    """
    home = open_home(asked.workspace)
    run = import_files(asked, home)
    print(f'qaviz: {run.responses:,} responses saved as the run "{shown(run.name)}", id {run.run_id}')
    for line in describe_scores(compare_scores(their_scores(home.rows(run, COMPARED)))):
        print(shown(f"  {line}"))
    return _report(home.listed(run), asked.list)


def compare_labels(asked: argparse.Namespace) -> int:
    """Compare the verdicts of scored responses with people's labels, or any two graders with each other.

    Verdicts and labels: how often the two agree, overall, by pipeline and by category, and the responses where they do
    not. Two graders' files (people, judges): exact, within one, kappas, AC1 and AC2 with intervals, as JSON.
    """
    both = graders.read_graders(asked)
    if both:
        print("\n".join(graders.report(graders.compare(*both))))
        return DONE
    found = agreement.compare(asked.scored, asked.labels)
    print("\n".join(agreement.report(found)))
    return FOUND_PROBLEMS if found.unmatched else DONE


def lint_golden(asked: argparse.Namespace) -> int:
    """Look for what is wrong with a golden dataset: facts that match too much or too little, and much else.

    With --run also what the responses show: variants that are missing, facts that nobody states. Exit code 1 if a
    finding is an error.
    """
    found = lint.lint_golden(asked.golden, asked.run_name, asked.workspace)
    for line in lint.report(found, asked.format):
        print(line)
    return FOUND_PROBLEMS if found.errors else DONE


def look_at_versions(asked: argparse.Namespace) -> int:
    """Show, compare, export or extend the versions of a golden dataset.

    history lists them: who made each, when, why, and every edit. diff compares two, text by text. export writes one as
    JSON Lines, CSV or a workbook that qaviz reads back as it was, or in FMEval's own names. accept makes all edits that
    one rule of lint suggests a new version, and says what it changes over the run: GOLDEN is then a run. sample
    --smoke N chooses questions to ask with each commit, and says why.
    """
    print("\n".join(golden.act(asked)))
    return DONE


def verify_run(asked: argparse.Namespace) -> int:
    """Score a run, or a sample of it, again with the installed FMEval, and name every score that differs.

    Exit code 1 if there is one. The run notes what came of it; its scores stay as they are.
    """
    home = open_existing(asked.workspace)
    run = home.find(asked.run_name)
    found = verify.verify(run, home, asked.sample, asked.seed, person(asked))
    print("\n".join(verify.report(run, found)))
    return DONE if found.differences.is_empty() else FOUND_PROBLEMS


def bertscore_run(asked: argparse.Namespace) -> int:
    """Compute BERTScore of a run's responses, by a language model on this machine.

    Offline: a model is only ever loaded from the folder that $QAVIZ_MODELS names, or from your Hugging Face cache. What
    is computed is kept in the workspace, so that it is computed once.
    """
    if asked.out:
        check_out(asked.out, [])
    home = open_existing(asked.workspace)
    run, model = home.find(asked.run_name), find_model(asked.model)
    chosen = bertscore.select(home.rows(run), run, asked.pipeline, asked.question)
    scored = bertscore.score_rows(home, chosen, model)
    print("\n".join(bertscore.report(scored, model)))
    if asked.out:
        write_scores([scored], asked.out)
    return DONE


def generate_dataset(asked: argparse.Namespace) -> int:
    """Make a golden dataset from documents: a model writes triplets, each is proved in its passage.

    The same command again asks only for what is missing. Exit code 1 if a document or a reply could not be used."""
    return DONE if generate.generate(asked) else FOUND_PROBLEMS


def export_run(asked: argparse.Namespace) -> int:
    """Write a run in the format of FMEval's own output, one file an evaluation and pipeline."""
    home = open_existing(asked.workspace)
    run = home.find(asked.saved)
    home.note_export("FMEval output", run=run.run_id)
    for line in export.export(run, home, asked.out):
        print(line)
    return DONE


def bundle_run(asked: argparse.Namespace) -> int:
    """Write a run as a static site to read: one file to send, or a folder for any host.

    It opens from disk, needs no server, fetches nothing, and shows the report, the responses and their words as the
    pages do. What `bundle` wrote before is replaced; anything else is not.
    """
    home = open_existing(asked.workspace)
    run = home.find(asked.bundled)
    home.note_export("bundle", run=run.run_id)
    print(bundle.bundle(run, home, asked.out))
    return DONE


def report_run(asked: argparse.Namespace) -> int:
    """Write a run's decision pack: slides, a workbook, a page for a browser or a wiki, or JSON, by the suffix of --out.

    It states what is decided, what the run says and how sure that is, examples, what is not known, and a block to sign.
    """
    home = open_existing(asked.workspace)
    run = home.find(asked.saved)
    home.note_export(f"decision pack {asked.out.suffix}", run=run.run_id)
    report.report(run, home, asked.out)
    print(shown(f'qaviz: the decision pack of "{run.name}" is in {asked.out}'))
    return DONE


def calibrate_run(asked: argparse.Namespace) -> int:
    """Fit confidence to the labels that people gave on a run, and write the map to a file.

    Only levels move, from where labelled sets of others put them. QAVIZ_CALIBRATION=FILE takes it in place of the one
    that is shipped, for every command and for the app.
    """
    for line in calibrate.calibrate(asked):
        print(shown(f"qaviz: {line}"))
    return DONE


def gate_run(asked: argparse.Namespace) -> int:
    """Say whether a run may pass, for CI: no drop beyond chance, criteria met, nothing missing.

    Exit code: 0 it passes; 1 a score dropped beyond chance, a question tagged critical is no longer right, a criterion
    is not met or a response is missing; 2 could not run; 3 nothing of that, and not enough questions to tell.
    """
    found = gate.check(open_existing(asked.workspace), asked)
    print(gate.report(found, asked.format))
    return gate.EXIT_CODES[found.result]


def review_golden(asked: argparse.Namespace) -> int:
    """Say how many triplets of a golden dataset people review by its risk, and what a review has shown.

    plan sizes the random sample for a risk level; bound says how many of all triplets may be wrong after a review.
    start draws a review of a golden dataset; status says what the reviews have shown; export and import carry items and
    decisions of a reader as files; adjudicate keeps a third person's decision; apply makes what is settled one version.
    """
    print("\n".join(review.act(asked)))
    return DONE


def compare_runs(asked: argparse.Namespace) -> int:
    """Compare two runs question by question: fixed, broken, changed in wording or verdict, the same.

    Pipelines of the same name are compared, or those that --pair names; with RUN twice, two pipelines of one run.
    """
    print(compare.compare(open_existing(asked.workspace), asked))
    return DONE


def look_at_runs(asked: argparse.Namespace) -> int:
    """List, describe, archive, delete and purge the workspace's runs.

    list, show RUN; rename RUN NAME, own RUN NAME, note RUN TEXT ("" takes it away), tag RUN TAG... [--remove];
    archive RUN, unarchive RUN: out of the lists and back; delete RUN, undelete RUN [NAME]; purge [RUN...] says what is
    deleted, and removes it with --yes. Nothing but a purge is for good.
    """
    for line in run_list.act(asked):
        print(line)
    return DONE


def look_after(asked: argparse.Namespace) -> int:
    """Check the workspace, back it up, restore it, bring it up to this qaviz, or take its audit along.

    check reads every file and compares it with what was written, and checks the audit's chain; exit code 1 if anything
    was changed. backup copies the workspace as it is at this moment into the new FOLDER, while others go on writing.
    restore makes the workspace, which must not be there yet, from the backup FOLDER. migrate does what opening the
    workspace would do. audit writes who did what and when to --out. backup and restore overwrite nothing.
    """
    return DONE if workspace.act(asked) else FOUND_PROBLEMS


def app(asked: argparse.Namespace) -> NoReturn:
    """Serve the pages, to this machine only.

    The address is http://127.0.0.1 and the port. An empty workspace gets a sample run first. On a machine that others
    use too, --token keeps them out: it prints an address that works once, in one browser.
    """
    serve(asked.workspace, asked.port, with_token=asked.token, pipelines=asked.pipelines)


def _report(listed: pl.DataFrame, out: Path | None = None) -> int:
    counts = report_listed(listed, out)
    if NOT_DIAGNOSED in counts:
        return BUG
    return FOUND_PROBLEMS if any(kind in counts for kind in NOT_COVERED) else DONE


def _file_arguments(parser: argparse.ArgumentParser, responses: Callable[[str], Path | str] = Path) -> None:
    files = "golden dataset: .jsonl, .json, .csv, .parquet, .xlsx (book.xlsx#Sheet names a sheet), .eval"
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help=files)
    parser.add_argument(
        "responses", type=responses, nargs="*", metavar="RESPONSES", help="responses; none if GOLDEN holds them"
    )
    add_mapping_arguments(parser)
    add_row_arguments(parser)


def _score_arguments(parser: argparse.ArgumentParser) -> None:
    _file_arguments(parser, responses=address)
    add_score_arguments(parser)


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    _file_arguments(parser)
    add_import_arguments(parser)


COMMANDS = (
    Command(name="score", run=score, add_arguments=_score_arguments),
    Command(name="import", run=import_run, add_arguments=_import_arguments),
    Command(name="ask", run=ask.run, add_arguments=ask.add_arguments),
    Command(name="check", run=check.run, add_arguments=check.add_arguments),
    Command(name="watch", run=watch.run, add_arguments=watch.add_arguments),
    Command(name="agreement", run=compare_labels, add_arguments=agreement.add_arguments),
    Command(name="calibrate", run=calibrate_run, add_arguments=calibrate.add_arguments),
    Command(name="lint", run=lint_golden, add_arguments=lint.add_arguments),
    Command(name="golden", run=look_at_versions, add_arguments=golden.add_arguments),
    Command(name="verify", run=verify_run, add_arguments=verify.add_arguments),
    Command(name="bertscore", run=bertscore_run, add_arguments=bertscore.add_arguments),
    Command(name="generate", run=generate_dataset, add_arguments=generate.add_arguments),
    Command(name="judge", run=judge.run, add_arguments=judge.add_arguments),
    Command(name="judge-golden", run=judge_golden.run, add_arguments=judge_golden.add_arguments),
    Command(name="export", run=export_run, add_arguments=export.add_arguments),
    Command(name="bundle", run=bundle_run, add_arguments=bundle.add_arguments),
    Command(name="report", run=report_run, add_arguments=report.add_arguments),
    Command(name="gate", run=gate_run, add_arguments=gate.add_arguments),
    Command(name="review", run=review_golden, add_arguments=review.add_arguments),
    Command(name="compare", run=compare_runs, add_arguments=compare.add_arguments),
    Command(name="runs", run=look_at_runs, add_arguments=run_list.add_arguments),
    Command(name="workspace", run=look_after, add_arguments=workspace.add_arguments),
    Command(name="accounts", run=team.look_after_accounts, add_arguments=team.add_account_arguments),
    Command(name="members", run=team.look_after_members, add_arguments=team.add_member_arguments),
    Command(name="projects", run=team.look_after_projects, add_arguments=team.add_project_arguments),
    Command(name="tokens", run=team.look_after_tokens, add_arguments=team.add_token_arguments),
    Command(name="app", run=app, add_arguments=add_app_arguments),
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{message}. See: {self.prog} --help")
        sys.exit(COULD_NOT_RUN)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="qaviz",
        description="What FMEval's question-answering scores mean.",
        epilog="Exit code: 0 done; 1 done, and found problems in the files; 2 could not run; 70 a bug in qaviz.",
    )
    parser.add_argument("--version", action="version", version=f"qaviz {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        text = command.run.__doc__ or ""
        of_command = commands.add_parser(command.name, description=text, help=text.partition("\n")[0].rstrip("."))
        command.add_arguments(of_command)
        of_command.add_argument(
            "--workspace",
            type=Path,
            default=default_folder(),
            metavar="DIR",
            help="folder that keeps runs (default: $QAVIZ_WORKSPACE, else ./workspace)",
        )
        of_command.set_defaults(run=command.run)
    return parser
