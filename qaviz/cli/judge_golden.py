"""`qaviz judge-golden`: a language model checks triplets against the passages they come from."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz.cli.model_options import model_options, settings_of
from qaviz.cli.options import BY, FILE, FORMAT, Asked, argument, command, number, option, person
from qaviz.cli.paths import open_existing, refusal
from qaviz.cli.terminal import progress_line, shown
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
from qaviz.store import named_datasets, passages
from qaviz.store.grades import (
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


@command(
    argument("golden", "a file, or a generated dataset's name", type=FILE),
    option(
        "--passages",
        "FILE",
        "question_id, passage, and newer_passage where a newer document has it again",
        type=FILE,
    ),
    *model_options(required=True),
    option("--repeats", "N", "check each triplet N times", type=number(1, MOST_REPEATS), default=1),
    option("--out", "FILE", "write the findings to this file, .jsonl", type=FILE),
    FORMAT,
    BY,
)
def judge_golden(asked: Asked) -> int:
    """Let a language model check triplets by their passages.

    Each finding quotes its passage, or does not count; a proposed repair is checked by the gate and changes nothing.
    GOLDEN is a file, with --passages, or the name of a generated dataset: then Curation lists the findings, and offers
    the repairs that the gate accepts. Exit code 1 if a triplet is anything but supported. See docs/judging.md.
    """
    found = _judge(asked)
    print("\n".join(_report(found, asked.format)))
    if asked.out:
        _write(found, asked.out)
    return int(_found_problems(found))


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


def _judge(asked: Asked) -> JudgedGolden:
    """Judge the triplets that have a passage. Raises QavizError for files, options or a server that will not do."""
    of = _read_dataset(asked) if _names_dataset(asked) else _read_files(asked)
    if of.triplets.is_empty():
        raise refusal(
            str(asked.passages or asked.golden),
            "no passage of a question of the golden dataset",
            "question_id and passage, a row a question",
            "Check that both files belong together; a dataset has to be a generated one.",
        )
    settings = settings_of(asked, asked.workspace / "journals" / JOURNAL)
    with open_session(settings) as session, progress_line() as progress:
        findings = judge_triplets(session, of.triplets, repeats=asked.repeats, progress=progress)
        spend = session.spend
    proved = _with_gate(of.triplets, findings)
    if of.keep:
        of.keep(of.triplets.join(proved, on=QUESTION_ID, maintain_order="left"))
    return JudgedGolden(findings=proved, without_passage=of.without_passage, spend=spend)


def _names_dataset(asked: Asked) -> bool:
    """Whether GOLDEN is the name of a dataset in the workspace, and no file."""
    return not asked.golden.exists() and asked.passages is None


def _read_files(asked: Asked) -> _Asked:
    """The triplets and passages of two files. Raises QavizError for files that will not do."""
    if asked.passages is None:
        raise refusal(
            "--passages",
            "no file of passages",
            "one beside a golden dataset in a file",
            "Add --passages FILE, or name a dataset that was generated in this workspace.",
        )
    golden_source, passage_source = Source.each_of([asked.golden, asked.passages])
    with progress_line() as progress:
        golden, _ = sandbox.load_golden(golden_source, progress)
        passages = sandbox.read_passages(passage_source, progress)
    triplets = golden.join(
        passages.unique(QUESTION_ID, keep="last"), on=QUESTION_ID, how="inner", maintain_order="left"
    )
    return _Asked(triplets=triplets, without_passage=golden.height - triplets.height, keep=None)


def _read_dataset(asked: Asked) -> _Asked:
    """The newest version of a generated dataset with the passages it was made from. QavizError if there is none."""
    home, name = open_existing(asked.workspace), str(asked.golden)
    known = named_datasets(home)
    if name not in known:
        raise refusal(
            "GOLDEN",
            f"neither a file nor a generated dataset called {name}",
            ", ".join(known) or "a file",
            "Check the name.",
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


def _report(found: JudgedGolden, form: str) -> Iterator[str]:
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


def _write(found: JudgedGolden, out: Path) -> None:
    """Write the findings as JSON Lines. Raises QavizError if the disk refuses."""
    try:
        found.findings.write_ndjson(out)
    except OSError as error:
        raise refusal(str(out), str(error), "a file that can be written", "Name another one.") from error


def _found_problems(found: JudgedGolden) -> bool:
    """Whether a triplet is anything but supported, or was not judged."""
    return not (found.findings[FINDING] == TripletFinding.SUPPORTED.value).fill_null(False).all()
