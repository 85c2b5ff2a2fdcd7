"""What a column's name says, in seven languages, with the synonyms, word orders and additions that people use."""

import pytest

from qaviz.loading import preview
from qaviz.loading.roles import META, read_column_name
from tests.loading.files import jsonl

NAMES = (
    ("question", "User Prompt; Question; Customer question; Query text; prompt; Test question; user_query"),
    (
        "answer",
        "Expected Output (SME); ground truths; Gold; reference; Ideal answer; Correct Answer; Human response",
    ),
    ("category", "soru tipi; typ pytania; тип вопроса; tipo di domanda; tipo de pergunta"),
    ("response", "Bot answer; GPT-4o response; Claude 3.5 Sonnet; Answer (RAG v2); Llama 3 70B; answer_hybrid"),
    ("response", "completion; Model Output; bot answer; Generated Response; LLM answer"),
    ("pipeline", "Model; System name; LLM model"),
    ("question_id", "ID; No.; Question ID; #"),
    ("", "comment; num_sources; Reviewed by; Created at; Score (1-5); Ticket URL; Difficulty; gpt_missed; Title"),
    ("question", "Frage; Kundenfrage; Frage des Nutzers; Frage (Original)"),
    ("answer", "Musterantwort; Soll-Antwort; Erwartete Antwort; Referenzantwort; richtige Antwort"),
    ("response", "Antwort Bot; Antwort GPT-4; Antwort System B; Claude Antwort; Mistral Large"),
    ("response", "Modellantwort; Antwort des Bots; Generierte Antwort; Ausgabe"),
    ("pipeline", "Modell; System; Modellname"),
    ("question_id", "Nr.; ID; Lfd. Nr.; Frage-ID"),
    ("", "Kommentar; Datum; Bewertung; Bearbeiter; Anzahl Quellen; Erstellt am; Anmerkung"),
    ("question", "Question; Question de l'utilisateur; Demande du client; Requête"),
    ("answer", "Réponse attendue; Réponse de référence; Vérité terrain; Bonne réponse"),
    ("response", "Réponse du bot; Réponse GPT-4; Réponse Claude; Sortie Mistral"),
    ("response", "Réponse générée; Sortie du modèle; Réponse du modèle; Réponse obtenue"),
    ("pipeline", "Modèle; Système; Nom du modèle"),
    ("question_id", "Identifiant; ID"),
    ("", "Commentaire; Date; Note (sur 5); Relecteur; Nombre de sources; Statut; Remarques; Titre"),
    ("question", "Pregunta; Pregunta del usuario; Consulta; Pregunta del cliente"),
    ("answer", "Respuesta esperada; Respuesta correcta; Respuesta de referencia; Respuesta ideal"),
    ("response", "Respuesta del bot; Respuesta GPT-4; Respuesta Claude; Salida Llama"),
    ("response", "Respuesta generada; Respuesta del modelo; Salida del modelo; Respuesta obtenida"),
    ("pipeline", "Modelo; Sistema; Nombre del modelo"),
    ("question_id", "ID; Número"),
    ("", "Comentarios; Fecha; Puntuación; Revisor; Número de fuentes; Estado; Observaciones"),
    ("question", "Câu hỏi; Câu hỏi của khách hàng; Câu hỏi của người dùng; Nội dung câu hỏi"),
    ("answer", "Câu trả lời mong đợi; Đáp án chuẩn; Câu trả lời mẫu; Đáp án đúng"),
    ("response", "Câu trả lời của bot; Câu trả lời GPT-4; Phản hồi Claude; Trả lời Gemini"),
    ("response", "Câu trả lời của mô hình; Phản hồi; Kết quả mô hình"),
    ("pipeline", "Mô hình; Tên mô hình; Hệ thống"),
    ("question_id", "STT; Mã câu hỏi; ID"),
    ("", "Ghi chú; Ngày tạo; Điểm; Người tạo; Số lượng nguồn; Nhận xét; Trạng thái"),
    ("question", "質問; 質問文; ユーザーの質問"),
    ("answer", "正解; 模範解答; 期待される回答; 正答"),
    ("response", "ボットの回答; GPT-4の回答; Claudeの回答"),
    ("response", "モデルの回答; 生成された回答; 出力"),
    ("pipeline", "モデル; モデル名"),
    ("question_id", "番号; ID"),
    ("", "コメント; 作成日; 評価; 担当者; 備考; 件数"),
    ("question", "问题; 用户问题; 提问"),
    ("answer", "标准答案; 参考答案; 正确答案; 期望回答"),
    ("response", "机器人回答; GPT-4回答; Claude回答"),
    ("response", "模型回答; 生成的回答; 输出"),
    ("pipeline", "模型; 模型名称"),
    ("question_id", "编号; 序号; ID"),
    ("", "备注; 日期; 评分; 审核人; 数量; 状态"),
)
"""Our word ("" for what is about the row), names of columns."""


@pytest.mark.parametrize(("word", "names"), NAMES)
def test_names_are_understood(word: str, names: str):
    """Each name says one of our words, or that it is about the row."""
    said = {name: read_column_name(name).word for name in names.split("; ")}
    assert said == dict.fromkeys(said, word or META)


def test_english_names_are_called_english():
    """A term that several languages share is English for a person who reads why a column is what it is."""
    names = ("id", "question", "prediction", "reference", "response", "type")
    source = jsonl("t.jsonl", *({name: f"{name} {row}" for name in names} for row in range(3)))
    (table,) = preview(None, [source])
    assert {guess.column for guess in table.guesses} >= {"id", "question", "reference"}
    assert all(" is English for " in guess.why for guess in table.guesses)
