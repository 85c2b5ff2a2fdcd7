"""FMEval's word scores of responses without what they repeat: the question restated, and citations.

Who repeats the question before the answer loses precision for it. These scores stand beside FMEval's and never in their
place. Of the response only words go that no golden answer has: recall stays, precision and F1 can only rise.
"""

import re
from collections.abc import Iterable

import polars as pl

from qaviz.model.columns import ANSWER, ANSWER_SCORES, F1, OR_DELIMITER, PIPELINE, PRECISION, QUESTION, RESPONSE
from qaviz.reading.words import stem
from qaviz.scoring.definition import ARTICLES, words_of
from qaviz.scoring.table import word_scores

NORMALISED = {name: f"normalised_{name}" for name in ANSWER_SCORES}
"""By FMEval's name: the column of the score without restatement and citations."""

SCORED_TWICE = (PRECISION, F1)
"""The scores that restating the question lowers: recall stays."""

_CITATION = re.compile(r"\s*(?:\[\^?\d{1,3}\^?(?:\s*[,;–-]\s*\d{1,3})*\]|【[^】\n]{1,40}】)")
_OPENING = re.compile(
    r"(?i)\A\W*(?:according to|based on|(?:as )?per|from|(?:as stated |as mentioned )?in) (?:the |this |your )?"
    r"(?:\w+ ){0,2}(?:documents?|context|passages?|text|article|sources?|information|excerpts?)"
    r"(?: provided| given| above)?\s*[,:]\s*"
)
"""What says where an answer comes from, before it comes."""
_ASKS_TIME_OR_PLACE = re.compile(r"\W*(?:when|where|(?:in|on|at|during) (?:what|which))\b", re.IGNORECASE)
_TIME_AND_PLACE = words_of("in on at during from near since")
_AUXILIARIES = words_of(
    "is are was were be been being am do does did has have had can could will would shall should may might there"
)
_GRAMMAR = words_of(
    "of in on at to for from by with as and that which who whom whose what when where how many much it its this these "
    "those answer question"
).union(_AUXILIARIES, ARTICLES, {""})
_ENOUGH = 2  # words of the question that restate it; all of them, where it has fewer


def normalised_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of NORMALISED for rows with QUESTION, ANSWER, FACT and RESPONSE, in their order. Null where
    FMEval's own are: without a golden answer."""
    alone = [
        None if response is None else answer_alone(question or "", answer or "", response)
        for question, answer, response in rows.select(QUESTION, ANSWER, RESPONSE).iter_rows()
    ]
    return word_scores(rows.with_columns(pl.Series(RESPONSE, alone, pl.String))).select(
        pl.col(name).alias(column) for name, column in NORMALISED.items()
    )


def normalised_gain(rows: pl.DataFrame) -> pl.DataFrame:
    """Return PIPELINE, responses, the means of SCORED_TWICE, their normalised means, and the gain in F1.

    One row a pipeline, of rows with the columns of NORMALISED that have a golden answer.
    """
    scored = rows.filter(pl.col(F1).is_not_null())
    means = [pl.mean(name, NORMALISED[name]) for name in SCORED_TWICE]
    table = scored.group_by(PIPELINE, maintain_order=True).agg(pl.len().alias("responses"), *means)
    return table.with_columns((pl.col(NORMALISED[F1]) - pl.col(F1)).alias("gain"))


def answer_alone(question: str, answer: str, response: str) -> str:
    """Return the response without citations and without what it restates of the question at its begin and end. Words of
    the golden answer stay, and the whole response where nothing else would be left."""
    golden = set[str]().union(*map(words_of, answer.split(OR_DELIMITER)))
    cited = _CITATION.sub("", response)
    text = _OPENING.sub("", cited)
    pieces = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    begin, end = _find_answer([text[start:stop] for start, stop in pieces], question)
    inside = text[pieces[begin][0] : pieces[end - 1][1]].strip(" ,;:") if begin < end else ""
    if any(map(str.isalnum, inside)):
        before, after = (
            [text[start:stop] for start, stop in part if not golden.isdisjoint(words_of(text[start:stop]))]
            for part in (pieces[:begin], pieces[end:])
        )
        cited = " ".join([*before, inside, *after])
    words, kept = words_of(response), words_of(cited)
    return cited if golden & words <= kept and len(kept) <= len(words) else response


def _find_answer(pieces: list[str], question: str) -> tuple[int, int]:
    """Return the pieces between blanks from which and up to which the answer stands, between what restates."""
    question_stems = {stem(word) for word in map(_reduce_piece, question.split()) if word not in _GRAMMAR}
    sentence = next((place for place, piece in enumerate(pieces, 1) if piece[-1] in ".!?"), len(pieces))
    begin = _count_restating(pieces[:sentence], question_stems)
    if 0 < begin < len(pieces) and _ASKS_TIME_OR_PLACE.match(question):
        begin += _reduce_piece(pieces[begin]) in _TIME_AND_PLACE
    restating = _count_restating(reversed(pieces[begin:]), question_stems) if sentence == len(pieces) else 0
    return begin, len(pieces) - restating


def _count_restating(pieces: Iterable[str], question_stems: set[str]) -> int:
    """Return how many of the first pieces have only words of the question and of grammar; 0 where none restates."""
    restated, count = set[str](), 0
    for place, word in enumerate(map(_reduce_piece, pieces), 1):
        if word not in _GRAMMAR and stem(word) in question_stems:
            restated.add(stem(word))
            count = place
        elif word in _AUXILIARIES:
            count = place
        elif word not in _GRAMMAR:
            break
    return count if len(restated) >= max(min(_ENOUGH, len(question_stems)), 1) else 0


def _reduce_piece(piece: str) -> str:
    return "".join(filter(str.isalnum, piece.lower()))
