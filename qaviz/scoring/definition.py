"""FMEval 1.2.3's seven word scores, one pair of texts at a time, written to be read.

The columnar scorer and the drill-down are tested against these functions, and these against the installed library.
"""

from typing import NamedTuple

from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What FMEval deletes: ASCII only, so a curly apostrophe stays."""
ARTICLES = frozenset(("a", "an", "the"))

_PUNCTUATION = PUNCTUATION.encode()


class FactScores(NamedTuple):
    """In the order of `model.FACT_SCORES`; each 0.0 or 1.0."""

    exact: float
    quasi_exact: float


class AnswerScores(NamedTuple):
    """In the order of `model.ANSWER_SCORES`; each 0.0 to 1.0."""

    recall: float
    precision: float
    f1: float
    exact_match: float
    quasi_exact_match: float


def normalise(text: str) -> str:
    """Return the text in lower case, without ASCII punctuation, articles and repeated blanks. FMEval's
    `normalize_text_quac_protocol`. It splits on the blank alone: an article beside a tab or a newline stays."""
    words = without_punctuation(text.lower()).split(" ")
    return " ".join(word for word in words if word and word not in ARTICLES)


def without_punctuation(text: str) -> str:
    """Return the text without the characters of PUNCTUATION."""
    # As bytes: `str.translate` takes ten times as long on text outside of ASCII.
    return text.encode("utf-8", "surrogatepass").translate(None, _PUNCTUATION).decode("utf-8", "surrogatepass")


def words_of(text: str) -> set[str]:
    """Return the distinct normalised words of a text, split at any white space."""
    return set(normalise(text.strip()).split())


def fact_variants(fact: str) -> list[str]:
    """Return the variants of a fact, blanks kept. `<AND>` parts a fact that holds it, `<OR>` any other."""
    return fact.split(AND_DELIMITER if needs_all(fact) else OR_DELIMITER)


def needs_all(fact: str) -> bool:
    """Return whether a response has to state every variant of the fact rather than one."""
    return AND_DELIMITER in fact


def fact_scores(fact: str, response: str) -> FactScores:
    """Return Factual Knowledge: whether the response holds one variant of the fact, or all of them for `<AND>`."""
    enough = all if needs_all(fact) else any
    variants = fact_variants(fact)
    lower, normalised = response.lower(), normalise(response.strip())
    return FactScores(
        float(enough(variant.lower() in lower for variant in variants)),
        float(enough(normalise(variant.strip()) in normalised for variant in variants)),
    )


def answer_scores(answer: str, response: str) -> AnswerScores:
    """Return QA Accuracy: for each score the best over the answer's variants, not always the same one."""
    return AnswerScores(
        *(max(scores) for scores in zip(*(compare(part, response) for part in answer.split(OR_DELIMITER)), strict=True))
    )


def compare(variant: str, response: str) -> AnswerScores:
    """Return QA Accuracy of a response against one variant of the answer."""
    golden, stated = words_of(variant), words_of(response)
    shared = len(golden & stated)
    recall, precision = ratio(shared, len(golden)), ratio(shared, len(stated))
    return AnswerScores(
        recall,
        precision,
        f_measure(precision, recall),
        float(variant.strip() == response.strip()),
        float(normalise(variant.strip()) == normalise(response.strip())),
    )


def ratio(part: int, whole: int) -> float:
    """Return part of whole, 0.0 where the whole is empty, as FMEval does where nltk has None."""
    return part / whole if whole else 0.0


def f_measure(precision: float, recall: float) -> float:
    """Return the harmonic mean in the order of nltk's floating-point operations; another order changes last bits."""
    return 1.0 / (0.5 / precision + 0.5 / recall) if precision and recall else 0.0


def context_recall(answer: str, fact: str, response: str) -> float | None:
    """Return recall over the answer's words other than the fact's: 0.0 means that only the fact itself is shared.
    qaviz's own score, the best over the answer's variants; None where no variant has other words."""
    of_fact = set[str]().union(*map(words_of, fact_variants(fact)))
    stated = words_of(response)
    others = [words_of(variant) - of_fact for variant in answer.split(OR_DELIMITER)]
    return max((len(words & stated) / len(words) for words in others if words), default=None)
