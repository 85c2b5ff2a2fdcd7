"""Responses in any language weighed: those in another than English are read as English, what is found is quoted as
written, and of a language that qaviz does not read only what needs no words counts."""

from collections.abc import Sequence
from typing import NamedTuple

from qaviz.diagnosis.combine_evidence import Weighed, weigh
from qaviz.diagnosis.evidence import VERBATIM, Case, Evidence, Span, Stance, dates, phrases, quantities
from qaviz.diagnosis.languages.detection import ENGLISH, language_of
from qaviz.diagnosis.languages.reading import Reading, read_as_english, read_unchanged
from qaviz.diagnosis.languages.vocabulary import READ, WITHOUT_BLANKS, english_name
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.scoring.definition import fact_variants, needs_all
from qaviz.scoring.facts import find_fact

_WITHOUT_WORDS = (VERBATIM, quantities.KIND, dates.KIND)
"""Evidence that rests on numbers, dates and exact names: it holds in a language that qaviz does not read."""
_EXACT = 0.9
"""Strength from which a phrase is an exact name."""

_FEW, _SOME = 3, 12
"""Words up to which a text tells no language: of a name beside a language that is read, of a text beside another."""
_NAME_ALONE = 3
"""Words of a response that is a name and nothing else."""


class _Translation(NamedTuple):
    """One response and what it is judged by, as they are read."""

    case: Case
    response: Reading
    golden: tuple[Reading, ...]
    """Each variant of the fact, else of the answer."""
    written: tuple[str, ...]
    """The same as written."""
    code: str
    """The language that the response is in."""
    unread: str | None
    """The name of the language of question or response that qaviz does not read."""


def weigh_in_any_language(cases: Sequence[Case]) -> list[Weighed]:
    """Return what `weigh` does; a row in another language than English is read as English before."""
    read = [_read(one) if one.foreign else None for one in cases]
    weighed = weigh([one.case if one else row for row, one in zip(cases, read, strict=True)])
    return [
        _as_written(weighed_case, one) if one else weighed_case for weighed_case, one in zip(weighed, read, strict=True)
    ]


def _read(case: Case) -> _Translation | None:
    """One row as it is read; None where all of it is in English."""
    texts = (case.question, case.answer, case.response)
    asking = next(filter(None, map(language_of, texts)), ENGLISH)
    answering = _language_beside(case.response, asking)
    if asking == ENGLISH and answering == ENGLISH:
        return None
    # What is written without a language of its own is written in the question's.
    golden = case.fact if case.fact.strip() else case.answer
    golden_language = _language_beside(golden.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "), asking)
    response = read_as_english(case.response, answering) if answering != ENGLISH else None
    question = read_as_english(case.question, asking, question=True).text if asking != ENGLISH else case.question
    variants = tuple(fact_variants(golden))
    read = (
        tuple(read_as_english(variant, golden_language) for variant in variants) if golden_language != ENGLISH else ()
    )
    mark = AND_DELIMITER if needs_all(golden) else OR_DELIMITER
    joined = mark.join(one.text.strip() for one in read) if read else golden
    fact, answer = case.fact, joined
    if fact.strip():
        fact, answer = (
            joined,
            read_as_english(case.answer, golden_language).text if golden_language != ENGLISH else joined,
        )
    unread = next((code for code in (answering, asking) if code not in (*READ, ENGLISH)), None)
    response_read = response or read_unchanged(case.response)
    one = case._replace(question=question, answer=answer, fact=fact, response=response_read.text)
    return _Translation(
        _with_hit(one),
        response_read,
        read,
        variants,
        answering,
        english_name(unread) if unread else None,
    )


def _language_beside(text: str, asking: str) -> str:
    """The language of a response or golden text: the question's where it is too short to tell, or nearly the same."""
    language = language_of(text) or asking
    if language == "zh" and asking == "ja":
        return asking
    by_words = language in READ and language not in WITHOUT_BLANKS and asking not in (ENGLISH, *WITHOUT_BLANKS)
    return asking if by_words and len(text.split()) <= (_FEW if asking in READ else _SOME) else language


def _with_hit(case: Case) -> Case:
    """The row with the fact looked for anew, where Factual Knowledge found it in the texts as written."""
    if not case.variant or not case.variant.strip():
        return case
    hit = find_fact(case.fact, case.response)
    if not hit or hit.start == hit.end or (hit.inside_token and not case.inside_token):
        return case._replace(variant=None, start=0, end=0, inside_token=False)
    return case._replace(variant=hit.variant, start=hit.start, end=hit.end, inside_token=hit.inside_token)


def _as_written(weighed: Weighed, read: _Translation) -> Weighed:
    """What was found, quoted from the texts as written."""
    leading = weighed.leading
    if leading:
        leading = _quote_original(leading, read)
    declined = _quote_original(weighed.declined, read) if weighed.declined else None
    unread = None if declined or _needs_no_words(leading, read.case.response) else read.unread
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


def _quote_original(evidence: Evidence, read: _Translation) -> Evidence:
    """The evidence with the places of its quotes in the texts as written, and the golden text in its own language."""
    stated, golden = evidence.response, evidence.golden
    if stated:
        stated = Span(*read.response.as_written(stated.start, stated.end), stated.text)
    for reading, written in zip(read.golden, read.written, strict=False):
        if golden and golden.text and golden.text in reading.text:
            at = reading.text.index(golden.text)
            start, end = reading.as_written(at, at + len(golden.text))
            golden = Span(start, end, written[start:end])
            break
    return evidence._replace(response=stated, golden=golden)
