"""Where a response states the fact."""

from itertools import pairwise

import pytest

from qaviz.scoring.facts import continues, find_fact, find_variants, fold_case, fold_normalised, token_around
from tests.scoring.hostile import hostile_rows


@pytest.mark.parametrize(
    ("fact", "response", "variant", "stated", "exact", "inside_token"),
    [
        ("Rome", "In ROME, yes", "Rome", "ROME", True, False),
        ("12%", "Revenue rose 112%", "12%", "12%", True, True),
        ("12%", "112% or 12%", "12%", "12%", True, False),
        ("134", "about 134.4 billion", "134", "134", True, True),
        ("4 billion", "about 134.4 billion", "4 billion", "4 billion", True, True),
        ("750", "10,317,750,796 shares", "750", "750", True, True),
        ("2023", "in FY2023.", "2023", "2023", True, False),
        ("5 million", "5 millions", "5 million", "5 million", True, True),
        ("東京", "日本の東京は", "東京", "東京", True, False),
        ("10317750796", "(10,317,750,796).", "10317750796", "10,317,750,796", False, False),
        ("the co-op bank", "Our «Co. op  The Bank!»", None, None, None, None),
        ("coop bank", "Our Co-op, the Bank!", "coop bank", "Co-op, the Bank", False, False),
        ("x<OR>12%<OR>112", "112%", "112", "112", True, False),
        ("<OR>Rome", "In Rome", "Rome", "Rome", True, False),
        ("<OR>Rome", "In Paris", "", "", True, False),
        ("red<AND>blue", "blue, red", "red", "red", True, False),
        ("red<AND>2", "red 12", "2", "2", True, True),
        ("red<AND>blue", "red", None, None, None, None),
        # "th" is only in the text as written, "rome paris" only in the normalised one: neither way finds both.
        ("th<AND>rome paris", "the Rome, Paris", None, None, None, None),
        ("rome paris<AND>x", "Rome, Paris; X", "rome paris", "Rome, Paris", False, False),
        ("istanbul", "İ İ İstanbul", None, None, None, None),
        ("i̇stanbul", "İ İ İstanbul!", "i̇stanbul", "İstanbul", True, False),
        ("stanbul", "İ İ İstanbul!", "stanbul", "stanbul", True, True),
    ],
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


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("112%", ["112", "%"]),
        ("134.4bn", ["134.4", "bn"]),
        ("10,317,750", ["10,317,750"]),
        ("1. 2", ["1", ".", " ", "2"]),
        ("FY2023", ["FY", "2023"]),
        ("été", ["été"]),
        ("東京", ["東", "京"]),
        ("it's", ["it", "'", "s"]),
    ],
)
def test_continues(text, tokens):
    """Words of scripts with case and numbers with their separators go on; everything else is cut."""
    cuts = [0, *(offset for offset in range(1, len(text)) if not continues(text, offset)), len(text)]
    assert [text[a:b] for a, b in pairwise(cuts)] == tokens


def test_token_around():
    """The larger token is the whole number or word that the stretch is cut from."""
    assert token_around("up 2,112.5%", 6, 8) == "2,112.5"
    assert token_around("up 12%", 3, 6) == "12%"
