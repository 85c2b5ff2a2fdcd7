"""The language models that BERTScore may load: from a folder that the user names, or from the user's own cache.

A model's files are data from elsewhere. Some releases of transformers run code that a config.json names, even where
remote code is forbidden, and weights in pickle files are code. So a model is loaded only if it lies in one of the two
places, is of a kind named below, keeps its weights in safetensors, and says nothing that names code.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from qaviz.model.errors import Problem, QavizError

MODELS_VARIABLE = "QAVIZ_MODELS"
"""The environment variable that names the folder of models: each in a folder of its own, or one model."""

FMEVAL_MODELS = ("microsoft/deberta-xlarge-mnli", "roberta-large-mnli")
"""The models that FMEval takes, its default first."""

CONFIG = "config.json"
TOKENIZER_CONFIG = "tokenizer_config.json"
WEIGHTS = "model.safetensors"
ADAPTER = "adapter_config.json"

TOKENIZERS = {
    "bert": "BertTokenizer",
    "deberta": "DebertaTokenizer",
    "deberta-v2": "DebertaV2Tokenizer",
    "electra": "ElectraTokenizer",
    "mpnet": "MPNetTokenizer",
    "roberta": "RobertaTokenizer",
    "xlm-roberta": "XLMRobertaTokenizer",
}
"""The kinds of model that are loaded (`model_type`), each with its own tokenizer."""

LARGEST_CONFIG = 1_000_000
"""Bytes of a JSON file that describes a model; real ones have some thousand."""

_NAMES_CODE = frozenset(
    {"attn_implementation", "auto_map", "quantization_config", "transformers_weights", "trust_remote_code"}
)
_PRIVATE_BUT_INERT = frozenset({"_name_or_path", "_num_labels", "_attn_implementation_autoset"})
_DEPTH = 3
"""Of the folder of models: `roberta-large-mnli/` or `microsoft/deberta-xlarge-mnli/`."""


@dataclass(frozen=True, kw_only=True)
class LanguageModel:
    """A folder with a model's config.json; `find_models` returns those that may be loaded."""

    name: str
    """As the folder of models or the cache has it: `microsoft/deberta-xlarge-mnli`."""
    folder: Path
    place: Path
    """The folder of models, or the cache: none of the model's files may lie elsewhere."""

    @property
    def key(self) -> str:
        """What its scores are kept under: the name, and a digest of the config and of the weights' size and time."""
        weights = (self.folder / WEIGHTS).stat()
        identity = (self.folder / CONFIG).read_bytes() + f"{weights.st_size} {weights.st_mtime_ns}".encode()
        return f"{self.name} {hashlib.sha256(identity).hexdigest()[:12]}"


def find_models() -> list[LanguageModel]:
    """The models that may be loaded, those that FMEval takes first."""
    models = [model for model in _list_models() if not _refusals(model)]
    return sorted(models, key=lambda model: (_preference(model.name), model.name))


def find_model(name: str | None = None) -> LanguageModel:
    """The model with this name or in this folder; without a name, the first of `find_models`.

    Raises QavizError, saying what to do, if there is none or it must not be loaded.
    """
    installed = list(_list_models())
    if name is None:
        models = find_models()
        if not models:
            raise QavizError(
                _none(), *(problem for model in installed for problem in _refusals(model) if _is_meant(model))
            )
        return models[0]
    for model in installed:
        if name == model.name or Path(name).resolve() == model.folder:
            if problems := _refusals(model):
                raise QavizError(*problems)
            return model
    raise QavizError(_unknown_model(name))


def _preference(name: str) -> int:
    return FMEVAL_MODELS.index(name) if name in FMEVAL_MODELS else len(FMEVAL_MODELS)


def _is_meant(model: LanguageModel) -> bool:
    """Whether the user will wonder why it is not loaded: a cache holds many models for other purposes."""
    return model.name in FMEVAL_MODELS or model.place != _cache()


def _none() -> Problem:
    return Problem(
        where=_places(),
        found="no language model that may be loaded",
        expected=f"a model with {CONFIG} and {WEIGHTS}, such as FMEval's {FMEVAL_MODELS[0]}",
        fix=f"Save one there, or set {MODELS_VARIABLE} to the folder that holds one. Nothing is downloaded; "
        "all other scores work without.",
    )


def _unknown_model(name: str) -> Problem:
    names = ", ".join(model.name for model in find_models())
    return Problem(
        where=_places(),
        found=f'no language model "{name}"',
        expected=f"one of these: {names}" if names else f"a model with {CONFIG} and {WEIGHTS}, and there is none",
        fix=f"Check the name, or save the model there. {MODELS_VARIABLE} names the folder of models.",
    )


def _places() -> str:
    named = _named_folder()
    return f"{named or f'{MODELS_VARIABLE} (not set)'} and {_cache()}"


def _named_folder() -> Path | None:
    named = os.environ.get(MODELS_VARIABLE)
    return Path(named).resolve() if named else None


def _cache() -> Path:
    """The user's Hugging Face cache, found as the library finds it."""
    general = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    of_library = os.environ.get("HF_HOME") or Path(general) / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(of_library) / "hub").resolve()


def _list_models() -> Iterator[LanguageModel]:
    if (named := _named_folder()) and named.is_dir():
        patterns = ["/".join(["*"] * depth + [CONFIG]) for depth in range(_DEPTH)]
        for config in sorted(file for pattern in patterns for file in named.glob(pattern)):
            name = config.parent.relative_to(named).as_posix()
            yield LanguageModel(name=named.name if name == "." else name, folder=config.parent.resolve(), place=named)
    for main in sorted(_cache().glob("models--*/refs/main")):
        repository = main.parents[1]
        folder = repository / "snapshots" / main.read_text(encoding="utf-8", errors="replace").strip()
        if (folder / CONFIG).is_file():
            name = repository.name.removeprefix("models--").replace("--", "/")
            yield LanguageModel(name=name, folder=folder.resolve(), place=_cache())


def _refusals(model: LanguageModel) -> list[Problem]:
    """Why a model must not be loaded; empty where it may."""
    try:
        return [_refuse_model(model, *reason) for reason in _reasons(model)]
    except OSError as error:
        return [_refuse_model(model, f"files that cannot be read ({error.strerror})", "files that you may read")]


def _reasons(model: LanguageModel) -> Iterator[tuple[str, str]]:
    """What was found and what was expected, for everything that is wrong with a model's files."""
    outside = [file.name for file in model.folder.iterdir() if not _lies_in(file, model.place)]
    if outside or not _lies_in(model.folder, model.place):
        yield f"files that lie elsewhere ({', '.join(outside) or 'all'})", "all its files there"
        return
    if not (model.folder / WEIGHTS).is_file():
        yield f"no {WEIGHTS}", "weights in safetensors, which cannot hold code"
    if (model.folder / ADAPTER).exists():
        yield ADAPTER, "a whole model, not an adapter to another one"
    config, tokenizer = (_read(model.folder / name) for name in (CONFIG, TOKENIZER_CONFIG))
    if config is None or tokenizer is None:
        unread = CONFIG if config is None else TOKENIZER_CONFIG
        yield f"a {unread} that is no JSON object or is too large", "the model's own"
        return
    yield from _suspicions(config, tokenizer)


def _lies_in(file: Path, place: Path) -> bool:
    # Not Path.resolve, which raises where links lead in a circle.
    return Path(os.path.realpath(file)).is_relative_to(place)


def _refuse_model(model: LanguageModel, what: str, expected: str) -> Problem:
    return Problem(
        where=str(model.folder),
        found=what,
        expected=expected,
        fix="It is not loaded. Choose another model, or save this one again from a source that you trust, "
        "with save_pretrained(safe_serialization=True).",
    )


def _read(file: Path) -> dict[str, object] | None:
    """What a JSON file says, empty where there is none; None if it is no JSON object."""
    if not file.exists():
        return {}
    if not file.is_file() or file.stat().st_size > LARGEST_CONFIG:
        return None
    try:
        content = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError:
        return None
    return content if isinstance(content, dict) else None


def _suspicions(config: dict[str, object], tokenizer: dict[str, object]) -> Iterator[tuple[str, str]]:
    """What was found and what was expected, for everything in the two files that may name code."""
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in TOKENIZERS:
        yield f"the model_type {kind!a}", f"one of these: {', '.join(TOKENIZERS)}"
        return
    named = tokenizer.get("tokenizer_class", TOKENIZERS[kind])
    if named not in (TOKENIZERS[kind], f"{TOKENIZERS[kind]}Fast"):
        yield f"the tokenizer_class {named!a}", TOKENIZERS[kind]
    layers = config.get("num_hidden_layers")
    if not isinstance(layers, int) or layers < 1:
        yield f"{layers!a} as num_hidden_layers", "the number of its layers"
    for name in sorted(set(_keys(config)) | set(_keys(tokenizer))):
        if name in _NAMES_CODE or (name.startswith("_") and name not in _PRIVATE_BUT_INERT):
            yield f"the setting {name!a}, which can name code", "none of that kind"


def _keys(content: dict[str, object]) -> Iterator[str]:
    """The keys of a JSON object and of all objects in it, however deep."""
    coming: list[object] = [content]
    while coming:
        value = coming.pop()
        if isinstance(value, dict):
            yield from value
            coming.extend(value.values())
        elif isinstance(value, list):
            coming.extend(value)
