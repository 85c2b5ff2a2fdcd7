"""The sentences of a response: what of each can be checked, where it stands in passages, and the sources it cites."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS, word_set

NUMBER, MONTH, NAME, WORD = "number", "month", "name", "word"

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[。！？]|[.!?]+(?=[\s\"'”’)\]]|$)|\n+")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
NOTHING = FUNCTION_WORDS | word_set("""
more most other such both very just only however while because through same too each any all some one about than there
which been having being upon within per via according
und ein eine einer eines einem einen dem den im zu mit auf für als auch sich es er sie wir ihr bei nach aus dass oder
ist war sind waren wird werden wurde wurden hat haben hatte kann nicht
et un une à au aux dans par pour sur avec est sont était qui que ce cette ces son sa ses il elle ils elles ne pas plus
en del un una unos unas por para con su sus se lo es son fue ser está que como más sin
il gli uno nel nella della delle dei degli che non è sono stato ha hanno
um uma do da dos das no na nos nas os ao aos em não foi são ou
""")
_NEGATION = "negation"
_NEGATIONS = word_set("""
not no never none neither nor without cannot nobody nothing hardly unable
nicht kein keine keiner keinen keinem keines nie niemals weder ohne
ne pas jamais aucun aucune sans ni no nunca jamás ningún ninguna sin tampoco
non mai nessun nessuna senza não nem nenhum nenhuma sem niet geen nooit ikke ingen inte aldrig không chưa
""")
_NEGATION_SIGNS = re.compile("[不没沒未無无非]|ない|なかった|ません")
MONTHS = word_set("""
january february march april june july august september october november december
januar februar märz mai juni juli oktober dezember
janvier février mars avril juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
""")
_SHORT_NAMES = word_set("mr mrs ms dr st no vs etc inc ltd co jr sr prof gen col fig eq al approx u.s e.g i.e")
_DENIES_NOTHING = re.compile(r"not (?:only|just|merely)\b|no(?: longer)? (?:doubt|matter)\b|non?[.,!]", re.IGNORECASE)
_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_WRITTEN = {str(value): word for value, word in enumerate(_NUMBERS.split(), 2)}
_DIGITS = {word: digits for digits, word in _WRITTEN.items()}
_CITATION = re.compile(r"\[\^?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?!\()|【(\d{1,3})[^】]{0,20}】")
_PLACE = re.compile(r"\((?:([^()\n]{1,60}), )?(?:pp?|pages?|S|Seiten?)\.? ?\d+(?:[–-]\d+)?\)")
_WORDS = re.compile(r"[^\W_]+")
_STEM, _SHORT = 6, 4
_GAP = " " * 200
"""Stands between two passages, so that nothing reaches from one into the next."""
MOST_PLACES = 40
"""Places of one word that are looked at."""


class Part(NamedTuple):
    """One thing a sentence says that a passage can hold."""

    kind: str
    term: str
    """As it is sought: lower case, the first letters of a long word, a number in digits."""
    start: int
    end: int


class Sentence(NamedTuple):
    """One sentence of a response: characters `start` to `end`."""

    start: int
    end: int
    parts: tuple[Part, ...]
    """Its numbers, names and words of content; pairs of characters in scripts without spaces."""
    negations: tuple[int, ...]
    """Where it negates, in characters."""


def read_sentences(text: str) -> list[Sentence]:
    """The sentences of a text that say something checkable: no questions, no numbers of a list, no citations."""
    text = hide_citations(text)
    sentences: list[Sentence] = []
    parts: list[Part] = []
    negations: list[int] = []
    start = -1
    for match in _TOKEN.finditer(text):
        token, place = match.group(), match.start()
        first = token[0]
        if first in ".!?。！？\n":
            if first == "." and _is_abbreviation(text, place):
                continue
            is_claim = "?" not in token and not _numbers_line(parts, start, place, len(text) - match.end())
            if is_claim:
                _close(sentences, parts, negations, start, match.end() if first != "\n" else place)
            parts, negations, start = [], [], -1
            continue
        if start < 0:
            start = place
        if first.isdigit():
            parts.append(Part(NUMBER, token, place, match.end()))
        elif _UNSPACED.match(token):
            parts += _read_unspaced(token, place)
            negations += [place + sign.start() for sign in _NEGATION_SIGNS.finditer(token)]
        else:
            _read_word(text, token, place, parts, negations)
    _close(sentences, parts, negations, start, len(text.rstrip()))
    return sentences


def _read_word(text: str, token: str, place: int, parts: list[Part], negations: list[int]) -> None:
    kind, term, length = _classify(token)
    if kind == _NEGATION:
        if not _DENIES_NOTHING.match(text, place):
            negations.append(place)
    elif kind:
        parts.append(Part(kind, term, place, place + length))


@lru_cache(maxsize=100_000)
def _classify(token: str) -> tuple[str, str, int]:
    """What a word is, as what it is sought, and how many of its letters count; no kind for a word of grammar."""
    word = token.lower()
    if word in _NEGATIONS or word.endswith(("n't", "n’t")):
        return _NEGATION, "", 0
    if word in NOTHING or (len(word) == 1 and not token.isupper()):
        return "", "", 0
    if word in _DIGITS:
        return NUMBER, _DIGITS[word], len(token)
    bare = word[:-2] if word.endswith(("'s", "’s")) else word
    kind = NAME if token[0].isupper() else WORD
    if word in MONTHS and (kind == NAME or word not in ("march", "mars", "mai")):
        kind = MONTH
    return kind, stem(bare), len(bare)


def stem(word: str) -> str:
    """The letters that the forms of a word share: its first six, fewer in a shorter word."""
    return word if len(word) <= _SHORT else word[: max(_SHORT, min(_STEM, len(word) - 2))]


def _read_unspaced(token: str, place: int) -> Iterator[Part]:
    for offset in range(max(1, len(token) - 1)):
        yield Part(WORD, token[offset : offset + 2], place + offset, place + min(len(token), offset + 2))


def _is_abbreviation(text: str, place: int) -> bool:
    """Whether the full stop belongs to `Dr.`, an initial or the number of a list."""
    before = text[max(0, place - 8) : place].split()
    word = before[-1].lower() if before else ""
    return word in _SHORT_NAMES or (len(word) == 1 and word.isalpha())


def _numbers_line(parts: list[Part], start: int, place: int, rest: int) -> bool:
    """Whether what ends here is only the number of a line: `5.`, with more behind it."""
    return len(parts) == 1 and parts[0].kind == NUMBER and start == parts[0].start and place - start <= 2 and rest > 1


def _close(sentences: list[Sentence], parts: list[Part], negations: list[int], start: int, end: int) -> None:
    if parts and start >= 0:
        sentences.append(Sentence(start, end, tuple(parts), tuple(negations)))


def hide_citations(text: str) -> str:
    """The text with blanks for its citations: every other character keeps its place."""
    if "[" not in text and "(" not in text and "【" not in text:
        return text
    return _PLACE.sub(_blank, _CITATION.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def list_citations(text: str) -> list[int]:
    """The numbers of the passages that a response cites: `[2]`, `[1, 3]`, `[2-4]`, `[^1]`, `【4】`; 1-based."""
    numbers: list[int] = []
    for match in _CITATION.finditer(text):
        for piece in re.split(r"\s*[,;]\s*", match[1] or match[2]):
            first, _, last = re.sub("\\s*[–-]\\s*", "-", piece).partition("-")
            span = range(int(first), int(last or first) + 1)
            numbers += span if 0 < len(span) <= 50 else [int(first)]
    return numbers


def list_cited_documents(text: str) -> list[str]:
    """The documents that a response cites with a page: `Report 2023` of `(Report 2023, p. 3)`."""
    return [match[1] for match in _PLACE.finditer(text) if match[1]]


def find_terms(text: str) -> tuple[str, ...]:
    """The words of a text as they are sought in passages, once each, without words of grammar."""
    terms: dict[str, None] = {}
    for word in _WORDS.findall(text.lower()):
        if _UNSPACED.match(word):
            terms |= dict.fromkeys(word[place : place + 2] for place in range(max(1, len(word) - 1)))
        elif word not in NOTHING:
            terms[word[:_STEM]] = None
    return tuple(terms)


class Passages(NamedTuple):
    """The contexts of one response as one text, with a gap between two of them."""

    text: str
    lower: str
    """The same in lower case: every character keeps its place."""
    starts: tuple[int, ...]


def join_passages(contexts: tuple[str, ...]) -> Passages:
    """Contexts as they are searched."""
    starts, length = [], 0
    for context in contexts:
        starts.append(length)
        length += len(context) + len(_GAP)
    text = _GAP.join(contexts)
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return Passages(text, lower, tuple(starts))


def find_word(lower: str, word: str) -> list[int]:
    """Where words with this stem start: a short stem may be followed by two more letters, a long one by any."""
    places: list[int] = []
    length = len(word)
    most = 2 if length <= _SHORT else len(lower)
    unspaced = _UNSPACED.match(word)
    place = lower.find(word)
    while place >= 0 and len(places) < MOST_PLACES:
        after = place + length
        if unspaced or not (
            (place and lower[place - 1].isalnum())
            or (most == 2 and len(rest := lower[after : after + 3]) == 3 and rest.isalpha())
        ):
            places.append(place)
        place = lower.find(word, after)
    return places


def find_number(lower: str, number: str) -> list[int]:
    """Where a number stands: with or without its thousands marks, in words up to twenty."""
    places: list[int] = []
    forms = {number, number.replace(",", "")}
    if number.isdecimal() and len(number) > 3:
        forms.add(f"{int(number[:15]):,}")
    for form in forms:
        place = lower.find(form)
        while place >= 0 and len(places) < MOST_PLACES:
            after = place + len(form)
            if not (_goes_on(lower[max(0, place - 2) : place][::-1]) or _goes_on(lower[after : after + 2])):
                places.append(place)
            place = lower.find(form, after)
    if number in _WRITTEN:
        places += find_word(lower, _WRITTEN[number])
    return sorted(places)


def _goes_on(beside: str) -> bool:
    """Whether a number goes on in the two characters beside it."""
    return beside[:1].isdigit() or (beside[:1] in (".", ",") and beside[1:].isdigit())


def is_near(places: list[int], low: int, high: int) -> bool:
    """Whether one of the sorted places is from `low` to `high`."""
    index = bisect_left(places, low)
    return index < len(places) and places[index] <= high
