"""The parts of Diagnostics: the panel of labels, rules, judge and people beside each other, and unread languages."""

from dataclasses import dataclass

import polars as pl
import streamlit as st

from qaviz.analysis.judges import DIFFERS, PLACE
from qaviz.analysis.numbers import count
from qaviz.analysis.selection import Listed, Passing
from qaviz.analysis.sentences import unread_places, unread_sentence
from qaviz.model.columns import FAULT, JUDGE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import overruled_of, view_run, worst_of
from qaviz.ui.widgets.filters import pick_switch
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.responses import Beside

SAID = "rules_judge_people"
"""Column of what the three say, in words."""
BESIDE = Beside(
    column=SAID, heading="Verdict, judge, people", caption="Responses with their diagnosis and the judge", lines=True
)

_NARROW = (*url_state.FILTERS, VERDICT, FAULT, url_state.DIFFER)
"""URL names that would leave some unread responses out."""


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
        people = pl.col(LABEL).fill_null("no label")
        words = pl.format("qaviz: {}\njudge: {}\npeople: {}", VERDICT, JUDGE, people)
        opinions = self.opinions.select(QUESTION_ID, PIPELINE, words.alias(SAID))
        named = page.with_columns(pl.col(PIPELINE).cast(pl.String))
        return named.join(opinions, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")


def pick_differing(opinions: pl.DataFrame, listed: Passing) -> Passing:
    """Draw the switch to responses on which verdict and judge differ, where any was graded; returns those picked."""
    if opinions.is_empty():
        return listed
    differing = listed.among(opinions.filter(DIFFERS)[PLACE])
    label = f"Verdict and judge differ · {count(differing.height)}"
    return differing if pick_switch(url_state.DIFFER, label, "judge_differs") else listed


def beside_judge(opinions: pl.DataFrame, listed: Passing) -> tuple[Listed, Beside | None]:
    """The list as it is drawn: with what rules, judge and people say where a judge graded responses of the run."""
    return (listed, None) if opinions.is_empty() else (WithOpinions(listed=listed, opinions=opinions), BESIDE)


@keep()
def _find_unread(shown: OpenRun) -> tuple[pl.Series, str | None]:
    return unread_places(shown.rows), unread_sentence(shown.rows)


def show_unread(shown: OpenRun) -> None:
    """Draw how many responses are in a language that qaviz does not read, with a link to them; nothing for none."""
    _, sentence = _find_unread(shown)
    if not sentence:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="unread_languages"):
        st.text(sentence, width="content")
        wide = dict.fromkeys(_NARROW, "")
        url_state.draw_link("See these responses", "responses", **wide, **{url_state.UNREAD: "yes"})


def pick_unread(shown: OpenRun, listed: Passing) -> Passing:
    """Draw the switch to responses in a language that qaviz does not read, where there are any; return those picked."""
    places, _ = _find_unread(shown)
    if places.is_empty():
        return listed
    unread = listed.among(places)
    label = f"Language not read · {count(unread.height)}"
    return unread if pick_switch(url_state.UNREAD, label, "language_not_read") else listed


def pick_worst(shown: OpenRun, listed: Passing) -> Passing:
    """Draw the switch to the five worst wrong answers of the list; returns those picked."""
    if not pick_switch(url_state.WORST, "Five worst", "five_worst"):
        return listed
    return listed.among(listed.find_five_worst(worst_of(shown), overruled_of(view_run(shown))))


def pick_labels_panel() -> bool:
    """Draw the switch of the panel of people's labels; returns whether it is open: where the URL says so, or what it
    shows."""
    is_open = any(url_state.value(name) is not None for name in (url_state.PANELS, url_state.LABELS))
    picked = st.toggle("People's labels", value=is_open, key="labels_panel")
    if picked != is_open:
        url_state.write(url_state.PANELS, *(["labels"] if picked else []))
        url_state.write(url_state.LABELS)
    return picked
