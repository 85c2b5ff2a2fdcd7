"""`qaviz golden`: the versions of a golden dataset, in a terminal."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.analysis.agreement import counting
from qaviz.analysis.curation_words import effect_points
from qaviz.analysis.numbers import out_of, percent, plural
from qaviz.analysis.smoke_set import MOST_COMPARED, WHY, choose_smoke_set, collect_outcomes
from qaviz.cli.opened import open_existing
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.terminal import progress_line, shown
from qaviz.cli.whole_numbers import SEEDS, whole_number
from qaviz.exports.golden_files import GOLDEN_FORMATS
from qaviz.golden.edits import CHANGE, differences, edits_to, proposed_edits, without_rejected
from qaviz.golden.lint import RULES, lint
from qaviz.golden.preview import Effects, preview
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, REPEAT_OF, VERDICT
from qaviz.model.errors import Problem, QavizError
from qaviz.runs import rescore_run
from qaviz.store import (
    GoldenVersion,
    Workspace,
    disk_refusals,
    kept_edits,
    kept_labels,
    kept_rejections,
    line_of,
    named_datasets,
    replacing,
    versions,
)
from qaviz.store.golden_versions import AFTER, BEFORE, FIELD, NUMBER, RULE
from qaviz.store.triplet_findings import kept_triplet_findings

MISSING = "nothing"
OUTCOME_COLUMNS = (QUESTION_ID, PIPELINE, REPEAT_OF, VERDICT)


@dataclass(frozen=True, kw_only=True)
class _Action:
    do: Callable[[argparse.Namespace, Workspace], Iterator[str]]
    names: int
    """How many golden datasets it takes."""
    needs: tuple[str, ...] = ()
    """Options that it cannot do without."""


def act(asked: argparse.Namespace) -> Iterator[str]:
    """Do what `asked.action` says; the lines that the command prints. Raises QavizError."""
    action = _ACTIONS[asked.action]
    lacking = [name for name in action.needs if getattr(asked, name) is None]
    if len(asked.names) != action.names or lacking:
        found = plural(len(asked.names), "golden dataset")
        raise QavizError(
            Problem(
                where=f"golden {asked.action}",
                found=f"no {', '.join(f'--{name}' for name in lacking)}" if lacking else found,
                expected=plural(action.names, "golden dataset") + "".join(f", --{name}" for name in action.needs),
                fix="See: qaviz golden --help",
            )
        )
    return map(shown, action.do(asked, open_existing(asked.workspace)))


def _version(home: Workspace, name: str) -> GoldenVersion:
    """The version that is meant by a run's or a generated dataset's name, NAME@2, or a golden dataset's id."""
    goldens = named_datasets(home)
    for run in home.runs(archived=True):
        goldens |= {run.name: run.golden_id, run.run_id: run.golden_id}
    of, at, number = name.rpartition("@")
    if name not in goldens and at and number.isdecimal() and of in goldens:
        line = versions(home, line_of(home, goldens[of]))
        if 1 <= int(number) <= len(line):
            return line[int(number) - 1]
        raise QavizError(
            Problem(
                where=name,
                found=f"no version {number}",
                expected=f"a number from 1 to {len(line)}",
                fix=f'See: qaviz golden history "{of}"',
            )
        )
    if name in goldens:
        return newest_version(home, goldens[name])
    found = [each for each in versions(home, line_of(home, name)) if each.golden_id == name]
    if found:
        return found[-1]
    raise QavizError(
        Problem(
            where=name,
            found="no such run, version or golden dataset in the workspace",
            expected="NAME, NAME@VERSION or the id of a golden dataset",
            fix="Check the name, or name the workspace with --workspace.",
        )
    )


def _history(asked: argparse.Namespace, home: Workspace) -> Iterator[str]:
    line = versions(home, _version(home, asked.names[0]).line)
    edits = kept_edits(home, line[0].line)
    for each in line:
        by = f"by {each.made_by}" if each.made_by else "from a file"
        yield f"version {each.number}  {each.golden_id}  {each.made_at:%Y-%m-%d %H:%M} UTC  {by}: {each.why}"
        for edit in edits.filter(pl.col(NUMBER) == each.number).iter_rows(named=True):
            rule = f" ({edit[RULE]})" if edit[RULE] else ""
            yield f"    {_edit(edit)}{rule}"


def _edit(edit: dict[str, str | None]) -> str:
    return f"{edit[QUESTION_ID]}, {edit[FIELD]}: {edit[BEFORE] or MISSING} → {edit[AFTER] or MISSING}"


def _export(asked: argparse.Namespace, home: Workspace) -> Iterator[str]:
    version = _version(home, asked.names[0])
    golden = home.golden(version.golden_id)
    _write(golden, asked.out, asked.format)
    yield f"qaviz: version {version.number}, {plural(golden.height, 'triplet')}, in {asked.out}"


def _write(golden: pl.DataFrame, out: Path, form: str | None) -> None:
    """Write it in this format, else in that of the file's suffix. Raises QavizError where there is none."""
    name = form or out.suffix.removeprefix(".").lower()
    if name not in GOLDEN_FORMATS:
        raise QavizError(
            Problem(
                where=f"--out {out}",
                found=f'the suffix "{out.suffix}"',
                expected=", ".join(sorted({kind.suffix for kind in GOLDEN_FORMATS.values()})),
                fix="Name another file, or say the --format.",
            )
        )
    written = GOLDEN_FORMATS[name].write(golden)
    with disk_refusals(out), replacing(out.resolve()) as unfinished:
        unfinished.write_bytes(written)


def _diff(asked: argparse.Namespace, home: Workspace) -> Iterator[str]:
    old, new = (_version(home, name) for name in asked.names)
    found = differences(home.golden(old.golden_id), home.golden(new.golden_id))
    yield f"qaviz: from version {old.number} to version {new.number}: {plural(found.height, 'other text')}"
    for each in found.iter_rows(named=True):
        yield f"{each[CHANGE]}  {_edit(each)}"


def _accept(asked: argparse.Namespace, home: Workspace) -> Iterator[str]:
    """Accept all that one rule suggests, and say what it changes over the run."""
    run = home.find(asked.names[0])
    version = newest_version(home, run.golden_id)
    golden = home.golden(version.golden_id)
    with progress_line() as progress:
        rows = rescore_run(run, home, version.golden_id, progress)
        found = lint(golden, rows, progress, kept_triplet_findings(home, version.golden_id))
        found = without_rejected(found, kept_rejections(home, version.line))
    edits = edits_to(golden, proposed_edits(found.filter(pl.col(RULE) == asked.rule)))
    if edits.is_empty():
        yield f'qaviz: the rule "{asked.rule}" suggests nothing'
        return
    labels = kept_labels(home, run)
    said = None if labels.is_empty() else counting(labels)
    effects = preview(rows, golden, edits, run.thresholds, run.pipelines, said)
    why = asked.why or f"all suggestions of the rule {asked.rule}"
    made = accept(home, version, edits, person(asked), why)
    yield f"qaviz: version {made.number}, {plural(edits.height, 'edit')}"
    yield from _effects(effects)


def _effects(effects: Effects) -> Iterator[str]:
    for each in effects.facts.iter_rows(named=True):
        now = f"{out_of(each['hits'], each['scored'])} ({percent(each['before'])})"
        then = f"{out_of(each['hits_after'], each['scored_after'])} ({percent(each['after'])})"
        yield f"  {each[PIPELINE]}: Factual Knowledge {now} → {then}"
    yield from (f"  {point}" for point in effect_points(effects.diagnoses, effects.scores, effects.mistakes))


def _sample(asked: argparse.Namespace, home: Workspace) -> Iterator[str]:
    """Choose a smoke set by the runs of this line of golden dataset versions, write it, and say why each question."""
    version = _version(home, asked.names[0])
    golden = home.golden(version.golden_id)
    line = {each.golden_id for each in versions(home, version.line)}
    told = [home.rows(run, OUTCOME_COLUMNS) for run in home.runs()[:MOST_COMPARED] if run.golden_id in line]
    outcomes = collect_outcomes(golden, told)
    chosen = choose_smoke_set(golden, outcomes, asked.smoke, asked.seed)
    if asked.out:
        _write(chosen, asked.out, asked.format)
    where = f" in {asked.out}" if asked.out else ""
    yield (
        f"qaviz: {plural(chosen.height, 'question')} of {golden.height:,}{where}, chosen by "
        f"{plural(outcomes.shape[1], 'pipeline')} of {plural(len(told), 'run')}, seed {asked.seed}"
    )
    yield from (f"{each[QUESTION_ID]}  {each[WHY]}  {each[QUESTION]}" for each in chosen.iter_rows(named=True))


_ACTIONS = {
    "history": _Action(do=_history, names=1),
    "diff": _Action(do=_diff, names=2),
    "export": _Action(do=_export, names=1, needs=("out",)),
    "sample": _Action(do=_sample, names=1, needs=("smoke",)),
    "accept": _Action(do=_accept, names=1, needs=("rule",)),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION, GOLDEN, and options of some actions."""
    parser.add_argument("action", choices=_ACTIONS, metavar="ACTION", help=" | ".join(_ACTIONS))
    parser.add_argument(
        "names",
        nargs="+",
        metavar="GOLDEN",
        help="a run or a generated dataset: NAME, NAME@VERSION; or a golden dataset's id",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="with export, sample: the file to write")
    parser.add_argument(
        "--format", choices=GOLDEN_FORMATS, help="with export, sample: the format (default: by FILE's suffix)"
    )
    rules = [rule.name for rule in RULES]
    parser.add_argument(
        "--rule", choices=rules, metavar="RULE", help="with accept: whose suggestions (see: qaviz lint)"
    )
    parser.add_argument(
        "--smoke",
        type=whole_number(1, 100_000),
        metavar="N",
        help="with sample: N questions that are critical, unanswerable, or told pipelines apart in earlier runs",
    )
    parser.add_argument("--seed", type=SEEDS, default=0, metavar="N", help="with sample: of what is left to chance")
    parser.add_argument("--why", metavar="TEXT", help="with accept: why; shown in the history")
    add_by_argument(parser)
