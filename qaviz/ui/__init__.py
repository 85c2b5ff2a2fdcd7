"""What pages share. With pages/, the only place that knows Streamlit.

`open_page` gives a page its frame and its run; `plain` makes text from files safe where Streamlit knows only markdown.
"""

from qaviz.ui import address
from qaviz.ui.frame import OpenRun, open_frame, open_page, workspace
from qaviz.ui.text import plain, show_problems

__all__ = ["OpenRun", "address", "open_frame", "open_page", "plain", "show_problems", "workspace"]
