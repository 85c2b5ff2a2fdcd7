"""Whether a question says what it is about: its source by name, and which of several years, rows, places or documents.

A question that lacks it reads the same for another answer: it is written again once, or left to a person.
"""

import re

from qaviz.generation.passages import Corpus, Passage, Place, names, read_values, read_years, split_words, terms
from qaviz.generation.refute import CALCULATION, UNANSWERABLE, Case, has_capital_nouns, years_behind
from qaviz.reading import Kind, Token

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
_NOW = re.compile(
    r"\b(?:current(?:ly)?|now|today|latest|newest|most recent|last|first|ever|always|total|since)\b", re.IGNORECASE
)
_GENERIC = terms(
    "report annual quarterly document policy guide handbook manual page section chapter introduction overview summary "
    "terms conditions information about general rules notice appendix table statement article readme index new best "
    "practices file version text part data final draft company system service"
)
"""Words of titles that name no source."""
_PLAIN = terms(
    "sell sold buy bought have had report reported record recorded amount value figure number many much count total "
    "rate price cost level reach reached stand come came show shown give given state stated be been make made was were"
)
"""Words of questions that are no other word for a row or a column."""
SAME = 0.95
"""Share of its own passage's score from which another document's passage fits a question as well."""
_LOOKED_AT = 12
"""Passages that are compared with a question's own one."""


def find_lack(case: Case, corpus: Corpus) -> str | None:
    """What the question lacks to be understood alone and by one answer, as words behind `it does not say`; None for a
    question that lacks nothing."""
    lack = _lacks_subject(case, corpus) or _lacks_source(case, corpus)
    if lack or case.kind == UNANSWERABLE:
        return lack
    lack = _lacks_document(case, corpus)
    if lack or case.kind == CALCULATION or case.is_yes_no:
        return lack
    return _lacks_cell(case) or _lacks_year(case, corpus) or _lacks_party(case)


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
    told_by_capitals = any(letter.islower() for letter in case.question) and not has_capital_nouns(case.question)
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
    return len(shared) >= _LEAST_SHARED and any(
        shared <= place.key and place.values and place.level != home.level for place in other.places
    )


def _words_of(passage: Passage, corpus: Corpus) -> frozenset[str]:
    return terms(f"{corpus.titles.get(passage.document, '')} {passage.heading} {passage.text}")


def _lacks_cell(case: Case) -> str | None:
    """Cells of other rows or columns, with another value, are as much what the question asks for."""
    home = [place for place in case.home if place.is_cell and place.label]
    if not home or len(home) < len(case.home):
        return None
    own = max(home, key=case.weigh)
    asked_for, level = terms(case.question), case.weigh(own)
    keys = frozenset(term for place in case.passage.places for term in place.key)
    around = terms(f"{case.passage.heading} {own.caption} {case.passage.document}")
    left_over = asked_for - keys - around - _PLAIN
    for place in case.rivals:
        if not place.is_cell or case.weigh(place) < level or place.level == own.level:
            continue
        one, other = _tell_apart(own, place)
        if (one | other) & asked_for or (left_over and not _are_periods(own, place)):
            continue
        if _are_periods(own, place) and (_asked_years(case) or _NOW.search(case.question)):
            continue
        which = (own.header, place.header) if own.label == place.label else (own.label, place.label)
        return f"whether it asks for “{which[0]}” or “{which[1]}”"
    return None


def _tell_apart(one: Place, other: Place) -> tuple[frozenset[str], frozenset[str]]:
    """The terms that each of two cells has alone."""
    return one.key - other.key, other.key - one.key


def _are_periods(one: Place, other: Place) -> bool:
    """Whether two cells of one row are of two periods."""
    years = read_years(one.header), read_years(other.header)
    return one.label == other.label and all(years) and years[0] != years[1]


def _asked_years(case: Case) -> bool:
    return any(value.kind is Kind.DATE for value in read_values(case.question))


def _lacks_year(case: Case, corpus: Corpus) -> str | None:
    """The same is stated of another year, in the passage or in another one, and the question says none."""
    if _asked_years(case) or _NOW.search(case.question) or any(place.is_cell for place in case.home):
        return None
    if case.variants and any(value.kind is Kind.DATE for value in case.variants[0].values):
        return None
    asked_for = terms(case.question)
    for home in case.home:
        years, shared = read_years(home.whole), asked_for & terms(home.whole)
        behind = years_behind(home, case.meant)
        if behind and years - behind and len(_alike(home.whole, case)) > 1:
            return f"which year it is about: {min(behind)} or {min(years - behind)}"
        if not years or len(shared) < _LEAST_SHARED:
            continue
        passages = [case.passage, *corpus.rank(case.question, _LOOKED_AT)]
        for place in (place for passage in passages for place in passage.places):
            others = read_years(place.whole)
            if others and not others & years and shared <= terms(place.whole) and place.values:
                return f"which year it is about: {min(years)} or {min(others)}"
    return None


def _alike(text: str, case: Case) -> list[Token]:
    """The values of a text of the fact's kind."""
    wanted = [value for variant in case.meant for value in variant.values]
    return [value for value in read_values(text) if any(value.kind is one.kind for one in wanted)]


_LEAST_SHARED = 2
"""Words of a question that two statements have in common, where one is of another year or of another party."""


def _lacks_party(case: Case) -> str | None:
    """A clause beside says the same of another country, product or group, and the question names neither."""
    if not case.variants or not case.variants[0].values:
        return None
    asked_for = terms(case.question)
    for home in (place for place in case.home if not place.is_cell):
        shared = asked_for & home.key
        for place in case.rivals:
            if place.is_cell or len(shared) < _LEAST_SHARED or not shared <= place.key:
                continue
            one, other = (
                [name for name in names(clause.text, first_too=True) if not terms(name) <= asked_for]
                for clause in (home, place)
            )
            alone = [name for name in one if name not in other], [name for name in other if name not in one]
            if all(alone):
                return f"whether it asks about {alone[0][0]} or {alone[1][0]}"
    return None
