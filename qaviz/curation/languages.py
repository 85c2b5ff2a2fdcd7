"""Rule on languages: a question and an answer that are not in the same one."""

import polars as pl

from qaviz.curation.findings import EVIDENCE, MESSAGE, SUGGESTION
from qaviz.curation.subject import Subject
from qaviz.curation.texts import quoted
from qaviz.model import ANSWER, QUESTION, QUESTION_ID

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
_ENOUGH_LETTERS = {"Vietnamese": 3}
_SHARE = 0.5
"""Share of a text's letters from which a script is its own."""
_WORDS = {
    "English": "the|of|and|is|was|what|which|who|how|did|does|were|are|has|have|by|from|with",
    "German": "der|das|und|ist|nicht|ein|eine|welche|welcher|wer|wurde|von|mit|dem|den|wie",
    "French": "le|les|des|est|une|quel|quelle|qui|dans|pour|du|sont|avec|sur|aux",
    "Spanish": "el|los|las|una|cual|quien|por|del|fue|como|para|con|que|es",
}
"""Language → words by which it is told; in ASCII, for which word boundaries cost little."""
_ENOUGH_WORDS = 2
_CLEARLY = 3
"""How many times as many words of one language as of any other."""


def mixed_languages(subject: Subject) -> pl.DataFrame:
    """The question is in one language and the answer in another. Pipelines answer in the language of the question, and
    no word of theirs stands in the answer."""
    languages = subject.golden.select(QUESTION_ID, QUESTION, ANSWER, _language(QUESTION), _language(ANSWER))
    of_question, of_answer = pl.col(f"{QUESTION} language"), pl.col(f"{ANSWER} language")
    return languages.filter(of_question != of_answer).select(
        QUESTION_ID,
        pl.format("The question is in {}, the answer in {}.", of_question, of_answer).alias(MESSAGE),
        pl.format("{} beside {}", quoted(QUESTION), quoted(ANSWER)).alias(EVIDENCE),
        pl.lit("Write question, answer and fact in one language.").alias(SUGGESTION),
    )


def _language(column: str) -> pl.Expr:
    """The language of a text; null where it is too short or too mixed to tell."""
    text = pl.col(column)
    letters = text.str.count_matches(r"\p{L}")
    by_script = [
        pl.when(text.str.count_matches(like) >= pl.max_horizontal(_ENOUGH_LETTERS.get(name, _SHARE * letters), 1)).then(
            pl.lit(name)
        )
        for name, like in _SCRIPTS.items()
    ]
    counts = {name: text.str.count_matches(rf"(?i)(?-u:\b)(?:{words})(?-u:\b)") for name, words in _WORDS.items()}
    by_words = [
        pl.when(
            (count >= _ENOUGH_WORDS)
            & pl.all_horizontal(count >= _CLEARLY * other for key, other in counts.items() if key != name)
        ).then(pl.lit(name))
        for name, count in counts.items()
    ]
    return pl.coalesce(*by_script, *by_words, pl.lit(None, pl.String)).alias(f"{column} language")
