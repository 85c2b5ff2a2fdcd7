"""What each column of a table is read as: questions, golden answers, responses, who gave them. Names propose, tests on
cells decide; where two readings pass, both are kept for a person to choose from.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from qaviz.loading import candidates, looks, roles
from qaviz.loading.candidates import Candidates, find_candidates
from qaviz.loading.load_log import quote_text
from qaviz.loading.looks import Columns
from qaviz.loading.roles import IGNORE, META, Guess, Layout, Reading, Sense, list_names, plain_name, read_column_name
from qaviz.model import columns as c

_ANSWERS = (c.ANSWER, c.RESPONSE, c.PIPELINE)
"""Words that several columns may be, so that names alone do not decide."""

_ALIKE = 0.3
"""Share of rows from which on two columns answer the same questions."""
_MAY_BE_PLACE = re.compile(r"^(reference|ref|target)s?$|(text|content|value|key)s?$")
"""Names of golden answers that leave it open whether they are where an answer beside them stands."""
_OTHER_FORMS = re.compile(r"_(alias(es)?|variants?|alternatives?|synonyms?|paraphrases?)")
"""What a name says behind that of the answer of which it has other forms."""
_FORM = candidates.RAW_OR_PARSED | frozenset((
    "complete", "original", "processed", "cleaned", "clean", "stripped", "normalized", "normalised", "final",
    "formatted", "text", "string", "content", "short", "long", "value", "json",
))  # fmt: skip  # a line a name would be a page of names
"""All that say it: the others beside it are the same response in another form."""


@dataclass(frozen=True)
class _Choice:
    """Where the responses are: in one column, in those of a wide table, or in doubt between readings."""

    response: str = ""
    pipelines: Mapping[str, str] = field(default_factory=dict)
    doubt: str = ""
    """What the readings differ in, in words."""
    readings: tuple[Reading, ...] = ()


def read_roles(columns: Columns, mapping: Mapping[str, str], where: str) -> Layout:
    """How to read a table with these first rows. What `mapping` says of columns has the last word.

    Raises QavizError, `where` in front, for a mapping that does not fit the columns.
    """
    roles.check_mapping(columns.names, mapping, where)
    words = {name: word for name, word in mapping.items() if word != IGNORE}
    guesses: list[Guess] = []
    for word in roles.NAMES:
        if word not in _ANSWERS and word not in words.values():
            chosen = _choose_columns(columns, word, [*words, *mapping])
            guesses += chosen
            words |= {guess.column: guess.word for guess in chosen if guess.certain}
    asking = next((guess.column for guess in guesses if guess.word == c.QUESTION and not guess.certain), "")
    if c.QUESTION in words.values() or not asking:
        return _find_answers(columns, mapping, words, guesses)
    # Whether that is the question is asked, together with what the other columns would then leave open.
    layout = _find_answers(columns, mapping, words | {asking: c.QUESTION}, guesses)
    is_answered = layout.has_golden or layout.has_responses or bool(layout.bare)
    says_nothing = read_column_name(asking).word is None and not candidates.NAMELESS.fullmatch(asking)
    if is_answered and says_nothing and columns.look(asking).is_question:
        return layout
    ways = layout.readings or (Reading(f"{quote_text(asking)} is the question", {}),)
    return replace(
        layout,
        words={name: word for name, word in layout.words.items() if name != asking},
        doubt=layout.doubt or f"{quote_text(asking)}: is it the question?",
        readings=tuple(replace(way, mapping={asking: c.QUESTION, **way.mapping}) for way in ways),
    )


def _choose_columns(columns: Columns, word: str, taken: Sequence[str]) -> list[Guess]:
    """The column that is this word, by the best of its names; or those that may be, which are not certain."""
    names = roles.NAMES[word]
    ranked = []
    for name in columns.names:
        rank, is_unsure = candidates.rank_name(name, word)
        is_called = rank < len(names)
        if name in taken or not (is_called or read_column_name(name).word == word):
            continue
        system = name.partition(".")[2]
        if word in roles.RESPONSE_NAMES and system and read_column_name(system).is_pipeline:
            continue  # "costs.gpt-4o" says nothing of the whole row
        if not looks.contradiction(columns, name, word, sure=is_called):
            ranked.append((rank if is_called else rank + is_unsure, name))
    free = {name: columns.look(name) for name in columns.names if name not in taken}
    if word == c.QUESTION_ID and not ranked:
        ranked = [(0, name) for name, look in free.items() if plain_name(name) in roles.ROWS and look.is_identifier][:1]
    if word == c.QUESTION and not ranked:
        asking = [name for name, look in free.items() if look.says_something and look.is_question]
        return [
            columns.guess(name, word, "its cells ask", certain=False) for name in asking or _find_sole(columns, free)
        ]
    # A question that most rows lack, beside one that they have, adds something to it: Alpaca's "input".
    most = max((columns.look(name).filled for _, name in ranked), default=0) if word == c.QUESTION else 1
    filled = [pick for pick in ranked if columns.look(pick[1]).filled * 2 >= most] or ranked
    best = [pick for pick in filled if pick[0] == min(filled)[0]]
    if len(best) > 1 and word == c.QUESTION:
        best = [pick for pick in best if columns.look(pick[1]).is_question] or best
    asks = len(best) == 1 and word == c.QUESTION and columns.look(best[0][1]).is_question
    certain = asks or (len(best) == 1 and best[0][0] <= len(names))
    return [columns.guess(name, word, certain=certain) for _, name in best]


def _find_sole(columns: Columns, free: Iterable[str]) -> list[str]:
    """The one column of texts whose name says nothing, beside others whose names say that they hold answers."""
    texts = [name for name in free if candidates.holds_texts(columns, name) and columns.look(name).may_ask]
    is_answered = any(read_column_name(name).word in (c.ANSWER, c.RESPONSE) for name in free)
    return texts if len(texts) == 1 and is_answered else []


def _find_answers(columns: Columns, mapping: Mapping[str, str], words: dict[str, str], guesses: list[Guess]) -> Layout:
    """The layout: which columns are golden answers, responses and pipelines, and what is left open."""

    def take(name: str, word: str, why: str = "") -> None:
        words[name] = word
        guesses.append(columns.guess(name, word, why))

    options = find_candidates(columns, mapping, words)
    if c.ANSWER not in words.values() and (golden := _choose_golden(columns, options)):
        take(golden, c.ANSWER)
        options.bare = [name for name in options.bare if name != golden]
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
    # Lists beside golden answers are options, or several responses to one question.
    listed = [name for name in options.bare if golden and columns.look(name).lists > looks.OVERLAP]
    left = [name for name in options.bare if name not in (*words, *choice.pipelines, *listed)]
    bare = ""
    if left and not choice.doubt:
        responded = bool(mapped or choice.response or choice.pipelines)
        open_bare = _doubt_bare(columns, options, left, golden, choice.response, responded=responded)
        choice = replace(choice, doubt=open_bare.doubt, readings=open_bare.readings)
        word, why = _name_bare(words, golden, named=bool(named), responded=responded)
        if word and not choice.doubt:
            take(left[0], word, why)
        bare = "" if word or choice.doubt or (responded and golden) else left[0]
    if choice.pipelines:
        objects = tuple(f"{outer.rpartition('.')[0]}." for outer in options.grouped)
        words = {name: word for name, word in words.items() if word not in (c.RESPONSE, c.PIPELINE)}
        # What stands in one system's object says nothing of the row.
        words = {name: word for name, word in words.items() if name in mapping or not name.startswith(objects)}
    layout = Layout(words, choice.pipelines, options.choices, bare, tuple(guesses), choice.doubt, choice.readings)
    return _complete(columns, mapping, options, layout)


def _choose_pipeline(columns: Columns, names: Sequence[str], words: Mapping[str, str]) -> list[str]:
    """Of several columns that may name the pipeline the one that leaves no duplicates; the likeliest where none does.

    A column whose name says nothing counts only where questions repeat, and it tells their rows apart.
    """
    by_name = [
        name for name in names if candidates.says_word(name, c.RESPONSE) or read_column_name(name).word == c.PIPELINE
    ]
    telling: list[str] = []
    if question := roles.find_question(words):
        keys = [question, *(name for name, word in words.items() if word == c.REPEAT)]
        height = columns.frame.height
        if columns.count_groups(keys) < height:
            telling = [name for name in names if columns.count_groups([*keys, name]) == height]
    return (telling or by_name)[:1]


def _choose_responses(columns: Columns, options: Candidates, golden: str, named: Sequence[str]) -> _Choice:
    produced = [name for name in options.produced if name not in named]
    if options.grouped and not named:
        return _Choice(pipelines=options.grouped)
    if named:
        return _choose_one(columns, produced or ([] if options.bare else options.unread))
    if objects := _split_objects(produced):
        return _choose_object(objects)
    if golden and any(map(_is_unsure, produced)):
        sure = [name for name in produced if not _is_unsure(name)] or produced[:1]
        others = [name for name in produced if name not in sure]
        return _ask_wide(sure, others) if others else _ask_sole(sure[0])
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
    return _ask(f"{list_names(objects)}: which of them has the responses?", *readings)


def _choose_one(columns: Columns, produced: Sequence[str]) -> _Choice:
    """Of the columns of one table with names of pipelines the one that holds the responses."""
    if len(produced) < 2 or _are_the_same(columns, produced):
        return _Choice(next(iter(produced), ""))
    are_systems = all(map(_tell_system, produced))
    return _ask_wide(produced[:1], produced[1:]) if are_systems else _ask_which(produced)


def _choose_wide(columns: Columns, options: Candidates, produced: Sequence[str]) -> _Choice:
    """A column for each system; where some columns are rather forms of one response, what they are is asked."""
    partners = {name: partner for name in produced if (partner := candidates.find_partner(columns, name))}
    if len(produced) > 1 and len(set(partners.values())) == len(produced):
        left_out = dict.fromkeys([*partners, *partners.values()], IGNORE)
        readings = [left_out | {partner: c.ANSWER, name: c.RESPONSE} for name, partner in partners.items()]
        return _ask(f"{list_names(produced)}: which of them holds the responses?", *readings[:2])
    systems = [name for name in produced if _tell_system(name) or _is_system(name)]
    if forms := [name for name in produced if name not in systems]:
        if len(systems) < 2 and _are_the_same(columns, produced):
            return _Choice(produced[0])
        if len(forms) == 1 and systems and not (options.golden or options.bare or _says_form(forms[0])):
            return _ask_golden(forms[0], systems)
        is_one = not systems or any(map(_says_form, produced))
        return _ask_which(produced) if is_one else _ask_wide(systems, forms)
    if len({_tell_system(name) or name for name in produced}) < len(produced):
        return _ask_which(produced)
    if len(options.unread) == 1 and not (options.golden or options.bare):
        return _ask_golden(options.unread[0], produced)
    if others := [*options.unread, *options.untold]:
        return _ask_wide(produced, others)
    shared = len(candidates.share_beginning(produced))
    return _Choice(pipelines={name: name[shared:] for name in produced})


def _choose_unread(options: Candidates, golden: str) -> _Choice:
    """Columns whose names say nothing: pipelines where they are named like some, else a person says what they are."""
    unread = options.unread
    if not unread:
        return _Choice()
    if len(unread) > roles.PIPELINE_LIMIT:
        return _Choice(pipelines=dict.fromkeys(unread, ""))  # refused for their number
    may_be_options = len(unread) >= looks.FEWEST_OPTIONS and all(
        looks.OPTION.fullmatch(name.strip()) for name in unread
    )
    if all(map(candidates.is_system_name, unread)) and (golden or options.bare or not may_be_options):
        return _Choice(pipelines={name: name for name in unread})
    first, *others = [*([] if golden else options.bare), *unread]
    if golden and others:
        return _ask_wide([first], others)
    if golden:
        return _ask_sole(first)
    if not others:
        return _Choice()
    words = f"{list_names([first, *others])}: which is the golden answer?"
    responses = dict.fromkeys(others, c.RESPONSE)
    return _ask(words, {first: c.ANSWER} | responses, {others[0]: c.ANSWER, first: c.RESPONSE})


def _choose_golden(columns: Columns, options: Candidates) -> str:
    """The golden answers, best by their name; but bare answers that say the same as golden ones in some object, beside
    responses, and bare answers of which the golden ones are other forms, by their name."""
    golden = next(iter(options.golden), "")
    for bare in options.bare:
        name, forms = plain_name(bare), plain_name(golden)
        if forms.startswith(name) and _OTHER_FORMS.fullmatch(forms, len(name)):
            return bare
    for bare in options.bare if options.produced and "." in golden else ():
        if "." not in bare and looks.share_inside(columns.cells(bare), columns.cells(golden)) >= looks.OVERLAP:
            return bare
    return golden


def _may_be_golden(columns: Columns, name: str, golden: str) -> bool:
    """Whether no name says that a system gave these answers, and they are part of the golden ones."""
    is_given = len(roles.read_senses(name, without=(*roles.OF_SYSTEMS, Sense.MODEL))) < len(
        roles.read_senses(name, without=())
    )
    is_copy = looks.share_inside(columns.cells(name), columns.cells(golden)) >= looks.EQUAL
    return (
        columns.look(name).says_something
        and not is_given
        and is_copy
        and plain_name(name) not in roles.NAMES[c.RESPONSE]
    )


def _are_the_same(columns: Columns, names: Sequence[str]) -> bool:
    return all(columns.share_equal(names[0], name) >= looks.EQUAL for name in names[1:])


def _tell_system(name: str) -> str:
    """What a name says beside that it is a response: the system's name; empty where it says nothing, or its form."""
    others = (Sense.PREDICTED, Sense.PRODUCED, Sense.ANSWER, Sense.GOLDEN, Sense.FILLER)
    return " ".join(word for word in roles.read_senses(name, without=others) if word not in _FORM)


def _says_form(name: str) -> bool:
    """Whether a name says in which form the response stands there: then what stands beside it may be another form."""
    return bool(candidates.RAW_OR_PARSED.intersection(roles.read_senses(name, without=())))


def _is_unsure(name: str) -> bool:
    """Whether an answer may be some system's, by a term that nobody knows: "our answer" or "exact answer"."""
    of_systems = roles.read_senses(name, without=(*roles.OF_SYSTEMS, Sense.MODEL)) != roles.read_senses(
        name, without=()
    )
    is_told = of_systems or not _tell_system(name) or re.search(r"\d", name)
    return read_column_name(name).is_pipeline and not is_told


def _is_system(name: str) -> bool:
    return (read_column_name(name).is_pipeline and bool(_tell_system(name))) or candidates.is_system_name(name)


def _doubt_bare(
    columns: Columns, options: Candidates, left: Sequence[str], golden: str, response: str, *, responded: bool
) -> _Choice:
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
        return _Choice()
    if _may_be_golden(columns, bare, golden):
        words = f"{quote_text(bare)} says what {quote_text(golden)} says: does it hold the responses?"
        return _ask(words, {bare: c.RESPONSE}, {bare: IGNORE})
    names_answer = not _MAY_BE_PLACE.search(plain_name(golden))
    alike = looks.share_words(columns.cells(golden), columns.cells(bare)) >= _ALIKE
    is_text = not options.choices and columns.look(golden).words > 1
    if names_answer and (alike or columns.look(bare).filled < looks.ENOUGH or is_text):
        return _Choice()
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


def _ask(words: str, *mappings: Mapping[str, str]) -> _Choice:
    """The readings that these mappings settle, and what each makes of the columns in words."""
    readings = []
    for mapping in mappings:
        golden, responses = ([name for name in mapping if mapping[name] == word] for word in (c.ANSWER, c.RESPONSE))
        parts = [f"{list_names(golden)} has the golden answers"] if golden else []
        if responses:
            parts.append(f"{list_names(responses)} {'are a pipeline each' if responses[1:] else 'holds the responses'}")
        left_out = [name for name in mapping if mapping[name] == IGNORE]
        readings.append(Reading(", ".join(parts) or f"{list_names(left_out)} is left out", mapping))
    return _Choice(doubt=words, readings=tuple(readings))


def _ask_which(names: Sequence[str], word: str = c.RESPONSE, texts: str = "the responses") -> _Choice:
    mappings = [{name: word} | {other: IGNORE for other in names if other != name} for name in names[:2]]
    return _ask(f"{list_names(names)}: which of them holds {texts}?", *mappings)


def _ask_sole(name: str) -> _Choice:
    return _ask(f"{quote_text(name)}: does it hold the responses?", {name: c.RESPONSE}, {name: IGNORE})


def _ask_golden(name: str, pipelines: Sequence[str]) -> _Choice:
    responses = dict.fromkeys(pipelines, c.RESPONSE)
    words = f"{quote_text(name)}: the golden answer, or a pipeline?"
    return _ask(words, {name: c.ANSWER} | responses, {name: c.RESPONSE} | responses)


def _ask_wide(names: Sequence[str], others: Sequence[str]) -> _Choice:
    """Whether the others are pipelines of their own too."""
    every, few = dict.fromkeys([*names, *others], c.RESPONSE), dict.fromkeys(names, c.RESPONSE)
    return _ask(f"{list_names(every)}: which of them are pipelines?", every, few | dict.fromkeys(others, IGNORE))


def _complete(columns: Columns, mapping: Mapping[str, str], options: Candidates, layout: Layout) -> Layout:
    """The layout with what is left out and looks like answers, and what tells rows apart."""
    read = {*layout.words, *layout.pipelines, *layout.choices.values(), *mapping, layout.bare}
    like_answers = (*options.produced, *options.grouped, *options.bare, *options.golden, *options.unread)
    for golden in [name for name in options.golden if layout.words.get(name) == c.ANSWER and not layout.doubt][:1]:
        look = columns.look(golden)
        # "expected_decision" may say another thing than golden answers.
        if not read_column_name(golden).certain and look.repeats and look.words <= 1 and not look.is_no_text:
            words = f"{quote_text(golden)}: does it hold the golden answers?"
            choice = _ask(words, {golden: c.ANSWER}, {golden: IGNORE})
            layout = replace(layout, doubt=choice.doubt, readings=choice.readings)
    answers = [*layout.pipelines, *(name for name, word in layout.words.items() if word in (c.ANSWER, c.RESPONSE))]
    question = roles.find_question(layout.words)
    separating: Sequence[str] = ()
    if question and c.RESPONSE in layout.words.values():
        named = [name for name, word in layout.words.items() if word in (c.PIPELINE, c.REPEAT)]
        separating = looks.find_separating(columns, [question, *named], read)
    return replace(
        layout,
        ignored=tuple(
            dict.fromkeys(n for n in (*like_answers, *_list_named_answers(columns, answers)) if n not in read)
        ),
        separating=tuple(separating),
    )


def _list_named_answers(columns: Columns, read: Iterable[str]) -> Iterator[str]:
    """Columns that are named answers and are none that counts: other forms of one, wrong answers, other answers."""
    for name in columns.names:
        look, word = columns.look(name), read_column_name(name).word
        is_named = bool(re.search("answer|response", plain_name(name)))
        is_text = look.says_something and not look.is_no_text and (not look.repeats or look.words > looks.SHORT)
        beside = (columns.cells(other) for other in read)
        says_same = any(looks.share_inside(columns.cells(name), cells) >= looks.OVERLAP for cells in beside)
        is_answer = word in (c.ANSWER, c.RESPONSE) and not (look.is_flag or look.is_link)
        may_be = says_same or (is_named and look.filled and not look.is_no_text)
        if (is_named and word == META and is_text) or (is_answer and may_be):
            yield name
