"""Scoring and diagnosing of untrusted files: bounded variants."""

import pytest

from qaviz.bulk.chunks import stream_files
from qaviz.loading import Source, load
from qaviz.model.columns import VARIANT_LIMIT
from qaviz.model.errors import QavizError
from tests.fmeval_files import fact_row, fmeval_file
from tests.loading.files import jsonl

RESPONSE = {"question": "How much was revenue?", "pipeline": "A", "response": "It was 5 million in 2021. " * 20}


def triplet(joined: str, count: int, field: str = "fact") -> Source:
    """A golden dataset of one triplet, whose fact or answer has so many variants."""
    text = joined.join(f"${number} million" for number in range(count))
    return jsonl(
        "g.jsonl", {"question": "How much was revenue?", "answer": "$5 million", "fact": "$5 million"} | {field: text}
    )


@pytest.mark.parametrize(
    ("joined", "field", "count"),
    [
        *((joined, "fact", VARIANT_LIMIT + 1) for joined in ("<OR>", "<AND>", " <OR> ", "<OR><OR>")),
        ("<OR>", "answer", VARIANT_LIMIT + 1),
        ("<OR>", "fact", 25_000),
    ],
)
def test_too_many_variants_are_refused(joined: str, field: str, count: int):
    """A fact or answer of 25,000 variants, which takes minutes to look for, is refused with its line and the limit."""
    words = rf"g\.jsonl line 1: found [\d,]+ variants in one {field}; expected at most 1,000"
    with pytest.raises(QavizError, match=words):
        load(triplet(joined, count, field), [jsonl("r.jsonl", RESPONSE)])


def test_as_many_variants_as_are_allowed_are_scored():
    """A fact of 1,000 variants is scored and diagnosed within the limit of time."""
    chunks = list(stream_files(triplet("<OR>", VARIANT_LIMIT), [jsonl("r.jsonl", RESPONSE)]))
    assert sum(chunk.rows.height for chunk in chunks) == 1


def test_fmevals_own_output_has_no_more_variants():
    """The golden dataset that FMEval's output holds is bounded like any other."""
    output = fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "Here.", "<OR>".join(map(str, range(2_000)))))
    with pytest.raises(QavizError, match="2,000 variants in one fact"):
        list(stream_files(output, [], keep_scores=True))
