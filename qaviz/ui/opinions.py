"""Rules, judge and people beside each other on Diagnostics, and the responses on which rules and judge differ."""

from dataclasses import dataclass

import polars as pl
import streamlit as st

from qaviz.analysis.judges import DIFFERS, PLACE
from qaviz.analysis.numbers import count
from qaviz.analysis.selection import Listed, Passing
from qaviz.model.columns import JUDGE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.responses import Beside

SAID = "rules_judge_people"
"""Column of what the three say, in words."""
BESIDE = Beside(column=SAID, heading="Rules, judge, people", caption="Responses with their diagnosis and the judge")


@dataclass(frozen=True, kw_only=True)
class WithOpinions:
    """Listed responses with what rules, judge and people say (SAID): joined for the page that is shown."""

    listed: Passing
    opinions: pl.DataFrame
    """As `judges.heard_opinions` returns them."""

    @property
    def height(self) -> int:
        """How many responses there are."""
        return self.listed.height

    def slice(self, offset: int, length: int) -> pl.DataFrame:
        """So many of them from this one on, with SAID: null where the judge graded nothing."""
        page = self.listed.slice(offset, length)
        words = pl.format(
            "rules: {}\njudge: {}\npeople: {}", VERDICT, JUDGE, pl.col(LABEL).fill_null("no label")
        ).alias(SAID)
        said = self.opinions.select(QUESTION_ID, PIPELINE, words)
        named = page.with_columns(pl.col(PIPELINE).cast(pl.String))
        return named.join(said, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")


def pick_differing(opinions: pl.DataFrame, listed: Passing) -> Passing:
    """Draw the switch to responses on which rules and judge differ, where a judge graded any; returns those picked."""
    differing = opinions.filter(DIFFERS)[PLACE]
    if opinions.is_empty():
        return listed
    found = listed.among(differing)
    said = url_state.value(url_state.DIFFER) is not None
    picked = st.toggle(f"Rules and judge differ · {count(found.height)}", value=said, key="judge_differs")
    if picked != said:
        url_state.write(url_state.DIFFER, *(["yes"] if picked else []))
    return found if picked else listed


def beside_judge(opinions: pl.DataFrame, listed: Passing) -> tuple[Listed, Beside | None]:
    """The list as it is drawn: with what rules, judge and people say where a judge graded responses of the run."""
    return (listed, None) if opinions.is_empty() else (WithOpinions(listed=listed, opinions=opinions), BESIDE)
