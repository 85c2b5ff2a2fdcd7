"""Spreadsheets as people keep them, made by seed: seven languages, any delimiter.

Each comes with what its columns are, so that a test can count what is recognised.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import xlsxwriter

from qaviz.loading import Source

CITIES = ("Hamburg", "Lyon", "Sevilla", "Huế", "Turin", "Gent", "Porto", "Osaka", "Boston", "Graz", "Nantes", "Málaga")
ROWS = len(CITIES)


@dataclass(frozen=True)
class Language:
    """How people of a language call their columns, and what stands in them."""

    question: Sequence[str]
    golden: Sequence[str]
    systems: Sequence[str]
    """Columns with the responses of one system each."""
    response: Sequence[str]
    """The one column of responses in long form."""
    pipeline: Sequence[str]
    ids: Sequence[str]
    beside: Sequence[str]
    """Columns about the row: comments, dates, scores, counts, people."""
    title: str
    asks: Sequence[str]
    states: Sequence[str]
    says: Sequence[str]
    remarks: Sequence[str]


LANGUAGES = {
    "English": Language(
        ("User Prompt", "Question", "Customer question", "Query text", "prompt", "Test question", "user_query"),
        ("Expected Output (SME)", "ground truths", "Gold", "reference", "Ideal answer", "Correct Answer", "SME answer"),
        ("Bot answer", "GPT-4o response", "Claude 3.5 Sonnet", "Answer (RAG v2)", "Llama 3 70B", "answer_hybrid"),
        ("completion", "Model Output", "bot answer", "Generated Response", "LLM answer"),
        ("Model", "System name", "pipeline", "LLM model"),
        ("ID", "No.", "Question ID", "#"),
        ("comment", "num_sources", "Reviewed by", "Created at", "Score (1-5)", "Ticket URL", "Difficulty"),
        "Evaluation of the support bot, June 2025",
        ("How many people live in {0}?", "What is the postal code of {0}?", "When was {0} founded?"),
        ("{0} has {1} inhabitants.", "The postal code of {0} is {1}.", "{0} was founded in {1}."),
        ("As far as the documents say, {0} counts {1}.", "It is {1} for {0}.", "I found {1} for {0} in the files."),
        ("ok", "check again", "source is old", "good", "too long"),
    ),
    "German": Language(
        ("Frage", "Kundenfrage", "Frage des Nutzers", "Frage (Original)"),
        ("Musterantwort", "Soll-Antwort", "Erwartete Antwort", "Referenzantwort", "richtige Antwort"),
        ("Antwort Bot", "Antwort GPT-4", "Antwort System B", "Claude Antwort", "Mistral Large"),
        ("Modellantwort", "Antwort des Bots", "Generierte Antwort", "Ausgabe"),
        ("Modell", "System", "Pipeline", "Modellname"),
        ("Nr.", "ID", "Lfd. Nr.", "Frage-ID"),
        ("Kommentar", "Datum", "Bewertung", "Bearbeiter", "Anzahl Quellen", "Erstellt am", "Anmerkung"),
        "Auswertung Testfragen, Stand 12.06.2025",
        ("Wie viele Einwohner hat {0}?", "Welche Postleitzahl hat {0}?", "Wann wurde {0} gegründet?"),
        ("{0} hat {1} Einwohner.", "Die Postleitzahl von {0} ist {1}.", "{0} wurde im Jahr {1} gegründet."),
        ("Laut Unterlagen sind es in {0} {1}.", "Für {0} gilt: {1}.", "Die Antwort lautet {1} ({0})."),
        ("passt", "bitte prüfen", "Quelle veraltet", "gut", "zu lang"),
    ),
    "French": Language(
        ("Question", "Question de l'utilisateur", "Demande du client", "Requête"),
        ("Réponse attendue", "Réponse de référence", "Vérité terrain", "Bonne réponse"),
        ("Réponse du bot", "Réponse GPT-4", "Réponse Claude", "Sortie Mistral"),
        ("Réponse générée", "Sortie du modèle", "Réponse du modèle", "Réponse obtenue"),
        ("Modèle", "Système", "Nom du modèle"),
        ("N°", "Identifiant", "ID"),
        ("Commentaire", "Date", "Note (sur 5)", "Relecteur", "Nombre de sources", "Statut", "Remarques"),
        "Résultats du test, juin 2025",
        ("Combien d'habitants compte {0} ?", "Quel est le code postal de {0} ?", "Quand {0} a-t-elle été fondée ?"),
        ("{0} compte {1} habitants.", "Le code postal de {0} est {1}.", "{0} a été fondée en {1}."),
        ("D'après les documents, {0} : {1}.", "Pour {0}, c'est {1}.", "La réponse est {1} pour {0}."),
        ("bien", "à vérifier", "source ancienne", "correct", "trop long"),
    ),
    "Spanish": Language(
        ("Pregunta", "Pregunta del usuario", "Consulta", "Pregunta del cliente"),
        ("Respuesta esperada", "Respuesta correcta", "Respuesta de referencia", "Respuesta ideal"),
        ("Respuesta del bot", "Respuesta GPT-4", "Respuesta Claude", "Salida Llama"),
        ("Respuesta generada", "Respuesta del modelo", "Salida del modelo", "Respuesta obtenida"),
        ("Modelo", "Sistema", "Nombre del modelo"),
        ("Núm.", "ID", "Número"),
        ("Comentarios", "Fecha", "Puntuación", "Revisor", "Número de fuentes", "Estado", "Observaciones"),
        "Resultados de la evaluación, junio de 2025",
        ("¿Cuántos habitantes tiene {0}?", "¿Cuál es el código postal de {0}?", "¿Cuándo se fundó {0}?"),
        ("{0} tiene {1} habitantes.", "El código postal de {0} es {1}.", "{0} se fundó en {1}."),
        ("Según los documentos, {0}: {1}.", "Para {0} es {1}.", "La respuesta es {1} para {0}."),
        ("bien", "revisar", "fuente antigua", "vale", "demasiado largo"),
    ),
    "Vietnamese": Language(
        ("Câu hỏi", "Câu hỏi của khách hàng", "Câu hỏi của người dùng", "Nội dung câu hỏi"),
        ("Câu trả lời mong đợi", "Đáp án chuẩn", "Câu trả lời mẫu", "Đáp án đúng"),
        ("Câu trả lời của bot", "Câu trả lời GPT-4", "Phản hồi Claude", "Trả lời Gemini"),
        ("Câu trả lời của mô hình", "Phản hồi", "Kết quả mô hình"),
        ("Mô hình", "Tên mô hình", "Hệ thống"),
        ("STT", "Mã câu hỏi", "ID"),
        ("Ghi chú", "Ngày tạo", "Điểm", "Người tạo", "Số lượng nguồn", "Nhận xét", "Trạng thái"),
        "Kết quả đánh giá tháng 6 năm 2025",
        ("{0} có bao nhiêu dân?", "Mã bưu chính của {0} là gì?", "{0} được thành lập khi nào?"),
        ("{0} có {1} người dân.", "Mã bưu chính của {0} là {1}.", "{0} được thành lập năm {1}."),
        ("Theo tài liệu, {0} là {1}.", "Đối với {0} là {1}.", "Câu trả lời là {1} cho {0}."),
        ("tốt", "kiểm tra lại", "nguồn cũ", "được", "quá dài"),
    ),
    "Japanese": Language(
        ("質問", "質問文", "ユーザーの質問"),
        ("正解", "模範解答", "期待される回答", "正答"),
        ("ボットの回答", "GPT-4の回答", "Claudeの回答"),
        ("モデルの回答", "生成された回答", "出力"),
        ("モデル", "モデル名"),
        ("番号", "ID"),
        ("コメント", "作成日", "評価", "担当者", "備考", "件数"),
        "評価結果 2025年6月",
        ("{0}の人口は何人ですか？", "{0}の郵便番号は何ですか？", "{0}はいつ設立されましたか？"),
        ("{0}の人口は{1}人です。", "{0}の郵便番号は{1}です。", "{0}は{1}年に設立されました。"),
        ("資料によると{0}は{1}です。", "{0}の場合は{1}です。", "答えは{1}です（{0}）。"),
        ("良い", "要確認", "古い", "可", "長い"),
    ),
    "Chinese": Language(
        ("问题", "用户问题", "提问"),
        ("标准答案", "参考答案", "正确答案", "期望回答"),
        ("机器人回答", "GPT-4回答", "Claude回答"),
        ("模型回答", "生成的回答", "输出"),
        ("模型", "模型名称"),
        ("编号", "序号", "ID"),
        ("备注", "日期", "评分", "审核人", "数量", "状态"),
        "评测结果 2025年6月",
        ("{0}有多少人口？", "{0}的邮政编码是什么？", "{0}是什么时候建立的？"),
        ("{0}有{1}人口。", "{0}的邮政编码是{1}。", "{0}建立于{1}年。"),
        ("根据文件，{0}是{1}。", "对于{0}来说是{1}。", "答案是{1}（{0}）。"),
        ("好", "需要检查", "来源过时", "可以", "太长"),
    ),
}

FORMS = ("golden", "wide", "long", "all")
DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Messy:
    """A file and what its columns are."""

    source: Source
    golden: dict[str, str]
    """As a golden dataset: column -> our word. Empty where it is none."""
    responses: dict[str, str]
    """As responses: column -> our word, `response` for each pipeline's column. Empty where it holds none."""
    questions: frozenset[str]
    """What the rows ask, whatever stands above and below them."""


def spreadsheet(seed: int) -> Messy:
    """The spreadsheet of this seed: its language and form go round, all else is drawn."""
    random = Random(seed)
    language = list(LANGUAGES.values())[seed % len(LANGUAGES)]
    form = FORMS[seed % len(FORMS)]
    words, columns = _columns(random, language, form)
    header, rows = list(columns), list(zip(*columns.values(), strict=True))
    is_book = random.random() < 0.5
    table = [header, *rows]
    name = f"{seed:02}.{'xlsx' if is_book else 'csv'}"
    content = _book(table) if is_book else _csv(random, table)
    golden = {name: word for name, word in words.items() if word != "response" and word != "pipeline"}
    return Messy(
        Source(name, content),
        golden if form in ("golden", "all") else {},
        {name: word for name, word in words.items() if word != "answer"} if form != "golden" else {},
        frozenset(next(columns[name] for name, word in words.items() if word == "question")),
    )


def _columns(random: Random, language: Language, form: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What the columns are, and their cells; in an order that is drawn."""
    kinds = [place % len(language.asks) for place in range(ROWS)]
    facts = [str(random.randrange(1000, 99999)) for _ in CITIES]
    asked = [language.asks[kind].format(city) for kind, city in zip(kinds, CITIES, strict=True)]
    stated = [language.states[kind].format(city, fact) for kind, city, fact in zip(kinds, CITIES, facts, strict=True)]

    def said() -> list[str]:
        return [
            random.choice(language.says).format(city, fact if random.random() < 0.7 else random.randrange(9999))
            for city, fact in zip(CITIES, facts, strict=True)
        ]

    columns = {random.choice(language.question): asked}
    words = dict.fromkeys(columns, "question")
    if form in ("golden", "all"):
        name = random.choice(language.golden)
        columns[name], words[name] = stated, "answer"
    if form in ("wide", "all"):
        for name in random.sample(language.systems, random.randint(2, len(language.systems) - 1)):
            columns[name], words[name] = said(), "response"
    if form == "long":
        model, name = random.choice(language.pipeline), random.choice(language.response)
        columns = {key: [each for each in cells for _ in range(2)] for key, cells in columns.items()}
        columns[model], words[model] = ["bot A", "bot B"] * ROWS, "pipeline"
        columns[name], words[name] = [each for pair in zip(said(), said(), strict=True) for each in pair], "response"
    height = len(next(iter(columns.values())))
    if form != "long" and random.random() < 0.5:
        name = random.choice(language.ids)
        columns[name], words[name] = [str(place) for place in range(1, height + 1)], "question_id"
    for name in random.sample(language.beside, random.randint(1, 3)):
        columns[name] = _beside(random, language, height)
    order = random.sample(list(columns), len(columns))
    return words, {name: columns[name] for name in order}


def _beside(random: Random, language: Language, height: int) -> list[str]:
    """Cells about the rows: remarks, some of them empty, dates, or small numbers."""
    match random.randrange(3):
        case 0:
            return [random.choice((*language.remarks, "")) for _ in range(height)]
        case 1:
            return [f"2025-06-{random.randrange(10, 29)}" for _ in range(height)]
        case _:
            return [str(random.randrange(6)) for _ in range(height)]


def _csv(random: Random, table: Sequence[Sequence[str]]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=random.choice(DELIMITERS))
    writer.writerows(table)
    return file.getvalue().encode(random.choice(("utf-8", "utf-8-sig", "utf-16")))


def _book(table: Sequence[Sequence[str]]) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, cells in enumerate(table):
            sheet.write_row(number, 0, cells)
    return file.getvalue()
