"""BERTScore of a run as the terminal and the pages give it, whatever the library gives."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from qaviz import runs
from qaviz.cli import main
from qaviz.model.columns import ANSWER, BERTSCORE, PIPELINE, RESPONSE, UNSCORED_ANSWER
from qaviz.runs import compute_bertscore, with_bertscore
from qaviz.scoring.bertscore import PAIR
from qaviz.scoring.language_models import MODELS_VARIABLE, ROBERTA, LanguageModel, find_model
from qaviz.store.workspace import Workspace
from tests.builders import save_sample
from tests.scoring.tiny_models import write_hollow


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of models and an empty cache."""
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "models"


@pytest.fixture
def model(models: Path) -> LanguageModel:
    """A RoBERTa without weights in the folder of models."""
    write_hollow(models / ROBERTA, {"model_type": "roberta"})
    return find_model()


def lacking_bertscore(rows: pl.DataFrame) -> int:
    """How many of these rows could have a BERTScore and do not yet."""
    could = [pl.col(name).is_not_null() for name in (ANSWER, RESPONSE)]
    return rows.filter(pl.col(BERTSCORE).is_null(), pl.col(UNSCORED_ANSWER).is_null(), *could).height


def bertscore(workspace: Workspace, *arguments: str) -> int:
    return main(["bertscore", "sample", *arguments, "--workspace", str(workspace.folder)])


@pytest.mark.usefixtures("model")
def test_a_part_then_the_whole_in_a_terminal(workspace, sample, tmp_path, capsys, monkeypatch):
    """A pipeline's scores are computed and kept; the whole run then computes the others alone, a copy of it none.
    The run's own rows do not change, and the file has what was printed."""

    def by_length(pairs: pl.DataFrame, _, keep: Callable[[pl.DataFrame], None], *__) -> None:
        keep(pairs.select(PAIR, (1 / pl.col(RESPONSE).str.len_chars()).alias(BERTSCORE)))

    monkeypatch.setattr(runs, "check_library", lambda: None)
    monkeypatch.setattr(runs, "score_pairs", by_length)
    before = workspace.rows(sample)
    assert bertscore(workspace, "--pipeline", "Pipeline1") == 0
    assert "Pipeline1" in capsys.readouterr().out
    part = with_bertscore(workspace, before, find_model())
    assert lacking_bertscore(part) == part.filter(pl.col(PIPELINE) != "Pipeline1").height

    out = tmp_path / "scored.parquet"
    assert bertscore(workspace, "--out", str(out)) == 0
    whole = pl.read_parquet(out)
    assert workspace.rows(sample).equals(before)
    assert whole[BERTSCORE].null_count() == 0
    assert whole.filter(pl.col(PIPELINE) == "Pipeline1")[BERTSCORE].equals(
        part.filter(pl.col(PIPELINE) == "Pipeline1")[BERTSCORE]
    )
    mean = whole.filter(pl.col(PIPELINE) == "Pipeline2")[BERTSCORE].mean()
    assert str(mean) in capsys.readouterr().out
    copy = workspace.rows(save_sample(workspace, name="copy"))
    compute_bertscore(workspace, copy, find_model(), progress=pytest.fail)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "no language model that may be loaded", id="no model"),
        pytest.param(["--model", "roberta-large-mnli"], 'no language model "roberta-large-mnli"', id="unknown model"),
    ],
)
@pytest.mark.usefixtures("sample")
def test_without_a_model_the_terminal_says_what_to_do(workspace, capsys, arguments, said):
    """Exit code 2 and one line that names the variable; nothing is downloaded and nothing changes."""
    assert bertscore(workspace, *arguments) == 2
    told = capsys.readouterr().err
    assert said in told
    assert MODELS_VARIABLE in told
    assert told.count("\n") == 1


@pytest.mark.usefixtures("model", "sample")
def test_unknown_pipelines_are_all_named(workspace, capsys):
    """Every name that the run does not have is said, with one that it has."""
    assert bertscore(workspace, "--pipeline", "P", "--pipeline", "Q") == 2
    told = capsys.readouterr().err
    assert 'pipeline "P"; expected a pipeline of the run, such as Pipeline1' in told
    assert told.count("\n") == 2
