"""What pages share. With pages/, the only place that knows Streamlit.

`open_page` gives a page its frame and its run, `filter_bar` the rows that the reader picked, `show_table` a table of
texts; `plain` makes a text from a file safe where Streamlit knows only markdown.
"""

from qaviz.ui import address
from qaviz.ui.cached import judged_by, matrix_of, summary_of
from qaviz.ui.closeness import show_closeness, show_regions
from qaviz.ui.filters import Filters, filter_bar, pick, pick_filters, pick_listed
from qaviz.ui.frame import OpenRun, navigate, open_frame, open_page, pick_run, workspace
from qaviz.ui.matrix import column_totals, show_matrix
from qaviz.ui.pipelines import show_pipelines, show_steps
from qaviz.ui.prose import show_sentences
from qaviz.ui.questions import pick_question
from qaviz.ui.responses import pick_classes, show_responses
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
from qaviz.ui.text import metrics_help, plain, show_problems
from qaviz.ui.thresholds import pick_thresholds, show_moves, tries_thresholds
from qaviz.ui.upload import load_sample, map_columns, open_new, pick_files, score_and_save, set_thresholds, show_listed
from qaviz.ui.words import show_words

__all__ = [
    "Column",
    "Filters",
    "OpenRun",
    "Part",
    "Row",
    "address",
    "bar_cell",
    "column_totals",
    "filter_bar",
    "interval_cell",
    "judged_by",
    "load_sample",
    "map_columns",
    "mark_cell",
    "matrix_of",
    "metrics_help",
    "navigate",
    "open_frame",
    "open_new",
    "open_page",
    "parts_cell",
    "pick",
    "pick_classes",
    "pick_files",
    "pick_filters",
    "pick_listed",
    "pick_question",
    "pick_run",
    "pick_thresholds",
    "plain",
    "score_and_save",
    "set_thresholds",
    "show_closeness",
    "show_listed",
    "show_matrix",
    "show_moves",
    "show_pipelines",
    "show_problems",
    "show_regions",
    "show_responses",
    "show_sentences",
    "show_steps",
    "show_table",
    "show_words",
    "summary_of",
    "text_cell",
    "tries_thresholds",
    "workspace",
]
