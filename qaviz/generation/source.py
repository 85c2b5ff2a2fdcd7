"""Whether a question says what it is about: its source by name, and which of several documents.

A question that lacks it reads the same for another answer: it is written again once, or left to a person.
"""

import re

from qaviz.generation.passages import Corpus, Passage, Place, names, split_words, terms
from qaviz.generation.refute import UNANSWERABLE, Case

_BEHIND_VERB = (
    r"^[^,]{0,40}\b(?:did|does|do|is|was|were|are|has|have|had|will|would|should|can|could|may"
    r"|must) (?:it|they|he|she|this|these|we)\b"
)
_PRONOUN = re.compile(
    _BEHIND_VERB + r"|\b(?:its|their|his|her|our)\b(?! (?:own|respective))|\b(?:the|this|that) (?:company|firm"
    r"|organi[sz]ation|corporation|department|policy|report|study|framework|programme?|document)\b"
    r"(?! (?:that|which|of|for|on|in|by)\b)"
    r"|\b(?:hat|ist|war|haben|sind|wird|kann|betrug) (?:es|er|sie)\b|\b(?:sein|ihr)(?:e|en|er"
    r"|es)?\b (?=[A-ZÄÖÜ])|\b(?:das|dieses) unternehmen\b"
    r"|\b(?:công ty|tổ chức|doanh nghiệp) (?:này|đó)\b|(?:^|\s)(?:nó|họ|ông ấy|bà ấy) |^(?:他|她|它)们?"
    r"|(?:该|本|这家)公司|\bهذه الشركة\b|\bهي\b",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"\b(?:above|below|following|preceding|given|provided) (?:table|figure|chart|section|excerpt|passage|text)\b"
    r"|\b(?:table|figure|chart|section|paragraph|passage) (?:above|below)\b"
    r"|\b(?:the|this) (?:text|passage|excerpt|chunk)\b"
    r"|\b(?:im|laut|aus|in) (?:dem |diesem )?(?:obigen |vorliegenden )?(?:text|abschnitt)\b"
    r"|\btheo (?:văn bản|đoạn)|本文|文中|上文|上表|(?:في هذا|حسب|وفقا) ?(?:النص|المستند|الوثيقة)",
    re.IGNORECASE,
)
"""What points at a text that the reader does not see, whatever else is named."""
_IT_TAKES = re.compile(
    r"\b(?:does|did|would|will|do) it take\b|\bit (?:called|true|possible|mean|cost)\b", re.IGNORECASE
)
_GENERIC = terms(
    "report annual quarterly document policy guide handbook manual page section chapter introduction overview summary "
    "terms conditions information about general rules notice appendix table statement article readme index new best "
    "practices file version text part data final draft company system service"
)
"""Words of titles that name no source."""
SAME = 0.95
"""Share of its own passage's score from which another document's passage fits a question as well."""
_LOOKED_AT = 12
"""Passages that are compared with a question's own one."""


def find_lack(case: Case, corpus: Corpus) -> str | None:
    """What the question lacks to be understood alone and by one answer, as words behind `it does not say`; None for a
    question that lacks nothing."""
    lack = _lacks_subject(case, corpus) or _lacks_source(case, corpus)
    return lack if lack or case.kind == UNANSWERABLE else _lacks_document(case, corpus)


def _lacks_subject(case: Case, corpus: Corpus) -> str | None:
    """`How many did it employ?`: words that point at a text which the reader does not see."""
    match = _UNSEEN.search(case.question)
    if match is None:
        match = _PRONOUN.search(_IT_TAKES.sub("", case.question))
        if match is None or _named_in(case, corpus):
            return None
    return f"what “{match.group().strip()[-40:]}” stands for"


def _lacks_source(case: Case, corpus: Corpus) -> str | None:
    """A question without a name of its document, title or text. Scripts without capitals tell no names."""
    told_by_capitals = any(map(str.islower, case.question)) and len(_GERMAN.findall(case.question)) < 2
    if not told_by_capitals or _named_in(case, corpus):
        return None
    return f"the document, organisation or product that it is about ({case.passage.document})"


_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|wurde|wie|welche[rs]?|wer|im|für|mit)\b", re.IGNORECASE)
"""Words of a language that begins all nouns with a capital, so that capitals tell no names."""


def _named_in(case: Case, corpus: Corpus) -> bool:
    """Whether the question has a name that its document has, or a telling word of its title or file name."""
    document = case.passage.document
    vocabulary = corpus.words.get(document, frozenset())
    if any(split_words(name) & vocabulary for name in names(case.question)):
        return True
    title = terms(corpus.titles.get(document, "")) - _GENERIC
    telling = {term for term in title if not term.isdecimal()}
    shared = terms(case.question) & telling
    return len(shared) >= min(2, len(telling)) > 0


def _lacks_document(case: Case, corpus: Corpus) -> str | None:
    """Another document's passage has every word of the question, and fits it as well or says the same with another
    value."""
    own = case.passage
    scores = {row["chunk"]: score for row, score in zip(corpus.rows, corpus.index.scores(case.question), strict=True)}
    best = scores.get(own.chunk, 0.0)
    asked_for = terms(case.question) & _words_of(own, corpus)
    for other in corpus.rank(case.question, _LOOKED_AT):
        if other.document == own.document or other.text == own.text or not asked_for <= _words_of(other, corpus):
            continue
        if scores[other.chunk] >= SAME * best or any(_says_other(home, other, asked_for) for home in case.home):
            return f"which document it is about: {own.document} or {other.document}"
    return None


def _says_other(home: Place, other: Passage, asked_for: frozenset[str]) -> bool:
    """Whether another passage has a statement with what this one shares with the question, and another value."""
    shared = asked_for & home.key
    return len(shared) > 1 and any(
        shared <= place.key and place.values and place.level != home.level for place in other.places
    )


def _words_of(passage: Passage, corpus: Corpus) -> frozenset[str]:
    return terms(f"{corpus.titles.get(passage.document, '')} {passage.heading} {passage.text}")
