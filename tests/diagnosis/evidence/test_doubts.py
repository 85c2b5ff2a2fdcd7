"""Doubts: what stands around a value that agrees, and may not be the answer."""

import pytest

from qaviz.diagnosis.combine_evidence import weigh
from qaviz.diagnosis.evidence import Case, Stance
from qaviz.scoring.facts import find_fact

CAPITAL = ("What is the capital?", "It is Paris.", "Paris")
FEE = ("What is the fee?", "It is 900 dollars a month.", "$900 per month")
BUYER = ("Who bought the firm?", "Kestrel bought it.", "Kestrel")
TITLE = ("What is her title?", "She is the president.", "president")
STATUS = ("What is the status?", "It is valid.", "valid")
LAND = ("这是哪个国家？", "中国", "中国")

CASES = [
    (CAPITAL, "It is Paris.", set()),
    (CAPITAL, "It is not Paris.", {"negation"}),
    (CAPITAL, "Lyon rather than Paris", {"rejected"}),
    (CAPITAL, "Paris is a common misconception.", {"rejected"}),
    (CAPITAL, "It is either Lyon or Paris", {"rival"}),
    (CAPITAL, "Perhaps it is Paris.", {"hedge"}),
    (CAPITAL, "It was formerly Paris.", {"role"}),
    (CAPITAL, "Lyon. Sorry, I mean Paris.", {"correction"}),
    (("What was it in 2020?", "Paris", "Paris"), "In 2018 it was Paris.", {"period"}),
    (BUYER, "Kestrel sold the firm.", {"opposite"}),
    (FEE, "It is $900 per month.", set()),
    (TITLE, "She is the vice president.", {"modifier"}),
    (("Which land is it?", "Guinea", "Guinea"), "It is Equatorial Guinea.", {"modifier"}),
    (LAND, "印度是发展中国家。", {"inside"}),
    (LAND, "是中国。", set()),
    (STATUS, "It is valid.", set()),
]


@pytest.mark.parametrize(("golden", "response", "doubted"), CASES, ids=[case[1] for case in CASES])
def test_what_stands_around_a_value_is_doubted(golden: tuple[str, str, str], response: str, doubted: set[str]):
    """The doubts of a response whose value agrees are those that a reader would have, and the stance stays."""
    question, answer, fact = golden
    hit = find_fact(fact, response)
    assert hit is not None
    (found,) = weigh([Case(question, answer, fact, response, hit.variant, hit.start, hit.end, hit.inside_token)])
    assert found.leading is not None
    assert found.leading.stance is Stance.AGREES
    assert found.doubted >= doubted
    assert bool(found.doubted) is bool(doubted)
