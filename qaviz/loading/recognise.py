"""What each column of a table is read as: questions, golden answers, responses, who gave them. Names propose, tests on
cells decide; where two readings pass, both are kept for a person to choose from.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from qaviz.loading.load_log import quote_text
from qaviz.loading.looks import (
    ENOUGH,
    EQUAL,
    FEWEST_OPTIONS,
    OPTION,
    OVERLAP,
    Columns,
    contradiction,
    find_choices,
    find_separating,
    share_inside,
    share_words,
)
from qaviz.loading.roles import (
    IGNORE,
    META,
    NAMES,
    PIPELINE_LIMIT,
    RESPONSE_NAMES,
    Guess,
    Layout,
    Reading,
    Sense,
    check_mapping,
    find_question,
    list_names,
    plain_name,
    read_column_name,
    read_senses,
)
from qaviz.model import columns as c

_ANSWERS = (c.ANSWER, c.RESPONSE, c.PIPELINE)
"""Words that several columns may be, so that names alone do not decide."""

_ALIKE = 0.3
"""Share of rows from which on two columns answer the same questions."""
_MAY_BE_PLACE = re.compile(r"^(reference|ref|target)s?$|(text|content|value|key)s?$")
"""Names of golden answers that leave it open whether they are where an answer beside them stands."""
_RAW_OR_PARSED = frozenset(("raw", "full", "parsed", "unparsed", "extracted", "cot"))
"""What names say of the form of one response, where the other form is often in the same table."""
_FORM = _RAW_OR_PARSED | frozenset((
    "complete", "original", "processed", "cleaned", "clean", "stripped", "normalized", "normalised", "final",
    "formatted", "text", "string", "content", "short", "long", "value", "json",
))  # fmt: skip  # a line a name would be a page of names
"""All that say it: the others beside it are the same response in another form."""

_SYSTEM = re.compile(
    r"([a-z]|[pvms][\W_]*\d{1,3}|(p|v|m|s|sys|system|pipeline|model|run|variant|config|experiment|exp|option|candidate"
    r"|version|rag|baseline|bot|pipe|llm|agent|prod|staging|new|old|before|after|current|proposed)"
    r"([\W_]+\w{0,3}|\d{1,3}\w?|(?-i:[A-Z]))?)",
    re.IGNORECASE,
)
"""Names that people give to pipelines."""
_NO_SYSTEMS = frozenset(("input", "output", "expected", "reference"))
"""Names of objects that are sides of one row."""


@dataclass
class _Candidates:
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


class _Doubt(NamedTuple):
    """What two readings differ in, in words, and the readings."""

    words: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class _Choice:
    """Where the responses are: in one column, in those of a wide table, or in doubt."""

    response: str = ""
    pipelines: Mapping[str, str] = field(default_factory=dict)
    doubt: _Doubt | None = None


def read_roles(columns: Columns, mapping: Mapping[str, str], where: str) -> Layout:
    """How to read a table with these first rows. What `mapping` says of columns has the last word.

    Raises QavizError, `where` in front, for a mapping that does not fit the columns.
    """
    check_mapping(columns.names, mapping, where)
    words = {name: word for name, word in mapping.items() if word != IGNORE}
    guesses: list[Guess] = []
    for word in NAMES:
        if word not in _ANSWERS and word not in words.values():
            chosen = _choose_columns(columns, word, [*words, *mapping])
            guesses += chosen
            words |= {guess.column: guess.word for guess in chosen if guess.certain}
    asking = next((guess.column for guess in guesses if guess.word == c.QUESTION and not guess.certain), "")
    if find_question(words) or not asking:
        return _find_answers(columns, mapping, words, guesses)
    # Whether that is the question is asked, together with what the other columns would then leave open.
    layout = _find_answers(columns, mapping, words | {asking: c.QUESTION}, guesses)
    ways = layout.readings or (Reading(f"{quote_text(asking)} is the question", {}),)
    return replace(
        layout,
        words={name: word for name, word in layout.words.items() if name != asking},
        doubt=layout.doubt or f"{quote_text(asking)}: is it the question?",
        readings=tuple(replace(way, mapping={asking: c.QUESTION, **way.mapping}) for way in ways),
    )


def _choose_columns(columns: Columns, word: str, taken: Sequence[str]) -> list[Guess]:
    """The column that is this word, by the best of its names; or those that may be, which are not certain."""
    names = NAMES[word]
    ranked = []
    for name in columns.names:
        rank, is_unsure = _rank(name, word)
        is_called = rank < len(names)
        if name in taken or not (is_called or read_column_name(name).word == word):
            continue
        if word in RESPONSE_NAMES and _is_of_one_system(name):
            continue
        if not contradiction(columns, name, word, sure=is_called):
            ranked.append((rank if is_called else rank + is_unsure, name))
    if word == c.QUESTION and not ranked:
        looks = {name: columns.look(name) for name in columns.names if name not in taken}
        asking = [name for name, look in looks.items() if look.says_something and look.is_question]
        return [columns.guess(name, word, "its cells ask", certain=False) for name in asking]
    filled = [pick for pick in ranked if columns.look(pick[1]).filled] or ranked
    best = [pick for pick in filled if pick[0] == min(filled)[0]]
    if len(best) > 1 and word == c.QUESTION:
        best = [pick for pick in best if columns.look(pick[1]).is_question] or best
    asks = len(best) == 1 and word == c.QUESTION and columns.look(best[0][1]).is_question
    certain = asks or (len(best) == 1 and best[0][0] <= len(names))
    return [columns.guess(name, word, certain=certain) for _, name in best]


def _is_of_one_system(name: str) -> bool:
    """Whether a field stands in an object under a system's name, `costs.gpt-4o`: it says nothing of the whole row."""
    system = name.partition(".")[2]
    return bool(system) and read_column_name(system).is_pipeline


def _rank(name: str, word: str) -> tuple[int, bool]:
    """How good a name is for a word: its place among the word's names, and whether its terms leave it open."""
    names, plain = NAMES[word], plain_name(name)
    return names.index(plain) if plain in names else len(names), not read_column_name(name).certain


def _find_answers(columns: Columns, mapping: Mapping[str, str], words: dict[str, str], guesses: list[Guess]) -> Layout:
    """The layout: which columns are golden answers, responses and pipelines, and what is left open."""

    def take(name: str, word: str, why: str = "") -> None:
        words[name] = word
        guesses.append(columns.guess(name, word, why))

    options = _find_candidates(columns, mapping, words)
    if c.ANSWER not in words.values() and options.golden:
        take(options.golden[0], c.ANSWER)
    golden = next((name for name, word in words.items() if word == c.ANSWER), "")
    named = [name for name, word in words.items() if word == c.PIPELINE]
    mapped = [name for name, word in mapping.items() if word == c.RESPONSE]
    choice = _Choice(pipelines={name: name for name in mapped} if len(mapped) > 1 else {})
    if not (choice.pipelines or named or options.grouped):
        named = _choose_pipeline(columns, options.names, words)
        for name in named:
            distinct = columns.look(name).distinct
            values = "one value stands" if distinct == 1 else f"{distinct} values stand"
            take(name, c.PIPELINE, f"its {values} beside many questions: they name who answered")
    if not mapped:
        choice = _choose_responses(columns, options, golden, named)
    if choice.response:
        take(choice.response, c.RESPONSE)
    left = [name for name in options.bare if name not in (*words, *choice.pipelines)]
    doubt, bare = choice.doubt, ""
    if left and not doubt:
        responded = bool(mapped or choice.response or choice.pipelines)
        doubt = _doubt_bare(columns, options, left, golden, choice.response, responded=responded)
        word, why = _name_bare(words, golden, named=bool(named), responded=responded)
        if word and not doubt:
            take(left[0], word, why)
        bare = "" if word or doubt else left[0]
    if choice.pipelines:
        objects = tuple(f"{outer.rpartition('.')[0]}." for outer in options.grouped)
        words = {name: word for name, word in words.items() if word not in (c.RESPONSE, c.PIPELINE)}
        # What stands in one system's object says nothing of the row.
        words = {name: word for name, word in words.items() if name in mapping or not name.startswith(objects)}
    layout = Layout(words, choice.pipelines, options.choices, bare)
    return _complete(columns, mapping, options, layout, guesses, doubt)


def _find_candidates(columns: Columns, mapping: Mapping[str, str], words: Mapping[str, str]) -> _Candidates:
    free = [name for name in columns.names if name not in words and name not in mapping]
    bare = [name for name in free if plain_name(name) == c.ANSWER or read_column_name(name).is_bare_answer]
    golden = [
        name
        for name in free
        if name not in bare and _says_word(name, c.ANSWER) and not contradiction(columns, name, c.ANSWER, sure=True)
    ]
    golden.sort(key=lambda name: (not columns.look(name).filled, *_rank(name, c.ANSWER)))
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
        and _says_word(name, c.RESPONSE)
        and not (name in names and not _is_text(columns, name))
        and _may_be_response(columns, name, answer)
    ]
    produced.sort(key=lambda name: _rank(name, c.RESPONSE))
    roles_taken = [name for name in (find_question(words), answer, *bare, *produced) if name]
    others = [name for name in free if name not in (*bare, *produced, *names, *grouped)]
    texts = [name for name in others if _holds_texts(columns, name)]
    unread = [name for name in texts if _is_like_answers(columns, name, roles_taken)]
    untold = [name for name in texts if name not in unread and columns.look(name).is_text]
    return _Candidates(golden, bare, produced, grouped, unread, untold, names, choices)


def _says_word(name: str, word: str) -> bool:
    """Whether a column's name says that it holds answers of this kind."""
    named, plain = read_column_name(name), plain_name(name)
    if (plain in NAMES[word] and plain != c.ANSWER) or named.word == word:
        return True
    return word == c.RESPONSE and named.word == c.PIPELINE and plain != c.PIPELINE


def _is_text(columns: Columns, name: str) -> bool:
    return read_column_name(name).word == c.PIPELINE and bool(contradiction(columns, name, c.PIPELINE, sure=True))


def _may_be_response(columns: Columns, name: str, answer: str) -> bool:
    """Whether the cells of a column with a response's name can be responses: numbers, flags and labels are only where
    the golden answers are."""
    look = columns.look(name)
    if read_column_name(name).word == c.PIPELINE and plain_name(name) not in RESPONSE_NAMES[c.RESPONSE]:
        return _is_text(columns, name)
    if not look.says_something or plain_name(name) == c.RESPONSE:
        return not (look.filled and look.is_link)
    if look.is_link or (look.distinct == 1 and columns.is_label(name)):
        return False
    if not answer:
        return not look.is_number or read_column_name(name).certain
    golden = columns.look(answer)
    are_labels = columns.is_label(answer) or not columns.is_label(name, answer)
    return are_labels and (golden.is_number or not look.is_number) and (golden.is_flag or not look.is_flag)


def _holds_texts(columns: Columns, name: str) -> bool:
    """Whether a column under a name that says nothing holds texts; under a system's name, flags and dates too."""
    look = columns.look(name)
    is_text = not look.is_no_text or (_is_system_name(name) and not (look.says_something and look.is_number))
    says_nothing = re.fullmatch(r"column \d+", name) is None and read_column_name(name).word is None
    return says_nothing and bool(look.filled) and is_text and look.lists <= OVERLAP


def _is_like_answers(columns: Columns, name: str, roles_taken: Sequence[str]) -> bool:
    """Whether a system's name, or texts that share words with questions and answers and are no part of them, make a
    column one of answers."""
    look, cells = columns.look(name), columns.cells(name)
    if look.says_something and look.repeats and look.words <= 2:
        return False
    beside = [columns.cells(other) for other in roles_taken if other != name]
    is_part = any(share_inside(cells, other) >= OVERLAP for other in beside)
    return _is_system_name(name) or (not is_part and share_words(cells, *beside) >= OVERLAP)


def _find_names(columns: Columns, free: Sequence[str], answer: str) -> list[str]:
    """The columns that name who answered, the likeliest first: by their names, then those with a response's name and
    labels in their cells, unless golden answers are labels too."""
    names = [
        name
        for name in free
        if (read_column_name(name).word == c.PIPELINE or plain_name(name) in NAMES[c.PIPELINE])
        and columns.look(name).filled
        and not contradiction(columns, name, c.PIPELINE, sure=True)
    ]
    names.sort(key=lambda name: (columns.look(name).distinct == 1, *_rank(name, c.PIPELINE)))
    if answer and columns.is_label(answer):
        return names
    labels = [
        name
        for name in free
        if read_column_name(name).word == c.RESPONSE
        and plain_name(name) not in RESPONSE_NAMES[c.RESPONSE]
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
        shared = len(_share_beginning(list(objects.values())))
        systems = {name: outer[shared:] for name, outer in objects.items()}
        if len(systems) > max(1, len(best)) and not _NO_SYSTEMS & {outer.lower() for outer in systems.values()}:
            best = systems
    return best


def _share_beginning(names: Sequence[str]) -> str:
    """The outer names that all have in common, with the dot behind."""
    parts = [name.split(".") for name in names]
    count = 0
    while all(len(part) > count + 1 and part[count] == parts[0][count] for part in parts):
        count += 1
    return "".join(f"{part}." for part in parts[0][:count])


def _choose_pipeline(columns: Columns, names: Sequence[str], words: Mapping[str, str]) -> list[str]:
    """Of several columns that may name the pipeline the one that leaves no duplicates; the likeliest where none does.

    A column whose name says nothing counts only where questions repeat, and it tells their rows apart.
    """
    by_name = [name for name in names if _says_word(name, c.RESPONSE) or read_column_name(name).word == c.PIPELINE]
    telling: list[str] = []
    if question := find_question(words):
        keys = [question, *(name for name, word in words.items() if word == c.REPEAT)]
        height = columns.frame.height
        if columns.count_groups(keys) < height:
            telling = [name for name in names if columns.count_groups([*keys, name]) == height]
    return (telling or by_name)[:1]


def _choose_responses(columns: Columns, options: _Candidates, golden: str, named: Sequence[str]) -> _Choice:
    produced = [name for name in options.produced if name not in named]
    if options.grouped and not named:
        return _Choice(pipelines=options.grouped)
    if named:
        return _choose_one(columns, produced or ([] if options.bare else options.unread))
    if objects := _split_objects(produced):
        return _choose_object(objects)
    if produced:
        is_wide = len(produced) > 1 or _is_system(produced[0])
        return _choose_wide(columns, options, produced) if is_wide else _Choice(produced[0])
    if golden and len(options.bare) > 1 and all(re.search(r"\d\s*$", name) for name in options.bare):
        return _Choice(pipelines={name: name for name in options.bare})
    if options.bare and (golden or not options.unread):
        return _Choice()
    return _choose_unread(options, golden)


def _split_objects(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Of several objects with the same systems in them the columns by their systems: `answers` and `explanations` with
    a field a model each. Empty where there are no such objects."""
    objects: dict[str, dict[str, str]] = {}
    for name in names:
        outer, _, system = name.partition(".")
        objects.setdefault(outer if system else "", {})[system or name] = name
    systems = [set(fields) for fields in objects.values()]
    return objects if len(objects) > 1 and "" not in objects and len(set.intersection(*systems)) > 1 else {}


def _choose_object(objects: Mapping[str, Mapping[str, str]]) -> _Choice:
    """A pipeline for each system in the object whose name says that it has responses; else which one has is asked."""
    named = [name for name in objects if read_column_name(name).word == c.RESPONSE]
    if len(named) == 1:
        return _Choice(pipelines={name: system for system, name in objects[named[0]].items()})
    every = [name for fields in objects.values() for name in fields.values()]
    readings = [
        {name: c.RESPONSE if name in objects[outer].values() else IGNORE for name in every}
        for outer in (named or list(objects))[:2]
    ]
    return _Choice(doubt=_ask(f"{list_names(objects)}: which of them has the responses?", *readings))


def _choose_one(columns: Columns, produced: Sequence[str]) -> _Choice:
    """Of the columns of one table with names of pipelines the one that holds the responses."""
    if len(produced) < 2 or _are_the_same(columns, produced):
        return _Choice(next(iter(produced), ""))
    are_systems = all(map(_tell_system, produced))
    return _Choice(doubt=_ask_wide(produced[:1], produced[1:]) if are_systems else _ask_which(produced))


def _choose_wide(columns: Columns, options: _Candidates, produced: Sequence[str]) -> _Choice:
    """A column for each system; where some columns are rather forms of one response, what they are is asked."""
    systems = [name for name in produced if _tell_system(name) or _is_system(name)]
    if forms := [name for name in produced if name not in systems]:
        if len(systems) < 2 and _are_the_same(columns, produced):
            return _Choice(produced[0])
        is_one = not systems or any(map(_says_form, produced))
        return _Choice(doubt=_ask_which(produced) if is_one else _ask_wide(systems, forms))
    if len({_tell_system(name) or name for name in produced}) < len(produced):
        return _Choice(doubt=_ask_which(produced))
    if len(options.unread) == 1 and not (options.golden or options.bare):
        name, responses = options.unread[0], dict.fromkeys(produced, c.RESPONSE)
        words = f"{quote_text(name)}: the golden answer, or a pipeline?"
        return _Choice(doubt=_ask(words, {name: c.ANSWER} | responses, {name: c.RESPONSE} | responses))
    if others := [*options.unread, *options.untold]:
        return _Choice(doubt=_ask_wide(produced, others))
    shared = len(_share_beginning(produced))
    return _Choice(pipelines={name: name[shared:] for name in produced})


def _choose_unread(options: _Candidates, golden: str) -> _Choice:
    """Columns whose names say nothing: pipelines where they are named like some, else a person says what they are."""
    unread = options.unread
    if not unread:
        return _Choice()
    if len(unread) > PIPELINE_LIMIT:
        return _Choice(pipelines=dict.fromkeys(unread, ""))  # refused for their number
    may_be_options = len(unread) >= FEWEST_OPTIONS and all(OPTION.fullmatch(name.strip()) for name in unread)
    if all(map(_is_system_name, unread)) and (golden or options.bare or not may_be_options):
        return _Choice(pipelines={name: name for name in unread})
    first, *others = [*([] if golden else options.bare), *unread]
    if golden and others:
        return _Choice(doubt=_ask_wide([first], others))
    if golden:
        words = f"{quote_text(first)}: does it hold the responses?"
        return _Choice(doubt=_ask(words, {first: c.RESPONSE}, {first: IGNORE}))
    if not others:
        return _Choice()
    words = f"{list_names([first, *others])}: which is the golden answer?"
    responses = dict.fromkeys(others, c.RESPONSE)
    return _Choice(doubt=_ask(words, {first: c.ANSWER} | responses, {others[0]: c.ANSWER, first: c.RESPONSE}))


def _may_be_golden(columns: Columns, name: str, golden: str) -> bool:
    """Whether no name says that a system gave these answers, and they are part of the golden ones."""
    is_given = len(read_senses(name, without=(Sense.PRODUCED, Sense.BOT, Sense.MODEL))) < len(
        read_senses(name, without=())
    )
    is_copy = share_inside(columns.cells(name), columns.cells(golden)) >= EQUAL
    return columns.look(name).says_something and not is_given and is_copy and plain_name(name) not in NAMES[c.RESPONSE]


def _are_the_same(columns: Columns, names: Sequence[str]) -> bool:
    return all(columns.share_equal(names[0], name) >= EQUAL for name in names[1:])


def _tell_system(name: str) -> str:
    """What a name says beside that it is a response: the system's name; empty where it says nothing, or its form."""
    return " ".join(
        word for word in read_senses(name, without=(Sense.PRODUCED, Sense.ANSWER, Sense.FILLER)) if word not in _FORM
    )


def _says_form(name: str) -> bool:
    """Whether a name says in which form the response stands there: then what stands beside it may be another form."""
    return bool(_RAW_OR_PARSED.intersection(read_senses(name, without=())))


def _is_system_name(name: str) -> bool:
    return _SYSTEM.fullmatch(name.strip()) is not None


def _is_system(name: str) -> bool:
    return (read_column_name(name).is_pipeline and bool(_tell_system(name))) or _is_system_name(name)


def _doubt_bare(
    columns: Columns, options: _Candidates, left: Sequence[str], golden: str, response: str, *, responded: bool
) -> _Doubt | None:
    """What bare answers leave open: which language or which of several is meant, whether they or the response are, or
    whether golden answers stand there or where a name says so."""
    bare = left[0]
    if len(left) > 1 and not response and all("_" in plain_name(name) for name in left):
        ways = [_choose_language(columns, name, left) for name in left[:2]]
        return _ask(f"{list_names(left)}: which of them holds the answers?", *ways)
    if len(left) > 1 and response and not golden and not _are_the_same(columns, left):
        return _ask_which(left, c.ANSWER, "the golden answers")
    if response and not golden and _says_form(response):
        words = f"{quote_text(bare)}: the golden answer, or the response that {quote_text(response)} is a form of?"
        return _ask(words, {bare: c.ANSWER, response: c.RESPONSE}, {bare: c.RESPONSE, response: IGNORE})
    if golden and response and not _are_the_same(columns, [response, bare]):
        return _ask_which([response, bare])
    if responded or golden not in options.golden:
        return None
    if _may_be_golden(columns, bare, golden):
        words = f"{quote_text(bare)} says what {quote_text(golden)} says: does it hold the responses?"
        return _ask(words, {bare: c.RESPONSE}, {bare: IGNORE})
    names_answer = not _MAY_BE_PLACE.search(plain_name(golden))
    alike = share_words(columns.cells(golden), columns.cells(bare)) >= _ALIKE
    is_text = not options.choices and columns.look(golden).words > 1
    if names_answer and (alike or columns.look(bare).filled < ENOUGH or is_text):
        return None
    words = f"{list_names([golden, bare])}: which is the golden answer?"
    return _ask(words, {golden: c.ANSWER, bare: c.RESPONSE}, {bare: c.ANSWER, golden: IGNORE})


def _choose_language(columns: Columns, chosen: str, names: Sequence[str]) -> dict[str, str]:
    """The mapping that leaves out the other answers, and questions in other languages where one is in the same."""
    questions = [name for name in columns.names if read_column_name(name).word == c.QUESTION]
    ending = plain_name(chosen).rpartition("_")[2]
    alike = [name for name in questions if plain_name(name).rpartition("_")[2] == ending]
    settled = {name: c.QUESTION if name in alike else IGNORE for name in questions if len(alike) == 1}
    return settled | {name: IGNORE for name in names if name != chosen}


def _name_bare(words: Mapping[str, str], golden: str, *, named: bool, responded: bool) -> tuple[str, str]:
    """Whose bare answers are, by what stands beside them, and why; nothing where that leaves it open."""
    if not golden and c.FACT in words.values():
        return c.ANSWER, "a fact stands beside it"
    if responded:
        return ("", "") if golden else (c.ANSWER, "the responses stand in other columns")
    return (c.RESPONSE, "") if named or golden else ("", "")


def _ask(words: str, *mappings: Mapping[str, str]) -> _Doubt:
    """The readings that these mappings settle, and what each makes of the columns in words."""
    readings = []
    for mapping in mappings:
        golden, responses = ([name for name in mapping if mapping[name] == word] for word in (c.ANSWER, c.RESPONSE))
        parts = [f"{list_names(golden)} has the golden answers"] if golden else []
        if responses:
            parts.append(f"{list_names(responses)} {'are a pipeline each' if responses[1:] else 'holds the responses'}")
        left_out = [name for name in mapping if mapping[name] == IGNORE]
        readings.append(Reading(", ".join(parts) or f"{list_names(left_out)} is left out", mapping))
    return _Doubt(words, tuple(readings))


def _ask_which(names: Sequence[str], word: str = c.RESPONSE, texts: str = "the responses") -> _Doubt:
    mappings = [{name: word} | {other: IGNORE for other in names if other != name} for name in names[:2]]
    return _ask(f"{list_names(names)}: which of them holds {texts}?", *mappings)


def _ask_wide(names: Sequence[str], others: Sequence[str]) -> _Doubt:
    """Whether the others are pipelines of their own too."""
    every, few = dict.fromkeys([*names, *others], c.RESPONSE), dict.fromkeys(names, c.RESPONSE)
    return _ask(f"{list_names(every)}: which of them are pipelines?", every, few | dict.fromkeys(others, IGNORE))


def _complete(
    columns: Columns,
    mapping: Mapping[str, str],
    options: _Candidates,
    layout: Layout,
    guesses: list[Guess],
    doubt: _Doubt | None,
) -> Layout:
    """The layout with what is left out, what tells rows apart, and the readings, the question's among them."""
    read = {*layout.words, *layout.pipelines, *layout.choices.values(), *mapping, layout.bare}
    like_answers = (*options.produced, *options.grouped, *options.bare, *options.golden, *options.unread)
    question = find_question(layout.words)
    separating: Sequence[str] = ()
    if question and c.RESPONSE in layout.words.values():
        named = [name for name, word in layout.words.items() if word in (c.PIPELINE, c.REPEAT)]
        separating = find_separating(columns, [question, *named], read)
    return replace(
        layout,
        guesses=tuple(guesses),
        doubt=doubt.words if doubt else "",
        readings=doubt.readings if doubt else (),
        ignored=tuple(dict.fromkeys(n for n in (*like_answers, *_list_named_answers(columns)) if n not in read)),
        separating=tuple(separating),
    )


def _list_named_answers(columns: Columns) -> Iterator[str]:
    """Columns of texts that are named answers and are none that counts: wrong answers, other answers."""
    for name in columns.names:
        look = columns.look(name)
        is_text = look.says_something and not look.is_no_text and not look.repeats
        if is_text and re.search("answer|response", plain_name(name)) and read_column_name(name).word == META:
            yield name
