"""What each pipeline scored from run to run, which steps are more than noise, and what the ruler did meanwhile."""

from qaviz import ui

run = ui.open_frame_of_run("History")
past = ui.open_past(run)
ui.show_past(past, ui.pick_followed(past))
ui.show_consistency(run)
