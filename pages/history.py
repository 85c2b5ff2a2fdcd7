"""What each pipeline scored from run to run, which steps are more than noise, and where the measurement changed."""

from qaviz.ui.differing_questions import show_consistency
from qaviz.ui.history import open_past, pick_followed, show_past
from qaviz.ui.widgets.page_setup import open_frame_of_run

run = open_frame_of_run("History")
past = open_past(run)
show_past(past, pick_followed(past))
show_consistency(run)
