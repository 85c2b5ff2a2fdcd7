"""Rules on words and letters: questions and answers that only their author understands, and facts and answers where
FMEval's string match misses what people read, or matches too much.
"""

import re
from collections.abc import Sequence

import polars as pl

from qaviz.diagnosis.evidence import dates
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.golden.lint.findings import (
    COUNT,
    DATED,
    EVIDENCE,
    FIELD,
    MESSAGE,
    NEEDS_ALL,
    NUMBER,
    PROPOSED,
    SUGGESTION,
    VARIANT,
    Subject,
    list_texts,
    normal,
    quote_text,
    rejoin_variants,
)
from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

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


_SHORT_NUMBER = r"^\s*\d{1,3}(?:\s?%|[\s-]\p{Ll}+)\s*$"
"""A whole number of up to three digits, and a sign or a word that it counts."""
_BARE = r"^[^\w%‰‱％\p{Sc}\p{So}]*\d+[^\w%‰‱％\p{Sc}\p{So}]*$"
"""A number and no sign that says what it counts: `%`, a currency, `°`."""
_BARE_DIGITS = 4
_DECIMAL = r"^\W*\d+\.\d+\W*\w*\W*$"
"""A number with a decimal point, and a word at most."""
_FEW_DIGITS = 4
"""Digits up to which a number without its decimal point is one that occurs."""
_SIGNED = r"^\s*(?:[-−–]\s?[$€£¥₹₫]?\s?\d|[$€£¥₹₫]\s?[-−–]\s?\d|\([$€£¥₹₫]?\d[\d.,]*\))"
_SHORT_WORD = r"^[\p{Latin}\p{Cyrillic}\p{Greek}]{1,3}$"
_HYPHENS = "\\-‐‑"
_COMPOUND = rf"[^\W\d_]{{3,}}(?:[{_HYPHENS}][^\W\d_]+s\b)?"
"""A word, or two with a hyphen of which the last is a plural: `work-hours`, not `work-related`."""
_NO_NOUN = r"(?!and|are|but|for|from|had|has|have|per|percent|that|was|were|with|out|the|is|in|of|or|to)"

CURLY = {"‘": "'", "’": "'", "‛": "'", "′": "'", "“": '"', "”": '"', "„": '"', "″": '"'}
"""Curly quotation mark → the straight one that most responses have in its place."""
_CURLY = f"[{''.join(CURLY)}]"

_MAY_BE_EMPTY = r"^[\W_]*(?:(?i:an?|the)[\W_]+)*(?i:an?|the)?[\W_]*$"
"""Punctuation and articles alone, and a little more than FMEval deletes."""

_INVISIBLE = {"\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u202f": " "} | dict.fromkeys(
    ("\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff"), ""
)
"""Blanks that are not the blank, and what cannot be seen at all → what people type."""
_TWO_ALPHABETS = r"\p{Latin}[\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}]\p{Latin}"
_SCIENTIFIC = r"[µμΩ∆αβγδλσπ]"
"""Greek letters that stand beside Latin ones on purpose: μm, kΩ, β2."""


def bare_number(subject: Subject) -> pl.DataFrame:
    """A variant is a short number and nothing else. It also occurs in years, ids, telephone numbers and larger numbers,
    so a wrong response can match. A year that the question asks for is excluded."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "")
    bare = subject.variants.filter(pl.col(VARIANT).str.contains(_BARE))
    short = bare.filter(digits.str.len_chars() <= _BARE_DIGITS)
    asks_year = pl.Series([*map(dates.asks_date, short[QUESTION])], dtype=pl.Boolean)
    findings = short.filter(~(asks_year & short.select(digits.str.contains(r"^[12]\d{3}$")).to_series()))
    return _report_by_question(
        findings,
        message="A short number without a unit also matches years, ids, telephone numbers and larger numbers.",
        suggestion="Add its unit, or what it counts.",
    ).join(_add_counted_nouns(subject, findings), on=QUESTION_ID, how="left", maintain_order="left")


def _add_counted_nouns(subject: Subject, bare: pl.DataFrame) -> pl.DataFrame:
    """The facts whose bare numbers get the word behind them in the golden answer: QUESTION_ID, FIELD, PROPOSED."""
    named = [
        (question_id, variant, f"{variant.strip()} {noun}")
        for question_id, variant, answer in bare.select(QUESTION_ID, VARIANT, pl.col(ANSWER).fill_null("")).iter_rows()
        if (noun := _find_counted_noun(variant.strip(), answer))
    ]
    longer = pl.DataFrame(named, schema={QUESTION_ID: pl.String, VARIANT: pl.String, "longer": pl.String}, orient="row")
    of_named = subject.variants.join(longer.select(QUESTION_ID).unique(), on=QUESTION_ID, how="semi")
    renamed = of_named.join(longer, on=[QUESTION_ID, VARIANT], how="left", maintain_order="left")
    mended = rejoin_variants(renamed.with_columns(pl.coalesce("longer", VARIANT).alias(VARIANT)))
    return mended.select(QUESTION_ID, pl.lit(FACT).alias(FIELD), pl.col(FACT).alias(PROPOSED))


def _find_counted_noun(number: str, answer: str) -> str | None:
    """The whole word behind the number in the answer: `hours`, `work-hours`. None where it could be cut from a longer
    name: before a hyphen, a slash, an apostrophe or another content word (`40 work hours`, `40-hour week`).
    """
    words = re.search(rf"(?<![\d.,]){re.escape(number)} {_NO_NOUN}({_COMPOUND})(?![\w/'’{_HYPHENS}])", answer)
    if not words:
        return None
    behind = re.match(r" ([^\W\d_]+)", answer[words.end() :])
    ends = words[1].endswith("s") or not behind or behind[1].lower() in FUNCTION_WORDS
    return words[1] if ends else None


def inside_larger_number(subject: Subject) -> pl.DataFrame:
    """A variant begins with a number of up to three digits. FMEval ignores word boundaries: “12%” matches “112%”, and
    “158 million” matches “2,158 million”; both score 1."""
    findings = subject.variants.filter(
        pl.col(VARIANT).str.contains(_SHORT_NUMBER) & ~pl.col(VARIANT).str.contains(DATED)
    )
    larger = pl.format("“1{}”", pl.col(VARIANT).str.strip_chars())
    return _report_by_question(
        findings,
        message="A short number also matches larger numbers that end in it.",
        suggestion="Add the currency sign or the word before it to the variant, if every response has it.",
        evidence=pl.format("{} is part of {}", quote_text(pl.col(VARIANT).str.strip_chars()).first(), larger.first()),
    )


def inside_longer_word(subject: Subject) -> pl.DataFrame:
    """A variant is a word of up to three letters. FMEval ignores word boundaries: “UN” matches “under”, so any response
    with such a word scores 1."""
    return _report_by_question(
        subject.variants.filter(pl.col(VARIANT).str.strip_chars().str.contains(_SHORT_WORD)),
        message="A short word also matches longer words that contain it.",
        suggestion="Remove the variant, or add a word beside it.",
    )


def decimal_point_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a number of few digits with a decimal point. Quasi-exact Factual Knowledge deletes the point, so
    “1,344 billion” matches “134.4 billion”. Exact Factual Knowledge is not affected."""
    digits = pl.col(VARIANT).str.replace_all(r"\D", "").str.len_chars()
    decimal = subject.variants.filter(pl.col(VARIANT).str.contains(".", literal=True))
    findings = decimal.filter(pl.col(VARIANT).str.contains(_DECIMAL)).filter(digits <= _FEW_DIGITS)
    return _report_by_question(
        findings.with_columns(normal(findings[VARIANT]).alias("read")),
        message="Quasi-exact Factual Knowledge deletes the decimal point, so a different number also matches.",
        suggestion="Use exact Factual Knowledge here; it keeps the decimal point.",
        evidence=pl.format("{} is read as {}", quote_text(VARIANT).first(), quote_text("read").first()),
    )


def sign_lost(subject: Subject) -> pl.DataFrame:
    """A variant is a negative number, shown only by a minus sign or brackets. Quasi-exact Factual Knowledge deletes
    these, so the positive number also matches."""
    return _report_by_question(
        subject.variants.filter(pl.col(VARIANT).str.contains(_SIGNED)),
        message="Quasi-exact Factual Knowledge deletes minus signs and brackets, so the positive number also matches.",
        suggestion="Add a word for the sign, such as “loss” or “decrease”.",
    )


def _report_by_question(
    variants: pl.DataFrame, *, message: str, suggestion: str, evidence: pl.Expr | None = None
) -> pl.DataFrame:
    """One finding a question on some of its variants, which are the evidence unless another one is given."""
    shown = list_texts(pl.col(VARIANT)) if evidence is None else evidence
    return variants.group_by(QUESTION_ID, maintain_order=True).agg(
        pl.lit(message).alias(MESSAGE), shown.alias(EVIDENCE), pl.lit(suggestion).alias(SUGGESTION)
    )


def empty_variant(subject: Subject) -> pl.DataFrame:
    """A variant of the fact is empty, or has only punctuation and articles. FMEval finds it in every response, so every
    response scores 1."""
    bare = subject.variants.filter(pl.col(VARIANT).str.contains(_MAY_BE_EMPTY))
    every = bare.filter(normal(bare[VARIANT]) == "")
    of_these = subject.variants.join(every.select(QUESTION_ID).unique(), on=QUESTION_ID, how="semi")
    kept = of_these.join(every, on=[QUESTION_ID, NUMBER], how="anti", maintain_order="left")
    mended = rejoin_variants(kept).rename({FACT: PROPOSED})
    empty = every.unique(QUESTION_ID, keep="first", maintain_order=True)
    return empty.join(mended, on=QUESTION_ID, how="left", maintain_order="left").select(
        QUESTION_ID,
        pl.format("Variant {} of {} is empty for FMEval, so every response matches it.", NUMBER, COUNT).alias(MESSAGE),
        pl.format("{} in {}", quote_text(VARIANT), quote_text(FACT)).alias(EVIDENCE),
        pl.lit("Remove the empty variant.").alias(SUGGESTION),
        pl.when(pl.col(PROPOSED).is_not_null()).then(pl.lit(FACT)).alias(FIELD),
        PROPOSED,
    )


def blank_around_variant(subject: Subject) -> pl.DataFrame:
    """A variant begins or ends with a space. FMEval matches the space too, so “(10,317,750,796)” does not match
    “ 10,317,750,796”."""
    trimmed = subject.variants.with_columns(pl.col(VARIANT).str.strip_chars().alias("trimmed"))
    padded = trimmed.filter((pl.col("trimmed") != pl.col(VARIANT)) & (pl.col("trimmed") != ""))
    return _suggest_mended(
        padded,
        trimmed.with_columns(pl.col("trimmed").alias(VARIANT)),
        "A variant begins or ends with a space, which responses must contain too.",
        "Remove the spaces.",
    )


def unread_delimiter(subject: Subject) -> pl.DataFrame:
    """FMEval cannot read the fact's delimiters. It knows `<OR>` and `<AND>`, in capitals and without spaces, and not
    both in one fact. It reads anything else as text that a response must contain."""
    both = pl.all_horizontal(pl.col(FACT).str.contains(mark, literal=True) for mark in (OR_DELIMITER, AND_DELIMITER))
    as_read = pl.col(FACT).str.replace_all(r"(?i)<\s*or\s*/?>|&lt;or&gt;", OR_DELIMITER)
    as_read = as_read.str.replace_all(r"(?i)<\s*and\s*/?>|&lt;and&gt;", AND_DELIMITER)
    odd = subject.golden.filter(both | (as_read != pl.col(FACT)))
    return odd.select(
        QUESTION_ID,
        pl.when(both)
        .then(pl.lit("The fact mixes <OR> and <AND>, so FMEval cannot score it."))
        .otherwise(pl.lit("FMEval reads a misspelt delimiter as text; it knows only <OR> and <AND>."))
        .alias(MESSAGE),
        quote_text(FACT).alias(EVIDENCE),
        pl.when(both)
        .then(pl.lit("Use one of the two delimiters, or split the triplet into two questions."))
        .otherwise(pl.lit("Write the delimiter as <OR> or <AND>."))
        .alias(SUGGESTION),
        pl.when(~both).then(pl.lit(FACT)).alias(FIELD),
        pl.when(~both).then(as_read).alias(PROPOSED),
    )


def repeated_variant(subject: Subject) -> pl.DataFrame:
    """The fact contains the same variant twice. The second one has no effect."""
    key = pl.struct(QUESTION_ID, VARIANT)
    marked = subject.variants.with_columns((~key.is_first_distinct()).alias("again"))
    again = marked.filter(pl.col("again") & (pl.col(VARIANT).str.strip_chars() != ""))
    return _suggest_mended(
        again, marked.filter(~pl.col("again")), "A variant is repeated.", "Remove the repeated variant."
    )


def _suggest_mended(odd: pl.DataFrame, variants: pl.DataFrame, message: str, suggestion: str) -> pl.DataFrame:
    """One finding for each triplet with odd variants, which it names; proposed is the fact made of these variants."""
    proposed = rejoin_variants(variants).rename({FACT: PROPOSED})
    grouped = odd.group_by(QUESTION_ID, maintain_order=True).agg(list_texts(pl.col(VARIANT)).alias(EVIDENCE))
    return grouped.join(proposed, on=QUESTION_ID, maintain_order="left").select(
        QUESTION_ID,
        pl.lit(message).alias(MESSAGE),
        EVIDENCE,
        pl.lit(suggestion).alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        PROPOSED,
    )


def curly_quote_in_fact(subject: Subject) -> pl.DataFrame:
    """A variant contains a curly quotation mark. FMEval deletes straight ones and keeps curly ones, so a response with
    a straight one, as in most responses, does not match the fact."""
    straight = pl.col(VARIANT).str.replace_many(CURLY)
    marked = subject.variants.with_columns(straight.alias("straight"))
    has = marked.select(QUESTION_ID, pl.col(VARIANT).alias("straight"))
    curly = marked.filter(pl.col("straight") != pl.col(VARIANT)).join(has, on=[QUESTION_ID, "straight"], how="anti")
    grouped = curly.group_by(QUESTION_ID, maintain_order=True).agg(
        list_texts(pl.col(VARIANT)).alias(EVIDENCE),
        pl.col("straight").str.join(OR_DELIMITER),
        pl.first(FACT, NEEDS_ALL),
    )
    return grouped.select(
        QUESTION_ID,
        pl.lit("A variant contains a curly quotation mark, so responses with a straight one do not match.").alias(
            MESSAGE
        ),
        EVIDENCE,
        pl.lit("Add a variant with straight quotation marks.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.when(NEEDS_ALL)
        .then(pl.col(FACT).str.replace_many(CURLY))
        .otherwise(pl.concat_str(FACT, pl.lit(OR_DELIMITER), "straight"))
        .alias(PROPOSED),
    )


def curly_quote_in_answer(subject: Subject) -> pl.DataFrame:
    """The golden answer contains a curly quotation mark. FMEval reads “Amazon’s” and “Amazon's” as two words, so
    responses with a straight one lose closeness and conciseness."""
    return subject.golden.filter(pl.col(ANSWER).str.contains(_CURLY)).select(
        QUESTION_ID,
        pl.lit(
            "The answer contains curly quotation marks; FMEval reads words with straight ones as different words."
        ).alias(MESSAGE),
        quote_text(pl.col(ANSWER).str.extract(rf"(\S*{_CURLY}\S*)")).alias(EVIDENCE),
        pl.lit("Use straight quotation marks, unless your pipelines write curly ones.").alias(SUGGESTION),
        pl.lit(ANSWER).alias(FIELD),
        pl.col(ANSWER).str.replace_many(CURLY).alias(PROPOSED),
    )


def invisible_character(subject: Subject) -> pl.DataFrame:
    """The fact or the answer contains an invisible character that no response has: a no-break space, a zero-width
    character, a soft hyphen, or a line break inside a variant."""
    return pl.concat(
        _find_invisible(subject.golden, field, lines) for field, lines in ((FACT, r"[\r\n\t]+"), (ANSWER, r"\t"))
    )


def _find_invisible(golden: pl.DataFrame, field: str, lines: str) -> pl.DataFrame:
    mended = pl.col(field).str.replace_many(_INVISIBLE).str.replace_all(lines, " ")
    return golden.filter(pl.col(field).str.contains_any([*_INVISIBLE]) | pl.col(field).str.contains(lines)).select(
        QUESTION_ID,
        pl.lit(f"The {field} contains an invisible character that no response has.").alias(MESSAGE),
        quote_text(field).alias(EVIDENCE),
        pl.lit("Replace it with a space, or delete it.").alias(SUGGESTION),
        pl.lit(field).alias(FIELD),
        mended.alias(PROPOSED),
    )


def two_alphabets(subject: Subject) -> pl.DataFrame:
    """A word of the fact or the answer mixes Latin with Cyrillic or Greek letters that look alike. No response matches
    it, and the reason is invisible."""
    return pl.concat(_find_mixed_alphabets(subject.golden, field) for field in (FACT, ANSWER))


def _find_mixed_alphabets(golden: pl.DataFrame, field: str) -> pl.DataFrame:
    plain = pl.col(field).str.replace_all(_SCIENTIFIC, "")
    return golden.filter(plain.str.contains(_TWO_ALPHABETS)).select(
        QUESTION_ID,
        pl.lit(f"A word of the {field} mixes two alphabets with similar letters.").alias(MESSAGE),
        quote_text(plain.str.extract(rf"(\w*(?:{_TWO_ALPHABETS})\w*)")).alias(EVIDENCE),
        pl.lit("Retype the word in one alphabet.").alias(SUGGESTION),
    )
