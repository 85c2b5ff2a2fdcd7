"""Types of questions: how each is asked for, on how many documents it turns, and what proves a triplet to be of it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import permutations

from qaviz.generation.gate.binding import check_cell, check_nearness, check_other_cell, check_polarity
from qaviz.generation.gate.cases import SINGLE_FACT, TWO_STEPS, UNANSWERABLE, Case, names
from qaviz.generation.gate.content import check_figures, check_names, check_place, find_link, is_computed
from qaviz.generation.gate.passages import Day, Figure, Passage, derive, terms

COMPARISON_OF_TWO, DISTRACTING = "comparison of documents", "distracting passage"
MISSPELLING, FOLLOW_UP = "misspelling", "follow-up"

_OF_AMOUNTS = (
    re.compile(
        r"\b(?:more|most|(?:high|larg|great|bigg|long|heavi|fast|tall)(?:er|est)|mehr|höher\w*|größer\w*)\b", re.I
    ),
    re.compile(
        r"\b(?:less|least|(?:low|small|few|short|cheap|light|slow)(?:er|est)|weniger|niedriger\w*|kleiner\w*)\b", re.I
    ),
)
_OF_DATES = (
    re.compile(r"\b(?:(?:young|new)(?:er|est)|later|latest|last|jünger\w*|später\w*)\b", re.I),
    re.compile(r"\b(?:(?:old|earli)(?:er|est)|first|before|älter\w*|früher\w*)\b", re.I),
)
"""Words by which a question asks for the larger or later one, and for the smaller or earlier one."""


@dataclass(frozen=True, kw_only=True)
class QuestionType:
    """One type of question."""

    asks: str
    """What the prompt asks for."""
    proof: Callable[[Case], str | None] | None = None
    """Returns why a triplet is not shown to be of the type; None where the gate's other rules prove it."""
    documents: int = 1
    """How many passages, each of a document of its own, the model is shown."""


def _prove_look_up(case: Case) -> str | None:
    if any(sentence.is_row for sentence in case.home):
        return None
    return "It is to look up a cell of a table, and no row of a table has its fact."


def _prove_calculation(case: Case) -> str | None:
    if len(case.answer_stated.figures.amounts) > 2 and is_computed(case):
        return None
    return "It is to calculate, and its fact does not follow from two other figures of the answer."


def _prove_two_steps(case: Case) -> str | None:
    if find_link(case, case.home, case.passage.sentences):
        return None
    return "It is to need two sentences, and nothing links the fact's to another one that the question is about."


def _prove_paraphrase(case: Case) -> str | None:
    repeated = _find_repeated(case)
    return f"It is to be in other words than the passage, and repeats “{repeated}”." if repeated else None


def _prove_follow_up(case: Case) -> str | None:
    """The turn before says all that the follow-up leaves out of the whole question, and at least a name or figure."""
    if not case.turns:  # edited since: the question in full stands on its own
        return None
    if len(case.turns) != 3 or not all(case.turns):
        return "It is to follow another turn, and the question or answer before it or the follow-up itself is missing."
    question, answer, follow_up = case.turns
    before, own = frozenset(terms(f"{question} {answer}")), frozenset(terms(follow_up))
    left_out = case.question_terms - own
    particular = {
        term
        for text in (*names(case.question, first_too=True), *_NUMBER.findall(case.question))
        for term in terms(text)
    }
    if not left_out & particular:
        return "It is to need the turn before it, and the follow-up names all that the question does."
    if strange := sorted(left_out & particular - before):
        return f"Neither the follow-up nor the turn before it says “{strange[0]}”, which the question is about."
    if invented := sorted(own - case.question_terms - before):
        return f"The follow-up asks about “{invented[0]}”, which the question does not."
    first = replace(case, question=question, answer=answer, kind=SINGLE_FACT, turns=())
    return check_figures(first) or check_names(first)


_NUMBER = re.compile(r"\d[\d.,]*")


def _prove_distracting(case: Case) -> str | None:
    """One passage has the fact, the other one speaks of what is asked about and does not have it."""
    if len(case.parts) != 2:
        return "It is to have a second passage that distracts, and there is none."
    homes = [replace(case, passage=part, parts=()).home for part in case.parts]
    if all(homes):
        return "Both passages have the fact: none of them distracts."
    other = case.parts[1] if homes[0] else case.parts[0]
    plain = case.question_terms.difference(term for name in names(case.question) for term in terms(name))
    if not plain or 2 * len(plain & _terms_of(other)) < len(plain):
        return "The second passage does not distract: it lacks most words of the question."
    return None


def _prove_bridge(case: Case) -> str | None:
    """The fact stands in one document, and the answer names what links it to what the other one says."""
    for place, part in enumerate(case.parts):
        home = [sentence for sentence in part.sentences if sentence in case.home]
        other = case.parts[1 - place]
        if home and not any(sentence in case.home for sentence in other.sentences):
            if find_link(case, home, other.sentences):
                return None
            return "It is to need two documents, and nothing links the fact to what the other one says of the question."
    return "It is to need two documents, and no single one of them has the fact."


def _prove_calculation_of_two(case: Case) -> str | None:
    """The fact follows from a figure of each document, each bound to what is asked in its own passage."""
    fact = case.variants[0].figures.amounts if case.variants else ()
    if len(fact) != 1 or len(case.parts) != 2:
        return "It is to calculate, and its fact is no single figure of two documents."
    others = [amount for amount in case.answer_stated.figures.amounts if amount.value != fact[0].value]
    pairs = [(one, other) for one, other in permutations(others, 2) if derive(fact[0], (one, other))]
    if not pairs:
        return "It is to calculate, and its fact does not follow from two other figures of the answer."
    return _bind_pairs(case, pairs)


def _prove_comparison(case: Case) -> str | None:
    """The figure of each document is bound in its own passage, and the fact names the one that is asked for."""
    stated = case.answer_stated.figures
    years = [
        (date, Decimal(date.year * 10_000 + (date.month or 0) * 100 + (date.day or 0)))
        for date in stated.dates
        if date.year
    ]
    values = [(amount, amount.value * amount.factor) for amount in stated.amounts]
    compared: list[tuple[Figure | Day, Decimal]] = [*values] if len(values) > 1 else [*years]
    more, less = (bool(words.search(case.question)) for words in (_OF_AMOUNTS if len(values) > 1 else _OF_DATES))
    if more == less or len(case.parts) != 2:
        return "It is to compare, and the question does not say whether it asks for more or for less."
    reasons = []
    for (one, low), (other, high) in permutations(compared, 2):
        same = getattr(one, "unit", "") == getattr(other, "unit", "")
        if not same or low >= high:
            continue
        for parts in permutations(case.parts):
            why = _bind_hops(case, [(one, parts[0]), (other, parts[1])])
            winner, loser = (parts[1], parts[0]) if more else (parts[0], parts[1])
            own = frozenset(terms(case.variants[0].text))
            if why is None and not (own <= _terms_of(winner) and not own <= _terms_of(loser)):
                why = f"The figures say otherwise: not “{case.variants[0].text}”."
            if why is None:
                return None
            reasons.append(why)
    return reasons[0] if reasons else "It is to compare, and the answer does not say a figure of each document."


def _bind_pairs(case: Case, pairs: Iterable[tuple[Figure, Figure]]) -> str | None:
    """Why no pair of figures has one of each document, each bound there."""
    reasons = []
    for one, other in pairs:
        why = _bind_hops(case, [(one, case.parts[0]), (other, case.parts[1])])
        if why is None:
            return None
        reasons.append(why)
    return reasons[0]


def _bind_hops(case: Case, hops: Sequence[tuple[Figure | Day, Passage]]) -> str | None:
    """Why a figure of the answer is not the one that its own passage has for what is asked; None where each is."""
    for place, (figure, part) in enumerate(hops):
        other = hops[1 - place][1]
        elsewhere = hops[1 - place][0]
        text = case.answer[figure.start : figure.end].strip()
        answer = case.answer[: elsewhere.start] + case.answer[elsewhere.end :]
        hop = replace(case, answer=answer, fact=text, kind=SINGLE_FACT, passage=part, parts=())
        if not hop.home:
            return f"No sentence of its own document has “{text}”."
        if not (case.question_terms & _terms_of(part)) - _terms_of(other):
            return "The question does not name what each document is about."
        if why := next((why for rule in _HOP_RULES if (why := rule(hop))), None):
            return why
    return None


_HOP_RULES = (check_other_cell, check_place, check_cell, check_polarity, check_nearness)
"""What binds a fact to what is asked, of each figure in its own passage."""


def _terms_of(part: Passage) -> frozenset[str]:
    return frozenset(terms(f"{part.heading} {part.text}"))


def _find_repeated(case: Case) -> str | None:
    """The words of a question beside its names, where the fact's sentence has all of them."""
    kept = frozenset(term for name in names(case.question, first_too=True) for term in terms(name))
    own = [term for term in dict.fromkeys(terms(case.question)) if term not in kept]
    home = frozenset(term for sentence in case.home for term in sentence.terms)
    return ", ".join(own) if own and home.issuperset(own) else None


_OF_TWO = "the two passages are of different documents; the question names what each is about; "
QUESTION_TYPES: Mapping[str, QuestionType] = {
    SINGLE_FACT: QuestionType(asks="a question that one fact answers"),
    "comparison": QuestionType(
        asks="a question that compares two things of the passage; the fact is the one that is more, less, earlier"
    ),
    "list": QuestionType(asks="a question whose answer is a list; the fact is one of its items"),
    "yes/no": QuestionType(asks="a question that is answered by yes or no, which is the fact"),
    UNANSWERABLE: QuestionType(
        asks="a question that fits the passage and that it does not answer; the answer says that the document does not "
        'say, and the fact is ""'
    ),
    "table look-up": QuestionType(
        asks="a question whose fact is one cell of a table; it names the cell's row and column", proof=_prove_look_up
    ),
    "calculation": QuestionType(
        asks="a question whose fact follows from two figures of the passage: their sum, difference, growth or share; "
        "the answer says both figures and the result",
        proof=_prove_calculation,
    ),
    TWO_STEPS: QuestionType(
        asks="a question that needs two sentences of the passage: it describes by the one what the other states the "
        "fact of, and does not name what links them; the answer names it",
        proof=_prove_two_steps,
    ),
    "paraphrase": QuestionType(
        asks="a question in other words than the passage's; names and figures stay as they are", proof=_prove_paraphrase
    ),
    MISSPELLING: QuestionType(asks="a question that one fact answers, spelled right: typing errors are put in later"),
    FOLLOW_UP: QuestionType(
        asks="a question that people ask after another one; it is written in full as the question, and beside it are "
        '"before" and "before_answer", the question and the answer before it, and "follow_up", the short question '
        "that is understood only after them",
        proof=_prove_follow_up,
    ),
    "bridge": QuestionType(
        asks="a question that needs both documents: it describes by the one what the other states the fact of, and "
        "does not name what links them; the answer names it",
        proof=_prove_bridge,
        documents=2,
    ),
    COMPARISON_OF_TWO: QuestionType(
        asks=f"{_OF_TWO}it asks which has more or less, and the fact is its name; the answer says the figure of both",
        proof=_prove_comparison,
        documents=2,
    ),
    "calculation over documents": QuestionType(
        asks=f"{_OF_TWO}the fact is the sum or difference of a figure of each; the answer says both and the result",
        proof=_prove_calculation_of_two,
        documents=2,
    ),
    DISTRACTING: QuestionType(
        asks="a question that one of the two documents answers; the other one has its words and another thing or none",
        proof=_prove_distracting,
        documents=2,
    ),
}
"""By the name under which a mix asks for them."""


def check_kind(case: Case) -> str | None:
    """A question is of the type that was asked for, as far as words tell it."""
    proof = QUESTION_TYPES[case.kind].proof if case.kind in QUESTION_TYPES else None
    return proof(case) if proof else None
