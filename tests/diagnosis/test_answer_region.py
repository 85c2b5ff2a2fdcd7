"""The answer region: what wraps an answer and what says nothing of the question are no part of it."""

import pytest

from benchmarks.pairs import NEUTRAL
from qaviz.diagnosis.answer_region import find_region, unwrap
from qaviz.diagnosis.golden_texts import read_triplet
from tests.cases import read_cases

WHO = read_triplet("Who wrote the novel?", "Ana Lima", "Ana Lima")


@pytest.mark.parametrize(("response", "expected"), read_cases(__file__, "cases/wrapped"))
def test_wrappers_are_left_out(response, expected):
    """Lead-ins, brackets, quotes, marks, citations and JSON of one value go; brackets inside stay."""
    assert unwrap(response).text == expected


@pytest.mark.parametrize("language", NEUTRAL)
def test_neutral_sentences_are_left_out(language):
    """What stands around the answer in nine languages leaves the sentence that answers, quoted where it stands."""
    answer = "The novel was written by Ana Lima."
    response = f"{NEUTRAL[language]}\n{answer} {NEUTRAL[language]}"
    region = find_region(response, WHO, "en")
    start, end = region.as_written(region.text.index("Ana Lima"), region.text.index("Ana Lima") + 8)
    assert answer in region.text
    assert len(region.text) < len(answer) + 40
    assert response[start:end] == "Ana Lima"


AROUND = [
    *(f"{{}} {neutral}" for neutral in NEUTRAL.values()),
    f"{NEUTRAL['en']} {{}}",
    f"{NEUTRAL['en']}\n\n{{}}\n\n{NEUTRAL['en']}",
    *("The answer is: {}", "**Final answer:** {}", "## Answer\n\n{}", "({})", "[{}]", '"{}"', "“{}”", "- {}"),
    *("`{}`", "```\n{}\n```", "{} [1]", "{} (Source: document 3)", '{{"answer": "{}"}}', "\n  {} \n"),
    "{}\n\nI hope this helps! Let me know if you have any questions.",
]


@pytest.mark.parametrize("sentence", ["The novel was written by {} in 1998.", "The  novel  was  written  by  {}."])
@pytest.mark.parametrize("name", ["Ana Lima", "ANA  LIMA"])
@pytest.mark.parametrize("around", AROUND)
def test_places_are_those_of_the_response(around, name, sentence):
    """Whatever stands around a name, and however it is written, the region's place of it is the response's."""
    response = around.format(sentence.format(name))
    region = find_region(response, WHO, "en")
    at = region.text.lower().index("ana lima")
    start, end = region.as_written(at, at + 8)
    assert response[start:end].lower().replace("  ", " ") == "ana lima"


def test_a_text_of_signs_alone_stays():
    """A response without a letter is no error."""
    assert unwrap("***").text == "***"
    assert find_region("...", WHO, "en").text == "..."
