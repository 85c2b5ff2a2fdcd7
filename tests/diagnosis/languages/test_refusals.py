"""Refusals in some twenty languages, from one table of phrases."""

import polars as pl
import pytest

from qaviz.diagnosis import extract_evidence
from qaviz.diagnosis.columns import REFUSAL
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, QUESTION, RESPONSE
from qaviz.scoring import score

DECLINES = [
    ("Qual é a capital?", "Não sei responder com base no contexto."),
    ("Qual é a capital?", "O texto não menciona a capital."),
    ("Qual è la capitale?", "Non ci sono informazioni sufficienti nel contesto."),
    ("Wat is de hoofdstad?", "Ik weet het niet."),
    ("Vad är huvudstaden?", "Jag vet inte."),
    ("Hvad er hovedstaden?", "Det ved jeg ikke."),
    ("Mikä on pääkaupunki?", "En tiedä."),
    ("Jaka jest stolica?", "Tekst nie podaje nazwy stolicy."),
    ("Care este capitala?", "Nu știu."),
    ("Mi a főváros?", "Nem tudom."),
    ("Başkent neresi?", "Metinde bu konuda bilgi bulunmamaktadır."),
    ("Apa ibu kotanya?", "Teks tidak menyebutkan ibu kotanya."),
    ("Какая столица?", "В тексте нет информации о столице."),
    ("Яка столиця?", "Я не знаю."),
    ("ما هي العاصمة؟", "لا توجد معلومات كافية في النص."),
    ("מה הבירה?", "אני לא יודע."),
    ("수도는 어디입니까?", "제공된 문서에는 정보가 없습니다."),
    ("เมืองหลวงคือที่ไหน", "ไม่ทราบ"),
    ("राजधानी क्या है?", "मुझे नहीं पता।"),
    ("Ποια είναι η πρωτεύουσα;", "Δεν γνωρίζω."),
    ("Was ist die Hauptstadt?", "Das weiß ich nicht."),
    ("¿Cuál es la capital?", "No lo sé."),
    ("Quelle est la capitale ?", "Je ne sais pas."),
    ("首都はどこですか。", "わかりません。"),
    ("首都是哪里？", "我不知道。"),
    ("What is the capital?", "I don't know."),
]
ANSWERS = [
    ("Qual é a capital?", "A capital é Lisboa."),
    ("Какая столица?", "Столица - Москва."),
    ("What is the total quantity of open orders?", "Therefore, the quantity is 0."),
    ("How many were lost?", "None were lost, so the answer is 0."),
]


def find_refusal(question: str, response: str) -> str | None:
    row = {QUESTION: question, ANSWER: "Xyz", FACT: "Xyz", RESPONSE: response, ANSWERABLE: None}
    scored = score(pl.DataFrame([row], schema_overrides={ANSWERABLE: pl.Boolean}))
    refusal: str | None = extract_evidence(scored)[REFUSAL].item()
    return refusal


@pytest.mark.parametrize(("question", "response"), DECLINES, ids=[case[1] for case in DECLINES])
def test_a_refusal_is_told_in_its_language(question: str, response: str):
    """What declines is quoted from the response as it is written."""
    refusal = find_refusal(question, response)

    assert refusal
    assert refusal in response


@pytest.mark.parametrize(("question", "response"), ANSWERS, ids=[case[1] for case in ANSWERS])
def test_an_answer_is_no_refusal(question: str, response: str):
    """A statement declines nothing, also where its answer is zero or none."""
    assert find_refusal(question, response) is None
