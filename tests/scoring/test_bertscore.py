"""BERTScore by the real libraries over a small BERT that is written to disk here."""

import importlib.util
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import polars as pl
import pytest

from qaviz.model.columns import ANSWER, BERTSCORE, RESPONSE, UNSCORED_ANSWER
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress
from qaviz.processes import CancelledError
from qaviz.scoring.bertscore import (
    AT_A_TIME,
    LONGEST_TEXT,
    PAIR,
    PAIRS,
    PARTS,
    ROW,
    best_scores,
    layer,
    load,
    score_folder,
    score_pairs,
    text_pairs,
)
from qaviz.scoring.language_models import MODELS_VARIABLE, LanguageModel, find_model
from tests.scoring.processes import scoring_processes
from tests.scoring.tiny_models import LAYERS, POSITIONS, WORDS, write_bert, write_deberta, write_roberta

ROOT = Path(__file__).parents[2]

needs_the_library = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("bert_score") is None, reason="bert_score comes with FMEval"),
]

HOSTILE = ("", "  \n", "the " * 500, "x" * (3 * LONGEST_TEXT), "ünï ☃ 漢字", "a\x00b", "[CLS] [SEP] [PAD]", "<OR>")


@pytest.fixture
def models(tmp_path, monkeypatch) -> Path:
    """The folder of models; its path has `t5` in it, as a user's may, which bert_score would misread."""
    folder = tmp_path / "matt5"
    monkeypatch.setenv(MODELS_VARIABLE, str(folder))
    return folder


@pytest.fixture
def model(models) -> LanguageModel:
    """A small BERT in the folder of models. Python files beside it pose as libraries: none of them is ever run."""
    folder = write_bert(models / "tiny")
    for library in ("torch", "bert_score", "transformers", "polars", "json", "sitecustomize", "modeling_bert"):
        (folder / f"{library}.py").write_text("raise SystemExit('ran')\n", encoding="utf-8")
    return find_model("tiny")


def rows_of(*texts: tuple[str | None, str | None]) -> pl.DataFrame:
    """A table of answers and responses; where one is missing, the reason stands beside it."""
    rows = pl.DataFrame(texts, schema={ANSWER: pl.String, RESPONSE: pl.String}, orient="row")
    missing = pl.any_horizontal(pl.col(ANSWER, RESPONSE).is_null())
    return rows.with_columns(pl.when(missing).then(pl.lit("missing")).alias(UNSCORED_ANSWER))


def scored(rows: pl.DataFrame, model: LanguageModel, progress: Progress | None = None) -> list[float | None]:
    """The rows' BERTScores, computed in another process."""
    pairs, kept = text_pairs(rows), list[pl.DataFrame]()
    score_pairs(pairs, model, kept.append, progress)
    return best_scores(pairs, pl.concat(kept), rows.height).to_list()


def scored_here(rows: pl.DataFrame, model: LanguageModel, folder: Path, monkeypatch) -> list[float | None]:
    """The rows' BERTScores, computed by the worker's own code in this process."""
    folder.mkdir(exist_ok=True)
    pairs = text_pairs(rows)
    pairs.unique(PAIR).write_parquet(folder / PAIRS)
    monkeypatch.chdir(model.folder)
    score_folder(folder, lambda *_: None, model.name)
    return best_scores(pairs, pl.read_parquet(folder / PARTS), rows.height).to_list()


def sentences(number: int) -> list[tuple[str, str]]:
    """Distinct pairs of texts of different lengths."""
    return [
        (" ".join(WORDS[: 1 + place % 9]), " ".join(WORDS[place % 5 : 2 + place % 13]) + f" {place}")
        for place in range(number)
    ]


def by_fmeval(folder: Path, pairs: list[tuple[str, str]]) -> list[float]:
    """What FMEval's own BertscoreHelperModel returns, in a process of its own that runs in the model's folder.

    The helper gets its metric by evaluate.load, from the network. Here it gets what that metric does: bert_score's
    BERTScorer over the helper's own texts, one pair at a time.
    """
    code = f"""
        import json, sys, types
        import bert_score, evaluate
        scorer = bert_score.BERTScorer(model_type=".", num_layers=3)
        def compute(predictions, references, model_type):
            assert model_type == "."
            return dict(f1=scorer.score(cands=predictions, refs=references)[2].tolist())
        evaluate.load = lambda name: types.SimpleNamespace(compute=compute)
        from fmeval.eval_algorithms.helper_models.helper_model import BertscoreHelperModel
        helper = BertscoreHelperModel(".")
        print(json.dumps([helper.get_helper_scores(answer, response) for answer, response in {pairs!r}]))
    """
    command = [sys.executable, "-P", "-W", "ignore", "-c", textwrap.dedent(code)]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(said.stdout.splitlines()[-1])


class TestTextPairs:
    """What is compared with what."""

    def test_each_variant_is_a_pair(self):
        """Each variant of an answer is compared, as FMEval splits it; rows without an answer score have no pair."""
        pairs = text_pairs(rows_of(("a<OR> b", "x"), (None, "x"), ("a", None), ("a", "y")))
        assert pairs.select(ROW, ANSWER, RESPONSE).rows() == [(0, "a", "x"), (0, " b", "x"), (3, "a", "y")]

    def test_a_missing_text_has_no_pair(self):
        """Scores of FMEval's own output may stand without their texts: there is nothing to compare then."""
        rows = rows_of((None, "x"), ("a", None)).with_columns(pl.lit(None, pl.String).alias(UNSCORED_ANSWER))
        assert text_pairs(rows).is_empty()

    def test_equal_texts_are_one_pair(self):
        """The same two texts have the same key in every table, other texts and the same ones swapped have others."""
        first, again, swapped, shifted = text_pairs(rows_of(("ab", "c"), ("ab", "c"), ("c", "ab"), ("a", "bc")))[PAIR]
        assert first == again == text_pairs(rows_of(("ab", "c")))[PAIR][0]
        assert len({first, swapped, shifted}) == 3

    def test_long_texts_are_cut(self):
        """A text is compared up to its limit: what follows makes no other pair."""
        pairs = text_pairs(rows_of(("a", "x" * LONGEST_TEXT), ("a", "x" * LONGEST_TEXT + "y")))
        assert pairs[PAIR].n_unique() == 1
        assert pairs[RESPONSE].str.len_chars().max() == LONGEST_TEXT

    def test_no_rows(self):
        """An empty table has no pairs and no scores."""
        pairs = text_pairs(rows_of())
        assert pairs.is_empty()
        assert best_scores(pairs, pl.DataFrame(schema={PAIR: pl.Binary, BERTSCORE: pl.Float64}), 0).is_empty()


def test_the_best_variant_counts():
    """A row's score is its best variant's; it is missing, not lower, while one of them is not scored."""
    rows = rows_of(("a<OR>b", "x"), ("a<OR>c", "x"), (None, "x"))
    pairs = text_pairs(rows)
    known = pairs.filter(pl.col(ANSWER) != "c").unique(PAIR).sort(ANSWER)
    scores = known.select(PAIR, pl.Series(BERTSCORE, [0.25, 0.75]))
    assert best_scores(pairs, scores, rows.height).to_list() == [0.75, None, None]


@pytest.mark.usefixtures("model")
class TestInItsProcess:
    """Scores that another process computes by bert_score."""

    pytestmark = needs_the_library

    def test_scores_are_fmevals(self, model):
        """FMEval's own BertscoreHelperModel over the same folder gives the same scores, to 6 decimals, variants too.

        The model is named, and how far it is told, while it works. No Python file beside the model is run.
        """
        pairs, told = sentences(AT_A_TIME + 1), []
        rows = rows_of(*pairs, ("the office<OR>sales rose", "sales fell"))
        ours = scored(rows, model, lambda *so_far: told.append(so_far))
        theirs = by_fmeval(model.folder, [*pairs, ("the office", "sales fell"), ("sales rose", "sales fell")])
        assert ours == pytest.approx([*theirs[:-2], max(theirs[-2:])], abs=1e-6)
        assert len({round(each, 3) for each in ours}) > AT_A_TIME / 2
        assert list(dict.fromkeys(told))[:2] == [(0.0, "starting"), (0.0, "loading tiny")]
        assert told == sorted(told, key=lambda so_far: so_far[0])

    def test_cancel_keeps_what_is_done(self, model):
        """Cancelling ends the other process soon; what was scored by then has been kept, and is part of the whole."""
        kept = list[pl.DataFrame]()
        pairs = text_pairs(rows_of(*sentences(100 * AT_A_TIME)))
        with pytest.raises(CancelledError):
            score_pairs(pairs, model, kept.append, cancelled=lambda: bool(kept))
        assert 0 < sum(map(len, kept)) < pairs.height
        assert set(pl.concat(kept)[PAIR]) < set(pairs[PAIR])
        assert scoring_processes() == []

    def test_a_broken_model_is_a_message(self, models):
        """A model whose files do not fit together is a problem that names its folder and the library's reason."""
        folder = write_bert(models / "broken")
        (folder / "model.safetensors").write_bytes(b"no weights")
        with pytest.raises(QavizError) as raised:
            scored(rows_of(("a", "b")), find_model("broken"))
        assert raised.value.problems[0].where == str(folder)
        assert "SafetensorError" in raised.value.problems[0].found


class TestWorker:
    """What happens in that process, run in this one."""

    pytestmark = needs_the_library

    def test_hostile_texts_have_scores(self, model, tmp_path, monkeypatch):
        """Empty, endless and strange texts have a score, on either side; an empty response has 0, as with FMEval."""
        rows = rows_of(*[pair for text in HOSTILE for pair in ((text, "the office"), ("the office", text))])
        scores = scored_here(rows, model, tmp_path, monkeypatch)
        assert all(score is not None and 0 <= score <= 1.000001 for score in scores)
        assert scores[1] == scores[3] == 0

    def test_a_text_counts_up_to_the_models_end(self, model, tmp_path, monkeypatch):
        """A text longer than the model reads is compared as far as the model reads it."""
        whole = " ".join(["amazon"] * (POSITIONS - 2))
        rows = rows_of((whole, whole + " fell in seattle"), (whole, whole[:-7] + " fell"))
        longer, other = scored_here(rows, model, tmp_path, monkeypatch)
        assert longer == pytest.approx(1, abs=1e-6)
        assert other < 0.999

    # transformers scripts parts of DeBERTa, which torch advises against.
    @pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
    @pytest.mark.parametrize("write", [write_deberta, write_roberta], ids=["deberta", "roberta"])
    def test_fmevals_kinds_of_model(self, models, tmp_path, monkeypatch, write):
        """Models of FMEval's two kinds load as transformers writes them; the same text scores 1, another one less, and
        a text beyond the model's end is no error."""
        write(models / "kind")
        rows = rows_of(("net sales rose", "net sales rose"), ("net sales rose", "it fell"), ("it " * 100, "it " * 200))
        same, other, long = scored_here(rows, find_model("kind"), tmp_path, monkeypatch)
        assert (same, long) == (pytest.approx(1, abs=1e-6), pytest.approx(1, abs=1e-6))
        assert other < 0.99

    def test_no_vocabulary(self, models, monkeypatch):
        """A folder without its tokenizer's vocabulary does not load."""
        (write_bert(models / "mute") / "vocab.txt").unlink()
        monkeypatch.chdir(models / "mute")
        with pytest.raises((OSError, TypeError), match=r"vocab|tokenizer|NoneType"):
            load("mute")

    def test_lacking_weights(self, models, monkeypatch):
        """A file without some of the model's weights does not load: the library would fill them in at random."""
        from safetensors.torch import load_file, save_file

        folder = write_bert(models / "lacking")
        weights = load_file(folder / "model.safetensors")
        del weights["encoder.layer.0.output.dense.weight"]
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        monkeypatch.chdir(folder)
        with pytest.raises(ValueError, match=r"lacks 1 of the model's weights, such as encoder\.layer\.0\.output"):
            load("lacking")

    def test_weights_under_other_names(self, model, models, tmp_path, monkeypatch):
        """A model with a head, whose weights stand under a prefix and under old names, scores as its body does."""
        from safetensors.torch import load_file, save_file

        folder = write_bert(models / "headed")
        weights = {
            "bert."
            + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): each
            for name, each in load_file(folder / "model.safetensors").items()
        }
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        rows = rows_of(*sentences(5))
        plain = scored_here(rows, model, tmp_path / "plain", monkeypatch)
        assert scored_here(rows, find_model("headed"), tmp_path / "headed", monkeypatch) == plain

    @pytest.mark.parametrize(
        ("name", "layers", "expected"),
        [
            ("microsoft/deberta-xlarge-mnli", 48, 40),
            ("models/deberta-xlarge-mnli", 48, 40),
            ("roberta-large-mnli", 24, 19),
            ("tiny", LAYERS, 3),
            ("tiny", 1, 1),
            ("roberta-large-mnli", 6, 6),
        ],
    )
    def test_the_layer_is_the_tuned_one(self, name, layers, expected):
        """FMEval's models are compared at the layer that bert_score was tuned on, others three quarters up."""
        assert layer(name, layers) == expected
