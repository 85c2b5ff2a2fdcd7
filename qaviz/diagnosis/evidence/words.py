"""Texts as words that compare: folded, by stem, by spelling, joined; and where each word stands."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from rapidfuzz import process
from rapidfuzz.distance import OSA

from qaviz.diagnosis.evidence.clauses import holds_any
from qaviz.diagnosis.evidence.lexicon import (
    ALSO_CALLED,
    BASE_VERB,
    ENDINGS,
    LONGEST_ENDING,
    ROMAN,
    SAME,
    SHORTEST,
    TWO_WORDS,
)

READ = 20_000
"""Characters of a text that are read as words: ten pages, more than an answer needs."""

_NO_WORDS = re.compile(r"\[\^?\d{1,3}\^?\]|</?[a-zA-Z][^<>]{0,60}>")
"""Citations and tags."""
_NAMES = tuple(sorted((name for name in ALSO_CALLED if " " in name), key=len, reverse=True))
_TENS = tuple(dict.fromkeys(number.split()[0] for number in TWO_WORDS))
_ONES = tuple(sorted({number.split()[1] for number in TWO_WORDS}, key=len, reverse=True))
_ONE_WORD = (
    r"(?:[A-Za-z]\.){1,9}[A-Za-z]\b\.?|(?:[A-Za-z]\.){2,9}"
    r"|\d+(?:[.,]\d+)*(?:(?:st|nd|rd|th|[A-Za-z])\b)?|[^\W\d_]+(?:['’][^\W\d_]+)*"
)
_WORD = re.compile(_ONE_WORD)
_PLAIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'"}
)
_INHABITANT = re.compile(r"(?<=[a-z]{3})ians?$|(?<=[a-z]{5})ans?$")
_INHABITANTS = ("an", "ans")
_HISSING = ("xes", "ches", "shes", "sses", "zzes")
"""How a plural ends that has one letter more than others: `foxes`."""
_VERBS_IN_IVE = ("eive", "vive", "rive")
"""How verbs end that have no other ending: receive, survive, arrive."""
_STEM = 4
"""Letters that a stem keeps, so that Iran and Iraq, Mali and Malta stay apart."""
_FROM_OTHER_SCRIPT = re.compile("sk[iy]|sk[iy]j|tch|tsch|tsj|kh|zh|shch|[oe](?:v|w|ff)a?$|ts|cz|ch.+[oe][vw]|lzin|sch")
"""What a name of another script is likely to have."""
_ROMANIZED_LEAST = 6
"""Letters of such a name."""
_SILENT = re.compile("(?<!^)[aeiouyh]")
_LONG, _APART = 8, 2
"""Letters from which as many of them may be spelled in another way."""


def _match_name(name: str) -> str:
    """What matches a name of several words, each with a capital or without; a hyphen may stand for a blank."""
    return r"[\s-]".join(f"[{word[0].upper()}{word[0]}]{re.escape(word[1:])}" for word in name.split())


def _compile_sounds(table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of `written=sound`, parted by blanks, with what each is replaced by."""
    pairs = (one.rpartition("=") for one in table.split(" "))
    return tuple((re.compile(written), sound) for written, _, sound in pairs)


_SPELLING = _compile_sounds(
    r"^(?:kn|gn|pn)=n ^wr=r ^ps=s tch=ch sch=sh ph=f ck|q=k x=ks c(?=[eiy])|z=s c(?!h)=k v=f w=u (?<=[bt])re$=er "
    r"(?<!^)y=i (.)\1+=\1"
)
"""One spelling for those that sound alike."""
_ROMANIZED = _compile_sounds(
    r"shch|schtsch|sjtsj|chtch|šč=# tsch|tch|tsj|tsh|cz|sch|sh|sj|sz|zh|kh|ch=# #+=# ph=f th=t ts|tz=z w=v ck|q|c=k "
    r"[yj]=i (?:ev|ov|off|eff|ef)(?=$|a$)=ov ou|oo=u ii+=i (?<=sk)i\w?$=i ie=e ^ie?=e ine$=in (.)\1+=\1"
)
"""One way to write names of other scripts: Tchaikovsky, Tschaikowski, Tsjajkovskij."""
_NUMBERS = (rf"{_match_name(ten)}[\s-](?:{'|'.join(map(_match_name, _ONES))})" for ten in _TENS)
_SEVERAL = "|".join((*map(_match_name, _NAMES), *_NUMBERS))
_SEVERAL_TELL = (*_NAMES, *_TENS)
_WORD_OR_SEVERAL = re.compile(rf"(?:{_SEVERAL})\b|{_ONE_WORD}")
"""The same, and words that are read as one: eight times as long, so only for texts that have some."""


def _pattern(text: str) -> re.Pattern[str]:
    """What finds the words of a text."""
    low = text.lower().replace("-", " ").replace("\n", " ").replace("\u00a0", " ")
    return _WORD_OR_SEVERAL if holds_any(low, _SEVERAL_TELL) else _WORD


@lru_cache(maxsize=65_536)
def form(word: str) -> str:
    """The word as it compares: small letters without accents, numbers as digits, the short for the long."""
    if word in ROMAN:
        return ROMAN[word]
    low = word.lower()
    name = " ".join(low.replace("-", " ").split())
    if called := ALSO_CALLED.get(name if len(word) >= SHORTEST else word) or TWO_WORDS.get(name):
        return called
    if not low.isascii():
        low = unicodedata.normalize("NFKD", low.translate(_PLAIN))
        low = "".join(letter for letter in low if not unicodedata.combining(letter)).lower()
    if low[:1].isdigit():
        return low.rstrip("stndrh").replace(",", "")
    low = low.removesuffix("'s").replace("'", "").replace(".", "")
    return SAME.get(low, low) or word


def base_verb(form: str) -> str:
    """Return the verb of which a form is an irregular past (`won`: win), else the form."""
    return BASE_VERB.get(form, form)


@lru_cache(maxsize=65_536)
def stems(form: str) -> tuple[str, ...]:
    """The form without plural, verb and other endings; two where an inhabitant may be of Iran or of Austria."""
    if form[:1].isdigit() or len(form) <= _STEM:
        return (form[:-1] if len(form) == _STEM and form.endswith("s") and not form.endswith("ss") else form,)
    if form.endswith(_INHABITANTS) and (inhabitant := _INHABITANT.search(form)):
        land = form[: inhabitant.start()]
        return land + "i", land
    if form.endswith("ica") and len(form) >= _STEM + 3:
        return form[:-1], form[:-3]
    if form.endswith("s") and not form.endswith("ss"):
        form = form[:-3] + "y" if form.endswith("ies") else form[: -2 if form.endswith(_HISSING) else -1]
    if form.endswith(_VERBS_IN_IVE):
        return (form[:-1],)
    lengths = range(min(LONGEST_ENDING, len(form) - _STEM), 0, -1)
    stem = next((form[:-length] for length in lengths if form[-length:] in ENDINGS), form)
    return (stem[:-1] if len(stem) > _STEM and stem[-1] == stem[-2] else stem,)


@lru_cache(maxsize=65_536)
def _spelling(form: str) -> str:
    """One spelling for those that sound alike."""
    for written, sound in _SPELLING:
        form = written.sub(sound, form)
    return form


@lru_cache(maxsize=65_536)
def _romanize(form: str) -> str:
    for written, sound in _ROMANIZED:
        form = written.sub(sound, form)
    return form


def sounds_like(one: str, other: str) -> bool:
    """Whether two forms are spellings of one word: the same consonants and last letter, and little else that differs.

    A letter more (Dmitri, Dimitri), in long words any two (Wittgenstein, Witgenstien). Iran and Iraq, Manet and Monet,
    Maria and Mario are not. Numbers never are.
    """
    if one[:1].isdigit() or other[:1].isdigit():
        return False
    one, other = _spelling(one), _spelling(other)
    if one == other:
        return True
    if one[-1:] != other[-1:] or _SILENT.sub("", one) != _SILENT.sub("", other):
        return False
    short = min(len(one), len(other))
    if short < _LONG:
        return (len(one) != len(other) or short == _LONG - 1) and OSA.distance(one, other) == 1
    return OSA.distance(one, other) <= _APART


@dataclass(frozen=True)
class Words:
    """The words of a text, in order."""

    text: str
    forms: tuple[str, ...]

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where each word stands in the text."""
        read = _mask_text(self.text)
        return tuple(word.span() for word in _pattern(read).finditer(read))

    def capital(self, place: int) -> bool:
        """Whether a word starts with a capital."""
        return self.text[self.spans[place][0]].isupper()

    def at(self, sought: str) -> list[int]:
        """The places of the words of that form, else of its stem."""
        if same := self._of_form.get(sought):
            return same
        several = [places for stem in stems(sought) if (places := self._of_stem.get(stem))]
        return sorted({*chain(*several)}) if len(several) > 1 else several[0] if several else []

    def like(self, sought: str) -> list[int]:
        """The places of the words that are another spelling."""
        near = process.extract(sought, self.forms, scorer=OSA.distance, score_cutoff=3, limit=None)
        alike = sorted(place for form, _, place in near if sounds_like(sought, form))
        return alike or self._romanized_as(sought)

    def _romanized_as(self, sought: str) -> list[int]:
        """The places of the words that write a name of another script in other letters."""
        if len(sought) < _ROMANIZED_LEAST or not _FROM_OTHER_SCRIPT.search(sought):
            return []
        target = _romanize(sought)
        return [
            place
            for place, form in enumerate(self.forms)
            if len(form) >= _ROMANIZED_LEAST and self.capital(place) and _romanize(form) == target
        ]

    def word_at(self, place: int) -> str:
        """A word as the text writes it."""
        start, end = self.spans[place]
        return self.text[start:end]

    def between(self, place: int) -> str:
        """What stands between a word and the next."""
        return self.text[self.spans[place][1] : self.spans[place + 1][0]]

    @cached_property
    def _of_form(self) -> dict[str, list[int]]:
        """The places of each form."""
        places: dict[str, list[int]] = {}
        for place, own in enumerate(self.forms):
            places.setdefault(own, []).append(place)
        return places

    @cached_property
    def _of_stem(self) -> dict[str, list[int]]:
        """The places of each stem."""
        places: dict[str, list[int]] = {}
        for place, own in enumerate(map(stems, self.forms)):
            for stem in own:
                places.setdefault(stem, []).append(place)
        return places


@lru_cache(maxsize=64)
def words(text: str) -> Words:
    """The words of the first `READ` characters; citations, tags and markdown are none."""
    read = _mask_text(text)
    return Words(text, tuple(map(form, _pattern(read).findall(read))))


def _mask_text(text: str) -> str:
    """The characters that are read, with blanks for what holds no words."""
    read = text[:READ]
    if "[" in read or "<" in read:
        read = _NO_WORDS.sub(lambda mark: " " * len(mark.group()), read)
    return read
