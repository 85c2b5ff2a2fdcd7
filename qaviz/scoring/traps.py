"""Warnings: why the scores of one response may mislead. The scores themselves stay FMEval's."""

import re
from collections.abc import Iterator

from qaviz.scoring.definition import fact_scores, fact_variants, normalise
from qaviz.scoring.hits import Hit, find_fact, token_around

_CURLY = str.maketrans("‘’‛′“”„", "''''\"\"\"")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![0-9A-Za-z])-?[0-9][0-9.,]*")


def warnings(fact: str, response: str) -> list[str]:
    """Return a sentence for each trap that the scores of this response have walked into; empty if none."""
    hit = find_fact(fact, response)
    found = [*_of_variants(fact, response), *(_of_hit(hit, response) if hit else ())]
    if not fact_scores(fact, response).quasi_exact:
        straight = fact_scores(fact.translate(_CURLY), response.translate(_CURLY))
        if straight.quasi_exact:
            found.append("curly apostrophe: with straight quotes on both sides the fact would be found")
    return found


def _of_variants(fact: str, response: str) -> Iterator[str]:
    variants = fact_variants(fact)
    lower = response.lower()
    for number, variant in enumerate(variants, start=1):
        if not normalise(variant.strip()):
            yield f"empty variant: variant {number} of {len(variants)} normalises to nothing, and hits every response"
        elif variant.lower() not in lower and variant.strip().lower() in lower:
            yield f"blank in a variant: “{variant}” needs the blank beside its delimiter in the response too"


def _of_hit(hit: Hit, response: str) -> Iterator[str]:
    stated = response[hit.start : hit.end]
    if hit.inside_token:
        token = token_around(response, hit.start, hit.end)
        yield f"inside a larger token: “{stated}” is there only as a part of “{token}”"
    if not hit.exact:
        signed = response[max(hit.start - 1, 0) : hit.end]
        if _numbers(hit.variant) not in (_numbers(stated), _numbers(signed)):
            yield f"sign or decimal point lost: “{stated}” is not “{hit.variant.strip()}”"


def _numbers(text: str) -> list[str]:
    """Return the numbers of a text with sign and decimal point, without thousands separators."""
    return [number.rstrip(".,") for number in _NUMBER.findall(_THOUSANDS.sub("", text))]
