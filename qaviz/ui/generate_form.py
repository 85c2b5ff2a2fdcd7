"""The Generate page: pick documents, see what asking takes, try, ask, look, keep; or draft by hand."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.background import Job
from qaviz.documents import Chunking
from qaviz.documents.formats import READERS
from qaviz.generation.coverage import BY_HAND, draft_facts, measure_coverage, note_owners, plan_gaps, written_drafts
from qaviz.generation.gate.kinds import QUESTION_TYPES
from qaviz.generation.pipeline import Collection, Generated, journal_of
from qaviz.generation.prompting import Generation, Prompt, check_generation, read_template
from qaviz.generation.triplets import check_produced, golden_of, passages_of
from qaviz.llm import Settings
from qaviz.loading import Source, silent
from qaviz.model.errors import QavizError
from qaviz.model.visible import plain, visible_texts
from qaviz.store.golden_versions import checked_dataset_name, keep_generated
from qaviz.store.workspace import Workspace
from qaviz.ui.generating import (
    RECORDED_MODEL,
    SAMPLE_CHUNKING,
    SAMPLE_DOCUMENT,
    Live,
    Order,
    estimate,
    generate_order,
    offer_dataset,
    place_order,
    read_sources,
    sample_settings,
    show_counts,
    show_coverage,
    show_frame,
    show_triplets,
    start,
)
from qaviz.ui.widgets.jobs import cap_field, read_cap, show_estimate, show_why_no_result
from qaviz.ui.widgets.person import permission_of
from qaviz.ui.widgets.text import show_problems
from qaviz.uploads import on_disk

FIELD = "documents_upload"
ORDER, JOB, LIVE, DONE = "generate_order", "generate_job", "generate_live", "generate_done"
"""Session keys: what was asked for, the work, what came so far, and what came of it."""
SAMPLE_CHOICE, OWN_CHOICE = "Sample document, recorded replies", "My documents"


def pick_documents(home: Workspace, sample: Path) -> tuple[Collection | None, bool]:
    """Draw the choice of documents; returns them, cut, and whether they are the sample's."""
    choice = st.segmented_control(
        "Documents", [SAMPLE_CHOICE, OWN_CHOICE], default=SAMPLE_CHOICE, required=True, label_visibility="collapsed"
    )
    if choice == SAMPLE_CHOICE:
        source = Source.of(sample / SAMPLE_DOCUMENT)
        return read_sources([source], SAMPLE_CHUNKING, permission_of(home)), True
    suffixes = [suffix.removeprefix(".") for suffix in READERS]
    st.file_uploader("Documents", suffixes, key=FIELD, accept_multiple_files=True, label_visibility="collapsed")
    with st.container(horizontal=True):
        size = st.number_input("Chunk size in tokens", 50, 20_000, Chunking().size, 50, width=200)
        overlap = st.number_input("Overlap in tokens", 0, 10_000, Chunking().overlap, 10, width=200)
    sources = on_disk(FIELD)
    if not sources:
        return None, False
    try:
        return read_sources(sources, Chunking(size=size, overlap=overlap), permission_of(home)), False
    except QavizError as error:
        show_problems(error)
        return None, False


def show_collection(collection: Collection) -> None:
    """Draw how many documents and chunks there are, what could not be read, and the chunks."""
    if collection.problems:
        show_problems(QavizError(*collection.problems))
    for note in collection.notes:
        st.text(plain(note))
    st.text(f"{plural(len(collection.documents), 'document')}, {plural(collection.chunks.height, 'chunk')}.")
    with st.expander("Chunks", icon=":material/segment:"):
        show_frame(collection.chunks.select("document", "heading", "page", "start", "end", "text"))


def offer_generation(home: Workspace, collection: Collection, sample: Path | None, person: str | None) -> None:
    """Draw the form, the work that goes on, and what came of it, for `person` to keep.

    `sample` is the sample's folder where the sample is shown.
    """
    if st.session_state.get(JOB) is not None:
        _show_running(home, person)
        return
    if form := _draw_form(home, sample):
        name, made, settings, pressed = form
        try:
            order = place_order(home, checked_dataset_name(name), collection, made, settings, trial=pressed == "try")
            if pressed == "estimate":
                show_estimate(estimate(order))
            else:
                _begin(home, order)
        except QavizError as error:
            show_problems(error)
    _show_done(home, person)


def _begin(home: Workspace, order: Order) -> None:
    """Start the work of an order and draw it; what is wrong with it is said."""
    try:
        st.session_state[JOB], st.session_state[LIVE] = start(home, order)
    except QavizError as error:
        show_problems(error)
        return
    st.session_state[ORDER] = order
    st.rerun()


def _draw_form(home: Workspace, sample: Path | None) -> tuple[str, Generation, Settings, str] | None:
    """Draw the form; returns the dataset's name, what to generate, the model's settings and the button pressed."""
    recorded = sample is not None
    with st.form("generate", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input("Name of the golden dataset", "harbour-line" if recorded else "", width=240)
            model = st.text_input(
                "Model", RECORDED_MODEL if recorded else "", disabled=recorded, placeholder="openai:NAME", width=240
            )
            cap = cap_field(disabled=recorded)
            review = st.number_input("Review, %", 0, 100, 20, 5, width=120)
        prompt = _draw_prompt(recorded=recorded)
        with st.container(horizontal=True):
            pressed = {
                "estimate": not recorded and st.form_submit_button("Estimate", icon=":material/calculate:"),
                "try": st.form_submit_button("Try 5 chunks", icon=":material/science:"),
                "all": st.form_submit_button("Generate", type="primary", icon=":material/play_arrow:"),
            }
    which = next((button for button, down in pressed.items() if down), None)
    if which is None:
        return None
    made = Generation(chunking=SAMPLE_CHUNKING, prompt=prompt, review=review / 100)
    try:
        check_generation(made, "Generate")
        settings = (
            sample_settings(home, sample)
            if sample
            else Settings(model=model, journal=journal_of(home, name), caps=read_cap(cap))
        )
    except QavizError as error:
        show_problems(error)
        return None
    return name, made, settings, which


def _draw_prompt(*, recorded: bool) -> Prompt:
    usual = Prompt(template=read_template(None))
    with st.expander("Prompt", icon=":material/edit_note:"):
        if recorded:
            st.caption("Recorded replies belong to this prompt. With your own documents it can be changed.")
            st.text(usual.text)
            return usual
        template = st.text_area("Prompt", usual.template, height=240, label_visibility="collapsed")
        with st.container(horizontal=True):
            types = st.multiselect("Question types", [*QUESTION_TYPES], [*usual.types])
            language = st.text_input("Language", "", placeholder="of the passage", width=200)
            per_chunk = st.number_input("Triplets a chunk", 1, 50, usual.per_chunk, width=160)
    return replace(usual, template=template, types=tuple(types), language=language.strip() or None, per_chunk=per_chunk)


def _show_running(home: Workspace, person: str | None) -> None:
    job: Job[Generated] = st.session_state[JOB]
    if job.running:
        _show_live(job, st.session_state[LIVE])
        return
    st.session_state[JOB] = None
    if job.result is not None and not st.session_state.pop("generate_dropped", False):
        st.session_state[DONE] = job.result
    show_why_no_result(job, cancelled="Cancelled.", broke_off="The generation stopped; replies so far are kept.")
    if job.refusal is None:
        st.rerun()
    _show_done(home, person)


@st.fragment(run_every=0.5)
def _show_live(job: Job[Generated], live: Live) -> None:
    if not job.running:
        st.rerun()
    st.progress(min(job.fraction, 1.0), text=plain(job.words))
    spend = live.spend
    cost = "" if spend.cost is None else f", {spend.cost:,.4f} {spend.currency}"
    tokens = count(spend.input_tokens + spend.output_tokens)
    st.text(
        f"{count(live.accepted)} accepted, {count(live.unproved)} to review, "
        f"{count(live.rejected)} rejected, {count(live.failed)} failed so far; "
        f"{count(spend.calls)} calls, {tokens} tokens{cost}."
    )
    with st.container(horizontal=True):
        st.button("Pause", icon=":material/pause:", on_click=job.cancel, help="Generate goes on where it stopped.")
        st.button("Cancel", icon=":material/close:", on_click=_drop, args=(job,), help="Replies so far are kept.")


def _drop(job: Job[Generated]) -> None:
    st.session_state["generate_dropped"] = True
    job.cancel()


def _show_done(home: Workspace, person: str | None) -> None:
    done: Generated | None = st.session_state.get(DONE)
    order: Order | None = st.session_state.get(ORDER)
    if done is None or order is None:
        return
    if order.notice:
        st.text(plain(order.notice))
    show_counts(done)
    if show_triplets(home, order.name, done):
        # The same replies and the mended triplets are checked again; nothing is asked.
        st.session_state[DONE] = generate_order(home, order, Live(), silent, lambda: True)
        st.rerun()
    with st.expander("Coverage", icon=":material/donut_small:"):
        show_coverage(measure_coverage(done.produced, done.collection.chunks))
        _offer_gaps(home, order, done)
    offer_dataset(home, order.name, done, person)


def _offer_gaps(home: Workspace, order: Order, done: Generated) -> None:
    """Draw how many further triplets to ask for where some are missing, and the button that asks."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.number_input("Further triplets", 1, 1_000, 20, width=160)
        pressed = st.button(
            f"Generate {number} for the gaps",
            icon=":material/add_circle:",
            disabled=done.recorded,
            help="The recorded sample has no replies to further requests." if done.recorded else None,
        )
    if pressed:
        plan = plan_gaps(done.produced, done.collection.chunks, order.made, int(number))
        _begin(home, replace(order, plans=(*order.plans, plan)))


def show_drafts(home: Workspace, collection: Collection, person: str | None) -> None:
    """Draw the facts worth asking about, found without a model, with a field for each question, and check them."""
    drafts = draft_facts(collection.chunks)
    st.text(f"{plural(drafts.height, 'fact')} found without a model. Write questions for some of them.")
    shown = drafts.select("kind", "fact", "answer", "document")
    texts = shown.with_columns(visible_texts(name) for name in shown.columns)
    written = st.data_editor(
        texts.select(*(pl.lit("").alias(name) for name in ("question", "owner", "why")), pl.all()),
        hide_index=True,
        height=360,
        disabled=shown.columns,
        column_config={"why": st.column_config.TextColumn("why it matters")},
        key="drafts",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the golden dataset", key="drafts_name", width=240)
        pressed = st.button("Check and keep", type="primary", icon=":material/rule:", disabled=person is None)
        lines = drafts.write_ndjson()
        st.download_button("Download the facts", lines, "drafts.jsonl", icon=":material/download:")
    if pressed and person:
        try:
            _keep_drafts(home, name, drafts, written, collection, person)
        except QavizError as error:
            show_problems(error)


def _keep_drafts(
    home: Workspace, name: str, drafts: pl.DataFrame, written: pl.DataFrame, collection: Collection, person: str
) -> None:
    """Keep the questions that pass the gate, and list the others with the reason."""
    checked_dataset_name(name)
    made = Generation()
    checked = check_produced(written_drafts(drafts, [*written["question"]]), collection.chunks, made)
    checked = note_owners(checked, drafts, written)
    golden = golden_of(checked, collection.chunks, made)
    rejected = checked.filter(pl.col("status") != "accepted").select("question", "reason")
    if not golden.is_empty():
        made_of = passages_of(checked, collection.chunks, golden, BY_HAND, "")
        version = keep_generated(home, name, golden, made_of, person)
        st.text(f"{plural(golden.height, 'triplet')} kept: version {version.number} of {name}.")
    if not rejected.is_empty():
        show_frame(rejected)
    if checked.is_empty():
        st.text("No question yet.")
