"""The tokens of a text: read once, remembered."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from qaviz.reading import amounts, dates
from qaviz.reading.level import LETTERS, READ, REMEMBERED, compose, level_text
from qaviz.reading.tables import SIGNS, Table, table, units
from qaviz.reading.token import EXCEPT, Date, Granularity, Kind, Token

_ASCII_WORDS = re.compile("[a-z]+")
_DIGITS = re.compile(rf"[\d{''.join(amounts.VULGAR)}]\d*")
_CHUNK = re.compile(r"[\w#+&]+(?:[-./][\w+]+)*\+*")
_LEFT_OF_CODE = re.compile(r"[^\W_]*[^\W\d_]-?$")
_NUMBERED = re.compile(
    r"""
      (?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!\d{4})|(?!\d))){4}    # 192.168.0.1, and not 1.000.000.000
    | \+?(?:\d{1,3}[ ])?\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}(?!\d)              # a telephone number
    | \d{3}[- ]\d{4}(?!\d)
    | \d{5}-\d{4}(?!\d)                                                   # a ZIP code
    | (?!(?:19|20)\d\d-\d\d?-\d)\d+-\d+-\d+(?:-\d+)*
    | (?!\d{1,3}(?:\.\d{3})+(?![\d.]))\d+(?:\.\d+){2,}(?![\d,])
    | \d+-?[a-z](?![\w²³/])
    """,
    re.VERBOSE,
)
_MARKER = re.compile(r"\d{1,2}[.)]\**[ \t]+(?=\S)")
"""The number of a list's entry."""
_CITATION = re.compile(r"\[\^?\d+(?:, ?\d+)*\]")
_SYMBOL = re.compile(r"(?<![\w+-])[A-Z][A-Za-z]{0,3}(?:\+\+?|[-−]|#)(?![\w+-])")
_SIGN_BEHIND = re.compile(r"-(?:[\W_]|$)")
_SYMBOL_LEVEL = re.compile(r"(?<![\w+-])[a-z]{1,4}(?:\+\+?|-|#)(?![\w+-])")
_NUMBERED_NO = re.compile(r"\.? ?#?\d|\. ?:")
_ENDS_ANSWER = re.compile(r"[\W_]*$|[ \"'*\])]*[.,;:!–—。、！；，[-]|[ \"'*]*\n")
_SHORT_YEAR = re.compile(r"\d\d(?!\w)")


@lru_cache(maxsize=REMEMBERED)
def tokens(text: str, language: str = "en") -> tuple[Token, ...]:
    """Return the tokens of a text in order, none overlapping another; positions are those of `text`.

    `language` is a code of `languages()`: the rows' language, which `detect_language` tells; an unknown one is read as
    English. Any text is read, in time linear in its length; of more than `READ` characters the two ends.
    """
    if len(text) > READ:
        gap = len(text) - READ // 2
        first, last = (tokens(part, language) for part in (text[: READ // 2], text[gap:]))
        return (*first, *(token._replace(start=token.start + gap, end=token.end + gap) for token in last))
    nfc, places = compose(text)
    level = level_text(nfc)
    own = table(language, plain=True) if language == "vi" and level.isascii() else table(language)
    end, values = 0, list[Token]()
    for start, word in sorted(_places(level, own)):
        if start < end:
            continue
        token = _read_word(nfc, level, start, word, own) if word else _read_number(nfc, level, start, own, end)
        if token and token.start >= end:
            values.append(token)
            end = token.end
        elif token:
            end = max(end, token.end)
    read = _connect(level, values, own)
    if nfc is text:
        return tuple(read)
    return tuple(token._replace(start=places[token.start], end=places[token.end]) for token in read)


def _places(level: str, own: Table) -> list[tuple[int, str]]:
    """Where a token may begin: at digits and at words that begin one."""
    places = [(match.start(), "") for match in _DIGITS.finditer(level)]
    if "+" in level or "#" in level or ("-" in level and _SIGN_BEHIND.search(level)):
        places += [(match.start(), "+") for match in _SYMBOL_LEVEL.finditer(level)]
    if own.spaced:
        present = own.roles.keys() & (_ASCII_WORDS if level.isascii() else LETTERS).findall(level)
    else:
        present = {word for word in own.roles if word in level}
    if own.compounds:  # numbers written as one word of several
        ends = (word for word in LETTERS.findall(level) if word.endswith(own.compound_ends) and word not in own.roles)
        present |= {word for word in ends if own.read_compound(word) is not None}
    for word in (*present, "n't"):
        place, inside = level.find(word), not own.spaced or word == "n't"
        while place >= 0:
            after = place + len(word)
            if inside or not ((place and level[place - 1].isalpha()) or level[after : after + 1].isalpha()):
                places.append((place, word))
            place = level.find(word, after)
    return places


def _read_word(text: str, level: str, start: int, word: str, own: Table) -> Token | None:
    if word == "n't":
        return Token(Kind.NEGATION, start, start + 3, "n't")
    if word == "+":
        symbol = _SYMBOL.match(text, start)
        return Token(Kind.CODE, start, symbol.end(), level[start : symbol.end()]) if symbol else None
    roles = own.roles.get(word, "n")
    if "d" in roles and (date := _dated(text, level, start, own)):
        return date
    if "c" in roles and (time := _time_in_words(level, start, word, own)):
        return time
    if "f" in roles and (often := _frequency(level, start, word, own)):
        return often
    if "n" in roles and 12 < own.numbers.get(word, 0) < 21 and (year := dates.read_year_in_words(level, start, own)):
        return year
    if "n" in roles and (number := amounts.read_words(level, start, own)):
        token = amounts.qualify(text, level, start, number, own)
        if token.unit or token.end > number.end or not _is_idle(level, start, number, own):
            return _as_frequency(token)
    return _polarity(level, start, own) if "p" in roles else None


def _time_in_words(level: str, start: int, word: str, own: Table) -> Token | None:
    """Noon, midnight, halb drei; 午後9時 begins with its half of the day."""
    for key, minutes in (("noon", 720), ("midnight", 0)):
        names = (name for name in own.date_words(key) if name.startswith(word) and level.startswith(name, start))
        if name := next(names, ""):
            return Token(Kind.TIME, start, start + len(name), Decimal(minutes), unit="pm" if minutes else "am")
    if word in (*own.date_words("am_first"), *own.date_words("pm_first")):
        end = start + len(word)
        time = dates.read_time(level, end, own) if level[end : end + 1].isdigit() else None
        return time._replace(start=start) if time else None
    return dates.read_half_to(level, start, own)


def _dated(text: str, level: str, start: int, own: Table) -> Token | None:
    """A date that begins with a word: a month, a weekday, an ordinal."""
    if date := dates.read_date(text, level, start, own) or dates.read_roman_century(level, start, own):
        return date
    if weekday := own.weekdays.at(level, start):
        return Token(Kind.DATE, start, weekday[0], Date(Granularity.WEEKDAY, weekday=int(weekday[1])))
    for name, year in own.decades.items():
        if level.startswith(name, start) and level.endswith(("the ", "nineteen ", "nineteen-"), 0, start):
            return Token(Kind.DATE, start, start + len(name), dates.decade(1900 + year))
    return None


def _is_idle(level: str, start: int, number: amounts.Written, own: Table) -> bool:
    """Whether number words are no number: the article `a` alone, `second` behind a digit."""
    if own.idle and level[start : number.end] in own.idle:
        return True
    return own.code == "vi" and not number.ordinal and level[number.end : number.end + 2].strip().isdigit()


def _frequency(level: str, start: int, word: str, own: Table) -> Token | None:
    """Twice a week, daily, every two weeks."""
    if level[start + len(word) : start + len(word) + 1].isdigit() and word in own.per_before.meanings:
        return None
    if word in own.repeats:
        end, times = start + len(word), Decimal(own.repeats[word])
        token = Token(Kind.AMOUNT, start, end, times, unit="times", weak=times == 1)
        place = end + (level[end : end + 1] == " ")
        phrase = own.per.at(level, place)
        return _as_frequency(token._replace(end=phrase[0], period=phrase[1])) if phrase else token
    if word in own.often:
        end = start + len(word)
        weak = level[end : end + 1] == " " and level[end + 1 : end + 2].isalpha()
        return Token(Kind.FREQUENCY, start, end, Fraction(1) / Fraction(units()[own.often[word]].worth), weak=weak)
    return _every(level, start, word, own)


def _every(level: str, start: int, word: str, own: Table) -> Token | None:
    """Every day, every other day, every two weeks, every 14 days."""
    if phrase := own.per.at(level, start):
        return Token(Kind.FREQUENCY, start, phrase[0], Fraction(1) / Fraction(units()[phrase[1]].worth))
    word = next((every for every in own.every if level.startswith(every, start)), word)
    place = start + len(word) + (1 if own.spaced else 0)
    number = None
    for other in own.date_words("other"):
        if level.startswith(f"{other} ", place):
            number = amounts.Written(place + len(other), Decimal(2), Decimal(0))
    number = number or amounts.read_number(level, place, own)
    if not number or not number.value:
        return None
    unit = own.units.at(level, number.end + (1 if own.spaced else 0))
    if not unit or unit[1] not in units() or units()[unit[1]].dimension != "time":
        return None
    count = 1 if number.ordinal and number.value == 1 else number.value
    return Token(Kind.FREQUENCY, start, unit[0], Fraction(1) / (Fraction(count) * Fraction(units()[unit[1]].worth)))


def _as_frequency(token: Token) -> Token:
    """Three times a day is a frequency, $3 a day an amount with a period."""
    if token.unit != "times" or not token.period or isinstance(token.value, Date | str):
        return token
    rate = Fraction(token.value) / Fraction(units()[token.period].worth)
    return token._replace(kind=Kind.FREQUENCY, value=rate, unit="", period="", step=Decimal(0))


def _polarity(level: str, start: int, own: Table) -> Token | None:
    """Yes or no where it stands for an answer: alone, or at the beginning before a mark; else a negation."""
    phrase = own.polarity.at(level, start)
    if not phrase:
        return None
    if own.bounds.at(level, start) or own.date_bounds.at(level, start) or own.not_denials.at(level, start):
        return None  # no more than, not before, no doubt
    end, meaning = phrase
    if meaning == "no" and _NUMBERED_NO.match(level, end):
        return None
    head = level[max(0, start - 40) : start].rstrip(" \"'*([{-")  # what tells whether yes or no answers
    opens = not head or head[-1] in ".!?:\n,;。！？、" or head.endswith((" is", " answer"))
    answers = opens and (_ENDS_ANSWER.match(level, end) or level.startswith(own.answer_goes_on, end))
    if meaning == "no" and not answers:
        meaning = "negation" if own.no_denies else ""  # `no charge` denies
    if meaning == "yes" and not answers:
        meaning = ""
    return Token(Kind(meaning), start, end, level[start:end]) if meaning else None


def _read_number(text: str, level: str, start: int, own: Table, after: int) -> Token | None:
    """The token that begins with a digit: a date, a time, a code or an amount. None for numbers of lists, citations."""
    if ("[" in level and level[start - 1 : start] == "[" and _CITATION.match(level, start - 1)) or (
        "\n" in level and _is_marker(level, start)
    ):
        return None
    before = level[start - 1 : start]
    joined = own.spaced and (before.isalpha() or before == "-")
    left = _LEFT_OF_CODE.search(level, max(after, start - 12), start) if joined else None
    of_year = left is not None and left.group() in own.date_words("year_words")
    if left and of_year and _SHORT_YEAR.match(level, start):
        year = Date(Granularity.YEAR, 2000 + int(level[start : start + 2]))  # FY22
        return Token(Kind.DATE, left.start(), start + 2, year)
    if left and not of_year and left.group() not in own.currencies:
        return _code(level, left.start(), own)
    if before and before in SIGNS:
        return _amount(text, level, start, own, "")
    label = _label(level, start, own)
    date = dates.read_date(text, level, start, own)
    if date and label != "version":
        return _year_or_amount(date, _amount(text, level, start, own, label)) if date.weak else date
    if time := dates.read_time(level, start, own):
        return time
    if (numbered := _NUMBERED.match(level, start)) and not _is_quantity(numbered.group(), own):
        return _code(level, start, own, numbered.end())
    amount = _amount(text, level, start, own, label)
    return amount or _code(level, start, own)


def _year_or_amount(date: Token, amount: Token | None) -> Token:
    """A bare number of four digits is an amount where a unit, a scale or a period says so."""
    if amount is None or amount.start < date.start:  # World Cup 1998 is no CUP 1998
        return date
    return amount if amount.unit or amount.step != 1 or amount.end != date.end or amount.period else date


def _is_marker(level: str, start: int) -> bool:
    head = level[max(0, start - 8) : start].rstrip(" *#(>_-•")
    return (head.endswith("\n") or (start < 8 and not head)) and _MARKER.match(level, start) is not None


def _is_quantity(numbered: str, own: Table) -> bool:
    """Whether what looks like a code is a number with a letter for a unit or scale: 5m, 30s, 10k, 8h."""
    last = numbered[-1]
    return last.isalpha() and "-" not in numbered and (last in own.scales or last in own.units.meanings)


def _code(level: str, start: int, own: Table, end: int = 0) -> Token | None:
    chunk = _CHUNK.match(level, start)
    end = max(end, chunk.end() if chunk else 0)
    while end > start and level[end - 1] in ".-/":
        end -= 1
    written = level[start:end].removeprefix("v") if level[start + 1 : start + 2].isdigit() else level[start:end]
    # Without the marks between its parts but dots: 5550142, 2.4.1, 10k.
    value = re.sub(r"[ ()/-]", "", written)
    return Token(Kind.CODE, start, end, value, unit=_label(level, start, own)) if end else None


def _label(level: str, start: int, own: Table) -> str:
    if phrase := own.labels.before(level[max(0, start - 24) : start].rstrip(" -")):
        return phrase[1]
    return "version" if level[start : start + 1] == "v" and level[start + 1 : start + 2].isdigit() else ""


def _amount(text: str, level: str, start: int, own: Table, label: str) -> Token | None:
    """The amount or ordinal that begins with digits; a code where a label stands before it; None where it is one."""
    number = amounts.read_digits(level, start, own)
    if not number:
        return None
    for mark in own.ordinal_marks:  # 13th, 3. Platz
        end = number.end + len(mark)
        stands = level.startswith(mark, number.end) and not level[end : end + 1].isalnum()
        # The dot of `3. Platz` makes an ordinal where a word follows on the line.
        if stands and (mark != "." or (level[end : end + 1] == " " and level[end + 1 : end + 2].isalpha())):
            number = number._replace(end=end, ordinal=True, step=Decimal(0))
            break
    token = amounts.qualify(text, level, start, number, own)
    if label and not token.unit and token.kind is Kind.AMOUNT and token.value == number.value:
        return _code(level, start, own)
    glued = level[token.end : token.end + 1]
    if own.spaced and glued.isascii() and glued.isalpha() and level[token.end - 1].isdigit():
        return _code(level, start, own)
    return _as_frequency(token)


def _connect(level: str, values: Iterable[Token], own: Table) -> Iterator[Token]:
    """The tokens: joined where they make one amount, each with the word that links it to one of its kind before it."""
    excepts = any(phrase in level for phrase in own.exceptions.meanings)
    last: Token | None = None
    for token in values:
        if last and last.kind is token.kind is Kind.AMOUNT and (whole := amounts.join_amounts(level, last, token)):
            last = whole._replace(link=last.link)
            continue
        if excepts and own.exceptions.before(level[max(0, token.start - 24) : token.start].rstrip()):
            token = token._replace(link=EXCEPT)
        elif last and token.kind is last.kind and token.start - last.end <= 12:
            between = level[last.end : token.start].strip(" ,")
            if link := own.links.get(between, "and" if not between else ""):
                token = token._replace(link=link)
        if last:
            yield last
        last = token
    if last:
        yield last
