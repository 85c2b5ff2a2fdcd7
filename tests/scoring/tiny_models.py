"""Language models of some thousand weights, written to disk as real ones are."""

import json
import string
from pathlib import Path
from typing import Any

WORDS = ("the", "net", "sales", "were", "billion", "dollars", "amazon", "office", "is", "in", "seattle", "rose", "fell")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

LAYERS = 4
POSITIONS = 32
"""The longest text that the model reads, in tokens."""


_SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 2,
    "intermediate_size": 64,
}

_OF_DEBERTA = {
    "relative_attention": True,
    "pos_att_type": ["c2p", "p2c"],
    "position_biased_input": False,
    "max_relative_positions": -1,
    "max_position_embeddings": POSITIONS,
}
_OF_ROBERTA = {"pad_token_id": 1, "max_position_embeddings": POSITIONS + 2}


def write_bert(folder: Path) -> Path:
    """Save a BERT with random weights in the folder: config, safetensors, vocabulary."""
    from transformers import BertTokenizer

    letters = [*string.ascii_lowercase, *string.digits, ".", ","]
    vocabulary = [*SPECIAL, *WORDS, *letters, *(f"##{each}" for each in letters)]
    _write_model(folder, "bert", vocab_size=len(vocabulary), max_position_embeddings=POSITIONS)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def write_deberta(folder: Path) -> Path:
    """Save a DeBERTa, FMEval's usual kind of model, whose tokens are bytes."""
    from transformers import DebertaTokenizer

    return _write_byte_model(folder, "deberta", DebertaTokenizer, ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"])


def write_roberta(folder: Path) -> Path:
    """Save a RoBERTa, FMEval's other kind of model, whose tokens are bytes."""
    from transformers import RobertaTokenizer

    return _write_byte_model(folder, "roberta", RobertaTokenizer, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])


def _write_byte_model(folder: Path, kind: str, tokenizer: type[Any], special: list[str]) -> Path:
    from transformers.models.gpt2.tokenization_gpt2 import bytes_to_unicode

    tokens = [*special, *bytes_to_unicode().values()]
    _write_model(folder, kind, vocab_size=len(tokens), **(_OF_DEBERTA if kind == "deberta" else _OF_ROBERTA))
    numbers = {token: number for number, token in enumerate(tokens)}
    (folder / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    tokenizer(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(folder)
    return folder


def _write_model(folder: Path, kind: str, **settings: Any) -> None:
    import torch
    from transformers import AutoConfig, AutoModel

    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    model = AutoModel.from_config(AutoConfig.for_model(kind, **_SIZES, **settings))
    model.save_pretrained(folder, safe_serialization=True)


def write_hollow(folder: Path, config: dict[str, Any], tokenizer: dict[str, Any] | None = None) -> Path:
    """Save a model that is only looked at: its descriptions, and a file of weights without any."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer or {}), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"")
    return folder
