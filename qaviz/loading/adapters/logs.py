"""Logs of runs: Inspect's (`.eval`, a zip with one JSON file a sample, and `.json`; one task and model each), and
OpenTelemetry's spans and events of generative AI, as OTLP JSON or an object a line.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from qaviz.loading.adapters.tool import (
    RUBRIC,
    SCORES,
    Column,
    Record,
    Row,
    Score,
    Tool,
    fields,
    inside,
    items,
    score,
    text,
    texts,
    variants,
)
from qaviz.loading.column_values import IS_RUBRIC, read_json
from qaviz.loading.load_log import quote_text
from qaviz.loading.readers import strict_json
from qaviz.loading.source import Source, refuse_long_directory
from qaviz.model import columns as c
from qaviz.model.errors import QavizError, stop

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect and no answer, in the figures that Inspect's own `value_to_float` has for them."""

_MS = 1000


SUFFIX = ".eval"
DECODED_LIMIT = 512 * 1024**2
"""Most bytes that the files of an archive may be together once they are unpacked."""
MEMBER_LIMIT = 64 * 1024**2
"""Most bytes of one of them."""

_HEADS = ("header.json", "_journal/start.json")
"""What a log begins with, finished or not."""
_SAMPLES = "samples/"
_ZSTANDARD = 93
"""How Inspect packs since 2025, by the zip format's numbers."""
_LOCAL_HEADER = struct.Struct("<26xHH")


def _is_inspect(record: Record) -> bool:
    return {"task", "model"} <= fields(record.get("eval")).keys()


def _read_inspect(record: Record) -> Iterator[Row]:
    model = text(inside(record, "eval", "model"))
    for sample in items(record.get("samples")):
        target = variants(inside(sample, "target"), c.OR_DELIMITER)
        is_rubric = bool(target and IS_RUBRIC.match(target)) and _is_graded_by_model(sample)
        seconds = inside(sample, "output", "time")
        failed = inside(sample, "error", "message")
        yield {
            "id": text(inside(sample, "id")),
            "input": _find_question(inside(sample, "input")),
            # Empty, not missing: the sample says what would be right, and no words that could be compared.
            "target": "" if is_rubric else target,
            RUBRIC: target if is_rubric else None,
            "eval.model": model,
            "epoch": _read_epoch(record, sample),
            "output.completion": _read_completion(inside(sample, "output")),
            "output.time": seconds * _MS if isinstance(seconds, int | float) else None,
            "error": text(failed),
            SCORES: [
                entry
                for name, given in _read_scores_of_sample(sample).items()
                for entry in _list_scores(name, given, failed)
            ],
        }


def _is_graded_by_model(sample: object) -> bool:
    return any("model_graded" in name for name in fields(inside(sample, "scores")))


def _read_epoch(record: Record, sample: object) -> str | None:
    """Which time the question is asked; None where the log asks once, though Inspect calls that an epoch too."""
    epoch, epochs = inside(sample, "epoch"), inside(record, "eval", "config", "epochs")
    several = any(isinstance(number, int) and number > 1 for number in (epoch, epochs))
    return text(epoch) if several else None


def _find_question(prompt: object) -> str | None:
    """The input, or of a chat the last thing that a user said."""
    questions = [_read_content(message) for message in items(prompt) if inside(message, "role") == "user"]
    return questions[-1] if questions else text(prompt)


def _read_completion(output: object) -> str | None:
    if inside(output, "choices") == []:
        # The model gave no answer; Inspect writes an empty completion all the same.
        return None
    completion = inside(output, "completion")
    return text(completion) if completion is not None else _read_content(inside(output, "choices", 0, "message"))


def _read_content(message: object) -> str | None:
    """The text of a message, whose content may come in parts."""
    content = inside(message, "content")
    parts = [text(inside(part, "text")) for part in items(content) if inside(part, "type") == "text"]
    return "\n".join(filter(None, parts)) if isinstance(content, list) else text(content)


def _read_scores_of_sample(sample: object) -> dict[str, object]:
    return {name: inside(entry, "value") for name, entry in fields(inside(sample, "scores")).items()}


def _list_scores(name: str, value: object, failed: object) -> Iterator[Score]:
    """One score, or one for each part of a score that has parts."""
    if isinstance(value, dict):
        for part, inner in value.items():
            yield from _list_scores(f"{name}: {part}", inner, failed)
    else:
        yield score(name, _GRADES.get(value, value) if isinstance(value, str) else value, failed)


INSPECT = Tool(
    name="an Inspect log",
    wrote=_is_inspect,
    rows=_read_inspect,
    columns=(
        Column(c.QUESTION_ID, "id"),
        Column(c.QUESTION, "input"),
        Column(c.ANSWER, "target"),
        Column(c.PIPELINE, "eval.model"),
        Column(c.REPEAT, "epoch"),
        Column(c.RESPONSE, "output.completion"),
        Column(c.LATENCY_MS, "output.time"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)


def is_archive(source: Source) -> bool:
    """Whether the file is to be read as such a zip."""
    return source.suffix == SUFFIX


def read_archived_head(source: Source) -> Record:
    """The log without its samples. Raises QavizError if the file is no such log."""
    with _open_archive(source) as archive:
        return _read_head(archive, source)


def read_archived_records(source: Source) -> Iterator[tuple[int, Record]]:
    """The log once for each sample, with only that one in it. Raises QavizError if the file is no such log, is damaged,
    or unpacks to more than DECODED_LIMIT."""
    with _open_archive(source) as archive:
        head = _read_head(archive, source)
        names = [name for name in archive.namelist() if name.startswith(_SAMPLES) and name.endswith(".json")]
        if sum(archive.getinfo(name).file_size for name in names) > DECODED_LIMIT:
            raise _refuse_large(source)
        left = DECODED_LIMIT
        for place, name in enumerate(names, 1):
            content = _unpack_member(archive, name, source)
            left -= len(content)
            if left < 0:
                raise _refuse_large(source)
            yield place, {**head, "samples": [_parse_member(content, name, source)]}


@contextmanager
def _open_archive(source: Source) -> Iterator[zipfile.ZipFile]:
    with source.open() as stream:
        refuse_long_directory(source.name, stream)
        try:
            with zipfile.ZipFile(stream) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            if isinstance(error, RecursionError):
                raise
            fault = f"a zip that cannot be unpacked ({error})"
            raise stop(source.name, fault, "an Inspect log", "Copy the log again, or export it as JSON.") from None


def _read_head(archive: zipfile.ZipFile, source: Source) -> Record:
    name = next((member for member in _HEADS if member in archive.namelist()), None)
    head = _parse_member(_unpack_member(archive, name, source), name, source) if name else None
    if not isinstance(head, dict):
        raise stop(source.name, f"a zip without {_HEADS[0]}", "an Inspect log", "Take the log that Inspect wrote.")
    return head


def _unpack_member(archive: zipfile.ZipFile, name: str, source: Source) -> bytes:
    member = archive.getinfo(name)
    if member.compress_type == _ZSTANDARD:
        content = _unpack_zstandard(source, member)
    else:
        with archive.open(name) as stream:
            content = stream.read(MEMBER_LIMIT + 1)
    if len(content) > MEMBER_LIMIT:
        raise _refuse_large(source)
    return content


def _unpack_zstandard(source: Source, member: zipfile.ZipInfo) -> bytes:
    """What `zipfile` has no decoder for: the member's bytes, up to one more than MEMBER_LIMIT.

    Raises BadZipFile if they are not those that were packed.
    """
    with source.open() as stream:
        stream.seek(member.header_offset)
        # The lengths of name and extra field are the last two of the local header; both stand before the data.
        header = stream.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size:
            raise zipfile.BadZipFile("it breaks off")
        stream.seek(sum(_LOCAL_HEADER.unpack(header)), io.SEEK_CUR)
        packed = stream.read(member.compress_size)
    try:
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as decoded:
            content: bytes = decoded.read(MEMBER_LIMIT + 1)
    except (OSError, pa.ArrowInvalid) as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(content) <= MEMBER_LIMIT and zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile("a checksum that is not that of its bytes")
    return content


def _parse_member(content: bytes, name: str, source: Source) -> Any:  # noqa: ANN401 - somebody's JSON
    try:
        return strict_json.value(content)
    except (ValueError, RecursionError) as error:
        fault = f"a file {quote_text(name)} that is not plain JSON ({type(error).__name__})"
        raise stop(source.name, fault, "JSON", "Copy the log again, or export it as JSON.") from None


def _refuse_large(source: Source) -> QavizError:
    limit = f"at most {DECODED_LIMIT // 1024**2:,} MB, and {MEMBER_LIMIT // 1024**2:,} MB a sample"
    return stop(source.name, "a zip that unpacks to more than an Inspect log needs", limit, "Export fewer samples.")


_PROMPT, _COMPLETION, _MODEL = "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.request.model"

_PROMPTS = (_PROMPT, "gen_ai.prompt", "gen_ai.user.message", "input.value")

_COMPLETIONS = (_COMPLETION, "gen_ai.completion", "gen_ai.choice", "output.value")

_MODELS = (_MODEL, "gen_ai.response.model", "llm.model_name")

_BATCHES = (("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords"))


_DOCUMENTS = "retrieval.documents"


def _read_opentelemetry(record: Record) -> Iterator[Row]:
    """Spans of questions and responses, with the passages that retriever spans of the same trace and file brought."""
    spans = [(span, _collect_attributes(span)) for span in _list_spans(record)]
    retrieved: dict[str, list[object]] = {}
    for span, attributes in spans:
        retrieved.setdefault(str(span.get("traceId")), []).extend(_list_retrieved(attributes))
    for span, attributes in spans:
        if attributes.get("openinference.span.kind") == "RETRIEVER":
            continue
        prompt = _find_first_text(attributes, _PROMPTS, "user")
        completion = _find_first_text(attributes, _COMPLETIONS, "assistant")
        if prompt and (completion or not any(name in attributes for name in _COMPLETIONS)):
            model = next((attributes[name] for name in _MODELS if attributes.get(name)), None)
            contexts = texts(retrieved[str(span.get("traceId"))])
            yield {_PROMPT: prompt, _MODEL: text(model), _COMPLETION: completion, _DOCUMENTS: contexts}


def _find_first_text(attributes: Record, names: Sequence[str], role: str) -> str | None:
    return next((words for name in names if (words := _find_last_text(attributes.get(name), role))), None)


def _list_retrieved(attributes: Record) -> list[object]:
    """The documents of a retriever span, each an object: numbered attributes, or one that lists them."""
    return [*_collect_numbered(attributes, f"{_DOCUMENTS}."), *items(attributes.get(_DOCUMENTS))]


def _list_spans(record: Record) -> Iterator[Record]:
    """The spans, or log records, of a batch as OTLP writes it; or the record itself."""
    whole = True
    for outer, scopes, inner in _BATCHES:
        for resource in items(record.get(outer)):
            whole = False
            for scope in items(inside(resource, scopes)):
                yield from (span for span in items(inside(scope, inner)) if isinstance(span, dict))
    if whole:
        yield record


def _collect_attributes(span: Record) -> Record:
    """A span's own attributes, and those of its events; messages that are events stand under the event's name."""
    given = _read_attributes(span.get("attributes")) | _read_attributes(_read_value(span.get("body")))
    for event in items(span.get("events")):
        inner = _read_attributes(inside(event, "attributes")) | _read_attributes(_read_value(inside(event, "body")))
        name = str(inside(event, "name"))
        given = inner | given
        if name in (*_PROMPTS, *_COMPLETIONS) and name not in given:
            given[name] = read_json(inner.get("message", inner.get("content")))
    for name, numbered in (("gen_ai.prompt", "gen_ai.prompt."), ("gen_ai.completion", "gen_ai.completion.")):
        messages = _collect_numbered(given, numbered)
        if messages:
            given.setdefault(name, messages)
    return given


def _collect_numbered(given: Record, prefix: str) -> list[Record]:
    """`{"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "…"}` as messages, in order."""
    messages: dict[int, Record] = {}
    for name, value in given.items():
        number, _, field = name.removeprefix(prefix).partition(".")
        if name.startswith(prefix) and number.isdecimal() and field:
            messages.setdefault(int(number), {})[field] = value
    return [messages[number] for number in sorted(messages)]


def _read_attributes(given: object) -> Record:
    """Attributes as an object, or as OTLP writes them: a list of key and value."""
    if isinstance(given, dict):
        return {name: read_json(value) for name, value in given.items()}
    pairs = ((inside(pair, "key"), _read_value(inside(pair, "value"))) for pair in items(given))
    return {str(key): read_json(value) for key, value in pairs}


def _read_value(value: object) -> Any:  # noqa: ANN401 - what an attribute holds
    """An OTLP value (`{"stringValue": "…"}`, `arrayValue`, `kvlistValue`) as JSON has it; anything else as it is."""
    given = fields(value)
    if "arrayValue" in given:
        return [_read_value(pair) for pair in items(inside(given, "arrayValue", "values"))]
    if "kvlistValue" in given:
        pairs = items(inside(given, "kvlistValue", "values"))
        return {str(inside(pair, "key")): _read_value(inside(pair, "value")) for pair in pairs}
    return next(iter(given.values())) if len(given) == 1 and next(iter(given)).endswith("Value") else value


def _find_last_text(value: object, role: str) -> str | None:
    """The text of the last message of this role, or of the last of any if none says its role; None if it has none."""
    value = inside(value, "messages") or value
    if not isinstance(value, list):
        return _read_message(value)
    if not any(inside(message, "role") for message in value):
        return _read_message(value[-1]) if value else None
    messages = [
        message for message in value if inside(message, "role") in (role, "model" if role == "assistant" else role)
    ]
    return next((words for message in reversed(messages) if (words := _read_message(message))), None)


def _read_message(value: object) -> str | None:
    """What a message says: its texts in order, without what the model thought and the tools it called."""
    if isinstance(value, dict):
        inner = value.get("parts", value.get("content", value.get("message", value.get("text"))))
        return _read_message(inner)
    if isinstance(value, list):
        parts = (part for part in value if isinstance(part, str) or inside(part, "type") in (None, "text"))
        return "\n".join(filter(None, map(_read_message, parts))) or None
    return value if isinstance(value, str) and value.strip() else None


def _is_opentelemetry(record: Record) -> bool:
    if any(outer in record for outer, *_ in _BATCHES):
        return True
    names = {
        *_read_attributes(record.get("attributes")),
        *(inside(event, "name") for event in items(record.get("events"))),
    }
    return any(str(name).startswith(("gen_ai.", "openinference.", "llm.")) for name in names)


OPENTELEMETRY = Tool(
    name="OpenTelemetry GenAI spans",
    wrote=_is_opentelemetry,
    rows=_read_opentelemetry,
    columns=(
        Column(c.QUESTION, _PROMPT),
        Column(c.PIPELINE, _MODEL),
        Column(c.RESPONSE, _COMPLETION),
        Column(c.CONTEXTS, _DOCUMENTS),
    ),
)
