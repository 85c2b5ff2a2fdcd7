"""What pages arrange: one module a subject. With pages/, the only place that imports Streamlit.

`pick_...` returns what the reader chose, `show_...` draws. Texts from files are drawn as text alone, by Streamlit's
text and dataframe elements or by components of our own, which set textContent.
"""
