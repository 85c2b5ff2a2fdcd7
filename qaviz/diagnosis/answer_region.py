"""Where a response answers: what wraps it and the sentences that say nothing of the question are no part of it.

All evidence is read in the answer region, so what stands around an answer changes nothing: a lead-in, brackets,
marks of code, citations, JSON around one value, closing phrases, notes. Sentences stay that share words with the
question or the golden texts, hold a number, take a side, decline, or are no longer than a name. Where none does, all
stay.
"""

import json
import re
from functools import lru_cache

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
_INSTEAD = {"cut": "", "line": "\n", "blank": " "}
"""Lines are parted by one line break, words by one blank."""


@lru_cache(maxsize=2_048)
def unwrap(response: str, *, coded: bool = False) -> str:
    """Return a response without what wraps it, with single blanks, citations and marks left out.

    A digit behind a word is a footnote's mark, unless golden texts are `coded`: have words like it, as `name7`.
    """
    text = response[:READ]
    begin, end = _find_core(text)
    if text[begin:end].startswith("{") and (value := _read_object(text[begin:end])) is not None:
        return unwrap(value, coded=coded)
    parts, at = list[str](), begin
    for junk in _JUNK.finditer(text, begin, end):
        if not (coded and junk.group().isdigit()):
            parts += text[at : junk.start()], _INSTEAD[junk.lastgroup or ""]
            at = junk.end()
    joined = "".join((*parts, text[at:end])).lstrip()
    return joined if any(map(str.isalnum, joined)) else text.strip()


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


def find_region(response: str, triplet: Triplet, language: str) -> str:
    """Return the answer region of a response to a question with these golden texts."""
    whole = unwrap(response, coded=triplet.coded)
    if len(whole) > 24 and whole.isupper() and len(lower := whole.lower()) == len(whole):
        whole = lower  # no abbreviation, and no name can be told in capitals
    parts = [whole[start:end] for start, end in sentences(whole)]
    kept = [part for part in parts if _says_something(part, triplet, language)] if len(parts) > 1 else parts
    return "\n".join(kept) if 0 < len(kept) < len(parts) else whole


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
