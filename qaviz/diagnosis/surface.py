"""What the answer region shares with the golden texts letter by letter and word by word, in any language."""

import math
import re

from qaviz.diagnosis.golden_texts import STEM, Triplet, join_ideographs, level_words, read_variant, split_words
from qaviz.diagnosis.patterns import GOLDEN, WORDS

OVERLAP, WORDS_SAID, WORDS_MISSING, FOCUS = "overlap", "words_said", "words_missing", "focus"
GOLDEN_LENGTH, REGION_LENGTH = "golden_length", "region_length"
STATEMENT, PROSE, BARE, SHORT = "statement", "prose", "bare", "short"
OTHER_NAMES, NEGATION_DIFFERS, DENIAL_MISSING = "other_names", "negation_differs", "denial_missing"
SURFACE = (
    *(OVERLAP, WORDS_SAID, WORDS_MISSING, FOCUS, GOLDEN_LENGTH, REGION_LENGTH),
    *(STATEMENT, PROSE, BARE, SHORT, OTHER_NAMES, NEGATION_DIFFERS, DENIAL_MISSING),
)
"""Columns of floats. Of the golden variant that fits best: OVERLAP is the share of its runs of three letters that the
question lacks in the region; WORDS_SAID and WORDS_MISSING are logarithms of how many of its words that the question
lacks the region has and lacks. FOCUS is the other way round: of what the region says beyond the question, how much is
golden. Lengths are logarithms of characters. STATEMENT: 0 for a value or name, 1 for a golden statement, between them
by words; PROSE: the golden text has more than PROSE_WORDS; BARE: there is no fact; SHORT: the region has at most
SHORT_WORDS. OTHER_NAMES: logarithm of capitalised words that neither question nor golden texts have. NEGATION_DIFFERS:
one of a short region and the golden text negates, the other does not. DENIAL_MISSING: the golden statement denies
something and the beginning of the region nothing."""

READ, READ_NAMES, READ_DENIAL = 3_000, 1_000, 400
"""Characters of a region that are compared, whose names are counted, and in which a denial is looked for."""
A_NAME, A_STATEMENT = 3, 7
"""Words up to which a golden text is a name or a value, and from which it is a statement."""
A_TEXT, LONGEST_DENIAL = 25, 40
"""Words from which a denial in a golden text is less and less its point, and from which it is none."""
SHORT_WORDS, NEGATION_WORDS = 24, 40
"""Words up to which a region is short, and up to which one negation tells what all of it says."""
_WITHIN_SENTENCE = re.compile(r"(?<=[^\s.!?:*])[ \t]+([^\W\d_a-z]\S*)")
"""A word that no other sentence ends before and that may begin with a capital."""


def compare_surface(triplet: Triplet, region: str, stated: str = "") -> tuple[float, ...]:
    """Return the values of SURFACE: of the variant that is stated, else of the one that fits best."""
    level = level_words(region[:READ])
    words = split_words(level)
    distinct = frozenset(words)
    beyond = distinct - triplet.question_words - WORDS["function"]
    within = (word for word in _WITHIN_SENTENCE.findall(region[:READ_NAMES]) if word[0].isupper())
    names = {word.strip(".,;:!?()[]\"'’*").removesuffix("'s").removesuffix("’s").lower() for word in within}
    others, length = math.log1p(len(names - triplet.words)), math.log1p(len(region))
    joined = join_ideographs(level)
    short = len(words) <= SHORT_WORDS * (1 if joined is level else 2)
    if not triplet.variants:
        return (0.0, 0.0, 0.0, 0.0, 0.0, length, 0.0, 0.0, 1.0, float(short), others, 0.0, 0.0)
    variants = (read_variant(text, triplet.question) for text in ((stated,) if stated else triplet.variants))
    overlap, best = (min if triplet.needs_all else max)(
        ((sum(map(joined.__contains__, golden.letters)) / len(golden.letters), golden) for golden in variants),
        key=lambda pair: pair[0],
    )
    stems = {word[:STEM] for word in distinct}
    count_said = sum(stem in stems for stem in best.stems)
    focus = len(beyond & triplet.words) / len(beyond) if beyond else float(bool(distinct & best.words))
    negates = len(words) < NEGATION_WORDS and bool(distinct & WORDS["negations"]) != best.negated
    point = _share_of_way(best.size, LONGEST_DENIAL, A_TEXT) if best.denies else 0.0
    shared, missing = math.log1p(count_said), math.log1p(len(best.stems) - count_said)
    return (
        *(overlap, shared, missing, focus, math.log1p(best.length - 2), length),
        *(_share_of_way(best.size, A_NAME, A_STATEMENT), float(triplet.prose), float(triplet.bare), float(short)),
        *(others, float(negates)),
        point if point and not GOLDEN["denials"].search(level[:READ_DENIAL]) else 0.0,
    )


def _share_of_way(size: int, begin: int, end: int) -> float:
    """How far a number of words is on the way from one to another, 0 to 1."""
    return min(1.0, max(0.0, (size - begin) / (end - begin)))
