"""Times of day: `8 pm`, `8:00 p.m.`, `20:00` and `noon`, and whether a response gives the golden one."""

import re
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.clauses import holds_any, level_text
from qaviz.diagnosis.evidence.lexicon import word_set

KIND = "time"

READ = 20_000
"""Characters of a text that are read."""
_SPELLED = {"noon": 12, "midday": 12, "midnight": 0}
_TIME = re.compile(
    r"(?<![\w.,:$€£/-])(?P<hour>\d{1,2})(?:(?::|\.(?=\d\d ?[ap]\.?m))(?P<minute>[0-5]\d))?(?![:.,]?\d)"
    r"(?: ?(?P<half>[ap])\.?m\b\.?| (?P<clock>o'clock)\b(?: in the (?P<part>morning|afternoon|evening))?|(?![\w%]))"
    r"|\b(?P<spelled>noon|midday|midnight)\b"
)
_AT = re.compile(r"\b(?:at|until|till|by) (?:about |around )?$")
_ASKS_TIME = re.compile(r"\b(?:what|which) (?:\w+ )?(?:time|hour)\b|\bwhen\b|\b(?:clos|open|start|begin)")
_LONGEST = 80
"""Characters of a golden text that may be a time of day."""
_MARKS = (":", "m", "o'clock", "noon", "midday")
"""A golden text without any of these is none: cheap to look for, before the pattern is."""
_FILLER = word_set(
    "at around about approximately by from to until till and the in on each every day daily local time eastern central "
    "mountain pacific standard daylight et est edt ct cst cdt mt mst mdt pt pst pdt gmt utc bst cet morning afternoon "
    "evening night"
)
"""Words beside a time that change nothing of it here."""
_WORDS = re.compile(r"[^\W_]+")


class Time(NamedTuple):
    """A time of day as written: offsets into the text, and when it is."""

    start: int
    end: int
    minutes: int
    """After midnight; of the morning, where the text does not say which half of the day."""
    either: bool
    """Whether the text leaves open which half of the day: `8:00`."""


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Whether `response` gives the golden time of day, in any form; time zones are not looked at.

    AGREES: it gives all that the golden text gives. CONTRADICTS: it gives another one. ABSENT: it gives none. SILENT:
    the golden text is no time of day.
    """
    wanted = _find_wanted_times(golden, question)
    if not wanted:
        return Evidence(KIND, Stance.SILENT)
    said = find(response[:READ])
    verdicts = [_verdict(golden, time, response, said) for time in wanted]
    return min(verdicts, key=lambda evidence: (Stance.CONTRADICTS, Stance.ABSENT, Stance.AGREES).index(evidence.stance))


def _verdict(golden: str, wanted: Time, response: str, said: tuple[Time, ...]) -> Evidence:
    words = Span(wanted.start, wanted.end, golden[wanted.start : wanted.end])
    if not said:
        return Evidence(KIND, Stance.ABSENT, words, note=f"Gives no time where the golden one is {words.text}")
    same = next((time for time in said if _is_same(wanted, time)), None)
    found = same or said[0]
    stated = Span(found.start, found.end, response[found.start : found.end])
    if same:
        return Evidence(KIND, Stance.AGREES, words, stated, f"{stated.text} is {words.text}", 0.9)
    note = f"Gives {stated.text} where the golden time is {words.text}"
    return Evidence(KIND, Stance.CONTRADICTS, words, stated, note, 0.8)


def _is_same(one: Time, other: Time) -> bool:
    day = 12 * 60 if one.either or other.either else 24 * 60
    return (one.minutes - other.minutes) % day == 0


@lru_cache(maxsize=4096)
def _find_wanted_times(golden: str, question: str) -> tuple[Time, ...]:
    """The times that a golden text is; none where it says more, or is a score or a duration."""
    level = level_text(golden)
    if len(level) > _LONGEST or not holds_any(level, _MARKS):
        return ()
    times = find(golden)
    ends, starts = [0, *(time.end for time in times)], [*(time.start for time in times), len(level)]
    beside = _WORDS.findall(" ".join(level[end:start] for end, start in zip(ends, starts, strict=True)))
    if not times or not _FILLER.issuperset(beside):
        return ()
    if all(time.either for time in times) and not _ASKS_TIME.search(level_text(question)):
        return ()
    return times


@lru_cache(maxsize=1024)
def find(text: str) -> tuple[Time, ...]:
    """The times of day of a text, in order: a number alone is none, unless `at` stands before it."""
    level = level_text(text)
    return tuple(time for match in _TIME.finditer(level) if (time := _time(match, level)))


def _time(match: re.Match[str], level: str) -> Time | None:
    if match["spelled"]:
        return Time(*match.span(), _SPELLED[match["spelled"]] * 60, either=False)
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = match["half"] or {"morning": "a", None: ""}.get(match["part"], "p")
    plain = not half and not match["clock"]
    if hour > 24 or (half and not 0 < hour <= 12):
        return None
    if (
        plain
        and not match["minute"]
        and (hour > 12 or not _AT.search(level, max(0, match.start() - 14), match.start()))
    ):
        return None
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return Time(*match.span(), hour * 60 + minute, either=not half and 0 < hour <= 12)
