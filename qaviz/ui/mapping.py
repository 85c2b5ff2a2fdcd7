"""What the columns of an uploaded file are: looked at, said, and kept under a name for the next file like it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import day, plural
from qaviz.loading import GOLDEN, Preview, Role, Source, sandbox
from qaviz.loading.column_guess import Guess
from qaviz.loading.column_mapping import IGNORE
from qaviz.model.columns import RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.visible import visible, visible_texts
from qaviz.store.profiles import Profile, keep_profile, kept_profiles, remove_profile
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import person_said
from qaviz.ui.widgets.text import show_problems

LEFT_OUT = "left out"
READ_AS = "Read as"
THEIRS = "Column in the file"
WHY = "Why"
AS_RECOGNISED = "as recognised"

PREVIEWS_KEPT = 32

KEPT = " kept"
"""How session keys of edits end that outlast the table they were made in."""


@dataclass(frozen=True)
class Mapped:
    """A file, and what the reader says of its columns."""

    source: Source
    mapping: dict[str, str]


def map_columns(source: Source, role: Role, key: str) -> Mapped | None:
    """Draw a file's first rows and what each column is read as; returns the file, its sheet chosen, and the mapping.

    A mapping that was saved for a file of the same columns is applied. None if the file cannot be read yet: the
    problems are on the screen.
    """
    with st.container(border=True):
        name = st.container(horizontal=True, vertical_alignment="center", gap="small")
        name.markdown(":material/description:", width="content")
        name.text(visible(source.name))
        try:
            if recognise_upload(source).fmeval:
                name.caption("FMEval's own output: its scores are kept", width="content")
                return Mapped(source, {})
            left, right = st.columns([2, 3])
            with left:
                chosen = _of_sheet(source, role, key)
                mapping = _said(chosen, role, key)
            mapped = _preview(chosen, role, mapping)
        except QavizError as error:
            show_problems(error)
            return None
        name.caption(_as_what(mapped, role), width="content")
        first = _made_visible(mapped.first)
        right.dataframe(first, hide_index=True, height="content", placeholder="–")
        if mapped.lacking:
            show_problems(QavizError(*mapped.lacking))
            return None
    return Mapped(chosen, mapping)


def _made_visible(first: pl.DataFrame) -> pl.DataFrame:
    """The rows with signs for what cannot be seen, in their columns' names too unless that makes two the same."""
    texts = [name for name, dtype in first.schema.items() if dtype == pl.String]
    names = [*map(visible, first.columns)]
    shown = first.with_columns(map(visible_texts, texts))
    return shown.rename(dict(zip(first.columns, names, strict=True))) if len(set(names)) == len(names) else shown


def show_profiles() -> None:
    """Draw the mappings that were saved, each with a button that deletes it; nothing where there are none."""
    home = workspace()
    profiles = kept_profiles(home)
    if not profiles:
        return
    with st.expander(f"Saved mappings ({len(profiles)})", icon=":material/bookmark:"):
        for place, profile in enumerate(profiles):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.text(visible(_in_words(profile)))
                st.button(
                    "Delete",
                    key=f"delete_mapping_{place}",
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=remove_profile,
                    args=(home, profile.name, person_said()),
                )


def _in_words(profile: Profile) -> str:
    said = (f"{theirs} as {ours}" if ours else f"{theirs} {LEFT_OUT}" for theirs, ours in profile.mapping.items())
    pairs = ", ".join(said)
    by = f" by {profile.saved_by}" if profile.saved_by else ""
    return f"{profile.name}: {pairs}. For {_kind(profile.role)}, saved {day(profile.saved_at)}{by}."


def _kind(role: str) -> str:
    return "golden datasets" if role == _role(GOLDEN) else "responses"


def _role(role: Role) -> str:
    return "golden" if role is GOLDEN else "responses"


def _as_what(mapped: Preview, role: Role) -> str:
    rows = plural(mapped.rows, "row")
    if mapped.tool:
        return f"{mapped.tool}, {rows}, as {'golden dataset' if role is GOLDEN else 'responses'}"
    return f"{rows}, {mapped.form} form"


def _of_sheet(source: Source, role: Role, key: str) -> Source:
    """The source, of a workbook with several sheets the one that the reader picks: at first the one that fits."""
    seen = _preview(source, role, {})
    if len(seen.sheets) < 2:
        return source
    sheet = st.selectbox("Sheet", seen.sheets, seen.sheets.index(seen.sheet), key=f"{key}_sheet_{hash(seen.sheets)}")
    return replace(source, sheet=sheet)


def _said(source: Source, role: Role, key: str) -> dict[str, str]:
    """What the reader says of the columns, by a saved mapping or one by one, where it is not what was guessed."""
    columns = _preview(source, role, {}).columns
    profile = _picked_profile(role, columns, key)
    known = profile.mapping if profile else {}
    guessed = _preview(source, role, known)
    changed = _list_edits(guessed, role, editor_key(f"{key}_{profile.name}" if profile else key, source.name, columns))
    mapping = known | changed
    if changed:
        _offer_to_save(role, columns, mapping, key)
    return mapping


def _picked_profile(role: Role, columns: tuple[str, ...], key: str) -> Profile | None:
    """The saved mapping that the reader picks of those that fit: at first the newest for these very columns."""
    fitting = [each for each in kept_profiles(workspace()) if each.fits(_role(role), columns)]
    if not fitting:
        return None
    usual = next((place for place, each in enumerate(fitting, 1) if each.is_for(_role(role), columns)), 0)
    names = [AS_RECOGNISED, *(each.name for each in fitting)]
    places = range(len(names))
    place = st.selectbox(
        "Mapping", places, usual, format_func=names.__getitem__, key=f"{key}_mapping_{hash((columns, *names))}"
    )
    return fitting[place - 1] if place else None


def _list_edits(guessed: Preview, role: Role, key: str) -> dict[str, str]:
    """What the reader says of the columns, where it is not what was guessed."""
    usual = dict.fromkeys(guessed.columns, LEFT_OUT)
    usual |= {**guessed.words, **dict.fromkeys(guessed.pipelines, RESPONSE)}
    shown = usual | _kept_edits(key)
    why = {each.column: _in_a_line(each) for each in guessed.guesses}
    columns = {
        THEIRS: [*map(visible, guessed.columns)],
        READ_AS: [shown[each] for each in guessed.columns],
        WHY: [why.get(each, "") for each in guessed.columns],
    }
    table = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    said = st.data_editor(
        table,
        key=key,
        hide_index=True,
        disabled=[THEIRS, WHY],
        column_config={
            THEIRS: st.column_config.TextColumn(),
            WHY: st.column_config.TextColumn(width="medium"),
            READ_AS: st.column_config.SelectboxColumn(options=[*role.names, LEFT_OUT], required=True),
        },
    )
    read_as = dict(zip(guessed.columns, said[READ_AS], strict=True))
    edits = {column: word for column, word in read_as.items() if word != usual[column]}
    st.session_state[f"{key}{KEPT}"] = edits
    return {column: IGNORE if word == LEFT_OUT else word for column, word in edits.items()}


def editor_key(key: str, file: str, columns: Sequence[str]) -> str:
    """The key of the table in which a file's columns are read: of another file another, which has edits of its own."""
    return f"{key}_{file}_{crc32(chr(0).join(columns).encode())}"


def _kept_edits(key: str) -> dict[str, str]:
    """What a person said of the columns when the table was drawn last, before another file stood there.

    While the table stays, what it began with stays too: Streamlit keeps the edits since then.
    """
    begun = f"{key}{KEPT} at first"
    if key not in st.session_state:
        st.session_state[begun] = st.session_state.get(f"{key}{KEPT}", {})
    edits: dict[str, str] = st.session_state.get(begun, {})
    return edits


def _in_a_line(guess: Guess) -> str:
    """Why a column is read so, with an example; of a doubtful one what it may be."""
    doubt = "" if guess.certain else f"Possibly {guess.word}. Please confirm: "
    example = f', as in "{guess.example}"' if guess.example else ""
    return visible(f"{doubt}{guess.why}{example}")


def _offer_to_save(role: Role, columns: tuple[str, ...], mapping: Mapping[str, str], key: str) -> None:
    with st.popover("Save this mapping", icon=":material/bookmark_add:"):
        name = st.text_input("Name of the mapping", key=f"{key}_save_as", placeholder="Vendor export")
        if st.button("Save", key=f"{key}_save", type="primary"):
            try:
                keep_profile(workspace(), name, _role(role), columns, mapping, person_said())
            except QavizError as error:
                show_problems(error)
            else:
                st.rerun()


_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    # No two uploads have the same path.
    Source: lambda source: (source.name, hash(source.data), source.sheet),
    Role: lambda role: role is GOLDEN,
}


@st.cache_resource(max_entries=PREVIEWS_KEPT, show_spinner="Reading the file", hash_funcs=_KEYS)
def recognise_upload(source: Source) -> sandbox.Recognised:
    """`apart.recognised` of the file, found once."""
    return sandbox.recognise_file(source)


@st.cache_resource(max_entries=PREVIEWS_KEPT, show_spinner="Reading the file", hash_funcs=_KEYS)
def _read(source: Source, role: Role, mapping: Mapping[str, str]) -> Preview | QavizError:
    """The preview, or why there is none: a file that takes long to refuse is refused once."""
    try:
        return sandbox.preview(replace(source, mapping=mapping), role)
    except QavizError as error:
        return error


def _preview(source: Source, role: Role, mapping: Mapping[str, str]) -> Preview:
    read = _read(source, role, mapping)
    if isinstance(read, QavizError):
        raise read
    return read
