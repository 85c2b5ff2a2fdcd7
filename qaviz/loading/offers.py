"""What a refusal offers: the columns that may be what is missing, as flags that a person copies."""

from collections.abc import Mapping, Sequence

from qaviz.loading.looks import ENOUGH, SHORT, look_at
from qaviz.loading.roles import META, Reading, read_column_name
from qaviz.loading.tables import Table
from qaviz.model import columns as c

BRING = "This table has scores, not answers: bring the file with the responses."
_ALSO: Mapping[str, Sequence[str]] = {
    c.ANSWER: (c.ANSWER, c.FACT, c.RESPONSE, c.QUESTION_ID),
    c.RESPONSE: (c.RESPONSE, c.ANSWER),
}
"""What names of columns that may be a word may say."""


def has_scores(table: Table) -> bool:
    """Whether all columns that are not read are figures about rows, and there is one."""
    others = {
        name: look_at(table.head.frame[name].to_list()) for name in table.columns if name not in table.layout.words
    }
    layout = table.layout
    if layout.has_golden or layout.has_responses or layout.bare:
        return False
    return bool(others) and all(read_column_name(name).word == META or look.is_number for name, look in others.items())


def list_flags(tables: Sequence[Table], *words: str) -> list[str]:
    """The flags of the columns that may be one of the words, by their names and cells, but those that are read."""
    flags: dict[str, None] = {}
    for table in tables:
        in_doubt = [name for reading in table.layout.readings for name in reading.mapping]
        read = {*table.layout.words, *table.layout.pipelines, *table.source.mapping, *in_doubt}
        for name in table.columns:
            look, named = look_at(table.head.frame[name].to_list()), read_column_name(name).word
            is_text = (look.is_text and (look.words > 1 or look.distinct > ENOUGH)) or look.words > SHORT
            in_words = table.head.frame[name].drop_nulls().str.contains(r"\pL").sum() * 2 > look.filled
            if not (name in read or look.is_identifier) and is_text and in_words:
                may_be = [word for word in words if named in (None, *_ALSO.get(word, (word,)))]
                may_be = [word for word in may_be if look.may_ask or word != c.QUESTION]
                flags |= dict.fromkeys(Reading("", {name: word}).flags() for word in may_be)
    return list(flags)[: 3 * len(words)]
