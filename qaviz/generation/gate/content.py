"""Rules on what a triplet says: one fact that stands in its passage or follows from it, and every figure in the row,
column, clause and year that the question asks for; and on a question's words: it can be understood without the
document, and it is not asked twice.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

from qaviz.generation.gate.cases import (
    UNANSWERABLE,
    Case,
    Variant,
    is_known,
    names,
    read_variant,
    stands_exactly,
)
from qaviz.generation.gate.passages import Figure, Figures, Sentence, Stated, derive, find_figures, terms
from qaviz.model.columns import AND_DELIMITER
from qaviz.reading import detect_language
from qaviz.reading.refusals import read_refusal

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


LONGEST_VARIANT = 6
"""Words of a fact's variant; three are asked for."""
LONGEST_QUESTION, LONGEST_ANSWER = 400, 800
"""Characters."""

_AND = re.compile(r" (?:and|und|và|sowie) |[;&]|、|和|,\s(?=[^\d])")

_YEAR = re.compile(r"(?<![\d.,$€£¥])(?:19|20)\d\d(?![\d.,]*\d|%)")


def check_shape(case: Case) -> str | None:
    """Question, answer and fact are there, and none is longer than it should be."""
    if case.kind == UNANSWERABLE:
        lacking = [name for name in ("question", "answer") if not getattr(case, name).strip()]
    else:
        lacking = [name for name in ("question", "answer", "fact") if not getattr(case, name).strip()]
        if not lacking and not case.variants:
            lacking = ["fact"]
    if lacking:
        return f"It has no {' and no '.join(lacking)}."
    if len(case.question) > LONGEST_QUESTION or len(case.answer) > LONGEST_ANSWER:
        return "The question or the answer is too long: a sentence each is asked for."
    if long := [
        variant.text
        for variant in case.variants
        if len(variant.text.split()) > LONGEST_VARIANT or len(variant.text) > 120
    ]:
        return f"The fact “{long[0][:60]}” is a sentence: three words at most are asked for."
    return None


def check_injection(case: Case) -> str | None:
    """The passage speaks to a reader, not to a model."""
    if case.passage.instructs and case.home and all(sentence.instructs for sentence in case.home):
        return "Its passage speaks to a model, not to a reader: it may have been put there to be repeated."
    return None


def check_unanswerable(case: Case) -> str | None:
    """An unanswerable question has an answer that says so."""
    if case.kind != UNANSWERABLE:
        return None
    refusal = read_refusal(case.answer, case.question, detect_language(case.answer, detect_language(case.question)))
    if refusal is None or not refusal.declines:
        return "The question is to have no answer here, and the answer does not say so."
    return None


def check_several_facts(case: Case) -> str | None:
    """The fact is one fact: its variants say the same, and none joins two."""
    if AND_DELIMITER in case.fact:
        return "The fact joins several facts: one is asked for."
    if case.kind == "list":
        return None
    for variant in case.variants:
        parts = [part for part in _AND.split(variant.text) if part.strip()]
        if len(parts) > 1 and (_are_alike(parts) or not stands_exactly(variant.level, case.passage.level)):
            return f"The fact “{variant.text}” is several facts: one is asked for."
    single = [variant for variant in case.variants if len(variant.figures.amounts) == 1 and not variant.figures.dates]
    for one, other in combinations(single, 2):
        first, second = one.figures.amounts[0], other.figures.amounts[0]
        if first.unit == second.unit and _are_apart(first, second):
            return f"The variants “{one.text}” and “{other.text}” are two facts."
    return None


def _are_alike(parts: list[str]) -> bool:
    """Whether each part is a figure, and all are of one unit: 12% and 13%."""
    amounts = [read_variant(part.strip()).figures.amounts for part in parts]
    return all(amounts) and len({amount.unit for other in amounts for amount in other}) == 1


def _are_apart(first: Figure, second: Figure) -> bool:
    """Whether two quantities of one unit cannot be the same, however they were rounded."""
    apart = abs(first.value * first.factor - second.value * second.factor)
    return apart > first.half * first.factor + second.half * second.factor


def check_variants(case: Case) -> str | None:
    """Every variant of the fact stands in the passage and in the answer, word by word or as the same quantity."""
    if case.is_yes_no or case.kind == UNANSWERABLE:
        return None
    answer, passage = case.answer_stated, case.passage
    for variant in case.variants:
        if not variant.stands(passage.level, passage.stated) and not is_derived(variant, case):
            return f"The fact “{variant.text}” does not stand in its passage."
        if not variant.stands(case.answer_level, answer, case.question_level):
            return f"The fact “{variant.text}” does not stand in the answer."
    return None


def is_derived(variant: Variant, case: Case) -> bool:
    """Whether a variant is one figure that follows from others of the answer, or of the sentence asked about."""
    amounts = variant.figures.amounts
    return len(amounts) == 1 and _derive(amounts[0], case) is not None


def check_figures(case: Case) -> str | None:
    """Every figure and date of the answer stands in the passage, or follows from figures that do."""
    stated = case.passage.stated
    for amount in case.answer_stated.figures.amounts:
        if not stated.amount(amount) and _derive(amount, case) is None and not _stands(case, amount.start, amount.end):
            return f"The answer says {_quote_span(case.answer, amount.start, amount.end)}, which its passage does not."
    for date in case.answer_stated.figures.dates:
        if not stated.date(date) and not _stands(case, date.start, date.end):
            return f"The answer says {_quote_span(case.answer, date.start, date.end)}, which its passage does not."
    return None


def _quote_span(text: str, start: int, end: int) -> str:
    return f"“{text[start:end].strip()}”"


def _stands(case: Case, start: int, end: int) -> bool:
    """Whether the words of a figure stand in the passage as they are, as those of a product number do."""
    return stands_exactly(case.answer_level[start:end].strip(), case.passage.level)


def _derive(amount: Figure, case: Case) -> str | None:
    """How a figure follows from others that stand in the answer and the passage, or in one sentence of the passage."""
    stated = [amount for amount in case.answer_stated.figures.amounts if case.passage.stated.amount(amount)]
    derived = derive(amount, stated)
    if derived or not _CHANGES.search(case.question_level + " " + case.answer_level):
        return derived
    sentences = sorted(case.passage.sentences, key=lambda sentence: -len(sentence.terms & case.question_terms))[:2]
    return next((how for sentence in sentences if (how := derive(amount, sentence.stated.figures.amounts))), None)


_CHANGES = re.compile(
    r"\b(?:gr[eo]w|growth|increas|decreas|differ|chang|rise|rose|fell|declin|total|sum|share|combined"
    r"|together|tăng|giảm|wuchs|stieg|sank|insgesamt)|增长|下降|合计"
)


def check_place(case: Case) -> str | None:
    """The figure stands in the row, column, clause and year that the question asks about."""
    if (
        not case.home
        or case.is_yes_no
        or case.is_joined
        or (case.answer_stated.figures.amounts[1:] and is_derived(case.variants[0], case))
    ):
        return None
    return _find_other_column(case) or _find_other_year(case) or _find_other_row(case)


def _find_other_column(case: Case) -> str | None:
    """A row has a cell whose name the question says, and the fact stands in another one."""
    for row in case.home:
        if not row.cells:
            continue
        own = [name for name, text in row.cells if _in_cell(case.variants, text)]
        columns = [name for name, _ in row.cells[1:] if _is_asked(case, name)]
        if own and columns and not any(_is_asked(case, name) for name in own):
            return f"The fact stands in the column “{own[0].strip()}”; the question asks about “{columns[0].strip()}”."
    return None


def _is_asked(case: Case, column: str) -> bool:
    return stands_exactly(column.lower().strip(), case.question_level)


def _in_cell(variants: Iterable[Variant], text: str) -> bool:
    stated = Stated.of(find_figures(text))
    return any(variant.stands(text.lower(), stated) for variant in variants)


def _find_other_year(case: Case) -> str | None:
    """The question says a year, and the sentence of the fact has others only, or gives that one to another figure."""
    years = set(_YEAR.findall(case.question)) or set(_YEAR.findall(case.answer))
    years -= {year for variant in case.variants for year in _YEAR.findall(variant.text)}
    if not years:
        return None
    of_home = [set(_YEAR.findall(sentence.text)) for sentence in case.home]
    if all(amount and not amount & years for amount in of_home):
        return f"The fact stands beside {min(of_home[0])}, not {min(years)}."
    given = {year for sentence in case.home for year in _find_years(sentence, case.variants)}
    if given and not given & years:
        return f"The fact is of {min(given)}, not of {min(years)}."
    return None


def _find_years(sentence: Sentence, variants: Iterable[Variant]) -> set[str]:
    """The years that stand directly behind the fact: `$131B in 2023`."""
    years = set()
    for variant in variants:
        at = sentence.level.find(variant.level)
        if at >= 0:
            behind = _YEAR_BEHIND.match(sentence.text, at + len(variant.level))
            if behind:
                years.add(behind[1])
    return years


_YEAR_BEHIND = re.compile(
    r"(?:\s+(?!than\b|from\b|over\b|since\b)[^\W\d_]+){0,2}?"
    r"\s+(?:in|for|during|im Jahr|in den|für|năm|trong năm)\s+(?:fiscal "
    r"|FY ?)?((?:19|20)\d\d)\b"
)


_ASKS_DATE = re.compile(
    r"^\W*when\b|\b(?:since|until|exactly) when\b|\bwhen\W*$"
    r"|\b(?:what|which)(?: [a-z]+)? (?:year|date|day|month|decade|century)\b|\bwann\b"
    r"|\b(?:khi|năm|ngày|tháng) nào\b|bao giờ"
)


def _find_other_row(case: Case) -> str | None:
    """Another row, sentence or clause with a figure of the same kind has more of the question's words."""
    wanted = case.variants[0].figures
    if not wanted.amounts and not wanted.dates and not any(sentence.is_row for sentence in case.home):
        return None
    asks_date = _ASKS_DATE.search(case.question_level) is not None
    own, other, other_text = 0.0, 0.0, ""
    other_values: set[str] = set()
    for sentence in case.passage.sentences:
        whole = _weigh_terms(case, sentence.terms)
        at_home = sentence in case.home
        for part in sentence.parts if whole or at_home else ():
            score = _weigh_terms(case, part.terms) + _OF_THE_SENTENCE * whole
            if at_home and any(
                variant.stands(part.level, part.stated, case.passage.level) for variant in case.variants
            ):
                own = max(own, score)
                other_values |= part.terms
            elif score > other and _is_alike(part, wanted, asks_date=asks_date):
                other, other_text = score, part.text
    lacking = sorted(case.question_terms & set(terms(other_text)) - other_values)
    if lacking and other > _CLEARLY * own + _AT_LEAST:
        return f"The fact does not stand with “{lacking[0]}”, which the question asks about: “{other_text[:80]}” does."
    return None


_OF_THE_SENTENCE = 0.25
"""What a term of the sentence counts for each of its clauses."""
_CLEARLY, _AT_LEAST = 1.3, 0.1
"""How much more of the question another clause has to have than the one with the fact."""


def _weigh_terms(case: Case, stated: frozenset[str]) -> float:
    """How much of the question these terms say; one that few sentences have counts for more."""
    return sum(case.passage.rarity.get(term, 0) for term in case.question_terms & stated)


def _is_alike(part: Sentence, wanted: Figures, *, asks_date: bool) -> bool:
    """Whether a clause has a figure of the kind that is wanted, or is a row where a name is."""
    if wanted.dates and not wanted.amounts and (asks_date or not all(date.bare for date in wanted.dates)):
        return bool(part.stated.figures.dates)
    if not wanted.amounts:
        return part.is_row
    units = {amount.unit for amount in wanted.amounts if amount.unit or part.is_row}
    return any(amount.unit in units for amount in part.stated.figures.amounts)


def is_computed(case: Case) -> bool:
    """Whether the fact follows from two other figures of the answer."""
    fact = case.variants[0].figures.amounts if case.variants else ()
    others = [amount for amount in case.answer_stated.figures.amounts if not fact or amount.value != fact[0].value]
    return len(fact) == 1 and len(others) > 1 and derive(fact[0], others) is not None


def find_link(case: Case, home: Sequence[Sentence], sentences: Sequence[Sentence]) -> str | None:
    """A name of the answer, and not of the question, that links `home` (sentences of the fact) to another one of
    `sentences`: one with all names of the question that home lacks or, where there are none, most of such words."""
    home_terms = frozenset(term for sentence in home for term in sentence.terms)
    named = frozenset(term for name in names(case.question) for term in terms(name)) - home_terms
    lacking = case.question_terms - home_terms
    of_fact = frozenset(term for variant in case.variants for term in terms(variant.text))
    for link in (*names(case.answer, first_too=True), *find_first_name(case)):
        parts = frozenset(terms(link))
        if (
            not parts
            or parts <= of_fact
            or not parts <= home_terms
            or stands_exactly(link.lower(), case.question_level)
        ):
            continue
        for sentence in sentences:
            if sentence in home or not parts <= sentence.terms:
                continue
            if named <= sentence.terms if named else 2 * len(lacking & sentence.terms) > len(lacking):
                return link
    return None
