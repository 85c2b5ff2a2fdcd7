"""Where a response answers: what wraps it and the sentences that say nothing of the question are no part of it.

All evidence is read in the answer region, so what stands around an answer changes nothing: a lead-in, brackets,
marks of code, citations, JSON around one value, closing phrases, notes. Sentences stay that share words with the
question or the golden texts, hold a number, take a side, decline, or are no longer than a name. Where none does, all
stay.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from qaviz.diagnosis.golden_texts import STEM, Triplet, join_ideographs, level_words, read_variant, runs, split_words
from qaviz.diagnosis.patterns import RESPONSE, WORDS
from qaviz.reading import Kind, sentences, tokens
from qaviz.reading.level import READ
from qaviz.reading.refusals import read_refusal
from qaviz.reading.tables import table

_FENCE = re.compile(r"```\w*\n?(.*?)\n?```", re.DOTALL)
_OBJECT = re.compile(r'\{\s*"[^"]{1,40}"\s*:\s*')
_PAIRS = dict(zip("([\"“«`'‘„「『（*_<", ")]\"”»`'’“」』）*_>", strict=True))
_CITATION = (
    r"\s*\[\^?\d{1,3}(?:,\s?\d{1,3})*\^?\](?!\()|\s*【[^】]{0,40}】"
    r"|\s*\((?:source|quelle|fuente|fonte|nguồn|cf)\b[^()]{0,80}\)|</?[a-zA-Z][^<>]{0,60}>"
)
_ENDS_IN_CITATION = re.compile(rf"(?:{_CITATION})+\s*$", re.IGNORECASE)
_JUNK = re.compile(
    rf"(?P<cut>{_CITATION}|(?m:^[ \t]{{0,8}}(?:[-*•–]\s+|\#{{1,6}}\s+|>\s+))|\*\*|__|`+"
    r"|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|(?-i:(?<=[a-z]{3})\d(?=[\s.,;]|$)))"
    r"|(?P<line>[ \t\u00a0]*\n\s*)|(?P<blank>[ \t\u00a0]{2,})",
    re.IGNORECASE,
)


class Region(NamedTuple):
    """The part of a response that answers."""

    text: str
    pieces: tuple[tuple[int, int], ...] = ()
    """Where each piece begins: in `text`, in the response. Empty where they are the same text."""

    def as_written(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the response of a place in the region."""
        if not self.pieces:
            return start, end
        return self._place(start), self._place(end - 1) + 1

    def _place(self, place: int) -> int:
        at, origin = self.pieces[bisect_right(self.pieces, (place, 1 << 60)) - 1]
        return origin + place - at


@lru_cache(maxsize=2_048)
def unwrap(response: str, *, coded: bool = False) -> Region:
    """Return a response without what wraps it, with single blanks, citations and marks left out.

    A digit behind a word is a footnote's mark, unless golden texts are `coded`: have words like it, as `name7`.
    """
    text = response[:READ]
    begin, end = _find_core(text)
    if text[begin:end].startswith("{") and (value := _read_object(text[begin:end])) is not None:
        at = text.find(value, begin)
        if at < 0:
            return Region(unwrap(value, coded=coded).text, ((0, begin),))
        begin, end = _find_core(text, at, at + len(value))
    at = begin
    parts = list[tuple[str, int]]()
    for junk in _JUNK.finditer(text, begin, end):
        if coded and junk.group().isdigit():
            continue
        parts += [(text[at : junk.start()], at)] * (at < junk.start())
        if junk.lastgroup != "cut" and parts:  # lines are parted by one line break, words by one blank
            parts.append(("\n" if junk.lastgroup == "line" else " ", junk.start()))
        at = junk.end()
    region = _join([*parts, (text[at:end], at)])
    if not any(map(str.isalnum, region.text)):
        return Region(text.strip(), ((0, len(text) - len(text.lstrip())),))
    return region


def _join(parts: Sequence[tuple[str, int]]) -> Region:
    """The region of these stretches, each with where it stands in the response."""
    written = [part for part in parts if part[0]]
    begins = accumulate((len(words) for words, _ in written), initial=0)
    return Region(
        "".join(words for words, _ in written), tuple(zip(begins, (origin for _, origin in written), strict=False))
    )


def _find_core(text: str, begin: int = 0, end: int = READ) -> tuple[int, int]:
    """Where the text stands that no lead-in, bracket, quote or mark wraps."""
    end = min(end, len(text))
    while True:
        before = begin, end
        while begin < end and text[begin].isspace():
            begin += 1
        while begin < end and text[end - 1].isspace():
            end -= 1
        if text.startswith("```", begin) and (fence := _FENCE.fullmatch(text, begin, end)):
            begin, end = fence.span(1)
        if (lead := RESPONSE["lead_in"].match(text, begin, end)) and lead.end() < end:
            begin = lead.end()
        if begin < end and text[end - 1] in "])】>":
            source = _ENDS_IN_CITATION.search(text, begin, end)
            end = source.start() if source and source.start() > begin else end
        if end - begin > 2 and _PAIRS.get(text[begin]) == text[end - 1]:
            begin, end = begin + 1, end - 1
        if (begin, end) == before:
            return before


def _read_object(text: str) -> str | None:
    """The one value of a JSON object; None for anything else."""
    if not _OBJECT.match(text):
        return None
    try:
        read = json.loads(text)
    except ValueError:
        return None
    value = next(iter(read.values())) if isinstance(read, dict) and len(read) == 1 else None
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def find_region(response: str, triplet: Triplet, language: str) -> Region:
    """Return the answer region of a response to a question with these golden texts."""
    whole = unwrap(response, coded=triplet.coded)
    lower = whole.text.lower()
    if len(whole.text) > 24 and whole.text.isupper() and len(lower) == len(whole.text):
        whole = whole._replace(text=lower)  # no abbreviation, and no name can be told in capitals
    places = sentences(whole.text)
    if len(places) < 2:
        return whole
    kept = [place for place in places if _says_something(whole.text[slice(*place)], triplet, language)]
    if not kept or len(kept) == len(places):
        return whole
    parts = list[tuple[str, int]]()
    for start, end in kept:  # a line each
        cuts = [start, *(at for at, _ in whole.pieces if start < at < end), end]
        parts += [(whole.text[begin:stop], whole.as_written(begin, stop)[0]) for begin, stop in pairwise(cuts)]
        parts.append(("\n", parts[-1][1] + len(parts[-1][0])))
    return _join(parts[:-1])


def _says_something(sentence: str, triplet: Triplet, language: str) -> bool:
    """Whether a sentence may answer: by what it shares with question and golden texts, or by its kind."""
    level = level_words(sentence)
    words = split_words(level)
    if len(words) <= 3 or any(map(str.isdigit, sentence)):  # a name or a value
        return bool(words)
    joined = join_ideographs(level)
    if joined is level:
        grammar = table(language).grammar
        # Short words tell nothing of what a sentence is about.
        telling = {word[:STEM] for word in words if len(word) > 3 and word not in grammar} - WORDS["function"]
        shared = len(telling & triplet.about)
        if shared > 1 or shared > 0.2 * len(telling) or telling & triplet.new:  # of few words one is enough
            return True
    elif len((pairs := runs(level)) & triplet.pairs) > 0.12 * len(pairs):  # the same of pairs of letters
        return True
    for text in triplet.variants[:16]:  # whose letters are looked for
        letters = read_variant(text, triplet.question).letters
        if sum(map(joined.__contains__, letters)) >= 0.34 * len(letters):  # it speaks of it in other forms
            return True
    if read_refusal(sentence, "", language):
        return True
    sides = (Kind.YES, Kind.NO, Kind.NEGATION)
    # A denial of few words speaks of nothing else.
    return len(words) <= 9 and any(token.kind in sides for token in tokens(sentence, language))
