"""What the words on the pages mean."""

from qaviz.ui.glossary import show_glossary
from qaviz.ui.widgets.page_setup import offer_run, open_frame

open_frame("Glossary")
offer_run()
show_glossary()
