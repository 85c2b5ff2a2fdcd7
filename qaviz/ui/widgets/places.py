"""The places of the app: the paths of their pages, their tabs, and where the paths of earlier releases lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Place:
    """A page of the menu: pages/NAME.py, at /NAME."""

    name: str
    title: str
    icon: str
    """Of Google's Material Symbols, which Streamlit brings."""
    tabs: tuple[str, ...] = ()
    """Its parts, of which the URL's `tab` names the open one; the first is the usual one."""

    @property
    def file(self) -> str:
        """The page's file, as `st.switch_page` wants it."""
        return f"pages/{self.name}.py"


HISTORY: Final = "History"
QUESTION: Final = "Question"
CLOSENESS: Final = "Closeness vs conciseness"
FUNNEL: Final = "Funnel"
FLYWHEEL, REVIEW, GENERATE = "Flywheel", "Review", "Generate"
VERIFY: Final = "Verify"
"""The URL's `tab` for a run's card on Runs with its check by FMEval open."""

PLACES = (
    Place("overview", "Overview", "space_dashboard"),
    Place("compare", "Compare", "balance", ("Pipelines", HISTORY)),
    Place("responses", "Responses", "troubleshoot", ("Diagnostics", QUESTION)),
    Place("metrics", "Metrics", "fact_check", ("Factual Knowledge report", CLOSENESS, FUNNEL)),
    Place("golden", "Golden dataset", "edit_note", ("Curation", FLYWHEEL, REVIEW, GENERATE)),
    Place("judges", "Judges", "gavel"),
    Place("runs", "Runs", "inventory_2"),
    Place("load", "Load", "upload_file"),
)
OVERVIEW, LOAD = PLACES[0], PLACES[-1]

FOR_EDITORS = (LOAD.name, GENERATE)
"""Names of places and tabs that only make something new."""

MOVED: Mapping[str, tuple[str, str]] = {
    # Streamlit serves the default page at the root alone, and keeps the path of its file for it unless told otherwise.
    "overview": ("overview", ""),
    "history": ("compare", HISTORY),
    "diagnostics": ("responses", ""),
    "question": ("responses", QUESTION),
    "factual_knowledge": ("metrics", ""),
    "closeness_conciseness": ("metrics", CLOSENESS),
    "curation": ("golden", ""),
    "flywheel": ("golden", FLYWHEEL),
    "review": ("golden", REVIEW),
    "generate": ("golden", GENERATE),
    "load_data": ("load", ""),
    "verify": ("runs", VERIFY),
    "glossary": ("overview", ""),
}
"""Place and tab of each path of earlier releases."""


def find_place(title: str) -> tuple[Place, str] | None:
    """The place and the tab with this title, or with that of a page of an earlier release; None for any other."""
    named = {place.name: place for place in PLACES}
    for place in PLACES:
        if title == place.title:
            return place, ""
        if title in place.tabs:
            return place, title
    moved = MOVED.get(title.lower().replace(" vs", "").replace(" ", "_"))
    return (named[moved[0]], moved[1]) if moved else None
