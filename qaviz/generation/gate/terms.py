"""The words of a text by which passages are compared and found: without endings, function words and case."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS

_TERM = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\W_]+(?:[.,][^\W_]+)*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ASKING = (
    "much many what which who whom whose when where why how did does please "
    "der die das den dem des und ist war wie was wer welche welcher von im in am ein eine einen mit für wurde hat viel "
    "viele zu zum zur là của bao nhiêu gì nào và các những được có cho đã ở tại ai في من على إلى ما هو هي كم متى أين عن"
)
_STOP = FUNCTION_WORDS | frozenset(_ASKING.split())
_ENDINGS = (("ied", "y"), ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST = 4


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST - 1:
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("e") else word


def terms(text: str) -> list[str]:
    """The words of a text in order, with numbers; of Chinese, Japanese and Korean each two neighbouring characters."""
    found: list[str] = []
    for term in _TERM.findall(text.lower()):
        if _WIDE.match(term):
            found += [term[at : at + 2] for at in range(len(term) - 1)] or [term]
        elif term not in _STOP:
            found.append(_stem(term))
    return found
