"""Which language a text is in: told from its letters and its commonest words."""

import re
from functools import lru_cache

from qaviz.reading.level import REMEMBERED, level_text
from qaviz.reading.tables import ENGLISH, common_words

_WORDS = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "el": re.compile("[\u0370-\u03ff]"),
}
"""Letters of languages that have them alone; Ukrainian is told by its own."""
_UKRAINIAN = re.compile("[іїєґ]")
_KANA, _IDEOGRAPHS = re.compile("[\u3040-\u30ff]"), re.compile("[\u3400-\u9fff]")
_HINTS = {
    "vi": (re.compile("[ăơưđạ-ỹ]"), 2.0),
    "de": (re.compile("[äöüß]"), 0.6),
    "es": (re.compile("[¿¡ñ]|ción\\b|ciones\\b"), 1.2),
    "pt": (re.compile("ção\\b|ções\\b|[ãõ]"), 1.2),
    "fr": (re.compile("[èêûœ]|\\b[cdjlmnst]'(?=\\w)|\\bqu'"), 0.8),
    "ca": (re.compile("l·l|[àòè]\\w*\\b|\\bl'|\\bd'"), 0.4),
    "no": (re.compile("[øå]"), 0.4),
    "sv": (re.compile("[äö]|å"), 0.4),
    "tr": (re.compile("[ığş]"), 1.0),
    "pl": (re.compile("[łęąśż]"), 1.0),
    "ro": (re.compile("[ășț]"), 1.0),
    "hu": (re.compile("[őű]"), 1.0),
    "cs": (re.compile("[ěřů]"), 1.0),
    "fi": (re.compile("ää|yö"), 1.0),
}
"""Letters and endings that tell a language, each with how many of its commonest words it counts as."""
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
    words = _WORDS.findall(level)
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
