"""Another name in place of the golden one."""

import pytest

from qaviz.diagnosis.evidence import Stance, phrases

WHO = "Who was it?"
WHAT = "What is it called?"


@pytest.mark.parametrize(
    ("golden", "response"),
    [
        ("Richard I", "Richard III"),
        ("Elizabeth I", "Queen Elizabeth the Second"),
        ("George V", "King George VI"),
        ("Anna Novak", "Boris Novak"),
        ("Anna Novak", "Boris Smith-Novak"),
        ("Anna Novak", "It was Boris J. Novak."),
        ("Anna Novak", "Novak Jones did it."),
        ("Anna Novak", "Anna Jones"),
        ("Anna Novak", "King Anna"),
    ],
)
def test_another_person_of_that_name_is_not_the_golden_one(golden, response):
    """Another number, given name or surname beside a part of the golden name makes another person."""
    assert phrases.compare(golden, response, WHO).stance is not Stance.AGREES


@pytest.mark.parametrize(
    ("golden", "response"),
    [
        ("Richard I", "King Richard"),
        ("Richard I", "Richard I of England"),
        ("Marie Novak", "Madame Novak"),
        ("Marie Novak", "Marie Smith-Novak"),
        ("Jeff Novak", "Jeffrey Preston Novak"),
        ("R.J. Novak", "Reginald Joseph Novak"),
        ("RJ Novak", "R. J. Novak"),
        ("Lauren Novakova", "Lauren Novokova"),
        ("Nikita Khruschev", "Nikita Khrushchev"),
        ("Anna Novak", "She ends up with Anna."),
        ("Puff the Magic Dragon", "Puff"),
        ("Gary Novak & the Playboys", "Gary Novak"),
        ("Novak King", "King"),
        ("Anna Novak and Boris Smith", "Boris Smith and Anna Novak"),
    ],
)
def test_the_same_person_in_another_form_is_the_golden_one(golden, response):
    """Middle names, initials, titles, a slip of the pen and a name that everybody knows change nothing."""
    assert phrases.compare(golden, response, WHO).stance is Stance.AGREES


def test_one_of_two_people_is_not_both():
    """A golden text of two people asks for both."""
    assert phrases.compare("Anna Novak and Boris Smith", "Boris Smith", WHO).stance is Stance.ABSENT


@pytest.mark.parametrize(
    ("golden", "response"),
    [
        ("Gulf of California", "the Gulf of Mexico"),
        ("South Dakota", "North Dakota"),
        ("Harry Smith and the Stone of Anger", "Harry Smith and the Chamber of Jokes"),
        ("Blue Lake of Dreams", "Blue Lake Bandits"),
    ],
)
def test_another_place_or_work_of_that_beginning_is_not_the_golden_one(golden, response):
    """What shares a word with the golden name and goes on with another name does not agree with it."""
    assert phrases.compare(golden, response, WHAT).stance is not Stance.AGREES


@pytest.mark.parametrize(
    ("golden", "response"),
    [
        ("Static friction", "It is called friction."),
        ("Springfield, Illinois", "Springfield"),
        ("Pittsburgh, Pennsylvania", "Pittsburgh, PA"),
    ],
)
def test_a_shorter_name_is_the_golden_one(golden, response):
    """Verbs of naming are no part of a name, and a place needs no country; a US city is no list of cities."""
    assert phrases.compare(golden, response, WHAT).stance is Stance.AGREES
    assert (
        phrases.compare(golden, response, "Which US city or force is famous for 5,280 things?").stance is Stance.AGREES
    )


def test_a_team_is_said_by_its_city():
    """Who won may be a team, of which the city is enough, and not a person, of whom the surname is needed."""
    assert phrases.compare("Denver Broncos", "Denver", "Who won the cup?").stance is Stance.AGREES
    assert phrases.compare("Denver Broncos", "Denver Nuggets", "Who won the cup?").stance is Stance.CONTRADICTS
