"""What judges say of the responses beside rules and people, and how far they can be relied on."""

from qaviz.ui.judges import show_judges
from qaviz.ui.widgets.page_setup import open_page

show_judges(open_page("Judges"))
