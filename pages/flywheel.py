"""Whether the golden dataset gets better: its versions on a line, what to edit next, and what edits did to scores."""

from qaviz.ui.curation_state import open_golden, show_state
from qaviz.ui.flywheel import show_ledger, show_next_edits, show_versions
from qaviz.ui.widgets.page_setup import open_page

shown = open_page("Flywheel")
curating = open_golden(shown)
show_state(curating)
show_versions(curating)
show_next_edits(curating)
show_ledger(curating)
