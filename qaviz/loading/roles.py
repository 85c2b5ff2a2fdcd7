"""What each column of a table is: by its name (`terms.toml`), tested on its cells. Where two readings pass, both are
kept for a person to choose from.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import polars as pl

from qaviz.loading.formats.cells import read_texts
from qaviz.loading.load_log import quote_text
from qaviz.loading.looks import ENOUGH, Look, look_at, share_inside, share_words
from qaviz.loading.terms import META, Sense, plain_name, read_column_name, read_senses
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError

IGNORE = ""
"""What a mapping says of a column that is to be left out."""

GOLDEN_NAMES: Mapping[str, Sequence[str]] = {
    c.QUESTION_ID: (c.QUESTION_ID, "id", "qid", "query_id", "example_id", "instance_id"),
    c.QUESTION: (c.QUESTION, "query", "user_input", "input", "input_text", "prompt", "model_input"),
    c.ANSWER: (
        "ground_truth_answer", "ground_truth", "golden_answer", "gold_answer", "reference_answer", "reference_answers",
        "reference_response", "expected_answer", "expected_output", "expected_response", "expected", "target_output",
        "gt_answer", "generation_gt", "best_answer", "ideal", c.ANSWER, "reference", "reference_output", "target",
    ),
    c.FACT: (c.FACT, "facts", "golden_fact", "ground_truth_fact", "factual_ground_truth", "expected_fact"),
    c.CATEGORY: (c.CATEGORY, "topic", "question_type"),
    c.ANSWERABLE: (c.ANSWERABLE, "is_answerable"),
    c.SOURCE: (c.SOURCE, "source_file", "source_doc_id", "doc_id", "document"),
    c.TAGS: (c.TAGS, "tag"),
    c.PASSAGE_ID: (
        c.PASSAGE_ID, "passage_ids", "golden_passage_id", "gold_passage_id", "relevant_ids", "reference_context_ids",
        "retrieval_gt",
    ),
    c.EVIDENCE: (
        c.EVIDENCE, "evidence_text", "evidences", "golden_passage", "gold_passage", "golden_context",
        "reference_contexts", "reference_context",
    ),
}  # fmt: skip  # a line a name would be a page of names
"""The names of what tables say of questions, for each word the best first."""

RESPONSE_NAMES: Mapping[str, Sequence[str]] = {
    c.PIPELINE: (
        c.PIPELINE, "pipeline_name", "model", "model_name", "model_id", "model_identifier", "provider", "system",
    ),
    c.RESPONSE: (
        c.RESPONSE, "model_output", "actual_output", "model_response", "generated_answer", "predicted_text",
        "prediction_text", "prediction", "agent_answer", "output", "completion", c.ANSWER,
    ),
    c.REPEAT: (c.REPEAT, "repeat_id", "repetition", "epoch", "trial"),
    c.LATENCY_MS: (c.LATENCY_MS, "latency"),
    c.COST: (c.COST,),
    c.ERROR: (c.ERROR,),
    c.JUDGE: (c.JUDGE,),
    c.JUDGE_REASON: (c.JUDGE_REASON,),
    c.THEIR_SCORES: (c.THEIR_SCORES,),
    c.CONTEXTS: (c.CONTEXTS, "retrieved_contexts", "retrieval_context", "retrieved_context", "context"),
    c.CONTEXT_IDS: (c.CONTEXT_IDS, "retrieved_context_ids", "retrieved_ids", "retrieved_doc_ids"),
    c.CONTEXT_DOCUMENTS: (c.CONTEXT_DOCUMENTS, "context_sources", "retrieved_documents", "context_titles"),
    c.CONTEXT_SCORES: (c.CONTEXT_SCORES, "retrieval_scores"),
}  # fmt: skip  # as above
"""The names of what tables say of pipelines."""

NAMES = GOLDEN_NAMES | RESPONSE_NAMES
_ANSWERS = (c.ANSWER, c.RESPONSE, c.PIPELINE)
"""Words that several columns may be, so that names alone do not decide."""

PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them mean that the wrong columns were taken for pipelines."""

_NAMED = 30
"""Columns that a problem names."""
OVERLAP = 0.5
"""Share of rows with a word of the question, the golden answer or another response: then cells are like answers."""
_ALIKE = 0.3
"""Share of rows from which on two columns answer the same questions."""
_EQUAL = 0.9
"""Share of rows from which two columns say the same."""
_MANY = 10
"""Filled cells from which on it counts how many of them differ."""
_SHORT = 5
"""Words of a label or a system's name, at most."""
_LONGEST_NAME = 80
_MOST_NAMES = 40
"""Systems that one column names, at most."""
_SAMPLED = 300
"""Rows whose cells are looked at."""
_FEW_SECONDS = 60
"""A latency below this, with decimals, is rather in seconds than in milliseconds."""

_MAY_BE_PLACE = re.compile(r"^(reference|ref|target)s?$|(text|content|value|key)s?$")
"""Names of golden answers that leave it open whether they are where an answer beside them stands."""
_SYSTEM = re.compile(
    r"([a-z]|[pvms][\W_]*\d{1,3}|(p|v|m|s|sys|system|pipeline|model|run|variant|config|experiment|exp|option|candidate"
    r"|version|rag|baseline|bot|pipe|llm|agent|prod|staging|new|old|before|after|current|proposed)"
    r"([\W_]+\w{0,3}|\d{1,3}\w?|(?-i:[A-Z]))?)",
    re.IGNORECASE,
)
"""Names that people give to pipelines."""
_FORM = frozenset(
    "raw full parsed unparsed extracted complete original processed cleaned clean stripped normalized normalised final "
    "formatted text string content cot short long value json".split()
)
"""What names say of the form of one response: the others beside it are the same response in another form."""
_EXPECTED = re.compile(r"^(expected|gold|golden|reference|target|true|correct|gt|ground_truth)_")
_NO_NAME = re.compile(r"[.!?。！？]$|\b(?:not?|unknown|sorry|cannot|none)\b|n't", re.IGNORECASE)
"""What names do not say, and short responses do."""
_OPTION = re.compile(r"(?:(?:option|choice|opt|op|answer|ans|distractor)[\s_.-]*)?\(?([a-h]|[1-8])\)?", re.IGNORECASE)
_FEWEST_OPTIONS = 3
_OPTIONS_SAID = 0.8
"""Share of the answers that have to name an option."""


@dataclass(frozen=True)
class Guess:
    """What one column is taken for."""

    column: str
    word: str
    """One of our words; empty where it is left out."""
    why: str
    """The evidence, as part of a sentence."""
    example: str = ""
    """One of its cells, shortened."""
    certain: bool = True
    """Whether it is applied without a person's yes."""


@dataclass(frozen=True)
class Reading:
    """One of two ways to read a table that is in doubt."""

    label: str
    """In words: `"Reply" holds the responses`."""
    mapping: Mapping[str, str]
    """The columns that it settles -> our word, "" for one that is left out."""

    def flags(self) -> str:
        """What a person copies to have it read so."""
        return " ".join(f"--map {_in_quotes(f'{name}={word}')}" for name, word in self.mapping.items())


def _in_quotes(text: str) -> str:
    """The text whole, as a shell takes it."""
    return "'" + text.replace("'", "'\\''") + "'" if set(text) & set('"$`\\!') else f'"{text}"'


@dataclass(frozen=True)
class Layout:
    """How a table's columns are read."""

    words: Mapping[str, str]
    """Their column -> our word."""
    pipelines: Mapping[str, str] = field(default_factory=dict)
    """Wide form: the columns that each hold the responses of one pipeline, and its name. Empty in long form."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Of multiple choice the columns of the options, by their labels."""
    bare: str = ""
    """A column of answers of which the table does not say whose they are: the other tables may."""
    guesses: tuple[Guess, ...] = ()
    """Why columns are read as they are, and what others may be."""
    doubt: str = ""
    """What the two readings differ in, in words."""
    readings: tuple[Reading, ...] = ()
    """What a person may choose from; empty where nothing is in doubt."""
    ignored: tuple[str, ...] = ()
    """Columns that are left out and look like answers."""
    separating: tuple[str, ...] = ()
    """Columns that tell apart responses of one pipeline to one question."""

    @property
    def has_golden(self) -> bool:
        """Whether it says what is right."""
        return bool({c.ANSWER, c.FACT} & set(self.words.values()))

    @property
    def has_responses(self) -> bool:
        """Whether it says what pipelines answered."""
        return bool(self.pipelines) or c.RESPONSE in self.words.values()

    @property
    def asks(self) -> bool:
        """Whether it says which question a row is about."""
        return bool({c.QUESTION, c.QUESTION_ID} & set(self.words.values()))

    def settle_bare(self, word: str) -> "Layout":
        """The layout with its bare answers as this word."""
        return replace(self, words={**self.words, self.bare: word}, bare="")


@dataclass(frozen=True)
class Columns:
    """A table's first rows, every cell as text, and what its columns look like."""

    frame: pl.DataFrame
    _looks: dict[str, Look] = field(default_factory=dict)
    _cells: dict[str, list[str | None]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """All columns."""
        return self.frame.columns

    def cells(self, name: str) -> list[str | None]:
        """The first cells of a column."""
        if name not in self._cells:
            self._cells[name] = self.frame[name].head(_SAMPLED).to_list()
        return self._cells[name]

    def look(self, name: str) -> Look:
        """What they look like."""
        if name not in self._looks:
            self._looks[name] = look_at(self.cells(name))
        return self._looks[name]

    def guess(self, name: str, word: str, why: str, *, certain: bool = True) -> Guess:
        """What a column is taken for, with one of its cells."""
        return Guess(name, word, why, self.look(name).example, certain)

    def count_groups(self, names: Iterable[str]) -> int:
        """How many different rows these columns have."""
        return self.frame.select(*dict.fromkeys(names)).n_unique()


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
    return replace(layout, words=words, doubt=layout.doubt or f"{quote_text(question)}: is it the question?", readings=ways)


def check_mapping(columns: Sequence[str], mapping: Mapping[str, str], where: str) -> None:
    """Raise QavizError for columns that are not there, words that are none, and words of several columns."""
    claims = {word: [name for name, mapped in mapping.items() if mapped == word] for word in NAMES}
    faults = [
        *(
            (f"no column {quote_text(name)}", f"one of {list_names(columns)}")
            for name in mapping
            if name not in columns
        ),
        *(
            (f"{quote_text(name)} mapped to {quote_text(word)}", f"one of {list_names(NAMES)}")
            for name, word in mapping.items()
            if word not in {*NAMES, IGNORE}
        ),
        *(
            (f"{list_names(claims[word])} mapped to {quote_text(word)}", "one column a word")
            for word in NAMES
            if len(claims[word]) > 1 and word not in (c.RESPONSE, c.PIPELINE)
        ),
    ]
    if faults:
        fix = "Correct the mapping."
        raise QavizError(*(Problem(where=where, found=fault, expected=expected, fix=fix) for fault, expected in faults))


def assign_pairs(pairs: Mapping[str, str], columns: Sequence[Sequence[str]], where: str) -> list[dict[str, str]]:
    """For each file with these columns the pairs (their column -> our word) that apply to it.

    Raises QavizError, `where` in front, for a pair that applies to none, or has no word of ours.
    """
    there = list(dict.fromkeys(name for present in columns for name in present))
    faults = [(theirs, ours) for theirs, ours in pairs.items() if theirs not in there or ours not in {*NAMES, IGNORE}]
    if faults:
        raise QavizError(
            *(
                Problem(
                    where=f"{where} {theirs}={ours}",
                    found=f"no column {quote_text(theirs)} in the files"
                    if theirs not in there
                    else f"the word {quote_text(ours)}",
                    expected=f"one of {list_names(there if theirs not in there else NAMES)}",
                    fix="Correct the mapping.",
                )
                for theirs, ours in faults
            )
        )
    return [{theirs: ours for theirs, ours in pairs.items() if theirs in present} for present in columns]


def list_names(names: Iterable[str]) -> str:
    """The names in quotes, the first of many."""
    all_names = list(names)
    rest = len(all_names) - _NAMED
    return ", ".join(map(quote_text, all_names[:_NAMED])) + (f" and {rest:,} more" if rest > 0 else "") or "none"


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


def contradiction(columns: Columns, name: str, word: str, *, sure: bool = False) -> str:
    """Why the cells of a column cannot be what its name says; empty if they can.

    A column that is called as we call it is what it says, and a name that is `sure` is doubted less.
    """
    look = columns.look(name)
    if not look.says_something or plain_name(name) == word:
        return ""
    check = _CHECKS.get(word)
    return check(columns, name, look, sure) if check else ""


def _no_question(columns: Columns, name: str, look: Look, _: bool) -> str:
    if look.is_no_text:
        return "its cells are no texts"
    several = any(column != name and read_column_name(column).word == c.QUESTION for column in columns.names)
    return "all its cells are the same" if look.distinct == 1 and several else ""


def _no_answer(_columns: Columns, name: str, look: Look, sure: bool) -> str:
    if look.is_link:
        return "its cells are web addresses or files"
    if look.is_flag and (plain_name(name) == "correct" or plain_name(name).endswith("_correct")):
        return "its cells say whether it is right"
    return "its cells are 0 and 1" if look.is_flag and look.is_number and not sure else ""


def _no_fact(columns: Columns, name: str, look: Look, sure: bool) -> str:
    return "its cells are yes and no" if look.is_flag and not sure else _no_answer(columns, name, look, sure)


def _no_pipeline(_columns: Columns, _name: str, look: Look, sure: bool) -> str:
    if look.filled >= _MANY and look.distinct > look.filled // 2 and look.words > _SHORT:
        return "its cells are texts of their own"
    return "its cells are numbers" if look.is_number and not sure else ""


def _no_contexts(columns: Columns, name: str, look: Look, _: bool) -> str:
    if look.is_number or look.is_flag:
        return "its cells are no texts"
    first = [text for cell in columns.cells(name)[:_MANY] for text in read_texts(cell) or ()]
    has_words = any(len(text.split()) > 1 or not text.isascii() for text in first)
    return "its cells are names of passages, and no texts" if first and not has_words else ""


def _no_flag(_columns: Columns, _name: str, look: Look, _: bool) -> str:
    return "" if look.is_flag else "its cells are not yes and no"


def _no_label(_columns: Columns, _name: str, look: Look, _: bool) -> str:
    is_prose = look.filled >= _MANY and look.distinct > _EQUAL * look.filled and look.words > _SHORT
    return "its cells are texts of their own" if is_prose else ""


def _no_id(columns: Columns, name: str, look: Look, _: bool) -> str:
    """A number of its own for each row, while questions repeat, counts rows: it is no question's id."""
    question = next((name for name in columns.names if read_column_name(name).word == c.QUESTION), None)
    if question is None or question == name or look.distinct < look.filled:
        return ""
    questions = columns.look(question)
    if questions.filled == look.filled and questions.distinct <= look.filled // 2:
        return "it counts rows: the questions repeat and it does not"
    return ""


def _no_figure(_columns: Columns, _name: str, look: Look, _: bool) -> str:
    return "its cells are no numbers" if look.numbers < 1 - OVERLAP else ""


def _no_latency(columns: Columns, name: str, look: Look, sure: bool) -> str:
    if "ms" not in read_column_name(name).why:
        figures = [float(cell) for cell in columns.cells(name) if cell and re.fullmatch(r"\d+(\.\d+)?", cell.strip())]
        if figures and max(figures) < _FEW_SECONDS and any(figure != int(figure) for figure in figures):
            return "its cells look like seconds; map it if they are milliseconds"
    return _no_figure(columns, name, look, sure)


_CHECKS: Mapping[str, Callable[[Columns, str, Look, bool], str]] = {
    c.QUESTION: _no_question,
    c.ANSWER: _no_answer,
    c.RESPONSE: _no_answer,
    c.FACT: _no_fact,
    c.QUESTION_ID: _no_id,
    c.PIPELINE: _no_pipeline,
    c.CONTEXTS: _no_contexts,
    c.LATENCY_MS: _no_latency,
    c.COST: _no_figure,
    c.ANSWERABLE: _no_flag,
    c.CATEGORY: _no_label,
    c.TAGS: _no_label,
}
"""For each word what its cells cannot be."""


@dataclass
class _Found:
    """The columns that may hold answers, and what they may be."""

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
    names: list[str]
    """Columns whose cells may name who answered, the likeliest first."""
    choices: dict[str, str]


def _find_answers(columns: Columns, mapping: Mapping[str, str], words: dict[str, str], guesses: list[Guess]) -> Layout:
    """The layout: which columns are golden answers, responses and pipelines, and what is left open."""
    found = _sort_columns(columns, mapping, words)
    mapped = [name for name, word in mapping.items() if word == c.RESPONSE]
    readings: tuple[str, list[Reading]] = ("", [])
    bare = ""
    if c.ANSWER not in words.values() and found.golden:
        words[found.golden[0]] = c.ANSWER
        guesses.append(columns.guess(found.golden[0], c.ANSWER, _why(found.golden[0], c.ANSWER)))
    golden = next((name for name, word in words.items() if word == c.ANSWER), "")
    question = find_question(words)
    named = [name for name, word in words.items() if word == c.PIPELINE]
    pipelines: dict[str, str] = {}
    if len(mapped) > 1:
        pipelines = {name: name for name in mapped}
    elif not named and not found.grouped and (pick := _choose_pipeline(columns, found.names, question, words)):
        named = [pick]
        words[pick] = c.PIPELINE
        guesses.append(columns.guess(pick, c.PIPELINE, _why_named(columns, pick)))
    responses: list[str] = []
    if not mapped:
        responses, pipelines, readings = _choose_responses(columns, found, golden, named)
    if responses:
        words[responses[0]] = c.RESPONSE
        guesses.append(columns.guess(responses[0], c.RESPONSE, _why(responses[0], c.RESPONSE)))
    left = [name for name in found.bare if name not in (*words, *pipelines)]
    if left and not readings[1]:
        bare, readings = _settle_bare(
            columns, found, words, left, golden, responds=bool(mapped or responses or pipelines)
        )
        if bare and not golden and c.FACT in words.values():
            words[bare] = c.ANSWER
            guesses.append(columns.guess(bare, c.ANSWER, "a fact stands beside it"))
            bare = ""
        elif bare and (named or (golden and not (responses or pipelines or mapped))):
            words[bare] = c.RESPONSE
            guesses.append(columns.guess(bare, c.RESPONSE, _why(bare, c.RESPONSE)))
            bare = ""
        elif bare and (responses or pipelines or mapped) and not golden:
            words[bare] = c.ANSWER
            guesses.append(columns.guess(bare, c.ANSWER, "the responses stand in other columns"))
            bare = ""
    if pipelines:
        words = {name: word for name, word in words.items() if word not in (c.RESPONSE, c.PIPELINE)}
    return _complete(columns, mapping, found, Layout(words, pipelines, found.choices, bare), guesses, readings)


def _why(name: str, word: str) -> str:
    return read_column_name(name).why or f"its name is one for {word}"


def _why_named(columns: Columns, name: str) -> str:
    return f"its {columns.look(name).distinct} values stand beside many questions: they name who answered"


def find_question(words: Mapping[str, str]) -> str:
    """The column that says what was asked; empty if there is none."""
    return next((name for wanted in (c.QUESTION, c.QUESTION_ID) for name, word in words.items() if word == wanted), "")


def _sort_columns(columns: Columns, mapping: Mapping[str, str], words: Mapping[str, str]) -> _Found:
    """What the columns that are not taken may be, as far as answers and pipelines go."""
    free = [name for name in columns.names if name not in words and name not in mapping]
    bare = [name for name in free if plain_name(name) == c.ANSWER or read_column_name(name).is_bare_answer]
    golden = [
        name
        for name in free
        if name not in bare and _says(name, c.ANSWER) and not contradiction(columns, name, c.ANSWER, sure=True)
    ]
    golden.sort(key=lambda name: (not columns.look(name).filled, *_rank(name, c.ANSWER)))
    taken_answer = next((name for name, word in words.items() if word == c.ANSWER), "")
    answer = taken_answer or next(iter([*golden, *bare]), "")
    choices = find_choices(columns, answer)
    question = find_question(words)
    free = [name for name in free if name not in choices.values() and name not in golden]
    names = _find_names(columns, free, question, [answer] if answer else [])
    grouped = group_objects(free)
    produced = [
        name
        for name in free
        if name not in bare
        and name not in grouped
        and _says(name, c.RESPONSE)
        and not (name in names and not _is_text(columns, name))
    ]
    numeric = not answer or columns.look(answer).is_number
    produced = [name for name in produced if _may_be_response(columns, name, numeric=numeric)]
    produced = [name for name in produced if not _repeats_column(columns, name, words, answer)]
    flags = not answer or columns.look(answer).is_flag
    produced = [name for name in produced if flags or not columns.look(name).is_flag or plain_name(name) == c.RESPONSE]
    produced = [name for name in produced if not _is_other_field(columns, name)]
    produced.sort(key=lambda name: _rank(name, c.RESPONSE))
    known = [name for name in (question, answer, *bare, *produced) if name]
    others = [name for name in free if name not in (*bare, *produced, *names, *grouped)]
    unread = [name for name in others if _is_like_answers(columns, name, known)]
    return _Found(golden, bare, produced, grouped, unread, names, choices)


def _says(name: str, word: str) -> bool:
    """Whether a column's name says that it holds answers of this kind."""
    names, named = NAMES[word], read_column_name(name)
    if plain_name(name) in names and plain_name(name) != c.ANSWER:
        return True
    return named.word == word or (word == c.RESPONSE and named.word == c.PIPELINE and plain_name(name) != c.PIPELINE)


def _rank(name: str, word: str) -> tuple[int, bool]:
    names = NAMES[word]
    return (
        names.index(plain_name(name)) if plain_name(name) in names else len(names),
        not read_column_name(name).certain,
    )


def _is_text(columns: Columns, name: str) -> bool:
    """Whether the cells are texts of their own and no names: "Model" may be what the model said."""
    return read_column_name(name).word == c.PIPELINE and bool(contradiction(columns, name, c.PIPELINE, sure=True))


def _may_be_response(columns: Columns, name: str, *, numeric: bool) -> bool:
    """Whether the cells of a column with a response's name can be responses."""
    look = columns.look(name)
    if read_column_name(name).word == c.PIPELINE and plain_name(name) not in RESPONSE_NAMES[c.RESPONSE]:
        return _is_text(columns, name)
    if not look.says_something or plain_name(name) == c.RESPONSE:
        return not (look.filled and look.is_link)
    figures = look.is_number and (not numeric or (look.repeats and not read_column_name(name).certain))
    return not (look.is_link or figures)


def _repeats_column(columns: Columns, name: str, words: Mapping[str, str], answer: str) -> bool:
    """Whether the cells only repeat those of the question or of long golden answers."""
    others = [other for other, word in words.items() if word in (c.QUESTION, c.FACT)] + ([answer] if answer else [])
    return any(share_equal(columns, name, other) >= _EQUAL for other in others if _is_long(columns, name, other, words))


def _is_long(columns: Columns, name: str, other: str, words: Mapping[str, str]) -> bool:
    return other != name and (words.get(other) == c.QUESTION or columns.look(name).words >= _SHORT)


def share_equal(columns: Columns, name: str, other: str) -> float:
    """Share of the filled cells that say what the other column says in their row; 0 where they are few."""
    both = [
        (left.strip().casefold(), (right or "").strip().casefold())
        for left, right in zip(columns.cells(name), columns.cells(other), strict=True)
        if left and left.strip()
    ]
    return sum(left == right for left, right in both) / len(both) if len(both) > ENOUGH + 1 else 0.0


def _is_other_field(columns: Columns, name: str) -> bool:
    """Whether it has a golden counterpart that is no answer: `predicted_program` beside `expected_program`."""
    rest = plain_name(name).partition("_")[2]
    if not rest or read_column_name(rest).word in (c.RESPONSE, c.QUESTION):
        return False
    return any(_EXPECTED.sub("", plain_name(other)) == rest != plain_name(other) for other in columns.names)


def _is_like_answers(columns: Columns, name: str, known: Sequence[str]) -> bool:
    """Whether a column under a name that says nothing holds texts that share words with questions and answers, and are
    no part of them."""
    look = columns.look(name)
    is_system = _SYSTEM.fullmatch(name.strip()) is not None
    if read_column_name(name).word is not None or not look.filled or look.counts or look.lists > OVERLAP:
        return False
    if re.fullmatch(r"column \d+", name):
        return False  # it has no name at all
    if look.is_no_text and not (is_system and (not look.says_something or not look.is_number)):
        return False
    if look.says_something and look.repeats and look.words <= 2:
        return False
    cells, beside = columns.cells(name), [columns.cells(other) for other in known if other != name]
    if any(share_inside(cells, other) >= OVERLAP for other in beside) and not is_system:
        return False
    return is_system or share_words(cells, *beside) >= OVERLAP


def group_objects(names: Sequence[str]) -> dict[str, str]:
    """The fields that are responses of several objects with the same fields, with the objects' names: `arms.rag.answer`
    and `arms.base.answer` are those of `rag` and `base`. Empty where there are no such objects."""
    best: dict[str, str] = {}
    for last in dict.fromkeys(name.rpartition(".")[2] for name in names if "." in name):
        if not read_column_name(last).is_bare_answer and read_column_name(last).word != c.RESPONSE:
            continue
        objects = {name: name.removesuffix(f".{last}") for name in names if name.endswith(f".{last}")}
        fields = [
            {name[len(outer) + 1 :] for name in names if name.startswith(f"{outer}.")} for outer in objects.values()
        ]
        if (
            len(objects) > len(best)
            and len(objects) > 1
            and all(len(inner & fields[0]) * 2 >= len(inner | fields[0]) for inner in fields)
        ):
            shared = _shared_beginning(list(objects.values()))
            best = {name: outer[len(shared) :] for name, outer in objects.items()}
            if {"input", "output", "expected", "reference"} & {outer.lower() for outer in best.values()}:
                best = {}
    return best


def _shared_beginning(names: Sequence[str]) -> str:
    """The outer names that all have in common, with the dot behind."""
    parts = [name.split(".") for name in names]
    count = 0
    while all(len(part) > count + 1 and part[count] == parts[0][count] for part in parts):
        count += 1
    return "".join(f"{part}." for part in parts[0][:count])


def _find_names(columns: Columns, free: Sequence[str], question: str, golden: Sequence[str]) -> list[str]:
    """The columns whose names or cells say who answered, those by name first."""
    by_name = [
        name for name in free if read_column_name(name).word == c.PIPELINE or plain_name(name) in NAMES[c.PIPELINE]
    ]
    by_name = [
        name
        for name in by_name
        if columns.look(name).filled and not contradiction(columns, name, c.PIPELINE, sure=True)
    ]
    by_name.sort(key=lambda name: (columns.look(name).distinct == 1, *_rank(name, c.PIPELINE)))
    answers = {_plain(cell) for name in golden for cell in columns.cells(name)}
    by_cells = [
        name
        for name in free
        if name not in by_name
        and read_column_name(name).word in (None, c.RESPONSE)
        and plain_name(name) not in RESPONSE_NAMES[c.RESPONSE]
        and question
        and _are_names(columns, name, columns.cells(question), answers)
    ]
    return [*by_name, *by_cells]


def _are_names(columns: Columns, name: str, questions: Sequence[str | None], answers: set[str | None]) -> bool:
    """Whether cells are few short values, each over several questions, and no golden answers."""
    look = columns.look(name)
    if (
        look.filled < ENOUGH
        or look.is_no_text
        or look.distinct > _MOST_NAMES
        or look.words > _SHORT
        or look.distinct < 2
    ):
        return False
    questions_by_name: dict[str, set[str | None]] = {}
    for cell, question in zip(columns.cells(name), questions, strict=True):
        if cell and cell.strip():
            questions_by_name.setdefault(cell.strip(), set()).add(question)
    several = sum(len(of) > 1 for of in questions_by_name.values())
    if several < max(1, 0.8 * len(questions_by_name)):
        return False
    if any(len(value) > _LONGEST_NAME or _NO_NAME.search(value) for value in questions_by_name):
        return False
    if all(len(value) == 1 for value in questions_by_name):
        return False  # letters of options
    different = len(set(questions))
    if len(questions_by_name) > max(1, different // 2) and len(questions_by_name) * 2 > look.filled:
        return False
    return sum(_plain(value) in answers for value in questions_by_name) * 2 < len(questions_by_name)


def _plain(cell: str | None) -> str | None:
    return cell.strip().casefold() if cell and cell.strip() else None


def _choose_pipeline(columns: Columns, names: Sequence[str], question: str, words: Mapping[str, str]) -> str:
    """Of several columns that may name the pipeline the one that leaves no duplicates; the likeliest where none does.

    A column whose name says nothing counts only where questions repeat, and it tells their rows apart.
    """
    by_name = [name for name in names if _says(name, c.RESPONSE) or read_column_name(name).word == c.PIPELINE]
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


def _choose_responses(columns: Columns, found: _Found, golden: str, named: Sequence[str]) -> Choice:
    """Which columns hold the responses."""
    produced = [name for name in found.produced if name not in named]
    if found.grouped and not named:
        return [], found.grouped, ("", [])
    if named and not produced and not found.bare and len(found.unread) == 1:
        return list(found.unread), {}, ("", [])
    if named:
        return _choose_one(columns, produced or ([] if found.bare else found.unread))
    if len(produced) == 1 and not _is_system(produced[0]):
        return produced, {}, ("", [])
    if produced:
        return _choose_wide(columns, found, produced)
    numbered = [name for name in found.bare if re.search(r"\d\s*$", name)]
    if golden and len(numbered) > 1 and len(numbered) == len(found.bare):
        return [], {name: name for name in numbered}, ("", [])
    if found.bare and (golden or not found.unread):
        return [], {}, ("", [])
    return _choose_unread(columns, found, golden)


def _choose_one(columns: Columns, produced: Sequence[str]) -> Choice:
    """Of the columns of one table with names of pipelines the one that holds the responses."""
    if len(produced) < 2 or plain_name(produced[0]) == c.RESPONSE or _are_the_same(columns, produced):
        return list(produced[:1]), {}, ("", [])
    return [], {}, _ask_which(produced)


def _are_the_same(columns: Columns, names: Sequence[str]) -> bool:
    return all(share_equal(columns, names[0], name) >= _EQUAL for name in names[1:])


def _ask_which(names: Sequence[str]) -> tuple[str, list[Reading]]:
    """Which of several columns holds the one response: parsed or raw, final or in full."""
    readings = [
        Reading(
            f"{quote_text(name)} holds the responses",
            {name: c.RESPONSE} | {other: IGNORE for other in names if other != name},
        )
        for name in names[:2]
    ]
    return f"{list_names(names)}: which of them holds the responses?", readings


def _choose_wide(columns: Columns, found: _Found, produced: Sequence[str]) -> Choice:
    """A column for each system; where some columns are rather forms of one response, what they are is asked."""
    marks = {name: _tell_system(name) for name in produced}
    systems = [name for name in produced if marks[name] or _is_system(name)]
    if len(systems) < len(produced):
        if plain_name(produced[0]) == c.RESPONSE and not (len(systems) > 1):
            return [produced[0]], {}, ("", [])
        if len(systems) < 2:
            return ([produced[0]], {}, ("", [])) if _are_the_same(columns, produced) else ([], {}, _ask_which(produced))
        return [], {}, _ask_wide(systems, [name for name in produced if name not in systems])
    if len(produced) > 1 and len({marks[name] or name for name in produced}) < len(produced):
        return [], {}, _ask_which(produced)
    if found.unread:
        return [], {}, _ask_wide([*produced, *found.unread], [], without=found.unread)
    return [], {name: name for name in produced}, ("", [])


def _tell_system(name: str) -> str:
    """What a name says beside that it is a response: the system's name; empty where it says nothing, or its form."""
    return " ".join(
        word for word in read_senses(name, without=(Sense.PRODUCED, Sense.ANSWER, Sense.FILLER)) if word not in _FORM
    )


def _is_system(name: str) -> bool:
    return read_column_name(name).is_pipeline or bool(_SYSTEM.fullmatch(name.strip()))


def _ask_wide(names: Sequence[str], others: Sequence[str], without: Sequence[str] = ()) -> tuple[str, list[Reading]]:
    """Whether some columns are pipelines of their own: with them, and without."""
    every = [*names, *others]
    few = [name for name in names if name not in without]
    readings = [
        Reading(f"{list_names(every)} are a pipeline each", dict.fromkeys(every, c.RESPONSE)),
        Reading(
            f"{list_names(few)} {'are a pipeline each' if len(few) > 1 else 'holds the responses'}",
            dict.fromkeys(few, c.RESPONSE) | dict.fromkeys([*others, *without], IGNORE),
        ),
    ]
    return f"{list_names(every)}: which of them are pipelines?", readings if few else readings[:1]


def _choose_unread(columns: Columns, found: _Found, golden: str) -> Choice:
    """Columns whose names say nothing: pipelines where they are named like some, else a person says what they are."""
    unread = found.unread
    if len(unread) > PIPELINE_LIMIT:
        return [], dict.fromkeys(unread, ""), ("", [])  # refused for their number
    options = len(unread) >= _FEWEST_OPTIONS and all(_OPTION.fullmatch(name.strip()) for name in unread)
    if (
        unread
        and all(_SYSTEM.fullmatch(name.strip()) for name in unread)
        and not (options and not (golden or found.bare))
    ):
        return [], {name: name for name in unread}, ("", [])
    if not unread:
        return [], {}, ("", [])
    if golden and len(unread) > 1:
        return [], {}, _ask_wide(unread, [], without=unread[1:])
    if golden:
        reading = Reading(f"{quote_text(unread[0])} holds the responses", {unread[0]: c.RESPONSE})
        other = Reading(f"{quote_text(unread[0])} is left out", {unread[0]: IGNORE})
        return [], {}, (f"{quote_text(unread[0])}: does it hold the responses?", [reading, other])
    first, *others = [*found.bare, *unread]
    if not others:
        return [], {}, ("", [])
    readings = [
        Reading(
            f"{quote_text(first)} is the golden answer, {list_names(others)} the responses",
            {first: c.ANSWER} | dict.fromkeys(others, c.RESPONSE),
        ),
        Reading(
            f"{quote_text(others[0])} is the golden answer, {quote_text(first)} the responses",
            {others[0]: c.ANSWER, first: c.RESPONSE},
        ),
    ]
    return [], {}, (f"{list_names([first, *others])}: which is the golden answer?", readings)


def _settle_bare(
    columns: Columns, found: _Found, words: Mapping[str, str], left: Sequence[str], golden: str, *, responds: bool
) -> tuple[str, tuple[str, list[Reading]]]:
    """The column of bare answers, and the two readings where the golden answers may be where it stands."""
    bare = left[0]
    if responds or not golden or words.get(golden) != c.ANSWER or golden not in found.golden:
        return bare, ("", [])
    told = not _MAY_BE_PLACE.search(plain_name(golden))
    alike = share_words(columns.cells(golden), columns.cells(bare)) >= _ALIKE
    if told and (alike or columns.look(bare).filled < ENOUGH):
        return bare, ("", [])
    if told and not found.choices and columns.look(golden).words > 1:
        return bare, ("", [])
    readings = [
        Reading(
            f"{quote_text(golden)} is the golden answer, {quote_text(bare)} the response",
            {golden: c.ANSWER, bare: c.RESPONSE},
        ),
        Reading(f"{quote_text(bare)} is the golden answer", {bare: c.ANSWER, golden: IGNORE}),
    ]
    return "", (f"{list_names([golden, bare])}: which is the golden answer?", readings)


def _complete(
    columns: Columns,
    mapping: Mapping[str, str],
    found: _Found,
    layout: Layout,
    guesses: list[Guess],
    readings: tuple[str, list[Reading]],
) -> Layout:
    """The layout with what is left out, what tells rows apart, and the readings, the question's among them."""
    read = {*layout.words, *layout.pipelines, *layout.choices.values(), *mapping, layout.bare}
    doubt, ways = readings
    ignored = [
        name
        for name in (*found.produced, *found.grouped, *found.bare, *found.golden, *found.unread)
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


def _list_contradicted(columns: Columns, read: Iterable[str]) -> Iterator[tuple[str, str]]:
    known = set(read)
    for name in columns.names:
        word = read_column_name(name).word
        if name not in known and word and word != META and (why := contradiction(columns, name, word)):
            yield name, why


def find_separating(columns: Columns, keys: Sequence[str], used: Iterable[str]) -> list[str]:
    """The fewest columns, two at most, that tell apart the rows that are alike in the keys; none where no rows are."""
    rows, before = columns.frame.height, columns.count_groups(keys)
    if before == rows:
        return []
    taken = set(used)
    others = [
        name for name in columns.names if name not in taken and 1 < columns.look(name).distinct <= max(2, rows // 2)
    ]
    others.sort(key=lambda name: read_column_name(name).word == META)
    for size in (1, 2):
        counted = [(columns.count_groups([*keys, *names]), names) for names in combinations(others[:20], size)]
        best = max(counted, key=lambda entry: entry[0], default=(before, ()))
        if best[0] == rows:
            return list(best[1])
    return list(best[1]) if best[0] > before else []


def find_choices(columns: Columns, answer: str) -> dict[str, str]:
    """The columns of a multiple-choice question's options by their labels, where the golden answer names one of them;
    empty where there are none."""
    options = {}
    for name in columns.names:
        match = _OPTION.fullmatch(plain_name(name)) or _OPTION.fullmatch(name.strip())
        if match and name != answer:
            options[match[1].upper()] = name
    if len(options) < _FEWEST_OPTIONS or not answer:
        return {}
    labels = sorted(options)
    start = "A" if labels[0].isalpha() else "1"
    if labels != [chr(ord(start) + place) for place in range(len(labels))]:
        return {}
    given = [
        (cell.strip(), {columns.cells(option)[place] for option in options.values()})
        for place, cell in enumerate(columns.cells(answer))
        if cell and cell.strip()
    ]
    named = sum(name_option(cell, labels) is not None for cell, _ in given)
    spelled = sum(cell in row for cell, row in given)
    return options if given and max(named, spelled) >= _OPTIONS_SAID * len(given) else {}


def name_option(answer: str, labels: Sequence[str]) -> str | None:
    """The label of the option that an answer names: `B`, `b)`, `(B)`, `2`, `Option B`; None where it names none."""
    match = _OPTION.fullmatch(answer.strip().rstrip(".:)"))
    if not match:
        return None
    label = match[1].upper()
    if label not in labels and label.isdigit() and int(label) <= len(labels):
        return labels[int(label) - 1]
    return label if label in labels else None
