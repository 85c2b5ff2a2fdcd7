"""Short cases from many domains, labelled as a person would: what the kinds of evidence come to together."""

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.model import SURE
from qaviz.model.columns import ANSWER, ANSWERABLE, CONFIDENCE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

C, I, D = "correct", "incorrect", "declined"  # noqa: E741 - one letter keeps the tables narrow

Case = tuple[str, str, str | None, str, str]
"""Question, golden answer, fact, response, label."""


PEOPLE: list[Case] = [
    (
        "Who wrote the novel Frankenstein?",
        "Mary Shelley",
        "Mary Shelley",
        "Frankenstein was written by Mary Wollstonecraft Shelley.",
        C,
    ),
    (
        "Who wrote the novel Frankenstein?",
        "Mary Shelley",
        "Mary Shelley",
        "It was Percy Bysshe Shelley who wrote it.",
        I,
    ),
    ("Who wrote the novel Frankenstein?", "Mary Shelley", "Mary Shelley", "Shelley", C),
    (
        "Who plays the doctor in the series?",
        "Hugh Laurie",
        "Hugh Laurie<OR>James Hugh Calum Laurie",
        "The role of the doctor is played by British actor Hugh Laurie.",
        C,
    ),
    (
        "Who plays the doctor in the series?",
        "Hugh Laurie",
        "Hugh Laurie<OR>James Hugh Calum Laurie",
        "The doctor is played by Omar Epps.",
        I,
    ),
    (
        "Who sang the original version of the song?",
        "Gloria Jones",
        "Gloria Jones",
        "The original was recorded by Soft Cell.",
        I,
    ),
    (
        "Who sang the original version of the song?",
        "Gloria Jones",
        "Gloria Jones",
        "Soft Cell made it famous, but the original was sung by Gloria Jones in 1964.",
        C,
    ),
    (
        "Who was the first president of the republic?",
        "Sun Yat-sen",
        "Sun Yat-sen<OR>Sun Zhongshan",
        "Dr. Sun Yat Sen became the first provisional president.",
        C,
    ),
    (
        "Who was the first president of the republic?",
        "Sun Yat-sen",
        "Sun Yat-sen<OR>Sun Zhongshan",
        "Yuan Shikai was the first president.",
        I,
    ),
    (
        "Who discovered penicillin?",
        "Sir Alexander Fleming",
        "Sir Alexander Fleming",
        "Alexander Fleming discovered it in 1928.",
        C,
    ),
    ("Who discovered penicillin?", "Sir Alexander Fleming", "Sir Alexander Fleming", "Howard Florey", I),
    (
        "Who directed the film?",
        "the Coen brothers",
        "the Coen brothers<OR>Joel Coen",
        "It was directed by Joel and Ethan Coen.",
        C,
    ),
    (
        "Who is the lead singer of the band?",
        "Steve Perry",
        "Steve Perry<OR>Arnel Pineda",
        "The band's current lead singer is Arnel Pineda.",
        C,
    ),
    ("Who is the lead singer of the band?", "Steve Perry", "Steve Perry", "The lead singer is Steven Tyler.", I),
    (
        "Who won the Nobel Peace Prize in 1979?",
        "Mother Teresa",
        "Mother Teresa",
        "Mother Theresa of Calcutta received it.",
        C,
    ),
    (
        "Who painted the ceiling?",
        "Michelangelo",
        "Michelangelo",
        "The ceiling was painted by Michelangelo di Lodovico Buonarroti Simoni.",
        C,
    ),
    ("Who painted the ceiling?", "Michelangelo", "Michelangelo", "Raphael painted it, not Michelangelo.", I),
    (
        "Who painted the ceiling?",
        "Michelangelo",
        "Michelangelo",
        "Although many think it was Michelangelo, the ceiling was painted by Raphael.",
        I,
    ),
    (
        "Who was the second man on the Moon?",
        "Buzz Aldrin",
        "Buzz Aldrin<OR>Edwin Aldrin",
        "Neil Armstrong was first; Buzz Aldrin followed him as the second.",
        C,
    ),
    ("Who was the second man on the Moon?", "Buzz Aldrin", "Buzz Aldrin<OR>Edwin Aldrin", "Neil Armstrong", I),
    ("Who is the author of the report?", "John F. Kennedy", "John F. Kennedy", "John Fitzgerald Kennedy", C),
    (
        "Who founded the company?",
        "Hewlett and Packard",
        "Bill Hewlett<AND>David Packard",
        "It was founded by Bill Hewlett and Dave Packard in a garage.",
        C,
    ),
    (
        "Who founded the company?",
        "Hewlett and Packard",
        "Bill Hewlett<AND>David Packard",
        "It was founded by Bill Hewlett.",
        I,
    ),
    ("Who is the queen's eldest son?", "Charles, Prince of Wales", "Charles, Prince of Wales", "Prince Charles", C),
    ("Who was king before him?", "George VI", "George VI", "King George V", I),
    ("Who was king before him?", "George VI", "George VI", "King George the Sixth", C),
    ("Who was pope in 1980?", "Pope John Paul II", "Pope John Paul II", "John Paul I", I),
    ("Who was pope in 1980?", "Pope John Paul II", "Pope John Paul II", "It was John Paul II, born Karol Wojtyła.", C),
]

PLACES: list[Case] = [
    (
        "Where is the headquarters of the bank?",
        "Charlotte, North Carolina",
        "Charlotte, North Carolina",
        "The bank has its headquarters in Charlotte, NC.",
        C,
    ),
    (
        "Where is the headquarters of the bank?",
        "Charlotte, North Carolina",
        "Charlotte, North Carolina",
        "New York City",
        I,
    ),
    ("Where was the treaty signed?", "Paris", "Paris", "It was signed at the Palace of Versailles.", I),
    ("Where was the treaty signed?", "Paris, France", "Paris, France<OR>Paris", "In the French capital, Paris.", C),
    (
        "Where do most penguins live?",
        "Antarctica",
        "Antarctica",
        "Most of them live in the Southern Hemisphere, particularly on the Antarctic continent.",
        C,
    ),
    ("Which country won the cup in 2010?", "Spain", "Spain", "The Netherlands lost the final to Spain.", C),
    ("Which country won the cup in 2010?", "Spain", "Spain", "The Spanish national team", C),
    ("Which country won the cup in 2010?", "Spain", "Spain", "Netherlands", I),
    (
        "Which country has the most people?",
        "the United States of America",
        "the United States of America<OR>United States",
        "USA",
        C,
    ),
    (
        "What is the longest river in Africa?",
        "Nile",
        "Nile<OR>the Nile",
        "The Nile River is the longest river in Africa.",
        C,
    ),
    (
        "What is the longest river in Africa?",
        "Nile",
        "Nile<OR>the Nile",
        "The Congo River, which is longer than the Nile.",
        I,
    ),
    ("Which state is Mount Rushmore in?", "South Dakota", "South Dakota", "North Dakota", I),
    (
        "Which state is Mount Rushmore in?",
        "South Dakota",
        "South Dakota",
        "It is in the Black Hills of South Dakota.",
        C,
    ),
    ("Where is the Sea of Tranquility?", "on the Moon", "on the Moon<OR>the Moon", "It is located on Earth's Moon.", C),
    ("Where does the Danube end?", "the Black Sea", "the Black Sea<OR>Black Sea", "It flows into the Caspian Sea.", I),
]

DATES: list[Case] = [
    ("When was the company founded?", "September 4, 1998", "September 4, 1998", "In 1998.", C),
    ("When was the company founded?", "1998", "1998", "It was founded on September 4, 1998.", C),
    ("When was the company founded?", "September 4, 1998", "September 4, 1998", "It was founded in September 1999.", I),
    (
        "When did the war end?",
        "1918",
        "1918<OR>11 November 1918",
        "The war, which began in 1914, ended on November 11th, 1918.",
        C,
    ),
    ("When did the war end?", "1918", "1918<OR>11 November 1918", "The war began in 1914 and lasted until 1919.", I),
    ("When did the first season air?", "October 7, 2014", "October 7, 2014", "7 Oct 2014", C),
    ("When did the first season air?", "October 7, 2014", "October 7, 2014", "October 8, 2014", I),
    (
        "What year did the ship sink?",
        "1912",
        "1912",
        "The ship sank in the early hours of April 15, 1912, having left on April 10.",
        C,
    ),
    ("What year did the ship sink?", "1912", "1912", "1921", I),
    ("When was the bridge opened?", "the 1930s", "the 1930s<OR>1937", "It opened in May 1937.", C),
    ("In what century was it built?", "12th century", "12th century", "It was built in the twelfth century.", C),
    ("In what century was it built?", "12th century", "12th century", "It was built around 1163.", C),
    ("In what century was it built?", "12th century", "12th century", "In the 1300s", I),
    ("What month is Thanksgiving in?", "November", "November", "It's on the fourth Thursday of November.", C),
    (
        "On which day does the festival begin?",
        "15 August",
        "15 August<OR>August 15",
        "It begins on the 15th of August each year.",
        C,
    ),
    ("When will the next game be released?", "March 2018", "March 2018", "It will be released on 20 March 2018.", C),
    ("When will the next game be released?", "March 2018", "March 2018", "It will be released in spring 2018.", C),
    ("When did she die?", "1997", "1997", "She was born in 1961 and died in 1997.", C),
    ("How long did the war last?", "116 years", "116 years", "From 1337 to 1453, that is 116 years.", C),
]

NUMBERS: list[Case] = [
    ("How many players are on the field?", "eleven", "eleven<OR>11", "Each side has 11 players.", C),
    ("How many players are on the field?", "eleven", "eleven<OR>11", "There are 22 players, 11 from each side.", C),
    ("How many players are on the field?", "eleven", "eleven<OR>11", "nine", I),
    ("How many episodes are in season two?", "13", "13", "Season two has thirteen episodes.", C),
    ("How many episodes are in season two?", "13", "13", "There are 10 episodes in season 2.", I),
    ("How tall is the tower?", "324 metres", "324 metres<OR>1,063 ft", "The tower is 324 m tall.", C),
    ("How tall is the tower?", "324 metres", "324 metres<OR>1,063 ft", "about 300 feet", I),
    ("How far is the Moon?", "384,400 km", "384,400 km", "About 384,000 kilometers", C),
    ("How far is the Moon?", "384,400 km", "384,400 km", "Roughly 238,900 miles", C),
    ("What is the population of the town?", "12,345", "12,345", "The town has a population of 12345 people.", C),
    ("What is the population of the town?", "about 1.3 million", "about 1.3 million", "1,312,000", C),
    ("What is the population of the town?", "about 1.3 million", "about 1.3 million", "13 million", I),
    (
        "How many bones does an adult have?",
        "206",
        "206",
        "Adults have 206 bones, while babies are born with around 270.",
        C,
    ),
    ("How many bones does an adult have?", "206", "206", "Between 200 and 213.", I),
    ("What is the boiling point of water?", "100 °C", "100 °C<OR>212 °F", "Water boils at 212 degrees Fahrenheit.", C),
    (
        "What percentage of the air is nitrogen?",
        "78%",
        "78%",
        "Nitrogen makes up about 78 percent of the atmosphere.",
        C,
    ),
    ("What percentage of the air is nitrogen?", "78%", "78%", "Oxygen is 21%, nitrogen 70%.", I),
    ("How many strings does a violin have?", "four", "four<OR>4", "A violin typically has 4 strings (G, D, A, E).", C),
    (
        "How much does a gallon of water weigh?",
        "8.34 pounds",
        "8.34 pounds",
        "A US gallon weighs approximately 8.3 lbs.",
        C,
    ),
    ("What number is Lewis Hamilton's car?", "44", "44", "He races with number 44.", C),
]

YES_OR_NO: list[Case] = [
    ("Is the tomato a fruit?", "Yes", "Yes", "Botanically, the tomato is a fruit.", C),
    ("Is the tomato a fruit?", "Yes", "Yes", "No, it is a vegetable.", I),
    ("Can penguins fly?", "No", "No", "Penguins cannot fly.", C),
    ("Can penguins fly?", "No", "No", "Yes, some species can.", I),
    (
        "Does the warranty cover water damage?",
        "No, water damage is excluded.",
        "No",
        "Water damage is not covered by the warranty.",
        C,
    ),
    ("Does the warranty cover water damage?", "No, water damage is excluded.", "No", "It does cover water damage.", I),
    (
        "Is the firm profitable?",
        "Yes, it earned $5 million.",
        "Yes",
        "The firm is profitable, with net income of $5 million.",
        C,
    ),
    ("Did sales rise in 2020?", "No, they fell by 3%.", "No", "Sales declined 3% in 2020.", C),
    ("Did sales rise in 2020?", "No, they fell by 3%.", "No", "Sales rose 3% in 2020.", I),
    ("Has the policy changed since 2019?", "Yes", "Yes", "The policy has not changed.", I),
]

LISTS: list[Case] = [
    ("Name one of the primary colours.", "red, yellow or blue", "red<OR>yellow<OR>blue", "Blue", C),
    ("Name one of the primary colours.", "red, yellow or blue", "red<OR>yellow<OR>blue", "Green", I),
    (
        "What are the three branches of government?",
        "legislative, executive and judicial",
        "legislative, executive, judicial",
        "The executive, the legislative, and the judiciary branches.",
        C,
    ),
    (
        "What are the three branches of government?",
        "legislative, executive and judicial",
        "legislative, executive, judicial",
        "The executive and the judicial branch.",
        I,
    ),
    (
        "Which languages are official in Belgium?",
        "Dutch, French and German",
        "Dutch<AND>French<AND>German",
        "Dutch, French, German",
        C,
    ),
    (
        "Which languages are official in Belgium?",
        "Dutch, French and German",
        "Dutch<AND>French<AND>German",
        "Dutch and French",
        I,
    ),
    (
        "What is the capital of Australia?",
        "Canberra",
        "Canberra",
        "Sydney is the largest city, but the capital is Canberra.",
        C,
    ),
    ("What is the capital of Australia?", "Canberra", "Canberra", "Sydney", I),
    ("What is the capital of Australia?", "Canberra", "Canberra", "The capital isn't Canberra; it is Sydney.", I),
    (
        "What is the capital of Australia?",
        "Canberra",
        "Canberra",
        "The capital of Australia is not Sydney but Canberra.",
        C,
    ),
    ("What is the capital of Australia?", "Canberra", "Canberra", "I'm not sure, but I believe it is Canberra.", C),
    ("What is the capital of Australia?", "Canberra", "Canberra", "I don't know.", D),
]

PHRASES: list[Case] = [
    (
        "What does a barometer measure?",
        "atmospheric pressure",
        "atmospheric pressure<OR>air pressure",
        "It measures the pressure of the atmosphere.",
        C,
    ),
    (
        "What does a barometer measure?",
        "atmospheric pressure",
        "atmospheric pressure<OR>air pressure",
        "It measures temperature.",
        I,
    ),
    (
        "What does a barometer measure?",
        "atmospheric pressure",
        "atmospheric pressure<OR>air pressure",
        "blood pressure",
        I,
    ),
    ("What gas do plants take in?", "carbon dioxide", "carbon dioxide<OR>CO2", "CO₂", C),
    ("What gas do plants take in?", "carbon dioxide", "carbon dioxide<OR>CO2", "carbon monoxide", I),
    ("What type of animal is a dolphin?", "mammal", "mammal", "Dolphins are marine mammals.", C),
    ("What is the chemical symbol for gold?", "Au", "Au", "Ag", I),
    ("What is the chemical symbol for gold?", "Au", "Au", "The symbol is Au, from Latin aurum.", C),
    (
        "What is the largest organ of the body?",
        "skin",
        "skin<OR>the skin",
        "The largest internal organ is the liver, but overall it is the skin.",
        C,
    ),
    ("What is the largest organ of the body?", "skin", "skin<OR>the skin", "the liver", I),
    ("What sport does he play?", "ice hockey", "ice hockey", "field hockey", I),
    (
        "What is the theme of the poem?",
        "unrequited love",
        "unrequited love",
        "The poem is about love that is not returned.",
        C,
    ),
    ("Which company makes the iPhone?", "Apple Inc.", "Apple Inc.<OR>Apple", "Apple", C),
    ("Which team does he play for?", "Manchester United", "Manchester United", "Manchester City", I),
    ("What is the name of the ship?", "HMS Victory", "HMS Victory", "The Victory", C),
    ("What book comes after Exodus?", "Leviticus", "Leviticus", "Numbers", I),
    ("What's the name of the sequel?", "Jaws 2", "Jaws 2", "Jaws", I),
    ("Which element has atomic number 1?", "hydrogen", "hydrogen<OR>H", "Hydrogen (H)", C),
    ("Which element has atomic number 2?", "helium", "helium", "hydrogen", I),
    ("What did he use to write it?", "a quill pen", "a quill pen", "with a feather quill", C),
]

FINANCE: list[Case] = [
    ("What was FY2021 revenue in USD millions?", "$1,577.00", "$1577.00", "Revenue in FY2021 was $1.577 billion.", C),
    ("What was FY2021 revenue in USD millions?", "$1,577.00", "$1577.00", "Revenue was $1,677 million.", I),
    (
        "What is the gross margin for 2020? Round to one decimal.",
        "45.3%",
        "45.3%",
        "Gross margin = (1,000 - 547)/1,000 = 0.453, or 45.3%.",
        C,
    ),
    ("What is the gross margin for 2020? Round to one decimal.", "45.3%", "45.3%", "The gross margin was 54.7%.", I),
    (
        "What was the net income?",
        "$(12.4) million",
        "$(12.4) million",
        "The company had a net loss of $12.4 million.",
        C,
    ),
    ("What was the net income?", "$(12.4) million", "$(12.4) million", "Net income was $12.4 million.", I),
    ("What was EPS in 2022?", "$3.21", "$3.21", "Diluted earnings per share came to 3.21 dollars.", C),
    ("What was EPS in 2022?", "$3.21", "$3.21", "EPS was $3.12.", I),
    (
        "Did operating margin improve?",
        "Operating margin fell from 12% to 10%.",
        None,
        "No, it decreased by two percentage points, from 12% to 10%.",
        C,
    ),
    (
        "Did operating margin improve?",
        "Operating margin fell from 12% to 10%.",
        None,
        "Yes, operating margin improved from 10% to 12%.",
        I,
    ),
    (
        "What drove revenue growth in 2022?",
        "Higher prices and stronger demand for cloud services.",
        None,
        "Growth was driven by price increases and strong cloud demand.",
        C,
    ),
    (
        "What drove revenue growth in 2022?",
        "Higher prices and stronger demand for cloud services.",
        None,
        "Growth was driven by acquisitions in Asia.",
        I,
    ),
    (
        "What drove revenue growth in 2022?",
        "Higher prices and stronger demand for cloud services.",
        None,
        "The provided excerpts do not explain what drove revenue growth.",
        D,
    ),
    (
        "Which segment had the highest sales?",
        "Consumer Health",
        None,
        "The Consumer Health segment had the highest sales, $5.1 billion.",
        C,
    ),
    ("Which segment had the highest sales?", "Consumer Health", None, "Pharmaceuticals had the highest sales.", I),
    (
        "Is the company capital intensive?",
        "No. Capex is only 2% of revenue.",
        None,
        "The company is not capital-intensive: capex is about 2% of revenue.",
        C,
    ),
    (
        "Is the company capital intensive?",
        "No. Capex is only 2% of revenue.",
        None,
        "Yes, with capex at 20% of revenue the company is capital intensive.",
        I,
    ),
    ("What is the quick ratio?", "0.96", None, "The quick ratio is 0.96.", C),
    ("What is the quick ratio?", "0.96", None, "The quick ratio is 1.25.", I),
    (
        "What is the quick ratio?",
        "0.96",
        None,
        "To calculate the quick ratio, you need current assets and inventory.",
        D,
    ),
    (
        "Who is the CFO?",
        "Jane Doe was CFO until June 2022, then John Roe.",
        None,
        "John Roe has been CFO since June 2022, succeeding Jane Doe.",
        C,
    ),
    ("How much debt matures in 2025?", "$2.5 billion", None, "$2,500 million of notes mature in 2025.", C),
    ("How much debt matures in 2025?", "$2.5 billion", None, "$250 million", I),
    (
        "Does the company pay dividends?",
        "The company does not pay dividends.",
        None,
        "No, it has never paid dividends.",
        C,
    ),
    (
        "Does the company pay dividends?",
        "The company does not pay dividends.",
        None,
        "Yes, it pays a quarterly dividend of $0.25.",
        I,
    ),
]

DIRECTIONS: list[Case] = [
    ("Did costs increase or decrease in 2022?", "Costs increased in 2022.", None, "In 2022 costs decreased by 3%.", I),
    ("Did costs increase or decrease in 2022?", "Costs increased in 2022.", None, "In 2022 costs rose by 3%.", C),
    ("Did costs rise or fall in 2022?", "They fell.", None, "Costs rose at first. Overall, costs fell in 2022.", C),
    ("Did costs rise or fall in 2022?", "Costs fell in 2022.", None, "The filing is silent on wages.", I),
    ("Are margins stable?", "Yes, within 2%.", None, "Margins do move, but not more than 2%: margins are stable.", C),
    (
        "Is the ratio healthy?",
        "Yes. The ratio is 1.57, that is (a + b) / c.",
        None,
        "Yes, the ratio of 2.35 is healthy.",
        I,
    ),
    (
        "Is the ratio healthy?",
        "Yes. The ratio is 1.57, that is (a + b) / c.",
        None,
        "Yes, at 1.57 the ratio is healthy.",
        C,
    ),
    (
        "Was working capital positive?",
        "No, it was -$1,561M.",
        None,
        "On the 2022 data working capital was not positive.",
        C,
    ),
]

REFUSALS: list[Case] = [
    (
        "What is his middle name?",
        "Fitzgerald",
        "Fitzgerald",
        "I'm sorry, but I couldn't find that in the documents.",
        D,
    ),
    ("What is his middle name?", "Fitzgerald", "Fitzgerald", "As an AI, I do not have access to personal data.", D),
    ("What is his middle name?", "Fitzgerald", "Fitzgerald", "There is no mention of a middle name in the text.", D),
    (
        "What is his middle name?",
        "Fitzgerald",
        "Fitzgerald",
        "The text does not say it directly, but his middle name is Fitzgerald.",
        C,
    ),
    ("What is his middle name?", "Fitzgerald", "Fitzgerald", "He has no middle name.", I),
    (
        "What is the fee?",
        "$30",
        "$30",
        "The context provided does not include the fee. Please consult the fee schedule.",
        D,
    ),
    ("What is the fee?", "$30", "$30", "It's $30, though I couldn't find whether taxes are included.", C),
]

VIETNAMESE: list[Case] = [
    ("Thủ đô của Úc là gì?", "Canberra", "Canberra", "Thủ đô của Úc là Canberra, không phải Sydney.", C),
    ("Thủ đô của Úc là gì?", "Canberra", "Canberra", "Thủ đô của Úc là Sydney.", I),
    ("Doanh thu năm 2023 là bao nhiêu?", "134,4 tỷ đô la", "134,4 tỷ", "Doanh thu đạt 134.383 triệu đô la.", C),
    ("Doanh thu năm 2023 là bao nhiêu?", "134,4 tỷ đô la", "134,4 tỷ", "Doanh thu đạt 170 tỷ đô la.", I),
    ("Doanh thu năm 2023 là bao nhiêu?", "134,4 tỷ đô la", "134,4 tỷ", "Tài liệu không nêu doanh thu năm 2023.", D),
    ("Việt Nam có bao nhiêu tỉnh thành?", "63", "63", "Việt Nam có sáu mươi ba tỉnh thành.", C),
    ("Chiến tranh kết thúc khi nào?", "30 tháng 4 năm 1975", "30 tháng 4 năm 1975", "Ngày 30/4/1975.", C),
    ("Chiến tranh kết thúc khi nào?", "30 tháng 4 năm 1975", "30 tháng 4 năm 1975", "Năm 1973.", I),
    ("Ai là tác giả Truyện Kiều?", "Nguyễn Du", "Nguyễn Du", "Đại thi hào Nguyễn Du.", C),
    ("Ai là tác giả Truyện Kiều?", "Nguyễn Du", "Nguyễn Du", "Nguyen Du", C),
    ("Ai là tác giả Truyện Kiều?", "Nguyễn Du", "Nguyễn Du", "Nguyễn Trãi", I),
    ("Công ty có trả cổ tức không?", "Có", "Có", "Công ty không trả cổ tức.", I),
    ("Công ty có trả cổ tức không?", "Có", "Có", "Có, công ty trả cổ tức hàng quý.", C),
    ("Công ty có trả cổ tức không?", "Không", "Không", "Công ty không trả cổ tức.", C),
]

ALL = [*PEOPLE, *PLACES, *DATES, *NUMBERS, *YES_OR_NO, *LISTS, *PHRASES, *FINANCE, *DIRECTIONS, *REFUSALS, *VIETNAMESE]


@pytest.fixture(scope="module")
def diagnosed() -> pl.DataFrame:
    """The diagnosed cases, all from one table."""
    schema = dict.fromkeys((QUESTION, ANSWER, FACT, RESPONSE), pl.String)
    rows = pl.DataFrame([case[:4] for case in ALL], schema=schema, orient="row")
    return diagnose(score(rows.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))


def test_verdicts_are_mostly_what_a_person_says(diagnosed):
    """Of cases written one by one at least five in six have their label, and of the sure ones all but one in twenty."""
    rows = diagnosed.with_columns(pl.Series(LABEL, [case[4] for case in ALL]))
    right = rows[VERDICT] == rows[LABEL]
    sure = rows[CONFIDENCE].fill_null(0) >= SURE

    assert right.mean() >= 0.85
    assert right.filter(sure).mean() >= 0.95
