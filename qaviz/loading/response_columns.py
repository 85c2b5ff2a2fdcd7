"""How responses stand in a table: one column of a long one, or a column for each pipeline of a wide one; contexts as
tools write them into cells, and error messages of pipelines where responses belong.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import polars as pl

from qaviz.loading.column_guess import (
    OVERLAP,
    Columns,
    Guess,
    choose_pipeline,
    contradiction,
    find_choices,
    find_fault,
    find_names,
    numbers_repeats,
    read_texts_by_content,
    repeats,
)
from qaviz.loading.column_senses import META, plain_name, read_column_name
from qaviz.loading.column_values import ENOUGH, share_inside, share_words
from qaviz.model.columns import (
    ANSWER,
    CONTEXT_DOCUMENTS,
    CONTEXT_IDS,
    CONTEXT_SCORES,
    CONTEXTS,
    FACT,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    RESPONSE,
)

_SYSTEM = re.compile(
    r"([a-z]|[pvms][\W_]*\d{1,3}|(p|v|m|s|sys|system|pipeline|model|run|variant|config|experiment|exp|option|candidate"
    r"|version|rag|baseline|bot|pipe|llm|agent|prod|staging|new|old|before|after|current|proposed)"
    r"([\W_]+\w{0,3}|\d{1,3}\w?|(?-i:[A-Z]))?)",
    re.IGNORECASE,
)
"""Names that people give to pipelines."""

_WHOLE = re.compile(r"(full|raw|unparsed|complete|original)_")
"""How names begin of responses in full, beside what was read out of them."""

_NUMBERED = re.compile(r"\d\s*$")

_SETTING = re.compile(r"(chunk_?size|top_?k|k|temperature|alpha)")
"""Names of numbers that people set up pipelines by."""

_EXPECTED = re.compile(r"^(expected|gold|golden|reference|target|true|correct|gt|ground_truth)_")

_MOST_SETUPS = 20
"""Setups that one column tells apart, at most."""


@dataclass(frozen=True)
class Answers:
    """Which columns hold responses."""

    response: Guess | None = None
    """Long form: the one column."""
    pipelines: tuple[str, ...] = ()
    """Wide form: a column each."""
    doubtful: tuple[Guess, ...] = ()
    """Columns that may hold responses: a person has to map them."""


def find_question(words: Mapping[str, str], golden: Mapping[str, str]) -> str | None:
    """The column that says what was asked."""
    pairs = [*words.items(), *golden.items()]
    return next((name for wanted in (QUESTION, QUESTION_ID) for name, word in pairs if word == wanted), None)


def find_answers(
    seen: Columns,
    guesses: Sequence[Guess],
    words: Mapping[str, str],
    golden: Mapping[str, str],
    aliases: Sequence[str],
    *,
    question: str | None,
    mapping: Mapping[str, str],
) -> tuple[list[Guess], dict[str, str], tuple[str, ...]]:
    """The guesses and words with those of the response, and in wide form the pipelines. `asked` is the column of the
    questions, `aliases` are names of the response's column."""
    guesses, words = list(guesses), dict(words)
    answer = next((name for name, word in golden.items() if word == ANSWER), None)
    choices = find_choices(seen, answer)
    names = find_names(seen, question, [name for name, word in golden.items() if word in (ANSWER, FACT)])
    names = [name for name in names if plain_name(name) not in aliases]
    has_pipeline = PIPELINE in words.values()
    named = None if has_pipeline else choose_pipeline(seen, names, [*words, *mapping])
    if named:
        guesses = [*(guess for guess in guesses if guess.column != named.column), named]
        words[named.column] = PIPELINE
    taken = [*words, *mapping, *names, *choices.values()]
    has_pipeline = has_pipeline or named is not None
    answers = _find_responses(seen, aliases, taken, golden, has_pipeline=has_pipeline)
    answers = _without_golden_cells(seen, answers, golden)
    guesses = [*guesses, *answers.doubtful]
    pipelines = answers.pipelines
    repeated = question is not None and repeats(seen, question)
    if (has_pipeline or repeated) and len(pipelines) == 1 and not answers.response:
        # One column of texts beside one of names, or under questions that repeat, is what several said.
        why = "it is the only column of texts that may hold responses"
        answers = Answers(Guess(pipelines[0], RESPONSE, why, seen.look(pipelines[0]).example))
        pipelines = ()
    if not answers.response and not pipelines:
        used = [*taken, *(name for name, word in golden.items() if word in (QUESTION, ANSWER, FACT))]
        _, by_content = read_texts_by_content(seen, question, used)
        if by_content:
            guesses = [*(guess for guess in guesses if guess.word != RESPONSE), *by_content]
        answers = Answers(next((guess for guess in by_content if guess.certain), None))
    if answers.response:
        guesses.append(answers.response)
        words[answers.response.column] = RESPONSE
        if not mapping and (setup := _find_setup(seen, {**golden, **words}, answers.response.column)):
            word = REPEAT if numbers_repeats(setup.column) else PIPELINE
            guesses = [replace(setup, word=word), *(guess for guess in guesses if guess.word != word)]
            words = {name: ours for name, ours in words.items() if ours != word} | {setup.column: word}
    return guesses, words, pipelines


def _without_golden_cells(seen: Columns, answers: Answers, golden: Mapping[str, str]) -> Answers:
    """The answers but columns that only repeat a golden one; these are doubtful."""
    names = [answers.response.column] if answers.response else [*answers.pipelines]
    faults = {name: why for name in names if (why := find_fault(seen, name, golden))}
    if not faults:
        return answers
    doubtful = [Guess(name, RESPONSE, why, seen.look(name).example, certain=False) for name, why in faults.items()]
    return Answers(
        None if answers.response and answers.response.column in faults else answers.response,
        tuple(name for name in answers.pipelines if name not in faults),
        (*answers.doubtful, *doubtful),
    )


def _find_responses(
    columns: Columns,
    aliases: Sequence[str],
    taken: Sequence[str],
    golden: Mapping[str, str],
    *,
    has_pipeline: bool,
) -> Answers:
    """The columns with responses among those that are not `taken`. `golden` is what a golden dataset would make of the
    file's columns; `has_pipeline` whether a column names the pipeline."""
    free = [name for name in columns.names if name not in taken]
    golden_answers = [name for name, word in golden.items() if word == ANSWER]
    bare = [name for name in free if _is_bare(name)]
    other_answer = any(name not in bare for name in golden_answers)
    responses = [
        name for name in free if name not in bare and _says_response(columns, name, aliases) and name not in golden
    ]
    numeric = _answers_are_numbers(columns, golden_answers)
    responses = [name for name in responses if not _is_no_response(columns, name, numeric=numeric)]
    responses = _without_flags(columns, responses, golden_answers)
    responses, fields = _without_fields(columns, responses)
    responses, forms = _without_forms(columns, responses)
    fields += forms
    systems = [name for name in responses if _is_system(name) and plain_name(name) not in aliases]
    by_alias = [name for name in responses if plain_name(name) in aliases]
    long = sorted(by_alias, key=lambda name: aliases.index(plain_name(name)))
    if not long and (len(responses) == 1 and (has_pipeline or not systems)):
        long = responses
    if long:
        return Answers(response=_response(columns, long[0]))
    has_fact = FACT in golden.values()
    if len(bare) > 1 and other_answer and not has_pipeline and all(_NUMBERED.search(name) for name in bare):
        return Answers(pipelines=tuple(bare))
    if bare and (has_pipeline or other_answer):
        return Answers(response=_response(columns, bare[0]))
    if responses or fields:
        return Answers(pipelines=tuple(responses), doubtful=tuple(fields))
    unknown = [name for name in free if name not in (*bare, *golden)]
    sure = other_answer or has_fact or not bare
    certain, doubtful = _guess_unnamed(columns, unknown, golden, bare, sure=sure, numeric=numeric)
    if bare and not has_fact and not certain:
        return Answers(response=_response(columns, bare[0]), doubtful=tuple(doubtful))
    return Answers(pipelines=tuple(certain), doubtful=tuple(doubtful))


def _find_setup(columns: Columns, words: Mapping[str, str], response: str) -> Guess | None:
    """The column that tells apart the responses to the same question, where the file names no pipelines or only one:
    `mode`, `retriever`, `with_rag`. Each question has to stand once with each of its values, and to be answered
    differently, or it says who judged, or by which metric."""
    question = find_question(words, {})
    named = next((name for name, word_read in words.items() if word_read == PIPELINE), None)
    if question is None or (named and columns.look(named).distinct > 1):
        return None
    setup = [
        name
        for name in columns.names
        if name not in words and name != response and _tells_apart(columns, name, question, response)
    ]
    if len(setup) != 1:
        return None
    return Guess(
        setup[0], PIPELINE, "it tells apart the responses to the same question", columns.look(setup[0]).example
    )


def _tells_apart(columns: Columns, name: str, question_column: str, response: str) -> bool:
    look = columns.look(name)
    no_setup = look.is_number or read_column_name(name).word in (META, REPEAT)
    if not 1 < look.distinct <= _MOST_SETUPS or (no_setup and not _SETTING.fullmatch(plain_name(name))):
        return False
    responses_by_setup: dict[str | None, dict[str | None, str | None]] = {}
    rows = list(zip(*(columns.cells.get(column, ()) for column in (question_column, name, response)), strict=False))
    for question, setup, answer in rows:
        responses_by_setup.setdefault(question, {})[setup] = answer
    once = sum(map(len, responses_by_setup.values())) == len(rows)
    # The rows are the first of a file, and may end between the setups of a question.
    whole = all(
        len(responses) == look.distinct
        for responses in list(responses_by_setup.values())[:-1] or responses_by_setup.values()
    )
    return once and whole and any(len(set(responses.values())) > 1 for responses in responses_by_setup.values())


def _response(columns: Columns, name: str) -> Guess:
    return Guess(
        name, RESPONSE, read_column_name(name).why or "its name is one for response", columns.look(name).example
    )


def _is_system(name: str) -> bool:
    return read_column_name(name).is_pipeline or bool(_SYSTEM.fullmatch(name.strip()))


def _is_bare(name: str) -> bool:
    return plain_name(name) == ANSWER or read_column_name(name).is_bare_answer


def _says_response(columns: Columns, name: str, aliases: Sequence[str]) -> bool:
    word = read_column_name(name).word
    if word == PIPELINE and plain_name(name) != PIPELINE:
        # "Model" may be what the model said.
        return bool(contradiction(columns, name, PIPELINE, sure=True))
    return plain_name(name) in aliases or word == RESPONSE


def _answers_are_numbers(columns: Columns, golden: Sequence[str]) -> bool:
    """Whether responses may be numbers: the golden answers are, or the file has none that says they are not."""
    return not golden or any(columns.look(name).is_number for name in golden)


def _is_no_response(columns: Columns, name: str, *, numeric: bool) -> bool:
    look = columns.look(name)
    if not look.says_something or plain_name(name) == RESPONSE:
        return False
    figures = look.is_number and (not numeric or (look.repeats and not read_column_name(name).certain))
    return look.is_link or figures


def _without_flags(columns: Columns, responses: Sequence[str], golden: Sequence[str]) -> list[str]:
    """The columns but those of yes and no beside texts: `rag_ok`, `answer_match`, `with_rag`."""
    if not any(not columns.look(name).is_flag for name in golden or responses):
        return list(responses)
    return [name for name in responses if not columns.look(name).is_flag or plain_name(name) == RESPONSE]


def _without_forms(columns: Columns, responses: Sequence[str]) -> tuple[list[str], list[Guess]]:
    """The columns but those that hold another's response in full, or another field than the answer; these are
    doubtful."""
    whole = dict.fromkeys(
        (name for name in responses if _WHOLE.match(plain_name(name))), "it may be the same response in full"
    )
    whole |= {name: f"{other} is expected beside it" for name in responses if (other := _counterpart(columns, name))}
    if len(whole) == len(responses):
        return list(responses), []
    doubtful = [Guess(name, RESPONSE, why, columns.look(name).example, certain=False) for name, why in whole.items()]
    return [name for name in responses if name not in whole], doubtful


def _counterpart(columns: Columns, name: str) -> str | None:
    """The golden counterpart of a field that is no answer: `expected_program` of `predicted_program`."""
    rest = plain_name(name).partition("_")[2]
    if not rest or read_column_name(rest).word in (RESPONSE, QUESTION):
        return None
    return next(
        (name for name in columns.names if _EXPECTED.sub("", plain_name(name)) == rest != plain_name(name)), None
    )


def _without_fields(columns: Columns, responses: Sequence[str]) -> tuple[list[str], list[Guess]]:
    """The columns but those that are fields of one object (`actual.value`, `actual.found`), unless all its fields are
    texts as responses by pipeline are; and the texts among these as doubtful."""
    fields: list[Guess] = []
    for outer in dict.fromkeys(name.rpartition(".")[0] for name in responses if "." in name):
        inside = [name for name in columns.names if name.startswith(f"{outer}.")]
        texts = [name for name in inside if not columns.look(name).is_no_text and "." not in name[len(outer) + 1 :]]
        if outer and len(inside) > 1 and len(texts) < len(inside):
            why = f"it is one of {len(inside)} fields of {outer}"
            fields += [Guess(name, RESPONSE, why, columns.look(name).example, certain=False) for name in texts]
            responses = [name for name in responses if name not in inside]
    return list(responses), fields


def _guess_unnamed(
    columns: Columns,
    unknown: Sequence[str],
    golden: Mapping[str, str],
    bare: Sequence[str],
    *,
    sure: bool,
    numeric: bool,
) -> tuple[list[str], list[Guess]]:
    """Columns whose names say nothing: those that are pipelines, and those that may be. `sure` is whether the file has
    golden answers by a name that says so, `numeric` whether responses may be numbers."""
    golden_columns = [name for name, word in golden.items() if word in (QUESTION, ANSWER)]
    texts = [name for name in unknown if read_column_name(name).word is None]
    texts = [name for name in texts if not _is_about_the_row(columns, name, numeric=numeric)]
    rows = max((columns.look(name).filled for name in golden_columns), default=0)
    certain: list[str] = []
    doubtful: list[Guess] = []
    for name in texts:
        beside = [columns.cells.get(column, ()) for column in (*golden_columns, *bare, *texts) if column != name]
        why = "its name says nothing, and its cells share few words with the questions and answers"
        if rows >= ENOUGH > columns.look(name).filled:
            why = "most of its cells are empty"
        elif _repeats_known(columns, name, golden_columns):
            why = "its cells stand in the questions or in the golden answers"
        elif not sure and not _is_system(name):
            why = "its name says nothing, and none says which the golden answers are"
        elif _is_pipeline(columns, name, beside, alone=len(texts) == 1 and not bare):
            certain.append(name)
            continue
        doubtful.append(Guess(name, RESPONSE, why, columns.look(name).example, certain=False))
    return certain, doubtful


def _repeats_known(columns: Columns, name: str, known: Sequence[str]) -> bool:
    """Whether most cells are part of the same row's question or golden answer: subjects and objects, no responses."""
    cells = columns.cells.get(name, ())
    return not _SYSTEM.fullmatch(name.strip()) and any(
        share_inside(cells, columns.cells.get(column, ())) >= OVERLAP for column in known
    )


def _is_about_the_row(columns: Columns, name: str, *, numeric: bool) -> bool:
    """Whether the cells are numbers, dates, links, or a few values over and over: metadata, and no responses."""
    look = columns.look(name)
    if not look.says_something:
        # A single number among the first rows says enough where nothing speaks for a pipeline.
        return bool(look.filled) and look.is_no_text and not _SYSTEM.fullmatch(name.strip())
    if look.is_no_text and not numeric:
        return True
    if _SYSTEM.fullmatch(name.strip()):
        return look.is_number and look.counts
    return look.is_no_text or look.lists > OVERLAP or (look.repeats and look.words <= 2)


def _is_pipeline(columns: Columns, name: str, beside: Sequence[Sequence[str | None]], *, alone: bool) -> bool:
    look = columns.look(name)
    if not look.says_something or _SYSTEM.fullmatch(name.strip()):
        return True
    overlap = share_words(columns.cells.get(name, ()), *beside)
    return overlap >= OVERLAP or (alone and overlap > 0)


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
_NUMBERED_TEXT = r"(?im)^[ \t]*(?:\[(\d{1,4})\]:?|(?:document|passage|context|source|chunk)\s+(\d{1,4})\s*:)\s*"
"""What begins a passage of a numbered text: `[1]`, `Passage 1:`."""
_NUMBER = re.compile(_NUMBERED_TEXT)
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
    numbered = (contexts.list.len() == 1) & first.str.contains(_NUMBERED_TEXT)
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
