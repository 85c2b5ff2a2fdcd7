"""What a response says beside the fact: a part of the golden answer."""

from functools import lru_cache

from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.scoring.definition import words_of


def part_of(answer: str, fact: str, question: str, response: str) -> frozenset[str]:
    """Return what the response says beyond the question, if it is what the golden answer says beside the fact.

    Nothing, if it says anything else.
    """
    asked, golden = _telling(question), _telling(answer)
    if (
        len(response) > _BEGINNING
        and not _telling(response[: response.rfind(" ", 0, _BEGINNING) + 1]) <= asked | golden
    ):
        return frozenset()
    said = _telling(response) - asked
    return said if said <= golden and not said <= _telling(fact) else frozenset()


_BEGINNING = 120
"""Characters of a longer response that are looked at first: most say something else there already."""


_FUNCTION_WORDS = frozenset(
    words_of(
        "about all also and any are as at be been but by can could did do does for from had has have he her his how i "
        "if in into is it its many may more much no not of on one or our she so some such than that the their them "
        "there these they this to was we were what when where which who whose why will with would you your"
    )
)


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    """Return the normalised words of a text that are more than grammar."""
    return frozenset(words_of(text.replace(OR_DELIMITER, " ").replace(AND_DELIMITER, " "))) - _FUNCTION_WORDS
