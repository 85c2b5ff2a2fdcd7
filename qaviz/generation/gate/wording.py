"""Rules on the words of a question: it can be understood without the document, and it is not asked twice."""

import re

from qaviz.generation.gate.cases import Case, is_known, names, stands_exactly
from qaviz.generation.gate.passages import terms

_PRONOUN = re.compile(
    r"^[^,]{0,40}\b(?:did|does|do|is|was|were|are|has|have|had|will|would|should|can|could|may"
    r"|must) (?:it|they|he|she|this|these|we)\b"
    r"|\b(?:its|their|his|her|our)\b(?! (?:own|respective))|\b(?:the|this|that) (?:company|firm"
    r"|organi[sz]ation|corporation|department|policy|report)\b(?! (?:that|which|of|for|on))"
    r"|\b(?:hat|ist|war|haben|sind|wird|kann|betrug) (?:es|er|sie)\b|\b(?:sein|ihr)(?:e|en|er"
    r"|es)?\b (?=[A-ZÄÖÜ])|\b(?:das|dieses) unternehmen\b"
    r"|\b(?:công ty|tổ chức|doanh nghiệp) (?:này|đó)\b|(?:^|\s)(?:nó|họ|ông ấy|bà ấy) |^(?:他|她|它)们?"
    r"|(?:该|本|这家)公司|\bهذه الشركة\b|\bهي\b",
    re.IGNORECASE,
)
_IT_TAKES = re.compile(
    r"\b(?:does|did|would|will|do) it take\b|\bit (?:called|true|possible|mean|cost)\b", re.IGNORECASE
)
_DOCUMENT = re.compile(
    r"\b(?:in|from|to|by|per|on|with|of|does|do|did) (?:the|this|that|above|given|provided) (?:above "
    r"|given |provided |following )?"
    r"(?:document|text|passage|excerpt|paragraph|context|snippet|chunk|file|table|data)\b(?! (?:that"
    r"|which|center|centre|protection))"
    r"|\b(?:above|below|following|preceding|first|second|third|last|this|that) (?:table|figure|chart"
    r"|section|paragraph|excerpt|passage|row|column)\b"
    r"|\b(?:table|figure|chart|section|paragraph|passage|document) (?:above|below)\b|\b(?:according to"
    r"|mentioned|listed|shown|described|stated) (?:in )?(?:the|this) (?:\w+ )?(?:document|text|passage"
    r"|table|excerpt|context|section|data)\b|\bmentioned (?:here|above)\b"
    r"|\b(?:row|column|line|page|slide|footnote) \d+\b"
    r"|\b(?:im|laut|aus|in) (?:dem |diesem )?(?:obigen |vorliegenden |diesem )?(?:text|dokument|abschnitt"
    r"|auszug)\b|\b(?:obige|folgende)n? (?:tabelle|text|abschnitt)"
    r"|\b(?:tài liệu|văn bản|đoạn văn|đoạn trích|bảng|hình) (?:này|trên|dưới|sau|đó)\b"
    r"|\btheo (?:tài liệu|văn bản|đoạn)"
    r"|(?:本文|上文|文中|该文|上述|这段|本段|上表|文档中)|(?:في هذا|حسب|وفقا) ?(?:النص|المستند|الوثيقة)",
    re.IGNORECASE,
)
_METADATA = re.compile(
    r"\b(?:page|section|chapter|slide|paragraph|table|figure|footnote|version|revision"
    r"|document) (?:number|title|id|date)\b"
    r"|\bhow many (?:pages|sections|chapters|slides|tables|paragraphs|footnotes|headings|rows|columns)\b"
    r"|\b(?:on )?(?:which|what) (?:page|section|chapter|slide|heading|version|revision)\b"
    r"|\b(?:title|heading|author|version|file ?name|last (?:updated|modified|revised)) of (?:the"
    r"|this) (?:document|report|file|section|presentation|page)\b"
    r"|\bwhen was (?:the|this) (?:document|report|file|page) (?:published|written|created|updated"
    r"|printed)\b|\btable of contents\b"
    r"|\bwie viele (?:seiten|abschnitte|kapitel)\b|\bauf welcher seite\b|\bbao nhiêu trang\b"
    r"|\btrang (?:nào|số mấy)\b|第几页|多少页|كم عدد الصفحات",
    re.IGNORECASE,
)

ALIKE = 0.7
"""Share of two questions' terms that both have, from which two questions of one fact are the same question."""
_WORDS = re.compile(r"[^\W_]+")


def check_metadata(case: Case) -> str | None:
    """The question is about the subject, not about pages, sections and versions."""
    match = _METADATA.search(case.question)
    return f"The question is about the document itself (“{match.group().strip()}”)." if match else None


def check_document_reference(case: Case) -> str | None:
    """The question can be understood without seeing the document."""
    match = _DOCUMENT.search(case.question)
    return (
        f"The question refers to a text that its reader does not have (“{match.group().strip()}”)." if match else None
    )


def check_pronoun(case: Case) -> str | None:
    """The question names what it is about."""
    match = _PRONOUN.search(_IT_TAKES.sub("", case.question))
    if match and not names(case.question[: match.start()]):
        return f"The question does not name its subject (“{match.group().strip()}”)."
    return None


def check_subject(case: Case) -> str | None:
    """The question names whom the answer is about."""
    asked_for = case.question_terms
    if all(map(asked_for.isdisjoint, (case.passage.rarity, _WORDS.findall(case.passage.heading.lower()), case.around))):
        return "The question shares no word with its passage."
    if has_capital_nouns(case) or names(case.question):
        return None
    inside = " ".join(variant.level for variant in case.variants)
    named = [*names(case.answer, first_too=True), *find_first_name(case)]
    named = [name for name in named if name.lower() not in inside]
    question = case.question_level
    missing = [name for name in named if name.lower() not in question and is_known(name, case.passage.words)]
    if missing:
        return f"The question does not name its subject: the answer is about {missing[0]}."
    return None


def find_first_name(case: Case) -> list[str]:
    """The first word of the answer, if the passage never writes it in small letters."""
    first = re.match(r"[^\W\d_]+", case.answer)
    if not first or not first[0][0].isupper() or not terms(first[0]):
        return []
    written = re.findall(rf"\b{re.escape(first[0])}\b", case.passage.text, re.IGNORECASE)
    return [first[0]] if written and all(name == first[0] for name in written) else []


_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|wurde|wie|welche[rs]?|wer|im|für|mit)\b", re.IGNORECASE)


def has_capital_nouns(case: Case) -> bool:
    """Whether the language begins all nouns with a capital, so that capitals tell no names: German."""
    return len(_GERMAN.findall(case.question + " " + case.answer)) >= 2


_WHICH_OF = re.compile(r"^\W*(?:which|who|what|welche[rs]?|wer)\b", re.IGNORECASE)


def check_fact_in_question(case: Case) -> str | None:
    """The question does not give its fact away, but for those that ask which of two it is."""
    if case.is_yes_no or (
        case.is_joined
        and not case.variants[0].figures.amounts
        and len(names(case.question)) > 1
        and _WHICH_OF.search(case.question)
    ):
        return None
    for variant in case.variants:
        if stands_exactly(variant.level, case.question_level):
            return f"The question contains its fact “{variant.text}”."
    return None


def check_names(case: Case) -> str | None:
    """Every name of the answer and of the question stands in the passage, its headings or its document."""
    if has_capital_nouns(case):
        return None
    known = case.passage.own_words
    for name in names(case.answer, first_too=True):
        if not is_known(name, known) and not is_known(name, case.around):
            return f"The answer names “{name}”, which its passage does not."
    for name in names(case.question):
        if not is_known(name, known) and not is_known(name, case.around):
            return f"The question names “{name}”, which its document does not."
    return None


class Known:
    """The triplets that were accepted so far."""

    def __init__(self) -> None:
        self._questions: set[str] = set()
        self._by_fact: dict[str, list[Case]] = {}

    def add(self, case: Case) -> str | None:
        """Remember the triplet; where it was there before, the reason, and it is not remembered again."""
        normal = " ".join(_WORDS.findall(case.question_level))
        if normal in self._questions:
            return "The same question was accepted before."
        key = _read_value(case)
        for other in self._by_fact.get(key, ()):
            if _same_question(case, other):
                return f"It asks what “{other.question}” asks."
        self._questions.add(normal)
        self._by_fact.setdefault(key, []).append(case)
        return None

    def note(self, case: Case) -> str | None:
        """What a reviewer should look at: a fact that is the answer to two questions of one chunk."""
        others = [
            other.question
            for other in self._by_fact.get(_read_value(case), ())
            if other.passage.chunk == case.passage.chunk and other.question != case.question
        ]
        if others and not case.is_yes_no:
            return f"Its fact answers “{others[0]}” too: a response to one may match by chance."
        return None


def _read_value(case: Case) -> str:
    """The fact as a value: its figure, else its first variant's words."""
    if not case.variants:
        return ""
    figures = case.variants[0].figures
    if len(figures.amounts) == 1 and not figures.dates:
        amount = figures.amounts[0]
        return f"{(amount.value * amount.factor).normalize():f}{amount.unit}"
    if len(figures.dates) == 1 and not figures.amounts:
        return str(figures.dates[0].parts)
    return " ".join(_WORDS.findall(case.variants[0].level))


def _same_question(one: Case, other: Case) -> bool:
    """Whether two questions of one fact have the same names and figures, and nearly the same terms."""
    if _find_particulars(one.question) != _find_particulars(other.question):
        return False
    first, second = set(terms(one.question)), set(terms(other.question))
    return len(first & second) >= ALIKE * max(1, min(len(first), len(second)))


def _find_particulars(question: str) -> frozenset[str]:
    figures = re.findall(r"\d[\d.,]*", question)
    return frozenset((*(name.lower() for name in names(question)), *figures))
