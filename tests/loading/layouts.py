"""Tables of twenty layouts under the headings of sixteen languages, with what each of them means.

Columns stand in any order, among others about the row. Of some layouts nobody can know the meaning: these are to be
asked.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from qaviz.loading import Source

QUESTION, GOLDEN, RESPONSE, PIPELINE, ID, COMMENT = range(6)

HEADINGS: Mapping[str, Sequence[str]] = {
    "English": ("Question", "Expected answer", "Bot response", "Model", "ID", "Comment"),
    "German": ("Frage", "Musterantwort", "Antwort des Bots", "Modell", "Nummer", "Kommentar"),
    "French": ("Question posée", "Réponse attendue", "Réponse du modèle", "Modèle", "Identifiant", "Remarque"),
    "Spanish": ("Pregunta", "Respuesta esperada", "Respuesta del modelo", "Modelo", "Identificador", "Comentario"),
    "Portuguese": ("Pergunta", "Resposta esperada", "Resposta do modelo", "Sistema", "Identificador", "Nota"),
    "Italian": ("Domanda", "Risposta attesa", "Risposta del modello", "Modello", "Numero", "Commento"),
    "Vietnamese": ("Câu hỏi", "Đáp án chuẩn", "Câu trả lời của mô hình", "Mô hình", "STT", "Ghi chú"),
    "Japanese": ("質問", "模範解答", "モデルの出力", "モデル名", "番号", "備考"),
    "Chinese": ("问题", "标准答案", "模型输出", "模型名称", "编号", "备注"),
    "Korean": ("질문", "정답", "챗봇 응답", "모델", "번호", "비고"),
    "Persian": ("سوال", "پاسخ صحیح", "پاسخ مدل", "نام مدل", "شناسه", "توضیحات"),
    "Arabic": ("السؤال", "الإجابة الصحيحة", "رد النموذج", "اسم النموذج", "المعرف", "ملاحظات"),
    "Polish": ("Pytanie", "Oczekiwana odpowiedź", "Odpowiedź modelu", "Nazwa modelu", "Identyfikator", "Uwagi"),
    "Russian": ("Вопрос", "Эталонный ответ", "Ответ модели", "Название модели", "Номер", "Комментарий"),
    "Turkish": ("Soru", "Beklenen cevap", "Model cevabı", "Model adı", "Sıra no", "Açıklama"),
    "Indonesian": ("Pertanyaan", "Jawaban yang diharapkan", "Jawaban model", "Nama model", "Nomor", "Catatan"),
    "Hindi": ("प्रश्न", "अपेक्षित उत्तर", "मॉडल का उत्तर", "मॉडल", "क्रमांक", "टिप्पणी"),
}

UNKNOWN_HEADINGS: Mapping[str, Sequence[str]] = {
    "Swedish": ("Fråga", "Förväntat svar", "Modellens svar", "Modell", "Nummer", "Kommentar"),
    "Greek": ("Ερώτηση", "Αναμενόμενη απάντηση", "Απάντηση μοντέλου", "Μοντέλο", "Αριθμός", "Σχόλιο"),
    "Thai": ("คำถาม", "คำตอบที่คาดหวัง", "คำตอบของโมเดล", "โมเดล", "ลำดับ", "หมายเหตุ"),
    "Ukrainian": ("Питання", "Очікувана відповідь", "Відповідь моделі", "Модель", "№", "Коментар"),
    "Hebrew": ("שאלה", "תשובה צפויה", "תשובת המודל", "מודל", "מספר", "הערה"),
    "Finnish": ("Kysymys", "Odotettu vastaus", "Mallin vastaus", "Malli", "Numero", "Kommentti"),
    "of a program": ("input_text", "y_true", "y_pred", "llm_name", "uid", "info"),
    "of a person": ("what we asked", "what it should say", "what it said", "who", "nr", "x"),
}
"""Headings that are not understood, or in part: then the cells decide."""

TOWNS = ("Graz", "Lyon", "Huế", "Turin", "Gent", "Porto", "Osaka", "Boston", "Nantes", "Łódź", "Izmir", "Tver")
MODELS = ("gpt-4o-mini", "claude-haiku-4.5")
ASKED = [f"How many people live in {town}, by the census of {1990 + n}?" for n, town in enumerate(TOWNS)]
TRUE = [f"{town} has {n + 1}31,{n}00 inhabitants." for n, town in enumerate(TOWNS)]


def says(model: str, n: int, also: str = "") -> str:
    """What a model answers to the question n."""
    if (n + len(model)) % 3 == 0:
        return f"In {TOWNS[n]} live {n + 2}77,000 people{also}."
    return f"According to the census {TOWNS[n]} counts {n + 1}31,{n}00 people, as of {1990 + n}{also}."


Row = dict[str, object]
Said = dict[str, list[str]]
"""By pipeline the responses to the questions, in their order."""


@dataclass(frozen=True)
class Case:
    """Files and what they mean."""

    files: tuple[Source, ...]
    truth: Said | None
    """None where nothing may be saved unasked."""
    names: bool = True
    """Whether the pipelines' names are part of the meaning."""


def _table(rows: Sequence[Row], random: Random | None, name: str = "table.csv") -> Source:
    names = list(rows[0])
    if random:
        random.shuffle(names)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names)
    writer.writeheader()
    writer.writerows(rows)
    return Source(name, stream.getvalue().encode())


Build = Callable[[Sequence[str], Random], Case]


def _long(h: Sequence[str], random: Random, **more: Callable[[str, int], object]) -> list[Row]:
    columns = Random(random.random()).sample(range(6), 2)
    rows = []
    for model in MODELS:
        for n, question in enumerate(ASKED):
            beside = [_noise(h, place, n) for place in columns]
            row: Row = {h[QUESTION]: question, h[GOLDEN]: TRUE[n], h[PIPELINE]: model, h[RESPONSE]: says(model, n)}
            row |= {key: value for each in beside for key, value in each.items()}
            rows.append(row | {name: make(model, n) for name, make in more.items()})
    return rows


def _noise(h: Sequence[str], place: int, n: int) -> Row:
    noise: list[Row] = [
        {h[COMMENT]: ("ok", "check", "")[n % 3]},
        {"latency": 0.25 + n / 7},
        {"created_at": f"2026-05-{n % 27 + 1:02d}T10:11:12Z"},
        {"faithfulness": round(n / 13, 3)},
        {"split": "test"},
        {"tokens": 100 + 7 * n},
    ]
    return noise[place]


BOTH: Said = {model: [says(model, n) for n in range(len(TOWNS))] for model in MODELS}
ONE: Said = {"one": BOTH[MODELS[0]]}


def _single(h: Sequence[str], random: Random, **more: Callable[[int], object]) -> list[Row]:
    place = random.randrange(6)
    return [
        {h[QUESTION]: question, h[GOLDEN]: TRUE[n], h[RESPONSE]: says(MODELS[0], n)}
        | _noise(h, place, n)
        | {name: make(n) for name, make in more.items()}
        for n, question in enumerate(ASKED)
    ]


def _options(n: int) -> dict[str, str]:
    return {label: f"{n + place}31,{n}00 people" for place, label in enumerate("ABCD", 1)}


def long(h: Sequence[str], random: Random) -> Case:
    return Case((_table(_long(h, random), random),), BOTH)


def long_with_ids(h: Sequence[str], random: Random) -> Case:
    return Case((_table(_long(h, random, **{h[ID]: lambda _, n: n + 1}), random),), BOTH)


def wide(h: Sequence[str], random: Random) -> Case:
    rows = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n]} | {m: says(m, n) for m in MODELS} for n, q in enumerate(ASKED)]
    return Case((_table(rows, random),), BOTH)


def single(h: Sequence[str], random: Random) -> Case:
    return Case((_table(_single(h, random), random),), ONE, names=False)


def golden_only(h: Sequence[str], random: Random) -> Case:
    rows = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n]} | _noise(h, 0, n) for n, q in enumerate(ASKED)]
    return Case((_table(rows, random),), None)


def choices(h: Sequence[str], random: Random) -> Case:
    rows = [{h[QUESTION]: q, h[GOLDEN]: "ABCD"[n % 4]} | _options(n) for n, q in enumerate(ASKED)]
    return Case((_table(rows, random),), None)


def choices_and_responses(h: Sequence[str], random: Random) -> Case:
    rows = [{h[QUESTION]: q, h[GOLDEN]: "ABCD"[n % 4]} | _options(n) for n, q in enumerate(ASKED)]
    given = [{h[QUESTION]: q, h[PIPELINE]: m, h[RESPONSE]: says(m, n)} for m in MODELS for n, q in enumerate(ASKED)]
    return Case((_table(rows, random), _table(given, random, "r.csv")), BOTH)


def conditions(h: Sequence[str], random: Random) -> Case:
    rows = [
        row | {"persona": p, h[RESPONSE]: f"{row[h[RESPONSE]]} {p}"} for p in ("x", "y") for row in _long(h, Random(1))
    ]
    return Case((_table(rows, random),), None)


def seeds(h: Sequence[str], random: Random) -> Case:
    truth = {f"one · repeat {s}": [says(MODELS[0], n, f" {s}") for n in range(len(TOWNS))] for s in (1, 2, 3)}
    rows = [
        {h[QUESTION]: q, h[GOLDEN]: TRUE[n], h[RESPONSE]: says(MODELS[0], n, f" {s}"), "epoch": s}
        for s in (1, 2, 3)
        for n, q in enumerate(ASKED)
    ]
    return Case((_table(rows, random),), truth, names=False)


def two_names(h: Sequence[str], random: Random) -> Case:
    return Case((_table(_long(h, random, model_actual=lambda m, _: f"vendor/{m}-2026"), random),), BOTH, names=False)


def judged(h: Sequence[str], random: Random) -> Case:
    more = {
        "judge_reasoning": lambda m, n: f"The claim of {m} that {TOWNS[n]} has so many agrees with the reference.",
        "judge_score": lambda m, n: (n + len(m)) % 2,
        "response_id": lambda m, n: f"gen-{n}-{len(m)}",
    }
    return Case((_table(_long(h, random, **more), random),), BOTH)


def two_files(h: Sequence[str], random: Random) -> Case:
    golden = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n]} for n, q in enumerate(ASKED)]
    given = [{h[QUESTION]: q, h[PIPELINE]: m, h[RESPONSE]: says(m, n)} for m in MODELS for n, q in enumerate(ASKED)]
    return Case((_table(golden, random), _table(given, random, "r.csv")), BOTH)


def two_files_by_id(h: Sequence[str], random: Random) -> Case:
    golden = [{h[ID]: f"q{n}", h[QUESTION]: q, h[GOLDEN]: TRUE[n]} for n, q in enumerate(ASKED)]
    given = [{h[ID]: f"q{n}", h[PIPELINE]: m, h[RESPONSE]: says(m, n)} for m in MODELS for n in range(len(ASKED))]
    return Case((_table(golden, random), _table(given, random, "r.csv")), BOTH)


def one_provider(h: Sequence[str], random: Random) -> Case:
    rows = _single(h, random, provider=lambda _: "azure")
    return Case((_table(rows, random),), ONE, names=False)


def golden_twice(h: Sequence[str], random: Random) -> Case:
    rows = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n], h[RESPONSE]: TRUE[n]} for n, q in enumerate(ASKED)]
    return Case((_table(rows, random),), None)


def question_twice(h: Sequence[str], random: Random) -> Case:
    rows = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n], h[RESPONSE]: q} for n, q in enumerate(ASKED)]
    return Case((_table(rows, random),), None)


def with_contexts(h: Sequence[str], random: Random) -> Case:
    more = {
        "contexts": lambda _, n: f'["{TOWNS[n]} is a town of {n + 1}31,{n}00 people.", "It lies on a river."]',
        "category": lambda _, n: ("north", "south")[n % 2],
    }
    return Case((_table(_long(h, random, **more), random),), BOTH)


def temperatures(h: Sequence[str], random: Random) -> Case:
    rows = [
        {h[QUESTION]: q, h[GOLDEN]: TRUE[n], h[RESPONSE]: says(MODELS[0], n, f" {t}"), "temperature": t}
        for t in (0.0, 0.7)
        for n, q in enumerate(ASKED)
    ]
    truth = {str(t): [says(MODELS[0], n, f" {t}") for n in range(len(TOWNS))] for t in (0.0, 0.7)}
    return Case((_table(rows, random),), truth, names=False)


def unknown_headings(h: Sequence[str], random: Random) -> Case:
    names = [f"X{len(h[0])}{place}" for place in range(3)]
    rows = [dict(zip(names, (q, TRUE[n], says(MODELS[0], n)), strict=True)) for n, q in enumerate(ASKED)]
    return Case((_table(rows, random),), None)


def half_answered(h: Sequence[str], random: Random) -> Case:
    golden = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n]} for n, q in enumerate(ASKED)]
    given = [{h[QUESTION]: q, h[PIPELINE]: MODELS[0], h[RESPONSE]: says(MODELS[0], n)} for n, q in enumerate(ASKED[:5])]
    return Case((_table(golden, random), _table(given, random, "r.csv")), None)


def other_questions(h: Sequence[str], random: Random) -> Case:
    golden = [{h[QUESTION]: q, h[GOLDEN]: TRUE[n]} for n, q in enumerate(ASKED)]
    given = [
        {h[QUESTION]: q if n > 4 else f"Who leads {TOWNS[n]}?", h[PIPELINE]: m, h[RESPONSE]: says(m, n)}
        for m in MODELS
        for n, q in enumerate(ASKED)
    ]
    return Case((_table(golden, random), _table(given, random, "r.csv")), None)


LAYOUTS: Mapping[str, Build] = {
    build.__name__: build
    for build in (
        long, long_with_ids, wide, single, golden_only, choices, choices_and_responses, conditions, seeds, two_names,
        judged, two_files, two_files_by_id, one_provider, golden_twice, question_twice, with_contexts, temperatures,
        unknown_headings, half_answered, other_questions,
    )
}  # fmt: skip
