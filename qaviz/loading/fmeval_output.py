"""FMEval's own output, whose scores stay as they are: what its evaluations write, and how their files are joined.

FMEval writes one file an evaluation and pipeline, reorders the rows and keeps no ids: `tools.toml` reads them, and what
belongs together is found by the question. A score that does not fit its row is missing, with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.align import Alignment, Chunk, list_unanswered, stop_at_wrong_files
from qaviz.loading.load_log import DETAIL, FILE, KIND, LINE, entries, entry, quote_text
from qaviz.loading.melt import SAID, empty_responses, melt_golden
from qaviz.loading.merge import join_answers, merge_golden
from qaviz.loading.roles import FIRST
from qaviz.loading.tables import Table
from qaviz.model import columns as c
from qaviz.model.errors import Problem, stop

if TYPE_CHECKING:
    from qaviz.loading.load import Opened

FMEVAL = "FMEval's own output"
"""The tool's name in `tools.toml`."""
MODEL_INPUT, MODEL_OUTPUT, TARGET_OUTPUT, SCORES_FIELD = "model_input", "model_output", "target_output", "scores"
"""Fields of a row: the question, the response, the fact or answer that it is scored against."""
CATEGORY_FIELD, ERROR_FIELD = "category", "error"
"""Fields that a row may have; an error says why there are no scores."""
NAME, VALUE, ERROR = "name", "value", "error"
"""What each entry of the scores has: a name, and a value or an error."""

_KEY = [c.QUESTION_ID, c.PIPELINE]
_TARGET, _FAILURE, _OTHER, _WHY, _PLACE = "\0target", "\0failure", "\0other response", "\0why", "\0place"
_BESIDE = (FILE, LINE, _TARGET)
_OF_A_ROW = pl.coalesce(c.FACT, c.ANSWER)
"""What a row was scored against, whichever of the two it is."""


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


@dataclass(kw_only=True)
class _Output:
    """One file of FMEval's."""

    table: Table
    evaluation: Evaluation
    golden: pl.DataFrame
    """As `merge_golden` takes it."""
    responses: pl.DataFrame
    """As `Alignment` takes them, with _TARGET: what each was scored against."""


def join_outputs(opened: "Opened") -> Chunk:
    """The files of FMEval's own output, each one evaluation of one pipeline, aligned with the golden dataset that
    stands beside them; else with what they were scored against, of a question the first.

    The rows have scores, `unscored_fact` and `unscored_answer` as the files give them, and `bertscore` if one of them
    does. Raises QavizError with the problems of all files, and for responses without scores beside them.
    """
    outputs = sorted(_read_outputs(opened), key=lambda output: EVALUATIONS.index(output.evaluation))
    opened.stop_at_problems()
    _name_pipelines(outputs)
    if opened.tables:
        golden = opened.merge()
    else:
        whole = pl.concat(output.golden.with_columns(pl.lit(n).alias(_PLACE)) for n, output in enumerate(outputs))
        joined = join_answers(whole, FIRST, are_own=True)
        parts = joined.partition_by(_PLACE, maintain_order=True, include_key=False)
        golden = merge_golden([output.table for output in outputs], parts)
        opened.notes += golden.notes
    triplets, sources = golden.triplets, [table.source for table in (*opened.tables[:1], *opened.outputs)]
    answers: list[pl.DataFrame] = []
    nulls: list[pl.DataFrame] = []
    notes = [*opened.notes, *opened.list_unused()]
    none = empty_responses().with_columns(pl.lit(None, pl.String).alias(_TARGET))
    for evaluation in EVALUATIONS:
        alignment = Alignment(triplets, sources, _BESIDE)
        frames = [
            golden.name_triplets(output.responses, place).select(none.columns)
            for place, output in enumerate(outputs)
            if output.evaluation is evaluation
        ]
        chunk = alignment.add(pl.concat([none, *frames]))
        answers.append(chunk.rows)
        nulls.append(alignment.list_nulls())
        notes.append(chunk.listed)
    rows = pl.concat(answers).unique(_KEY, keep="first", maintain_order=True).drop(*_BESIDE, c.THEIR_SCORES)
    stop_at_wrong_files(pl.concat(frame.select(c.PIPELINE) for frame in (rows, *nulls)), sources)
    notes += _list_missing(pl.concat(nulls), rows, triplets, outputs)
    for evaluation, scored, missing in zip(EVALUATIONS, answers, nulls, strict=True):
        rows, misfits = _with_scores(rows, evaluation, scored, missing)
        notes += misfits
    rows = rows.with_columns(pl.lit(None, answers[0].schema[c.THEIR_SCORES]).alias(c.THEIR_SCORES))
    rows = rows if rows[c.BERTSCORE].count() else rows.drop(c.BERTSCORE)
    listed = pl.concat(notes).unique(maintain_order=True)
    return Chunk(rows.rechunk(), listed.rechunk(), triplets.select(c.GOLDEN_COLUMNS).rechunk(), scored=True)


def _read_outputs(opened: "Opened") -> Iterator[_Output]:
    """The outputs; what is wrong with one is a problem of the opened files."""
    if beside := [table.place for table in opened.tables if table.layout.has_responses]:
        where = ", ".join(table.place for table in opened.outputs)
        fault = f"{FMEVAL} beside responses without scores, {', '.join(beside)}"
        fix = "Import the other responses as a run of their own."
        raise stop(where, fault, f"files of {FMEVAL} alone", fix)
    for table in opened.outputs:
        golden: list[pl.DataFrame] = []
        responses: list[pl.DataFrame] = []
        for frame in opened.read(table):
            golden.append(melt_golden(frame, table.layout))
            targets = golden[-1].select(LINE, _OF_A_ROW.alias(_TARGET))
            responses.append(opened.melt(frame, table).join(targets, on=LINE, how="left", maintain_order="left"))
        whole = pl.concat(responses)
        names = whole[c.THEIR_SCORES].explode().struct.field(NAME).drop_nulls().unique(maintain_order=True)
        others = [f"the score {quote_text(name)} is left out" for name in names if name not in SCORE_NAMES]
        opened.notes += [entry(load_log.IGNORED_COLUMN, table.place, words) for words in others]
        scored = set(map(SCORE_NAMES.get, names))
        wrote = [evaluation for evaluation in EVALUATIONS if scored.intersection(evaluation.scores)]
        if len(wrote) == 1:
            nothing, same = pl.lit(None, pl.String), pl.lit(0, pl.UInt64)
            # A question stands once, whatever is answered to it; a target is what it is where scores lack too.
            columns = {c.FACT: nothing, c.ANSWER: nothing, SAID: same, wrote[0].target: _OF_A_ROW}
            rows = pl.concat(golden).with_columns(**columns)
            yield _Output(table=table, evaluation=wrote[0], golden=rows, responses=whole)
        else:
            expected = f"those of {' or '.join(evaluation.label for evaluation in EVALUATIONS)}, one evaluation a file"
            fault = f"the scores {', '.join(map(quote_text, names))}" if len(names) else "no scores"
            fix = "Keep each evaluation in the file that FMEval wrote; other evaluations have no place here."
            opened.problems.append(Problem(where=table.place, found=fault, expected=expected, fix=fix))


def _name_pipelines(outputs: Sequence[_Output]) -> None:
    """Name the pipeline of each file: as the file without the evaluation's name, or as its folder if files share one.

    One file of each evaluation is one pipeline, unless both names say otherwise. Raises QavizError where two files of
    one evaluation would be one pipeline.
    """
    files, folders = list[str](), list[str]()
    are_named = True
    for output in outputs:
        folder, stem, _ = output.table.names
        before, called, after = stem.partition(output.evaluation.name)
        own = (before + after).strip(" _-.") if called else stem
        are_named = are_named and own not in ("", stem)
        files.append(own or folder or stem)
        folders.append(folder or stem)
    evaluations = [output.evaluation.name for output in outputs]
    if not are_named and len(set(evaluations)) == len(outputs):
        files = files[:1] * len(outputs)
    names = files if len(set(zip(files, evaluations, strict=True))) == len(outputs) else folders
    if len(set(zip(names, evaluations, strict=True))) < len(outputs):
        where = ", ".join(output.table.place for output in outputs)
        fault, expected = "files of one evaluation that share a name", "a name for each pipeline"
        raise stop(where, fault, expected, "Rename them after their pipelines, such as qa_accuracy_PIPELINE.jsonl.")
    for output, name in zip(outputs, names, strict=True):
        output.table.pipeline = name
        output.responses = output.responses.with_columns(pl.lit(name).alias(c.PIPELINE))


def _list_missing(
    nulls: pl.DataFrame, rows: pl.DataFrame, triplets: pl.DataFrame, outputs: Sequence[_Output]
) -> Iterator[pl.DataFrame]:
    """Entries for responses that are null in one file or in all, and for questions of which no file says anything; of
    FMEval's fixed sample one entry."""
    is_null = pl.col(KIND).is_in([load_log.UNANSWERED, load_log.PIPELINE_ERROR])
    elsewhere = nulls.join(rows, on=_KEY, how="semi", maintain_order="left")
    yield elsewhere.filter(is_null).with_columns(pl.lit(load_log.SCORE_FAILED).alias(KIND))
    nowhere = nulls.join(rows, on=_KEY, how="anti", maintain_order="left")
    yield pl.concat([nulls.filter(~is_null), nowhere.filter(is_null).unique(_KEY, keep="first", maintain_order=True)])
    whole: list[str] = []
    for output in outputs:
        label, count, pipeline = output.evaluation.label, output.golden.height, output.table.pipeline
        words = f"the pipeline is called {quote_text(pipeline)}"
        yield entry(load_log.PIPELINE_FROM_FILE, output.table.place, words)
        if count == output.evaluation.sample < triplets.height:
            words = f"{label} of {count:,} of {triplets.height:,} questions: FMEval's fixed sample. "
            sample = entry(load_log.SAMPLE, output.table.place, words + "num_records has it take more")
            yield sample.with_columns(pl.lit(pipeline).alias(c.PIPELINE))
        else:
            whole.append(pipeline)
    yield list_unanswered(triplets, whole, pl.concat([rows.select(_KEY), nulls.select(_KEY)]))


def _pick(score: str, field: str) -> pl.Expr:
    """A field of the first score that is called so in any release, under our name of the score."""
    names = [theirs for theirs, ours in SCORE_NAMES.items() if ours == score]
    entries = pl.element().filter(pl.element().struct.field(NAME).is_in(names)).struct.field(field)
    return pl.col(c.THEIR_SCORES).list.eval(entries).list.first().alias(score)


def _with_scores(
    rows: pl.DataFrame, evaluation: Evaluation, scored: pl.DataFrame, nulls: pl.DataFrame
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """The rows with the evaluation's scores of the same responses and targets, or why there are none; and what is to be
    listed of those that failed or do not fit."""
    theirs = scored.select(*_KEY, pl.col(c.RESPONSE).alias(_OTHER), *_BESIDE, c.THEIR_SCORES)
    missing = nulls.select(*_KEY, pl.col(DETAIL).alias(_WHY)).unique(_KEY, keep="first")
    joined = rows.join(theirs, on=_KEY, how="left", maintain_order="left")
    joined = joined.join(missing, on=_KEY, how="left", maintain_order="left")
    reasons = [_pick(name, ERROR) for name in evaluation.scores]
    joined = joined.with_columns(pl.coalesce(reasons).alias(_FAILURE), *(_pick(n, VALUE) for n in evaluation.columns))
    is_absent = pl.col(_OTHER).is_null()
    is_other = (pl.col(_OTHER) != pl.col(c.RESPONSE)).fill_null(value=False)
    is_target_other = ~is_absent & pl.col(_TARGET).ne_missing(pl.col(evaluation.target))
    response_words = f"FMEval's {evaluation.label} output has another response to this question"
    target_words = f"FMEval scored it against another {evaluation.target} than the golden dataset's"
    lacking = [pl.when(pl.col(name).is_null()).then(pl.lit(name)) for name in evaluation.scores]
    unnamed = pl.lit("FMEval's output has no ") + pl.concat_list(lacking).list.drop_nulls().list.join(", ")
    is_whole = pl.all_horizontal(pl.col(evaluation.scores).is_not_null())
    why = (
        pl.when(is_absent)
        .then(pl.coalesce(_WHY, pl.lit(f"not in FMEval's {evaluation.label} output")))
        .when(is_other)
        .then(pl.lit(response_words))
        .when(is_target_other)
        .then(pl.lit(target_words))
        .when(~is_whole)
        .then(pl.coalesce(_FAILURE, unnamed))
    )
    scores = pl.when(~(is_absent | is_other | is_target_other)).then(pl.col(evaluation.columns))
    misfits = [
        entries(joined.filter(is_other), load_log.OTHER_RESPONSE, response_words),
        entries(joined.filter(is_target_other), load_log.OTHER_TARGET, target_words),
        entries(joined.filter(~is_whole).drop_nulls(_FAILURE), load_log.SCORE_FAILED, pl.col(_FAILURE)),
    ]
    return joined.select(*rows.columns, scores, why.alias(evaluation.why_not)), misfits
