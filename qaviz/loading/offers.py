"""What a refusal offers: the columns that may be what is missing, as flags that a person copies."""

from collections.abc import Mapping, Sequence

from qaviz.loading.candidates import RAW_OR_PARSED
from qaviz.loading.looks import ENOUGH, SHORT, Look, look_at, share_words
from qaviz.loading.roles import META, Reading, read_column_name, read_senses
from qaviz.loading.tables import Table
from qaviz.model import columns as c

_BRING = "This table has scores, not answers: bring the file with the responses."
_ALSO: Mapping[str, Sequence[str]] = {
    c.ANSWER: (c.ANSWER, c.FACT, c.RESPONSE, c.QUESTION_ID),
    c.RESPONSE: (c.RESPONSE, c.ANSWER),
}
"""What names of columns that may be a word may say."""
_MOST_ASKING = 2
"""Columns of texts that are offered as the question."""
_SEVERAL = 3
"""Words of a text that says something to a pipeline."""


def offer_columns(table: Table, words: Sequence[str]) -> str:
    """What to do about a table that lacks all of these words."""
    if _has_scores(table):
        fix = _BRING
    elif flags := list_flags([table], *words):
        fix = f"Rename the column, or map it: {' or '.join(flags)}."
    elif texts := _list_texts(table) if c.QUESTION in words else []:
        fix = "None of them looks like that. If the texts of one are what the pipelines were asked, map it: "
        fix += f"{' or '.join(texts)}. Else bring the file that has it."
    else:
        fix = "None of them can be that: bring the file that has it."
    if table.head.frame.height == 1:
        fix += " If the records stand deeper in a JSON document: save their list as a file of its own."
    return fix


def _has_scores(table: Table) -> bool:
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


def _list_texts(table: Table) -> list[str]:
    """The flags that make a column of texts the question where none looks like one, beside golden answers or responses:
    those first that ask, then those that share words with them."""
    layout, frame = table.layout, table.head.frame
    answers = [name for name, word in layout.words.items() if word in (c.ANSWER, c.FACT, c.RESPONSE)]
    answers += [*layout.pipelines, *filter(None, [layout.bare])]
    beside = [frame[name].to_list() for name in answers if name in frame.columns]
    ranks: dict[str, tuple[float, float]] = {}
    for name in table.columns:
        cells = frame[name].to_list()
        look, is_read = look_at(cells), name in (*layout.words, *answers, *table.source.mapping)
        is_varied = look.says_something and look.is_text and look.distinct * 2 > look.filled
        if beside and not is_read and is_varied and look.words >= _SEVERAL and _may_be_asked(name, look):
            ranks[name] = look.asking, share_words(cells, *beside)
    names = sorted(ranks, key=ranks.__getitem__, reverse=True)[:_MOST_ASKING]
    return [Reading("", {name: c.QUESTION}).flags() for name in names]


def _may_be_asked(name: str, look: Look) -> bool:
    """Whether a name leaves open that its texts were asked; one about the row (`email`) does where some of them ask,
    that of a form of the response (`raw`) never."""
    word = read_column_name(name).word
    if RAW_OR_PARSED.intersection(read_senses(name, without=())):
        return False
    return word in (None, c.QUESTION) or (word == META and look.may_ask)
