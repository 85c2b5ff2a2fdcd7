"""Mappings that are kept under a name."""

import pytest

from qaviz.store.audit import whole_audit
from qaviz.store.settings import keep_profile, kept_profiles, remove_profile
from qaviz.store.workspace import Workspace

COLUMNS = ("prompt", "gold", "notes")
MAPPING = {"prompt": "question", "gold": "answer", "notes": ""}


def test_a_mapping_is_kept_as_it_was_said(workspace: Workspace):
    """Name, columns in their order, mapping and person come back; the newest profile is first."""
    keep_profile(workspace, "Vendor 東京", COLUMNS, MAPPING, "Ana")
    keep_profile(workspace, "answers", ("q",), {"q": "question"})

    newest, first = kept_profiles(workspace)
    assert (newest.name, newest.saved_by) == ("answers", None)
    assert (first.name, first.columns, first.mapping, first.saved_by) == ("Vendor 東京", COLUMNS, MAPPING, "Ana")


def test_the_same_name_again_replaces_it(workspace: Workspace):
    """A corrected mapping takes the place of the one that had its name, and is the newest."""
    keep_profile(workspace, "a", COLUMNS, MAPPING)
    keep_profile(workspace, "b", COLUMNS, MAPPING)
    keep_profile(workspace, "a", COLUMNS, {"gold": "fact"})

    assert [(each.name, each.mapping) for each in kept_profiles(workspace)] == [("a", {"gold": "fact"}), ("b", MAPPING)]


FITS = {
    "the same columns in another order": (("notes", "gold", "prompt"), True, True),
    "one more": ((*COLUMNS, "more"), True, False),
    "one less": (("prompt", "gold"), False, False),
}


@pytest.mark.parametrize(("columns", "fits", "exactly"), FITS.values(), ids=FITS)
def test_which_files_it_is_for(workspace: Workspace, columns: tuple[str, ...], fits: bool, exactly: bool):
    """A profile fits files with all the columns that it speaks of; it is for files with the very columns it was made
    of, in any order."""
    keep_profile(workspace, "a", COLUMNS, MAPPING)
    (profile,) = kept_profiles(workspace)

    assert (profile.fits(columns), profile.is_for(columns)) == (fits, exactly)


def test_a_deleted_profile_is_gone(workspace: Workspace):
    """Deleting it again changes nothing."""
    keep_profile(workspace, "a", COLUMNS, MAPPING)
    for _ in range(2):
        remove_profile(workspace, "a", "Bo")
    assert kept_profiles(workspace) == []
    assert whole_audit(workspace).select("what", "who").rows() == [("mapping saved", None), ("mapping deleted", "Bo")]
