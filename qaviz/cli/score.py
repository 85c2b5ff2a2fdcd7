"""`qaviz score`: responses scored and diagnosed, written as they come; in this process, or by Ray's workers."""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.analysis.normalised import SCORED_TWICE, gain_sentences, normalised_gain
from qaviz.bulk import score_shards, stream_files
from qaviz.cli.mapping import with_mappings
from qaviz.cli.rows import accept_pairs, opened_sources
from qaviz.cli.terminal import progress_line, shown
from qaviz.exports.score_files import COLUMNS, FORMATS, check_out, write_scores
from qaviz.loading import Chunk, Source, sandbox
from qaviz.loading.shards import Shard, at_hand, find_shards, is_remote
from qaviz.model.columns import PIPELINE
from qaviz.model.errors import Problem, QavizError
from qaviz.runs import OWN_ENGINE, SCORERS
from qaviz.scoring.normalised import NORMALISED, normalised_scores

RAY = "ray"


def add_score_arguments(parser: argparse.ArgumentParser) -> None:
    """--out, --engine, --address."""
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help=f"file to write: {', '.join(FORMATS)}; with --engine ray a folder",
    )
    parser.add_argument(
        "--engine",
        choices=(*SCORERS, RAY),
        default=OWN_ENGINE,
        help="what scores: qaviz (default), the installed FMEval (the same scores, slowly), or qaviz in Ray's workers",
    )
    parser.add_argument(
        "--normalised",
        action="store_true",
        help="add FMEval's answer scores of the response without the restated question and citations, and the gain",
    )
    parser.add_argument("--address", metavar="HOST:PORT", help="with --engine ray: the cluster; without, this machine")


def address(text: str) -> Path | str:
    """What RESPONSES name: a path, or the address of a store as it stands."""
    return text if is_remote(text) else Path(text)


def score_files(asked: argparse.Namespace) -> pl.DataFrame:
    """Write one row a response to `asked.out`. Returns what is to be listed."""
    return _by_ray(asked) if asked.engine == RAY else _here(asked)


def _here(asked: argparse.Namespace) -> pl.DataFrame:
    files = [asked.golden, *map(Path, _files(asked))]
    check_out(asked.out, files)
    golden, *responses = opened_sources(asked, files)
    golden, responses = with_mappings(asked, golden, responses)
    if asked.join:
        golden = replace(golden, joined=accept_pairs(sandbox.find_near_questions(golden, responses)))
    listed: list[pl.DataFrame] = []
    with progress_line() as progress:
        chunks = stream_files(
            golden,
            responses,
            scorer=SCORERS[asked.engine],
            progress=progress,
        )
        gains: list[pl.DataFrame] = []
        rows = _rows(chunks, listed)
        written = write_scores(_with_normalised(rows, gains) if asked.normalised else rows, asked.out)
    print(f"qaviz: {written:,} responses scored, in {shown(str(asked.out))}")
    for line in gain_sentences(normalised_gain(pl.concat(gains))) if gains else ():
        print(f"qaviz: {shown(line)}")
    return pl.concat(listed)


def _with_normalised(tables: Iterable[pl.DataFrame], gains: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The tables with the normalised scores; what the gain is computed from goes to `gains`."""
    for table in tables:
        both = table.hstack(normalised_scores(table))
        gains.append(both.select(PIPELINE, *SCORED_TWICE, *(NORMALISED[name] for name in SCORED_TWICE)))
        yield both


def _files(asked: argparse.Namespace) -> Iterator[str]:
    """The files that RESPONSES name. A name that is no folder and no pattern is a file, there or not."""
    _refuse(asked.address is not None, f"--address {asked.address}", f"--engine {asked.engine}", f"--engine {RAY}")
    for given in map(str, asked.responses):
        found = f"--engine {asked.engine}, which reads files of this machine"
        _refuse(is_remote(given), given, found, f"--engine {RAY}")
        if Path(given).is_dir() or ("*" in given and not Path(given).exists()):
            yield from (shard.path for shard in find_shards([given]))
        else:
            yield given


def _refuse(wrong: bool, where: str, found: str, expected: str) -> None:
    if wrong:
        raise QavizError(Problem(where=where, found=found, expected=expected, fix=f"Add {expected}."))


def _rows(chunks: Iterable[Chunk], listed: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for chunk in chunks:
        listed.append(chunk.listed)
        yield chunk.rows


def _by_ray(asked: argparse.Namespace) -> pl.DataFrame:
    out = asked.out
    _refuse(not asked.responses, "RESPONSES", "none", "files, folders or patterns of shards")
    if out.exists() and not out.is_dir():
        expected = f"a folder, with --engine {RAY}"
        raise QavizError(Problem(where=f"--out {out}", found="a file", expected=expected, fix="Name a folder."))
    golden, shards = Source.of(asked.golden), find_shards([str(given) for given in asked.responses])
    golden, of_responses = _mappings_of_first(asked, golden, shards)
    with progress_line() as progress:
        listed = score_shards(
            golden,
            shards,
            out,
            columns=COLUMNS,
            response_mapping=of_responses,
            address=asked.address,
            progress=progress,
        )
    written = pl.scan_parquet(out / "*.parquet").select(pl.len()).collect().item()
    print(f"qaviz: {written:,} responses of {len(shards):,} shards scored, in {shown(str(out))}")
    return listed


def _mappings_of_first(
    asked: argparse.Namespace, golden: Source, shards: Sequence[Shard]
) -> tuple[Source, Mapping[str, str]]:
    """The golden dataset with what --map and --profile say of it, and, by the first of the shards, of them all."""
    if not (asked.map or asked.profile):
        return golden, {}
    with at_hand(shards[0]) as first:
        golden, (mapped,) = with_mappings(asked, golden, [first])
    return golden, mapped.mapping
