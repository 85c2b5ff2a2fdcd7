"""The decision report of a run: decision, matrix, scatter, five worst, comparison, golden dataset, method."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime

import polars as pl
from polars import selectors

from qaviz import __version__, stats
from qaviz.analysis import outcomes as o
from qaviz.analysis import policy, sentences, tables
from qaviz.analysis.board import CELL, GROUP, NOT_CREDITED, count_gap, tabulate_cells, word_gap
from qaviz.analysis.comparison import FIRST, METRIC, SECOND, metric_label
from qaviz.analysis.decision import EXAMPLE, Decision, decide, word_impact, word_override
from qaviz.analysis.estimates import compare_all
from qaviz.analysis.glossary import DIAGNOSIS_DEFINITIONS, TEXTS, THRESHOLD_WORDS
from qaviz.analysis.labels import agreement_lead, certificate_sentences, certify_run, describe_certificate
from qaviz.analysis.numbers import MISSING, count, moment, out_of, plural, score
from qaviz.analysis.selection import Passing, classes_of, find_worst
from qaviz.charts import CELL_LOOKS, pipeline_marks
from qaviz.contexts.funnel import describe_funnel, word_loss
from qaviz.diagnosis.agreement import Agreement, agreement
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Verdict, measure_of
from qaviz.model.metrics import METRICS
from qaviz.model.records import NO_PROTOCOL, Criterion, Override, Protocol, Run, Verified
from qaviz.report import ENDS, Block, Column, Kind, Report, Scatter, Section, Sentences, Table
from qaviz.review.statement import review_sentences
from qaviz.scoring.normalised import normalised_gain, normalised_scores
from qaviz.stats.certify import Certificate
from qaviz.store.labels import kept_labels
from qaviz.store.run_records import find_record
from qaviz.store.workspace import Workspace

EXAMPLES = 3
NAMED = 3
"""Pipelines that a sentence names; more are counted."""

SIGN_OFF = ("Decision", "Decided by", "Pipelines evaluated by", "Golden dataset reviewed by", "Review date")
_SIGN_OFF_FIELDS = ("Name and role", "Date", "Signature")

_HOW_TO_READ: Mapping[str, str] = TEXTS["how_to_read"]
_OF_RESPONSES = (
    *(c.QUESTION_ID, c.CATEGORY, c.TAGS, c.PIPELINE, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE),
    *(c.DIAGNOSIS, c.VERDICT, c.REASON, c.FAULT, c.CONFIDENCE),
    *(*METRICS, c.FACT_VARIANT, c.WARNINGS, c.UNSCORED_FACT, c.UNSCORED_ANSWER),
    *(c.LATENCY_MS, c.COST, c.CONTEXTS, c.SOURCE),
)
"""The columns of the table of responses, those that the run has."""

_RANKING = ("pipeline", "right", "of", "low", "high", "corrected_by_labels", "share", "unsure", "missing", "empty")
_BESIDE = ("declined_rightly", "labelled", "method", "cost", "latency_ms", "critical", "criteria", "against")
_AS_THEY_ARE = (
    *("measure", "recommended", "subject", "kind", "confidence", "confidence_reason", "status", "status_reason"),
    *("settled", "open", "sentence", "reasons", "doubts", "settled_by", "settled_in_days", "settling"),
    *("next_step", "trust", "labelled", "agreed", "effort"),
)


def report_saved(workspace: Workspace, run: Run, made_at: datetime) -> Report:
    """The report of a saved run. Raises QavizError if the run's files are missing or damaged."""
    return report_rows(
        run,
        workspace.golden(run.golden_id),
        workspace.rows(run),
        made_at=made_at,
        verified=workspace.find_verification(run),
        labels=kept_labels(workspace, run),
        criteria=policy.criteria_in_force(workspace),
        reviewed=review_sentences(workspace, run.golden_id),
        doubts=policy.doubts_in_force(workspace, run),
        protocol=policy.protocol_in_force(workspace, run),
        override=find_record(workspace, run.run_id).override,
    )


def report_rows(
    run: Run,
    golden: pl.DataFrame,
    rows: pl.DataFrame,
    *,
    made_at: datetime,
    labels: pl.DataFrame,
    verified: Verified | None = None,
    criteria: Sequence[Criterion] = (),
    reviewed: Sequence[str] = (),
    doubts: Sequence[str] = (),
    protocol: Protocol = NO_PROTOCOL,
    override: Override | None = None,
) -> Report:
    """The report of a run from its tables and what its workspace keeps about it, as `report_saved` reads it."""
    questions, counted = o.select_asked(golden, rows, run.listed_counts), o.select_counted(rows)
    ids = questions[c.QUESTION_ID]
    decision = decide(rows, questions, criteria, labels, doubts, protocol)
    ranked = decision.ranking[c.PIPELINE].to_list()
    together, outcomes = o.whole(rows), o.tabulate(counted, ids, labels)
    certificate = certify_run(rows, labels)
    summary = tables.pipeline_summary(together, questions, ranked)
    comparisons = compare_all(outcomes, ranked, protocol.smallest_difference)
    cells = tabulate_cells(outcomes, ids, ranked)
    agreed = agreement(rows, o.counting(labels)) if labels.height else None
    points = tuple(_list_points(decision, override, certificate))
    measured = dict(_list_measured(run, golden, verified, made_at))
    gaps = tables.golden_sentences(golden, rows, run.pipelines)
    golden_lines = (*reviewed, *gaps, *sentences.listed_sentences(run.listed_counts))
    undecided = _list_undecided(comparisons, decision.criteria)
    unknown = (*undecided, *_list_unknown(run, rows, verified, agreed, certificate))
    run = replace(run, pipelines=tuple(together[c.PIPELINE].cast(pl.String).unique(maintain_order=True)))
    figures: dict[str, tuple[Block, ...]] = {
        "Every question, every pipeline": (_draw_matrix(cells, questions, ranked),),
        "Pipelines": tuple(_tabulate_pipelines(decision.ranking, summary, cells)),
        "Closeness against conciseness": tuple(_draw_scatter(run, together, ranked)),
        "The five worst answers": (_tabulate_worst(rows, golden, labels),),
        "Comparison": tuple(_compare(decision.criteria, comparisons)),
    }
    steps = Sentences(title="Next steps", sentences=tuple(_list_steps(counted, rows, decision, labels)))
    sections = [
        Section(title=decision.sentence, blocks=(Sentences(sentences=points), steps)),
        *(Section(title=title, blocks=blocks) for title, blocks in figures.items() if blocks),
        *_list_further(golden_lines, unknown, measured, comparisons, rows),
    ]
    record = _describe_figures(run, rows, labels, summary, comparisons) | {
        "made_at": made_at,
        "decision": _describe_decision(decision, certificate),
        "override": override and asdict(override),
        "sentence": decision.sentence,
        "sentences": points,
        "criteria": decision.criteria.to_dicts(),
        "certificate": describe_certificate(certificate),
        "golden_dataset": golden_lines,
        "not_known": unknown,
        "measured": measured,
        "funnel": describe_funnel(counted),
    }
    return Report(run=run, title=_ask_question(run), sections=tuple(sections), record=record)


def _list_further(
    golden: tuple[str, ...],
    unknown: tuple[str, ...],
    measured: Mapping[str, str],
    comparisons: pl.DataFrame,
    rows: pl.DataFrame,
) -> Iterator[Section]:
    """The sections behind the figures: texts, sign-off, and all comparisons and responses as appendices."""
    lists = {"The golden dataset": golden, "What is not known": unknown}
    blocks = tuple(Sentences(title=title, sentences=texts) for title, texts in lists.items())
    yield Section(title="The golden dataset, and what is not known", blocks=blocks)
    method = _tabulate_texts("Method", ("What", "How"), list(measured.items()))
    yield Section(title="How it was measured", blocks=(method,))
    lines = [(line, "", "", "") for line in SIGN_OFF]
    yield Section(title="Sign-off", blocks=(_tabulate_texts("Sign-off", ("", *_SIGN_OFF_FIELDS), lines),))
    named = comparisons.with_columns(pl.col(METRIC).replace_strict({name: metric_label(name) for name in o.COMPARED}))
    responses = rows.select(name for name in _OF_RESPONSES if name in rows.columns)
    for title, frame in (("Comparisons", named), ("Responses", responses)):
        listed = frame.with_columns(selectors.list().cast(pl.List(pl.String)).list.join("\n", ignore_nulls=True))
        kinds = {
            name: Kind.COUNT if dtype.is_integer() else Kind.SCORE if dtype.is_float() else Kind.TEXT
            for name, dtype in listed.schema.items()
        }
        texts = listed.with_columns(pl.col(name).cast(pl.String) for name, kind in kinds.items() if kind is Kind.TEXT)
        columns = (
            Column(name, METRICS[name].label if name in METRICS else name.capitalize().replace("_", " "), kind=kind)
            for name, kind in kinds.items()
        )
        table = Table(title=title, frame=texts, columns=tuple(columns))
        yield Section(title=f"All {title.lower()}", blocks=(table,), appendix=True)


def _describe_figures(
    run: Run, rows: pl.DataFrame, labels: pl.DataFrame, summary: pl.DataFrame, comparisons: pl.DataFrame
) -> dict[str, object]:
    # Normalised scores take another reading, 0.1 ms a response: a run of many has none.
    few = o.whole(rows if rows.height <= 20_000 else rows.clear())
    counts = summary.select("fact_hits", f"{c.FACTUAL_KNOWLEDGE}_n", "repeats").iter_rows()
    ends = [
        stats.wilson(hits / max(repeats, 1), n / max(repeats, 1)) if n else (None, None) for hits, n, repeats in counts
    ]
    # The names of docs/metrics.md; `low` and `high` are the 95% interval of the facts stated.
    names = {c.FACTUAL_KNOWLEDGE: "facts_stated", c.RECALL: "closeness", c.PRECISION: "conciseness", c.F1: "f1"}
    numbers = {f"{c.FACTUAL_KNOWLEDGE}_n": "fact_scored"}
    numbers |= {f"{metric}_n": f"{names[metric]}_n" for metric in (c.RECALL, c.PRECISION)}
    others = [name for metric in (*c.SCORES, c.BERTSCORE) for name in (metric, f"{metric}_n")]
    named = summary.rename(names | numbers).drop("repeats", "scored_of", *others, strict=False)
    facts = pl.DataFrame(ends, schema={"low": pl.Float64, "high": pl.Float64}, orient="row")
    return {
        "run": asdict(run),
        "question": _ask_question(run),
        "pipelines": named.hstack(facts).to_dicts(),
        "normalised": normalised_gain(few.hstack(normalised_scores(few))).to_dicts(),
        "diagnoses": _list_diagnoses(rows, labels),
        "comparisons": comparisons.to_dicts(),
        "sign_off": dict.fromkeys(SIGN_OFF),
    }


def _draw_matrix(cells: pl.DataFrame, questions: pl.DataFrame, ranked: Sequence[str]) -> Table:
    """A row a question, a mark a pipeline; columns of marks are named by their place, for a name may be any text."""
    wide = len(ranked)
    marks = {str(place): cells[CELL].cast(pl.String).gather_every(wide, place) for place in range(wide)}
    of_question = cells.gather_every(wide).select(c.QUESTION_ID, pl.col(GROUP).cast(pl.String))
    texts = questions.select(c.QUESTION_ID, c.QUESTION, _in_words(pl.col(c.FACT)))
    frame = of_question.join(texts, on=c.QUESTION_ID, how="left", maintain_order="left").with_columns(**marks)
    signs = "; ".join(f"{look[1]} {cell.value}" for cell, look in CELL_LOOKS.items() if look[1])
    return Table(
        title="Matrix",
        frame=frame,
        columns=(
            *(Column(GROUP, "Pattern"), Column(c.QUESTION, "Question")),
            *(Column(str(place), name, kind=Kind.CELL) for place, name in enumerate(ranked)),
            Column(c.FACT, "Fact"),
        ),
        note=" ".join(filter(None, [f"{signs}. Right, not credited, comes first.", word_gap(cells)])),
    )


def _tabulate_pipelines(ranking: pl.DataFrame, summary: pl.DataFrame, cells: pl.DataFrame) -> Iterator[Table]:
    names = pl.col(c.PIPELINE).cast(pl.String)
    joined = ranking.select(names, "in_words", "share", "low", "high")
    for other in (summary, count_gap(cells).select(names, NOT_CREDITED)):
        joined = joined.join(other.with_columns(names), on=c.PIPELINE, how="left", maintain_order="left")
    pipeline = Column(c.PIPELINE, "Pipeline")
    yield Table(
        title="Pipelines",
        frame=joined,
        columns=(
            *(pipeline, Column("in_words", "Right answers"), Column("share", "Share", kind=Kind.SHARE, ends=ENDS)),
            Column("fact_hits", "Facts stated", kind=Kind.PART, of=f"{c.FACTUAL_KNOWLEDGE}_n"),
            Column(NOT_CREDITED, "Right, not credited", kind=Kind.COUNT),
            Column("answered", "Answered", kind=Kind.PART, of="expected"),
            *(Column(name, METRICS[name].label, kind=Kind.SCORE) for name in (c.RECALL, c.PRECISION, c.F1)),
        ),
        note=_HOW_TO_READ["pipelines"],
    )
    occurring = (kind.value for kind in Diagnosis if summary[kind.value].sum())
    yield Table(
        title="Diagnoses",
        frame=summary,
        columns=(pipeline, *(Column(kind, kind, kind=Kind.COUNT) for kind in occurring)),
        note="Numbers of responses. Correct, verbose and rephrased-correct responses are right.",
    )


def _draw_scatter(run: Run, together: pl.DataFrame, ranked: Sequence[str]) -> Iterator[Scatter]:
    placed = together.select(pl.col(c.PIPELINE).cast(pl.String), c.RECALL, c.PRECISION).drop_nulls(
        [c.RECALL, c.PRECISION]
    )
    if placed.is_empty():
        return
    yield Scatter(
        title="Closeness against conciseness",
        means=tables.pipeline_means(together, ranked),
        points=placed if placed.height <= 2_000 else placed.clear(),  # of more it has the means alone
        colours={name: colour for name, (colour, _) in pipeline_marks(run.pipelines).items()},
        note=_HOW_TO_READ["scatter"],
    )


def _in_words(golden: pl.Expr) -> pl.Expr:
    """A golden fact or answer as people read it: `four or 4` for `four<OR>4`."""
    return golden.cast(pl.String).str.replace_many([c.OR_DELIMITER, c.AND_DELIMITER], [" or ", " and "])


def _tabulate_worst(rows: pl.DataFrame, golden_dataset: pl.DataFrame, labels: pl.DataFrame) -> Table:
    classes = classes_of(rows, golden_dataset, rows[c.PIPELINE].cast(pl.String).unique().to_list())
    listed = Passing(rows=rows, classes=classes)
    worst = rows[listed.find_five_worst(find_worst(rows, classes), o.find_overruled(rows, labels))]
    golden = _in_words(pl.coalesce(c.FACT, c.ANSWER))
    names = (c.DIAGNOSIS, c.QUESTION, "golden", c.PIPELINE, c.RESPONSE)
    return Table(
        title="Worst answers",
        frame=worst.with_columns(golden.alias("golden"), pl.coalesce(c.QUESTION, c.QUESTION_ID).alias(c.QUESTION)),
        columns=(*(Column(name, name.capitalize()) for name in names), Column(c.REASON, "Why")),
        note=_HOW_TO_READ["worst"],
    )


def _compare(criteria: pl.DataFrame, comparisons: pl.DataFrame) -> Iterator[Table]:
    texts = [
        (
            *(row["measure"], row["scope"], policy.word_bound(measure_of(row["measure"]), row["bound"], row["than"])),
            *(row[c.PIPELINE], policy.word_value(row, row["value"])),
            MISSING
            if row["low"] is None
            else " to ".join(policy.word_value(row, end) for end in (row["low"], row["high"])),
            *(out_of(row["scored"], row["expected"]), row["outcome"]),
        )
        for row in c.typed_rows(criteria, policy.CriterionRow)
    ]
    if texts:
        heads = ("Measure", "Of", "Wanted", "Pipeline", "Found", "95% interval", "Scored", "Outcome")
        yield replace(_tabulate_texts("Criteria", heads, texts), note=_HOW_TO_READ["criteria"])
    pairs = comparisons.filter(pl.col(METRIC) == c.VERDICT, pl.col("paired") > 0)
    # Of many pairs those with the pipeline ranked first.
    shown = pairs if pairs.height <= 30 else pairs.filter(pl.col(FIRST) == pairs[FIRST][0])
    if pairs.is_empty():
        return
    left_out = f" {count(shown.height)} of {count(pairs.height)} pairs; the workbook has all."
    yield Table(
        title="Differences",
        frame=shown,
        columns=(
            *(Column(FIRST, "First"), Column(SECOND, "Second"), Column("paired", "Questions", kind=Kind.COUNT)),
            Column("difference", "Difference", kind=Kind.DIFFERENCE, ends=ENDS),
            *(Column("wins", "Won", kind=Kind.COUNT), Column("losses", "Lost", kind=Kind.COUNT)),
            *(Column("p_holm", "p (Holm)", kind=Kind.P), Column("decision", "Decision")),
        ),
        note=_HOW_TO_READ["differences"] + (left_out if shown.height < pairs.height else ""),
    )


def _tabulate_texts(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    names = [str(place) for place in range(len(heads))]
    return Table(
        title=title,
        frame=pl.DataFrame(list(rows), schema=dict.fromkeys(names, pl.String), orient="row"),
        columns=tuple(map(Column, names, heads)),
    )


def _list_diagnoses(rows: pl.DataFrame, labels: pl.DataFrame) -> list[dict[str, object]]:
    """For each diagnosis that occurs its verdict, definition, responses, how many are overruled, and the surest ones,
    each of another question."""
    rows = rows.with_columns(o.find_overruled(rows, labels).alias("overruled"))
    surest = rows.sort("overruled", c.CONFIDENCE, descending=[False, True], nulls_last=True, maintain_order=True)
    of_kinds = ((kind, surest.filter(pl.col(c.DIAGNOSIS) == kind.value)) for kind in Diagnosis)
    return [
        {
            "diagnosis": kind.value,
            "verdict": VERDICT_OF[kind].value,
            "definition": DIAGNOSIS_DEFINITIONS[kind],
            "responses": of_kind.height,
            "overruled": int(of_kind["overruled"].sum()),
            "examples": of_kind.unique(c.QUESTION_ID, keep="first", maintain_order=True)
            .head(EXAMPLES)
            .select(EXAMPLE)
            .to_dicts(),
        }
        for kind, of_kind in of_kinds
        if of_kind.height
    ]


def _describe_decision(decision: Decision, certificate: Certificate) -> dict[str, object]:
    """The decision for programs: `settled_by` is null where no number of questions settles it."""
    risk = decision.risk
    return {name: getattr(decision, name) for name in _AS_THEY_ARE} | {
        "why": decision.confidence_reason,
        "impact": asdict(decision.impact),
        "certified": describe_certificate(certificate) if certificate.certified else None,
        "risk": risk and risk.sentence,
        "risk_example": risk and asdict(risk),
        "protocol": asdict(decision.protocol),
        "ranking": decision.ranking.select(*_RANKING, *_BESIDE).to_dicts(),
    }


def _list_points(decision: Decision, override: Override | None, certificate: Certificate) -> Iterator[str]:
    """What stands under the decision: what a person decided instead, status, effect, confidence, reasons, risk, and
    what would settle it."""
    if override:
        yield word_override(override)
    yield f"Status: {decision.status}. {decision.status_reason}"
    if impact := word_impact(decision.subject, decision.impact):
        yield impact
    if decision.confidence:
        yield f"Confidence: {decision.confidence}. {decision.confidence_reason}"
    yield from decision.reasons
    yield from (f"Doubt of loading: {doubt}." for doubt in decision.doubts)
    if decision.risk:
        yield f"Biggest risk: {decision.risk.sentence}"
    yield decision.settling
    if decision.effort:
        yield decision.effort
    yield decision.trust
    if certificate.certified:
        yield " ".join(certificate_sentences(certificate))


def _list_steps(counted: pl.DataFrame, rows: pl.DataFrame, decision: Decision, labels: pl.DataFrame) -> Iterator[str]:
    """What to do next: by the decision, then where its pipeline loses most, then what concerns most responses."""
    if decision.next_step != decision.settling:
        yield decision.next_step
    if lost := word_loss(counted, decision.subject):
        yield lost
    yield from (f"{step.title}." for step in sentences.next_steps(rows, decision.subject, labels=labels))


def _ask_question(run: Run) -> str:
    """What the report helps to decide."""
    names, questions = run.pipelines, plural(run.questions, "question")
    if len(names) == 1:
        return f"Is {names[0]} good enough, judged by {questions}?"
    if len(names) > NAMED:
        return f"Which of {count(len(names))} pipelines is best, judged by {questions}?"
    return f"Which is best, judged by {questions}: {', '.join(names[:-1])} or {names[-1]}?"


def _list_unknown(
    run: Run, rows: pl.DataFrame, verified: Verified | None, agreed: Agreement | None, certificate: Certificate
) -> Iterator[str]:
    """What the run leaves open of its responses and of their scores, a sentence each."""
    with_text = pl.col(c.RESPONSE).fill_null("").str.strip_chars() != ""
    unsure = rows.filter(with_text, pl.col(c.VERDICT) == Verdict.UNSURE.value).height
    if unsure:
        yield f"Whether {out_of(unsure, rows.height)} responses are right: their verdict is unsure."
    if agreed is None:
        yield "Agreement of people with these verdicts: no response of this run is labelled."
    else:
        yield agreement_lead(agreed)
    if verified is None:
        yield "Whether the installed FMEval gives the same scores: this run is not verified yet."
    yield (
        f"Results on other kinds of questions: intervals cover questions like these {count(run.questions)}, "
        "not all that people will ask."
    )
    if not certificate.certified:
        yield " ".join(certificate_sentences(certificate))


def _list_undecided(comparisons: pl.DataFrame, criteria: pl.DataFrame) -> Iterator[str]:
    """What the run does not settle: which pipeline is better, and which is good enough. A sentence each."""
    pairs = comparisons.filter(pl.col(METRIC) == c.VERDICT, pl.col("paired") > 0)
    settled = (stats.Compared.BETTER, stats.Compared.WORSE, stats.Compared.LEVEL)
    open_pairs = pairs.filter(~pl.col("decision").is_in([word.value for word in settled]))
    if open_pairs.height:
        yield (
            f"Which pipeline has more right answers: not settled for {out_of(open_pairs.height, pairs.height)} "
            f"{'pair' if pairs.height == 1 else 'pairs'}."
        )
    open_criteria = criteria.filter(pl.col("outcome") == policy.Outcome.NOT_SHOWN.value)
    if criteria.is_empty():
        yield "Which pipeline is good enough: this workspace has no acceptance criteria."
    elif open_criteria.height:
        yield (
            f"Whether {out_of(open_criteria.height, criteria.height)} acceptance criteria are met: not shown with this "
            "many questions."
        )


def _list_measured(
    run: Run, golden: pl.DataFrame, verified: Verified | None, made_at: datetime
) -> Iterator[tuple[str, str]]:
    """How the figures came about: what, of which version, with which thresholds."""
    yield "Run", f"{run.name} ({run.run_id})"
    yield "Scored", f"{moment(run.created_at)} by {run.scorer}"
    yield "Judge", f"{run.judge}, where a verdict is unsure" if run.judge else "none"
    yield "Scores verified", sentences.verified_sentence(verified, run.responses) if verified else "not yet"
    yield "Golden dataset", f"version {run.golden_id}, {plural(golden.height, 'triplet')}"
    yield "Responses", f"{count(run.responses)} of {plural(len(run.pipelines), 'pipeline')}"
    yield "Files", ", ".join(run.sources)
    for name, value in asdict(run.thresholds).items():
        yield f"Threshold: {THRESHOLD_WORDS[name].label}", f"{score(value)}. {THRESHOLD_WORDS[name].help}"
    yield "Comparisons", f"paired by question; resamples drawn with seed {o.SEED}"
    yield "Decision pack", f"{moment(made_at)} by qaviz {__version__}"
