"""What pages share. With pages/, the only place that knows Streamlit.

`open_page` gives a page its frame and its run, `filter_bar` the rows that the reader picked, `show_table` a table of
texts; `plain` makes a text from a file safe where Streamlit knows only markdown.
"""

from qaviz.ui import address
from qaviz.ui.filters import filter_bar
from qaviz.ui.frame import OpenRun, open_frame, open_page, workspace
from qaviz.ui.table import (
    Column,
    Part,
    Row,
    bar_cell,
    interval_cell,
    mark_cell,
    parts_cell,
    show_table,
    text_cell,
)
from qaviz.ui.text import plain, show_problems

__all__ = [
    "Column",
    "OpenRun",
    "Part",
    "Row",
    "address",
    "bar_cell",
    "filter_bar",
    "interval_cell",
    "mark_cell",
    "open_frame",
    "open_page",
    "parts_cell",
    "plain",
    "show_problems",
    "show_table",
    "text_cell",
    "workspace",
]
