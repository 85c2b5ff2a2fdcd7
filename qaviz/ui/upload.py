"""Uploads on the disk: the server's memory is rid of them."""

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from qaviz.loading import Source, sandbox
from qaviz.model.errors import QavizError


def on_disk(field: str) -> list[Source]:
    """The uploads in the field that was drawn under this session key, each written to the disk once.

    Their bytes then leave the server's memory, unless a caller keeps what drawing the field returned, which is a copy.
    They stay in memory where the disk is full.
    """
    given = st.session_state[field] or []
    files: list[UploadedFile] = given if isinstance(given, list) else [given]
    known: dict[str, Source] = st.session_state.get(f"{field} on disk", {})
    kept = {file.file_id: known.get(file.file_id) or _move_to_disk(file) for file in files}
    st.session_state[f"{field} on disk"] = kept
    return list(kept.values())


def _move_to_disk(file: UploadedFile) -> Source:
    context = get_script_run_ctx()
    try:
        moved = sandbox.keep_upload(file.name, file.getvalue(), context.session_id if context else "")
    except QavizError:
        # Reading the upload meets the full disk again, and shows it beside the file.
        return Source(file.name, file.getvalue())
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        empty = UploadedFileRec(file.file_id, file.name, file.type, b"")
        context.uploaded_file_mgr.add_file(context.session_id, empty)
    file.seek(0)
    file.truncate()
    return moved
