"""The panel at the right of a page: one response, why it got its verdict, what others said, its labels, its triplet;
and which question the page with all pipelines shows.

A fragment: what the reader does in it redraws nothing of the page.
"""

from collections.abc import Sequence
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import MISSING, count, figure, plural
from qaviz.analysis.outcomes import whole
from qaviz.analysis.response_card import response_cards
from qaviz.analysis.selection import Passing
from qaviz.analysis.tables import SCORE, VALUE, WHY_NOT, their_scores
from qaviz.golden.edits import FIELDS, TEXTS, Texts, edit
from qaviz.golden.versions import accept
from qaviz.model import columns as c
from qaviz.model.columns import DIAGNOSIS, PIPELINE, QUESTION, QUESTION_ID, Triplet, typed_rows
from qaviz.report import Column
from qaviz.runs import with_bertscore
from qaviz.scoring.language_models import find_models
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import GoldenVersion
from qaviz.store.workspace import Workspace
from qaviz.ui.curation import open_golden, propose_fact, show_act, try_effects
from qaviz.ui.labels import KEPT, draw_label_buttons, labels_of_others, select_labels, show_label_outcome
from qaviz.ui.widgets import person as reader
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import answered_of, decision_of, labels_of, opinions_of, view_run
from qaviz.ui.widgets.components import say_problems, show_passage, show_sentences, show_words
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.person import workspace
from qaviz.ui.widgets.table import show_frame
from qaviz.ui.widgets.url_state import Listing, open_response, read_listing, read_opened

_SCORE = " "
"""Where a row says which score it is: no pipeline is called so."""
MOST_OFFERED = 200
"""Questions in the list, around the open one; the search of the filters reaches all others."""


@st.fragment
def show_panel(shown: OpenRun) -> None:
    """Draw the response that the URL names beside the page; nothing where it names none that the run has."""
    opened = read_opened()
    if opened is None:
        return
    question, pipeline = opened
    rows = shown.rows.filter(pl.col(c.QUESTION_ID) == question)
    if pipeline not in set(rows[c.PIPELINE]):
        repeats = rows.filter(whole(rows)[c.PIPELINE] == pipeline)[c.PIPELINE]
        if repeats.is_empty():
            return
        pipeline = str(repeats[0])

    response = rows.filter(pl.col(c.PIPELINE) == pipeline)
    listing = read_listing()
    with st.container(key="panel", gap="xsmall"):
        _draw_head(listing, question, pipeline)
        person = reader.person_for(Deed.LABEL, "label and edit")
        own_label = select_labels(labels_of(shown.run, person or ""), question, pipeline)
        hidden = listing.blind and own_label.is_empty()
        if person:
            labelled, responses = labels_of(shown.run, person).height, shown.run.responses
            st.text(f"{person} has labelled {count(labelled)} of the run's {count(responses)}.")
        draw_label_buttons(shown, listing, response, own_label, person, hidden=hidden)
        show_label_outcome()
        if hidden:
            texts = response.select(c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE).row(0)
            for name, text in zip(("Question", "Golden answer", "Fact", "Response"), texts, strict=True):
                st.caption(name)
                st.text(text or "none")
            return
        _offer_edit(shown, question, person)
        triplet = next(typed_rows(response, Triplet))
        pipelines = [name for name in shown.run.pipelines if name in set(rows[c.PIPELINE])]
        # The leader stands beside, beside the leader the runner-up.
        view = view_run(shown)
        ranked = decision_of(view).ranking[PIPELINE]
        beside = next((name for name in ranked if name != pipeline and name in pipelines), "")
        show_words(
            triplet, response_cards(rows, pipelines, shown.run.thresholds), at=pipeline, beside=beside, compact=True
        )
        own = (pl.col(c.QUESTION_ID) == question) & (pl.col(c.PIPELINE) == pipeline)
        opinions = labels_of_others(question, pipeline, labels_of(shown.run), person)
        for verdict, reason in opinions_of(view).filter(own).select(c.JUDGE, c.JUDGE_REASON).iter_rows():
            opinions.append(f"The judge says {verdict}{f': {reason}' if reason else ''}")
        show_sentences("panel_opinions", opinions)
        _draw_contexts(response)
        url_state.draw_link("All responses side by side", "responses", **url_state.at_response(question))


def _draw_head(listing: Listing, question: str, pipeline: str) -> None:
    """Draw which response of the list it is, and the buttons that step and close; arrow keys and Escape press them."""
    responses = listing.responses
    at = (pl.col(c.QUESTION_ID) == question) & (pl.col(c.PIPELINE) == pipeline)
    places = responses.select(at.arg_true()).to_series()
    place = int(places[0]) if len(places) else -1
    position = f"Response {count(place + 1)} of {count(responses.height)}" if len(places) else pipeline
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(f"{position}{', ' * bool(listing.order)}{listing.order}", width="stretch")
        names = responses.select(c.QUESTION_ID, c.PIPELINE)
        many = names.height if len(places) else 0
        reader.draw_steps("label", place, many, lambda place: open_response(*names.row(place)))
        close = partial(url_state.write, url_state.AT)
        st.button("Close", key="panel_close", icon=":material/close:", shortcut="Escape", on_click=close)


def _draw_contexts(response: pl.DataFrame) -> None:
    """Draw the passages, with the fact marked."""
    contexts = response[c.CONTEXTS][0] if c.CONTEXTS in response.columns else None
    if contexts is None or not len(contexts):
        return
    fact = response[c.FACT][0] or ""
    variants = [variant for part in fact.split(c.OR_DELIMITER) for variant in part.split(c.AND_DELIMITER)]
    with st.expander(f"Contexts: {plural(len(contexts), 'passage')}", icon=":material/article:"):
        if wrong := response[c.CITATIONS_WRONG][0] if c.CITATIONS_WRONG in response.columns else 0:
            st.text(f"{plural(wrong, 'citation')} of the response {'points' if wrong == 1 else 'point'} nowhere.")
        for place, context in enumerate(contexts):
            st.caption(f"Passage {place + 1}")
            show_passage(f"panel_context_{place + 1}", context or "", variants)


@say_problems
def _offer_edit(shown: OpenRun, question: str, person: str | None) -> None:
    """Draw, once it is opened, a field for the fact or the golden answer, what the edit changes, and its button."""
    panel = st.expander(
        "Edit the fact or the golden answer", icon=":material/edit_note:", on_change="rerun", key="panel_edit"
    )
    show_act("panel_")
    if not panel.open:
        return
    with panel:
        curating = open_golden(shown, linted=False)
        triplets = curating.golden.filter(pl.col(c.QUESTION_ID) == question).select(FIELDS)
        if triplets.is_empty():
            st.text("The newest version of the golden dataset does not have this triplet any more.")
            return
        texts: Texts = triplets.row(0, named=True)
        field = str(st.segmented_control("Text", TEXTS, default=c.FACT, key="panel_field", required=True))
        key = f"{curating.version.number}_{question}_{field}"
        proposed = propose_fact(curating, question) if field == c.FACT else None
        text = st.text_area(f"The new {field}", proposed or texts[field] or "", key=f"panel_text_{key}")
        if proposed:
            st.caption("Proposed: a form that right responses have, tried on those that are wrong. You can edit it.")
        wanted = edit(question, field, text)
        changes = (text.strip() or None) != texts[field]
        if changes:
            try_effects(curating, wanted, "panel_effects")
        accepting = (person, _accept, curating.version, wanted)
        reader.offer_act("Accept the edit", "panel_accept", "check", *accepting, ready=changes, primary=True)


def _accept(home: Workspace, version: GoldenVersion, wanted: pl.DataFrame, person: str) -> GoldenVersion:
    """Accept the edit, and redraw the page, which counts what the golden dataset credits."""
    made = accept(home, version, wanted, person, "edited beside a response")
    st.session_state[KEPT] = True
    return made


def pick_question(shown: OpenRun, matched: Passing) -> str | None:
    """Draw the choice of a question, and where it stands; returns its id, or None where nothing passes the filters.
    `matched` are the responses that do. A question that the URL names is shown whether or not it passes."""
    offered = answered_of(shown)
    if matched.height < shown.rows.height:
        matching = matched.select([QUESTION_ID])[QUESTION_ID].unique()
        offered = offered.filter(pl.col(QUESTION_ID).is_in(matching.implode()))
    named = url_state.value(url_state.QUESTION)
    is_there = named is not None and not shown.golden.filter(pl.col(QUESTION_ID) == named).is_empty()
    if named and not is_there:
        st.text(f"This run has no question “{named}”. Here is the first that passes the filters.")
    picked = named if is_there else next(iter(offered[QUESTION_ID]), None)
    if picked is None:
        st.markdown("No response passes these filters. Remove a filter to see questions.")
        return None
    ids = offered[QUESTION_ID].to_list()
    place = ids.index(picked) if picked in ids else -1
    start = max(0, place - MOST_OFFERED // 2)
    texts = dict(offered.slice(start, MOST_OFFERED).select(QUESTION_ID, QUESTION).iter_rows())
    texts.setdefault(picked, None)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        words = {name: f"{name} · {' '.join((text or '').split())[:90]}" for name, text in texts.items()}
        pick(url_state.QUESTION, "Question", list(words), words.__getitem__, usual=picked, width="stretch")
        reader.draw_steps("question", place, len(ids), lambda place: url_state.write(url_state.QUESTION, ids[place]))
    among = f"{count(len(ids))} that pass the filters" if len(ids) < shown.golden.height else count(len(ids))
    if place < 0:
        st.caption(f"This question does not pass the filters; {count(len(ids))} of {count(shown.golden.height)} do.")
    else:
        st.caption(f"Question {count(place + 1)} of {among}")
    return picked


def with_known_bertscore(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `bertscore` as far as `qaviz bertscore` has computed it with a model of this machine; as they are
    without a model, or where FMEval's own output gave them one."""
    model = next(iter(find_models()), None)
    return rows if model is None or c.BERTSCORE in rows.columns else with_bertscore(workspace(), rows, model)


def show_their_scores(rows: pl.DataFrame, pipelines: Sequence[str]) -> None:
    """Draw the scores that came with the file, one row a score, one column a pipeline; nothing where there are none."""
    scores = their_scores(rows)
    if scores.is_empty():
        return
    st.subheader("Scores that came with the file", anchor=False)
    st.caption("As the other tool gave them. Nothing on these pages is computed from them.")
    diagnoses = dict(scores.select(PIPELINE, DIAGNOSIS).iter_rows())
    names = [name for name in pipelines if name in diagnoses]
    theirs: dict[str, dict[str, object]] = {}
    for score, name, value, why_not in scores.select(SCORE, PIPELINE, VALUE, WHY_NOT).iter_rows():
        cell = {"value": None if value is None else figure(value, 4), "why_not": why_not or MISSING}
        theirs.setdefault(score, {_SCORE: score})[name] = cell
    ours = {_SCORE: "Diagnosis, by qaviz"} | {name: {"value": diagnoses[name]} for name in names}
    columns = [Column(_SCORE, "Score"), *(Column(name, name, missing="{why_not}") for name in names)]
    show_frame("their_scores", "Scores that came with the file", [ours, *theirs.values()], columns)
