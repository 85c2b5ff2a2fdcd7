"""Units, and what stands before and after a number: sign, currency, hedge, scale and unit."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence.lexicon import word_set

PERCENT = "%"
CELSIUS, FAHRENHEIT, KELVIN, DEGREES = "temperature in °C", "temperature in °F", "temperature in K", "degrees"
TEMPERATURES = frozenset((CELSIUS, FAHRENHEIT, KELVIN, DEGREES))
"""Units of temperature, which do not begin at the same zero, and degrees that do not say which."""

CURRENCY_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₫": "VND", "₩": "KRW", "₽": "RUB"}
_CURRENCY_WORDS = {
    "USD": "usd us$ dollar dollars",
    "CAD": "cad c$ ca$",
    "AUD": "aud a$ au$",
    "HKD": "hkd hk$",
    "SGD": "sgd s$",
    "EUR": "eur euro euros",
    "GBP": "gbp pound_sterling pounds_sterling",
    "JPY": "jpy yen",
    "CNY": "cny rmb yuan renminbi",
    "INR": "inr rs rs. rupee rupees",
    "VND": "vnd đồng vnđ đ",
    "KRW": "krw won",
    "CHF": "chf franc francs",
    "RUB": "rub ruble rubles rouble roubles",
    "PLN": "pln zloty zlotys",
    "MXN": "mxn peso pesos",
    "THB": "thb baht",
    "TRY": "try lira",
    "SEK": "sek krona kronor",
    "DKK": "dkk krone kroner",
}
CURRENCIES = {word.replace("_", " "): code for code, words in _CURRENCY_WORDS.items() for word in words.split()}

CURRENCY_CODES = frozenset((*CURRENCIES.values(), *CURRENCY_SIGNS.values()))

_SCALES = {
    2: "hundred trăm",
    3: "thousand thousands k nghìn ngàn",
    5: "lakh lakhs lac",
    6: "million millions m mn mm mil mio triệu",
    7: "crore crores cr",
    9: "billion billions b bn bln tỷ tỉ",
    12: "trillion trillions t tn trn",
}
SCALES = {word: 10**power for power, words in _SCALES.items() for word in words.split()}
"""Scale as written -> its worth."""
LETTER_SCALES = word_set("k m b t mm")
"""Scales only beside a currency or in capitals: `5 m` is five metres, `$5m` and `5M` are five million."""
COMMA_DECIMAL = word_set("trăm nghìn ngàn triệu tỷ tỉ đồng đ vnđ € euro euros")
"""Words beside which the comma is the decimal mark."""

_MEASURES = {
    "length": {
        "mm millimetre millimetres millimeter millimeters": "0.001",
        "cm centimetre centimetres centimeter centimeters": "0.01",
        "m metre metres meter meters mét": "1",
        "km kilometre kilometres kilometer kilometers": "1000",
        "in inch inches": "0.0254",
        "ft foot feet": "0.3048",
        "yd yard yards": "0.9144",
        "mi mile miles dặm": "1609.344",
    },
    "area": {
        "sq_m m² square_metres square_meters mét_vuông": "1",
        "sq_km km² km2 square_kilometres square_kilometers": "1000000",
        "sq_ft square_feet square_foot": "0.09290304",
        "sq_mi square_miles square_mile": "2589988.110336",
        "acre acres": "4046.8564224",
        "hectare hectares ha": "10000",
    },
    "mass": {
        "mg milligram milligrams": "0.000001",
        "g gram grams gramme grammes": "0.001",
        "kg kilo kilos kilogram kilograms": "1",
        "tonne tonnes tấn": "1000",
        "ton tons": "1000",
        "oz ounce ounces": "0.028349523125",
        "lb lbs": "0.45359237",
        "stone": "6.35029318",
    },
    "volume": {
        "ml millilitre millilitres milliliter milliliters": "0.001",
        "l litre litres liter liters lít": "1",
        "gallon gallons": "3.785411784",
    },
    "time": {
        "ms millisecond milliseconds": "0.001",
        "sec secs second seconds giây": "1",
        "min mins minute minutes phút": "60",
        "hr hrs hour hours giờ": "3600",
        "day days ngày": "86400",
        "week weeks tuần": "604800",
        "month months tháng": "2629800",
        "year years yr yrs năm": "31557600",
        "decade decades": "315576000",
        "century centuries": "3155760000",
    },
    "speed": {
        "mph miles_per_hour miles_an_hour": "1609.344",
        "km/h kph kmh kilometres_per_hour kilometers_per_hour": "1000",
        "knot knots": "1852",
        "m/s metres_per_second meters_per_second": "3600",
        "km/s kilometres_per_second kilometers_per_second": "3600000",
        "miles_per_second": "5793638.4",
    },
    "power": {"w watt watts": "1", "kw kilowatt kilowatts": "1000", "mw megawatt megawatts": "1000000"},
    PERCENT: {
        "% percent per_cent pct percentage phần_trăm": "1",
        "pp ppt percentage_point percentage_points điểm_phần_trăm": "1",
        "bp bps basis_point basis_points điểm_cơ_bản": "0.01",
    },
    CELSIUS: {"°c celsius centigrade degrees_celsius degree_celsius degrees_centigrade degrees_c deg_c độ_c": "1"},
    FAHRENHEIT: {"°f fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f deg_f": "1"},
    KELVIN: {"k kelvin kelvins degrees_kelvin degree_kelvin": "1"},
    DEGREES: {"° degree degrees độ": "1"},
    "times": {"x times fold lần": "1"},
}
UNITS: dict[str, tuple[str, Decimal]] = {
    word.replace("_", " "): (dimension, Decimal(worth))
    for dimension, units in _MEASURES.items()
    for words, worth in units.items()
    for word in words.split()
} | {word: (code, Decimal(1)) for word, code in (CURRENCIES | CURRENCY_SIGNS).items()}
"""Each unit with its dimension and its worth in the dimension's own unit. A month is a twelfth of a year."""

ONE = Decimal(1)
_REACH = 28
"""Characters before a number in which the words stand that tell what it is."""
_MARKS = " ([+-~≈#'\"*" + "".join(CURRENCY_SIGNS)
_REMEMBERED = 8_192
"""Words before a number that are remembered: few stand before most numbers."""
_LABELS = word_set(
    "note notes item items page pages exhibit exhibits section sections table tables step steps figure figures chapter "
    "chapters part parts form forms appendix schedule schedules rule rules footnote footnotes asc asu question "
    "questions example examples q fy quarter isin cusip iso p pp"
)
_HEDGES = word_set(
    "about around approximately approx roughly nearly almost some over than under least circa khoảng gần hơn xỉ"
)
_BEFORE_YEAR = word_set(
    "in since from until till by during of for and fy fiscal year ended ending end between to vs năm january february "
    "march april may june july august september october november december q1 q2 q3 q4 early late mid before after"
)
_VERB = "won"
"""A currency behind a number; before one, somebody won so many."""
UNITS |= {"cents": ("USD", Decimal("0.01")), "cent": ("USD", Decimal("0.01"))}
_POWER = re.compile(r"[ ]?[x×*·][ ]?10\^?(-?\d{1,3})(?!\d)|e([+-]?\d{1,3})(?![\w.])")
_WORD = re.compile(r"\)?([ -]?)([^\W\d_]+)")
_NEXT = re.compile(r"\)?[ -]{0,2}(?:of )?(?:([^\W\d_]+)|[%°$€£¥₹₫₩₽])|[ ]?[×*·]")
"""What begins a scale or a unit; a word, if it is one."""
_KNOWN = frozenset(("e", *(word.split()[0] for word in (*SCALES, *UNITS))))
_UNIT = re.compile(r"\)?[ -]{0,2}(?:of )?([^\W\d_]+[²2]?(?:/[hs]\b)?|[%°$€£¥₹₫₩₽])")


def _long_units() -> dict[str, tuple[str, ...]]:
    """The units of several words, the longest first, by their first word."""
    by_first_word: dict[str, tuple[str, ...]] = {}
    for unit in sorted(UNITS, key=len, reverse=True):
        first = unit.split()[0] if " " in unit else unit[0]
        if " " in unit or (first == "°" and unit != first):
            by_first_word[first] = (*by_first_word.get(first, ()), unit)
    return by_first_word


LONG_UNITS = _long_units()


class Before(NamedTuple):
    """What stands before a number."""

    begin: int
    """Where the quantity begins, from the number back: at its sign or currency, else 0."""
    code: str
    """Of the currency; empty where there is none."""
    negative: bool | None
    """Whether a minus sign stands there; None where a bracket or a dash may be one."""
    hedged: bool
    label: bool
    """The number only counts things off: Note 8, FY 2022, #3."""
    year: bool
    """A year would stand there too: `in 2016`."""


def before(level: str, start: int) -> Before:
    """Return what stands before the number at `start` of a levelled text."""
    reach = level[max(0, start - _REACH) : start]
    head = reach.rstrip(_MARKS)
    return _before(head[head.rfind(" ") + 1 :], reach[len(head) :])


@lru_cache(maxsize=_REMEMBERED)
def _before(head: str, lead: str) -> Before:
    """What the last word before a number, and the marks between the two, say of it."""
    words = head.split()
    last = words[-1].rstrip(".:,") if words else ""
    code, begin = _currency(head, lead, last)
    negative = _sign(head, lead, last)
    return Before(
        lead.index("-") - len(lead) if negative and "-" in lead else begin,
        code,
        negative,
        last in _HEDGES or "~" in lead or "≈" in lead,
        last in _LABELS or "#" in lead,
        last in _BEFORE_YEAR or "'" in lead or "(" in lead or (last.isdigit() and len(last) <= 2),
    )


def _currency(head: str, lead: str, last: str) -> tuple[str, int]:
    """The code of the currency before a number, and where it begins, from the number back."""
    for place in range(len(lead) - 1, -1, -1):
        if lead[place] in CURRENCY_SIGNS:
            dollars = place == 0 and CURRENCIES.get(last + lead[place])
            if dollars:
                return dollars, -len(lead) - len(last)
            return CURRENCY_SIGNS[lead[place]], place - len(lead)
    if last in CURRENCIES and last != _VERB and lead.strip(" +-(") == "":
        return CURRENCIES[last], head.rindex(last) - len(head) - len(lead)
    return "", 0


def _sign(head: str, lead: str, last: str) -> bool | None:
    """Whether a minus sign stands in the marks before a number; None for a bracket or dash that may be one."""
    prior = head[-1:]
    if "-" in lead:
        after = lead[lead.rindex("-") + 1 :]
        attached = not after.startswith(" ")
        opens = lead[0] != "-" or prior in ("", *"=:|,/")
        if attached and opens:
            return True
        return None if prior == "\n" or not attached else False
    if "(" in lead:
        return None if last and prior not in ("=", ":", "|") else True
    return False


class After(NamedTuple):
    """What stands after a number."""

    end: int
    scale: Decimal
    code: str
    """Of the currency or dimension; empty where there is none."""
    factor: Decimal
    """Of the unit in its dimension."""
    words: tuple[str, ...]
    """The scale and unit as written."""


def after(text: str, level: str, end: int, *, money: bool) -> After:
    """Return what stands after the number that ends at `end`; `money` says that a currency stands before it."""
    following = _NEXT.match(level, end)
    if not following or (following[1] and following[1] not in _KNOWN):
        return After(end, ONE, "", ONE, ())
    scale = ONE
    words: list[str] = []
    if power := _POWER.match(level, end):
        scale, end = ONE.scaleb(int(power[1] or power[2])), power.end()
    while (word := _WORD.match(level, end)) and len(words) < 2:
        name = word[2]
        if name not in SCALES or (name in LETTER_SCALES and not _is_scale(text, word, money=money)):
            break
        scale, end = scale * SCALES[name], word.end()
        words.append(name)
    unit = _UNIT.match(level, end)
    if not unit or not (name := _unit_name(level, unit)):
        return After(end, scale, "", ONE, tuple(words))
    if name == "k" and text[unit.start(1)] != "K":
        return After(end, scale, "", ONE, tuple(words))
    if name == "x" and (unit.start(1) != end or text[end] == "X"):
        return After(end, scale, "", ONE, tuple(words))
    code, factor = UNITS[name]
    return After(unit.start(1) + len(name), scale, code, factor, (*words, name))


def _is_scale(text: str, word: re.Match[str], *, money: bool) -> bool:
    """Whether a letter after a number is a scale: in $5m, 5M, 5k and not in 5 m."""
    capital = text[word.start(2)].isupper()
    return (money and capital) if word[1] else (money or capital or word[2] == "k")


def _unit_name(level: str, unit: re.Match[str]) -> str:
    """The longest unit that begins where `unit` does; empty where there is none."""
    name, start = unit[1], unit.start(1)
    for long in LONG_UNITS.get(name, ()):
        end = start + len(long)
        if level.startswith(long, start) and not level[end : end + 1].isalnum():
            return long
    if name == "in":
        return name if level[unit.end() : unit.end() + 1] in (")", ".") else ""
    return name if name in UNITS else ""
