"""Which columns hold responses: one column of a long table, or a column for each pipeline of a wide one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from qaviz.loading.column_guess import OVERLAP, Columns, Guess, contradiction
from qaviz.loading.column_senses import META, plain_name, read_column_name
from qaviz.loading.column_values import ENOUGH, share_inside, share_words
from qaviz.loading.readings import (
    choose_pipeline,
    find_choices,
    find_fault,
    find_names,
    numbers_repeats,
    read_texts_by_content,
    repeats,
)
from qaviz.model.columns import ANSWER, FACT, PIPELINE, QUESTION, QUESTION_ID, REPEAT, RESPONSE

_SYSTEM = re.compile(
    r"([a-z]|[pvms][\W_]*\d{1,3}|(p|v|m|s|sys|system|pipeline|model|run|variant|config|experiment|exp|option|candidate"
    r"|version|rag|baseline|bot|pipe|llm|agent|prod|staging|new|old|before|after|current|proposed)"
    r"([\W_]+\w{0,3}|\d{1,3}\w?|(?-i:[A-Z]))?)",
    re.IGNORECASE,
)
"""Names that people give to pipelines."""

_WHOLE = re.compile(r"(full|raw|unparsed|complete|original)_")
"""How names begin of responses in full, beside what was read out of them."""

_NUMBERED = re.compile(r"\d\s*$")

_SETTING = re.compile(r"(chunk_?size|top_?k|k|temperature|alpha)")
"""Names of numbers that people set up pipelines by."""

_EXPECTED = re.compile(r"^(expected|gold|golden|reference|target|true|correct|gt|ground_truth)_")

_MOST_SETUPS = 20
"""Setups that one column tells apart, at most."""


@dataclass(frozen=True)
class Answers:
    """Which columns hold responses."""

    response: Guess | None = None
    """Long form: the one column."""
    pipelines: tuple[str, ...] = ()
    """Wide form: a column each."""
    doubtful: tuple[Guess, ...] = ()
    """Columns that may hold responses: a person has to map them."""


def find_question(words: Mapping[str, str], golden: Mapping[str, str]) -> str | None:
    """The column that says what was asked."""
    pairs = [*words.items(), *golden.items()]
    return next((name for wanted in (QUESTION, QUESTION_ID) for name, word in pairs if word == wanted), None)


def find_answers(
    seen: Columns,
    guesses: Sequence[Guess],
    words: Mapping[str, str],
    golden: Mapping[str, str],
    aliases: Sequence[str],
    *,
    question: str | None,
    mapping: Mapping[str, str],
) -> tuple[list[Guess], dict[str, str], tuple[str, ...]]:
    """The guesses and words with those of the response, and in wide form the pipelines. `asked` is the column of the
    questions, `aliases` are names of the response's column."""
    guesses, words = list(guesses), dict(words)
    answer = next((name for name, word in golden.items() if word == ANSWER), None)
    choices = find_choices(seen, answer)
    names = find_names(seen, question, [name for name, word in golden.items() if word in (ANSWER, FACT)])
    names = [name for name in names if plain_name(name) not in aliases]
    has_pipeline = PIPELINE in words.values()
    named = None if has_pipeline else choose_pipeline(seen, names, [*words, *mapping])
    if named:
        guesses = [*(guess for guess in guesses if guess.column != named.column), named]
        words[named.column] = PIPELINE
    taken = [*words, *mapping, *names, *choices.values()]
    has_pipeline = has_pipeline or named is not None
    answers = _find_responses(seen, aliases, taken, golden, has_pipeline=has_pipeline)
    answers = _without_golden_cells(seen, answers, golden)
    guesses = [*guesses, *answers.doubtful]
    pipelines = answers.pipelines
    repeated = question is not None and repeats(seen, question)
    if (has_pipeline or repeated) and len(pipelines) == 1 and not answers.response:
        # One column of texts beside one of names, or under questions that repeat, is what several said.
        why = "it is the only column of texts that may hold responses"
        answers = Answers(Guess(pipelines[0], RESPONSE, why, seen.look(pipelines[0]).example))
        pipelines = ()
    if not answers.response and not pipelines:
        used = [*taken, *(name for name, word in golden.items() if word in (QUESTION, ANSWER, FACT))]
        _, by_content = read_texts_by_content(seen, question, used)
        if by_content:
            guesses = [*(guess for guess in guesses if guess.word != RESPONSE), *by_content]
        answers = Answers(next((guess for guess in by_content if guess.certain), None))
    if answers.response:
        guesses.append(answers.response)
        words[answers.response.column] = RESPONSE
        if not mapping and (setup := _find_setup(seen, {**golden, **words}, answers.response.column)):
            word = REPEAT if numbers_repeats(setup.column) else PIPELINE
            guesses = [replace(setup, word=word), *(guess for guess in guesses if guess.word != word)]
            words = {name: ours for name, ours in words.items() if ours != word} | {setup.column: word}
    return guesses, words, pipelines


def _without_golden_cells(seen: Columns, answers: Answers, golden: Mapping[str, str]) -> Answers:
    """The answers but columns that only repeat a golden one; these are doubtful."""
    names = [answers.response.column] if answers.response else [*answers.pipelines]
    faults = {name: why for name in names if (why := find_fault(seen, name, golden))}
    if not faults:
        return answers
    doubtful = [Guess(name, RESPONSE, why, seen.look(name).example, certain=False) for name, why in faults.items()]
    return Answers(
        None if answers.response and answers.response.column in faults else answers.response,
        tuple(name for name in answers.pipelines if name not in faults),
        (*answers.doubtful, *doubtful),
    )


def _find_responses(
    columns: Columns,
    aliases: Sequence[str],
    taken: Sequence[str],
    golden: Mapping[str, str],
    *,
    has_pipeline: bool,
) -> Answers:
    """The columns with responses among those that are not `taken`. `golden` is what a golden dataset would make of the
    file's columns; `has_pipeline` whether a column names the pipeline."""
    free = [name for name in columns.names if name not in taken]
    golden_answers = [name for name, word in golden.items() if word == ANSWER]
    bare = [name for name in free if _is_bare(name)]
    other_answer = any(name not in bare for name in golden_answers)
    responses = [
        name for name in free if name not in bare and _says_response(columns, name, aliases) and name not in golden
    ]
    numeric = _answers_are_numbers(columns, golden_answers)
    responses = [name for name in responses if not _is_no_response(columns, name, numeric=numeric)]
    responses = _without_flags(columns, responses, golden_answers)
    responses, fields = _without_fields(columns, responses)
    responses, forms = _without_forms(columns, responses)
    fields += forms
    systems = [name for name in responses if _is_system(name) and plain_name(name) not in aliases]
    by_alias = [name for name in responses if plain_name(name) in aliases]
    long = sorted(by_alias, key=lambda name: aliases.index(plain_name(name)))
    if not long and (len(responses) == 1 and (has_pipeline or not systems)):
        long = responses
    if long:
        return Answers(response=_response(columns, long[0]))
    has_fact = FACT in golden.values()
    if len(bare) > 1 and other_answer and not has_pipeline and all(_NUMBERED.search(name) for name in bare):
        return Answers(pipelines=tuple(bare))
    if bare and (has_pipeline or other_answer):
        return Answers(response=_response(columns, bare[0]))
    if responses or fields:
        return Answers(pipelines=tuple(responses), doubtful=tuple(fields))
    unknown = [name for name in free if name not in (*bare, *golden)]
    sure = other_answer or has_fact or not bare
    certain, doubtful = _guess_unnamed(columns, unknown, golden, bare, sure=sure, numeric=numeric)
    if bare and not has_fact and not certain:
        return Answers(response=_response(columns, bare[0]), doubtful=tuple(doubtful))
    return Answers(pipelines=tuple(certain), doubtful=tuple(doubtful))


def _find_setup(columns: Columns, words: Mapping[str, str], response: str) -> Guess | None:
    """The column that tells apart the responses to the same question, where the file names no pipelines or only one:
    `mode`, `retriever`, `with_rag`. Each question has to stand once with each of its values, and to be answered
    differently, or it says who judged, or by which metric."""
    question = find_question(words, {})
    named = next((name for name, word_read in words.items() if word_read == PIPELINE), None)
    if question is None or (named and columns.look(named).distinct > 1):
        return None
    setup = [
        name
        for name in columns.names
        if name not in words and name != response and _tells_apart(columns, name, question, response)
    ]
    if len(setup) != 1:
        return None
    return Guess(
        setup[0], PIPELINE, "it tells apart the responses to the same question", columns.look(setup[0]).example
    )


def _tells_apart(columns: Columns, name: str, question_column: str, response: str) -> bool:
    look = columns.look(name)
    no_setup = look.is_number or read_column_name(name).word in (META, REPEAT)
    if not 1 < look.distinct <= _MOST_SETUPS or (no_setup and not _SETTING.fullmatch(plain_name(name))):
        return False
    responses_by_setup: dict[str | None, dict[str | None, str | None]] = {}
    rows = list(zip(*(columns.cells.get(column, ()) for column in (question_column, name, response)), strict=False))
    for question, setup, answer in rows:
        responses_by_setup.setdefault(question, {})[setup] = answer
    once = sum(map(len, responses_by_setup.values())) == len(rows)
    # The rows are the first of a file, and may end between the setups of a question.
    whole = all(
        len(responses) == look.distinct
        for responses in list(responses_by_setup.values())[:-1] or responses_by_setup.values()
    )
    return once and whole and any(len(set(responses.values())) > 1 for responses in responses_by_setup.values())


def _response(columns: Columns, name: str) -> Guess:
    return Guess(
        name, RESPONSE, read_column_name(name).why or "its name is one for response", columns.look(name).example
    )


def _is_system(name: str) -> bool:
    return read_column_name(name).is_pipeline or bool(_SYSTEM.fullmatch(name.strip()))


def _is_bare(name: str) -> bool:
    return plain_name(name) == ANSWER or read_column_name(name).is_bare_answer


def _says_response(columns: Columns, name: str, aliases: Sequence[str]) -> bool:
    word = read_column_name(name).word
    if word == PIPELINE and plain_name(name) != PIPELINE:
        # "Model" may be what the model said.
        return bool(contradiction(columns, name, PIPELINE, sure=True))
    return plain_name(name) in aliases or word == RESPONSE


def _answers_are_numbers(columns: Columns, golden: Sequence[str]) -> bool:
    """Whether responses may be numbers: the golden answers are, or the file has none that says they are not."""
    return not golden or any(columns.look(name).is_number for name in golden)


def _is_no_response(columns: Columns, name: str, *, numeric: bool) -> bool:
    look = columns.look(name)
    if not look.says_something or plain_name(name) == RESPONSE:
        return False
    figures = look.is_number and (not numeric or (look.repeats and not read_column_name(name).certain))
    return look.is_link or figures


def _without_flags(columns: Columns, responses: Sequence[str], golden: Sequence[str]) -> list[str]:
    """The columns but those of yes and no beside texts: `rag_ok`, `answer_match`, `with_rag`."""
    if not any(not columns.look(name).is_flag for name in golden or responses):
        return list(responses)
    return [name for name in responses if not columns.look(name).is_flag or plain_name(name) == RESPONSE]


def _without_forms(columns: Columns, responses: Sequence[str]) -> tuple[list[str], list[Guess]]:
    """The columns but those that hold another's response in full, or another field than the answer; these are
    doubtful."""
    whole = dict.fromkeys(
        (name for name in responses if _WHOLE.match(plain_name(name))), "it may be the same response in full"
    )
    whole |= {name: f"{other} is expected beside it" for name in responses if (other := _counterpart(columns, name))}
    if len(whole) == len(responses):
        return list(responses), []
    doubtful = [Guess(name, RESPONSE, why, columns.look(name).example, certain=False) for name, why in whole.items()]
    return [name for name in responses if name not in whole], doubtful


def _counterpart(columns: Columns, name: str) -> str | None:
    """The golden counterpart of a field that is no answer: `expected_program` of `predicted_program`."""
    rest = plain_name(name).partition("_")[2]
    if not rest or read_column_name(rest).word in (RESPONSE, QUESTION):
        return None
    return next(
        (name for name in columns.names if _EXPECTED.sub("", plain_name(name)) == rest != plain_name(name)), None
    )


def _without_fields(columns: Columns, responses: Sequence[str]) -> tuple[list[str], list[Guess]]:
    """The columns but those that are fields of one object (`actual.value`, `actual.found`), unless all its fields are
    texts as responses by pipeline are; and the texts among these as doubtful."""
    fields: list[Guess] = []
    for outer in dict.fromkeys(name.rpartition(".")[0] for name in responses if "." in name):
        inside = [name for name in columns.names if name.startswith(f"{outer}.")]
        texts = [name for name in inside if not columns.look(name).is_no_text and "." not in name[len(outer) + 1 :]]
        if outer and len(inside) > 1 and len(texts) < len(inside):
            why = f"it is one of {len(inside)} fields of {outer}"
            fields += [Guess(name, RESPONSE, why, columns.look(name).example, certain=False) for name in texts]
            responses = [name for name in responses if name not in inside]
    return list(responses), fields


def _guess_unnamed(
    columns: Columns,
    unknown: Sequence[str],
    golden: Mapping[str, str],
    bare: Sequence[str],
    *,
    sure: bool,
    numeric: bool,
) -> tuple[list[str], list[Guess]]:
    """Columns whose names say nothing: those that are pipelines, and those that may be. `sure` is whether the file has
    golden answers by a name that says so, `numeric` whether responses may be numbers."""
    golden_columns = [name for name, word in golden.items() if word in (QUESTION, ANSWER)]
    texts = [name for name in unknown if read_column_name(name).word is None]
    texts = [name for name in texts if not _is_about_the_row(columns, name, numeric=numeric)]
    rows = max((columns.look(name).filled for name in golden_columns), default=0)
    certain: list[str] = []
    doubtful: list[Guess] = []
    for name in texts:
        beside = [columns.cells.get(column, ()) for column in (*golden_columns, *bare, *texts) if column != name]
        why = "its name says nothing, and its cells share few words with the questions and answers"
        if rows >= ENOUGH > columns.look(name).filled:
            why = "most of its cells are empty"
        elif _repeats_known(columns, name, golden_columns):
            why = "its cells stand in the questions or in the golden answers"
        elif not sure and not _is_system(name):
            why = "its name says nothing, and none says which the golden answers are"
        elif _is_pipeline(columns, name, beside, alone=len(texts) == 1 and not bare):
            certain.append(name)
            continue
        doubtful.append(Guess(name, RESPONSE, why, columns.look(name).example, certain=False))
    return certain, doubtful


def _repeats_known(columns: Columns, name: str, known: Sequence[str]) -> bool:
    """Whether most cells are part of the same row's question or golden answer: subjects and objects, no responses."""
    cells = columns.cells.get(name, ())
    return not _SYSTEM.fullmatch(name.strip()) and any(
        share_inside(cells, columns.cells.get(column, ())) >= OVERLAP for column in known
    )


def _is_about_the_row(columns: Columns, name: str, *, numeric: bool) -> bool:
    """Whether the cells are numbers, dates, links, or a few values over and over: metadata, and no responses."""
    look = columns.look(name)
    if not look.says_something:
        # A single number among the first rows says enough where nothing speaks for a pipeline.
        return bool(look.filled) and look.is_no_text and not _SYSTEM.fullmatch(name.strip())
    if look.is_no_text and not numeric:
        return True
    if _SYSTEM.fullmatch(name.strip()):
        return look.is_number and look.counts
    return look.is_no_text or look.lists > OVERLAP or (look.repeats and look.words <= 2)


def _is_pipeline(columns: Columns, name: str, beside: Sequence[Sequence[str | None]], *, alone: bool) -> bool:
    look = columns.look(name)
    if not look.says_something or _SYSTEM.fullmatch(name.strip()):
        return True
    overlap = share_words(columns.cells.get(name, ()), *beside)
    return overlap >= OVERLAP or (alone and overlap > 0)
