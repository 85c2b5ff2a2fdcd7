"""Visitors' uploads: onto the disk, and how much each visitor holds."""

import atexit
import os
from collections import defaultdict
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp, mkstemp
from weakref import finalize

import streamlit as st
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]  # it has no types of its own
from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from qaviz.loading import Source
from qaviz.model.errors import QavizError
from qaviz.processes import room_refusals


def read_session(sent: bytes) -> str | None:
    """The id of the session of a page that the server sends this to; None where the message does not say it."""
    try:
        message = ForwardMsg.FromString(sent)
    except DecodeError:
        return None
    return message.new_session.initialize.session_id or None if message.HasField("new_session") else None


def list_media(session: str, sent: bytes) -> list[str]:
    """The ids of the files that are the session's when the server sends it this: the pictures of its page, and the
    download that was made at its click."""
    message = ForwardMsg.FromString(sent)
    made = message.backend_operation_response.deferred_file.url
    held = runtime.get_instance().media_file_mgr._files_by_session_and_coord.get(session, {})
    return [*held.values(), *([Path(made).stem] if made else [])]


def held_in_memory() -> dict[str, int]:
    """Bytes of uploads in Streamlit's memory, by session."""
    if not runtime.exists():
        return {}
    kept = runtime.get_instance().uploaded_file_mgr
    assert isinstance(kept, MemoryUploadedFileManager)
    # Copies: other threads go on adding.
    stored = {session: files.copy() for session, files in kept.file_storage.copy().items()}
    return {session: sum(len(file.data) for file in files.values()) for session, files in stored.items()}


_sizes: dict[Path, tuple[str, int]] = {}
"""By file of an upload on the disk whose it is, and its bytes."""


def held_on_disk() -> dict[str, int]:
    """Bytes of uploads that pages have moved to the disk, by session."""
    held: dict[str, int] = defaultdict(int)
    for session, size in list(_sizes.values()):
        held[session] += size
    return dict(held)


_FOLDER = "qaviz-uploads-"


@cache
def upload_folder() -> Path:
    """The folder of this process's uploads, which only we may look into. Those of processes that are gone go. Raises
    QavizError if there is no room for it."""
    for folder in Path(gettempdir()).glob(f"{_FOLDER}*"):
        process = folder.name.removeprefix(_FOLDER).partition("-")[0]
        if process.isdecimal() and (int(process) == os.getpid() or not _is_running(int(process))):
            rmtree(folder, ignore_errors=True)
    with room_refusals(Path(gettempdir())):
        made = mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-")
    atexit.register(rmtree, made, ignore_errors=True)
    return Path(made)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's, or a number that no process can have
        pass
    return True


class _Copy:
    """Who has this has the file; it is removed with the last."""


def _remove(file: Path) -> None:
    _sizes.pop(file, None)
    with suppress(OSError):  # the folder may have gone before it
        file.unlink()


def keep_upload(name: str, content: bytes, session: str = "") -> Source:
    """The upload as a file on the disk, which goes when neither the source nor a copy of it is there any more. Raises
    QavizError if the disk has no room for it."""
    folder = upload_folder()
    with room_refusals(folder):
        descriptor, file = mkstemp(suffix=".upload", dir=folder)
        copy = _Copy()
        finalize(copy, _remove, Path(file))
        _sizes[Path(file)] = session, len(content)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
    return Source(name, Path(file), uploaded=True, copy=copy)


def on_disk(field: str) -> list[Source]:
    """The uploads in the field that was drawn under this session key, each written to the disk once. Their bytes then
    leave the server's memory, unless a caller keeps what drawing the field returned, which is a copy. They stay in
    memory where the disk is full."""
    given = st.session_state[field] or []
    files: list[UploadedFile] = given if isinstance(given, list) else [given]
    on_disk: dict[str, Source] = st.session_state.get(f"{field} on disk", {})
    kept = {file.file_id: on_disk.get(file.file_id) or _move_to_disk(file) for file in files}
    st.session_state[f"{field} on disk"] = kept
    return list(kept.values())


def _move_to_disk(file: UploadedFile) -> Source:
    context = get_script_run_ctx()
    try:
        moved = keep_upload(file.name, file.getvalue(), context.session_id if context else "")
    except QavizError:
        # Reading the upload meets the full disk again, and shows it beside the file.
        return Source(file.name, file.getvalue())
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        empty = UploadedFileRec(file.file_id, file.name, file.type, b"")
        context.uploaded_file_mgr.add_file(context.session_id, empty)
    file.seek(0)
    file.truncate()
    return moved
