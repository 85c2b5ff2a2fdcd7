"""How many questions of a run are answered, in the words of the decision."""

import streamlit as st

from qaviz.analysis.numbers import plural, questions_answered
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.store import Workspace


def questions_of(run: Run, home: Workspace) -> str:
    """How many questions the run has, and how many of them are answered where that is not all."""
    if run.responses == run.questions * len(run.pipelines):
        return plural(run.questions, "question")
    try:
        return questions_answered(_count_answered(run, home), run.questions)
    except QavizError:
        # What is damaged is said by the part of the page that reads it.
        return plural(run.questions, "question")


@st.cache_resource(max_entries=100, show_spinner=False, hash_funcs={Run: lambda run: run.run_id})
def _count_answered(run: Run, _home: Workspace) -> int:
    return _home.rows(run, [QUESTION_ID])[QUESTION_ID].n_unique()
