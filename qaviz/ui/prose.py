"""Sentences about a run. They quote pipelines' names, so they are set as text, never parsed."""

from collections.abc import Sequence

import streamlit as st

_CSS = """
.lead { font-family: var(--st-heading-font); font-size: 1.3rem; line-height: 1.35; font-weight: 600; }
.lead { margin: 0 0 0.5rem; }
p, ul { color: var(--st-text-color); font-family: var(--st-font); overflow-wrap: anywhere; text-wrap: pretty; }
ul { margin: 0; padding-left: 1.1rem; line-height: 1.5; }
li::marker { color: var(--st-primary-color); }
"""

_JS = """
export default function ({ data, parentElement }) {
  const made = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const lead = made("p", data.lead);
  lead.className = "lead";
  const list = made("ul", "");
  list.append(...data.points.map((point) => made("li", point)));
  parentElement.querySelector(".prose").replaceChildren(...[lead, list].filter((each) => each.hasChildNodes()));
}
"""

_prose = st.components.v2.component("qaviz_prose", html='<div class="prose"></div>', css=_CSS, js=_JS)


def show_sentences(key: str, points: Sequence[str], lead: str = "") -> None:
    """Draw a leading sentence in large type and points under it, each as it is."""
    _prose(key=key, data={"lead": lead, "points": list(points)})
