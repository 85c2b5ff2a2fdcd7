"""What may stand around a number: currencies, scales and units, each with what it is worth."""

from decimal import Decimal

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

SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "thousands": 10**3,
    "million": 10**6,
    "millions": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "trillion": 10**12,
    "trillions": 10**12,
    "k": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "mm": 10**6,
    "mil": 10**6,
    "mio": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "bln": 10**9,
    "t": 10**12,
    "tn": 10**12,
    "trn": 10**12,
    "lakh": 10**5,
    "lakhs": 10**5,
    "lac": 10**5,
    "crore": 10**7,
    "crores": 10**7,
    "cr": 10**7,
    "trăm": 10**2,
    "nghìn": 10**3,
    "ngàn": 10**3,
    "triệu": 10**6,
    "tỷ": 10**9,
    "tỉ": 10**9,
}
LETTER_SCALES = frozenset(("k", "m", "b", "t", "mm"))
"""Scales only beside a currency or in capitals: `5 m` is five metres, `$5m` and `5M` are five million."""
COMMA_DECIMAL = frozenset(("trăm", "nghìn", "ngàn", "triệu", "tỷ", "tỉ", "đồng", "đ", "vnđ", "€", "euro", "euros"))
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
UNITS |= {"cents": ("USD", Decimal("0.01")), "cent": ("USD", Decimal("0.01"))}


def _long_units() -> dict[str, tuple[str, ...]]:
    """The units of several words, the longest first, by their first word."""
    found: dict[str, tuple[str, ...]] = {}
    for unit in sorted(UNITS, key=len, reverse=True):
        first = unit.split()[0] if " " in unit else unit[0]
        if " " in unit or (first == "°" and unit != first):
            found[first] = (*found.get(first, ()), unit)
    return found


LONG_UNITS = _long_units()
