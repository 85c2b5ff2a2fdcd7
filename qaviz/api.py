"""The public Python API, for notebooks and scripts: tables in, an evaluated run out."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import polars as pl
import pyarrow as pa

from qaviz import runs
from qaviz.analysis import closeness, tables
from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.decision.choice import Kind
from qaviz.analysis.estimates import compare_all
from qaviz.analysis.numbers import MISSING, plural
from qaviz.analysis.outcomes import NO_LABELS, counting, select_asked, tabulate
from qaviz.analysis.selection import Passing, classes_of
from qaviz.charts import Figure, matrix_chart
from qaviz.contexts.documents import find_in_documents, read_folder
from qaviz.diagnosis import open_rows
from qaviz.diagnosis.agreement import Agreement
from qaviz.diagnosis.agreement import agreement as compare_with_labels
from qaviz.exports.table_files import select_scores
from qaviz.golden.lint import lint as lint_golden
from qaviz.judging.prompts import Judge, default_rubric, read_rubric
from qaviz.judging.runs import hear_judge, judge_rows, parse_only, select_rows
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.loading import Chunk, Source, load, load_golden, preview, silent
from qaviz.loading.doubts import Tally, doubt_entries, find_doubts, find_near_questions, list_bad_rows, read_doubts
from qaviz.loading.labels import read_labels
from qaviz.loading.load import Loaded
from qaviz.loading.roles import assign_pairs
from qaviz.loading.source import files_at
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.errors import DoubtError, Problem, QavizError, naming_extras, stop
from qaviz.model.records import Criterion, Run, Thresholds, default_folder
from qaviz.store.labels import kept_labels
from qaviz.store.workspace import Workspace
from qaviz.store.workspace import open_workspace as open_folder

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = (
    "pl.DataFrame | pl.LazyFrame | pd.DataFrame | pa.Table | Mapping[str, Sequence[object]]"
    " | Iterable[Mapping[str, object]] | Path | str"
)
"""What the API takes as a table: a polars frame (lazy or not), a pandas DataFrame, a pyarrow Table, columns by name,
rows as dicts (a list or a generator), or the path of a file, a folder or a pattern."""

Tables: TypeAlias = "Table | Sequence[Table]"
"""One table, or several: files of responses, each with its pipelines."""

_FIRST_ROWS = 5
_SHOWN = ("question", "pipeline", "response", "verdict", "diagnosis")
"""Rows and columns that a notebook shows of a run."""

_NO_LIMIT = 2**62  # bytes: a table that is in memory already has no upload limit


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluatedRun:
    """A golden dataset and the responses of its pipelines, scored and diagnosed. It is not saved until `save`."""

    golden: pl.DataFrame
    """One row a triplet: question_id, question, answer, fact, category, answerable, source, tags."""
    rows: pl.DataFrame
    """One row a response: its triplet, FMEval's scores, diagnosis, verdict, confidence, reason, evidence, open."""
    listed: pl.DataFrame
    """What loading noted, one row a note: kind, where, question_id, pipeline, detail."""
    pipelines: tuple[str, ...]
    thresholds: Thresholds
    run: Run | None = None
    """The record of a saved run; None while it is not saved."""
    draft: runs.DraftRun | None = None
    """What `save` keeps; None for a run that a workspace has already."""
    loading: tuple[str, ...] = ()
    """What is doubtful of how the tables were read, a sentence each: a decision on it is never sure."""
    labels: pl.DataFrame = field(default_factory=lambda: NO_LABELS)
    """People's labels of a saved run (`store.kept_labels`): decision and comparison count them."""

    def __repr__(self) -> str:
        return f"EvaluatedRun({'. '.join(self._describe())})"

    def _repr_html_(self) -> str:
        first = self.rows.select(_SHOWN).head(_FIRST_ROWS).cast(pl.String)
        head = "".join(f"<th>{escape(name)}</th>" for name in first.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell or MISSING)}</td>' for cell in row)}</tr>" for row in first.iter_rows()
        )
        sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in self._describe())
        return f"{sentences}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _describe(self) -> list[str]:
        """Counts, the decision, and doubts of loading, a sentence each."""
        decision = self.decision()
        responses, questions = plural(self.rows.height, "response"), plural(self.golden.height, "golden question")
        counts = f"{responses} of {plural(len(self.pipelines), 'pipeline')} to {questions}"
        sure = f"{decision.confidence} confidence" if decision.confidence else "a tie"
        sure = sure if decision.kind is not Kind.NO_DIFFERENCE else decision.kind.value
        return [counts, f"{decision.sentence.rstrip('.')} ({sure})", *self.loading]

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a response with the columns that `qaviz score` writes, as a pandas DataFrame."""
        with naming_extras():
            import_module("pandas")
        return select_scores(self.rows).to_pandas()

    def decision(self, labels: "Table | None" = None, criteria: Sequence[Criterion] = ()) -> Decision:
        """Return what the run says should be shipped: recommendation, confidence, reasons, risk, ranking.

        `labels` (question_id, pipeline, label) have to be of responses drawn at random: they correct the shares. Else
        a saved run's own count. Raises QavizError with every problem of the labels.
        """
        drawn = read_labels(_source("labels", labels), silent) if labels is not None else self.labels
        return decide(self.rows, self._select_asked(), criteria, drawn, self.loading)

    def _select_asked(self) -> pl.DataFrame:
        return select_asked(self.golden, self.rows, dict(self.listed["kind"].value_counts().iter_rows()))

    def compare(self, first: str, second: str) -> pl.DataFrame:
        """Return the paired comparison of two pipelines, one row a metric.

        Columns: first, second, metric, paired (questions), mean_first, mean_second, difference, low, high (95 %
        interval), wins, losses, ties, p, decision, sentence and more. Raises QavizError for an unknown pipeline.
        """
        self._refuse_unknown(first, second)
        questions = self._select_asked()[QUESTION_ID]
        return compare_all(tabulate(self.rows, questions, self.labels, apart=True), [first, second])

    def matrix(self) -> Figure:
        """Return the Factual Knowledge report as a plotly figure: a row a question, a column a pipeline."""
        with naming_extras():
            return matrix_chart(tables.fact_matrix(self.rows, self.golden, self.pipelines), self.pipelines)

    def scatter(self) -> Figure:
        """Return closeness (recall) against conciseness (precision) as a plotly figure, with each pipeline's mean."""
        classes = classes_of(self.rows, self.golden, self.pipelines)
        every = Passing(rows=self.rows, classes=classes, own=self.thresholds, tried=self.thresholds)
        panels = closeness.panels(every, closeness.Split.NONE, self.pipelines)
        means = [closeness.pipeline_means(self.rows, self.pipelines)]
        with naming_extras():
            from qaviz.charts.scatter_chart import closeness_conciseness, with_thresholds

            return with_thresholds(closeness_conciseness(panels, means, self.pipelines), self.thresholds)

    def agreement(self, labels: Table) -> Agreement:
        """Return how far verdicts agree with people's labels (question_id, pipeline, label).

        Raises QavizError with every problem of the labels.
        """
        return compare_with_labels(self.rows, read_labels(_source("labels", labels), silent))

    def judge(
        self,
        model: str,
        journal: Path | str,
        *,
        only: str = "open",
        rubric: Path | str | None = None,
        few_shot: bool = True,
        caps: Sequence[str] = (),
        prices: Path | str | None = None,
        replay: Path | str | None = None,
    ) -> pl.DataFrame:
        """Let a language model grade responses; return one row each: verdict (`judge`), reason, grades, why unscored.

        `model` is `openai:NAME` or `bedrock:NAME`, `only` is open, all or sample:N, `caps` are such as 5USD or
        100calls. Replies are kept in the file `journal`. Raises QavizError as the settings or the server will not do.
        """
        judge = Judge(model=model, rubric=read_rubric(Path(rubric)) if rubric else default_rubric(), few_shot=few_shot)
        settings = Settings(
            model=model,
            journal=Path(journal),
            caps=parse_caps(caps),
            prices=Path(prices) if prices else None,
            replay=Path(replay) if replay else None,
        )
        with open_session(settings) as session:
            return judge_rows(session, judge, select_rows(self.rows, parse_only(only), self.thresholds))

    def with_judge(self, grades: pl.DataFrame) -> "EvaluatedRun":
        """Return the run with this judge heard: it decides what is open, and nothing else. Its probes are not known."""
        rows = hear_judge(self.rows, grades, self.thresholds)
        return replace(self, rows=rows, draft=self.draft and replace(self.draft, rows=rows))

    def save(self, workspace: Workspace, name: str, *, accept_doubts: bool = False) -> Run:
        """Save the run in the workspace and return its record.

        Raises QavizError if the run is saved already, if it was read with doubts (`loading`) that are not accepted, if
        the name is empty or taken, or if the disk refuses.
        """
        if self.draft is None:
            where = f'run "{self.run.name}"' if self.run else "the run"
            fix = "Use it as it is, or evaluate its files again."
            raise stop(where, "a run that the workspace has already", "a run that is not saved yet", fix)
        if self.loading and not accept_doubts:
            fix = "Map the columns, or save it all the same: save(workspace, name, accept_doubts=True)."
            expected = "a reading without doubts"
            raise DoubtError(*(Problem(where=name, found=doubt, expected=expected, fix=fix) for doubt in self.loading))
        return runs.save(self.draft, workspace, name)

    def _refuse_unknown(self, *names: str) -> None:
        problems = [
            Problem(
                where="compare",
                found=f'the pipeline "{name}"',
                expected="one of " + ", ".join(f'"{name}"' for name in self.pipelines),
                fix="Name a pipeline of the run.",
            )
            for name in names
            if name not in self.pipelines
        ]
        if problems:
            raise QavizError(*problems)


@overload
def evaluate(
    golden: Table,
    responses: "Tables | None" = None,
    *,
    thresholds: Thresholds | None = None,
    map: Mapping[str, str] | None = None,
    join: Literal["near"] | Sequence[tuple[str, str]] = (),
    documents: Sequence[str] = (),
    skip_bad: bool = False,
    strict: Literal[True] = True,
) -> EvaluatedRun:
    """Return the run."""


@overload
def evaluate(
    golden: Table,
    responses: "Tables | None" = None,
    *,
    thresholds: Thresholds | None = None,
    map: Mapping[str, str] | None = None,
    join: Literal["near"] | Sequence[tuple[str, str]] = (),
    documents: Sequence[str] = (),
    skip_bad: bool = False,
    strict: Literal[False],
) -> tuple[EvaluatedRun | None, list[Problem]]:
    """Return the run, None where there is none, and the problems."""


def evaluate(
    golden: Table,
    responses: "Tables | None" = None,
    *,
    thresholds: Thresholds | None = None,
    map: Mapping[str, str] | None = None,
    join: Literal["near"] | Sequence[tuple[str, str]] = (),
    documents: Sequence[str] = (),
    skip_bad: bool = False,
    strict: bool = True,
) -> EvaluatedRun | tuple[EvaluatedRun | None, list[Problem]]:
    """Score and diagnose responses by a golden dataset; without `responses` its own file or table holds them too.

    Where tables give different golden answers to one question, those of `golden` count.

    `golden` has question and answer, and if known question_id, fact, category, answerable, source, tags. `responses`
    has question_id or question, then pipeline and response, or one column a pipeline. Columns with other names are
    recognised as in files; `map` says what they are (their column -> our word, "" to leave one out). `join="near"` also
    joins nearly the same questions, pairs of (question, question_id) those that they name. `documents` are folders and
    files that pipelines retrieve from: what none of them holds is their fault. `skip_bad` leaves out bad
    rows. Raises QavizError with every problem of all tables; with `strict=False` run (or None) and problems come back.
    """
    try:
        counting, files = _open_sources(golden, responses, map or {}, skip_bad=skip_bad or not strict)
        if isinstance(join, str):
            join = tuple(find_near_questions(counting, files).select(QUESTION, QUESTION_ID).iter_rows())
        counting = counting and replace(counting, joined=tuple(join))
        files = [replace(source, joined=tuple(join)) for source in files]
        loaded = load(counting, files)
        if documents:
            held = find_in_documents(loaded.golden, read_folder(documents, silent))
            loaded = replace(loaded, rows=loaded.rows.join(held, on=QUESTION_ID, how="left", maintain_order="left"))
        run = _to_evaluated_run(runs.draft(loaded, thresholds or Thresholds()), loaded, counting, files)
    except QavizError as error:
        if strict:
            raise
        return None, [*error.problems]
    return run if strict else (run, list_bad_rows(run.listed))


def _open_sources(
    golden: Table, responses: "Tables | None", pairs: Mapping[str, str], *, skip_bad: bool
) -> tuple[Source | None, list[Source]]:
    """The golden dataset's source, then the others, with what the mapping says of each."""
    first = _sources("golden", golden)
    others = [] if responses is None else _sources("responses", responses)
    files = [replace(source, skip_bad=skip_bad) for source in (*first, *others)]
    if pairs:
        columns = [[name for table in preview(None, [source]) for name in table.columns] for source in files]
        mappings = assign_pairs(pairs, columns, "map")
        files = [replace(source, mapping=mapping) for source, mapping in zip(files, mappings, strict=True)]
    # Several files in place of the golden dataset hold both.
    return (None, files) if len(first) > 1 else (files[0], files[1:])


def _to_evaluated_run(
    draft: runs.DraftRun, loaded: Loaded, golden: Source | None, responses: Sequence[Source]
) -> EvaluatedRun:
    tally = Tally()
    tally.add(Chunk(loaded.rows, loaded.listed, loaded.golden))
    doubts = find_doubts(tally, golden, responses, preview)
    noted = [draft.loaded.listed, *doubt_entries([*filter(None, [golden]), *responses], doubts)]
    draft = replace(draft, loaded=replace(draft.loaded, listed=pl.concat(noted)))
    return EvaluatedRun(
        loading=read_doubts(draft.loaded.listed),
        golden=loaded.golden,
        # In one chunk: charts gather rows by place, where polars 2.1 panics on texts in several.
        rows=draft.rows.with_columns(open_rows(draft.rows, draft.thresholds)).rechunk(),
        listed=draft.loaded.listed,
        pipelines=tuple(draft.rows[PIPELINE].unique(maintain_order=True)),
        thresholds=draft.thresholds,
        draft=draft,
    )


def open_run(workspace: Workspace, name: str) -> EvaluatedRun:
    """Return a saved run, by its name or id, with all its rows. Raises QavizError if there is none."""
    run = workspace.find(name)
    listed, rows = workspace.read_listed(run), workspace.rows(run)
    return EvaluatedRun(
        loading=read_doubts(listed),
        golden=workspace.golden(run.golden_id),
        rows=rows.with_columns(open_rows(rows, run.thresholds)),
        listed=listed,
        pipelines=run.pipelines,
        thresholds=run.thresholds,
        run=run,
        labels=kept_labels(workspace, run),
    )


def open_workspace(folder: Path | str | None = None) -> Workspace:
    """Open the workspace in `folder`, else in $QAVIZ_WORKSPACE, else in ./workspace; make it if it is not there."""
    return open_folder(Path(folder) if folder is not None else default_folder())


def lint(golden: Table, run: EvaluatedRun | None = None) -> pl.DataFrame:
    """Return what is wrong with a golden dataset, one row a finding; beside a run also what its responses show.

    Columns: rule, severity, question_id, message, evidence, suggestion and more (`qaviz.golden.lint.FINDINGS`). Raises
    QavizError with every problem of the table.
    """
    triplets, _notes = load_golden(_source("golden", golden), silent)
    labels = counting(run.labels) if run and not run.labels.is_empty() else None
    return lint_golden(triplets, run.rows if run else None, labels=labels)


def _sources(name: str, tables: "Tables") -> list[Source]:
    """What a caller gave as one table or as several, as something to load: paths, folders and patterns as files."""
    if isinstance(tables, str | Path):
        path = Path(tables)
        if path.is_dir() or (set("*?[") & set(str(tables)) and not path.exists()):
            return Source.each_of([shard.path for shard in files_at(str(tables))])
        return [Source.of(tables)]
    if not isinstance(tables, Sequence) or all(isinstance(row, Mapping) for row in tables):
        return [_source(name, tables)]
    parts = [_sources(f"{name}[{place}]", part) for place, part in enumerate(tables)]
    return [source for part in parts for source in part]


def _source(name: str, table: Table) -> Source:
    """The table as something to load: a file as it is, anything else as Parquet in memory, where nulls stay nulls."""
    if isinstance(table, str | Path):
        return Source.of(table)
    buffer = io.BytesIO()
    try:
        _as_polars(name, table).write_parquet(buffer)
    except UnicodeEncodeError:
        raise stop(name, "half a character (a lone surrogate)", "whole characters", "Remove it.") from None
    return Source(name, buffer.getvalue(), limit=_NO_LIMIT, format=".parquet")


def _as_polars(name: str, table: Any) -> pl.DataFrame:  # noqa: ANN401 - whatever a caller passes is checked here
    """The table with null where it has NaN, pandas' word for a missing cell. Raises QavizError if it is no table."""
    match table:
        case pl.DataFrame() | pl.LazyFrame():
            return table.lazy().fill_nan(None).collect()
        case pa.Table():
            return pl.DataFrame(pl.from_arrow(table)).fill_nan(None)
        case Mapping():
            columns = {heading: [_drop_nan(cell) for cell in cells] for heading, cells in table.items()}
            return pl.DataFrame(columns, strict=False)
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        texts = {heading: table[heading].map(_drop_nan) for heading in table.columns if table[heading].dtype == object}
        return pl.from_pandas(table.assign(**texts)).fill_nan(None)
    rows = list(table) if isinstance(table, Iterable) and not isinstance(table, bytes | str) else []
    if rows and all(isinstance(row, Mapping) for row in rows):
        cells = [{heading: _drop_nan(cell) for heading, cell in row.items()} for row in rows]
        return pl.DataFrame(cells, infer_schema_length=None, strict=False)
    raise stop(
        name,
        f"a {type(table).__name__}{' with no rows' if isinstance(table, Iterable) and not rows else ''}",
        "a polars, pandas or pyarrow table, columns by name, rows as dicts, or a path",
        "Convert it to one of these.",
    )


def _drop_nan(cell: object) -> object:
    """The cell; None for what is not equal to itself: NaN of floats, numpy, pandas and decimals."""
    try:
        return None if cell != cell else cell
    except (TypeError, ValueError):  # pandas.NA has no truth value, and arrays have several
        return None if type(cell).__name__ == "NAType" else cell
