"""Refusals told apart from answers, with or without a caveat."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.diagnosis.evidence import Stance, refusal
from tests.growth import ROOM, growth

DECLINED = """
I don't know.
I do not know the answer to this question.
I’m not sure.
Sorry, I have no idea.
I have no information about that.
I am unable to answer this question.
I'm unable to determine the revenue from the given pages.
I cannot answer that.
We cannot determine the margin without the balance sheet.
I could not find any mention of a merger.
I couldn’t find any information about the founder.
I was not able to locate the figure in the filing.
I don't have access to real-time data.
As an AI language model, I do not have access to financial databases.
I'm sorry, but I can't provide the exact figure.
Unfortunately, I am not aware of any such company.
I'm sorry, but the provided context does not contain information about the merger.
The documents do not say.
The document does not mention the number of employees.
The text doesn't provide the information that is needed.
The filing does not disclose the restructuring costs.
The provided passages do not include the balance sheet.
The context lacks details on the acquisition.
The report fails to mention the dividend.
The information provided does not specify the year.
None of the documents mention an acquisition.
There is no information about the tax rate in the report.
There is no mention of a dividend in the text.
There is not enough information to answer the question.
There is insufficient data to calculate the ratio.
The context has insufficient detail.
No information is available on this topic.
No data was found for 2022.
The headcount is not mentioned in the context.
The answer is not provided in the text.
The date is not specified.
The exact amount isn't available in the excerpts.
This is not stated in the documents.
The name of the founder is unknown.
I cannot determine what the answer is.
No data is given, so the answer is not available.
It is unclear from the report who signed it.
The revenue cannot be determined from the documents.
The ratio can't be calculated with what is given.
It is not possible to determine the amount from the text.
It's impossible to say without more context.
You have not provided the balance sheet.
Unknown
Unknown.
N/A
Not available
Not specified.
No answer
Nobody knows.
Based on the provided context, it is not possible to determine the tax rate.
As of my last update, I do not have data for that year.
The text does not give the figure. It may stand in the annual report.
The document does not provide the number. The company was founded in Seattle by a group of friends.
The pages do not mention the deal. Therefore, I cannot say when it closed.
Based on the context, sales were high. However, since the cost is not given, I cannot calculate the margin.
Không có thông tin.
Tôi không biết.
Tài liệu không đề cập đến doanh thu.
Không tìm thấy thông tin trong tài liệu.
Xin lỗi, tôi không thể trả lời câu hỏi này.
Rất tiếc, không có đủ dữ liệu để tính.
Tôi không chắc.
Văn bản chưa nêu rõ năm thành lập.
Không rõ.
Thiếu thông tin để trả lời.
"""


ANSWERED = """
Amazon has 1.5 million employees.
The net sales were $134.4 billion.
Paris
No.
No, the company does not pay a dividend.
Yes. It does not hold any debt.
1999
The company did not pay a dividend in 2020.
Nothing was paid in 2020.
She was not the first; Marie Curie was.
It was founded in 1994, not in 1995.
The book was written by Jane Austen. I don't have more details on its sales.
Net sales were $134.4 billion; however, the documents do not say how much of it came from books.
The plan is a rise to five a month, but no specific date is given.
I cannot verify it, but it was $5 million.
I'm not certain, but I believe it was Lyon.
I do not have the exact figure. However, based on the report it was approximately $12 million.
The text does not state it directly. However, it can be inferred that the plant closed in 1987.
I don't know for certain, but my best guess is Vienna.
Although the filing does not name the buyer, the seller was Acme.
The capital is Canberra. To find more, you can look at an atlas.
To calculate it we divide 10 by 5. The result is 2.
The unknown soldier lies under the arch.
The stone was an unknown substance sought by alchemists.
There are no costs outlined in the data, so the answer is 0.
The Unknown
He needed a new horse.
The product does not contain animal fat.
The company does not have any debt registered on an exchange.
The piano is a casino favourite; you'd find it in the lobby.
If two lines cross, the result is a point.
It is commonly known as the Moonlight Sonata.
The lowest string is normally tuned to E.
Not for Sale
There is no Frigate Like a Book
Doanh thu là 134,4 tỷ USD.
Công ty không trả cổ tức năm 2020.
Không, công ty lỗ năm 2020.
Tôi không có số liệu chính xác, nhưng có lẽ là 5 triệu.
"""


def lines(table):
    return table.strip().splitlines()


@pytest.mark.parametrize("response", lines(DECLINED))
def test_a_response_without_an_answer_declines_and_quotes_it(response):
    """A response that declines, or only tells how to find the answer, agrees as a refusal and quotes its own words."""
    found = refusal.find(response)
    assert found.stance is Stance.AGREES
    assert response[found.response.start : found.response.end] == found.response.text != ""


@pytest.mark.parametrize("response", lines(ANSWERED))
def test_a_response_with_an_answer_does_not_decline(response):
    """A response that answers is silent as a refusal, whatever it denies, needs or does not know beside its answer."""
    assert refusal.find(response).stance is Stance.SILENT


@pytest.mark.parametrize("response", ["", " ", "\n\t", "...", "—", "?!"])
def test_a_response_without_words_declines(response):
    """An empty response, or one of signs alone, is a refusal with nothing to quote."""
    found = refusal.find(response)
    assert (found.stance, found.response, found.note) == (Stance.AGREES, None, "the response is empty")


def test_an_answer_with_a_caveat_quotes_the_caveat():
    """Where a response answers and says what it does not know, the evidence shows that clause."""
    found = refusal.find("The seller was Acme. The filing does not name the buyer.")
    assert (found.stance, found.response.text) == (Stance.SILENT, "The filing does not name the buyer.")


@pytest.mark.parametrize(
    ("question", "response"),
    [
        ("Which report does not disclose the revenue?", "The second report does not disclose the revenue."),
        ("Which word is not mentioned in the text?", "The word that is not mentioned in the text is love."),
        ("What could not be found after the flood?", "The bell could not be found after the flood."),
    ],
)
def test_the_words_of_the_question_are_no_refusal(question, response):
    """A negation that the response repeats from the question declines nothing."""
    assert refusal.find(response, question).stance is Stance.SILENT
    assert refusal.find(response).stance is Stance.AGREES


QUESTIONS = """
What was the net revenue of Acme in 2021?
Who founded the company, and when?
Is the business capital-intensive?
How many employees did it have (in thousands)?
Which debt securities are registered under its name?
"""
FRAMES = """
I don't know the answer to the question "{}"
Regarding your question, {} The documents do not say.
{} I'm sorry, but the context does not contain information about that.
You asked: {} There is no information on this in the text.
"""


@pytest.mark.parametrize("frame", lines(FRAMES))
@pytest.mark.parametrize("question", lines(QUESTIONS))
def test_a_refusal_that_restates_the_question_stays_one(frame, question):
    """Repeating the question around a refusal does not make an answer of it."""
    assert refusal.find(frame.format(question), question).stance is Stance.AGREES


@given(
    topic=st.text("abcdefgh ", min_size=1, max_size=30),
    opening=st.sampled_from(["What was", "Who founded", "When was", "Where is", "How many employees had"]),
    frame=st.sampled_from(lines(FRAMES)),
)
def test_any_question_restated_leaves_a_refusal_one(topic, opening, frame):
    """Whatever the question is about, a refusal with the question in it is a refusal."""
    question = f"{opening} {topic.strip()}?"
    assert refusal.find(frame.format(question), question).stance is Stance.AGREES


@given(case=st.sampled_from([str.upper, str.lower, str.title]), response=st.sampled_from(lines(DECLINED)))
def test_case_does_not_matter(case, response):
    """A refusal in capitals is the same refusal."""
    assert refusal.find(case(response)).stance is Stance.AGREES


@pytest.mark.parametrize("response", [line for line in lines(DECLINED) if not line.isascii()])
def test_decomposed_letters_do_not_matter(response):
    """Vietnamese with its accents as characters of their own declines too, and the quote's offsets fit it."""
    decomposed = unicodedata.normalize("NFD", response)
    found = refusal.find(decomposed)
    assert found.stance is Stance.AGREES
    assert decomposed[found.response.start : found.response.end] == found.response.text


@given(response=st.text(), question=st.text())
def test_any_text_is_read(response, question):
    """No text raises, and what is quoted stands in the response."""
    found = refusal.find(response, question)
    if found.response:
        assert response[found.response.start : found.response.end] == found.response.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["not ", "no ", "I do not ", "the text does ", "? ", "\n", " ", "you would also ", "but ", "không "]
)
def test_hostile_characters_take_linear_time(piece):
    """The time does not grow with the square of the text."""

    def work(size: int) -> None:
        hostile = piece * (size // len(piece))
        refusal.find(hostile, hostile)

    assert growth(work, 60_000) < ROOM


def test_a_response_that_declines_again_and_again_declines():
    """Once a response only declines, what its source holds instead is no answer."""
    response = (
        "The report covers revenue and margins. However, it does not provide the inventory. Therefore, I cannot "
        "calculate the turnover. Without more information, we cannot assess it."
    )
    assert refusal.find(response, "What is the inventory turnover?").stance is Stance.AGREES
