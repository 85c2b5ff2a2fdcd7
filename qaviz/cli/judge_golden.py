"""`qaviz judge-golden`: a language model checks triplets against the passages they come from."""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.cli.model_options import add_model_arguments, settings_of
from qaviz.cli.opened import open_existing
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.terminal import progress_line, shown
from qaviz.cli.whole_numbers import whole_number
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.gate import check_triplets
from qaviz.golden.versions import newest_version
from qaviz.judging.triplets import (
    PASSAGE,
    VOID,
    TripletFinding,
    judge_triplets,
    to_repair,
)
from qaviz.llm import Spend, open_session
from qaviz.loading import Source, sandbox
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.store import named_datasets, passages
from qaviz.store.triplet_findings import (
    FINDING,
    GATE,
    QUOTATION,
    REPAIRED_ANSWER,
    REPAIRED_FACT,
    WHY,
    keep_triplet_findings,
)

JOURNAL = "judge-golden.jsonl"
MOST_REPEATS = 10


@dataclass(frozen=True, kw_only=True)
class JudgedGolden:
    """Findings with the triplets they are about, and what they took."""

    findings: pl.DataFrame
    without_passage: int
    spend: Spend


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Triplets with their passages."""

    triplets: pl.DataFrame
    """The golden columns and PASSAGE, one row a triplet that has one."""
    without_passage: int
    keep: Callable[[pl.DataFrame], None] | None
    """Keeps the findings in the workspace; None for files."""


def run(asked: argparse.Namespace) -> int:
    """Let a language model check the triplets of a golden dataset against the passages they come from.

    Each finding quotes its passage, or does not count; a proposed repair is checked by the gate and changes nothing.
    GOLDEN is a file, with --passages, or the name of a generated dataset: then Curation lists the findings, and offers
    the repairs that the gate accepts.
    Exit code 1 if a triplet is anything but supported. See docs/judging.md.
    """
    found = judge(asked)
    print("\n".join(report(found, asked.format)))
    if asked.out:
        write(found, asked.out)
    return int(found_problems(found))


def judge(asked: argparse.Namespace) -> JudgedGolden:
    """Judge the triplets that have a passage. Raises QavizError for files, options or a server that will not do."""
    of = _read_dataset(asked) if _names_dataset(asked) else _read_files(asked)
    if of.triplets.is_empty():
        raise QavizError(
            Problem(
                where=str(asked.passages or asked.golden),
                found="no passage of a question of the golden dataset",
                expected="question_id and passage, a row a question",
                fix="Check that both files belong together; a dataset has to be a generated one.",
            )
        )
    settings = settings_of(asked, asked.workspace / "journals" / JOURNAL)
    with open_session(settings) as session, progress_line() as progress:
        findings = judge_triplets(session, of.triplets, repeats=asked.repeats, progress=progress)
        spend = session.spend
    proved = _with_gate(of.triplets, findings)
    if of.keep:
        of.keep(of.triplets.join(proved, on=QUESTION_ID, maintain_order="left"))
    return JudgedGolden(findings=proved, without_passage=of.without_passage, spend=spend)


def _names_dataset(asked: argparse.Namespace) -> bool:
    """Whether GOLDEN is the name of a dataset in the workspace, and no file."""
    return not asked.golden.exists() and asked.passages is None


def _read_files(asked: argparse.Namespace) -> _Asked:
    """The triplets and passages of two files. Raises QavizError for files that will not do."""
    if asked.passages is None:
        raise QavizError(
            Problem(
                where="--passages",
                found="no file of passages",
                expected="one beside a golden dataset in a file",
                fix="Add --passages FILE, or name a dataset that was generated in this workspace.",
            )
        )
    golden_source, passage_source = Source.each_of([asked.golden, asked.passages])
    with progress_line() as progress:
        golden, _ = sandbox.load_golden(golden_source, progress)
        passages = sandbox.read_passages(passage_source, progress)
    triplets = golden.join(
        passages.unique(QUESTION_ID, keep="last"), on=QUESTION_ID, how="inner", maintain_order="left"
    )
    return _Asked(triplets=triplets, without_passage=golden.height - triplets.height, keep=None)


def _read_dataset(asked: argparse.Namespace) -> _Asked:
    """The newest version of a generated dataset with the passages it was made from. QavizError if there is none."""
    home, name = open_existing(asked.workspace), str(asked.golden)
    known = named_datasets(home)
    if name not in known:
        raise QavizError(
            Problem(
                where="GOLDEN",
                found=f"neither a file nor a generated dataset called {name}",
                expected=", ".join(known) or "a file",
                fix="Check the name.",
            )
        )
    version = newest_version(home, known[name])
    golden = home.golden(version.golden_id)
    of_line = passages(home, version.golden_id).select(QUESTION_ID, pl.col("passage").alias(PASSAGE))
    triplets = golden.join(of_line, on=QUESTION_ID, how="inner", maintain_order="left")
    who = person(asked)

    def keep(found: pl.DataFrame) -> None:
        keep_triplet_findings(home, version.golden_id, asked.model, found.drop_nulls(FINDING), who)

    return _Asked(triplets=triplets, without_passage=golden.height - triplets.height, keep=keep)


def _with_gate(triplets: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    """The findings, and of each proposed repair whether it is proved by its passage."""
    # A passage is its own chunk, known by its text.
    repaired = to_repair(triplets, findings).with_columns(
        pl.col(PASSAGE).alias("chunk"), pl.lit("single fact").alias("kind")
    )
    chunks = triplets.select(pl.col(PASSAGE).alias("chunk"), pl.col(PASSAGE).alias("text")).unique(maintain_order=True)
    chunks = chunks.with_columns(
        pl.lit("passage").alias("document"),
        pl.lit("").alias("heading"),
        pl.lit(0, pl.Int64).alias("start"),
        pl.col("text").str.len_chars().cast(pl.Int64).alias("end"),
    )
    whole = pl.concat([pl.DataFrame(schema=CHUNKS), chunks], how="diagonal")
    checked = check_triplets(repaired, whole) if repaired.height else repaired
    said = pl.coalesce(pl.col("reason"), pl.col("status")) if repaired.height else pl.lit(None, pl.String)
    return findings.join(checked.select(QUESTION_ID, said.alias(GATE)), on=QUESTION_ID, how="left")


def report(found: JudgedGolden, form: str) -> Iterator[str]:
    """The lines that the command prints."""
    findings, spend = found.findings, found.spend
    counts = {each.value: findings.filter(pl.col(FINDING) == each.value).height for each in TripletFinding}
    if form == "json":
        void = findings[VOID].count()
        whole: dict[str, object] = {"asked": findings.height, "judged": findings.height - void, "void": void}
        whole |= {
            "calls": spend.calls,
            "cost": spend.cost,
            "without_passage": found.without_passage,
            "findings": counts,
        }
        yield json.dumps(whole)
        return
    yield ", ".join(f"{number:,} {name}" for name, number in counts.items() if number) or "no finding"
    for row in findings.filter(pl.col(FINDING) != TripletFinding.SUPPORTED.value).iter_rows(named=True):
        yield shown(f"  {row[QUESTION_ID]}: {row[FINDING]}. {row[WHY] or ''} “{row[QUOTATION]}”")
        if row[REPAIRED_ANSWER]:
            yield shown(f"    proposed: {row[REPAIRED_ANSWER]} | {row[REPAIRED_FACT]} (gate: {row[GATE]})")
    for row in findings.drop_nulls(VOID).iter_rows(named=True):
        yield shown(f"  {row[QUESTION_ID]}: void: {row[VOID]}")


def write(found: JudgedGolden, out: Path) -> None:
    """Write the findings as JSON Lines. Raises QavizError if the disk refuses."""
    try:
        found.findings.write_ndjson(out)
    except OSError as error:
        raise QavizError(
            Problem(where=str(out), found=str(error), expected="a file that can be written", fix="Name another one.")
        ) from error


def found_problems(found: JudgedGolden) -> bool:
    """Whether a triplet is anything but supported, or was not judged."""
    return not (found.findings[FINDING] == TripletFinding.SUPPORTED.value).fill_null(False).all()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """GOLDEN, --passages, --repeats, --out, --format, and the options of every model."""
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="a file, or a generated dataset's name")
    parser.add_argument(
        "--passages",
        type=Path,
        metavar="FILE",
        help="question_id, passage, and newer_passage where a newer document says it again",
    )
    add_model_arguments(parser)
    parser.add_argument("--repeats", type=whole_number(1, MOST_REPEATS), default=1, metavar="N", help="default 1")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the findings to this file, .jsonl")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    add_by_argument(parser)
