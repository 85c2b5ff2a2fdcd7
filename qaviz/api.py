"""The public Python API, for notebooks and scripts: tables in, an evaluated run out."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from qaviz import runs
from qaviz.analysis import closeness, comparison, tables
from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.right_answers import NO_LABELS
from qaviz.analysis.selection import Passing, classes_of
from qaviz.charts.charts import Figure, matrix_chart
from qaviz.charts.scatter_chart import closeness_conciseness, with_thresholds
from qaviz.diagnosis.agreement import Agreement
from qaviz.diagnosis.agreement import agreement as compare_with_labels
from qaviz.exports.table_files import COLUMNS
from qaviz.golden.lint import lint as lint_golden
from qaviz.judging.prompts import Judge
from qaviz.judging.rubric import default_rubric, read_rubric
from qaviz.judging.runs import hear_judge, judge_rows, parse_only, select_rows
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.loading import Source, load, load_golden, silent
from qaviz.loading.labels import read_labels
from qaviz.loading.load import Loaded
from qaviz.model.columns import BERTSCORE, PIPELINE
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Criterion, Run, Thresholds
from qaviz.store import Workspace, default_folder
from qaviz.store import open_workspace as open_folder

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = "pl.DataFrame | pd.DataFrame | Sequence[Mapping[str, object]] | Path | str"
"""What the API takes as a table: a polars or pandas DataFrame, a list of dicts, or the path of a file."""

_NO_LIMIT = 2**62
"""Bytes: a table that is in memory already has no upload limit."""


@dataclass(frozen=True, kw_only=True)
class EvaluatedRun:
    """A golden dataset and the responses of its pipelines, scored and diagnosed. It is not saved until `save`."""

    golden: pl.DataFrame
    """One row a triplet: question_id, question, answer, fact, category, answerable, source, tags."""
    rows: pl.DataFrame
    """One row a response: its triplet, FMEval's seven scores, diagnosis, verdict, confidence, reason, evidence."""
    listed: pl.DataFrame
    """What loading noted, one row a note: kind, where, question_id, pipeline, detail."""
    pipelines: tuple[str, ...]
    thresholds: Thresholds
    run: Run | None = None
    """The record of a saved run; None while it is not saved."""
    draft: runs.DraftRun | None = None
    """What `save` keeps; None for a run that a workspace has already."""

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a response with the columns that `qaviz score` writes, as a pandas DataFrame."""
        return self.rows.select(*COLUMNS, *({BERTSCORE} & set(self.rows.columns))).to_pandas()

    def decision(self, labels: "Table | None" = None, criteria: Sequence[Criterion] = ()) -> Decision:
        """Return what the run says should be shipped: recommendation, confidence, reasons, risk, ranking.

        `labels` (question_id, pipeline, label) have to be of responses drawn at random: they correct the shares. Raises
        QavizError with every problem of the labels.
        """
        drawn = read_labels(_source("labels", labels), silent) if labels is not None else NO_LABELS
        return decide(self.rows, self.golden, criteria, drawn)

    def compare(self, first: str, second: str) -> pl.DataFrame:
        """Return the paired comparison of two pipelines, one row a metric.

        Columns: metric, first, second, paired (questions), mean_first, mean_second, difference, low, high (95 %
        interval), wins, losses, ties, p, decision, sentence and more (`qaviz.analysis.comparison.compare`). Raises
        QavizError for a pipeline that the run does not have.
        """
        self._refuse_unknown(first, second)
        return comparison.compare(self.rows, [first, second])

    def matrix(self) -> Figure:
        """Return the Factual Knowledge report as a plotly figure: a row a question, a column a pipeline."""
        return matrix_chart(tables.fact_matrix(self.rows, self.golden, self.pipelines), self.pipelines)

    def scatter(self) -> Figure:
        """Return closeness (recall) against conciseness (precision) as a plotly figure, with each pipeline's mean."""
        classes = classes_of(self.rows, self.golden, self.pipelines)
        every = Passing(rows=self.rows, classes=classes, own=self.thresholds, tried=self.thresholds)
        panels = closeness.panels(every, closeness.Split.NONE, self.pipelines)
        means = [closeness.pipeline_means(self.rows, self.pipelines)]
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
        100calls. Replies are kept in the file `journal`: the same call again asks nothing. Raises QavizError for
        settings or a server that will not do (docs/judging.md).
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
        """Return the run with this judge heard: it decides what the rules leave open, and nothing else."""
        rows = hear_judge(self.rows, grades, self.thresholds)
        return replace(self, rows=rows, draft=self.draft and replace(self.draft, rows=rows))

    def save(self, workspace: Workspace, name: str) -> Run:
        """Save the run in the workspace and return its record.

        Raises QavizError if the run is saved already, if the name is empty or taken, or if the disk refuses.
        """
        if self.draft is None:
            raise stop(
                f'run "{self.run.name}"' if self.run else "the run",
                "a run that the workspace has already",
                "a run that is not saved yet",
                "Use it as it is, or evaluate its files again.",
            )
        return runs.save(self.draft, workspace, name)

    def _refuse_unknown(self, *names: str) -> None:
        problems = [
            Problem(
                where="compare",
                found=f'the pipeline "{name}"',
                expected="one of " + ", ".join(f'"{each}"' for each in self.pipelines),
                fix="Name a pipeline of the run.",
            )
            for name in names
            if name not in self.pipelines
        ]
        if problems:
            raise QavizError(*problems)


def evaluate(golden: Table, responses: Table, *, thresholds: Thresholds | None = None) -> EvaluatedRun:
    """Score and diagnose responses by a golden dataset.

    `golden` has question and answer, and if known question_id, fact, category, answerable, source, tags. `responses`
    has question_id or question, then pipeline and response, or one column a pipeline. Columns with other names are
    recognised as in files. Raises QavizError with every problem of both tables.
    """
    loaded = load(_source("golden", golden), [_source("responses", responses)])
    draft = runs.draft(loaded, thresholds or Thresholds())
    return _to_evaluated_run(draft, loaded)


def _to_evaluated_run(draft: runs.DraftRun, loaded: Loaded) -> EvaluatedRun:
    return EvaluatedRun(
        golden=loaded.golden,
        # Charts gather rows by place; polars 2.1 panics there on texts in several chunks.
        rows=draft.rows.rechunk(),
        listed=draft.loaded.listed,
        pipelines=tuple(draft.rows[PIPELINE].unique(maintain_order=True)),
        thresholds=draft.thresholds,
        draft=draft,
    )


def open_run(workspace: Workspace, name: str) -> EvaluatedRun:
    """Return a saved run, by its name or id, with all its rows. Raises QavizError if there is none."""
    run = workspace.find(name)
    return EvaluatedRun(
        golden=workspace.golden(run.golden_id),
        rows=workspace.rows(run),
        listed=workspace.read_listed(run),
        pipelines=run.pipelines,
        thresholds=run.thresholds,
        run=run,
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
    return lint_golden(triplets, run.rows if run else None)


def _source(name: str, table: Table) -> Source:
    """The table as something to load: a file as it is, anything else as Parquet in memory, where nulls stay nulls."""
    if isinstance(table, str | Path):
        return Source.of(table)
    frame = _as_polars(name, table)
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return replace(Source(f"{name}.parquet", buffer.getvalue()), limit=_NO_LIMIT)


def _as_polars(name: str, table: Any) -> pl.DataFrame:  # noqa: ANN401 - whatever a caller passes is checked here
    if isinstance(table, pl.DataFrame):
        return table
    if isinstance(table, Sequence) and all(isinstance(row, Mapping) for row in table):
        return pl.DataFrame(list(table), infer_schema_length=None, strict=False)
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        return pl.from_pandas(table)
    raise stop(
        name,
        f"a {type(table).__name__}",
        "a polars or pandas DataFrame, a list of dicts, or a path",
        "Convert it to one of these.",
    )
