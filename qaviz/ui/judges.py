"""Judges on the screen: how far each agrees with people, criterion by criterion too, corrected shares, and every
response.
"""

from collections.abc import Sequence
from dataclasses import asdict

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.estimates import estimate
from qaviz.analysis.judges import (
    DIFFERS,
    OPEN,
    calibration_of,
    calibration_sentences,
    criterion_targets,
    side_by_side,
)
from qaviz.analysis.labels import compare_people
from qaviz.analysis.numbers import count, out_of, plural
from qaviz.analysis.outcomes import find_correcting, select_asked, select_counted, tabulate
from qaviz.judging.agreement import GraderAgreement, JudgeCalibration, calibrate_criteria
from qaviz.judging.runs import hear_judge, unscored_counts
from qaviz.loading import apart
from qaviz.loading.formats import SUFFIXES
from qaviz.model.columns import COST, JUDGE, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.errors import QavizError
from qaviz.model.visible import plain
from qaviz.report import ENDS, Column, Kind
from qaviz.store.audit_log import Deed
from qaviz.store.labels import SECONDS, UNSCORED, KnownJudge, kept_grades, known_judges
from qaviz.ui.asking import offer_judging
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import labels_of
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said
from qaviz.ui.widgets.table import Columns, show_frame
from qaviz.uploads import on_disk

PICKED, SHOWN = "judge_picked", "judge_rows_shown"
"""Session keys of the judge that is shown, and of which responses."""
ALL, DIFFERING, OPENED, UNGRADED = "All", "Verdict and judge differ", "Left open", "Unscored"
Figures = Sequence[tuple[str, str, str]]
"""Figures of agreement: the field of GraderAgreement, the heading of its column, and what it says."""
_FIGURES: Figures = (
    ("exact", "Exact", "Share of the responses with the same verdict"),
    ("kappa", "Cohen's kappa", "0: agreement by chance at these frequencies; 1: full agreement"),
    ("ac1", "Gwet's AC1", "Agreement, corrected for luck, also where one verdict is rare"),
)

GRADES_FIELD = "judge_people_grades"
"""Session key of the upload of people's grades."""
_CRITERION_FIGURES: Figures = (
    ("exact", "Exact", "Share of the responses with the same grade"),
    ("within_one", "Within one", "Share of the responses whose grades differ by one at most"),
    ("weighted_kappa", "Weighted kappa", "Cohen's, with quadratic weights: a near miss counts as one"),
    ("ac2", "Gwet's AC2", "The same, which stays meaningful where one grade is rare"),
)


def show_judges(shown: OpenRun) -> None:
    """Draw the page Judges."""
    st.markdown(
        "A judge is a language model that grades responses by a rubric. It decides only what words are "
        "not sure of. It is calibrated only once people's labels show how far it agrees with them."
    )
    judges = known_judges(workspace(), shown.run)
    if judges:
        _show_judge(shown, judges)
    else:
        st.text("No judge has graded responses of this run yet.")
    offer_judging(shown.run)


def _show_judge(shown: OpenRun, judges: list[KnownJudge]) -> None:
    judge = _pick_judge(judges)
    grades, labels = kept_grades(workspace(), shown.run, judge.key), labels_of(shown.run)
    drawn = find_correcting(labels, shown.rows)
    calibration = calibration_of(grades, drawn)
    with st.container(border=True):
        with st.container(horizontal=True, gap="xsmall"):
            if judge.recorded:
                st.badge("recorded", icon=":material/radio_button_checked:", color="gray")
            if judge.distrust:
                st.badge("may not decide", icon=":material/warning:", color="orange")
        if judge.distrust:
            st.text(f"Probes: {judge.distrust}.")
        for sentence in calibration_sentences(judge, calibration, grades[JUDGE].count()):
            st.text(sentence)
        for why, number in unscored_counts(grades):
            st.text(f"{plural(number, 'response')} unscored: {why}.")
    if calibration:
        _show_agreement(calibration, labels)
    if not judge.imported:
        show_criteria(grades)
    if not judge.distrust:  # what may not decide is in no share
        _show_corrected(shown, grades, labels)
    _show_side_by_side(shown, grades, labels)
    _show_comparison(shown, judges, drawn)
    _offer_run(shown, judge)


def _pick_judge(judges: list[KnownJudge]) -> KnownJudge:
    by_key = {judge.key: judge for judge in judges}
    if len(judges) == 1:
        st.caption(plain(_name_judge(judges[0])))
        return judges[0]
    key = st.selectbox("Judge", list(by_key), format_func=lambda key: _name_judge(by_key[key]), key=PICKED)
    return by_key[key]


def _name_judge(judge: KnownJudge) -> str:
    rubric = judge.description.get("rubric", {}).get("name", "")
    shots = judge.description.get("shots", "")
    marks = "".join(f", {mark}" for mark in ("recorded" * judge.recorded, judge.distrust) if mark)
    return f"{judge.model}, {shots}, rubric “{rubric}”{marks}: {plural(judge.responses, 'response')} ({judge.key})"


def _show_agreement(calibration: JudgeCalibration, labels: pl.DataFrame) -> None:
    st.subheader("Agreement with people", anchor=False)
    word = "" if calibration.calibrated else "uncalibrated; "
    graders = [("judge and people", calibration.agreement, word)]
    graders += [(f"{first} and {second} (ceiling)", both, "") for first, second, both in compare_people(labels)]
    rows = [{"graders": name, **_list_figures(both, _FIGURES, word)} for name, both, word in graders]
    columns: Columns = ("graders", *_figure_columns(_FIGURES))
    show_frame("judge_agreement", "Agreement of judge and people", rows, columns, short=True)
    show_confusion(calibration.agreement, "judge_confusion", "The judge's verdicts against people's labels")


def _figure_columns(figures: Figures) -> list[Column]:
    return [
        Column(name, label, kind=Kind.SCORE, ends=ENDS, note="{interval}; {of}", missing="undefined", help=title)
        for name, label, title in figures
    ]


def _list_figures(agreement: GraderAgreement, figures: Figures, word: str = "") -> dict[str, object]:
    """What `_figure_columns` draw."""
    drawn = {name: getattr(agreement, name) for name, _, _ in figures}
    of = f"{word}n = {count(agreement.compared)}"
    return {"of": of} | {name: figure and asdict(figure) for name, figure in drawn.items()}


def _show_corrected(shown: OpenRun, grades: pl.DataFrame, labels: pl.DataFrame) -> None:
    st.subheader("Right answers, with the judge where words are not sure", anchor=False)
    heard = hear_judge(shown.rows.cast({PIPELINE: pl.String}), grades, shown.run.thresholds)
    questions = select_asked(shown.golden, heard, shown.run.listed_counts)[QUESTION_ID]
    outcomes = tabulate(select_counted(heard), questions, labels)
    shares = estimate(outcomes, outcomes[PIPELINE].unique(maintain_order=True).to_list())
    columns = (
        PIPELINE,
        Column(
            "right",
            "As counted",
            kind=Kind.PART,
            of="of",
            help="People's labels first, then the judge where words are not sure",
        ),
        Column(
            "share",
            "Right answers",
            kind=Kind.SHARE,
            ends=ENDS,
            note="{interval}; {method}",
            help="Corrected where labels drawn at random are enough",
            wide=True,
        ),
    )
    show_frame("judge_corrected", "Share of right answers by pipeline", shares, columns, short=True)


def _show_side_by_side(shown: OpenRun, grades: pl.DataFrame, labels: pl.DataFrame) -> None:
    st.subheader("Verdict, judge and people", anchor=False)
    table = side_by_side(shown.rows, grades, labels, shown.run.thresholds)
    chosen = {
        ALL: pl.lit(True),
        DIFFERING: pl.col(DIFFERS),
        OPENED: pl.col(OPEN),
        UNGRADED: pl.col(UNSCORED).is_not_null(),
    }
    picked = st.segmented_control("Responses", list(chosen), default=ALL, key=SHOWN) or ALL
    listed = table.filter(chosen[picked]).sort(DIFFERS, descending=True, maintain_order=True)
    st.caption(
        f"{out_of(listed.height, table.height)} judged responses. Verdict and judge differ on "
        f"{count(int(table[DIFFERS].sum()))}: label these first, on Responses."
    )
    if listed.is_empty():
        return
    marked = listed.with_columns(
        pl.coalesce(QUESTION, QUESTION_ID).alias(QUESTION),
        pl.when(DIFFERS).then(pl.lit("differs")).alias("flag"),
        pl.when(OPEN).then(pl.lit("the verdict leaves it open")).alias("left_open"),
    )
    columns = (
        Column(QUESTION, "Question", wide=True, note="{pipeline}"),
        Column(RESPONSE, "Response", wide=True, note="{judge_reason}"),
        Column(VERDICT, "Verdict", note="{left_open}"),
        Column(
            JUDGE,
            "Judge",
            kind=Kind.MARK,
            by="flag",
            title="{judge_reason}",
            missing="unscored",
            note="{unscored}",
        ),
        Column(LABEL, "People"),
        Column("composite", "Grade", text="{composite:.1f}", help="Weighted mean of all criteria"),
    )
    show_frame("judged", "Judged responses", marked, columns, leads=url_state.lead_to_response, flag="flag")


def _show_comparison(shown: OpenRun, judges: list[KnownJudge], labels: pl.DataFrame) -> None:
    if len(judges) < 2:
        return
    st.subheader("Judges compared", anchor=False)
    columns = (
        Column("judge", "Judge", wide=True),
        Column(
            "exact",
            "Agrees with people",
            kind=Kind.SHARE,
            ends=ENDS,
            note="{interval}{word}",
            missing="no labels",
        ),
        Column("graded", "Graded", kind=Kind.PART, of="all"),
        Column("cost_per_1000", "Cost per 1,000", text="{cost_per_1000:,.2f}", missing="no price"),
        Column("seconds", "Seconds", text="{seconds:.2f}"),
    )
    rows = [_describe_judge(judge, kept_grades(workspace(), shown.run, judge.key), labels) for judge in judges]
    show_frame("judges_compared", "Judges compared", rows, columns, short=True)


def _describe_judge(judge: KnownJudge, grades: pl.DataFrame, labels: pl.DataFrame) -> dict[str, object]:
    calibration, costs = calibration_of(grades, labels), grades[COST].drop_nulls()
    word = "" if calibration is None or calibration.calibrated else "; uncalibrated"
    return {
        "judge": _name_judge(judge),
        "exact": calibration and asdict(calibration.agreement.exact) | {"word": word},
        "graded": grades[UNSCORED].null_count(),
        "all": grades.height,
        "cost_per_1000": 1000 * float(costs.sum()) / len(costs) if len(costs) else None,
        "seconds": grades[SECONDS].mean(),
    }


def _offer_run(shown: OpenRun, judge: KnownJudge) -> None:
    st.subheader("Use this judge", anchor=False)
    st.caption(
        "A run never changes. This saves another run with the same responses, in which this judge decides what "
        "words are not sure of. Pages, gate and decision pack of that run use its verdicts."
    )
    if not offers(workspace(), Deed.IMPORT, "keep it as a run"):
        return
    with st.form("judged_run", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the run", f"{shown.run.name}, judged", width=420)
        reason = st.text_input("Why it may decide all the same", width=420) if judge.distrust else ""
        kept = st.form_submit_button("Keep as a run", icon=":material/gavel:")
    if not kept:
        return
    try:
        run = runs.save_judged(shown.run, workspace(), judge.key, name, person_said(), reason)
    except QavizError as error:
        show_problems(error)
    else:
        url_state.write(url_state.RUN, run.run_id)
        st.rerun()


def show_criteria(grades: pl.DataFrame) -> None:
    """Draw the upload of people's grades by criterion, and how far the judge's `grades` agree with them."""
    st.subheader("Criterion by criterion", anchor=False)
    st.file_uploader(
        "People's grades: question_id, pipeline, criterion, grade",
        [suffix.removeprefix(".") for suffix in SUFFIXES],
        key=GRADES_FIELD,
        help="Kept for this visit only. Criteria are those of the rubric.",
    )
    files = on_disk(GRADES_FIELD)
    if not files:
        return
    try:
        calibrations = calibrate_criteria(grades, apart.read_grades(files[0], lambda _fraction, _words: None))
    except QavizError as error:
        show_problems(error)
        return
    if calibrations:
        show_criterion_table(calibrations)
    else:
        st.text("The file has no grade of a criterion that the judge graded.")


def show_criterion_table(calibrations: dict[str, tuple[GraderAgreement, tuple[str, ...]]]) -> None:
    """Draw what `calibrate_criteria` found: a row a criterion, and each one's grades against people's."""
    columns = (Column("criterion", "Criterion", wide=True, note="{targets}"), *_figure_columns(_CRITERION_FIGURES))
    rows = [
        {"criterion": name, "targets": criterion_targets(both, gaps), **_list_figures(both, _CRITERION_FIGURES)}
        for name, (both, gaps) in calibrations.items()
    ]
    show_frame("judge_criteria", "Agreement of judge and people by criterion", rows, columns, short=True)
    for tab, (name, (both, _)) in zip(
        st.tabs([plain(name) for name in calibrations]), calibrations.items(), strict=True
    ):
        with tab:
            show_confusion(both, f"judge_confusion_{name}", f"The judge's grades of {name} against people's")


def show_confusion(agreement: GraderAgreement, key: str, caption: str) -> None:
    """Draw how often the judge gave each grade where people gave each."""
    counts = agreement.confusion.pivot("second", index="first", values="responses", maintain_order=True)
    columns = (Column("first", "Judge"), *(Column(name, f"People: {name}") for name in agreement.categories))
    show_frame(key, caption, counts, columns, short=True)
