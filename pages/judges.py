"""What judges say of the responses beside verdicts and people, and how far they can be relied on."""

from qaviz.ui.judges import show_judges
from qaviz.ui.panel import show_panel
from qaviz.ui.widgets.page_setup import open_page

shown = open_page("Judges")
show_judges(shown)
show_panel(shown)
