"""What a column's name says, in seven languages, with the synonyms, word orders and additions that people use."""

import pytest

from qaviz.loading.terms import META, read_column_name

NAMES = (
    ("English", "question", "User Prompt; Question; Customer question; Query text; prompt; Test question; user_query"),
    (
        "English",
        "answer",
        "Expected Output (SME); ground truths; Gold; reference; Ideal answer; Correct Answer; SME answer",
    ),
    (
        "English",
        "response",
        "Bot answer; GPT-4o response; Claude 3.5 Sonnet; Answer (RAG v2); Llama 3 70B; answer_hybrid; completion; Model Output; bot answer; Generated Response; LLM answer",
    ),
    ("English", "pipeline", "Model; System name; LLM model"),
    ("English", "question_id", "ID; No.; Question ID; #"),
    ("English", "", "comment; num_sources; Reviewed by; Created at; Score (1-5); Ticket URL; Difficulty"),
    ("German", "question", "Frage; Kundenfrage; Frage des Nutzers; Frage (Original)"),
    ("German", "answer", "Musterantwort; Soll-Antwort; Erwartete Antwort; Referenzantwort; richtige Antwort"),
    (
        "German",
        "response",
        "Antwort Bot; Antwort GPT-4; Antwort System B; Claude Antwort; Mistral Large; Modellantwort; Antwort des Bots; Generierte Antwort; Ausgabe",
    ),
    ("German", "pipeline", "Modell; System; Modellname"),
    ("German", "question_id", "Nr.; ID; Lfd. Nr.; Frage-ID"),
    ("German", "", "Kommentar; Datum; Bewertung; Bearbeiter; Anzahl Quellen; Erstellt am; Anmerkung"),
    ("French", "question", "Question; Question de l'utilisateur; Demande du client; Requête"),
    ("French", "answer", "Réponse attendue; Réponse de référence; Vérité terrain; Bonne réponse"),
    (
        "French",
        "response",
        "Réponse du bot; Réponse GPT-4; Réponse Claude; Sortie Mistral; Réponse générée; Sortie du modèle; Réponse du modèle; Réponse obtenue",
    ),
    ("French", "pipeline", "Modèle; Système; Nom du modèle"),
    ("French", "question_id", "Identifiant; ID"),
    ("French", "", "Commentaire; Date; Note (sur 5); Relecteur; Nombre de sources; Statut; Remarques"),
    ("Spanish", "question", "Pregunta; Pregunta del usuario; Consulta; Pregunta del cliente"),
    ("Spanish", "answer", "Respuesta esperada; Respuesta correcta; Respuesta de referencia; Respuesta ideal"),
    (
        "Spanish",
        "response",
        "Respuesta del bot; Respuesta GPT-4; Respuesta Claude; Salida Llama; Respuesta generada; Respuesta del modelo; Salida del modelo; Respuesta obtenida",
    ),
    ("Spanish", "pipeline", "Modelo; Sistema; Nombre del modelo"),
    ("Spanish", "question_id", "ID; Número"),
    ("Spanish", "", "Comentarios; Fecha; Puntuación; Revisor; Número de fuentes; Estado; Observaciones"),
    ("Vietnamese", "question", "Câu hỏi; Câu hỏi của khách hàng; Câu hỏi của người dùng; Nội dung câu hỏi"),
    ("Vietnamese", "answer", "Câu trả lời mong đợi; Đáp án chuẩn; Câu trả lời mẫu; Đáp án đúng"),
    (
        "Vietnamese",
        "response",
        "Câu trả lời của bot; Câu trả lời GPT-4; Phản hồi Claude; Trả lời Gemini; Câu trả lời của mô hình; Phản hồi; Kết quả mô hình",
    ),
    ("Vietnamese", "pipeline", "Mô hình; Tên mô hình; Hệ thống"),
    ("Vietnamese", "question_id", "STT; Mã câu hỏi; ID"),
    ("Vietnamese", "", "Ghi chú; Ngày tạo; Điểm; Người tạo; Số lượng nguồn; Nhận xét; Trạng thái"),
    ("Japanese", "question", "質問; 質問文; ユーザーの質問"),
    ("Japanese", "answer", "正解; 模範解答; 期待される回答; 正答"),
    ("Japanese", "response", "ボットの回答; GPT-4の回答; Claudeの回答; モデルの回答; 生成された回答; 出力"),
    ("Japanese", "pipeline", "モデル; モデル名"),
    ("Japanese", "question_id", "番号; ID"),
    ("Japanese", "", "コメント; 作成日; 評価; 担当者; 備考; 件数"),
    ("Chinese", "question", "问题; 用户问题; 提问"),
    ("Chinese", "answer", "标准答案; 参考答案; 正确答案; 期望回答"),
    ("Chinese", "response", "机器人回答; GPT-4回答; Claude回答; 模型回答; 生成的回答; 输出"),
    ("Chinese", "pipeline", "模型; 模型名称"),
    ("Chinese", "question_id", "编号; 序号; ID"),
    ("Chinese", "", "备注; 日期; 评分; 审核人; 数量; 状态"),
)
"""Language, our word ("" for what is about the row), names of columns."""


@pytest.mark.parametrize(("language", "word", "names"), NAMES)
def test_names_are_understood(language: str, word: str, names: str):
    """Each name says one of our words, or that it is about the row."""
    said = {name: read_column_name(name).word for name in names.split("; ")}
    assert said == dict.fromkeys(said, word or META), language
