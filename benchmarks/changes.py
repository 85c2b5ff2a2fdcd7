"""Changes of a response that change nothing of what it answers: neutral sentences, wrappers, case, spacing, order."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

NEUTRAL = {
    "en": (
        "Please note that this is a summary of the material at hand and that it was prepared with care. Further "
        "explanations stand in the documents themselves. If anything else is needed, a message at any time is welcome."
    ),
    "de": (
        "Bitte beachten Sie, dass dies eine Zusammenfassung der vorliegenden Unterlagen ist, die mit Sorgfalt erstellt "
        "wurde. Weitere Erläuterungen stehen in den Dokumenten selbst. Für weitere Fragen genügt eine Nachricht."
    ),
    "es": (
        "Tenga en cuenta que esto es un resumen del material disponible y que se ha preparado con cuidado. En los "
        "propios documentos hay más explicaciones. Si necesita algo más, puede escribir en cualquier momento."
    ),
    "fr": (
        "Veuillez noter qu'il s'agit d'un résumé des documents disponibles, préparé avec soin. Des explications "
        "supplémentaires figurent dans les documents eux-mêmes. Pour toute autre question, un message suffit."
    ),
    "it": (
        "Si prega di notare che questo è un riassunto del materiale disponibile, preparato con cura. Ulteriori "
        "spiegazioni si trovano nei documenti stessi. Per qualsiasi altra domanda basta scrivere un messaggio."
    ),
    "pt": (
        "Observe que este é um resumo do material disponível, preparado com cuidado. Mais explicações encontram-se "
        "nos próprios documentos. Se precisar de mais alguma coisa, pode escrever a qualquer momento."
    ),
    "vi": (
        "Xin lưu ý rằng đây là bản tóm tắt các tài liệu hiện có và đã được soạn cẩn thận. Những giải thích thêm nằm "
        "trong chính các tài liệu đó. Nếu cần thêm điều gì, bạn cứ nhắn tin bất cứ lúc nào."
    ),
    "ja": (
        "なお、これは手元にある資料をまとめたものであり、注意を払って作成されています。詳しい説明は資料そのものに"
        "書かれています。ほかに必要なことがあれば、いつでもお気軽にお知らせください。"
    ),
    "zh": (
        "请注意，这是对现有材料的概括，并且是认真整理的。更详细的说明写在文件本身之中。如果还需要其他内容，请随时留言，我们很乐意提供帮助。"
    ),
}
"""Sentences by language that answer no question."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|(?<=[。！？])")
_CORRECTS = re.compile(
    r"\b(?:correction|actually|sorry|i mean|wait|rather|no,|instead|but|however|therefore|thus|so)\b", re.I
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; one where a line, a list or an abbreviation makes it unsure where they end."""
    return [text] if "\n" in text else [part for part in _SENTENCE.split(text.strip()) if part]


def turn_around(text: str) -> str:
    """Return the sentences in the reverse order, unless one corrects or goes on with another."""
    parts = sentences(text)
    if len(parts) != 2 or _CORRECTS.search(text) or any(len(part) < 20 for part in parts):
        return text
    ends = "" if re.search("[。！？]", text) else " "
    return ends.join(reversed(parts))


@dataclass(frozen=True)
class Change:
    """What is done to a response; the language is that of the row."""

    name: str
    apply: Callable[[str, str], str]


def _join(text: str, language: str) -> str:
    """The text with neutral sentences behind, in its line where it ends as a sentence."""
    ends = text.rstrip().endswith((".", "!", "?", "。", "！", "？", '"', ")"))
    return f"{text}{' ' if ends else chr(10)}{NEUTRAL[language]}"


def _behind(language: str) -> Callable[[str, str], str]:
    return lambda text, _: _join(text, language)


CHANGES = (
    Change("neutral behind", _join),
    Change("neutral before", lambda text, language: f"{NEUTRAL[language]} {text}"),
    Change("neutral on both sides", lambda text, language: f"{NEUTRAL[language]}\n\n{text}\n\n{NEUTRAL[language]}"),
    *(Change(f"neutral behind, {language}", _behind(language)) for language in NEUTRAL if language != "en"),
    Change("Answer:", lambda text, _: f"Answer: {text}"),
    Change("Final answer:", lambda text, _: f"**Final answer:** {text}"),
    Change("The answer is:", lambda text, _: f"The answer is: {text}"),
    Change("brackets", lambda text, _: f"({text})"),
    Change("square brackets", lambda text, _: f"[{text}]"),
    Change("quotes", lambda text, _: f'"{text}"'),
    Change("curly quotes", lambda text, _: f"“{text}”"),
    Change("bold", lambda text, _: f"**{text}**"),
    Change("code marks", lambda text, _: f"`{text}`"),
    Change("code block", lambda text, _: f"```\n{text}\n```"),
    Change("JSON", lambda text, _: json.dumps({"answer": text}, ensure_ascii=False)),
    Change("list", lambda text, _: f"- {text}"),
    Change("heading", lambda text, _: f"## Answer\n\n{text}"),
    Change("citation", lambda text, _: f"{text} [1]"),
    Change("source", lambda text, _: f"{text} (Source: document 3)"),
    Change("hope this helps", lambda text, _: f"{text}\n\nI hope this helps! Let me know if you have any questions."),
    Change("blanks", lambda text, _: f"\n  {text.replace(' ', '  ')} \n"),
    Change("capitals", lambda text, _: text.upper() if len(text.upper()) == len(text) else text),
    Change("order", lambda text, _: turn_around(text)),
)
"""They change neither the verdict nor the confidence by more than MOVED."""
MOVED = 0.03
