"""Files of other tools: which tool wrote a file, and which of its columns is which word of ours."""

from collections.abc import Mapping, Sequence

from qaviz.loading.adapters.json_document import JSON_DOCUMENT, needs_search
from qaviz.loading.adapters.records import (
    DOCUMENT_LIMIT,
    JSON_SUFFIXES,
    PARQUET_SUFFIX,
    WORKBOOK_SUFFIX,
    is_document,
    read_first_record,
)
from qaviz.loading.adapters.tool import Tool
from qaviz.loading.adapters.tools import RAGAS, TOOLS
from qaviz.loading.adapters.values import Record
from qaviz.loading.column_mapping import IGNORE, Role
from qaviz.loading.source import Source
from qaviz.model.errors import QavizError
from qaviz.model.plugins import load_plugins


def find_tool(source: Source) -> Tool | None:
    """The tool that wrote the file, by its content; None for a file of any other kind.

    Raises QavizError for a file that cannot be opened, and for a JSON document that breaks somewhere.
    """
    record = read_first_record(source)
    if source.suffix in (PARQUET_SUFFIX, WORKBOOK_SUFFIX) and record and RAGAS.recognises(record):
        return RAGAS
    if source.suffix == WORKBOOK_SUFFIX:
        return None
    if source.suffix == PARQUET_SUFFIX and not (record and needs_search(record)):
        return None  # its columns are texts as they stand, and are read part by part
    tools = (*load_plugins("qaviz.readers", Tool), *TOOLS) if record else ()
    tool = next((tool for tool in tools if record and tool.recognises(record)), None)
    return tool or (JSON_DOCUMENT if is_unknown_json(source, record) else None)


def is_unknown_json(source: Source, record: Record | None) -> bool:
    """Whether the file is a JSON document, or JSON Lines or Parquet with objects and lists where texts belong."""
    if source.suffix == PARQUET_SUFFIX:
        return record is not None and needs_search(record)
    if source.suffix not in JSON_SUFFIXES:
        return False
    return is_document(source) or (source.size <= DOCUMENT_LIMIT and record is not None and needs_search(record))


def is_from_tool(source: Source) -> bool:
    """Whether a tool that is known wrote the file. One that cannot be read has none: loading it says why."""
    try:
        return find_tool(source) not in (None, JSON_DOCUMENT)
    except QavizError:
        return False


def map_columns(tool: Tool, columns: Sequence[str], role: Role, mapping: Mapping[str, str]) -> dict[str, str]:
    """A mapping of all these columns: what `mapping` says, for the other words what the tool's columns mean."""
    words = dict(mapping)
    for name, word in tool.words.items():
        if name in columns and name not in words and word in role.names and word not in words.values():
            words[name] = word
    return {name: IGNORE for name in columns if name not in words} | words
