"""What FMEval's matching walks into, from a file to the terminal's output and to the pages: beside every such score
stands why it misleads."""

from pathlib import Path

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.exports.table_files import as_written
from qaviz.loading import Source
from qaviz.model.columns import FACT_SCORES, FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT
from qaviz.store.workspace import Workspace
from tests.builders import draft_files, write_jsonl
from tests.screen import drawn, open_page

PIPELINE = "P"
NO_HIT = (None, None)

TRAPS = {
    "empty-variant": (*("totally wrong", "France<OR>", 1.0, 1.0, ("", 1)), ("empty variant", "variant 2 of 2")),
    "percent": (*("Revenue rose 112%", "12%", 1.0, 1.0, ("12%", 15)), ("inside a larger token", "“12%”", "“112%”")),
    "apostrophe": (
        *("Amazon's office", "Amazon’s office", 0.0, 0.0, NO_HIT),
        ("curly apostrophe", "“Amazon’s office”"),
    ),
}
"""Of each question's id: response, fact, the exact and the quasi-exact score, the variant that hits with the character
at which it begins (from 1), and the facts of the warning: its kind, then what it quotes."""

NO_FACT = "no-fact"
"""A question whose fact is empty, which FMEval would score 1 whatever the response."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A golden dataset with a triplet for each trap, and a response that walks into it."""
    folder = tmp_path_factory.mktemp("traps")
    pairs = {name: trap[:2] for name, trap in TRAPS.items()} | {NO_FACT: ("anything", "")}
    golden = (
        {"question_id": name, "question": f"What about {name}?", "answer": "Some other words.", "fact": fact}
        for name, (_, fact) in pairs.items()
    )
    responses = (
        {"question_id": name, "pipeline": PIPELINE, "response": response} for name, (response, _) in pairs.items()
    )
    return write_jsonl(folder / "golden.jsonl", golden), write_jsonl(folder / "responses.jsonl", responses)


@pytest.fixture
def run(files: tuple[Path, Path], served: Workspace) -> None:
    """The app serves a run of the traps."""
    draft_files(Source.of(files[0]), [Source.of(files[1])]).save("traps", served)


def is_warned(warning: str, facts: tuple[str, ...]) -> bool:
    """Whether a warning is of this kind and says these facts."""
    return warning.startswith(f"{facts[0]}: ") and all(fact in warning for fact in facts)


def scored(files: tuple[Path, Path], out: Path) -> pl.DataFrame:
    assert main(["score", *map(str, files), "--out", str(out)]) == 0
    read = {".jsonl": pl.read_ndjson, ".csv": pl.read_csv, ".parquet": pl.read_parquet}[out.suffix]
    return as_written(read(out), out)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_the_terminal_writes_the_warning_beside_the_score(files: tuple[Path, Path], tmp_path: Path, suffix: str):
    """`score` writes FMEval's scores of each trap as they are, which variant hit and where, and the warning; an empty
    fact is not scored, and says so."""
    rows = {row["question_id"]: row for row in scored(files, tmp_path / f"out{suffix}").iter_rows(named=True)}
    for name, (_, _, exact, quasi, (variant, place), facts) in TRAPS.items():
        row = rows[name]
        assert (row[FACTUAL_KNOWLEDGE], row[FACTUAL_KNOWLEDGE_QUASI_EXACT]) == (exact, quasi)
        assert ((row["fact_variant"] or "").strip(), row["fact_start"]) == (variant or "", place and place - 1), name
        (warning,) = [row["warnings"]] if suffix == ".csv" else row["warnings"]
        assert is_warned(warning, facts), name
    assert [rows[NO_FACT][name] for name in FACT_SCORES] == [None, None]
    assert "fact" in rows[NO_FACT]["unscored_fact"]


@pytest.mark.usefixtures("run")
def test_the_question_page_shows_the_warning_beside_the_score():
    """On the Question page the response's card has the warning, and both scores of the fact as FMEval gives them."""
    _, _, exact, quasi, _, facts = TRAPS["percent"]
    (card,) = drawn(open_page("responses?tab=Question", question="percent"), "words")["cards"]
    (warning,) = card["warnings"]
    assert is_warned(warning, facts)
    assert [each["value"] for each in card["sums"]][:2] == [f"{exact:.0f}", f"{quasi:.0f}"]
