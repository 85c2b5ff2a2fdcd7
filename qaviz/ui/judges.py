"""Judges on the screen: how far each agrees with people, a run in which it decides, and the form that asks one."""

from functools import partial

import streamlit as st

from qaviz import runs
from qaviz.analysis.labels import DIFFERS, calibration_of, calibration_sentences, compare_people
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.outcomes import find_correcting
from qaviz.background import Job
from qaviz.judging.prompts import Judge
from qaviz.judging.runs import Judged, estimate_run, journal_of, judge_run, parse_only, unscored_counts
from qaviz.llm import Settings, open_session
from qaviz.model.columns import JUDGE
from qaviz.model.records import Progress, Run
from qaviz.model.visible import plain
from qaviz.processes import Cancelled
from qaviz.report import Column
from qaviz.store.audit_log import Deed
from qaviz.store.labels import KnownJudge, kept_grades, known_judges
from qaviz.ui.labels import show_graders
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import labels_of, opinions_of, view_run
from qaviz.ui.widgets.components import say_problems
from qaviz.ui.widgets.jobs import cap_field, read_cap, show_work, start_job
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.person import offers, person_said, workspace
from qaviz.ui.widgets.table import show_frame

PICKED = "judge_picked"
"""Session key of the judge that is shown."""

_CHOICES = {"open": "Where words are least sure", "all": "All responses", "sample:200": "A random sample of 200"}


def show_judges(shown: OpenRun) -> None:
    """Draw the page Judges."""
    st.markdown(
        "A judge is a language model that grades responses by a rubric. It decides only the "
        "responses that verdicts leave open. People's labels show how often it is right."
    )
    judges = known_judges(workspace(), shown.run)
    if judges:
        _show_judge(shown, judges)
    else:
        st.text("No judge has graded responses of this run yet.")
    st.subheader("Ask a judge", anchor=False)
    job: Job[Judged] | None = show_work(
        ("judge", shown.run.run_id),
        partial(_draw_judge_form, shown.run),
        cancelled="Cancelled. Replies so far are kept.",
        broke_off="The judge stopped; replies so far are kept.",
    )
    if job and job.result:
        outcome = job.result
        st.text(
            f"{count(outcome.graded)} of {plural(outcome.asked, 'response')} graded, {count(outcome.unscored)} "
            f"unscored; {plural(outcome.calls, 'call')}."
        )
        if outcome.stopped:
            st.text(plain(f"Stopped by {outcome.stopped}."))


def _show_judge(shown: OpenRun, judges: list[KnownJudge]) -> None:
    judge, by_key = judges[0], {judge.key: judge for judge in judges}
    if len(judges) == 1:
        st.caption(plain(_name_judge(judge)))
    else:
        names = {key: _name_judge(judge) for key, judge in by_key.items()}
        judge = by_key[st.selectbox("Judge", list(names), format_func=names.__getitem__, key=PICKED)]
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
        st.subheader("Agreement with people", anchor=False)
        both = calibration.agreement
        show_graders("judge_agreement", [("judge", "people", both)], "" if calibration.calibrated else "; uncalibrated")
        show_graders("people", compare_people(labels))
        counts = both.confusion.pivot("second", index="first", values="responses", maintain_order=True)
        confusion = (Column("first", "Judge"), *(Column(name, f"People: {name}") for name in both.grades))
        show_frame("judge_confusion", "The judge's verdicts against people's labels", counts, confusion, short=True)
    differing = int(opinions_of(view_run(shown))[DIFFERS].sum())
    label = f"Verdict and judge differ on {count(differing)}: label these first"
    url_state.draw_link(label, "responses", "how_to_vote", **{url_state.DIFFER: "yes"})
    _offer_run(shown, judge)


def _name_judge(judge: KnownJudge) -> str:
    rubric = judge.description.get("rubric", {}).get("name", "")
    shots = judge.description.get("shots", "")
    marks = "".join(f", {mark}" for mark in ("recorded" * judge.recorded, judge.distrust) if mark)
    return f"{judge.model}, {shots}, rubric “{rubric}”{marks}: {plural(judge.responses, 'response')} ({judge.key})"


@say_problems
def _offer_run(shown: OpenRun, judge: KnownJudge) -> None:
    st.subheader("Use this judge", anchor=False)
    st.caption(
        "A run never changes. This saves another run with the same responses, in which this judge decides what "
        "words are not sure of. Pages, gate and decision pack of that run use its verdicts."
    )
    if not offers(Deed.IMPORT, "keep it as a run"):
        return
    with st.form("judged_run", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the run", f"{shown.run.name}, judged", width=420)
        reason = st.text_input("Why it may decide all the same", width=420) if judge.distrust else ""
        kept = st.form_submit_button("Keep as a run", icon=":material/gavel:")
    if not kept:
        return
    run = runs.save_judged(shown.run, workspace(), judge.key, name, person_said(), reason)
    url_state.write(url_state.RUN, run.run_id)
    st.rerun()


@say_problems
def _draw_judge_form(run: Run) -> None:
    if not offers(Deed.JUDGE, "ask a judge"):
        return
    st.caption(
        "OPENAI_BASE_URL names the server and OPENAI_API_KEY holds the key, as set where qaviz was started. "
        "Every reply is kept: no request is paid twice."
    )
    with st.form("ask_judge", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            model = st.text_input("Model", placeholder="openai:NAME, ollama:NAME …", width=260)
            which = st.selectbox("Responses", list(_CHOICES), format_func=_CHOICES.__getitem__, width=260)
            cap = cap_field()
            few = st.toggle("With examples", value=True)
        with st.container(horizontal=True):
            estimated = st.form_submit_button("Estimate", icon=":material/calculate:")
            started = st.form_submit_button("Ask", type="primary", icon=":material/gavel:")
    if not (estimated or started):
        return
    judge, only = Judge(model=model, few_shot=few), parse_only(which)
    settings = Settings(model=model, journal=journal_of(workspace(), run), caps=read_cap(cap))
    if estimated:
        with open_session(settings) as session:
            st.text(f"{estimate_run(session, workspace(), run, judge, only).describe()}.")
        return
    home, by = workspace(), person_said()

    def ask_judge(progress: Progress, cancelled: Cancelled) -> Judged:
        with open_session(settings) as session:
            return judge_run(session, home, run, judge, only, progress=progress, cancelled=cancelled, by=by)

    start_job(("judge", run.run_id), ask_judge)
