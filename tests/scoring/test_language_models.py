"""Which language models may be loaded, and what is said of the others."""

import json
from pathlib import Path

import pytest

from qaviz.model.errors import QavizError
from qaviz.scoring.language_models import FMEVAL_MODELS, MODELS_VARIABLE, ROBERTA, find_model, find_models
from tests.cases import read_cases
from tests.scoring.tiny_models import DEBERTA, write_hollow

CONFIG = {"model_type": "roberta", "num_hidden_layers": 19}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of models, and a Hugging Face cache beside it; both empty."""
    models = tmp_path / "models"
    models.mkdir()
    monkeypatch.setenv(MODELS_VARIABLE, str(models))
    monkeypatch.setenv("HF_HUB_CACHE", str(cache(tmp_path)))
    return models


def cache(home: Path) -> Path:
    return home / "hub"


def save_in_cache(hub: Path, name: str, revision: str = "0123abcd") -> Path:
    """A model as the Hugging Face cache has it: blobs, and a snapshot of links to them."""
    repository = hub / f"models--{name.replace('/', '--')}"
    blobs = write_hollow(repository / "blobs", CONFIG | {"model_type": FMEVAL_MODELS[name][0]})
    snapshot = repository / "snapshots" / revision
    snapshot.mkdir(parents=True)
    for blob in blobs.iterdir():
        (snapshot / blob.name).symlink_to(Path("../../blobs") / blob.name)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(revision, encoding="utf-8")
    return snapshot


def refusal(name: str) -> str:
    with pytest.raises(QavizError) as raised:
        find_model(name)
    return str(raised.value)


def test_fmevals_models_are_found(folder, tmp_path):
    """Both are found by name in the cache and in the folder of models, which comes first; FMEval's default leads.
    No other model is."""
    write_hollow(folder / "another", CONFIG)
    snapshots = [save_in_cache(cache(tmp_path), name) for name in FMEVAL_MODELS]
    assert [model.folder for model in find_models()] == snapshots
    write_hollow(folder / ROBERTA, CONFIG)
    assert {model.name: model.folder for model in find_models()} == {DEBERTA: snapshots[0], ROBERTA: folder / ROBERTA}
    assert find_model().name == DEBERTA
    assert find_model(ROBERTA).folder == folder / ROBERTA
    assert f'"another" that may be loaded; expected one of FMEval\'s ({DEBERTA}, {ROBERTA})' in refusal("another")


def test_without_a_model_it_is_said_what_to_do(folder, tmp_path):
    """Where there is none, the message names both places, the variable and the file that is wanted."""
    with pytest.raises(QavizError) as raised:
        find_model()
    for words in (str(folder), str(cache(tmp_path)), MODELS_VARIABLE, "model.safetensors", "Nothing is downloaded"):
        assert words in str(raised.value)


def test_a_refused_model_is_named_with_the_reason(folder):
    """Weights in a pickle file alone keep a model from being loaded, and the message says so."""
    (write_hollow(folder / ROBERTA, CONFIG) / "model.safetensors").rename(folder / ROBERTA / "pytorch_model.bin")
    with pytest.raises(QavizError) as raised:
        find_model()
    assert [problem.where for problem in raised.value.problems[1:]] == [str(folder / ROBERTA)]
    assert "no model.safetensors; expected weights in safetensors" in str(raised.value)


@pytest.mark.parametrize(("why", "config", "tokenizer", "words"), read_cases(__file__, "refused_models"))
def test_what_may_run_code_is_refused(folder, why, config, tokenizer, words):
    """A description that can name code, another loader, or another kind of model keeps the model from being loaded."""
    write_hollow(folder / ROBERTA, CONFIG | config, tokenizer)
    assert words in refusal(ROBERTA), why
    assert find_models() == []


@pytest.mark.parametrize("name", FMEVAL_MODELS)
def test_what_transformers_writes_is_taken(folder, name):
    """What transformers itself leaves in a description does no harm, for both models and both their tokenizers."""
    kind, tokenizer = FMEVAL_MODELS[name]
    written = {"_name_or_path": "a/b", "_attn_implementation_autoset": True, "id2label": {"0": "no", "1": "yes"}}
    for tokenizer_class in (tokenizer, f"{tokenizer}Fast"):
        write_hollow(folder / name, CONFIG | written | {"model_type": kind}, {"tokenizer_class": tokenizer_class})
        assert [model.name for model in find_models()] == [name]


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
@pytest.mark.parametrize(
    "content", [b"", b"[1]", b"\xff\xfe", b'{"a": ' * 100_000], ids=["empty", "a list", "no text", "nested"]
)
def test_a_description_that_is_none_is_refused(folder, file, content):
    """A broken or hostile description is a message that names the file."""
    (write_hollow(folder / ROBERTA, CONFIG) / file).write_bytes(content)
    assert f"a {file} that is no JSON object" in refusal(ROBERTA)


def test_changed_weights_are_another_model(folder):
    """Scores are kept apart when the weights or the config change, and stay known when nothing does."""
    home = write_hollow(folder / ROBERTA, CONFIG)
    first = find_model(ROBERTA).key
    assert find_model(ROBERTA).key == first
    (home / "model.safetensors").write_bytes(b"more")
    second = find_model(ROBERTA).key
    (home / "config.json").write_text(json.dumps(CONFIG | {"num_hidden_layers": 5}), encoding="utf-8")
    assert len({first, second, find_model(ROBERTA).key}) == 3
