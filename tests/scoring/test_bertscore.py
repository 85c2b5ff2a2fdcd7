"""BERTScore by FMEval's own class and the real libraries, over small models that are written to disk here."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from qaviz.model.columns import ANSWER, BERTSCORE, RESPONSE, UNSCORED_ANSWER
from qaviz.model.records import Progress
from qaviz.scoring.bridge import (
    AT_A_TIME,
    LONGEST_TEXT,
    PAIR,
    ROW,
    best_scores,
    load_bertscore,
    score_pairs,
    text_pairs,
)
from qaviz.scoring.language_models import MODELS_VARIABLE, ROBERTA, LanguageModel, find_model
from tests.scoring.tiny_models import DEBERTA, POSITIONS, WORDS, write_model

needs_the_library = [
    pytest.mark.fmeval,
    pytest.mark.skipif(importlib.util.find_spec("bert_score") is None, reason="bert_score comes with FMEval"),
]

HOSTILE = ("", "  \n", "the " * 500, "x" * LONGEST_TEXT, "ünï ☃ 漢字", "a\x00b", "<s> </s> <pad>", "<OR>")


@pytest.fixture
def models(tmp_path, monkeypatch) -> Path:
    """The folder of models, and an empty cache. Small models compute in one thread: two would wait for each other."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "models"


def write_posing(models: Path, name: str = ROBERTA) -> LanguageModel:
    """A small model in the folder of models. Python files beside it pose as libraries: none of them is ever run."""
    home = write_model(models, name)
    for library in ("torch", "bert_score", "transformers", "polars", "json", "sitecustomize", "modeling_roberta"):
        (home / f"{library}.py").write_text("raise SystemExit('ran')\n", encoding="utf-8")
    return find_model(name)


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


def sentences(number: int) -> list[tuple[str, str]]:
    """Distinct pairs of texts of different lengths."""
    return [
        (" ".join(WORDS[: 1 + place % 9]), " ".join(WORDS[place % 5 : 2 + place % 13]) + f" {place}")
        for place in range(number)
    ]


def by_fmeval(pairs: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> dict[str, list[float]]:
    """What FMEval's own BertscoreHelperModel returns with each of its models, in their folder.

    The helper gets its metric by evaluate.load, from the network. Here it gets what that script does: bert_score's
    BERTScorer at the layer of the model's name, over the helper's own texts in lists.
    """
    import bert_score
    import evaluate
    from fmeval.eval_algorithms.helper_models.helper_model import BertscoreHelperModel

    layers = bert_score.utils.model2layers
    scorers = {
        name: bert_score.BERTScorer(model_type=name, num_layers=layers[name], batch_size=64, nthreads=4)
        for name in (DEBERTA, ROBERTA)
    }

    def compute(predictions: list[str], references: list[str], model_type: str) -> dict[str, list[float]]:
        lists = [[text] for text in references]
        return {"f1": scorers[model_type].score(cands=predictions, refs=lists, batch_size=64)[2].tolist()}

    monkeypatch.setattr(evaluate, "load", lambda _: SimpleNamespace(compute=compute))
    helpers = {name: BertscoreHelperModel(name) for name in scorers}
    return {name: [helper.get_helper_scores(*pair) for pair in pairs] for name, helper in helpers.items()}


class TestTextPairs:
    """What is compared with what."""

    def test_each_variant_is_a_pair(self):
        """Each variant of an answer is compared, as FMEval splits it; rows without an answer score have no pair."""
        pairs = text_pairs(rows_of(("a<OR> b", "x"), (None, "x"), ("a", None), ("a", "y")))
        assert pairs.select(ROW, ANSWER, RESPONSE).rows() == [(0, "a", "x"), (0, " b", "x"), (3, "a", "y")]

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


def test_the_best_variant_counts():
    """A row's score is its best variant's; it is missing, not lower, while one of them is not scored."""
    rows = rows_of(("a<OR>b", "x"), ("a<OR>c", "x"), (None, "x"))
    pairs = text_pairs(rows)
    known = pairs.filter(pl.col(ANSWER) != "c").unique(PAIR).sort(ANSWER)
    scores = known.select(PAIR, pl.Series(BERTSCORE, [0.25, 0.75]))
    assert best_scores(pairs, scores, rows.height).to_list() == [0.75, None, None]


class TestInItsProcess:
    """Scores that another process computes by FMEval's class."""

    pytestmark = needs_the_library

    # transformers scripts parts of DeBERTa, which torch advises against.
    @pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
    def test_scores_are_fmevals(self, models, monkeypatch):
        """FMEval's own BertscoreHelperModel gives the same scores, to 32 bits, with both its models; a row with
        variants has the best of them. The model is named, and how far it is told, while it works.

        Empty, endless and strange texts have a score, on either side; an empty response has 0, as with FMEval. A text
        longer than the model reads is compared as far as the model reads it. No Python file beside it is run. The
        second model has no process here: what a process does is the same for both.
        """
        model, _ = (write_posing(models, name) for name in (ROBERTA, DEBERTA))
        pairs, whole = sentences(AT_A_TIME + 1), "a" * (POSITIONS - 2)
        plain = [*pairs, ("the office<OR>sales rose", "sales fell"), ("net sales", "net sales")]
        hostile = [pair for text in HOSTILE for pair in ((text, "the office"), ("the office", text))]
        hostile += [(whole, whole + " fell in seattle"), (whole, whole[:-7] + " fell")]
        apart = [*pairs, ("the office", "sales fell"), ("sales rose", "sales fell"), ("net sales", "net sales")]
        monkeypatch.chdir(models)
        theirs, told = by_fmeval(apart, monkeypatch), []
        ours = scored(rows_of(*plain, *hostile), model, lambda *so_far: told.append(so_far))
        compare = load_bertscore(DEBERTA)

        assert list(dict.fromkeys(told))[:2] == [(0.0, "starting"), (0.0, f"loading {ROBERTA}")]
        assert told == sorted(told, key=lambda so_far: so_far[0])
        # A sum over other threads may differ in the last digit of 32 bits.
        *expected, office, sales, same = theirs[ROBERTA]
        assert ours[: len(plain)] == pytest.approx([*expected, max(office, sales), same], abs=2e-7)
        assert [compare(*pair) for pair in apart] == pytest.approx(theirs[DEBERTA], abs=2e-7)
        for scores in (ours, theirs[DEBERTA]):
            assert len({round(score, 3) for score in scores}) > AT_A_TIME / 2
        assert [same, theirs[DEBERTA][-1]] == pytest.approx([1, 1], abs=1e-6)
        *scores, longer, other = ours[len(plain) :]
        assert all(score is not None and 0 <= score <= 1.000001 for score in scores)
        assert scores[1] == scores[3] == 0
        assert longer == pytest.approx(1, abs=1e-6)
        assert other < 0.9999


@needs_the_library[0]
@needs_the_library[1]
def test_a_file_that_lacks_weights_gives_no_score(models, monkeypatch):
    """The library would fill them in at random: the error names the first that lacks."""
    from safetensors.torch import load_file, save_file

    model = write_posing(models)
    file = model.folder / "model.safetensors"
    weights = load_file(file)
    lacking = next(name for name in weights if "layer.0.output.dense.weight" in name)
    del weights[lacking]
    save_file(weights, file, metadata={"format": "pt"})
    monkeypatch.chdir(models)
    with pytest.raises(ValueError, match="lacks 1 of the model's weights"):
        load_bertscore(model.name)("net sales rose", "net sales fell")
