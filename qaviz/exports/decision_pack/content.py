"""What a decision pack says, gathered once from a run, and its sentences: every format writes this and
nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

import polars as pl

from qaviz import __version__, stats
from qaviz.analysis import comparison, sentences, tables
from qaviz.analysis.closeness import normalised_gain, with_normalised
from qaviz.analysis.comparison import MANY_MORE, metric_label
from qaviz.analysis.decision import Decision, decide, word_impact, word_override
from qaviz.analysis.estimates import compare_all
from qaviz.analysis.glossary import DIAGNOSIS_DEFINITIONS, THRESHOLD_WORDS
from qaviz.analysis.labels import Certificate, agreement_lead, certify_run, word_certificate
from qaviz.analysis.numbers import MISSING, count, moment, out_of, plural, score
from qaviz.analysis.outcomes import SEED, counting, find_overruled, select_asked, select_counted, tabulate, whole
from qaviz.analysis.policy import Outcome, criteria_in_force, doubts_in_force, protocol_in_force
from qaviz.analysis.sentences import Step, verified_sentence
from qaviz.charts import DIAGNOSIS_COLOURS, PIPELINE_COLOURS
from qaviz.contexts.funnel import describe_funnel, word_loss
from qaviz.diagnosis import RULES
from qaviz.diagnosis.agreement import Agreement, agreement
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.metrics import METRICS
from qaviz.model.records import NO_PROTOCOL, Criterion, Override, Protocol, Run, Verified
from qaviz.review.statement import review_sentences
from qaviz.store.golden_versions import GoldenVersion, line_of, versions
from qaviz.store.labels import kept_labels
from qaviz.store.run_records import find_record
from qaviz.store.workspace import Workspace

MOST_BARS = 16
"""Pipelines in one figure; more could not be told apart."""


class Unit(StrEnum):
    """What the values of a figure are."""

    PERCENT = "percent"
    """Shares from 0 to 1, shown in percent."""
    SCORE = "score"
    """Scores from 0 to 1."""
    COUNT = "count"
    """Numbers of responses, drawn as parts of a whole."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """The values of one colour, a value a pipeline; None where nothing is scored."""

    name: str
    colour: str
    values: tuple[float | None, ...]
    ends: tuple[tuple[float, float] | None, ...] = ()
    """The 95 % interval of each value; empty where the series has none."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Bars from left to right, a group a pipeline from top to bottom."""

    name: str
    """A word for sheets and files."""
    title: str
    reading: str
    """How to read it, in a sentence or two."""
    unit: Unit
    pipelines: tuple[str, ...]
    counted: tuple[str, ...]
    """What each pipeline's values count: `8 of 10`."""
    series: tuple[Series, ...]
    left_out: int
    """Pipelines beyond MOST_BARS."""


def figures_of(summary: pl.DataFrame, ranking: pl.DataFrame) -> tuple[Figure, ...]:
    """The figures of a decision's ranking and of `tables.pipeline_summary`, in their order. A figure without any
    value is left out."""
    bars, left_out = summary.head(MOST_BARS), max(summary.height - MOST_BARS, 0)
    drawn = (
        _draw_right(ranking),
        _draw_diagnoses(bars, left_out),
        _draw_facts(bars, left_out),
        _draw_words(bars, left_out),
    )
    return tuple(
        figure for figure in drawn if any(value is not None for series in figure.series for value in series.values)
    )


def _draw_right(ranking: pl.DataFrame) -> Figure:
    bars = ranking.head(MOST_BARS)
    return Figure(
        name="Right",
        title="Share of right answers of each pipeline",
        reading="Longer bar: more right answers; unsure ones are not counted. The thin line is the 95% interval, with "
        "unsure ones wrong at one end and right at the other.",
        unit=Unit.PERCENT,
        pipelines=tuple(bars[c.PIPELINE]),
        counted=tuple(bars["in_words"]),
        series=(_draw_shares("Right answers", bars, "share"),),
        left_out=max(ranking.height - MOST_BARS, 0),
    )


def _draw_shares(name: str, bars: pl.DataFrame, share: str) -> Series:
    """The values of a column with the interval from `low` to `high`."""
    ends = bars.select(share, "low", "high").iter_rows()
    intervals = tuple(None if value is None else (low, high) for value, low, high in ends)
    return Series(name=name, colour=PIPELINE_COLOURS[0], values=tuple(bars[share]), ends=intervals)


def _draw_facts(summary: pl.DataFrame, left_out: int) -> Figure:
    return Figure(
        name="Facts",
        title="Share of facts that each pipeline states",
        reading="Longer bar: more facts stated. The thin line is the 95% interval. "
        "Where lines overlap widely, the difference may be chance.",
        unit=Unit.PERCENT,
        pipelines=tuple(summary[c.PIPELINE]),
        counted=tuple(out_of(*counts) for counts in summary.select("fact_hits", "fact_scored").iter_rows()),
        series=(_draw_shares(METRICS[c.FACTUAL_KNOWLEDGE].label, summary, "facts_stated"),),
        left_out=left_out,
    )


def _draw_words(summary: pl.DataFrame, left_out: int) -> Figure:
    series = tuple(
        Series(name=METRICS[metric].label, colour=colour, values=tuple(summary[column]))
        for metric, column, colour in (
            (c.RECALL, "closeness", PIPELINE_COLOURS[0]),
            (c.PRECISION, "conciseness", PIPELINE_COLOURS[1]),
        )
    )
    return Figure(
        name="Words",
        title="Closeness to the golden answers, and conciseness",
        reading=f"{METRICS[c.RECALL].label}: {METRICS[c.RECALL].question} {METRICS[c.PRECISION].label}: "
        f"{METRICS[c.PRECISION].question} Means over the responses that are scored. Both count words, not meaning.",
        unit=Unit.SCORE,
        pipelines=tuple(summary[c.PIPELINE]),
        counted=tuple(f"mean of {count(scored)}" if scored else MISSING for scored in summary["closeness_n"]),
        series=series,
        left_out=left_out,
    )


def _draw_diagnoses(summary: pl.DataFrame, left_out: int) -> Figure:
    occurring = [diagnosis for diagnosis in Diagnosis if summary[diagnosis.value].sum()]
    return Figure(
        name="Diagnoses",
        title="Diagnoses of each pipeline's responses",
        reading="Each bar is all responses of a pipeline, divided by diagnosis; the numbers count responses. Correct, "
        "verbose and rephrased-correct responses are right.",
        unit=Unit.COUNT,
        pipelines=tuple(summary[c.PIPELINE]),
        counted=tuple(
            map(count, summary.select(pl.sum_horizontal(diagnosis.value for diagnosis in Diagnosis)).to_series())
        ),
        series=tuple(
            Series(name=diagnosis.value, colour=DIAGNOSIS_COLOURS[diagnosis], values=tuple(summary[diagnosis.value]))
            for diagnosis in occurring
        ),
        left_out=left_out,
    )


EXAMPLES = 3
"""Examples of each diagnosis."""

NORMALISED_UP_TO = 20_000
"""Responses that are read a second time for their normalised scores, which takes 0.1 ms each."""
NAMED = 3
"""Pipelines and pairs that a sentence names; more are counted."""

SIGN_OFF = ("Decision", "Decided by", "Pipelines evaluated by", "Golden dataset reviewed by", "Review date")
"""What is filled in by hand."""

SIGN_OFF_FIELDS = ("Name and role", "Date", "Signature")

HOW_TO_READ_CRITERIA = (
    "Met: the whole 95% interval meets the bound. Not met: none of it does. Not shown: it may be either. Questions "
    "without a score count as failed at one end and as passed at the other. 100% and 0% are about these questions."
)
"""How to read the table of acceptance criteria."""

HOW_TO_READ_NORMALISED = (
    "The scores again, of the responses without citations such as [1] and without the words that only repeat the "
    "question. The gain is what a pipeline loses in F1 by them. FMEval's own scores count everywhere else."
)
"""How to read the table of normalised scores."""

HOW_TO_COMPARE = (
    "Pipelines are compared on the questions that are scored for both. The difference is the first pipeline's mean "
    "minus the second's, with its 95% interval; shares in percentage points. "
    "p is the probability of a difference at least this large by chance; p (Holm) is corrected for the number of pairs."
)
"""How to read the table of comparisons."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """One response that shows what a diagnosis means. Texts as they came; None where there is none."""

    question_id: str
    pipeline: str
    question: str | None
    answer: str | None
    fact: str | None
    response: str | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class DiagnosisPart:
    """One diagnosis that occurs in the run."""

    diagnosis: Diagnosis
    verdict: Verdict
    definition: str
    """When a response is diagnosed so."""
    responses: int
    overruled: int
    """Of these, how many people or a judge decide otherwise."""
    examples: tuple[Example, ...]
    """The most certain ones, each to another question."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """A decision pack. Frames are those of `qaviz.analysis`, pipelines in the order in which the pack ranks them."""

    run: Run
    made_at: datetime
    question: str
    lead: str
    """The sentence that answers the question, with how sure it is."""
    points: tuple[str, ...]
    """What else the run says, a sentence each."""
    figures: tuple[Figure, ...]
    steps: tuple[str, ...]
    """What to do next, a sentence each."""
    plan: tuple[Step, ...]
    """The steps of the sentences: `sentences.next_steps`."""
    funnel: list[dict[str, object]]
    """`qaviz.contexts.funnel.describe_funnel`: where each pipeline loses its questions."""
    decision: Decision
    override: Override | None
    """What a person decided instead."""
    summary: pl.DataFrame
    """`tables.pipeline_summary`, in the order of the decision's ranking."""
    normalised: pl.DataFrame
    """`closeness.normalised_gain`, in the order of the ranking; no rows for a run of more than NORMALISED_UP_TO."""
    comparisons: pl.DataFrame
    """`estimates.compare` of all pairs."""
    criteria: pl.DataFrame
    """`criteria.meets` of the acceptance criteria in force; no rows where there are none."""
    diagnoses: tuple[DiagnosisPart, ...]
    golden: tuple[str, ...]
    """The state of the golden dataset, a sentence each."""
    unknown: tuple[str, ...]
    """What is not known, a sentence each."""
    measured: tuple[tuple[str, str], ...]
    """How it was measured: name and value."""
    matrix: pl.DataFrame
    """`tables.fact_matrix`: one row a question."""
    certificate: Certificate
    """What people's labels certify of the verdicts."""
    golden_dataset: pl.DataFrame
    """One row a triplet, as `Workspace.golden` returns it."""
    rows: pl.DataFrame
    """One row a response, as `Workspace.rows` returns it."""


_TOO_MANY_TO_NORMALISE = (
    f"Normalised scores: not computed for {{:,}} responses (at most {NORMALISED_UP_TO:,}). "
    "`qaviz score --normalised` writes them to a file."
)


def gather_from(workspace: Workspace, run: Run, made_at: datetime) -> Content:
    """The content of a saved run. Raises QavizError if the run's files are missing or damaged."""
    return gather(
        run,
        workspace.golden(run.golden_id),
        workspace.rows(run),
        made_at=made_at,
        verified=workspace.find_verification(run),
        labels=kept_labels(workspace, run),
        criteria=criteria_in_force(workspace),
        made_of=versions(workspace, line_of(workspace, run.golden_id)),
        reviewed=review_sentences(workspace, run.golden_id),
        doubts=doubts_in_force(workspace, run),
        protocol=protocol_in_force(workspace, run),
        override=find_record(workspace, run.run_id).override,
    )


def gather(
    run: Run,
    golden: pl.DataFrame,
    rows: pl.DataFrame,
    *,
    made_at: datetime,
    verified: Verified | None,
    labels: pl.DataFrame,
    criteria: Sequence[Criterion],
    made_of: Sequence[GoldenVersion],
    reviewed: Sequence[str] = (),
    doubts: Sequence[str] = (),
    protocol: Protocol = NO_PROTOCOL,
    override: Override | None = None,
) -> Content:
    """The content of a run from its tables and what its workspace keeps about it, as `gather_from` reads it."""
    questions_asked = select_asked(golden, rows, run.listed_counts)
    decision = decide(rows, questions_asked, criteria, labels, doubts, protocol)
    ranking = _name_repeats(rows, decision.ranking[c.PIPELINE].to_list())
    summary = tables.pipeline_summary(rows, golden, ranking)
    matrix = tables.fact_matrix(rows, golden, ranking)
    outcomes = tabulate(select_counted(rows), questions_asked[c.QUESTION_ID], labels, apart=True)
    comparisons = compare_all(outcomes, ranking, protocol.smallest_difference)
    certificate = certify_run(rows, labels)
    plan = tuple(sentences.next_steps(rows, decision.subject, labels=labels))
    return Content(
        run=run,
        made_at=made_at,
        question=question(run),
        lead=decision.sentence,
        override=override,
        points=tuple(_list_points(decision, override, certificate)),
        figures=figures_of(summary, decision.ranking),
        decision=decision,
        steps=tuple(_word_steps(rows, decision, plan)),
        plan=plan,
        funnel=describe_funnel(select_counted(rows)),
        summary=summary,
        normalised=_measure_normalised(rows, ranking),
        comparisons=comparisons,
        criteria=decision.criteria,
        diagnoses=_list_diagnoses(rows, labels),
        golden=(
            *sentences.word_editors(run, made_of),
            *reviewed,
            *sentences.golden_sentences(tables.golden_state(golden, matrix)),
            *sentences.listed_sentences(run.listed_counts),
        ),
        unknown=(
            *list_undecided(comparisons, decision.criteria),
            *list_unknown(run, rows, summary, verified, agreement(rows, counting(labels)) if labels.height else None),
            *(() if certificate.certified else [word_certificate(certificate)]),
            *([_TOO_MANY_TO_NORMALISE.format(rows.height)] if rows.height > NORMALISED_UP_TO else []),
        ),
        measured=tuple(list_measured(run, golden, verified, made_at)),
        certificate=certificate,
        matrix=matrix,
        golden_dataset=golden,
        rows=rows,
    )


def _list_points(decision: Decision, override: Override | None, certificate: Certificate) -> Iterator[str]:
    if override:
        yield word_override(override)
    yield from decision_points(decision)
    if certificate.certified:
        yield word_certificate(certificate)


def _word_steps(rows: pl.DataFrame, decision: Decision, plan: Sequence[Step]) -> Iterator[str]:
    """What to do next: first where the pipeline of the decision loses most, then what concerns most responses."""
    if lost := word_loss(select_counted(rows), decision.subject):
        yield lost
    yield from (f"{step.title}. {step.gain}" for step in plan)


def _measure_normalised(rows: pl.DataFrame, ranking: Sequence[str]) -> pl.DataFrame:
    read = rows if rows.height <= NORMALISED_UP_TO else rows.clear()
    gains = normalised_gain(with_normalised(read)).with_columns(pl.col(c.PIPELINE).cast(pl.String))
    return c.join_pipelines(ranking, gains, how="inner")  # none without a golden answer


def _name_repeats(rows: pl.DataFrame, ranking: Sequence[str]) -> list[str]:
    """The names in the rows in the order of the ranking, in which the repeats of a pipeline are that one."""
    names = rows.select(c.PIPELINE, whole(rows)[c.PIPELINE].alias("whole")).unique(c.PIPELINE, maintain_order=True)
    ranked = pl.DataFrame({"whole": ranking}, schema={"whole": pl.String})
    return ranked.join(names, on="whole", maintain_order="left_right")[c.PIPELINE].to_list()


def _list_diagnoses(rows: pl.DataFrame, labels: pl.DataFrame) -> tuple[DiagnosisPart, ...]:
    rows = rows.with_columns(find_overruled(rows, labels).alias(_OVERRULED))
    parts = ((diagnosis, rows.filter(pl.col(c.DIAGNOSIS) == diagnosis.value)) for diagnosis in Diagnosis)
    return tuple(_make_part(diagnosis, own) for diagnosis, own in parts if own.height)


_OVERRULED = "overruled"


def _make_part(diagnosis: Diagnosis, own: pl.DataFrame) -> DiagnosisPart:
    rules = [rule for rule in RULES if rule.diagnosis == diagnosis]
    overruled = int(own[_OVERRULED].sum())
    otherwise = f" People, a judge or a right refusal decide {count(overruled)} of them otherwise."
    return DiagnosisPart(
        diagnosis=diagnosis,
        verdict=rules[0].verdict,
        definition=DIAGNOSIS_DEFINITIONS[diagnosis] + (otherwise if overruled else ""),
        responses=own.height,
        overruled=overruled,
        examples=_choose_examples(own.filter(~pl.col(_OVERRULED)) if overruled < own.height else own),
    )


def _choose_examples(own: pl.DataFrame) -> tuple[Example, ...]:
    most_certain = own.sort(c.CONFIDENCE, descending=True, nulls_last=True, maintain_order=True)
    chosen = most_certain.unique(c.QUESTION_ID, keep="first", maintain_order=True).head(EXAMPLES)
    columns = (c.QUESTION_ID, c.PIPELINE, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE, c.REASON)
    return tuple(Example(**row) for row in chosen.select(columns).iter_rows(named=True))


def question(run: Run) -> str:
    """What the pack helps to decide."""
    names, questions = run.pipelines, plural(run.questions, "question")
    if len(names) == 1:
        return f"Is {names[0]} good enough, judged by {questions}?"
    if len(names) > NAMED:
        return f"Which of {count(len(names))} pipelines is best, judged by {questions}?"
    return f"Which is best, judged by {questions}: {', '.join(names[:-1])} or {names[-1]}?"


def decision_points(decision: Decision) -> Iterator[str]:
    """What the first page says under the decision: confidence, reasons, risk, what would settle it, trust."""
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


def list_unknown(
    run: Run, rows: pl.DataFrame, summary: pl.DataFrame, verified: Verified | None, agreed: Agreement | None
) -> Iterator[str]:
    """What the run leaves open of its responses and of their scores, a sentence each."""
    yield from _list_not_covered(rows, summary)
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


def list_undecided(comparisons: pl.DataFrame, criteria: pl.DataFrame) -> Iterator[str]:
    """What the run does not settle: which pipeline is better, and which is good enough. A sentence each."""
    yield from _list_open_pairs(comparisons)
    open_criteria = criteria.filter(pl.col("outcome") == Outcome.NOT_SHOWN.value)
    if criteria.is_empty():
        yield "Which pipeline is good enough: this workspace has no acceptance criteria."
    elif open_criteria.height:
        yield (
            f"Whether {out_of(open_criteria.height, criteria.height)} acceptance criteria are met: not shown with this "
            "many questions."
        )


def _list_open_pairs(comparisons: pl.DataFrame) -> Iterator[str]:
    facts = comparisons.filter(pl.col(comparison.METRIC) == c.VERDICT, pl.col("paired") > 0)
    open_pairs = facts.filter(~pl.col("decision").is_in([stats.Decision.BETTER.value, stats.Decision.WORSE.value]))
    if open_pairs.is_empty():
        return
    yield (
        f"Which pipeline has more right answers: not settled for {out_of(open_pairs.height, facts.height)} "
        f"{'pair' if facts.height == 1 else 'pairs'}."
    )
    for pair in open_pairs.filter(pl.col("needed") <= MANY_MORE).head(NAMED).iter_rows(named=True):
        yield (
            f"To tell {pair['first']} from {pair['second']} by {metric_label(c.VERDICT).lower()}, about "
            f"{plural(pair['needed'], 'more question', 'more questions')} would be needed if the difference stays."
        )


def _list_not_covered(rows: pl.DataFrame, summary: pl.DataFrame) -> Iterator[str]:
    lacking = summary.filter(pl.col("answered") < pl.col("expected"))
    for pipeline in lacking.head(NAMED).iter_rows(named=True):
        missing = out_of(pipeline["expected"] - pipeline["answered"], pipeline["expected"])
        yield f"What {pipeline[c.PIPELINE]} says to {missing} questions: it gave no answer."
    if lacking.height > NAMED:
        yield f"The same of {plural(lacking.height - NAMED, 'other pipeline')} that left questions unanswered."
    with_text = pl.col(c.RESPONSE).fill_null("").str.strip_chars() != ""
    unsure = rows.filter(with_text, pl.col(c.VERDICT) == Verdict.UNSURE.value).height
    if unsure:
        yield f"Whether {out_of(unsure, rows.height)} responses are right: their verdict is unsure."


def list_measured(
    run: Run, golden: pl.DataFrame, verified: Verified | None, made_at: datetime
) -> Iterator[tuple[str, str]]:
    """How the figures came about: what, of which version, with which thresholds."""
    yield "Run", f"{run.name} ({run.run_id})"
    yield "Scored", f"{moment(run.created_at)} by {run.scorer}"
    yield "Judge", f"{run.judge}, where a verdict is unsure" if run.judge else "none"
    yield "Scores verified", verified_sentence(verified, run.responses) if verified else "not yet"
    yield "Golden dataset", f"version {run.golden_id}, {plural(golden.height, 'triplet')}"
    yield "Responses", f"{count(run.responses)} of {plural(len(run.pipelines), 'pipeline')}"
    yield "Files", ", ".join(run.sources)
    for name, value in asdict(run.thresholds).items():
        yield f"Threshold: {THRESHOLD_WORDS[name].label}", f"{score(value)}. {THRESHOLD_WORDS[name].help}"
    yield "Comparisons", f"paired by question; resamples drawn with seed {SEED}"
    yield "Decision pack", f"{moment(made_at)} by qaviz {__version__}"
