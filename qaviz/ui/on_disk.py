"""Uploads as files on the disk: Streamlit keeps their bytes in the server's memory for as long as the visitor stays."""

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from qaviz.loading import Source, apart
from qaviz.model import QavizError

UPLOADS = "uploads"
"""Session key of the files in the upload fields, by Streamlit's ids of them."""


def on_disk(files: Sequence[UploadedFile]) -> list[Source]:
    """The uploads, each written to the disk once; those that the visitor took out of the fields are gone.

    The server's memory has their bytes no more. Where the disk has no room it goes on holding them.
    """
    known: dict[str, Source] = st.session_state.get(UPLOADS, {})
    st.session_state[UPLOADS] = {each.file_id: known.get(each.file_id) or _moved(each) for each in files}
    return list(st.session_state[UPLOADS].values())


def _moved(file: UploadedFile) -> Source:
    try:
        moved = apart.kept(file.name, file.getvalue())
    except QavizError:
        # Whoever reads the upload finds the disk full again, and says so beside the file.
        return Source(file.name, file.getvalue())
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        empty = UploadedFileRec(file.file_id, file.name, file.type, b"")
        context.uploaded_file_mgr.add_file(context.session_id, empty)
        file.seek(0)
        file.truncate()
    return moved
