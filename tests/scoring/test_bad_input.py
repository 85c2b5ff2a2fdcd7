"""What no file should hold: the same clear error or the same defined scores in every engine, in bounded time."""

import importlib.util
import resource
from collections.abc import Callable

import polars as pl
import pytest

from qaviz.model import columns as c
from qaviz.model.errors import QavizError
from qaviz.scoring import score
from qaviz.scoring.bridge import score_with_fmeval
from tests.growth import ROOM, TIMES, growth

TWO_MEGABYTES = "Zürich has grown. " * (2_000_000 // 19)

with_fmeval = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python"),
]
every_engine = pytest.mark.parametrize(
    "engine", [pytest.param(score, id="qaviz"), pytest.param(score_with_fmeval, id="fmeval", marks=with_fmeval)]
)


@every_engine
@pytest.mark.parametrize(
    ("answer", "fact", "response", "fact_stated", "recall"),
    [
        pytest.param("a\0b c", "b\0", "A\0B\0 C", 1, 0.5, id="NUL"),
        pytest.param("Zürich", "zürich", TWO_MEGABYTES, 1, 1, id="2 MB response"),
        pytest.param("x y", "<OR>".join(map(str, range(10_000))), "9999 x", 1, 0.5, id="10,000 variants"),
        pytest.param(
            "<OR>".join(["q"] * 9_999 + ["x y"]), "<AND>".join("ab" * 5_000), "x ab", 1, 0.5, id="10,000 <AND>"
        ),
        pytest.param("x", "<OR>", "x", None, 1, id="no variant"),
        pytest.param("<OR>", "x", "x", 1, None, id="no answer variant"),
        pytest.param("x", "", "", None, 0, id="empty"),
        pytest.param("x", "x", "<OR>", 0, 0, id="a delimiter for a response"),
        pytest.param("NA", "null", "null", 1, 0, id="words that readers take for missing"),
        pytest.param("1e999", "nan", "NaN 1E999", 1, 1, id="words that readers take for numbers"),
        pytest.param("\U0010ffff x", "\U0010ffff", "\ufeffx \U0010ffff", 1, 0.5, id="last code point, BOM"),
    ],
)
def test_odd_texts_have_defined_scores(engine: Callable, answer, fact, response, fact_stated, recall):
    """Odd but possible texts are scored alike by every engine, and missing where there is nothing to score by."""
    row = engine(pl.DataFrame({c.ANSWER: [answer], c.FACT: [fact], c.RESPONSE: [response]})).row(0, named=True)
    assert (row[c.FACTUAL_KNOWLEDGE], row[c.RECALL]) == (fact_stated, recall)
    assert (row[c.UNSCORED_FACT] is None, row[c.UNSCORED_ANSWER] is None) == (
        fact_stated is not None,
        recall is not None,
    )


@every_engine
@pytest.mark.parametrize(
    ("columns", "problems"),
    [
        ({c.ANSWER: ["a"], c.FACT: ["a"]}, ["column response: found no such column; expected text."]),
        (
            {c.ANSWER: [1], c.FACT: [["a"]], c.RESPONSE: ["a"]},
            [
                "column answer: found values of type Int64; expected text.",
                "column fact: found values of type List(String); expected text.",
            ],
        ),
        (
            {c.ANSWER: ["a"], c.FACT: ["a"], c.RESPONSE: [b"a"]},
            ["column response: found values of type Binary; expected text."],
        ),
    ],
)
def test_tables_without_texts_are_refused(engine: Callable, columns, problems):
    """A missing column, numbers, lists and bytes are refused by every engine, all problems at once."""
    with pytest.raises(QavizError) as error:
        engine(pl.DataFrame(columns))
    assert [str(problem).split(" Load ")[0] for problem in error.value.problems] == problems


MILLION = 1_000_000
HOSTILE = {
    "articles": ("a an the " * (MILLION // 9), "the end"),
    "blanks": (" " * MILLION, "x"),
    "new lines": ("\n" * (MILLION // 2) + "x" + "\n" * (MILLION // 2), "x"),
    "punctuation": ("." * MILLION, "-"),
    "one letter": ("a" * MILLION, "a" * 1_000 + "b"),
    "hits inside a token": ("a" * MILLION, "a"),
    "hits inside a number": ("1," * (MILLION // 2), "1"),
    "quasi-exact hits inside a token": ("ab-" * (MILLION // 3), "ba"),
    "curly quotes": ("’" * MILLION, "x’y"),
    "capital sigma": ("Σ" * MILLION, "σ"),
    "letters that grow": ("İ" * MILLION, "i"),
    "delimiters": ("<OR>" * (MILLION // 4), "<or><or>b"),
    "digits and points": ("1.1," * (MILLION // 4), "-1.1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_responses_take_linear_time(kind):
    """A response of a million characters, made to send searches back and forth, is scored in linear time."""
    response, fact = HOSTILE[kind]

    def work(size: int) -> None:
        score(pl.DataFrame({c.ANSWER: ["the end of it"], c.FACT: [fact], c.RESPONSE: [response[-size:]]}))

    assert growth(work, MILLION // TIMES) < ROOM


def test_a_hostile_golden_dataset_takes_linear_time():
    """An answer and a fact of a million characters are scored in linear time, however many variants they have."""

    def work(size: int) -> None:
        rows = {
            c.ANSWER: ["the " * (size // 4), "x<OR>" * (size // 50)],
            c.FACT: ["<OR>" * (size // 50) + "x", "a" * size],
            c.RESPONSE: ["a x b", "a" * 1_000],
        }
        score(pl.DataFrame(rows))

    assert growth(work, MILLION // TIMES) < ROOM


def test_many_variants_of_a_long_response_take_bounded_memory():
    """A fact of 10,000 variants against a response of 1,000,000 characters copies the response for none of them."""
    fact = "<OR>".join(f"no{number}’" for number in range(10_000))
    rows = pl.DataFrame({c.ANSWER: ["x"], c.FACT: [fact], c.RESPONSE: ["it’s -" * (MILLION // 6)]})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert score(rows)[c.FACTUAL_KNOWLEDGE].to_list() == [0.0]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000, "in KiB"
