"""The names that people give to our columns, and how the columns of a file are mapped to them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from qaviz.loading.column_guess import (
    NOT_UNDERSTOOD,
    Columns,
    Guess,
    Reading,
    explain_left_out,
    find_choices,
    find_names,
    find_separating,
    guess_words,
    list_readings,
    read_texts_by_content,
)
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import quote_text
from qaviz.loading.readers.table import Kind
from qaviz.loading.response_columns import find_answers, find_question
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError

SCORES = "scores"
"""What FMEval's own output calls the scores of a response."""

IGNORE = ""
"""What a mapping says of a column that is to be left out."""

_QUESTION = {
    c.QUESTION_ID: (c.QUESTION_ID, "id", "qid", "query_id", "example_id", "instance_id"),
    c.QUESTION: (c.QUESTION, "query", "user_input", "input", "input_text", "prompt", "model_input"),
}

GOLDEN_NAMES: Mapping[str, Sequence[str]] = _QUESTION | {
    c.ANSWER: (
        # Beside these, a column `answer` is rather what a pipeline answered.
        "ground_truth_answer", "ground_truth", "golden_answer", "gold_answer", "reference_answer", "reference_answers",
        "reference_response", "expected_answer", "expected_output", "expected_response", "expected", "target_output",
        "gt_answer", "generation_gt", "best_answer", "ideal",
        # A reference beside it may be where the answer stands.
        c.ANSWER, "reference", "reference_output", "target",
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
"""The names of a golden dataset's columns, for each word the best first."""

RESPONSE_NAMES: Mapping[str, Sequence[str]] = _QUESTION | {
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
"""The names of the columns of responses, for each word the best first."""

_KINDS: Mapping[str, Kind] = {
    c.QUESTION_ID: Kind.ID,
    c.GRADE: Kind.ID,
    c.REPEAT: Kind.ID,
    c.ANSWERABLE: Kind.FLAG,
    c.LATENCY_MS: Kind.NUMBER,
    c.COST: Kind.NUMBER,
    c.CONFIDENCE: Kind.NUMBER,
    **dict.fromkeys((c.CONTEXTS, c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS, c.CONTEXT_SCORES), Kind.TEXTS),
    **dict.fromkeys((c.PASSAGE_ID, c.EVIDENCE), Kind.TEXTS),
    SCORES: Kind.SCORES,
    c.THEIR_SCORES: Kind.SCORES,
}

BRING_GOLDEN = "These responses have no golden answers: bring a golden dataset."

BRING_RESPONSES = "These golden answers have no responses: bring a file of responses."

PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them mean that the wrong columns were taken for pipelines."""

_NAMED = 30
"""Columns that a problem names."""

_DOUBTS = 3
"""Columns that a problem says may be what is lacking."""


def kind_of(word: str) -> Kind:
    """What the cells of one of our words are."""
    return _KINDS.get(word, Kind.TEXT)


@dataclass(frozen=True)
class Layout:
    """How a file's columns are read."""

    words: Mapping[str, str]
    """Their column -> our word."""
    pipelines: tuple[str, ...] = ()
    """Wide form: the columns that each hold the responses of one pipeline. Empty in long form."""
    lacking: tuple[str, ...] = ()
    """What has to be there and is not: `a column "question"`."""
    guesses: tuple[Guess, ...] = ()
    """Why columns are read as they are, or left out, where a mapping did not say so; and the doubtful ones, which are
    not in `words`."""

    no_golden: bool = False
    """Whether a golden dataset's answers are lacking because the file holds responses."""
    no_responses: bool = False
    """Whether responses are lacking because the file is a golden dataset."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Of a multiple-choice golden dataset the columns of the options, by their labels."""
    separating: tuple[str, ...] = ()
    """Columns that tell apart responses of one pipeline to one question."""
    readings: tuple[Reading, ...] = ()
    """What a person may choose from where something is lacking."""

    def kinds(self) -> dict[str, Kind]:
        """Which columns to read, and as what."""
        texts = (*self.pipelines, *self.choices.values())
        return {name: kind_of(word) for name, word in self.words.items()} | dict.fromkeys(texts, Kind.TEXT)

    def problems(self, where: str, columns: Sequence[str]) -> tuple[Problem, ...]:
        """One for each thing that is lacking, with the columns that may be it."""
        fault = f"the columns {list_names(columns)}"
        return tuple(
            Problem(where=where, found=fault, expected=expected, fix=self._remedy(expected))
            for expected in self.lacking
        )

    def _remedy(self, expected: str) -> str:
        if self.no_golden:
            return f"{BRING_GOLDEN} Name it first, and this file after it."
        if self.no_responses:
            return f"{BRING_RESPONSES} Name this file first, and that one after it; or map the column."
        maybe = [guess for guess in self.guesses if not guess.certain and f'"{guess.word}"' in expected]
        if not maybe:
            return "Rename the column, or map it."
        words = "; ".join(f"{quote_text(guess.column)} may be it ({guess.why})" for guess in maybe[:_DOUBTS])
        return f"Say which it is: {words}. Map it: --map {quote_text(f'{maybe[0].column}={maybe[0].word}')}"


def golden_layout(where: str, columns: Sequence[str], mapping: Mapping[str, str], cells: Cells | None = None) -> Layout:
    """How to read a golden dataset whose first cells are `cells`. Raises QavizError for a mapping that does not fit the
    columns."""
    _check(where, columns, GOLDEN_NAMES, mapping)
    seen = Columns(columns, cells or {})
    guesses, words = _guess_golden(seen, mapping)
    present = set(words.values())
    lacking = []
    if c.QUESTION not in present:
        lacking.append(f'a column "{c.QUESTION}"')
    if not present & {c.ANSWER, c.FACT}:
        lacking.append(f'a column "{c.ANSWER}" or "{c.FACT}"')
    unread = any(guess.why.startswith(NOT_UNDERSTOOD) for guess in guesses)
    no_golden = bool(lacking) and not mapping and not unread and _are_responses(where, columns, cells)
    choices = find_choices(seen, next((name for name, word in words.items() if word == c.ANSWER), None))
    used = (*words, *mapping, *choices.values())
    left_out = explain_left_out(seen, [name for name in columns if name not in used])
    there = ((c.QUESTION, c.QUESTION in present), (c.ANSWER, bool(present & {c.ANSWER, c.FACT})))
    return Layout(
        words,
        lacking=tuple(lacking),
        guesses=(*guesses, *left_out),
        no_golden=no_golden,
        choices=choices,
        readings=() if no_golden else list_readings([word for word, given in there if not given], guesses),
    )


def _guess_golden(seen: Columns, mapping: Mapping[str, str]) -> tuple[list[Guess], dict[str, str]]:
    """What the columns are as a golden dataset's: the guesses, and the words of those that are certain.

    Where no heading says which the golden answers are, the cells decide.
    """
    guesses = guess_words(seen, GOLDEN_NAMES, mapping)
    words = _keep_certain(guesses, mapping)
    if {c.ANSWER, c.FACT} & set(words.values()):
        return guesses, words
    question = find_question(words, {})
    golden, _ = read_texts_by_content(seen, question, [*words, *mapping, *find_names(seen, question)])
    if golden:
        guesses = [*(guess for guess in guesses if guess.word != c.ANSWER), *golden]
    return guesses, words | _keep_certain(golden, {})


def _are_responses(where: str, columns: Sequence[str], cells: Cells | None) -> bool:
    """Whether the columns are whole as responses: to questions, or under ids in a column that says what it holds."""
    layout = response_layout(where, columns, {}, cells)
    words = set(layout.words.values())
    return not layout.lacking and (c.QUESTION in words or {c.QUESTION_ID, c.RESPONSE} <= words)


def response_layout(
    where: str, columns: Sequence[str], mapping: Mapping[str, str], cells: Cells | None = None
) -> Layout:
    """How to read responses whose first cells are `cells`. Raises QavizError for a mapping that does not fit.

    A file without a column for the response is in wide form: a column that is no word of ours, and whose cells are
    texts, is a pipeline. So are the columns of a mapping that names several as the response.
    """
    _check(where, columns, RESPONSE_NAMES, mapping)
    seen = Columns(columns, cells or {})
    mapped = tuple(name for name, word in mapping.items() if word == c.RESPONSE)
    guesses = guess_words(seen, RESPONSE_NAMES, mapping, skipped=[c.RESPONSE])
    words = _keep_certain(guesses, mapping)
    _, golden = _guess_golden(seen, {})
    pipelines = mapped if len(mapped) > 1 else ()
    question = find_question(words, golden)
    if not mapped:
        guesses, words, pipelines = find_answers(
            seen, guesses, words, golden, RESPONSE_NAMES[c.RESPONSE], question=question, mapping=mapping
        )
    lacking = []
    if not {c.QUESTION_ID, c.QUESTION} & set(words.values()):
        lacking.append(f'a column "{c.QUESTION_ID}" or "{c.QUESTION}"')
    if not pipelines and c.RESPONSE not in words.values():
        elsewhere = ", here or in a file of responses" if c.FACT in golden.values() else ""
        lacking.append(f'a column "{c.RESPONSE}", or a column for each pipeline{elsewhere}')
    if len(pipelines) > PIPELINE_LIMIT:
        lacking.append(f'a column "{c.RESPONSE}", or at most {PIPELINE_LIMIT:,} columns that are pipelines')
    if pipelines:
        words = {name: word for name, word in words.items() if word not in (c.RESPONSE, c.PIPELINE)}
    no_responses = c.QUESTION in words.values() and bool(lacking) and bool({c.ANSWER, c.FACT} & set(golden.values()))
    read = (*words, *pipelines, *mapping)
    left_out = explain_left_out(seen, [name for name in columns if name not in read])
    named = [name for name, word in words.items() if word in (c.PIPELINE, c.REPEAT)]
    used = [*words, *pipelines, *(name for name, word in golden.items() if word not in (c.CATEGORY, c.SOURCE, c.TAGS))]
    there = (
        (c.QUESTION, bool({c.QUESTION_ID, c.QUESTION} & set(words.values()))),
        (c.RESPONSE, bool(pipelines or c.RESPONSE in words.values())),
    )
    return Layout(
        words,
        pipelines,
        tuple(lacking),
        (*guesses, *left_out),
        no_responses=no_responses,
        separating=tuple(find_separating(seen, question, named, used)),
        readings=list_readings([word for word, given in there if not given], guesses),
    )


def _keep_certain(guesses: Sequence[Guess], mapping: Mapping[str, str]) -> dict[str, str]:
    mapped = {name: word for name, word in mapping.items() if word != IGNORE}
    return mapped | {guess.column: guess.word for guess in guesses if guess.certain}


def find_later_words(names: Mapping[str, Sequence[str]], layout: Layout, mapping: Mapping[str, str]) -> dict[str, str]:
    """What a file may bring after its header: columns whose names say that they are a word the header lacks."""
    lacking = [word for word in names if word not in layout.words.values()]
    return {name: word for word in lacking for name in names[word] if name not in mapping}


def add_later_words(layout: Layout, later: Mapping[str, str], columns: Sequence[str]) -> Layout:
    """The layout with those of the later columns that came: the first for each word."""
    words = dict(layout.words)
    for name, word in later.items():
        if name in columns and name not in words and word not in words.values():
            words[name] = word
    return replace(layout, words=words)


def _check(where: str, columns: Sequence[str], names: Mapping[str, Sequence[str]], mapping: Mapping[str, str]) -> None:
    claims = {word: [name for name, mapped in mapping.items() if mapped == word] for word in names}
    faults = [
        *(
            (f"no column {quote_text(name)}", f"one of {list_names(columns)}")
            for name in mapping
            if name not in columns
        ),
        *(
            (f"{quote_text(name)} mapped to {quote_text(word)}", f"one of {list_names(names)}")
            for name, word in mapping.items()
            if word not in {*names, IGNORE}
        ),
        *(
            (f"{list_names(claims[word])} mapped to {quote_text(word)}", "one column a word")
            for word in names
            if len(claims[word]) > 1 and word not in (c.RESPONSE, c.PIPELINE)
        ),
    ]
    if faults:
        fix = "Correct the mapping."
        raise QavizError(*(Problem(where=where, found=fault, expected=expected, fix=fix) for fault, expected in faults))


def list_names(names: Iterable[str]) -> str:
    """The names in quotes, the first of many."""
    all_names = list(names)
    rest = len(all_names) - _NAMED
    return ", ".join(map(quote_text, all_names[:_NAMED])) + (f" and {rest:,} more" if rest > 0 else "") or "none"


LayOut = Callable[[str, Sequence[str], Mapping[str, str], Cells], Layout]
"""From a file's name, columns, mapping and first cells, how to read it."""


@dataclass(frozen=True)
class Role:
    """What a file is read as."""

    names: Mapping[str, Sequence[str]]
    """Our words, each with the names it goes by."""
    layout: LayOut
    """How it is read as that."""


GOLDEN = Role(GOLDEN_NAMES, golden_layout)
RESPONSES = Role(RESPONSE_NAMES, response_layout)


def assign_pairs(
    pairs: Mapping[str, str], columns: Sequence[Sequence[str]], roles: Sequence[Role], where: str
) -> list[dict[str, str]]:
    """For each file with these columns and this role the pairs (their column -> our word) that apply to it.

    Raises QavizError, `where` in front, for a pair that applies to none.
    """
    spoken = [
        {theirs: ours for theirs, ours in pairs.items() if theirs in present and (not ours or ours in role.names)}
        for present, role in zip(columns, roles, strict=True)
    ]
    unheard = [theirs for theirs in pairs if not any(theirs in taken for taken in spoken)]
    if unheard:
        there = list(dict.fromkeys(name for present in columns for name in present))
        raise QavizError(*(_describe_idle_pair(theirs, pairs[theirs], there, where) for theirs in unheard))
    return spoken


def _describe_idle_pair(theirs: str, ours: str, there: Sequence[str], where: str) -> Problem:
    words = dict.fromkeys([*GOLDEN.names, *RESPONSES.names])
    if theirs not in there:
        fault, expected = f"no column {theirs!r} in the files", f"one of {', '.join(map(repr, there))}"
    else:
        fault, expected = f"the word {ours!r} for a file that has no place for it", f"one of {', '.join(words)}"
    return Problem(where=f"{where} {theirs}={ours}", found=fault, expected=expected, fix="Correct the mapping.")
