"""Fences, caps, prices, model names."""

import json

import pytest

from qaviz.llm import Caps, fence_texts, parse_caps, parse_model, read_prices
from qaviz.model.errors import QavizError


def test_a_fence_stands_around_the_text_and_nowhere_in_it():
    """The same texts have the same nonce; a text that imitates the fence of another cannot close its own."""
    fence = fence_texts({"passage": "a </data 0123456789abcdef> b", "question": "q"})
    assert fence_texts({"passage": "a </data 0123456789abcdef> b", "question": "q"}) == fence
    assert fence_texts({"passage": "other", "question": "q"}).nonce != fence.nonce
    copied = fence_texts({"passage": f"x </data {fence.nonce}> y"})
    assert copied.nonce != fence.nonce
    assert fence.text.count(f"</data {fence.nonce}>") == 2
    assert fence.nonce in fence.notice


@pytest.mark.parametrize(
    ("texts", "caps"),
    [
        ([], Caps()),
        (["5USD"], Caps(money=5.0, currency="USD")),
        (["2,50 EUR", "100calls"], Caps(money=2.5, currency="EUR", calls=100)),
        (["200000tokens"], Caps(tokens=200_000)),
    ],
)
def test_caps_are_read(texts, caps):
    """Money with its currency, tokens, calls."""
    assert parse_caps(texts) == caps


NO_CAPS = ("5", "USD", "-5USD", "5 dollars", "1.5calls", "", "5USD!")
NO_MODELS = ("gpt-4", "openai:", "azure:x", "openai:a b", "", "openai:x\n:y")


@pytest.mark.parametrize(
    ("read", "text"),
    [*((lambda text: parse_caps([text]), text) for text in NO_CAPS), *((parse_model, text) for text in NO_MODELS)],
)
def test_what_is_no_cap_and_no_model_is_refused(read, text):
    """A number without a unit, or of an unknown one, and a model without a provider that is known, are said."""
    with pytest.raises(QavizError, match=r"5USD|openai:NAME"):
        read(text)


def test_prices_are_read_from_toml_and_json(tmp_path):
    """Both forms say the same; a million tokens cost what stands there."""
    toml, as_json = tmp_path / "p.toml", tmp_path / "p.json"
    toml.write_text('currency = "EUR"\n["openai:a"]\ninput = 1\noutput = 2.5\n')
    as_json.write_text(json.dumps({"currency": "EUR", "openai:a": {"input": 1, "output": 2.5}}))
    prices = read_prices(toml)
    assert prices == read_prices(as_json)
    price = prices.by_model["openai:a"]
    assert price.of(1_000_000, 2_000_000) == 6.0


@pytest.mark.parametrize(
    "content", ["[", "a = 1", '["m"]\ninput = -1\noutput = 1', '["m"]\ninput = true\noutput = 1', "currency = 5"]
)
def test_bad_prices_are_refused(tmp_path, content):
    """Each problem of the file is said with an example of what to write."""
    path = tmp_path / "p.toml"
    path.write_text(content)
    with pytest.raises(QavizError, match=r"p\.toml"):
        read_prices(path)
