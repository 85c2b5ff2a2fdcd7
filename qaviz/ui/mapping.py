"""What the columns of an uploaded file are: a select box a column, a preview beside, mappings kept under a name."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from zlib import crc32

import streamlit as st

from qaviz.analysis.numbers import count, day, plural
from qaviz.loading import GOLDEN, RESPONSES, Preview, Role, Source, sandbox
from qaviz.loading.column_guess import Guess
from qaviz.loading.column_mapping import IGNORE
from qaviz.model.columns import RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.visible import plain, visible
from qaviz.runs import ImportRequest
from qaviz.store.audit_log import Deed
from qaviz.store.settings import Profile, keep_profile, kept_profiles, remove_profile
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import may, offers, person_said
from qaviz.ui.widgets.table import Column, Row, show_table

LEFT_OUT = "left out"
AS_RECOGNISED = "as recognised"

PREVIEWS_KEPT = 32
PREVIEW_ROWS = 3
PREVIEW_COLUMNS = 12
BOXES_IN_SIGHT = 12
"""Columns of a file up to which all have their box in sight; of more, those that are left out are folded away."""
BOXES = 100
"""Most boxes of columns that are left out; the terminal maps the others."""

CHOICES = "choices of files"
"""Session key of what a person chose for files: by the box's key. It outlasts the boxes, which come and go."""

_MARKDOWN = re.compile(r"[\[\]()!<>*`:$~|\\#]+")
_COUNTED = {2: "Two", 3: "Three"}
Option = TypeVar("Option")


def map_files(picked: ImportRequest) -> ImportRequest | None:
    """Draw what each file is read as; returns the files with their mappings and sheets, None if one is not ready."""
    golden = map_columns(picked.golden, GOLDEN, "golden") if picked.golden else None
    names = [response.name for response in picked.responses]
    keys = [f"responses {names[:place].count(name)}" for place, name in enumerate(names)]
    mapped = [map_columns(response, RESPONSES, key) for response, key in zip(picked.responses, keys, strict=True)]
    responses = tuple(filter(None, mapped))
    if (picked.golden and not golden) or len(responses) < len(mapped):
        return None
    return replace(picked, golden=golden, responses=responses)


def map_columns(source: Source, role: Role, key: str) -> Source | None:
    """Draw a box for each column of the file, and its first rows; returns the file with its sheet and mapping.

    A mapping that was saved for a file of the same columns is applied. None if the file cannot be loaded yet: why is
    on the screen. The `key` tells the file from others of its name.
    """
    with st.container(border=True):
        name = st.container(horizontal=True, vertical_alignment="center", gap="small")
        name.markdown(":material/description:", width="content")
        name.text(visible(source.name))
        try:
            if recognise_upload(source).fmeval:
                name.caption("FMEval's own output: its scores are kept", width="content")
                return source
            left, right = st.columns(2, gap="medium")
            with left:
                fields = _draw_fields(_pick_sheet(source, role, key), role, key)
            with right:
                _show_preview(fields, f"{key} {source.name}")
            if fields.conflicts:
                return None
            seen = read_preview(fields.source, role)
        except QavizError as error:
            show_problems(error)
            return None
        name.caption(_describe(seen, role), width="content")
        if seen.lacking:
            show_problems(QavizError(*seen.lacking))
            return None
    return fields.source


@dataclass(frozen=True)
class Fields:
    """The columns of a file as the boxes show them."""

    source: Source
    """The file with a person's choices for its columns as its mapping."""
    guessed: Preview
    """Its first rows, and the guesses before any choice."""
    words: Mapping[str, str]
    """Each column with the word in its box: one of ours, or LEFT_OUT."""
    guesses: Mapping[str, Guess]
    """Of each guessed column: what it is read as, and why."""

    @property
    def conflicts(self) -> dict[str, str]:
        """A sentence for each column whose word another column has too; only responses may be in several columns."""
        return name_conflicts(self.words)

    def example(self, column: str) -> str:
        """One of the column's cells."""
        if column in self.guesses and self.guesses[column].example:
            return self.guesses[column].example
        return next((cell for cell in self.guessed.first[column] if cell), "")


def name_conflicts(words: Mapping[str, str]) -> dict[str, str]:
    """A sentence for each column whose word another column has too."""
    conflicts = {}
    for column, word in words.items():
        times = [*words.values()].count(word)
        if times > 1 and word not in (LEFT_OUT, RESPONSE):
            conflicts[column] = f"{_COUNTED.get(times, str(times))} columns are mapped to {word}. Pick one."
    return conflicts


def _draw_fields(source: Source, role: Role, key: str) -> Fields:
    """Draw the boxes; returns what they say."""
    columns = read_preview(source, role).columns
    profile = _pick_profile(role, columns, key)
    known = dict(profile.mapping) if profile else {}
    guessed = read_preview(replace(source, mapping=known), role)
    keys = {column: box_key(f"{key} {profile.name if profile else ''}", source, columns, column) for column in columns}
    fields = _read_choices(source, role, guessed, known, keys)
    in_sight, folded = _fold(guessed)
    _draw_boxes(in_sight, fields, role, keys)
    if folded:
        with st.expander(f"Other columns, left out ({count(len(folded))})"):
            _draw_boxes(folded[:BOXES], fields, role, keys)
            if len(folded) > BOXES:
                st.caption(f"{count(len(folded) - BOXES)} more have no box. `qaviz import --map` maps them.")
    if not fields.conflicts:
        _offer_readings(read_preview(fields.source, role), keys)
    if fields.source.mapping != known and not fields.conflicts:
        _offer_to_save(role, columns, fields.source.mapping, key)
    return fields


def _offer_readings(seen: Preview, keys: Mapping[str, str]) -> None:
    """Draw the readings of a file in doubt, three rows of each, with a button that takes it; nothing if none is."""
    if not seen.readings:
        return
    st.text("Which is right? The headings and cells leave it open.")
    for number, reading in enumerate(seen.readings, 1):
        names = [name for name in reading.mapping if name in seen.columns]
        columns = [Column(visible(name), note=reading.mapping[name]) for name in names]
        rows = [Row(cells=row) for row in seen.first.select(names).head(PREVIEW_ROWS).iter_rows()]
        show_table(f"reading {number} {keys[names[0]]}", f"Reading {number}", columns, rows, whole=True, dense=True)
        take = partial(_choices().update, {keys[name]: reading.mapping[name] for name in names})
        st.button(f"Reading {number}", key=f"take {number} {keys[names[0]]}", icon=":material/check:", on_click=take)


def _read_choices(
    source: Source, role: Role, guessed: Preview, known: Mapping[str, str], keys: Mapping[str, str]
) -> Fields:
    """What the boxes say: what a person chose in them, else what is recognised beside that."""
    chosen = {column: str(_choices()[key]) for column, key in keys.items() if key in _choices()}
    usual = _words_of(guessed)
    edits = {column: word for column, word in chosen.items() if word != usual[column]}
    mapping = dict(known) | {column: IGNORE if word == LEFT_OUT else word for column, word in edits.items()}
    mapped = replace(source, mapping=mapping)
    if name_conflicts(usual | edits):
        return Fields(mapped, guessed, usual | edits, _guesses_of(guessed, edits))
    seen = read_preview(mapped, role)
    return Fields(mapped, guessed, _words_of(seen) | edits, _guesses_of(seen, edits))


def _words_of(seen: Preview) -> dict[str, str]:
    return dict.fromkeys(seen.columns, LEFT_OUT) | dict(seen.words) | dict.fromkeys(seen.pipelines, RESPONSE)


def _guesses_of(seen: Preview, edits: Mapping[str, str]) -> dict[str, Guess]:
    return {guess.column: guess for guess in seen.guesses if guess.column not in edits}


def _fold(guessed: Preview) -> tuple[list[str], list[str]]:
    """The columns whose boxes are in sight, and those folded away: of many columns, those surely left out."""
    if len(guessed.columns) <= BOXES_IN_SIGHT:
        return [*guessed.columns], []
    doubtful = {guess.column for guess in guessed.guesses if not guess.certain}
    words = _words_of(guessed)
    in_sight = [name for name in guessed.columns if words[name] != LEFT_OUT or name in doubtful][:BOXES]
    return in_sight, [name for name in guessed.columns if name not in set(in_sight)]


def _draw_boxes(names: Sequence[str], fields: Fields, role: Role, keys: Mapping[str, str]) -> None:
    options = [LEFT_OUT, *role.names]
    places = st.columns(2, gap="small")
    for number, name in enumerate(names):
        with places[number % 2].container(gap=None):
            st.markdown(f"**{plain(visible(name))}**")
            _pick(_speak_name(name), options, fields.words[name], keys[name], hidden=True)
            if name in fields.conflicts:
                st.markdown(f":red[:material/error: {plain(fields.conflicts[name])}]")
            for line in _explain(fields, name):
                st.caption(plain(visible(line)))


def _explain(fields: Fields, name: str) -> Iterator[str]:
    """Why a column is read so, or what a doubtful one may be; then one of its cells."""
    guess = fields.guesses.get(name)
    example = fields.example(name)
    shown = f'Example: "{example}"' if example else "No cell is filled."
    if guess and not guess.certain and fields.words[name] == LEFT_OUT:
        yield f"Is this {guess.word}? {guess.why[:1].upper()}{guess.why[1:]}. If so, pick it."
    elif guess and name != guess.word:
        yield f"{guess.why[:1].upper()}{guess.why[1:]}."
    yield shown


def box_key(key: str, source: Source, columns: Sequence[str], column: str) -> str:
    """The key of a column's box: the same whenever a file with this name and these columns stands there."""
    return f"{key} {source.name} {source.sheet} {crc32(chr(0).join(columns).encode())} {columns.index(column)}"


def _choices() -> dict[str, object]:
    chosen: dict[str, object] = st.session_state.setdefault(CHOICES, {})
    return chosen


def _remember_choice(key: str) -> None:
    _choices()[key] = st.session_state[key]


def _pick(
    label: str,
    options: Sequence[Option],
    shown: Option,
    key: str,
    name_of: Callable[[Option], str] = str,
    *,
    hidden: bool = False,
) -> Option:
    """A select box whose choice is kept while another file stands there: Streamlit forgets a box that is not drawn."""
    if st.session_state.get(key) != shown:
        # Setting the same value again would undo a choice that is on its way.
        st.session_state[key] = shown
    picked: Option = st.selectbox(
        label,
        options,
        key=key,
        format_func=name_of,
        on_change=_remember_choice,
        args=(key,),
        label_visibility="collapsed" if hidden else "visible",
    )
    return picked


def _speak_name(name: str) -> str:
    """A column's name without markdown signs, which a screen reader would read aloud."""
    return _MARKDOWN.sub(" ", visible(name)).strip() or "column"


def _recall_choice(options: Sequence[Option], usual: Option, key: str) -> Option:
    """What a person picked of the options before, else the usual one."""
    chosen = _choices().get(key)
    return next((option for option in options if option == chosen), usual)


def _show_preview(fields: Fields, key: str) -> None:
    """Draw the first rows, columns that are read before those that are left out."""
    first = fields.guessed.first.head(PREVIEW_ROWS)
    names = sorted(first.columns, key=lambda name: fields.words[name] == LEFT_OUT)[:PREVIEW_COLUMNS]
    columns = [Column(visible(name), note=fields.words[name]) for name in names]
    rows = [Row(cells=row) for row in first.select(names).iter_rows()]
    show_table(f"preview {key}", f"First rows of {visible(fields.source.name)}", columns, rows, whole=True, dense=True)
    if len(first.columns) > len(names):
        st.caption(f"{plural(len(first.columns) - len(names), 'more column')}.")


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
                    disabled=not may(home, Deed.UNPROFILE),
                    on_click=remove_profile,
                    args=(home, profile.name, person_said()),
                )


def _in_words(profile: Profile) -> str:
    columns = (f"{theirs} as {ours}" if ours else f"{theirs} {LEFT_OUT}" for theirs, ours in profile.mapping.items())
    pairs = ", ".join(columns)
    by = f" by {profile.saved_by}" if profile.saved_by else ""
    files = "golden datasets" if profile.role == _role(GOLDEN) else "responses"
    return f"{profile.name}: {pairs}. For {files}, saved {day(profile.saved_at)}{by}."


def _role(role: Role) -> str:
    return "golden" if role is GOLDEN else "responses"


def _describe(mapped: Preview, role: Role) -> str:
    rows = plural(mapped.rows, "row")
    if mapped.tool:
        return f"{mapped.tool}, {rows}, as {'golden dataset' if role is GOLDEN else 'responses'}"
    return f"{rows}, {mapped.form} form"


def _pick_sheet(source: Source, role: Role, key: str) -> Source:
    """The source, of a workbook with several sheets the one that the reader picks: at first the one that fits."""
    seen = read_preview(source, role)
    if len(seen.sheets) < 2:
        return source
    key = f"{key} {source.name} sheet"
    return replace(source, sheet=_pick("Sheet", seen.sheets, _recall_choice(seen.sheets, seen.sheet, key), key))


def _pick_profile(role: Role, columns: tuple[str, ...], key: str) -> Profile | None:
    """The saved mapping that the reader picks of those that fit: at first the newest for these very columns."""
    fitting = [profile for profile in kept_profiles(workspace()) if profile.fits(_role(role), columns)]
    if not fitting:
        return None
    usual = next((place for place, profile in enumerate(fitting, 1) if profile.is_for(_role(role), columns)), 0)
    names = [AS_RECOGNISED, *(profile.name for profile in fitting)]
    key, places = f"{key} mapping {hash((columns, *names))}", range(len(names))
    place = _pick("Mapping", places, _recall_choice(places, usual, key), key, names.__getitem__)
    return fitting[place - 1] if place else None


def _offer_to_save(role: Role, columns: tuple[str, ...], mapping: Mapping[str, str], key: str) -> None:
    with st.popover("Save this mapping", icon=":material/bookmark_add:"):
        if not offers(workspace(), Deed.PROFILE, "save a mapping"):
            return
        name = st.text_input("Name of the mapping", key=f"{key}_save_as", placeholder="Vendor export")
        if st.button("Save", key=f"{key}_save", type="primary"):
            try:
                keep_profile(workspace(), name, _role(role), columns, mapping, person_said())
            except QavizError as error:
                show_problems(error)
            else:
                st.rerun()


@keep(PREVIEWS_KEPT, waiting="Reading the file")
def recognise_upload(source: Source) -> sandbox.Recognised:
    """Which tool wrote the file, kept. Raises QavizError if it cannot be read."""
    return sandbox.recognise_file(source)


@keep(PREVIEWS_KEPT, waiting="Reading the file")
def _read(source: Source, is_golden: bool) -> Preview | QavizError:
    """The preview, or why there is none: errors are kept too, as a file may take long to refuse."""
    try:
        return sandbox.preview(source, GOLDEN if is_golden else RESPONSES)
    except QavizError as error:
        return error


def read_preview(source: Source, role: Role) -> Preview:
    """The file's first rows and guesses, kept. Raises QavizError if it cannot be read."""
    read = _read(source, role is GOLDEN)
    if isinstance(read, QavizError):
        raise read
    return read
