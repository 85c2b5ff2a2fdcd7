"""FMEval's language models of some thousand weights each, written to disk as real ones are."""

import json
from pathlib import Path
from typing import Any

from qaviz.scoring.language_models import FMEVAL_MODELS, ROBERTA

WORDS = ("the", "net", "sales", "were", "billion", "dollars", "amazon", "office", "is", "in", "seattle", "rose", "fell")

POSITIONS = 128
"""The longest text that the RoBERTa reads, in bytes."""

DEBERTA = next(iter(FMEVAL_MODELS))
_SIZES = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 64}
_OF_KIND = {
    # bert_score compares layers 40 and 19 of models of these names.
    DEBERTA: {
        "num_hidden_layers": 40,
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_biased_input": False,
        "max_relative_positions": -1,
        "max_position_embeddings": POSITIONS,
    },
    ROBERTA: {"num_hidden_layers": 19, "pad_token_id": 1, "max_position_embeddings": POSITIONS + 2},
}
_SPECIAL = {
    DEBERTA: ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"],
    ROBERTA: ["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
}


def write_model(folder: Path, name: str = ROBERTA) -> Path:
    """Save a model of this name with random weights in the folder of models; its tokens are bytes."""
    import torch
    import transformers
    from transformers.models.gpt2.tokenization_gpt2 import bytes_to_unicode

    home, (kind, tokenizer) = folder / name, FMEVAL_MODELS[name]
    home.mkdir(parents=True)
    tokens = [*_SPECIAL[name], *bytes_to_unicode().values()]
    torch.manual_seed(1)
    config = transformers.AutoConfig.for_model(kind, vocab_size=len(tokens), **_SIZES, **_OF_KIND[name])
    transformers.AutoModel.from_config(config).save_pretrained(home, safe_serialization=True)
    numbers = {token: number for number, token in enumerate(tokens)}
    (home / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    (home / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    getattr(transformers, tokenizer)(str(home / "vocab.json"), str(home / "merges.txt")).save_pretrained(home)
    return home


def write_hollow(home: Path, config: dict[str, Any], tokenizer: dict[str, Any] | None = None) -> Path:
    """Save a model that is only looked at: its descriptions, and a file of weights without any."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (home / "tokenizer_config.json").write_text(json.dumps(tokenizer or {}), encoding="utf-8")
    (home / "model.safetensors").write_bytes(b"")
    return home
