"""Which language a text is in: told from its letters and its commonest words."""

import re
from functools import lru_cache

from qaviz.reading.level import LETTERS, REMEMBERED, level_text
from qaviz.reading.tables import ENGLISH, common_words, load

_OTHERS = load("others")
_SCRIPTS = {code: re.compile(letters) for code, letters in _OTHERS["scripts"].items()}
_UKRAINIAN = re.compile("[іїєґ]")
_KANA, _IDEOGRAPHS = re.compile("[\u3040-\u30ff]"), re.compile("[\u3400-\u9fff]")
_HINTS = {code: (re.compile(letters), weight) for code, (letters, weight) in _OTHERS["letters"].items()}
_LEAST_SHARE = 0.34
"""One common word tells the language of a text of two, not of a longer one."""
_READ = 2_000
"""Characters of a text that tell its language."""


def detect_language(text: str, default: str = ENGLISH) -> str:
    """Return the code of the language of a text; `default` where its words tell none, as of a name or a number.

    A short fact is best read in the language of its question: `detect_language(fact, detect_language(question))`.
    """
    likeliest = _list_likeliest(text)
    return default if not likeliest or default in likeliest else likeliest[0]


@lru_cache(maxsize=REMEMBERED)
def _list_likeliest(text: str) -> tuple[str, ...]:
    """The languages of which a text has the most words and letters, and behind them those with at most one less; none
    where they tell too little."""
    level = level_text(text[:_READ])
    if not level.isascii() and (languages := _by_script(level)):
        return languages
    words = LETTERS.findall(level)
    counts: dict[str, float] = {}
    for word in words:
        for language in common_words().get(word, ()):
            counts[language] = counts.get(language, 0.0) + 1
    if not level.isascii():
        for language, (letters, weight) in _HINTS.items():
            if times := len(letters.findall(level)):
                counts[language] = counts.get(language, 0.0) + weight * min(times, 4)
    most = max(counts.values(), default=0.0)
    if most <= 1 and most < _LEAST_SHARE * len(level.split()):
        return ()
    likeliest = [language for language, count in counts.items() if count == most]
    if len(likeliest) > 1:  # of two that fit as well, the one whose word stands first
        first = [*dict.fromkeys(code for word in words for code in common_words().get(word, ()))]
        likeliest.sort(key=lambda language: first.index(language) if language in first else len(first))
    near = (language for language, count in counts.items() if most > count >= max(most - 1, 1))
    return (*likeliest, *near)


def _by_script(level: str) -> tuple[str, ...]:
    """The languages that its letters tell; none where several have them."""
    if _KANA.search(level):
        return ("ja",)
    if len(_IDEOGRAPHS.findall(level)) * 4 > len(level.replace(" ", "")):
        return ("zh", "ja")
    for language, letters in _SCRIPTS.items():
        if len(letters.findall(level)) * 3 > len(level):
            return ("uk" if language == "ru" and _UKRAINIAN.search(level) else language,)
    return ()
