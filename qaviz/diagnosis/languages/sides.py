"""Which side a text in Japanese or Chinese takes on a question of yes or no: its verb tells, not its first word."""

import re

from qaviz.diagnosis.languages.reading import Reading

_NEGATED = {
    "ja": re.compile(
        r"(?<!問題)(?<!問題は)(?<!構い)(?<!かまい)(?<!差し支え)(?<!間違い)(?<!少)"
        r"(?:ません(?:でした)?|ない|なかった|不可|禁止(?:されて *(?:い *)?)?)\W*$"
    ),
    "zh": re.compile(r"^\W*(?:不|没|沒|未|无|無|否|禁止)|\bnot\b|不(?:能|可|允|得|准|會|会|需|收|提供|支持|包)"),
}
"""How a statement in Japanese ends that says no, and one in Chinese begins, with its negations read as `not`."""
_TAKES_SIDE = re.compile(r"^\W*(?:yes|no)\b")
_SENTENCE_ENDS = re.compile(r"[.!?\n](?=\s|$)")
_SHORT = 8
"""Letters of a golden text up to which it may be a side: the question's own verb."""


def with_side(read: Reading, code: str, question: str) -> Reading:
    """The text with `yes` or `no` before it where its verb says so, and as it is where it does not."""
    if code not in _NEGATED or " or " in question or _TAKES_SIDE.match(read.text):
        return read
    first = _SENTENCE_ENDS.split(read.text, maxsplit=1)[0]
    if _NEGATED[code].search(first):
        return _lead_with(read, "no, ", len(first))
    letters = "".join(filter(str.isalnum, first))
    return _lead_with(read, "yes, ", len(first)) if 1 < len(letters) <= _SHORT and letters in question else read


def _lead_with(read: Reading, words: str, end: int) -> Reading:
    """The text with words before it that stand for all up to `end`."""
    begin, close = read.as_written(0, end)
    return Reading(words + read.text, (*[begin] * len(words), *read.begins), (*[close] * len(words), *read.ends))
