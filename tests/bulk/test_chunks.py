"""Responses that are scored and diagnosed in chunks, and untrusted ones with bounded variants."""

from importlib import import_module

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchmarks.generate import golden, responses
from qaviz.bulk import chunks
from qaviz.bulk.chunks import stream_files
from qaviz.loading import Source, apart, load
from qaviz.model.columns import VARIANT_LIMIT
from qaviz.model.errors import QavizError
from qaviz.scoring import score
from tests.builders import draft_files
from tests.fmeval_files import fact_row, fmeval_file
from tests.loading.files import jsonl


def test_chunks_are_what_a_draft_holds(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """The rows of all chunks, judged one after the other by one process, are those that a run of the same files would
    keep, to the last bit, and one bar fills."""
    of = golden(300)
    of.write_ndjson(tmp_path / "golden.jsonl")
    responses(of, 1_200, pipelines=4).write_parquet(tmp_path / "responses.parquet", row_group_size=50)
    files = Source.of(tmp_path / "golden.jsonl"), [Source.of(tmp_path / "responses.parquet")]
    draft = draft_files(*files)
    monkeypatch.setattr(import_module("qaviz.loading.load"), "ROWS_A_CHUNK", 300)
    monkeypatch.setattr(apart, "_TEXTS", {".jsonl", ".parquet"})
    read = apart.stream  # in this process, in small chunks
    monkeypatch.setattr(apart, "stream", lambda *files, **options: read(*files, **options | {"trusted": True}))
    bar: list[float] = []
    chunked = list(stream_files(*files, progress=lambda fraction, _: bar.append(fraction)))

    assert len(chunked) > 3
    assert_frame_equal(pl.concat([chunk.rows for chunk in chunked]), draft.rows.drop("open"), check_exact=True)
    assert_frame_equal(pl.concat([chunk.listed for chunk in chunked]), draft.listed)
    assert bar == sorted(bar)
    assert 0.9 < bar[-1] <= 1


def test_small_texts_of_ones_own_are_read_and_judged_here(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Small trusted files give the rows that other processes give, whoever scores, and no process is started."""
    of = golden(10)
    of.write_ndjson(tmp_path / "golden.jsonl")
    responses(of, 20, pipelines=2).write_ndjson(tmp_path / "responses.jsonl")
    files = Source.of(tmp_path / "golden.jsonl"), [Source.of(tmp_path / "responses.jsonl")]
    in_processes = pl.concat(chunk.rows for chunk in stream_files(*files))

    by_another = stream_files(*files, scorer=lambda rows, progress: score(rows, progress))
    assert_frame_equal(pl.concat(chunk.rows for chunk in by_another), in_processes, check_exact=True)
    monkeypatch.setattr(chunks, "start", None)
    monkeypatch.setattr(apart, "start", None)
    here = pl.concat(chunk.rows for chunk in stream_files(*files, trusted=True))

    assert_frame_equal(here, in_processes, check_exact=True)
    with pytest.raises(TypeError):
        list(stream_files(*files))


RESPONSE = {"question": "How much was revenue?", "pipeline": "A", "response": "It was 5 million in 2021. " * 20}


def triplet(joined: str, count: int, field: str = "fact") -> Source:
    """A golden dataset of one triplet, whose fact or answer has so many variants."""
    text = joined.join(f"${number} million" for number in range(count))
    return jsonl(
        "g.jsonl", {"question": "How much was revenue?", "answer": "$5 million", "fact": "$5 million"} | {field: text}
    )


@pytest.mark.parametrize(
    ("joined", "field", "count"),
    [
        *((joined, "fact", VARIANT_LIMIT + 1) for joined in ("<OR>", "<AND>", " <OR> ", "<OR><OR>")),
        ("<OR>", "answer", VARIANT_LIMIT + 1),
        ("<OR>", "fact", 25_000),
    ],
)
def test_too_many_variants_are_refused(joined: str, field: str, count: int):
    """A fact or answer of 25,000 variants, which takes minutes to look for, is refused with its line and the limit."""
    words = rf"g\.jsonl line 1: found [\d,]+ variants in one {field}; expected at most 1,000"
    with pytest.raises(QavizError, match=words):
        load(triplet(joined, count, field), [jsonl("r.jsonl", RESPONSE)])


def test_as_many_variants_as_are_allowed_are_scored():
    """A fact of 1,000 variants is scored and diagnosed within the limit of time."""
    chunks = list(stream_files(triplet("<OR>", VARIANT_LIMIT), [jsonl("r.jsonl", RESPONSE)]))
    assert sum(chunk.rows.height for chunk in chunks) == 1


def test_fmevals_own_output_has_no_more_variants():
    """The golden dataset that FMEval's output holds is bounded like any other."""
    output = fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "Here.", "<OR>".join(map(str, range(2_000)))))
    with pytest.raises(QavizError, match="2,000 variants in one fact"):
        list(stream_files(output, [], keep_scores=True))
