"""FMEval's own output as a golden dataset and scored responses: what its files look like, and how they are read.

FMEval writes one file an evaluation and pipeline, reorders the rows and keeps no ids: what belongs together is found
by the question's text. Its scores stay as they are; one that does not fit its row is missing, with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import polars as pl

from qaviz.loading import align, load_log
from qaviz.loading.align import ROW, Chunk
from qaviz.loading.formats import read_batches
from qaviz.loading.formats.cells import DTYPES, MARK, Kind, convert
from qaviz.loading.load import open_files, silent, split_progress, stream
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
    pipeline: str = ""
    """Known once all files are."""


def is_fmeval_output(source: Source) -> bool:
    """Whether the file begins as FMEval's own output does. One that cannot be read does not: loading it says why."""
    if source.suffix not in _SUFFIXES:
        return False
    try:
        with closing(read_batches(source)) as batches:
            first = next(batches)
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
        if not frames and (lacking := [quote_text(name) for name in _NEEDED if name not in batch.columns]):
            fault = f"FMEval's own output without {' and '.join(lacking)}"
            fix = "Have FMEval write it: a DataConfig with model_input_location, model_output_location and so on does."
            raise stop(source.name, fault, ", ".join(_NEEDED), fix)
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
    absent = [pl.lit(None, pl.String).alias(word) for word in (*_WORDS.values(), c.QUESTION_ID) if word not in whole]
    whole = whole.with_columns(pl.lit(f"{source.name} line").alias(FILE), *absent)
    texts = pl.col(c.QUESTION, c.CATEGORY, TARGET, ERROR)
    given = whole.with_columns(pl.when(texts.str.strip_chars() != "").then(texts))
    scores = given.select(LINE, SCORES_FIELD).explode(SCORES_FIELD).drop_nulls().unnest(SCORES_FIELD)
    evaluation = _evaluation(source, scores)
    taken = f"the scores of {evaluation.label} are taken as they stand; hits, context recall and diagnoses are qaviz's"
    others = [name for name in scores[NAME].unique(maintain_order=True) if name not in SCORE_NAMES]
    left_out = [*map(quote_text, unread), *(f"the score {quote_text(name)}" for name in others)]
    notes = [entry(load_log.IGNORED_COLUMN, source.name, f"{words} is left out") for words in left_out]
    return Output(
        source=source,
        evaluation=evaluation,
        frame=_hold_scores(given.drop(SCORES_FIELD), scores, evaluation),
        notes=[entry(load_log.FMEVAL_SCORES, source.name, taken), *notes],
    )


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
_OF_A_RESPONSE = [word for word in c.RESPONSE_COLUMNS if word not in (c.QUESTION_ID, c.PIPELINE, c.RESPONSE)]
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
    yield load_fmeval_output(outputs, given, progress=progress)


def load_fmeval_output(
    outputs: Sequence[Source], golden: Source | None = None, *, progress: Progress | None = None
) -> Chunk:
    """Read and align files of FMEval's own output, each one evaluation of one pipeline.

    Without `golden` the golden dataset is what the files were scored against: one triplet a question, its fact from
    Factual Knowledge, its answer from QA Accuracy. The rows returned have, beside what `load` returns, scores,
    `unscored_fact` and `unscored_answer` as the files give them, and `bertscore` if one of them does. Raises QavizError
    with the problems of all files.
    """
    files = [*([golden] if golden else []), *outputs]
    given: Golden | None = None
    evaluated: list[Output] = []
    problems: list[Problem] = []
    for source, step in zip(files, split_progress(files, progress or silent), strict=True):
        try:
            if source is golden:
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
    return _put_together(given or _derive_golden(evaluated), _name_pipelines(evaluated), files[0])


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


def _name_pipelines(outputs: Sequence[Output]) -> list[Output]:
    """Each file with its pipeline's name: the file's own without the evaluation's, or its folder's if files share one.

    One file of each evaluation is one pipeline, unless both names say otherwise. Raises QavizError where two files of
    one evaluation would be one pipeline.
    """
    evaluations = [output.evaluation for output in outputs]
    folders = [output.source.folder or output.source.stem for output in outputs]
    by_file = [
        _strip_evaluation(output) or (folder if output.source.stem == output.evaluation.name else output.source.stem)
        for output, folder in zip(outputs, folders, strict=True)
    ]
    if len(set(evaluations)) == len(outputs) and not all(map(_strip_evaluation, outputs)):
        by_file = by_file[:1] * len(outputs)
    for names in (by_file, folders):
        if len(set(zip(names, evaluations, strict=True))) == len(outputs):
            return [replace(output, pipeline=name) for output, name in zip(outputs, names, strict=True)]
    where = ", ".join(output.source.name for output in outputs)
    fault, expected = "files of one evaluation that share a name", "a name for each pipeline"
    raise stop(where, fault, expected, "Rename them after their pipelines, such as qa_accuracy_PIPELINE.jsonl.")


def _strip_evaluation(output: Output) -> str:
    """What the file's name says beside the evaluation's; empty if it is not named after its evaluation at all."""
    before, evaluation, after = output.source.stem.partition(output.evaluation.name)
    return (before + after).strip(" _-.") if evaluation else ""


def _put_together(golden: Golden, outputs: Sequence[Output], first: Source) -> Chunk:
    triplets = golden.triplets
    notes = [*golden.notes, *(note for output in outputs for note in output.notes)]
    for output in outputs:
        words = f"the pipeline is called {quote_text(output.pipeline)}"
        notes.append(entry(load_log.PIPELINE_FROM_FILE, output.source.name, words))
    parts = [_align_evaluation(evaluation, outputs, triplets) for evaluation in EVALUATIONS]
    given = pl.concat(part.select(*_TEXTS, LINE, ROW) for part, _ in parts)
    align.stop_at_wrong_files(given, [first, *(output.source for output in outputs)])
    answered = _keep_first(given.drop_nulls(c.RESPONSE))
    notes += [*(note for _, listed in parts for note in listed), *_list_unanswered(given, answered, outputs, triplets)]
    golden_columns = triplets.select(c.GOLDEN_COLUMNS)
    unsaid = [pl.lit(None, DTYPES[kind_of(word)]).alias(word) for word in _OF_A_RESPONSE]
    rows = golden_columns[answered[ROW]].hstack(answered.select(*_KEY, c.RESPONSE)).with_columns(unsaid)
    for evaluation, (part, _) in zip(EVALUATIONS, parts, strict=True):
        rows, misfits = _with_scores(rows, evaluation, part)
        notes += misfits
    if not rows[c.BERTSCORE].count():
        rows = rows.drop(c.BERTSCORE)
    listed = pl.concat(notes).unique(maintain_order=True).rechunk()
    return Chunk(rows.drop(ROW).rechunk(), listed, golden_columns.rechunk(), scored=True)


def _align_evaluation(
    evaluation: Evaluation, outputs: Sequence[Output], triplets: pl.DataFrame
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """What the evaluation's files say, a row a pipeline and question, and what is to be listed of them.

    The response is null where there is none in any row.
    """
    null = pl.when(pl.col(c.RESPONSE).is_null()).then(pl.lit(load_log.NULL_RESPONSE))
    why = pl.coalesce(evaluation.why_not, null)
    frames = [
        output.frame.with_columns(pl.lit(output.pipeline).alias(c.PIPELINE), why.alias(_WHY))
        for output in outputs
        if output.evaluation is evaluation
    ]
    numbers = {LINE: pl.UInt32, ROW: pl.UInt32}
    schema = _TEXTS | numbers | dict.fromkeys(evaluation.columns, pl.Float64)
    if not frames:
        return pl.DataFrame(schema=schema), []
    aligned, notes = align.align(pl.concat(frames), triplets)
    kept = _keep_first(aligned.drop_nulls(c.RESPONSE))
    failed = _keep_first(aligned.filter(pl.col(c.RESPONSE).is_null()))
    part = pl.concat([kept, failed.join(kept, on=_KEY, how="anti", maintain_order="left")])
    repeated = aligned.join(part, on=[FILE, LINE], how="anti", maintain_order="left")
    notes += [align.repeated_entries(repeated, part), align.empty_entries(kept)]
    return part.select(list(schema)), [
        *notes,
        entries(kept.drop_nulls(FAILURE), load_log.SCORE_FAILED, pl.col(FAILURE)),
    ]


def _keep_first(responses: pl.DataFrame) -> pl.DataFrame:
    return responses.unique(_KEY, keep="first", maintain_order=True)


def _list_unanswered(
    given: pl.DataFrame, answered: pl.DataFrame, outputs: Sequence[Output], triplets: pl.DataFrame
) -> Iterator[pl.DataFrame]:
    failed = given.filter(pl.col(c.RESPONSE).is_null())
    nowhere = _keep_first(failed.join(answered, on=_KEY, how="anti", maintain_order="left"))
    yield entries(nowhere, load_log.UNANSWERED, pl.col(_WHY))
    yield entries(failed.join(answered, on=_KEY, how="semi"), load_log.SCORE_FAILED, pl.col(_WHY))
    height = triplets.height
    whole: dict[str, None] = {}
    for output in outputs:
        label, rows = output.evaluation.label, output.frame.height
        if rows == output.evaluation.sample < height:
            words = f"{label} of {rows:,} of {height:,} questions: FMEval's fixed sample. num_records has it take more"
            sample = entry(load_log.SAMPLE, output.source.name, words)
            yield sample.with_columns(pl.lit(output.pipeline).alias(c.PIPELINE))
        else:
            whole[output.pipeline] = None
    questions = triplets.with_row_index(ROW).select(ROW, c.QUESTION_ID, FILE, LINE)
    expected = questions.join(pl.DataFrame({c.PIPELINE: list(whole)}, schema={c.PIPELINE: pl.String}), how="cross")
    yield align.unanswered_entries(expected.join(given, on=_KEY, how="anti", maintain_order="left"))


def _with_scores(
    rows: pl.DataFrame, evaluation: Evaluation, part: pl.DataFrame
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """The rows with the evaluation's scores, or why there are none; and what is to be listed of those that do not fit.

    A score fits a row with the same response and the same target.
    """
    scored = part.rename({c.RESPONSE: _OTHER}).drop(c.QUESTION_ID)
    joined = rows.join(scored, on=_KEY, how="left", maintain_order="left")
    is_absent = pl.col(LINE).is_null()
    other_response = (pl.col(_OTHER) != pl.col(c.RESPONSE)).fill_null(value=False)
    other_target = ~is_absent & pl.col(TARGET).ne_missing(pl.col(evaluation.target))
    response_words = f"FMEval's {evaluation.label} output has another response to this question"
    target_words = f"FMEval scored it against another {evaluation.target} than the golden dataset's"
    misfits = [
        entries(joined.filter(other_response), load_log.OTHER_RESPONSE, response_words),
        entries(joined.filter(other_target), load_log.OTHER_TARGET, target_words),
    ]
    not_there = pl.when(is_absent).then(pl.lit(f"not in FMEval's {evaluation.label} output"))
    why = not_there.when(other_response).then(pl.lit(response_words)).when(other_target).then(pl.lit(target_words))
    fits = pl.col(_OTHER).is_not_null() & ~(other_response | other_target)
    scores = pl.when(fits).then(pl.col(evaluation.columns))
    return joined.select(*rows.columns, scores, why.otherwise(_WHY).alias(evaluation.why_not)), misfits
