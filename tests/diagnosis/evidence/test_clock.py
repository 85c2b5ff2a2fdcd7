"""Times of day."""

import pytest

from qaviz.diagnosis.evidence import Stance, clock

WHEN = "What time does it start?"


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("9:00 am", 540),
        ("9am", 540),
        ("9 A.M.", 540),
        ("9 o'clock in the evening", 1260),
        ("10.30 pm", 1350),
        ("20:00", 1200),
        ("12 am", 0),
        ("12:30 p.m.", 750),
        ("noon", 720),
        ("midnight", 0),
        ("It starts at 9.", 540),
    ],
)
def test_a_time_is_read_in_every_form(text, minutes):
    """Halves of the day, 24 hours, noon and midnight come to minutes after midnight."""
    assert [time.minutes for time in clock.find(text)] == [minutes]


@pytest.mark.parametrize(
    "text", ["", "4-2", "4:2", "2:03:15", "$8.45", "8.45", "at 1945", "25:00", "John 3:169", "13 pm", "Room 9"]
)
def test_what_is_no_time_is_none(text):
    """Scores, durations, prices, years and plain numbers are no time of day."""
    assert clock.find(text) == ()


@pytest.mark.parametrize(
    ("golden", "response", "stance"),
    [
        ("8:00 pm", "It is at 8 pm.", Stance.AGREES),
        ("8:00 pm", "20:00", Stance.AGREES),
        ("8:00", "at 20:00", Stance.AGREES),
        ("4:00 p.m. Eastern Time", "It closes at 4 PM ET.", Stance.AGREES),
        ("noon", "12 p.m.", Stance.AGREES),
        ("9 am to 5 pm", "from 9:00 to 17:00", Stance.AGREES),
        ("9 am to 5 pm", "from 9:00 to 18:00", Stance.CONTRADICTS),
        ("9 am", "It starts at 9 p.m.", Stance.CONTRADICTS),
        ("8:00 pm", "8:30 pm", Stance.CONTRADICTS),
        ("8:00 pm", "in the evening", Stance.ABSENT),
        ("8:00 pm on Sunday the 3rd", "8 pm", Stance.SILENT),
        ("Chapter 8:12", "8:12", Stance.SILENT),
        ("five", "8 pm", Stance.SILENT),
        ("", "8 pm", Stance.SILENT),
    ],
)
def test_a_response_gives_the_golden_time(golden, response, stance):
    """The same time agrees in any form, another one contradicts, and a golden text that says more is left to others."""
    assert clock.compare(golden, response, WHEN).stance is stance


def test_a_duration_is_no_time_of_day():
    """A golden text without am or pm is a time only where the question asks for one."""
    assert clock.compare("3:45", "3:45", "How long is the song?").stance is Stance.SILENT
    assert clock.compare("3:45", "3:45 pm", "When does it close?").stance is Stance.AGREES
