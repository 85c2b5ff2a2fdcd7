"""FMEval's word scores of responses without what they repeat: the question restated, and citations.

A response that repeats the question before it answers loses precision for it, although it answers. These scores stand
beside FMEval's and never in their place. Only the response changes, and of it only words that no golden answer has, so
that recall stays and precision and F1 can only rise.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import polars as pl

from qaviz.model.columns import ANSWER, ANSWER_SCORES, OR_DELIMITER, QUESTION, RESPONSE
from qaviz.scoring.definition import words_of
from qaviz.scoring.table import word_scores

NORMALISED = {name: f"normalised_{name}" for name in ANSWER_SCORES}
"""By FMEval's name: the column of the score without restatement and citations."""

CITATION = re.compile(r"\s*(?:\[\^?\d{1,3}\^?(?:\s*[,;–-]\s*\d{1,3})*\]|【[^】\n]{1,40}】)")
_OPENING = re.compile(
    r"\W*(?:according to|based on|as per|per|from|in|as stated in|as mentioned in) (?:the |this |your )?(?:\w+ ){0,2}"
    r"(?:documents?|context|passages?|text|article|sources?|information|excerpts?)(?: provided| given| above)?"
    r"\s*[,:]\s*",
    re.IGNORECASE,
)
"""What says where an answer comes from, before it comes."""
_WORD = re.compile(r"[^\W_]+(?:['’.,][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")

_AUXILIARIES = frozenset(
    words_of(
        "is are was were be been being am do does did has have had can could will would shall should may might there"
    )
)
_GRAMMAR = _AUXILIARIES.union(
    words_of(
        "of in on at to for from by with as and that which who whom whose what when where how many much it its this "
        "these those answer question"
    ),
    ("the", "a", "an"),
)
_TIME_AND_PLACE = frozenset(words_of("in on at during from near since"))
_ASKS_TIME_OR_PLACE = re.compile(r"^\W*(?:when|where|(?:in|on|at|during) (?:what|which))\b", re.IGNORECASE)
_ENOUGH = 2
"""Words of the question from which a stretch restates it; all of them, where the question has fewer."""
_READ = 5_000
"""Characters of a response in which a restatement is looked for."""


def normalised_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of NORMALISED for rows with QUESTION, ANSWER, FACT and RESPONSE, in their order.

    Null where FMEval's own are: without a golden answer.
    """
    texts = pl.struct(QUESTION, ANSWER, RESPONSE)
    distinct = rows.select(texts.alias("texts")).unique()
    concise = [answer_alone(*(row[name] or "" for name in (QUESTION, ANSWER, RESPONSE))) for row in distinct["texts"]]
    known = distinct.with_columns(pl.Series("concise", concise, pl.String))
    joined = rows.with_columns(texts.alias("texts")).join(known, on="texts", how="left", maintain_order="left")
    given = pl.when(pl.col(RESPONSE).is_not_null()).then(pl.col("concise"))
    return word_scores(joined.with_columns(given.alias(RESPONSE))).select(
        pl.col(name).alias(column) for name, column in NORMALISED.items()
    )


def answer_alone(question: str, answer: str, response: str) -> str:
    """Return the response without citations and without what it restates of the question at its begin and end.

    Words of the golden answer stay, and the whole response where nothing else would be left.
    """
    golden = {word for variant in answer.split(OR_DELIMITER) for word in words_of(variant)}
    alone = _without_restatement(question, golden, CITATION.sub("", response))
    words, kept = set(words_of(response)), set(words_of(alone))
    return alone if golden & words <= kept and len(kept) <= len(words) else response


def _without_restatement(question: str, golden: set[str], cited: str) -> str:
    opened = _OPENING.match(cited)
    text = cited[opened.end() :] if opened else cited
    words = list(_WORD.finditer(text, 0, _READ))
    begin, end = _between_blanks(
        text, *_find_answer_span(words, _stems_of(question) - _grammar_stems(), text, question)
    )
    inside = text[begin:end].strip(" ,;:")
    if not any(map(str.isalnum, inside)):
        return cited
    return " ".join(
        part
        for part in (_keep_golden_words(text[:begin], golden), inside, _keep_golden_words(text[end:], golden))
        if part
    )


def _between_blanks(text: str, begin: int, end: int) -> tuple[int, int]:
    """The same stretch, with the whole of a piece between blanks where it would be cut: `the King-led army`."""
    while (
        0 < begin < len(text) and not text[begin].isspace() and not text[begin - 1].isspace() and _goes_on(text, begin)
    ):
        begin -= 1
    while 0 < end < len(text) and not text[end].isspace() and not text[end - 1].isspace():
        end += 1
    return begin, end


def _goes_on(text: str, at: int) -> bool:
    """Whether letters or digits follow before the next blank."""
    piece = text[at:].split(maxsplit=1)
    return bool(piece) and any(map(str.isalnum, piece[0]))


def _find_answer_span(
    words: Sequence[re.Match[str]], question_words: frozenset[str], text: str, question: str
) -> tuple[int, int]:
    """Where the answer begins and ends between what restates the question."""
    first = _SENTENCE_END.search(text)
    enough = min(_ENOUGH, len(question_words))
    begin = _end_of_prefix(
        [word for word in words if not first or word.start() < first.start()], question_words, enough
    )
    following = next((word for word in words if word.start() >= begin), None)
    if begin and following and following[0].lower() in _TIME_AND_PLACE and _ASKS_TIME_OR_PLACE.match(question):
        begin = following.end()
    one_sentence = not first or not text[first.end() :].strip()
    end = (
        _begin_of_suffix([word for word in words if word.start() >= begin], question_words, enough)
        if one_sentence
        else None
    )
    return begin, len(text) if end is None else end


def _end_of_prefix(words: Sequence[re.Match[str]], question_words: frozenset[str], enough: int) -> int:
    """Where the stretch at the begin ends that has only words of the question and of grammar; 0 where none restates."""
    seen, end, after = set[str](), 0, 0
    for place, word in enumerate(words):
        small = word[0].lower()
        if stem(small) in question_words:
            seen.add(stem(small))
            end, after = word.end(), place + 1
        elif small not in _GRAMMAR:
            break
    if not seen or len(seen) < enough:
        return 0
    while after < len(words) and words[after][0].lower() in _AUXILIARIES:
        end, after = words[after].end(), after + 1
    return end


def _begin_of_suffix(words: Sequence[re.Match[str]], question_words: frozenset[str], enough: int) -> int | None:
    """Where the stretch at the end begins that has only words of the question and of grammar; None where none does."""
    seen, begin = set[str](), None
    for word in reversed(words):
        small = word[0].lower()
        if stem(small) in question_words:
            seen.add(stem(small))
            begin = word.start()
        elif small in _AUXILIARIES:
            begin = word.start()
        elif small not in _GRAMMAR:
            break
    return begin if len(seen) >= max(enough, 1) else None


def _keep_golden_words(text: str, golden: set[str]) -> str:
    """The words of a restating stretch that the golden answer has."""
    return " ".join(word for word in text.split() if not golden.isdisjoint(words_of(word)))


@cache
def _english() -> Any:  # noqa: ANN401 - Snowball ships no types
    import snowballstemmer  # with the stemmers of all languages, which nobody needs who only scores

    return snowballstemmer.stemmer("english")


@cache
def _grammar_stems() -> frozenset[str]:
    return frozenset(map(stem, _GRAMMAR))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word in small letters, by Snowball's English stemmer."""
    return str(_english().stemWord(word))


@lru_cache(maxsize=4096)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(stem(word[0].lower()) for word in _WORD.finditer(text))
