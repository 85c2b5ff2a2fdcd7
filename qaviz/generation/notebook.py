"""`qaviz.generate`: the same as the command, for notebooks and scripts."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from qaviz.generation.pipeline import (
    Generated,
    generate_triplets,
    journal_of,
    keep_dataset,
    payable,
    read_collection,
    read_mended,
)
from qaviz.generation.settings import check_generation, read_generation
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.model.records import Progress
from qaviz.store import Workspace, checked_dataset_name


def generate(
    paths: str | Path | Sequence[str | Path],
    *,
    model: str,
    cap: str | None = None,
    review: float | None = None,
    config: Path | None = None,
    workspace: Workspace | None = None,
    dataset: str | None = None,
    replay: Path | None = None,
    by: str = "notebook",
    progress: Progress | None = None,
) -> Generated:
    """Make triplets from documents, each proved in its passage; with a workspace and a name they are kept there.

    `paths` are files, folders, patterns and `s3://bucket/folder`; `model`, `cap` and `config` as in docs/generation.md.
    Of what is returned `golden` has the accepted triplets, `produced` all of them with their reasons, `passages` where
    each comes from (polars tables), and `counts` the numbers. Without a workspace replies are not kept. Raises
    QavizError if no document can be read, or the model cannot be asked.
    """
    made = read_generation(config)
    if review is not None:
        made = replace(made, review=review)
    check_generation(made, "generate")
    named = checked_dataset_name(dataset) if dataset is not None else ""
    addresses = [paths] if isinstance(paths, str | Path) else paths
    collection = read_collection([str(each) for each in addresses], made, progress or _silent)
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        kept = workspace is not None and bool(named)
        journal = journal_of(workspace, named) if workspace and kept else Path(folder) / "journal.jsonl"
        journal.parent.mkdir(parents=True, exist_ok=True)
        settings = Settings(model=model, journal=journal, caps=parse_caps([cap] if cap else []), replay=replay)
        with open_session(payable(settings)[0]) as session:
            mended = read_mended(workspace, named) if workspace and kept else {}
            generated = generate_triplets(session, collection, made, model, mended=mended, progress=progress)
    if workspace and kept:
        keep_dataset(workspace, named, generated, by)
    return generated


def _silent(_fraction: float, _words: str) -> None:
    """Say nothing."""
