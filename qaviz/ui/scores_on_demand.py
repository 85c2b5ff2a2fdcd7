"""Scores computed on demand beside the pages: FMEval's once more, to verify the run's, and BERTScore."""

from functools import partial

import polars as pl
import streamlit as st

from qaviz import runs
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.selection import Listed
from qaviz.analysis.sentences import lacking_sentence, verified_sentence
from qaviz.analysis.tables import bertscore_summary
from qaviz.background import Job
from qaviz.model.columns import BERTSCORE, PIPELINE
from qaviz.model.errors import QavizError
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.report import Column
from qaviz.runs import compute_bertscore, lacking_bertscore, with_bertscore
from qaviz.scoring.bertscore import check_library
from qaviz.scoring.bridge import TESTED_VERSION, Verification, fmeval_version
from qaviz.scoring.language_models import LanguageModel, find_model, find_models
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.jobs import show_work, start_job
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said
from qaviz.ui.widgets.table import show_frame

INSTALL = f"pip install fmeval=={TESTED_VERSION}"
USUAL_SAMPLE = 10_000
"""Responses that FMEval scores in some seconds."""

JOB = "bertscore"
"""One at a time, whatever the run: a large model fills a small machine's memory."""

MOST_RESPONSES = 20_000
"""Responses that the page compares: a large model takes hours for them. A terminal takes any number."""

MODEL = "bertscore_model"
"""Session key of the name of the model that the reader chose."""

_COLUMNS = (
    PIPELINE,
    Column(BERTSCORE, METRICS[BERTSCORE].label, text="{bertscore:score}", note="{among}", help=METRICS[BERTSCORE].help),
)


def show_verification(run: Run) -> None:
    """Draw the choice of a sample and the start, or how far the work is; and what the last one found."""
    kept = workspace().find_verification(run)
    if kept:
        with st.container(border=True):
            st.text(verified_sentence(kept, run.responses))
    job: Job[Verification] | None = show_work(
        ("verify", run.run_id),
        partial(_offer_verification, run),
        cancelled="Cancelled. Nothing was recorded.",
        broke_off="FMEval's process stopped. Nothing was recorded.",
    )
    if job and job.result:
        _show_verified(job.result)


def _offer_verification(run: Run) -> None:
    try:
        version = fmeval_version()
    except QavizError:
        _explain_missing(run)
        return
    if not offers(workspace(), Deed.VERIFY, "verify a run"):
        return
    with st.form("verify", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        sample = st.number_input(
            f"Responses to score again, of {count(run.responses)}",
            1,
            run.responses,
            min(run.responses, USUAL_SAMPLE),
            help="A smaller number is drawn at random, always the same responses.",
            width=260,
        )
        started = st.form_submit_button(f"Verify with FMEval {plain(version)}", type="primary", icon=":material/rule:")
    if started:
        workspace().require(Deed.VERIFY)
        # The visitor's workspace and name are taken here: the work runs outside their session.
        verify = partial(runs.verify, run, workspace(), sample=sample, by=person_said())
        start_job(("verify", run.run_id), lambda progress, cancelled: verify(progress=progress, cancelled=cancelled))


def _explain_missing(run: Run) -> None:
    """What Verify would do, and what it needs."""
    st.text(
        f"FMEval is not installed here, and no page but this one needs it. With it, Verify scores any of this run's "
        f"{plural(run.responses, 'response')} with FMEval itself and lists every score that differs. Install it with "
        "Python 3.11 or 3.12, then start qaviz again:"
    )
    st.code(INSTALL, language="bash")
    st.text("In a terminal:")
    st.code(f'python -m qaviz verify "{run.run_id}"', language="bash")


def _show_verified(verified: Verification) -> None:
    same = verified.differences.is_empty()
    outcome = ": every score is the same, bit for bit." if same else ". These scores differ:"
    st.text(f"{plural(verified.compared, 'response')} compared{outcome}")
    if not same:
        st.dataframe(verified.differences, hide_index=True, lazy=True, placeholder="–")
    if verified.lacking:
        st.text(lacking_sentence(verified.lacking))


def show_bertscore(rows: Listed) -> None:
    """Draw BERTScore of these rows, folded away: each pipeline's mean as far as it is known, and a start for the rest.

    Where no model can be loaded, it says what to do.
    """
    panel = st.expander(
        METRICS[BERTSCORE].label, icon=":material/compare_arrows:", on_change="rerun", key="bertscore_panel"
    )
    if not panel.open:
        return
    with panel:
        st.markdown(METRICS[BERTSCORE].help)
        if rows.height > MOST_RESPONSES:
            st.text(
                f"These are {count(rows.height)} responses. Filter them down to {count(MOST_RESPONSES)}, "
                "or compute BERTScore in a terminal: python -m qaviz bertscore --help"
            )
            return
        try:
            check_library()
            model = _pick_model()
        except QavizError as error:
            show_problems(error)
        else:
            _show_means(with_bertscore(workspace(), rows.slice(0, rows.height), model), model)


def add_bertscore(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `bertscore` as the reader's model gave it, so far.

    They stay as they are without a model, or where FMEval's own output gave them one.
    """
    if BERTSCORE in rows.columns:
        return rows
    chosen = _choose_model(find_models())
    return with_bertscore(workspace(), rows, chosen) if chosen else rows


def _pick_model() -> LanguageModel:
    models = find_models() or [find_model()]
    chosen = _choose_model(models) or models[0]
    if len(models) > 1:
        names = [model.name for model in models]
        st.session_state["bertscore_picker"] = chosen.name
        st.selectbox("Language model", names, key="bertscore_picker", on_change=_keep_model)
    return chosen


def _keep_model() -> None:
    st.session_state[MODEL] = st.session_state["bertscore_picker"]


def _choose_model(models: list[LanguageModel]) -> LanguageModel | None:
    named = [model for model in models if model.name == st.session_state.get(MODEL)]
    return next(iter(named or models), None)


def _show_means(scored: pl.DataFrame, model: LanguageModel) -> None:
    show_work(
        JOB,
        partial(_offer_bertscore, scored, model),
        cancelled="Cancelled. Scores so far are kept.",
        broke_off="The language model's process stopped; scores so far are kept.",
    )
    means = bertscore_summary(scored)
    among = [_word_scored(*row) for row in means.select("responses", f"{BERTSCORE}_n").iter_rows()]
    caption = f"{METRICS[BERTSCORE].label} by pipeline"
    show_frame("bertscore", caption, means.with_columns(pl.Series("among", among)), _COLUMNS, short=True)


def _offer_bertscore(scored: pl.DataFrame, model: LanguageModel) -> None:
    lacking = lacking_bertscore(scored)
    if not lacking:
        st.text(f"By {model.name}, for all of these responses that have a golden answer.")
        return
    st.text(f"By {model.name}, on this machine, while you go on reading. What is computed is kept.")
    if not offers(workspace(), Deed.BERTSCORE, "compute BERTScores"):
        return
    if st.button(f"Compute for {plural(lacking, 'response')}", type="primary", icon=":material/play_arrow:"):
        # The visitor's workspace and name are taken here: the work runs outside their session.
        start_job(JOB, partial(compute_bertscore, workspace(), scored, model))


def _word_scored(responses: int, scored: int) -> str:
    among = plural(responses, "response")
    return f"mean of {count(scored)} of {among}" if scored else f"not computed for any of {among}"
