"""One response, taken apart."""

import polars as pl
import pytest

from qaviz.model.columns import ANSWER, ANSWER_SCORES, FACT, FACT_SCORES, QUESTION, RESPONSE
from qaviz.scoring import score
from qaviz.scoring.explanation import Explanation, Mark, explain_row
from tests.scoring.hostile import hostile_rows


def explain(*texts: str | None) -> Explanation:
    """Answer, fact, question and response, taken apart."""
    schema = dict.fromkeys((ANSWER, FACT, QUESTION, RESPONSE), pl.String)
    return explain_row(score(pl.DataFrame([texts], schema=schema, orient="row")).row(0, named=True))


def marked(text, words):
    return [(text[word.start : word.end], word.mark) for word in words]


def test_words_are_marked_where_they_stand():
    """Words are found, missing, extra or from the question, at their offsets in the texts as they were written."""
    response = "The İstanbul office — revenue: $170.0 billion, (the total)!"
    (one,) = explain("Total was $134.4 billion.", None, "What was the revenue?", response).comparisons
    assert marked(one.variant, one.variant_words) == [
        ("Total", Mark.FOUND),
        ("was", Mark.MISSING),
        ("134.4", Mark.MISSING),
        ("billion", Mark.FOUND),
    ]
    assert marked(response, one.response_words) == [
        ("İstanbul", Mark.EXTRA),
        ("office", Mark.EXTRA),
        ("—", Mark.EXTRA),
        ("revenue", Mark.QUESTION),
        ("170.0", Mark.EXTRA),
        ("billion", Mark.FOUND),
        ("total", Mark.FOUND),
    ]
    assert (one.words(Mark.FOUND), one.words(Mark.MISSING)) == (("total", "billion"), ("was", "1344"))
    assert one.words(Mark.EXTRA) == ("i̇stanbul", "office", "—", "1700")
    assert one.words(Mark.QUESTION) == ("revenue",)


def test_arithmetic_gives_the_scores():
    """Over 25 hostile rows, the counts of found, missing and extra words give exactly the scores of the table."""
    for row in score(hostile_rows(25, seed=11)).iter_rows(named=True):
        explained = explain_row(row | {QUESTION: None})
        assert bool(explained.comparisons) == (row[ANSWER_SCORES[0]] is not None)
        for name, index in explained.best.items():
            assert getattr(explained.comparisons[index].scores, _FIELD[name]) == row[name]
        for one in explained.comparisons:
            found = len(one.words(Mark.FOUND))
            golden, stated = found + len(one.words(Mark.MISSING)), found + len(one.words(Mark.EXTRA, Mark.QUESTION))
            assert one.scores.recall == (found / golden if golden else 0)
            assert one.scores.precision == (found / stated if stated else 0)
        if row[FACT_SCORES[0]] is not None:
            assert row[FACT_SCORES[0]] == any(variant.exact for variant in explained.variants)
            assert row[FACT_SCORES[1]] == any(variant.quasi_exact for variant in explained.variants)


_FIELD = dict(zip(ANSWER_SCORES, ("recall", "precision", "f1", "exact_match", "quasi_exact_match"), strict=True))


@pytest.mark.parametrize(("answer", "fact"), [(None, None), ("", " "), ("<OR>", "a<AND>b<OR>c")])
def test_what_is_not_scored_is_not_explained(answer, fact):
    """Without a usable answer and fact there is nothing to compare, and nothing is made up."""
    explained = explain(answer, fact, "What?", "something")
    assert (explained.comparisons, explained.best, explained.variants) == ((), {}, ())
