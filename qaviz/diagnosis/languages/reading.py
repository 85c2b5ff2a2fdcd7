"""Which language a text is in, and a text in another language as the evidence reads it: with English words of grammar,
numbers, dates and names.

The evidence is written for English. A text in another language is brought into a form that it reads, word by word, and
every character keeps its place in the text as written: what is found is quoted from there.
"""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

import polars as pl
from anyascii import anyascii

from qaviz.diagnosis.languages import numerals
from qaviz.diagnosis.languages.vocabulary import (
    MONTHS,
    READ,
    REFUSED,
    SMALL_NUMBERS,
    WITHOUT_BLANKS,
    Language,
    language,
    simplified_letters,
    without_marks,
)

_SETTLED = 0xE000
"""Added to each letter that is English already, so that no further step reads it as a word of another language."""
_SETTLE = {letter: letter + _SETTLED for letter in (*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1))}
_UNSETTLE = {settled: letter for letter, settled in _SETTLE.items()}
AGAIN = "="
"""Begins a replacement that is in the language itself, to be read by the steps that follow."""

BY_IDEOGRAPHS = (*WITHOUT_BLANKS, "ko")
"""Languages whose dates and large numbers are written as in Chinese, in letters of their own."""
LONGEST = 20_000
"""Characters of a text that are read."""
Replace = Callable[[re.Match[str]], str | None]
"""What a match is read as; None leaves it as it is."""
_IDEOGRAPH = re.compile("[\u3400-\u9fff]")
_OTHER_LETTERS = re.compile("[\u0370-\u052f]{2,}")
"""Words in Greek or Cyrillic letters: their names are compared in Latin ones."""
_OF_MONEY = re.compile(r"\b(thousand|million|billion|trillion) (?:of|di|de|do|d['’]|van|z|av|af) (?=[A-Z]{3}\b)")
"""Between a scale and a currency."""
_SCALES = ("thousand", "million", "billion", "trillion")
_SUM = re.compile(
    r"(?<![\d.,])(\d{1,4}|an?|one) (trillion|billion|million) (?:and )?(\d{1,3}) (billion|million|thousand)\b"
)
_REST = re.compile(rf"(?<![\w.,])(\d{{1,4}}|{'|'.join(SMALL_NUMBERS)}) million (?:and )?(\d{{4,6}})(?![\d.,])")
"""The same with the smaller part in digits: `three million 600000`."""
"""One number in two scales: `1 billion 200 million`."""
_OTHER_DIRECTION = re.compile(r"\b(?:is|was|does|did|has|have)? ?not (?:rose|fell) ?,? but (?:that )?(rose|fell)\b")
"""`not rose, but fell` is read as what it says."""
_MOVED_BY = re.compile(r"((?<![\w.,])(?:by )?\d[\d.,]* ?(?:%|percent)) (rose|fell)\b")
"""A percentage before the verb, as in German and Japanese."""
_MARKED = re.compile("\\w[\u0300-\u036f]+")
_WIDE = re.compile("[\uff01-\uff5e\u3000\u00a0\u202f\u2009\u2103\u2109]")
_DAY_FIRST = re.compile(r"(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2([12]\d{3})(?![\d/-])")
_YEAR_FIRST = re.compile(r"(?<!\d)([12]\d{3})\s?[年./-]\s?(\d{1,2})\s?[月./-]\s?(\d{1,2})\s?[日号號]?(?!\d)")
_YEAR_MONTH = re.compile(r"(?<!\d)([12]\d{3})年(\d{1,2})月")
_MONTH_DAY = re.compile(r"(?<!\d)(\d{1,2})月(\d{1,2})[日号號]?")
_YEAR = re.compile(r"(?<!\d)([12]\d{3})年")
_VIETNAMESE_DAY = re.compile(
    r"(?<![\d.,/-])(\d{1,2})\s*(?:tháng|thang)\s*(\d{1,2})(?!\d)(?:,?\s*(?:(?:năm|nam)\s*)?([12]\d{3})(?!\d))?", re.I
)
_VIETNAMESE_MONTH = re.compile(r"(?:tháng|thang)\s*(\d{1,2})(?!\d)(?:\s*(?:/|,|năm|nam)?\s*([12]\d{3})(?!\d))?", re.I)
_GROUPED = re.compile(
    r"(?<![\w.,])\d{1,3}(?:(?:\.\d{3})+|(?:[ '’]\d{3})+)(?:,\d+)?(?![\w]|[.,]\d|[ ]\d{3}(?!\d))"
    r"|(?<![\w.,])\d{1,3}(?:,\d{3}){2,}(?!\d)"
    r"|(?<![.,\d])\d+,\d+(?![.,]?\d)"
)
_NUMBERS = "một hai ba bốn năm lăm sáu bảy tám chín mười trăm phẩy"
_MARKED_NUMBERS = {without_marks(word): word for word in _NUMBERS.split()}
_PLAIN_NUMBER = "|".join(_MARKED_NUMBERS)
_PLAIN_COUNT = re.compile(
    rf"(?<!\w)(?:{_PLAIN_NUMBER})(?: (?:{_PLAIN_NUMBER}))*(?= (?:ty|trieu|nghin|ngan|phan tram|met|nguoi|dong|lan)\b)",
    re.I,
)
"""A number in words without tone marks, before what it counts."""
_TENS = re.compile(r"(?<=\w )mười(?!\w)")
"""Ten behind another number word counts tens, and is written otherwise: `ba mươi`, 30."""
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SCRIPT_ENDS = re.compile(r"[\u3400-\u9fff\u3040-\u30ff](?=[A-Za-z\d])|[A-Za-z\d](?=[\u3400-\u9fff\u3040-\u30ff])")
"""Where words of another script or a number begin."""
_BLANKS = re.compile(" {2,}")
_PLAIN_MARKS = {
    "。": ". ",
    "、": ", ",
    "，": ", ",
    "！": "! ",
    "？": "? ",
    "；": "; ",
    "：": ": ",
    "·": " ",
    "・": " ",
    "「": ' "',
    "」": '" ',
    "『": ' "',
    "』": '" ',
    "《": ' "',
    "》": '" ',
    "“": ' "',
    "”": '" ',
}
_PUNCTUATION = re.compile("[" + "".join(_PLAIN_MARKS) + "]")
_POLAR = ("is ", "are ", "was ", "were ", "has ", "have ", "had ", "does ", "can ")


@dataclass(frozen=True)
class Reading:
    """A text as it is read, and for each of its characters where those it stands for begin and end as written."""

    text: str
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def as_written(self, start: int, end: int) -> tuple[int, int]:
        """Where what is read from `start` to `end` stands in the text as written."""
        if start >= end or start >= len(self.begins):
            place = self.ends[-1] if self.ends else 0
            return (self.begins[start], self.begins[start]) if start < len(self.begins) else (place, place)
        end = min(end, len(self.ends))
        return min(self.begins[start:end]), max(self.ends[start:end])


def read_unchanged(text: str) -> Reading:
    """The text as written."""
    return Reading(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))


def substitute(read: Reading, pattern: re.Pattern[str], replace: Replace) -> Reading:
    """The reading with each match replaced: characters of a replacement stand for the whole match."""
    stretches = ((*match.span(), replace(match)) for match in pattern.finditer(read.text))
    return _replace_stretches(read, [(start, end, new) for start, end, new in stretches if new is not None], keep=True)


def _replace_stretches(read: Reading, stretches: Iterable[tuple[int, int, str]], *, keep: bool) -> Reading:
    """The reading with what stands from start to end replaced, in order; with `keep` what a replacement keeps of that
    keeps its place.
    """
    parts: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    last = 0
    for start, end, new in stretches:
        if start == end:
            continue
        parts += (read.text[last:start], new)
        kept = new.find(read.text[start:end]) if keep else -1
        inside = slice(start, end) if kept >= 0 else slice(0)
        before, after = (kept, len(new) - kept - (end - start)) if kept >= 0 else (len(new), 0)
        begins += (*read.begins[last:start], *[read.begins[start]] * before, *read.begins[inside])
        ends += (*read.ends[last:start], *[read.ends[start if kept >= 0 else end - 1]] * before, *read.ends[inside])
        begins += [read.begins[end - 1]] * after
        ends += [read.ends[end - 1]] * after
        last = end
    if not parts:
        return read
    parts.append(read.text[last:])
    return Reading("".join(parts), (*begins, *read.begins[last:]), (*ends, *read.ends[last:]))


def _expand_template(read: Reading, pattern: re.Pattern[str], template: str) -> Reading:
    """The reading with each match replaced by a template; what its groups hold keeps its place."""
    if r"\1" not in template:
        return substitute(read, pattern, lambda _: template)
    before, after = template.split(r"\1")
    for match in reversed(list(pattern.finditer(read.text))):
        start, end = match.span()
        first, last = match.span(1)
        if first < 0 or start == end:
            continue
        pieces = (read.text[:start], before, read.text[first:last], after, read.text[end:])
        begins = (*read.begins[:start], *[read.begins[start]] * len(before), *read.begins[first:last])
        ends = (*read.ends[:start], *[read.ends[max(first - 1, start)]] * len(before), *read.ends[first:last])
        begins += (*[read.begins[min(last, end - 1)]] * len(after), *read.begins[end:])
        ends += (*[read.ends[end - 1]] * len(after), *read.ends[end:])
        read = Reading("".join(pieces), begins, ends)
    return read


@lru_cache(maxsize=2048)
def read_as_english(text: str, code: str, *, question: bool = False) -> Reading:
    """The text, in the language of that code, as the evidence reads it."""
    own = language(code)
    read = _compose_characters(read_unchanged(text[:LONGEST]))
    if code == "zh":
        read = substitute(read, _IDEOGRAPH, lambda match: simplified_letters().get(match.group()))
    marks = code == "vi" and without_marks(read.text) == read.text
    read = numerals.in_english(read, code, own.numbers, own.days, substitute)
    if code == "ko":
        read = substitute(read, numerals.HANGUL, lambda match: numerals.IN_IDEOGRAPHS[match[1]])
    if code in BY_IDEOGRAPHS:
        read = numerals.in_ideographs(read, substitute)
    for pattern, english in _openings(own, plain=marks):
        again = english.startswith(AGAIN)
        read = _expand_template(read, pattern, english.removeprefix(AGAIN) if again else english.translate(_SETTLE))
    read = _dates(read, own)
    read = _numbers(read, own)
    read = _words(read, own, plain=marks)
    read = Reading(read.text.translate(_UNSETTLE), read.begins, read.ends)
    if code not in READ:
        read = substitute(read, _OTHER_LETTERS, lambda match: anyascii(match.group()).replace("'", ""))
    read = substitute(read, _OF_MONEY, lambda match: f"{match[1]} ")
    read = substitute(read, _SUM, _add_scales)
    read = substitute(read, _REST, _add_rest)
    read = substitute(read, _OTHER_DIRECTION, lambda match: match[1])
    read = substitute(read, _MOVED_BY, lambda match: f"{match[2]} {match[1]}")
    return _as_question(read, own, text) if question else read


def _add_rest(match: re.Match[str]) -> str:
    whole = match[1] if match[1].isdigit() else str(SMALL_NUMBERS[match[1]])
    return f"{whole}.{match[2]:0>6} million"


def _add_scales(match: re.Match[str]) -> str | None:
    if _SCALES.index(match[2]) != _SCALES.index(match[4]) + 1:
        return None
    return f"{match[1] if match[1].isdigit() else 1}.{match[3]:0>3} {match[2]}"


def _compose_characters(read: Reading) -> Reading:
    """Letters with their marks as one, digits and letters in full width as plain ones."""
    if read.text.isascii():
        return read
    read = substitute(read, _MARKED, lambda match: unicodedata.normalize("NFC", match.group()))
    return substitute(read, _WIDE, lambda match: unicodedata.normalize("NFKC", match.group()))


@lru_cache(maxsize=64)
def _openings(own: Language, *, plain: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Refusals and patterns; without tone marks where the text has none."""
    refused = f" {REFUSED} " if own.code in WITHOUT_BLANKS else REFUSED
    patterns = ((own.refusals, refused), *own.patterns) if own.refusals else own.patterns
    if not plain:
        return patterns
    return tuple((re.compile(without_marks(pattern.pattern), re.IGNORECASE), english) for pattern, english in patterns)


def _dates(read: Reading, own: Language) -> Reading:
    """Dates with the name of the month in English, the day before it: no longer to be read in two ways."""
    if not any(map(str.isdigit, read.text)) and not own.full_month:
        return read
    if own.code in BY_IDEOGRAPHS:
        read = substitute(read, _YEAR_FIRST, lambda m: _date(m[3], m[2], m[1]))
        read = substitute(read, _YEAR_MONTH, lambda m: _date("", m[2], m[1]))
        read = substitute(read, _MONTH_DAY, lambda m: _date(m[2], m[1], ""))
        return substitute(read, _YEAR, lambda m: f" {m[1]} ")
    read = substitute(read, _DAY_FIRST, lambda m: _date(m[1], m[3], m[4]))
    if own.code == "vi":
        read = substitute(read, _VIETNAMESE_DAY, lambda m: _date(m[1], m[2], m[3]))
        return substitute(read, _VIETNAMESE_MONTH, lambda m: _date("", m[1], m[2]))
    if own.months:
        day, part = _compile_date_patterns(own)
        read = substitute(read, day, lambda m: _date(_day(m[1], own), str(own.months[m[2].lower()]), m[3]))
        read = substitute(read, part, lambda m: _date("", str(own.months[m[1].lower()]), m[2]))
    if own.full_month:
        read = substitute(read, own.full_month, lambda m: MONTHS[own.months[m.group().lower()] - 1].translate(_SETTLE))
    return read


def _day(written: str, own: Language) -> str:
    return str(own.days.get(written.lower(), written))


@lru_cache(maxsize=32)
def _compile_date_patterns(own: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A day and month with or without a year, and a month with a year or, by its full name, alone."""
    days = "|".join([r"\d{1,2}", *own.days])
    between = r"\s+(?:de\s+|d['’]\s?|di\s+|do\s+|of\s+)?"
    year = r"(?:,?\s+(?:de\s+|del\s+|do\s+)?([12]\d{3})(?!\d)(?:\s(?:года|году|г\.|року))?)"
    return (
        re.compile(rf"(?<![\w.,/-])({days})(?:\.|er|º|ª|°)?{between}({own.month})\b\.?{year}?", re.IGNORECASE),
        re.compile(rf"(?<!\w)({own.month})\b\.?{year}", re.IGNORECASE),
    )


def _date(day: str | None, month: str, year: str | None) -> str | None:
    if not 1 <= int(month) <= len(MONTHS):
        return None
    parts = (str(int(day)) if day else "", MONTHS[int(month) - 1], year or "")
    return f" {' '.join(filter(None, parts))} ".translate(_SETTLE)


def _numbers(read: Reading, own: Language) -> Reading:
    """Numbers with a point for decimals and commas between thousands."""
    if own.code == "vi":
        read = substitute(read, _PLAIN_COUNT, _with_marks)
    read = numerals.in_digits(read, own, substitute)
    return substitute(read, _GROUPED, numerals.with_point) if own.comma_decimal else read


def _with_marks(match: re.Match[str]) -> str:
    words = " ".join(_MARKED_NUMBERS[word] for word in match.group().lower().split())
    return _TENS.sub("mươi", words)


def _words(read: Reading, own: Language, *, plain: bool) -> Reading:
    """Words of grammar, scales, currencies and nations in English."""
    if own.code in WITHOUT_BLANKS:
        return _ideographs(read, own)
    if own.marked:
        read = substitute(read, own.marked, lambda m: own.phrases.get(m.group().lower(), "").translate(_SETTLE))
    tokens = list(_TOKEN.finditer(read.text))
    stretches: list[tuple[int, int, str]] = []
    place = 0
    while place < len(tokens):
        size, english = _phrase_at(read.text, tokens, place, own, own.plain if plain else own.phrases) or (1, None)
        if english is not None:
            stretches.append((tokens[place].start(), tokens[place + size - 1].end(), english))
        place += size
    return _replace_stretches(read, stretches, keep=False)


def _phrase_at(
    text: str, tokens: list[re.Match[str]], place: int, own: Language, phrases: Mapping[str, str]
) -> tuple[int, str] | None:
    """How many words the longest phrase has that begins at a word, and its English."""
    first = tokens[place].group().lower()
    for size in range(min(own.longest.get(first, 0), len(tokens) - place), 0, -1):
        start, end = tokens[place].start(), tokens[place + size - 1].end()
        written = " ".join(text[start:end].split())
        if written[:1].isupper() and written in own.names:
            return size, own.names[written]
        if (english := phrases.get(written.lower())) is not None:
            return size, english
    return None


def _ideographs(read: Reading, own: Language) -> Reading:
    """The same for texts without blanks: what joins words becomes one."""
    if own.units:
        behind = re.compile(rf"(?<=[\d\ue041-\ue07a% ])\s?(?P<unit>{own.units.pattern})", re.IGNORECASE)
        read = substitute(read, behind, lambda m: f" {own.phrases.get(m['unit'], '')} ")
    if own.marked:
        read = substitute(read, own.marked, lambda m: f" {own.names.get(m.group(), own.phrases.get(m.group(), ''))} ")
    if own.particles:
        joins = re.compile(rf"(?<=[^\u3041-\u309f])(?:{own.particles.pattern})(?=[^\u3041-\u309f]|$)")
        read = substitute(read, joins, lambda _: " ")
    read = substitute(read, _PUNCTUATION, lambda m: _PLAIN_MARKS[m.group()])
    read = substitute(read, _SCRIPT_ENDS, lambda m: f"{m.group()} ")
    return substitute(read, _BLANKS, lambda _: " ")


def _as_question(read: Reading, own: Language, text: str) -> Reading:
    """A question that is answered by yes or no begins as one does in English."""
    if own.asks is None or not read.text or own.asks.search(without_marks(text) if text.isascii() else text):
        return read
    if not text.rstrip().endswith(("?", "？")) or read.text.lower().startswith(_POLAR):
        return read
    lead = "is "
    return Reading(lead + read.text, (*[0] * len(lead), *read.begins), (*[0] * len(lead), *read.ends))


ENGLISH = "en"
_LOOKED_AT = 600
"""Characters of a text that tell its language."""
_VIETNAMESE = re.compile("[ảãạằắẳẵặầấẩẫậẻẽẹềếểễệỉĩịỏõọồốổỗộờớởỡợủũụừứửữựỳỷỹỵđơưăĐƠƯĂ]", re.IGNORECASE)
"""Letters of Vietnamese. A few stand in other languages too, so that words or several of them have to confirm it."""
_ONLY_VIETNAMESE = re.compile("[ảạằắẳẵặầấẩẫậẻẽẹềếểễệỉịỏọồốổỗộờớởỡợủụừứửữựỳỷỹỵơư]", re.IGNORECASE)
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u30ff\uff66-\uff9d]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("uk", re.compile("[іїєґ]", re.IGNORECASE)),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("bn", re.compile("[\u0980-\u09ff]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
    ("te", re.compile("[\u0c00-\u0c7f]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
)
"""Language -> its letters, those first that others share none of. Cyrillic counts as Russian."""
_SHARE = 0.3
"""Share of a text's letters from which its script tells the language: a name in brackets does not."""
_WORD = re.compile(r"[^\W\d_]+")
_FEW = 12
"""Letters of a text up to which one of Vietnamese is enough."""
_TONED = 2
"""Letters of Vietnamese from which a short text is Vietnamese."""

_WORDS = Path(__file__).with_name("words")
_OTHERS = tomllib.loads((_WORDS / "others.toml").read_text(encoding="utf-8"))
_SHARED = frozenset(_OTHERS["shared"].split())
"""Words of several languages: they tell a little."""

_HINTS = {
    code: tuple((re.compile(hint, re.IGNORECASE), weight) for hint, weight in hints)
    for code, hints in _OTHERS["hints"].items()
}
"""Language -> letters and endings that tell it, each with its weight in common words."""
_SIGNS = (
    "sind|viele?|menschen|jahre?|stimmt|höher|rund|etwa|kein(?:e[nmrs]?)?|gemacht|haben|worden|firma|zum|zur|mrd|mio|dazu|hierzu|prozent|milliard\\w+|million(?:en|es)"
    "|mide|cuánt[oa]s?|millones|años?|ahora|antes|elle|ils|aucune?|ans|quelles?|depuis|pays|ville"
    "|bao|nhieu|giam|phan|khoang|nam|hien|thong"
    "|der|und|das|nicht|ist|eine?|von|für|wurde|wird|weiß|kein|wer|wann|welche[rsnm]?|wie|ich"
    "|los|las|una|qué|quién|cuál|cuándo|dónde|sí|está|quel(?:le)?s?|où|je|c'est|que|por|para|como|est|une|les|dans|pour|pas|qui|avec"
    "|khong|cua|duoc|ngay|thang|trieu|nghin|nguoi|toi|ty"
    "|quand|combien|selon|l['’]|d['’]|qu['’]|quanto|quando|dove|qual|quem|não|você"
    "|quin|quina|quan|què|dels|els|amb|són|zein|zer|nor|noiz|dira|eta|ez|unha|cando|quen|teñen"
    "|della|sono|che|het|een|niet|wanneer|och|inte|ikke|jest|nie|tidak|yang|els|dels|amb|eta|dira"
)
FOREIGN = (
    r"(?:^|[\s'’«(])[a-z]*[ß-öø-ÿ]|^\W*[À-ÖØ-Þ]|[¡¿\u0100-\u02af\u0370-\u1fff\u2c00-\uffef]"
    rf"|(?i)(?-u:\b)(?:{_SIGNS})(?-u:\b)"
)
"""What stands in a text that may be in another language than English: cheap to look for, in polars. A
capital with é or ü behind it, and one with an accent inside of a text, is a name."""


def _told_by() -> dict[str, frozenset[str]]:
    """Language -> its commonest words."""
    words = dict(_OTHERS["by_words"])
    for code in READ:
        data = tomllib.loads((_WORDS / f"{code}.toml").read_text(encoding="utf-8"))
        words[code] = " ".join(
            (words.get(code, ""), data.get("told_by", ""), data.get("told_by_plain", ""), data.get("asks", ""))
        )
    return {code: frozenset(own.split()) for code, own in words.items() if own.strip()}


TOLD_BY = _told_by()
_LANGUAGES_OF = {word: tuple(code for code, own in TOLD_BY.items() if word in own) for word in chain(*TOLD_BY.values())}


@lru_cache(maxsize=4096)
def language_of(text: str) -> str | None:
    """The code of the language that a text is in; None where it is too short or too mixed to tell."""
    text = text[:_LOOKED_AT]
    letters = sum(map(str.isalpha, text))
    if not letters:
        return None
    if not text.isascii():
        for code, own in _SCRIPTS:
            # Japanese has Chinese letters too; one of its own in ten is enough.
            if len(own.findall(text)) >= letters * (_SHARE / 3 if code in ("ja", "uk") else _SHARE):
                return code
        toned = len(_ONLY_VIETNAMESE.findall(text))
        if toned and (letters < _FEW or len(_VIETNAMESE.findall(text)) >= _TONED):
            return "vi"
    return _by_words(text)


def _by_words(text: str) -> str | None:
    """The language of which most of the words are, if it is plainly ahead of the others."""
    words = _WORD.findall(text.lower())
    scores = dict.fromkeys(TOLD_BY, 0.0)
    for word in words:
        for code in _LANGUAGES_OF.get(word, ()):
            scores[code] += 0.3 if word in _SHARED else 1.0
    for code, hints in _HINTS.items():
        scores[code] += sum(weight for hint, weight in hints if hint.search(text))
    best = max(scores, key=scores.__getitem__)
    most = scores[best]
    others = [score for code, score in scores.items() if code != best]
    # Of a question one word is enough, if no other language has any of its words.
    sure = not text.isascii() or (text.rstrip().endswith("?") and max(others) < 1)
    if most >= (1 if sure else 1.6) and most >= max(others) + (0.2 if most > 3 else 0.6) and most >= 0.15 * len(words):
        return best
    return None


def may_be_foreign(*columns: str) -> pl.Expr:
    """Whether one of these texts may be in another language than English; most tables have few such rows."""
    return pl.any_horizontal(pl.col(column).fill_null("").str.contains(FOREIGN) for column in columns)


def plain(text: str) -> bool:
    """Whether a Vietnamese text is written without tone marks."""
    return without_marks(text) == text
