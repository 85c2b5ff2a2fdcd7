"""Where a response states the fact."""

from itertools import pairwise

import pytest

from qaviz.scoring.explanation import continues, find_fact, find_variants, fold_case, fold_normalised, token_around
from tests.cases import read_cases
from tests.scoring.hostile import hostile_rows


@pytest.mark.parametrize(
    ("fact", "response", "variant", "stated", "exact", "inside_token"),
    read_cases(__file__, "hits"),
)
def test_find_fact(fact, response, variant, stated, exact, inside_token):
    """The hit that speaks best for the fact is found, with its place in the text as it was written."""
    hit = find_fact(fact, response)
    found = (hit.variant, response[hit.start : hit.end], hit.exact, hit.inside_token) if hit else (None,) * 4
    assert found == (variant, stated, exact, inside_token)


def test_every_variant_is_looked_for():
    """Each variant has its own exact and quasi-exact hit, in the order of the fact."""
    one, two, three = find_variants("Rome<OR>Lima<OR>Ro-me", "rome")
    assert (one.exact.end, one.quasi_exact.end) == (4, 4)
    assert (two.exact, two.quasi_exact, two.best) == (None, None, None)
    assert (three.exact, three.best.exact) == (None, False)


def test_folded_texts_keep_the_place_of_each_character():
    """Each character of a lowered and of a normalised text names the offset that it comes from."""
    for text in hostile_rows(500, seed=10).to_series(2):
        for folded in (fold_case(text), fold_normalised(fold_case(text))):
            assert len(folded.at) == len(folded.text)
            assert list(folded.at) == sorted(folded.at)
            assert all(one in text[at].lower() or one in "σς" for one, at in zip(folded.text, folded.at, strict=True))


@pytest.mark.parametrize(("text", "tokens"), read_cases(__file__, "pieces"))
def test_continues(text, tokens):
    """Words of scripts with case and numbers with their separators go on; everything else is cut."""
    cuts = [0, *(offset for offset in range(1, len(text)) if not continues(text, offset)), len(text)]
    assert [text[a:b] for a, b in pairwise(cuts)] == tokens


def test_token_around():
    """The larger token is the whole number or word that the stretch is cut from."""
    assert token_around("up 2,112.5%", 6, 8) == "2,112.5"
    assert token_around("up 12%", 3, 6) == "12%"
