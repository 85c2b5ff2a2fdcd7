"""Whether the golden dataset gets better: its versions on a line, what to edit next, and what edits did to scores."""

from qaviz import ui

shown = ui.open_page("Flywheel")
curating = ui.open_golden(shown)
ui.show_state(curating)
ui.show_versions(curating)
ui.show_next_edits(curating)
ui.show_ledger(curating)
