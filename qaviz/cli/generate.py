"""`qaviz generate`: a golden dataset from documents."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli.judge import ModelOptions, read_model_settings
from qaviz.cli.options import FILE, SHARE, ByWhom, Printed, Value, argument, choice, command, number, option, switch
from qaviz.cli.paths import open_home, write_out
from qaviz.cli.terminal import escape, progress_line, say, say_problems
from qaviz.generation.coverage import draft_facts, find_difficulty, measure_coverage, plan_gaps, read_kept, select_gaps
from qaviz.generation.gate import ACCEPTED, REJECTED, UNPROVED
from qaviz.generation.pipeline import (
    Collection,
    Generated,
    generate_triplets,
    gone_triplets,
    journal_of,
    keep_dataset,
    payable,
    read_collection,
    read_mended,
    refuse_more,
    requests_for,
)
from qaviz.generation.prompting import Generation, check_generation, read_generation
from qaviz.llm import Session, open_session
from qaviz.llm.batches import read_result_file, write_request_file
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import QavizError, stop
from qaviz.store.golden_versions import checked_dataset_name, named_datasets
from qaviz.store.workspace import Workspace

_TOKENS = Value(int, "a number of tokens")


def _read_mix(text: str) -> dict[str, float]:
    """The shares by type. Raises ValueError if there is none."""
    parts = (part.strip().rpartition(" ") for part in text.split(","))
    return {name.strip(): float(share.removesuffix("%")) / 100 for name, _, share in parts}


_MIX = Value(_read_mix, 'types of questions with their shares, such as "single fact 60%, table look-up 40%"')


@dataclass(frozen=True, kw_only=True)
class _GenerateOptions(ModelOptions, Printed, ByWhom):
    paths: tuple[str, ...] = argument("documents, folders, patterns, s3://bucket/folder", nargs=-1, required=True)
    dataset: str | None = option("NAME", "the golden dataset's name in the workspace")
    review: float | None = option("SHARE", "share of triplets to flag for review: 20% (default), 0.2", type=SHARE)
    config: Path | None = option("FILE", "settings, .toml (docs/generation.md)", type=FILE)
    chunk_size: int | None = option("TOKENS", "size of a chunk (default 600)", type=_TOKENS)
    chunk_overlap: int | None = option("TOKENS", "overlap of two chunks (default 60)", type=_TOKENS)
    language: str | None = option("NAME", "language of questions and answers: German (default: the passage's)")
    mix: Mapping[str, float] | None = option(
        "TYPES", 'types of questions: "single fact 60%, calculation 40%"', type=_MIX
    )
    estimate: bool = switch("print the estimate; calls no model")
    request_file: Path | None = option("FILE", "write the requests for a batch API instead; calls no model", type=FILE)
    result_file: Path | None = option("FILE", "first read a batch API's results as replies", type=FILE)
    coverage: bool = switch("print what the dataset covers of the documents and what it lacks; calls no model")
    gaps: int | None = option("N", "ask for N further triplets where it lacks some", type=number(1, 10_000))
    engine: str = choice(("qaviz", "ray"), "run here, or on a cluster", default="qaviz")
    listed: Path | None = option("FILE", "write all triplets with their reasons, .jsonl", type=FILE)
    by_hand: bool = switch("write facts worth asking about to --out; calls no model")
    out: str | None = option("FILE", "with --by-hand: the file to write, .jsonl")


@command(_GenerateOptions)
def generate(options: _GenerateOptions) -> int:
    """Make a golden dataset from documents with a language model.

    The model writes triplets; each is checked against its passage. The same command again asks only for what is
    missing. Exit code 1 if a document or a reply could not be used.
    """
    made = _read_settings(options)
    with progress_line() as progress:
        collection = read_collection(options.paths, made, progress)
    if collection.problems:
        say_problems(QavizError(*collection.problems))
    for note in collection.notes:
        say(note)
    could_use_all = _write_facts(options, collection) if options.by_hand else _generate(options, made, collection)
    return DONE if could_use_all and not collection.problems else FOUND_PROBLEMS


MOST_NAMED = 20


def _generate(options: _GenerateOptions, made: Generation, collection: Collection) -> bool:
    """Do what the options say and print it. Returns whether all replies could be used."""
    workspace, name = open_home(options.workspace), checked_dataset_name(_require_option(options, "dataset"))
    model = options.named_model
    journal = journal_of(workspace, name)
    journal.parent.mkdir(parents=True, exist_ok=True)
    if options.request_file:
        requests = requests_for(collection.passages, made)
        number = write_request_file(options.request_file, requests, model, journal)
        _print(options, {"requests": number, "file": str(options.request_file)}, f"{number:,} requests written")
        return True
    if options.result_file:
        read = read_result_file(options.result_file, model, journal)
        for line in read.failed[:MOST_NAMED]:
            say(line)
    return _ask(options, made, collection, workspace, name)


def _ask(options: _GenerateOptions, made: Generation, collection: Collection, workspace: Workspace, name: str) -> bool:
    if not (options.estimate or options.coverage):
        refuse_more(workspace, name)
    settings, notice = payable(read_model_settings(options, journal_of(workspace, name)))
    if notice:
        say(notice)
    by_workers = 0
    if options.engine == "ray" and not options.estimate:
        from qaviz.generation.pipeline import ask_on_ray

        by_workers = ask_on_ray(settings, collection.passages, made)
    with open_session(settings) as session:
        plan = None
        if options.coverage or options.gaps:
            covered = _read_covered(session, workspace, name, collection, made)
            if options.coverage:
                _print_coverage(options, measure_coverage(covered, collection.chunks))
                return True
            plan = plan_gaps(covered, collection.chunks, made, options.gaps or 0)
        if options.estimate:
            requests = requests_for(plan.chunks, plan.made) if plan else requests_for(collection.passages, made)
            estimate = session.estimate(requests)
            _print(options, vars(estimate), f"estimate: {estimate.describe()}")
            return True
        with progress_line() as progress:
            mended = read_mended(workspace, name)
            generated = generate_triplets(
                session, collection, made, options.named_model, gaps=plan, mended=mended, progress=progress
            )
    generated = replace(generated, calls=generated.calls + by_workers)
    version = keep_dataset(workspace, name, generated, options.person)
    notes = [notice] if notice else []
    if by_workers:
        notes.append(f"{by_workers:,} replies came through Ray's workers, whose cost is not counted here")
        say(notes[-1])
    for line in _report_notes(generated, workspace, name):
        say(line)
        notes.append(line)
    if options.listed:
        write_out(options.listed, generated.produced.with_columns(find_difficulty()).write_ndjson().encode())
    summary: dict[str, object] = generated.counts | {
        "cost": generated.cost,
        "currency": generated.currency,
        "tokens": generated.tokens,
    }
    summary |= {
        "dataset": name,
        "version": version.number if version else None,
        "golden_id": version and version.golden_id,
    }
    summary |= {"stopped": generated.stopped, "not_asked": generated.not_asked, "recorded": generated.recorded}
    _print(options, summary | {"notes": notes}, "\n".join(_report_triplets(generated, name)))
    return not (generated.count("failed") or generated.not_asked)


def _report_notes(generated: Generated, workspace: Workspace, name: str) -> Iterator[str]:
    if generated.cost is None and generated.calls:
        yield f"price of the model unknown, so no cost: {generated.tokens:,} tokens were used"
    if generated.recorded:
        yield "recorded replies: no model was called"
    if generated.stopped:
        yield f"stopped by {generated.stopped}: raise it, and the same command goes on from there"
    gone = gone_triplets(workspace, name, generated.collection.passages)
    for row in gone.head(MOST_NAMED).iter_rows(named=True):
        yield f"{row['document']}: the passage of the triplet {row['question_id']} no longer exists"
    if gone.height > MOST_NAMED:
        yield f"{gone.height - MOST_NAMED:,} more triplets whose passage no longer exists"


def _report_triplets(generated: Generated, name: str) -> Iterator[str]:
    counts = generated.counts
    cost = "price unknown" if generated.cost is None else f"{generated.cost:,.4f} {generated.currency}"
    yield f"{counts['documents']:,} documents, {counts['chunks']:,} chunks, {counts['calls']:,} calls, {cost}"
    yield (
        f"{counts['produced']:,} triplets: {counts['accepted']:,} accepted, {counts['to_review']:,} to review, "
        f"{counts['rejected']:,} rejected, {counts['failed']:,} failed; {counts['flagged']:,} flagged for review"
    )
    for status in (UNPROVED, REJECTED):
        rules = generated.produced.filter(generated.produced["status"] == status)["rule"]
        yield from (f"  {status}: {number:,} {rule}" for rule, number in rules.value_counts(sort=True).iter_rows())
    yield f'golden dataset "{name}": qaviz golden export "{name}" --out FILE.jsonl'


def _read_covered(
    session: Session, workspace: Workspace, name: str, collection: Collection, made: Generation
) -> pl.DataFrame:
    """PRODUCED accepted so far: kept ones, and those of replies that were paid for. Nothing is asked."""
    mended = read_mended(workspace, name)
    paid = generate_triplets(session, collection, made, "", mended=mended, cancelled=lambda: True).produced
    line = named_datasets(workspace).get(name)
    kept = read_kept(workspace, line)[0] if line else paid.clear()
    both = pl.concat([kept, paid.filter(pl.col("status") == ACCEPTED)])
    return both.unique(QUESTION_ID, keep="first", maintain_order=True)


def _print_coverage(options: _GenerateOptions, coverage: pl.DataFrame) -> None:
    """A line a document, section, table, kind of fact, question type and difficulty; for a program a JSON list."""
    if options.format == "json":
        print(json.dumps(coverage.to_dicts()))
        return
    for dimension, value, offered, triplets in coverage.drop("questions").iter_rows():
        of = "" if offered is None else f", offered {offered:,} times"
        print(escape(f"{'missing' if not triplets else f'{triplets:,}':>8}  {dimension} {value}{of}"))
    print(f"{select_gaps(coverage).height:,} gaps: qaviz generate ... --gaps 20 asks for triplets there")


def _write_facts(options: _GenerateOptions, collection: Collection) -> bool:
    drafts = draft_facts(collection.chunks)
    out = Path(_require_option(options, "out"))
    write_out(out, drafts.write_ndjson().encode())
    summary = {"documents": len(collection.documents), "chunks": collection.chunks.height, "facts": drafts.height}
    _print(options, summary | {"file": str(out)}, f"{drafts.height:,} facts worth asking about, in {out}")
    return True


def _print(options: _GenerateOptions, summary: dict[str, object], words: str) -> None:
    print(json.dumps(summary) if options.format == "json" else "\n".join(map(escape, words.split("\n"))))


def _require_option(options: _GenerateOptions, name: str) -> str:
    value = getattr(options, name)
    if value is None:
        fix = "See: qaviz generate --help"
        raise stop("generate", f"no --{name}", f"--{name}", fix)
    return str(value)


def _read_settings(options: _GenerateOptions) -> Generation:
    """The TOML file's settings, with what the options say otherwise."""
    made = read_generation(options.config)
    changed = {"size": options.chunk_size, "overlap": options.chunk_overlap}
    chunking = replace(made.chunking, **{name: value for name, value in changed.items() if value is not None})
    made = replace(made, chunking=chunking)
    if options.review is not None:
        made = replace(made, review=options.review)
    if options.mix:
        made = replace(made, prompt=replace(made.prompt, mix=options.mix))
    if options.language:
        made = replace(made, prompt=replace(made.prompt, language=options.language))
    check_generation(made, "generate")
    return made
