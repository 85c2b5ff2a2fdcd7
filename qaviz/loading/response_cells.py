"""Cells of responses: contexts as tools write them (texts, one numbered text, objects with ids, scores, ranks and
documents), and error messages of pipelines where responses belong."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import polars as pl

from qaviz.model.columns import (
    ANSWER,
    CONTEXT_DOCUMENTS,
    CONTEXT_IDS,
    CONTEXT_SCORES,
    CONTEXTS,
    FACT,
    QUESTION,
    RESPONSE,
)

_TEXT = (
    *("text", "evidence_text", "page_content", "content", "passage"),
    *("context", "chunk", "snippet", "body", "chunk_text"),
)
_ID = ("id", "id_", "chunk_id", "passage_id", "context_id", "node_id", "_id", "doc_id", "document_id", "chunkId", "pid")
_DOCUMENT = (
    *("document", "document_name", "doc_name", "source", "file_name", "filename", "file_path", "name", "title"),
    *("uri", "url", "document_title", "x-amz-bedrock-kb-source-uri", "dataset"),
)
_SCORE = ("score", "relevance_score", "similarity", "relevance")
_RANK = ("rank", "position")
"""What tools call the parts of a context: Ragas, LangChain, LlamaIndex, Haystack, Bedrock, Vertex, OpenInference."""
_DEPTH = 4
"""Objects inside objects in which the parts are looked for: Bedrock's `location.s3Location.uri` is the deepest."""
_NUMBERED = r"(?im)^[ \t]*(?:\[(\d{1,4})\]:?|(?:document|passage|context|source|chunk)\s+(\d{1,4})\s*:)\s*"
"""What begins a passage of a numbered text: `[1]`, `Passage 1:`."""
_NUMBER = re.compile(_NUMBERED)
_PARTS = (CONTEXTS, CONTEXT_IDS, CONTEXT_DOCUMENTS, CONTEXT_SCORES)
_TEXTS = pl.List(pl.String())
_ROW, _READ = "\0row of the file", "\0read"


class Context(NamedTuple):
    """One passage as a tool names it; "" for what it does not say."""

    text: str
    id: str = ""
    document: str = ""
    score: str = ""
    rank: int | None = None


def split_contexts(responses: pl.DataFrame) -> pl.DataFrame:
    """The responses, each context that is an object or a part of a numbered text as text, id, document and score.

    Contexts that have ranks are put in their order. What a column of the file says of ids, documents and scores stays.
    """
    contexts = responses[CONTEXTS]
    first = contexts.list.first().str.strip_chars_start()
    numbered = (contexts.list.len() == 1) & first.str.contains(_NUMBERED)
    places = (first.str.starts_with("{") | numbered).fill_null(value=False).arg_true()
    if places.is_empty():
        return responses
    rows = [_read_row(texts) for texts in contexts.gather(places).to_list()]
    parts = {name: [[context[place] for context in row] for row in rows] for place, name in enumerate(_PARTS)}
    read = pl.DataFrame(
        {_ROW: places.cast(pl.UInt32), **parts}, schema={_ROW: pl.UInt32} | dict.fromkeys(_PARTS, _TEXTS)
    )
    filled = [
        pl.when(pl.col(name).list.eval(pl.element() != "").list.any()).then(name).alias(name) for name in _PARTS[1:]
    ]
    joined = responses.with_row_index(_ROW).join(
        read.with_columns(filled), _ROW, "left", suffix=_READ, maintain_order="left"
    )
    merged = [pl.coalesce(CONTEXTS + _READ, CONTEXTS).alias(CONTEXTS)]
    merged += [pl.coalesce(name, name + _READ).alias(name) for name in _PARTS[1:]]
    return joined.with_columns(merged).select(responses.columns)


def _read_row(texts: Sequence[str]) -> list[Context]:
    if len(texts) == 1 and not texts[0].lstrip().startswith("{"):
        return _split_numbered(texts[0])
    contexts = [read_object(text) for text in texts]
    if all(context.rank is not None for context in contexts):
        contexts.sort(key=lambda context: context.rank or 0)
    return contexts


def _split_numbered(text: str) -> list[Context]:
    """The passages of a text that numbers them from 1; else the text as one."""
    marks = list(_NUMBER.finditer(text))
    if len(marks) < 2 or [int(mark[1] or mark[2]) for mark in marks] != [*range(1, len(marks) + 1)]:
        return [Context(text)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [Context(text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)]


def read_object(text: str) -> Context:
    """The parts of a context that is a JSON object; the text as it stands if it is none, or has no such parts."""
    try:
        value = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return Context(text)
    fields = list(_list_fields(value, _DEPTH))
    words, identity, document, score, rank = (_find(fields, names) for names in (_TEXT, _ID, _DOCUMENT, _SCORE, _RANK))
    if not (words or identity or document):
        return Context(text)
    return Context(words, identity, document, score, int(rank) if rank.isdigit() else None)


def _list_fields(value: Mapping[str, object], depth: int) -> Iterator[tuple[str, str]]:
    """Names and texts of the fields, those of inner objects after those of outer ones: `document.id` is `id`."""
    inner = []
    for name, field in value.items():
        if isinstance(field, dict) and depth:
            inner.append(field)
        elif isinstance(field, str | int | float) and not isinstance(field, bool):
            yield name.removeprefix("document."), str(field)
    yield from chain.from_iterable(_list_fields(field, depth - 1) for field in inner)


def _find(fields: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    """The field with the best of these names; "" if there is none."""
    by_name = dict(reversed(fields))
    return next((by_name[name] for name in names if by_name.get(name)), "")


LONGEST_MESSAGE = 400
"""Characters of a message that has no mark of its own, such as a traceback's first line. A longer text is an answer."""

_MARKED = (
    r"(?i)^\s*(?:"
    r"traceback \(most recent call last\):"
    r"|<!doctype html\b|<html[\s>]"
    r"|an error occurred \(\w+\) when calling "
    r'|\{\s*"(?:error|errors|errormessage|error_message|exception|errortype)"\s*:'
    r"|\{\s*'error'\s*:"
    r'|\{\s*"(?:status|statuscode|status_code|code)"\s*:\s*"?[45]\d\d\b'
    r"|error code: [45]\d\d - "
    r"|error:\s+you (?:tried to access|exceeded your current quota|didn't provide an api key|must provide a model)\b"
    r")"
)
"""Beginnings that only error messages have."""

_EXCEPTIONS = (
    r"(?:RateLimit|API|APIStatus|APIConnection|APITimeout|InternalServer|BadRequest|Authentication|PermissionDenied|"
    r"NotFound|UnprocessableEntity|ServiceUnavailable|Timeout|Connection|Connect|ReadTimeout|HTTP|HTTPStatus|Client|"
    r"Server|Overloaded|Throttling|Validation|ModelTimeout|ModelNotReady|ResourceNotFound|AccessDenied|Runtime|Value|Key"
    r"|Type|Attribute|Index|JSONDecode|OutOfMemory)(?:Error|Exception)"
)

_SHORT = (
    r"(?s)^\s*(?:"
    r"(?i:error|exception|failed|request failed)\s*(?:code)?\s*[:\-]?\s*(?i:http)?\s*\(?[1-5]\d\d\b"
    r"|(?:ERROR|EXCEPTION|\[ERROR\]|#ERROR!?)\s*[:\-]?\s"
    r"|(?i:error)\s*:\s*(?i:[^.]{0,60}\b(?:timed? ?out|timeout|rate limit|quota|connection|connect|api|http|request|"
    r"server|unauthori[sz]ed|forbidden|context length|token limit|max retries|unavailable|overloaded|exception|invalid "
    r"response|no response|failed to)\b)"
    r"|(?:[a-z_]\w*\.)+[A-Z]\w*(?:Error|Exception)\b"
    rf"|{_EXCEPTIONS}\s*(?:\(|:)"
    r"|(?i:rate limit (?:exceeded|reached)|too many requests|(?:request|read|connection|operation|gateway) "
    r"time[d]?[ -]?out|(?:500|502|503|504|429|404|403|401) (?:internal server error|bad gateway|service unavailable|"
    r"gateway time-?out|too many requests|not found|forbidden|unauthorized)|internal server error|service unavailable|"
    r"bad gateway|connection (?:refused|reset|aborted|error)|request failed with status|"
    r"HTTP(?:/\d\.\d)?\s*(?:error\s*)?[45]\d\d|max retries exceeded|HTTPSConnectionPool)"
    r")"
)
"""Beginnings of short error messages."""

_ABOUT_ERRORS = (
    r"(?i)\berrors?\b|exception|traceback|rate limit|timed? ?out|timeout|status code|\bhttp|stack ?trace|\b[45]\d\d\b"
    r"|html|json|lỗi|fehler|erreur|エラー|错误"
)
"""Words in a question or golden answer that speaks of errors: then such a message may be the answer."""


def find_pipeline_errors(responses: pl.Series, rows: pl.Series, golden: pl.DataFrame) -> pl.Series:
    """Whether each response is an error message of its pipeline; `rows` are the places of their triplets in `golden`.

    Where the question, the golden answer or the fact speaks of errors it is none: it may be the answer.
    """
    response = pl.col(RESPONSE)
    short = response.str.len_chars() <= LONGEST_MESSAGE
    message = response.str.contains(_MARKED) | (short & response.str.contains(_SHORT))
    is_error = responses.to_frame(RESPONSE).select(message.fill_null(value=False)).to_series()
    places = is_error.arg_true()
    # The search for talk of errors is slow: only the triplets of what looks like a message are searched.
    triplets = golden.select(QUESTION, ANSWER, FACT)[rows.gather(places)]
    spoken = pl.concat_str(pl.all(), separator=" ", ignore_nulls=True).str.contains(_ABOUT_ERRORS)
    return is_error.scatter(places.filter(triplets.select(spoken).to_series()), False)
