"""What people call their columns: terms of ten languages, by what they mean. Data, nothing else."""

from collections.abc import Mapping, Sequence
from enum import StrEnum


class Sense(StrEnum):
    """What a term in a column's name says of its cells."""

    QUESTION = "question"
    ANSWER = "answer"
    GOLDEN = "the expected one"
    PRODUCED = "produced by a system"
    MODEL = "the name of a model or system"
    ID = "identifier"
    FACT = "fact"
    CATEGORY = "category"
    ANSWERABLE = "answerable"
    SOURCE = "source"
    TAGS = "tags"
    PIPELINE = "pipeline"
    CONTEXTS = "contexts"
    LATENCY = "latency in milliseconds"
    COST = "cost"
    REPEAT = "repeat"
    PERSON = "a person"
    FILLER = "a word that changes nothing"
    META = "about the row: a score, a date, a count, a comment"


TERMS: Mapping[Sense, Mapping[str, Sequence[str]]] = {
    Sense.QUESTION: {
        "English": (
            "question", "query", "prompt", "input", "utterance", "ask", "request", "instruction", "inquiry", "q",
            "user input", "input text", "user message", "human message", "problem",
        ),
        "German": ("frage", "fragen", "anfrage", "nutzerfrage", "kundenfrage", "benutzerfrage", "fragestellung"),
        "French": ("question", "requete", "demande", "enonce", "interrogation"),
        "Spanish": ("pregunta", "preguntas", "consulta", "interrogante"),
        "Portuguese": ("pergunta", "perguntas", "questao", "consulta"),
        "Italian": ("domanda", "domande", "quesito"),
        "Dutch": ("vraag", "vragen"),
        "Vietnamese": ("câu hỏi", "hỏi", "truy vấn", "cau hoi"),
        "Japanese": ("質問", "質問文", "問い", "設問", "問題", "クエリ", "プロンプト", "入力"),
        "Chinese": ("问题", "問題", "提问", "提問", "问句", "查询", "查詢", "问", "提示词", "输入"),
        "Korean": ("질문", "문의", "질의"),
    },
    Sense.ANSWER: {
        "English": ("answer", "reply", "ans", "long answer", "short answer", "answer text", "answer span"),
        "German": ("antwort", "antworten", "loesung", "lösung"),
        "French": ("reponse", "reponses", "solution"),
        "Spanish": ("respuesta", "respuestas", "contestacion", "solucion"),
        "Portuguese": ("resposta", "respostas"),
        "Italian": ("risposta", "risposte"),
        "Dutch": ("antwoord", "antwoorden"),
        "Vietnamese": ("câu trả lời", "trả lời", "đáp án", "lời đáp"),
        "Japanese": ("回答", "答え", "解答", "答", "返答"),
        "Chinese": ("答案", "回答", "答复", "答覆", "解答", "答"),
        "Korean": ("답변", "답", "대답", "응답"),
    },
    Sense.GOLDEN: {
        "English": (
            "gold", "golden", "reference", "ref", "expected", "ground truth", "groundtruth", "ground truths", "gt",
            "target", "ideal", "sme", "expert", "oracle", "truth", "canonical", "desired", "standard",
            "correct answer", "correct response", "right answer", "true answer", "best answer", "human answer",
            "expected result", "correct output", "verified", "validated", "approved", "curated", "benchmark",
            "possible answers", "acceptable answers", "accepted answers", "valid answers", "answer aliases",
            "generation gt", "answer key",
        ),
        "German": (
            "soll", "sollantwort", "musterantwort", "musterlösung", "referenz", "referenzantwort", "erwartet",
            "erwartete", "erwarteter", "erwartetes", "richtige antwort", "korrekte antwort", "zielantwort", "experte",
            "idealantwort", "wahrheit", "muster",
        ),
        "French": (
            "attendu", "attendue", "reponse attendue", "référence", "de reference", "verite terrain", "bonne reponse",
            "reponse correcte", "reponse ideale", "ideale", "corrige",
        ),
        "Spanish": (
            "esperada", "esperado", "referencia", "correcta", "respuesta correcta", "verdad", "ideal",
            "de referencia", "solucion esperada",
        ),
        "Portuguese": ("esperada", "esperado", "referencia", "correta", "gabarito", "resposta correta"),
        "Italian": ("attesa", "atteso", "riferimento", "corretta", "risposta corretta", "di riferimento"),
        "Dutch": ("verwacht", "verwachte", "referentie", "juiste antwoord", "correct antwoord"),
        "Vietnamese": (
            "mong đợi", "kỳ vọng", "chuẩn", "tham chiếu", "đúng", "đáp án đúng", "câu trả lời đúng", "tham khảo",
            "mẫu", "chuyên gia",
        ),
        "Japanese": (
            "正解", "期待", "期待される", "模範", "模範解答", "参照", "想定", "ゴールド", "正答", "基準", "期待値",
        ),
        "Chinese": ("标准", "標準", "参考", "參考", "期望", "预期", "預期", "正确", "正確", "黄金", "理想", "目标"),
        "Korean": ("정답", "기대", "참조", "모범", "기준", "예상"),
    },
    Sense.PRODUCED: {
        "English": (
            "response", "output", "completion", "prediction", "predicted", "generated", "generation", "actual",
            "bot", "chatbot", "llm", "ai", "agent", "assistant", "rag", "candidate", "hypothesis",
            "result", "model output", "model response", "produced", "actual result", "bot message", "ai message",
        ),
        "German": (
            "ausgabe", "generiert", "generierte", "modellantwort", "botantwort", "ist", "vorhersage",
            "tatsächliche", "istantwort", "ki", "systemantwort", "ergebnis",
        ),
        "French": (
            "sortie", "generee", "genere", "obtenue", "prediction", "ia", "du modele", "du bot", "resultat",
            "du systeme",
        ),
        "Spanish": (
            "salida", "generada", "obtenida", "prediccion", "ia", "del modelo", "del bot", "del sistema",
            "resultado",
        ),
        "Portuguese": ("saida", "gerada", "obtida", "predicao", "ia", "do modelo", "do bot"),
        "Italian": ("uscita", "generata", "ottenuta", "del modello"),
        "Dutch": ("uitvoer", "gegenereerd", "gegenereerde"),
        "Vietnamese": (
            "của mô hình", "phản hồi", "kết quả", "sinh ra", "dự đoán", "đầu ra", "của bot",
            "thực tế",
        ),
        "Japanese": ("出力", "応答", "生成", "予測", "ボット", "実際", "生成された", "AI"),
        "Chinese": (
            "输出", "輸出", "响应", "回复", "回覆", "生成", "预测", "預測", "机器人", "实际",
            "AI",
        ),
        "Korean": ("출력", "생성", "예측", "챗봇", "실제"),
    },
    Sense.MODEL: {
        "English": (
            "gpt", "gpt2", "gpt3", "gpt35", "gpt4", "gpt4o", "gpt5", "chatgpt", "claude", "llama", "llama2", "llama3",
            "gemini", "mistral", "mixtral", "gemma", "qwen", "deepseek", "bard", "copilot", "bedrock", "titan",
            "nova", "cohere", "command r", "palm", "falcon", "vicuna", "alpaca", "phi", "haiku", "sonnet", "opus",
            "davinci", "turbo", "baseline", "pipeline", "variant", "config", "experiment", "version", "bing",
            "perplexity", "grok", "newbing", "chatglm", "baichuan", "yi", "hybrid", "bm25", "dense", "naive rag",
            "graphrag", "rerank",
        ),
    },
    Sense.ID: {
        "English": (
            "id", "ids", "qid", "uid", "uuid", "guid", "no", "nr", "index", "idx", "key", "sno", "s no", "sl no",
            "serial", "number", "query id", "example id", "instance id", "sample id", "item id", "record id",
            "test id", "case id", "row id", "identifier",
        ),
        "German": ("nummer", "lfd nr", "kennung", "schlüssel"),
        "French": ("identifiant", "numero", "cle"),
        "Spanish": ("identificador", "numero", "clave"),
        "Portuguese": ("identificador", "numero"),
        "Italian": ("identificativo", "numero"),
        "Vietnamese": ("mã", "số", "stt", "số thứ tự"),
        "Japanese": ("番号", "識別子", "ID"),
        "Chinese": ("编号", "編號", "序号", "序號", "标识", "ID"),
        "Korean": ("번호", "아이디"),
    },
    Sense.FACT: {
        "English": (
            "fact", "facts", "golden fact", "key fact", "expected fact", "factual ground truth", "ground truth fact",
            "key facts",
        ),
        "German": ("fakt", "fakten", "kernfakt"),
        "French": ("fait", "faits"),
        "Spanish": ("hecho", "hechos", "dato clave"),
        "Vietnamese": ("sự kiện", "dữ kiện"),
        "Japanese": ("事実",),
        "Chinese": ("事实", "事實", "关键事实"),
    },
    Sense.CATEGORY: {
        "English": (
            "category", "topic", "question type", "query type", "type", "subject", "domain", "theme", "section",
            "question category", "use case", "intent",
        ),
        "German": ("kategorie", "thema", "fragetyp", "bereich", "typ", "fragentyp"),
        "French": ("categorie", "sujet", "theme", "domaine", "type de question"),
        "Spanish": ("categoria", "tema", "tipo", "tipo de pregunta", "area"),
        "Portuguese": ("categoria", "tema", "tipo"),
        "Italian": ("categoria", "argomento", "tipo"),
        "Dutch": ("categorie", "onderwerp"),
        "Vietnamese": ("danh mục", "chủ đề", "loại", "loại câu hỏi", "thể loại"),
        "Japanese": ("カテゴリ", "カテゴリー", "分類", "種類", "分野", "トピック"),
        "Chinese": ("类别", "類別", "分类", "分類", "主题", "主題", "类型", "類型", "领域"),
        "Korean": ("카테고리", "분류", "주제", "유형"),
    },
    Sense.ANSWERABLE: {
        "English": ("answerable", "is answerable"),
        "German": ("beantwortbar",),
    },
    Sense.SOURCE: {
        "English": (
            "source", "document", "doc", "source file", "source doc", "source document", "file name", "filename",
            "file", "document name", "source url", "source link", "source id", "doc id", "source doc id",
        ),
        "German": ("quelle", "quellen", "dokument", "datei", "fundstelle"),
        "French": ("source", "document", "fichier"),
        "Spanish": ("fuente", "documento", "archivo"),
        "Portuguese": ("fonte", "documento", "arquivo"),
        "Italian": ("fonte", "documento"),
        "Dutch": ("bron",),
        "Vietnamese": ("nguồn", "tài liệu"),
        "Japanese": ("出典", "ソース", "文書", "ドキュメント"),
        "Chinese": ("来源", "來源", "文档", "文檔", "出处"),
        "Korean": ("출처", "문서"),
    },
    Sense.TAGS: {
        "English": ("tag", "tags"),
        "German": ("schlagworte",),
        "Spanish": ("etiquetas",),
    },
    Sense.PIPELINE: {
        "English": (
            "approach", "method", "strategy", "technique",
            "model", "system", "pipeline", "pipeline name", "model name", "model id", "model identifier", "provider",
            "system name", "chatbot name", "agent name", "bot name", "engine", "deployment", "llm model", "llm name",
        ),
        "German": ("modell", "modellname", "systemname"),
        "French": ("modele", "systeme", "nom du modele"),
        "Spanish": ("modelo", "sistema", "nombre del modelo"),
        "Vietnamese": ("mô hình", "hệ thống", "tên mô hình"),
        "Japanese": ("モデル", "システム", "モデル名", "システム名"),
        "Chinese": ("模型", "系统", "系統", "模型名称", "模型名"),
        "Portuguese": ("modelo", "sistema"),
        "Italian": ("modello", "sistema"),
        "Korean": ("모델", "시스템"),
    },
    Sense.CONTEXTS: {
        "English": (
            "context", "contexts", "retrieved contexts", "retrieved context", "retrieval context", "passages",
            "passage", "chunk", "chunks", "retrieved documents", "retrieved docs", "evidence", "documents",
            "source documents", "retrieved", "retrieved chunks", "retrieved passages", "snippet", "snippets", "excerpt",
            "retrieved text", "supporting text",
        ),
        "German": ("kontext", "kontexte", "textstelle", "textstellen"),
        "French": ("contexte", "contextes", "passage"),
        "Spanish": ("contexto", "contextos", "pasaje"),
        "Portuguese": ("contexto", "contextos"),
        "Italian": ("contesto", "contesti"),
        "Vietnamese": ("ngữ cảnh", "bối cảnh"),
        "Japanese": ("コンテキスト", "文脈"),
        "Chinese": ("上下文", "语境", "段落", "背景"),
        "Korean": ("문맥", "컨텍스트"),
    },
    Sense.LATENCY: {
        "English": ("latency", "latency ms", "latency milliseconds", "response time ms", "duration ms"),
    },
    Sense.COST: {
        "English": ("cost", "cost usd"),
        "German": ("kosten",),
    },
    Sense.REPEAT: {
        "English": ("repeat", "repetition", "epoch", "trial", "repeat id", "attempt"),
    },
    Sense.PERSON: {
        "English": ("user", "customer", "human", "client", "employee", "student", "agent user"),
        "German": ("nutzer", "kunde", "kunden", "benutzer"),
        "French": ("utilisateur", "client", "de l utilisateur"),
        "Spanish": ("usuario", "cliente", "del usuario", "del cliente"),
        "Vietnamese": ("người dùng", "khách hàng"),
        "Japanese": ("ユーザー", "ユーザ", "顧客"),
        "Chinese": ("用户", "用戶", "客户", "客戶"),
    },
    Sense.FILLER: {
        "English": (
            "text", "content", "value", "string", "final", "full", "original", "the", "of", "for", "to", "from", "in",
            "english", "en", "message", "msg", "col", "field", "sample", "test", "and", "or",
        ),
        "German": ("der", "die", "das", "des", "vom", "von", "zur", "zum", "im", "finale", "endgültige"),
        "French": ("de", "du", "la", "le", "l", "des", "texte"),
        "Spanish": ("de", "del", "el", "la", "los", "texto"),
        "Portuguese": ("de", "do", "da", "texto"),
        "Italian": ("di", "del", "della", "testo"),
        "Vietnamese": ("của", "văn bản"),
        "Japanese": ("の", "文", "テキスト"),
        "Chinese": ("的", "文本", "内容"),
    },
    Sense.META: {
        "English": (
            "score", "scores", "rating", "rank", "grade", "mark", "points", "comment", "comments", "note", "notes",
            "remark", "remarks", "feedback", "reason", "rationale", "explanation", "justification", "date", "time",
            "timestamp", "created", "created at", "updated", "updated at", "author", "reviewer", "annotator", "owner",
            "status", "state", "num", "count", "total", "length", "len", "size", "tokens", "token", "words", "chars",
            "language", "lang", "locale", "url", "link", "split", "difficulty", "level", "priority", "correct",
            "is correct", "correctness", "accuracy", "precision", "recall", "f1", "em", "exact match", "bleu",
            "rouge", "similarity", "relevance", "relevancy", "faithfulness", "groundedness", "hallucination",
            "confidence", "probability", "logprob", "weight", "flag", "is", "has", "hash", "temperature", "seed",
            "session", "trace", "conversation", "thread", "turn", "email", "country", "department", "team",
            "metadata", "meta", "label", "labels", "verdict", "judge", "judgement", "judgment", "evaluation", "eval",
            "pass", "passed", "fail", "failed", "error", "errors", "duration", "seconds", "sec", "secs", "s",
            "response time", "latency s", "latency seconds", "latency sec", "run id", "row", "rows", "page", "pages",
            "position", "start", "end", "offset", "embedding", "vector", "distance", "summary", "title", "name", "by",
            "at", "price", "usage", "toxicity", "sentiment", "helpfulness", "coherence", "fluency", "first", "last",
            "review", "reviewed", "category id", "answer start", "system prompt", "prompt template", "system message",
            "chat history", "history", "follow up", "followup", "synthesizer", "persona", "style", "format",
            "modified", "hint", "hints", "choices", "options", "distractors", "wrong answers", "incorrect answers",
            "incorrect answer", "bad", "negative", "rejected", "chosen", "retry", "retries", "finish", "stop",
            "stage", "step", "steps", "claim", "claims", "criteria", "criterion", "rubric", "rubrics", "sim", "keyword",
            "keywords", "citation", "citations", "cosine", "sas", "overlap", "adherence", "completeness", "risk",
            "bias", "emotion", "ok", "match",
            "matched", "hit", "mrr", "ndcg", "threshold", "success", "retrieved ids", "retrieved doc ids",
            "retrieved document ids", "retrieved context ids", "reference context ids",
        ),
        "German": (
            "kommentar", "kommentare", "notiz", "notizen", "anmerkung", "anmerkungen", "bemerkung", "bewertung",
            "datum", "zeit", "uhrzeit", "anzahl", "länge", "sprache", "status", "punkte", "begründung", "autor",
            "bearbeiter", "erstellt", "erstellt am", "geändert", "prüfer", "korrekt", "schwierigkeit", "hinweis",
            "priorität", "seite", "dauer", "fehler", "abteilung", "link",
        ),
        "French": (
            "commentaire", "commentaires", "remarque", "remarques", "note", "date", "heure", "nombre", "longueur",
            "langue", "statut", "auteur", "relecteur", "difficulte", "score", "evaluation", "justification", "duree",
            "nombre de", "priorite", "page", "erreur", "correct", "service",
        ),
        "Spanish": (
            "comentario", "comentarios", "nota", "notas", "observacion", "observaciones", "fecha", "hora",
            "numero de", "cantidad", "longitud", "idioma", "estado", "autor", "revisor", "dificultad", "puntuacion",
            "puntaje", "evaluacion", "justificacion", "duracion", "correcto", "prioridad", "pagina", "error",
        ),
        "Portuguese": (
            "comentario", "comentarios", "observacao", "data", "nota", "quantidade", "idioma", "autor", "dificuldade",
            "avaliacao", "pontuacao", "estado",
        ),
        "Italian": (
            "commento", "commenti", "nota", "note", "data", "lingua", "autore", "punteggio", "stato", "valutazione",
            "difficolta",
        ),
        "Dutch": ("opmerking", "opmerkingen", "datum", "taal", "auteur", "beoordeling", "toelichting"),
        "Vietnamese": (
            "ghi chú", "nhận xét", "bình luận", "ngày", "thời gian", "ngày tạo", "điểm", "số lượng", "ngôn ngữ",
            "trạng thái", "người tạo", "tác giả", "độ khó", "đánh giá", "độ dài", "lý do",
        ),
        "Japanese": (
            "コメント", "備考", "メモ", "日付", "日時", "作成日", "作成者", "評価", "点数", "スコア", "件数", "言語",
            "状態", "ステータス", "難易度", "理由", "長さ", "注釈", "担当者", "優先度", "正誤",
        ),
        "Chinese": (
            "备注", "備註", "注释", "评论", "評論", "日期", "时间", "時間", "创建时间", "作者", "评分", "評分",
            "得分", "分数", "数量", "语言", "状态", "难度", "難度", "理由", "长度", "说明", "评价", "审核人",
            "优先级",
        ),
        "Korean": (
            "비고", "댓글", "메모", "날짜", "시간", "점수", "평가", "언어", "상태", "난이도", "작성자", "이유",
        ),
    },
}  # fmt: skip  # a line a term would be pages of terms
"""By sense and language. Accents, case and the plural's `s` make no difference. The longest term of a name counts."""
