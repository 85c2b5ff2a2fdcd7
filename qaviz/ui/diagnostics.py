"""The parts of Diagnostics: which panels are open, rules, judge and people beside each other, and unread languages."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl
import streamlit as st

from qaviz.analysis.judges import DIFFERS, PLACE
from qaviz.analysis.numbers import count
from qaviz.analysis.selection import Listed, Passing
from qaviz.analysis.sentences import unread_places, unread_sentence
from qaviz.model.columns import FAULT, JUDGE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.page_setup import OPEN_RUNS, OpenRun
from qaviz.ui.widgets.responses import Beside

SAID = "rules_judge_people"
"""Column of what the three say, in words."""
BESIDE = Beside(
    column=SAID, heading="Rules, judge, people", caption="Responses with their diagnosis and the judge", lines=True
)

_NARROW = (*url_state.FILTERS, VERDICT, FAULT, url_state.DIFFER)
"""What would leave some of them out."""

OPENED = "panels"
"""Session key of the panels that are open."""
CLOSED = "none"
"""What the URL says where all are closed, although one usually is open."""


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


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs={OpenRun: lambda shown: shown.run.run_id})
def _find_unread(shown: OpenRun) -> tuple[pl.Series, str | None]:
    return unread_places(shown.rows), unread_sentence(shown.rows)


def show_unread(shown: OpenRun) -> None:
    """Draw how many responses are in a language that qaviz does not read, with a link to them; nothing for none."""
    _, sentence = _find_unread(shown)
    if not sentence:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="unread_languages"):
        st.text(sentence, width="content")
        st.page_link(
            "pages/diagnostics.py",
            label="See these responses",
            icon=":material/arrow_forward:",
            query_params=url_state.link(**dict.fromkeys(_NARROW, ""), **{url_state.UNREAD: "yes"}),
        )


def pick_unread(shown: OpenRun, listed: Passing) -> Passing:
    """Draw the switch to responses in a language that qaviz does not read, where there are any; return those picked."""
    places, _ = _find_unread(shown)
    if places.is_empty():
        return listed
    found = listed.among(places)
    said = url_state.value(url_state.UNREAD) is not None
    picked = st.toggle(f"Language not read · {count(found.height)}", value=said, key="language_not_read")
    if picked != said:
        url_state.write(url_state.UNREAD, *(["yes"] if picked else []))
    return found if picked else listed


class Panel(StrEnum):
    """A panel, by the words on its switch."""

    THRESHOLDS = "Thresholds"
    MIX = "Diagnoses by pipeline"
    LABELS = "People's labels"


_ICONS = {Panel.THRESHOLDS: "tune", Panel.MIX: "bar_chart", Panel.LABELS: "how_to_vote"}


def pick_panels() -> Sequence[Panel]:
    """Draw a switch for each panel; returns those that are open: what the URL says, else what it has something to say
    of."""
    st.session_state[OPENED] = _read_panels()
    return st.segmented_control(
        "Panels",
        list(Panel),
        selection_mode="multi",
        format_func=lambda panel: f":material/{_ICONS[panel]}: {panel}",
        wrap=True,
        key=OPENED,
        on_change=lambda: _keep_panels(st.session_state[OPENED]),
        label_visibility="collapsed",
    )


def _read_panels() -> list[Panel]:
    named = url_state.values(url_state.PANELS)
    return [panel for panel in Panel if panel in named] if named else _usual_panels()


def _usual_panels() -> list[Panel]:
    tried = any(url_state.value(name) for name in url_state.THRESHOLDS)
    asked = {Panel.THRESHOLDS: tried, Panel.LABELS: url_state.value(url_state.LABELS) is not None}
    return [panel for panel, said in asked.items() if said]


def _keep_panels(opened: Sequence[Panel]) -> None:
    wanted = [panel for panel in Panel if panel in opened]
    said: Sequence[str] = wanted or [CLOSED]
    url_state.write(url_state.PANELS, *(() if wanted == _usual_panels() else said))


def open_panel(panel: Panel) -> None:
    """Open a panel: for a button."""
    _keep_panels([*_read_panels(), panel])
