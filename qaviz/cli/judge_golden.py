"""`qaviz judge-golden`: a language model checks triplets against the passages they come from."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.cli.model_options import add_model_arguments, settings_of
from qaviz.cli.terminal import progress_line, shown
from qaviz.cli.whole_numbers import whole_number
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.gate import check_triplets
from qaviz.judging.triplets import (
    FINDING,
    PASSAGE,
    QUOTATION,
    REPAIRED_ANSWER,
    REPAIRED_FACT,
    VOID,
    WHY,
    TripletFinding,
    judge_triplets,
    to_repair,
)
from qaviz.llm import Spend, open_session
from qaviz.loading import Source, sandbox
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import Problem, QavizError

JOURNAL = "judge-golden.jsonl"
GATE = "gate"
"""What the gate says of a proposed repair: `accepted`, or why not; null where nothing is proposed."""
MOST_REPEATS = 10


@dataclass(frozen=True, kw_only=True)
class JudgedGolden:
    """Findings with the triplets they are about, and what they took."""

    findings: pl.DataFrame
    without_passage: int
    spend: Spend


def run(asked: argparse.Namespace) -> int:
    """Let a language model check the triplets of a golden dataset against the passages they come from.

    Each finding quotes its passage, or does not count; a proposed repair is checked by the gate and changes nothing.
    Exit code 1 if a triplet is anything but supported. See docs/judging.md.
    """
    found = judge(asked)
    print("\n".join(report(found, asked.format)))
    if asked.out:
        write(found, asked.out)
    return int(found_problems(found))


def judge(asked: argparse.Namespace) -> JudgedGolden:
    """Judge the triplets that have a passage. Raises QavizError for files, options or a server that will not do."""
    golden_source, passage_source = Source.each_of([asked.golden, asked.passages])
    with progress_line() as progress:
        golden, _ = sandbox.load_golden(golden_source, progress)
        passages = sandbox.read_passages(passage_source, progress)
    triplets = golden.join(
        passages.unique(QUESTION_ID, keep="last"), on=QUESTION_ID, how="inner", maintain_order="left"
    )
    if triplets.is_empty():
        raise QavizError(
            Problem(
                where=asked.passages.name,
                found="no passage of a question of the golden dataset",
                expected="question_id and passage, a row a question",
                fix="Check that both files belong together.",
            )
        )
    settings = settings_of(asked, asked.workspace / "journals" / JOURNAL)
    with open_session(settings) as session, progress_line() as progress:
        findings = judge_triplets(session, triplets, repeats=asked.repeats, progress=progress)
        spend = session.spend
    return JudgedGolden(
        findings=_with_gate(triplets, findings), without_passage=golden.height - triplets.height, spend=spend
    )


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
    parser.add_argument("golden", type=Path, metavar="GOLDEN", help="golden dataset: .jsonl, .csv, .parquet, .xlsx")
    parser.add_argument(
        "--passages",
        type=Path,
        required=True,
        metavar="FILE",
        help="question_id, passage, and newer_passage where a newer document says it again",
    )
    add_model_arguments(parser)
    parser.add_argument("--repeats", type=whole_number(1, MOST_REPEATS), default=1, metavar="N", help="default 1")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the findings to this file, .jsonl")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
