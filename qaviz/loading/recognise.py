"""What each column of a table is read as: questions, golden answers, responses and who gave them. Where two readings
pass, both are kept for a person to choose from.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from qaviz.loading.candidates import SYSTEM, Candidates, find_candidates, says_word
from qaviz.loading.load_log import quote_text
from qaviz.loading.looks import ENOUGH, share_words
from qaviz.loading.roles import (
    EQUAL,
    FEWEST_OPTIONS,
    IGNORE,
    NAMES,
    OPTION,
    PIPELINE_LIMIT,
    Columns,
    Guess,
    Layout,
    Reading,
    check_mapping,
    contradiction,
    find_question,
    find_separating,
    list_names,
    share_equal,
    shared_beginning,
)
from qaviz.loading.terms import META, Sense, plain_name, read_column_name, read_senses
from qaviz.model import columns as c

_ANSWERS = (c.ANSWER, c.RESPONSE, c.PIPELINE)
"""Words that several columns may be, so that names alone do not decide."""

_ALIKE = 0.3
"""Share of rows from which on two columns answer the same questions."""
_MAY_BE_PLACE = re.compile(r"^(reference|ref|target)s?$|(text|content|value|key)s?$")
"""Names of golden answers that leave it open whether they are where an answer beside them stands."""
_FORM = frozenset((
    "raw", "full", "parsed", "unparsed", "extracted", "complete", "original", "processed", "cleaned", "clean",
    "stripped", "normalized", "normalised", "final", "formatted", "text", "string", "content", "cot", "short", "long",
    "value", "json",
))  # fmt: skip  # a line a name would be a page of names
"""What names say of the form of one response: the others beside it are the same response in another form."""


_RAW_OR_PARSED = frozenset(("raw", "full", "parsed", "unparsed", "extracted", "cot"))
"""Those of which the other one is often in the same table."""


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
    asking = [guess.column for guess in guesses if guess.word == c.QUESTION and not guess.certain]
    if not find_question(words) and asking:
        # What it would be if that were the question is asked.
        layout = _find_answers(columns, mapping, words | {asking[0]: c.QUESTION}, guesses)
        return _ask_question(layout, asking[0], words)
    return _find_answers(columns, mapping, words, guesses)


def _ask_question(layout: Layout, question: str, known: Mapping[str, str]) -> Layout:
    """The layout without the question that its cells alone speak for: it is part of what is asked."""
    whole = {name: word for name, word in layout.words.items() if name not in known}
    whole |= dict.fromkeys(layout.pipelines, c.RESPONSE)
    ways = layout.readings or (Reading(f"{list_names([question])} is the question", whole),)
    ways = tuple(replace(way, mapping={question: c.QUESTION, **way.mapping}) for way in ways)
    words = {name: word for name, word in layout.words.items() if name != question}
    return replace(
        layout, words=words, doubt=layout.doubt or f"{quote_text(question)}: is it the question?", readings=ways
    )


def _choose_columns(columns: Columns, word: str, taken: Sequence[str]) -> list[Guess]:
    """The column that is this word, by the best of its names; or those that may be, which are not certain."""
    ranked = []
    for name in columns.names:
        if name in taken:
            continue
        named, names = read_column_name(name), NAMES[word]
        if plain_name(name) in names:
            rank, why = names.index(plain_name(name)), f"its name is one for {word}"
        elif named.word == word:
            rank, why = len(names) + (not named.certain), named.why
        else:
            continue
        if not contradiction(columns, name, word, sure=rank < len(names)):
            ranked.append((rank, name, why))
    filled = [pick for pick in ranked if columns.look(pick[1]).filled] or ranked
    best = [pick for pick in filled if pick[0] == min(filled)[0]]
    if len(best) > 1 and word == c.QUESTION:
        best = [pick for pick in best if columns.look(pick[1]).is_question] or best
    certain = len(best) == 1 and (
        best[0][0] <= len(NAMES[word]) or (word == c.QUESTION and columns.look(best[0][1]).is_question)
    )
    if word == c.QUESTION and not best:
        return [
            columns.guess(name, word, f"{columns.look(name).asking:.0%} of its cells ask", certain=False)
            for name in columns.names
            if name not in taken and columns.look(name).says_something and columns.look(name).is_question
        ]
    return [columns.guess(name, word, why, certain=certain) for _, name, why in best]


def _find_answers(columns: Columns, mapping: Mapping[str, str], words: dict[str, str], guesses: list[Guess]) -> Layout:
    """The layout: which columns are golden answers, responses and pipelines, and what is left open."""
    candidates = find_candidates(columns, mapping, words)
    mapped = [name for name, word in mapping.items() if word == c.RESPONSE]
    readings: tuple[str, list[Reading]] = ("", [])
    bare = ""
    if c.ANSWER not in words.values() and candidates.golden:
        words[candidates.golden[0]] = c.ANSWER
        guesses.append(
            columns.guess(
                candidates.golden[0],
                c.ANSWER,
                read_column_name(candidates.golden[0]).why or f"its name is one for {c.ANSWER}",
            )
        )
    golden = next((name for name, word in words.items() if word == c.ANSWER), "")
    question = find_question(words)
    named = [name for name, word in words.items() if word == c.PIPELINE]
    pipelines: dict[str, str] = {}
    if len(mapped) > 1:
        pipelines = {name: name for name in mapped}
    elif (
        not named and not candidates.grouped and (pick := _choose_pipeline(columns, candidates.names, question, words))
    ):
        named = [pick]
        words[pick] = c.PIPELINE
        distinct = columns.look(pick).distinct
        values = "one value stands" if distinct == 1 else f"{distinct} values stand"
        why = f"its {values} beside many questions: they name who answered"
        guesses.append(columns.guess(pick, c.PIPELINE, why))
    responses: list[str] = []
    if not mapped:
        responses, pipelines, readings = _choose_responses(columns, candidates, golden, named)
    if responses:
        words[responses[0]] = c.RESPONSE
        why = read_column_name(responses[0]).why or f"its name is one for {c.RESPONSE}"
        guesses.append(columns.guess(responses[0], c.RESPONSE, why))
    left = [name for name in candidates.bare if name not in (*words, *pipelines)]
    if left and not readings[1]:
        readings = _doubt_bare(columns, left, responses, golden)
    if left and not readings[1]:
        responded = bool(mapped or responses or pipelines)
        bare, readings = _settle_bare(columns, candidates, words, left[0], golden, responds=responded)
        word, why = _name_bare(words, golden, named=bool(named), responded=responded) if bare else ("", "")
        if word:
            words[bare] = word
            guesses.append(
                columns.guess(bare, word, why or read_column_name(bare).why or f"its name is one for {word}")
            )
            bare = ""
    if pipelines:
        words = {name: word for name, word in words.items() if word not in (c.RESPONSE, c.PIPELINE)}
        words = {name: word for name, word in words.items() if name in mapping or not candidates.is_of_system(name)}
    return _complete(
        columns, mapping, candidates, Layout(words, pipelines, candidates.choices, bare), guesses, readings
    )


def _doubt_bare(
    columns: Columns, bare: Sequence[str], responses: Sequence[str], golden: str
) -> tuple[str, list[Reading]]:
    """What bare answers leave open: which language or which of them is meant, or whether they or the responses are."""
    if len(bare) > 1 and not responses and all("_" in plain_name(name) for name in bare):
        return _ask_language(columns, bare)
    if len(bare) > 1 and responses and not golden and not _are_the_same(columns, bare):
        return _ask_which(bare, c.ANSWER, "the golden answers")
    if responses and not golden and _says_form(responses[0]):
        return _ask_answer(bare[0], responses[0])
    if golden and responses and not _are_the_same(columns, [responses[0], bare[0]]):
        return _ask_which([responses[0], bare[0]])
    return "", []


def _name_bare(words: Mapping[str, str], golden: str, *, named: bool, responded: bool) -> tuple[str, str]:
    """Whose bare answers are, by what stands beside them, and why; nothing where that leaves it open."""
    if not golden and c.FACT in words.values():
        return c.ANSWER, "a fact stands beside it"
    if responded:
        return ("", "") if golden else (c.ANSWER, "the responses stand in other columns")
    return (c.RESPONSE, "") if named or golden else ("", "")


def _choose_pipeline(columns: Columns, names: Sequence[str], question: str, words: Mapping[str, str]) -> str:
    """Of several columns that may name the pipeline the one that leaves no duplicates; the likeliest where none does.

    A column whose name says nothing counts only where questions repeat, and it tells their rows apart.
    """
    by_name = [name for name in names if says_word(name, c.RESPONSE) or read_column_name(name).word == c.PIPELINE]
    if not question:
        return next(iter(by_name), "")
    repeat = [name for name, word in words.items() if word == c.REPEAT]
    groups = {name: columns.count_groups([question, *repeat, name]) for name in names}
    alone = columns.count_groups([question, *repeat])
    telling = [name for name in names if groups[name] == columns.frame.height > alone]
    if telling:
        return telling[0]
    return next(iter(by_name), "")


Choice = tuple[list[str], dict[str, str], tuple[str, list[Reading]]]
"""The column of the responses, if there is one; those of a wide table; and what is left open."""


def _choose_responses(columns: Columns, candidates: Candidates, golden: str, named: Sequence[str]) -> Choice:
    """Which columns hold the responses."""
    produced = [name for name in candidates.produced if name not in named]
    if candidates.grouped and not named:
        return [], candidates.grouped, ("", [])
    if named and not produced and not candidates.bare and len(candidates.unread) == 1:
        return list(candidates.unread), {}, ("", [])
    if named:
        return _choose_one(columns, produced or ([] if candidates.bare else candidates.unread))
    if len(produced) == 1 and not _is_system(produced[0]):
        return produced, {}, ("", [])
    if produced:
        return _choose_wide(columns, candidates, produced)
    numbered = [name for name in candidates.bare if re.search(r"\d\s*$", name)]
    if golden and len(numbered) > 1 and len(numbered) == len(candidates.bare):
        return [], {name: name for name in numbered}, ("", [])
    if candidates.bare and (golden or not candidates.unread):
        return [], {}, ("", [])
    return _choose_unread(candidates, golden)


def _choose_one(columns: Columns, produced: Sequence[str]) -> Choice:
    """Of the columns of one table with names of pipelines the one that holds the responses."""
    if len(produced) < 2 or _are_the_same(columns, produced):
        return list(produced[:1]), {}, ("", [])
    if all(map(_tell_system, produced)):
        return [], {}, _ask_wide(produced, [], without=produced[1:])
    return [], {}, _ask_which(produced)


def _are_the_same(columns: Columns, names: Sequence[str]) -> bool:
    return all(share_equal(columns, names[0], name) >= EQUAL for name in names[1:])


def _word_reading(mapping: Mapping[str, str]) -> Reading:
    """The mapping, and what it makes of the columns in words."""
    golden, responses = ([name for name, word in mapping.items() if word == role] for role in (c.ANSWER, c.RESPONSE))
    parts = [f"{list_names(golden)} has the golden answers"] if golden else []
    if responses:
        holds = "are a pipeline each" if len(responses) > 1 else "holds the responses"
        parts.append(f"{list_names(responses)} {holds}")
    return Reading(", ".join(parts) or f"{list_names(list(mapping))} is left out", mapping)


def _ask_which(names: Sequence[str], word: str = c.RESPONSE, texts: str = "the responses") -> tuple[str, list[Reading]]:
    """Which of several columns holds the one text that is meant: parsed or raw, short or in full."""
    readings = [_word_reading({name: word} | {other: IGNORE for other in names if other != name}) for name in names[:2]]
    return f"{list_names(names)}: which of them holds {texts}?", readings


def _ask_answer(bare: str, response: str) -> tuple[str, list[Reading]]:
    """Whether a bare answer beside a response in its raw form is golden, or the same response without what surrounds
    it."""
    readings = [
        Reading(
            f"{quote_text(bare)} is the golden answer, {quote_text(response)} the response",
            {bare: c.ANSWER, response: c.RESPONSE},
        ),
        Reading(f"{quote_text(bare)} holds the responses", {bare: c.RESPONSE, response: IGNORE}),
    ]
    return f"{quote_text(bare)}: the golden answer, or the response that {quote_text(response)} is a form of?", readings


def _ask_language(columns: Columns, names: Sequence[str]) -> tuple[str, list[Reading]]:
    """Which of several columns of answers in several languages or forms holds those that are meant: the question is in
    the same, where there are several too."""
    questions = [name for name in columns.names if read_column_name(name).word == c.QUESTION]
    readings = []
    for name in names[:2]:
        ending = plain_name(name).rpartition("_")[2]
        alike = [other for other in questions if plain_name(other).rpartition("_")[2] == ending]
        settled = {other: c.QUESTION if other in alike else IGNORE for other in questions} if len(alike) == 1 else {}
        left_out = {other: IGNORE for other in names if other != name}
        readings.append(Reading(f"{quote_text(name)} holds the answers", settled | left_out))
    return f"{list_names(names)}: which of them holds the answers?", readings


def _choose_wide(columns: Columns, candidates: Candidates, produced: Sequence[str]) -> Choice:
    """A column for each system; where some columns are rather forms of one response, what they are is asked."""
    marks = {name: _tell_system(name) for name in produced}
    systems = [name for name in produced if marks[name] or _is_system(name)]
    if len(systems) < len(produced):
        if _are_the_same(columns, produced) and len(systems) < 2:
            return [produced[0]], {}, ("", [])
        if not systems or any(_says_form(name) for name in produced):
            return [], {}, _ask_which(produced)
        return [], {}, _ask_wide(systems, [name for name in produced if name not in systems])
    if len(produced) > 1 and len({marks[name] or name for name in produced}) < len(produced):
        return [], {}, _ask_which(produced)
    if len(candidates.unread) == 1 and not (candidates.golden or candidates.bare):
        name, responses = candidates.unread[0], dict.fromkeys(produced, c.RESPONSE)
        readings = [_word_reading({name: word} | responses) for word in (c.ANSWER, c.RESPONSE)]
        return [], {}, (f"{quote_text(name)}: the golden answer, or a pipeline?", readings)
    if others := [*candidates.unread, *candidates.untold]:
        return [], {}, _ask_wide([*produced, *others], [], without=others)
    shared = shared_beginning(produced)
    return [], {name: name[len(shared) :] for name in produced}, ("", [])


def _tell_system(name: str) -> str:
    """What a name says beside that it is a response: the system's name; empty where it says nothing, or its form."""
    return " ".join(
        word for word in read_senses(name, without=(Sense.PRODUCED, Sense.ANSWER, Sense.FILLER)) if word not in _FORM
    )


def _says_form(name: str) -> bool:
    """Whether a name says in which form the response stands there: then what stands beside it may be another form."""
    return bool(_RAW_OR_PARSED.intersection(read_senses(name, without=())))


def _is_system(name: str) -> bool:
    return read_column_name(name).is_pipeline or bool(SYSTEM.fullmatch(name.strip()))


def _ask_wide(names: Sequence[str], others: Sequence[str], without: Sequence[str] = ()) -> tuple[str, list[Reading]]:
    """Whether some columns are pipelines of their own: with them, and without."""
    every = [*names, *others]
    few = [name for name in names if name not in without]
    readings = [_word_reading(dict.fromkeys(every, c.RESPONSE))]
    if few:
        left_out = dict.fromkeys([*others, *without], IGNORE)
        readings.append(_word_reading(dict.fromkeys(few, c.RESPONSE) | left_out))
    return f"{list_names(every)}: which of them are pipelines?", readings


def _choose_unread(candidates: Candidates, golden: str) -> Choice:
    """Columns whose names say nothing: pipelines where they are named like some, else a person says what they are."""
    unread = candidates.unread
    if len(unread) > PIPELINE_LIMIT:
        return [], dict.fromkeys(unread, ""), ("", [])  # refused for their number
    options = len(unread) >= FEWEST_OPTIONS and all(OPTION.fullmatch(name.strip()) for name in unread)
    if (
        unread
        and all(SYSTEM.fullmatch(name.strip()) for name in unread)
        and not (options and not (golden or candidates.bare))
    ):
        return [], {name: name for name in unread}, ("", [])
    if not unread:
        return [], {}, ("", [])
    if golden and len(unread) > 1:
        return [], {}, _ask_wide(unread, [], without=unread[1:])
    if golden:
        readings = [_word_reading({unread[0]: word}) for word in (c.RESPONSE, IGNORE)]
        return [], {}, (f"{quote_text(unread[0])}: does it hold the responses?", readings)
    first, *others = [*candidates.bare, *unread]
    if not others:
        return [], {}, ("", [])
    readings = [
        _word_reading({first: c.ANSWER} | dict.fromkeys(others, c.RESPONSE)),
        _word_reading({others[0]: c.ANSWER, first: c.RESPONSE}),
    ]
    return [], {}, (f"{list_names([first, *others])}: which is the golden answer?", readings)


def _settle_bare(
    columns: Columns,
    candidates: Candidates,
    words: Mapping[str, str],
    bare: str,
    golden: str,
    *,
    responds: bool,
) -> tuple[str, tuple[str, list[Reading]]]:
    """The column of bare answers, and the two readings where the golden answers may be where it stands."""
    if responds or not golden or words.get(golden) != c.ANSWER or golden not in candidates.golden:
        return bare, ("", [])
    names_answer = not _MAY_BE_PLACE.search(plain_name(golden))
    alike = share_words(columns.cells(golden), columns.cells(bare)) >= _ALIKE
    if names_answer and (alike or columns.look(bare).filled < ENOUGH):
        return bare, ("", [])
    if names_answer and not candidates.choices and columns.look(golden).words > 1:
        return bare, ("", [])
    readings = [
        _word_reading({golden: c.ANSWER, bare: c.RESPONSE}),
        _word_reading({bare: c.ANSWER, golden: IGNORE}),
    ]
    return "", (f"{list_names([golden, bare])}: which is the golden answer?", readings)


def _complete(
    columns: Columns,
    mapping: Mapping[str, str],
    candidates: Candidates,
    layout: Layout,
    guesses: list[Guess],
    readings: tuple[str, list[Reading]],
) -> Layout:
    """The layout with what is left out, what tells rows apart, and the readings, the question's among them."""
    read = {*layout.words, *layout.pipelines, *layout.choices.values(), *mapping, layout.bare}
    doubt, ways = readings
    ignored = [
        name
        for name in (
            *candidates.produced,
            *candidates.grouped,
            *candidates.bare,
            *candidates.golden,
            *candidates.unread,
            *_list_named_answers(columns),
        )
        if name not in read
    ]
    guesses += [
        columns.guess(name, "", f"its name says {read_column_name(name).word}, but {why}")
        for name, why in _list_contradicted(columns, read)
    ]
    named = [name for name, word in layout.words.items() if word in (c.PIPELINE, c.REPEAT)]
    question = find_question(layout.words)
    separating: Sequence[str] = ()
    if question and c.RESPONSE in layout.words.values():
        separating = find_separating(columns, [question, *named], read)
    return replace(
        layout,
        guesses=tuple(guesses),
        doubt=doubt,
        readings=tuple(ways),
        ignored=tuple(dict.fromkeys(ignored)),
        separating=tuple(separating),
    )


def _list_named_answers(columns: Columns) -> Iterator[str]:
    """Columns of texts that are named answers and are none that counts: wrong answers, other answers."""
    for name in columns.names:
        look = columns.look(name)
        is_text = look.says_something and not look.is_no_text and not look.repeats
        if is_text and re.search("answer|response", plain_name(name)) and read_column_name(name).word == META:
            yield name


def _list_contradicted(columns: Columns, read: Iterable[str]) -> Iterator[tuple[str, str]]:
    columns_read = set(read)
    for name in columns.names:
        word = read_column_name(name).word
        if name not in columns_read and word and word != META and (why := contradiction(columns, name, word)):
            yield name, why
