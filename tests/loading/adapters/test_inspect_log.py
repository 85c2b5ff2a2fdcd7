"""Inspect logs, as JSON and as a zip; and zips that mean harm."""

import io
import json
import zipfile

import pytest
from polars.testing import assert_frame_equal

from qaviz.loading import formats, load
from tests.loading.adapters.files import INSPECT_HEAD, INSPECT_SAMPLE, WRITTEN, document, inspect_zip, theirs
from tests.loading.files import facts, problems, refusals, upload

WRITTEN_BY_INSPECT = upload("log.eval", WRITTEN.joinpath("inspect_ai-0.3.285.eval").read_bytes())


@pytest.mark.parametrize("head", formats._HEADS)
def test_a_zip_is_read_as_the_document_is(head: str):
    """The samples of a finished log, and of one that is being written, are those of the log as JSON."""
    whole = load(document("log.json", INSPECT_HEAD | {"samples": [INSPECT_SAMPLE]}), []).rows
    assert_frame_equal(load(inspect_zip(INSPECT_SAMPLE, head=head), []).rows, whole)


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name.replace("__", "/") + ".json", content)
    return buffer.getvalue()


HEAD = json.dumps(INSPECT_HEAD).encode()
SAMPLE = json.dumps(INSPECT_SAMPLE).encode()


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"not a zip at all", "a zip that cannot be unpacked"),
        (inspect_zip(INSPECT_SAMPLE).data[:-40], "a zip that cannot be unpacked"),
        (zipped(other=b"{}"), "a zip without header.json"),
        (zipped(header=b"[]"), "a zip without header.json"),
        (zipped(header=b"{}"), "no rows"),
        (zipped(header=HEAD), "no rows"),
        (zipped(header=HEAD, samples__a=b"{"), "log.eval/samples/a.json: found broken JSON"),
        (zipped(header=HEAD, samples__a=b'{"id": 1, "id": 2}'), 'a.json: found the key "id" twice'),
        (zipped(header=HEAD, samples__a=b"[" * 100_000), "a.json: found lists or objects nested too deep"),
    ],
)
def test_a_zip_that_is_no_log_is_refused(content, found):
    """A broken zip, a zip of something else, and a broken or hostile sample are each named; nothing is loaded."""
    assert found in problems(upload("log.eval", content))[0]


@pytest.mark.parametrize("limit", ["MEMBER_LIMIT", "DECODED_LIMIT"])
def test_a_zip_bomb_is_stopped_at_its_budget(monkeypatch, limit):
    """Few bytes that unpack to many are refused once a sample's budget, or that of all of them, is used up."""
    monkeypatch.setattr(formats, limit, 5 * 1024**2)
    bomb = zipped(header=HEAD, samples__a=SAMPLE + b" " * 4_000_000, samples__b=SAMPLE + b" " * 6_000_000)
    assert len(bomb) < 50_000
    [problem] = refusals(upload("log.eval", bomb))
    assert problem.where == "log.eval"
    assert "5" in facts(problem.expected)


@pytest.mark.parametrize("rows", [1, 1_000])
def test_what_the_first_sample_lacks_is_read_of_the_others(monkeypatch, rows: int):
    """Whether samples come at once or one by one: an epoch, a time and scores that come later are read."""
    monkeypatch.setattr(formats, "FIRST_ROWS", rows)
    first = INSPECT_SAMPLE | {"id": 6, "input": "Who?", "scores": {}, "output": {"completion": "Ann"}}
    loaded = load(inspect_zip(first, INSPECT_SAMPLE, INSPECT_SAMPLE | {"epoch": 2}), [])
    assert loaded.rows.select("question_id", "pipeline", "latency_ms").rows() == [
        ("6", "openai/gpt", None),
        ("7", "openai/gpt", 1500.0),
        ("7", "openai/gpt · repeat 2", 1500.0),
    ]
    assert [len(scores) for scores in theirs(loaded.rows)] == [0, 3, 3]


def test_a_flipped_byte_packed_by_zstandard_is_found():
    """Wherever a byte of a packed sample is flipped, the log is refused."""
    content = bytes(WRITTEN_BY_INSPECT.data)
    with zipfile.ZipFile(io.BytesIO(content)) as log:
        sample = log.getinfo("samples/q1_epoch_1.json")
    start = sample.header_offset + 30 + len(sample.filename)
    for place in range(start, start + sample.compress_size, 97):
        flipped = content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :]
        assert "a zip that cannot be unpacked" in problems(upload("log.eval", flipped))[0]
