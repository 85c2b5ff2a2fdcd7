"""Rule on languages: a question and an answer that are not in the same one."""

import polars as pl

from qaviz.golden.lint.findings import EVIDENCE, MESSAGE, SUGGESTION
from qaviz.golden.lint.subject import Subject
from qaviz.golden.lint.texts import quote_text
from qaviz.model.columns import ANSWER, QUESTION, QUESTION_ID

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
    told = pl.concat([by_script, latin.select("place", _by_words(latin["text"]).alias("language"))])
    return table.join(told, on="place", how="left", maintain_order="left")["language"]


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
