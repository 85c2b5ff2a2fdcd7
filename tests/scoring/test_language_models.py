"""Which language models may be loaded, and what is said of the others."""

import json
import os
from pathlib import Path

import pytest

from qaviz.model.errors import QavizError
from qaviz.scoring.language_models import LARGEST_CONFIG, MODELS_VARIABLE, TOKENIZERS, find_model, find_models
from tests.scoring.tiny_models import write_hollow

BERT = {"model_type": "bert", "num_hidden_layers": 4}


def nested(depth: int, inmost: object) -> object:
    """Lists in lists around a value."""
    for _ in range(depth):
        inmost = [inmost]
    return inmost


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
    blobs = write_hollow(repository / "blobs", BERT)
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


def test_models_of_the_folder_and_of_the_cache_are_found(folder, tmp_path):
    """Models are named by their place in the folder or by their name in the cache, FMEval's default first."""
    write_hollow(folder / "a", BERT)
    write_hollow(folder / "team" / "b", BERT)
    snapshot = save_in_cache(cache(tmp_path), "microsoft/deberta-xlarge-mnli")
    found = {model.name: model.folder for model in find_models()}
    assert list(found) == ["microsoft/deberta-xlarge-mnli", "a", "team/b"]
    assert found["team/b"] == folder / "team" / "b"
    assert found["microsoft/deberta-xlarge-mnli"] == snapshot
    assert find_model().name == "microsoft/deberta-xlarge-mnli"
    assert find_model("a") == find_model(str(folder / "a"))


def test_the_folder_may_be_a_model_itself(folder):
    """Where the variable names a model's own folder, that model is found under the folder's name."""
    write_hollow(folder, BERT)
    assert [model.name for model in find_models()] == ["models"]


def test_without_a_model_it_is_said_what_to_do(folder, tmp_path):
    """Where there is none, the message names both places, the variable and the file that is wanted."""
    with pytest.raises(QavizError) as raised:
        find_model()
    for words in (
        str(folder),
        str(cache(tmp_path)),
        MODELS_VARIABLE,
        "model.safetensors",
        "Nothing is downloaded",
    ):
        assert words in str(raised.value)


def test_a_refused_model_is_named_with_the_reason(folder, tmp_path):
    """Where the only models are refused, each that was meant is told with its reason; others of a cache are not."""
    (write_hollow(folder / "pickled", BERT) / "model.safetensors").rename(folder / "pickled" / "pytorch_model.bin")
    (save_in_cache(cache(tmp_path), "else/where") / "model.safetensors").unlink()
    with pytest.raises(QavizError) as raised:
        find_model()
    said = [problem.where for problem in raised.value.problems]
    assert said[1:] == [str(folder / "pickled")]


def test_a_model_elsewhere_is_unknown(folder, tmp_path):
    """A path outside the two places is no model, even if a sound one lies there; the known ones are named."""
    write_hollow(folder / "a", BERT)
    elsewhere = write_hollow(tmp_path / "elsewhere", BERT)
    for name in (str(elsewhere), "../elsewhere", "models/../../elsewhere"):
        assert "expected one of these: a" in refusal(name)


@pytest.mark.parametrize(
    ("config", "tokenizer", "words"),
    [
        pytest.param(BERT | {"auto_map": {"AutoModel": "x.Y"}}, {}, "'auto_map'", id="code of the model"),
        pytest.param(BERT | {"_attn_implementation_internal": "evil/kernel"}, {}, "internal'", id="code of a kernel"),
        pytest.param(BERT | {"attn_implementation": "evil/kernel"}, {}, "'attn_implementation'", id="kernel, plainly"),
        pytest.param(BERT | {"trust_remote_code": True}, {}, "'trust_remote_code'", id="trust"),
        pytest.param(BERT | {"deep": [{"auto_map": {}}]}, {}, "'auto_map'", id="deep inside"),
        pytest.param(BERT | {"deep": nested(900, {"auto_map": {}})}, {}, "'auto_map'", id="very deep inside"),
        pytest.param(BERT | {"transformers_weights": "x.bin"}, {}, "'transformers_weights'", id="other weights"),
        pytest.param(BERT | {"quantization_config": {}}, {}, "'quantization_config'", id="other loaders"),
        pytest.param(BERT, {"auto_map": {"AutoTokenizer": ["x.Y", None]}}, "'auto_map'", id="code of the tokenizer"),
        pytest.param(BERT, {"tokenizer_class": "TransfoXLTokenizer"}, "TransfoXLTokenizer", id="other tokenizer"),
        pytest.param({"num_hidden_layers": 4}, {}, "model_type None", id="no kind"),
        pytest.param(BERT | {"model_type": "lightglue"}, {}, "'lightglue'", id="unknown kind"),
        pytest.param(BERT | {"model_type": ["bert"]}, {}, "['bert']", id="kind that is no text"),
        pytest.param(BERT | {"num_hidden_layers": "4"}, {}, "'4' as num_hidden_layers", id="layers that are no number"),
    ],
)
def test_what_may_run_code_is_refused(folder, config, tokenizer, words):
    """A description that can name code, another loader, or another kind of model keeps the model from being loaded."""
    write_hollow(folder / "model", config, tokenizer)
    assert words in refusal("model")
    assert find_models() == []


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_what_transformers_writes_is_taken(folder, kind):
    """What transformers itself leaves in a description does no harm, for every kind and both its tokenizers."""
    written = {"_name_or_path": "a/b", "_attn_implementation_autoset": True, "id2label": {"0": "no", "1": "yes"}}
    write_hollow(folder / "slow", BERT | written | {"model_type": kind}, {"tokenizer_class": TOKENIZERS[kind]})
    write_hollow(folder / "fast", BERT | {"model_type": kind}, {"tokenizer_class": f"{TOKENIZERS[kind]}Fast"})
    assert [model.name for model in find_models()] == ["fast", "slow"]


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
@pytest.mark.parametrize(
    "content",
    [b"", b"[1]", b"\xff\xfe", b'{"a": ' * 100_000, b" " * (LARGEST_CONFIG + 1)],
    ids=["empty", "a list", "no text", "nested", "large"],
)
def test_a_description_that_is_none_is_refused(folder, file, content):
    """A broken, hostile or oversized description is a message that names the file."""
    (write_hollow(folder / "model", BERT) / file).write_bytes(content)
    assert f"a {file} that is no JSON object or is too large" in refusal("model")


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt"])
def test_files_that_lie_elsewhere_are_refused(folder, tmp_path, name):
    """A link that leads out of the allowed place keeps the model from being loaded, whichever file it stands for."""
    write_hollow(folder / "model", BERT)
    outside = tmp_path / "outside"
    outside.write_text(json.dumps(BERT), encoding="utf-8")
    (folder / "model" / name).unlink(missing_ok=True)
    (folder / "model" / name).symlink_to(outside)
    assert f"files that lie elsewhere ({name})" in refusal("model")


def test_a_folder_that_lies_elsewhere_is_refused(folder, tmp_path):
    """Neither a link to a folder outside nor a cache entry that points out of the cache is loaded."""
    (folder / "linked").symlink_to(write_hollow(tmp_path / "outside", BERT))
    save_in_cache(cache(tmp_path), "a/b")
    (cache(tmp_path) / "models--a--b" / "refs" / "main").write_text("../../../outside", encoding="utf-8")
    assert find_models() == []
    assert "lie elsewhere" in refusal("linked")
    assert "lie elsewhere" in refusal("a/b")


def test_links_in_a_circle_are_no_crash(folder):
    """A link to itself among a model's files does no harm; in the place of the weights the model is refused."""
    write_hollow(folder / "model", BERT)
    (folder / "model" / "notes").symlink_to("notes")
    assert [model.name for model in find_models()] == ["model"]
    (folder / "model" / "model.safetensors").unlink()
    (folder / "model" / "model.safetensors").symlink_to("model.safetensors")
    assert "no model.safetensors" in refusal("model")


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may read every file")
def test_files_that_may_not_be_read_are_a_message(folder):
    """A model of somebody else, whose files are locked, is refused with the reason; it stops nothing else."""
    (write_hollow(folder / "model", BERT) / "config.json").chmod(0)
    assert find_models() == []
    assert "files that cannot be read (Permission denied)" in refusal("model")


def test_an_adapter_is_refused(folder):
    """An adapter names another model to load, so it is not loaded."""
    (write_hollow(folder / "model", BERT) / "adapter_config.json").write_text("{}", encoding="utf-8")
    assert "adapter_config.json" in refusal("model")


def test_changed_weights_are_another_model(folder):
    """Scores are kept apart when the weights or the config change, and stay known when nothing does."""
    write_hollow(folder / "model", BERT)
    first = find_model("model").key
    assert find_model("model").key == first
    (folder / "model" / "model.safetensors").write_bytes(b"more")
    second = find_model("model").key
    (folder / "model" / "config.json").write_text(json.dumps(BERT | {"num_hidden_layers": 5}), encoding="utf-8")
    assert len({first, second, find_model("model").key}) == 3
