"""FMEval's own output: what its files look like, and one of them with its responses, what they were scored against,
and scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.column_mapping import SCORES, Layout, Role
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import FILE, entry, quote_text
from qaviz.loading.readers import strict_json
from qaviz.loading.readers.jsonl import LINE_LIMIT
from qaviz.loading.readers.reading import InWords, read
from qaviz.loading.readers.table import LINE
from qaviz.loading.source import Source, open_text
from qaviz.model import columns as c
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Progress

TARGET = "\0target"
"""The column of what FMEval scored against."""

FAILURE = "\0failure"
"""The column of what FMEval wrote in place of scores; null where it wrote them."""

_SUFFIXES = (".jsonl", ".ndjson", ".json")
MODEL_OUTPUT = "model_output"
"""The response."""
SCORES_FIELD = SCORES
_MARKS = (MODEL_OUTPUT, SCORES_FIELD)

MODEL_INPUT = "model_input"
"""The question: FMEval keeps no ids, and reorders rows."""
TARGET_OUTPUT = "target_output"
"""What FMEval scored against: the fact, or the answer."""
_NEEDED = (MODEL_INPUT, MODEL_OUTPUT, TARGET_OUTPUT, SCORES_FIELD)
CATEGORY_FIELD = "category"
ERROR_FIELD = "error"
"""Why a row has no scores."""

NAME, VALUE, ERROR = "name", "value", "error"
"""What each entry of the scores has: a name, and a value or an error."""
_WORDS = {
    MODEL_INPUT: c.QUESTION,
    MODEL_OUTPUT: c.RESPONSE,
    TARGET_OUTPUT: TARGET,
    CATEGORY_FIELD: c.CATEGORY,
    ERROR_FIELD: ERROR,
    SCORES_FIELD: SCORES_FIELD,
}
_ROW_ERROR = "\0row error"


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """One of FMEval's algorithms, which writes one file."""

    name: str
    """As FMEval begins the names of its files."""
    label: str
    target: str
    """Our column that it scores against."""
    scores: tuple[str, ...]
    """In FMEval's order."""
    beside: tuple[str, ...] = ()
    """Scores that not every release gives, and that are kept where a file brings them."""
    why_not: str
    """Our column that says why the scores are missing."""
    sample: int
    """How many rows FMEval draws by default (`num_records`), always the same ones."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All of its scores."""
        return (*self.scores, *self.beside)


@dataclass(frozen=True, kw_only=True)
class Output:
    """One file of FMEval's own output."""

    source: Source
    evaluation: Evaluation
    frame: pl.DataFrame
    """One row a response: FILE, LINE, question_id (null), question, response, category, TARGET, the evaluation's
    columns, why scores are missing (null where all are there), and FAILURE. Blank texts but the response are null."""
    notes: Sequence[pl.DataFrame]
    """What is to be listed of the file."""


def is_fmeval_output(source: Source) -> bool:
    """Whether the file begins as FMEval's own output does. One that cannot be read does not: loading it says why."""
    if source.suffix not in _SUFFIXES:
        return False
    try:
        with open_text(source) as stream:
            row = strict_json.value(stream.readline(LINE_LIMIT))
    except (QavizError, ValueError, RecursionError):
        return False
    return isinstance(row, dict) and all(name in row for name in _MARKS) and isinstance(row[SCORES_FIELD], list)


def read_output(source: Source, progress: Progress) -> Output:
    """The file's responses with FMEval's scores.

    Raises QavizError with every problem of the file, and if its scores are not those of one question-answering
    evaluation.
    """
    contents = read(source, Role({word: (name,) for name, word in _WORDS.items()}, _layout), progress)
    columns = contents.columns(c.QUESTION, c.RESPONSE, c.CATEGORY, TARGET, ERROR, SCORES_FIELD)
    texts = pl.col(c.QUESTION, c.CATEGORY, TARGET, ERROR)
    given = contents.table.frame.select(columns).with_columns(
        pl.when(texts.str.strip_chars() != "").then(texts), pl.lit(None, pl.String).alias(c.QUESTION_ID)
    )
    scores = given.select(LINE, SCORES_FIELD).explode(SCORES_FIELD).drop_nulls().unnest(SCORES_FIELD)
    evaluation = _evaluation(source, scores)
    frame = _with_scores(given.drop(SCORES_FIELD), scores, evaluation)
    return Output(source=source, evaluation=evaluation, frame=frame, notes=_notes(contents, scores, evaluation))


def _layout(where: str, columns: Sequence[str], _mapping: Mapping[str, str], _cells: Cells | None = None) -> Layout:
    lacking = [quote_text(name) for name in _NEEDED if name not in columns]
    if lacking:
        fault = f"FMEval's own output without {' and '.join(lacking)}"
        fix = "Have FMEval write it: a DataConfig with model_input_location, model_output_location and so on does."
        raise stop(where, fault, ", ".join(_NEEDED), fix)
    return Layout({name: word for name, word in _WORDS.items() if name in columns})


def _evaluation(source: Source, scores: pl.DataFrame) -> Evaluation:
    """The evaluation that wrote the file. Raises QavizError for another one, for none and for a mixture."""
    names = scores.get_column(NAME).unique(maintain_order=True)
    scored = {SCORE_NAMES.get(name) for name in names}
    wrote = [evaluation for evaluation in EVALUATIONS if scored.intersection(evaluation.scores)]
    if len(wrote) == 1:
        return wrote[0]
    labels = " or ".join(evaluation.label for evaluation in EVALUATIONS)
    fault = f"the scores {', '.join(map(quote_text, names))}" if len(names) else "no scores"
    fix = "Keep each evaluation in the file that FMEval wrote; other evaluations have no place here."
    raise stop(source.name, fault, f"those of {labels}, one evaluation a file", fix)


def _with_scores(given: pl.DataFrame, scores: pl.DataFrame, evaluation: Evaluation) -> pl.DataFrame:
    """The rows with a column a score and the reason why scores are missing."""
    named = scores.with_columns(pl.col(NAME).replace_strict(SCORE_NAMES, default=None))
    values = named.drop_nulls(NAME).unique([LINE, NAME], keep="first").pivot(NAME, index=LINE, values=VALUE)
    lacking = [name for name in evaluation.columns if name not in values.columns]
    values = values.with_columns(pl.lit(None, pl.Float64).alias(name) for name in lacking)
    of_evaluation = named.filter(pl.col(NAME).is_in(evaluation.scores), pl.col(ERROR).str.strip_chars() != "")
    errors = of_evaluation.group_by(LINE).agg(pl.col(ERROR).first().alias(_ROW_ERROR))
    rows = given.join(values, on=LINE, how="left", maintain_order="left")
    rows = rows.join(errors, on=LINE, how="left", maintain_order="left")
    missing = [pl.when(pl.col(name).is_null()).then(pl.lit(name)) for name in evaluation.scores]
    unnamed = pl.lit("FMEval's output has no ") + pl.concat_list(missing).list.drop_nulls().list.join(", ")
    incomplete = pl.when(pl.any_horizontal(pl.col(evaluation.scores).is_null()))
    failure = pl.coalesce(_ROW_ERROR, pl.col(ERROR))
    return rows.select(
        *(FILE, LINE, c.QUESTION_ID, c.QUESTION, c.RESPONSE, c.CATEGORY, TARGET, *evaluation.columns),
        incomplete.then(pl.coalesce(failure, unnamed)).alias(evaluation.why_not),
        incomplete.then(failure).alias(FAILURE),
    )


def _notes(contents: InWords, scores: pl.DataFrame, evaluation: Evaluation) -> list[pl.DataFrame]:
    place = contents.table.place
    taken = f"the scores of {evaluation.label} are taken as they stand; hits, context recall and diagnoses are qaviz's"
    others = [name for name in scores.get_column(NAME).unique(maintain_order=True) if name not in SCORE_NAMES]
    return [
        entry(load_log.FMEVAL_SCORES, place, taken),
        *(entry(kind, where, f"{quote_text(name)} is left out") for kind, where, name in contents.list_unused()),
        *(entry(load_log.IGNORED_COLUMN, place, f"the score {quote_text(name)} is left out") for name in others),
    ]


FACTUAL = Evaluation(
    name="factual_knowledge",
    label="Factual Knowledge",
    target=c.FACT,
    scores=(c.FACTUAL_KNOWLEDGE, c.FACTUAL_KNOWLEDGE_QUASI_EXACT),
    why_not=c.UNSCORED_FACT,
    sample=300,
)
QA_ACCURACY = Evaluation(
    name="qa_accuracy",
    label="QA Accuracy",
    target=c.ANSWER,
    scores=(c.F1, c.EXACT_MATCH, c.QUASI_EXACT_MATCH, c.PRECISION, c.RECALL),
    beside=(c.BERTSCORE,),
    why_not=c.UNSCORED_ANSWER,
    sample=100,
)
EVALUATIONS = (FACTUAL, QA_ACCURACY)

SCORE_NAMES: Mapping[str, str] = {
    **{score: score for evaluation in EVALUATIONS for score in evaluation.scores},
    c.BERTSCORE: c.BERTSCORE,
    "bert_score": c.BERTSCORE,
    "exact_inclusion": c.FACTUAL_KNOWLEDGE,
    "quasi_exact_inclusion": c.FACTUAL_KNOWLEDGE_QUASI_EXACT,
}
"""The names of scores in the files of all releases -> ours."""
