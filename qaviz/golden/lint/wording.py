"""Rules on the words of a question and its answer: what only the author understands, too long, personal, or in two
languages.
"""

from collections.abc import Sequence

import polars as pl

from qaviz.golden.lint.findings import EVIDENCE, MESSAGE, SUGGESTION, Subject, quote_text
from qaviz.model.columns import ANSWER, QUESTION, QUESTION_ID

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

_SCRIPTS = {
    "Chinese or Japanese": r"\p{Han}|\p{Hiragana}|\p{Katakana}",
    "Korean": r"\p{Hangul}",
    "a language in Cyrillic letters": r"\p{Cyrillic}",
    "a language in Arabic letters": r"\p{Arabic}",
    "Greek": r"\p{Greek}",
    "Hebrew": r"\p{Hebrew}",
    "Thai": r"\p{Thai}",
    "Hindi": r"\p{Devanagari}",
    "Vietnamese": "[ăơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹĐđ]",
}
"""Language → letters by which it is told; of Vietnamese those that no other language has."""
_NOT_PLAIN_LATIN = "[^\u0000-\u024f\u2000-\u2bff]|[ăơưĂƠƯĐđ]"
"""What stands in a text of another script than Latin, and in a Vietnamese one."""
_ENOUGH_LETTERS = {"Vietnamese": 3}
_SHARE = 0.5
"""Share of a text's letters from which a script is its own."""
_WORDS = {
    "English": "the of and is was what which who how did does were are has have by from with",
    "German": "der das und ist nicht ein eine welche welcher wer wurde von mit dem den wie",
    "French": "le les des est une quel quelle qui dans pour du sont avec sur aux",
    "Spanish": "el los las una cual quien por del fue como para con que es",
}
"""Language → words by which it is told."""
_LANGUAGE_OF = {f" {word} ": name for name, words in _WORDS.items() for word in words.split()}
_ENOUGH_WORDS = 2
_CLEARLY = 3
"""How many times as many words of one language as of any other."""


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


def mixed_languages(subject: Subject) -> pl.DataFrame:
    """The question is in one language and the answer in another. Pipelines answer in the language of the question, so
    their words do not occur in the golden answer."""
    both = subject.golden.filter(pl.col(QUESTION).is_not_null() & pl.col(ANSWER).is_not_null())
    languages = both.select(
        QUESTION_ID,
        QUESTION,
        ANSWER,
        languages_of(both[QUESTION]).alias("of question"),
        languages_of(both[ANSWER]).alias("of answer"),
    )
    return languages.filter(pl.col("of question") != pl.col("of answer")).select(
        QUESTION_ID,
        pl.format("The question is in {}, the answer in {}.", "of question", "of answer").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(QUESTION), quote_text(ANSWER)).alias(EVIDENCE),
        pl.lit("Write question, answer and fact in one language.").alias(SUGGESTION),
    )


def languages_of(texts: pl.Series) -> pl.Series:
    """Return the language of each text, by its English name; null where it is too short or too mixed to tell."""
    table = pl.DataFrame({"text": texts}).with_row_index("place")
    foreign = table.filter(table["text"].str.contains(_NOT_PLAIN_LATIN))
    by_script = foreign.select("place", _by_script().alias("language")).drop_nulls()
    latin = table.join(by_script, on="place", how="anti")
    languages = pl.concat([by_script, latin.select("place", _by_words(latin["text"]).alias("language"))])
    return table.join(languages, on="place", how="left", maintain_order="left")["language"]


def _by_script() -> pl.Expr:
    letters = pl.col("text").str.count_matches(r"\p{L}")
    return pl.coalesce(
        pl.when(
            pl.col("text").str.count_matches(like)
            >= pl.max_horizontal(_ENOUGH_LETTERS.get(name, _SHARE * letters), pl.lit(1))
        ).then(pl.lit(name))
        for name, like in _SCRIPTS.items()
    )


def _by_words(texts: pl.Series) -> pl.Series:
    """The language of which most words stand in each text, all languages looked for in one pass."""
    spaced = " " + texts.str.to_lowercase().str.replace_all(r"[\s[:punct:]]+", " ") + " "
    table = pl.DataFrame({"word": spaced.str.extract_many([*_LANGUAGE_OF], overlapping=True)}).with_row_index("row")
    names = pl.col("word").replace_strict(_LANGUAGE_OF, default=None, return_dtype=pl.String).alias("name")
    counted = table.explode("word").drop_nulls().group_by("row", names).len()
    most = (
        counted.sort("len", descending=True)
        .group_by("row", maintain_order=True)
        .agg(pl.first("name"), pl.first("len"), pl.col("len").get(1, null_on_oob=True).fill_null(0).alias("next"))
    )
    clear = most.filter((pl.col("len") >= _ENOUGH_WORDS) & (pl.col("len") >= _CLEARLY * pl.col("next")))
    return table.join(clear, on="row", how="left", maintain_order="left")["name"]
