"""The two language models by which FMEval computes BERTScore, in a folder that the user names or in the user's cache.

A model's files are data from elsewhere. Some releases of transformers run code that a config.json names, even where
remote code is forbidden (CVE-2026-4372), and weights in pickle files are code. So a model is loaded only if it is of
its own kind, keeps its weights in safetensors, and says nothing that names code.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from qaviz.model.errors import Problem, QavizError

MODELS_VARIABLE = "QAVIZ_MODELS"
"""The environment variable that names the folder of models: `roberta-large-mnli/`, `microsoft/deberta-xlarge-mnli/`."""

ROBERTA = "roberta-large-mnli"
FMEVAL_MODELS = {
    "microsoft/deberta-xlarge-mnli": ("deberta", "DebertaTokenizer"),
    ROBERTA: ("roberta", "RobertaTokenizer"),
}
"""The models that FMEval takes, its default first: their `model_type` and tokenizer."""

CONFIG, TOKENIZER_CONFIG, WEIGHTS = "config.json", "tokenizer_config.json", "model.safetensors"
FILES = (CONFIG, TOKENIZER_CONFIG, WEIGHTS, "vocab.json", "merges.txt", "special_tokens_map.json", "added_tokens.json")
"""What is read of a model: no pickled weights, no adapter, no code."""

_NAMES_CODE = re.compile(
    rb'"(auto_map|attn_implementation|quantization_config|transformers_weights|trust_remote_code'
    rb'|_(?!name_or_path"|num_labels"|attn_implementation_autoset")[^"]*)":'
)
"""A setting of JSON without blanks, however deep, that can name code or another loader."""


@dataclass(frozen=True, kw_only=True)
class LanguageModel:
    """A folder with a model's config.json; `find_models` returns those that may be loaded."""

    name: str
    """One of FMEVAL_MODELS."""
    folder: Path

    @property
    def key(self) -> str:
        """What its scores are kept under: the name, and a digest of the config and of the weights' size and time."""
        weights = (self.folder / WEIGHTS).stat()
        identity = (self.folder / CONFIG).read_bytes() + f"{weights.st_size} {weights.st_mtime_ns}".encode()
        return f"{self.name} {hashlib.sha256(identity).hexdigest()[:12]}"


def find_models() -> list[LanguageModel]:
    """Return the models that are here and may be loaded, FMEval's default first."""
    return [model for model in _list_models() if not _refuse_model(model)]


def find_model(name: str | None = None) -> LanguageModel:
    """Return the model of this name; without a name, the first of `find_models`. Raises QavizError, saying what to do,
    if there is none or it must not be loaded."""
    present = [model for model in _list_models() if name in (None, model.name)]
    refusals = [_refuse_model(model) for model in present]
    for model, problems in zip(present, refusals, strict=True):
        if not problems:
            return model
    named = f' "{name}"' if name else ""
    missing = Problem(
        where=f"{os.environ.get(MODELS_VARIABLE) or f'{MODELS_VARIABLE} (not set)'} and {_cache()}",
        found=f"no language model{named} that may be loaded",
        expected=f"one of FMEval's ({', '.join(FMEVAL_MODELS)}) with {CONFIG} and {WEIGHTS}",
        fix=f"Save it in a folder of its name in the folder that {MODELS_VARIABLE} names. Nothing is downloaded; "
        "all other scores work without.",
    )
    raise QavizError(missing, *(problem for problems in refusals for problem in problems))


def _cache() -> Path:
    """The user's Hugging Face cache, found as the library finds it."""
    general = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    of_library = os.environ.get("HF_HOME") or Path(general) / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(of_library) / "hub").resolve()


def _list_models() -> Iterator[LanguageModel]:
    """Yield FMEval's models that are here: the folder of models before the cache."""
    for name in FMEVAL_MODELS:
        repository = _cache() / f"models--{name.replace('/', '--')}"
        folders = [Path(os.environ[MODELS_VARIABLE], name)] if os.environ.get(MODELS_VARIABLE) else []
        if (main := repository / "refs" / "main").is_file():
            folders.append(repository / "snapshots" / main.read_text(encoding="utf-8", errors="replace").strip())
        for folder in folders:
            if (folder / CONFIG).is_file():
                yield LanguageModel(name=name, folder=folder.resolve())
                break


def _refuse_model(model: LanguageModel) -> list[Problem]:
    """Return why a model must not be loaded; nothing where it may."""
    try:
        reasons = list(_list_reasons(model))
    except OSError as error:
        reasons = [(f"files that cannot be read ({error.strerror})", "files that you may read")]
    fix = "It is not loaded. Save it again from a source that you trust, with save_pretrained(safe_serialization=True)."
    return [Problem(where=str(model.folder), found=fault, expected=expected, fix=fix) for fault, expected in reasons]


def _list_reasons(model: LanguageModel) -> Iterator[tuple[str, str]]:
    """Yield what was found and what was expected, for everything that is wrong with a model's files."""
    kind, tokenizer = FMEVAL_MODELS[model.name]
    if not (model.folder / WEIGHTS).is_file():
        yield f"no {WEIGHTS}", "weights in safetensors, which cannot hold code"
    expected = {
        CONFIG: ("model_type", (kind,)),
        TOKENIZER_CONFIG: ("tokenizer_class", (tokenizer, f"{tokenizer}Fast", None)),
    }
    for name, (setting, values) in expected.items():
        file = model.folder / name
        try:
            content = orjson.loads(file.read_bytes()) if file.exists() else {}
        except orjson.JSONDecodeError:
            content = None
        if not isinstance(content, dict):
            yield f"a {name} that is no JSON object", "the model's own"
            continue
        if content.get(setting) not in values:
            yield f"the {setting} {content.get(setting)!a}", str(values[0])
        for code in _NAMES_CODE.findall(orjson.dumps(content)):
            yield f"the setting {code.decode()!a} in {name}, which can name code", "none of that kind"
