"""What asking a model may cost: the field for the cap, and the estimate in words."""

import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.llm import Caps, Estimate, parse_caps

USUAL_CAP = "1000calls"


def cap_field(*, disabled: bool = False) -> str:
    """Draw the field for the most to spend; returns what stands in it, for `read_cap`."""
    said = "The most to spend: 5USD, 200000tokens or 100calls"
    return st.text_input("Cap", USUAL_CAP, help=said, width=160, disabled=disabled)


def read_cap(said: str) -> Caps:
    """The cap that the field says; none where it is blank. Raises QavizError for what is no cap."""
    return parse_caps([said] if said.strip() else [])


def show_estimate(found: Estimate) -> None:
    """Draw how many calls and tokens asking takes, what it costs, and how many replies are there already."""
    cost = "no price is known" if found.cost is None else f"{found.cost:,.2f} {found.currency}"
    tokens = count(found.input_tokens + found.output_tokens)
    st.text(f"{plural(found.calls, 'call')}, about {tokens} tokens, {cost}; {count(found.recorded)} replies are there.")
