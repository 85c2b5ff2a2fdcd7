"""Which columns may hold golden answers, responses, or the names of who answered: by their names and cells."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qaviz.loading import roles
from qaviz.loading.looks import OVERLAP, TEXTS, Columns, contradiction, find_choices, share_inside, share_words
from qaviz.loading.roles import plain_name, read_column_name, read_senses
from qaviz.model import columns as c

_SYSTEM = re.compile(
    r"([a-z]|[pvms][\W_]*\d{1,3}|(p|v|m|s|sys|system|pipeline|model|run|variant|config|experiment|exp|option|candidate"
    r"|version|rag|baseline|bot|pipe|llm|agent|prod|staging|new|old|before|after|current|proposed)"
    r"([\W_]+\w{0,3}|\d{1,3}\w?|(?-i:[A-Z]))?)",
    re.IGNORECASE,
)
"""Names that people give to pipelines."""
_NO_SYSTEMS = frozenset(("input", "output", "expected", "reference"))
"""Names of objects that are sides of one row."""
RAW_OR_PARSED = frozenset(("raw", "full", "parsed", "unparsed", "extracted", "cot"))
"""What names say of the form of one response, where the other form is often in the same table."""
_OF_OPTIONS = frozenset(("letter", "option", "choice", "index"))
"""What names say of answers that name an option."""
NAMELESS = re.compile(r"column \d+")
"""What columns without a name are called."""


@dataclass
class Candidates:
    """The columns that may hold answers, by their names and cells, and what they may be."""

    golden: list[str]
    """Golden answers by their names, the best first."""
    bare: list[str]
    """Answers of which no name says whose they are."""
    produced: list[str]
    """What systems said, by their names; without those that are no texts."""
    grouped: dict[str, str]
    """Of objects a system, the fields that are responses, with the system's name."""
    unread: list[str]
    """Texts like answers under names that say nothing."""
    untold: list[str]
    """Other texts under such names: a pipeline of a wide table that is seldom right looks like them."""
    names: list[str]
    """Columns that may name who answered, the likeliest first."""
    choices: dict[str, str]
    """Of multiple choice the columns of the options, by their labels."""


def find_candidates(columns: Columns, mapping: Mapping[str, str], words: Mapping[str, str]) -> Candidates:
    """The candidates among the columns that neither a mapping nor another word has taken."""
    free = [name for name in columns.names if name not in words and name not in mapping]
    is_empty = not any(columns.look(name).filled for name in columns.names)  # a table of headings alone
    bare = [name for name in free if plain_name(name) == c.ANSWER or read_column_name(name).is_bare_answer]
    golden = [
        name
        for name in free
        if name not in bare and says_word(name, c.ANSWER) and not contradiction(columns, name, c.ANSWER, sure=True)
        if (read_column_name(name).certain or not columns.look(name).is_flag)
        and (columns.look(name).filled or is_empty)
    ]
    # Of "gold" and "gold_final", in whatever order, the texts.
    golden.sort(
        key=lambda name: (not columns.look(name).filled, *rank_name(name, c.ANSWER), columns.look(name).is_number)
    )
    taken_answer = next((name for name, word in words.items() if word == c.ANSWER), "")
    answer = taken_answer or next(iter([*golden, *bare]), "")
    choices = find_choices(columns, answer)
    free = [name for name in free if name not in choices.values() and name not in golden]
    names = _find_names(columns, free, answer)
    are_figures = not (answer and columns.look(answer).is_number)
    grouped = _group_objects([name for name in free if not (are_figures and columns.look(name).is_number)])
    produced = [
        name
        for name in free
        if name not in (*bare, *grouped)
        and says_word(name, c.RESPONSE)
        and not (name in names and not _is_text(columns, name))
        and _may_be_response(columns, name, answer)
    ]
    produced.sort(key=lambda name: rank_name(name, c.RESPONSE))
    lettered = [name for name in produced if _OF_OPTIONS.intersection(read_senses(name, without=()))]
    in_words = [name for name in produced if name not in lettered]
    if answer and in_words and not any(_are_letters(columns, name) for name in (answer, *in_words)):
        produced = in_words  # the golden letter, beside answers in words
    partners = {
        partner for name in produced if (partner := find_partner(columns, name)) in free and partner not in bare
    }
    golden += [name for name in free if name in partners]
    produced = [name for name in produced if name not in partners]
    roles_taken = [name for name in (roles.find_question(words), answer, *bare, *produced) if name]
    others = [name for name in free if name not in (*bare, *golden, *produced, *names, *grouped)]
    texts = [name for name in others if holds_texts(columns, name)]
    unread = [name for name in texts if _is_like_answers(columns, name, roles_taken)]
    untold = [name for name in texts if name not in unread and columns.look(name).is_text]
    return Candidates(golden, bare, produced, grouped, unread, untold, names, choices)


def says_word(name: str, word: str) -> bool:
    """Whether a column's name says that it holds answers of this kind."""
    named, plain = read_column_name(name), plain_name(name)
    if (plain in roles.NAMES[word] and plain != c.ANSWER) or named.word == word:
        return True
    return word == c.RESPONSE and named.word == c.PIPELINE and plain != c.PIPELINE


def _is_text(columns: Columns, name: str) -> bool:
    is_text = contradiction(columns, name, c.PIPELINE, sure=True) == TEXTS
    return read_column_name(name).word == c.PIPELINE and is_text


def _may_be_response(columns: Columns, name: str, answer: str) -> bool:
    """Whether the cells of a column with a response's name can be responses: numbers, flags and labels are only where
    the golden answers are."""
    look, is_unsure = columns.look(name), read_column_name(name).is_pipeline
    if read_column_name(name).word == c.PIPELINE and plain_name(name) not in roles.RESPONSE_NAMES[c.RESPONSE]:
        return _is_text(columns, name)
    variants = sum(c.OR_DELIMITER in (cell or "") for cell in columns.cells(name))
    if (is_unsure and look.are_identifiers) or variants > OVERLAP * look.filled:  # several texts are options
        return False
    if not look.says_something or plain_name(name) == c.RESPONSE:
        return not (look.filled and look.is_link)
    if look.is_link or (look.distinct == 1 and columns.is_label(name)):
        return False
    if not answer:
        return not look.is_number or read_column_name(name).certain
    golden = columns.look(answer)
    are_labels = columns.is_label(answer) or not columns.is_label(name, answer)
    return are_labels and (golden.is_number or not look.is_number) and (golden.is_flag or not look.is_flag)


def _are_letters(columns: Columns, name: str) -> bool:
    return all(len(cell.strip("()[]. ")) <= 1 for cell in columns.cells(name) if cell)


def holds_texts(columns: Columns, name: str) -> bool:
    """Whether a column under a name that says nothing holds texts; under a system's name, flags and dates too."""
    look = columns.look(name)
    is_text = not look.is_no_text or (is_system_name(name) and not (look.says_something and look.is_number))
    says_nothing = NAMELESS.fullmatch(name) is None and read_column_name(name).word is None
    says_nothing = says_nothing and not RAW_OR_PARSED.issuperset(read_senses(name, without=()) or [""])
    return says_nothing and bool(look.filled) and is_text and look.lists <= OVERLAP


def _is_like_answers(columns: Columns, name: str, roles_taken: Sequence[str]) -> bool:
    """Whether a system's name, or texts that share words with questions and answers and are no part of them, make a
    column one of answers."""
    look, cells = columns.look(name), columns.cells(name)
    if look.says_something and look.repeats and look.words <= 2:
        return False
    beside = [columns.cells(other) for other in roles_taken if other != name]
    is_part = any(share_inside(cells, other) >= OVERLAP for other in beside)
    return is_system_name(name) or (not is_part and share_words(cells, *beside) >= OVERLAP)


def _find_names(columns: Columns, free: Sequence[str], answer: str) -> list[str]:
    """The columns that name who answered, the likeliest first: by their names, then those with a response's name and
    labels in their cells, unless golden answers are labels too."""
    names = [
        name
        for name in free
        if (read_column_name(name).word == c.PIPELINE or plain_name(name) in roles.NAMES[c.PIPELINE])
        and columns.look(name).filled
        and not contradiction(columns, name, c.PIPELINE, sure=True)
    ]
    names.sort(key=lambda name: (columns.look(name).distinct == 1, *rank_name(name, c.PIPELINE)))
    names += [name for name in free if name == roles.SPLIT and name not in names]
    if answer and columns.is_label(answer):
        return names
    labels = [
        name
        for name in free
        if read_column_name(name).word == c.RESPONSE
        and plain_name(name) not in roles.RESPONSE_NAMES[c.RESPONSE]
        and columns.look(name).distinct > 1
        and columns.is_label(name, answer)
    ]
    return names or labels


def _group_objects(names: Sequence[str]) -> dict[str, str]:
    """The fields that are responses of several objects, with the objects' names: `arms.rag.answer` and
    `arms.base.answer` are those of `rag` and `base`. Empty where there are no such objects."""
    best: dict[str, str] = {}
    for last in dict.fromkeys(name.rpartition(".")[2] for name in names if "." in name):
        named = read_column_name(last)
        # Of `answers.gpt-4o` and `latency.gpt-4o` the last part is the system, and no field of one.
        if named.is_pipeline or (not named.is_bare_answer and named.word != c.RESPONSE):
            continue
        objects = {name: name.removesuffix(f".{last}") for name in names if name.endswith(f".{last}")}
        shared = len(share_beginning(list(objects.values())))
        systems = {name: outer[shared:] for name, outer in objects.items()}
        if len(systems) > max(1, len(best)) and not _NO_SYSTEMS & {outer.lower() for outer in systems.values()}:
            best = systems
    return best


def share_beginning(names: Sequence[str]) -> str:
    """The outer names that all have in common, with the dot behind."""
    parts = [name.split(".") for name in names]
    count = 0
    while all(len(part) > count + 1 and part[count] == parts[0][count] for part in parts):
        count += 1
    return "".join(f"{part}." for part in parts[0][:count])


def find_partner(columns: Columns, name: str) -> str:
    """The column of what a system had to give, by its name: `ideal_answer` beside `ideal_answer_pred`."""
    terms = read_senses(name, without=roles.OF_SYSTEMS)
    others = (other for other in columns.names if other != name and columns.look(other).filled)
    return next((other for other in others if terms and read_senses(other, without=()) == terms), "")


def rank_name(name: str, word: str) -> tuple[int, bool]:
    """How good a name is for a word: its place among the word's names, and whether its terms leave it open."""
    names, plain = roles.NAMES[word], plain_name(name)
    return names.index(plain) if plain in names else len(names), not read_column_name(name).certain


def is_system_name(name: str) -> bool:
    """Whether people name pipelines like that."""
    return _SYSTEM.fullmatch(name.strip()) is not None
