"""`qaviz score`: responses scored and diagnosed into a file."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.bulk.chunks import OWN_ENGINE, SCORERS, stream_files
from qaviz.cli import files
from qaviz.cli import options as o
from qaviz.cli.terminal import progress_line
from qaviz.diagnosis.judging import OPEN
from qaviz.exports.table_files import COLUMNS, FORMATS, check_out, write_scores
from qaviz.loading import Chunk, Source, apart, listed_counts
from qaviz.loading.source import at_hand, find_shards, is_remote
from qaviz.model.columns import PIPELINE
from qaviz.model.errors import stop

RAY = "ray"
_ADDRESS = o.Value(lambda text: text if is_remote(text) else Path(text), "a file, folder or pattern")


class _ScoreOptions(files.FileOptions):
    responses: tuple[Path | str, ...] = o.argument("responses; none if GOLDEN holds them", type=_ADDRESS, nargs=-1)
    out: Path = o.file(f"file to write: {', '.join(FORMATS)}; with --engine ray a folder", required=True)
    engine: str = o.choice((*SCORERS, RAY), "what scores: qaviz, FMEval (the same, slower), or Ray", default=OWN_ENGINE)
    normalised: bool = o.switch("also score responses without the restated question and citations, and print the gain")
    address: str | None = o.option("HOST:PORT", "with --engine ray: the cluster (default: this machine)")


@o.command(_ScoreOptions)
def score(options: _ScoreOptions) -> o.Printout:
    """Score and diagnose responses and write them to a file, one row a response.

    No workspace is needed, and memory does not grow with the number of responses. RESPONSES may be folders and patterns
    of JSON Lines and Parquet files. With --engine ray these files are scored on all cores or on a cluster and may also
    be in a store (s3://bucket/folder); --out is a folder that gets one Parquet file for each of them, and a second call
    does only what is missing.

    A .jsonl or .parquet file holds texts exactly. In a .csv file a text that a spreadsheet would run as a formula gets
    an apostrophe in front; a text that already has one gets one more.
    """
    if options.engine == RAY:
        return _score_on_ray(options)
    here = f"--engine {options.engine}, which reads files of this machine"
    _refuse_if(options.address is not None, f"--address {options.address}", here, f"--engine {RAY}")
    for given in map(str, options.responses):
        _refuse_if(is_remote(given), given, here, f"--engine {RAY}")
    golden, *responses = files.open_sources(options, [options.golden, *options.responses])
    check_out(options.out, [options.golden, *(source.data for source in responses if isinstance(source.data, Path))])
    golden, *responses = files.with_mappings(options, [golden, *responses])
    if options.join:
        golden = replace(golden, joined=files.accept_pairs(apart.find_near_questions(golden, responses)))
    listed: list[pl.DataFrame] = []
    gains: list[pl.DataFrame] = []
    with progress_line() as progress:
        documents = files.read_named_documents(options, progress)
        scorer = SCORERS[options.engine]
        chunks = stream_files(golden, responses, scorer=scorer, documents=documents, progress=progress, trusted=True)
        rows = _take_rows(chunks, listed)
        written = write_scores(_with_normalised(rows, gains) if options.normalised else rows, options.out)
    figures: dict[str, object] = {"file": options.out, "responses": written, "shards": None, "normalised": None}
    if options.normalised:
        from qaviz.scoring.normalised import normalised_gain

        figures["normalised"] = normalised_gain(pl.concat(gains))
    return _report(figures, pl.concat(listed), options)


def _report(figures: dict[str, object], listed: pl.DataFrame, options: _ScoreOptions) -> o.Printout:
    return o.Printout(figures | {"listed": listed_counts(listed)}, code=files.report_listed(listed, options.list))


def _with_normalised(tables: Iterable[pl.DataFrame], gains: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The tables with the normalised scores; what tells the gain goes to `gains`."""
    from qaviz.scoring.normalised import NORMALISED, SCORED_TWICE, normalised_scores

    for table in tables:
        both = table.hstack(normalised_scores(table))
        gains.append(both.select(PIPELINE, *SCORED_TWICE, *(NORMALISED[name] for name in SCORED_TWICE)))
        yield both


def _refuse_if(wrong: bool, where: str, fault: str, expected: str) -> None:
    if wrong:
        raise stop(where, fault, expected, f"Add {expected}.")


def _take_rows(chunks: Iterable[Chunk], listed: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for chunk in chunks:
        listed.append(chunk.listed)
        yield chunk.rows


def _score_on_ray(options: _ScoreOptions) -> o.Printout:
    from qaviz.bulk.shards import score_shards

    out = options.out
    _refuse_if(not options.responses, "RESPONSES", "none", "files, folders or patterns of shards")
    _refuse_if(bool(options.documents), "--documents", f"--engine {RAY}", f"--engine {OWN_ENGINE}")
    if out.exists() and not out.is_dir():
        expected = f"a folder, with --engine {RAY}"
        raise stop(f"--out {out}", "a file", expected, "Name a folder.")
    golden, shards = Source.of(options.golden), find_shards([str(given) for given in options.responses])
    of_responses: Mapping[str, str] = {}
    if options.map:
        with at_hand(shards[0]) as first:  # by its columns --map says how all of them are read
            golden, mapped = files.with_mappings(options, [golden, first])
        of_responses = mapped.mapping
    with progress_line() as progress:
        listed = score_shards(
            golden,
            shards,
            out,
            columns=(*COLUMNS, OPEN),
            response_mapping=of_responses,
            address=options.address,
            progress=progress,
        )
    written = pl.scan_parquet(out / "*.parquet").select(pl.len()).collect().item()
    figures: dict[str, object] = {"file": out, "responses": written, "shards": len(shards), "normalised": None}
    return _report(figures, listed, options)
