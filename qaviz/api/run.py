"""An evaluated run and two of them beside each other: what a notebook asks of them."""

import getpass
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import polars as pl

from qaviz.analysis import tables
from qaviz.analysis.board import tabulate_cells
from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.decision.choice import Kind
from qaviz.analysis.estimates import compare as compare_pairs
from qaviz.analysis.gate import Gate, Rules, gate
from qaviz.analysis.numbers import MISSING, plural
from qaviz.analysis.outcomes import COMPARED, NO_LABELS, read_score, select_asked, select_counted, tabulate
from qaviz.analysis.policy import CRITERIA, as_policy, criteria_of
from qaviz.analysis.run_changes import CHANGE, Change, RunSide, count_changes
from qaviz.api.tables import Table, open_table
from qaviz.charts import Figure, decision_chart, matrix_chart
from qaviz.diagnosis.agreement import Agreement, check_labels, select_labels
from qaviz.diagnosis.agreement import agreement as compare_with_labels
from qaviz.diagnosis.judging import OPEN
from qaviz.exports.decision_pack import exporters, write_file
from qaviz.exports.table_files import COLUMNS, check_out
from qaviz.judging.prompts import Judge, default_rubric, read_rubric
from qaviz.judging.runs import hear_judge, judge_rows, parse_only, select_rows
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.loading import listed_counts, silent
from qaviz.loading.labels import read_labels
from qaviz.model import columns as c
from qaviz.model.errors import DoubtError, Problem, QavizError, naming_extras, stop
from qaviz.model.records import Criterion, Run, Thresholds, default_folder
from qaviz.report.decision import report_rows, report_saved
from qaviz.runs import make_provenance, name_engine
from qaviz.stats import MARGIN
from qaviz.store.index import write_moment
from qaviz.store.labels import DRAWN, LABELLED_AT, LABELLED_BY, keep_labels, kept_labels
from qaviz.store.workspace import Workspace, golden_id
from qaviz.store.workspace import open_workspace as open_folder

if TYPE_CHECKING:
    import pandas as pd

Criteria: TypeAlias = "Sequence[Criterion | Mapping[str, object]]"
"""What a pipeline has to reach: `{"measure": "right answers", "at_least": 0.9}`, as a policy's file has it, or of a
score that came with the responses `{"score": "politeness", "at_least": 0.9}`."""

_FIRST_ROWS = 5
_SHOWN = ("question", "pipeline", "response", "verdict", "diagnosis")
"""Rows and columns that a notebook shows of a run."""
_KEY = [c.QUESTION_ID, c.PIPELINE]


@dataclass(kw_only=True, repr=False, eq=False)
class EvaluatedRun:
    """A golden dataset and the responses of its pipelines, scored and diagnosed. It is not kept until `save`."""

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
    workspace: Workspace | None = None
    sources: tuple[str, ...] = ()
    """Names of the files and tables; of a saved run its record has them."""
    loading: tuple[str, ...] = ()
    """What is doubtful of how the tables were read, a sentence each: a decision on it is never sure."""
    labels: pl.DataFrame = field(default_factory=lambda: NO_LABELS)
    """People's labels (`store.labels.kept_labels`): decision and comparison count them."""

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

    @property
    def plot(self) -> "Plots":
        """The app's figures of the run, as plotly figures."""
        return Plots(self)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a pandas DataFrame: a row a response, then a row for each question that a pipeline did not answer.

        Columns: all inputs (triplet, response, latency_ms, cost, contexts, ...), those that `qaviz score` writes, and
        a column for each score that came with the responses or that `metrics` gave. A missing response is null, as
        are its scores; `unscored_answer` says why.
        """
        with naming_extras():
            import_module("pandas")
        columns = dict.fromkeys((*c.GOLDEN_COLUMNS, *c.RESPONSE_COLUMNS, *COLUMNS, OPEN))
        scores = [read_score(self.rows, name).alias(name) for name in self._list_scores()]
        table = self.rows.select(name for name in columns if name in self.rows.columns).with_columns(scores)
        table = table.drop(c.THEIR_SCORES, strict=False).with_columns(pl.col(_KEY).cast(pl.String))
        names = pl.DataFrame({c.PIPELINE: self.pipelines}, schema={c.PIPELINE: pl.String})
        wanted = self.asked.join(names, how="cross", maintain_order="left_right")
        missing = wanted.join(table, on=_KEY, how="anti", maintain_order="left")
        why = [pl.lit(tables.NO_RESPONSE).alias(name) for name in (c.UNSCORED_FACT, c.UNSCORED_ANSWER)]
        return pl.concat([table, missing.with_columns(why)], how="diagonal_relaxed").to_pandas()

    def decision(self, labels: "Table | None" = None, criteria: Criteria = ()) -> Decision:
        """Return what the run says should be shipped: recommendation, confidence, reasons, risk, ranking.

        `labels` (question_id, pipeline, label) are of responses drawn at random and count this once; without them
        those of `add_labels` and of a saved run do. Raises QavizError with every problem of the labels, where none is
        of the run, and with every problem of the criteria.
        """
        counting = self.labels if labels is None else self._read_own_labels(labels)
        return decide(self.rows, self.asked, read_criteria(criteria), counting, self.loading)

    @property
    def asked(self) -> pl.DataFrame:
        """The triplets of the questions that were asked: all, but for a run of FMEval's own fixed sample."""
        return select_asked(self.golden, self.rows, dict(self.listed["kind"].value_counts().iter_rows()))

    def _list_scores(self) -> list[str]:
        """The names of the scores that came with responses, or that functions gave; none of a column of ours."""
        scores = tables.their_scores(self.rows)[tables.SCORE].unique(maintain_order=True)
        return [name for name in scores if name not in self.rows.columns]

    def compare(self, first: str, second: str) -> pl.DataFrame:
        """Return the paired comparison of two pipelines, one row a metric, scores of `metrics` among them.

        Columns: first, second, metric, paired (questions), mean_first, mean_second, difference, low, high (95 %
        interval), wins, losses, ties, p, decision, sentence and more. Raises QavizError for an unknown pipeline.
        """
        quoted = ", ".join(f'"{name}"' for name in self.pipelines)
        if problems := [
            Problem("compare", f'the pipeline "{name}"', f"one of {quoted}", "Name a pipeline of the run.")
            for name in (first, second)
            if name not in self.pipelines
        ]:
            raise QavizError(*problems)
        outcomes = tabulate(self.rows, self.asked[c.QUESTION_ID], self.labels, apart=True)
        scores = {name: read_score(outcomes, name) for name in self._list_scores()}
        return compare_pairs(outcomes.with_columns(**scores), [(first, second)], (*COMPARED, *scores))

    def agreement(self, labels: Table) -> Agreement:
        """Return how far verdicts agree with people's labels (question_id, pipeline, label).

        Raises QavizError with every problem of the labels.
        """
        return compare_with_labels(self.rows, read_labels(open_table("labels", labels), silent))

    def add_labels(self, labels: Table, *, drawn: Literal["random", "picked"] = "picked", by: str | None = None) -> int:
        """Add people's labels (question_id, pipeline, label); return how many are of the run's responses.

        Labels of responses that were drawn at random correct shares and differences of all; picked ones decide their
        own responses alone. `by` is who labelled. A saved run keeps them at once, another one when it is saved. Raises
        QavizError with every problem of the labels, and where none is of the run.
        """
        own = self._read_own_labels(labels)
        if drawn not in ("random", "picked"):
            raise stop("drawn", repr(drawn), '"random" or "picked"', "Say how the responses were chosen.")
        kept = own.with_columns(pl.lit(drawn == "random").alias(DRAWN))
        person = by or getpass.getuser()
        if self.run and self.workspace:
            keep_labels(self.workspace, self.run, person, kept)
            self.labels = kept_labels(self.workspace, self.run)
        else:
            when = {LABELLED_BY: pl.lit(person), LABELLED_AT: pl.lit(write_moment())}
            self.labels = pl.concat([self.labels, kept.with_columns(**when)], how="diagonal")
        return own.height

    def _read_own_labels(self, labels: Table) -> pl.DataFrame:
        given = read_labels(open_table("labels", labels), silent)
        check_labels(given)
        own = select_labels(given, self.rows.select(pl.col(*_KEY, c.RESPONSE).cast(pl.String)))
        if own.is_empty():
            expected = "question_id and pipeline of responses of the run"
            raise stop("labels", f"{plural(given.height, 'label')}, none of the run", expected, "Check both columns.")
        return own

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
        """Return the run with this judge heard: it decides what words are not sure of. Its probes are not known."""
        return replace(self, rows=hear_judge(self.rows, grades, self.thresholds))

    def report(self, out: Path | str) -> Path:
        """Write the decision pack to `out` and return its path: .pptx, .xlsx, .html, .md or .json.

        Raises QavizError for another suffix, and where the disk refuses.
        """
        path, now = Path(out), datetime.now(UTC)
        check_out(path, suffixes=exporters())
        with naming_extras():
            if self.run and self.workspace:
                report = report_saved(self.workspace, self.run, now)
            else:
                run, labels = take_side(self, path.stem).run, self.labels
                report = report_rows(run, self.golden, self.rows, made_at=now, labels=labels, doubts=self.loading)
            write_file(report, path)
        return path

    def save(self, name: str, workspace: Workspace | Path | str | None = None, *, accept_doubts: bool = False) -> Run:
        """Save the run, with its labels, and return its record.

        `workspace` is one that is open or its folder, else $QAVIZ_WORKSPACE, else ./workspace. Raises QavizError if the
        run is saved already, if it was read with doubts (`loading`) that are not accepted, if the name is empty or
        taken, or if the disk refuses.
        """
        if self.run:
            expected, fix = "a run that is not saved yet", "Use it as it is, or evaluate its files again."
            raise stop(f'run "{self.run.name}"', "a run that the workspace has already", expected, fix)
        if self.loading and not accept_doubts:
            fix = "Map the columns, or save it all the same: save(name, accept_doubts=True)."
            expected = "a reading without doubts"
            raise DoubtError(*(Problem(name, doubt, expected, fix) for doubt in self.loading))
        home = workspace if isinstance(workspace, Workspace) else open_workspace(workspace)
        saved = home.save(
            name,
            self.golden,
            self.rows.drop(OPEN),
            thresholds=self.thresholds,
            engine=name_engine(),
            sources=self.sources,
            listed=self.listed,
            provenance=make_provenance(()),
        )
        if not self.labels.is_empty():
            for batch in self.labels.partition_by(LABELLED_BY, LABELLED_AT, maintain_order=True):
                keep_labels(home, saved, batch[LABELLED_BY][0], batch)
        self.run, self.workspace, self.labels = saved, home, kept_labels(home, saved)
        return saved

    def log_to_mlflow(self, experiment: str = "qaviz") -> list[str]:
        """Log each pipeline as a run of the MLflow experiment; return the ids of the runs.

        Metrics: right_answers with right_answers_low and _high (95 % interval), and the mean of each score that is not
        null. Parameters: pipeline, questions, golden_id. The rows are an artifact, responses.json. The tracking server
        is MLflow's own setting. Raises QavizError without the extra mlflow.
        """
        with naming_extras():
            mlflow = import_module("mlflow")
        mlflow.set_experiment(experiment)
        ids, table = list[str](), self.to_pandas()
        for row in self.decision().ranking.iter_rows(named=True):
            own = table[table[c.PIPELINE] == row[c.PIPELINE]]
            scores = [name for name in (*c.SCORES, *self._list_scores()) if own[name].count()]
            right = {"right_answers": "share", "right_answers_low": "low", "right_answers_high": "high"}
            figures = {figure: row[name] for figure, name in right.items()}
            figures |= {name: float(own[name].mean()) for name in scores}
            params = {"pipeline": row[c.PIPELINE], "questions": len(own), "golden_id": golden_id(self.golden)}
            with mlflow.start_run(run_name=row[c.PIPELINE]) as started:
                mlflow.log_params(params)
                mlflow.log_metrics(figures)
                mlflow.log_text(own.to_json(orient="records", force_ascii=False), "responses.json")
                ids.append(started.info.run_id)
        return ids


@dataclass(frozen=True)
class Plots:
    """The figures of a run, each a plotly figure that shows itself in a notebook."""

    run: EvaluatedRun

    def matrix(self) -> Figure:
        """Return the board's matrix: a row a question, a column a pipeline, best first, by colour and sign what became
        of each response; questions whose right answers FMEval does not credit come first."""
        run, questions = self.run, self.run.asked
        ranked = run.decision().ranking[c.PIPELINE].to_list()
        outcomes = tabulate(select_counted(run.rows), questions[c.QUESTION_ID], run.labels)
        with naming_extras():
            return matrix_chart(tabulate_cells(outcomes, questions[c.QUESTION_ID], ranked), questions, ranked)

    def scatter(self) -> Figure:
        """Return closeness (recall) against conciseness (precision), with the mean of each pipeline."""
        run = self.run
        means = tables.pipeline_means(run.rows, run.pipelines)
        with naming_extras():
            from qaviz.charts.scatter_chart import closeness_conciseness

            return closeness_conciseness(run.rows, means, run.pipelines, run.thresholds)

    def decision(self) -> Figure:
        """Return the share of right answers of each pipeline with its 95 % interval, the best first."""
        with naming_extras():
            return decision_chart(self.run.decision().ranking)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RunComparison:
    """Two runs of the same questions, question by question."""

    changes: pl.DataFrame
    """A row a question and pair of pipelines: question_id, question, pipeline, response, verdict, diagnosis, the same
    with `_before`, golden_changed, and change: fixed, broken, changed or same."""
    before: RunSide
    after: RunSide
    pairs: tuple[tuple[str, str], ...]
    """Pipelines of the run before, each with the one after; none where those of the same name are compared."""

    def __repr__(self) -> str:
        counts = (f"{number} {change.value}" for change, number in count_changes(self.changes).items())
        return f"RunComparison({', '.join(counts)})"

    @property
    def fixed(self) -> pl.DataFrame:
        """Rows of `changes` that are right now, and were not before."""
        return self._select(Change.FIXED)

    @property
    def broken(self) -> pl.DataFrame:
        """Rows of `changes` that were right before, and are not now."""
        return self._select(Change.BROKEN)

    @property
    def changed(self) -> pl.DataFrame:
        """Rows of `changes` with another text, verdict or golden triplet that are neither fixed nor broken."""
        return self._select(Change.CHANGED)

    def _select(self, change: Change) -> pl.DataFrame:
        return self.changes.filter(pl.col(CHANGE) == change.value)

    @property
    def transitions(self) -> pl.DataFrame:
        """How many responses went from one diagnosis to another, most first: pipeline, diagnosis_before, diagnosis,
        responses. A missing response has no diagnosis."""
        moved = self.changes.filter(pl.col(c.DIAGNOSIS).ne_missing(pl.col("diagnosis_before")))
        counted = moved.group_by(c.PIPELINE, "diagnosis_before", c.DIAGNOSIS, maintain_order=True)
        return counted.agg(pl.len().alias("responses")).sort("responses", descending=True, maintain_order=True)

    def gate(self, criteria: Criteria = (), *, margin: float = MARGIN, broken: int | None = None) -> Gate:
        """Return whether the later run may pass: `result` is pass, fail or cannot tell, `checks` say why.

        `margin` is the loss of right answers that matters, `broken` how many questions may break. Raises QavizError
        with every problem of the criteria, and where the runs share no question.
        """
        pairs = [(after, before) for before, after in self.pairs]
        return gate(self.after, self.before, pairs, read_criteria(criteria), Rules(margin=margin, broken=broken))


def take_side(run: EvaluatedRun, name: str) -> RunSide:
    """Return the run as gate and compare take it; one that is not saved is called `name`."""
    record = run.run or Run(
        run_id="",
        name=name,
        created_at=datetime.now(UTC),
        golden_id=golden_id(run.golden),
        pipelines=run.pipelines,
        questions=run.golden.height,
        responses=run.rows.height,
        thresholds=run.thresholds,
        engine=name_engine(),
        sources=run.sources,
        listed_counts=listed_counts(run.listed),
    )
    return RunSide(run=record, golden=run.asked, rows=run.rows, labels=run.labels)


def read_criteria(criteria: Criteria) -> tuple[Criterion, ...]:
    """Return them as records. Raises QavizError with every problem, named by its place."""
    entries = [
        as_policy([criterion])[CRITERIA][0] if isinstance(criterion, Criterion) else dict(criterion)
        for criterion in criteria
    ]
    return criteria_of({CRITERIA: entries}, "criteria") if entries else ()


def open_workspace(folder: Path | str | None = None) -> Workspace:
    """Open the workspace in `folder`, else in $QAVIZ_WORKSPACE, else in ./workspace; make it if it is not there."""
    return open_folder(Path(folder) if folder is not None else default_folder())
