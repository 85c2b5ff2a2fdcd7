"""The readable definition against figures worked out by hand."""

from fractions import Fraction

import pytest

from qaviz.scoring.definition import answer_scores, compare, context_recall, f_measure, fact_scores, normalise
from tests.cases import read_cases


@pytest.mark.parametrize(("text", "normalised"), read_cases(__file__, "normalised_texts"))
def test_normalise(text, normalised):
    """ASCII punctuation goes, curly quotes stay, and articles go only where blanks part them from their neighbours."""
    assert normalise(text) == normalised


@pytest.mark.parametrize(("response", "fact", "exact", "quasi_exact"), read_cases(__file__, "fact_scores"))
def test_fact_scores(response, fact, exact, quasi_exact):
    """Factual Knowledge is inclusion of one variant, of all with <AND>, with every trap of FMEval left in."""
    assert fact_scores(fact, response) == (exact, quasi_exact)


@pytest.mark.parametrize(("answer", "response", "recall", "precision", "f1"), read_cases(__file__, "shared_words"))
def test_words_are_sets(answer, response, recall, precision, f1):
    """Recall, precision and F1 compare sets of normalised words; an empty set gives 0."""
    shares = [float(Fraction(share)) for share in (recall, precision, f1)]
    assert [*compare(answer, response)[:3]] == pytest.approx(shares, abs=1e-12)


def test_each_answer_score_has_its_own_best_variant():
    """Recall, precision and exact match may come from different variants of one answer."""
    scores = answer_scores("a big red ball<OR>ball", "big ball")
    assert (scores.recall, scores.precision) == (1.0, 1.0)
    assert scores.f1 == pytest.approx(0.8)


@pytest.mark.parametrize(("answer", "response", "exact", "quasi_exact"), read_cases(__file__, "matches"))
def test_matches(answer, response, exact, quasi_exact):
    """A match is equality of one variant with the response, stripped, and for quasi-exact normalised too."""
    assert answer_scores(answer, response)[3:] == (exact, quasi_exact)


def test_f_measure_keeps_the_order_of_operations():
    """The last bit is that of 1 / (0.5 / p + 0.5 / r), which the textbook's 2pr / (p + r) misses."""
    assert f_measure(11 / 12, 11 / 12) == 0.9166666666666665
    assert f_measure(0.0, 0.0) == 0.0


@pytest.mark.parametrize(("answer", "fact", "response", "expected"), read_cases(__file__, "context_recall"))
def test_context_recall(answer, fact, response, expected):
    """Context recall leaves the words of all variants of the fact out, and is missing where nothing is left."""
    assert context_recall(answer, fact, response) == expected
