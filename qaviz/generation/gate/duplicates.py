"""Whether a triplet was there before: the same fact of the same subject first, then the words of the question."""

import re

from qaviz.generation.gate.cases import Case, names
from qaviz.generation.gate.terms import terms

ALIKE = 0.7
"""Share of two questions' terms that both have, from which two questions of one fact are the same question."""
_WORDS = re.compile(r"[^\W_]+")


class Known:
    """The triplets that were accepted so far."""

    def __init__(self) -> None:
        self._questions: set[str] = set()
        self._by_fact: dict[str, list[Case]] = {}

    def add(self, case: Case) -> str | None:
        """Remember the triplet; where it was there before, the reason, and it is not remembered again."""
        normal = " ".join(_WORDS.findall(case.question_level))
        if normal in self._questions:
            return "The same question was accepted before."
        key = _value(case)
        for other in self._by_fact.get(key, ()):
            if _same_question(case, other):
                return f"It asks what “{other.question}” asks."
        self._questions.add(normal)
        self._by_fact.setdefault(key, []).append(case)
        return None

    def note(self, case: Case) -> str | None:
        """What a reviewer should look at: a fact that is the answer to two questions of one chunk."""
        others = [
            other.question
            for other in self._by_fact.get(_value(case), ())
            if other.passage.chunk == case.passage.chunk and other.question != case.question
        ]
        if others and not case.is_yes_no:
            return f"Its fact answers “{others[0]}” too: a response to one may match by chance."
        return None


def _value(case: Case) -> str:
    """The fact as a value: its figure, else its first variant's words."""
    if not case.variants:
        return ""
    found = case.variants[0].figures
    if len(found.amounts) == 1 and not found.dates:
        amount = found.amounts[0]
        return f"{(amount.value * amount.factor).normalize():f}{amount.unit}"
    if len(found.dates) == 1 and not found.amounts:
        return str(found.dates[0].parts)
    return " ".join(_WORDS.findall(case.variants[0].level))


def _same_question(one: Case, other: Case) -> bool:
    """Whether two questions of one fact have the same names and figures, and nearly the same terms."""
    if _particulars(one.question) != _particulars(other.question):
        return False
    first, second = set(terms(one.question)), set(terms(other.question))
    return len(first & second) >= ALIKE * max(1, min(len(first), len(second)))


def _particulars(question: str) -> frozenset[str]:
    figures = re.findall(r"\d[\d.,]*", question)
    return frozenset((*(name.lower() for name in names(question)), *figures))
