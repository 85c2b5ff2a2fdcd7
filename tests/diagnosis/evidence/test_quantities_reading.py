"""What the reader of quantities finds in a text, and what it leaves alone."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence.quantities import Quantity, find
from qaviz.diagnosis.evidence.quantities.reading import READ


def only(text: str) -> Quantity:
    """The one quantity of a text."""
    found = find(text)
    assert len(found) == 1, found
    return found[0]


def amount(quantity: Quantity) -> tuple[Decimal, str]:
    """What a quantity is worth in its dimension, and the dimension."""
    return quantity.value * quantity.factor, quantity.unit


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        # scales
        ("$134.4B", "134400000000", "USD"),
        ("134.4 billion", "134400000000", ""),
        ("134,383 million", "134383000000", ""),
        ("US$3.5bn", "3500000000", "USD"),
        ("£50m", "50000000", "GBP"),
        ("£186k", "186000", "GBP"),
        ("$2,018mn", "2018000000", "USD"),
        ("$7 MM", "7000000", "USD"),
        ("$7MM", "7000000", "USD"),
        ("5M users", "5000000", ""),
        ("10k users", "10000", ""),
        ("2.1 trillion", "2100000000000", ""),
        ("3 hundred", "300", ""),
        ("7 hundred thousand", "700000", ""),
        ("₹1.5 crore", "15000000", "INR"),
        ("Rs. 12,34,567", "1234567", "INR"),
        ("2 lakh rupees", "200000", "INR"),
        ("158 triệu", "158000000", ""),
        ("134,4 tỷ USD", "134400000000", "USD"),
        ("134.4 tỷ", "134400000000", ""),
        ("50 nghìn tỷ đồng", "50000000000000", "VND"),
        ("1.500.000 đồng", "1500000", "VND"),
        ("25.000đ", "25000", "VND"),
        ("$(389) million", "389000000", "USD"),
        ("₹5 cr", "50000000", "INR"),
        # currencies
        ("$66.56 per share", "66.56", "USD"),
        ("200 $", "200", "USD"),
        ("USD 45", "45", "USD"),
        ("45 dollars", "45", "USD"),
        ("C$20", "20", "CAD"),
        ("€ 12", "12", "EUR"),
        ("12 euros", "12", "EUR"),
        ("¥1,000", "1000", "JPY"),
        ("75 cents", "0.75", "USD"),
        # marks of thousands and decimals
        ("10,317,750,796", "10317750796", ""),
        ("1.234,56 €", "1234.56", "EUR"),
        ("1,234.56", "1234.56", ""),
        ("1'234'567", "1234567", ""),
        ("1.234.567", "1234567", ""),
        ("134 383 million", "134383000000", ""),
        ("€ 12\u00a0500", "12500", "EUR"),
        ("3,5", "3.5", ""),
        ("1.234 triệu", "1234000000", ""),
        ("0.079", "0.079", ""),
        # percent
        ("7.9%", "7.9", "%"),
        ("7.9 percent", "7.9", "%"),
        ("7.9 per cent", "7.9", "%"),
        ("1 percentage point", "1", "%"),
        ("25 basis points", "0.25", "%"),
        ("25 bps", "0.25", "%"),
        ("12 phần trăm", "12", "%"),
        ("eight  %", "8", "%"),
        # measures
        ("6 feet", "1.8288", "length"),
        ("5.97 m", "5.97", "length"),
        ("24,901 mi", "40074275", "length"),
        ("1500 metres", "1500", "length"),
        ("48 months", "126230400", "time"),
        ("4 years", "126230400", "time"),
        ("2 kg", "2", "mass"),
        ("55,646 square miles", "144122478388", "area"),
        ("60 mph", "96560.64", "speed"),
        ("20 °C", "20", "temperature in °C"),
        ("9.5 times", "9.5", "times"),
        ("2x", "2", "times"),
        # powers and fractions
        ("1.34383e11", "134383000000", ""),
        ("1.34 x 10^11", "134000000000", ""),
        ("1.34 × 10^11", "134000000000", ""),
        ("3/4", "0.75", ""),
        ("1 1/2", "1.5", ""),
        # words
        ("eighteen", "18", ""),
        ("twenty-one", "21", ""),
        ("fifty-five thousand, six hundred and forty-six", "55646", ""),
        ("seven hundred thousand", "700000", ""),
        ("two and a half million", "2500000", ""),
        ("half a million", "500000", ""),
        ("a dozen", "12", ""),
        ("three quarters", "0.75", ""),
        ("three point five", "3.5", ""),
        ("two hundred dollars", "200", "USD"),
        ("four years", "126230400", "time"),
        ("hai mươi mốt", "21", ""),
        ("mười hai phần trăm", "12", "%"),
        ("ba trăm nghìn", "300000", ""),
        ("năm triệu đồng", "5000000", "VND"),
        # of several units
        ("5 feet 11 inches", "1.8034", "length"),
        ("2 hours and 30 minutes", "9000", "time"),
    ],
)
def test_value_and_unit(text: str, value: str, unit: str):
    """A number is read with its scale and unit, in digits or in words, however its marks are set."""
    worth, dimension = amount(only(text))
    assert dimension == unit
    assert worth == pytest.approx(Decimal(value), rel=Decimal("0.00001"))


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("134.4 billion", "50000000"),
        ("134,383 million", "500000"),
        ("134,383,000,000", "0.5"),
        ("7.90%", "0.005"),
        ("1.34383e11", "500000"),
        ("3/4", "0"),
        ("two million", "500000"),
        ("two million and five", "0.5"),
        ("two and a half million", "0.5"),
        ("two and a half", "0"),
        ("$1616.00", "0.5"),  # the cents are a way of writing money
        ("16.00%", "0.005"),
    ],
)
def test_precision_as_written(text: str, half: str):
    """Half of the last digit as written is kept, in the scale of the number."""
    assert only(text).half == Decimal(half)


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("-3.2 billion", True),
        ("−3.2 billion", True),
        ("-$1561M", True),
        ("$-5", True),
        ("$(389) million", True),
        ("Dividends paid: $(389) million", True),
        ("(1,234)", True),
        ("net = (1,234)", True),
        ("It was (1,234).", None),
        ("1.2 billion ($1,234 million)", None),
        ("\n-1.5%", None),
        ("a - 5", None),
        ("3.2 billion", False),
        ("+3.2 billion", False),
    ],
)
def test_sign(text: str, negative: bool | None):
    """A minus sign or accounting brackets make a quantity negative; brackets and dashes of prose leave it open."""
    assert find(text)[-1].negative is negative


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("3-5 million", 3_000_000, 5_000_000),
        ("3–5 million", 3_000_000, 5_000_000),
        ("$3 to $5 million", 3_000_000, 5_000_000),
        ("between 3 and 5 million", 3_000_000, 5_000_000),
        ("10% to 12%", 10, 12),
        ("5 to 7 days", 5, 7),
        ("từ 3 đến 5 triệu", 3_000_000, 5_000_000),
    ],
)
def test_range_is_one_quantity(text: str, low: int, high: int):
    """Two ends of a range are one quantity, and a scale written once counts for both."""
    quantity = only(text)
    assert (quantity.value, quantity.high) == (low, high)


@pytest.mark.parametrize(
    "text",
    ["from 20% to 23%", "$19,815 - $13,997", "5 and 7", "7 to 5", "3 km to 5 kg", "1, 2"],
)
def test_two_quantities_stay_two(text: str):
    """A change, a subtraction, a list and two units are no range."""
    assert len(find(text)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "February 22, 2023",
        "2023-02-22",
        "ngày 22 tháng 2 năm 2023",
        "10-Q",
        "the 10-K",
        "8k filing",
        "Q2",
        "FY2022",
        "FY 2022",
        "2Q23",
        "MMM26",
        "C6H12O6",
        "777X",
        "COVID-19",
        "Seattle, Washington 98109-5210",
        "(206) 266-1000",
        "555-123-4567",
        "555-1234",
        "192.168.0.1",
        "1.2.3",
        "0000950170-23-033512",
        "Note 8",
        "Exhibit 4.39",
        "Item 7.",
        "page 12",
        "Step 2:",
        "#3",
        "ISO 3166",
        "10:30",
        "as reported [1]",
        "see [1, 2] and [3]",
        "1. First\n2. Second\n3) Last",
        "**1.** bold",
        "to 2 decimal places",
        "two decimal places",
        "24/7",
        "9" * 41,
        "no quantity at all",
        "hundreds of people",
        "",
    ],
)
def test_what_is_no_quantity_is_none(text: str):
    """Dates, forms, codes, labels, addresses, telephone numbers, citations and list markers are no quantities."""
    assert not [quantity for quantity in find(text) if not quantity.weak]


@pytest.mark.parametrize(("text", "unit"), [("He won 7 titles", ""), ("It cost 7 won", "KRW"), ("KRW 7", "KRW")])
def test_who_won_so_many_paid_nothing(text: str, unit: str):
    """`won` is a currency behind a number, and a verb before it."""
    assert only(text).unit == unit


@pytest.mark.parametrize("text", ["1.000.000.000", "134.400.000.000"])
def test_points_between_thousands_are_no_address(text: str):
    """Four groups of digits are an address on the Internet only where each is at most 255."""
    assert [quantity.value for quantity in find(text)] == [Decimal(text.replace(".", ""))]


@pytest.mark.parametrize(
    "text",
    [
        "one of them",
        "the 12th seed",
        "in 2016",
        "since 1998",
        "half of it",
        "first",
        "12-member",
        "năm 2023",
        "Q2 2023",
    ],
)
def test_doubtful_quantity_is_weak(text: str):
    """A number with another common reading is marked, so that it may agree and never contradict."""
    assert all(quantity.weak for quantity in find(text))
    assert find(text)


@pytest.mark.parametrize("text", ["= 2016", "the result is 1616", "1616", "2,016 people", "$2016"])
def test_four_digits_are_no_year_where_an_amount_stands(text: str):
    """Four digits after an equals sign, with a currency or with a comma are an amount."""
    assert not only(text).weak


def test_offsets_point_into_the_text():
    """Each quantity's offsets give its words in the text, sign and unit included."""
    text = "İt fell by −$1.5 million, or 12 %, to US$ 3 billion."
    assert [quantity.words(text).text for quantity in find(text)] == ["−$1.5 million", "12 %", "US$ 3 billion"]


def test_long_text_is_read_at_both_ends():
    """Of a text longer than the limit the beginning and the end are read, with offsets into the whole."""
    text = "5 million " + "word " * READ + "7 million"
    assert [quantity.words(text).text for quantity in find(text)] == ["5 million", "7 million"]


AMOUNTS = st.from_regex(
    r"[$€]?[0-9]{1,4}(,[0-9]{3}){0,4}(\.[0-9]{1,4})?( (thousand|million|billion|trillion)|[%mk]|bn)?", fullmatch=True
)


@given(AMOUNTS)
def test_an_amount_by_itself_is_what_it_is_in_a_sentence(text: str):
    """An amount that is a whole text, which is read in a shorter way, is the same as one on a line of a longer text."""
    assert find(text) == find(f"{text}\nNo other.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In the third quarter of 2004, Acme’s net sales were $5 million.", ["third", "quarter", "2004", "$5 million"]),
        ("Of 12,5%, Acme kept 3%", ["12,5%", "3%"]),
        ("TWO MILLION, FIVE HUNDRED THOUSAND", ["TWO MILLION, FIVE HUNDRED THOUSAND"]),
        ("Two Million, Five Hundred Thousand", ["Two Million, Five Hundred Thousand"]),
        ("On May 3, 2004, In all 7 came", ["7"]),
    ],
)
def test_a_comma_before_a_capital_parts_quantities_and_no_number(text: str, expected: list[str]):
    """What stands before a comma and a name is read by itself; a number that goes on behind a comma stays one."""
    assert [quantity.words(text).text for quantity in find(text)] == expected
