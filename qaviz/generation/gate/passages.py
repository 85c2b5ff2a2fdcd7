"""Chunks as the gate reads them, once each for all triplets made from them, and the words by which they are
compared.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.documents.chunks import list_sentences
from qaviz.generation.gate.figures import Figures, Stated, find_figures

_SEGMENT = re.compile(r"[,;，；] (?:and |und |và |while |whereas )?|(?<=[，；、])|\s+(?:while|whereas|während)\s+")
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,60}\b(?:instruction|prompt|rule|above|previous"
    r"|prior|earlier|everything)"
    r"|\b(?:output|return|print|emit|write|add)\b[^.\n]{0,40}\b(?:this|the following)\b[^.\n]{0,30}"
    r"\b(?:triplet|json|object|question|record)"
    r"|\byou are (?:now )?(?:an?|the) (?:ai|assistant|language model|chatbot)\b|\b(?:system"
    r"|developer) (?:prompt|message)\b"
    r"|\bas an ai\b|[\"“]question[\"”]\s*:"
    r"|\bignoriere\b[^.\n]{0,60}\b(?:anweisung|obig|vorherig)|\bbỏ qua\b[^.\n]{0,40}\b(?:hướng dẫn"
    r"|chỉ dẫn|lệnh)"
    r"|忽略[^。\n]{0,20}(?:指示|指令|说明)|تجاهل[^.\n]{0,30}(?:التعليمات|الأوامر)",
    re.IGNORECASE,
)

_TERM = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\W_]+(?:[.,][^\W_]+)*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ASKING = (
    "much many what which who whom whose when where why how did does please "
    "der die das den dem des und ist war wie was wer welche welcher von im in am ein eine einen mit für wurde hat viel "
    "viele zu zum zur là của bao nhiêu gì nào và các những được có cho đã ở tại ai في من على إلى ما هو هي كم متى أين عن"
)
_STOP = FUNCTION_WORDS | frozenset(_ASKING.split())
_ENDINGS = (("ied", "y"), ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SHORTEST = 4


@dataclass(frozen=True)
class Sentence:
    """A sentence or table row of a chunk."""

    text: str
    level: str
    is_row: bool

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(self.text))

    @cached_property
    def stated(self) -> Stated:
        return Stated.of(find_figures(self.text))

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """The names and contents of a row's cells; none of a sentence."""
        parts = (cell.partition(": ") for cell in self.text.split(" | ")) if self.is_row else ()
        return tuple((name, text) for name, mark, text in parts if mark)

    @cached_property
    def parts(self) -> tuple["Sentence", ...]:
        """Its clauses; a row is one."""
        texts = [] if self.is_row else [part for part in _SEGMENT.split(self.text) if part and part.strip()]
        return tuple(Sentence(text, level_text(text), False) for text in texts) if len(texts) > 1 else (self,)

    @cached_property
    def instructs(self) -> bool:
        """Whether it speaks to a model rather than to a reader."""
        return bool(_INSTRUCTION.search(self.text))


@dataclass(frozen=True)
class Passage:
    """A chunk and the headings above it."""

    chunk: str
    heading: str
    text: str

    @cached_property
    def level(self) -> str:
        return level_text(f"{self.heading}\n{self.text}")

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        sentences = ((self.text[start:end], is_row) for start, end, is_row in list_sentences(self.text))
        return tuple(Sentence(text, level_text(text), is_row) for text, is_row in sentences)

    @cached_property
    def stated(self) -> Stated:
        """The figures of all sentences and of the heading."""
        parts = [find_figures(self.heading), *(sentence.stated.figures for sentence in self.sentences)]
        amounts = tuple(amount for part in parts for amount in part.amounts)
        return Stated.of(Figures(amounts, tuple(date for part in parts for date in part.dates)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in small letters, whole."""
        return frozenset(re.findall(r"[^\W_]+", self.level))

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Its words and those of its heading."""
        return self.words | frozenset(re.findall(r"[^\W_]+", self.heading.lower()))

    @cached_property
    def instructs(self) -> bool:
        """Whether any of its sentences speaks to a model."""
        return any(sentence.instructs for sentence in self.sentences)

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How much a term tells the sentences of this chunk apart: 1 over the number of sentences that have it."""
        counted = Counter(term for sentence in self.sentences for term in sentence.terms)
        return {term: 1 / number for term, number in counted.items()}


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST - 1:
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("e") else word


def terms(text: str) -> list[str]:
    """The words of a text in order, with numbers; of Chinese, Japanese and Korean each two neighbouring characters."""
    phrases: list[str] = []
    for term in _TERM.findall(text.lower()):
        if _WIDE.match(term):
            phrases += [term[at : at + 2] for at in range(len(term) - 1)] or [term]
        elif term not in _STOP:
            phrases.append(_stem(term))
    return phrases
