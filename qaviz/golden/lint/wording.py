"""Rules on the words of a question and its answer: what only the author understands, too long, mixed, or private."""

from collections.abc import Sequence

import polars as pl

from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION
from qaviz.golden.lint.subject import Subject
from qaviz.golden.lint.texts import quote_text
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.scoring import forms

_HAS_NAME = r"\S\s+[\"'“‘(]*\p{Lu}"
"""A word with a capital, not the first."""
_SUBJECT = (
    r"(?i)^[^,]{0,30}\b(?:did|does|do|is|was|were|are|has|have|had|will|would|can|could) (?:it|they|he|she)\b"
    r"|^(?:what|which|who|where|when|how \p{L}+) (?:is|was|are|were) (?:its|their|his|her)\b"
    r"|\b(?:the|this|that) (?:company|firm|organi[sz]ation|corporation|bank)(?:'s|’s)?"
    r"(?: (?:[a-su-vx-z]|t[^h]|w[^h])|[?,.])"
    r"|\bcông ty(?: này| đó)? (?:có|đã|là)\b|^\W*(?:nó|họ) "
)
"""The question is about `it`, `they`, or the company, as in “the company earned”, not “the company that”."""
_SUBJECT_CUES = (
    *(" it", " they", " he", " she", " its", " their", " his", " her", "nó ", "họ ", "công ty"),
    *("company", "firm", "organi", "corporation", "bank"),
)
"""A question without any of these is about none of them: cheap to look for, before the pattern is."""
_NO_SUBJECT = (
    r"(?i)\b(?:if|when|where|that|while|because|than|before|after) (?:it|they|he|she)\b"
    r"|\b(?:does|did|would|will|do) it take\b|\bit (?:called|true|possible|mean|cost|illegal|legal|said|known|that)\b"
)
_BEGINS_VAGUE = r"^\W*(?:It|They|He|She|The company|This company|The firm|The organi[sz]ation|Nó|Họ)(?:’s|'s)? \p{Ll}"

_PLACE = "table|figure|chart|section|paragraph|excerpt|passage"
_DOCUMENT = (
    r"\b(?:in|from|to|by|per|on|with|of|does|do|did) (?:the|this|that|above|given|provided) "
    r"(?:above |given |provided |following |attached )?"
    r"(?:document|text|passage|excerpt|paragraph|context|snippet|chunk|file)s?\b"
    rf"|\b(?:above|below|following|preceding|next|attached|first|second|third|last|this|that) (?:{_PLACE})\b"
    rf"|\b(?:{_PLACE}) (?:above|below)\b"
    r"|\b(?:row|column|line|page|slide|footnote) \d+\b|\b(?:first|second|third|last|left|right) (?:row|column)\b"
    r"|\b(?:tài liệu|văn bản|đoạn văn|đoạn trích|bảng|hình) (?:này|trên|dưới|sau|đó)\b|\btrang \d+\b"
)
_DOCUMENT_CUES = (
    *("document", "text", "passage", "excerpt", "paragraph", "context", "snippet", "chunk", "file", "table", "figure"),
    *("chart", "section", "row", "column", "line", "page", "slide", "footnote", "tài liệu", "văn bản", "đoạn", "bảng"),
    *("hình", "trang"),
)
_NOT_DOCUMENT = r"(?i)\b(?:document|text|passage|file) (?:that|which|signed|issued|written|known|called|published|of)\b"

_SHORT_ANSWER = (
    r"(?i)^\W*(?:who|when|where|how (?:many|much|old|long|far|tall|high|big|large)"
    r"|in (?:which|what) (?:year|country|city))\b"
)
_EXPLAINS = (
    r"(?i)\b(?:why|how (?:do|does|did|is|are|can)|explain|describe|list|compare|summari[sz]e|what (?:were|are))\b"
)
LONG_FOR_A_NAME = 30
"""Words from which the answer to who, when, where, how many says more than was asked."""
LONG = 60
"""The same for any question that asks for no explanation."""

_EMAIL = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}"
_PHONE = (
    r"(?:^|[^\d.,$€£-])(\+\d{1,3}(?:[\s.-]?\(?\d{2,4}\)?){2,4}|(?:1[\s.-])?\(\d{3}\)\s?\d{3}[\s.-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4}"
    r"|0\d{2,3}[\s.]\d{3}[\s.]\d{3,4})(?:[^\d]|$)"
)


def question_without_name(subject: Subject) -> pl.DataFrame:
    """The question says “it”, “they” or “the company” without a name. Only a reader of the source knows who is meant,
    so retrieval may find another company and pipelines may answer about it."""
    question = pl.col(QUESTION)
    vague = question.str.contains(_SUBJECT) & ~question.str.contains(_HAS_NAME) & ~question.str.contains(_NO_SUBJECT)
    return (
        _with_a_cue(subject, _SUBJECT_CUES)
        .filter(vague & question.str.contains(r"\p{Lu}"))
        .select(
            QUESTION_ID,
            pl.lit("The question says “it”, “they” or “the company” without a name.").alias(MESSAGE),
            quote_text(QUESTION).alias(EVIDENCE),
            pl.lit("Replace it with the name.").alias(SUGGESTION),
        )
    )


def _with_a_cue(subject: Subject, cues: Sequence[str]) -> pl.DataFrame:
    """The triplets whose question holds one of these, in small letters or capitals."""
    return subject.golden.filter(pl.col(QUESTION).str.to_lowercase().str.contains_any([*cues]))


def answer_without_name(subject: Subject) -> pl.DataFrame:
    """The answer begins with “it”, “they” or “the company”, without a name. Responses write the name, and lose
    conciseness for it."""
    answer = pl.col(ANSWER)
    return subject.golden.filter(answer.str.contains(_BEGINS_VAGUE) & ~answer.str.contains(_HAS_NAME)).select(
        QUESTION_ID,
        pl.lit("The answer begins with “it”, “they” or “the company”, without a name.").alias(MESSAGE),
        quote_text(ANSWER).alias(EVIDENCE),
        pl.lit("Begin the answer with the name.").alias(SUGGESTION),
    )


def document_reference(subject: Subject) -> pl.DataFrame:
    """The question refers to “the document”, a page or a place in a table. Users of the pipeline do not see these, and
    retrieval finds passages by their content, not by their place."""
    refers = pl.col(QUESTION).str.contains(rf"(?i){_DOCUMENT}") & ~pl.col(QUESTION).str.contains(_NOT_DOCUMENT)
    return (
        _with_a_cue(subject, _DOCUMENT_CUES)
        .filter(refers)
        .select(
            QUESTION_ID,
            pl.lit("The question refers to a document, or to a place in it.").alias(MESSAGE),
            quote_text(pl.col(QUESTION).str.extract(rf"((?i){_DOCUMENT})")).alias(EVIDENCE),
            pl.lit("Name the document and its date, or ask for the content itself.").alias(SUGGESTION),
        )
    )


def long_answer(subject: Subject) -> pl.DataFrame:
    """The answer is much longer than the question needs: 30 words or more for who, when, where or how many, 60 or more
    for any other question that asks for no explanation. Concise responses then score low for closeness."""
    words = pl.col(ANSWER).str.count_matches(r"\S+")
    most = pl.when(pl.col(QUESTION).str.contains(_SHORT_ANSWER)).then(LONG_FOR_A_NAME).otherwise(LONG)
    return subject.golden.filter((words >= most) & ~pl.col(QUESTION).str.contains(_EXPLAINS)).select(
        QUESTION_ID,
        pl.format("The answer has {} words, many more than the question needs.", words).alias(MESSAGE),
        pl.format("{} to {}", quote_text(ANSWER), quote_text(QUESTION)).alias(EVIDENCE),
        pl.lit("Shorten it to what a good response would say.").alias(SUGGESTION),
    )


def blank_around_text(subject: Subject) -> pl.DataFrame:
    """The question or the answer begins or ends with a space. Scores are not affected, but alignment by text is."""
    found = []
    for text in (QUESTION, ANSWER):
        trimmed = forms.strip(subject.golden[text])
        told = subject.golden.with_columns(trimmed.alias(PROPOSED)).filter(pl.col(PROPOSED) != pl.col(text))
        found.append(
            told.select(
                QUESTION_ID,
                pl.lit(f"The {text} begins or ends with a space.").alias(MESSAGE),
                quote_text(text).alias(EVIDENCE),
                pl.lit("Remove the space.").alias(SUGGESTION),
                pl.lit(text).alias(FIELD),
                PROPOSED,
            )
        )
    return pl.concat(found)


def personal_data(subject: Subject) -> pl.DataFrame:
    """The triplet contains an e-mail address or a telephone number. Golden datasets are shared, sent to language models
    and kept for long, so they should contain personal data only if it is public and the question asks for it."""
    found = []
    for text in (QUESTION, ANSWER, FACT):
        for kind, like in (("an e-mail address", f"({_EMAIL})"), ("a telephone number", _PHONE)):
            told = subject.golden.filter(pl.col(text).str.contains(like))
            found.append(
                told.select(
                    QUESTION_ID,
                    pl.lit(f"The {text} contains {kind}.").alias(MESSAGE),
                    quote_text(pl.col(text).str.extract(like)).alias(EVIDENCE),
                    pl.lit("Remove it, unless it is public and the question asks for it.").alias(SUGGESTION),
                )
            )
    return pl.concat(found)
