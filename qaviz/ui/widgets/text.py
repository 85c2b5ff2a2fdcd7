"""Text on the screen. What came from files is shown as it is: never markdown, never HTML."""

from collections.abc import Sequence
from dataclasses import asdict

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, plural, questions_answered
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER, QUESTION_ID
from qaviz.model.errors import QavizError, count_problems, groupby_kind
from qaviz.model.metrics import METRICS
from qaviz.model.records import Run
from qaviz.model.visible import visible, visible_texts
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets.components import declare_component
from qaviz.ui.widgets.keeping import keep

PROBLEMS_OF_A_KIND = 3

_prose = declare_component("sentences", '<div class="prose"></div>')


def metrics_help(*names: str) -> str:
    """Help in markdown for these metrics, from the catalogue."""
    return "\n\n".join(f"**{METRICS[name].label}**: {METRICS[name].help}" for name in names)


def variants_on_lines(text: str | None) -> str | None:
    """A fact or an answer with each variant on its own line, as people read it."""
    return text and text.replace(OR_DELIMITER, "\nor ").replace(AND_DELIMITER, "\nand ")


def show_problems(error: QavizError) -> None:
    """Draw every problem of an error: what was found and what to do. Many of them as a table."""
    with st.container(border=True):
        many = count_problems(error)
        st.markdown(
            f":material/error: **{count(many)} problems to fix**" if many > 1 else ":material/error: **Problem to fix**"
        )
        for alike in groupby_kind(error.problems):
            for problem in alike[:PROBLEMS_OF_A_KIND]:
                st.text(visible(str(problem)))
            if len(alike) > PROBLEMS_OF_A_KIND:
                with st.expander(f"and {count(len(alike) - PROBLEMS_OF_A_KIND)} more like these"):
                    listed = pl.DataFrame(list(map(asdict, alike))).drop("in_row")
                    st.dataframe(listed.with_columns(map(visible_texts, listed.columns)), hide_index=True)


def show_sentences(key: str, points: Sequence[str], lead: str = "") -> None:
    """Draw a leading sentence in large type and points under it, each as it is."""
    _prose(key=key, data={"lead": lead, "points": list(points)})


def describe_questions(run: Run, home: Workspace) -> str:
    """How many questions the run has, and how many of them are answered where that is not all."""
    if run.responses == run.questions * len(run.pipelines):
        return plural(run.questions, "question")
    try:
        return questions_answered(_count_answered(run, home), run.questions)
    except QavizError:
        # What is damaged is said by the part of the page that reads it.
        return plural(run.questions, "question")


@keep(100)
def _count_answered(run: Run, _home: Workspace) -> int:
    return _home.rows(run, [QUESTION_ID])[QUESTION_ID].n_unique()
