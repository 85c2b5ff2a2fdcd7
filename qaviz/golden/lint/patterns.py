"""Rules that a pattern finds: each is a row of `patterns.toml`, which says where it looks and for what."""

import html
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import polars as pl

from qaviz.golden.lint import findings as lint
from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

EVERY = "every variant"
"""The field of a rule that finds something only if the pattern matches each variant."""
_PATTERNS = ("pattern", "unless", "question", "unless_question")
AROUND = 30
"""Characters on both sides of a match that a finding quotes."""
_INLINE = re.compile(r"(?i)</?(?:b|i|em|strong|span|a|sup|sub)\b")


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
    question: str = ""
    """Only in triplets whose question this matches."""
    unless_question: str = ""
    """Not in triplets whose question this matches."""
    unless_answered: bool = False
    """Not where the golden answer has the fact letter by letter."""
    unless_all: bool = False
    """Not where the fact names all that is asked, joined by `<AND>`."""
    needs: str = ""

    @property
    def explanation(self) -> tuple[str, ...]:
        """The rule in words, for the user: what is wrong, and what to do."""
        return self.message.format("text"), self.suggestion

    def find(self, subject: lint.Subject) -> pl.DataFrame:
        """Return what `report` returns: a finding for each text that matches."""
        if self.field in (lint.VARIANT, EVERY):
            return self._find_variants(subject)
        fields = (self.field,) if isinstance(self.field, str) else self.field
        return pl.concat(self._find_texts(subject, field) for field in fields)

    def _matches(self, text: pl.Expr) -> pl.Expr:
        conditions = (
            (self.pattern, text.str.contains(self.pattern)),
            (self.unless, ~text.str.contains(self.unless)),
            (self.question, pl.col(QUESTION).str.contains(self.question)),
            (self.unless_question, ~pl.col(QUESTION).str.contains(self.unless_question)),
            (self.unless_all, ~pl.col(FACT).fill_null("").str.contains(AND_DELIMITER, literal=True)),
            (self.unless_answered, ~pl.col(ANSWER).fill_null("").str.contains(pl.col(FACT), literal=True)),
        )
        return pl.all_horizontal(holds for asked_for, holds in conditions if asked_for).fill_null(value=False)

    def _find_texts(self, subject: lint.Subject, field: str) -> pl.DataFrame:
        text = pl.col(field)
        hits = subject.golden.filter(self._matches(text))
        mended = [self.mend(value) or None if self.mend else None for value in hits[field]]
        hits = hits.with_columns(pl.Series(lint.PROPOSED, mended, pl.String))
        near = text.str.extract(rf"(?s)(.{{0,{AROUND}}}(?:{self.pattern}).{{0,{AROUND}}})")
        shown = pl.when(text.str.len_chars() > lint.QUOTED).then(pl.coalesce(near, text)).otherwise(text)
        changed = hits.filter(pl.col(lint.PROPOSED).ne_missing(text))
        return lint.report(
            changed, self.message.format(field), lint.quote_text(shown), self.suggestion, pl.col(lint.PROPOSED), field
        )

    def _find_variants(self, subject: lint.Subject) -> pl.DataFrame:
        marked = subject.variants.with_columns(self._matches(pl.col(lint.VARIANT)).alias("hit"))
        fits = pl.col("hit").all() if self.field == EVERY else pl.col("hit").any()
        grouped = marked.filter(fits.over(QUESTION_ID)).group_by(QUESTION_ID, maintain_order=True)
        facts = grouped.agg(
            pl.first(FACT, lint.NEEDS_ALL),
            lint.list_texts(pl.col(lint.VARIANT).filter("hit")).alias("odd"),
            pl.struct(lint.VARIANT, "hit").alias("parts"),
        )
        proposed = [self._mend_parts(*row) for row in facts.select("parts", lint.NEEDS_ALL).iter_rows()]
        changed = facts.with_columns(pl.Series(lint.PROPOSED, proposed, pl.String))
        changed = changed.filter(pl.col(lint.PROPOSED).ne_missing(pl.col(FACT)))
        return lint.report(changed, self.message, pl.col("odd"), self.suggestion, pl.col(lint.PROPOSED))

    def _mend_parts(self, parts: list[dict[str, Any]], needs_all: bool) -> str | None:
        """The fact mended; of a part that a response must state, the last of the forms that it is mended to."""
        if self.mend is None:
            return None
        texts = [self.mend(part[lint.VARIANT]) if part["hit"] else part[lint.VARIANT] for part in parts]
        if None in texts or not any(texts):
            return None
        kept = [text.split(OR_DELIMITER)[-1] if needs_all else text for text in texts if text]
        return lint.join_once((AND_DELIMITER if needs_all else OR_DELIMITER).join(kept))


DATE_PARTS = range(1, 13)
_MISSPELT = {
    OR_DELIMITER: r"(?i)<\s*or\s*/?>|&lt;\s*or\s*/?&gt;",
    AND_DELIMITER: r"(?i)<\s*and\s*/?>|&lt;\s*and\s*/?&gt;",
}
_INVISIBLE = str.maketrans("\u00a0\u2007\u2009\u202f", "    ", "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
"""Blanks that are not the blank, and what cannot be seen at all → what people type."""
_CURLY = str.maketrans("‘’‛′“”„″", "''''\"\"\"\"")


def _load_shared(written: Mapping[str, str | list[str]]) -> dict[str, str]:
    """The patterns that several rules use, by name; those of `patterns.toml` and what is made of the tables above."""
    shared = {
        "curly": "".join(map(chr, _CURLY)),
        "invisible": "".join(map(chr, _INVISIBLE)),
        "misspelt_or": _MISSPELT[OR_DELIMITER],
        "misspelt_and": _MISSPELT[AND_DELIMITER],
        "one_reading": "|".join(rf"\b0?{number}[/.-]0?{number}[/.-]" for number in DATE_PARTS),
    }
    for name, parts in written.items():
        shared[name] = _join_parts(parts, shared)
    return shared


def _join_parts(parts: str | list[str], shared: Mapping[str, str]) -> str:
    return re.sub(r"@(\w+)@", lambda name: shared[name[1]], "".join(parts))


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


def _drop_tags(text: str) -> str:
    """The text without tags, with a blank where one stood that ends a line or a cell: H<sub>2</sub>O is one word."""
    parted = re.sub(_SHARED["tag"], lambda tag: "" if _INLINE.match(tag.group()) else " ", html.unescape(text))
    return " ".join(parted.split())


_TABLE = tomllib.loads(files("qaviz.golden.lint").joinpath("patterns.toml").read_text(encoding="utf-8"))
_SHARED = _load_shared(_TABLE["shared"])
_MENDS: Mapping[str, Callable[[str], str | None]] = {
    "decode": read_again,
    "drop": lambda _: "",
    "drop tags": _drop_tags,
    "spell delimiters": _spell_delimiters,
    "write delimiters": lambda fact: re.sub(
        rf"{_SHARED['other_marks']}|(?<=[^\W\d_]{{4}})/(?=[^\W\d_]{{4}})", OR_DELIMITER, fact
    ),
    "strip": str.strip,
    "make visible": lambda text: re.sub(r"[\r\n\t]+", " ", re.sub(r"[\ue000-\uf8ff]", "", text).translate(_INVISIBLE)),
    "add straight quotes": lambda text: f"{text}{OR_DELIMITER}{text.translate(_CURLY)}",
    "unquote": unquote,
    "join parts": lambda variant: re.sub(_SHARED["joint"], AND_DELIMITER, variant.strip(" .")),
}
"""What mends a text, by the name that `patterns.toml` has for it."""


def _build_rule(row: Mapping[str, Any]) -> PatternRule:
    patterns = {name: _join_parts(row[name], _SHARED) for name in _PATTERNS if name in row}
    field = tuple(row["field"]) if isinstance(row["field"], list) else row["field"]
    mend = {"mend": _MENDS[row["mend"]]} if "mend" in row else {}
    return PatternRule(**{**row, **patterns, **mend, "field": field})


PATTERN_RULES = tuple(map(_build_rule, _TABLE["rules"]))
"""The rows of `patterns.toml`, in the order in which a triplet's findings of one severity stand."""
