"""Error messages of pipelines that stand where responses belong."""

import polars as pl

from qaviz.model.columns import ANSWER, FACT, QUESTION, RESPONSE

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
