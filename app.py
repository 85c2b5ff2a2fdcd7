"""Map of the app: the pages of the menu, and where the paths of earlier releases lead."""

from functools import partial

import streamlit as st

from qaviz.ui.widgets.page_setup import follow_move, navigate
from qaviz.ui.widgets.url_state import BOARD, MOVED, PLACES

# The icons stand in the titles: as a page's `icon` the browser would fetch them for its tab, from Google. An en space
# keeps a distance that markdown does not swallow.
PAGES = [
    st.Page(
        place.file,
        title=f":material/{place.icon}:\u2002{place.title}",
        url_path="" if place is BOARD else place.name,
        default=place is BOARD,
        visibility="visible" if place.in_menu else "hidden",
    )
    for place in PLACES
]
MOVES = [st.Page(partial(follow_move, path), title=path, url_path=path, visibility="hidden") for path in MOVED]

navigate(PAGES, MOVES)
