"""Whether a response gives the golden quantity, case by case."""

import pytest

from qaviz.diagnosis.evidence import Evidence, Stance
from qaviz.diagnosis.evidence.quantities import compare, same

AGREES, CONTRADICTS, ABSENT, SILENT = Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT

NET_SALES = "What were the total net sales for the second quarter of 2023?"
IN_MILLIONS = "What is the year end FY2018 net property, plant and equipment (in USD millions)?"
IN_BILLIONS = "How much was paid out in cash dividends for FY2020? Answer in USD billions."
MARGIN = "What is the FY2022 EBITDA margin? Answer in units of percents and round to one decimal place."
RATIO = "What is the FY2017 return on assets? Round your answer to two decimal places."
CHANGE = "How much has the effective tax rate changed between FY2021 and FY2022?"


def stance(golden: str, response: str, question: str = "How much was it?") -> Stance:
    return compare(golden, response, question).stance


@pytest.mark.parametrize(
    ("golden", "response", "expected"),
    [
        ("134.4 billion", "Net sales were $134.4 billion.", AGREES),
        ("134.4 billion", "Net sales were $134,383 million.", AGREES),
        ("134,383 million", "Net sales were $134.4 billion.", AGREES),
        ("134.4 billion", "Net sales were $134,183 million.", CONTRADICTS),
        ("134.4 billion", "Net sales were $170.0 billion.", CONTRADICTS),
        ("134.4 billion", "Net sales were 1,344 billion.", CONTRADICTS),
        ("134.4 billion", "Doanh thu thuần là 134,4 tỷ USD.", AGREES),
        ("134.4 billion", "Doanh thu thuần là 134.383 triệu USD.", AGREES),
        ("158 million", "It held 158,000,000 shares.", AGREES),
        ("5 km", "It is between 3 and 5 km.", AGREES),
        ("5 km", "It is 5 to 9 km.", AGREES),
        ("5 km", "It is 3 to 4 km.", CONTRADICTS),
        ("158 million", "It held 2158 million shares.", CONTRADICTS),
        ("158 million", "It held 0.2 billion shares.", CONTRADICTS),
        ("158 million", "It held some shares.", ABSENT),
        ("10317750796", "It was (10,317,750,796).", AGREES),
        ("10317750796", "It was 10,317,750,795.", CONTRADICTS),
        ("12%", "Revenue rose 112%.", CONTRADICTS),
        ("12%", "Revenue rose 12 percent.", AGREES),
        ("12%", "Revenue rose twelve per cent.", AGREES),
        ("12%", "Revenue rose by $12.", CONTRADICTS),
        ("7.9%", "It is 7.94%.", AGREES),
        ("7.9%", "It is 7.96%.", CONTRADICTS),
        ("25 basis points", "It rose by 0.25 percentage points.", AGREES),
        ("$3.5 billion", "It paid €3.5 billion.", CONTRADICTS),
        ("$3.5 billion", "It paid 3.5 billion.", AGREES),
        ("twice", "They won it two times.", AGREES),
        ("two", "He married twice.", AGREES),
        ("twice", "They won it three times.", CONTRADICTS),
        ("15 to 17 weeks", "It lasts 16 weeks.", AGREES),
        ("15 to 17 weeks", "It lasts 18 weeks.", CONTRADICTS),
        ("15 to 17 weeks", "It lasts four months.", AGREES),
        ("8,848 m", "It is 8,848.86 metres high.", AGREES),
        ("8,848 m", "It is 8,847.14 metres high.", CONTRADICTS),
        ("134 °F", "It was 56.7 °C.", AGREES),
        ("0 °F (−18 °C)", "Keep it at -18 degrees Celsius.", AGREES),
        ("98.6 °F", "about 37 °C", AGREES),
        ("98.6 °F", "98.6 degrees", AGREES),
        ("98.6 °F", "35 °C", CONTRADICTS),
        ("-38 °C", "38 °C", CONTRADICTS),
        ("20 to 25 °C", "72 °F", AGREES),
        ("6 feet", "He was 1.83 m tall.", AGREES),
        ("6 feet", "He was 2.1 m tall.", CONTRADICTS),
        ("5.97 m (19 ft 7 in)", "He cleared 5.97 metres.", AGREES),
        ("4 years", "He was banned for 48 months.", AGREES),
        ("4 years", "He was banned for 4 months.", CONTRADICTS),
        ("4", "He was banned for four years.", AGREES),
        ("18 or 19", "There were 19.", AGREES),
        ("18 or 19", "There were 20.", CONTRADICTS),
        ("18 and 19", "There were 19.", CONTRADICTS),
        ("twenty-seven", "He died aged 27.", AGREES),
        ("hai mươi mốt", "Có 21 người.", AGREES),
        ("1.5 crore", "It was 15 million rupees.", AGREES),
        ("1.34e11", "It was 134 billion.", AGREES),
        ("3/4", "It was 0.75.", AGREES),
        ("0.75", "It was three quarters.", AGREES),
        ("two thirds", "It was 0.667.", AGREES),
        ("1 million", "It was a million.", AGREES),
        ("3-5 million", "Between 3 and 5 million.", AGREES),
        ("3-5 million", "About 4 million.", AGREES),
        ("3-5 million", "About 6 million.", CONTRADICTS),
        ("12", "He was seeded 12th.", AGREES),
        ("12", "He was seeded 17th.", ABSENT),
        ("0", "The costs were zero.", AGREES),
        ("about 5,000", "There were 5,123.", AGREES),
        ("5,000", "There were 5,123.", CONTRADICTS),
    ],
)
def test_same_quantity_in_other_words(golden: str, response: str, expected: Stance):
    """Two quantities agree within the coarser precision, in whatever scale, unit or words they are written."""
    assert stance(golden, response) is expected


@pytest.mark.parametrize(
    ("golden", "response", "question", "expected"),
    [
        ("$12645.00", "It was $12,645 million.", IN_MILLIONS, AGREES),
        ("$12645.00", "It was 12,645.", IN_MILLIONS, AGREES),
        ("$12645.00", "It was $12.6 billion.", IN_MILLIONS, AGREES),
        ("$12645.00", "It was $12,644.7 million.", IN_MILLIONS, AGREES),
        ("$12645.00", "It was $12,645,300,000.", IN_MILLIONS, AGREES),
        ("$12645.00", "It was $12,664 million.", IN_MILLIONS, CONTRADICTS),
        ("$12645.00", "It was $12,645 billion.", IN_MILLIONS, CONTRADICTS),
        ("$0.40", "It paid $389 million.", IN_BILLIONS, AGREES),
        ("$8.70", "It was $8,738 million.", IN_BILLIONS, AGREES),
        ("$8.70", "It was $8,838 million.", IN_BILLIONS, CONTRADICTS),
        ("16.5%", "It is 0.1652.", MARGIN, AGREES),
        ("16.5%", "It is 16.52.", MARGIN, AGREES),
        ("16.5%", "It is 16.5.", "What is the tax rate?", AGREES),
        ("16.5%", "It is 16.5.", "How many are there?", ABSENT),
        ("16.5%", "It is 17.2%.", MARGIN, CONTRADICTS),
        ("0.01", "It is 1.43%.", RATIO, AGREES),
        ("0.01", "It is 0.0143.", RATIO, AGREES),
        ("0.01", "It is 1.6%.", RATIO, CONTRADICTS),
        ("-0.02", "It is -1.66%.", RATIO, AGREES),
        ("-0.02", "It is 1.66%.", RATIO, CONTRADICTS),
        ("63.86", "It is 63.84.", RATIO, AGREES),  # the working was rounded on the way
        ("63.86", "It is 63.84.", "How many days is it?", CONTRADICTS),
        ("55,646", "About 56,000 square miles.", "To a thousand, what is the area in square miles?", AGREES),
        ("24,900 miles", "It is 24,901 miles.", "What is the approximate circumference of the earth?", AGREES),
        ("24,900 miles", "It is 40,075 km.", "What is the approximate circumference of the earth?", AGREES),
        ("24,900 miles", "It is 24,901 miles.", "What is the circumference of the earth?", CONTRADICTS),
        ("134,4", "Là 134,4 tỷ.", "Doanh thu là bao nhiêu tỷ đồng?", AGREES),
    ],
)
def test_question_sets_scale_unit_and_rounding(golden: str, response: str, question: str, expected: Stance):
    """A question that names the scale, the unit or the rounding says how plain numbers are meant."""
    assert stance(golden, response, question) is expected


@pytest.mark.parametrize(
    ("golden", "response", "expected"),
    [
        (
            "$3215.4 million",
            "Cash was $3,676.2 million, capex $460.8 million. FCF = $3,676.2 - $460.8 = $3,215.4 million",
            AGREES,
        ),
        (
            "$460.8 million",
            "Cash was $3,676.2 million, capex $460.8 million. FCF = $3,676.2 - $460.8 = $3,215.4 million",
            AGREES,
        ),
        ("$3676.2 million", "FCF = $3,676.2 million - $460.8 million = $3,215.4 million", CONTRADICTS),
        ("0.68", "Assets are 3 and liabilities 4.4.\nRatio = 3 / 4.4\n= 0.68", AGREES),
        ("4.4", "Ratio = 3 / 4.4\n= 0.68", CONTRADICTS),
        ("1,615.9", "Receivables: 1,615.9\nTherefore, net of allowances of 35.3, it was 1,580.6.", CONTRADICTS),
        ("1,580.6", "Receivables: 1,615.9\nTherefore, the answer is 1,580.6.", AGREES),
        ("17.98", "194,579 / 10,820.5 = 17.98, or rounded to two decimal places, 18.00.", AGREES),
        ("0.0142", "1,248 / 87,583 = 0.0142 or 1.42% when rounded to two decimal places.", AGREES),
        (
            "5,818",
            "It was 5,818. Here is how: current assets 19,815, liabilities 13,997\n= 19,815 - 13,997\n= 5,818",
            AGREES,
        ),
        ("55,646", "The area is 57,915 square miles.", CONTRADICTS),
        ("12", "It has 12 towers. Surrounded by 2 + 3 = 5 others, its overall length is 300.", AGREES),
        ("4 years", "He was banned for four years in 1998, at the age of 28.", AGREES),
        ("19", "Tổng là 12 và 7. Do đó, kết quả là 19.", AGREES),
    ],
)
def test_result_outranks_working(golden: str, response: str, expected: Stance):
    """What a response concludes or calculates counts, not the numbers it calculates with."""
    assert stance(golden, response) is expected


@pytest.mark.parametrize(
    ("golden", "response", "expected"),
    [
        ("-3.2 billion", "The result was 3.2 billion.", CONTRADICTS),
        ("3.2 billion", "The result was -3.2 billion.", CONTRADICTS),
        ("-3.2 billion", "The result was −3.2 billion.", AGREES),
        ("-3.2 billion", "It made a loss of 3.2 billion.", AGREES),
        ("a loss of 3.2 billion", "It made a profit of 3.2 billion.", CONTRADICTS),
        ("3.2 billion", "It made a loss of 3.2 billion.", CONTRADICTS),
        ("$3.12", "The net loss per share was $3.12.", CONTRADICTS),
        ("an increase of 5%", "It decreased by 5%.", CONTRADICTS),
        ("an increase of 5%", "There was a 5% decrease.", CONTRADICTS),
        ("-5%", "There was a 5% decline.", AGREES),
        ("5%", "It decreased by 5%.", AGREES),
        ("-$1561 million", "Working capital was negative $1,561 million.", AGREES),
        ("$389 million", "Dividends paid: $(389) million", CONTRADICTS),
        ("(1,234)", "The result was -1,234.", AGREES),
        ("(1,234)", "The result was 1,234.", CONTRADICTS),
    ],
)
def test_sign(golden: str, response: str, expected: Stance):
    """A minus sign, accounting brackets and words like loss or decrease tell a quantity from its opposite."""
    assert stance(golden, response, "What was the result?") is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("It was raised from $3.8 billion to $4.2 billion.", AGREES),
        ("It was raised from $3.8 billion to $4.3 billion.", CONTRADICTS),
        ("It was cut from $4.2 billion to $3.8 billion.", CONTRADICTS),
    ],
)
def test_difference_from_both_ends(response: str, expected: Stance):
    """A golden difference is given by the two ends of the change, in the right order."""
    assert stance("$400,000,000 increase", response, "By how much did it increase its credit line?") is expected


def test_question_that_names_the_direction_forgives_the_sign():
    """Where the question asks what was paid, a minus sign is bookkeeping."""
    assert stance("$389 million", "Dividends: -$389 million", "How much was paid in dividends?") is AGREES


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("It changed from 20% to 23%.", AGREES),
        ("It went up from 20.2% in FY2021 to 22.9% in FY2022.", AGREES),
        ("It increased by 3 percentage points.", AGREES),
        ("It increased by 2.7 percentage points.", AGREES),
        ("It decreased by 3 percentage points.", CONTRADICTS),
        ("It changed from 23% in 2021 to 20% in 2022.", CONTRADICTS),
        ("It increased by 5 percentage points.", CONTRADICTS),
        ("It was not disclosed.", ABSENT),
    ],
)
def test_both_ends_or_their_difference(response: str, expected: Stance):
    """A change is given by both of its ends or by their difference in the right direction."""
    assert stance("It has changed from 20% in FY2021 to 23% in FY 2022.", response, CHANGE) is expected


@pytest.mark.parametrize(
    ("golden", "response", "question", "expected"),
    [
        # what the question gives is no evidence
        ("21", "Of the 23 titles, 16 were won by them.", "How many of the 23 titles were won?", CONTRADICTS),
        ("21", "There were 23 titles.", "How many of the 23 titles were won?", ABSENT),
        ("451", "Fahrenheit 451", "Fahrenheit what: 972, 451, 100 or 25?", AGREES),
        # a long answer: its first quantity, where it is what is asked
        ("It had 158 million shares and 3 offices.", "158,000,000 shares", "How many shares did it have?", AGREES),
        ("It had 158 million shares and 3 offices.", "3 offices", "How many shares did it have?", CONTRADICTS),
        (
            "Adjusted EBITDA was $2,018mn in FY 2023",
            "It was $2.0 billion.",
            "What was adjusted EBITDA for FY 2023?",
            AGREES,
        ),
        # a quantity that only illustrates
        ("Las Vegas, with 90% of it.", "Las Vegas", "Which region contributed most?", SILENT),
        ("Las Vegas, with 90% of it.", "Las Vegas (about 90%)", "Which region contributed most?", AGREES),
        ("Las Vegas, with 90% of it.", "Las Vegas (about 80%)", "Which region contributed most?", SILENT),
        # beside a yes or no
        ("Yes. Working capital was $1.6Bn.", "Yes.", "Is working capital positive?", SILENT),
        ("Yes. Working capital was $1.6Bn.", "Yes, $1,604 million.", "Is working capital positive?", AGREES),
        ("Yes. Working capital was $1.6Bn.", "Yes, $12.6 billion.", "Is working capital positive?", CONTRADICTS),
        # a number that is part of a name
        ("Apollo 17", "Apollo 11", "Which was the longest moon landing?", SILENT),
        ("61", "Highway 61", "Which highway was revisited?", AGREES),
        ("61", "Route 66", "Which highway was revisited?", SILENT),
        ("Louis 16", "Louis XVI", "Who was king?", SILENT),
        # no quantity at all, or a date
        ("Seattle", "It has 3 offices.", "Where is it?", SILENT),
        ("1905", "In 1905.", "In which year was it founded?", SILENT),
        ("", "3", "How many?", SILENT),
        ("3", "", "How many?", ABSENT),
    ],
)
def test_which_quantities_matter(golden: str, response: str, question: str, expected: Stance):
    """A golden quantity counts where the question is after it, and only supports where it illustrates the answer."""
    assert stance(golden, response, question) is expected


@pytest.mark.parametrize("variant", ["134.4 billion", "134,383 million", "134.383 billion"])
def test_evidence_quotes_both_sides(variant: str):
    """Evidence carries the golden words, the response's words at their place, and both in the note."""
    response = "In Q2 2023, total net sales came to $134.4 billion (see [1])."
    found = compare(variant, response, NET_SALES)
    assert found.stance is AGREES
    assert found.golden is not None
    assert found.response is not None
    assert found.golden.text == variant
    assert response[found.response.start : found.response.end] == found.response.text == "$134.4 billion"
    assert found.note.startswith(f"$134.4 billion agrees with the golden {variant}")


@pytest.mark.parametrize(
    ("golden", "response", "note"),
    [
        ("134.4 billion", "It was $170.0 billion.", "States $170.0 billion where the golden quantity is 134.4 billion"),
        (
            "5 million",
            "It was 5 billion.",
            "States 5 billion where the golden quantity is 5 million: the digits agree, the scale does not",
        ),
        ("-5", "It was 5.", "States 5 where the golden quantity is -5: the size agrees, the sign does not"),
        ("5%", "It was $5.", "States $5 where the golden quantity is 5%: the number agrees, the unit does not"),
        ("5", "Nobody knows.", "Gives no quantity where the golden one is 5"),
        ("5", "It was 5.", "states the golden 5"),
        ("134.4 billion", "It was $134,383 million.", "$134,383 million agrees with the golden 134.4 billion, rounded"),
    ],
)
def test_note_says_why(golden: str, response: str, note: str):
    """The note says in plain words what differs: value, scale, sign or unit."""
    assert compare(golden, response, "How much was it?").note == note


def test_note_names_the_scale_of_the_question():
    """A figure without a scale is read in the question's, and the note says so."""
    note = compare("8738", "It was 8,738 million.", IN_MILLIONS).note
    assert note == "8,738 million agrees with the golden 8738, in the scale of the question"


def strength(golden: str, response: str) -> float:
    return compare(golden, response, "How much was it?").strength


def test_strength_is_the_margin():
    """The closer two quantities are to tipping over, the weaker the evidence, on either side."""
    agreeing = [strength("134.4 billion", f"{value} million") for value in ("134,400", "134,383", "134,355")]
    contradicting = [strength("134.4 billion", f"{value} million") for value in ("134,345", "134,183", "170,000")]
    assert agreeing == sorted(agreeing, reverse=True)
    assert contradicting == sorted(contradicting)
    assert agreeing[0] == 1
    assert 0 <= contradicting[0] < 0.2


def test_chance_hit_is_weak():
    """One agreeing number among many different ones, none of them concluded, is worth half."""
    listing = "\n".join(f"{place * 1000 + 7}" for place in range(1, 20))
    assert strength("7,007", listing) == 0.5
    assert strength("7,007", "7,007") == 1


def test_silent_evidence_is_empty():
    """Silence quotes nothing."""
    assert compare("Seattle", "In Seattle.", "Where?") == Evidence("quantity", SILENT)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("134.4 billion", "134,400 million", True),
        ("134.4 billion", "$134.4bn", True),
        ("about 12 miles", "12 mi", True),
        ("134.4 billion", "170.0 billion", False),
        ("12%", "$12", False),
        ("-5 million", "a gain of 5 million", False),
        ("Apollo 11", "Gemini 11", False),
        ("12", "12 or 13", False),
        ("twelve", "dozens", False),
    ],
)
def test_golden_texts_are_one_quantity_where_they_are_nothing_else(one, other, expected):
    """Two texts are the same quantity if each is one quantity without other words, and the two agree."""
    assert same(one, other, "How much was it?") is expected


def test_a_date_is_no_quantity_that_another_text_repeats():
    """Where the question asks when, no text counts as the quantity of another."""
    assert not same("1997", "1997", "When was it?")


@pytest.mark.parametrize(
    ("response", "quoted"),
    [
        ("Net sales were $120 million.", "$120 million"),
        ("The method: (1) take the report, (2) read the sales. Net sales were $120 million.", "$120 million"),
        ("The par value is $0.01. Net sales were $120 million in that year.", "$120 million"),
        ("A form of 5 notes was filed. " * 9, None),
    ],
)
def test_another_amount_is_quoted_where_it_is_about_the_question(response: str, quoted: str | None):
    """What contradicts is the amount whose sentence is about the question; never a list's marker, nor another line."""
    found = compare("$134 million", response, "What were the net sales of the company?")

    assert found.stance is not Stance.AGREES
    assert (found.response and found.response.text) == quoted
