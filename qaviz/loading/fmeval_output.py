"""FMEval's own output as a golden dataset and scored responses: what its files look like, and how they are read.

FMEval writes one file an evaluation and pipeline, reorders the rows and keeps no ids: what belongs together is found
by the question's text. Its scores stay as they are; one that does not fit its row is missing, with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.align import (
    ROW,
    Chunk,
    align,
    empty_entries,
    repeated_entries,
    stop_at_wrong_files,
    unanswered_entries,
)
from qaviz.loading.formats import read_batches, read_first
from qaviz.loading.formats.cells import DTYPES, MARK, Kind, convert
from qaviz.loading.load import Loaded, open_files, silent, split_progress, stream
from qaviz.loading.load_log import FILE, LINE, Problems, entries, entry, quote_text
from qaviz.loading.melt import kind_of
from qaviz.loading.merge import Golden, add_variant_problems, list_missing
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress

TARGET, FAILURE = "\0target", "\0failure"
"""The columns of what FMEval scored against, and of what it wrote in place of scores, null where it wrote them."""

_SUFFIXES = (".jsonl", ".ndjson", ".json")
MODEL_INPUT, MODEL_OUTPUT, TARGET_OUTPUT, SCORES_FIELD = "model_input", "model_output", "target_output", "scores"
"""Fields of a row: the question, the response, the fact or answer that it is scored against."""
_NEEDED = (MODEL_INPUT, MODEL_OUTPUT, TARGET_OUTPUT, SCORES_FIELD)
CATEGORY_FIELD, ERROR_FIELD = "category", "error"
"""Fields that a row may have; an error says why there are no scores."""
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
_A = {"list": "a list", "object": "an object"}


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
        first = read_first(source)
    except QavizError:
        return False
    record = first.records[0][1] if first.records else {}
    return first.unit == "line" and MODEL_OUTPUT in record and isinstance(record.get(SCORES_FIELD), list)


def read_output(source: Source, progress: Progress) -> Output:
    """The file's responses with FMEval's scores.

    Raises QavizError with every problem of the file, and if its scores are not those of one question-answering
    evaluation.
    """
    frames: list[pl.DataFrame] = []
    unread: dict[str, None] = {}
    for batch in read_batches(source, progress):
        if not frames:
            _refuse_incomplete(source.name, batch.columns)
        kinds = {name: Kind.SCORES if name == SCORES_FIELD else Kind.TEXT for name in _WORDS if name in batch.columns}
        batch.refuse_bad(kinds)
        for name in kinds:
            if name != SCORES_FIELD and name in batch.marks:
                nested = batch.marks[name].filter(pl.col(MARK).is_in(["list", "object"]))
                where = f"{{}} in {quote_text(name)}"
                spelled = nested.select(LINE, pl.col(MARK).replace(_A)).with_columns(pl.format(where, MARK).alias(MARK))
                batch.problems.add_rows(spelled, str, Kind.TEXT, "Correct the line.")
        frames.append(convert(batch.frame, kinds, batch.problems))
        unread |= dict.fromkeys(name for name in batch.columns if name not in _WORDS)
    whole = pl.concat(frames, how="diagonal").rename(_WORDS, strict=False)
    lacking = [pl.lit(None, pl.String).alias(word) for word in _WORDS.values() if word not in whole.columns]
    whole = whole.with_columns(pl.lit(f"{source.name} line").alias(FILE), *lacking)
    texts = pl.col(c.QUESTION, c.CATEGORY, TARGET, ERROR)
    given = whole.with_columns(
        pl.when(texts.str.strip_chars() != "").then(texts), pl.lit(None, pl.String).alias(c.QUESTION_ID)
    )
    scores = given.select(LINE, SCORES_FIELD).explode(SCORES_FIELD).drop_nulls().unnest(SCORES_FIELD)
    evaluation = _evaluation(source, scores)
    frame = _hold_scores(given.drop(SCORES_FIELD), scores, evaluation)
    return Output(
        source=source, evaluation=evaluation, frame=frame, notes=_notes(source.name, list(unread), scores, evaluation)
    )


def _refuse_incomplete(where: str, columns: Sequence[str]) -> None:
    lacking = [quote_text(name) for name in _NEEDED if name not in columns]
    if lacking:
        fault = f"FMEval's own output without {' and '.join(lacking)}"
        fix = "Have FMEval write it: a DataConfig with model_input_location, model_output_location and so on does."
        raise stop(where, fault, ", ".join(_NEEDED), fix)


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


def _hold_scores(given: pl.DataFrame, scores: pl.DataFrame, evaluation: Evaluation) -> pl.DataFrame:
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


def _notes(place: str, unread: Sequence[str], scores: pl.DataFrame, evaluation: Evaluation) -> list[pl.DataFrame]:
    taken = f"the scores of {evaluation.label} are taken as they stand; hits, context recall and diagnoses are qaviz's"
    others = [name for name in scores.get_column(NAME).unique(maintain_order=True) if name not in SCORE_NAMES]
    return [
        entry(load_log.FMEVAL_SCORES, place, taken),
        *(entry(load_log.IGNORED_COLUMN, place, f"{quote_text(name)} is left out") for name in unread),
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


_KEY = [c.PIPELINE, ROW]
_WHY = "\0why"
_OTHER = "\0other response"
_OF_A_RESPONSE = tuple(word for word in c.RESPONSE_COLUMNS if word not in (c.QUESTION_ID, c.PIPELINE, c.RESPONSE))
_NOT_SAID = [pl.lit(None, DTYPES[kind_of(word)]).alias(word) for word in _OF_A_RESPONSE]
_NO_TRIPLETS = pl.DataFrame(
    schema={word: pl.Boolean if word == c.ANSWERABLE else pl.String for word in c.GOLDEN_COLUMNS}
    | {FILE: pl.String, LINE: pl.UInt32}
)
_TEXTS = dict.fromkeys((FILE, c.QUESTION_ID, c.PIPELINE, c.RESPONSE, TARGET, _WHY), pl.String)


def stream_with_scores(
    golden: Source | None, responses: Sequence[Source], *, progress: Progress | None = None
) -> Iterator[Chunk]:
    """As `stream`, but FMEval's own output, recognised by its content, is one chunk that keeps its scores.

    Without a golden dataset beside such files it is what they were scored against. Raises QavizError also for such
    files beside responses without scores, and for a mapping of them.
    """
    files = [*([golden] if golden else []), *responses]
    outputs = [source for source in files if is_fmeval_output(source)]
    if not outputs:
        yield from stream(golden, responses, progress=progress)
        return
    others = [source for source in files if source not in outputs]
    given = next((source for source in others if not open_files(source, [], alone=True).problems), None)
    where, expected = ", ".join(source.name for source in outputs), "files of FMEval's own output alone"
    beside = [source.name for source in others if source is not given]
    if beside:
        fault = f"FMEval's own output beside responses without scores, {', '.join(beside)}"
        raise stop(where, fault, expected, "Import the other responses as a run of their own.")
    if any(source.mapping for source in outputs):
        raise stop(where, "a mapping", f"{expected}, whose fields are known", "Leave the mapping out.")
    loaded = load_fmeval_output(outputs, given, progress=progress)
    yield Chunk(loaded.rows, loaded.listed, loaded.golden, scored=True)


def load_fmeval_output(
    outputs: Sequence[Source], golden: Source | None = None, *, progress: Progress | None = None
) -> Loaded:
    """Read and align files of FMEval's own output, each one evaluation of one pipeline.

    Without `golden` the golden dataset is what the files were scored against: one triplet a question, its fact from
    Factual Knowledge, its answer from QA Accuracy. The rows returned have, beside what `load` returns, scores,
    `unscored_fact` and `unscored_answer` as the files give them, and `bertscore` if one of them does. Raises QavizError
    with the problems of all files.
    """
    files = [*([golden] if golden else []), *outputs]
    steps = split_progress(files, progress or silent)
    given: Golden | None = None
    evaluated: list[Output] = []
    problems: list[Problem] = []
    for place, (source, step) in enumerate(zip(files, steps, strict=True)):
        try:
            if golden and not place:
                opened = open_files(source, [], step, alone=True)
                given = opened.merge()
                opened.stop_at_problems()
                given = replace(given, notes=[*opened.notes, *opened.list_unused()])
            else:
                evaluated.append(read_output(source, step))
        except QavizError as error:
            problems += error.problems
    if problems:
        raise QavizError(*problems)
    return _put_together(given or _derive_golden(evaluated), _name_pipelines(evaluated), files)


def _derive_golden(outputs: Sequence[Output]) -> Golden:
    """The golden dataset that the files were scored against; where a question stands again, its first target."""
    in_order = sorted(outputs, key=lambda output: EVALUATIONS.index(output.evaluation))
    texts = [output.frame.rename({TARGET: output.evaluation.target}) for output in in_order]
    questions = pl.concat([_NO_TRIPLETS, *texts], how="diagonal").select(_NO_TRIPLETS.columns).drop_nulls(c.QUESTION)
    first = pl.exclude(c.QUESTION, FILE, LINE).drop_nulls().first()
    triplets = questions.group_by(c.QUESTION, maintain_order=True).agg(first, pl.col(FILE, LINE).first())
    problems = Problems(outputs[0].source.name, "line")
    add_variant_problems(triplets, problems)
    problems.stop_if_any()
    numbered = triplets.with_columns(pl.int_range(1, pl.len() + 1).cast(pl.String).alias(c.QUESTION_ID))
    made = entry(load_log.IDS_MADE, outputs[0].source.name, "the questions are numbered, and align by their texts")
    return Golden(numbered, ids_given=False, notes=[made, *list_missing(triplets)])


def _name_pipelines(outputs: Sequence[Output]) -> list[tuple[str, Output]]:
    """Each file with its pipeline's name: the file's own without the evaluation's, or its folder's if files share one.

    One file of each evaluation is one pipeline, unless both names say otherwise. Raises QavizError where two files of
    one evaluation would be one pipeline.
    """
    evaluations = [output.evaluation for output in outputs]
    if len(set(evaluations)) == len(outputs) and not all(map(_strip_evaluation, outputs)):
        return [(_name_by_file(outputs[0]), output) for output in outputs]
    for name_of in (_name_by_file, _name_by_folder):
        names = [name_of(output) for output in outputs]
        if len(set(zip(names, evaluations, strict=True))) == len(outputs):
            return list(zip(names, outputs, strict=True))
    where = ", ".join(output.source.name for output in outputs)
    fault, expected = "files of one evaluation that share a name", "a name for each pipeline"
    raise stop(where, fault, expected, "Rename them after their pipelines, such as qa_accuracy_PIPELINE.jsonl.")


def _strip_evaluation(output: Output) -> str:
    """What the file's name says beside the evaluation's; empty if it is not named after its evaluation at all."""
    before, evaluation, after = output.source.stem.partition(output.evaluation.name)
    return (before + after).strip(" _-.") if evaluation else ""


def _name_by_file(output: Output) -> str:
    bare = output.source.stem == output.evaluation.name
    return _strip_evaluation(output) or (_name_by_folder(output) if bare else output.source.stem)


def _name_by_folder(output: Output) -> str:
    return output.source.folder or output.source.stem


def _put_together(golden: Golden, outputs: Sequence[tuple[str, Output]], files: Sequence[Source]) -> Loaded:
    triplets = golden.triplets
    notes = [*golden.notes, *(note for _, output in outputs for note in output.notes)]
    for name, output in outputs:
        notes.append(
            entry(load_log.PIPELINE_FROM_FILE, output.source.name, f"the pipeline is called {quote_text(name)}")
        )
    parts = [_align_evaluation(evaluation, outputs, triplets) for evaluation in EVALUATIONS]
    given = pl.concat(part.select(*_TEXTS, LINE, ROW) for part, _ in parts)
    stop_at_wrong_files(given, [*files[:1], *(output.source for _, output in outputs)])
    answered = _keep_first(given.drop_nulls(c.RESPONSE))
    notes += [*(note for _, listed in parts for note in listed), *_list_unanswered(given, answered, outputs, triplets)]
    texts = triplets.select(c.GOLDEN_COLUMNS)[answered.get_column(ROW)]
    rows = texts.hstack(answered.select(*_KEY, c.RESPONSE)).with_columns(_NOT_SAID)
    for evaluation, (part, _) in zip(EVALUATIONS, parts, strict=True):
        rows, misfits = _with_scores(rows, evaluation, part)
        notes += misfits
    if rows.get_column(c.BERTSCORE).null_count() == rows.height:
        rows = rows.drop(c.BERTSCORE)
    listed = pl.concat(notes).unique(maintain_order=True).rechunk()
    names = tuple(dict.fromkeys(source.name for source in files))
    return Loaded(triplets.select(c.GOLDEN_COLUMNS).rechunk(), rows.drop(ROW).rechunk(), listed, names)


def _align_evaluation(
    evaluation: Evaluation, outputs: Sequence[tuple[str, Output]], triplets: pl.DataFrame
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """What the evaluation's files say, a row a pipeline and question, and what is to be listed of them.

    The response is null where there is none in any row.
    """
    null = pl.when(pl.col(c.RESPONSE).is_null()).then(pl.lit(load_log.NULL_RESPONSE))
    why = pl.coalesce(evaluation.why_not, null)
    frames = [
        output.frame.with_columns(pl.lit(name).alias(c.PIPELINE), why.alias(_WHY))
        for name, output in outputs
        if output.evaluation is evaluation
    ]
    numbers = {LINE: pl.UInt32, ROW: pl.UInt32}
    schema = _TEXTS | numbers | dict.fromkeys(evaluation.columns, pl.Float64)
    if not frames:
        return pl.DataFrame(schema=schema), []
    aligned, alignment_notes = align(pl.concat(frames), triplets, by_id=False)
    kept = _keep_first(aligned.drop_nulls(c.RESPONSE))
    failed = _keep_first(aligned.filter(pl.col(c.RESPONSE).is_null())).join(
        kept, on=_KEY, how="anti", maintain_order="left"
    )
    part = pl.concat([kept, failed])
    repeated = aligned.join(part, on=[FILE, LINE], how="anti", maintain_order="left")
    scoreless = entries(kept.drop_nulls(FAILURE), load_log.SCORE_FAILED, pl.col(FAILURE))
    return part.select(list(schema)), [*alignment_notes, repeated_entries(repeated), empty_entries(kept), scoreless]


def _keep_first(responses: pl.DataFrame) -> pl.DataFrame:
    return responses.unique(_KEY, keep="first", maintain_order=True)


def _list_unanswered(
    given: pl.DataFrame, answered: pl.DataFrame, outputs: Sequence[tuple[str, Output]], triplets: pl.DataFrame
) -> Iterator[pl.DataFrame]:
    failed = given.filter(pl.col(c.RESPONSE).is_null())
    nowhere = _keep_first(failed.join(answered, on=_KEY, how="anti", maintain_order="left"))
    yield entries(nowhere, load_log.UNANSWERED, pl.col(_WHY))
    yield entries(failed.join(answered, on=_KEY, how="semi"), load_log.SCORE_FAILED, pl.col(_WHY))
    height = triplets.height
    are_parts = [output.frame.height == output.evaluation.sample < height for _, output in outputs]
    for name, output in compress(outputs, are_parts):
        label, rows = output.evaluation.label, output.frame.height
        words = f"{label} of {rows:,} of {height:,} questions: FMEval's fixed sample. num_records has it take more"
        yield entry(load_log.SAMPLE, output.source.name, words).with_columns(pl.lit(name).alias(c.PIPELINE))
    whole = dict.fromkeys(name for (name, _), is_part in zip(outputs, are_parts, strict=True) if not is_part)
    questions = triplets.with_row_index(ROW).select(ROW, c.QUESTION_ID, FILE, LINE)
    expected = questions.join(pl.DataFrame({c.PIPELINE: list(whole)}, schema={c.PIPELINE: pl.String}), how="cross")
    yield unanswered_entries(expected.join(given, on=_KEY, how="anti", maintain_order="left"))


def _with_scores(
    rows: pl.DataFrame, evaluation: Evaluation, part: pl.DataFrame
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """The rows with the evaluation's scores, or why there are none; and what is to be listed of those that do not fit.

    A score fits a row with the same response and the same target.
    """
    scored = part.rename({c.RESPONSE: _OTHER}).drop(c.QUESTION_ID)
    joined = rows.join(scored, on=_KEY, how="left", maintain_order="left")
    absent = pl.col(LINE).is_null()
    other_response = (pl.col(_OTHER) != pl.col(c.RESPONSE)).fill_null(value=False)
    other_target = ~absent & pl.col(TARGET).ne_missing(pl.col(evaluation.target))
    response_said = f"FMEval's {evaluation.label} output has another response to this question"
    target_said = f"FMEval scored it against another {evaluation.target} than the golden dataset's"
    misfits = [
        entries(joined.filter(other_response), load_log.OTHER_RESPONSE, response_said),
        entries(joined.filter(other_target), load_log.OTHER_TARGET, target_said),
    ]
    why = (
        pl.when(absent)
        .then(pl.lit(f"not in FMEval's {evaluation.label} output"))
        .when(other_response)
        .then(pl.lit(response_said))
        .when(other_target)
        .then(pl.lit(target_said))
        .otherwise(_WHY)
    )
    fits = pl.col(_OTHER).is_not_null() & ~(other_response | other_target)
    scores = pl.when(fits).then(pl.col(evaluation.columns))
    return joined.select(*rows.columns, scores, why.alias(evaluation.why_not)), misfits
