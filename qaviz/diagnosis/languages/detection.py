"""Which language a text is in: by its script and letters, else by its commonest words."""

import re
import tomllib
from functools import lru_cache
from itertools import chain
from pathlib import Path

import polars as pl

from qaviz.diagnosis.languages.vocabulary import READ, without_marks

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
