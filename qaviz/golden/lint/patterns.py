"""Rules that a pattern finds: each is a row that says where it looks, for what, and how the text is mended."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from qaviz.golden.lint.findings import (
    ERROR,
    NEEDS_ALL,
    NOTE,
    PROPOSED,
    QUOTED,
    VARIANT,
    WARNING,
    Subject,
    join_once,
    list_texts,
    quote_text,
    report,
)
from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

EVERY = "every variant"
"""The field of a rule that finds something only if the pattern matches each variant."""
AROUND = 30
"""Characters on both sides of a match that a finding quotes."""


@dataclass(frozen=True)
class PatternRule:
    """One way in which a single text of a triplet can be at fault. Patterns are those of polars: no look-around."""

    name: str
    severity: str
    field: str | tuple[str, ...]
    """`question`, `answer`, `fact`, or several of them; VARIANT for any variant of the fact, EVERY for all of them."""
    pattern: str
    message: str
    """What is wrong, and what comes of it; `{}` stands for the field."""
    suggestion: str
    mend: Callable[[str], str | None] | None = None
    """The text without the fault, "" for a variant to drop; None leaves it to a person."""
    unless: str = ""
    """A text that this matches is left alone."""
    asked: str = ""
    """Only in triplets whose question this matches."""
    unless_asked: str = ""
    """Not in triplets whose question this matches."""
    unless_answered: bool = False
    """Not where the golden answer has the fact letter by letter."""
    needs: str = ""

    @property
    def explanation(self) -> str:
        """The rule in words, for the user."""
        return f"{self.message.format('text')} {self.suggestion}"

    def find(self, subject: Subject) -> pl.DataFrame:
        """Return what `report` returns: a finding for each text that matches."""
        if self.field in (VARIANT, EVERY):
            return self._find_variants(subject)
        fields = (self.field,) if isinstance(self.field, str) else self.field
        return pl.concat(self._find_texts(subject, field) for field in fields)

    def _matches(self, text: pl.Expr) -> pl.Expr:
        conditions = [text.str.contains(self.pattern)]
        if self.unless:
            conditions.append(~text.str.contains(self.unless))
        if self.asked:
            conditions.append(pl.col(QUESTION).str.contains(self.asked))
        if self.unless_asked:
            conditions.append(~pl.col(QUESTION).str.contains(self.unless_asked))
        if self.unless_answered:
            conditions.append(~pl.col(ANSWER).fill_null("").str.contains(pl.col(FACT), literal=True))
        return pl.all_horizontal(conditions).fill_null(value=False)

    def _find_texts(self, subject: Subject, field: str) -> pl.DataFrame:
        text = pl.col(field)
        hits = subject.golden.filter(self._matches(text))
        mended = [self.mend(value) or None if self.mend else None for value in hits[field]]
        hits = hits.with_columns(pl.Series(PROPOSED, mended, pl.String))
        near = text.str.extract(rf"(?s)(.{{0,{AROUND}}}(?:{self.pattern}).{{0,{AROUND}}})")
        evidence = quote_text(pl.when(text.str.len_chars() > QUOTED).then(pl.coalesce(near, text)).otherwise(text))
        changed = hits.filter(pl.col(PROPOSED).ne_missing(text))
        return report(changed, self.message.format(field), evidence, self.suggestion, pl.col(PROPOSED), field)

    def _find_variants(self, subject: Subject) -> pl.DataFrame:
        marked = subject.variants.with_columns(self._matches(pl.col(VARIANT)).alias("hit"))
        fits = pl.col("hit").all() if self.field == EVERY else pl.col("hit").any()
        grouped = marked.filter(fits.over(QUESTION_ID)).group_by(QUESTION_ID, maintain_order=True)
        facts = grouped.agg(
            pl.first(FACT, NEEDS_ALL),
            list_texts(pl.col(VARIANT).filter("hit")).alias("odd"),
            pl.struct(VARIANT, "hit").alias("parts"),
        )
        proposed = [self._mend_parts(*row) for row in facts.select("parts", NEEDS_ALL).iter_rows()]
        changed = facts.with_columns(pl.Series(PROPOSED, proposed, pl.String))
        changed = changed.filter(pl.col(PROPOSED).ne_missing(pl.col(FACT)))
        return report(changed, self.message, pl.col("odd"), self.suggestion, pl.col(PROPOSED))

    def _mend_parts(self, parts: list[dict[str, Any]], needs_all: bool) -> str | None:
        """The fact mended; of a part that a response must state, the last of the forms that it is mended to."""
        if self.mend is None:
            return None
        texts = [self.mend(part[VARIANT]) if part["hit"] else part[VARIANT] for part in parts]
        if None in texts or not any(texts):
            return None
        kept = [text.split(OR_DELIMITER)[-1] if needs_all else text for text in texts if text]
        return join_once((AND_DELIMITER if needs_all else OR_DELIMITER).join(kept))


_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
DATED = (
    rf"(?i)\b(?:{_MONTH})[a-z]*\.? \d|\d(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|\d{{4}}-\d{{2}}-\d{{2}}"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{4}|tháng \d"
)
"""A text that holds a date."""
_ASKS_WHEN = r"(?i)\b(?:when|years?|date|since|wann|jahr|quand|année|cuándo|año|quando|anno|ano|năm|ngày)\b|[年日]"
_SEVERAL = (
    r"(?i)\b(?:two|three|four|five|six|seven|both|pair|list|names of)\b|\b(?:who|what|which)(?: \p{L}+)? (?:are|were)\b"
    r"|\bname (?:the|all|two|three)\b|\b(?:hai|ba|bốn|những|các)\b"
)
_JOINT = r",? and |,? & |; ?|, |\r?\n| và "
_THING = r"(?:[\p{Lu}\p{N}]\S*|\p{Ll}+)(?: \S+){0,2}?"

_OTHER_MARKS = r"\s?\|\s?|\s/\s|\sOR\s|;\s"
_MISSPELT = {
    OR_DELIMITER: r"(?i)<\s*or\s*/?>|&lt;\s*or\s*/?&gt;",
    AND_DELIMITER: r"(?i)<\s*and\s*/?>|&lt;\s*and\s*/?&gt;",
}
_INVISIBLE = {"\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u202f": " "} | dict.fromkeys(
    ("\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff"), ""
)
"""Blanks that are not the blank, and what cannot be seen at all → what people type."""
_CURLY = {"‘": "'", "’": "'", "‛": "'", "′": "'", "“": '"', "”": '"', "„": '"', "″": '"'}
_TO_STRAIGHT = {ord(curly): straight for curly, straight in _CURLY.items()}
_TAG = r"(?i)</?(?:br|p|b|i|em|strong|div|span|li|ul|ol|td|tr|table|a|sup|sub)\b[^<>]*>"
_ENTITY = r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,6});"
_ABOUT_HTML = r"(?i)\b(?:html|xml|css|markup|tags?|elements?|entity|javascript)\b|<\w+>"

_COMPANY = r"(?:the|this|that) (?:company|firm|organi[sz]ation|corporation|bank)"
_HAS_NAME = r"\S\s+[\"'“‘(]*\p{Lu}"
"""A word with a capital, not the first."""
_SUBJECT = (
    r"(?i)^[^,]{0,30}\b(?:did|does|do|is|was|were|are|has|have|had|will|would|can|could) (?:it|they|he|she)\b"
    r"|^(?:what|which|who|where|when|how \p{L}+) (?:is|was|are|were) (?:its|their|his|her)\b"
    rf"|\b{_COMPANY}(?:'s|’s)?(?: (?:[a-su-vx-z]|t[^h]|w[^h])|[?,.])"
    r"|\bcông ty(?: này| đó)? (?:có|đã|là)\b|^\W*(?:nó|họ) "
)
_NO_SUBJECT = (
    r"(?i)\b(?:if|when|where|that|while|because|than|before|after) (?:it|they|he|she)\b"
    r"|\b(?:does|did|would|will|do) it take\b|\bit (?:called|true|possible|mean|cost|illegal|legal|said|known|that)\b"
)
_COMPANY_FIRST = (
    rf"^\W*\p{{L}}[^\p{{Lu}}]{{0,40}}\b{_COMPANY}(?:(?:'s|’s)? (?:[a-np-su-vx-z]|o[^f]|t[^h]|w[^h])|[?,.]).*\p{{Lu}}"
)
"""The company before any name: `What was the company's revenue in Norway?`"""
_PLACE = "table|figure|chart|section|paragraph|excerpt|passage"
_DOCUMENT = (
    r"(?i)\b(?:in|from|to|by|per|on|with|of|does|do|did) (?:the|this|that|above|given|provided) "
    r"(?:above |given |provided |following |attached )?"
    r"(?:document|text|passage|excerpt|paragraph|context|snippet|chunk|file)s?\b"
    rf"|\b(?:above|below|following|preceding|next|attached|first|second|third|last|this|that) (?:{_PLACE})\b"
    rf"|\b(?:{_PLACE}) (?:above|below)\b"
    r"|\b(?:row|column|line|page|slide|footnote) \d+\b|\b(?:first|second|third|last|left|right) (?:row|column)\b"
    r"|\b(?:tài liệu|văn bản|đoạn văn|đoạn trích|bảng|hình) (?:này|trên|dưới|sau|đó)\b|\btrang \d+\b"
)
_NOT_DOCUMENT = r"(?i)\b(?:document|text|passage|file) (?:that|which|signed|issued|written|known|called|published|of)\b"

_PLACEHOLDER = (
    r"(?i)^\W*(?:todo|tbd|tba|n/a|null|nan|lorem ipsum.*|placeholder|your (?:question|answer) here"
    r"|(?:sample|dummy|example) (?:question|answer|fact)|insert .{1,40} here)\W*$"
    r"|^[?.…_-]{2,}$|\bTODO\b|\{\{\w+\}\}|\blorem ipsum\b"
)
_ASKS = "what|when|where|why|how(?: many| much| long| old| often)?"
_AUXILIARY = "is|are|was|were|did|does|do|has|have|had|will|can"
_TWO_QUESTIONS = (
    rf"(?i)\?\s+(?:{_ASKS}|who|which|is|are|was|were|did|does|do|has|have|can)\b\S*(?:\s+\S+){{2,}}\?\W*$"
    rf"|^\W*(?:{_ASKS}|who|which)\b.*\band (?:{_ASKS}) (?:{_AUXILIARY})\b"
    rf"|^\W*(?:(?:in|on|at|by|for|to|from) )?(?:{_ASKS}|who|which)\b.*"
    r"\band (?:who|whom|whose|which \p{L}+|what \p{L}+|how \p{L}+)\b"
)
_RELATIVE = (
    r"(?i)^\W*\S+\s.*\b(?:who|whom|whose|which|that|what|how|where)\b.*\band (?:who|whom|whose|which|what|how)\b"
)
"""A clause that another one joins: `the king who ruled and who died`."""

_SHORT_ANSWER = (
    r"(?i)^\W*(?:who|when|where|how (?:many|much|old|long|far|tall|high|big|large)"
    r"|in (?:which|what) (?:year|country|city))\b"
)
_EXPLAINS = (
    r"(?i)\b(?:why|how (?:do|does|did|is|are|can)|explain|describe|list|compare|summari[sz]e|what (?:were|are))\b"
)
_ONE_READING = "|".join(rf"\b0?{number}[/.-]0?{number}[/.-]" for number in range(1, 13))
_BARE = r"[^\w%‰‱％\p{Sc}\p{So}]*"
"""No letter, digit, and no sign that says what a number counts: `%`, a currency, `°`."""


def read_again(text: str) -> str | None:
    """The text in its own encoding; None where its bytes make no text."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return None


def unquote(text: str) -> str:
    """The text as a CSV reader takes it out of its quotes."""
    inner = text.strip()[1:-1]
    whole = re.fullmatch(r'\s*".*"\s*', text, re.DOTALL) and '"' not in inner.replace('""', "")
    return (inner if whole else text).replace('""', '"').strip()


def _spell_delimiters(fact: str) -> str | None:
    """The fact with its delimiters as FMEval knows them; None where it then has both."""
    for mark, like in _MISSPELT.items():
        fact = re.sub(like, mark, fact)
    return None if OR_DELIMITER in fact and AND_DELIMITER in fact else fact


def _make_visible(text: str) -> str:
    return re.sub(r"[\r\n\t]+", " ", text.translate({ord(sign): plain for sign, plain in _INVISIBLE.items()}))


_TEXTS = (QUESTION, ANSWER, FACT)

PATTERN_RULES = (
    PatternRule(
        "placeholder",
        ERROR,
        _TEXTS,
        _PLACEHOLDER,
        "The {} is a placeholder: the triplet is unfinished.",
        "Write the text.",
    ),
    PatternRule(
        "garbled-text",
        ERROR,
        _TEXTS,
        r"Ã[\u{80}-\u{bf}]|â€|Â[\u{a0}-\u{bf}]|ï»¿|\u{fffd}",
        "The {} was read in the wrong encoding, so no response matches it.",
        "Write the letters that it stands for, or read the file as UTF-8.",
        read_again,
    ),
    PatternRule(
        "html-in-text",
        ERROR,
        _TEXTS,
        rf"{_ENTITY}|{_TAG}",
        "The {} holds an HTML entity or tag; responses have the sign itself.",
        "Write the sign that it stands for.",
        lambda text: " ".join(re.sub(_TAG, " ", html.unescape(text)).split()),
        unless=r"(?i)&lt;\s*(?:or|and)\s*/?&gt;",
        unless_asked=_ABOUT_HTML,
    ),
    PatternRule(
        "empty-variant",
        ERROR,
        VARIANT,
        r"^(?:[\s!-/:-@\[-`{-~]|\b(?i:an?|the)\b)*$",
        "A variant is empty for FMEval, so every response matches it.",
        "Remove the empty variant.",
        lambda _: "",
    ),
    PatternRule(
        "unread-delimiter",
        ERROR,
        FACT,
        rf"{_MISSPELT[OR_DELIMITER]}|{_MISSPELT[AND_DELIMITER]}|<OR>.*<AND>|<AND>.*<OR>",
        "FMEval cannot read the fact's delimiters: it knows <OR> and <AND>, in capitals, and not both in one fact.",
        "Write the delimiter as <OR> or <AND>; split a triplet that needs both.",
        _spell_delimiters,
    ),
    PatternRule(
        "unread-delimiter",
        ERROR,
        FACT,
        rf"\S(?:{_OTHER_MARKS})\S",
        "The fact sets its variants apart by a sign that FMEval reads as text, so every response misses it.",
        "Write <OR> between variants, or <AND> between parts that are all needed.",
        lambda fact: re.sub(_OTHER_MARKS, OR_DELIMITER, fact),
        unless="<|&lt;",
        unless_asked=_SEVERAL,
        unless_answered=True,
    ),
    PatternRule(
        "blank-around-variant",
        ERROR,
        VARIANT,
        r"^\s+\S|\S\s+$",
        "A variant begins or ends with a space, which responses must contain too.",
        "Remove the spaces.",
        str.strip,
    ),
    PatternRule(
        "invisible-character",
        ERROR,
        (FACT, ANSWER),
        rf"[{''.join(_INVISIBLE)}\t]",
        "The {} contains an invisible character that no response has.",
        "Replace it with a space, or delete it.",
        _make_visible,
    ),
    PatternRule(
        "invisible-character",
        ERROR,
        FACT,
        r"\S[\r\n]+\S",
        "The {} contains a line break that no response has.",
        "Replace it with a space, or write <OR> or <AND>.",
        _make_visible,
    ),
    PatternRule(
        "curly-quote-in-fact",
        WARNING,
        VARIANT,
        f"[{''.join(_CURLY)}]",
        "A variant contains a curly quotation mark, so responses with a straight one do not match.",
        "Add a variant with straight quotation marks.",
        lambda variant: f"{variant}{OR_DELIMITER}{variant.translate(_TO_STRAIGHT)}",
    ),
    PatternRule(
        "doubled-quotes",
        WARNING,
        _TEXTS,
        r'""',
        "The {} holds doubled quotation marks of a CSV file; responses have single ones.",
        "Keep one of each two.",
        unquote,
    ),
    PatternRule(
        "ambiguous-date",
        WARNING,
        EVERY,
        r"^\D{0,12}(?:0?[1-9]|1[0-2])[/.-](?:0?[1-9]|1[0-2])[/.-]\d{4}\D*$",
        "The fact is a date with two readings: day first, or month first.",
        "Write the month in letters.",
        unless=_ONE_READING,
    ),
    PatternRule(
        "several-entities",
        WARNING,
        EVERY,
        rf"^{_THING}(?:(?:{_JOINT}){_THING})+[ .]*$",
        "The fact lists several things in one variant; a response with another order or words between them scores 0.",
        "Join them with <AND>, so that each one is matched separately.",
        lambda variant: re.sub(_JOINT, AND_DELIMITER, variant.strip(" .")),
        unless=f"{DATED}|{OR_DELIMITER}",
        asked=_SEVERAL,
    ),
    PatternRule(
        "two-questions",
        WARNING,
        QUESTION,
        _TWO_QUESTIONS,
        "The question asks for two things: a response that answers one of them is neither right nor wrong.",
        "Split the triplet in two, or join both facts with <AND>.",
        unless=_RELATIVE,
    ),
    PatternRule(
        "question-without-name",
        WARNING,
        QUESTION,
        _SUBJECT,
        "The question says “it”, “they” or “the company” without a name, so retrieval may find another one.",
        "Replace it with the name.",
        unless=rf"^[^\p{{Lu}}]*$|{_HAS_NAME}|{_NO_SUBJECT}",
    ),
    PatternRule(
        "question-without-name",
        WARNING,
        QUESTION,
        _COMPANY_FIRST,
        "The question says “the company” without its name, so retrieval may find another one.",
        "Replace it with the name.",
    ),
    PatternRule(
        "document-reference",
        WARNING,
        QUESTION,
        _DOCUMENT,
        "The question refers to a document, or to a place in it, which users do not see.",
        "Name the document and its date, or ask for the content itself.",
        unless=_NOT_DOCUMENT,
    ),
    PatternRule(
        "bare-number",
        WARNING,
        VARIANT,
        rf"^{_BARE}\d{{1,4}}{_BARE}$",
        "A short number without a unit also matches years, ids, telephone numbers and larger numbers.",
        "Add its unit, or what it counts.",
        unless_asked=_ASKS_WHEN,
    ),
    PatternRule(
        "sign-lost",
        WARNING,
        VARIANT,
        r"^\s*(?:[-−–]\s?[$€£¥₹₫]?\s?\d|[$€£¥₹₫]\s?[-−–]\s?\d|\([$€£¥₹₫]?\d[\d.,]*\))",
        "Quasi-exact Factual Knowledge deletes minus signs and brackets, so the positive number also matches.",
        "Add a word for the sign, such as “loss” or “decrease”.",
    ),
    PatternRule(
        "long-fact",
        WARNING,
        EVERY,
        r"^\s*(?:\S+\s+){7,}\S",
        "Every variant is a sentence; responses seldom repeat a whole sentence word for word.",
        "Keep the few words that every right response contains: a name, an amount or a date.",
        unless=DATED,
    ),
    PatternRule(
        "long-fact",
        NOTE,
        EVERY,
        r"^\s*(?:\S+\s+){3,}\S",
        "Every variant has 4 words or more; right responses seldom use that many in the same order.",
        "Keep the few words that every right response contains: a name, an amount or a date.",
        unless=rf"{DATED}|^\s*(?:\S+\s+){{7,}}\S",
    ),
    PatternRule(
        "long-answer",
        NOTE,
        ANSWER,
        r"^\s*(?:\S+\s+){29,}\S",
        "The answer has 30 words or more, for a name, a place, a date or a number.",
        "Shorten it to what a good response would say.",
        asked=_SHORT_ANSWER,
        unless_asked=_EXPLAINS,
    ),
    PatternRule(
        "long-answer",
        NOTE,
        ANSWER,
        r"^\s*(?:\S+\s+){59,}\S",
        "The answer has 60 words or more, although no explanation is asked for.",
        "Shorten it to what a good response would say.",
        unless_asked=f"{_EXPLAINS}|{_SHORT_ANSWER}",
    ),
    PatternRule(
        "inside-larger-number",
        NOTE,
        VARIANT,
        r"^\s*\d{1,3}(?:\s?%|[\s-]\p{Ll}+)\s*$",
        "A short number also matches larger numbers that end in it: “12%” stands in “112%”.",
        "Add the currency sign or the word before it to the variant, if every response has it.",
        unless=DATED,
    ),
    PatternRule(
        "inside-longer-word",
        NOTE,
        VARIANT,
        r"^\s*[\p{Latin}\p{Cyrillic}\p{Greek}]{1,3}\s*$",
        "A short word also matches longer words that contain it: “UN” stands in “under”.",
        "Remove the variant, or add a word beside it.",
    ),
)
"""In the order in which a triplet's findings of one severity stand."""
