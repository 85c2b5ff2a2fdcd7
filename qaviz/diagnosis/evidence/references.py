"""Several references: statements any of which is a right answer, where the golden dataset gives no fact."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.clauses import clauses, level_text, span
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import READ, stems, words
from qaviz.scoring.definition import fact_variants

KIND = "references"

_STATEMENT = 4
"""Words from which a reference is a statement. Names and amounts alone are variants of a fact."""
_ENOUGH = 0.5
"""Share of a reference's telling words that a response has to say: where labelled responses turn to correct."""
_DISCUSSES = 100
"""Characters of a response that goes on to discuss the question, after its first clause."""
_OPENING = 400
"""Characters of a response in which it denies what the question supposes."""
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|cannot|without|false|myths?|misconceptions?|incorrect|untrue"
    r"|unlikely|unknown|uncertain|depends?|varies|vary|debat\w+|subjective|difficult|impossible|disagree)\b|n't\b"
)
"""What denies or limits a statement."""
_SIDE = re.compile(r"\W*(?:a: )?(yes|no|true|false)\b(?=\W*(?:$|[,.;:!]))")
_AFFIRMING = ("yes", "true")


def are_references(answer: str) -> bool:
    """Whether a golden answer is several references, a statement among them."""
    found = fact_variants(answer)
    return len(found) > 1 and any(len(each.split()) >= _STATEMENT for each in found)


def compare(answer: str, response: str, question: str = "") -> Evidence:
    """Whether `response` says what one of the references in `answer` says.

    AGREES: it takes the side (yes or no) that most of them take; or it has half of the telling words of one that denies
    as much as its first clause does; or it discusses the question and denies something, as one of them does.
    CONTRADICTS: it says what none of them says.
    """
    references = [_read(each, question) for each in fact_variants(answer) if each.strip()]
    level = level_text(response[:READ])
    first = next(iter(clauses(level)), (0, len(level)))
    opening = span(response, *first)
    sides = [each.side for each in references if each.side is not None]
    side = _side(level)
    if sides and side is not None:
        return _compare_sides(side, 2 * sum(sides) >= len(sides), opening, references)
    denies = _DENIES.search(level[slice(*first)]) is not None
    said = {stem for form in words(response).forms for stem in stems(form)}
    alike = [each for each in references if each.denies is denies]
    best = max(alike, key=lambda each: each.share(said), default=None)
    if best and best.share(said) >= _ENOUGH:
        note = f"says {best.share(said):.0%} of what a reference adds to the question"
        return Evidence(KIND, Stance.AGREES, best.span, opening, note, 0.4 + 0.5 * best.share(said))
    denial = next((each for each in references if each.denies), None)
    if denial and len(level) > _DISCUSSES and _DENIES.search(level[:_OPENING]):
        note = "discusses what the question supposes and denies it, as a reference does"
        return Evidence(KIND, Stance.AGREES, denial.span, opening, note, 0.4)
    note = f"matches none of the {len(references)} references"
    return Evidence(KIND, Stance.CONTRADICTS, references[0].span, opening, note, 0.6)


def _compare_sides(side: bool, golden: bool, opening: Span, references: "list[_Reference]") -> Evidence:
    """Whether a response takes the side of the references."""
    told = next(each for each in references if each.side is golden or each.side is not None)
    joint = "as" if side is golden else "where"
    note = f"says {_word(side)}, {joint} the references say {_word(golden)}"
    return Evidence(KIND, Stance.AGREES if side is golden else Stance.CONTRADICTS, told.span, opening, note, 0.8)


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


class _Reference:
    """One reference: what it adds to the question, whether it denies, and which side it takes."""

    def __init__(self, text: str, question: str) -> None:
        level = level_text(text)
        content = {stem for form in words(text).forms if form not in FUNCTION_WORDS for stem in stems(form)}
        self.span = Span(0, len(text), text)
        self.telling = content - asked_stems(question)
        self.denies = _DENIES.search(level) is not None
        self.side = _side(level)

    def share(self, said: set[str]) -> float:
        """Share of its telling words that a response says; a mere denial of the question needs none."""
        if not self.telling:
            return 1.0 if self.denies else 0.0
        return len(self.telling & said) / len(self.telling)


_read = lru_cache(maxsize=4096)(_Reference)


def _side(level: str) -> bool | None:
    """Yes or no, if a text begins with it."""
    found = _SIDE.match(level)
    return found[1] in _AFFIRMING if found else None
