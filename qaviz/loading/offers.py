"""What a refusal offers: the columns that may be what is missing, as flags that a person copies."""

from collections.abc import Mapping, Sequence

from qaviz.loading import roles
from qaviz.loading.looks import ENOUGH, EQUAL, SHORT, list_options
from qaviz.loading.roles import META, spell_flags
from qaviz.loading.tables import Table
from qaviz.model import columns as c

_ALSO: Mapping[str, Sequence[str]] = {
    c.ANSWER: (c.ANSWER, c.FACT, c.RESPONSE, c.QUESTION_ID),
    c.RESPONSE: (c.RESPONSE, c.ANSWER),
}
"""What names of columns that may be a word may say."""


def offer_columns(table: Table, words: Sequence[str]) -> str:
    """What to do about a table that lacks all of these words."""
    layout = table.layout
    others = [column for column in table.evidence.values() if column.name not in layout.words]
    are_scores = others and all(column.named.word == META or column.are("number") for column in others)
    if are_scores and not (layout.has_golden or layout.has_responses or layout.bare):
        fix = "This table has scores, not answers: bring the file with the responses."
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


def list_flags(tables: Sequence[Table], *words: str) -> list[str]:
    """The flags of the columns that may be one of the words, by their names and cells, but those that are read."""
    flags: dict[str, None] = {}
    for table in tables:
        in_doubt = [name for reading in table.layout.readings for name in reading.mapping]
        read = {*table.layout.words, *table.layout.pipelines, *table.source.mapping, *in_doubt}
        golden = table.evidence.of_word(table.layout.words, c.ANSWER)
        responses = [
            *table.layout.pipelines,
            *(name for name, word in table.layout.words.items() if word == c.RESPONSE),
        ]
        answered = [fields for name in responses if len(fields := _list_fields(table, name)) > 1]
        read |= {column.name for column in list_options(table.evidence.values())}
        for name, column in table.evidence.items():
            several = column.words > 1 or column.distinct > ENOUGH
            is_text = (column.is_text and several) or column.words > SHORT
            if name not in read and is_text and not column.is_identifier and column.are_words:
                may_be = [word for word in words if column.named.word in (None, *_ALSO.get(word, (word,)))]
                is_thought = bool(roles.WORDS["traces"].intersection(column.terms()))
                repeats = any(answer.share_inside(column) >= EQUAL for answer in golden)
                is_none = is_thought or column.is_constant
                repeats = repeats or column.are_variants  # of several texts one may be the response
                is_said = column.terms("PREDICTED", "BOT", "MODEL") != column.terms()  # by a system
                is_said = is_said or _list_fields(table, name) in answered
                unfit = {c.QUESTION: not column.may_ask, c.ANSWER: is_none or is_said, c.RESPONSE: is_none or repeats}
                may_be = [word for word in may_be if not unfit[word]]
                flags |= dict.fromkeys(spell_flags({name: word}) for word in may_be)
    return list(flags)[: 3 * len(words)]


def _list_fields(table: Table, name: str) -> set[str]:
    """The fields of the object that a column stands in: those of one system are those of another."""
    outer, point, _ = name.rpartition(".")
    return {other.removeprefix(f"{outer}.") for other in table.evidence if point and other.startswith(f"{outer}.")}


def _list_texts(table: Table) -> list[str]:
    """The flags that make a column of texts the question where none looks like one, beside golden answers or responses:
    two under names that leave that open, those first that ask."""
    layout, columns = table.layout, table.evidence
    is_answered = layout.has_golden or layout.has_responses or layout.bare
    read = {*layout.words, *layout.pipelines, layout.bare, *table.source.mapping}
    texts = [
        column
        for name, column in columns.items()
        if is_answered and name not in read and column.is_text and column.words > 2 and not column.says_form
        if column.named.word in (None, c.QUESTION) or (column.named.word == META and column.may_ask)
    ]
    texts.sort(key=lambda column: -column.share("question"))
    return [spell_flags({column.name: c.QUESTION}) for column in texts[:2]]
