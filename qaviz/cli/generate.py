"""`qaviz generate`: a golden dataset from documents."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path

import polars as pl

from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli import options as o
from qaviz.cli.models import ModelOptions, print_estimate, read_model_settings
from qaviz.cli.terminal import progress_line, say, say_problems
from qaviz.generation import pipeline
from qaviz.generation.prove import ACCEPTED
from qaviz.generation.settings import Generation, change_generation, read_generation
from qaviz.generation.triplets import draft_facts, measure_coverage, read_kept
from qaviz.llm import Session, open_session
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import QavizError, stop
from qaviz.report import table_of
from qaviz.store.golden_versions import NAME_OF_DATASET, named_datasets
from qaviz.store.tables import checked_name
from qaviz.store.workspace import Workspace

_TOKENS = o.Value(int, "a number of tokens")

MOST_NAMED = 20


def _read_mix(text: str) -> dict[str, float]:
    """The shares by type. Raises ValueError if there is none."""
    parts = (part.strip().rpartition(" ") for part in text.split(","))
    return {name.strip(): float(share.removesuffix("%")) / 100 for name, _, share in parts}


_MIX = o.Value(_read_mix, 'types of questions with their shares, such as "single fact 60%, table look-up 40%"')


class _GenerateOptions(ModelOptions, o.ByWhom):
    paths: tuple[str, ...] = o.argument("documents, folders, patterns, s3://bucket/folder", nargs=-1, required=True)
    dataset: str | None = o.option("NAME", "the golden dataset's name in the workspace")
    review: float | None = o.option("SHARE", "share of triplets to flag for review: 20% (default), 0.2", type=o.SHARE)
    prover: str | None = o.option("PROVIDER:NAME", "model that reads each question a second time (default: the same)")
    no_prover: bool = o.switch("do not read a second time: nothing is accepted, only not refuted")
    config: Path | None = o.file("settings, .toml (docs/generation.md)")
    chunk_size: int | None = o.option("TOKENS", "size of a chunk (default 600)", type=_TOKENS)
    chunk_overlap: int | None = o.option("TOKENS", "overlap of two chunks (default 60)", type=_TOKENS)
    mix: Mapping[str, float] | None = o.option("TYPES", 'such as "single fact 60%, calculation 40%"', type=_MIX)
    estimate: bool = o.switch("print the estimate; calls no model")
    coverage: bool = o.switch("print what the dataset covers of the documents and what it lacks; calls no model")
    listed: Path | None = o.file("write all triplets with their reasons, .jsonl")
    by_hand: bool = o.switch("write facts worth asking about to --out; calls no model")
    out: str | None = o.option("FILE", "with --by-hand: the file to write, .jsonl")

    @property
    def reader(self) -> str | None:
        """The model that reads a second time; None where none does."""
        return None if self.no_prover else self.prover or self.named_model


@o.command(_GenerateOptions)
def generate(options: _GenerateOptions) -> o.Printout:
    """Make a golden dataset from documents with a language model.

    The model writes triplets; words refute some, and a second reading proves the others. The same command again asks
    only for what is missing. Exit code 1 if a document or a reply could not be used.
    """
    made = read_generation(options.config)
    sizes = {"size": options.chunk_size, "overlap": options.chunk_overlap}
    chunking = asdict(made.chunking) | {name: value for name, value in sizes.items() if value is not None}
    changes = {"review": options.review, "mix": options.mix}
    given = {name: value for name, value in changes.items() if value is not None}
    made = change_generation(made, given | {"chunking": chunking})
    with progress_line() as progress:
        collection = pipeline.read_collection(options.paths, made, progress)
    if collection.problems:
        say_problems(QavizError(*collection.problems))
    for note in collection.notes:
        say(note)
    if options.by_hand:
        drafts, out = draft_facts(collection.chunks), Path(_require_option(options, "out"))
        o.write_out(out, drafts.write_ndjson().encode())
        figures = {"documents": len(collection.documents), "chunks": collection.chunks.height, "facts": drafts.height}
        printout = o.Printout(figures | {"file": out})
    else:
        printout = _generate(options, made, collection)
    return replace(printout, code=FOUND_PROBLEMS if collection.problems else printout.code)


def _generate(options: _GenerateOptions, made: Generation, collection: pipeline.Collection) -> o.Printout:
    """Do what the options say. The exit code says whether all replies could be used."""
    workspace, name = o.open_home(options.workspace), checked_name(_require_option(options, "dataset"), NAME_OF_DATASET)
    if not (options.estimate or options.coverage):
        pipeline.refuse_more(workspace, name)
    settings, notice = pipeline.payable(read_model_settings(options, pipeline.journal_of(workspace, name)))
    notes = [notice] if notice else []
    if notice:
        say(notice)
    corrections = pipeline.read_corrections(workspace, name)
    with open_session(settings) as session:
        if options.coverage:
            coverage = _cover(session, workspace, name, collection, made, options.reader)
            return o.Printout(coverage, [table_of(coverage, "triplets", "offered", "dimension", "value")])
        if options.estimate:
            return print_estimate(pipeline.estimate_generation(session, collection, made, options.reader))
        with progress_line() as progress:
            generated = pipeline.generate_triplets(
                session, collection, made, prover=options.reader, corrections=corrections, progress=progress
            )
    version = pipeline.keep_dataset(workspace, name, generated, options.person)
    more = list(_report_notes(generated, workspace, name))
    for note in more:
        say(note)
    if options.listed:
        o.write_out(options.listed, generated.produced.write_ndjson().encode())
    figures: dict[str, object] = dict(generated.counts)
    spend = generated.spend
    figures |= {"cost": spend.cost, "currency": spend.currency, "tokens": spend.tokens, "dataset": name}
    figures |= {"version": version and version.number, "golden_id": version and version.golden_id}
    figures |= {part: getattr(generated, part) for part in ("stopped", "not_asked", "recorded")}
    figures["notes"] = notes + more
    code = FOUND_PROBLEMS if generated.count("failed") or generated.not_asked else DONE
    return o.Printout(figures, code=code)


def _cover(
    session: Session,
    workspace: Workspace,
    name: str,
    collection: pipeline.Collection,
    made: Generation,
    reader: str | None,
) -> pl.DataFrame:
    """What kept triplets cover, with those of replies that were paid for. Nothing is asked."""
    corrections = pipeline.read_corrections(workspace, name)
    paid = pipeline.generate_triplets(
        session, collection, made, prover=reader, corrections=corrections, cancelled=lambda: True
    ).produced
    line = named_datasets(workspace).get(name)
    accepted = read_kept(workspace, line)[0] if line else paid.clear()
    both = pl.concat([accepted, paid.filter(pl.col("status") == ACCEPTED)])
    return measure_coverage(both.unique(QUESTION_ID, keep="first", maintain_order=True), collection.chunks)


def _report_notes(generated: pipeline.Generated, workspace: Workspace, name: str) -> Iterator[str]:
    if generated.spend.cost is None and generated.spend.calls:
        yield f"price of the model unknown, so no cost: {generated.spend.tokens:,} tokens were used"
    if generated.recorded:
        yield "recorded replies: no model was called"
    if generated.stopped:
        yield f"stopped by {generated.stopped}: raise it, and the same command goes on from there"
    gone = pipeline.gone_triplets(workspace, name, generated.collection.chunks)
    for row in gone.head(MOST_NAMED).iter_rows(named=True):
        yield f"{row['document']}: the passage of the triplet {row['question_id']} no longer exists"
    if gone.height > MOST_NAMED:
        yield f"{gone.height - MOST_NAMED:,} more triplets whose passage no longer exists"


def _require_option(options: _GenerateOptions, name: str) -> str:
    value = getattr(options, name)
    if value is None:
        raise stop("generate", f"no --{name}", f"--{name}", "See: qaviz generate --help")
    return str(value)
