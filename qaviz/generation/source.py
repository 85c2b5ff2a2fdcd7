"""Whether a question says what it is about: its source by name, and which of several documents.

A question that lacks it reads the same for another answer: it is written again once, or left to a person.
"""

from qaviz.generation.passages import PHRASES, Corpus, Passage, Place, names, pattern_of, split_words, terms
from qaviz.generation.refute import UNANSWERABLE, Case

_PRONOUN, _IT_TAKES, _UNSEEN, _GERMAN = map(pattern_of, ("pronoun", "it_takes", "unseen", "german"))
_GENERIC = terms(" ".join(PHRASES["generic"]))
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
