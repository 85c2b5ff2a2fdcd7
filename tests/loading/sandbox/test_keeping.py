"""Uploads as files on the disk, for as long as somebody has them."""

import gc
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from qaviz.loading import GOLDEN, sandbox
from qaviz.loading.sandbox.client import private_folder
from qaviz.model.errors import QavizError
from tests.loading.files import GOLDEN_FILE

CONTENT = bytes(GOLDEN_FILE.data)


def test_an_upload_is_there_as_long_as_somebody_has_it():
    """It is ours alone to read, stays while any copy of the source is there, and goes with the last."""
    source = sandbox.keep_upload("golden.jsonl", CONTENT)
    file = Path(str(source.data))
    sheet = replace(source, sheet="June")
    assert file.read_bytes() == CONTENT
    assert file.stat().st_mode & 0o077 == 0

    del source
    gc.collect()
    assert file.exists()
    del sheet
    gc.collect()
    assert not file.exists()


def test_it_is_read_as_an_upload_is():
    """Preview, problems and pipelines are those of the bytes, under the name that the visitor knows."""
    source = sandbox.keep_upload("golden.jsonl", CONTENT)
    assert sandbox.preview(source, GOLDEN).words == sandbox.preview(GOLDEN_FILE, GOLDEN).words
    assert source.folder == GOLDEN_FILE.folder
    cut_off = sandbox.keep_upload("bad.jsonl", b"{")
    with pytest.raises(QavizError, match=r"^bad\.jsonl line 1: found broken JSON"):
        list(sandbox.stream(cut_off, []))


def test_a_full_disk_keeps_nothing_of_it():
    """An upload that has no room is refused in words, and no part of it stays."""
    folder = Path(private_folder())
    there = set(folder.iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        with pytest.raises(QavizError, match="temporary files that cannot be written to"):
            sandbox.keep_upload("g.jsonl", b" " * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    gc.collect()
    assert set(folder.iterdir()) <= there
