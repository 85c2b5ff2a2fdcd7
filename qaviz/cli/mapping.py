"""`--map THEIR=OUR`: which file each pair speaks of."""

from collections.abc import Mapping, Sequence

from qaviz.loading import GOLDEN, RESPONSES, Source, apart
from qaviz.model import Problem, QavizError


def mappings(
    pairs: Mapping[str, str], golden: Source, responses: Sequence[Source]
) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The pairs that speak of the golden dataset's file, and those that speak of each file of responses.

    A pair speaks of a file that has such a column, if our word has a place there; an empty word leaves the column out.
    Raises QavizError for each pair that speaks of no file.
    """
    roles = [(golden, GOLDEN), *((source, RESPONSES) for source in responses or [golden])]
    columns = [apart.preview(source, role).columns if pairs else () for source, role in roles]
    spoken = [
        {theirs: ours for theirs, ours in pairs.items() if theirs in present and (not ours or ours in role.names)}
        for present, (_, role) in zip(columns, roles, strict=True)
    ]
    unheard = [theirs for theirs in pairs if not any(theirs in each for each in spoken)]
    if unheard:
        known = dict.fromkeys(name for present in columns for name in present)
        raise QavizError(*(_unheard(theirs, pairs[theirs], list(known)) for theirs in unheard))
    return spoken[0], spoken[1:]


def _unheard(theirs: str, ours: str, known: Sequence[str]) -> Problem:
    words = dict.fromkeys([*GOLDEN.names, *RESPONSES.names])
    if theirs not in known:
        found, expected = f"no column {theirs!r} in the files", f"one of {', '.join(map(repr, known))}"
    else:
        found, expected = f"the word {ours!r} for a file that has no place for it", f"one of {', '.join(words)}"
    return Problem(where=f"--map {theirs}={ours}", found=found, expected=expected, fix="Correct the mapping.")
