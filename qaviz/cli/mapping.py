"""`--map THEIR=OUR` and `--profile NAME`: which file each pair, and each saved mapping, speaks of."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from qaviz.cli.opened import open_existing
from qaviz.loading import GOLDEN, RESPONSES, Role, Source, sandbox
from qaviz.model.errors import Problem, QavizError
from qaviz.store.profiles import Profile, find_profile


def add_mapping_arguments(parser: argparse.ArgumentParser) -> None:
    """--map, --profile."""
    parser.add_argument(
        "--map",
        type=_pair,
        action="append",
        default=[],
        metavar="THEIR=OUR",
        help="what a column is here: --map prompt=question; --map notes= leaves it out; may be given again",
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="NAME",
        help="a mapping saved in the workspace, for the files with its columns; may be given again",
    )


def _pair(text: str) -> tuple[str, str]:
    theirs, equals, ours = text.rpartition("=")
    if not (theirs and equals):
        raise argparse.ArgumentTypeError(f'found "{text}", expected THEIR=OUR')
    return theirs, ours


def with_mappings(
    asked: argparse.Namespace, golden: Source, responses: Sequence[Source]
) -> tuple[Source, list[Source]]:
    """The golden dataset's file and those of responses, each with what --profile and --map say of it.

    Without files of responses, what is said of them is said of the golden dataset's file. --map goes first. A profile
    speaks of files with its columns. A pair speaks of a file that has such a column, if our word has a place there; an
    empty word leaves the column out. Raises QavizError for each profile and pair that speaks of no file.
    """
    files = list(responses) or [replace(golden, sheet="")]
    if not (asked.map or asked.profile):
        return golden, list(responses)
    mapped = _add_mappings(asked, [(golden, GOLDEN), *((source, RESPONSES) for source in files)])
    return mapped[0], mapped[1:]


def with_response_mappings(asked: argparse.Namespace, responses: Sequence[Source]) -> list[Source]:
    """The files of responses, each with what --profile and --map say of it, where no golden dataset's was named."""
    return _add_mappings(asked, [(source, RESPONSES) for source in responses])


def _add_mappings(asked: argparse.Namespace, files: Sequence[tuple[Source, Role]]) -> list[Source]:
    pairs = dict(asked.map)
    if not (pairs or asked.profile):
        return [source for source, _ in files]
    columns = [sandbox.preview(source, role).columns for source, role in files]
    roles = [role for _, role in files]
    home = open_existing(asked.workspace) if asked.profile else None
    profiles = [find_profile(home, name) for name in asked.profile] if home else []
    saved = _of_profiles(profiles, columns, roles)
    said = _of_pairs(pairs, columns, roles)
    mappings = [of_profiles | of_pairs for of_profiles, of_pairs in zip(saved, said, strict=True)]
    return [replace(source, mapping=mapping) for (source, _), mapping in zip(files, mappings, strict=True)]


def _of_profiles(
    profiles: Sequence[Profile], columns: Sequence[Sequence[str]], roles: Sequence[Role]
) -> list[dict[str, str]]:
    """For each file what the profiles say of it."""
    found = [
        [profile for profile in profiles if profile.fits("golden" if role is GOLDEN else "responses", present)]
        for role, present in zip(roles, columns, strict=True)
    ]
    idle = [profile for profile in profiles if not any(profile in each for each in found)]
    if idle:
        raise QavizError(*map(_unfit, idle))
    return [{theirs: ours for profile in each for theirs, ours in profile.mapping.items()} for each in found]


def _unfit(profile: Profile) -> Problem:
    return Problem(
        where=f"--profile {profile.name}",
        found="no file with its columns",
        expected=f"{profile.role} with {', '.join(map(repr, profile.mapping))}",
        fix="Remove it, or name the files that it was made for.",
    )


def _of_pairs(
    pairs: Mapping[str, str], columns: Sequence[Sequence[str]], roles: Sequence[Role]
) -> list[dict[str, str]]:
    """For each file what the pairs say of it."""
    spoken = [
        {theirs: ours for theirs, ours in pairs.items() if theirs in present and (not ours or ours in role.names)}
        for present, role in zip(columns, roles, strict=True)
    ]
    unheard = [theirs for theirs in pairs if not any(theirs in each for each in spoken)]
    if unheard:
        known = dict.fromkeys(name for present in columns for name in present)
        raise QavizError(*(_unheard(theirs, pairs[theirs], list(known)) for theirs in unheard))
    return spoken


def _unheard(theirs: str, ours: str, known: Sequence[str]) -> Problem:
    words = dict.fromkeys([*GOLDEN.names, *RESPONSES.names])
    if theirs not in known:
        found, expected = f"no column {theirs!r} in the files", f"one of {', '.join(map(repr, known))}"
    else:
        found, expected = f"the word {ours!r} for a file that has no place for it", f"one of {', '.join(words)}"
    return Problem(where=f"--map {theirs}={ours}", found=found, expected=expected, fix="Correct the mapping.")
