"""qaviz.runs: what a run was made of, a saved run on another version of its golden dataset, and its BERTScore as the
terminal and the pages give it, whatever the library gives."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from qaviz import __version__
from qaviz.cli import main
from qaviz.diagnosis import READER_VERSION
from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.loading import Source
from qaviz.model.columns import (
    ANSWER,
    BERTSCORE,
    FACT,
    FACTUAL_KNOWLEDGE,
    JUDGE,
    LABEL,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    UNSCORED_ANSWER,
)
from qaviz.model.errors import QavizError
from qaviz.model.records import READER, SourceFile
from qaviz.runs import (
    ImportRequest,
    compute_bertscore,
    import_files,
    import_sample,
    rescore_run,
    save_rescored,
    with_bertscore,
)
from qaviz.scoring import bridge
from qaviz.scoring.language_models import MODELS_VARIABLE, ROBERTA, LanguageModel, find_model
from qaviz.store.golden_versions import line_of, versions
from qaviz.store.labels import GRADES_SCHEMA, keep_grades, keep_labels, kept_grades, kept_labels, known_judges
from qaviz.store.run_records import delete, find_record
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, golden_table, save_sample, write_jsonl
from tests.scoring.tiny_models import write_hollow
from tests.store.kept import keep

VARIANT = edit("cash", FACT, "50.1 billion<OR>50,067 million<OR>50.067 billion<OR>50.07 billion")


def facts(rows: pl.DataFrame) -> dict[str, float]:
    return dict(rows.group_by(PIPELINE).agg(pl.col(FACTUAL_KNOWLEDGE).sum()).iter_rows())


def test_a_run_on_another_version_is_a_run_of_its_own(workspace):
    """The same responses on the new version are saved under a name of their own; the old run stays as it was."""
    run = save_sample(workspace)
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")

    again = save_rescored(run, workspace, version.golden_id, "sample on version 2")

    assert (again.golden_id, again.responses, again.pipelines) == (version.golden_id, run.responses, run.pipelines)
    assert facts(workspace.rows(again)) == {"Pipeline1": 8, "Pipeline2": 5, "Pipeline3": 5}
    assert facts(workspace.rows(run)) == {"Pipeline1": 8, "Pipeline2": 4, "Pipeline3": 5}
    assert workspace.rows(again).equals(rescore_run(run, workspace, version.golden_id), null_equal=True)
    assert line_of(workspace, again.golden_id) == run.golden_id
    assert len(versions(workspace, run.golden_id)) == 2


def test_a_stranger_golden_dataset_is_refused(workspace):
    """A golden dataset without a question of the run cannot judge it: said, and nothing is saved."""
    run = save_sample(workspace)
    golden = golden_table([{"question": "Where?", "fact": "Seattle"}])
    stranger = keep(workspace, "stranger", golden, golden.with_columns(pl.lit("P").alias(PIPELINE)))

    with pytest.raises(QavizError, match='run "sample": found no response to a question'):
        save_rescored(run, workspace, stranger.golden_id, "odd")
    assert {each.name for each in workspace.runs()} == {"sample", "stranger"}


def test_labels_follow_their_responses(workspace):
    """Who labelled a response finds the label, with its name and time, on the run's responses on another version, also
    where the run before is deleted."""
    run = save_sample(workspace)
    pairs = workspace.rows(run).select(QUESTION_ID, PIPELINE).head(3)
    keep_labels(workspace, run, "Ana", pairs.with_columns(pl.lit("correct").alias(LABEL)))
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")

    again = save_rescored(run, workspace, version.golden_id, "sample on version 2")

    labels = kept_labels(workspace, run)
    delete(workspace, run.run_id, "Ana")
    assert kept_labels(workspace, again).equals(labels)


@pytest.mark.parametrize("labelled", ["first", "second"])
def test_a_label_counts_in_every_run_that_has_the_response(workspace, labelled: str):
    """A label given after both runs were saved, in the older or in the newer one, counts in the other where question,
    pipeline and response are the same, and nowhere else; a later one in the other run replaces it."""
    run = save_sample(workspace)
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")
    runs = {"first": run, "second": save_rescored(run, workspace, version.golden_id, "sample on version 2")}
    given, other = runs.pop(labelled), *runs.values()
    pairs = workspace.rows(run).select(QUESTION_ID, PIPELINE).head(3)

    keep_labels(workspace, given, "Ana", pairs.with_columns(pl.lit("correct").alias(LABEL)))
    assert kept_labels(workspace, other).equals(kept_labels(workspace, given))
    keep_labels(workspace, other, "Ana", pairs.head(1).with_columns(pl.lit("incorrect").alias(LABEL)))
    assert kept_labels(workspace, given)[LABEL].to_list() == ["correct", "correct", "incorrect"]


@pytest.mark.parametrize("graded", ["first", "second"])
def test_a_grade_counts_in_every_run_that_has_the_response(workspace, graded: str):
    """A judge's grade given in the older or the newer run stands beside the same response in the other, and nowhere
    else: not beside another text, not under another judge; a grade of the run's own goes before."""
    run = save_sample(workspace)
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")
    runs = {"first": run, "second": save_rescored(run, workspace, version.golden_id, "sample on version 2")}
    given, other = runs.pop(graded), *runs.values()
    pairs = workspace.rows(run).select(QUESTION_ID, PIPELINE).head(3)
    nothing = [pl.lit(None, kind).alias(name) for name, kind in GRADES_SCHEMA.items() if name not in pairs.columns]
    grades = pairs.with_columns(nothing).with_columns(pl.lit("correct").alias(JUDGE)).select(GRADES_SCHEMA.names())

    keep_grades(workspace, given, "key", "openai:x", {}, grades)
    assert kept_grades(workspace, other, "key").equals(kept_grades(workspace, given, "key"))
    assert [(judge.key, judge.responses) for judge in known_judges(workspace, other)] == [("key", 3)]
    assert kept_grades(workspace, other, "another").is_empty()
    changed = grades.head(1).with_columns(pl.lit("incorrect").alias(JUDGE))
    keep_grades(workspace, other, "key", "openai:x", {}, changed)
    assert kept_grades(workspace, other, "key")[JUDGE].to_list().count("incorrect") == 1
    assert kept_grades(workspace, given, "key")[JUDGE].to_list() == ["correct"] * 3


def test_labels_follow_to_a_run_with_the_same_response(workspace):
    """A new run has the labels of the responses that it shares, none of those that differ; where a pipeline answers
    anew, labels that came in one file are no random sample of it any more."""
    golden = golden_table([{"question": "Where?", "fact": "Seattle"}, {"question": "Who?", "fact": "Ana"}])
    given = [pl.Series(RESPONSE, said) for said in (["in Seattle", "Ana", "no"], ["in Seattle", "Ana", "Bo"])]
    golden = pl.concat(
        [golden, golden.tail(1).with_columns(pl.lit("q3").alias(QUESTION_ID), pl.lit("When?").alias(QUESTION))]
    )
    before, after = (golden.with_columns(pl.lit("P").alias(PIPELINE), said) for said in given)
    first = keep(workspace, "first", golden, before)
    pairs = golden.select(QUESTION_ID, pl.lit("P").alias(PIPELINE), pl.lit("correct").alias(LABEL))
    keep_labels(workspace, first, "Ana", pairs)

    carried = kept_labels(workspace, keep(workspace, "second", golden, after))

    assert carried[QUESTION_ID].to_list() == golden[QUESTION_ID].to_list()[:2]
    assert carried["drawn"].to_list() == [False, False]
    assert kept_labels(workspace, first)["drawn"].null_count() == 3


VERSIONS = {"qaviz": __version__, "polars": pl.__version__, "FMEval's definitions": "1.2.3", READER: READER_VERSION}


def fingerprint_of(file: Path) -> SourceFile:
    data = file.read_bytes()
    return SourceFile(name=file.name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))


def test_a_run_knows_its_files_mapping_and_versions(workspace: Workspace, tmp_path: Path):
    """Kept with a run are the SHA-256 and size of each file, what a person said of its columns, and who computed it."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [{"prompt": "Where?", "answer": "Here", "fact": "Here"}])
    responses = write_jsonl(tmp_path / "r.jsonl", [{"question": "Where?", "pipeline": "A", "response": "Here."}])
    sources = [Source.of(golden), Source("r.jsonl", responses.read_bytes())]
    mapping = {"prompt": "question"}
    run = import_files(
        ImportRequest(name="June", golden=replace(sources[0], mapping=mapping), responses=(sources[1],), by="Ana"),
        workspace,
    )

    record = find_record(workspace, run.run_id)
    assert record.owner == "Ana"
    assert record.provenance is not None
    assert record.provenance.files == (fingerprint_of(golden), fingerprint_of(responses))
    assert record.provenance.mappings == {"golden.jsonl": {"prompt": "question"}}
    assert (record.provenance.versions, record.provenance.rescored_from) == (VERSIONS, None)


def test_a_run_scored_again_has_the_same_files_and_says_of_which_run(workspace: Workspace):
    """A run that has another's responses names it, and the files that those came from; a run whose files nobody
    recorded gives none."""
    run = import_sample(SAMPLE, workspace)
    again = save_rescored(run, workspace, run.golden_id, "again", by="Bo")

    before, after = (find_record(workspace, each.run_id) for each in (run, again))
    assert before.provenance is not None
    assert after.provenance is not None
    assert after.provenance.files == before.provenance.files != ()
    assert (after.owner, after.provenance.rescored_from) == ("Bo", run.run_id)


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
        keep(pairs.select(bridge.PAIR, (1 / pl.col(RESPONSE).str.len_chars()).alias(BERTSCORE)))

    monkeypatch.setattr(bridge, "check_library", lambda: None)
    monkeypatch.setattr(bridge, "score_pairs", by_length)
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
