"""Whether a response gives the golden date, case by case."""

import pytest

from qaviz.diagnosis.evidence import Stance
from qaviz.diagnosis.evidence.dates import asks_date, compare

AGREES, CONTRADICTS, ABSENT, SILENT = Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT


def stance(golden: str, response: str, question: str = "When was it?") -> Stance:
    return compare(golden, response, question).stance


@pytest.mark.parametrize(
    ("golden", "response", "expected"),
    [
        ("Feb 22 2023", "On February 22nd, 2023.", AGREES),
        ("Feb 22 2023", "On 2023-02-22.", AGREES),
        ("Feb 22 2023", "On 22/02/2023.", AGREES),
        ("Feb 22 2023", "Ngày 22 tháng 2 năm 2023.", AGREES),
        ("Feb 22 2023", "On February 23, 2023.", CONTRADICTS),
        ("Feb 22 2023", "On March 22, 2023.", CONTRADICTS),
        ("Feb 22 2023", "On February 22, 2022.", CONTRADICTS),
        ("Feb 22 2023", "In March 2023.", CONTRADICTS),
        ("Feb 22 2023", "In 2022.", CONTRADICTS),
        ("Feb 22 2023", "In Seattle.", ABSENT),
        ("3 May 2023", "On 05/03/2023.", AGREES),
        ("3 May 2023", "On 03/05/2023.", AGREES),
        ("3 May 2023", "On 03/06/2023.", CONTRADICTS),
        ("03/05/2023", "On 5 March 2023.", AGREES),
        ("03/2019", "March 2019.", AGREES),
        ("03/2019", "May 2019.", CONTRADICTS),
        ("March 2019", "It was signed in 05/2019.", CONTRADICTS),
        ("1997", "In 1997.", AGREES),
        ("1997", "On 3 May 1997.", AGREES),
        ("1997", "In 1998.", CONTRADICTS),
        ("1997", "It opened in 1997 and closed in 2004.", AGREES),
        ("one thousand, nine hundred and five", "In 1905.", AGREES),
        ("May 1997", "On 3 May 1997.", AGREES),
        ("December", "On December 7, 1941.", AGREES),
        ("December", "On 7 November 1941.", CONTRADICTS),
        ("July 20", "On July 20, 1969.", AGREES),
        ("July 20", "On July 21, 1969.", CONTRADICTS),
        ("July 20", "In 1969.", ABSENT),
        ("the 1930s", "In 1935.", AGREES),
        ("the 1930s", "In the 1930s.", AGREES),
        ("the 1930s", "In the 1950s.", CONTRADICTS),
        ("12th century", "In 1123.", AGREES),
        ("12th century", "In the twelfth century.", AGREES),
        ("12th century", "In the 13th century.", CONTRADICTS),
        ("1483-1520", "In 1500.", AGREES),
        ("1483-1520", "In 1530.", CONTRADICTS),
        ("the 60s", "In the 1960s.", AGREES),
        ("1960s", "In the sixties.", AGREES),
        ("the 1960s", "In his 60s.", ABSENT),
        ("1564-1593", "1563-1593", CONTRADICTS),
        ("1939-45", "From 1939 to 1945.", AGREES),
        ("1939 -- 1945", "From 1939 until 1945.", AGREES),
        ("between 1939 and 1945", "1939–1945", AGREES),
        ("between 1939 and 1945", "In 1942.", AGREES),
        ("between 1939 and 1945", "In 1946.", CONTRADICTS),
        ("1939 and 1945", "In 1942.", CONTRADICTS),
        ("44 BC", "In 44 BCE.", AGREES),
        ("44 BC", "In AD 44.", CONTRADICTS),
        ("1973, 1974, 1977", "In 1973, 1974 and 1977.", AGREES),
        ("1973, 1974, 1977", "In 1973 and 1974.", CONTRADICTS),
        ("Friday, 27 October 2017", "27 October 2017", AGREES),
    ],
)
def test_same_date_in_other_words(golden: str, response: str, expected: Stance):
    """Dates agree where every part that the golden one gives is the same, in whatever form."""
    assert stance(golden, response) is expected


@pytest.mark.parametrize(
    ("golden", "response"),
    [
        ("3 May 1997", "In 1997."),
        ("3 May 1997", "In May 1997."),
        ("3 May 1997", "On 3 May."),
        ("1935", "In the 1930s."),
    ],
)
def test_less_exact_date_agrees_weakly(golden: str, response: str):
    """A date that differs in nothing and leaves a part out agrees at half strength, and says so."""
    found = compare(golden, response, "When was it?")
    assert (found.stance, found.strength) == (AGREES, 0.5)
    assert "less exact" in found.note


@pytest.mark.parametrize(
    ("golden", "response", "question", "expected"),
    [
        # a fact that is a date counts whatever is asked
        ("1066", "In 1065.", "What is known as the Conquest?", CONTRADICTS),
        # a longer answer only where the question asks when, by its first date
        ("It bought it on February 22, 2023, for cash.", "February 22, 2023", "When did it buy it?", AGREES),
        ("It bought it on February 22, 2023, for cash.", "In 2021", "When did it buy it?", CONTRADICTS),
        ("In 1912, in Stockholm", "1912", "In what year's Olympics was it used?", AGREES),
        ("John Ford (1895-1973)", "John Ford, in 1939", "Who directed it?", SILENT),
        ("Third Crusade (1189-1192)", "In 1190", "Which crusade was it?", SILENT),
        # an amount is no year
        ("1132", "In 2005 it was 1132.", "How many people had sat there?", SILENT),
        ("1905", "1905", "Bao nhiêu người?", SILENT),
        # the question's dates are no evidence
        ("July 20", "It was July 20, 1969.", "On what date in 1969 was it?", AGREES),
        ("1935", "In 1969.", "When, before 1969, was it?", ABSENT),
        ("1969", "In 1969.", "What happened in 1969?", SILENT),
        # nothing to compare
        ("Seattle", "In 1997.", "When?", SILENT),
        ("", "In 1997.", "When?", SILENT),
        ("1997", "", "When?", ABSENT),
    ],
)
def test_which_dates_matter(golden: str, response: str, question: str, expected: Stance):
    """A golden date counts where the text is that date, or where the question asks when."""
    assert stance(golden, response, question) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was it founded?", True),
        ("It was launched when?", True),
        ("In which year did it begin?", True),
        ("In what year's Olympics was it?", True),
        ("In which decade of the century?", True),
        ("Give any year in the life of Raphael.", True),
        ("Name the year: it sank.", True),
        ("Khi nào công ty mua lại?", True),
        ("Công ty thành lập năm nào?", True),
        ("How old was he when he died?", False),
        ("What is its year end balance?", False),
        ("Which region grew most?", False),
        ("What are the year-end accounts?", False),
        ("", False),
    ],
)
def test_asks_date(question: str, expected: bool):
    """A question asks when by its question word, not by the word "when" or "year" anywhere."""
    assert asks_date(question) is expected


def test_evidence_quotes_both_sides():
    """Evidence carries the golden words, the response's words at their place, and both in the note."""
    response = "It was bought on 22/02/2023, net of cash."
    found = compare("February 22, 2023", response, "When was it bought?")
    assert found.golden is not None
    assert found.response is not None
    assert response[found.response.start : found.response.end] == found.response.text == "22/02/2023"
    assert found.note == "22/02/2023 is February 22, 2023"


@pytest.mark.parametrize(
    ("response", "note"),
    [
        ("On 3 May 1997.", "states the golden 3 May 1997"),
        ("On 4 May 1997.", "Gives 4 May 1997 where the golden date is 3 May 1997"),
        ("Nobody knows.", "Gives no date where the golden one is 3 May 1997"),
    ],
)
def test_note_says_why(response: str, note: str):
    """The note says in plain words what the response gives."""
    assert compare("3 May 1997", response, "When?").note == note


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("It lasted from 1955 to 1975.", AGREES),
        ("It began in 1955.", AGREES),
        ("It was in the 1950s, 1960s and 1970s.", CONTRADICTS),
        ("It began in 1965 and ended in 1973.", CONTRADICTS),
        ("It lasted from 1955 to 1973.", CONTRADICTS),
    ],
)
def test_when_something_began_and_ended_is_no_year_in_between(response: str, expected: Stance):
    """Where the question asks for the ends of a span, a year amid the two is another answer."""
    assert stance("1955 to 1975", response, "When did it start and end?") is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [("12th", AGREES), ("the twelfth.", AGREES), ("13th", CONTRADICTS), ("It is old.", ABSENT)],
)
def test_a_century_needs_no_word_where_the_question_has_it(response: str, expected: Stance):
    """A mere `12th` answers in which century."""
    assert stance("12th century", response, "In which century was it built?") is expected
