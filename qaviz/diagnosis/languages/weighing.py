"""Responses in any language weighed: those in another than English are read as English, what is found is quoted as
written, and of a language that qaviz does not read only what needs no words counts."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from qaviz.diagnosis.combine_evidence import Weighed, weigh
from qaviz.diagnosis.evidence import VERBATIM, Asked, Evidence, Span, Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.polarity import asks_yes_or_no
from qaviz.diagnosis.languages.detection import ENGLISH, language_of
from qaviz.diagnosis.languages.reading import Reading, read_as_english, read_unchanged, substitute
from qaviz.diagnosis.languages.vocabulary import READ, WITHOUT_BLANKS, english_name
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.scoring.definition import fact_variants, needs_all
from qaviz.scoring.facts import find_fact

_WITHOUT_WORDS = (VERBATIM, quantities.KIND, dates.KIND)
"""Evidence that rests on numbers, dates and exact names: it holds in a language that qaviz does not read."""
_EXACT = 0.9
"""Strength from which a phrase is an exact name."""

_NEGATED = {
    "ja": re.compile(
        r"(?<!問題)(?<!問題は)(?<!構い)(?<!かまい)(?<!差し支え)(?<!間違い)(?<!少)"
        r"(?:ません(?:でした)?|ない|なかった|不可|禁止(?:されて *(?:い *)?)?)\W*$"
    ),
    "zh": re.compile(r"^\W*(?:不|没|沒|未|无|無|否|禁止)|\bnot\b|不(?:能|可|允|得|准|會|会|需|收|提供|支持|包)"),
}
"""How a statement in Japanese ends that says no, and one in Chinese begins, with its negations read as `not`."""
_AFFIRMED = {
    "ja": re.compile(r"(?:でき|可能|あり|ます)\W*$"),
    "zh": re.compile(r"可以|能|有|提供|支持|允许|allowed"),
}
_TURNED = re.compile(r"\b(?:paid|forbidden|closed|do not know)\b|不|没|无|中止|廃止|ません")
"""What makes a statement of the question's words another answer than yes."""
_TAKES_SIDE = re.compile(r"^\W*(?:yes|no)\b")
_SENTENCE_ENDS = re.compile(r"[.!?\n](?=\s|$)")
_SHORT = 8
"""Letters of a golden text up to which it may be a side: the question's own verb."""
_FEW, _SOME = 3, 12
"""Words up to which a text tells no language: of a name beside a language that is read, of a text beside another."""
_COUNT = re.compile(r"\W*\d[\d.,]*(?: (?:thousand|million|billion|trillion|[A-Z]{3}\b|%))*(?=(?: ?[^\W\d]+){1,2}\W*$)")
_NAME_ALONE = 3
"""Words of a response that is a name and nothing else."""
_FULL_NAME = re.compile("[\u4e00-\u9fff]{3,5}")
_SURNAME = 2
"""Letters of most Japanese surnames."""
_TITLE = re.compile(r"^\s*(?:mr|mrs) (?=\w)")
_RUN = re.compile("[\u30a1-\u30fe]{2,}|[\u3400-\u9fff]{2,}")


class _Translation(NamedTuple):
    """One response and what it is judged by, as they are read."""

    asked: Asked
    response: Reading
    golden: tuple[Reading, ...]
    """Each variant of the fact, else of the answer."""
    written: tuple[str, ...]
    """The same as written."""
    code: str
    """The language that the response is in."""
    unread: str | None
    """The name of the language of question or response that qaviz does not read."""


def weigh_in_any_language(asked: Sequence[Asked]) -> list[Weighed]:
    """Return what `weigh` does; a row in another language than English is read as English before."""
    read = [_read(one) if one.foreign else None for one in asked]
    weighed = weigh([one.asked if one else row for row, one in zip(asked, read, strict=True)])
    return [_as_written(found, one) if one else found for found, one in zip(weighed, read, strict=True)]


def _read(asked: Asked) -> _Translation | None:
    """One row as it is read; None where all of it is in English."""
    texts = (asked.question, asked.answer, asked.response)
    asking = next(filter(None, map(language_of, texts)), ENGLISH)
    answering = _language_beside(asked.response, asking)
    if asking == ENGLISH and answering == ENGLISH:
        return None
    # What is written without a language of its own is written in the question's.
    golden = asked.fact if asked.fact.strip() else asked.answer
    told = _language_beside(golden.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "), asking)
    response = read_as_english(asked.response, answering) if answering != ENGLISH else None
    question = read_as_english(asked.question, asking, question=True).text if asking != ENGLISH else asked.question
    variants = tuple(fact_variants(golden))
    read = (
        tuple(map(without_title, (read_as_english(variant, told) for variant in variants))) if told != ENGLISH else ()
    )
    if told not in (*READ, ENGLISH):
        read = tuple(map(_count_alone, read))
    if response and answering == "ja":
        response = with_full_name(response, read[0].text if read else golden)
    if asks_yes_or_no(question):
        read = tuple(with_side(one, told, question) for one in read)
        response = response and with_side(response, answering, question)
    mark = AND_DELIMITER if needs_all(golden) else OR_DELIMITER
    joined = mark.join(one.text.strip() for one in read) if read else golden
    fact, answer = asked.fact, joined
    if fact.strip():
        fact, answer = joined, read_as_english(asked.answer, told).text if told != ENGLISH else joined
    unread = next((code for code in (answering, asking) if code not in (*READ, ENGLISH)), None)
    said = response or read_unchanged(asked.response)
    one = asked._replace(question=question, answer=answer, fact=fact, response=said.text)
    return _Translation(
        _with_hit(one),
        said,
        read,
        variants,
        answering,
        english_name(unread) if unread else None,
    )


def _language_beside(text: str, asking: str) -> str:
    """The language of a response or golden text: the question's where it is too short to tell, or nearly the same."""
    found = language_of(text) or asking
    if found == "zh" and asking == "ja":
        return asking
    by_words = found in READ and found not in WITHOUT_BLANKS and asking not in (ENGLISH, *WITHOUT_BLANKS)
    return asking if by_words and len(text.split()) <= (_FEW if asking in READ else _SOME) else found


def _count_alone(read: Reading) -> Reading:
    """A golden number without what it counts, in a language that is not read: `148 300 жителей` is 148,300."""
    count = _COUNT.match(read.text)
    return Reading(count.group(), read.begins[: count.end()], read.ends[: count.end()]) if count else read


def _with_hit(asked: Asked) -> Asked:
    """The row with the fact looked for anew, where Factual Knowledge found it in the texts as written."""
    if not asked.variant or not asked.variant.strip():
        return asked
    hit = find_fact(asked.fact, asked.response)
    if not hit or hit.start == hit.end or (hit.inside_token and not asked.inside_token):
        return asked._replace(variant=None, start=0, end=0, inside_token=False)
    return asked._replace(variant=hit.variant, start=hit.start, end=hit.end, inside_token=hit.inside_token)


def _as_written(weighed: Weighed, read: _Translation) -> Weighed:
    """What was found, quoted from the texts as written."""
    leading = weighed.leading
    if leading:
        leading = _quote_original(leading, read)
    declined = _quote_original(weighed.declined, read) if weighed.declined else None
    unread = None if declined or _needs_no_words(leading, read.asked.response) else read.unread
    return weighed._replace(leading=leading, declined=declined, unread=unread)


def _needs_no_words(leading: Evidence | None, response: str) -> bool:
    """Whether evidence holds in a language that qaviz does not read."""
    if not leading or leading.stance not in (Stance.AGREES, Stance.CONTRADICTS):
        return False
    if leading.kind in _WITHOUT_WORDS:
        return True
    return (
        leading.kind == phrases.KIND
        and leading.stance is Stance.AGREES
        and (leading.strength >= _EXACT or len(response.split()) <= _NAME_ALONE)
    )


def _quote_original(found: Evidence, read: _Translation) -> Evidence:
    """The evidence with the places of its quotes in the texts as written, and the golden text in its own language."""
    said, golden = found.response, found.golden
    if said:
        said = Span(*read.response.as_written(said.start, said.end), said.text)
    for reading, written in zip(read.golden, read.written, strict=False):
        if golden and golden.text and golden.text in reading.text:
            at = reading.text.index(golden.text)
            start, end = reading.as_written(at, at + len(golden.text))
            golden = Span(start, end, written[start:end])
            break
    return found._replace(response=said, golden=golden)


def without_title(read: Reading) -> Reading:
    """The text without `Mr` or `Mrs` before a name, because responses name a person with and without it."""
    return substitute(read, _TITLE, lambda _: "")


def with_full_name(read: Reading, golden: str) -> Reading:
    """The text with the golden name where only its surname stands before a title, as Japanese names people."""
    name = golden.strip()
    if not _FULL_NAME.fullmatch(name) or name in read.text:
        return read
    called = re.compile(
        rf"(?<![\u3400-\u9fff]){name[:_SURNAME]}(?= ?(?:mr\b|先生|教授|博士|選手|監督|[\u4e00-\u9fff]{{0,3}}長))"
    )
    return substitute(read, called, lambda _: f"{name} ")


def with_side(read: Reading, code: str, question: str) -> Reading:
    """The text with `yes` or `no` before it where its verb says so, and as it is where it does not."""
    if code not in _NEGATED or " or " in question or _TAKES_SIDE.match(read.text):
        return read
    first = _SENTENCE_ENDS.split(read.text, maxsplit=1)[0]
    if _NEGATED[code].search(first):
        return _lead_with(read, "no, ", len(first))
    letters = "".join(filter(str.isalnum, first))
    affirmed = _AFFIRMED[code].search(first) and not _TURNED.search(first) and _shares_words(first, question)
    short = 1 < len(letters) <= _SHORT and letters in question
    return _lead_with(read, "yes, ", len(first)) if affirmed or short else read


def _shares_words(first: str, question: str) -> bool:
    """Whether two letters in a row stand in both."""
    pairs = (run[at : at + 2] for run in _RUN.findall(first) for at in range(len(run) - 1))
    return any(pair in question for pair in pairs)


def _lead_with(read: Reading, words: str, end: int) -> Reading:
    """The text with words before it that stand for all up to `end`."""
    begin, close = read.as_written(0, end)
    return Reading(words + read.text, (*[begin] * len(words), *read.begins), (*[close] * len(words), *read.ends))
