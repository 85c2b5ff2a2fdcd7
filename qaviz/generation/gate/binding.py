"""Whether words bind a fact to what its question asks: the row and column of a table, the polarity of its sentence, the
words around it. What is bound to something else is rejected; what words cannot bind is left to a person.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from qaviz.generation.gate.cases import TWO_STEPS, UNANSWERABLE, Case, names
from qaviz.generation.gate.content import find_link, has_capital_nouns, is_computed
from qaviz.generation.gate.passages import Sentence, Stated, find_figures, terms
from qaviz.reading import Kind, detect_language, tokens


def _denies(text: str) -> bool:
    """Whether a text denies something, in any language that is read."""
    return any(token.kind in (Kind.NEGATION, Kind.NO) for token in tokens(text, detect_language(text)))


_GENERIC = re.compile(
    r"\b(?:the|this|that) (?:framework|tool|system|product|model|method|approach|platform|service|program|app|library"
    r"|application|project|authors?|study|paper|article|post|blog|guide|dataset|team|group|device|solution|package"
    r"|software|algorithm|experiment|survey|researchers?)\b(?! (?:of|for|that|which|called|named|used to|behind)\b)",
    re.IGNORECASE,
)
_NO = re.compile(r"\W*(?:no|nein|không|sai|否|不是|لا|non)\b", re.IGNORECASE)
_DIRECTION_WORDS = (
    "under over above below before after less more least most up down in out from to without with non not per gross net"
    " first last current previous prior this that excluding including"
)
_DIRECTIONS = frozenset(_DIRECTION_WORDS.split())
_MOST_TOLD, _LEAST_TOLD = 0.8, 0.6
"""Share of a question's rare terms near its fact: from the first words bind a yes or no, from the second a fact."""
_CLEARLY = 1.2
"""Times more of what question and answer say that another sentence has, so that the fact's own is in doubt."""
_LEAST_KNOWN = 0.5
"""Share of a question's terms that its passage, headings or document have."""
_LONG_LABEL = 3
"""Terms of a row's label from which one of them need not be asked about."""


class _Labels(NamedTuple):
    """What tells the rows of a passage, or the columns of a row, apart."""

    named: dict[str, frozenset[str]]
    """Each label with its terms, without those that all labels share."""

    def fit(self, label: str, wording: frozenset[str]) -> tuple[int, int]:
        """How many of a label's terms are asked about, and how many are not."""
        named = self.named[label]
        return len(named & wording), len(named - wording)

    def is_named(self, label: str, wording: frozenset[str]) -> bool:
        """Whether a question names a label: all its terms, but for one of a long one."""
        met, lacking = self.fit(label, wording)
        return lacking == 0 or (lacking == 1 and met + lacking > _LONG_LABEL)

    def better(self, label: str, wording: frozenset[str]) -> str | None:
        """Another label of which more is asked about, and nothing is lacking; None where there is none."""
        met, lacking = self.fit(label, wording)
        rivals = ((self.fit(other, wording), other) for other in self.named if other != label)
        return next(
            (other for (more, short), other in rivals if not short and more > met - bool(lacking) and more), None
        )


def _name_terms(text: str) -> frozenset[str]:
    """The terms of a label or a question, with the words of direction that tell labels apart."""
    return frozenset(terms(text)) | _DIRECTIONS.intersection(re.findall(r"[^\W\d_]+", text.lower()))


def _tell_apart(labels: Sequence[str]) -> _Labels:
    of_each = {label: _name_terms(label) for label in labels}
    counted = Counter(term for own in of_each.values() for term in own)
    shared = {term for term, number in counted.items() if number == len(of_each) > 1}
    return _Labels({label: own - shared or own for label, own in of_each.items()})


def _row_label(row: Sentence) -> str:
    """The text of a row's first cell, without its column's name."""
    first = row.text.partition(" | ")[0]
    return first.partition(": ")[2] or first


class _Place(NamedTuple):
    """A cell in which the fact stands."""

    row: Sentence
    label: str
    column: str
    text: str


def _find_places(case: Case) -> list[_Place]:
    return [
        _Place(row, _row_label(row), column, text)
        for row in case.home
        if row.is_row
        for column, text in row.cells
        if any(part.stands(text.lower(), Stated.of(find_figures(text))) for part in case.variants)
    ]


def _bound_places(case: Case, places: Sequence[_Place], wording: frozenset[str]) -> tuple[list[_Place], str | None]:
    """The cells whose row and column are named, and why the others are not."""
    rows = _tell_apart(list(dict.fromkeys(_row_label(row) for row in case.passage.sentences if row.is_row)))
    bound, why = [], None
    for place in places:
        columns = _tell_apart(
            [column for column, text in place.row.cells if find_figures(text).amounts] or [place.column]
        )
        in_label = place.text == place.label
        if not in_label and not rows.is_named(place.label, wording):
            why = f"the row “{place.label[:60]}”"
        elif not in_label and place.column in columns.named and not columns.is_named(place.column, wording):
            why = f"the column “{place.column[:60]}”"
        else:
            bound.append(place)
    return bound, why


def check_other_cell(case: Case) -> str | None:
    """The question names another row or column than the fact's."""
    places = _find_places(case)
    if not places or any(not row.is_row for row in case.home) or is_computed(case) or case.is_joined:
        return None
    wording = _name_terms(case.question)
    rows = _tell_apart(list(dict.fromkeys(_row_label(row) for row in case.passage.sentences if row.is_row)))
    reasons = []
    for place in places:
        if place.text == place.label:
            return None
        columns = _tell_apart([column for column, text in place.row.cells if find_figures(text).amounts])
        row = rows.better(place.label, wording)
        column = columns.better(place.column, wording) if place.column in columns.named else None
        if row:
            reasons.append(f"The fact stands in the row “{place.label[:60]}”; the question asks about “{row[:60]}”.")
        elif column:
            reasons.append(
                f"The fact stands in the column “{place.column[:60]}”; the question asks about “{column[:60]}”."
            )
        else:
            return None
    return reasons[0]


def check_cell(case: Case) -> str | None:
    """A value of a table has its row and its column named in the question or the answer, and a cell of its own."""
    places = _find_places(case)
    if not places or any(not row.is_row for row in case.home) or is_computed(case) or case.is_joined:
        return None
    bound, why = _bound_places(case, places, _name_terms(f"{case.question} {case.answer}"))
    if not bound:
        return f"Neither question nor answer names {why}, in which the fact stands."
    own = [
        place
        for place in bound
        if len(find_figures(place.text).amounts) < 2 or case.variants[0].level == place.text.lower()
    ]
    if not own:
        return f"The cell of the fact holds two values: “{bound[0].text[:60]}”."
    return None


def check_polarity(case: Case) -> str | None:
    """Question, answer and the sentence of the fact deny the same, or none does."""
    if case.kind == UNANSWERABLE or case.is_joined:
        return None
    if case.is_yes_no:
        return _check_side(case)
    parts = [part for sentence in case.home for part in sentence.parts if _holds(case, part)] or [*case.home]
    if not parts:
        return None
    statement = case.question_terms | frozenset(terms(case.answer))
    nearest = max(parts, key=lambda part: _tell_share(case, part.terms, statement))
    wording = _denies(case.answer) or _denies(case.question)
    if wording == _denies(nearest.text):
        return None
    return f"{'The answer' if wording else 'The passage'} denies what the other states: “{nearest.text[:80]}”."


def _holds(case: Case, part: Sentence) -> bool:
    return any(variant.stands(part.level, part.stated, case.passage.level) for variant in case.variants)


def _check_side(case: Case) -> str | None:
    sentences = [sentence for sentence in case.passage.sentences if _tell_share(case, sentence.terms) >= _MOST_TOLD]
    if not sentences:
        return "No sentence of the passage has enough of the question's words to prove a yes or a no."
    denied = {_denies(sentence.text) != _denies(case.question) for sentence in sentences}
    if bool(_NO.match(case.fact)) not in denied:
        return f"The passage does not say so: “{sentences[0].text[:80]}”."
    return None


def _tell_share(case: Case, stated: frozenset[str], wanted: frozenset[str] | None = None) -> float:
    """How much of these terms, or of the question's, is stated; one that few sentences have counts for more."""
    wording = case.question_terms if wanted is None else wanted
    weights = {term: case.passage.rarity.get(term, 0.0) for term in wording}
    whole = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in stated) / whole if whole else 0.0


def check_nearness(case: Case) -> str | None:
    """The words and names of the question stand near the fact, and no other sentence has more of them."""
    if case.kind == UNANSWERABLE or case.is_yes_no or not case.home or is_computed(case) or case.is_joined:
        return None
    if case.kind == TWO_STEPS and find_link(case, case.home, case.passage.sentences):
        return None
    known = case.passage.own_words | case.around | frozenset(case.passage.rarity)
    own = frozenset(term for part in case.variants for term in terms(part.text))
    wanted = case.question_terms - own
    lacking = sorted(term for term in wanted if term not in known)
    if wanted and len(lacking) > (1 - _LEAST_KNOWN) * len(wanted):
        return f"The passage does not speak of “{lacking[0]}”, which the question asks about."
    sentences = case.passage.sentences
    near = [sentences[max(place - 1, 0) : place + 2] for place, part in enumerate(sentences) if part in case.home]
    heading = frozenset(terms(case.passage.heading))
    if max(_tell_share(case, heading.union(*(part.terms for part in group))) for group in near) < _LEAST_TOLD:
        return "The words of the question stand elsewhere in the passage, not near its fact."
    if stranger := _find_stranger(case, near):
        return f"The question names “{stranger}”, which does not stand near its fact."
    statement = (case.question_terms | frozenset(terms(case.answer))) - own
    share = max(_tell_share(case, part.terms, statement) for part in case.home)
    if subjects := _find_other_subject(case):
        return f"The question is about “{subjects[0]}”, the answer about “{subjects[1]}”."
    rows = {part.is_row for part in case.home}
    others = [part for part in sentences if part not in case.home and {part.is_row} == rows]
    other = max(others, key=lambda part: _tell_share(case, part.terms, statement), default=None)
    if other and share < _MOST_TOLD and _tell_share(case, other.terms, statement) > _CLEARLY * share:
        return f"Another sentence says more of what is asked: “{other.text[:80]}”."
    return None


def _find_stranger(case: Case, near: Sequence[Sequence[Sentence]]) -> str | None:
    """A name of the question that stands in another sentence, and neither near the fact nor in most of the passage."""
    for name in () if has_capital_nouns(case) else names(case.question):
        parts = frozenset(terms(name))
        having = [sentence for sentence in case.passage.sentences if parts <= sentence.terms]
        apart = not any(sentence in group for sentence in having for group in near)
        if (
            having
            and apart
            and 2 * len(having) < len(case.passage.sentences)
            and not parts <= frozenset(terms(case.passage.heading))
        ):
            return name
    return None


def _find_other_subject(case: Case) -> tuple[str, str] | None:
    """A name of the question that the fact's sentence lacks, where the answer names another one that it has.

    The fact may stand in several sentences: the one that says most of the answer is meant.
    """
    if has_capital_nouns(case):
        return None
    stated = frozenset(terms(case.answer))
    nearest = max(case.home, key=lambda part: _tell_share(case, part.terms, stated))
    home_terms = nearest.terms | frozenset(terms(case.passage.heading))
    inside = " ".join(part.level for part in case.variants)
    of_question = [name for name in names(case.question) if not frozenset(terms(name)) <= home_terms]
    of_answer = [
        name
        for name in names(case.answer)
        if frozenset(terms(name)) <= home_terms
        and name.lower() not in case.question_level
        and name.lower() not in inside
    ]
    return (of_question[0], of_answer[0]) if of_question and of_answer else None


def check_generic_subject(case: Case) -> str | None:
    """The question names its subject: “the framework” is none for somebody who has not read the document."""
    generic = _GENERIC.search(case.question)
    if generic and not names(case.question):
        return f"The question does not name which one it means (“{generic.group()}”)."
    return None
