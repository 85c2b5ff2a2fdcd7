"""Names and phrases in other letters, forms and order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence import Stance, phrases
from tests.growth import ROOM, growth

WHO = "Who wrote the famous song?"
WHERE = "Where was the treaty signed?"
WHAT = "What is it called?"

SAME_WORDS = """
Sunset Boulevard | Sunset Boulevard
Sunset Boulevard | It was SUNSET BOULEVARD.
Sunset Boulevard | The musical is "Sunset Boulevard".
Sunset Boulevard | It is **Sunset Boulevard**[1].
O'Brien | It was O’Brien who came.
Jean-Luc | Jean‑Luc did.
東京 | 首都は東京です。
"""
OTHER_FORM = """
Sunset Blvd | Sunset Boulevard
St Ives | It was Saint Ives.
Mount Everest | They climbed Mt. Everest.
Hello Dolly | Hello, Dolly!
Cats eye | It is a Cat's Eye.
Halley's Comet | the Halley comet
Blade Runner: The Musical | “Blade Runner – The Musical”
Für Dich | It is known as Fur Dich.
Cafe Royal | the Café Royal
Hà Nội | It is Ha Noi.
Hanoi's old quarter | the old quarter of Hanoi
Vikings | the Viking warriors
Chordata | They are chordates.
Nerve cell | It is found in nerve cells.
It is highly polarised | It is polarized highly.
Refine an oil | It is used for refining oils.
theatre company | a theater company
grey colour | the gray color
Every six weeks | Every 6 weeks
12th century | It is from the twelfth century.
Henry VIII | It was Henry the 8th.
Louis XIV | King Louis 14
Three Sisters | 3 sisters
Romeo & Juliet | Romeo and Juliet
Anna & Boris Novak | Boris and Anna Novak
Novak, Boris | Boris Novak
Curie, Marie | It was Marie Curie.
Mercury (disambiguation) | It is Mercury.
The Tiger | a tiger
(Greater) Flamingo | the pink flamingo
White Nougat or Soft Turron | the soft turron
Doctor / Hospital surgeon | A hospital surgeon does it.
Queen Maud (accept Lady of Norway) | the lady of Norway
Dimitri Tchaikovski | Dmitri Tchaikovsky
Mathew Jones | Matthew Jones
Katherine Jones | Catherine Jones
Rheims Cathedral | the cathedral of Reims
United States of America | the USA
U.S.A. | the USA
J.R.R. Tolkien | J. R. R. Tolkien
United States | It was the USA.
the US | It happened in America.
UK | Great Britain
World War 2 | WWII
World War I | the First World War
Harry Connick Jnr | Harry Connick Jr.
New York City | NYC
vitamin C | It is C, the vitamin.
D major | It is in D Major.
L.A. | It was filmed in Los Angeles.
foxes | a fox
"""
ENOUGH = """
Golden Gate Bridge, San Francisco | Golden Gate Bridge
Doris Lessing, Persia, Rhodesia | Doris Lessing
Angelo Roncalli, who was John XXIII from 1958 to 1963 | Angelo Roncalli
Edith, in 1958, with a song of her own. She was 42 years old | It was Edith.
Ice skating | Skating
Rolls Royce | It is a Rolls.
Lung disease | It is a lung condition.
Telephone set | the telephone
Wimbledon Lawn Tennis Club in Wimbledon, London | the Wimbledon Lawn Tennis Club
Trying to climb the north face of the Eiger with a rope | for climbing the Eiger by its north face
The fall in sales was caused by a fire in the main warehouse | A fire in the warehouse led to lower sales.
"""
TOO_LITTLE = """
Sunset Boulevard | Abbey Road
Sunset Boulevard | The weather was fine.
Iran | Iraq
Austria | Australia
Niger | Nigeria
Mali | Malta
Slovakia | Slovenia
Iceland | Ireland
Maria | Mario
Julia | Julio
Manet | Monet
Gambia | Zambia
male | female
Harry Potter III | Harry Potter
Apollo 11 | Apollo 13
Henry VIII | Henry VII
Louis XIV | Louis XV
route 66 | route 6
3 hours and 42 minutes | 3 hours and 41 minutes
World War II | World War I
vitamin C | vitamin D
D major | G major
unconstitutional rule | a constitutional rule
United Nations | the League of Nations
WW2 | World War One
United States | United Kingdom
12th century | the 13th century
Plate tectonics theory | the Big Bang theory
Oregon, United States | the western United States
cat | concatenate
rue | It is true.
The fall in sales was caused by a fire in the main warehouse | The strong dollar made exports dear.
"""


def pairs(table):
    return [tuple(map(str.strip, line.split(" | "))) for line in table.strip().splitlines()]


@pytest.mark.parametrize(("golden", "response"), pairs(SAME_WORDS))
def test_the_same_words_agree_at_full_strength(golden, response):
    """Case, quotes, markdown, citations and apostrophes do not matter, and nothing agrees more strongly."""
    found = phrases.compare(golden, response, WHAT)
    assert (found.stance, found.strength) == (Stance.AGREES, 1.0)


def test_what_somebody_is_of_is_no_surname():
    """An office or a name with `of` is said without what follows it."""
    assert phrases.compare("Governor General of Canada", "the Governor-General", WHO).stance is Stance.AGREES


@pytest.mark.parametrize(("golden", "response"), pairs(OTHER_FORM))
def test_another_form_agrees(golden, response):
    """Accents, endings, order, numbers, acronyms, spelling and short forms change nothing of what is said."""
    question = WHO if "Novak," in golden or "Curie," in golden else WHAT
    assert phrases.compare(golden, response, question).stance is Stance.AGREES


@pytest.mark.parametrize(("golden", "response"), pairs(ENOUGH))
def test_the_words_that_matter_are_enough(golden, response):
    """A name without what describes it, and most of a longer phrase, agree, less strongly than the whole."""
    found = phrases.compare(golden, response, WHAT)
    assert found.stance is Stance.AGREES
    assert found.strength < 1


@pytest.mark.parametrize(("golden", "response"), pairs(TOO_LITTLE))
def test_another_name_or_number_does_not_agree(golden, response):
    """Names of similar letters, other numbers, and words of a class alone are not the golden phrase."""
    assert phrases.compare(golden, response, WHAT).stance is Stance.ABSENT


@pytest.mark.parametrize(
    ("golden", "response", "stance"),
    [
        ("Boris Novak", "Novak", Stance.AGREES),
        ("Duran Duran", "Duran", Stance.AGREES),
        ("00:00", ":00", Stance.AGREES),
        ("Boris Novak", "It was Novak.", Stance.AGREES),
        ("Boris Novak", "It was Mr Novak.", Stance.AGREES),
        ("Boris Novak", "It was B. Novak.", Stance.AGREES),
        ("Boris Novak", "It was Bor Novak.", Stance.AGREES),
        ("Boris Novak", "Boris", Stance.AGREES),
        ("Sir Arthur Conan-Doyle", "Arthur Conan Doyle", Stance.AGREES),
        ("Dr. Martin Luther King", "Martin Luther King", Stance.AGREES),
        ("R. J. Palacio", "Raquel Palacio", Stance.AGREES),
        ("John F. Kennedy", "Jack Kennedy", Stance.AGREES),
    ],
)
def test_a_person_is_named_by_surname(golden, response, stance):
    """Where the question asks for a person, the surname is needed, and enough unless another given name precedes it."""
    assert phrases.compare(golden, response, WHO).stance is stance


@pytest.mark.parametrize(
    ("golden", "response", "question"),
    [
        ("Paris", "It was not only Paris that fell.", WHERE),
        ("Paris", "It is not Lyon. It is Paris.", WHERE),
        ("Paris", "Not until Paris fell did they sign.", WHERE),
        ("Denver", "The host had the money not failed was Denver.", WHERE),
        ("The Silver Cup", "He did not win the Silver Cup.", "Which cup did he not win?"),
        ("Not for Sale", "It means not for sale.", WHAT),
    ],
)
def test_a_negation_of_something_else_rejects_nothing(golden, response, question):
    """A negation beside the phrase, and one that question or golden text hold too, leaves the phrase said."""
    assert phrases.compare(golden, response, question).stance is Stance.AGREES


@pytest.mark.parametrize(
    ("question", "response", "stance"),
    [
        ("Which three countries are crossed?", "Ecuador, Colombia and Brazil", Stance.AGREES),
        ("Which three countries are crossed?", "1. Brazil\n2. Colombia\n3. Ecuador", Stance.AGREES),
        ("Which three countries are crossed?", "Ecuador, Colombia, Peru", Stance.ABSENT),
        ("Name one of the countries that are crossed.", "Ecuador", Stance.AGREES),
    ],
)
def test_a_list_needs_all_that_is_asked_for(question, response, stance):
    """Every entry of a list is needed where the question asks for several, one where it asks for one."""
    assert phrases.compare("Brazil, Colombia and Ecuador", response, question).stance is stance


@pytest.mark.parametrize(
    ("golden", "question", "response", "stance"),
    [
        ("12th century", "In which century was it built?", "The 12th", Stance.AGREES),
        ("12th century", "In which century was it built?", "In the last century", Stance.ABSENT),
        ("Caucasus mountains", "In which mountains is it?", "In the Ural mountains", Stance.ABSENT),
        ("Claude Manet", "Who is confused with Claude Monet?", "Claude Monet", Stance.ABSENT),
        ("Pidgin English", "Which kind of English was it?", "Pidgin", Stance.AGREES),
    ],
)
def test_words_of_the_question_count_neither_for_nor_against(golden, question, response, stance):
    """A golden word that the question holds is not needed, and saying it alone is nothing."""
    assert phrases.compare(golden, response, question).stance is stance


def test_a_phrase_of_the_questions_words_agrees_weakly():
    """Where the question offers the golden answer itself, repeating it tells little."""
    found = phrases.compare("Paris", "Paris", "Was it signed in Paris or in Lyon?")
    assert (found.stance, found.strength) == (Stance.AGREES, 0.4)


@pytest.mark.parametrize(
    ("golden", "response", "note"),
    [
        ("Baker Street", "He lived in Green Street for many years of his life.", "names Green in place of baker"),
        ("Baker Street", "He lived in green street for many years of his life.", "says 1 of the 2 key words"),
        ("blood pressure", "water pressure", "names water in place of blood"),
        ("blood pressure", "It was raised by the water pressure in the room.", "says 1 of the 2 key words"),
    ],
)
def test_another_name_is_quoted(golden: str, response: str, note: str):
    """Another word in place of one of two is a name if it is written as one, or if the response says nothing else."""
    assert phrases.compare(golden, response, WHERE).note == note


def test_scattered_words_are_no_phrase():
    """The words of a name count together only where they stand together."""
    far = " and so on with many other words of no use at all here" * 3
    assert (
        phrases.compare("Blue Lagoon Ballet", f"The Blue boat{far} a lagoon{far} the ballet", WHAT).stance
        is Stance.ABSENT
    )


@pytest.mark.parametrize("golden", ["", " ", "—", "...", "()"])
def test_a_golden_text_without_words_is_silent(golden):
    """There is nothing to compare with."""
    assert phrases.compare(golden, "Paris", WHERE).stance is Stance.SILENT


@pytest.mark.parametrize("response", ["", " ", "...", "[1]", "<b></b>"])
def test_a_response_without_words_is_absent(response):
    """Nothing said is nothing of the phrase."""
    assert phrases.compare("Paris", response, WHERE).stance is Stance.ABSENT


def test_the_evidence_quotes_both_texts():
    """The spans are the words that agree, with offsets into their texts."""
    golden, response = "Riverside Park, Ohio", "It was held in the riverside PARK stadium."
    found = phrases.compare(golden, response, WHERE)
    assert (found.golden.text, found.response.text) == ("Riverside Park", "riverside PARK")
    assert golden[found.golden.start : found.golden.end] == found.golden.text
    assert response[found.response.start : found.response.end] == found.response.text


NAMES = st.text("bcdfghklmnprst", min_size=4, max_size=9).map(str.title)


@given(names=st.lists(NAMES, min_size=1, max_size=4, unique=True), seed=st.randoms())
def test_order_and_case_never_matter(names, seed):
    """A name whose words stand in another order and in capitals still agrees."""
    shuffled = names.copy()
    seed.shuffle(shuffled)
    assert phrases.compare(" ".join(names), " ".join(shuffled).upper(), WHAT).stance is Stance.AGREES


@given(name=NAMES, number=st.integers(20, 99_999), other=st.integers(20, 99_999))
def test_another_number_never_agrees(name, number, other):
    """A name with a number agrees with the same number, never with another one."""
    stance = phrases.compare(f"{name} {number}", f"It is {name} {other}.", WHAT).stance
    assert (stance is Stance.AGREES) == (number == other)


@given(golden=st.text(), response=st.text(), question=st.text())
def test_any_text_is_read(golden, response, question):
    """No text raises, and what is quoted stands in its text."""
    found = phrases.compare(golden, response, question)
    for quoted, text in ((found.golden, golden), (found.response, response)):
        if quoted:
            assert text[quoted.start : quoted.end] == quoted.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["a", "Aa Bb ", "1,", "(", "[1]", "<a", "'s ", "A.B.", "or ", "𝔘 ", "İ", "\n", "not a "]
)
def test_hostile_characters_take_linear_time(piece):
    """The time does not grow with the square of the text, on any side."""

    def work(size: int) -> None:
        hostile = piece * (size // len(piece))
        phrases.compare("Aa Bb the word", hostile, WHO)
        phrases.compare(hostile, "Aa Bb the word", WHO)
        phrases.compare(hostile, hostile[::-1], hostile)

    assert growth(work, 60_000) < ROOM


CITIES = "Rome, Milan, Turin and Naples"


@pytest.mark.parametrize(
    ("golden", "question", "response", "stance"),
    [
        (CITIES, "Which cities host it?", "Rome, Milan and Turin", Stance.ABSENT),
        (CITIES, "Which cities host it?", "Rome, Milan, Turin and Bari", Stance.ABSENT),
        (CITIES, "Which cities host it?", "Naples, Turin, Milan and Rome", Stance.AGREES),
        ("maths, English and history", "Which subjects are compulsory?", "English, maths and biology", Stance.ABSENT),
        ("Paris, capital of France", "Where did they meet?", "In Paris", Stance.AGREES),
    ],
)
def test_a_list_has_all_its_entries(golden: str, question: str, response: str, stance: Stance):
    """A golden list is said where each of its entries is, in any order; what describes a name is no entry."""
    assert phrases.compare(golden, response, question).stance is stance


@pytest.mark.parametrize(
    ("response", "stance"),
    [
        ("Elon Musk.", Stance.ABSENT),
        ("It sounds like Elon Musk, but he isn't a math person.", Stance.AGREES),
    ],
)
def test_a_golden_denial_wants_one(response: str, stance: Stance):
    """A name that a golden text only names to deny it is not said by the name alone."""
    golden = "This sounds like Elon Musk but he's not a math person"
    assert phrases.compare(golden, response, "Who is the genius who grew up in the 70s?").stance is stance
