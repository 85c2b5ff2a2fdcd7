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


def write_bert(folder: Path, seed: int = 1) -> Path:
    """Save a BERT with random weights in the folder: config, safetensors, vocabulary."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    letters = [*string.ascii_lowercase, *string.digits, ".", ","]
    vocabulary = [*SPECIAL, *WORDS, *letters, *(f"##{each}" for each in letters)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=POSITIONS,
    )
    torch.manual_seed(seed)
    BertModel(config).save_pretrained(folder, safe_serialization=True)
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def write_hollow(folder: Path, config: dict[str, Any], tokenizer: dict[str, Any] | None = None) -> Path:
    """Save a model that is only looked at: its descriptions, and a file of weights without any."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer or {}), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"")
    return folder
